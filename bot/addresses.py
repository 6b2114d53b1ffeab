"""Addresses of mail: which of them can be written to."""

from __future__ import annotations

import re

ATOM = r"[a-z0-9!#$%&'*+/=?^_`{|}~-]+"
LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
ADDRESS = re.compile(rf"(?=[^@]{{1,64}}@){ATOM}(?:\.{ATOM})*@{LABEL}(?:\.{LABEL})+")
"""RFC 5322 §3.4.1 without quoted names and numbers of machines. Some providers have given out addresses like `ann.@mail.example`,
which must be quoted: servers on the way refuse them."""

LONGEST_ADDRESS = 200
"""With 254 letters a mail server takes it; longer addresses do not fit into every line."""

SHARED_NAMES = ("ac", "co", "com", "edu", "gov", "ne", "net", "or", "org")
"""Names under the names of countries below which anybody has a domain."""

DOTLESS = ("gmail.com", "googlemail.com")
"""Domains that ignore dots in the names of mailboxes."""


def mailbox_of(address: str) -> str:
    """The mailbox of an address, without parts that providers ignore: one person may read many addresses that differ in them."""
    local, _, domain = address.partition("@")
    return f"{local.partition('+')[0].replace('.', '')}@{domain}"


def reader_of(address: str) -> str:
    """The mailbox of an address without the parts that its owner certainly chooses freely: two people never share one. For
    counting what one person does."""
    local, _, domain = address.partition("@")
    local = local.partition("+")[0]
    return f"{local.replace('.', '') if domain in DOTLESS else local}@{domain}"


def domain_of(address: str) -> str:
    """The part of an address's domain that its owner cannot freely choose: the last two names, under `co.uk` and the like three."""
    names = address.rpartition("@")[2].split(".")
    is_shared = len(names[-1]) == 2 and names[-2:-1] and names[-2] in SHARED_NAMES
    return ".".join(names[-3:] if is_shared else names[-2:])


def is_address(text: str) -> bool:
    """Whether a mail can be built and sent to that address, which is in small letters.

    Text that looks like an encoded word (RFC 2047) is refused: programs decode it on the way.
    """
    return len(text) <= LONGEST_ADDRESS and "=?" not in text and ADDRESS.fullmatch(text) is not None
