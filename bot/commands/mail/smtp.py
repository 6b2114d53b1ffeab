"""Handing mails in at the submission server, only over TLS (RFC 6409)."""

from __future__ import annotations

import ssl
from email.message import EmailMessage

import aiosmtplib

from bot.ops.settings import MailSettings

SECONDS = 30.0
"""Longest wait for a server's answer, in seconds."""

PERMANENT = 500


class PermanentFailure(Exception):
    """The server will never take this mail; the text is only the reply code."""


class TemporaryFailure(Exception):
    """The server does not take this mail now; the text is only the reply code. It may take other mails."""


UNREACHABLE = (OSError, aiosmtplib.SMTPException)


class SmtpClient:
    """The submission server. One connection serves the mails of one flush."""

    def __init__(self, settings: MailSettings) -> None:
        self.settings = settings
        self._client: aiosmtplib.SMTP | None = None

    async def open(self) -> None:
        """Connect and log in, unless already connected.

        :raises OSError: the server cannot be reached, or is not who it says.
        :raises SMTPException: it refuses.
        """
        if self._client is not None and self._client.is_connected:
            return
        server = self.settings.smtp
        client = aiosmtplib.SMTP(
            hostname=server.host,
            port=server.port,
            use_tls=server.is_wrapped,
            start_tls=not server.is_wrapped,
            tls_context=ssl.create_default_context(),
            timeout=SECONDS,
        )
        try:
            await client.connect()
            await client.login(server.user, self.settings.password)
        except BaseException:
            client.close()
            raise
        self._client = client

    async def send(self, mail: EmailMessage, to: str) -> None:
        """Submit one mail.

        :raises PermanentFailure: it is refused for good.
        :raises TemporaryFailure: it is not taken now.
        :raises SMTPException: nothing is taken now.
        :raises OSError: the server is gone.
        """
        await self.open()
        assert self._client is not None
        try:
            await self._client.send_message(mail, sender=self.settings.address, recipients=[to])
        except aiosmtplib.SMTPRecipientsRefused as error:
            code = max((one.code for one in error.recipients), default=0)
            raise (PermanentFailure if code >= PERMANENT else TemporaryFailure)(str(code)) from error
        except aiosmtplib.SMTPSenderRefused:
            raise
        except aiosmtplib.SMTPResponseException as error:
            raise (PermanentFailure if error.code >= PERMANENT else TemporaryFailure)(str(error.code)) from error

    async def close(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            client.close()


def describe_error(error: BaseException) -> str:
    """The fault of the server, in words that name nobody."""
    if isinstance(error, aiosmtplib.SMTPAuthenticationError):
        return "the server refuses user or password"
    cause = error.__cause__ if isinstance(error.__cause__, OSError) else error
    if isinstance(cause, ssl.SSLCertVerificationError):
        return f"the server's certificate is not believed ({cause.verify_message})"
    if isinstance(error, TimeoutError):
        return "the server does not answer in time"
    if isinstance(error, aiosmtplib.SMTPResponseException):
        return f"the server answers {error.code}"
    return f"{type(error).__name__}{f': {cause.strerror}' if isinstance(cause, OSError) and cause.strerror else ''}"
