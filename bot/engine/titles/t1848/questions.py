"""What 18xx.games asks a company of 1848 in its turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...ids import CompanyId, is_player
from ...logs18xx.questions import Question, as_here
from ...trains import counting, for_sale, has_begun, owned, sides
from .bank_of_england import loans_left
from .nouns import BANK_OF_ENGLAND, GHAN_REBATE, LOAN, LOANS_PER_COMPANY, NORTH_AUSTRALIAN, TRANS_AUSTRALIAN
from .rights import has_right

if TYPE_CHECKING:
    from ...game import Game

GHAN = "2E"
LEAST_FOR_PRIVATE = 1


def can_borrow(game: Game, company: CompanyId) -> bool:
    """A loan could be taken, were it not for one that has been taken in this turn."""
    return has_begun(game, "3") and game.company(company).loans < LOANS_PER_COMPANY and loans_left(game) > 0


def asks_for_trains(game: Game, company: CompanyId) -> bool:
    """Whether it waits for a purchase: some train could be paid, or a loan could help to the Ghan."""
    cash = game.state.cash[company]
    return (
        (_has_room(game, company) and cash >= _lowest_price(game, company))
        or _can_trade_in(game, company)
        or (owned(game, company, GHAN) is None and cash >= LOAN and can_borrow(game, company))
    )


def _has_room(game: Game, company: CompanyId) -> bool:
    return len(counting(game, company)) < game.title.rules.train_limit(game, company) or _can_buy_ghan(game, company)


def _can_buy_ghan(game: Game, company: CompanyId) -> bool:
    if not has_begun(game, "5") or owned(game, company, GHAN) is not None:
        return False
    rebate = 100 if has_right(game, company, GHAN_REBATE) else 0
    return game.state.cash[company] >= game.title.trains[GHAN].price - rebate


def _lowest_price(game: Game, company: CompanyId) -> int:
    """The cheapest train of the bank; 1 if any other company has one, whatever that would cost."""
    if any(train.owner in game.state.companies and train.owner != company for train in game.state.trains):
        return 1
    return min(side.price for card in for_sale(game) for side in sides(game, card.family))


def _can_trade_in(game: Game, company: CompanyId) -> bool:
    cash = game.state.cash[company]
    families = {game.title.trains[train.kind].family for train in game.state.trains_of(company)}
    return any(
        cash >= side.price - discount
        for card in for_sale(game)
        for side in sides(game, card.family)
        for family, discount in side.trade_in.items()
        if family in families
    )


def asks_for_loan_or_private(game: Game, company: CompanyId) -> bool:
    """Whether it waits at the end of a turn, even after this turn's loan."""
    return can_borrow(game, company) or _can_buy_private(game, company)


def _can_buy_private(game: Game, company: CompanyId) -> bool:
    is_open = has_begun(game, "3") and not has_begun(game, "5")
    return (
        is_open
        and game.state.cash[company] >= LEAST_FOR_PRIVATE
        and any(
            private.owner is not None and is_player(private.owner) and not private.closed
            for private in game.state.privates.values()
            if private.id not in (TRANS_AUSTRALIAN, NORTH_AUSTRALIAN)
        )
    )


QUESTIONS = (
    Question("lay track", as_here),
    Question("place a token", as_here),
    Question("buy trains", asks_for_trains),
    Question("buy trains", asks_for_loan_or_private),
)

BANK_DIVIDEND = {
    "type": "dividend",
    "kind": "payout",
    "entity": BANK_OF_ENGLAND,
    "entity_type": "corporation",
}
"""The Bank of England operates first in each operating round, by itself."""
