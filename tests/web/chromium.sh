#!/bin/sh
# Installs Debian's Chromium for the tests in a browser. Prints the line to run where it may not.
set -u
command -v chromium >/dev/null && exit 0
line="apt-get install -y --no-install-recommends chromium"
if [ "$(id -u)" = 0 ]; then
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive $line -qq && exit 0
fi
echo "The tests in a browser need Chromium. Please run:  sudo $line" >&2
exit 1
