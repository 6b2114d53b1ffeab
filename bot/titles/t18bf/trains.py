"""Trains: who must buy a train, loans for trains, old trains in exchange (18BF §10.10)."""

from __future__ import annotations

from bot.engine import POOL, CompanyId, IllegalMove, TrainSections, same_ref
from bot.engine.play import Game
from bot.engine.play.steps import BuyTrains, TradeIns, UsedTrains
from bot.engine.state import Train

from .components import TRADE_IN
from .loans import LOANS
from .privates import BUY_PRIVATES
from .state import kind_of

RULE = "18BF §10.10"
SYSTEMS_ONLY = "5+5E"


def check_own(game: Game, company: CompanyId, kind: str) -> None:
    """Only systems own a 5+5E, at most one each."""
    if kind == SYSTEMS_ONLY and kind_of(company) != "system":
        raise IllegalMove("Only systems own 5+5E trains, one each.", RULE)


def discount(game: Game, company: CompanyId, given: Train, kind: str) -> int:
    """Table 4; only for systems."""
    if kind_of(company) != "system":
        raise IllegalMove("Only systems may trade in old trains.", RULE)
    if given.kind not in TRADE_IN:
        raise IllegalMove("A {kind} cannot be traded in.", RULE, given.kind)
    return TRADE_IN[given.kind]


BUY = BuyTrains(
    section=same_ref(TrainSections, RULE),
    used=UsedTrains(prices=lambda game, company, train: (1, game.state.cash[company])),
    money=LOANS.money_for_trains(RULE),
    may_own=check_own,
    stays_open=lambda game: BUY_PRIVATES.opens(game),
    skips_idle=True,
    trades=TradeIns(discount=discount, goes_to=POOL),
)
"""The last point of a company's turn: it is asked even while it can still buy privates (§10)."""
