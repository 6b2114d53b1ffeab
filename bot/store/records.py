"""Rows as records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from msgspec import Struct


class GameRecord(Struct):
    """A game: `version` is the number of its last move record, `status` lobby, running, paused or finished."""

    id: int
    title: str
    options: dict[str, str]
    seed: int
    status: str
    moderator: str
    pace_hours: float
    version: int
    created_at: float
    updated_at: float


class SeatRecord(Struct):
    """A seat: who sits there (`person`, empty when nobody does), called what.

    Quiet hours are full hours in the person's time zone.
    """

    game: int
    number: int
    person: str
    name: str
    zone: str = "UTC"
    quiet_from: int | None = None
    quiet_to: int | None = None
    muted: bool = False


class MoveRecord(Struct):
    """Something that was done to a game. Its position is that of record `parent` with this move made;
    an undo or a rewind has no text and simply stands on an older parent. Records are never changed.

    `kind` is start, move, undo, rewind, replace, leave, pause, resume or end; `seat` the seat that a move was made
    for, `person` whoever made it.
    """

    game: int
    number: int
    parent: int
    kind: str
    person: str
    text: str
    lines: list[str]
    made_at: float
    seat: int | None = None


class ClockRecord(Struct):
    """Since when a seat is waited for (in time, and after which record), when the next reminder is due, how many it
    has had."""

    game: int
    seat: int
    since: float
    due_at: float
    reminders: int = 0
    number: int = 0


class Notice(Struct):
    """Something to be posted: about the position after record `number`, for a seat or for all.

    `kind` is board, turn or reminder. The id serves as nonce, so that a notice is never posted twice.
    """

    game: int
    number: int
    kind: str
    lines: list[str]
    created_at: float
    seat: int | None = None
    id: int = 0
    attempts: int = 0


class Place(Struct):
    """Where a game is played in Discord."""

    game: int
    guild: str
    channel: str
    thread: str | None = None


@dataclass(frozen=True)
class Commit:
    """One change to a game, saved whole or not at all.

    `records` are appended; `state` is the encoded position after the last of them, `kept` further positions by number.
    `clocks` lists a fresh clock for every seat that is waited for now: one that runs already goes on, unless the
    seat is among `restarted`. `None` leaves seats, status or clocks alone.
    """

    game: int
    expected_version: int
    records: Sequence[MoveRecord]
    state: bytes | None
    now: float
    status: str | None = None
    clocks: Sequence[ClockRecord] | None = None
    restarted: Sequence[int] = ()
    notices: Sequence[Notice] = ()
    seats: Sequence[SeatRecord] | None = None
    kept: Mapping[int, bytes] = field(default_factory=dict)
