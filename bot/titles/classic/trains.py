"""Trains: who must own a train, and with whose money it is bought."""

from __future__ import annotations

from bot.engine import POOL, CompanyId, IllegalMove, Owner, StockSections, TrainSections, msg, same_ref
from bot.engine.play import Game
from bot.engine.play.holdings import counted_trains, price_of
from bot.engine.play.steps import (
    BuyPrivates,
    BuyTrains,
    EmergencySaleRules,
    EmergencyShareSale,
    GoBankrupt,
    LayTileAbility,
    MoneyForTrains,
    NewTrains,
    TradeIns,
    UsedTrains,
    add_president_cash,
    has_any_route,
    operating_turn,
    paying_president,
)
from bot.engine.state import BuyTrain, Train

from .family import Classic, classic, step_of
from .helpers import close_after_discount, train_rebate
from .stock import lower_price_after_sale


def must_own_train(game: Game, company: CompanyId) -> bool:
    """A company with a route must own a train, if there is a train to buy."""
    if counted_trains(game, company):
        return False
    return bool(step_of(game.title, BuyTrains).prices(game, company)) and has_any_route(game, company)


def price_in_need(game: Game, company: CompanyId) -> int:
    """The price of the cheapest train.

    :raises IllegalMove: the company stands before no train that it must buy and cannot pay.
    """
    price = min(step_of(game.title, BuyTrains).prices(game, company), default=0)
    if not isinstance(game.step, BuyTrains) or not must_own_train(game, company) or game.state.cash[company] >= price:
        sentence = "{company} is not facing a forced train purchase it cannot afford."
        raise IllegalMove(sentence, classic(game).section, company)
    return price


def missing_cash(game: Game, owner: Owner) -> int:
    """The cash that company and president lack for the cheapest train; errors as in `price_in_need`."""
    price = price_in_need(game, CompanyId(owner))
    return price - game.state.cash[owner] - game.state.cash[paying_president(game, owner)]


def lower_price_after_forced_sale(game: Game, company: CompanyId, percent: int) -> None:
    """Note the proceeds of a share; the price falls."""
    operating_turn(game).sold_at = price_of(game, company)
    lower_price_after_sale(game, company, percent)


def sold_for_train(game: Game) -> list[str]:
    """The companies whose shares have been sold for the train, where shares of one are sold together."""
    return operating_turn(game).used if classic(game).sells_in_blocks else []


def check_raise(game: Game, company: CompanyId, price: int) -> None:
    means = game.state.cash[company] + game.state.cash[paying_president(game, company)]
    if means < price:
        sentence = "That costs {price}; {company} and its {word} have {means}."
        word, money = msg(game.title.director_word), game.title.money
        raise IllegalMove(sentence, classic(game).section, money(price), company, word, money(means))


def raise_money(game: Game, action: BuyTrain) -> bool:
    return add_president_cash(game, CompanyId(action.by), action.price) == 0


def check_trade(game: Game, buyer: CompanyId, seller: CompanyId) -> None:
    """After a sale of shares only the bank sells, where presidents pay for no other company's train."""
    if not classic(game).pays_for_used and operating_turn(game).sold_at:
        sentence = "After a forced share sale {company} must buy its train from the bank."
        raise IllegalMove(sentence, classic(game).section, buyer)


def prices(game: Game, company: CompanyId, train: Train) -> tuple[int, int]:
    """Any price for another company's train. With the president's money at most the printed price, and after a sale of
    shares at least a price for which one share fewer would not have sufficed.
    """
    face, cash, sold_at = game.title.trains[train.kind].price, game.state.cash[company], operating_turn(game).sold_at
    if cash >= face or not classic(game).pays_for_used:
        return 1, cash
    means = cash + game.state.cash[paying_president(game, company)]
    most = min(face, means) if must_own_train(game, company) else cash
    return max(1, means - sold_at + 1) if sold_at else 1, max(1, most)


def keeps_open(game: Game) -> bool:
    """Whether a company must raise money, or a private is left to be bought or used."""
    if must_own_train(game, game.company_in_turn):
        return True
    return any(step.opens(game) for step in game.procedure.anytime if isinstance(step, BuyPrivates | LayTileAbility))


def build_emergency(values: Classic) -> tuple[EmergencyShareSale, GoBankrupt]:
    sales = EmergencySaleRules(
        section=values.section,
        sections=same_ref(StockSections, values.section),
        lower_price_after_sale=lower_price_after_forced_sale,
        may_dethrone=lambda game, company: values.may_dethrone and company != game.actor_in_turn,
        sold=sold_for_train,  # type: ignore[arg-type]
    )
    selling = EmergencyShareSale(name="sell the president's shares for a train", sales=sales, lacking=missing_cash)
    return selling, GoBankrupt(sales=sales, price=price_in_need)


def build_train_purchases(values: Classic) -> BuyTrains:
    return BuyTrains(
        section=same_ref(TrainSections, values.section),
        new=NewTrains(
            rebate=train_rebate, used=close_after_discount, most=lambda game: values.new_trains.get(game.state.phase)
        ),
        used=UsedTrains(may_trade=check_trade, needs_consent=values.needs_consent, prices=prices),
        money=MoneyForTrains(
            find=raise_money,
            may_find=check_raise,
            for_used=lambda game: values.pays_for_used,
            only_cheapest=True,
        ),
        stays_open=keeps_open,
        skips_idle=True,
        trades=TradeIns(goes_to=POOL),
    )
