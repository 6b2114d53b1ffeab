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


def is_address(text: str) -> bool:
    """Whether a mail can be built and sent to that address, which is in small letters.

    Text that looks like an encoded word (RFC 2047) is refused: programs decode it on the way.
    """
    return len(text) <= LONGEST_ADDRESS and "=?" not in text and ADDRESS.fullmatch(text) is not None
