"""What the operator sets in the environment, read and checked once."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

MOST_HOURS = 24 * 30


class BadSetting(Exception):
    """A variable has a value that it cannot have; the text says which."""


@dataclass(frozen=True)
class Settings:
    """How the bot is run. `backup_hours` 0 means no scheduled backups."""

    data: Path
    backups: Path
    backup_hours: int
    reads_content: bool

    @classmethod
    def read(cls, environment: Mapping[str, str] = os.environ) -> Settings:
        """The settings of this environment; docs/operations.md lists the variables.

        :raises BadSetting: a value is none.
        """
        environ = environment
        data = Path(environ.get("SIGNALBOX_DATA") or "data")
        return cls(
            data,
            Path(environ.get("SIGNALBOX_BACKUPS") or data / "backups"),
            _number("SIGNALBOX_BACKUP_HOURS", environ.get("SIGNALBOX_BACKUP_HOURS"), 6, range(MOST_HOURS + 1)),
            environ.get("DISCORD_MESSAGE_CONTENT") == "1",
        )


def _number(name: str, text: str | None, default: int, span: range) -> int:
    if not text:
        return default
    if not (text.isascii() and text.isdecimal() and len(text) < 10 and int(text) in span):
        raise BadSetting(f"{name} can be {span.start} to {span.stop - 1}, not {text!r}.")
    return int(text)
