"""Trains: who must buy a train, loans for trains, privates for companies."""

from __future__ import annotations

from bot.engine import POOL, CompanyId, IllegalMove, TrainSections, same_ref
from bot.engine.notation import format_train
from bot.engine.play import Game
from bot.engine.play.holdings import has_phase_begun
from bot.engine.play.steps import BuyPrivates, BuyTrains, MoneyForTrains, TradeIns, UsedTrains
from bot.engine.play.steps.trains import printed_discount
from bot.engine.state import BuyTrain, Train

from .components import TRAIN_LIMIT
from .family import kind_of, merging
from .loans import BORROWING


def train_limit(game: Game, company: CompanyId) -> int:
    """By kind of company and phase."""
    return TRAIN_LIMIT[kind_of(game, company)][game.state.phase]


def depot_prices(game: Game, company: CompanyId) -> list[int]:
    step = next(step for step in game.title.steps() if isinstance(step, BuyTrains))
    return step.prices(game, company)


def must_own_train(game: Game, company: CompanyId) -> bool:
    """A company without a train buys one if, with all loans, it can pay for the cheapest of bank and pool."""
    if game.state.trains_of(company) or not train_limit(game, company):
        return False
    prices = depot_prices(game, company)
    return bool(prices) and min(prices) <= BORROWING.max_funds(game, company)


def check_borrow(game: Game, company: CompanyId, price: int) -> None:
    if price > BORROWING.max_funds(game, company):
        means = game.title.money(BORROWING.max_funds(game, company))
        sentence = "{company} has {means} with all loans, the train costs {price}."
        raise IllegalMove(sentence, merging(game).section, company, means, game.title.money(price))


def borrow_for_train(game: Game, action: BuyTrain) -> bool:
    """Only a company without a train takes loans, and only for a train of bank or pool."""
    BORROWING.borrow(game, CompanyId(action.by), action.price, format_train(action.kind))
    return True


def discount(game: Game, company: CompanyId, given: Train, kind: str) -> int:
    """The discount printed on the new train's card; nothing is paid back.

    :raises IllegalMove: there is none, or it is more than the train costs.
    """
    found = printed_discount(game, company, given, kind)
    if found > game.title.trains[kind].price:
        sentence = "A {old} train is worth more than a {new} train costs."
        raise IllegalMove(sentence, merging(game).section, given.kind, kind)
    return found


def check_trade(game: Game, buyer: CompanyId, seller: CompanyId) -> None:
    if kind_of(game, seller) == "national":
        raise IllegalMove("{company} sells no trains.", merging(game).section, seller)


def check_buy_private(game: Game, company: CompanyId) -> None:
    if not has_phase_begun(game, "3") or has_phase_begun(game, "6"):
        raise IllegalMove("Companies buy privates in phases 3 to 5.", merging(game).section)


def build_private_purchases(section: str) -> BuyPrivates:
    return BuyPrivates(check_buy_private, section, from_anyone=lambda game: True)


def build_train_purchases(section: str, privates: BuyPrivates) -> BuyTrains:
    """The last point of a company's turn: it is asked even while it can still buy privates."""
    return BuyTrains(
        section=same_ref(TrainSections, section),
        used=UsedTrains(
            may_trade=check_trade,
            needs_consent=lambda game: not merging(game).trades_freely(game),
            prices=lambda game, company, train: (1, game.state.cash[company]),
        ),
        money=MoneyForTrains(find=borrow_for_train, may_find=check_borrow, for_dearer=lambda game: True),
        stays_open=lambda game: privates.opens(game),
        skips_idle=True,
        trades=TradeIns(discount=discount, goes_to=POOL),
    )
