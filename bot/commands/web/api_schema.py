"""The routes of the API for programs, with their requests and answers. Each is declared once, here; the OpenAPI document
follows from that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from msgspec import Meta, Struct

from bot.engine.state import State

LONGEST_MOVE = 4000
MOST_ENTRIES = 200
"""Maximum number of log entries in an answer."""

Version = Annotated[
    int, Meta(ge=0, le=999_999_999, description="The number of a log entry, and of the position after it.")
]
Seat = Annotated[str, Meta(description="A player's seat, `@1`, or a company's sign.")]
ActionObject = Annotated[
    Any, Meta(description="The move as an object.", extra_json_schema={"$ref": "#/components/schemas/Action"})
]
Typed = Annotated[str, Meta(max_length=LONGEST_MOVE)]
MoveText = Annotated[
    Typed | dict[str, Any],
    Meta(
        description="A move as players type it (`buy P1`, `run best; pay`), in its exact form, or as an object.",
        examples=["buy P1", {"verb": "pass", "by": "@1"}],
    ),
]


class PositionQuery(Struct, forbid_unknown_fields=True):
    at: Annotated[Version, Meta(description="The position after this log entry; by default the present.")] | None = None


class LogQuery(Struct, forbid_unknown_fields=True):
    after: Annotated[int, Meta(ge=-1, le=999_999_999, description="Only entries after this number.")] = -1


class TryBody(Struct, forbid_unknown_fields=True):
    move: MoveText


class MoveBody(Struct, forbid_unknown_fields=True):
    """The move is refused if the game has moved on since `version`, so that no request makes it twice."""

    move: MoveText
    version: Version


class UndoBody(Struct, forbid_unknown_fields=True):
    version: Version


class ApiSeat(Struct):
    """A seat with its player's present name. `is_own` seats are those that the token plays."""

    seat: Seat
    name: str
    is_own: bool
    is_asked: bool
    is_computer: bool


class PositionAnswer(Struct):
    """A position. `state` is the engine's, null in a lobby; `special` in it belongs to the title."""

    game: int
    title: str
    status: Annotated[str, Meta(description="`lobby`, `running`, `paused` or `finished`.")]
    version: Version
    at: Version
    round: str
    question: str
    seats: list[ApiSeat]
    state: State | None


class ApiMove(Struct):
    """A move in its text form. The routes of `run best` are searched for when it is made or tried; there `action` is null."""

    text: str
    action: ActionObject | None


class MovesAnswer(Struct):
    """The legal moves of the token's seats. A verb in `sampled` has more moves, for example bids of other sums."""

    version: Version
    is_asked: bool
    moves: list[ApiMove]
    sampled: list[str]


class TryAnswer(Struct):
    """The effect of a move. Nothing is saved."""

    version: Version
    moves: list[ApiMove]
    lines: list[str]
    question: str
    state: State


class MoveAnswer(Struct):
    """The effect of a move: the exact forms of all moves that were saved, those by plans too, and sentences."""

    version: Version
    moves: list[str]
    lines: list[str]
    question: str


class LogItem(Struct):
    number: Version
    kind: Annotated[str, Meta(description="`move`, `undo`, `redo`, `rewind`, `start`, …")]
    seat: Seat | None
    text: Annotated[str, Meta(description="The exact form of a move; empty for other entries.")]
    lines: list[str]
    made_at: Annotated[float, Meta(description="Seconds since 1970.")]
    is_undone: bool
    is_automatic: bool


class LogAnswer(Struct):
    """Log entries, oldest first. If there are more, `next` is the number after which they begin."""

    version: Version
    entries: list[LogItem]
    next: Version | None


class GameNews(Struct):
    """An event of the stream: the game has changed."""

    version: Version
    status: str
    is_asked: bool


class ApiProblem(Struct):
    """Why nothing was done (RFC 9457). `rule` is the paragraph of the rules, `instead` what would be possible."""

    title: str
    status: int
    detail: Annotated[str, Meta(description="A sentence for people, in the language of the player or of the request.")]
    kind: Annotated[str, Meta(description="The kind of refusal: `illegal_move`, `stale_position`, …")]
    rule: str = ""
    instead: list[str] = []


@dataclass(frozen=True)
class ApiRoute:
    """A route of the API: `handler` is the method of `ProgramApi` that answers, with what `takes` names. `answers` in
    pieces if it `streams`.
    """

    method: str
    path: str
    handler: str
    summary: str
    answers: type[Struct]
    takes: type[Struct] | None = None
    streams: bool = False


ROUTES = (
    ApiRoute("GET", "/position", "position", "The position, now or after a log entry", PositionAnswer, PositionQuery),
    ApiRoute("GET", "/moves", "moves", "The legal moves of your seats", MovesAnswer),
    ApiRoute("POST", "/try", "preview", "Try a move; nothing is saved", TryAnswer, TryBody),
    ApiRoute("POST", "/move", "move", "Make a move", MoveAnswer, MoveBody),
    ApiRoute("POST", "/undo", "undo", "Take back your last move", MoveAnswer, UndoBody),
    ApiRoute("GET", "/log", "log", "The log", LogAnswer, LogQuery),
    ApiRoute(
        "GET", "/stream", "stream", "An event at once and at each change, until the token ends", GameNews, None, True
    ),
)
