"""The board's track as a graph: the common input of reachability and of the route search."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from bot.engine.data.board import Board
from bot.engine.ids import HexId, TileId

from .maps import GameMap
from .tiles import Path, Tile


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


class Points(NamedTuple):
    """The graph in numbers, for searches. Points come in pairs, 2n and 2n + 1, so that the other one is `point ^ 1`.

    A walk runs along track from a point to one of `beside[point]`, then crosses to the other one of its pair, and so on;
    it uses every pair once at most. A crossing is a pair: the point within each space. A stop is a pair for each piece
    of track there, the outer point at the track and the inner one, and a joint: one more pair beside all inner points.
    `onward` is the same with the joints left out: from an inner point to the other inner ones.

    `uses` are the pairs that crossing to a point uses, as bits; at a stop the joint among them. `reached` is what one
    has reached there, `leading` the segments that lead on. `of_stop` gives the outer points of a stop, then the joint,
    `of_side` the first point of a crossing: the one within its space `a`.
    """

    beside: list[list[int]]
    onward: list[list[int]]
    uses: list[int]
    reached: list[Stop | Side | None]
    leading: list[list[int]]
    of_stop: dict[Stop, list[int]]
    of_side: dict[Side, int]


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
            for end in dict.fromkeys(segment.ends):
                table.setdefault(end, []).append(number)
        return {end: tuple(numbers) for end, numbers in table.items()}

    @cached_property
    def part(self) -> dict[Stop | Side, int]:
        """The number of the connected part that each end of track belongs to. What is in two parts is never joined; what
        is in one need not be: tokens and ends of routes are not looked at."""
        found: dict[Stop | Side, int] = {}
        for number, begin in enumerate(self.at):
            queue = [begin] if begin not in found else []
            for end in queue:
                if end not in found:
                    found[end] = number
                    queue += [other for segment in self.at[end] for other in self.segments[segment].ends]
        return found

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
        return _points(self)

    def only(self, kinds: frozenset[str]) -> TrackGraph:
        """The track of these kinds. Segments are numbered anew."""
        segments = tuple(segment for segment in self.segments if segment.kind in kinds)
        return TrackGraph(segments, self.stops, self.gauge_sides)


def side(one: HexId, other: HexId, lane: int = 0) -> Side:
    """The crossing between two spaces, whichever is named first."""
    return Side(one, other, lane) if one < other else Side(other, one, lane)


def spaces_of(end: Side) -> Iterable[HexId]:
    """The two spaces at a crossing."""
    return (end.a, end.b)


# -- in numbers ---------------------------------------------------------------------------------------


def _points(graph: TrackGraph) -> Points:
    reached: list[Stop | Side | None] = []
    of_stop: dict[Stop, list[int]] = {}
    of_side: dict[Side, int] = {}

    def point_at(hex_id: HexId, end: Stop | Side) -> int:
        """The point at which a segment ends: within its space at a crossing, the outer one of a new pair at a stop."""
        new = len(reached)
        if isinstance(end, Stop):
            reached.extend((None, end))
            of_stop.setdefault(end, []).append(new)
            return new
        pair = of_side.setdefault(end, new)
        if pair == new:
            reached.extend((end, end))
        return pair if hex_id == end.a else pair + 1

    joined = [(point_at(hex_id, first), point_at(hex_id, second)) for hex_id, (first, second), _, _ in graph.segments]
    beside: list[list[int]] = [[] for _ in reached]
    leading: list[list[int]] = [[] for _ in reached]
    for number, (one, other) in enumerate(joined):
        beside[one].append(other)
        beside[other].append(one)
        leading[one].append(number)
        leading[other].append(number)
    uses = [1 << (point >> 1) for point in range(len(reached))]
    points = Points(beside, beside.copy(), uses, reached, leading, of_stop, of_side)
    for outer in of_stop.values():
        _join(points, graph, outer)
    return points


def _join(points: Points, graph: TrackGraph, outer: list[int]) -> None:
    """Join the track of a stop; terminal track stays apart."""
    joint = len(points.beside)
    through = [point + 1 for point in outer if not graph.segments[points.leading[point][0]].is_terminal]
    for point in outer:
        points.uses[point + 1] |= 1 << (joint >> 1)
    for inner in through:
        points.beside[inner] = [joint, joint + 1]
        points.onward[inner] = [other for other in through if other != inner]
    points.beside.extend((through, through))
    points.onward.extend(([], []))
    points.uses.extend((0, 0))
    points.reached.extend((None, None))
    points.leading.extend(([], []))
    outer.append(joint)


# -- from the board -----------------------------------------------------------------------------------


class SpaceTrack(NamedTuple):
    """One space's share of the graph."""

    segments: tuple[Segment, ...]
    stops: tuple[tuple[Stop, StopInfo], ...]
    gauge_sides: tuple[Side, ...]


def track_graph(
    game_map: GameMap, tiles: Mapping[TileId, Tile], board: Board, one_city_a_space: bool = False
) -> TrackGraph:
    """All track on the board. What a space contributes is remembered by the tile as it lies."""
    segments: list[Segment] = []
    stops: dict[Stop, StopInfo] = {}
    gauge: list[Side] = []
    laid = board.tiles
    for hex_id, space in game_map.hexes.items():
        on_it = laid.get(hex_id)
        tile = tiles[on_it.tile].rotated(on_it.rotation) if on_it else space.printed
        if tile.nodes or tile.paths:
            here = track_of(game_map, hex_id, tile, one_city_a_space)
            segments += here.segments
            stops.update(here.stops)
            gauge += here.gauge_sides
    return TrackGraph(tuple(segments), stops, frozenset(gauge))


@lru_cache(maxsize=32768)
def track_of(game_map: GameMap, hex_id: HexId, tile: Tile, one_city_a_space: bool = False) -> SpaceTrack:
    """The track of a tile as it lies on a space. Track that leads off the map is left out.

    What is printed as an off-board place is a terminus. With `one_city_a_space` the cities of a space are a group.
    """
    name = game_map.hexes[hex_id].name or hex_id
    segments: list[Segment] = []
    gauge: list[Side] = []
    for path in tile.paths:
        ends = [_end(game_map, hex_id, path, place) for place in (0, 1)] if path.is_track else []
        if len(ends) == 2 and ends[0] is not None and ends[1] is not None:
            kind = "narrow" if path.is_narrow else path.mark
            segments.append(Segment(hex_id, (ends[0], ends[1]), path.is_terminal, kind))
        for edge in path.edges:
            other = game_map.neighbour(hex_id, edge)
            if other and path.is_track and game_map.is_border(hex_id, edge):
                gauge += [end for end in ends if isinstance(end, Side) and other in (end.a, end.b)]
    cities = hex_id if one_city_a_space and len(tile.cities) > 1 else ""
    stops = tuple(
        (
            Stop(hex_id, node.id),
            StopInfo(node.kind, name, node.kind == "offboard", cities if node.kind == "city" else ""),
        )
        for node in tile.nodes
    )
    return SpaceTrack(tuple(segments), stops, tuple(gauge))


def _end(game_map: GameMap, hex_id: HexId, path: Path, place: int) -> Stop | Side | None:
    """An end of a path on the board; None off the map. Seen from its other space a lane's number runs the other way."""
    end = (path.a, path.b)[place]
    if isinstance(end, str):
        return Stop(hex_id, end)
    other = game_map.neighbour(hex_id, end)
    if other is None:
        return None
    width, lane = path.lanes[place] if path.lanes else (1, 0)
    return side(hex_id, other, lane if hex_id < other else width - 1 - lane)
