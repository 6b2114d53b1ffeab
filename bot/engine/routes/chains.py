"""Plain track between two stops contracted to chains, each with a bit for every crossing and piece of track it uses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..ids import HexId
from ..track import Side, Stop, TrackGraph


@dataclass(frozen=True)
class Chain:
    """Track from one stop to another without a stop between. `mask` has a bit for everything it uses up.

    `marks` has a bit for each set of special segments that the chain touches.
    """

    start: Stop
    end: Stop
    mask: int
    gauge_changes: int
    marks: int
    spaces: tuple[HexId, ...]
    sides: tuple[Side, ...]
    segments: tuple[int, ...]
    starts_terminal: bool
    ends_terminal: bool

    def reversed(self) -> Chain:
        """The same track run the other way."""
        return Chain(
            self.end,
            self.start,
            self.mask,
            self.gauge_changes,
            self.marks,
            self.spaces[::-1],
            self.sides[::-1],
            self.segments[::-1],
            self.ends_terminal,
            self.starts_terminal,
        )


class Contraction:
    """Finds chains. `bits` numbers track, `specials` are the sets of segments that chains are marked with.

    Only crossings need bits, and pieces of track that touch none: two pieces that share an edge share its crossing.
    """

    def __init__(
        self, graph: TrackGraph, specials: tuple[frozenset[int], ...] = (), check_time: Callable[[], None] | None = None
    ) -> None:
        self.graph = graph
        self.specials = specials
        self.check_time = check_time
        self.bits: dict[Side | int, int] = {}

    def chains_from(self, stop: Stop) -> list[Chain]:
        """All chains that leave a stop, without those that another chain to the same end makes useless."""
        found: list[Chain] = []
        for first in self.graph.at.get(stop, ()):
            self._extend(stop, stop, first, [first], [], found)
        return undominated(found)

    def _extend(
        self, start: Stop, here: Stop | Side, number: int, segments: list[int], sides: list[Side], found: list[Chain]
    ) -> None:
        end = self.graph.other_end(number, here)
        if isinstance(end, Stop):
            if end != start:
                found.append(self._chain(start, end, segments, sides))
                if self.check_time and not len(found) & 255:
                    self.check_time()
            return
        if end in sides:
            return
        sides.append(end)
        for onward in self.graph.onward(number, end):
            segments.append(onward)
            self._extend(start, end, onward, segments, sides, found)
            segments.pop()
        sides.pop()

    def _chain(self, start: Stop, end: Stop, segments: list[int], sides: list[Side]) -> Chain:
        mask = 0
        for used in sides or segments:
            mask |= 1 << self.bits.setdefault(used, len(self.bits))
        marks = sum(1 << number for number, special in enumerate(self.specials) if not special.isdisjoint(segments))
        return Chain(
            start,
            end,
            mask,
            sum(crossing in self.graph.gauge_sides for crossing in sides),
            marks,
            tuple(self.graph.segments[number].hex for number in segments[1:-1]),
            tuple(sides),
            tuple(segments),
            self.graph.segments[segments[0]].is_terminal,
            self.graph.segments[segments[-1]].is_terminal,
        )


def undominated(chains: list[Chain]) -> list[Chain]:
    """Drop chains that another between the same stops makes useless: it uses part of the track, no more changes of
    gauge, and passes all special segments that the dropped one passes."""
    kept: dict[Stop, list[Chain]] = {}
    for chain in sorted(chains, key=lambda chain: (chain.mask.bit_count(), chain.gauge_changes)):
        rivals = kept.setdefault(chain.end, [])
        if not any(_beats(other, chain) for other in rivals):
            rivals.append(chain)
    return [chain for rivals in kept.values() for chain in rivals]


def _beats(one: Chain, other: Chain) -> bool:
    return (
        one.mask & other.mask == one.mask
        and one.gauge_changes <= other.gauge_changes
        and one.marks & other.marks == other.marks
        and one.starts_terminal <= other.starts_terminal
        and one.ends_terminal <= other.ends_terminal
    )
