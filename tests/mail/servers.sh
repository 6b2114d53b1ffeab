#!/bin/sh
# Installs Debian's dovecot for the tests with real mail servers. Prints the line to run where it may not.
set -u
command -v dovecot >/dev/null || [ -x /usr/sbin/dovecot ] && [ -e /usr/lib/dovecot/lmtp ] && exit 0
line="apt-get install -y --no-install-recommends dovecot-imapd dovecot-lmtpd openssl"
if [ "$(id -u)" = 0 ]; then
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive $line -qq && exit 0
fi
echo "The tests with mail servers need dovecot. Please run:  sudo $line" >&2
exit 1
