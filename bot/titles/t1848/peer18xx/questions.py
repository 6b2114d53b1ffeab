"""The questions of 18xx.games to a company of 1848 in its turn."""

from __future__ import annotations

from bot.engine import CompanyId, is_player
from bot.engine.play import Game
from bot.engine.play.holdings import has_phase_begun
from bot.engine.state import BuyTrain, LayTile, PlaceToken
from bot.formats.peer18xx.questions import PeerQuestion
from bot.titles.t1848 import trains as locomotives

from ..components import BANK_OF_ENGLAND, NORTH_AUSTRALIAN, TRANS_AUSTRALIAN

LEAST_FOR_PRIVATE = 1


def asks_for_trains(game: Game, company: CompanyId) -> bool:
    """Whether it waits for a purchase: games by the printed rules do not note the last purchase that a company could pay."""
    return locomotives.is_asked(game, company) and locomotives.can_go_on(game, company, may_borrow_first=True)


def asks_for_loan_or_private(game: Game, company: CompanyId) -> bool:
    """Whether it waits at the end of a turn, even after this turn's loan."""
    return locomotives.can_borrow(game, company) or _can_buy_private(game, company)


def _can_buy_private(game: Game, company: CompanyId) -> bool:
    is_open = has_phase_begun(game, "3") and not has_phase_begun(game, "5")
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
    PeerQuestion(LayTile),
    PeerQuestion(PlaceToken),
    PeerQuestion(BuyTrain, asks_for_trains),
    PeerQuestion(BuyTrain, asks_for_loan_or_private, returns=True),
)

BANK_DIVIDEND = {"type": "dividend", "kind": "payout", "entity": BANK_OF_ENGLAND, "entity_type": "corporation"}
"""The Bank of England operates first in each operating round, automatically."""
