"""The log: one record, one line of text or JSON, with its fields (game, version ...), and no secret in any of them."""

from __future__ import annotations

import json
import logging
import re
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, TextIO

STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}
"""The fields of every record; any other field was added by a caller."""

HIDDEN = "[hidden]"
TOKENS = (
    re.compile(r"[\w-]{23,30}\.[\w-]{6,7}\.[\w-]{27,}"),
    re.compile(r"(?<=/webhooks/)(\d+/)[^/\s'\"?]{20,}"),
    re.compile(r"(?<=/interactions/)(\d+/)[^/\s'\"?]{20,}"),
    re.compile(r"(?i)(authorization['\"]?\s*[:=]\s*['\"]?)(?:bot\s+)?[^\s'\",}]{8,}"),
    re.compile(r"(?i)(['\"]?\btoken['\"]?\s*[:=]\s*['\"]?)[^\s'\",}]{16,}"),
    re.compile(r"[\w.!#$%&*+/=?^`{|}~-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+"),
)
"""Bot tokens, the tokens of interactions, which stand in the addresses of answers, and addresses of mail; a first group is
kept."""


class Redaction:
    """Takes secrets out of a line, from any source."""

    def __init__(self, secrets: Iterable[str]) -> None:
        self._secrets = [secret for secret in secrets if len(secret) >= 6]

    def __call__(self, line: str) -> str:
        for secret in self._secrets:
            line = line.replace(secret, HIDDEN)
        for pattern in TOKENS:
            line = pattern.sub(lambda found: f"{found[1] if found.re.groups else ''}{HIDDEN}", line)
        return line


def fields_of(record: logging.LogRecord) -> dict[str, Any]:
    """The fields that the program added to the sentence."""
    return {name: value for name, value in vars(record).items() if name not in STANDARD}


class RedactedLines(logging.Formatter):
    def __init__(self, redaction: Redaction) -> None:
        super().__init__()
        self._redaction = redaction


class TextLines(RedactedLines):
    """`2026-06-01T12:00:00.000Z INFO signalbox.tables: saved game=3 version=17`, tracebacks below, indented: no text in them looks
    like a line of the log, or controls the terminal that shows it.
    """

    def format(self, record: logging.LogRecord) -> str:
        fields = "".join(f" {name}={value}" for name, value in fields_of(record).items())
        lines = [f"{moment_of(record)} {record.levelname} {record.name}: {record.getMessage()}{fields}"]
        if record.exc_info:
            lines += [f"  {line}" for line in self.formatException(record.exc_info).split("\n")]
        return self._redaction("\n".join(map(printable, lines)))


class JsonLines(RedactedLines):
    """One JSON object a line: time, level, logger, message, the fields, and the traceback as `error`."""

    def format(self, record: logging.LogRecord) -> str:
        form = {
            "time": moment_of(record),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **fields_of(record),
        }
        if record.exc_info:
            form["error"] = self.formatException(record.exc_info)
        return self._redaction(printable(json.dumps(form, default=str, ensure_ascii=False)))


def printable(line: str) -> str:
    """The line with JSON's escapes for line breaks and for what controls a terminal."""
    if line.isprintable():
        return line
    return "".join(sign if sign.isprintable() else json.dumps(sign)[1:-1] for sign in line)


def moment_of(record: logging.LogRecord) -> str:
    """In UTC."""
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def set_up(form: str, secrets: Iterable[str], level: int = logging.INFO, stream: TextIO | None = None) -> None:
    """Log everything to standard error in this form (`text` or `json`)."""
    redaction = Redaction(secrets)
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines(redaction) if form == "json" else TextLines(redaction))
    root = logging.getLogger()
    for old in list(root.handlers):
        root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(level)
    # Their lines about every job that ran tell nothing.
    for name in ("apscheduler", "procrastinate"):
        logging.getLogger(name).setLevel(logging.WARNING)
