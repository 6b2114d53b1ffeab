"""Moves of share prices, on the grid and on the column of prices."""

from __future__ import annotations

from collections.abc import Iterable

from bot.engine import CompanyId
from bot.engine.play import Game
from bot.engine.play.holdings import (
    Position,
    sort_by_price,
    step_down,
    step_left,
    step_left_or_down,
    step_right,
    step_up,
)
from bot.engine.play.holdings.market import move
from bot.engine.play.steps import is_sale_by_president, is_sold_out

from .family import kind_of


def is_column(game: Game) -> bool:
    """Whether all prices are in one line."""
    return len(game.title.market.rows) == 1


def rise(game: Game, company: CompanyId) -> None:
    """One space right, at the end of a row up; a minor at the highest price of minors moves up instead, if it can."""
    market, position = game.title.market, game.company(company).position
    if position is not None:
        is_highest = kind_of(game, company) == "minor" and market.is_in_zone(position, "m")
        move(game, company, step_up(market, position) if is_highest else step_right(market, position))


def left_of(game: Game, position: Position, spaces: int = 1) -> Position:
    """That many spaces left, at the end of a row down."""
    for _ in range(spaces):
        position = step_left_or_down(game.title.market, position)
    return position


def fall(game: Game, company: CompanyId, spaces: int = 1) -> None:
    position = game.company(company).position
    if position is not None:
        move(game, company, left_of(game, position, spaces))


def fall_by_sale(game: Game, company: CompanyId) -> None:
    """One space down, in the column left, for a sale by the president, or by a president who ceases to be."""
    market, position = game.title.market, game.company(company).position
    if position is not None and is_sale_by_president(game, company):
        move(game, company, step_left(market, position) if is_column(game) else step_down(market, position))


def move_by_dividend(game: Game, company: CompanyId, paid: int) -> None:
    """Left if nothing was paid, right if a major paid at least its share price, or a minor anything."""
    record = game.company(company)
    record.operated = True
    least = 1 if kind_of(game, company) == "minor" else game.title.market.price(record.position or (0, 0))
    if not paid:
        fall(game, company)
    elif paid >= least:
        rise(game, company)


def raise_sold_out(game: Game) -> None:
    """Majors whose shares all belong to players rise: up, in the top row down and right; in the column right."""
    companies = game.state.companies.values()
    sold_out = [one.id for one in companies if kind_of(game, one.id) == "major" and is_sold_out(one)]
    for company in sort_by_price(game, sold_out):
        row, column = game.company(company).position or (0, 0)
        above = (row - 1, column) if row else (1, column + 1)
        target = (row, column + 1) if is_column(game) else above
        if game.title.market.cell(target) is not None:
            move(game, company, target)


def cells_for(game: Game, zones: Iterable[str]) -> list[Position]:
    """The cells of these zones, the highest price first."""
    market = game.title.market
    cells = [cell for zone in zones for cell in market.cells_in(zone)]
    return sorted(cells, key=market.price, reverse=True)


def cell_below(game: Game, zones: Iterable[str], most: int) -> Position:
    """The cell of these zones with the highest price that is not above this."""
    return next(cell for cell in cells_for(game, zones) if game.title.market.price(cell) <= most)
