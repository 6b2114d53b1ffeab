#!/bin/sh
# Installs Debian's PostgreSQL for the tests on a server; none is begun. Prints the line to run where it may not.
set -u
for program in /usr/lib/postgresql/*/bin/initdb; do [ -x "$program" ] && exit 0; done
line="apt-get install -y --no-install-recommends postgresql"
if [ "$(id -u)" = 0 ]; then
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 $line -qq && exit 0
fi
echo "The tests on a database server need PostgreSQL. Please run:  sudo $line" >&2
exit 1
