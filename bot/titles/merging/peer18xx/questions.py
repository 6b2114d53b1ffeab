"""The questions of 18xx.games to a company in its turn."""

from __future__ import annotations

from bot.engine import CompanyId, is_player
from bot.engine.play import Game
from bot.engine.play.holdings import has_phase_begun
from bot.engine.state import BuyTrain, LayTile, PlaceToken
from bot.formats.peer18xx.questions import PeerQuestion, also_in_need

from ..trains import depot_prices, train_limit


def asks_for_trains(game: Game, company: CompanyId) -> bool:
    """Whether some train could be paid: of bank and pool for its price, of other companies for 1."""
    cash, owned = game.state.cash[company], game.state.trains_of(company)
    if has_phase_begun(game, "8"):
        kinds = [game.title.trains[name] for name in ("8", "2+2", "5+5E")]
        given = [kind.price - kind.trade_in[train.kind] for kind in kinds for train in owned if train.kind in kind.trade_in]
        if any(cash >= price for price in given):
            return True
    if len(owned) >= train_limit(game, company):
        return False
    others = [train for train in game.state.trains if train.owner in game.state.companies and train.owner != company]
    return cash >= min(1 if others else 1_000_000, *depot_prices(game, company), 1_000_000)


def asks_for_privates(game: Game, company: CompanyId) -> bool:
    """Whether a private could be paid, which costs 1 or more."""
    is_open = has_phase_begun(game, "3") and not has_phase_begun(game, "6")
    owned = any(one.owner is not None and is_player(one.owner) and not one.closed for one in game.state.privates.values())
    return is_open and owned and game.state.cash[company] >= 1


QUESTIONS = (
    PeerQuestion(LayTile),
    PeerQuestion(PlaceToken),
    PeerQuestion(BuyTrain, also_in_need(asks_for_trains)),
    PeerQuestion(BuyTrain, asks_for_privates),
)
