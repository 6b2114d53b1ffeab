"""The tables below the market: players, then companies."""

from __future__ import annotations

from textwrap import wrap as wrapped

from bot.engine.certificates import certificates_said, president_of
from bot.engine.game import Game
from bot.engine.ids import IPO, POOL, PlayerId
from bot.engine.market import price_of
from bot.engine.state import Company

from .colours import GROUND_DARK, INK, PAPER, SHADE
from .letters import size_to_fit
from .scene import Box, Placed, Shape, Words, strip
from .seen import Face, faces_of
from .tokens import token

LEFT = 14.0
ROW = 40.0
TABLE_TEXT = 23.0
MARKER = 15.5
LONGEST_WORDS = 76
"""Letters in a line of text across a table."""


def player_table(game: Game, top: float, width: int) -> list[Placed]:
    """Cash, certificates, worth, shares and privates of every player, in the order of play."""
    places = (0.0, 0.2, 0.29, 0.36, 0.45)
    lines = [_line(top, ("Player", "Cash", "Certs", "Worth", "Shares and privates"), places, width, True)]
    asked = game.asked()
    money = game.title.currency
    for index, player in enumerate(game.state.order):
        marks = ("▶ " if player in asked else "") + game.state.name(player)
        marks += " ★" if player == game.state.priority else ""
        cells = (
            marks,
            f"{money}{game.state.cash[player]}",
            certificates_said(game, player, "/"),
            f"{money}{game.title.rules.worth(game, player)}",
            holdings(game, player),
        )
        lines.append(_line(top + ROW * (index + 1), cells, places, width, False, index % 2 == 0))
    return lines


def holdings(game: Game, player: PlayerId) -> str:
    """Percent by company, a star where the player presides; then privates."""
    words = []
    for company in game.state.companies.values():
        percent = company.held_by(player)
        if percent:
            words.append(f"{company.id} {percent}{'*' if president_of(company) == player else ''}")
    return "  ".join([*words, *(private.id for private in game.state.privates_of(player))])


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


def company_table(game: Game, top: float, width: int) -> list[Placed]:
    """Price, treasury, trains, unsold shares, tokens, loans (where there are any) and president of every company that has
    begun, then a line with the others."""
    has_loans = any(company.loans for company in game.state.companies.values())
    loans = ("Loans",) if has_loans else ()
    places = (0.0, 0.17, 0.25, 0.32, 0.41, 0.57, 0.68, *((0.75,) if has_loans else ()), 0.82 if has_loans else 0.76)
    heads = ("Company", "Price", "Par", "Cash", "Trains", "Bank/Pool", "Tokens", *loans, "Run by")
    lines = [_line(top, heads, places, width, True)]
    faces = faces_of(game.title)
    money = game.title.currency
    open_ones = [company for company in game.state.companies.values() if not company.closed]
    begun = [company for company in open_ones if is_under_way(game, company)]
    for index, company in enumerate(begun):
        president = president_of(company)
        cells = (
            company.id + ("" if company.floated else " (not launched)"),
            f"{money}{price_of(game, company.id)}" if company.position else "–",
            f"{money}{company.par}" if company.par else "–",
            f"{money}{game.state.cash.get(company.id, 0)}",
            " ".join(train.kind for train in game.state.trains_of(company.id)) or "–",
            f"{company.held_by(IPO)}/{company.held_by(POOL)}",
            str(len(company.tokens_left)),
            *((str(company.loans),) if has_loans else ()),
            game.state.name(president) if president else "–",
        )
        at = top + ROW * (index + 1)
        lines.append(_line(at, cells, places, width, False, index % 2 == 0, faces[company.id]))
    waiting = [company.id for company in open_ones if company not in begun]
    for words in wrapped(f"Not begun: {', '.join(waiting)}", LONGEST_WORDS) if waiting else ():
        lines.append(_line(top + ROW * len(lines), (words,), (0.0,), width, False, len(lines) % 2 == 1))
    return lines


def _line(
    top: float,
    cells: tuple[str, ...],
    places: tuple[float, ...],
    width: int,
    is_head: bool,
    shaded: bool = False,
    face: Face | None = None,
) -> Placed:
    """One line of a table, painted anew only when a cell changes."""
    inner = width - 2 * LEFT
    fill = GROUND_DARK if is_head else SHADE if shaded else PAPER
    colour = "#ffffff" if is_head else INK
    shapes: list[Shape] = [Box("table ground", (-inner / 2, -ROW / 2), (inner, ROW), fill)]
    if face is not None:
        shapes += token(face, (MARKER + 4 - inner / 2, 0.0), MARKER, "table token")
    ends = (*places[1:], 1.0)
    for index, (cell, place, end) in enumerate(zip(cells, places, ends, strict=True)):
        indent = 2 * MARKER + 6 if face is not None and index == 0 else 0.0
        size = size_to_fit(cell, (end - place) * inner - 12 - indent, TABLE_TEXT, is_head)
        at = (8 - inner / 2 + place * inner + indent, size * 0.36)
        shapes.append(Words("table", at, cell, size, colour, "start", bold=is_head))
    return strip("line", inner, ROW, tuple(shapes), (width / 2, top + ROW / 2))
