"""The questions of 18xx.games to a company in its turn."""

from __future__ import annotations

from bot.engine import CompanyId, TokenSections, is_permitted, is_player
from bot.engine.play import Game
from bot.engine.play.holdings import has_phase_begun
from bot.engine.play.steps import RedeemShares, operating_turn
from bot.engine.play.steps.trains import depot_prices
from bot.engine.state import BuyPrivate, BuyTrain, LayTile, PlaceToken
from bot.formats.peer18xx.questions import PeerQuestion

from ..trains import train_limit


def asks_for_token(game: Game, company: CompanyId) -> bool:
    """Whether a token could be placed if it cost no more than its price on the charter."""
    left = game.company(company).tokens_left
    if not left or game.state.cash[company] < left[0] or operating_turn(game).tokens_placed:
        return False
    land, section = game.board_rules, TokenSections()
    places = land.reached_cities(game, company)
    return any(is_permitted(land.check_city, game, company, *place, section) for place in places)


def asks_for_trains(game: Game, company: CompanyId) -> bool:
    """Whether some train could be paid: of bank and pool for its price, of other companies for 1."""
    cash, owned = game.state.cash[company], game.state.trains_of(company)
    if game.company(company).position is None:
        return False
    if has_phase_begun(game, "8"):
        kinds = [game.title.trains[name] for name in ("8", "2+2", "5+5E")]
        given = [
            kind.price - kind.trade_in[train.kind] for kind in kinds for train in owned if train.kind in kind.trade_in
        ]
        if any(cash >= price for price in given):
            return True
    if len(owned) >= train_limit(game, company):
        return False
    others = [train for train in game.state.trains if train.owner in game.state.companies and train.owner != company]
    return cash >= min(1 if others else 1_000_000, *depot_prices(game, company), 1_000_000)


def asks_for_privates(game: Game, company: CompanyId) -> bool:
    """Whether a private could be paid, which costs 1 or more."""
    is_open = has_phase_begun(game, "3") and not has_phase_begun(game, "6")
    owned = any(
        one.owner is not None and is_player(one.owner) and not one.closed for one in game.state.privates.values()
    )
    return is_open and owned and game.state.cash[company] >= 1


def asks_for_privates_at_last(game: Game, company: CompanyId) -> bool:
    """A company without a train has been taken over before it is asked."""
    return asks_for_privates(game, company) and bool(game.state.trains_of(company))


def asks_for_trains_in_need(game: Game, company: CompanyId) -> bool:
    if game.company(company).position is None:
        return False
    return asks_for_trains(game, company) or game.title.rules.must_own_train(game, company)


QUESTIONS = (
    PeerQuestion(RedeemShares),
    PeerQuestion(LayTile),
    PeerQuestion(PlaceToken, asks_for_token),
    PeerQuestion(BuyPrivate, asks_for_privates),
    PeerQuestion(BuyTrain, asks_for_trains_in_need),
    PeerQuestion(BuyTrain, asks_for_privates_at_last),
)
