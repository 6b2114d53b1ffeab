"""The turn of the national railway: the player with the priority card runs its trains, all else is automatic."""

from __future__ import annotations

from bot.engine import BANK, POOL
from bot.engine.notation import format_train
from bot.engine.play import Game
from bot.engine.play.holdings import buy_from_depot, trains_for_sale
from bot.engine.play.steps import operating_turn, put_token, withhold
from bot.engine.play.steps.trains import buy_from_pool
from bot.engine.state import BuyTrain

from .family import merging
from .loans import BORROWING
from .state import title_state


def place_national_home(game: Game) -> None:
    """An automatic step: the first token at home, unless it has come there before or stands in the place of another's."""
    national, promised = merging(game).national, title_state(game).promised
    (home,) = game.title.companies[national].home
    if home in promised and not game.state.board.has_token(home, national):
        promised.remove(home)
        put_token(game, national, home, len(game.tile_at(home).cities) - 1)


def keep_earnings(game: Game) -> None:
    """An automatic step: all earnings are kept."""
    revenue = operating_turn(game).revenue
    if revenue:
        withhold(game, merging(game).national, revenue)


def settle_national_loans(game: Game) -> None:
    """An automatic step: interest, then loans are repaid. If all loans do not cover the interest, it takes them all the same
    and pays nothing.
    """
    national = merging(game).national
    if BORROWING.pay_interest(game, national, title_state(game).loans_due):
        BORROWING.repay(game, national)
    else:
        BORROWING.borrow(game, national, BORROWING.max_funds(game, national), "interest")


def buy_national_trains(game: Game) -> None:
    """An automatic step: without a train the cheapest, with loans; then the next train of the bank as often as it can pay."""
    national = merging(game).national
    if not game.state.trains_of(national):
        kinds = game.title.trains
        pool = [(kinds[train.kind].price, train.kind) for train in game.state.trains_of(POOL)]
        new = [(kinds[card.family].price, card.family) for card in trains_for_sale(game)]
        price, kind = min([*new, *pool])
        if price <= BORROWING.max_funds(game, national):
            BORROWING.borrow(game, national, price, format_train(kind))
            if (price, kind) in pool:
                buy_from_pool(game, BuyTrain(national, kind, price, POOL))
            else:
                buy_from_depot(game, national, kind, price, BANK)
    while True:
        kind = trains_for_sale(game)[0].family
        price = game.title.trains[kind].price
        if game.state.cash[national] < price:
            return
        buy_from_depot(game, national, kind, price, BANK)
