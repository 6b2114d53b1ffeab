"""The tables below the market: players, then companies."""

from __future__ import annotations

from textwrap import wrap as wrapped

from bot.engine.certificates import certificates_said, president_of
from bot.engine.game import Game
from bot.engine.ids import IPO, POOL, PlayerId
from bot.engine.market import price_of
from bot.engine.state import Company
from bot.language import say

from .colours import GROUND_DARK, INK, PAPER, SHADE
from .letters import in_lines, size_to_fit
from .scene import Box, Placed, Point, Shape, Words, strip
from .seen import Face, faces_of
from .tokens import token

LEFT = 14.0
PLAIN_WIDTH, MOST_SCALE = 900.0, 1.6
"""A table of this width has the sizes below; a wider one larger ones, since a phone shows it as narrow."""

ROW = 40.0
TABLE_TEXT = 23.0
SMALLEST_TEXT = 19.0
"""Smaller than this words are rather put in two lines."""

TEXT_LINE = 27.0
MARKER = 15.5
LONGEST_WORDS = 76
"""Letters in a line of text across a table."""


class Table:
    """A table that grows downwards from `bottom`, line by line. `places` are where the columns begin, as parts of the
    width."""

    def __init__(self, top: float, width: int, places: tuple[float, ...]) -> None:
        self.bottom, self.width, self.places = top, width, places
        self.scale = min(MOST_SCALE, max(1.0, width / PLAIN_WIDTH))
        self.placed: list[Placed] = []

    def add(self, *cells: str | tuple[str, ...], is_head: bool = False, face: Face | None = None) -> None:
        """One more line. A cell of several lines of text makes it higher."""
        most = max(1 if isinstance(cell, str) else len(cell) for cell in cells)
        height = self.scale * (ROW + TEXT_LINE * (most - 1))
        fill = GROUND_DARK if is_head else SHADE if len(self.placed) % 2 else PAPER
        at = (self.width / 2, self.bottom + height / 2)
        self.placed.append(_line(cells, self.places, self.width, height, fill, is_head, face, at, self.scale))
        self.bottom += height

    def lines(self, words: list[str], column: int) -> tuple[str, ...]:
        """The words of a column in as many lines as they need."""
        ends = (*self.places[1:], 1.0)
        room = (ends[column] - self.places[column]) * (self.width - 2 * LEFT) - 12 * self.scale
        return tuple(in_lines(words, room, SMALLEST_TEXT * self.scale))


def player_table(game: Game, top: float, width: int) -> Table:
    """Cash, certificates, worth, shares and privates of every player, in the order of play."""
    table = Table(top, width, (0.0, 0.2, 0.29, 0.36, 0.45))
    heads = (say("Player"), say("Cash"), say("Certs"), say("Worth"), say("Shares and privates"))
    table.add(*heads, is_head=True)
    asked = game.asked()
    money = game.title.currency
    for player in game.state.order:
        marks = ("▶ " if player in asked else "") + game.state.name(player)
        marks += " ★" if player == game.state.priority else ""
        table.add(
            marks,
            f"{money}{game.state.cash[player]}",
            certificates_said(game, player, "/"),
            f"{money}{game.title.rules.worth(game, player)}",
            table.lines(holdings(game, player), 4),
        )
    return table


def holdings(game: Game, player: PlayerId) -> list[str]:
    """Percent by company, a star where the player presides; then privates."""
    words = []
    for company in game.state.companies.values():
        percent = company.held_by(player)
        if percent:
            words.append(f"{company.id} {percent}{'*' if president_of(company) == player else ''}")
    return [*words, *(private.id for private in game.state.privates_of(player))]


def is_under_way(game: Game, company: Company) -> bool:
    """Whether anything about the company has begun: a price, a director, money, a token."""
    if company.closed:
        return False
    return (
        company.floated
        or company.position is not None
        or president_of(company) is not None
        or bool(game.state.cash.get(company.id, 0))
    )


def company_table(game: Game, top: float, width: int) -> Table:
    """Price, treasury, trains, unsold shares, tokens, loans (where there are any) and president of every company that has
    begun, then a line with the others."""
    has_loans = any(company.loans for company in game.state.companies.values())
    loans = (say("Loans"),) if has_loans else ()
    ends = (0.75, 0.82) if has_loans else (0.76,)
    table = Table(top, width, (0.0, 0.17, 0.25, 0.32, 0.41, 0.57, 0.68, *ends))
    heads = (say("Company"), say("Price"), say("Par"), say("Cash"), say("Trains"), say("Bank/Pool"), say("Tokens"))
    table.add(*heads, *loans, say("Run by"), is_head=True)
    faces = faces_of(game.title)
    money = game.title.currency
    open_ones = [company for company in game.state.companies.values() if not company.closed]
    begun = [company for company in open_ones if is_under_way(game, company)]
    for company in begun:
        president = president_of(company)
        trains = [train.kind for train in game.state.trains_of(company.id)]
        table.add(
            company.id,
            f"{money}{price_of(game, company.id)}" if company.position else "–",
            f"{money}{company.par}" if company.par else "–",
            f"{money}{game.state.cash.get(company.id, 0)}",
            table.lines(trains or ["–" if company.floated else say("not launched")], 4),
            f"{company.held_by(IPO)}/{company.held_by(POOL)}",
            str(len(company.tokens_left)),
            *((str(company.loans),) if has_loans else ()),
            game.state.name(president) if president else "–",
            face=faces[company.id],
        )
    waiting = [company.id for company in open_ones if company not in begun]
    last = Table(table.bottom, width, (0.0,))
    if waiting:
        last.add(tuple(wrapped(say(f"Not begun: {', '.join(waiting)}"), LONGEST_WORDS)))
    table.placed += last.placed
    table.bottom = last.bottom
    return table


def _line(
    cells: tuple[str | tuple[str, ...], ...],
    places: tuple[float, ...],
    width: int,
    height: float,
    fill: str,
    is_head: bool,
    face: Face | None,
    at: Point,
    scale: float,
) -> Placed:
    """One line of a table."""
    inner, marker, text, spacing = width - 2 * LEFT, MARKER * scale, TABLE_TEXT * scale, TEXT_LINE * scale
    colour = "#ffffff" if is_head else INK
    shapes: list[Shape] = [Box("table ground", (-inner / 2, -height / 2), (inner, height), fill)]
    if face is not None:
        shapes += token(face, (marker + 4 - inner / 2, 0.0), marker, "table token")
    ends = (*places[1:], 1.0)
    for index, (cell, place, end) in enumerate(zip(cells, places, ends, strict=True)):
        indent = 2 * marker + 6 if face is not None and index == 0 else 0.0
        lines = (cell,) if isinstance(cell, str) else cell
        room = (end - place) * inner - 12 * scale - indent
        size = min((size_to_fit(line, room, text, is_head) for line in lines), default=text)
        left, first = 8 - inner / 2 + place * inner + indent, -spacing * (len(lines) - 1) / 2
        for number, line in enumerate(lines):
            y = first + spacing * number + size * 0.36
            shapes.append(Words("table", (left, y), line, size, colour, "start", bold=is_head))
    return strip("line", inner, height, tuple(shapes), at)
