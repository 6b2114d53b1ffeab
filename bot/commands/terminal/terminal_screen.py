"""The console's output for a person at a terminal: tables, colours, pictures."""

from __future__ import annotations

import base64
import os
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import groupby, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

from rich import box
from rich.console import Console as Terminal
from rich.style import Style
from rich.table import Table
from rich.text import Text as Line

from bot.engine import IPO, POOL, CompanyId, PlayerId, Text, Value
from bot.engine.notation.messages import money, question, round_and_phase
from bot.engine.play.game import Game
from bot.engine.play.holdings import format_certificates_short, price_of
from bot.engine.state.actions import Action
from bot.i18n import tr
from bot.service.parser.components_info import shop
from bot.service.views import position_text

from .dashboard import clip_text, dashboard, digest, join_short_moves, wrap_text
from .screen import Screen, can_write, format_error

if TYPE_CHECKING:
    from bot.render.painting.picture import Picture
    from bot.render.scenes.character_map import MapCell

STYLES = {
    "heading": "bold",
    "question": "green",
    "asked": "bold",
    "lead": "yellow",
    "move": "cyan",
    "hint": "dim",
    "words": "dim",
    "columns": "dim",
    "task": "yellow",
}

CELL = 8
"""Width of a character in pixels, where nothing better is known."""

TABLE_WIDTH, GAP = 60, "  "
"""Columns that the table keeps when a map stands beside it, and what is between them."""

LEAST_EVENTS, LEAST_TAUGHT, LEAST_MADE, TABLE_HEIGHT = 6, 4, 5, 40
"""Minimum number of lines about what others did, also in a lesson, and about one's own moves, and the lines below them in
a high window.
"""

TABLES_WIDTH = 80
"""In a narrower window headings and cells of the tables would be cut."""

KEYS = (
    "Keys: Tab completes a move or command; ↑ and ↓ bring earlier lines, Ctrl+R searches them; Alt+← and Alt+→ show earlier "
    "and later boards; Ctrl+C drops the line, Ctrl+D leaves and the game stays; ? shows this."
)

CHUNK = 4096
"""Bytes of base64 in each piece for kitty."""

PNG_WIDTH = slice(16, 20)
"""The place of the width in pixels in a PNG."""


class TerminalScreen(Screen):
    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self.terminal = Terminal(highlight=False, markup=False, soft_wrap=True)
        self.environment = environment
        self.shown = 0
        super().__init__(lambda text: self.terminal.print(text))

    def say(self, text: Text, *values: Value) -> None:
        for line in tr(text, *values).split("\n"):
            wrapped = wrap_text(line, self.terminal.width - 2)
            self.shown += len(wrapped)
            self.write("\n  ".join(wrapped))

    def keys(self) -> None:
        self.say(KEYS)

    def begin(self) -> None:
        self.shown = 1

    pace = 0.5

    def events(self, entries: Sequence[Sequence[str]], is_taught: bool = False) -> Sequence[str]:
        """As many as leave the table most of the window; they and the lines before them stay in sight above it."""
        most = max(LEAST_TAUGHT if is_taught else LEAST_EVENTS, self.terminal.height - TABLE_HEIGHT)
        for number in range(most, 1, -1):
            found = digest(entries, number)
            if self._height(found) <= most:
                return found
        return [clip_text(line, self.terminal.width - 2 * len(GAP)) for line in digest(entries, most)]

    def own_events(self, sentences: Sequence[str]) -> Sequence[str]:
        most = max(LEAST_MADE, self.terminal.height - TABLE_HEIGHT)
        if self._height(sentences) <= most:
            return sentences
        kept = next(number for number in range(len(sentences), -1, -1) if self._height(sentences[:number]) < most)
        left = tr("... and more: log turn")
        if kept == 0:
            return [*(clip_text(line, self.terminal.width - 2 * len(GAP)) for line in sentences[: most - 1]), left]
        return [*sentences[:kept], left]

    def _height(self, sentences: Sequence[str]) -> int:
        """The lines that indented sentences fill."""
        return sum(len(wrap_text(f"  {line}", self.terminal.width - 2)) for line in sentences)

    def keep_room(self, lines: int) -> None:
        self.shown += lines

    def show_error(self, reason: object) -> None:
        self.terminal.print(format_error(reason), style="red", soft_wrap=False)

    @property
    def columns(self) -> int:
        return self.terminal.width

    @property
    def columns_beside(self) -> int:
        return max(0, self.terminal.width - TABLE_WIDTH - len(GAP))

    def table(
        self,
        game: Game,
        otherwise: str,
        beside: Sequence[Sequence[MapCell]] = (),
        own: Collection[PlayerId] = (),
        below: Sequence[str] = (),
        wanted: Action | None = None,
    ) -> None:
        """The whole table, as much of it as fits above the input line, with the map beside it where it fits."""
        width = self.terminal.width
        under = [part for line in below for part in wrap_text(line, width)]
        room = self.terminal.height - 1 - len(under)
        height = max(room - self.shown, room // 2)
        columns = len(beside[0]) if beside else 0
        if len(beside) > height or columns > self.columns_beside or not can_write(beside):
            beside, columns = (), 0
        lines = dashboard(game, width - columns - len(GAP) if columns else width, height, own, not below, wanted)
        for line, cells in zip_longest(lines, beside):
            said = Line()
            if line:
                said.append(line.text, STYLES.get(line.kind))
            if cells:
                said.pad_right(max(0, width - columns - said.cell_len))
                said.append(format_cells(cells))
            self.terminal.print(said)
        for text in under:
            self.terminal.print(text, style=STYLES["task"])

    def draw(self, cells: Sequence[MapCell]) -> None:
        self.terminal.print(format_cells(cells))

    def pages(self, text: str, page: int, about: str = "") -> None:
        """As many lines as fit, with related lines on one page; the last line says how to go on."""
        width, size = self.terminal.width, max(self.terminal.height - 3, 5)
        pages: list[list[str]] = [[]]
        for line in join_short_moves(text.split("\n")):
            parts = wrap_text(line, width)
            if pages[-1] and len(pages[-1]) + len(parts) > size:
                pages.append([])
            pages[-1] += parts
        number = len(pages)
        page = min(max(page, 1), number)
        self.write("\n".join(pages[page - 1]))
        if number > 1:
            more = (
                "Page {page} of {number}; help {next} shows the next." if page < number else "Page {page} of {number}."
            )
            self.terminal.print(tr(more, page, number, f"{about}{page + 1}"), style=STYLES["hint"])

    def status(self, game: Game) -> None:
        """Players and companies in tables, in words where those would be cut."""
        if self.terminal.width < TABLES_WIDTH:
            super().status(game)
            return
        bank = tr("Bank {bank}; trains left: {trains}", position_text.bank_text(game), position_text.trains_left(game))
        self.say(f"{game.title.name}: {tr(round_and_phase(game))}\n{tr(question(game))}\n{bank}")
        self.terminal.print(players_table(game))
        if position_text.shown_companies(game):
            self.terminal.print(companies_table(game))
        if any(not company.floated for company in position_text.shown_companies(game)):
            self.say("(…): not floated yet")
        for line in (*game.title.look.lines(game), *game.title.look.describe_charts(game), *shop(game)):
            self.say(line)

    def spinner(self, what: str) -> AbstractContextManager[object]:
        return self.terminal.status(tr(what))

    def picture(self, picture: Picture, path: Path) -> None:
        """The picture where the terminal can show it, and its path."""
        for piece in encode_picture(picture.png, self.environment, self.terminal.width):
            sys.stdout.write(piece)
        super().picture(picture, path)


def format_cells(cells: Sequence[MapCell]) -> Line:
    line = Line()
    for (ink, ground, is_strong), group in groupby(cells, lambda cell: cell[1:]):
        style = Style(color=ink or None, bgcolor=ground or None, bold=is_strong)
        line.append("".join(cell.character for cell in group), style)
    return line


def players_table(game: Game) -> Table:
    """A row for each player, in the order of seats; the priority deal is marked."""
    table = Table(box=box.SIMPLE, title=tr("Players"), title_justify="left")
    for column in ("player", "cash", "certificates", "net worth", "holds"):
        table.add_column(tr(column), justify="right" if column in ("cash", "certificates", "net worth") else "left")
    asked = game.players_to_act()
    for player in game.state.order:
        name = game.state.name(player)
        table.add_row(
            tr("{player} (priority)", name) if player == game.state.priority else name,
            money(game, game.state.cash[player]),
            format_certificates_short(game, player),
            money(game, position_text.worth(game, player)),
            ", ".join(position_text.holdings(game, player)),
            style="bold" if player in asked else None,
        )
    return table


def companies_table(game: Game) -> Table:
    """A row for every company that has a share price."""
    table = Table(box=box.SIMPLE, title=tr("Companies"), title_justify="left")
    shown = position_text.shown_companies(game)
    loans = ["loans"] if any(company.loans for company in shown) else []
    for column in ("company", "price", "cash", "trains", "tokens", "unsold", "pool", *loans, game.title.director_word):
        table.add_column(
            tr(column), justify="right" if column in ("price", "cash", "unsold", "pool", "loans") else "left"
        )
    for company in shown:
        is_open = company.id == game.frame.entity if game.state.flow else False
        table.add_row(*_company_row(game, company.id, bool(loans)), style="bold" if is_open else None)
    return table


def _company_row(game: Game, company_id: CompanyId, has_loans: bool) -> list[str]:
    company = game.company(company_id)
    if company.closed:
        return [company_id, tr("closed")]
    places = [hex_id for hex_id, _ in game.state.board.cities_of(company_id)]
    return [
        company_id if company.floated else f"({company_id})",
        money(game, price_of(game, company_id)) if company.position else "-",
        money(game, game.state.cash[company_id]),
        ", ".join(train.kind for train in game.state.trains_of(company_id)) or "-",
        f"{', '.join(places)} +{len(company.tokens_left)}".strip() if places or company.tokens_left else "-",
        f"{company.percent_held_by(IPO)}%",
        f"{company.percent_held_by(POOL)}%",
        *([str(company.loans or "")] if has_loans else []),
        position_text.director_name(game, company) or "-",
    ]


# -- pictures in the terminal -------------------------------------------------------------------------


def encode_picture(png: bytes, environment: Mapping[str, str], columns: int) -> Iterator[str]:
    """Output that makes the terminal show a picture: kitty's or iTerm2's protocol, sixels, or nothing."""
    from bot.render.painting.terminal_graphics import sixel

    if pieces := list(encode_inline(png, environment, columns)):
        yield from pieces
    elif is_sixel(environment):
        yield f"{sixel(png, columns * CELL)}\n"


def is_sixel(environment: Mapping[str, str]) -> bool:
    return not environment.get("TMUX") and any(
        name in environment.get("TERM", "") for name in ("foot", "mlterm", "sixel")
    )


def encode_inline(png: bytes, environment: Mapping[str, str], columns: int) -> Iterator[str]:
    """Output that makes the terminal show a picture, no wider than its window: kitty's protocol, iTerm2's protocol,
    or nothing.
    """
    if environment.get("TMUX"):
        return
    data = base64.standard_b64encode(png).decode()
    is_wide = int.from_bytes(png[PNG_WIDTH]) > columns * CELL
    name = environment.get("TERM", "")
    if environment.get("KITTY_WINDOW_ID") or "kitty" in name or "ghostty" in name:
        fit = f",c={columns}" if is_wide else ""
        for begin in range(0, len(data), CHUNK):
            more = int(begin + CHUNK < len(data))
            keys = f"f=100,a=T{fit},m={more}" if begin == 0 else f"m={more}"
            yield f"\x1b_G{keys};{data[begin : begin + CHUNK]}\x1b\\"
        yield "\n"
    elif environment.get("TERM_PROGRAM") in ("iTerm.app", "WezTerm"):
        width = columns if is_wide else "auto"
        yield f"\x1b]1337;File=inline=1;size={len(png)};width={width};preserveAspectRatio=1:{data}\x07\n"
