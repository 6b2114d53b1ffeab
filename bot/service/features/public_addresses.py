"""Addresses in the internet at large: those that the bot may call because somebody has named them."""

from __future__ import annotations

import socket
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import SplitResult, urlsplit

from bot.engine import IllegalMove

LONGEST_ADDRESS = 500
EMBEDDING = tuple(map(ip_network, ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32", "::/96")))
"""Networks whose addresses lead to an IPv4 address that they contain."""


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Whether an address is one of the internet at large."""
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return is_public(address.ipv4_mapped)
        if any(address in network for network in EMBEDDING) or address.is_site_local:
            return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def check_address(address: str, schemes: tuple[str, ...] = ("https",)) -> None:
    """Refuse what cannot be called, as far as the text says.

    :raises IllegalMove: it is no https address, has a password in it, or names an address that is not public.
    """
    parts = split_address(address)
    if parts is None or parts.scheme not in schemes or not parts.hostname or parts.username is not None:
        raise IllegalMove("The address begins with https:// and has no password in it.")
    literal = literal_address(parts.hostname)
    if literal is not None and not is_public(literal):
        raise IllegalMove("Only public addresses can be called.")


def split_address(address: str) -> SplitResult | None:
    """The parts of an address; None if it is no address."""
    is_plain = len(address) <= LONGEST_ADDRESS and address.isascii() and address.isprintable() and " " not in address
    try:
        parts = urlsplit(address) if is_plain else None
        return parts if parts is not None and (parts.port is None or parts.port) else None
    except ValueError:
        return None


def literal_address(host: str) -> IPv4Address | IPv6Address | None:
    """The address that a host's name is, also in the old forms (`127.1`, `0x7f000001`); None if it is a name."""
    try:
        return ip_address(host)
    except ValueError:
        pass
    try:
        return IPv4Address(socket.inet_aton(host))
    except OSError:
        return None
