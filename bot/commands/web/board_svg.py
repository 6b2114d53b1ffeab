"""The map and the market as SVG that a page can take apart: every space is a group with an id, and can be chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from xml.sax.saxutils import escape, quoteattr

from bot.engine import CompanyId, HexId
from bot.engine.board import Tile
from bot.engine.play import Game
from bot.render.hexes.canvas import Canvas
from bot.render.hexes.hex_sprite import land_sprite, top_sprite
from bot.render.hexes.hexagon import Hexagon
from bot.render.painting.svg import element
from bot.render.scenes.chart import ChartKind
from bot.render.scenes.map import SIDE, edge_names, side_boxes
from bot.render.scenes.market import TOP, Grid, market_grid
from bot.render.scenes.tiles import blank_hex
from bot.render.shapes import PlacedSprite, Point, Scene, Shape, Sprite, Text
from bot.render.shapes.hex_view import BoardView, HexView, TokenDrawing

HIDEABLE = {"name": "named", "space": "coords"}
"""Text that a reader can hide, by its role, with the class that hides it."""

CHART_TOP = 48.0
"""The height of a chart's heading."""

HIT = 0.99
"""The area that reacts to a tap, as a part of the hex."""


def map_svg(view: BoardView, words: Callable[[HexId], str], chosen: Iterable[HexId] = ()) -> str:
    """The whole map. `words` describes the content of a hex; `chosen` are the hexes of the last move."""
    canvas = Canvas(view.land.map, SIDE, view.land.map.hexes)
    seen = {hex_id: view.hex_view(hex_id) for hex_id in canvas.shown}
    aside = "".join(map(sprite_svg, side_boxes(view, canvas, True)))
    edges = "".join(map(sprite_svg, edge_names(view, canvas)))
    land = "".join(
        group("land", hex_id, canvas.centres[hex_id], land_sprite(canvas.hexagon, space))
        for hex_id, space in seen.items()
    )
    top = "".join(
        group("top", hex_id, canvas.centres[hex_id], top_sprite(canvas.hexagon, space))
        for hex_id, space in seen.items()
    )
    changed = set(chosen)
    hits = "".join(
        f'<polygon id="at-{hex_id}" class="hit{" last" if hex_id in changed else ""}" data-hex="{hex_id}" role="button" '
        f'tabindex="-1" aria-label={quoteattr(words(hex_id))} transform="{translate(canvas.centres[hex_id])}" '
        f'points="{points(canvas.hexagon)}"/>'
        for hex_id in canvas.shown
    )
    return (
        f'<svg id="map" xmlns="http://www.w3.org/2000/svg" viewBox="0 {canvas.head:.0f} {canvas.width} '
        f'{canvas.height - canvas.head:.0f}"><g class="coords" aria-hidden="true">{edges}</g>'
        f'<g aria-hidden="true">{land}<g id="tried"></g><g id="ways"></g>{top}{aside}</g><g id="preview" aria-hidden="true"></g>'
        f'<g id="hits">{hits}</g></svg>'
    )


def hex_svg(view: BoardView, hex_id: HexId) -> str:
    """A hex in this view, around (0, 0): ground, track, and everything on it."""
    canvas, seen = Canvas(view.land.map, SIDE, [hex_id]), view.hex_view(hex_id)
    return shapes_svg(land_sprite(canvas.hexagon, seen).shapes) + shapes_svg(top_sprite(canvas.hexagon, seen).shapes)


def tile_svg(game: Game, view: BoardView, hex_id: HexId) -> str:
    return tile_picture(hex_svg(view, hex_id), Hexagon(SIDE, game.board_rules.map.layout.is_flat))


def sheet_svg(game: Game, tile: Tile) -> str:
    hexagon, seen = Hexagon(SIDE, game.board_rules.map.layout.is_flat), HexView(blank_hex(tile), tile, True)
    return tile_picture(
        shapes_svg(land_sprite(hexagon, seen).shapes) + shapes_svg(top_sprite(hexagon, seen).shapes), hexagon
    )


def tile_picture(body: str, hexagon: Hexagon) -> str:
    """A drawing around (0, 0), as a picture of the size of a hex."""
    wide, high = (hexagon.side, hexagon.apothem) if hexagon.is_flat else (hexagon.apothem, hexagon.side)
    box = f"{-wide - 3:.0f} {-high - 3:.0f} {2 * wide + 6:.0f} {2 * high + 6:.0f}"
    return f'<svg xmlns="http://www.w3.org/2000/svg" class="tile" viewBox="{box}" aria-hidden="true">{body}</svg>'


def market_svg(game: Game, faces: Mapping[CompanyId, TokenDrawing]) -> str:
    return scene_svg(market_grid(game, faces), "market", Grid(game).tops[0] - TOP)


def chart_svg(chart: Scene, kind: ChartKind) -> str:
    return scene_svg(chart, f"chart-{kind}", CHART_TOP)


def scene_svg(scene: Scene, name: str, top: float) -> str:
    """A scene below its heading, with its description for people who cannot see it."""
    body = shapes_svg(scene.base) + "".join(map(sprite_svg, scene.placed)) + shapes_svg(scene.over)
    return (
        f'<svg id="{name}" xmlns="http://www.w3.org/2000/svg" viewBox="0 {top:.0f} {scene.width} {scene.height - top:.0f}" role="img" '
        f"aria-label={quoteattr(scene.alt)}>{body}</svg>"
    )


def sprite_svg(placed: PlacedSprite) -> str:
    x, y = placed.at[0] - placed.sprite.middle[0], placed.at[1] - placed.sprite.middle[1]
    return f'<g transform="{translate((x, y))}">{shapes_svg(placed.sprite.shapes)}</g>'


def group(kind: str, hex_id: HexId, at: Point, sprite: Sprite) -> str:
    """A hex's sprite as an identifiable group."""
    return f'<g id="{kind}-{escape(hex_id)}" transform="{translate(at)}">{shapes_svg(sprite.shapes)}</g>'


def shapes_svg(shapes: Iterable[Shape]) -> str:
    """Shapes, with hideable shapes in a group of their class."""
    return "".join(map(shape_svg, shapes))


def shape_svg(shape: Shape) -> str:
    hideable = HIDEABLE.get(shape.role) if isinstance(shape, Text) else None
    return f'<g class="{hideable}">{element(shape)}</g>' if hideable else element(shape)


def translate(at: Point) -> str:
    return f"translate({at[0]:.1f} {at[1]:.1f})"


def points(hexagon: Hexagon) -> str:
    """The outline of a hex around (0, 0)."""
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in hexagon.corners(HIT))
