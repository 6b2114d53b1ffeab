"""Older versions of the rules, for games that were begun by them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bot.engine import CompanyId
from bot.engine.play import Game, Procedure, Step
from bot.engine.routes.revenue import RouteProblem
from bot.engine.state import Train

from .mergers.mergers import PROPOSE
from .privates import assign_bought_ferry
from .routes import gathers, route_problem
from .title import PLANS, RUN_TRAINS, TITLE


def through_red_areas(game: Game, company: CompanyId, trains: Sequence[Train]) -> RouteProblem:
    """Trains ran through red areas."""
    problem = route_problem(game, company, trains)
    stops = {stop: info._replace(is_terminus=False) for stop, info in problem.graph.stops.items()}
    return replace(problem, graph=replace(problem.graph, stops=stops))


def has_stations_or_stops(game: Game, company: CompanyId) -> bool:
    """A second station counted as a route, and any part of London as its end."""
    own = game.board_rules.tokens_of(game, company)
    return (
        gathers(game, company)
        or len(set(own)) > 1
        or game.board_rules.reaches(game, company, lambda stop: stop not in own)
    )


def _plans(plans: Mapping[str, Procedure], now: Step, then: Step) -> dict[str, Procedure]:
    return {
        name: replace(plan, steps=tuple(then if step == now else step for step in plan.steps))
        for name, plan in plans.items()
    }


SECOND = replace(TITLE, version=2, plans=_plans(PLANS, PROPOSE, replace(PROPOSE, tries_all=False)))
"""A public company was not asked about a system that only some of several others could form with it."""

FIRST = replace(
    SECOND,
    version=1,
    rules=replace(TITLE.rules, route_problem=through_red_areas),
    plans=_plans(SECOND.plans, RUN_TRAINS, replace(RUN_TRAINS, has_route=has_stations_or_stops)),
    reactions=tuple(pair for pair in TITLE.reactions if pair[1] is not assign_bought_ferry),
)
"""A ferry bought during the run decision did not serve in that run."""
