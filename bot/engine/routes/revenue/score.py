"""The revenue of routes and whether they may be run. The one revenue function: rules and search both use it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from bot.engine.board import Side, Stop

from .area_revenue import flood_parts, network_over
from .best_stops import Parts, highest_count, limit_usage, total
from .model import JointBonus, Route, RouteError, RouteProblem, RouteSet, SharedTrackError, TrainSpec
from .stop_values import bonus_money, stop_payments

Item = TypeVar("Item")


def score(problem: RouteProblem, routes: Sequence[Route]) -> RouteSet:
    """The same routes with their revenue, and what they earn together."""
    scored = pay_once(problem, score_alone(problem, routes))
    joint = joint_parts(problem, scored)
    total = sum(route.revenue for route in scored) + sum(money for _, money in joint)
    return RouteSet(tuple(scored), total, total, False, joint=joint)


def score_alone(problem: RouteProblem, routes: Sequence[Route]) -> list[Route]:
    """The routes with their revenue, each as if the others did not run."""
    scored = []
    for route in routes:
        train = problem.train(route.train)
        counted, parts = earnings(problem, train, route)
        pays = tuple(stop_payments(problem, counted, train.scale))
        scored.append(replace(route, parts=parts, pays=pays, revenue=total(parts)))
    return scored


def repeated_pay(problem: RouteProblem, routes: Sequence[Route]) -> int:
    """The money that bonuses would pay again if they did not come once."""
    if not problem.bonuses_once:
        return 0
    alone = score_alone(problem, routes)
    return sum(route.revenue for route in alone) - sum(route.revenue for route in pay_once(problem, list(alone)))


def pay_once(problem: RouteProblem, routes: list[Route]) -> list[Route]:
    """Take bonuses that come once from all routes but the route that they pay most."""
    for bonus in problem.bonuses_once:
        paid = [sum(money for name, money in route.parts if name == bonus.name) for route in routes]
        for number, route in enumerate(routes):
            if paid[number] and number != paid.index(max(paid)):
                parts = tuple(part for part in route.parts if part[0] != bonus.name)
                routes[number] = replace(route, parts=parts, revenue=total(parts))
    return routes


def earnings(problem: RouteProblem, train: TrainSpec, route: Route) -> tuple[tuple[Stop, ...], Parts]:
    """The counted stops that earn most, and the revenue of the route in named parts."""
    if not route.stops:
        return (), ()
    if train.gathers:
        return route.stops, _gathering_parts(problem, train, route.stops)
    if train.floods:
        return route.stops, flood_parts(problem, train, route.stops, network_over(problem, train, route).spikes)
    if train.runs_to:
        ends = (route.stops[0], route.stops[-1])
        return ends, (("stops", train.multiplier * sum(problem.values[stop].pay(train.scale) for stop in ends)),)
    return best_count(problem, train, route) or ((), ())


def best_count(problem: RouteProblem, train: TrainSpec, route: Route) -> tuple[tuple[Stop, ...], Parts] | None:
    """None if the train cannot count what it must."""
    if not train.optional:
        counted = tuple([stop for stop in route.stops if problem.values[stop].kind not in train.unpaid])
        return counted, _parts(problem, train, route, counted)
    return highest_count(problem, train, route, lambda stops: _parts(problem, train, route, stops))


def _gathering_parts(problem: RouteProblem, train: TrainSpec, stops: Sequence[Stop]) -> Parts:
    parts = [("stops", train.multiplier * sum(problem.values[stop].pay(train.scale) for stop in stops))]
    return (*parts, ("base", train.multiplier * train.base)) if train.base else tuple(parts)


def _parts(problem: RouteProblem, train: TrainSpec, route: Route, counted: Sequence[Stop]) -> Parts:
    parts = [("stops", sum([money for _, money in stop_payments(problem, counted, train.scale)]))]
    bonuses = problem.bonuses_of(train)
    parts += [(bonus.name, bonus_money(problem, bonus, counted, route.segments)) for bonus in bonuses]
    if train.distance_pay:
        parts.append(("distance", train.distance_pay * _distance(problem, train, route.stops)))
    if train.base:
        parts.append(("base", train.base))
    return tuple((name, train.multiplier * money) for name, money in parts if money or name == "stops")


def _distance(problem: RouteProblem, train: TrainSpec, stops: Sequence[Stop]) -> int:
    """Spaces as the crow flies between the first and the last stop that may pay (18GB, X trains)."""
    places = [problem.values[stop].at for stop in _core(problem, train, stops)]
    return hex_distance(places[0], places[-1]) if places and places[0] and places[-1] else 0


def _core(problem: RouteProblem, train: TrainSpec, stops: Sequence[Stop]) -> Sequence[Stop]:
    """The stops from the first to the last that the train does not ignore."""
    known = [index for index, stop in enumerate(stops) if problem.values[stop].kind not in train.unpaid]
    return stops[known[0] : known[-1] + 1] if known else ()


def hex_distance(one: tuple[int, int], other: tuple[int, int]) -> int:
    """The distance of two spaces given in doubled coordinates, along whichever axis is doubled.

    In a pointy layout x runs in steps of two along a row, in a flat layout y along a column: the larger difference
    is the doubled one only if it exceeds the smaller.
    """
    dx, dy = abs(one[0] - other[0]), abs(one[1] - other[1])
    return dx + max(0, (dy - dx) // 2)


# -- several routes together ---------------------------------------------------------------------------


def joint_parts(problem: RouteProblem, routes: Sequence[Route]) -> Parts:
    """The revenue of the routes together: the division into sets that meet which earns most (18GB N-S and E-W)."""
    running = [route for route in routes if route.stops and _may_share(problem.train(route.train))]
    if not problem.joint or not running:
        return ()
    return max((_division_parts(problem, sets) for sets in _divisions(problem, running)), key=total)


def _may_share(train: TrainSpec) -> bool:
    return train.earns_bonuses and not (train.gathers or train.runs_to or train.floods)


def _division_parts(problem: RouteProblem, sets: Sequence[Sequence[Route]]) -> Parts:
    return tuple(
        (bonus.name, bonus.money) for some in sets for bonus in problem.joint if _is_earned(problem, bonus, some)
    )


def _is_earned(problem: RouteProblem, bonus: JointBonus, routes: Sequence[Route]) -> bool:
    stops = {stop for route in routes for stop in route.stops}
    ones = {stop for stop in stops if bonus.one in problem.values[stop].tags}
    others = {stop for stop in stops if bonus.other in problem.values[stop].tags}
    return bool(ones and others) and len(ones | others) > 1


def divisions(items: Sequence[Item]) -> list[list[list[Item]]]:
    """All ways to divide things into sets."""
    found: list[list[list[Item]]] = [[]]
    for item in items:
        found = [
            new
            for sets in found
            for new in (
                [*sets, [item]],
                *([*sets[:index], [*sets[index], item], *sets[index + 1 :]] for index in range(len(sets))),
            )
        ]
    return found


def _divisions(problem: RouteProblem, routes: Sequence[Route]) -> list[list[list[Route]]]:
    """All ways to divide routes into sets that hang together."""
    return [sets for sets in divisions(routes) if all(_is_connected(problem, some) for some in sets)]


def _is_connected(problem: RouteProblem, routes: Sequence[Route]) -> bool:
    meeting = [set(route.stops) - problem.graph.termini for route in routes]
    reached, waiting = meeting[0], meeting[1:]
    while waiting:
        joined = [stops for stops in waiting if stops & reached]
        if not joined:
            return False
        waiting = [stops for stops in waiting if not stops & reached]
        reached = reached.union(*joined)
    return True


# -- whether routes may be run -------------------------------------------------------------------------


def validate(problem: RouteProblem, routes: Sequence[Route]) -> None:
    """Check each route and that no two of them share track.

    :raises RouteError: with the reason, for the player.
    """
    used: dict[str, set[Side | int]] = {}
    gathered: set[str] = set()
    for route in routes:
        train = problem.train(route.train)
        if train.gathers:
            _validate_gathering(problem, train, route, gathered)
            gathered.update(_places(problem, route.stops))
            continue
        if train.floods:
            _validate_network(problem, train, route)
        else:
            _validate_route(problem, train, route)
        track = (route.sides | route.segments) - shared_track(problem, route)
        if used.setdefault(train.track, set()) & track:
            raise SharedTrackError(f"Train {route.train} would use track that another train uses.")
        used[train.track] |= track


def _validate_network(problem: RouteProblem, train: TrainSpec, route: Route) -> None:
    """1820 §15.3.4"""
    if not route.stops or route.stops[0] not in problem.own:
        raise RouteError(f"Train {train.id} ({train.name}) starts at one of the company's tokens.")
    if len(route.stops) < 2 or len(set(route.stops)) < len(route.stops):
        raise RouteError(f"Train {train.id} ({train.name}) runs two stops or more, each once.")
    apart = set(route.stops) - set(network_over(problem, train, route).stops)
    if apart:
        raise RouteError(f"Train {train.id} does not reach {min(apart).hex} from {route.stops[0].hex}.")


def shared_track(problem: RouteProblem, route: Route) -> set[Side | int]:
    """Crossings that trains may share, and the pieces of track at them."""
    if not problem.shared:
        return set()
    segments = problem.graph.segments
    return {*problem.shared, *(n for n in route.segments if not problem.shared.isdisjoint(_sides(segments[n].ends)))}


def _sides(ends: Sequence[Stop | Side]) -> list[Side]:
    return [end for end in ends if isinstance(end, Side)]


def _validate_gathering(problem: RouteProblem, train: TrainSpec, route: Route, gathered: set[str]) -> None:
    stops = route.stops
    places = _places(problem, stops)
    if not 1 <= len(stops) <= train.gathers or len(set(places)) < len(places):
        raise RouteError(f"Train {train.id} ({train.name}) counts 1 to {train.gathers} different cities.")
    if not problem.own.issuperset(stops):
        raise RouteError(f"Train {train.id} ({train.name}) counts only cities with the company's tokens.")
    if gathered.intersection(places):
        raise RouteError(f"Train {train.id} ({train.name}) would count a city that another such train counts.")


def _places(problem: RouteProblem, stops: Sequence[Stop]) -> list[str]:
    return [problem.values[stop].place or str(stop) for stop in stops]


def _validate_route(problem: RouteProblem, train: TrainSpec, route: Route) -> None:
    stops = route.stops
    if len(stops) < 2:
        raise RouteError(f"A route of train {train.id} needs two stops.")
    _validate_visits(problem, train, stops)
    if train.runs_to:
        _validate_destination(problem, train, stops)
        return
    if not problem.own.intersection(stops):
        raise RouteError(f"The route of train {train.id} has none of the company's tokens.")
    if train.needs and sum(problem.values[stop].kind in train.needs for stop in stops) < 2:
        raise RouteError(f"A route of train {train.id} needs two stops that are {' or '.join(sorted(train.needs))}.")
    _validate_limits(problem, train, route)


def _validate_visits(problem: RouteProblem, train: TrainSpec, stops: Sequence[Stop]) -> None:
    if len(set(stops)) < len(stops):
        raise RouteError(f"Train {train.id} would visit a stop twice.")
    groups = [group for stop in stops if (group := problem.group_of(stop))]
    if len(set(groups)) < len(groups):
        twice = next(group for group in groups if groups.count(group) > 1)
        raise RouteError(f"Train {train.id} would visit {twice} twice.")
    for stop in stops:
        if problem.values[stop].kind in train.closed:
            raise RouteError(f"Train {train.id} ({train.name}) may not run to {stop.hex}.")
    for stop in stops[1:-1]:
        if stop in problem.graph.termini:
            raise RouteError(f"Train {train.id} cannot run through {stop.hex}: it is the end of a line.")
        if stop in problem.blocked:
            raise RouteError(f"Train {train.id} cannot run through {stop.hex}: it is full of other companies' tokens.")
    for here, there in ((stops[0], stops[1]), (stops[-1], stops[-2])):
        doors = problem.values[here].only_from
        if doors is not None and there not in doors:
            raise RouteError(f"Train {train.id} cannot run to {here.hex} from {there.hex}.")


def _validate_limits(problem: RouteProblem, train: TrainSpec, route: Route) -> None:
    """Limits hold for all stops that may not be left out."""
    kinds = [problem.values[stop].kind for stop in route.stops if problem.values[stop].kind not in train.optional]
    for limit in train.all_limits:
        used = limit_usage(limit, kinds, route)
        if used > limit.most:
            what = "spaces" if limit.spaces else f"{next(iter(limit.kinds))}(s)" if len(limit.kinds) == 1 else "stops"
            with_gauge = " and changes of gauge" if limit.gauge_changes and route.gauge_changes else ""
            raise RouteError(
                f"Train {train.id} ({train.name}) reaches {limit.most} {what}{with_gauge}; this route has {used}."
            )
    if best_count(problem, train, route) is None:
        raise RouteError(f"Train {train.id} ({train.name}) cannot count the stops that it must.")


def _validate_destination(problem: RouteProblem, train: TrainSpec, stops: Sequence[Stop]) -> None:
    first, last = stops[0], stops[-1]
    for start, end in ((first, last), (last, first)):
        if start in problem.own and train.runs_to in problem.values[end].tags:
            return
    raise RouteError(f"Train {train.id} ({train.name}) runs from a token of the company to {train.runs_to}.")
