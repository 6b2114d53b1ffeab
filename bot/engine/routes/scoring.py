"""What routes earn and whether they may be run. The one revenue function: rules and search both use it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..track import Side, Stop
from .model import Route, RouteError, RouteProblem, RouteSet, TrainSpec


def earning_stops(problem: RouteProblem, train: TrainSpec, stops: Sequence[Stop]) -> list[Stop]:
    """The stops that pay: all, or for a train with a destination its two ends."""
    return [stops[0], stops[-1]] if train.runs_to else list(stops)


def revenue_parts(problem: RouteProblem, train: TrainSpec, stops: Sequence[Stop]) -> tuple[tuple[str, int], ...]:
    """The revenue of one route in named parts."""
    if not stops:
        return ()
    parts = [("stops", sum(problem.values[stop].revenue for stop in earning_stops(problem, train, stops)))]
    if train.earns_bonuses:
        for bonus in problem.bonuses:
            count = sum(bonus.tag in problem.values[stop].tags for stop in stops)
            amount = max((money for number, money in bonus.by_count.items() if number <= count), default=0)
            if amount:
                parts.append((bonus.name, amount))
    return tuple(parts)


def score(problem: RouteProblem, routes: Sequence[Route]) -> RouteSet:
    """The same routes with their revenue filled in."""
    scored = []
    for route in routes:
        parts = revenue_parts(problem, problem.train(route.train), route.stops)
        scored.append(replace(route, parts=parts, revenue=sum(amount for _, amount in parts)))
    total = sum(route.revenue for route in scored)
    return RouteSet(tuple(scored), total, total, False)


def counted_stops(problem: RouteProblem, train: TrainSpec, stops: Sequence[Stop], gauge_changes: int) -> int:
    """How much of the train's reach a route uses up."""
    counted = sum(problem.values[stop].kind in train.counted for stop in stops)
    return counted + (0 if train.ignores_gauge else max(0, gauge_changes - train.free_gauge_changes))


def validate(problem: RouteProblem, routes: Sequence[Route]) -> None:
    """Check each route and that no two of them share track.

    :raises RouteError: with the reason, for the player.
    """
    used: set[Side | int] = set()
    for route in routes:
        _validate_route(problem, problem.train(route.train), route)
        track = route.sides | route.segments
        if used & track:
            raise RouteError(f"Train {route.train} would use track that another train uses.")
        used |= track


def _validate_route(problem: RouteProblem, train: TrainSpec, route: Route) -> None:
    stops = route.stops
    if len(stops) < 2:
        raise RouteError(f"A route of train {train.id} needs two stops.")
    if len(set(stops)) < len(stops):
        raise RouteError(f"Train {train.id} would visit a stop twice.")
    groups = [problem.values[stop].group for stop in stops if problem.values[stop].group]
    if len(set(groups)) < len(groups):
        raise RouteError(f"Train {train.id} would visit {groups[0]} twice.")
    for stop in stops[1:-1]:
        if stop in problem.blocked:
            raise RouteError(f"Train {train.id} cannot run through {stop.hex}: it is full of other companies' tokens.")
    if train.runs_to:
        _validate_destination(problem, train, stops)
        return
    if not problem.own.intersection(stops):
        raise RouteError(f"The route of train {train.id} has none of the company's tokens.")
    used = counted_stops(problem, train, stops, route.gauge_changes)
    if train.reach is not None and used > train.reach:
        raise RouteError(f"Train {train.id} ({train.name}) reaches {train.reach} stops; this route has {used}.")


def _validate_destination(problem: RouteProblem, train: TrainSpec, stops: Sequence[Stop]) -> None:
    first, last = stops[0], stops[-1]
    for start, end in ((first, last), (last, first)):
        if start in problem.own and train.runs_to in problem.values[end].tags:
            return
    raise RouteError(f"Train {train.id} ({train.name}) runs from a token of the company to {train.runs_to}.")
