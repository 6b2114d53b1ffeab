"""The track of a board and what can be reached there: one structure for legality, tokens, routes and pictures.

A ground never changes. That of another board is made from it (`on`): the data of other hexes is shared, the graph's
points are changed where a tile is, and the known reach is kept as long as no walk comes to a changed hex.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from typing import Any, Generic, NamedTuple, TypeVar

from bot.engine.ids import HexId, TileId
from bot.engine.state.board import Board, PlacedTile

from .game_map import GameMap
from .reachability import Network, Reachability, closed_points, network
from .tiles import Path, Tile
from .track import Change, Points, Segment, Side, Stop, StopInfo, TrackGraph, preset, side
from .upgrades import stop_successors

ROOM = 64
"""Numbers reserved for each hex; no tile has more pieces of track."""

MOST_KEPT = 8
"""Searches kept from the same stops, with different blocked or avoided stops; also the number of networks kept."""

MOST_CARRIED = 32
"""Boards over which a result is carried that nobody asks for."""

Key = TypeVar("Key", bound=Hashable)
Found = TypeVar("Found")
Fact = TypeVar("Fact")


class HexTrack(NamedTuple):
    segments: Mapping[int, Segment]
    stops: Mapping[Stop, StopInfo]
    gauge_sides: tuple[Side, ...]


class TrackDiff(NamedTuple):
    """The hexes with other track than on the board before, and what that is for the graph's points."""

    spaces: frozenset[HexId]
    change: Change


class CachedReach(NamedTuple, Generic[Found]):
    """The facts found on the ground with this number."""

    number: int
    found: Found


@dataclass(frozen=True, eq=False)
class TrackIndex:
    """The track on a board. `laid` are the tiles there, `spaces` what each hex has, in map order.

    `networks` are what was found, by the stops that walks began at and whether some stops were kept apart, `walks` the
    searches from such stops, past these or those blocked stops. `facts` are the known facts of each hex, None where
    that is not known. Facts of earlier boards are carried over by the `differences` since, of which the last leads to
    this `number`, on demand: most boards are looked at for one company and never again.
    """

    map: GameMap
    tiles: Mapping[TileId, Tile]
    one_city_a_space: bool
    laid: Mapping[HexId, PlacedTile]
    spaces: Mapping[HexId, HexTrack]
    number: int = 0
    differences: tuple[TrackDiff, ...] = ()
    networks: dict[tuple[frozenset[Stop], bool], CachedReach[list[Network]]] = field(default_factory=dict)
    walks: dict[frozenset[Stop], CachedReach[list[Reachability]]] = field(default_factory=dict)
    facts: dict[Hashable, CachedReach[dict[HexId, Any]]] = field(default_factory=dict)

    @cached_property
    def graph(self) -> TrackGraph:
        """All of the track. A piece of track has the same number on every board that has it; they stand in no order."""
        return build_graph(self.spaces.values())

    def updated_for(self, board: Board) -> TrackIndex:
        """The index of another board; the same index if the same tiles are on it."""
        laid = board.tiles
        changed = [hex_id for hex_id, tile in laid.items() if self.laid.get(hex_id) != tile]
        changed += self.laid.keys() - laid.keys()
        if not changed:
            return self
        spaces = {hex_id: self._track_of(hex_id, laid.get(hex_id)) for hex_id in changed}
        points, change = self._points_with(spaces)
        number, differences = self.number + 1, (*self.differences, TrackDiff(frozenset(changed), change))
        parts = [self._carry_over(part) for part in (self.networks, self.walks, self.facts)]
        other = TrackIndex(
            self.map,
            self.tiles,
            self.one_city_a_space,
            laid.copy(),
            {**self.spaces, **spaces},
            number,
            differences[-MOST_CARRIED:],
            *parts,
        )
        graph = self._graph_with(spaces, other.spaces)
        # The result that the graph would compute without help.
        found = {key: one for key, one in self.graph.memo.copy().items() if one[0].isdisjoint(changed)}
        preset(graph, segments_at=self._segments_at_with(spaces), points=points, memo=found)
        if not self.one_city_a_space:
            preset(graph, exclusive_groups=())
        preset(other, graph=graph)
        return other

    def _graph_with(self, spaces: Mapping[HexId, HexTrack], everywhere: Mapping[HexId, HexTrack]) -> TrackGraph:
        """The graph where these hexes have other track: made from the present graph if they have the same stops, and
        are at no border of gauges."""
        old, before = self.graph, [self.spaces[hex_id] for hex_id in spaces]
        has_other_stops = any(was.stops != now.stops for was, now in zip(before, spaces.values(), strict=True))
        if has_other_stops or any(here.gauge_sides for here in (*before, *spaces.values())):
            return build_graph(everywhere.values())
        segments = {**old.segments}
        for number in [number for here in before for number in here.segments]:
            del segments[number]
        for here in spaces.values():
            segments |= here.segments
        graph = TrackGraph(segments, old.stops, old.gauge_sides)
        if "stops_on" in vars(old):
            preset(graph, stops_on=old.stops_on)
        return graph

    def _carry_over(self, known: dict[Key, CachedReach[Found]]) -> dict[Key, CachedReach[Found]]:
        """The facts that the next ground can still bring up to date."""
        # Copied first: games in other threads may share this ground.
        return {key: kept for key, kept in known.copy().items() if kept.number > self.number - MOST_CARRIED}

    def _current(
        self, known: dict[Key, CachedReach[Found]], key: Key, nothing: Found, carry: Callable[[Found, TrackDiff], Found]
    ) -> Found:
        """The facts that still hold, or nothing; `carry` tells what does over one difference."""
        number, found = known.get(key, (self.number, nothing))
        if number < self.number:
            for difference in self.differences[number - self.number :]:
                found = carry(found, difference)
            known[key] = CachedReach(self.number, found)
        return found

    def _points_with(self, spaces: Mapping[HexId, HexTrack]) -> tuple[Points, Change]:
        points, change = self.graph.points.copy(), Change(set(), set())
        for hex_id, here in spaces.items():
            termini = [stop for stop, info in here.stops.items() if info.is_terminus]
            lost, grown = points.lay(hex_id, here.segments, termini)
            change.lost.update(lost)
            change.grown.update(grown)
        return points, change

    def _segments_at_with(self, spaces: Mapping[HexId, HexTrack]) -> dict[Stop | Side, tuple[int, ...]]:
        table = self.graph.segments_at.copy()
        for hex_id, here in spaces.items():
            for number, segment in self.spaces[hex_id].segments.items():
                for end in segment.ends:
                    table[end] = tuple(other for other in table[end] if other != number)
            for number, segment in here.segments.items():
                for end in dict.fromkeys(segment.ends):
                    table[end] = tuple(sorted((*table.get(end, ()), number)))
        return table

    def _track_of(self, hex_id: HexId, laid: PlacedTile | None) -> HexTrack:
        tile = self.tiles[laid.tile].rotate(laid.rotation) if laid else self.map.hexes[hex_id].printed
        return track_of(self.map, hex_id, tile, self.one_city_a_space)

    def memo_per_hex(self, key: Hashable, tell: Callable[[HexId], Fact]) -> Mapping[HexId, Fact]:
        """The answer of `tell` for each hex, in map order: asked again only where the tile has changed since. `key`
        stands for all else on which it depends."""
        if key not in self.facts:
            self.facts[key] = CachedReach(self.number, dict.fromkeys(self.spaces))
        known = self._current(self.facts, key, {}, lambda known, other: {**known, **dict.fromkeys(other.spaces)})
        for hex_id, fact in known.items():
            if fact is None:
                known[hex_id] = tell(hex_id)
        return known

    def network(self, sources: Collection[Stop], blocked: Collection[Stop], keeps_apart: bool = True) -> Network:
        """The stops that can be reached from these stops past no blocked stop, as in `network`; without keeping stops
        apart as much or more, for less work."""
        starts, groups = frozenset(sources), self.graph.exclusive_groups if keeps_apart else ()
        key = (starts, bool(groups))
        known = self._current(self.networks, key, [], _unaffected_networks)
        for one in known:
            if one.blocked == one.stops.intersection(blocked):
                return one
        find = partial(self._walks, closed_points(self.graph.points, blocked))
        found = network(self.graph, starts, blocked, groups, find)
        self.networks[key] = CachedReach(self.number, [found, *known][:MOST_KEPT])
        return found

    def _walks(self, closed: frozenset[int], starts: frozenset[Stop], avoided: frozenset[Stop]) -> Reachability:
        """The walks from some stops, as those go on that were found, here or on earlier boards."""
        points = self.graph.points
        known = self._current(self.walks, starts, [], _remaining_walks)
        older = next((walks for walks in known if walks.is_compatible(avoided, closed)), None)
        walks = older.resume(points, closed) if older else Reachability(points, starts, avoided, closed)
        if walks is not older:
            others = [other for other in known if other is not older]
            self.walks[starts] = CachedReach(self.number, [walks, *others][:MOST_KEPT])
        return walks


def build_graph(spaces: Iterable[HexTrack]) -> TrackGraph:
    segments: dict[int, Segment] = {}
    stops: dict[Stop, StopInfo] = {}
    gauge: set[Side] = set()
    for here in spaces:
        if here.stops or here.segments:
            segments |= here.segments
            stops |= here.stops
            gauge.update(here.gauge_sides)
    return TrackGraph(segments, stops, frozenset(gauge))


def _unaffected_networks(known: list[Network], difference: TrackDiff) -> list[Network]:
    return [one for one in known if one.hexes.isdisjoint(difference.spaces)]


def _remaining_walks(known: list[Reachability], difference: TrackDiff) -> list[Reachability]:
    return [after for one in known if (after := one.with_change(difference.change, difference.spaces))]


def printed_index(game_map: GameMap, tiles: Mapping[TileId, Tile], one_city_a_space: bool = False) -> TrackIndex:
    spaces = {
        hex_id: track_of(game_map, hex_id, space.printed, one_city_a_space) for hex_id, space in game_map.hexes.items()
    }
    return TrackIndex(game_map, tiles, one_city_a_space, {}, spaces)


@lru_cache(maxsize=32768)
def track_of(game_map: GameMap, hex_id: HexId, tile: Tile, one_city_a_space: bool = False) -> HexTrack:
    """The track of a tile, rotated as on its hex. Track that leads off the map is left out.

    A printed off-board area is a terminus. With `one_city_a_space` the cities of a hex are a group.
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
    stops = {
        Stop(hex_id, node.id): StopInfo(node.kind, name, node.kind == "offboard", cities if node.kind == "city" else "")
        for node in tile.nodes
    }
    return HexTrack(dict(enumerate(segments, game_map.numbers[hex_id] * ROOM)), stops, tuple(gauge))


class TileChange(NamedTuple):
    """The change from the former tile to this: which stop continues each of its stops, those that several of them are
    `merged` to; the `track` that was not there before; whether any of its track is terminal."""

    successors: Mapping[str, str]
    merged: frozenset[str]
    track: Sequence[Segment]
    has_terminal: bool

    def meets(
        self, hex_id: HexId, ends: Collection[Stop | Side], shut: Collection[Stop], full: Collection[str]
    ) -> tuple[bool, bool]:
        """Whether new track begins where walks come to now, past none of the full stops; and if not, whether it could all
        the same. The `shut` stops are passed by no walk now."""
        if self.has_terminal:
            return False, True
        come_to = {end: self.successors[end.node] for end in ends if isinstance(end, Stop)}
        nodes = set(come_to.values()).difference(full)
        is_merged = any(node in self.merged for stop, node in come_to.items() if stop not in shut)
        is_opened = any(node in nodes for stop, node in come_to.items() if stop in shut)
        arrivals: set[Stop | Side] = {Stop(hex_id, node) for node in (nodes & self.merged if is_merged else nodes)}
        if not is_merged:
            arrivals.update(end for end in ends if isinstance(end, Side))
        return any(not arrivals.isdisjoint(piece.ends) for piece in self.track), is_merged or is_opened


@lru_cache(maxsize=8192)
def tile_change(game_map: GameMap, before: Tile, after: Tile, hex_id: HexId) -> TileChange:
    """Both tiles as they are rotated on the hex."""
    successors = stop_successors(before, after) or {}
    old = {frozenset(str(successors.get(str(end), end)) for end in (path.a, path.b)) for path in before.paths}
    pieces = track_of(game_map, hex_id, after).segments.values()
    track = [piece for piece in pieces if _ends_within(game_map, piece) not in old]
    merged = frozenset(node for node, number in Counter(successors.values()).items() if number > 1)
    return TileChange(successors, merged, track, any(path.is_terminal for path in after.paths))


def _ends_within(game_map: GameMap, segment: Segment) -> frozenset[str]:
    """The ends of a piece of track as the tile knows them: edges and stops."""
    return frozenset(
        end.node
        if isinstance(end, Stop)
        else str(game_map.neighbours[segment.hex].index(end.b if end.a == segment.hex else end.a))
        for end in segment.ends
    )


def _end(game_map: GameMap, hex_id: HexId, path: Path, place: int) -> Stop | Side | None:
    """An end of a path on the board; None off the map. Seen from the neighbouring hex a lane's number runs the other way."""
    end = (path.a, path.b)[place]
    if isinstance(end, str):
        return Stop(hex_id, end)
    other = game_map.neighbour(hex_id, end)
    if other is None:
        return None
    width, lane = path.lanes[place] if path.lanes else (1, 0)
    return side(hex_id, other, lane if hex_id < other else width - 1 - lane)
