"""The questions of 18xx.games to a company of 1830 in its turn."""

from __future__ import annotations

from bot.engine import CompanyId, is_player
from bot.engine.play import Game
from bot.engine.play.holdings import counted_trains, has_phase_begun
from bot.engine.play.steps import current_stock_turn
from bot.engine.state import BuyTrain, LayTile, PlaceToken
from bot.formats.peer18xx.dialect import can_do_something
from bot.formats.peer18xx.questions import PeerQuestion

from ..components import CAMDEN, CHAMPLAIN
from ..trains import BUY


def asks_for_trains(game: Game, company: CompanyId) -> bool:
    """Whether some train could be paid: at the limit a D for another train, else any, of other companies for 1."""
    cash, kinds = game.state.cash[company], game.title.trains
    owned = game.state.trains_of(company)
    for_another = [kinds["D"].price - kinds["D"].trade_in.get(train.kind, 0) for train in owned if train.kind in "456"]
    if has_phase_begun(game, "6") and any(cash >= price for price in for_another):
        return True
    if len(counted_trains(game, company)) >= game.title.rules.train_limit(game, company):
        return False
    others = [train for train in game.state.trains if train.owner in game.state.companies and train.owner != company]
    return cash >= min((1 if others else price for price in (*BUY.prices(game, company), 1_000_000)), default=1)


def asks_for_privates(game: Game, company: CompanyId) -> bool:
    champlain = game.private(CHAMPLAIN)
    if champlain.owner == company and not champlain.ability_used and not champlain.closed:
        return True
    ranges = [
        game.title.privates[private.id].price_range
        for private in game.state.privates.values()
        if private.owner is not None and is_player(private.owner) and not private.closed
    ]
    is_open = has_phase_begun(game, "3") and not has_phase_begun(game, "5")
    return is_open and any(span is not None and span[0] <= game.state.cash[company] for span in ranges)


def asks_player(game: Game) -> bool:
    """Whether it waits for the player whose turn in a stock round is open, if only with another player's Camden &
    Amboy."""
    owner, player = game.private(CAMDEN).owner, game.player_in_turn
    has_camden = owner is not None and is_player(owner) and owner != player and not game.private(CAMDEN).closed
    can_pay = game.state.cash[player] > 0 and not current_stock_turn(game).bought and game.state.round.number > 1
    return can_do_something(game) or (has_camden and can_pay)


QUESTIONS = (
    PeerQuestion(LayTile),
    PeerQuestion(PlaceToken),
    PeerQuestion(BuyTrain, asks_for_trains),
    PeerQuestion(BuyTrain, asks_for_privates),
)
