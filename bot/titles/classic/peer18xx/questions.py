"""The questions of 18xx.games to a company in its turn."""

from __future__ import annotations

from bot.engine import CompanyId, is_player
from bot.engine.play import Game
from bot.engine.play.holdings import counted_trains, has_phase_begun, trains_for_sale
from bot.engine.play.steps import BuyTrains
from bot.engine.state import BuyTrain, LayTile, PlaceToken
from bot.formats.peer18xx.questions import PeerQuestion, also_in_need

from ..family import classic, step_of
from ..powers import Lay, LayBy


def asks_for_trains(game: Game, company: CompanyId) -> bool:
    """Whether some train could be paid: at the limit a train for another, else any, of other companies for 1."""
    cash, kinds = game.state.cash[company], game.title.trains
    owned = {train.kind for train in game.state.trains_of(company)}
    new = [kinds[card.family] for card in trains_for_sale(game)]
    if any(cash >= kind.price - less for kind in new for given, less in kind.trade_in.items() if given in owned):
        return True
    if len(counted_trains(game, company)) >= game.title.rules.train_limit(game, company):
        return False
    others = [train for train in game.state.trains if train.owner in game.state.companies and train.owner != company]
    prices = step_of(game.title, BuyTrains).prices(game, company)
    return cash >= min((1 if others else price for price in (*prices, 1_000_000)), default=1)


def asks_for_privates(game: Game, company: CompanyId) -> bool:
    for sign, power in classic(game).privates_with(Lay):
        private = game.state.privates.get(sign)
        is_own = private is not None and private.owner == company and not private.closed and not private.ability_used
        if power.by is LayBy.COMPANY and is_own:
            return True
    ranges = [
        game.title.privates[private.id].price_range
        for private in game.state.privates.values()
        if private.owner is not None and is_player(private.owner) and not private.closed
    ]
    begins, ends = classic(game).sold_in
    is_open = has_phase_begun(game, begins) and not has_phase_begun(game, ends)
    return is_open and any(span is not None and span[0] <= game.state.cash[company] for span in ranges)


QUESTIONS = (
    PeerQuestion(LayTile),
    PeerQuestion(PlaceToken),
    PeerQuestion(BuyTrain, also_in_need(asks_for_trains)),
    PeerQuestion(BuyTrain, asks_for_privates),
)
