"""Finding room on a space for words and signs: where they cover least of what is already there."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from math import ceil, hypot

from bot.render.shapes import Point

from .hexagon import Hexagon

STEP = 0.08
"""The grid on which room is sought, in sides of the hexagon."""

HALF = 13
NUMBER = 2 * HALF + 1
"""Cells from the middle of the grid to its rim, and across it."""

OUTSIDE, TRACK, NEAR_STOP, STOP, WORDS = 20.0, 16, 14.0, 40.0, 60.0
"""The cost of covering a cell: outside the hex, on track, close to a stop, on it, on other words."""


@lru_cache(maxsize=256)
def _cells_by_distance(wishes: tuple[Point, ...]) -> tuple[tuple[float, int, int], ...]:
    """All cells, those next to a wished place (in sides) first: how far, column, row."""
    return tuple(
        sorted(
            (min(hypot((c - HALF) * STEP - x, (r - HALF) * STEP - y) for x, y in wishes), c, r)
            for r in range(2, NUMBER - 2)
            for c in range(2, NUMBER - 2)
        )
    )


@lru_cache(maxsize=32)
def _empty_cells(hexagon: Hexagon) -> tuple[tuple[float, ...], ...]:
    step = STEP * hexagon.side
    return tuple(
        tuple(
            0.0 if hexagon.holds(((column - HALF) * step, (row - HALF) * step), 0.05) else OUTSIDE
            for column in range(NUMBER)
        )
        for row in range(NUMBER)
    )


class OccupancyGrid:
    """A coarse grid of the occupied parts of one hex."""

    def __init__(self, hexagon: Hexagon) -> None:
        self.hexagon = hexagon
        self.step = STEP * hexagon.side
        self.number = NUMBER
        self.cells = [list(row) for row in _empty_cells(hexagon)]
        self._sums: list[list[float]] | None = None

    def _centre(self, column: int, row: int) -> Point:
        return (column - HALF) * self.step, (row - HALF) * self.step

    def add_disc(self, at: Point, radius: float, cost: float) -> None:
        self._sums = None
        reach = ceil(radius / self.step)
        column, row = round(at[0] / self.step) + HALF, round(at[1] / self.step) + HALF
        for r in range(max(0, row - reach), min(self.number, row + reach + 1)):
            for c in range(max(0, column - reach), min(self.number, column + reach + 1)):
                x, y = self._centre(c, r)
                if hypot(x - at[0], y - at[1]) <= radius + self.step * 0.3:
                    self.cells[r][c] = max(self.cells[r][c], cost)

    def add_box(self, at: Point, width: float, height: float) -> None:
        """`at` is the middle."""
        self._sums = None
        left, right, top, bottom = self._range(at, width, height)
        for row in range(top, bottom):
            for column in range(left, right):
                self.cells[row][column] = max(self.cells[row][column], WORDS)

    def add_line(self, points: Iterable[Point], width: float) -> None:
        for point in points:
            self.add_disc(point, width, TRACK)

    def _range(self, at: Point, width: float, height: float) -> tuple[int, int, int, int]:
        left = round((at[0] - width / 2) / self.step) + HALF
        top = round((at[1] - height / 2) / self.step) + HALF
        columns, rows = max(1, round(width / self.step)), max(1, round(height / self.step))
        limit = self.number
        return max(0, left), min(limit, left + columns + 1), max(0, top), min(limit, top + rows + 1)

    def _table(self) -> list[list[float]]:
        """Sums of all cells above and to the left, so that a rectangle costs four looks."""
        if self._sums is None:
            above = [0.0] * (self.number + 1)
            self._sums = [above]
            for row in self.cells:
                total, line = 0.0, [0.0]
                for place, cost in enumerate(row):
                    total += cost
                    line.append(above[place + 1] + total)
                self._sums.append(line)
                above = line
        return self._sums

    def cost_at(self, at: Point, width: float, height: float) -> float:
        table = self._table()
        left, right, top, bottom = self._range(at, width, height)
        if (right - left) * self.step < width * 0.8 or (bottom - top) * self.step < height * 0.8:
            return 1e6
        return table[bottom][right] - table[top][right] - table[bottom][left] + table[top][left]

    def has_track(self, at: Point, width: float, height: float) -> bool:
        left, right, top, bottom = self._range(at, width, height)
        return any(TRACK in row[left:right] for row in self.cells[top:bottom])

    def find_free(self, width: float, height: float, wished: Iterable[Point], pull: float = 6.0) -> tuple[float, Point]:
        """The cost and the middle of the cheapest rectangle near one of the wished places."""
        wishes = list(wished)
        table, step, side = self._table(), self.step, self.hexagon.side
        columns, rows = max(1, round(width / step)) + 1, max(1, round(height / step)) + 1
        dx, dy = width / 2 / step, height / 2 / step
        best = (1e9, wishes[0])
        for far, column, row in _cells_by_distance(tuple((round(x / side, 3), round(y / side, 3)) for x, y in wishes)):
            if pull * far >= best[0]:
                break
            left, top = round(column - dx), round(row - dy)
            right, bottom = left + columns, top + rows
            if left < 0 or top < 0 or right > NUMBER or bottom > NUMBER:
                continue
            cost = table[bottom][right] - table[top][right] - table[bottom][left] + table[top][left] + pull * far
            if cost < best[0]:
                best = (cost, self._centre(column, row))
        for wish in wishes:
            cost = self.cost_at(wish, width, height)
            if cost <= best[0]:
                best = (cost, wish)
        return best

    def reserve(self, width: float, height: float, wished: Iterable[Point], pull: float = 6.0) -> Point:
        _, at = self.find_free(width, height, wished, pull)
        self.add_box(at, width, height)
        return at
