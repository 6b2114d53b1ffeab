"""The tables below the market: players, then companies; and the same in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from textwrap import wrap as wrapped

from bot.engine import IPO, POOL, CompanyId, PlayerId, as_company
from bot.engine.notation import money, round_and_phase
from bot.engine.play import Game
from bot.engine.play.holdings import format_certificates_short, president_of, price_of, remaining_in_depot
from bot.engine.state import Company, TurnMemory
from bot.i18n import tr
from bot.render.hexes.tokens import token
from bot.render.shapes import (
    GROUND_DARK,
    HINTED,
    INK,
    PAPER,
    SHADE,
    PlacedSprite,
    Point,
    Rect,
    Shape,
    Text,
    make_strip,
    size_to_fit,
    width_of,
    wrap_words,
)
from bot.render.shapes.alt_text import truncate_alt_text
from bot.render.shapes.hex_view import TokenDrawing, faces_of

LEFT = 14.0
PLAIN_WIDTH, MOST_SCALE = 900.0, 1.6
"""A table of this width has the sizes below; a wider table larger sizes, since a phone shows it as narrow."""

ROW = 40.0
TABLE_TEXT = 23.0
SMALLEST_TEXT = 19.0
"""Smaller text is split into two lines."""

TEXT_LINE = 27.0
MARKER = 15.5
LONGEST_WORDS = 76
"""Maximum number of characters in a line of text across a table."""


@dataclass(frozen=True)
class TableRow:
    cells: tuple[str | tuple[str, ...], ...]
    is_head: bool
    face: TokenDrawing | None
    fill: str
    at: Point
    height: float


class PictureTable:
    """A table that grows downwards from `bottom`, line by line. `places` are where the columns begin, as parts of the
    width. The cells of a column have letters of one size where that is not too small, and so have the heads."""

    def __init__(self, top: float, width: int, places: tuple[float, ...]) -> None:
        self.bottom, self.width, self.places = top, width, places
        self.scale = min(MOST_SCALE, max(1.0, width / PLAIN_WIDTH))
        self.inner = width - 2 * LEFT
        self.rows: list[TableRow] = []

    def add(self, *cells: str | tuple[str, ...], is_head: bool = False, face: TokenDrawing | None = None) -> None:
        """One more line. A cell of several lines of text makes it higher; of a head, one that would be too small is broken."""
        if is_head:
            cells = tuple(self._head(cell, column) for column, cell in enumerate(cells))
        most = max(1 if isinstance(cell, str) else len(cell) for cell in cells)
        height = self.scale * (ROW + TEXT_LINE * (most - 1))
        fill = GROUND_DARK if is_head else SHADE if len(self.rows) % 2 else PAPER
        self.rows.append(TableRow(cells, is_head, face, fill, (self.width / 2, self.bottom + height / 2), height))
        self.bottom += height

    def _head(self, cell: str | tuple[str, ...], column: int) -> str | tuple[str, ...]:
        least = SMALLEST_TEXT * self.scale
        if isinstance(cell, tuple) or width_of(cell, least, bold=True) <= self._room(column) * HINTED:
            return cell
        return tuple(cell.replace("/", "/ ").replace("-", "- ").split())

    def lines(self, words: list[str], column: int) -> tuple[str, ...]:
        return tuple(wrap_words(words, self._room(column), SMALLEST_TEXT * self.scale))

    def sprites(self) -> list[PlacedSprite]:
        head = self._shared_size(
            [self._size(row, column) for row in self.rows for column in range(len(row.cells)) if row.is_head]
        )
        body = [row for row in self.rows if not row.is_head]
        sizes = [self._shared_size([self._size(row, column) for row in body]) for column in range(len(self.places))]
        return [self._draw_row(row, [head] * len(sizes) if row.is_head else sizes) for row in self.rows]

    def _shared_size(self, sizes: Sequence[float]) -> float:
        """The largest common size; a cell that would make it too small for all is small only on its own."""
        return max(SMALLEST_TEXT * self.scale, min(sizes, default=0.0))

    def _room(self, column: int, indent: float = 0.0) -> float:
        end = (*self.places[1:], 1.0)[column]
        return (end - self.places[column]) * self.inner - 12 * self.scale - indent

    def _indent(self, row: TableRow, column: int) -> float:
        return 2 * MARKER * self.scale + 6 if row.face is not None and column == 0 else 0.0

    def _size(self, row: TableRow, column: int) -> float:
        most, room = TABLE_TEXT * self.scale, self._room(column, self._indent(row, column))
        lines = _lines(row.cells[column])
        return min((size_to_fit(line, room, most, row.is_head) for line in lines), default=most)

    def _draw_row(self, row: TableRow, sizes: Sequence[float]) -> PlacedSprite:
        marker, spacing = MARKER * self.scale, TEXT_LINE * self.scale
        colour = "#ffffff" if row.is_head else INK
        corner = (-self.inner / 2, -row.height / 2)
        shapes: list[Shape] = [Rect("table ground", corner, (self.inner, row.height), row.fill)]
        if row.face is not None:
            shapes += token(row.face, (marker + 4 - self.inner / 2, 0.0), marker, "table token")
        for column, (cell, place, shared) in enumerate(zip(row.cells, self.places, sizes, strict=True)):
            size = min(shared, self._size(row, column))
            left = 8 - self.inner / 2 + place * self.inner + self._indent(row, column)
            lines = _lines(cell)
            first = size * 0.36 - spacing * (len(lines) - 1) / 2
            for number, line in enumerate(lines):
                at = (left, first + spacing * number)
                shapes.append(Text("table", at, line, size, colour, "start", bold=row.is_head))
        return make_strip("line", self.inner, row.height, tuple(shapes), row.at)


def _lines(cell: str | tuple[str, ...]) -> tuple[str, ...]:
    return (cell,) if isinstance(cell, str) else cell


def sign_of_money(game: Game) -> str:
    """The currency sign before sums in tables; never a word, which would leave too little room for the figures."""
    currency = game.title.currency
    return currency if len(currency) == 1 else ""


def player_table(game: Game, top: float, width: int) -> PictureTable:
    """Cash, certificates, worth, shares and privates of every player, in the order of play."""
    table = PictureTable(top, width, (0.0, 0.185, 0.262, 0.337, 0.472))
    heads = (tr("Player"), tr("Cash"), tr("Certs"), tr("Net worth"), tr("Holds"))
    table.add(*heads, is_head=True)
    asked = game.players_to_act()
    sign = sign_of_money(game)
    for player in game.state.order:
        marks = ("▶ " if player in asked else "") + game.state.name(player)
        marks += " ★" if player == game.state.priority else ""
        table.add(
            marks,
            f"{sign}{game.state.cash[player]}",
            format_certificates_short(game, player),
            f"{sign}{game.title.rules.worth(game, player)}",
            table.lines(holdings(game, player), 4),
        )
    return table


def holdings(game: Game, player: PlayerId) -> list[str]:
    """Percent by company, a star where the player presides; then privates."""
    words = []
    for company in game.state.companies.values():
        percent = company.percent_held_by(player)
        if percent:
            words.append(f"{company.id} {percent}{'*' if president_of(company) == player else ''}")
    return [*words, *(private.id for private in game.state.privates_of(player))]


def is_under_way(game: Game, company: Company) -> bool:
    """Whether the company has begun: a price, a president, cash, or a token outside its home."""
    if company.closed:
        return False
    home = game.title.companies[company.id].home
    return (
        company.floated
        or company.position is not None
        or president_of(company) is not None
        or bool(game.state.cash.get(company.id, 0))
        or any(hex_id not in home for hex_id, _ in game.state.board.cities_of(company.id))
    )


def format_train_kinds(kinds: Iterable[str]) -> list[str]:
    """More than two alike as `3×2+`."""
    found = Counter(kinds)
    return [
        word for kind, number in found.items() for word in ([kind] * number if number < 3 else [f"{number}×{kind}"])
    ]


def company_in_turn(game: Game) -> CompanyId | None:
    """The company whose operating turn it is, also while others are deciding something in it."""
    turns = (frame.entity for frame in reversed(game.state.flow) if isinstance(frame.memory, TurnMemory))
    return as_company(company) if (company := next(turns, None)) in game.state.companies else None


def in_table_order(game: Game) -> list[Company]:
    """The companies that have begun: in operating order, then the others as printed."""
    operating = game.title.rules.operating_order(game)
    order = dict.fromkeys([*operating, *game.state.companies])
    return [company for company in map(game.company, order) if is_under_way(game, company)]


def company_table(game: Game, top: float, width: int) -> PictureTable:
    """Price, treasury, trains, what they earned last, unsold shares, tokens, loans (where there are any) and president
    of every company that has begun; an arrow at the company in turn."""
    has_loans = any(company.loans for company in game.state.companies.values())
    loans = (tr("Loans"),) if has_loans else ()
    wide = (0.0, 0.17, 0.245, 0.31, 0.395, 0.52, 0.6, 0.69, 0.8)
    narrow = (0.0, 0.155, 0.23, 0.29, 0.37, 0.48, 0.56, 0.638, 0.738, 0.848)
    table = PictureTable(top, width, narrow if has_loans else wide)
    heads = (tr("Company"), tr("Price"), tr("Par"), tr("Cash"), tr("Trains"), tr("Run"), tr("Left/pool"))
    table.add(*heads, tr("Tokens"), *loans, tr(game.title.director_word.capitalize()), is_head=True)
    faces, sign, turn = faces_of(game.title), sign_of_money(game), company_in_turn(game)
    for company in in_table_order(game):
        president = president_of(company)
        trains = format_train_kinds(train.kind for train in game.state.trains_of(company.id))
        table.add(
            f"{company.id} ◀" if company.id == turn else company.id,
            f"{sign}{price_of(game, company.id)}" if company.position else "–",
            f"{sign}{company.par}" if company.par else "–",
            f"{sign}{game.state.cash.get(company.id, 0)}",
            table.lines(trains or (["–"] if company.floated else tr("not floated").split()), 4),
            f"{sign}{company.last_run.revenue}" if company.last_run else "–",
            f"{company.percent_held_by(IPO)}/{company.percent_held_by(POOL)}",
            str(len(company.tokens_left)),
            *((str(company.loans),) if has_loans else ()),
            game.state.name(president) if president else "–",
            face=faces[company.id],
        )
    return table


def waiting_line(game: Game, top: float, width: int) -> PictureTable:
    """The companies that have not begun, if there are any."""
    table = PictureTable(top, width, (0.0,))
    open_ones = [company for company in game.state.companies.values() if not company.closed]
    waiting = [company.id for company in open_ones if not is_under_way(game, company)]
    if waiting:
        table.add(tuple(wrapped(tr("Not begun: {waiting}", ", ".join(waiting)), LONGEST_WORDS)))
    return table


# -- the same in words --------------------------------------------------------------------------------


def market_alt(game: Game) -> str:
    """The facts of the market's picture, what matters most first: prices, everybody's money and holdings, companies in operating
    order, trains, what the title adds; as much as there is room for."""
    lines = [tr("Stock market of {name}.", game.title.name), tr(round_and_phase(game))]
    companies = game.state.companies.values()
    prices = [f"{one.id} {money(game, price_of(game, one.id))}" for one in companies if one.position is not None]
    if prices:
        lines.append(tr("Prices: {prices}.", ", ".join(prices)))
    lines += [player_text(game, player) for player in game.state.order]
    lines += [company_text(game, company) for company in in_table_order(game)]
    left = remaining_in_depot(game).items()
    lines.append(tr("Trains left: {what}.", ", ".join(f"{number} x {family}" for family, number in left)))
    return truncate_alt_text(
        [*lines, *map(tr, game.title.look.lines(game)), *map(tr, game.title.look.describe_charts(game))]
    )


def player_text(game: Game, player: PlayerId) -> str:
    name = game.state.name(player)
    what = (
        tr("{player} (priority)", name) if player == game.state.priority else name,
        money(game, game.state.cash[player]),
        money(game, game.title.rules.worth(game, player)),
    )
    short, held = format_certificates_short(game, player), ", ".join(holdings(game, player))
    template = (
        "{name}: {money}, net worth {worth}, certificates {held}"
        if "/" in short
        else "{name}: {money}, net worth {worth}"
    )
    told = tr(template, *what, *([short] if "/" in short else []))
    return f"{told}; {held}." if held else f"{told}."


def company_text(game: Game, company: Company) -> str:
    """A company's line of the table: what it has, not what it lacks, except trains."""
    president, trains = president_of(company), game.state.trains_of(company.id)
    unsold, pool, tokens = company.percent_held_by(IPO), company.percent_held_by(POOL), len(company.tokens_left)
    parts = [
        money(game, game.state.cash.get(company.id, 0)),
        tr("trains {trains}", " ".join(format_train_kinds(train.kind for train in trains)))
        if trains
        else tr("no train"),
        *([tr("last run {run}", money(game, company.last_run.revenue))] if company.last_run else []),
        *([tr("unsold {percent}%", unsold)] if unsold else []),
        *([tr("pool {percent}%", pool)] if pool else []),
        *([tr("{left} token left" if tokens == 1 else "{left} tokens left", tokens)] if tokens else []),
        *([game.state.name(president)] if president else []),
    ]
    return f"{company.id}: {'; '.join(parts)}."
