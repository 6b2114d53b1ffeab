"""Why a tempting run earns less than the best run.

Players compare the best set of routes with what they see first: a train's own best route, a valuable stop that no train
visits, a bonus that nobody earns. For each of these one train runs the best such route, the others what is best beside
it. The best of these sets that earns less is the runner-up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from bot.engine.board import Side, Stop

from .revenue import PairBonus, Route, RouteBonus, RouteProblem, RouteSet, SetBonus, TrackBonus, TrainSpec
from .revenue.score import score

Solve = Callable[[RouteProblem], RouteSet | None]
"""The best routes of a problem; None when the time is over."""

LURE = 10_000
"""The value given to a stop or a bonus so that the best route earns it: more than all routes."""

STOPS_TRIED = 3
"""Number of the highest unvisited stops that are tried until a train can visit one."""

Amounts = tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class RunnerUp:
    """Another set of routes, which earns less, and the train whose route tempts.

    `stop` or `bonus` is what that train runs for; neither if its route is the best that it can run without others.
    `gained` and `lost` compare the set with the best set: hexes and parts of the revenue that earn more or less, by how
    much. Their difference is what the set earns less.
    """

    train: str
    routes: RouteSet
    stop: Stop | None = None
    bonus: str = ""
    gained: Amounts = ()
    lost: Amounts = ()

    @property
    def route(self) -> Route:
        return next(route for route in self.routes.routes if route.train == self.train)


def runner_up(problem: RouteProblem, best: RouteSet, solve: Solve) -> RunnerUp | None:
    """The best tempting set of routes that earns less than the best set; None if nothing tempts."""
    dearest: RunnerUp | None = None
    for train, lured, stop, bonus in _temptations(problem, best):
        route = _highest_route(problem, lured, train, solve)
        if route is None or not _tempts(problem, best, route, stop, bonus):
            continue
        routes = _complete_set(problem, route, solve)
        if routes is None or routes.revenue >= best.revenue:
            continue
        if dearest is None or routes.revenue > dearest.routes.revenue:
            dearest = RunnerUp(train.id, routes, stop, bonus)
    if dearest is None:
        return None
    before, after = ledger(problem, best), ledger(problem, dearest.routes)
    return replace(dearest, gained=_excess_amounts(after, before), lost=_excess_amounts(before, after))


Temptation = tuple[TrainSpec, RouteProblem, Stop | None, str]
"""A train, the problem in which the stop or the bonus is worth more than all else, that stop or bonus."""


def _temptations(problem: RouteProblem, best: RouteSet) -> Iterator[Temptation]:
    kinds: dict[object, TrainSpec] = {}
    for train in problem.trains:
        if not train.gathers:
            kinds.setdefault(train.kind, train)
    if len(problem.trains) > 1:
        for train in kinds.values():
            yield train, problem, None, ""
    visited = {stop for route in best.routes for stop in route.stops}
    missed = sorted(_reachable_stops(problem) - visited, key=lambda stop: (-problem.values[stop].revenue, stop))
    for train in kinds.values():
        for stop in missed[:STOPS_TRIED]:
            worth = problem.values[stop]
            scales = tuple((scale, money + LURE) for scale, money in worth.scales)
            values = {**problem.values, stop: replace(worth, revenue=worth.revenue + LURE, scales=scales)}
            yield train, replace(problem, values=values), stop, ""
    earned = {name for route in best.routes for name, _ in route.parts}
    for train in kinds.values():
        for bonus in problem.bonuses:
            if bonus in problem.bonuses_of(train) and not train.floods and bonus.name not in earned:
                others = [other for other in problem.bonuses if other is not bonus]
                yield train, replace(problem, bonuses=(*others, _lure(bonus))), None, bonus.name


def _reachable_stops(problem: RouteProblem) -> set[Stop]:
    """The stops to which track leads from the company's tokens, past no stop where routes end."""
    graph = problem.graph
    stops = {stop for stop in problem.own if stop in problem.values}
    queue: list[tuple[int, Stop | Side]] = [
        (number, stop) for stop in sorted(stops) for number in graph.segments_at.get(stop, ())
    ]
    seen = set(queue)
    for number, start in queue:
        end = graph.other_end(number, start)
        if isinstance(end, Stop):
            if end not in problem.values:
                continue
            stops.add(end)
            if problem.ends_at(end) or graph.segments[number].is_terminal:
                continue
        onward = [(other, end) for other in graph.next_segments(number, end) if (other, end) not in seen]
        seen.update(onward)
        queue += onward
    return stops


def _lure(bonus: RouteBonus) -> RouteBonus:
    if isinstance(bonus, SetBonus):
        return replace(bonus, by_count={number: money + LURE for number, money in bonus.by_count.items() if money})
    if isinstance(bonus, PairBonus | TrackBonus):
        return replace(bonus, money=bonus.money + LURE)
    return bonus


def _highest_route(problem: RouteProblem, lured: RouteProblem, train: TrainSpec, solve: Solve) -> Route | None:
    found = solve(replace(lured, trains=(train,), joint=()))
    routes = [route for route in found.routes if route.stops] if found else []
    return score(problem, routes).routes[0] if routes else None


def _tempts(problem: RouteProblem, best: RouteSet, route: Route, stop: Stop | None, bonus: str) -> bool:
    """Whether the route does what it was made to do: reach the stop, earn the bonus, or more than in the best set."""
    if stop is not None:
        return stop in route.stops
    if bonus:
        return bonus in dict(route.parts)
    kind = problem.train(route.train).kind
    return all(route.revenue > one.revenue for one in best.routes if problem.train(one.train).kind == kind)


def _complete_set(problem: RouteProblem, route: Route, solve: Solve) -> RouteSet | None:
    """The route with the best routes for the other trains; None when the time is over."""
    routes = [route]
    mine = problem.train(route.train).track
    others = [train for train in problem.trains if train.id != route.train]
    for track in sorted({train.track for train in others}):
        trains = tuple(train for train in others if train.track == track)
        graph = problem.graph.subgraph(_free_track(problem, route)) if track == mine else problem.graph
        found = solve(replace(problem, trains=trains, graph=graph))
        if found is None:
            return None
        routes += found.routes
    order = [train.id for train in problem.trains]
    return score(problem, sorted(routes, key=lambda one: order.index(one.train)))


def _free_track(problem: RouteProblem, route: Route) -> list[int]:
    taken: set[Side | Stop] = {*(route.sides - problem.shared)}
    kept = []
    for number, segment in problem.graph.segments.items():
        is_shared = not problem.shared.isdisjoint(end for end in segment.ends if isinstance(end, Side))
        if taken.isdisjoint(segment.ends) and (is_shared or number not in route.segments):
            kept.append(number)
    return kept


# -- comparing -----------------------------------------------------------------------------------------


def ledger(problem: RouteProblem, routes: RouteSet) -> Mapping[str, int]:
    """The revenue of a set of routes by hex and by name of other parts."""
    amounts: Counter[str] = Counter()
    for name, money in routes.joint:
        amounts[name] += money
    for route in routes.routes:
        multiplier = problem.train(route.train).multiplier
        paid = Counter[str]()
        for stop, money in route.pays:
            paid[stop.hex] += multiplier * money
        for name, money in route.parts:
            if name == "stops" and paid.total() == money:
                amounts += paid
            else:
                amounts[name] += money
    return amounts


def _excess_amounts(one: Mapping[str, int], other: Mapping[str, int]) -> Amounts:
    exceeding = {name: money - other.get(name, 0) for name, money in one.items() if money > other.get(name, 0)}
    return tuple(sorted(exceeding.items(), key=lambda item: (-item[1], item[0])))
