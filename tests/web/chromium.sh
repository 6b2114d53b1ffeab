#!/bin/sh
# Installs Debian's Chromium for the tests in a browser, and its TypeScript, which checks the types of the page's scripts.
# Prints the line to run where it may not.
set -u
command -v chromium >/dev/null && command -v tsc >/dev/null && exit 0
line="apt-get install -y --no-install-recommends chromium"
types="apt-get install -y --no-install-recommends node-typescript"
if [ "$(id -u)" = 0 ]; then
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive $line -qq && {
        DEBIAN_FRONTEND=noninteractive $types -qq || echo "The types of the page's scripts are not checked: $types" >&2
        exit 0
    }
fi
echo "The tests in a browser need Chromium. Please run:  sudo $line && sudo $types" >&2
exit 1
