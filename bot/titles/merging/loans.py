"""Loans of 50, taken automatically for track, interest and trains that must be bought."""

from __future__ import annotations

from bot.engine import BANK, CompanyId
from bot.engine.play import Game
from bot.engine.play.holdings import pay
from bot.engine.play.steps import AutomaticLoans

from .components import INTEREST, LOAN, LOANS
from .family import kind_of
from .state import title_state

BORROWING = AutomaticLoans(LOAN, INTEREST, lambda game, company: LOANS[kind_of(game, company)])


def remember_loans(game: Game) -> None:
    """An automatic step: interest is owed on the loans with which the turn begins."""
    title_state(game).loans_due = game.company(game.company_in_turn).loans


def charge_for_track(game: Game, company: CompanyId, total: int) -> None:
    BORROWING.borrow(game, company, total, "track")
    pay(game, company, BANK, total, "track")
