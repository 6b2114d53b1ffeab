"""The stock market as a scene, with tables of players and companies and the title's charts below it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate
from math import ceil

from bot.engine import BANK, CompanyId
from bot.engine.notation import round_and_phase
from bot.engine.play import Game
from bot.engine.play.board_style import SideTable
from bot.engine.play.holdings import Cell, Position, remaining_in_depot, stack_key
from bot.i18n import current_language, tr
from bot.render.hexes.tokens import token
from bot.render.shapes import (
    FAINT,
    GROUND_BRIGHT,
    GROUND_DARK,
    HEADING,
    INK,
    OTHER_ZONES,
    PAPER,
    SHADE,
    ZONE,
    PlacedSprite,
    Rect,
    Scene,
    Shape,
    Sprite,
    Text,
    choose_text_colour,
    make_strip,
    size_to_fit,
    tint,
    width_of,
    wrap_words,
)
from bot.render.shapes.hex_view import TokenDrawing, faces_of

from .tables import LEFT, PLAIN_WIDTH, company_table, market_alt, player_table, waiting_line

CELL_WIDTH = 66.0
CELL_HEIGHT = 62.0
HEAD, HEAD_WIDTH, MOST_HEAD = 40.0, 900.0, 1.6
"""The height of the heading on a picture of that width; wider pictures have a larger heading."""

TITLE = 18.5

TOP = 12.0
"""Gap between the heading and the market."""

TOKEN, ABREAST = 17.5, 16.0
"""The radius of a single marker in its cell, and of two side by side."""

LINE_GAP = 6.0

PRICE = 24.0

LONGEST_LINE = 17
"""A market of one row with more cells goes on in another line."""

LEAST_WIDTH = 900


class Grid:
    """The places of the cells of the market: as printed, or a single long row in several lines. A line is as high as
    its fullest cell needs, for no marker hides another."""

    def __init__(self, game: Game) -> None:
        rows = game.title.market.rows
        columns = max(len(row) for row in rows)
        lines = ceil(columns / LONGEST_LINE) if len(rows) == 1 else len(rows)
        self.is_row = len(rows) == 1
        self.across = ceil(columns / lines) if self.is_row else columns
        fullest = [0] * lines
        for company in game.state.companies.values():
            if company.position is not None:
                line, _ = self._line(company.position)
                fullest[line] = max(fullest[line], len(game.state.stacks[stack_key(company.position)]))
        gap = LINE_GAP if self.is_row else 0.0
        self.heights = [max(CELL_HEIGHT, PRICE + 2 * ABREAST * ceil(number / 2) + 4) for number in fullest]
        self.width = round(max(2 * LEFT + self.across * CELL_WIDTH, LEAST_WIDTH))
        self.scale = min(MOST_HEAD, self.width / HEAD_WIDTH)
        self.has_one_line = heading_fits(game, self.width, self.scale)
        self.head = round(HEAD * self.scale * (1 if self.has_one_line else 1.75))
        self.tops = list(accumulate((height + gap for height in self.heights), initial=self.head + TOP))
        self.bottom = self.tops[-1]

    def _line(self, position: Position) -> tuple[int, int]:
        row, column = position
        return divmod(column, self.across) if self.is_row else (row, column)

    def cell(self, position: Position) -> tuple[float, float, float]:
        """Left, top and height."""
        line, place = self._line(position)
        return LEFT + place * CELL_WIDTH, self.tops[line], self.heights[line]


def market_scene(game: Game) -> Scene:
    """Prices and markers, then players, companies, charts and lines of text."""
    grid = Grid(game)
    width = grid.width
    zone_lines, y = legend(game, grid)
    placed = [
        market_background(game, grid, zone_lines, y),
        *markers(game, grid, faces_of(game.title)),
        heading(game, grid),
    ]
    for draw, gap in ((player_table, 14), (company_table, 0), (waiting_line, 14)):
        table = draw(game, y, width)
        placed += table.sprites()
        y = table.bottom + gap
    for chart in game.title.look.charts(game):
        placed.append(chart_strip(chart, width, y))
        y += _chart_height(chart, width) + 14
    lines = [tr(line) for line in game.title.look.lines(game)]
    if lines:
        placed.append(text_strip(lines, width, y))
        y = placed[-1].at[1] + placed[-1].sprite.half_height + 8
    height = round(y + 4)
    return Scene("market", width, height, market_alt(game), (), tuple(placed))


def market_grid(game: Game, faces: Mapping[CompanyId, TokenDrawing]) -> Scene:
    """Prices, markers and charts only, for callers with a heading and tables of their own; `faces` are the
    companies' token designs.
    """
    grid = Grid(game)
    zone_lines, y = legend(game, grid)
    placed = [market_background(game, grid, zone_lines, y), *markers(game, grid, faces)]
    for chart in game.title.look.charts(game):
        placed.append(chart_strip(chart, grid.width, y))
        y += _chart_height(chart, grid.width) + 14
    return Scene("market", grid.width, round(y + 4), market_alt(game), (), tuple(placed))


def market_background(game: Game, grid: Grid, zone_lines: list[Shape], bottom: float) -> PlacedSprite:
    half_width, half_height = grid.width / 2, bottom / 2
    shapes = (*cells(game, grid), *zone_lines)
    sprite = Sprite(
        f"{game.title.id}:grid:{current_language()}:{grid.heights}",
        half_width,
        half_height,
        shapes,
        (half_width, half_height),
    )
    return PlacedSprite(sprite, (half_width, half_height))


def heading_words(game: Game) -> tuple[str, str]:
    """The round with the bank's cash, and the remaining trains."""
    left = remaining_in_depot(game).items()
    trains = tr("trains") + " " + "  ".join(f"{number}×{family}" for family, number in left)
    words = tr(round_and_phase(game))
    if not game.title.bank_is_unlimited:
        # A bank that has broken goes on paying with paper, and has nothing left.
        words += f" · {tr('bank')} {game.title.currency}{max(0, game.state.cash[BANK])}"
    return words, trains


def heading_fits(game: Game, width: float, scale: float) -> bool:
    words, trains = heading_words(game)
    letters = TITLE * scale
    return width_of(words, letters, bold=True) + width_of(trains, letters) < width - 28 - 2 * letters


def heading(game: Game, grid: Grid) -> PlacedSprite:
    width, scale, high = grid.width, grid.scale, grid.head
    words, trains = heading_words(game)
    is_one = grid.has_one_line
    title, left = (
        size_to_fit(text, width - 28, TITLE * scale, bold) for text, bold in ((words, True), (trains, False))
    )
    under = (14 - width / 2, 22 * scale) if not is_one else (width / 2 - 14, 7 * scale)
    shapes = (
        Rect("title ground", (-width / 2, -high / 2), (width, high), GROUND_DARK),
        Text("title", (14 - width / 2, (7 if is_one else -7) * scale), words, title, "#ffffff", "start", bold=True),
        Text("trains", under, trains, left, GROUND_BRIGHT, "end" if is_one else "start"),
    )
    return make_strip("heading", width, high, shapes, (width / 2, high / 2))


# -- the chart ----------------------------------------------------------------------------------------


def cells(game: Game, grid: Grid) -> list[Shape]:
    shapes: list[Shape] = []
    for row, line in enumerate(game.title.market.rows):
        for column, cell in enumerate(line):
            if cell is not None:
                shapes += _cell(game, cell, *grid.cell((row, column)))
    return shapes


def zone_colour(game: Game, letter: str) -> str:
    """The title's own colour, or the default."""
    chosen = game.title.look.zones.get(letter)
    if chosen:
        return tint(chosen)
    if letter in ZONE:
        return ZONE[letter]
    others = [other for other in game.title.market.zones if other not in ZONE]
    return OTHER_ZONES[others.index(letter) % len(OTHER_ZONES)]


def _cell(game: Game, cell: Cell, x: float, y: float, height: float) -> list[Shape]:
    """A cell with its price; a cell in several zones has a band for each."""
    zones = sorted(cell.zones, key=lambda letter: letter not in "ec") or [""]
    fills = [zone_colour(game, letter) if letter else "#ffffff" for letter in zones]
    shapes: list[Shape] = [Rect("cell", (x, y), (CELL_WIDTH, height), fills[0], "#8d8673", 1.2)]
    for index, fill in enumerate(fills[1:]):
        band = (x + 1, y + height - 9 * (index + 1))
        shapes.append(Rect("cell zone", band, (CELL_WIDTH - 2, 8), fill))
    ink = choose_text_colour(fills[0])
    # Side by side several letters would run into the price; below each other they stand beside the markers.
    letters = [
        Text("zone", (x + CELL_WIDTH - 4, y + 17 + 14 * line), letter.upper(), 13, ink, "end")
        for line, letter in enumerate(zones)
    ]
    return [*shapes, Text("price", (x + 4, y + 20), str(cell.price), 21, ink, "start", bold=True), *letters]


def legend(game: Game, grid: Grid) -> tuple[list[Shape], float]:
    """The meaning of the zones, in as many lines as it takes to be read on a phone; and where they end."""
    shapes: list[Shape] = []
    size = grid.width * HEADING
    high, x, y = size * 1.5, LEFT, grid.bottom + size * 1.3
    zones = {
        letter: tr(meaning) for letter, meaning in game.title.market.zones.items() if game.title.market.cells_in(letter)
    }
    for letter, meaning in zones.items():
        words = f"{letter.upper()} {meaning}"
        letters = size_to_fit(words, grid.width - 2 * LEFT - 1.4 * size, size)
        wide = 1.4 * size + width_of(words, letters)
        if x > LEFT and x + wide > grid.width - LEFT:
            x, y = LEFT, y + high
        shapes.append(Rect("legend", (x, y - size * 0.85), (size, size), zone_colour(game, letter), INK, 1))
        shapes.append(Text("legend", (x + 1.4 * size, y), words, letters, INK, "start"))
        x += wide + size
    return shapes, y + size * 0.8 if zones else grid.bottom + 10


def markers(game: Game, grid: Grid, faces: Mapping[CompanyId, TokenDrawing]) -> list[PlacedSprite]:
    """The companies' markers: two abreast if several are in a cell, the top marker of the stack first."""
    placed = []
    for company in game.state.companies.values():
        if company.position is None:
            continue
        stack = game.state.stacks[stack_key(company.position)]
        radius = TOKEN if len(stack) == 1 else ABREAST
        at = _place(grid.cell(company.position), stack.index(company.id), len(stack))
        placed.append(PlacedSprite(marker(game, faces[company.id], radius), at))
    return placed


def _place(cell: tuple[float, float, float], index: int, number: int) -> tuple[float, float]:
    left, top, height = cell
    if number == 1:
        return left + CELL_WIDTH / 2, top + (PRICE + height - 2) / 2
    line, side = divmod(index, 2)
    return left + CELL_WIDTH / 2 + ABREAST * (2 * side - 1), top + PRICE + ABREAST * (2 * line + 1)


def marker(game: Game, face: TokenDrawing, radius: float) -> Sprite:
    half = radius + 2
    shapes = tuple(token(face, (0, 0), radius, "marker"))
    return Sprite(f"{game.title.id}:marker:{face.sign}:{radius}:{face.colour}", half, half, shapes)


# -- the title's own charts and lines -----------------------------------------------------------------

CHART_ROW = 30.0


def letter_scale(width: int) -> float:
    """How much larger letters are on a picture of that width, since a phone shows it as narrow."""
    return max(1.0, width / PLAIN_WIDTH)


def _chart_height(chart: SideTable, width: int) -> float:
    return CHART_ROW * letter_scale(width) * (len(chart.rows) + 2)


def chart_strip(chart: SideTable, width: int, top: float) -> PlacedSprite:
    inner, height, scale = width - 2 * LEFT, _chart_height(chart, width), letter_scale(width)
    left, y, high, down = -inner / 2, -height / 2, CHART_ROW * scale, 21 * scale
    name_width = max((width_of(tr(row[0]), 18 * scale, True, True) for row in chart.rows), default=100.0) + 14
    cell = (inner - name_width) / len(chart.heads)
    shapes: list[Shape] = [
        Rect("chart ground", (left, y), (inner, high), GROUND_DARK),
        Text("chart name", (left + 8, y + down), tr(chart.name), 19 * scale, "#ffffff", "start", bold=True),
    ]
    for line, row in enumerate((("", *chart.heads), *chart.rows)):
        under = y + high * (line + 1)
        name = Text(
            "chart row", (left + 8, under + down), tr(row[0]), 18 * scale, INK, "start", bold=True, condensed=True
        )
        shapes += [Rect("chart line", (left, under), (inner, high), SHADE if line % 2 else PAPER), name]
        for column, text in enumerate(map(tr, row[1:])):
            x = left + name_width + column * cell
            if column < len(chart.tints) and chart.tints[column]:
                shapes.append(Rect("chart cell", (x, under), (cell, high), tint(chart.tints[column]), "#8d8673", 0.8))
            size = size_to_fit(text, cell - 4, 18 * scale, line == 0)
            shapes.append(Text("chart value", (x + cell / 2, under + down), text, size, INK, bold=line == 0))
    if chart.marker is not None:
        x = left + name_width + chart.marker * cell
        frame = (cell, high * (len(chart.rows) + 1))
        shapes += [
            Rect("chart marker", (x, y + high), frame, "none", "#ffffff", 7),
            Rect("chart marker", (x, y + high), frame, "none", "#d6001c", 4),
        ]
    return make_strip("chart", inner + 8, height + 8, tuple(shapes), (width / 2, top + height / 2))


def text_strip(lines: list[str], width: int, top: float) -> PlacedSprite:
    inner, letters, high = width - 2 * LEFT, 18.5 * letter_scale(width), 27 * letter_scale(width)
    broken = [part for line in map(tr, lines) for part in wrap_words(line.split(" "), inner - 24, letters, " ")]
    height = high * len(broken) + 12
    shapes: list[Shape] = [Rect("lines ground", (-inner / 2, -height / 2), (inner, height), "#ffffff", FAINT, 1.5, 6)]
    for index, line in enumerate(broken):
        at = (10 - inner / 2, -height / 2 + high * (index + 0.5) + 6 + letters * 0.36)
        shapes.append(Text("line", at, line, size_to_fit(line, inner - 20, letters), INK, "start"))
    return make_strip("lines", inner + 4, height + 4, tuple(shapes), (width / 2, top + height / 2))
