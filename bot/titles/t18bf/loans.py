"""Loans of £50, taken automatically when a payment needs them (18BF §10.2, §10.8, §10.9)."""

from __future__ import annotations

from bot.engine import BANK, CompanyId
from bot.engine.play import Game
from bot.engine.play.holdings import pay
from bot.engine.play.steps import AutomaticLoans

from .company_closure import fall
from .components import INTEREST, LOAN, LOAN_LIMIT
from .state import kind_of, title_state

LOANS = AutomaticLoans(LOAN, INTEREST, lambda game, company: LOAN_LIMIT[kind_of(company)])
"""§10.2"""

loans_left, max_funds, borrow, redeem_loans = LOANS.count_left, LOANS.max_funds, LOANS.borrow, LOANS.repay


def remember_loans(game: Game, company: CompanyId) -> None:
    """Interest is owed on the loans with which the turn begins (§10.8)."""
    title_state(game).loans_to_pay = game.company(company).loans


def pay_interest(game: Game, company: CompanyId) -> None:
    """£5 a loan, with a further loan if necessary; a company that cannot pay pays all it has and falls one space
    (§10.8).
    """
    loans = title_state(game).loans_to_pay
    if LOANS.pay_interest(game, company, loans):
        return
    paid = game.state.cash[company]
    pay(game, company, BANK, paid, "interest")
    game.log("{company} owes £{owed} interest and pays only £{paid}.", company, INTEREST * loans, paid)
    fall(game, company)
