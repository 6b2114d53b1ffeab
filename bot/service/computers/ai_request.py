"""The order that is handed to the process that thinks for computer players."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bot.engine import CompanyId, PlayerId
from bot.engine.games.game_record import GameRecordFile


@dataclass(frozen=True)
class LastPurchases:
    """The companies of which players bought shares in the last stock round, and the position after the last purchase."""

    companies: Mapping[PlayerId, tuple[CompanyId, ...]]
    position: bytes


@dataclass(frozen=True)
class ThinkRequest:
    """A position, and the strengths of the seats to think for. `ruled_out` holds texts of moves that are not made
    in this round, by seat: proposals that were refused, sales of what was bought. `began` is the position at the beginning
    of the stock round, and `last` tells of the stock round before, where these are known.
    """

    title: str
    rules: int
    state: bytes
    strengths: Mapping[PlayerId, str]
    seed: int
    ruled_out: Mapping[PlayerId, tuple[str, ...]]
    began: bytes = b""
    last: LastPurchases | None = None


@dataclass(frozen=True)
class ReviewRequest:
    """A finished game to review, for all seats or one (empty: all); `most` is the maximum number of turning points."""

    course: GameRecordFile
    seat: PlayerId
    most: int
