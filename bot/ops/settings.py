"""The operator's settings in the environment, read and checked once."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, unquote, urlsplit

if TYPE_CHECKING:
    from bot.store import Server as DatabaseServer
    from bot.store.backends.shard_lease import ShardSpec

DATABASE = "signalbox.db"

MOST_HOURS = 24 * 30
ADDRESS = re.compile(r"https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?/?")
MOST_PAINTERS = 16
MOST_RATE = 10_000

PORTS = {"imaps": 993, "imap": 143, "smtps": 465, "smtp": 587}
MAILBOX = re.compile(r"(?=[^@]{1,24}@)[a-z0-9_-]+(\.[a-z0-9_-]+)*@[a-z0-9-]+(\.[a-z0-9-]+)*")
"""The bot's address. The part before the @ is short, since a token follows it in answers."""

VARIABLES = ("SIGNALBOX_MAIL_ADDRESS", "SIGNALBOX_IMAP", "SIGNALBOX_SMTP", "SIGNALBOX_MAIL_PASSWORD")
"""All of these are set, or none."""


class InvalidSetting(Exception):
    """A variable has a value that it cannot have; the text says which."""


@dataclass(frozen=True)
class MailServer:
    """A mail server. With `is_wrapped` TLS begins at once, else with STARTTLS. Nothing is sent without."""

    host: str
    port: int
    user: str
    is_wrapped: bool


@dataclass(frozen=True)
class MailSettings:
    """The bot's mailbox. `authority` is the server whose verification of senders is trusted (empty: none); `poll`
    is the number of seconds between two checks where the server cannot announce new mail.
    """

    address: str
    imap: MailServer
    folder: str
    smtp: MailServer
    password: str = field(repr=False)
    authority: str = ""
    poll: int = 60

    @classmethod
    def from_env(cls, environ: Mapping[str, str]) -> MailSettings | None:
        """The mailbox of this environment; None where none is set. docs/reference/mail.md lists the variables.

        :raises InvalidSetting: a value is missing or not valid.
        """
        values = {name: environ.get(name, "").strip() for name in VARIABLES}
        if not any(values.values()):
            return None
        if lacking := [name for name, value in values.items() if not value]:
            raise InvalidSetting(f"For mail there must also be {', '.join(lacking)}.")
        address, imap, smtp, password = values.values()
        address = address.lower()
        if not MAILBOX.fullmatch(address):
            raise InvalidSetting(
                "SIGNALBOX_MAIL_ADDRESS is like games@example.org, with at most 24 letters before the @."
            )
        poll = environ.get("SIGNALBOX_MAIL_POLL") or "60"
        if not (poll.isascii() and poll.isdecimal() and 1 <= int(poll[:6]) <= 3600):
            raise InvalidSetting("SIGNALBOX_MAIL_POLL can be 1 to 3600 seconds.")
        found, folder = _server("SIGNALBOX_IMAP", imap, ("imaps", "imap"), address)
        return cls(
            address,
            found,
            folder or "INBOX",
            _server("SIGNALBOX_SMTP", smtp, ("smtps", "smtp"), address)[0],
            password,
            environ.get("SIGNALBOX_MAIL_AUTHORITY", "").strip().lower(),
            int(poll),
        )


@dataclass(frozen=True)
class Settings:
    """The settings of the bot. `backup_hours` 0 means no scheduled backups, `port` 0 no HTTP endpoint, `rate` is
    the number of requests one person may make in a minute (0: no limit). `web` is the port of the board pages
    (0: none; None: the bot serves none, a terminal takes a free port), `web_address` where browsers reach them;
    `mail` the bot's mailbox, if any; `server` that of the database, unless it is a file of the data folder;
    `shards` the shards that this bot serves, if it is one of several; `titles` those of which new games can be opened, if not
    all.
    """

    data: Path
    backups: Path
    backup_hours: int
    port: int
    painters: int
    rate: int
    log_form: str
    message_content: bool
    web: int | None = None
    web_address: str = ""
    mail: MailSettings | None = None
    server: DatabaseServer | None = None
    shards: ShardSpec | None = None
    titles: tuple[str, ...] | None = None

    @property
    def database(self) -> Path | DatabaseServer:
        return self.server or self.data / DATABASE

    @property
    def secret_values(self) -> list[str]:
        """Values that no log may hold."""
        return [self.mail.password if self.mail else "", self.server.password if self.server else ""]

    @classmethod
    def from_env(cls, environment: Mapping[str, str] = os.environ) -> Settings:
        """The settings of this environment; docs/reference/operations.md lists the variables.

        :raises InvalidSetting: a value is not valid.
        """
        environ = environment
        data = Path(environ.get("SIGNALBOX_DATA") or "data")
        painters = min(4, os.cpu_count() or 1)
        log_form = environ.get("SIGNALBOX_LOG") or "text"
        if log_form not in ("text", "json"):
            raise InvalidSetting(f"SIGNALBOX_LOG can be text or json, not {log_form!r}.")
        return cls(
            data,
            Path(environ.get("SIGNALBOX_BACKUPS") or data / "backups"),
            _number("SIGNALBOX_BACKUP_HOURS", environ.get("SIGNALBOX_BACKUP_HOURS"), 6, range(MOST_HOURS + 1)),
            _number("SIGNALBOX_PORT", environ.get("SIGNALBOX_PORT"), 0, range(2**16)),
            _number("SIGNALBOX_PAINTERS", environ.get("SIGNALBOX_PAINTERS"), painters, range(1, MOST_PAINTERS + 1)),
            _number("SIGNALBOX_RATE", environ.get("SIGNALBOX_RATE"), 60, range(MOST_RATE + 1)),
            log_form,
            environ.get("DISCORD_MESSAGE_CONTENT") == "1",
            _number("SIGNALBOX_WEB", environ["SIGNALBOX_WEB"], 0, range(2**16))
            if environ.get("SIGNALBOX_WEB")
            else None,
            _address(environ.get("SIGNALBOX_WEB_ADDRESS") or ""),
            MailSettings.from_env(environ),
            database_server("SIGNALBOX_DATABASE_URL", environ.get("SIGNALBOX_DATABASE_URL") or ""),
            _shards(environ.get("SIGNALBOX_SHARDS") or "", bool(environ.get("SIGNALBOX_DATABASE_URL"))),
            _titles(environ.get("SIGNALBOX_TITLES") or ""),
        )


def database_server(name: str, text: str) -> DatabaseServer | None:
    """The server of this address; None where there is none.

    :raises InvalidSetting: it is no address. The sentence does not show it, since a password may stand in it.
    """
    if not text:
        return None
    # Games in a file, and requests for help, load no library for this.
    from bot.store import Server as DatabaseServer

    try:
        return DatabaseServer.parse(text)
    except ValueError:
        raise InvalidSetting(f"{name} is like postgresql://signalbox:password@db.example.org:5432/signalbox.") from None


def _shards(text: str, has_server: bool) -> ShardSpec | None:
    """The shards that this bot serves if it is one of several; None for all.

    :raises InvalidSetting: there are no such shards, or no server on which several bots play.
    """
    if not text:
        return None
    if not has_server:
        raise InvalidSetting("SIGNALBOX_SHARDS needs SIGNALBOX_DATABASE_URL: one bot plays on a file.")
    from bot.store.backends.shard_lease import ShardSpec

    try:
        return ShardSpec.parse(text)
    except ValueError:
        raise InvalidSetting(
            f"SIGNALBOX_SHARDS is like 0-3/16, auto/16 (all that are free) or auto:4/16 (at most four), not {text!r}."
        ) from None


def _titles(text: str) -> tuple[str, ...] | None:
    """The titles of which new games can be opened; None for all.

    :raises InvalidSetting: there is no such title.
    """
    wanted = tuple(filter(None, re.split(r"[,\s]+", text)))
    if not wanted:
        return None
    from bot.titles.registry import NAMES

    if unknown := [title for title in wanted if title not in NAMES]:
        raise InvalidSetting(f"SIGNALBOX_TITLES names {', '.join(unknown)}; there are: {', '.join(NAMES)}.")
    return wanted


def _number(name: str, text: str | None, default: int, span: range) -> int:
    if not text:
        return default
    if not (text.isascii() and text.isdecimal() and len(text) < 10 and int(text) in span):
        raise InvalidSetting(f"{name} can be {span.start} to {span.stop - 1}, not {text!r}.")
    return int(text)


def _address(text: str) -> str:
    """The address at which browsers reach the pages: a scheme and a host, no path."""
    if text and not ADDRESS.fullmatch(text):
        raise InvalidSetting(f"SIGNALBOX_WEB_ADDRESS is like https://board.example.org, not {text!r}.")
    return text.rstrip("/")


def _server(name: str, text: str, schemes: tuple[str, str], user: str) -> tuple[MailServer, str]:
    """The server, and the path behind it.

    :raises InvalidSetting: it is not valid.
    """
    wrong = InvalidSetting(
        f"{name} is like {schemes[0]}://mail.example.org (TLS at once) or {schemes[1]}://mail.example.org (STARTTLS), "
        f"with user%40example.org@ before the host and :port behind it where they differ."
    )
    try:
        found: SplitResult = urlsplit(text)
        port = found.port or PORTS[found.scheme]
    except (ValueError, KeyError):
        raise wrong from None
    if found.scheme not in schemes or not found.hostname or found.password or found.query:
        raise wrong
    server = MailServer(found.hostname, port, unquote(found.username or user), found.scheme == schemes[0])
    return server, unquote(found.path.strip("/"))
