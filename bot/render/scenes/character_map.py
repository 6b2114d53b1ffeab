"""The map in characters, for a terminal: track and edges as dots of Braille signs, words over them.

A cell of a terminal is about twice as high as wide, and a Braille sign has two dots by four: the dots are square.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, product
from math import ceil, floor, hypot
from typing import NamedTuple

from bot.engine import HexId
from bot.engine.board import Layout
from bot.engine.play import Game
from bot.render.hexes.canvas import rows_and_columns
from bot.render.hexes.hexagon import Hexagon, point_on
from bot.render.hexes.stops import places, track_line
from bot.render.shapes import FAINT, HEX_EDGE, INK, Point, tint
from bot.render.shapes.hex_view import HexView, TokenDrawing, view_of

DOT_BITS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""The bits of a Braille sign's dots, by row and column."""

BRAILLE = 0x2800
POINTY_UNITS, FLAT_UNITS = range(6, 1, -1), range(8, 2, -1)
"""Columns from a hex to the next half hex across, the largest first."""

FREE, TOWN = "○", "●"
TERRAIN = {"mountain": "▲", "hill": "▲", "desert": "∴"} | dict.fromkeys(("water", "river", "lake", "swamp"), "≈")
CURVE_POINTS = 12
OVERLAP = 0.1
"""How far the ground of a hex reaches over its edge, in sides; then no cell between two hexes is bare."""

ROOMY = 3
"""Rows from a hex to the next from which on there is room for values below the stops."""

UNIT_SIDE = 100.0
"""The side of the hexagon on which places are computed before they are scaled to dots."""


class MapCell(NamedTuple):
    """One character; without a colour it has the terminal's own."""

    character: str
    ink: str = ""
    ground: str = ""
    is_strong: bool = False


BLANK = MapCell(" ")


@dataclass(frozen=True)
class CharacterGrid:
    """The columns and rows of a terminal that one step of a map's coordinates takes."""

    hexagon: Hexagon
    x_unit: int
    y_unit: int
    left: int
    top: int
    margin: int
    """Columns on the left, for the names of rows."""

    right_margin: int
    """The same on the right, or none where a narrow window lacks the room."""

    def cell_of(self, x: int, y: int) -> tuple[int, int]:
        """The column and row in the middle of a hex."""
        column = self.margin + (x - self.left) * self.x_unit + self.half_width
        return column, (y - self.top) * self.y_unit + self.half_height

    def width_of(self, spots: Iterable[tuple[int, int]]) -> int:
        """The columns of a map with hexes at these coordinates; edges and words may stand beside the ground of a hex."""
        last = max(self.cell_of(x, y)[0] for x, y in spots)
        return last + max(self.half_width, *(column for column, _ in self.ground)) + 1 + self.right_margin

    @property
    def half_width(self) -> int:
        return ceil(self.x_unit / 1.5) if self.hexagon.is_flat else self.x_unit

    @property
    def rows_apart(self) -> int:
        return 2 * self.y_unit if self.hexagon.is_flat else self.y_unit

    @property
    def half_height(self) -> int:
        return self.y_unit + 1 if self.hexagon.is_flat else ceil(self.y_unit / 1.5) + 1

    @cached_property
    def ground(self) -> tuple[tuple[int, int], ...]:
        """The columns and rows, from the middle, of the cells in a hex."""
        step_x, step_y = self.hexagon.centre_of(1, 1)
        return tuple(
            (column, row)
            for row in range(-self.half_height, self.half_height + 1)
            for column in range(-self.half_width - 1, self.half_width + 2)
            if self.hexagon.holds((column / self.x_unit * step_x, row / self.y_unit * step_y), -OVERLAP)
        )

    def dot_offset(self, point: Point) -> tuple[float, float]:
        """A point of the hexagon, in dots from its middle."""
        step_x, step_y = self.hexagon.centre_of(1, 1)
        return point[0] / step_x * self.x_unit * 2, point[1] / step_y * self.y_unit * 4


def character_map(
    game: Game,
    columns: int,
    marks: Collection[HexId] = (),
    around: Collection[HexId] = (),
    *,
    is_cut: bool = False,
) -> list[list[MapCell]]:
    """The map, or what is `around` some hexes, in lines of at most `columns` cells, or of the fewest in which it can
    be drawn; where `is_cut`, then only the part nearest to those hexes, else to `marks`. Names of hexes with `marks`
    are bold.
    """
    view, game_map = view_of(game), game.board_rules.map
    spots = {hex_id: game_map.layout.coordinates(hex_id) for hex_id in shown_hexes(game, around)}
    grid = grid_for(game_map.layout, spots, columns)
    centre = middle(
        [spots[hex_id][0] for hex_id in around or marks if hex_id in spots] or [x for x, _ in spots.values()]
    )
    while is_cut and grid.width_of(spots.values()) > columns and len({x for x, _ in spots.values()}) > 1:
        farthest = max(abs(x - centre) for x, _ in spots.values())
        spots = {hex_id: spot for hex_id, spot in spots.items() if abs(spot[0] - centre) < farthest}
        grid = grid_for(game_map.layout, spots, columns)
    drawing = Drawing(grid)
    cells = {hex_id: grid.cell_of(*spot) for hex_id, spot in spots.items()}
    placed = [(view.hex_view(hex_id), cell) for hex_id, cell in cells.items()]
    for seen, cell in placed:
        drawing.draw_ground(seen, cell)
    for seen, cell in placed:
        drawing.draw_track(seen, cell)
        drawing.write_words(seen, cell, is_marked=seen.space.id in marks)
    centres: dict[HexId, Point] = {hex_id: cell for hex_id, cell in cells.items()}
    across, down = rows_and_columns(spots, centres, game_map.layout.letter_is_x)
    return list(drawing.lines(across, down))


def shown_hexes(game: Game, around: Collection[HexId]) -> Collection[HexId]:
    """All hexes, or those at most two steps from some."""
    game_map = game.board_rules.map
    if not around:
        return game_map.hexes
    found = {*around}
    for _ in range(2):
        found |= {other for hex_id in found for other in game_map.neighbours[hex_id] if other}
    return [hex_id for hex_id in game_map.hexes if hex_id in found]


def middle(places: Collection[int]) -> float:
    return (min(places) + max(places)) / 2


def grid_for(layout: Layout, spots: Mapping[HexId, tuple[int, int]], columns: int) -> CharacterGrid:
    """The largest grid that fits, else the smallest."""
    left = min(x for x, _ in spots.values())
    top = min(y for _, y in spots.values())
    is_flat, hexagon = layout.is_flat, Hexagon(UNIT_SIDE, layout.is_flat)
    of_rows = str.isdecimal if layout.letter_is_x else str.isalpha
    margin = 1 + max(sum(map(of_rows, hex_id)) for hex_id in spots)
    for unit, right_margin in product(FLAT_UNITS if is_flat else POINTY_UNITS, (margin, 0)):
        # Half a flat hex is 1.155 steps across high, and the next row of pointy hexes 1.732 below; a cell has 2 dots by 4.
        high = max(1, round(unit * (0.289 if is_flat else 0.866)))
        grid = CharacterGrid(hexagon, unit, high, left, top, margin, right_margin)
        if grid.width_of(spots.values()) <= columns:
            break
    return grid


class Drawing:
    """Dots, grounds and letters by column and row."""

    def __init__(self, grid: CharacterGrid) -> None:
        self.grid = grid
        self.dots: dict[tuple[int, int], int] = {}
        self.inks: dict[tuple[int, int], str] = {}
        self.grounds: dict[tuple[int, int], str] = {}
        self.letters: dict[tuple[int, int], MapCell] = {}

    def draw_ground(self, seen: HexView, cell: tuple[int, int]) -> None:
        """The colour of the hex, and its outline."""
        hexagon = self.grid.hexagon
        colour = seen.tile.colour if seen.is_laid or seen.tile.colour != "white" else seen.space.colour
        for column, row in self.grid.ground:
            self.grounds[cell[0] + column, cell[1] + row] = tint(colour)
        joined = seen.space.edges_with("joint")
        for edge in range(6):
            if edge not in joined:
                self._draw_line(cell, (hexagon.corner(edge - 1), hexagon.corner(edge)), HEX_EDGE)

    def draw_track(self, seen: HexView, cell: tuple[int, int]) -> None:
        for path in seen.tile.paths:
            curve = track_line(self.grid.hexagon, seen.tile, path)
            points = [point_on(curve, part / CURVE_POINTS) for part in range(CURVE_POINTS + 1)]
            self._draw_line(cell, points, INK, is_thick=path.is_track)

    def _draw_line(self, cell: tuple[int, int], points: Sequence[Point], ink: str, *, is_thick: bool = False) -> None:
        placed = [self.grid.dot_offset(point) for point in points]
        for (ax, ay), (bx, by) in pairwise(placed):
            steps = max(1, ceil(hypot(bx - ax, by - ay) * 1.5))
            for step in range(steps + 1):
                x, y = ax + (bx - ax) * step / steps, ay + (by - ay) * step / steps
                self._put_dot(cell, x, y, ink)
                if is_thick:
                    self._put_dot(cell, x - 0.7, y - 0.7, ink)

    def _put_dot(self, cell: tuple[int, int], x: float, y: float, ink: str) -> None:
        # A cell's middle is between its dots.
        across, down = cell[0] * 2 + floor(x + 0.99), cell[1] * 4 + floor(y + 1.99)
        at = across // 2, down // 4
        self.dots[at] = self.dots.get(at, 0) | DOT_BITS[down % 4][across % 2]
        if self.inks.get(at) != INK:
            self.inks[at] = ink

    # -- words --------------------------------------------------------------------------------------

    def write_words(self, seen: HexView, cell: tuple[int, int], *, is_marked: bool) -> None:
        """The name of a hex that takes tiles or has stops; its stops with their tokens; its value or cost."""
        column, row = cell
        room = 2 * self.grid.half_width - 1
        value = self._write_stops(seen, cell, room)
        below = " ".join([*value, *self._signs(seen)])
        if not value and not seen.is_laid and seen.space.cost:
            sign = TERRAIN.get(seen.space.terrains[0], "") if seen.space.terrains else ""
            below = f"{sign}{seen.space.cost}"
        if below and self.grid.rows_apart >= ROOMY:
            self.write(column, row + 1, below[:room], INK)
        if seen.space.is_buildable or seen.tile.nodes:
            self.write(column, row - 1, seen.space.id[:room], INK if is_marked else FAINT, is_strong=is_marked)

    def _write_stops(self, seen: HexView, cell: tuple[int, int], room: int) -> list[str]:
        """Write each stop in its place; returns the values of the hex."""
        tile, hexagon = seen.tile, self.grid.hexagon
        at = places(hexagon, tile) if tile.nodes else {}
        values = []
        for node in tile.nodes:
            value = node.value_in(seen.colours or ("yellow",))
            if value and not node.is_hidden:
                values.append(str(value))
            x, y = self.grid.dot_offset(at[node.id])
            column, row = cell[0] + round(x / 2), cell[1] + round(y / 4)
            if node.kind == "city":
                self._write_city(seen, tile.cities.index(node), column, row, room // max(1, len(tile.cities)))
            elif node.kind == "town":
                self.write(column, row, TOWN, INK, is_strong=True)
        return list(dict.fromkeys(values))

    def _write_city(self, seen: HexView, number: int, column: int, row: int, room: int) -> None:
        """Its tokens in their colours, then its free slots; companies with a home here in small letters."""
        tokens = _faces(seen.tokens, number)
        others = [*_faces(seen.kept, number), *_faces(seen.homes, number)]
        free = max(0, seen.tile.cities[number].slots - len(tokens))
        width = max(1, (max(room, 3) - free) // max(1, len(tokens))) if tokens else room
        parts = [(face.sign[:width], face) for face in tokens]
        length = sum(len(sign) for sign, _ in parts) + free
        begin = column - length // 2
        for sign, face in parts:
            self._put_letters(begin, row, sign, face.text_colour, face.colour, is_strong=True)
            begin += len(sign)
        self._put_letters(begin, row, FREE * free, INK)
        if others and not tokens and room > len(others[0].sign):
            self._put_letters(begin + free, row, others[0].sign.lower()[: room - free], FAINT)

    def _signs(self, seen: HexView) -> Iterator[str]:
        """Letters printed on the tile, or that it will have."""
        letters = [text for text in seen.tile.labels if text != seen.space.name]
        yield from letters
        if seen.space.is_later_label_due(seen.tile):
            yield seen.space.later_label

    def write(self, column: int, row: int, text: str, ink: str, *, is_strong: bool = False) -> None:
        """Write around a column."""
        self._put_letters(column - len(text) // 2, row, text, ink, is_strong=is_strong)

    def _put_letters(
        self, column: int, row: int, text: str, ink: str, ground: str = "", *, is_strong: bool = False
    ) -> None:
        for letter in text:
            if letter != " ":
                self.letters[column, row] = MapCell(letter, ink, ground, is_strong)
            column += 1

    # -- lines --------------------------------------------------------------------------------------

    def lines(self, across: dict[str, float], down: dict[str, float]) -> Iterator[list[MapCell]]:
        """All lines, with the names of columns above and of rows on both sides."""
        taken = [*self.dots, *self.grounds, *self.letters]
        first, last = min(row for _, row in taken), max(row for _, row in taken)
        width = max(column for column, _ in taken) + 1 + self.grid.right_margin
        names = {round(row): name for name, row in down.items()}
        yield _heading(across, width)
        for row in range(first, last + 1):
            cells = [self._cell(column, row) for column in range(width)]
            for number, letter in enumerate(names.get(row, "")):
                cells[number] = MapCell(letter)
                if self.grid.right_margin:
                    cells[width - self.grid.right_margin + 1 + number] = MapCell(letter)
            yield cells
        yield _heading(across, width)

    def _cell(self, column: int, row: int) -> MapCell:
        at = column, row
        ground = self.grounds.get(at, "")
        if letter := self.letters.get(at):
            return letter._replace(ground=letter.ground or ground)
        if dots := self.dots.get(at):
            return MapCell(chr(BRAILLE + dots), self.inks[at] if ground else "", ground)
        return MapCell(" ", "", ground) if ground else BLANK


def _heading(across: dict[str, float], width: int) -> list[MapCell]:
    """The names of columns, without those that would touch the name before."""
    cells, end = [BLANK] * width, -1
    for name, column in sorted(across.items(), key=lambda item: item[1]):
        start = round(column) - len(name) // 2
        if start > end:
            cells[start : start + len(name)] = map(MapCell, name)
            end = start + len(name)
    return cells


def _faces(by_city: Sequence[Sequence[TokenDrawing]], number: int) -> Sequence[TokenDrawing]:
    return by_city[number] if number < len(by_city) else ()
