"""What the operator sets in the environment, read and checked once."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

MOST_HOURS = 24 * 30
ADDRESS = re.compile(r"https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?/?")
MOST_PAINTERS = 16
MOST_RATE = 10_000


class BadSetting(Exception):
    """A variable has a value that it cannot have; the text says which."""


@dataclass(frozen=True)
class Settings:
    """How the bot is run. `backup_hours` 0 means no scheduled backups, `port` 0 no HTTP endpoint,
    `rate` how much one person may ask in a minute (0: no limit). `web` is the port of the board pages (0: none; None: the
    bot serves none, a terminal takes a free one), `web_address` where browsers reach them."""

    data: Path
    backups: Path
    backup_hours: int
    port: int
    painters: int
    rate: int
    log_form: str
    reads_content: bool
    web: int | None = None
    web_address: str = ""

    @classmethod
    def read(cls, environment: Mapping[str, str] = os.environ) -> Settings:
        """The settings of this environment; docs/operations.md lists the variables.

        :raises BadSetting: a value is none.
        """
        environ = environment
        data = Path(environ.get("SIGNALBOX_DATA") or "data")
        painters = min(4, os.cpu_count() or 1)
        log_form = environ.get("SIGNALBOX_LOG") or "text"
        if log_form not in ("text", "json"):
            raise BadSetting(f"SIGNALBOX_LOG can be text or json, not {log_form!r}.")
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
        )


def _number(name: str, text: str | None, default: int, span: range) -> int:
    if not text:
        return default
    if not (text.isascii() and text.isdecimal() and len(text) < 10 and int(text) in span):
        raise BadSetting(f"{name} can be {span.start} to {span.stop - 1}, not {text!r}.")
    return int(text)


def _address(text: str) -> str:
    """Where browsers reach the pages: a scheme and a host, no path."""
    if text and not ADDRESS.fullmatch(text):
        raise BadSetting(f"SIGNALBOX_WEB_ADDRESS is like https://board.example.org, not {text!r}.")
    return text.rstrip("/")
