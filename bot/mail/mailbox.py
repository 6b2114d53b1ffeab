"""The mailbox over IMAP: what has come, bounded; marking it as read; waiting for more.

IMAPClient works in threads. The library for asyncio, aioimaplib, is under the GPL alone, which this program is not.
"""

from __future__ import annotations

import ssl
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from imapclient import SEEN, IMAPClient
from imapclient.exceptions import IMAPClientError, LoginError
from imapclient.imapclient import SocketTimeout

from bot.ops.settings import MailSettings

from .letters.bounds import MOST_READ

SECONDS = 30.0
"""So long a server may take for an answer."""

LOOK_SECONDS = 2.0
"""So long the wait for new mail takes no notice of the bot's end."""

IDLE_SECONDS = 120.0
"""After this it is looked whether there is something new of which the server has not told, and whether it is still there."""

UNREACHABLE = (OSError, IMAPClientError)
"""What a mailbox that cannot be used raises; `LoginError` is one of these."""


@dataclass
class Mailbox:
    """An open mailbox. Everything here blocks, and belongs to one thread at a time."""

    client: IMAPClient
    poll: int
    can_idle: bool

    @classmethod
    def open(cls, settings: MailSettings) -> Mailbox:
        """Log in, over TLS alone.

        :raises OSError: the server cannot be reached, or is not who it says.
        :raises IMAPClientError: it refuses.
        """
        server, context = settings.imap, ssl.create_default_context()
        client = IMAPClient(
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
            client.select_folder(settings.folder)
            return cls(client, settings.poll, client.has_capability("IDLE"))
        except BaseException:
            client.shutdown()
            raise

    def unread(self) -> list[int]:
        """The letters that nobody has dealt with, oldest first."""
        return sorted(self.client.search(["UNSEEN"]))

    def read(self, letter: int) -> bytes:
        """The beginning of a letter, however long it is; it stays unread. Empty where it is gone."""
        found: Any = self.client.fetch([letter], [f"BODY.PEEK[]<0.{MOST_READ}>"])
        parts = found.get(letter, {})
        return next((value for name, value in parts.items() if name.startswith(b"BODY[]") and value), b"")

    def mark(self, letter: int) -> None:
        """That letter has been dealt with."""
        self.client.add_flags([letter], [SEEN], silent=True)

    def wait(self, is_over: Callable[[], bool]) -> None:
        """Until something new has come, or it is time to look; or `is_over`."""
        if self._was_told():
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

    def _was_told(self) -> bool:
        """Whether the server has told of something new beside its answer to another command, to a search even: it does not
        tell again. The library keeps that to itself."""
        return bool(self.client._imap.response("EXISTS")[1] != [None])

    def close(self) -> None:
        """Hang up."""
        self.client.shutdown()


def told(error: Exception) -> str:
    """What went wrong with a mailbox, in words that name nobody."""
    if isinstance(error, LoginError):
        return "the server refuses user or password"
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"the server's certificate is not believed ({error.verify_message})"
    if isinstance(error, TimeoutError):
        return "the server does not answer in time"
    return f"{type(error).__name__}{f': {error.strerror}' if isinstance(error, OSError) and error.strerror else ''}"
