"""The kinds of pictures, apart from what draws them, which is slow to load."""

from __future__ import annotations

from enum import StrEnum


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
