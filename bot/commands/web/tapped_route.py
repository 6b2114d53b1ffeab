"""A route of one's own from the spaces that were tapped: the stops in order, and between two of them whatever track joins
them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

from bot.engine.board.track import Side, Stop, TrackGraph
from bot.engine.ids import HexId
from bot.engine.refusals import IllegalMove


def path_through(graph: TrackGraph, tapped: Sequence[HexId]) -> tuple[str, ...]:
    """The path as a move writes it (`H11.c0`, `G12`, `G10.c0`); of several ways the shortest from stop to stop.

    :raises IllegalMove: no track joins two of these spaces, or a space has no stop and is the first or the last.
    """
    chosen = [hex_id for hex_id in tapped if stops_on(graph, hex_id)]
    if len(chosen) < 2:
        raise IllegalMove("A route needs two stops; tap them in their order.")
    for start in stops_on(graph, chosen[0]):
        found = joined(graph, start, chosen[1:], {start})
        if found is not None:
            return (word(start), *found)
    raise IllegalMove("No track connects {stops} in that order.", "", " - ".join(chosen))


def stops_on(graph: TrackGraph, hex_id: HexId) -> list[Stop]:
    """The stops of a space."""
    return sorted(stop for stop in graph.stops if stop.hex == hex_id)


def word(stop: Stop) -> str:
    """A stop in a path."""
    return f"{stop.hex}.{stop.node}"


def joined(graph: TrackGraph, start: Stop, rest: Sequence[HexId], used: set[Stop]) -> tuple[str, ...] | None:
    """The words from a stop over these spaces on; None where there is no such way."""
    if not rest:
        return ()
    for end, spaces in nearest(graph, start):
        if end.hex == rest[0] and end not in used:
            after = joined(graph, end, rest[1:], {*used, end})
            if after is not None:
                return (*spaces, word(end), *after)
    return None


def nearest(graph: TrackGraph, start: Stop) -> Iterator[tuple[Stop, tuple[HexId, ...]]]:
    """The stops that a train comes to next from a stop, nearest first, with the spaces between."""
    ways: deque[tuple[Stop | Side, int, tuple[HexId, ...]]] = deque()
    seen: set[int] = set()

    def go(here: Stop | Side, following: Sequence[int], spaces: tuple[HexId, ...]) -> None:
        for number in following:
            if number not in seen:
                seen.add(number)
                ways.append((graph.other_end(number, here), number, (*spaces, graph.segments[number].hex)))

    go(start, graph.at.get(start, ()), ())
    while ways:
        there, number, spaces = ways.popleft()
        if isinstance(there, Stop):
            yield there, spaces[1:-1]
        else:
            go(there, graph.onward(number, there), spaces)
