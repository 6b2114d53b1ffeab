"""Reports of mailers on our mails (RFC 3464): receivers that a mail will never reach."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from email.message import Message

FULL = "5.2.2"
"""A full mailbox: permanent by its code, but over as soon as the owner tidies up (RFC 3463 §3.3)."""


@dataclass(frozen=True)
class DeliveryReport:
    """A mail of the bot, by its Message-ID, will not reach these addresses, which are in lower case."""

    message: str
    failed: tuple[str, ...]


def failed_recipients(parts: Iterable[Message]) -> tuple[str, ...]:
    """The addresses of a delivery report that failed for good. Addresses that are late, full, delivered or without a
    status are not included; neither is an address to which the receiver has mails forwarded.
    """
    return tuple(
        str(part["Final-Recipient"]).partition(";")[2].strip(" \t\r\n<>").lower()
        for part in parts
        if "Final-Recipient" in part
        and str(part.get("Action", "")).strip().lower() == "failed"
        and (status := str(part.get("Status", "")).partition("(")[0].strip()).startswith("5.")
        and status != FULL
    )
