#!/bin/sh
# Installs Debian's dovecot and exim for the tests with real mail servers; neither is begun, and no other mail server is taken
# away. Prints the line to run where it may not.
set -u
[ -x /usr/sbin/dovecot ] && [ -e /usr/lib/dovecot/lmtp ] && [ -x /usr/sbin/exim4 ] && exit 0
line="apt-get install -y --no-remove --no-install-recommends dovecot-imapd dovecot-lmtpd exim4-daemon-light openssl"
if [ "$(id -u)" = 0 ]; then
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 $line -qq && exit 0
fi
echo "The tests with mail servers need dovecot and exim. Please run:  sudo $line" >&2
exit 1
