"""Loans that a company takes automatically when a payment needs them, and repays as soon as it can."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bot.engine import BANK, CompanyId, IllegalMove, Message, Text, msg
from bot.engine.notation import format_train
from bot.engine.play import Game
from bot.engine.play.holdings import pay
from bot.engine.state import BuyTrain

from .trains import MoneyForTrains, depot_prices


def format_loans(number: int) -> Message:
    """`1 loan`, `2 loans`."""
    return msg("{number} loans" if number != 1 else "{number} loan", number)


@dataclass(frozen=True)
class AutomaticLoans:
    """Loans of `value`, whose first `interest` is paid immediately; `limit(game, company)` is how many a company may take."""

    value: int
    interest: int
    limit: Callable[[Game, CompanyId], int]

    @property
    def net(self) -> int:
        """The proceeds of a loan."""
        return self.value - self.interest

    def count_left(self, game: Game, company: CompanyId) -> int:
        """The number of loans the company may still take; none when a merger has given it more than the limit."""
        return max(0, self.limit(game, company) - game.company(company).loans)

    def max_funds(self, game: Game, company: CompanyId) -> int:
        """The cash the company can spend, including all loans it may take."""
        return game.state.cash[company] + self.net * self.count_left(game, company)

    def number_for(self, game: Game, company: CompanyId, cost: int) -> int:
        """The minimum number of loans with which the company can pay this, ignoring the loan limit."""
        missing = cost - game.state.cash[company]
        return max(0, -(-missing // self.net))

    def borrow(self, game: Game, company: CompanyId, cost: int, why: Text) -> None:
        """Take the minimum number of loans for the payment, ignoring the limit."""
        number = self.number_for(game, company, cost)
        if not number:
            return
        game.company(company).loans += number
        pay(game, BANK, company, number * self.value, "loan")
        pay(game, company, BANK, number * self.interest, "interest")
        amount = game.title.money(number * self.net)
        game.log("{company} takes {loans} for {why}: {amount}.", company, format_loans(number), msg(why), amount)

    def charge_for_track(self, game: Game, company: CompanyId, total: int) -> None:
        """Borrow what is missing, then pay."""
        self.borrow(game, company, total, "track")
        pay(game, company, BANK, total, "track")

    def must_own_train(self, game: Game, company: CompanyId) -> bool:
        """A company without a train buys one if, with all loans, it can pay for the cheapest of bank and pool."""
        if game.state.trains_of(company) or not game.title.rules.train_limit(game, company):
            return False
        prices = depot_prices(game, company)
        return bool(prices) and min(prices) <= self.max_funds(game, company)

    def money_for_trains(self, section: str) -> MoneyForTrains:
        """Only a company without a train takes loans, and only for a train of bank or pool, of its choice."""

        def check_means(game: Game, company: CompanyId, price: int) -> None:
            means, money = self.max_funds(game, company), game.title.money
            if price > means:
                sentence = "{company} has {means} with all loans, the train costs {price}."
                raise IllegalMove(sentence, section, company, money(means), money(price))

        def borrow_for_train(game: Game, action: BuyTrain) -> bool:
            self.borrow(game, CompanyId(action.by), action.price, format_train(action.kind))
            return True

        return MoneyForTrains(find=borrow_for_train, may_find=check_means, for_dearer=lambda game: True)

    def pay_interest(self, game: Game, company: CompanyId, loans: int) -> bool:
        """Pay the interest of that many loans, with further loans if necessary; False, and nothing paid, if it cannot."""
        owed = self.interest * loans
        if owed > self.max_funds(game, company):
            return False
        self.borrow(game, company, owed, "interest")
        pay(game, company, BANK, owed, "interest")
        return True

    def repay(self, game: Game, company: CompanyId) -> None:
        """Repay as many loans as the treasury can, which is compulsory."""
        record = game.company(company)
        number = min(record.loans, game.state.cash[company] // self.value)
        if number:
            record.loans -= number
            pay(game, company, BANK, number * self.value, "loans")
            game.log("{company} redeems {loans}.", company, format_loans(number))
