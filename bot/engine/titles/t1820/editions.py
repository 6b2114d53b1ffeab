"""Older versions of the rules, for games that were begun by them."""

from __future__ import annotations

from dataclasses import replace

from .box.nouns import FALL_OPTION
from .operating.costs import RepayLoans
from .operating.trains import BuyTrains
from .title import PLANS, TITLE, company_turn

TURN = company_turn(BuyTrains(is_early=True, waits_for_future=False), RepayLoans(saves=True))
"""No turn waited before the run for a future train; loans repaid saved a company that was to be liquidated."""

FIRST = replace(TITLE, version=1, options=(FALL_OPTION,), plans={**PLANS, TURN.name: TURN})
