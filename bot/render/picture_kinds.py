"""The kinds of pictures and requests for them, apart from what draws them, which is slow to load."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from bot.engine.games.game_record import GameRecordFile
from bot.engine.play.game import Game


class PictureKind(StrEnum):
    """The pictures of a position, by the names that front doors, addresses and jobs use."""

    MAP = "map"
    MARKET = "market"
    ROUTES = "routes"
    CROP = "crop"
    NEWS = "news"
    COMPANY = "company"
    PLAYER = "player"
    CHOICES = "choices"
    TILES = "tiles"


@dataclass(frozen=True)
class PictureOf:
    """A picture of a position: of that kind, about that subject."""

    game: Game
    kind: str
    subject: str = ""


@dataclass(frozen=True)
class HistoryOf:
    """A picture of a whole game's course: a chart or a timelapse."""

    course: GameRecordFile
    kind: str
