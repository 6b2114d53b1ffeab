"""The revenue of the programme's routes, by its variables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from bot.engine.board import Stop
from bot.engine.routes.revenue import PairBonus, RouteProblem, SetBonus, TrackBonus, TrainSpec, hex_distance

from .links import RouteLink
from .milp import LinearProgram


@dataclass
class Variables:
    """The variables of one train: whether it runs; links used; stops visited, counted, at an end of the route."""

    train: TrainSpec
    runs: int
    links: dict[int, int]
    visits: dict[Stop, int]
    counts: dict[Stop, int]
    ends: dict[Stop, int]


def earnings(linear: LinearProgram, problem: RouteProblem, links: Sequence[RouteLink], mine: Variables) -> None:
    """Let the train's variables be worth what its route earns: stops that count, bonuses, distance."""
    train, values = mine.train, problem.values
    places: dict[str, list[Stop]] = {}
    for stop in mine.counts:
        places.setdefault(values[stop].place, []).append(stop)
    for place, stops in places.items():
        pays = [mine.counts[stop] for stop in stops]
        if place and len(stops) > 1:
            pays = [linear.variable() for _ in stops]
            linear.add_upper_bound(1, [(variable, 1) for variable in pays])
            for stop, variable in zip(stops, pays, strict=True):
                linear.add_upper_bound(0, [(variable, 1), (mine.counts[stop], -1)])
        for stop, variable in zip(stops, pays, strict=True):
            linear.pay(variable, values[stop].pay(train.scale) * train.multiplier)
    marks = 0
    for bonus in problem.bonuses_of(train):
        if isinstance(bonus, SetBonus):
            _set_bonus(linear, problem, mine, bonus)
        elif isinstance(bonus, PairBonus):
            _pair_bonus(linear, problem, mine, bonus)
        else:
            _track_bonus(linear, links, mine, bonus, marks)
            marks += 1
    if train.distance_pay:
        _distance(linear, problem, mine)


def _variables_with_tag(problem: RouteProblem, mine: Variables, tag: str) -> dict[Stop, int]:
    return {stop: count for stop, count in mine.counts.items() if tag in problem.values[stop].tags}


def _set_bonus(linear: LinearProgram, problem: RouteProblem, mine: Variables, bonus: SetBonus) -> None:
    tagged = _variables_with_tag(problem, mine, bonus.tag)
    steps = [
        (number, linear.variable(money * mine.train.multiplier))
        for number, money in bonus.by_count.items()
        if number <= len(tagged)
    ]
    linear.add_upper_bound(1, [(variable, 1) for _, variable in steps])
    linear.add_upper_bound(
        0, [*((variable, number) for number, variable in steps), *((count, -1) for count in tagged.values())]
    )


def _pair_bonus(linear: LinearProgram, problem: RouteProblem, mine: Variables, bonus: PairBonus) -> None:
    multiplier = mine.train.multiplier
    is_paid = linear.variable(bonus.money * multiplier)
    sides: list[dict[Stop, int]] = []
    for tag in (bonus.one, bonus.other):
        tagged = _variables_with_tag(problem, mine, tag)
        side = {stop: linear.variable(bonus.by_stop.get(stop, 0) * multiplier) for stop in tagged}
        for stop, variable in side.items():
            linear.add_upper_bound(0, [(variable, 1), (tagged[stop], -1)])
        linear.keep_at_zero([*((variable, 1) for variable in side.values()), (is_paid, -1)])
        sides.append(side)
    for stop in sides[0].keys() & sides[1].keys():
        linear.add_upper_bound(1, [(sides[0][stop], 1), (sides[1][stop], 1)])


def _track_bonus(
    linear: LinearProgram, links: Sequence[RouteLink], mine: Variables, bonus: TrackBonus, mark: int
) -> None:
    multiplier = mine.train.multiplier
    marked = [(variable, -1.0) for number, variable in mine.links.items() if links[number].marks >> mark & 1]
    if not marked:
        return
    crosses = linear.variable(bonus.money * multiplier)
    linear.add_upper_bound(0, [(crosses, 1), *marked])
    if bonus.per_stop:
        most = len(mine.counts)
        stops = linear.variable(bonus.per_stop * multiplier, most)
        linear.add_upper_bound(0, [(stops, 1), *((count, -1) for count in mine.counts.values())])
        linear.add_upper_bound(0, [(stops, 1), (crosses, -most)])


def _distance(linear: LinearProgram, problem: RouteProblem, mine: Variables) -> None:
    """Money for how far the ends are apart, if both may pay: others are ends only of trains that need them."""
    train, values = mine.train, problem.values
    paid = [stop for stop in mine.ends if stop in mine.counts]
    useless = [stop for stop in mine.ends if stop not in mine.counts and values[stop].kind not in train.needs]
    linear.keep_at_zero([(mine.ends[stop], 1) for stop in useless])
    pairs: dict[Stop, list[int]] = {stop: [] for stop in paid}
    every = []
    for one, other in combinations(paid, 2):
        here, there = values[one].at, values[other].at
        far = hex_distance(here, there) if here and there else 0
        if far:
            pair = linear.variable(far * train.distance_pay * train.multiplier)
            pairs[one].append(pair)
            pairs[other].append(pair)
            every.append(pair)
    for stop in paid:
        linear.add_upper_bound(0, [*((pair, 1) for pair in pairs[stop]), (mine.ends[stop], -1)])
    linear.add_upper_bound(0, [*((pair, 1) for pair in every), (mine.runs, -1)])
