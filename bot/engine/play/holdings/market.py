"""The stock market: a grid of prices, one or two rows deep or more, with stacks of markers.

Notation: one line a row, cells separated by spaces; a cell is a price with letters for its zones
(`100p` par, `0c` closing, `450e` end of the game); `.` is no cell.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from bot.engine import CompanyId, require
from bot.engine.state import PriceMoved

if TYPE_CHECKING:
    from bot.engine.play import Game

Position = tuple[int, int]
"""A market cell: row from the top, column from the left, both from 0."""

CELL = re.compile(r"^(\d+)([a-z]*)$")


@dataclass(frozen=True)
class Cell:
    price: int
    zones: str = ""


@dataclass(frozen=True)
class MarketSpec:
    """The printed market. `rows[r][c]` is a cell or None; `zones` names each zone letter."""

    rows: tuple[tuple[Cell | None, ...], ...]
    zones: dict[str, str]

    def cell(self, position: Position) -> Cell | None:
        row, column = position
        if row < 0 or column < 0 or row >= len(self.rows) or column >= len(self.rows[row]):
            return None
        return self.rows[row][column]

    def price(self, position: Position) -> int:
        """:raises KeyError: there is no such cell."""
        cell = self.cell(position)
        if cell is None:
            raise KeyError(f"no market cell at {position}")
        return cell.price

    def is_in_zone(self, position: Position, zone: str) -> bool:
        cell = self.cell(position)
        return cell is not None and zone in cell.zones

    def cells_in(self, zone: str) -> list[Position]:
        """Top row first, left to right."""
        return self._zones.get(zone, [])

    @cached_property
    def _zones(self) -> dict[str, list[Position]]:
        cells = [((r, c), cell) for r, row in enumerate(self.rows) for c, cell in enumerate(row)]
        letters = {letter for _, cell in cells if cell is not None for letter in cell.zones}
        return {letter: [position for position, cell in cells if cell and letter in cell.zones] for letter in letters}

    def text(self) -> str:
        """The chart in its own notation, which `parse_market` reads back."""
        return "\n".join(
            " ".join("." if cell is None else f"{cell.price}{cell.zones}" for cell in row) for row in self.rows
        )


def parse_market(text: str, zones: dict[str, str]) -> MarketSpec:
    """Read a chart in the notation of this module.

    :raises ValueError: a cell is not a price with known zone letters.
    """
    return MarketSpec(
        tuple(tuple(_parse_cell(word, zones) for word in line.split()) for line in text.strip().splitlines()), zones
    )


def _parse_cell(word: str, zones: dict[str, str]) -> Cell | None:
    if word == ".":
        return None
    found = CELL.match(word)
    if not found or any(letter not in zones for letter in found[2]):
        raise ValueError(f"not a market cell: {word}")
    return Cell(int(found[1]), found[2])


def stack_key(position: Position) -> str:
    return f"{position[0]},{position[1]}"


def place_marker(game: Game, company: CompanyId, position: Position) -> None:
    """Put the company's marker under those already in the cell."""
    state = game.state
    remove_marker(game, company)
    state.companies[company].position = position
    state.stacks.setdefault(stack_key(position), []).append(company)


def remove_marker(game: Game, company: CompanyId) -> None:
    state = game.state
    position = state.companies[company].position
    if position is None:
        return
    stack = state.stacks[stack_key(position)]
    stack.remove(company)
    if not stack:
        del state.stacks[stack_key(position)]
    state.companies[company].position = None


def move(game: Game, company: CompanyId, position: Position) -> None:
    """Move the marker and say so; a marker that stays where it is keeps its place in the stack."""
    before = game.state.companies[company].position
    if before is None or before == position:
        return
    place_marker(game, company, position)
    game.emit(PriceMoved(company, game.title.market.price(before), game.title.market.price(position)))


def price_of(game: Game, company: CompanyId) -> int:
    """0 when it has none."""
    position = game.state.companies[company].position
    return 0 if position is None else game.title.market.price(position)


def step_right(market: MarketSpec, position: Position) -> Position:
    """One cell to the right; at the end of a row one cell up; at the top it stays."""
    row, column = position
    if market.cell((row, column + 1)) is not None:
        return row, column + 1
    return step_up(market, position)


def step_left(market: MarketSpec, position: Position) -> Position:
    """One cell to the left; at the end of the row it stays."""
    row, column = position
    return (row, column - 1) if market.cell((row, column - 1)) is not None else position


def step_left_or_down(market: MarketSpec, position: Position) -> Position:
    """One cell to the left; at the end of a row one cell down; at the bottom it stays."""
    beside = step_left(market, position)
    return beside if beside != position else step_down(market, position)


def step_up(market: MarketSpec, position: Position) -> Position:
    """One cell up; at the top it stays."""
    row, column = position
    return (row - 1, column) if market.cell((row - 1, column)) is not None else position


def step_down(market: MarketSpec, position: Position) -> Position:
    """One cell down; at the bottom it stays."""
    row, column = position
    return (row + 1, column) if market.cell((row + 1, column)) is not None else position


def sort_by_price(game: Game, companies: list[CompanyId]) -> list[CompanyId]:
    """Operating order: highest price first, then the marker further right, then the top marker (1848 §7.2)."""
    state, market = game.state, game.title.market

    def rank(company: CompanyId) -> tuple[int, int, int, int]:
        position = require(state.companies[company].position, f"{company} has no price")
        return -market.price(position), -position[1], position[0], state.stacks[stack_key(position)].index(company)

    return sorted(companies, key=rank)


def operating_order(game: Game) -> list[CompanyId]:
    """Only floated companies that have a price."""
    return sort_by_price(
        game, [one.id for one in game.state.companies.values() if one.floated and one.position is not None]
    )
