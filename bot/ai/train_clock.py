"""The rest of the game by the clock of the bank's trains: companies, in the order of their turns, run, pay or save, and buy
what their treasuries allow; trains rust, and presidents add what is missing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import inf

from bot.engine import DEPOT, CompanyId, Owner, PlayerId
from bot.engine.play import Game
from bot.engine.play.holdings import price_of, share_unit
from bot.engine.state import Company

from .company_forecast import Outlook, expected_income, has_run, kinds_of, prices_at_launch, rounds_of_set
from .evaluation import cost_to_float, float_percent, waits
from .revenue_estimate import estimate_revenue
from .title_parameters import parameters_of, usual_start

LONGEST = 8
"""Operating rounds that are followed one by one; after them companies keep their trains."""

MOST_A_TURN = 2
"""The most trains that a company is expected to buy from the bank in a turn."""

MOST_KEPT = 3
"""The most runs in a row that a company saves for a train."""

SPENT = 0.75
"""The part of their money that players spend in a stock round."""

Start = tuple[int, CompanyId, PlayerId]


@dataclass(frozen=True)
class TrainClock:
    """The outlook of every company; `short` is the money that players lack when they must add it; `starts` are companies that
    players are expected to start: the operating round before which, the company and the player."""

    outlooks: Mapping[CompanyId, Outlook]
    short: Mapping[PlayerId, float]
    starts: tuple[Start, ...]


@dataclass
class Buyer:
    """A company in the forecast. Its `trains` are kinds; `fed` the part of what it pays that goes to itself."""

    id: CompanyId
    price: int
    cash: float
    trains: list[str]
    president: PlayerId | None
    shares: Mapping[PlayerId, float] = field(default_factory=dict)
    fed: float = 0.0
    has_run: bool = False
    total: float = 0.0
    payments: float = 0.0
    missing: float = 0.0
    solvent: float = inf
    kept: int = 0


class ClockWork:
    """A forecast without board and engine. Players start the companies in `starts` and no others if they are given: so positions
    are compared by the same rest of the game."""

    def __init__(self, game: Game, left: float, starts: tuple[Start, ...] | None = None) -> None:
        self.game, self.left, self.trains = game, left, game.title.trains
        self.depot = [
            card.family
            for card in game.state.trains
            if card.owner == DEPOT and self.trains[card.family].counts_for_limit
        ]
        self.lasting = {name for name in self.trains if self.trains[name].rusts_on not in self.depot}
        self.phase = game.title.phase(game.state.phase)
        self.purses = {player: float(game.state.cash[player]) for player in game.state.order}
        self.short = dict.fromkeys(game.state.order, 0.0)
        self.planned, self.starts = starts, list[Start]()
        self.buyers = in_order_of_turns(self.buyer_of(one) for one in self.operating_companies())

    def operating_companies(self) -> list[Company]:
        """Companies that operate, or will."""
        records = [one for one in self.game.state.companies.values() if not one.closed and one.has_president]
        return [
            one for one in records if one.floated or (one.par and not waits(self.game, one) and self.is_launched(one))
        ]

    def is_launched(self, company: Company) -> bool:
        president = self.game.controller_of(company.id)
        return president is not None and self.game.state.cash.get(president, 0) >= cost_to_float(self.game, company)

    def buyer_of(self, company: Company) -> Buyer:
        game = self.game
        shares = {player: company.percent_held_by(player) / 100 for player in self.purses}
        fed = company.percent_held_by(Owner(parameters_of(game).feeds)) / 100
        president = game.controller_of(company.id)
        if not company.floated:
            cash = float(company.par or 0) * prices_at_launch(game, company)
            return Buyer(company.id, company.par or 0, cash, [], president, shares, fed)
        cash, kinds = float(game.state.cash[company.id]), [*kinds_of(game, company.id)]
        return Buyer(
            company.id, price_of(game, company.id), cash, kinds, president, shares, fed, has_run(game, company.id)
        )

    def build_clock(self) -> TrainClock:
        here = self.game.state.round
        set_ends = rounds_of_set(self.game)
        number = 0
        while number < min(LONGEST, self.left):
            if number == set_ends or (number > set_ends and (number - set_ends) % max(1, here.of) == 0):
                self.trade(number)
            for buyer in [*self.buyers.values()]:
                if number or not buyer.has_run:
                    self.take_turn(buyer, number)
            number += 1
        rest = self.left - number
        if rest > 0:
            for buyer in self.buyers.values():
                buyer.total += rest * self.income(buyer, number + rest / 2)
                buyer.payments += rest if buyer.trains else 0
        return TrainClock(
            {one.id: self.outlook_of(one) for one in self.buyers.values()}, self.short, tuple(self.starts)
        )

    def outlook_of(self, buyer: Buyer) -> Outlook:
        income = estimate_revenue(self.game, buyer.id, kinds_of(self.game, buyer.id))
        return Outlook(income, buyer.total, max(0.0, buyer.payments), buyer.missing, buyer.solvent)

    def income(self, buyer: Buyer, ahead: float) -> float:
        kinds = tuple(sorted(buyer.trains))
        return expected_income(self.game, buyer.id, kinds, ahead) if kinds else 0.0

    def take_turn(self, buyer: Buyer, now: int) -> None:
        """The company runs, pays or saves, and buys."""
        if buyer.trains:
            self.run(buyer, self.income(buyer, now) * min(1.0, self.left - now))
        bought = 0
        while self.depot and bought < MOST_A_TURN and self.buy(buyer):
            bought += 1
        if not buyer.trains and self.depot:
            self.buy_in_need(buyer, now)

    def run(self, buyer: Buyer, income: float) -> None:
        if self.saves(buyer, income):
            buyer.cash += income
            buyer.payments -= 1
            buyer.kept += 1
            return
        buyer.kept = 0
        buyer.total += income
        buyer.payments += 1 if income else 0
        buyer.cash += income * buyer.fed
        for player, part in buyer.shares.items():
            self.purses[player] += income * part

    def saves(self, buyer: Buyer, income: float) -> bool:
        """Whether the company keeps its run: its trains will rust, one that lasts is on sale, and it can soon pay for it."""
        if not self.depot or self.depot[0] not in self.lasting or any(one in self.lasting for one in buyer.trains):
            return False
        lacks = self.price(buyer, self.depot[0]) - buyer.cash
        return 0 < lacks <= (MOST_KEPT - buyer.kept) * income

    def price(self, buyer: Buyer, family: str) -> int:
        """Less for who gives a train back."""
        train, old = self.trains[family], self.given_back(buyer, family)
        return train.price - (train.trade_in[old] if old is not None else 0)

    def given_back(self, buyer: Buyer, family: str) -> str | None:
        """A train of the company that takes something off the price, and would not last."""
        return next(
            (one for one in buyer.trains if one in self.trains[family].trade_in and one not in self.lasting), None
        )

    def buy(self, buyer: Buyer) -> bool:
        """Whether the company buys the next train of the bank out of its treasury."""
        family = self.depot[0]
        price, old = self.price(buyer, family), self.given_back(buyer, family)
        if price > buyer.cash or len(buyer.trains) - (old is not None) >= self.phase.train_limit:
            return False
        if old is not None:
            buyer.trains.remove(old)
        buyer.cash -= price
        buyer.trains.append(family)
        self.sell(family)
        return True

    def buy_in_need(self, buyer: Buyer, now: int) -> None:
        """A company without trains takes one of a sister's, or its president adds what is missing."""
        sisters = [one for one in self.buyers.values() if one.president == buyer.president and len(one.trains) > 1]
        if sisters and buyer.president is not None:
            self.take_from(sisters[0], buyer)
        elif now + 1 < self.left:
            family = self.depot[0]
            self.add_money(buyer, self.trains[family].price - buyer.cash, now)
            buyer.trains.append(family)
            self.sell(family)

    def take_from(self, sister: Buyer, buyer: Buyer) -> None:
        """For all that the company has, if the train lasts."""
        kind = next((one for one in sister.trains if one in self.lasting), sister.trains[0])
        sister.trains.remove(kind)
        buyer.trains.append(kind)
        if kind in self.lasting:
            sister.cash, buyer.cash = sister.cash + buyer.cash, 0.0

    def add_money(self, buyer: Buyer, gap: float, now: int) -> None:
        buyer.missing += gap
        buyer.solvent, buyer.cash = min(buyer.solvent, now), 0.0
        if buyer.president in self.purses:
            purse = self.purses[buyer.president]
            self.short[buyer.president] += max(0.0, gap - purse)
            self.purses[buyer.president] = max(0.0, purse - gap)

    def sell(self, family: str) -> None:
        """A phase may begin, trains rust, and limits fall."""
        if not self.trains[family].is_unlimited:
            self.depot.remove(family)
        phases = self.game.title.phases
        self.phase = max([self.phase, *(one for one in phases if one.begins_on == family)], key=phases.index)
        for buyer in self.buyers.values():
            left = [one for one in buyer.trains if one in self.lasting or self.trains[one].rusts_on != family]
            buyer.trains = sorted(left, key=lambda one: -self.trains[one].price)[: self.phase.train_limit]

    def trade(self, now: int) -> None:
        """Players start companies, one each if they have the money, and spend the rest."""
        if self.planned is None:
            self.start_companies(now)
        else:
            for when, company, player in self.planned:
                if when == now and company not in self.buyers and self.game.company(company).par is None:
                    self.start(now, company, player)
        if now:
            self.purses = {player: (1 - SPENT) * purse for player, purse in self.purses.items()}

    def start_companies(self, now: int) -> None:
        game = self.game
        waiting = [
            one
            for one in game.state.companies.values()
            if one.par is None and not one.closed and one.has_president and one.id not in self.buyers
        ]
        for player in self.purses:
            if not waiting:
                return
            if self.purses[player] >= self.cost_of_start(waiting[0]):
                self.start(now, waiting.pop(0).id, player)

    def cost_of_start(self, record: Company) -> int:
        """The price of the shares that float the company."""
        return usual_start(self.game) * -(-float_percent(self.game, record) // share_unit(record))

    def start(self, now: int, company: CompanyId, player: PlayerId) -> None:
        price, record = usual_start(self.game), self.game.company(company)
        self.purses[player] = max(0.0, self.purses[player] - self.cost_of_start(record))
        self.starts.append((now, company, player))
        cash = float(price) * prices_at_launch(self.game, record)
        shares = {player: float_percent(self.game, record) / 100}
        self.buyers = in_order_of_turns([*self.buyers.values(), Buyer(company, price, cash, [], player, shares)])


def in_order_of_turns(buyers: Iterable[Buyer]) -> dict[CompanyId, Buyer]:
    return {one.id: one for one in sorted(buyers, key=lambda one: -one.price)}


def train_clock(game: Game, left: float, starts: tuple[Start, ...] | None = None) -> TrainClock | None:
    """None where presidents need not pay in full for what a company lacks."""
    return ClockWork(game, left, starts).build_clock() if parameters_of(game).fear >= 1 else None
