"""Older versions of the rules, for games that were begun by them."""

from dataclasses import replace

from bot.engine.play.title import Plan

from .box.nouns import FALL_OPTION
from .operating.costs import RepayLoans, TakeLoans
from .operating.trains import BuyTrains
from .takeover.transfer import SortStations
from .title import PLANS, TITLE, company_turn

STATIONS = Plan("stations", (SortStations(),), (TakeLoans(),))
"""Who sorted its stations after a takeover took loans whether they were needed or not."""

TURN = company_turn(BuyTrains(is_early=True, waits_for_future=False), RepayLoans(saves=True))
"""No turn waited before the run for a future train; loans repaid saved a company that was to be liquidated."""

SECOND = replace(TITLE, version=2, plans={**PLANS, STATIONS.name: STATIONS})
FIRST = replace(SECOND, version=1, options=(FALL_OPTION,), plans={**SECOND.plans, TURN.name: TURN})
