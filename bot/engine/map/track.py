"""The board's track as a graph: the common input of reachability and of the route search."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import NamedTuple

from bot.engine.ids import HexId


class Stop(NamedTuple):
    """A stop on the board: its space and its name there."""

    hex: HexId
    node: str


class Side(NamedTuple):
    """The crossing between two adjacent spaces (`a` < `b`); `lane` tells parallel tracks apart, counted from `a`."""

    a: HexId
    b: HexId
    lane: int = 0


class Segment(NamedTuple):
    """A piece of track within one space. Nothing runs on through a terminal one. `kind` is "narrow", "dual", "shared"
    or nothing."""

    hex: HexId
    ends: tuple[Stop | Side, Stop | Side]
    is_terminal: bool = False
    kind: str = ""


class StopInfo(NamedTuple):
    """What kind of stop it is, the name of its place, and how it bounds every way over the board.

    Nothing runs through a terminus. Of the stops of one `group` a way visits at most one.
    """

    kind: str
    name: str
    is_terminus: bool = False
    group: str = ""


@dataclass
class Points:
    """Track in numbers, for searches. Points come in pairs, 2n and 2n + 1, so that the other one is `point ^ 1`.

    A walk runs along track from a point to one of `beside[point]`, then crosses to the other one of its pair, and so on;
    it uses every pair once at most. A crossing is a pair: the point within each space. A stop is a pair for each piece
    of track there, the outer point at the track and the inner one, and a joint: one more pair beside all inner points.
    `onward` is the same with the joints left out: from an inner point to the other inner ones.

    `uses` are the pairs that crossing to a point uses, as bits; at a stop the joint among them. `reached` is what one
    has reached there, `leading` the segments that lead on. `of_stop` gives the outer points of a stop, then the joint,
    `of_side` the first point of a crossing: the one within its space `a`. `free` are pairs that stand for nothing now.

    Spaces are added and removed whole. A copy that is changed leaves the original as it was.
    """

    beside: list[tuple[int, ...]] = field(default_factory=list)
    onward: list[tuple[int, ...]] = field(default_factory=list)
    uses: list[int] = field(default_factory=list)
    reached: list[Stop | Side | None] = field(default_factory=list)
    leading: list[tuple[int, ...]] = field(default_factory=list)
    of_stop: dict[Stop, list[int]] = field(default_factory=dict)
    of_side: dict[Side, int] = field(default_factory=dict)
    free: list[int] = field(default_factory=list)

    def copy(self) -> Points:
        """The same points, to be changed."""
        return Points(*(getattr(self, part.name).copy() for part in fields(self)))

    def add(self, segments: Mapping[int, Segment]) -> None:
        """Add all track of some spaces, by number."""
        of_stop: dict[Stop, list[int]] = {}
        terminal: set[int] = set()
        for number, (hex_id, ends, is_terminal, _) in segments.items():
            one, other = (self._end(hex_id, end, of_stop) for end in ends)
            for here, there in ((one, other), (other, one)):
                self.leading[here] += (number,)
                self.beside[here] = self.onward[here] = (*self.beside[here], there)
            if is_terminal:
                terminal.update((one, other))
        for outer in of_stop.values():
            self._join(outer, terminal)
        self.of_stop.update(of_stop)

    def remove(self, segments: Iterable[Segment]) -> None:
        """Remove all track of some spaces. Their crossings stay: other spaces may lead there."""
        for hex_id, ends, _, _ in segments:
            for end in ends:
                if isinstance(end, Side):
                    self._clear(self._within(hex_id, end))
                else:
                    for point in self.of_stop.pop(end, ()):
                        self._clear(point)
                        self._clear(point + 1)
                        self.free.append(point)

    def _clear(self, point: int) -> None:
        self.beside[point] = self.onward[point] = self.leading[point] = ()

    def _pair(self, first: Stop | Side | None, second: Stop | Side | None) -> int:
        """The first point of a new pair, with what is reached at both."""
        if self.free:
            new = self.free.pop()
        else:
            new = len(self.reached)
            for parts in (self.beside, self.onward, self.leading):
                parts.extend(((), ()))
            self.reached.extend((None, None))
            self.uses.extend((0, 0))
        self.reached[new], self.reached[new + 1] = first, second
        self.uses[new] = self.uses[new + 1] = 1 << (new >> 1)
        return new

    def _end(self, hex_id: HexId, end: Stop | Side, of_stop: dict[Stop, list[int]]) -> int:
        """The point at which a segment ends: within its space at a crossing, the outer one of a new pair at a stop."""
        if isinstance(end, Side):
            if end not in self.of_side:
                self.of_side[end] = self._pair(end, end)
            return self._within(hex_id, end)
        new = self._pair(None, end)
        of_stop.setdefault(end, []).append(new)
        return new

    def _within(self, hex_id: HexId, crossing: Side) -> int:
        return self.of_side[crossing] + (hex_id == crossing.b)

    def _join(self, outer: list[int], terminal: set[int]) -> None:
        """Join the track of a stop; terminal track stays apart."""
        joint = self._pair(None, None)
        self.uses[joint] = self.uses[joint + 1] = 0
        through = tuple(point + 1 for point in outer if point not in terminal)
        for point in outer:
            self.uses[point + 1] |= 1 << (joint >> 1)
        for inner in through:
            self.beside[inner] = (joint, joint + 1)
            self.onward[inner] = tuple(other for other in through if other != inner)
        self.beside[joint] = self.beside[joint + 1] = through
        outer.append(joint)


@dataclass(frozen=True)
class TrackGraph:
    """All track on the board: `segments` by number. `gauge_sides` are the crossings of a gauge border."""

    segments: Mapping[int, Segment]
    stops: Mapping[Stop, StopInfo]
    gauge_sides: frozenset[Side]

    @cached_property
    def at(self) -> dict[Stop | Side, tuple[int, ...]]:
        """The numbers of the segments at each end."""
        table: dict[Stop | Side, list[int]] = {}
        for number, segment in self.segments.items():
            for end in dict.fromkeys(segment.ends):
                table.setdefault(end, []).append(number)
        return {end: tuple(numbers) for end, numbers in table.items()}

    def other_end(self, number: int, end: Stop | Side) -> Stop | Side:
        """The end of a segment that is not this one (the same one again for a loop)."""
        a, b = self.segments[number].ends
        return b if a == end else a

    def onward(self, number: int, end: Stop | Side) -> list[int]:
        """Where one can go after running along a segment to this end: at a crossing only into the next space."""
        segment = self.segments[number]
        if isinstance(end, Side):
            return [other for other in self.at[end] if self.segments[other].hex != segment.hex]
        return [other for other in self.at[end] if other != number]

    @cached_property
    def termini(self) -> frozenset[Stop]:
        """The stops beyond which nothing leads."""
        return frozenset(stop for stop, info in self.stops.items() if info.is_terminus)

    @cached_property
    def final(self) -> frozenset[int]:
        """The points within them."""
        of_stop = self.points.of_stop
        return frozenset(outer + 1 for stop in self.termini for outer in of_stop.get(stop, [])[:-1])

    @cached_property
    def apart(self) -> tuple[frozenset[Stop], ...]:
        """The stops of each group of several."""
        groups: dict[str, set[Stop]] = {}
        for stop, info in self.stops.items():
            if info.group:
                groups.setdefault(info.group, set()).add(stop)
        return tuple(frozenset(stops) for stops in groups.values() if len(stops) > 1)

    @cached_property
    def points(self) -> Points:
        """The graph in numbers."""
        points = Points()
        points.add(self.segments)
        return points

    def only(self, numbers: Iterable[int]) -> TrackGraph:
        """These pieces of track alone."""
        return replace(self, segments={number: self.segments[number] for number in numbers})


def side(one: HexId, other: HexId, lane: int = 0) -> Side:
    """The crossing between two spaces, whichever is named first."""
    return Side(one, other, lane) if one < other else Side(other, one, lane)
