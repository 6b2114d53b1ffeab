#!/bin/sh
# Plays `make test` of the last commit on a machine fresh from the installer, to see whether README's promise holds there:
#     sh tests/bare_debian.sh trixie [WORDS OF debootstrap]
# By hand and as root, with debootstrap and git. Packages come from debootstrap's mirror (or $MIRROR); pip is set up there as
# it is here, by its variables and the machine's /etc/pip.conf.
set -eu
suite="$1"
shift
project="$(cd "$(dirname "$0")/.." && pwd)"
root="$(mktemp -d "${TMPDIR:-/var/tmp}/bare-$suite.XXXXXX")"
trap 'rm -rf --one-file-system "$root"' EXIT
trap 'exit 130' INT TERM
chmod 755 "$root"

debootstrap --variant=minbase --include=ca-certificates,git,make,python3 "$@" "$suite" "$root" ${MIRROR:-} >&2
git clone --quiet "$project" "$root/opt/signalbox"
for file in /etc/hosts /etc/resolv.conf /etc/pip.conf /etc/ssl/certs/ca-certificates.crt; do
    [ ! -f "$file" ] || cp -L "$file" "$root$file"
done

set -- HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin
for name in $(env | grep -Eio '^(pip_[a-z_]+|[a-z]+_proxy)=' | tr -d =); do
    set -- "$@" "$name=$(printenv "$name")"
done
# Mounts and processes of a namespace of their own: none is left when it ends.
unshare --mount --pid --fork --kill-child sh -euc '
    root="$1"
    shift
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    exec chroot "$root" env -i "$@" sh -c "python3 --version && make -C /opt/signalbox test"
' sh "$root" "$@"
