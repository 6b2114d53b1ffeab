"""The stock market as a scene, with a table of players and companies below it."""

from __future__ import annotations

from bot.engine.certificates import certificate_count, president_of
from bot.engine.game import Game
from bot.engine.ids import BANK, DEPOT, IPO, POOL, CompanyId, PlayerId
from bot.engine.market import Cell, key, price_of
from bot.engine.narration import where

from .alt import market_alt
from .colours import INK, PAPER, RINGS, ZONE, readable_on
from .scene import Box, Circle, Placed, Scene, Shape, Sprite, Words, strip

CELL_WIDTH = 66.0
CELL_HEIGHT = 62.0
LEFT = 14.0
TOP = 52.0
ROW = 40.0
TOKEN = 17.5
TABLE_TEXT = 23.0
LETTER_WIDTH = 0.6
"""The mean width of a letter as a part of its height."""


def market_scene(game: Game) -> Scene:
    """Prices and markers, then players, then companies."""
    market = game.title.market
    columns = max(len(row) for row in market.rows)
    width = round(max(2 * LEFT + columns * CELL_WIDTH, 900))
    bottom = TOP + len(market.rows) * CELL_HEIGHT + 34
    companies_top = bottom + ROW * (len(game.state.players) + 2)
    tables = [*player_table(game, bottom, width), *company_table(game, companies_top, width)]
    height = round(companies_top + ROW * (len(open_companies(game)) + 2) + 40)
    return Scene(
        "market",
        width,
        height,
        market_alt(game),
        f"{game.title.id}:market:{len(game.state.players)}:{height}",
        PAPER,
        (*grid(game), *legend(game, TOP + len(market.rows) * CELL_HEIGHT + 22)),
        (*markers(game), heading(game, width), *tables),
    )


def open_companies(game: Game) -> list[CompanyId]:
    """Companies still in play."""
    return [company.id for company in game.state.companies.values() if not company.closed]


def heading(game: Game, width: int) -> Placed:
    """Title and round."""
    left: dict[str, int] = {}
    for train in game.state.trains:
        if train.owner == DEPOT:
            left[train.family] = left.get(train.family, 0) + 1
    trains = "  ".join(f"{number}×{family}" for family, number in left.items())
    money = game.title.currency
    words = f"{where(game)} · bank {money}{game.state.cash[BANK]}"
    shapes = (
        Box("title ground", (-width / 2, -20), (width, 40), "#26343d"),
        Words("title", (14 - width / 2, 7), words, 18, "#ffffff", "start", bold=True),
        Words("trains", (width / 2 - 14, 7), f"trains {trains}", 17, "#ffe89a", "end"),
    )
    return strip("heading", width, 40, shapes, (width / 2, 20))


# -- the chart ----------------------------------------------------------------------------------------


def grid(game: Game) -> list[Shape]:
    """The cells."""
    shapes: list[Shape] = []
    for r, row in enumerate(game.title.market.rows):
        for c, cell in enumerate(row):
            if cell is not None:
                shapes += _cell(cell, LEFT + c * CELL_WIDTH, TOP + r * CELL_HEIGHT)
    return shapes


def _cell(cell: Cell, x: float, y: float) -> list[Shape]:
    zone = next((letter for letter in ("e", "p", "c", "b") if letter in cell.zones), cell.zones[:1])
    fill = ZONE.get(zone, "#ffffff")
    return [
        Box("cell", (x, y), (CELL_WIDTH, CELL_HEIGHT), fill, "#8d8673", 1.2),
        Words("price", (x + 4, y + 20), str(cell.price), 21, readable_on(fill), "start", bold=True),
        Words("zone", (x + CELL_WIDTH - 4, y + 17), zone.upper(), 13, readable_on(fill), "end"),
    ]


def legend(game: Game, y: float) -> list[Shape]:
    """What the zones mean."""
    shapes: list[Shape] = []
    x = LEFT
    for letter, meaning in game.title.market.zones.items():
        shapes.append(Box("legend", (x, y - 13), (16, 16), ZONE.get(letter, "#ffffff"), INK, 1))
        shapes.append(Words("legend", (x + 22, y), f"{letter.upper()} {meaning}", 14, INK, "start"))
        x += 60 + 8.5 * len(meaning)
    return shapes


def markers(game: Game) -> list[Placed]:
    """The companies' markers, the top one of a stack first."""
    placed = []
    for company in game.state.companies.values():
        if company.position is None:
            continue
        row, column = company.position
        stack = game.state.stacks[key(company.position)]
        index = stack.index(company.id)
        step = min(CELL_WIDTH - 2 * TOKEN - 4, 20.0) if len(stack) > 1 else 0.0
        step = min(step, (CELL_WIDTH - 2 * TOKEN - 4) / max(1, len(stack) - 1))
        x = LEFT + column * CELL_WIDTH + TOKEN + 3 + index * step
        if len(stack) == 1:
            x = LEFT + (column + 0.5) * CELL_WIDTH
        y = TOP + row * CELL_HEIGHT + CELL_HEIGHT - TOKEN - 2
        placed.append((index, Placed(marker(game, company.id), (x, y))))
    return [entry for _, entry in sorted(placed, key=lambda item: -item[0])]


def marker(game: Game, company: CompanyId) -> Sprite:
    """A share price marker."""
    noun = game.title.companies[company]
    number = list(game.title.companies).index(company)
    return Sprite(
        f"{game.title.id}:marker:{company}",
        TOKEN + 2,
        TOKEN + 2,
        (
            Circle("marker", (0, 0), TOKEN, noun.colour, INK, 1.6),
            Circle("marker ring", (0, 0), TOKEN * 0.84, "none", noun.text_colour, 1.2, RINGS[number % len(RINGS)]),
            Words("marker initials", (0, 5.2), company, 14, noun.text_colour, bold=True, condensed=True),
        ),
    )


# -- tables -------------------------------------------------------------------------------------------


def player_table(game: Game, top: float, width: int) -> list[Placed]:
    """Cash, certificates, worth, shares and privates of every player, in the order of play."""
    lines = [_line(top, ("Player", "Cash", "Certs", "Worth", "Shares and privates"), width, True)]
    asked = game.asked()
    for index, player in enumerate(game.state.order):
        marks = ("▶ " if player in asked else "") + game.state.name(player)
        marks += " ★" if player == game.state.priority else ""
        limit = game.title.rules.certificate_limit(game, player)
        money = game.title.currency
        cells = (
            marks,
            f"{money}{game.state.cash[player]}",
            f"{certificate_count(game, player)}/{limit}",
            f"{money}{game.title.rules.worth(game, player)}",
            holdings(game, player),
        )
        lines.append(_line(top + ROW * (index + 1), cells, width, False, index % 2 == 0))
    return lines


def holdings(game: Game, player: PlayerId) -> str:
    """Percent by company, a star where the player presides; then privates."""
    words = []
    for company in game.state.companies.values():
        percent = company.held_by(player)
        if percent:
            words.append(f"{company.id} {percent}{'*' if president_of(company) == player else ''}")
    return "  ".join([*words, *(private.id for private in game.state.privates_of(player))])


COMPANY_COLUMNS = ("Company", "Price", "Par", "Cash", "Trains", "Bank/Pool", "Tokens", "Loans", "Run by")


def company_table(game: Game, top: float, width: int) -> list[Placed]:
    """Price, treasury, trains, unsold shares, tokens, loans and president of every company."""
    lines = [_company_line(top, COMPANY_COLUMNS, width, True)]
    for index, company_id in enumerate(open_companies(game)):
        company = game.company(company_id)
        president = president_of(company)
        money = game.title.currency
        cells = (
            company_id + ("" if company.floated else " (not launched)"),
            f"{money}{price_of(game, company_id)}" if company.position else "–",
            f"{money}{company.par}" if company.par else "–",
            f"{money}{game.state.cash[company_id]}",
            " ".join(train.kind for train in game.state.trains_of(company_id)) or "–",
            f"{company.held_by(IPO)}/{company.held_by(POOL)}",
            str(len(company.tokens_left)),
            str(company.loans),
            game.state.name(president) if president else "–",
        )
        lines.append(_company_line(top + ROW * (index + 1), cells, width, False, index % 2 == 0))
    return lines


def _line(top: float, cells: tuple[str, ...], width: int, is_head: bool, shaded: bool = False) -> Placed:
    return _table_line(top, cells, (0.0, 0.2, 0.29, 0.36, 0.45), width, is_head, shaded)


def _company_line(top: float, cells: tuple[str, ...], width: int, is_head: bool, shaded: bool = False) -> Placed:
    places = (0.0, 0.17, 0.25, 0.32, 0.41, 0.57, 0.68, 0.75, 0.82)
    return _table_line(top, cells, places, width, is_head, shaded)


def _table_line(
    top: float, cells: tuple[str, ...], places: tuple[float, ...], width: int, is_head: bool, shaded: bool
) -> Placed:
    """One line of a table, painted anew only when a cell changes."""
    inner = width - 2 * LEFT
    fill = "#26343d" if is_head else "#eae4d3" if shaded else PAPER
    colour = "#ffffff" if is_head else INK
    shapes: list[Shape] = [Box("table ground", (-inner / 2, -ROW / 2), (inner, ROW), fill)]
    ends = (*places[1:], 1.0)
    for cell, place, end in zip(cells, places, ends, strict=True):
        room = (end - place) * inner - 12
        size = min(TABLE_TEXT, room / max(1, len(cell)) / LETTER_WIDTH)
        shapes.append(Words("table", (8 - inner / 2 + place * inner, 8), cell, size, colour, "start", bold=is_head))
    return strip("line", inner, ROW, tuple(shapes), (width / 2, top + ROW / 2))
