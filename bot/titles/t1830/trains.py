"""Trains: who must own a train, and with whose money it is bought (1830)."""

from __future__ import annotations

from bot.engine import POOL, CompanyId, IllegalMove, Owner, TrainSections, msg, same_ref
from bot.engine.play import Game
from bot.engine.play.holdings import counted_trains, has_phase_begun, price_of
from bot.engine.play.steps import (
    BuyPrivates,
    BuyTrains,
    EmergencySaleRules,
    EmergencyShareSale,
    GoBankrupt,
    MoneyForTrains,
    TradeIns,
    UsedTrains,
    add_president_cash,
    has_any_route,
    operating_turn,
    paying_president,
)
from bot.engine.state import BuyTrain, Train

from .interpretations import interpretation_flags
from .stock import SECTION, STOCK_SECTIONS, after_sale
from .track import CHAMPLAIN_LAY

TRAIN_SECTIONS = same_ref(TrainSections, SECTION)


def must_own_train(game: Game, company: CompanyId) -> bool:
    """A company with a route must own a train, if there is a train to buy."""
    return not counted_trains(game, company) and bool(BUY.prices(game, company)) and has_any_route(game, company)


def price_in_need(game: Game, company: CompanyId) -> int:
    """The price of the cheapest train.

    :raises IllegalMove: the company stands before no train that it must buy and cannot pay.
    """
    price = min(BUY.prices(game, company), default=0)
    if not isinstance(game.step, BuyTrains) or not must_own_train(game, company) or game.state.cash[company] >= price:
        raise IllegalMove("{company} is not facing a forced train purchase it cannot afford.", SECTION, company)
    return price


def missing_cash(game: Game, owner: Owner) -> int:
    """The cash that company and president lack for the cheapest train; errors as in `price_in_need`."""
    price = price_in_need(game, CompanyId(owner))
    return price - game.state.cash[owner] - game.state.cash[paying_president(game, owner)]


def after_forced_sale(game: Game, company: CompanyId, percent: int) -> None:
    """Note the proceeds of a share; the price falls."""
    operating_turn(game).sold_at = price_of(game, company)
    after_sale(game, company, percent)


def check_raise(game: Game, company: CompanyId, price: int) -> None:
    means = game.state.cash[company] + game.state.cash[paying_president(game, company)]
    if means < price:
        sentence = "That costs {price}; {company} and its {word} have {means}."
        word, money = msg(game.title.director_word), game.title.money
        raise IllegalMove(sentence, SECTION, money(price), company, word, money(means))


def raise_money(game: Game, action: BuyTrain) -> bool:
    return add_president_cash(game, CompanyId(action.by), action.price) == 0


def prices(game: Game, company: CompanyId, train: Train) -> tuple[int, int]:
    """Any price for another company's train. With the president's money at most the printed price, and after a sale of
    shares at least a price for which one share fewer would not have sufficed.
    """
    face, cash, sold_at = game.title.trains[train.kind].price, game.state.cash[company], operating_turn(game).sold_at
    if cash >= face:
        return 1, cash
    means = cash + game.state.cash[paying_president(game, company)]
    most = min(face, means) if must_own_train(game, company) else cash
    return max(1, means - sold_at + 1) if sold_at else 1, max(1, most)


def check_buy_privates(game: Game, company: CompanyId) -> None:
    """From the first 3-train on; with the first 5-train the privates close."""
    if not has_phase_begun(game, "3"):
        raise IllegalMove("Companies buy privates once the first 3-train has been bought.", SECTION)


def keeps_open(game: Game) -> bool:
    """Whether a company must raise money, or a private is left to be bought or used."""
    return must_own_train(game, game.company_in_turn) or PRIVATES.opens(game) or CHAMPLAIN_LAY.opens(game)


SALES = EmergencySaleRules(
    section=SECTION,
    sections=STOCK_SECTIONS,
    after_sale=after_forced_sale,
    may_dethrone=lambda game, company: company != game.actor_in_turn,
)
SELL = EmergencyShareSale(name="sell the president's shares for a train", sales=SALES, lacking=missing_cash)
BANKRUPTCY = GoBankrupt(sales=SALES, price=price_in_need)
PRIVATES = BuyPrivates(check_buy_privates, SECTION, from_anyone=lambda game: True)
BUY = BuyTrains(
    section=TRAIN_SECTIONS,
    used=UsedTrains(needs_consent=lambda game: not interpretation_flags(game).trades_without_consent, prices=prices),
    money=MoneyForTrains(find=raise_money, may_find=check_raise, for_used=lambda game: True, only_cheapest=True),
    stays_open=keeps_open,
    skips_idle=True,
    trades=TradeIns(goes_to=POOL),
)
