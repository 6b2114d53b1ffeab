"""Plain track between two stops contracted to chains, each with a bit for every crossing and piece of track it uses."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from bot.engine import HexId
from bot.engine.board import Side, Stop, TrackGraph

MAX_UNCHECKED = 1023
"""Pieces of track between two checks of the time; a power of two less one."""


class Chain(NamedTuple):
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

    @property
    def uses(self) -> tuple[Side | int, ...]:
        """The track that it uses up: its crossings, or the pieces of track that touch none."""
        return self.sides or self.segments

    def reverse(self) -> Chain:
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


class Partial(NamedTuple):
    """Track from a stop to a crossing, on the way to become a chain."""

    end: Stop | Side
    segments: tuple[int, ...]
    sides: tuple[Side, ...]


class Found(NamedTuple):
    """The track that leaves a stop: the chains, without bits, and all crossings and pieces of track in their order."""

    chains: list[Chain]
    used: list[Side | int]


class Contraction:
    """Finds chains. `bits` numbers track, `specials` are the sets of segments that chains are marked with.

    Only crossings need bits, and pieces of track that touch none: two pieces that share an edge share its crossing.
    Chains grow breadth first, so that short chains are there if `may_go_on` says no; `is_complete` tells.
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
        """All chains that leave a stop, without those that another chain to the same end makes useless. They are kept with
        the graph: all companies, and all trains of each, ask for them."""
        key = (stop, self.specials)
        if key in self.graph.memo:
            found: Found = self.graph.memo[key][1]
        else:
            asked, found = self._walk(stop)
            if not asked:
                self.graph.memo[key] = (_hexes(stop, found.used), found)
        for used in found.used:
            self._bit(used)
        return [self._with_bits(chain) for chain in found.chains]

    def _walk(self, stop: Stop) -> tuple[bool, Found]:
        """Look for them; and whether it was asked if there is time for all."""
        chains: list[Chain] = []
        used: dict[Side | int, None] = {}
        queue = [self._partial(stop, number, (), ()) for number in self.graph.segments_at.get(stop, ())]
        index = 0
        for index, (end, segments, sides) in enumerate(queue):
            if not index & MAX_UNCHECKED and index and not self.may_go_on():
                self.is_complete = False
                break
            if isinstance(end, Stop):
                if end != stop:
                    chains.append(self._without_bits(stop, end, segments, sides))
                    used.update(dict.fromkeys(chains[-1].uses))
                continue
            if end in sides:
                continue
            used[end] = None
            for onward in self.graph.next_segments(segments[-1], end):
                queue.append(self._partial(end, onward, segments, (*sides, end)))
        return index > MAX_UNCHECKED, Found(drop_dominated(chains), list(used))

    def _partial(self, here: Stop | Side, number: int, segments: tuple[int, ...], sides: tuple[Side, ...]) -> Partial:
        return Partial(self.graph.other_end(number, here), (*segments, number), sides)

    def _bit(self, used: Side | int) -> int:
        return self.bits.setdefault(used, len(self.bits))

    def chain(self, start: Stop, end: Stop, segments: tuple[int, ...], sides: tuple[Side, ...]) -> Chain:
        """The segments between two stops, with the crossings between them, as a chain."""
        return self._with_bits(self._without_bits(start, end, segments, sides))

    def _with_bits(self, chain: Chain) -> Chain:
        mask = 0
        for used in chain.uses:
            mask |= 1 << self._bit(used)
        return chain._replace(mask=mask)

    def _without_bits(self, start: Stop, end: Stop, segments: tuple[int, ...], sides: tuple[Side, ...]) -> Chain:
        marks = sum(1 << number for number, special in enumerate(self.specials) if not special.isdisjoint(segments))
        return Chain(
            start,
            end,
            0,
            sum(crossing in self.graph.gauge_sides for crossing in sides),
            marks,
            tuple(self.graph.segments[number].hex for number in segments[1:-1]),
            sides,
            segments,
            self.graph.segments[segments[0]].is_terminal,
            self.graph.segments[segments[-1]].is_terminal,
        )


def _hexes(stop: Stop, used: Iterable[Side | int]) -> frozenset[HexId]:
    """Where track might change what leaves the stop: all spaces that one comes to."""
    return frozenset([stop.hex, *(place for side in used if isinstance(side, Side) for place in (side.a, side.b))])


def drop_dominated(chains: list[Chain]) -> list[Chain]:
    """Drop chains that another between the same stops makes useless: it uses part of the track, no more changes of
    gauge, and passes all special segments that the dropped one passes."""
    kept: dict[Stop, list[tuple[Chain, frozenset[Side | int]]]] = {}
    uses = [(chain, frozenset(chain.uses)) for chain in chains]
    for chain, used in sorted(uses, key=lambda one: (len(one[1]), one[0].gauge_changes)):
        rivals = kept.setdefault(chain.end, [])
        if not any(its <= used and _beats(other, chain) for other, its in rivals):
            rivals.append((chain, used))
    return [chain for rivals in kept.values() for chain, _ in rivals]


def _beats(one: Chain, other: Chain) -> bool:
    return (
        one.gauge_changes <= other.gauge_changes
        and one.marks & other.marks == other.marks
        and one.starts_terminal <= other.starts_terminal
        and one.ends_terminal <= other.ends_terminal
    )
