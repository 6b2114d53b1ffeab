"""Routes as text and back: `E4.c0 F5 G6.c0` names every space in order, stops with their name on the space."""

from __future__ import annotations

from collections.abc import Sequence

from ..ids import HexId
from ..track import Segment, Side, Stop, TrackGraph, side
from .model import Route, RouteError, RouteProblem


def write_route(route: Route) -> tuple[str, ...]:
    """The route's spaces in order."""
    if not route.stops:
        return ()
    words = [f"{route.stops[0].hex}.{route.stops[0].node}"]
    for spaces, stop in zip(route.between, route.stops[1:], strict=True):
        words += [*spaces, f"{stop.hex}.{stop.node}"]
    return tuple(words)


def read_route(problem: RouteProblem, train: str, path: Sequence[str]) -> Route:
    """The route that runs through these spaces.

    :raises RouteError: there is no such track, or the path does not begin and end at stops.
    """
    stops: list[Stop] = []
    between: list[tuple[HexId, ...]] = []
    passed: list[HexId] = []
    for word in path:
        hex_id, dot, node = word.partition(".")
        if not dot:
            if not stops:
                raise RouteError(f"A route begins at a stop; {word} names none.")
            passed.append(HexId(hex_id))
            continue
        stop = Stop(HexId(hex_id), node)
        if stop not in problem.values:
            raise RouteError(f"There is no stop {word}.")
        if stops:
            between.append(tuple(passed))
        stops.append(stop)
        passed = []
    if passed or len(stops) < 2:
        raise RouteError("A route begins and ends at a stop.")
    return _build(problem.graph, train, stops, between)


def _build(graph: TrackGraph, train: str, stops: Sequence[Stop], between: Sequence[tuple[HexId, ...]]) -> Route:
    sides: list[Side] = []
    segments: list[int] = []
    entered_terminally = False
    for start, spaces, end in zip(stops, between, stops[1:], strict=False):
        link = link_between(graph, start, spaces, end)
        if segments and (entered_terminally or graph.segments[link[0]].is_terminal):
            raise RouteError(f"Train {train} cannot run through {start.hex}.")
        entered_terminally = graph.segments[link[-1]].is_terminal
        segments += link
        sides += [crossing for number in link[:-1] for crossing in _shared(graph, number, link[link.index(number) + 1])]
    if len(set(sides)) < len(sides) or len(set(segments)) < len(segments):
        raise RouteError(f"Train {train} would use the same track twice.")
    gauge = sum(crossing in graph.gauge_sides for crossing in sides)
    return Route(train, tuple(stops), tuple(between), frozenset(sides), frozenset(segments), gauge)


def _shared(graph: TrackGraph, number: int, following: int) -> list[Side]:
    ends = set(graph.segments[number].ends) & set(graph.segments[following].ends)
    return [end for end in ends if isinstance(end, Side)][:1]


def link_between(graph: TrackGraph, start: Stop, spaces: Sequence[HexId], end: Stop) -> list[int]:
    """The segments from one stop through these spaces to the next.

    :raises RouteError: the track is not there.
    """
    hexes = [start.hex, *spaces, end.hex] if spaces or start.hex != end.hex else [start.hex]
    numbers: list[int] = []
    here: Stop | Side = start
    for index, hex_id in enumerate(hexes):
        there: Stop | Side = end if index == len(hexes) - 1 else side(hex_id, hexes[index + 1])
        number = next(
            (number for number in graph.at.get(here, ()) if _joins(graph.segments[number], hex_id, here, there)), None
        )
        if number is None:
            raise RouteError(f"There is no track on {hex_id} from {_words(here)} to {_words(there)}.")
        numbers.append(number)
        here = there
    return numbers


def _joins(segment: Segment, hex_id: HexId, one: Stop | Side, other: Stop | Side) -> bool:
    return segment.hex == hex_id and segment.ends in ((one, other), (other, one))


def _words(end: Stop | Side) -> str:
    return f"{end.hex}.{end.node}" if isinstance(end, Stop) else f"the side between {end.a} and {end.b}"
