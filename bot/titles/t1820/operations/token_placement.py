"""The tiles that may be laid on a hex: free cities and towns, barriers, upgrades, and what connections cost (1820 §11,
§12.3).

Nothing here asks who builds: see `track` for that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from bot.engine import HexId, IllegalMove, TileId, is_permitted, join_or_chain, msg
from bot.engine.board import (
    COLOURS,
    FOLLOWING,
    Tile,
    city_successors,
    distinct_rotations,
    legal_rotations,
    open_exits,
    opposite,
)
from bot.engine.play import Game
from bot.engine.state import Board, PlacedTile
from bot.titles.t1820.components import CHATHAM, GRIMSBY, HULL, LONDON, MANCHESTER, MANCHESTER_UPGRADE
from bot.titles.t1820.map import MAP
from bot.titles.t1820.tiles import TILES

LOOSE_LABELS = frozenset({"M"})
"""Manchester's tiles keep the edges, but not the connections between them."""

SMALL_CITY_HEXES = frozenset(
    name for name, space in MAP.hexes.items() if space.printed.cities and space.is_buildable
) - {name for name, space in MAP.hexes.items() if {"OO", "M", "B"} & set(space.printed.labels)}
"""Grimsby, Hull, Margate, Preston (§12.3.3.1)."""
EITHER_BIG = frozenset({HULL, GRIMSBY})
"""Only one of them can be a big city (§12.3.3.2)."""
CITY_HEXES = frozenset(name for name, space in MAP.hexes.items() if space.printed.cities)


def kind_of(tile: Tile) -> str:
    """§12.2"""
    for label, kind in (("M", "Manchester"), ("OO", "OO"), ("B", "big city")):
        if label in tile.labels:
            return kind
    if tile.cities:
        return "small city"
    return "town" if tile.nodes else "plain"


OF_COLOUR = {colour: [(tile, kind_of(tile)) for tile in TILES.values() if tile.colour == colour] for colour in COLOURS}


def kinds_for(hex_id: HexId) -> tuple[str, ...]:
    """The kinds of the first tile on an empty hex, before distances are checked."""
    labels = MAP.hexes[hex_id].printed.labels
    if "M" in labels:
        return ("Manchester",)
    if "OO" in labels:
        return ("OO",)
    if "B" in labels:
        return ("big city",)
    if hex_id in EITHER_BIG:
        return ("small city", "big city")
    return ("small city",) if hex_id in SMALL_CITY_HEXES else ("plain", "town", "small city", "big city")


def is_rural(hex_id: HexId) -> bool:
    """A buildable hex without a printed city (§11)."""
    return MAP.hexes[hex_id].is_buildable and hex_id not in CITY_HEXES


# -- distances (§12.3.3) ------------------------------------------------------------------------------


@cache
def is_barrier(hex_id: HexId, edge: int) -> bool:
    other = MAP.neighbours[hex_id][edge]
    return edge in MAP.hexes[hex_id].edges_with("barrier") or (
        other is not None and opposite(edge) in MAP.hexes[other].edges_with("barrier")
    )


def adjacent_hexes(hex_id: HexId) -> Iterator[HexId]:
    """The neighbours of this hex; nothing is adjacent across a barrier."""
    for edge, other in enumerate(MAP.neighbours[hex_id]):
        if other is not None and not is_barrier(hex_id, edge):
            yield other


@cache
def hexes_within(hex_id: HexId, steps: int) -> frozenset[HexId]:
    """The hexes at most this many steps away, without the hex itself."""
    found, border = {hex_id}, {hex_id}
    for _ in range(steps):
        border = {other for space in border for other in adjacent_hexes(space)} - found
        found |= border
    return frozenset(found - {hex_id})


def has_city(board: Board, hex_id: HexId) -> bool:
    """A printed city, or a city tile."""
    laid = board.tiles.get(hex_id)
    return hex_id in CITY_HEXES or (laid is not None and bool(TILES[laid.tile].cities))


def cities_near(board: Board, hex_id: HexId, steps: int) -> list[HexId]:
    """Cities that are too near; Chatham does not count for hexes north of it."""
    row = MAP.layout.coordinates(hex_id)[1]
    is_north = row < MAP.layout.coordinates(CHATHAM)[1]
    return sorted(
        other for other in hexes_within(hex_id, steps) if has_city(board, other) and not (other == CHATHAM and is_north)
    )


def check_spacing(board: Board, kind: str, hex_id: HexId, is_spaced_as_small: bool = False) -> None:
    if kind not in kinds_for(hex_id):
        raise IllegalMove(
            "{hex} needs a tile of this kind: {kind}.",
            "1820 §12.3",
            hex_id,
            join_or_chain(map(msg, kinds_for(hex_id))),
        )
    if kind == "big city" and hex_id in EITHER_BIG:
        other = next(iter(EITHER_BIG - {hex_id}))
        laid = board.tiles.get(other)
        if laid is not None and kind_of(TILES[laid.tile]) == "big city":
            raise IllegalMove("Only one of Hull and Grimsby is a big city.", "1820 §12.3.3.2")
    if not is_rural(hex_id):
        return
    if kind == "town":
        near = [
            other
            for other in MAP.neighbours[hex_id]
            if other is not None
            and (other == LONDON or (other in board.tiles and kind_of(TILES[board.tiles[other].tile]) == "town"))
        ]
        if near:
            raise IllegalMove("No town beside another town or London: {near}.", "1820 §12.3.4", near[0])
    elif kind in ("small city", "big city"):
        steps = 2 if kind == "big city" and not is_spaced_as_small else 1
        found = cities_near(board, hex_id, steps)
        if found:
            section = "1820 §12.3.3.2" if steps == 2 else "1820 §12.3.3.1"
            raise IllegalMove("A {kind} on {hex} would be too close to {found}.", section, msg(kind), hex_id, found[0])


# -- tiles --------------------------------------------------------------------------------------------


def is_left(tile: Tile, lying: Sequence[TileId]) -> bool:
    return tile.count is None or lying.count(tile.id) < tile.count


def tiles_on(board: Board) -> list[TileId]:
    return [laid.tile for laid in board.tiles.values()]


def tile_at(board: Board, hex_id: HexId) -> Tile:
    laid = board.tiles.get(hex_id)
    return TILES[laid.tile].rotate(laid.rotation) if laid else MAP.hexes[hex_id].printed


def check_tile(game: Game, board: Board, tile_id: TileId, hex_id: HexId, is_gas_light: bool = False) -> None:
    """Raise the refusal of a tile with the wrong colour or kind, or without a piece left."""
    check_kind(game, board, tile_id, hex_id, is_gas_light)
    if not is_left(TILES[tile_id], tiles_on(board)):
        raise IllegalMove("There is no tile {tile} left.", "1820 §12.1", tile_id)


def check_kind(game: Game, board: Board, tile_id: TileId, hex_id: HexId, is_gas_light: bool = False) -> None:
    """Raise the refusal of all tiles of this colour and kind."""
    if hex_id not in MAP.hexes or tile_id not in TILES:
        raise IllegalMove("There is no tile {tile} or no hex {hex}.", "", tile_id, hex_id)
    if not MAP.hexes[hex_id].is_buildable:
        raise IllegalMove("No track can be laid on {hex}.", "1820 §12.3.1.1", hex_id)
    tile, laid = TILES[tile_id], board.tiles.get(hex_id)
    colour = COLOURS[0]
    if laid is not None:
        following = COLOURS.index(TILES[laid.tile].colour) + 1
        if following == len(COLOURS):
            raise IllegalMove("{hex} cannot be upgraded any more.", "1820 §12.1", hex_id)
        colour = COLOURS[following]
    if tile.colour != colour:
        sentence = "{hex} takes a {needed} tile next; {tile} is {colour}."
        raise IllegalMove(sentence, "1820 §12.1", hex_id, msg(colour), tile_id, msg(tile.colour))
    if colour not in game.title.phase(game.state.phase).colours:
        raise IllegalMove("{colour} tiles are not available yet.", "1820 §12.3.5", msg(colour.capitalize()))
    kind = kind_of(tile)
    if laid is None:
        check_spacing(board, kind, hex_id, is_gas_light and kind == "big city")
    elif kind != kind_of(TILES[laid.tile]) and not is_gas_light_upgrade(TILES[laid.tile], tile, is_gas_light):
        sentence = "The tile on {hex} must stay a {kind} tile; {tile} is a {other} tile."
        raise IllegalMove(sentence, "1820 §12.3.5", hex_id, msg(kind_of(TILES[laid.tile])), tile_id, msg(kind))


def is_gas_light_upgrade(old: Tile, new: Tile, is_gas_light: bool) -> bool:
    """A yellow small city that becomes a green big city (§14.4.2)."""
    return (
        is_gas_light
        and old.colour == "yellow"
        and kind_of(old) == "small city"
        and new.colour == "green"
        and kind_of(new) == "big city"
    )


def permitted_exits(game: Game, board: Board, hex_id: HexId) -> frozenset[int]:
    """The edges where track may lead; in the yellow phase barriers only where track leads already."""
    exits = open_exits(MAP, lambda other: tile_at(board, other), hex_id)
    if game.state.phase == "yellow":
        exits = frozenset([edge for edge in exits if not is_barrier(hex_id, edge)])
    return exits | tile_at(board, hex_id).exits


def rotations(game: Game, board: Board, tile_id: TileId, hex_id: HexId) -> tuple[int, ...]:
    """All rotations that keep the track and run to permitted edges."""
    exits = permitted_exits(game, board, hex_id)
    return legal_rotations(tile_at(board, hex_id), TILES[tile_id], exits, loose_labels=LOOSE_LABELS)


def check_rotation(game: Game, board: Board, tile_id: TileId, hex_id: HexId, rotation: int) -> None:
    if rotation in rotations(game, board, tile_id, hex_id):
        return
    exits = TILES[tile_id].rotate(rotation).exits
    if game.state.phase == "yellow" and any(is_barrier(hex_id, edge) for edge in exits):
        raise IllegalMove("In the yellow phase, track may not point at a barrier.", "1820 §12.3.1.1")
    if not exits <= open_exits(MAP, lambda other: tile_at(board, other), hex_id):
        raise IllegalMove(
            "In this rotation, track of {tile} runs from {hex} off the map.", "1820 §12.3.1.1", tile_id, hex_id
        )
    raise IllegalMove("In this rotation, {tile} does not preserve the track on {hex}.", "1820 §12.3.5", tile_id, hex_id)


def legal_tiles_with_rotations(
    game: Game, board: Board, hex_id: HexId, is_gas_light: bool = False
) -> Iterator[tuple[TileId, tuple[int, ...]]]:
    """All legal tiles with their rotations; only the first of rotations that look alike."""
    old, laid = tile_at(board, hex_id), board.tiles.get(hex_id)
    exits, lying = permitted_exits(game, board, hex_id), tiles_on(board)
    possible = kinds_for(hex_id) if laid is None else (kind_of(old), "big city")
    known: dict[str, bool] = {}
    for tile, kind in OF_COLOUR.get(FOLLOWING.get("white" if laid is None else old.colour, ""), ()):
        if kind in possible and kind not in known:
            known[kind] = is_permitted(check_kind, game, board, tile.id, hex_id, is_gas_light)
        if known.get(kind) and is_left(tile, lying):
            turns = distinct_rotations(tile, legal_rotations(old, tile, exits, loose_labels=LOOSE_LABELS))
            if turns:
                yield tile.id, turns


def terrain_cost(board: Board, tile_id: TileId, hex_id: HexId, rotation: int) -> int:
    """The hex's terrain for its first tile, Manchester's first upgrade, and each new connection across an edge with a
    price (§7.2.1, §12.3.1).
    """
    old, new = tile_at(board, hex_id), TILES[tile_id].rotate(rotation)
    before = old.exits if hex_id in board.tiles else frozenset()
    cost = 0 if hex_id in board.tiles else MAP.hexes[hex_id].cost
    if hex_id == MANCHESTER and new.colour == "green":
        cost += MANCHESTER_UPGRADE
    for edge in new.exits - before:
        other = MAP.neighbours[hex_id][edge]
        if other is not None and opposite(edge) in tile_at(board, other).exits:
            cost += MAP.side_cost(hex_id, edge)
    return cost


def place_tile(board: Board, tile_id: TileId, hex_id: HexId, rotation: int) -> None:
    """Lay the tile; stations move to their places on it (§12.3.5)."""
    old, new = tile_at(board, hex_id), TILES[tile_id].rotate(rotation)
    moved = city_successors(old, new) or _nearest_cities(old, new)
    board.tiles[hex_id] = PlacedTile(tile_id, rotation)
    if any(city != other for city, other in moved.items()):
        board.rearrange(hex_id, moved)


def _nearest_cities(old: Tile, new: Tile) -> dict[int, int]:
    """For tiles that drop a stop (Manchester's town): the free city that shares most exits."""
    found: dict[int, int] = {}
    for number, node in enumerate(old.cities):
        free = [city for city in range(len(new.cities)) if city not in found.values()] or [0]
        exits = old.exits_of(node.id)
        found[number] = max(free, key=lambda city: len(exits & new.exits_of(new.cities[city].id)))
    return found


# -- distance between stations (§6.6.2) ---------------------------------------------------------------


def may_cross(hex_id: HexId, edge: int) -> bool:
    """Whether the path between two first stations may cross the edge: no barrier, no blank edge of a gray hex."""
    other = MAP.neighbours[hex_id][edge]
    if other is None or is_barrier(hex_id, edge):
        return False
    spaces = ((hex_id, edge), (other, opposite(edge)))
    return all(MAP.hexes[name].colour != "gray" or side in MAP.hexes[name].printed.exits for name, side in spaces)


@cache
def edges_between(one: HexId, other: HexId) -> int | None:
    """The hexagon edges on the shortest path between two first stations; None if there is no path."""
    steps = {one: 0}
    queue = [one]
    for space in queue:
        if space == other:
            return steps[space]
        for edge, beyond in enumerate(MAP.neighbours[space]):
            if beyond is not None and beyond not in steps and may_cross(space, edge):
                steps[beyond] = steps[space] + 1
                queue.append(beyond)
    return None
