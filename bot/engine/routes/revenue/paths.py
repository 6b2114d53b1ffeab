"""Routes as text and back: `E4.c0 F5 G6.c0` names every space in order, stops with their name on the space."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import count, islice
from typing import NamedTuple

from bot.engine import HexId
from bot.engine.board import Side, Stop, TrackGraph

from .area_revenue import FloodRevenue, flood_route
from .model import Route, RouteError, RouteProblem
from .score import score, shared_track


def write_route(route: Route) -> tuple[str, ...]:
    """The route's spaces in order; of a train that gathers, its cities.

    A train that floods has every link of its network, a stop named twice where the next link begins; a single stop
    stands for all that the company's other trains leave (`write_routes`).
    """
    if not route.stops:
        return ()
    if route.branches:
        return _format_branches(route.branches)
    words = [f"{route.stops[0].hex}.{route.stops[0].node}"]
    between = route.between or ((),) * (len(route.stops) - 1)
    for spaces, stop in zip(between, route.stops[1:], strict=True):
        words += [*spaces, f"{stop.hex}.{stop.node}"]
    return tuple(words)


def _format_branches(branches: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    words = list(branches[0])
    for branch in branches[1:]:
        words += branch[1:] if branch[0] == words[-1] else [branch[0], *branch]
    return tuple(words)


def write_routes(problem: RouteProblem, routes: Sequence[Route]) -> list[tuple[str, tuple[str, ...]]]:
    """Trains and their paths, those without a route left out. The last of the trains that flood is written short, only
    with its station: `read_routes` gives it the same revenue."""
    running = [route for route in routes if route.stops]
    floods = [route for route in running if problem.train(route.train).floods]
    written = []
    for route in running:
        path = write_route(route)
        if floods and route is floods[-1]:
            others = [other for other in running if other is not route]
            short = route_from_station(problem, route.train, route.stops[0], others)
            if len(short.stops) == len(route.stops) and route_revenue(problem, short) == route_revenue(problem, route):
                path = path[:1]
        written.append((route.train, path))
    return written


def route_revenue(problem: RouteProblem, route: Route) -> int:
    return score(problem, [route]).routes[0].revenue


def route_from_station(problem: RouteProblem, train: str, station: Stop, others: Sequence[Route]) -> Route:
    """The network that a train has from a station with the track that the other trains leave."""
    spec = problem.train(train)
    taken = {
        piece
        for route in others
        if problem.train(route.train).track == spec.track
        for piece in (route.sides | route.segments) - shared_track(problem, route)
    }
    return flood_route(problem, spec, FloodRevenue(problem, spec, taken).network(station))


def read_routes(problem: RouteProblem, paths: Sequence[tuple[str, Sequence[str]]]) -> tuple[Route, ...]:
    """The routes of several trains. A train that floods, written only with its station, takes all track that the others
    leave.

    :raises RouteError: as `read_route`, or two trains are to take all that the others leave.
    """
    short = [train for train, path in paths if len(path) == 1 and problem.train(train).floods]
    if len(short) > 1:
        raise RouteError(f"Of trains {' and '.join(short)} only one can take all that the others leave.")
    routes = {train: read_route(problem, train, path) for train, path in paths if train not in short}
    for train, path in paths:
        if train in short:
            routes[train] = route_from_station(problem, train, _stop(problem, path[0]), list(routes.values()))
    return tuple(routes[train] for train, _ in paths)


def _stop(problem: RouteProblem, word: str) -> Stop:
    hex_id, _, node = word.partition(".")
    stop = Stop(HexId(hex_id), node)
    if stop not in problem.values:
        raise RouteError(f"There is no stop {word}.")
    return stop


def read_route(problem: RouteProblem, train: str, path: Sequence[str]) -> Route:
    """The route that runs through these spaces.

    :raises RouteError: there is no such track, or the path does not begin and end at stops.
    """
    if problem.train(train).floods:
        return _read_network(problem, train, path)
    stops, between, passed = _read_words(problem, path)
    if problem.train(train).gathers and stops and not any(between) and not passed:
        return Route(train, tuple(stops), (), frozenset(), frozenset())
    if passed or len(stops) < 2:
        raise RouteError("A route begins and ends at a stop.")
    return _build(problem.graph, train, stops, between)


def _read_words(problem: RouteProblem, path: Sequence[str]) -> tuple[list[Stop], list[tuple[HexId, ...]], list[HexId]]:
    """The stops, the spaces between each two of them, and the spaces after the last."""
    stops: list[Stop] = []
    between: list[tuple[HexId, ...]] = []
    passed: list[HexId] = []
    for word in path:
        hex_id, dot, _ = word.partition(".")
        if not dot:
            if not stops:
                raise RouteError(f"A route begins at a stop; {word} names none.")
            passed.append(HexId(hex_id))
            continue
        stop = _stop(problem, word)
        if stops:
            between.append(tuple(passed))
        stops.append(stop)
        passed = []
    return stops, between, passed


def _read_network(problem: RouteProblem, train: str, path: Sequence[str]) -> Route:
    """A network written link by link, or a station with all that is joined to it."""
    if len(path) == 1:
        return route_from_station(problem, train, _stop(problem, path[0]), ())
    stops, between, passed = _read_words(problem, path)
    if passed or len(stops) < 2:
        raise RouteError("A network begins and ends at a stop.")
    used: set[int] = set()
    joined = {stops[0]: None}
    index = 0
    while index < len(between):
        start, end = stops[index : index + 2]
        if index + 1 < len(between) and end == stops[index + 2] and not between[index + 1] and not between[index]:
            if end not in joined:
                raise RouteError(f"The network of train {train} has not reached {end.hex}.{end.node} before.")
            index += 2
            continue
        used.update(links_between(problem.graph, start, between[index], end)[0].segments)
        joined[end] = None
        index += 1
    sides = frozenset(end for number in used for end in problem.graph.segments[number].ends if isinstance(end, Side))
    return Route(train, tuple(joined), (), sides, frozenset(used), branches=(tuple(path),))


def _build(graph: TrackGraph, train: str, stops: Sequence[Stop], between: Sequence[tuple[HexId, ...]]) -> Route:
    segments: list[int] = []
    sides: list[Side] = []
    for start, spaces, end in zip(stops, between, stops[1:], strict=False):
        choices = links_between(graph, start, spaces, end)
        link = choices[0]
        if not set(sides).isdisjoint(link.sides):
            link = next((one for one in choices if set(sides).isdisjoint(one.sides)), link)
        if segments and (graph.segments[segments[-1]].is_terminal or graph.segments[link.segments[0]].is_terminal):
            raise RouteError(f"Train {train} cannot run through {start.hex}.")
        segments += link.segments
        sides += link.sides
    if len(set(sides)) < len(sides) or len(set(segments)) < len(segments):
        raise RouteError(f"Train {train} would use the same track twice.")
    gauge = len(graph.gauge_sides.intersection(sides))
    return Route(train, tuple(stops), tuple(between), frozenset(sides), frozenset(segments), gauge)


class PathLink(NamedTuple):
    """The segments from one stop to the next, and the crossings between them."""

    segments: tuple[int, ...]
    sides: tuple[Side, ...]


MOST_LINKS = 64
"""Maximum number of links examined from one stop to the next through the same hexes."""


def links_between(graph: TrackGraph, start: Stop, spaces: tuple[HexId, ...], end: Stop) -> Sequence[PathLink]:
    """The track from one stop through these spaces to the next: several ways where parallel tracks cross the same side.

    :raises RouteError: the track is not there.
    """
    links = _links(graph, start, spaces, end)
    if not links:
        where = ", ".join(spaces) or "nothing"
        raise RouteError(f"There is no track from {start.hex}.{start.node} over {where} to {end.hex}.{end.node}.")
    return links


def _links(graph: TrackGraph, start: Stop, spaces: tuple[HexId, ...], end: Stop) -> Sequence[PathLink]:
    """Those that are there. They are kept with the graph: companies run over the same track in round after round."""
    key = ("links", start, spaces, end)
    if key not in graph.memo:
        links = tuple(islice(_ways(graph, start, spaces, end), MOST_LINKS))
        if not links:
            return links
        graph.memo[key] = (frozenset({start.hex, *spaces, end.hex}), links)
    found: Sequence[PathLink] = graph.memo[key][1]
    return found


def _ways(graph: TrackGraph, start: Stop, spaces: Sequence[HexId], end: Stop) -> Iterator[PathLink]:
    hexes = [start.hex, *spaces, end.hex] if spaces or start.hex != end.hex else [start.hex]
    begun: list[tuple[Stop | Side, tuple[int, ...], tuple[Side, ...]]] = [(start, (), ())]
    for index, hex_id in enumerate(hexes, 1):
        longer: list[tuple[Stop | Side, tuple[int, ...], tuple[Side, ...]]] = []
        for here, segments, sides in begun:
            for number in graph.segments_at.get(here, ()):
                if graph.segments[number].hex != hex_id:
                    continue
                there = graph.other_end(number, here)
                if index == len(hexes):
                    if there == end:
                        yield PathLink((*segments, number), sides)
                elif isinstance(there, Side) and there != here and hexes[index] in (there.a, there.b):
                    longer.append((there, (*segments, number), (*sides, there)))
        begun = longer


def routes_over(
    problem: RouteProblem,
    train: str,
    connections: Sequence[Sequence[HexId]],
    stops: Iterable[Stop] = (),
    used: frozenset[Side] = frozenset(),
) -> Iterator[Route]:
    """The routes that run over connections given as lists of spaces from stop to stop, each in either direction.

    Where `stops` are given the route visits exactly these; it crosses none of the `used` sides. Nothing if there is no
    such track: the caller takes the first, or tries them all where several trains must fit together.
    """
    wanted = frozenset(stops)
    if not connections:
        return
    starts = connections[0][:1] if len(connections) == 1 else (connections[0][0], connections[0][-1])
    for here in _stops_on(problem, dict.fromkeys(starts)):
        for way, between in _join_connections(problem, connections, [here], []):
            if wanted and wanted != frozenset(way):
                continue
            try:
                route = _build(problem.graph, train, way, between)
            except RouteError:
                continue
            if not route.sides & used:
                yield route


def _stops_on(problem: RouteProblem, hexes: Iterable[HexId]) -> list[Stop]:
    return [stop for hex_id in hexes for stop in problem.graph.stops_on.get(hex_id, ())]


def _join_connections(
    problem: RouteProblem, connections: Sequence[Sequence[HexId]], stops: list[Stop], between: list[tuple[HexId, ...]]
) -> Iterator[tuple[list[Stop], list[tuple[HexId, ...]]]]:
    """Ways on over the connections that are left."""
    if len(between) == len(connections):
        yield stops, between
        return
    spaces = list(connections[len(between)])
    for way in (spaces, spaces[::-1]) if spaces != spaces[::-1] else (spaces,):
        if way[0] != stops[-1].hex:
            continue
        passed = tuple(way[1:-1])
        for there in _stops_on(problem, [way[-1]]):
            if there not in stops and _links(problem.graph, stops[-1], passed, there):
                yield from _join_connections(problem, connections, [*stops, there], [*between, passed])


MOST_STEPS = 5000
"""Maximum number of pieces of track examined for ways over named hexes."""


def ways_over(graph: TrackGraph, hexes: Sequence[HexId]) -> Iterator[tuple[tuple[HexId, ...], ...]]:
    """The ways that stop only on named hexes, on all of them that have stops, in this order: each as lists of hexes
    from stop to stop, as `routes_over` takes them. Spaces where it does not stop may be named or not; nothing more is
    found where too much track would have to be looked at."""
    steps = count()

    def onward(stop: Stop, left: tuple[HexId, ...], seen: frozenset[Stop]) -> Iterator[tuple[tuple[HexId, ...], ...]]:
        if not left and len(seen) > 1:
            yield ()
        for number in graph.segments_at.get(stop, ()):
            yield from along(number, stop, (stop.hex,), left, seen)

    def along(
        number: int, here: Stop | Side, spaces: tuple[HexId, ...], left: tuple[HexId, ...], seen: frozenset[Stop]
    ) -> Iterator[tuple[tuple[HexId, ...], ...]]:
        if next(steps) > MOST_STEPS:
            return
        there, hex_id = graph.other_end(number, here), graph.segments[number].hex
        if hex_id != spaces[-1]:
            spaces = (*spaces, hex_id)
        if isinstance(there, Side):
            if hex_id in spaces[:-1]:
                return
            if left[:1] == (hex_id,) and hex_id != spaces[0]:
                left = left[1:]
            for following in graph.next_segments(number, there):
                yield from along(following, there, spaces, left, seen)
        elif there not in seen and left[:1] == (there.hex,):
            for rest in onward(there, left[1:], seen | {there}):
                yield (spaces, *rest)

    for first in graph.stops_on.get(hexes[0], ()):
        yield from onward(first, tuple(hexes[1:]), frozenset({first}))
