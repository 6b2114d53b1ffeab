"""Plain track between two stops contracted to chains, each with a bit for every crossing and piece of track it uses."""

from __future__ import annotations

from dataclasses import dataclass

from ..ids import HexId
from ..track import Side, Stop, TrackGraph


@dataclass(frozen=True)
class Chain:
    """Track from one stop to another without a stop between. `mask` has a bit for everything it uses up."""

    start: Stop
    end: Stop
    mask: int
    gauge_changes: int
    spaces: tuple[HexId, ...]
    sides: frozenset[Side]
    segments: frozenset[int]
    starts_terminal: bool
    ends_terminal: bool

    def reversed(self) -> Chain:
        """The same track run the other way."""
        return Chain(
            self.end,
            self.start,
            self.mask,
            self.gauge_changes,
            self.spaces[::-1],
            self.sides,
            self.segments,
            self.ends_terminal,
            self.starts_terminal,
        )


def chains_from(graph: TrackGraph, stop: Stop, bits: dict[Side | int, int]) -> list[Chain]:
    """All chains that leave a stop, without those that another chain to the same end makes useless.

    Only crossings need bits, and pieces of track that touch none: two pieces that share an edge share its crossing.
    """
    found: list[Chain] = []
    for first in graph.at.get(stop, ()):
        _extend(graph, stop, first, [first], [], bits, found)
    return undominated(found)


def _extend(
    graph: TrackGraph,
    start: Stop,
    number: int,
    segments: list[int],
    sides: list[Side],
    bits: dict[Side | int, int],
    found: list[Chain],
) -> None:
    here: Stop | Side = sides[-1] if sides else start
    end = graph.other_end(number, here)
    if isinstance(end, Stop):
        if end != start:
            found.append(_chain(graph, start, end, segments, sides, bits))
        return
    if end in sides:
        return
    sides.append(end)
    for onward in graph.onward(number, end):
        segments.append(onward)
        _extend(graph, start, onward, segments, sides, bits, found)
        segments.pop()
    sides.pop()


def _chain(
    graph: TrackGraph, start: Stop, end: Stop, segments: list[int], sides: list[Side], bits: dict[Side | int, int]
) -> Chain:
    mask = 0
    for used in sides or segments:
        mask |= 1 << bits.setdefault(used, len(bits))
    return Chain(
        start,
        end,
        mask,
        sum(crossing in graph.gauge_sides for crossing in sides),
        tuple(graph.segments[number].hex for number in segments[1:-1]),
        frozenset(sides),
        frozenset(segments),
        graph.segments[segments[0]].is_terminal,
        graph.segments[segments[-1]].is_terminal,
    )


def undominated(chains: list[Chain]) -> list[Chain]:
    """Drop chains that use more track and more gauge changes than another between the same stops."""
    kept: list[Chain] = []
    for chain in sorted(chains, key=lambda chain: (chain.mask.bit_count(), chain.gauge_changes)):
        if not any(
            other.end == chain.end
            and other.mask & chain.mask == other.mask
            and other.gauge_changes <= chain.gauge_changes
            and other.starts_terminal <= chain.starts_terminal
            and other.ends_terminal <= chain.ends_terminal
            for other in kept
        ):
            kept.append(chain)
    return kept
