"""The order that is handed to the process that thinks for computer players."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bot.engine import PlayerId
from bot.engine.games.game_record import GameRecordFile


@dataclass(frozen=True)
class ThinkRequest:
    """A position, and the strengths of the seats to think for. `ruled_out` holds texts of moves that are not made
    in this round, by seat: proposals that were refused, sales of what was bought.
    """

    title: str
    rules: int
    state: bytes
    strengths: Mapping[PlayerId, str]
    seed: int
    ruled_out: Mapping[PlayerId, tuple[str, ...]]


@dataclass(frozen=True)
class ReviewRequest:
    """A finished game to review, for all seats or one (empty: all); `most` is the maximum number of turning points."""

    course: GameRecordFile
    seat: PlayerId
    most: int
