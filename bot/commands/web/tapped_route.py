"""A route of the player's own from the hexes that they tapped: the stops in order, and any track that joins two of
them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

from bot.engine import HexId, IllegalMove
from bot.engine.board import Side, Stop, TrackGraph


def path_through(graph: TrackGraph, tapped: Sequence[HexId]) -> tuple[str, ...]:
    """The path in a move's form (`H11.c0`, `G12`, `G10.c0`); of several paths the shortest from stop to stop.

    :raises IllegalMove: no track joins two of these spaces, or a space has no stop and is the first or the last.
    """
    chosen = [hex_id for hex_id in tapped if stops_on(graph, hex_id)]
    if len(chosen) < 2:
        raise IllegalMove("A route needs two stops; tap them in their order.")
    for start in stops_on(graph, chosen[0]):
        found = find_path(graph, start, chosen[1:], {start})
        if found is not None:
            return (format_stop(start), *found)
    raise IllegalMove("No track connects {stops} in that order.", "", " - ".join(chosen))


def stops_on(graph: TrackGraph, hex_id: HexId) -> list[Stop]:
    return sorted(stop for stop in graph.stops if stop.hex == hex_id)


def format_stop(stop: Stop) -> str:
    return f"{stop.hex}.{stop.node}"


def find_path(graph: TrackGraph, start: Stop, rest: Sequence[HexId], used: set[Stop]) -> tuple[str, ...] | None:
    """The words of the path from a stop over these hexes; None where there is no such path."""
    if not rest:
        return ()
    for end, spaces in stops_by_distance(graph, start):
        if end.hex == rest[0] and end not in used:
            after = find_path(graph, end, rest[1:], {*used, end})
            if after is not None:
                return (*spaces, format_stop(end), *after)
    return None


def stops_by_distance(graph: TrackGraph, start: Stop) -> Iterator[tuple[Stop, tuple[HexId, ...]]]:
    """The next stops for a train from a stop, nearest first, with the hexes between."""
    ways: deque[tuple[Stop | Side, int, tuple[HexId, ...]]] = deque()
    seen: set[int] = set()

    def go(here: Stop | Side, following: Sequence[int], spaces: tuple[HexId, ...]) -> None:
        for number in following:
            if number not in seen:
                seen.add(number)
                ways.append((graph.other_end(number, here), number, (*spaces, graph.segments[number].hex)))

    go(start, graph.segments_at.get(start, ()), ())
    while ways:
        there, number, spaces = ways.popleft()
        if isinstance(there, Stop):
            yield there, spaces[1:-1]
        else:
            go(there, graph.next_segments(number, there), spaces)
