"""Loans of £50, taken automatically when a payment needs them (18BF §10.2, §10.8, §10.9)."""

from __future__ import annotations

from bot.engine import BANK, CompanyId, Message, Text, msg
from bot.engine.play import Game
from bot.engine.play.holdings import pay

from .company_closure import fall
from .components import INTEREST, LOAN, LOAN_LIMIT
from .state import kind_of, title_state

NET = LOAN - INTEREST
"""The proceeds of a loan: its first interest is paid immediately (§10.2)."""


def format_loans(number: int) -> Message:
    """`1 loan`, `2 loans`."""
    return msg("{number} loans" if number != 1 else "{number} loan", number)


def loans_left(game: Game, company: CompanyId) -> int:
    """The number of loans the company may still take; none when a merger has given it more than the limit."""
    return max(0, LOAN_LIMIT[kind_of(company)] - game.company(company).loans)


def max_funds(game: Game, company: CompanyId) -> int:
    """The cash the company can spend, including all loans it may take."""
    return game.state.cash[company] + NET * loans_left(game, company)


def loans_for(game: Game, company: CompanyId, cost: int) -> int:
    """The minimum number of loans with which the company can pay this, ignoring the loan limit."""
    missing = cost - game.state.cash[company]
    return max(0, -(-missing // NET))


def borrow(game: Game, company: CompanyId, cost: int, why: Text) -> None:
    """Take the minimum number of loans for the payment, ignoring the limit; each pays £5 immediately (§10.2)."""
    number = loans_for(game, company, cost)
    if not number:
        return
    game.company(company).loans += number
    pay(game, BANK, company, number * LOAN, "loan")
    pay(game, company, BANK, number * INTEREST, "interest")
    game.log("{company} takes {loans} for {why}: £{amount}.", company, format_loans(number), msg(why), number * NET)


def remember_loans(game: Game, company: CompanyId) -> None:
    """Interest is owed on the loans with which the turn begins (§10.8)."""
    title_state(game).loans_to_pay = game.company(company).loans


def pay_interest(game: Game, company: CompanyId) -> None:
    """£5 a loan, with a further loan if necessary; a company that cannot pay pays all it has and falls one space
    (§10.8).
    """
    owed = INTEREST * title_state(game).loans_to_pay
    if owed <= max_funds(game, company):
        borrow(game, company, owed, "interest")
        pay(game, company, BANK, owed, "interest")
        return
    paid = game.state.cash[company]
    pay(game, company, BANK, paid, "interest")
    game.log("{company} owes £{owed} interest and pays only £{paid}.", company, owed, paid)
    fall(game, company)


def redeem_loans(game: Game, company: CompanyId) -> None:
    """Repay as many loans as the treasury can, which is compulsory (§10.9)."""
    record = game.company(company)
    number = min(record.loans, game.state.cash[company] // LOAN)
    if number:
        record.loans -= number
        pay(game, company, BANK, number * LOAN, "loans")
        game.log("{company} redeems {loans}.", company, format_loans(number))
