"""Laying and upgrading track (18BF §10.4), and the free tiles of P2 to P5 (§7.1.1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...actions import Action, LayTile, Pass
from ...board import Board, TileLaid
from ...hexes import opposite
from ...ids import BANK, CompanyId, HexId, Owner, TileId
from ...money import pay
from ...network import network
from ...refusals import NotAllowed
from ...state import TileLay
from ...steps.dividends import operating_turn
from ...steps.track import lay_tile
from ...track import track_graph
from .loans import borrow, means
from .nouns import EXTRA_LAY, FREE_TRACK
from .special import kind_of

if TYPE_CHECKING:
    from ...game import Game

SECTIONS = {
    "kind": "18BF §10.4",
    "edge": "18BF §10.4",
    "colour": "18BF §10.4",
    "upgrade": "18BF §10.4",
    "reach": "18BF §10.4",
    "count": "18BF §10.4",
    "closed": "18BF §10.4",
}
RULE = "18BF §10.4"


def most_lays(company: CompanyId) -> int:
    """Two tile actions in a turn, three for systems."""
    return 3 if kind_of(company) == "system" else 2


def bare_homes(game: Game, company: CompanyId) -> list[HexId]:
    """Spaces with the company's station and no track: it may lay nowhere else."""
    return [hex_id for hex_id in sorted(game.land.token_hexes(game, company)) if not game.geometry(hex_id).exits]


def links_cost(game: Game, tile: TileId, hex_id: HexId, rotation: int) -> int:
    """What the tile pays for the hex-sides across which it completes a link."""
    land, board = game.land, game.state.board
    old, new = land.tile_at(board, hex_id), land.tiles[tile].rotated(rotation)
    cost = 0
    for edge in new.exits - old.exits:
        other = land.map.neighbour(hex_id, edge)
        if other is not None and opposite(edge) in land.tile_at(board, other).exits:
            cost += land.map.side_cost(hex_id, edge)
    return cost


def most_exits(game: Game, hex_id: HexId) -> int:
    """The most exits that a tile can have that may be laid on the space now."""
    return game.cached(("exits", hex_id, game.state.phase), lambda: _most_exits(game, hex_id))


def _most_exits(game: Game, hex_id: HexId) -> int:
    land, board = game.land, game.state.board
    return max(
        (
            len(land.tiles[tile].exits)
            for tile in land.candidates(game, hex_id)
            if land.fitting_rotations(board, tile, hex_id)
        ),
        default=0,
    )


def adds_to_a_route(game: Game, company: CompanyId, tile: TileId, hex_id: HexId, rotation: int) -> bool:
    """Whether some of the tile's track, on plain track some new track, is part of a route of the company."""
    land, board = game.land, game.state.board
    old, new = land.tile_at(board, hex_id), land.tiles[tile].rotated(rotation)
    if hex_id in land.token_hexes(game, company):
        return True
    if not new.exits & land.reached_edges(game, company).get(hex_id, frozenset()):
        return False
    if old.colour == "white" or old.nodes:
        return True
    key = ("new track", company, hex_id, tile, rotation)
    return game.cached(key, lambda: _has_new_track_on_a_route(game, company, tile, hex_id, rotation))


def _has_new_track_on_a_route(game: Game, company: CompanyId, tile: TileId, hex_id: HexId, rotation: int) -> bool:
    land, board = game.land, game.state.board
    old = land.tile_at(board, hex_id)
    after = Board({**board.tiles, hex_id: TileLaid(tile, rotation)}, board.tokens)
    graph = track_graph(land.map, land.tiles, after)
    before = track_graph(land.map, land.tiles, board) if old.paths else None
    known = {frozenset(segment.ends) for segment in before.segments if segment.hex == hex_id} if before else set()
    reach = network(graph, land.tokens_of(game, company), land.blocked(game, company).__contains__)
    return any(
        graph.segments[number].hex == hex_id and frozenset(graph.segments[number].ends) not in known
        for number in reach.segments
    )


@dataclass(frozen=True)
class LayTrack:
    """One tile action, another for £20, for systems a third for £20 more; at most one is an upgrade."""

    name: str = "lay track"
    verbs: tuple[type[Action], ...] = (LayTile, Pass)

    def opens(self, game: Game) -> bool:
        """While the company has an action left that it can pay."""
        company = CompanyId(Owner(game.frame.entity or ""))
        lays = operating_turn(game).lays
        return len(lays) < most_lays(company) and (not lays or means(game, company) >= EXTRA_LAY)

    def options(self, game: Game) -> Iterator[Action]:
        """Passing and every legal lay and upgrade, hex by hex."""
        company = CompanyId(Owner(game.frame.entity or ""))
        yield Pass(company)
        for hex_id in bare_homes(game, company) or game.land.reached_hexes(game, company):
            for tile in game.land.candidates(game, hex_id):
                for rotation in range(6):
                    action = LayTile(company, tile, hex_id, rotation)
                    try:
                        self.check(game, action)
                    except NotAllowed:
                        continue
                    yield action

    def check(self, game: Game, action: LayTile | Pass) -> None:
        """Raise the refusal that stands against the lay."""
        if isinstance(action, Pass):
            return
        company, land = CompanyId(action.by), game.land
        land.check_known(action.tile, action.hex)
        if action.using is not None:
            raise NotAllowed(f"{action.using} does not help with this tile.", "18BF §7.1.1")
        self._check_allowance(game, company, action.hex)
        homes = bare_homes(game, company)
        if homes and action.hex not in homes:
            raise NotAllowed(f"{company} lays its first tile at home, on {' or '.join(homes)}.", RULE)
        check_tile(game, action)
        if not adds_to_a_route(game, company, action.tile, action.hex, action.rotation):
            raise NotAllowed(f"No route of {company} would use that track on {action.hex}.", RULE)
        cost = self.cost(game, action)
        if cost > means(game, company):
            raise NotAllowed(
                f"That costs £{cost}; {company} has £{game.state.cash[company]} and could have "
                f"£{means(game, company)} with loans.",
                "18BF §10.2",
            )

    def _check_allowance(self, game: Game, company: CompanyId, hex_id: HexId) -> None:
        lays = operating_turn(game).lays
        if len(lays) >= most_lays(company):
            raise NotAllowed(f"{company} has laid {len(lays)} tiles this turn.", RULE)
        if hex_id in [lay.hex for lay in lays]:
            raise NotAllowed("Each tile of a turn goes to a different hex.", RULE)
        if game.geometry(hex_id).colour != "white" and any(lay.is_upgrade for lay in lays):
            raise NotAllowed("Only one of a turn's tiles may be an upgrade.", RULE)

    def cost(self, game: Game, action: LayTile) -> int:
        """Terrain under a first tile, completed hex-sides, £20 for each further tile of the turn."""
        terrain = game.land.map.hexes[action.hex].cost if game.geometry(action.hex).colour == "white" else 0
        extra = EXTRA_LAY if operating_turn(game).lays else 0
        return terrain + extra + links_cost(game, action.tile, action.hex, action.rotation)

    def apply(self, game: Game, action: LayTile | Pass) -> None:
        """Borrow if need be, pay, lay."""
        if isinstance(action, Pass):
            game.passed(action)
            return
        company = CompanyId(action.by)
        cost = self.cost(game, action)
        is_upgrade = game.geometry(action.hex).colour != "white"
        borrow(game, company, cost, "track")
        pay(game, company, BANK, cost, "track")
        lay_tile(game, company, action.tile, action.hex, action.rotation, cost)
        operating_turn(game).lays.append(TileLay(action.hex, action.tile, is_upgrade))


def check_tile(game: Game, action: LayTile) -> None:
    """Refuse a tile that does not belong there, or turned so; a brown city has as many exits as possible."""
    land = game.land
    colours = game.title.phase(game.state.phase).colours
    land.check_tile(game, action.tile, action.hex, colours, SECTIONS)
    land.check_rotation(game, action.tile, action.hex, action.rotation, SECTIONS)
    tile = land.tiles[action.tile]
    if tile.colour == "brown" and tile.cities and len(tile.exits) < most_exits(game, action.hex):
        raise NotAllowed(f"A brown city on {action.hex} has {most_exits(game, action.hex)} exits now.", RULE)


@dataclass(frozen=True)
class FreeTrack:
    """The player who owns P2 to P5 lays a yellow tile on its hex in the turn of one of his companies (§7.1.1)."""

    name: str = "lay a private's free tile"
    verbs: tuple[type[Action], ...] = (LayTile,)

    def opens(self, game: Game) -> bool:
        """While the director has such a private and its hex is bare."""
        return any(True for _ in self.options(game))

    def options(self, game: Game) -> Iterator[Action]:
        """Every tile that fits, turned in every way."""
        company = Owner(game.frame.entity or "")
        for private, hex_id in FREE_TRACK.items():
            if game.geometry(hex_id).colour != "white" or not self._is_his(game, company, private):
                continue
            for tile in game.land.candidates(game, hex_id):
                for rotation in range(6):
                    action = LayTile(company, tile, hex_id, rotation, private)
                    try:
                        self.check(game, action)
                    except NotAllowed:
                        continue
                    yield action

    def _is_his(self, game: Game, company: Owner, private: Owner) -> bool:
        record = game.state.privates.get(private)  # type: ignore[call-overload]
        return record is not None and not record.closed and record.owner == game.decider(company)

    def check(self, game: Game, action: LayTile) -> None:
        """Only that private's hex, only a yellow tile; the hex-sides that it completes are paid."""
        company, land = CompanyId(action.by), game.land
        if action.using is None or FREE_TRACK.get(action.using) is None:
            raise NotAllowed("Track is laid and upgraded at the beginning of a company's turn.", "18BF §10")
        land.check_known(action.tile, action.hex)
        if not self._is_his(game, company, action.using):
            raise NotAllowed(f"{company}'s director does not own {action.using} himself.", "18BF §7.1.1")
        if action.hex != FREE_TRACK[action.using] or game.geometry(action.hex).colour != "white":
            raise NotAllowed(f"{action.using} lays a yellow tile on {FREE_TRACK[action.using]}.", "18BF §7.1.1")
        check_tile(game, action)
        cost = links_cost(game, action.tile, action.hex, action.rotation)
        if cost > means(game, company):
            raise NotAllowed(f"{company} must pay £{cost} for the hex-side and cannot.", "18BF §7.1.1")

    def apply(self, game: Game, action: LayTile) -> None:
        """It costs nothing but hex-sides, and counts as no tile of the turn."""
        company = CompanyId(action.by)
        cost = links_cost(game, action.tile, action.hex, action.rotation)
        borrow(game, company, cost, "track")
        pay(game, company, BANK, cost, "track")
        lay_tile(game, company, action.tile, action.hex, action.rotation, cost)
        if action.using is not None:
            game.private(action.using).ability_used = True
