"""Tiles as a scene: the sheet with how many are left, or a few tiles turned as they might be laid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil

from bot.engine import HexId, TileId
from bot.engine.board import COLOURS, MapHex, Tile
from bot.i18n import tr
from bot.render.hexes.hex_sprite import land_sprite, top_sprite
from bot.render.hexes.hexagon import Hexagon
from bot.render.shapes import FAINT, GROUND_DARK, INK, PlacedSprite, Polygon, Rect, Scene, Shape, Text
from bot.render.shapes.alt_text import truncate_alt_text
from bot.render.shapes.hex_view import HexView

SIDE = 60.0
WIDTH = 1060
HEAD = 50.0
VEIL = "rgba(247,244,236,0.66)"
"""Covers tiles that are used up; they stay recognisable."""

LINE = 30.0


def blank_hex(tile: Tile) -> MapHex:
    return MapHex(HexId(""), tile.colour, Tile(TileId(""), tile.colour, None, (), ()))


def in_sheet_order(tiles: Sequence[Tile]) -> list[Tile]:
    """Sorted by colour, then as listed."""
    ranks = {colour: rank for rank, colour in enumerate(COLOURS)}
    return sorted(tiles, key=lambda tile: ranks.get(tile.colour, len(COLOURS)))


def tiles_scene(title: str, tiles: Sequence[Tile], left: Mapping[TileId, int | None], is_flat: bool) -> Scene:
    """The tiles in rows by colour, with their numbers and how many are left; those that are gone are pale."""
    hexagon = Hexagon(SIDE, is_flat)
    wide = (2 * SIDE if is_flat else 2 * hexagon.apothem) + 14
    high = (2 * hexagon.apothem if is_flat else 2 * SIDE) + LINE + 8
    columns = int((WIDTH - 20) // wide)
    base: list[Shape] = [
        Rect("title ground", (0, 0), (WIDTH, HEAD), GROUND_DARK),
        Text("title", (16, 33), tr(title), 24, "#ffffff", "start", bold=True),
    ]
    placed: list[PlacedSprite] = []
    over: list[Shape] = []
    y = HEAD + 10
    for colour in dict.fromkeys(tile.colour for tile in in_sheet_order(tiles)):
        group = [tile for tile in tiles if tile.colour == colour]
        base.append(Text("colour", (16, y + 22), tr(colour).capitalize(), 22, FAINT, "start", bold=True))
        y += 32
        for index, tile in enumerate(group):
            at = (10 + wide * (index % columns + 0.5), y + high * (index // columns) + (high - LINE) / 2)
            seen = HexView(blank_hex(tile), tile, True)
            placed += [PlacedSprite(land_sprite(hexagon, seen), at), PlacedSprite(top_sprite(hexagon, seen), at)]
            number = left.get(tile.id)
            under = (at[0], at[1] + (high - LINE) / 2 + 18)
            words = f"{tile.id}  ×{'∞' if number is None else number}"
            base.append(Text("count", under, words, 22, INK if number != 0 else "#a02020", bold=True))
            if number == 0:
                veil = tuple((at[0] + x, at[1] + y) for x, y in hexagon.corners(1.02))
                over.append(Polygon("gone", veil, VEIL))
        y += high * ceil(len(group) / columns) + 6
    words = ", ".join(f"{tile.id} {'∞' if left.get(tile.id) is None else left.get(tile.id)}" for tile in tiles)
    return Scene(
        "tiles", WIDTH, round(y), truncate_alt_text([f"{title}: {words}."]), tuple(base), tuple(placed), tuple(over)
    )
