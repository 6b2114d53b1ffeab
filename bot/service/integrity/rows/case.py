"""A game under examination: its rows as they are, what could be read of them, and what is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Protocol

import msgspec

from bot.engine import NO_GAME, GameId
from bot.engine.play import Title
from bot.service.integrity.findings import Problem
from bot.store import (
    KINDS,
    GameRecord,
    MoveRecord,
    Row,
    RowFix,
    SeatRecord,
    StoreDamaged,
    decompress_state,
    unreadable_columns,
)

LABELS = {
    "moderator": "opener",
    "pace_hours": "hours a turn",
    "version": "number of the last record",
    "rules": "version of the rules",
    "created_at": "when it was made",
    "updated_at": "when it was last changed",
    "seats_each": "seats for one person",
    "asks_always": "forced passes by hand",
    "shows_both": "map and market every time",
    "retold": "how often somebody was taken out of it",
    "zone": "time zone",
    "quiet_from": "begin of quiet hours",
    "quiet_to": "end of quiet hours",
    "muted": "wants no reminders",
    "away_until": "end of the holiday",
    "sitter_until": "end of the sitter's days",
    "parent": "record on which it stands",
    "lines": "what the log says",
    "made_at": "when it was made",
    "auto": "made automatically",
    "since": "begin of the wait",
    "due_at": "next reminder",
    "reminders": "reminders so far",
    "reminded_at": "last reminder",
    "snoozed_until": "end of the snooze",
    "attempts": "attempts to post it",
    "reference": "where it was posted",
    "posted_at": "when it was posted",
    "guild": "server",
    "trouble": "why nothing can be posted",
    "data": "what is wanted",
    "ended": "record at which it ended",
    "texts": "moves",
    "closed_at": "when it was decided",
    "agree": "the answer",
}
"""The meaning of columns whose names do not tell everybody."""


@dataclass(frozen=True)
class SnapshotConsensus:
    """The data of a game by its positions; `votes` is how many of them agree."""

    title: str
    options: Mapping[str, str]
    seed: int
    names: tuple[str, ...]
    votes: int = 0

    @property
    def vote(self) -> str:
        """The part that two positions of one game have in common."""
        return f"{self.title} {sorted(self.options.items())} {self.seed} {len(self.names)}"


class TitleCatalogue(Protocol):
    """Titles in every version of their rules that there is."""

    def title(self, name: str) -> Title:
        """The newest version.

        :raises IllegalMove: there is no such title.
        """
        ...

    def edition(self, name: str, version: int) -> Title:
        """This version.

        :raises IllegalMove: there is none.
        """
        ...


class GameUnderCheck:
    """A game under examination.

    `record`, `seats` and `moves` are what could be read, or will be there once the cures are made.
    """

    def __init__(self, game_id: GameId, rows: Mapping[str, Sequence[Row]], shelf: TitleCatalogue, now: float) -> None:
        self.game = game_id
        self.rows = rows
        self.shelf = shelf
        self.now = now
        self.faults: list[Problem] = []
        self.record: GameRecord | None = None
        self.seats: list[SeatRecord] = []
        self.moves: dict[int, MoveRecord] = {}
        self.origin = snapshot_consensus(rows["snapshots"])

    def add_problem(self, where: str, what: str, cured: str = "", *cures: RowFix, number: int | None = None) -> None:
        self.faults.append(Problem(where, what, number, 0, cures, cured and f"{where}: {cured}"))

    @property
    def last(self) -> int | None:
        return max(self.moves, default=None)

    def read(self, table: str, row: Row, where: str, instead: Mapping[str, Any]) -> dict[str, Any] | None:
        """The columns of a row, with these values in place of those that cannot be read; None where one of them has no
        such value. Unreadable columns are noted, with their cure."""
        bad = unreadable_columns(row, KINDS[table])
        if not bad:
            return dict(row)
        what = format_unreadable(bad)
        values = {column: instead[column] for column in bad if column in instead}
        if len(values) < len(bad):
            self.add_problem(where, what)
            return None
        said = ", ".join(
            f"{column_label(column)} is {format_value(column, value)} now" for column, value in values.items()
        )
        self.add_problem(where, what, said, RowFix(table, row["rowid"], values))
        return {**row, **values}

    def drop(self, table: str, row: Row, where: str, what: str) -> None:
        """Note a row that is of no use, and that nothing depends on."""
        self.add_problem(where, what, "dropped", RowFix(table, row["rowid"]))


def column_label(column: str) -> str:
    return f"{LABELS[column]} ({column})" if column in LABELS else column


def format_unreadable(bad: Mapping[str, str]) -> str:
    return "; ".join(f"{column_label(column)} cannot be read ({why})" for column, why in bad.items())


def format_value(column: str, value: Any) -> str:
    if value is None:
        return "none"
    return f"{datetime.fromtimestamp(value, UTC):%Y-%m-%d %H:%M} UTC" if column.endswith("_at") else repr(value)


def default_values(kind: type[msgspec.Struct]) -> dict[str, Any]:
    fields = msgspec.structs.fields(kind)
    return {field.name: field.default for field in fields if field.default is not msgspec.NODEFAULT}


def snapshot_consensus(rows: Sequence[Row]) -> SnapshotConsensus | None:
    """The data on which most readable positions of a game agree; None where they do not. The names are those of
    the latest position.
    """
    found = [origin for row in sorted(rows, key=_age) if (origin := _origin(row)) is not None]
    votes = Counter(one.vote for one in found)
    best, count = votes.most_common(1)[0] if votes else ("", 0)
    if count * 2 <= len(found):
        return None
    return replace([one for one in found if one.vote == best][-1], votes=count)


def _age(row: Row) -> int:
    number = row["number"]
    return number if isinstance(number, int) else -1


def _origin(row: Row) -> SnapshotConsensus | None:
    try:
        state = msgspec.json.decode(decompress_state(row["state"], NO_GAME))
        names = tuple(player["name"] for player in state["players"])
        return SnapshotConsensus(
            str(state["title"]), msgspec.convert(state["options"], dict[str, str]), int(state["seed"]), names
        )
    except (StoreDamaged, msgspec.DecodeError, RecursionError, LookupError, TypeError, ValueError):
        return None
