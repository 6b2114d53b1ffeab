"""The board's track as a graph: the common input of reachability and of the route search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, NamedTuple

from bot.engine.ids import HexId


class Stop(NamedTuple):
    """A stop on the board: its hex and its name there."""

    hex: HexId
    node: str


class Side(NamedTuple):
    """The crossing between two adjacent hexes (`a` < `b`); `lane` tells parallel tracks apart, counted from `a`."""

    a: HexId
    b: HexId
    lane: int = 0


class Segment(NamedTuple):
    """A piece of track within one hex. Nothing runs on through a terminal segment. `kind` is "narrow", "dual", "shared"
    or empty.
    """

    hex: HexId
    ends: tuple[Stop | Side, Stop | Side]
    is_terminal: bool = False
    kind: str = ""


class StopInfo(NamedTuple):
    """The kind of a stop, the name of its place, and how it limits routes.

    Nothing runs through a terminus. A route visits at most one stop of a `group`.
    """

    kind: str
    name: str
    is_terminus: bool = False
    group: str = ""


class TrackAt(NamedTuple):
    """A piece of track at a stop, by where it leads to; `number` tells those apart that lead to the same."""

    stop: Stop
    towards: Stop | Side
    number: int


Place = Stop | Side | TrackAt
"""The meaning of a pair of points: the joint of a stop, a crossing, track at a stop."""


class Change(NamedTuple):
    """Points where track was taken away, and where track was added."""

    lost: set[int]
    grown: set[int]


@dataclass
class Points:
    """Track in numbers, for searches. Points come in pairs, 2n and 2n + 1, so that a point's partner is `point ^ 1`.

    A walk runs along track from a point to one of `beside[point]`, then crosses to the other one of its pair, and so
    on; it uses every pair once at most. A crossing is a pair: the point within each space. A stop is a pair for each
    piece of track there, the outer point at the track and the inner point, and a joint: one more pair beside all inner
    points. The first pair has no place: searches begin there.

    A point leads to a stop of `stops`, or by a crossing to a hex (`arrivals`), or to nothing yet; `leading` are the
    segments that lead on. `of_stop` gives the outer points of a stop, `of_side` the first point of a crossing: the one
    within its space `a`. `places` are the pairs of each space. `free` are pairs that stand for nothing now.

    Spaces are laid whole, but what stands for the same afterwards keeps its number. A copy that is changed leaves the
    original as it was.
    """

    beside: list[tuple[int, ...]] = field(default_factory=lambda: [(), ()])
    stops: list[Stop | None] = field(default_factory=lambda: [None, None])
    arrivals: list[tuple[Side, HexId] | None] = field(default_factory=lambda: [None, None])
    leading: list[tuple[int, ...]] = field(default_factory=lambda: [(), ()])
    of_stop: dict[Stop, tuple[int, ...]] = field(default_factory=dict)
    of_side: dict[Side, int] = field(default_factory=dict)
    places: dict[HexId, dict[Place, int]] = field(default_factory=dict)
    free: list[int] = field(default_factory=list)

    def copy(self) -> Points:
        return Points(*(getattr(self, part.name).copy() for part in fields(self)))

    def lay(self, hex_id: HexId, segments: Mapping[int, Segment], termini: Collection[Stop]) -> Change:
        """Let this be all track of a space, by number. Nothing runs through the termini."""
        before = {point: self.beside[point] for point in self._points_of_hex(hex_id)}
        for point in before:
            self.beside[point] = self.leading[point] = ()
        ends = _ends(segments.values())
        freed = self._allot(hex_id, [place for pair in ends for place in pair])
        pairs = self.places[hex_id]
        terminal: set[int] = set()
        for (number, segment), both in zip(segments.items(), ends, strict=True):
            one, other = (pairs[end] + (isinstance(end, Side) and hex_id == end.b) for end in both)
            for here, there in ((one, other), (other, one)):
                self.leading[here] += (number,)
                self.beside[here] += (there,)
            if segment.is_terminal:
                terminal.update((one, other))
        for stop in _stops(pairs):
            through = () if stop in termini else [point for point in self.of_stop[stop] if point not in terminal]
            self._join(pairs[stop], [point + 1 for point in through])
        return Change(
            {point for point, was in before.items() if point in freed or not self._has(point, was)},
            {
                point
                for point in self._points_of_hex(hex_id)
                if not set(before.get(point, ())).issuperset(self.beside[point])
            },
        )

    def leads_on(self, stop: Stop) -> bool:
        """Whether one piece of track leads to the stop and another leads on."""
        return sum(bool(self.beside[outer + 1]) for outer in self.of_stop[stop]) > 1

    def points_around(self, stop: Stop) -> set[int]:
        """The points from which a piece of track leads into the stop, or out of it."""
        outer = self.of_stop.get(stop, ())
        return set(outer).union(*map(self.beside.__getitem__, outer))

    def _has(self, point: int, ways: tuple[int, ...]) -> bool:
        return ways == self.beside[point] or set(self.beside[point]).issuperset(ways)

    def _points_of_hex(self, hex_id: HexId) -> list[int]:
        """The points of a space: of a crossing the one within it, of other pairs both."""
        pairs = self.places.get(hex_id, {})
        return [
            point
            for place, pair in pairs.items()
            for point in ((pair + (hex_id == place.b),) if isinstance(place, Side) else (pair, pair + 1))
        ]

    def _allot(self, hex_id: HexId, track: list[Place]) -> set[int]:
        """Give every place of a space its pair, and free those of others; the points that were freed."""
        old = self.places.get(hex_id, {})
        wanted = dict.fromkeys([*track, *(place.stop for place in track if isinstance(place, TrackAt))])
        gone = [pair for place, pair in old.items() if place not in wanted and not isinstance(place, Side)]
        self.free += gone
        for stop in _stops(old):
            del self.of_stop[stop]
        pairs = self.places[hex_id] = {place: old[place] if place in old else self._pair_of(place) for place in wanted}
        for stop in _stops(pairs):
            self.of_stop[stop] = tuple(
                pairs[place] for place in track if isinstance(place, TrackAt) and place.stop == stop
            )
        return {point for pair in gone for point in (pair, pair + 1)}

    def _pair_of(self, place: Place) -> int:
        """A pair for a place that the space has not had; its other space may know a crossing."""
        if not isinstance(place, Side):
            return self._pair([None, place.stop if isinstance(place, TrackAt) else None], [None, None])
        if place not in self.of_side:
            self.of_side[place] = self._pair([None, None], [(place, place.a), (place, place.b)])
        return self.of_side[place]

    def _pair(self, stops: list[Stop | None], arrivals: list[tuple[Side, HexId] | None]) -> int:
        """The first point of a new pair, with what one has come to at both."""
        if self.free:
            new = self.free.pop()
        else:
            new = len(self.stops)
            for parts in (self.beside, self.leading):
                parts.extend(((), ()))
        self.stops[new : new + 2] = stops
        self.arrivals[new : new + 2] = arrivals
        return new

    def _join(self, joint: int, through: list[int]) -> None:
        for inner in through:
            self.beside[inner] = (joint, joint + 1)
        self.beside[joint] = self.beside[joint + 1] = tuple(through)


def _ends(segments: Iterable[Segment]) -> list[tuple[Place, Place]]:
    times: Counter[tuple[Stop, Stop | Side]] = Counter()

    def place(end: Stop | Side, towards: Stop | Side) -> Place:
        if isinstance(end, Side):
            return end
        times[end, towards] += 1
        return TrackAt(end, towards, times[end, towards])

    return [(place(*segment.ends), place(*reversed(segment.ends))) for segment in segments]


def _stops(places: Iterable[Place]) -> list[Stop]:
    return [place for place in places if isinstance(place, Stop)]


def preset(owner: object, **results: Any) -> None:
    """Give cached properties the results that are known without computing them.

    :raises KeyError: there is no such property.
    """
    if wrong := {name for name in results if not isinstance(vars(type(owner)).get(name), cached_property)}:
        raise KeyError(*wrong)
    vars(owner).update(results)


@dataclass(frozen=True)
class TrackGraph:
    """All track on the board: `segments` by number. `gauge_sides` are the crossings of a gauge border."""

    segments: Mapping[int, Segment]
    stops: Mapping[Stop, StopInfo]
    gauge_sides: frozenset[Side]

    @cached_property
    def segments_at(self) -> dict[Stop | Side, tuple[int, ...]]:
        table: dict[Stop | Side, list[int]] = {}
        for number, segment in self.segments.items():
            for end in dict.fromkeys(segment.ends):
                table.setdefault(end, []).append(number)
        return {end: tuple(sorted(numbers)) for end, numbers in table.items()}

    def other_end(self, number: int, end: Stop | Side) -> Stop | Side:
        """The other end of a segment (the same end again for a loop)."""
        a, b = self.segments[number].ends
        return b if a == end else a

    def next_segments(self, number: int, end: Stop | Side) -> list[int]:
        """Where one can go after running along a segment to this end: at a crossing only into the next space."""
        segment = self.segments[number]
        if isinstance(end, Side):
            return [other for other in self.segments_at[end] if self.segments[other].hex != segment.hex]
        return [other for other in self.segments_at[end] if other != number]

    @cached_property
    def memo(self) -> dict[Hashable, tuple[frozenset[HexId], Any]]:
        """Facts that callers have found out about it and would find again, each with the hexes on whose track it
        depends."""
        return {}

    @cached_property
    def stops_on(self) -> dict[HexId, list[Stop]]:
        """In order."""
        table: dict[HexId, list[Stop]] = {}
        for stop in sorted(self.stops):
            table.setdefault(stop.hex, []).append(stop)
        return table

    @cached_property
    def termini(self) -> frozenset[Stop]:
        return frozenset(stop for stop, info in self.stops.items() if info.is_terminus)

    @cached_property
    def exclusive_groups(self) -> tuple[frozenset[Stop], ...]:
        """The stops of each group of several."""
        groups: dict[str, set[Stop]] = {}
        for stop, info in self.stops.items():
            if info.group:
                groups.setdefault(info.group, set()).add(stop)
        return tuple(frozenset(stops) for stops in groups.values() if len(stops) > 1)

    @cached_property
    def points(self) -> Points:
        points = Points()
        spaces: dict[HexId, dict[int, Segment]] = {}
        for number, segment in self.segments.items():
            spaces.setdefault(segment.hex, {})[number] = segment
        for hex_id, segments in spaces.items():
            points.lay(hex_id, segments, self.termini)
        return points

    def subgraph(self, numbers: Iterable[int]) -> TrackGraph:
        return replace(self, segments={number: self.segments[number] for number in numbers})


def side(one: HexId, other: HexId, lane: int = 0) -> Side:
    """The crossing between two hexes, whichever is named first."""
    return Side(one, other, lane) if one < other else Side(other, one, lane)
