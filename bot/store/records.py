"""Rows as records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from msgspec import Struct


class GameRecord(Struct):
    """A game: `version` is the number of its last move record, `status` lobby, running, paused or finished, `rules`
    the version of the title's rules by which it is played, `language` that of its posts.

    In its lobby everybody but the opener may take `seats_each` seats; `invitation` is the digest of the code that lets
    people of other servers in.
    """

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
    rules: int = 1
    language: str = ""
    seats_each: int = 1
    invitation: str = ""


class SeatRecord(Struct):
    """A seat: who sits there (`person`, empty when nobody does), called what.

    Quiet hours are full hours in the person's time zone. Until `away_until` he is on holiday and not reminded; until
    `sitter_until` another person, `sitter`, may move for the seat too.
    """

    game: int
    number: int
    person: str
    name: str
    zone: str = "UTC"
    quiet_from: int | None = None
    quiet_to: int | None = None
    muted: bool = False
    away_until: float | None = None
    sitter: str = ""
    sitter_until: float | None = None


class MoveRecord(Struct):
    """Something that was done to a game. Its position is that of record `parent` with this move made;
    an undo or a rewind has no text and simply stands on an older parent. Records are never changed.

    `kind` is start, move, undo, rewind, replace, leave, pause, resume or end; `seat` the seat that a move was made
    for, `person` whoever made it; `auto` says that a standing order of his did.
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
    auto: bool = False


class ClockRecord(Struct):
    """Since when a seat is waited for (in time, and after which record), how many reminders it has had and when the
    last one, until when it wants none. `due_at`, when the next one is due, is reckoned from all that."""

    game: int
    seat: int
    since: float
    due_at: float
    reminders: int = 0
    number: int = 0
    reminded_at: float | None = None
    snoozed_until: float | None = None


@dataclass(frozen=True)
class RunningClock:
    """A clock with what its next reminder depends on."""

    clock: ClockRecord
    seat: SeatRecord
    pace_hours: float


class Notice(Struct):
    """Something to be posted: about the position after record `number`, for a seat or for all.

    `kind` is board, turn or reminder. The id serves as nonce, so that a notice is never posted twice. While it waits,
    `reference` holds the nonce under which posting it was begun (`nonce 17`), afterwards where it is.
    """

    game: int
    number: int
    kind: str
    lines: list[str]
    created_at: float
    seat: int | None = None
    id: int = 0
    attempts: int = 0
    reference: str | None = None


NO_THREAD_YET = "thread"
"""The trouble of a place whose thread has not been opened yet."""


class Place(Struct):
    """Where a game is played in Discord: in its thread, else in the channel itself. `trouble` is what keeps it from being
    posted there, once the moderator was told, or says that its thread is still to be opened (`NO_THREAD_YET`)."""

    game: int
    guild: str
    channel: str
    thread: str | None = None
    trouble: str | None = None

    @property
    def spot(self) -> str:
        """The thread or channel where it is played."""
        return self.thread or self.channel


class OrderRecord(Struct):
    """A standing order of a seat, given after record `number`. `data` says what it is.

    Once it is over, `ended` is the record at which it ended and `reason` says why; where that record has been taken
    back, the order stands again.
    """

    game: int
    seat: int
    data: dict[str, Any]
    created_at: float
    number: int
    ended: int | None = None
    reason: str = ""
    id: int = 0


class SandboxRecord(Struct):
    """Moves that a person tries on the position after record `number`, in their exact text forms."""

    game: int
    person: str
    number: int
    texts: list[str]


class QuestionRecord(Struct):
    """A question to the table, put by a person after record `number`: what (`kind`, `data`), and how it ended."""

    game: int
    kind: str
    person: str
    data: dict[str, Any]
    number: int
    created_at: float
    closed_at: float | None = None
    outcome: str = ""
    id: int = 0


class AnswerRecord(Struct):
    """What a seat answered."""

    question: int
    seat: int
    agree: bool
    made_at: float


class PersonRecord(Struct):
    """A person's habits, for every game: time zone, quiet hours, holiday, language."""

    person: str
    zone: str = "UTC"
    quiet_from: int | None = None
    quiet_to: int | None = None
    away_until: float | None = None
    language: str = ""


@dataclass(frozen=True)
class Commit:
    """One change to a game, saved whole or not at all.

    `records` are appended; `state` is the encoded position after the last of them, `kept` further positions by number.
    `clocks` lists a fresh clock for every seat that is waited for now: one that runs already goes on, unless the
    seat is among `restarted`. `ended` are standing orders that are over. `None` leaves seats, status, clocks,
    the version of the rules or the place alone.
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
    ended: Sequence[OrderRecord] = ()
    rules: int | None = None
    place: Place | None = None
