#!/bin/sh
# Installs what Debian itself must provide: libcairo2 and the venv module. Prints the line to run where it may not.
set -u
if python3 -c '' 2>/dev/null && ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    echo "Signalbox needs Python 3.11 or newer; here is $(python3 --version)" >&2
    exit 1
fi
missing=""
python3 -c 'import ensurepip, venv' 2>/dev/null || missing="$missing python3-venv"
python3 -c 'import ctypes.util, sys; sys.exit(ctypes.util.find_library("cairo") is None)' 2>/dev/null || missing="$missing libcairo2"
[ -z "$missing" ] && exit 0
line="apt-get install -y$missing"
if [ "$(id -u)" = 0 ]; then
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive $line -qq && exit 0
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    sudo apt-get update -qq && sudo DEBIAN_FRONTEND=noninteractive $line -qq && exit 0
fi
echo "Signalbox needs Debian packages. Please run:  sudo $line" >&2
exit 1
