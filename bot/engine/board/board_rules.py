"""A map with its tiles: geometry of the board, what fits where, who reaches what.

Track is computed from geometry. Functions that take the game remember their answers until the board changes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from bot.engine.ids import CompanyId, HexId, PrivateId, TileId
from bot.engine.message import Message, join_and, join_values, msg
from bot.engine.refusals import IllegalMove, is_permitted
from bot.engine.rule_refs import TokenSections, TrackSections
from bot.engine.state.board import Board, PlacedTile

from .game_map import GameMap
from .reachability import Network
from .tiles import Tile
from .track import Side, Stop, TrackGraph
from .track_index import TrackIndex, printed_index, tile_change
from .upgrades import (
    FOLLOWING,
    Following,
    city_successors,
    distinct_rotations,
    has_same_kinds,
    keeps_track,
    legal_rotations,
    open_exits,
    stop_successors,
)

if TYPE_CHECKING:
    from bot.engine.play.game import Game


UNQUOTED = TrackSections()
"""Where a refusal is not read."""


@dataclass(frozen=True, eq=False)
class BoardRules:
    """The map and the tile sheet of a title, or of one of its scenarios.

    `following` says which colour replaces which; tiles with one of the `loose_labels` need only keep exits. With
    `one_city_a_space` no way over the board visits two cities of a space.
    """

    map: GameMap
    tiles: Mapping[TileId, Tile]
    following: Following = field(default_factory=lambda: FOLLOWING)
    loose_labels: frozenset[str] = frozenset()
    one_city_a_space: bool = False

    @cached_property
    def _upgrades_by_tile(self) -> dict[tuple[HexId, TileId | None], list[TileId]]:
        return {}

    # -- geometry -----------------------------------------------------------------------------------

    @cached_property
    def tiles_by_colour(self) -> Mapping[str, Sequence[TileId]]:
        """In the order of the tile sheet."""
        return {
            colour: [tile.id for tile in self.tiles.values() if tile.colour == colour]
            for colour in dict.fromkeys(tile.colour for tile in self.tiles.values())
        }

    def tile_at(self, board: Board, hex_id: HexId) -> Tile:
        """The tile on the hex, in its rotation, or the hex's own print."""
        laid = board.tiles.get(hex_id)
        return self.tiles[laid.tile].rotations[laid.rotation % 6] if laid else self.map.hexes[hex_id].printed

    def _rotated_tile(self, hex_id: HexId, laid: PlacedTile | None) -> Tile:
        return self.tiles[laid.tile].rotate(laid.rotation) if laid else self.map.hexes[hex_id].printed

    @lru_cache(maxsize=8192)  # noqa: B019 (lands live as long as the process)
    def stays_on_board(self, hex_id: HexId, laid: PlacedTile) -> bool:
        """Whether all track of the tile, as laid there, leads to hexes to build on."""
        return self._rotated_tile(hex_id, laid).exits <= self.map.fixed_edges[hex_id][0]

    def tiles_left(self, game: Game, tile: TileId) -> int | None:
        """None for an unlimited supply."""
        count = self.tiles[tile].count
        return None if count is None else count - self._placed_counts(game).get(tile, 0)

    def _placed_counts(self, game: Game) -> Mapping[TileId, int]:
        return game.memoise("laid", lambda: Counter([laid.tile for laid in game.state.board.tiles.values()]))

    def exits(self, board: Board, hex_id: HexId) -> frozenset[int]:
        """The edges where track may lead: onto a space to build on, or to track that comes to meet it."""
        return open_exits(self.map, lambda other: self.tile_at(board, other), hex_id)

    def rotations(self, board: Board, tile: TileId, hex_id: HexId) -> tuple[int, ...]:
        """All rotations in which the tile keeps the track of the space and runs to permitted edges only."""
        return self._rotations(hex_id, board.tiles.get(hex_id), tile, self.exits(board, hex_id))

    @lru_cache(maxsize=8192)  # noqa: B019 (lands live as long as the process)
    def _rotations(
        self, hex_id: HexId, laid: PlacedTile | None, tile: TileId, exits: frozenset[int]
    ) -> tuple[int, ...]:
        old, stubs = self._rotated_tile(hex_id, laid), self.map.hexes[hex_id].stubs
        return legal_rotations(old, self.tiles[tile], exits, stubs, self.loose_labels)

    def fitting_rotations(self, board: Board, tile: TileId, hex_id: HexId) -> tuple[int, ...]:
        """The first of the rotations that fit and look alike."""
        return distinct_rotations(self.tiles[tile], self.rotations(board, tile, hex_id))

    def lay(self, board: Board, tile: TileId, hex_id: HexId, rotation: int) -> None:
        """Put the tile on the hex; tokens and reservations follow their cities."""
        old = self.tile_at(board, hex_id)
        new = self.tiles[tile].rotate(rotation)
        matching = city_successors(old, new) or {}
        board.tiles[hex_id] = PlacedTile(tile, rotation)
        if any(city != other for city, other in matching.items()):
            board.rearrange(hex_id, matching)

    # -- legality of tiles --------------------------------------------------------------------------

    def check_known(self, tile: TileId, hex_id: HexId) -> None:
        if hex_id not in self.map.hexes:
            raise IllegalMove("There is no hex {hex} on the map.", "", hex_id)
        if tile not in self.tiles:
            raise IllegalMove("There is no tile {tile}.", "", tile)

    def legal_tiles(self, game: Game, hex_id: HexId, regardless: frozenset[TileId] = frozenset()) -> list[TileId]:
        """Tiles of the right colour and kind for the space, in the order of the sheet."""
        colours = game.title.phase(game.state.phase).colours
        tiles, used, fitting = self.tiles, self._placed_counts(game), self.possible_upgrades(game.state.board, hex_id)
        if fitting and tiles[fitting[0]].colour not in colours:  # they are all of one
            fitting = []
        found = [one for one in fitting if tiles[one].count != used.get(one, 0)]
        if regardless:
            found += [tile for tile in regardless if self._is_allowed(game, tile, hex_id, colours, regardless)]
            found = [tile for tile in self.tiles if tile in found]
        return found

    def legal_tiles_with_rotations(
        self, game: Game, hex_id: HexId, regardless: frozenset[TileId] = frozenset()
    ) -> list[tuple[TileId, tuple[int, ...]]]:
        """The `candidates` that fit, each with its rotations."""
        laid, exits = game.state.board.tiles.get(hex_id), self.exits(game.state.board, hex_id)
        return [
            (tile, rotations)
            for tile in self.legal_tiles(game, hex_id, regardless)
            if (rotations := self._rotations(hex_id, laid, tile, exits))
        ]

    def _is_allowed(
        self, game: Game, tile: TileId, hex_id: HexId, colours: tuple[str, ...], regardless: frozenset[TileId]
    ) -> bool:
        return is_permitted(self.check_tile, game, tile, hex_id, colours, UNQUOTED, regardless)

    def possible_upgrades(self, board: Board, hex_id: HexId) -> list[TileId]:
        """The tiles that may come next on the space, phases and supply aside."""
        laid = board.tiles.get(hex_id)
        key = hex_id, laid.tile if laid else None
        if key not in self._upgrades_by_tile:
            space, old = self.map.hexes[hex_id], self.tile_at(board, hex_id)
            following = (
                ()
                if not space.is_buildable or old.is_last
                else (self.tiles[name] for name in self.tiles_by_colour.get(self.following.get(old.colour, ""), ()))
            )
            self._upgrades_by_tile[key] = [
                tile.id
                for tile in following
                if tile.id != old.id
                and not tile.private
                and space.labels_on(tile.colour) == set(tile.labels)
                and (has_same_kinds(old, tile) or not self.loose_labels.isdisjoint(tile.labels))
            ]
        return self._upgrades_by_tile[key]

    def check_tile(
        self,
        game: Game,
        tile_id: TileId,
        hex_id: HexId,
        colours: tuple[str, ...],
        section: TrackSections,
        regardless: frozenset[TileId] = frozenset(),
        private: PrivateId | None = None,
    ) -> None:
        """Refuse a tile of the wrong colour or kind, or one of which no piece is left. `regardless` are tiles that may
        be laid here in any phase; tiles of a `private` are laid only by it, and need not have the stops of the hex."""
        board = game.state.board
        space, tile, old = self.map.hexes[hex_id], self.tiles[tile_id], self.tile_at(board, hex_id)
        if not space.is_buildable:
            raise IllegalMove("No track can be laid on {hex}.", section.closed, hex_id)
        if tile_id not in regardless or old.colour == tile.colour:
            self._check_colour(old, tile, hex_id, colours, section)
        kind = section.kind if old.colour == "white" else section.upgrade
        is_special = private is not None and tile.private == private
        if not has_same_kinds(old, tile) and self.loose_labels.isdisjoint(tile.labels) and not is_special:
            raise IllegalMove(
                "{tile} does not fit {hex}: the tile has {features}, the hex has {old}.",
                kind,
                tile_id,
                hex_id,
                _format_stops(tile),
                _format_stops(old),
            )
        if space.labels_on(tile.colour) != set(tile.labels):
            raise IllegalMove("The label of {tile} does not match {hex}.", kind, tile_id, hex_id)
        if tile.private not in ("", private):
            raise IllegalMove("Only {private} lays {tile}.", kind, tile.private, tile_id)
        if self.tiles_left(game, tile_id) == 0:
            raise IllegalMove("There is no tile {tile} left.", section.count, tile_id)

    def _check_colour(
        self, old: Tile, tile: Tile, hex_id: HexId, colours: tuple[str, ...], section: TrackSections
    ) -> None:
        expected = None if old.is_last else self.following.get(old.colour)
        if tile.colour != expected or tile.id == old.id:
            how = msg("takes a {colour} tile next", msg(expected)) if expected else msg("cannot be upgraded any more")
            raise IllegalMove(
                "{hex} {how}; {tile} is {colour}.", section.colour, hex_id, how, tile.id, msg(tile.colour)
            )
        if tile.colour not in colours:
            raise IllegalMove("{colour} tiles are not available yet.", section.colour, msg(tile.colour.capitalize()))

    def check_rotation(self, game: Game, tile_id: TileId, hex_id: HexId, rotation: int, section: TrackSections) -> None:
        """Refuse a rotation that breaks track or runs where no track may."""
        board = game.state.board
        if rotation not in range(6):
            raise IllegalMove("A rotation is 0 to 5: steps of 60 degrees clockwise.")
        new, exits = self.tiles[tile_id].rotate(rotation), self.exits(board, hex_id)
        if not new.exits <= exits:
            raise IllegalMove(
                "In this rotation, track of {tile} runs from {hex} off the map.", section.edge, tile_id, hex_id
            )
        missing = self.map.hexes[hex_id].stubs - new.exits
        if missing:
            raise IllegalMove("The track on {hex} must point at the triangle.", section.edge, hex_id)
        old, is_loose = self.tile_at(board, hex_id), not self.loose_labels.isdisjoint(new.labels)
        if not (old.exits <= new.exits if is_loose else keeps_track(old, new)):
            raise IllegalMove(
                "In this rotation, {tile} does not preserve the track on {hex}.", section.upgrade, tile_id, hex_id
            )

    def check_reach(
        self, game: Game, company: CompanyId, tile_id: TileId, hex_id: HexId, rotation: int, section: TrackSections
    ) -> None:
        is_met = not self.reached_edges(game, company, hex_id).isdisjoint(self.tiles[tile_id].rotate(rotation).exits)
        if not is_met and hex_id not in self.token_hexes(game, company):
            raise IllegalMove("{company} has no route to that tile on {hex}.", section.reach, company, hex_id)

    def check_new_track(
        self, game: Game, company: CompanyId, tile_id: TileId, hex_id: HexId, rotation: int, section: TrackSections
    ) -> None:
        """Refuse a lay of which the company could use no new track: "restrictive" laying.

        The first tile of a space need only meet the company's track; one of which new track can be used does.
        """
        is_bare = not self.tile_at(game.state.board, hex_id).paths
        if not is_bare and self._uses_new_track(game, company, tile_id, hex_id, rotation):
            return
        self.check_reach(game, company, tile_id, hex_id, rotation, section)
        if not is_bare:
            raise IllegalMove(
                "{company} could not use any new track of that tile on {hex}.", section.reach, company, hex_id
            )

    def changes_reached_value(
        self, game: Game, company: CompanyId, tile_id: TileId, hex_id: HexId, rotation: int
    ) -> bool:
        """Whether a stop of the hex that the company reaches would have another highest value under the tile."""
        old, new = self.tile_at(game.state.board, hex_id), self.tiles[tile_id].rotate(rotation)
        successors = stop_successors(old, new) or {}
        reached = self.network(game, company).stops
        return any(
            Stop(hex_id, node.id) in reached and max(node.revenue) != max(new.node(successors[node.id]).revenue)
            for node in old.nodes
            if node.id in successors and old.exits_of(node.id)
        )

    def _uses_new_track(self, game: Game, company: CompanyId, tile_id: TileId, hex_id: HexId, rotation: int) -> bool:
        """Whether a piece of track that was not there before can be run by the company once the tile is laid.

        A walk comes to its first new piece by old track. So where the walks of the present network arrive decides, unless
        the tile changes what they pass on the way: where it merges stops that they pass, or opens one that they come to
        and nothing arrives yet, the network is searched anew. But who comes to one of the stops that are merged has come to
        none of the others before.
        """
        board, laid = game.state.board, PlacedTile(tile_id, rotation)
        shut, full = frozenset[Stop](), frozenset[str]()
        if hex_id in board.tokens:
            shut = frozenset([stop for stop in self.blocked_stops(game, company) if stop.hex == hex_id])
            full = self._cities_full_after(board, company, laid, hex_id)
        ends = self.network(game, company).arrivals_by_hex.get(hex_id, frozenset())
        is_met, may_be_met = self._meets(hex_id, board.tiles.get(hex_id), laid, ends, shut, full)
        if is_met or not may_be_met:
            return is_met
        key = "would reach", company, laid, hex_id
        return game.memoise(key, lambda: self.reaches_new_track(game, company, laid, hex_id))

    def _cities_full_after(self, board: Board, company: CompanyId, laid: PlacedTile, hex_id: HexId) -> frozenset[str]:
        """The cities that would let nothing of the company through if the tile lay there."""
        before, after = self.tile_at(board, hex_id), self._rotated_tile(hex_id, laid)
        successors = stop_successors(before, after) or {}
        tokens: dict[str, list[CompanyId]] = {}
        for city, companies in zip(before.cities, board.tokens[hex_id], strict=False):
            tokens.setdefault(successors[city.id], []).extend(companies)
        return frozenset(node for node, there in tokens.items() if is_closed(there, company, after.node(node).slots))

    @lru_cache(maxsize=8192)  # noqa: B019
    def _meets(
        self,
        hex_id: HexId,
        old: PlacedTile | None,
        new: PlacedTile,
        ends: frozenset[Stop | Side],
        shut: frozenset[Stop],
        full: frozenset[str],
    ) -> tuple[bool, bool]:
        """As `TileChange.meets`, of a tile in the place of the present tile of the hex."""
        then = tile_change(self.map, self._rotated_tile(hex_id, old), self._rotated_tile(hex_id, new), hex_id)
        return then.meets(hex_id, ends, shut, full)

    def reaches_new_track(self, game: Game, company: CompanyId, laid: PlacedTile, hex_id: HexId) -> bool:
        wanted = tile_change(self.map, game.tile_at(hex_id), self._rotated_tile(hex_id, laid), hex_id).track
        trial = game.state.board.copy()
        self.lay(trial, laid.tile, hex_id, laid.rotation)
        ground, closed = self.track_index(game).updated_for(trial), self._stops_closed_to(trial, company)
        numbers = [number for number, segment in ground.spaces[hex_id].segments.items() if segment in wanted]
        return not ground.network(self._stops_with(trial, company), closed).segments.isdisjoint(numbers)

    # -- who reaches what ---------------------------------------------------------------------------

    @cached_property
    def printed_track(self) -> TrackIndex:
        return printed_index(self.map, self.tiles, self.one_city_a_space)

    def track_index(self, game: Game) -> TrackIndex:
        return game.memoise("ground", lambda: self._current_index(game))

    def _current_index(self, game: Game) -> TrackIndex:
        game.ground = (game.ground or self.printed_track).updated_for(game.state.board)
        return game.ground

    def graph(self, game: Game) -> TrackGraph:
        return self.track_index(game).graph

    def city_stop(self, board: Board, hex_id: HexId, city: int) -> Stop:
        return Stop(hex_id, self.tile_at(board, hex_id).cities[city].id)

    def tokens_of(self, game: Game, company: CompanyId) -> list[Stop]:
        return game.memoise(("tokens", company), lambda: self._stops_with(game.state.board, company))

    def _stops_with(self, board: Board, company: CompanyId) -> list[Stop]:
        return [self.city_stop(board, hex_id, city) for hex_id, city in board.cities_of(company)]

    def token_hexes(self, game: Game, company: CompanyId) -> set[HexId]:
        return game.memoise(("token hexes", company), lambda: {stop.hex for stop in self.tokens_of(game, company)})

    def blocked_stops(self, game: Game, company: CompanyId) -> frozenset[Stop]:
        """Cities full of other companies' tokens: they end a route, nothing passes (1848 §7.7.3)."""
        full = game.memoise("full", lambda: list(self._full_cities(game.state.board)))
        return frozenset([stop for stop, companies in full if company not in companies])

    def _full_cities(self, board: Board) -> Iterator[tuple[Stop, Sequence[CompanyId]]]:
        """The cities without room for another token, with the companies there."""
        for hex_id, cities in board.tokens.items():
            for companies, city in zip(cities, self.tile_at(board, hex_id).cities, strict=False):
                if companies and len(companies) >= city.slots:
                    yield Stop(hex_id, city.id), companies

    def _stops_closed_to(self, board: Board, company: CompanyId) -> frozenset[Stop]:
        return frozenset([stop for stop, companies in self._full_cities(board) if company not in companies])

    def network(self, game: Game, company: CompanyId) -> Network:
        """The stops and track that the company reaches."""
        return game.memoise(("network", company), lambda: self._network(game, company))

    def _network(self, game: Game, company: CompanyId) -> Network:
        return self.track_index(game).network(self.tokens_of(game, company), self.blocked_stops(game, company))

    def reaches(self, game: Game, company: CompanyId, counts: Callable[[Stop], bool]) -> bool:
        return any(map(counts, self.network(game, company).stops))

    def connects(self, game: Game, company: CompanyId, counts: Callable[[Stop], bool]) -> bool:
        """Whether track joins one of the company's tokens to another stop that counts. That ends a walk that keeps cities apart."""
        tokens, ground = self.tokens_of(game, company), self.track_index(game)
        ends = self.blocked_stops(game, company).union(
            filter(counts, ground.graph.stops if ground.graph.exclusive_groups else ())
        )
        ways = (ground.network(some, ends).stops.difference(some) for some in (tokens, *([one] for one in tokens)))
        return any(any(map(counts, stops)) for stops in ways)

    def reached_edges(self, game: Game, company: CompanyId, hex_id: HexId) -> frozenset[int]:
        """The edges at which the company's track enters a hex."""
        return game.memoise(("edges", company, hex_id), lambda: self._find_reached_edges(game, company, hex_id))

    def _find_reached_edges(self, game: Game, company: CompanyId, hex_id: HexId) -> frozenset[int]:
        beside, ends = self.map.neighbours[hex_id], self.network(game, company).arrivals_by_hex.get(hex_id, ())
        return frozenset(beside.index(end.b if end.a == hex_id else end.a) for end in ends if isinstance(end, Side))

    def reached_hexes(self, game: Game, company: CompanyId) -> list[HexId]:
        """The hexes where the company might build, in map order."""
        reached = self.network(game, company).hexes
        return [name for name in self.map.buildable_hexes if name in reached]

    def reached_cities(self, game: Game, company: CompanyId) -> list[tuple[HexId, int]]:
        return game.memoise(("cities", company), lambda: self._reached_cities(game, company))

    def _reached_cities(self, game: Game, company: CompanyId) -> list[tuple[HexId, int]]:
        board = game.state.board
        reached = self.network(game, company).stops
        found = []
        for hex_id in sorted({stop.hex for stop in reached}):
            for number, city in enumerate(self.tile_at(board, hex_id).cities):
                if Stop(hex_id, city.id) in reached:
                    found.append((hex_id, number))
        return found

    def check_city(
        self,
        game: Game,
        company: CompanyId,
        hex_id: HexId,
        city: int,
        section: TokenSections,
        using: PrivateId | None = None,
    ) -> None:
        """Refuse a token where there is no city, no room, or one of the company's already. A place that is kept for the
        private in use is free."""
        board = game.state.board
        if hex_id not in self.map.hexes or city not in range(len(self.tile_at(board, hex_id).cities)):
            raise IllegalMove("There is no such city on {hex}.", section.room, hex_id)
        if board.has_token(hex_id, company):
            raise IllegalMove("{company} already has a token on {hex}.", section.twice, company, hex_id)
        slots = self.tile_at(board, hex_id).cities[city].slots
        kept = [other for other in board.reservations_in(hex_id, city) if other not in (company, using)]
        if len(board.tokens_in(hex_id, city)) + len(kept) >= slots:
            reason = msg(": a slot is reserved for {kept}", ", ".join(kept)) if kept else ""
            raise IllegalMove("There is no free token slot on {hex}{reason}.", section.room, hex_id, reason)

    def are_linked(self, game: Game, one: HexId, other: HexId) -> bool:
        """Whether a train of infinite range could run between two hexes, ignoring tokens."""
        board = game.state.board
        sources = [Stop(one, node.id) for node in self.tile_at(board, one).nodes]
        return any(stop.hex == other for stop in self.track_index(game).network(sources, ()).stops)


def is_closed(companies: Sequence[CompanyId], company: CompanyId, slots: int) -> bool:
    """Whether a city with these tokens lets no train of the company through."""
    return bool(companies) and company not in companies and len(companies) >= slots


def _format_stops(tile: Tile) -> Message:
    kinds = zip(tile.counts(), (msg("city"), msg("town"), msg("offboard")), strict=True)
    return join_and([join_values(" ", (number, kind)) for number, kind in kinds if number] or [msg("no stop")])
