"""The places of a map's hexes on a picture, and the free room beside them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from math import ceil

from bot.engine import HexId
from bot.engine.board import GameMap
from bot.render.shapes import Point

from .hexagon import Hexagon

MARGIN = 34.0
HEAD = 58.0
"""The height of the bar with the title on a picture of `HEAD_WIDTH`; wider pictures have a larger bar."""

HEAD_WIDTH, MOST_HEAD = 1000.0, 2.0

Rectangle = tuple[float, float, float, float]


class Canvas:
    def __init__(self, game_map: GameMap, side: float, shown: Collection[HexId]) -> None:
        layout = game_map.layout
        self.hexagon = Hexagon(side, layout.is_flat)
        self.shown = [hex_id for hex_id in game_map.hexes if hex_id in shown]
        centres = {hex_id: self.hexagon.centre_of(*layout.coordinates(hex_id)) for hex_id in self.shown}
        self.half_width = side if layout.is_flat else self.hexagon.apothem
        self.half_height = self.hexagon.apothem if layout.is_flat else side
        left = min(x for x, _ in centres.values()) - self.half_width - MARGIN
        self.width = ceil(max(x for x, _ in centres.values()) - left + self.half_width + MARGIN)
        self.scale = min(MOST_HEAD, max(1.0, self.width / HEAD_WIDTH))
        self.head = HEAD * self.scale
        top = min(y for _, y in centres.values()) - self.half_height - MARGIN - self.head
        self.centres = {hex_id: (x - left, y - top) for hex_id, (x, y) in centres.items()}
        self.height = ceil(max(y for _, y in self.centres.values()) + self.half_height + MARGIN)
        self.taken: list[Rectangle] = []

    def claim(self, width: float, height: float) -> Point:
        """The middle of a free rectangle beside the hexes, preferably near the right; without one the picture grows."""
        step = self.hexagon.side / 3
        left, right = MARGIN + 4, self.width - MARGIN - width - 4
        top, bottom = self.head + MARGIN + 2, self.height - MARGIN - height
        columns = [right - step * number for number in range(int(max(0.0, right - left) / step) + 1)]
        rows = [top + step * number for number in range(int(max(0.0, bottom - top) / step) + 1)]
        for y in rows:
            for x in columns:
                if self._is_free((x, y, width, height)):
                    self.taken.append((x, y, width, height))
                    return x + width / 2, y + height / 2
        x, y = max(MARGIN, (self.width - width) / 2), self.height
        self.height = ceil(y + height + 8)
        self.taken.append((x, y, width, height))
        return x + width / 2, y + height / 2

    def _is_free(self, wanted: Rectangle) -> bool:
        left, top, width, height = wanted
        for x, y in self.centres.values():
            across, down = abs(x - left - width / 2), abs(y - top - height / 2)
            if across < self.half_width + width / 2 + 6 and down < self.half_height + height / 2 + 6:
                return False
        return not any(_overlap(wanted, other) for other in self.taken)


def _overlap(one: Rectangle, other: Rectangle) -> bool:
    return (
        one[0] < other[0] + other[2] + 8
        and other[0] < one[0] + one[2] + 8
        and one[1] < other[1] + other[3] + 8
        and other[1] < one[1] + one[3] + 8
    )


def rows_and_columns(
    names: Iterable[HexId], centres: dict[HexId, Point], letter_is_x: bool
) -> tuple[dict[str, float], dict[str, float]]:
    """Names of columns with their x, names of rows with their y."""
    rows: dict[str, float] = {}
    columns: dict[str, float] = {}
    for hex_id in names:
        x, y = centres[hex_id]
        letters = "".join(letter for letter in hex_id if letter.isalpha())
        number = hex_id[len(letters) :]
        across, down = (letters, number) if letter_is_x else (number, letters)
        columns[across], rows[down] = x, y
    return columns, rows
