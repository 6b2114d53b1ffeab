"""What a company can reach: stops, crossings, track (1848 §7.4.1, §7.7.4).

A walk uses no crossing, no piece of track and no stop twice, and so never turns back at a junction. A breadth-first
search over directed pieces of track reaches a little more than such walks do (round a loop and back); what it reaches
only by a walk that repeats itself is therefore proved by a full search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from .track import Side, Stop, TrackGraph

Step = tuple[int, Stop | Side]
"""A segment's number and the end at which a walk leaves it."""


@dataclass(frozen=True)
class Network:
    """Everything within reach."""

    stops: frozenset[Stop]
    sides: frozenset[Side]
    segments: frozenset[int]


def network(graph: TrackGraph, sources: Iterable[Stop], is_blocked: Callable[[Stop], bool]) -> Network:
    """What can be reached from these stops. A blocked stop is reached but not passed."""
    stops: set[Stop] = set()
    sides: set[Side] = set()
    segments: set[int] = set()
    for source in sources:
        stops.add(source)
        _walk(graph, source, is_blocked, stops, sides, segments)
    return Network(frozenset(stops), frozenset(sides), frozenset(segments))


def _walk(
    graph: TrackGraph,
    source: Stop,
    is_blocked: Callable[[Stop], bool],
    stops: set[Stop],
    sides: set[Side],
    segments: set[int],
) -> None:
    """Add what one source reaches."""
    parents: dict[Step, Step | None] = {}
    queue: list[Step] = []
    doubtful: set[Stop | Side | int] = set()
    for number in graph.at.get(source, ()):
        step = (number, graph.other_end(number, source))
        parents[step] = None
        queue.append(step)
    for step in queue:
        number, end = step
        found = {end, number} - stops - sides - segments
        if found and _is_simple(step, parents, source):
            segments.add(number)
            stops.add(end) if isinstance(end, Stop) else sides.add(end)
        else:
            doubtful |= found
        if isinstance(end, Stop) and (graph.segments[number].is_terminal or end == source or is_blocked(end)):
            continue
        for onward in graph.onward(number, end):
            following = (onward, graph.other_end(onward, end))
            if following not in parents:
                parents[following] = step
                queue.append(following)
    doubtful -= stops | sides | segments
    if doubtful:
        _prove(graph, source, is_blocked, doubtful, stops, sides, segments)


def _is_simple(step: Step, parents: dict[Step, Step | None], source: Stop) -> bool:
    """Whether the walk that led here repeats nothing."""
    seen: set[Stop | Side | int] = {source}
    current: Step | None = step
    while current is not None:
        number, end = current
        if number in seen or end in seen:
            return False
        seen |= {number, end}
        current = parents[current]
    return True


def _prove(
    graph: TrackGraph,
    source: Stop,
    is_blocked: Callable[[Stop], bool],
    wanted: set[Stop | Side | int],
    stops: set[Stop],
    sides: set[Side],
    segments: set[int],
) -> None:
    """Search all simple walks for the wanted ends and segments; stop when each is found."""
    used: set[Stop | Side | int] = {source}

    def explore(number: int, end: Stop | Side) -> None:
        if not wanted or number in used or end in used:
            return
        used.update((number, end))
        if number in wanted or end in wanted:
            wanted.difference_update((number, end))
            segments.add(number)
            stops.add(end) if isinstance(end, Stop) else sides.add(end)
        if not (isinstance(end, Stop) and (graph.segments[number].is_terminal or is_blocked(end))):
            for onward in graph.onward(number, end):
                explore(onward, graph.other_end(onward, end))
        used.difference_update((number, end))

    for number in graph.at.get(source, ()):
        explore(number, graph.other_end(number, source))
