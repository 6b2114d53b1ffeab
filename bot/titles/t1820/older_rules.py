"""Older versions of the rules, for games that were begun by them."""

from dataclasses import replace

from bot.engine.play import Procedure

from . import game_end
from .components import FALL_OPTION
from .operations.costs import RepayLoans, TakeLoans
from .operations.trains import DiscardAndBuyTrains
from .takeover.issue import ReduceAndIssue
from .takeover.transfer import SortStations
from .title import PLANS, TITLE, company_turn

REDUCTIONS = Procedure("reduce and issue", (ReduceAndIssue(keeps_stations=True),))
"""A company that became smaller kept stations above the maximum of its size."""

STATIONS = Procedure("stations", (SortStations(),), (TakeLoans(),))
"""A company sorting its stations after a takeover could take loans even if they were not needed."""

TURN = company_turn(DiscardAndBuyTrains(is_early=True, waits_for_future=False), RepayLoans(saves=True))
"""No turn waited before the run for a future train; loans repaid saved a company that was to be liquidated."""

THIRD = replace(
    TITLE,
    version=3,
    rules=replace(TITLE.rules, worth=game_end.possessions),
    plans={**PLANS, REDUCTIONS.name: REDUCTIONS},
)
SECOND = replace(THIRD, version=2, plans={**THIRD.plans, STATIONS.name: STATIONS})
FIRST = replace(SECOND, version=1, options=(FALL_OPTION,), plans={**SECOND.plans, TURN.name: TURN})
