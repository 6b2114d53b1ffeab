"""Starting prices, what may be sold, and what sales do to prices (1848 §5.1, §5.2.1, §12.4, §12.5)."""

from __future__ import annotations

from bot.engine import CompanyId, IllegalMove
from bot.engine.play import Game
from bot.engine.play.holdings import Position
from bot.engine.play.holdings.market import move
from bot.engine.play.steps import current_stock_turn

from . import components
from .interpretations import interpretation_flags


def par_cells(game: Game, company: CompanyId) -> list[Position]:
    """The four starting prices; CAR starts only through its private, at 100 (§5.2.1)."""
    if company in (components.BANK_OF_ENGLAND, components.CENTRAL_AUSTRALIAN):
        return []
    return components.MARKET.cells_in("p")


def check_sell(game: Game, company: CompanyId) -> None:
    """No sales of railways in the first stock round (§5.1.6); of the Bank of England at any time (§12.4.2)."""
    if company == components.BANK_OF_ENGLAND:
        return
    if game.state.round.number == 1:
        raise IllegalMove("No shares of railways are sold in the first stock round.", "1848 §5.1.6")
    if company in current_stock_turn(game).sold and interpretation_flags(game).sells_a_company_once_a_turn:
        raise IllegalMove("All shares of {company} sold in one turn must be sold together.", "18xx.games", company)


def lower_price_after_sale(game: Game, company_id: CompanyId, percent: int) -> None:
    """One space down for each sale, not each share; the Bank of England's price stays (§12.5)."""
    if company_id == components.BANK_OF_ENGLAND:
        return
    row, column = game.company(company_id).position or (0, 0)
    if row + 1 < components.BANK_ROW and components.MARKET.cell((row + 1, column)) is not None:
        move(game, company_id, (row + 1, column))
