"""The board's track as a graph: the common input of reachability and of the route search."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from .ids import HexId


class Stop(NamedTuple):
    """A stop on the board: its space and its name there."""

    hex: HexId
    node: str


class Side(NamedTuple):
    """The crossing between two adjacent spaces (`a` < `b`); `lane` tells parallel tracks apart."""

    a: HexId
    b: HexId
    lane: int = 0


class Segment(NamedTuple):
    """A piece of track within one space. Nothing runs on through a terminal one."""

    hex: HexId
    ends: tuple[Stop | Side, Stop | Side]
    is_terminal: bool = False


class StopInfo(NamedTuple):
    """What kind of stop it is, and the name of its place."""

    kind: str
    name: str


@dataclass(frozen=True)
class TrackGraph:
    """All track on the board. `gauge_sides` are the crossings of a gauge border."""

    segments: tuple[Segment, ...]
    stops: Mapping[Stop, StopInfo]
    gauge_sides: frozenset[Side]

    @cached_property
    def at(self) -> dict[Stop | Side, tuple[int, ...]]:
        """The numbers of the segments at each end."""
        table: dict[Stop | Side, list[int]] = {}
        for number, segment in enumerate(self.segments):
            for end in segment.ends:
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


def side(one: HexId, other: HexId, lane: int = 0) -> Side:
    """The crossing between two spaces, whichever is named first."""
    return Side(one, other, lane) if one < other else Side(other, one, lane)


def spaces_of(end: Side) -> Iterable[HexId]:
    """The two spaces at a crossing."""
    return (end.a, end.b)
