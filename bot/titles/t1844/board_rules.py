"""The board of 1844: the map, the tile sheet, and what comes of laying one thing over another.

A mountain with an income marker, and a tunnel beneath the track of the Furka-Oberalp, are tiles of their own on the
board, so that track, values and pictures are those of any tile.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product

from bot.engine import HexId, TileId
from bot.engine.board import BoardRules, Tile, open_exits
from bot.engine.state import Board, PlacedTile

from .components import FURKA_TILES, MARKERS, MOUNTAIN_HEXES, TUNNEL_HEXES, TUNNEL_TILES
from .map import MAP
from .tiles import TILES


def mountain_tile(hex_id: HexId, marker: TileId) -> TileId:
    """`G14-XM2`"""
    return TileId(f"{hex_id}-{marker}")


def _build_mountain_tile(hex_id: HexId, marker: TileId) -> Tile:
    printed = MAP.hexes[hex_id].printed
    nodes = tuple(replace(node, revenue=TILES[marker].nodes[0].revenue) for node in printed.nodes)
    return replace(printed, id=mountain_tile(hex_id, marker), nodes=nodes, is_hidden=True)


def _ways(tile: TileId) -> range:
    """The rotations of a tunnel tile that look different."""
    return range(len({TILES[tile].rotate(rotation).shape for rotation in range(6)}))


def layered_tile(above: TileId, tunnel: TileId, rotation: int) -> TileId:
    """The id of a tunnel beneath a tile of the Furka-Oberalp: `OP2-X78-3`."""
    return TileId(f"{above}-{tunnel}-{rotation % len(_ways(tunnel))}")


def _build_layered_tile(above: TileId, tunnel: TileId, rotation: int) -> Tile:
    paths = (*TILES[above].paths, *TILES[tunnel].rotate(rotation).paths)
    return replace(TILES[above], id=layered_tile(above, tunnel, rotation), paths=paths, is_hidden=True)


MOUNTAINS_WITH_MARKERS = {
    mountain_tile(hex_id, marker): _build_mountain_tile(hex_id, marker)
    for hex_id, marker in product(MOUNTAIN_HEXES, MARKERS)
}
LAYERED = {
    layered_tile(above, tunnel, rotation): _build_layered_tile(above, tunnel, rotation)
    for above in dict.fromkeys(FURKA_TILES.values())
    for tunnel in TUNNEL_TILES
    for rotation in _ways(tunnel)
}

LAND = BoardRules(MAP, {**TILES, **MOUNTAINS_WITH_MARKERS, **LAYERED})


def format_hex(hex_id: HexId) -> str:
    """`Stans (G14)`, with the printed name."""
    called = MAP.hexes[hex_id].name
    return f"{called} ({hex_id})" if called else hex_id


def format_marker_values(marker: TileId) -> str:
    return "/".join(str(value) for value in TILES[marker].nodes[0].revenue)


def markers_left(board: Board) -> list[TileId]:
    """The kinds of income markers that are not all on the map (§VI)."""
    placed = [
        TILES[TileId(laid.tile.split("-")[1])].id for hex_id, laid in board.tiles.items() if hex_id in MOUNTAIN_HEXES
    ]
    return [marker for marker in MARKERS if placed.count(marker) < (TILES[marker].count or 0)]


def free_mountains(board: Board) -> list[HexId]:
    return [hex_id for hex_id in MOUNTAIN_HEXES if hex_id not in board.tiles]


def tunnel_at(board: Board, hex_id: HexId) -> PlacedTile | None:
    """The tunnel on a hex, whether or not beneath other track."""
    laid = board.tiles.get(hex_id)
    if laid is None or hex_id not in TUNNEL_HEXES:
        return None
    if laid.tile in TUNNEL_TILES:
        return laid
    words = laid.tile.split("-")
    return PlacedTile(TileId(words[1]), int(words[2])) if len(words) == 3 else None


def mouths(hex_id: HexId) -> frozenset[int]:
    """The edges of a tunnel hex where a tunnel may open: towards hexes with track, never towards another tunnel hex
    (§VII).
    """
    exits = open_exits(MAP, lambda other: MAP.hexes[other].printed, hex_id)
    return frozenset(edge for edge in exits if MAP.neighbour(hex_id, edge) not in TUNNEL_HEXES)


def with_tunnel(board: Board, hex_id: HexId, tunnel: TileId, rotation: int) -> PlacedTile:
    laid = board.tiles.get(hex_id)
    if laid is None:
        return PlacedTile(tunnel, rotation)
    return PlacedTile(layered_tile(laid.tile, tunnel, rotation), 0)


def with_furka(board: Board, hex_id: HexId) -> PlacedTile:
    tunnel = tunnel_at(board, hex_id)
    above = FURKA_TILES[hex_id]
    return PlacedTile(layered_tile(above, tunnel.tile, tunnel.rotation), 0) if tunnel else PlacedTile(above, 0)
