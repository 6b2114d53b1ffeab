"""Plain track between two stops contracted to chains, each with a bit for every crossing and piece of track it uses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bot.engine.ids import HexId
from bot.engine.map.track import Side, Stop, TrackGraph


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


@dataclass(frozen=True)
class Partial:
    """Track from a stop to a crossing, on the way to become a chain."""

    end: Stop | Side
    segments: tuple[int, ...]
    sides: tuple[Side, ...]
    mask: int


class Contraction:
    """Finds chains. `bits` numbers track, `specials` are the sets of segments that chains are marked with.

    Only crossings need bits, and pieces of track that touch none: two pieces that share an edge share its crossing.
    Chains grow breadth first, so that the short ones are there if `may_go_on` says no; `is_complete` tells.
    """

    def __init__(
        self, graph: TrackGraph, specials: tuple[frozenset[int], ...] = (), may_go_on: Callable[[], bool] = lambda: True
    ) -> None:
        self.graph = graph
        self.specials = specials
        self.may_go_on = may_go_on
        self.is_complete = True
        self.bits: dict[Side | int, int] = {}

    def chains_from(self, stop: Stop) -> list[Chain]:
        """All chains that leave a stop, without those that another chain to the same end makes useless."""
        found: list[Chain] = []
        queue = [self._partial(stop, number, (), (), 0) for number in self.graph.at.get(stop, ())]
        for index, partial in enumerate(queue):
            if not index & 1023 and index and not self.may_go_on():
                self.is_complete = False
                break
            if isinstance(partial.end, Stop):
                if partial.end != stop:
                    found.append(self.chain(stop, partial.end, partial.segments, partial.sides))
                continue
            if partial.mask >> self._bit(partial.end) & 1:
                continue
            sides = (*partial.sides, partial.end)
            mask = partial.mask | 1 << self._bit(partial.end)
            for onward in self.graph.onward(partial.segments[-1], partial.end):
                queue.append(self._partial(partial.end, onward, partial.segments, sides, mask))
        return undominated(found)

    def _partial(
        self, here: Stop | Side, number: int, segments: tuple[int, ...], sides: tuple[Side, ...], mask: int
    ) -> Partial:
        return Partial(self.graph.other_end(number, here), (*segments, number), sides, mask)

    def _bit(self, used: Side | int) -> int:
        return self.bits.setdefault(used, len(self.bits))

    def chain(self, start: Stop, end: Stop, segments: tuple[int, ...], sides: tuple[Side, ...]) -> Chain:
        """Segments from one stop to the next, with the crossings between them, as a chain."""
        mask = 0
        for used in sides or segments:
            mask |= 1 << self._bit(used)
        marks = sum(1 << number for number, special in enumerate(self.specials) if not special.isdisjoint(segments))
        return Chain(
            start,
            end,
            mask,
            sum(crossing in self.graph.gauge_sides for crossing in sides),
            marks,
            tuple(self.graph.segments[number].hex for number in segments[1:-1]),
            sides,
            segments,
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
