"""The mailbox over IMAP: what has come, bounded; marking it as read; waiting for more. The server is not trusted to send no more
than it is asked for.

IMAPClient works in threads. The library for asyncio, aioimaplib, is only under the GPL, which this program is not.
"""

from __future__ import annotations

import re
import ssl
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from imaplib import IMAP4
from typing import Any

from imapclient import SEEN, IMAPClient
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError, LoginError
from imapclient.imap4 import IMAP4WithTimeout
from imapclient.imapclient import SocketTimeout
from imapclient.tls import IMAP4_TLS

from bot.ops.settings import MailSettings

from .letters.limits import MOST_READ

SECONDS = 30.0
"""Longest wait for a server's answer, in seconds."""

LOOK_SECONDS = 2.0
"""Longest time that the wait for new mail ignores the bot's end, in seconds."""

IDLE_SECONDS = 120.0
"""Seconds after which the bot checks for mail that the server did not announce, and whether the server is still
there.
"""

MOST_SAID = 8 * 1024 * 1024
"""Maximum number of bytes in a server's answer to one command; the longest list of unread letters that the library
takes has one million.
"""

RANGE, MOST_LISTED = 50_000, 100_000
"""Numbers that are searched for letters at once, and letters after which the search ends."""

HEADS, LONGEST_HEADS = ("FROM", "TO", "CC", "DELIVERED-TO", "X-ORIGINAL-TO", "ENVELOPE-TO"), 8192
"""Headers that are looked at before a letter is fetched, and the maximum number of their bytes."""

OF_A_LINE = 200
"""Additional bytes that each line counts as: it is kept as several objects."""

MOST_SKIPPED = 1 << 30
"""Maximum number of bytes of a letter."""

LONGEST_NUMBER = 12
TOO_MUCH = "the server says too much"
PIECE = 64 * 1024
LITERAL = re.compile(rb"\{(\d+)\}\r?\n$")
"""A server's announcement of the number of bytes that follow (RFC 9051 §4.3)."""

UNREACHABLE = (OSError, IMAPClientError)
"""Errors of a mailbox that cannot be used, including `LoginError`."""


class BoundedIMAP4(IMAP4):
    """Bounds the server's answers: of each literal the beginning is kept, the rest is skipped; and no more in total
    than `MOST_SAID` until `begin` is called again.
    """

    _said = _skipped = 0
    _kept = MOST_READ

    def begin(self, kept: int = MOST_READ) -> None:
        """Reset the count before the next command, which keeps a limited number of bytes of a literal."""
        self._said = self._skipped = 0
        self._kept = kept

    def readline(self) -> bytes:
        """The next line; the length of a literal that it announces is reduced to the part that `read` keeps.

        :raises IMAPClientAbortError: the server says too much.
        """
        line = super().readline()
        self._count(len(line) + OF_A_LINE)
        announced = LITERAL.search(line)
        if announced is None:
            return line
        size = int(announced[1]) if len(announced[1]) <= LONGEST_NUMBER else MOST_SKIPPED + 1
        if size > MOST_SKIPPED:
            raise IMAPClientAbortError(TOO_MUCH)
        self._skipped = max(size - self._kept, 0)
        return line[: announced.start()] + b"{%d}\r\n" % (size - self._skipped)

    def read(self, size: int) -> bytes:
        """The kept bytes of a literal; the rest of a longer literal is skipped.

        :raises IMAPClientAbortError: the server says too much, or disconnects.
        """
        self._count(size)
        found = super().read(size)
        while self._skipped:
            piece = super().read(min(self._skipped, PIECE))
            if not piece:
                raise IMAPClientAbortError("the server ends within a letter")
            self._skipped -= len(piece)
        return found

    def _count(self, size: int) -> None:
        self._said += size
        if self._said > MOST_SAID:
            raise IMAPClientAbortError(TOO_MUCH)


class _Wrapped(BoundedIMAP4, IMAP4_TLS):  # type: ignore[misc]
    """Over TLS from the first byte."""


class _Plain(BoundedIMAP4, IMAP4WithTimeout):  # type: ignore[misc]
    """Without encryption until STARTTLS."""


class BoundedImapClient(IMAPClient):  # type: ignore[misc]
    def _create_IMAP4(self) -> BoundedIMAP4:
        seconds = getattr(self._timeout, "connect", self._timeout)
        if self.ssl:
            return _Wrapped(self.host, self.port, self.ssl_context, seconds)  # type: ignore[call-arg]
        return _Plain(self.host, self.port, seconds)


@dataclass
class Mailbox:
    """An open mailbox. Everything here blocks, and belongs to one thread at a time."""

    client: BoundedImapClient
    poll: int
    can_idle: bool
    next_uid: int = 1
    """No letter had this number or a higher number when the mailbox was opened."""
    first: int = 1
    """All letters of lower numbers have been read."""

    @classmethod
    def open(cls, settings: MailSettings) -> Mailbox:
        """Log in, only over TLS.

        :raises OSError: the server cannot be reached, or is not who it says.
        :raises IMAPClientError: it refuses.
        """
        server, context = settings.imap, ssl.create_default_context()
        client = BoundedImapClient(
            server.host,
            server.port,
            ssl=server.is_wrapped,
            ssl_context=context if server.is_wrapped else None,
            timeout=SocketTimeout(connect=SECONDS, read=SECONDS),
        )
        try:
            if not server.is_wrapped:
                client.starttls(context)
            client.login(server.user, settings.password)
            selected = client.select_folder(settings.folder)
            return cls(client, settings.poll, client.has_capability("IDLE"), int(selected.get(b"UIDNEXT", 1)))
        except BaseException:
            client.shutdown()
            raise

    def list_unread(self) -> list[int]:
        """The letters not handled yet, oldest first."""
        found: set[int] = set()
        starts = range(self.first, max(self.next_uid, self.first + 1), RANGE)
        for start in starts:
            end = start + RANGE - 1 if start != starts[-1] else "*"
            self.client._imap.begin()
            found |= set(self.client.search(["UID", f"{start}:{end}", "UNSEEN"]))
            if not found and start != starts[-1]:
                self.first = start + RANGE
            if len(found) >= MOST_LISTED:
                break
        self.next_uid = max(self.next_uid, *found, 0)
        return sorted(found)

    def heads(self, letters: Sequence[int]) -> dict[int, bytes]:
        """From whom letters are and to whom, as far as the server says it; they stay unread."""
        self.client._imap.begin()
        found: Any = self.client.fetch(letters, [f"BODY.PEEK[HEADER.FIELDS ({' '.join(HEADS)})]<0.{LONGEST_HEADS}>"])
        return {
            letter: next((one for name, one in parts.items() if name.startswith(b"BODY[") and type(one) is bytes), b"")
            for letter, parts in found.items()
        }

    def read(self, letter: int, most: int = MOST_READ) -> bytes:
        """The beginning of a letter of any length, up to the given number of bytes; it stays unread. Empty where it is
        gone.

        :raises IMAPClientError: what the server hands out is no letter.
        """
        self.client._imap.begin(most)
        found: Any = self.client.fetch([letter], [f"BODY.PEEK[]<0.{most}>"])
        parts = found.get(letter, {})
        raw = next((value for name, value in parts.items() if name.startswith(b"BODY[]") and value), b"")
        if not isinstance(raw, bytes):
            raise IMAPClientError("what the server hands out is no letter")
        return raw

    def mark(self, letter: int) -> None:
        self.client._imap.begin()
        self.client.add_flags([letter], [SEEN], silent=True)

    def wait(self, is_over: Callable[[], bool]) -> None:
        """Wait until something new has come, it is time to look, or `is_over`."""
        self.client._imap.begin()
        if self._has_news():
            return
        until = time.monotonic() + (IDLE_SECONDS if self.can_idle else self.poll)
        if not self.can_idle:
            while time.monotonic() < until and not is_over():
                time.sleep(min(LOOK_SECONDS, self.poll))
            self.client.noop()
            return
        self.client.idle()
        try:
            while time.monotonic() < until and not is_over():
                if any(
                    len(one) > 1 and one[1] in (b"EXISTS", b"RECENT") for one in self.client.idle_check(LOOK_SECONDS)
                ):
                    return
        finally:
            self.client.idle_done()

    def _has_news(self) -> bool:
        """Whether the server has announced something new in its answer to another command, even to a search: it does
        not repeat that. The library keeps that to itself.
        """
        return bool(self.client._imap.response("EXISTS")[1] != [None])

    def close(self) -> None:
        self.client.shutdown()


def describe_error(error: Exception) -> str:
    """The fault of a mailbox, in words that name nobody."""
    if isinstance(error, LoginError):
        return "the server refuses user or password"
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"the server's certificate is not believed ({error.verify_message})"
    if isinstance(error, TimeoutError):
        return "the server does not answer in time"
    return f"{type(error).__name__}{f': {error.strerror}' if isinstance(error, OSError) and error.strerror else ''}"
