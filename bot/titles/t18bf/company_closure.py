"""Prices that move along the row, and companies that close (18BF §6, §10.7, §11)."""

from __future__ import annotations

from collections.abc import Iterator

from bot.engine import BANK, POOL, CompanyId
from bot.engine.play import Game
from bot.engine.play.holdings import pay
from bot.engine.play.holdings.market import move
from bot.engine.play.steps import remove_company

from .components import COMPANIES, FEW_TOKENS, MARKET, RAILWAY_PRIVATES
from .events import CompanyClosed
from .state import kind_of, title_state

LAST = len(MARKET.rows[0]) - 1
MINORS_LAST = MARKET.cells_in("m")[0][1]
"""§10.7: minors rise to 165."""


def rise(game: Game, company_id: CompanyId, spaces: int = 1) -> None:
    """Move the marker to the right, as far as there are spaces (§10.7)."""
    position = game.company(company_id).position
    if position is not None:
        last = MINORS_LAST if kind_of(company_id) == "minor" else LAST
        move(game, company_id, (0, min(position[1] + spaces, last)))


def fall(game: Game, company_id: CompanyId) -> None:
    """Move the marker one space to the left; in the closed box the company closes (§6, §11)."""
    position = game.company(company_id).position
    if position is None:
        return
    move(game, company_id, (0, position[1] - 1))
    if position[1] - 1 == 0:
        close(game, company_id)


def column_at(price: int) -> int:
    """The column of the highest price that is not above this price."""
    return max(column for column in range(LAST + 1) if MARKET.price((0, column)) <= price)


def close(game: Game, company_id: CompanyId) -> None:
    """Assets to the bank, trains to the pool; a minor is gone, others may be started again (§6, §7, §11)."""
    state = game.state
    for train in state.trains_of(company_id):
        game.state.move_train(train, POOL)
    for private in state.privates_of(company_id):
        if private.id in RAILWAY_PRIVATES:
            private.closed = True
        private.owner = None
    pay(game, company_id, BANK, state.cash[company_id], f"{company_id} closes")
    game.emit(CompanyClosed(company_id))
    remove_company(game, company_id, is_gone=kind_of(company_id) == "minor")


def audit_tokens(game: Game) -> Iterator[str]:
    """Wrong token counts as sentences: a company in play keeps its initial number on the map and charter together."""
    if title_state(game).forming is not None or title_state(game).taken is not None:
        return
    placed = game.state.board.token_counts()
    for company in game.state.companies.values():
        if company.position is None:
            continue
        total = len(company.tokens_left) + placed[company.id]
        printed = len(COMPANIES[company.id].tokens)
        if total != printed and not (kind_of(company.id) == "system" and total == FEW_TOKENS):
            yield f"{company.id} has {total} tokens instead of {printed}"
