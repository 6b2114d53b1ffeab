"""Loans of £50, taken by themselves when a payment needs them (18BF §10.2, §10.8, §10.9)."""

from __future__ import annotations

from bot.engine.ids import BANK, CompanyId
from bot.engine.message import Message, Text, said
from bot.engine.play.game import Game
from bot.engine.play.holdings.money import pay

from .company_closing import fall
from .components import INTEREST, LOAN, LOAN_LIMIT
from .state import kind_of, special

NET = LOAN - INTEREST
"""What a loan brings: its first interest is paid at once (§10.2)."""


def counted(number: int) -> Message:
    """`1 loan`, `2 loans`."""
    return said("{number} loans" if number != 1 else "{number} loan", number)


def loans_left(game: Game, company: CompanyId) -> int:
    """How many loans the company may still take; none when a merger has given it more than the limit."""
    return max(0, LOAN_LIMIT[kind_of(company)] - game.company(company).loans)


def means(game: Game, company: CompanyId) -> int:
    """What the company can pay with all loans that it may take."""
    return game.state.cash[company] + NET * loans_left(game, company)


def loans_for(game: Game, company: CompanyId, cost: int) -> int:
    """The least number of loans with which the company can pay this, however many it may take."""
    missing = cost - game.state.cash[company]
    return max(0, -(-missing // NET))


def borrow(game: Game, company: CompanyId, cost: int, why: Text) -> None:
    """Take the least number of loans that the payment needs, limit or not; each pays £5 at once (§10.2)."""
    number = loans_for(game, company, cost)
    if not number:
        return
    game.company(company).loans += number
    pay(game, BANK, company, number * LOAN, "loan")
    pay(game, company, BANK, number * INTEREST, "interest")
    game.tell("{company} takes {loans} for {why}: £{amount}.", company, counted(number), said(why), number * NET)


def remember_loans(game: Game, company: CompanyId) -> None:
    """Interest is owed on the loans with which the turn begins (§10.8)."""
    special(game).loans_to_pay = game.company(company).loans


def pay_interest(game: Game, company: CompanyId) -> None:
    """£5 a loan, with a further loan if need be; who cannot pays all it has and falls one space (§10.8)."""
    owed = INTEREST * special(game).loans_to_pay
    if owed <= means(game, company):
        borrow(game, company, owed, "interest")
        pay(game, company, BANK, owed, "interest")
        return
    paid = game.state.cash[company]
    pay(game, company, BANK, paid, "interest")
    game.tell("{company} owes £{owed} interest and pays only £{paid}.", company, owed, paid)
    fall(game, company)


def redeem_loans(game: Game, company: CompanyId) -> None:
    """As many loans as the treasury can pay back must be paid back (§10.9)."""
    record = game.company(company)
    number = min(record.loans, game.state.cash[company] // LOAN)
    if number:
        record.loans -= number
        pay(game, company, BANK, number * LOAN, "loans")
        game.tell("{company} redeems {loans}.", company, counted(number))
