"""The log as lines of the page: with rounds and times; players who pass one after the other share a line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby

from bot.engine import join_and
from bot.engine.play import Game
from bot.i18n import tr
from bot.i18n.labels import format_round_label
from bot.service.sessions import LogEntry
from bot.store import MoveKind

ROUND = re.compile(r"(?P<kind>\w+) round (?P<number>[\d.]+)(?: of [\d.]+)? begins\.")
PASS = " pass"


@dataclass(frozen=True)
class LogLine:
    """An entry, or several passes, with the number of the last; `begins` is the round that begins with it."""

    number: int
    said: str
    is_undone: bool
    is_here: bool
    begins: str
    made_at: datetime

    @property
    def iso(self) -> str:
        return self.made_at.isoformat(timespec="seconds")

    @property
    def when(self) -> str:
        return f"{self.made_at:%Y-%m-%d %H:%M} UTC"


@dataclass(frozen=True)
class PageJump:
    """A round and its first log entry."""

    number: int
    label: str
    is_here: bool


def log_lines(story: Sequence[LogEntry], at: int) -> tuple[LogLine, ...]:
    """Every entry up to `at`, oldest first."""
    entries = [entry for entry in story if entry.record.number <= at]
    groups = groupby(enumerate(entries), lambda one: -1 if is_plain_pass(one[1]) else one[0])
    return tuple(log_line([entry for _, entry in group], at) for _, group in groups)


def log_line(entries: Sequence[LogEntry], at: int) -> LogLine:
    last = entries[-1]
    said = tr("{players} pass.", join_and(map(passing, entries))) if len(entries) > 1 else entry_text(last)
    is_here = any(entry.record.number == at for entry in entries)
    begins = next((label for entry in entries for label in rounds_begun(entry)), "")
    moment = datetime.fromtimestamp(last.record.made_at, UTC)
    return LogLine(last.record.number, said, last.is_undone, is_here, begins, moment)


def entry_text(entry: LogEntry) -> str:
    return " ".join(entry.tr_lines) or entry.record.text


def is_plain_pass(entry: LogEntry) -> bool:
    """Whether an entry says only that somebody passes."""
    record = entry.record
    is_pass = record.kind == MoveKind.MOVE and record.text.endswith(PASS) and " " not in record.text[: -len(PASS)]
    return is_pass and not entry.is_undone and len(record.lines) == 1


def passing(entry: LogEntry) -> str:
    who = entry.record.text.removesuffix(PASS)
    return next((name for player, name in entry.names.items() if player == who), who)


def rounds_begun(entry: LogEntry) -> Iterator[str]:
    if not entry.is_undone:
        for line in entry.record.lines:
            if begun := ROUND.search(str(line)):
                yield round_label(begun["kind"], begun["number"])


def rounds_of(story: Sequence[LogEntry], at: int, start: Game) -> tuple[PageJump, ...]:
    """The first round and every later round that has not been undone, each with its log entry."""
    first = start.state.round
    found = [(0, tr("The auction") if first.kind == "auction" else round_label(first.kind, str(first.number)))]
    found += [(entry.record.number, label) for entry in story for label in rounds_begun(entry)]
    here = max(number for number, _ in found if number <= at)
    return tuple(PageJump(number, label, number == here) for number, label in found)


def round_label(kind: str, number: str) -> str:
    """Players' name of a round: SR 2, OR 2.1; in German AR 2, BR 2.1."""
    return format_round_label(f"{kind[:1].upper()}R {number}")
