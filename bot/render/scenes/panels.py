"""Parts of the map that are far apart, drawn below each other, so that each stays large enough to be read on a
phone."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine import HexId
from bot.engine.notation import question, round_and_phase
from bot.engine.play import Game
from bot.i18n import tr
from bot.render.hexes.canvas import Canvas
from bot.render.shapes import FAINT, PlacedSprite, Rect, Scene, make_strip
from bot.render.shapes.alt_text import map_alt
from bot.render.shapes.hex_view import BoardView, view_of

from .map import CROP_SIDE, edge_names, hex_sprites, map_scene, neighbourhood, outlines, side_boxes, title_bar

WIDEST, HIGHEST = 720, 900
"""Maximum size of a panel: seen 550 pixels wide it is nearly as large as a crop around one hex."""

MOST_PANELS = 3
GAP = 14.0


def panels_scene(game: Game, changed: Sequence[HexId], is_news: bool = False) -> Scene:
    """The map around these hexes: in one picture if they are close together, otherwise in panels, the last hex
    first.

    If they are scattered over more panels than that, news show the latest, others the whole of it in one
    picture.
    """
    view = view_of(game)
    known = [hex_id for hex_id in dict.fromkeys(changed) if hex_id in view.land.map.neighbours]
    found = groups(view, known)
    if len(found) < 2 or (len(found) > MOST_PANELS and not is_news):
        return map_scene(game, changed, around=set(changed))
    canvases = [Canvas(view.land.map, CROP_SIDE, neighbourhood(view, group)) for group in found[:MOST_PANELS]]
    widest = max(canvases, key=lambda canvas: canvas.width)
    placed: list[PlacedSprite] = [
        title_bar(f"{game.title.name} · {tr(round_and_phase(game))}", tr(question(game)), widest)
    ]
    top = widest.head
    for number, canvas in enumerate(canvases):
        if number:
            rule = Rect("rule", (-widest.width / 2, -1), (widest.width, 2), FAINT)
            placed.append(make_strip("rule", widest.width, 2, (rule,), (widest.width / 2, top + GAP / 2)))
            top += GAP
        part = panel(view, canvas, known)
        left, down = (widest.width - canvas.width) / 2, top - canvas.head
        placed += [PlacedSprite(one.sprite, (one.at[0] + left, one.at[1] + down)) for one in part]
        top += canvas.height - canvas.head
    return Scene(
        "crop",
        widest.width,
        round(top),
        map_alt(game, known, {hex_id for group in found[:MOST_PANELS] for hex_id in neighbourhood(view, group)}),
        (),
        tuple(placed),
    )


def panel(view: BoardView, canvas: Canvas, changed: Sequence[HexId]) -> list[PlacedSprite]:
    marked = hex_sprites(view, canvas, outlines(canvas, changed))
    return [*edge_names(view, canvas), *marked, *side_boxes(view, canvas, False)]


def groups(view: BoardView, found: Sequence[HexId]) -> list[list[HexId]]:
    """The hexes, grouped so that each group fits into a panel; the last hex is in the first group."""
    left, parted = list(reversed(found)), list[list[HexId]]()
    while left:
        group = [left.pop(0)]
        for other in list(left):
            canvas = Canvas(view.land.map, CROP_SIDE, neighbourhood(view, [*group, other]))
            if canvas.width <= WIDEST and canvas.height - canvas.head <= HIGHEST:
                group.append(other)
                left.remove(other)
        parted.append(group)
    return parted
