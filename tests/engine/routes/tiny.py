"""Tiny random boards, and the best runs on them by trying everything."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import product

from bot.engine.board.track import Segment, Side, Stop, StopInfo, TrackGraph, side
from bot.engine.ids import HexId
from bot.engine.routes.revenue.model import (
    JointBonus,
    PairBonus,
    Route,
    RouteBonus,
    RouteError,
    RouteProblem,
    SetBonus,
    StopValue,
    TrackBonus,
    TrainSpec,
)
from bot.engine.routes.revenue.score import score, validate

STEPS = ((-1, 1), (-2, 0), (-1, -1), (1, -1), (2, 0), (1, 1))
KINDS = ("city", "city", "city", "town", "town", "offboard", "port")


class TinyBoard:
    """A patch of hexes with random track, values, tokens and bonuses."""

    def __init__(self, seed: int, spaces: int = 8) -> None:
        self.random = random.Random(seed)
        self.places = self._patch(spaces)
        self.names = {place: HexId(f"{chr(65 + place[1])}{place[0]}") for place in self.places}
        self.stops: dict[Stop, StopInfo] = {}
        self.segments: list[Segment] = []
        for place in self.places:
            self._lay(place)
        crossings = sorted({end for segment in self.segments for end in segment.ends if isinstance(end, Side)})
        gauge = frozenset(end for end in crossings if self.random.random() < 0.25)
        self.graph = TrackGraph(dict(enumerate(self.segments)), self.stops, gauge)
        self.crossings = crossings

    def _patch(self, spaces: int) -> list[tuple[int, int]]:
        places = [(6, 6)]
        while len(places) < spaces:
            x, y = self.random.choice(places)
            dx, dy = self.random.choice(STEPS)
            if (x + dx, y + dy) not in places:
                places.append((x + dx, y + dy))
        return places

    def _neighbours(self, place: tuple[int, int]) -> list[Side]:
        beside = [(place[0] + dx, place[1] + dy) for dx, dy in STEPS]
        return [side(self.names[place], self.names[other]) for other in beside if other in self.names]

    def _lay(self, place: tuple[int, int]) -> None:
        hex_id, edges = self.names[place], self._neighbours(place)
        kinds = self.random.choice([[], [], ["one"], ["one"], ["one"], ["one", "two"]])
        group = hex_id if self.random.random() < 0.5 else ""
        for number, _ in enumerate(kinds):
            kind = self.random.choice(KINDS if len(kinds) == 1 else ("city", "town"))
            stop = Stop(hex_id, f"{kind[0]}{number}")
            is_terminus = kind in ("offboard", "port") or self.random.random() < 0.08
            self.stops[stop] = StopInfo(kind, hex_id, is_terminus, group)
            for edge in self.random.sample(edges, self.random.randint(1, len(edges))):
                ends = (stop, edge) if self.random.random() < 0.5 else (edge, stop)
                self.segments.append(Segment(hex_id, ends, self.random.random() < 0.05))
        if not kinds and len(edges) > 1:
            pairs = [(one, other) for one in edges for other in edges if one < other]
            for one, other in self.random.sample(pairs, min(len(pairs), self.random.randint(1, 4))):
                self.segments.append(Segment(hex_id, (one, other)))

    def problem(self, trains: Sequence[TrainSpec], with_joint: bool = False) -> RouteProblem:
        """A company with these trains."""
        stops = sorted(self.stops)
        values = {stop: self._value(stop) for stop in stops}
        cities = [stop for stop in stops if self.stops[stop].kind == "city"]
        own = set(self.random.sample(cities, min(len(cities), self.random.randint(1, 3))))
        blocked = {stop for stop in cities if stop not in own and self.random.random() < 0.2}
        joint = (JointBonus("N-S", "N", "S", 40), JointBonus("E-W", "E", "W", 30)) if with_joint else ()
        shared = frozenset(end for end in self.crossings if self.random.random() < 0.1)
        return RouteProblem(
            self.graph, values, frozenset(own), frozenset(blocked), tuple(trains), self._bonuses(stops), joint, shared
        )

    def _value(self, stop: Stop) -> StopValue:
        kind, chance = self.stops[stop].kind, self.random
        place = next(place for place, name in self.names.items() if name == stop.hex)
        tags = frozenset(tag for tag in "KNSEW" if chance.random() < 0.3)
        doors = frozenset(other for other in self.stops if chance.random() < 0.6) if kind == "port" else None
        group = "port" if kind == "port" else chance.choice(["", "", "", "g", "h"])
        where = stop.hex if chance.random() < 0.7 else chance.choice(["", "p"])
        revenue = chance.choice([0, 10, 20, 30, 40, 50])
        return StopValue(kind, revenue, group, tags, where, place, doors)

    def _bonuses(self, stops: Sequence[Stop]) -> tuple[RouteBonus, ...]:
        printed = {stop: self.random.choice([10, 20, 30]) for stop in stops if self.random.random() < 0.7}
        numbers = range(len(self.segments))
        some = frozenset(self.random.sample(numbers, min(2, len(numbers))))
        bonuses: list[RouteBonus] = [
            SetBonus("K-K", "K", {2: 50, 3: 100}),
            PairBonus("border", "E", "K", 20),
            PairBonus("transit", "N", "W", 0, printed),
            TrackBonus("tunnel", some, 0, 10),
            TrackBonus("estuary", frozenset(self.random.sample(numbers, min(1, len(numbers)))), 30),
        ]
        return tuple(bonus for bonus in bonuses if self.random.random() < 0.5)


def every_route(problem: RouteProblem, train: TrainSpec) -> list[Route]:
    """All routes that the rules accept, found segment by segment."""
    if train.gathers:
        return list(_gatherings(problem, train))
    found = {}
    for stop in problem.values:
        for route in _trails(problem, train, [stop], [], []):
            key = (frozenset(route.stops), route.segments)
            if key not in found and _is_legal(problem, route):
                found[key] = route
    return list(found.values())


def _gatherings(problem: RouteProblem, train: TrainSpec) -> Iterator[Route]:
    own = sorted(problem.own)
    for bits in range(1, 1 << len(own)):
        stops = tuple(stop for number, stop in enumerate(own) if bits >> number & 1)
        route = Route(train.id, stops, (), frozenset(), frozenset())
        if _is_legal(problem, route):
            yield route


def _is_legal(problem: RouteProblem, *routes: Route) -> bool:
    try:
        validate(problem, routes)
    except RouteError:
        return False
    return True


def _trails(
    problem: RouteProblem, train: TrainSpec, stops: list[Stop], sides: list[Side], segments: list[int]
) -> Iterator[Route]:
    graph = problem.graph
    if len(stops) > 1:
        crossed = frozenset(sides)
        yield Route(train.id, tuple(stops), (), crossed, frozenset(segments), len(crossed & graph.gauge_sides))
        if graph.segments[segments[-1]].is_terminal or problem.ends_at(stops[-1]):
            return
    for number in graph.segments_at.get(stops[-1], ()):
        if number in segments or (segments and graph.segments[number].is_terminal):
            continue
        for link, crossed_now, end in _links(graph, number, stops[-1], sides, [number], []):
            if end not in stops:
                yield from _trails(problem, train, [*stops, end], [*sides, *crossed_now], [*segments, *link])


def _links(
    graph: TrackGraph, number: int, here: Stop | Side, used: list[Side], link: list[int], crossed: list[Side]
) -> Iterator[tuple[list[int], list[Side], Stop]]:
    end = graph.other_end(number, here)
    if isinstance(end, Stop):
        yield link, crossed, end
        return
    if end in used or end in crossed:
        return
    for onward in graph.next_segments(number, end):
        yield from _links(graph, onward, end, used, [*link, onward], [*crossed, end])


def best_by_trying(problem: RouteProblem) -> int:
    """The most that any choice of routes earns."""
    tables: list[list[Route | None]] = [[None, *every_route(problem, train)] for train in problem.trains]
    size = 1
    for table in tables:
        size *= len(table)
    if size > 60_000:
        return -1
    best = 0
    for choice in product(*tables):
        routes = [route for route in choice if route is not None]
        if _disjoint(problem, routes) and (len(routes) < 2 or _is_legal(problem, *routes)):
            best = max(best, score(problem, routes).revenue)
    return best


def _disjoint(problem: RouteProblem, routes: Sequence[Route]) -> bool:
    """A quick look before the rules are asked."""
    used: dict[str, set[Side]] = {}
    for route in routes:
        track = route.sides - problem.shared
        seen = used.setdefault(problem.train(route.train).track, set())
        if seen & track:
            return False
        seen |= track
    return True
