"""The map as a scene: whole or cropped, with routes and the last move marked."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from bot.engine import HexId
from bot.engine.board import COLOURS, Segment, Side
from bot.engine.notation import question, round_and_phase
from bot.engine.play import Game
from bot.engine.play.board_style import SideBox
from bot.engine.routes.revenue import Route
from bot.i18n import tr
from bot.render.hexes.canvas import Canvas, rows_and_columns
from bot.render.hexes.hex_sprite import land_sprite, top_sprite
from bot.render.hexes.hexagon import Hexagon, path_of
from bot.render.hexes.stops import track_line
from bot.render.shapes import (
    FAINT,
    GROUND_BRIGHT,
    GROUND_DARK,
    HEADING,
    INK,
    LAST_MOVE,
    ROUTE_DASHES,
    ROUTES,
    Curve,
    PlacedSprite,
    Point,
    Polygon,
    Rect,
    Scene,
    Shape,
    Sprite,
    Text,
    make_strip,
    size_to_fit,
    tint,
    width_of,
    wrap_words,
)
from bot.render.shapes.alt_text import map_alt, route_words, routes_alt, routes_total
from bot.render.shapes.hex_view import BoardView, view_of

SIDE = 66.0
CROP_SIDE = 106.0
MOST_CROP = 1400
"""A crop larger than this has smaller hexes."""

INSET_SIDE, CROP_INSET_SIDE = 139.0, 154.0
"""The side of a hex in its inset: beside a whole map, and below a crop, where there is more room."""

LEGEND_TEXT, LEGEND_HEIGHT = 26.0, 36.0
NOTE_TEXT = 19.0


def map_scene(
    game: Game,
    changed: Collection[HexId] = (),
    routes: Sequence[Route] = (),
    around: Collection[HexId] = (),
) -> Scene:
    """The map. `changed` hexes are outlined; `around` crops it to hexes near these.

    With `routes` only the part of the map in which they run is shown.
    """
    view = view_of(game)
    around = around or hexes_on_routes(game, routes)
    canvas = canvas_for(view, around)
    placed = edge_names(view, canvas)
    placed += hex_sprites(view, canvas, [*outlines(canvas, changed), *route_sprites(game, view, canvas, routes)])
    placed += side_boxes(view, canvas, not around)
    told = routes_total(game, routes) if routes else tr(question(game))
    placed.append(title_bar(f"{game.title.name} · {tr(round_and_phase(game))}", told, canvas))
    over: list[Shape] = []
    height = float(canvas.height)
    for number, route in enumerate(routes):
        shapes, used = route_legend(game, number, route, canvas, height)
        over += shapes
        height += used
    kind = "crop" if around else "map"
    return Scene(
        "routes" if routes else kind,
        canvas.width,
        round(height),
        routes_alt(game, routes) if routes else map_alt(game, changed, neighbourhood(view, around) if around else ()),
        (),
        tuple(placed),
        tuple(over),
    )


def canvas_for(view: BoardView, around: Collection[HexId]) -> Canvas:
    """The whole map, or the area around these hexes, enlarged unless they are far apart."""
    if not around:
        return Canvas(view.land.map, SIDE, view.land.map.hexes)
    shown = neighbourhood(view, around)
    canvas = Canvas(view.land.map, CROP_SIDE, shown)
    largest = max(canvas.width, canvas.height)
    if largest <= MOST_CROP:
        return canvas
    return Canvas(view.land.map, max(SIDE, CROP_SIDE * MOST_CROP / largest), shown)


def neighbourhood(view: BoardView, around: Collection[HexId]) -> set[HexId]:
    neighbours = view.land.map.neighbours
    known = {hex_id for hex_id in around if hex_id in neighbours}
    found = known | {other for hex_id in known for other in neighbours[hex_id] if other}
    return found or set(view.land.map.hexes)


def hex_sprites(
    view: BoardView, canvas: Canvas, between: Sequence[PlacedSprite] = (), by: Point = (0.0, 0.0)
) -> list[PlacedSprite]:
    """All hexes, shifted by `by`: first the ground of all, then `between` on their track, then what stands on it."""
    seen = [
        (view.hex_view(hex_id), (canvas.centres[hex_id][0] + by[0], canvas.centres[hex_id][1] + by[1]))
        for hex_id in canvas.shown
    ]
    land = [PlacedSprite(land_sprite(canvas.hexagon, space), at) for space, at in seen]
    return [*land, *between] + [PlacedSprite(top_sprite(canvas.hexagon, space), at) for space, at in seen]


# -- beside the map -----------------------------------------------------------------------------------


def side_boxes(view: BoardView, canvas: Canvas, is_whole: bool) -> list[PlacedSprite]:
    placed = []
    for hex_id in view.look.insets:
        if hex_id in canvas.centres:
            placed += inset(view, canvas, hex_id, INSET_SIDE if is_whole else CROP_INSET_SIDE)
    if view.look.notes and is_whole:
        placed.append(notes(view, canvas))
    return placed


def inset(view: BoardView, canvas: Canvas, hex_id: HexId, side: float) -> list[PlacedSprite]:
    hexagon = Hexagon(side, canvas.hexagon.is_flat)
    scale = side / canvas.hexagon.side
    letters = max(22.0, HEADING * canvas.width)
    width, height = scale * 2 * canvas.half_width + 0.25 * side, scale * 2 * canvas.half_height + 36 + letters
    at = canvas.claim(width, height)
    words = f"{hex_id} {view.land.map.hexes[hex_id].name}".strip()
    frame = (
        Rect("inset frame", (-width / 2, -height / 2), (width, height), "#ffffff", FAINT, 2.0, 8),
        Text(
            "inset",
            (0, -height / 2 + 6 + letters),
            words,
            size_to_fit(words, width - 12, letters, True),
            INK,
            bold=True,
        ),
    )
    space = view.hex_view(hex_id)
    middle = (at[0], at[1] + 5 + letters / 2)
    return [
        make_strip("inset", width, height, frame, at),
        PlacedSprite(land_sprite(hexagon, space), middle),
        PlacedSprite(top_sprite(hexagon, space), middle),
    ]


def notes(view: BoardView, canvas: Canvas) -> PlacedSprite:
    found = view.look.notes
    name_width = max(width_of(tr(note.name), NOTE_TEXT, True, True) for note in found) + 14
    cell, row = 46.0, 34.0
    most = max(len(note.values) for note in found)
    width, height = name_width + cell * most + 20, row * len(found) + 16
    shapes: list[Shape] = [Rect("notes frame", (-width / 2, -height / 2), (width, height), "#ffffff", FAINT, 2.0, 8)]
    for index, note in enumerate(found):
        y = -height / 2 + 8 + row * index
        left = -width / 2 + 10
        shapes.append(Text("note", (left, y + 24), tr(note.name), NOTE_TEXT, INK, "start", bold=True, condensed=True))
        shapes += _note_values(view, note, left + name_width, y + 3, cell, row - 6)
    return make_strip("notes", width, height, tuple(shapes), canvas.claim(width, height))


def _note_values(view: BoardView, note: SideBox, left: float, top: float, cell: float, height: float) -> list[Shape]:
    shapes: list[Shape] = []
    names = (note.colours or COLOURS)[: len(note.values)] if len(note.values) > 1 else ("white",)
    known = [colour for colour in names if colour in view.colours]
    for index, (value, colour) in enumerate(zip(note.values, names, strict=False)):
        is_now = bool(known) and colour == known[-1]
        x = left + index * cell
        ground = tint(colour)
        shapes.append(Rect("note value ground", (x, top), (cell - 2, height), ground, INK, 3.0 if is_now else 1.0))
        at = (x + cell / 2 - 1, top + height / 2 + 7)
        shapes.append(Text("note value", at, str(value), NOTE_TEXT, INK, bold=True, condensed=True))
    return shapes


def title_bar(title: str, asked: str, canvas: Canvas) -> PlacedSprite:
    """Title, round, phase; whose turn it is and the pending decision, or whose routes are shown."""
    width, scale = canvas.width, canvas.scale
    left, top, room = -width / 2, -canvas.head / 2, width - 32
    title_size, asked_size = size_to_fit(title, room, 20.0 * scale, True), size_to_fit(asked, room, 21.0 * scale)
    shapes = (
        Rect("title ground", (left, top), (width, canvas.head), GROUND_DARK),
        Text("title", (left + 16, top + 23 * scale), title, title_size, "#ffffff", "start", True),
        Text("question", (left + 16, top + 48 * scale), asked, asked_size, GROUND_BRIGHT, "start"),
    )
    return make_strip("title", width, canvas.head, shapes, (width / 2, canvas.head / 2))


def edge_names(view: BoardView, canvas: Canvas) -> list[PlacedSprite]:
    columns, rows = rows_and_columns(canvas.shown, canvas.centres, view.land.map.layout.letter_is_x)
    bottom = max(y for _, y in canvas.centres.values()) + canvas.half_height + 16
    half_width, half_height = canvas.width / 2, canvas.height / 2
    across = tuple(Text("column", (x - half_width, 6), name, 19, FAINT, bold=True) for name, x in columns.items())
    down = tuple(Text("row", (0, y - half_height + 6), name, 19, FAINT, bold=True) for name, y in rows.items())
    return [
        make_strip("columns", canvas.width, 24, across, (half_width, canvas.head + 16)),
        make_strip("columns", canvas.width, 24, across, (half_width, bottom)),
        make_strip("rows", 32, canvas.height, down, (16, half_height)),
        make_strip("rows", 32, canvas.height, down, (canvas.width - 16, half_height)),
    ]


def outlines(canvas: Canvas, changed: Collection[HexId], by: Point = (0.0, 0.0)) -> list[PlacedSprite]:
    """Marks around the hexes changed by the last move: on the ground, so that they cover no word, cost or token."""
    sprite = outline(canvas.hexagon)
    places = [canvas.centres[hex_id] for hex_id in changed if hex_id in canvas.centres]
    return [PlacedSprite(sprite, (x + by[0], y + by[1])) for x, y in places]


def outline(hexagon: Hexagon) -> Sprite:
    half = hexagon.side + 4
    shapes = (
        Polygon("last move edge", hexagon.corners(0.95), "none", "#ffffff", 8),
        Polygon("last move", hexagon.corners(0.95), "none", LAST_MOVE, 4.5),
    )
    return Sprite(f"outline:{hexagon}", half, half, shapes)


# -- routes -------------------------------------------------------------------------------------------


def hexes_on_routes(game: Game, routes: Sequence[Route]) -> set[HexId]:
    segments = game.board_rules.graph(game).segments if routes else {}
    return {segments[index].hex for route in routes for index in route.segments} | {
        stop.hex for route in routes for stop in route.stops
    }


def route_sprites(game: Game, view: BoardView, canvas: Canvas, routes: Sequence[Route]) -> list[PlacedSprite]:
    """Each train's route in its own colour and dashes: a sprite for each hex."""
    segments = game.board_rules.graph(game).segments if routes else {}
    edges: dict[HexId, list[Shape]] = {}
    lines: dict[HexId, list[Shape]] = {}
    for number, route in enumerate(routes):
        colour, dashes = ROUTES[number % len(ROUTES)], ROUTE_DASHES[number % len(ROUTE_DASHES)]
        for index in sorted(route.segments):
            segment = segments[index]
            line = segment_line(canvas, view, segment) if segment.hex in canvas.centres else ""
            if line:
                edges.setdefault(segment.hex, []).append(Curve("route edge", line, "#ffffff", 13))
                lines.setdefault(segment.hex, []).append(Curve("route", line, colour, 8, dashes))
    half = canvas.hexagon.side + 4
    return [
        PlacedSprite(
            Sprite(f"route:{canvas.hexagon.side}:{shapes}", half, half, (*edges[hex_id], *shapes)),
            canvas.centres[hex_id],
        )
        for hex_id, shapes in lines.items()
    ]


def segment_line(canvas: Canvas, view: BoardView, segment: Segment) -> str:
    seen = view.hex_view(segment.hex)
    neighbours = view.land.map.neighbours[segment.hex]
    ends: list[int | str] = []
    for end in segment.ends:
        if isinstance(end, Side):
            ends.append(neighbours.index(end.b if end.a == segment.hex else end.a))
        else:
            ends.append(end.node)
    for tile in (seen.tile, *seen.beneath):
        for path in tile.paths:
            if {path.a, path.b} == set(ends):
                return path_of(track_line(canvas.hexagon, tile, path))
    return ""


def route_legend(game: Game, number: int, route: Route, canvas: Canvas, top: float) -> tuple[list[Shape], float]:
    """A train's line, its kind, its stops, its revenue, in as many lines as they need; and the height of them."""
    size = max(LEGEND_TEXT, HEADING * canvas.width)
    high = LEGEND_HEIGHT * size / LEGEND_TEXT
    y = top + high * 0.5
    colour, dashes = ROUTES[number % len(ROUTES)], ROUTE_DASHES[number % len(ROUTE_DASHES)]
    lines = wrap_words(route_words(game, route), canvas.width - 124, size, " ")
    shapes: list[Shape] = [Curve("legend", f"M16 {y:.1f}L96 {y:.1f}", colour, 8, dashes)]
    shapes += [
        Text("legend", (108, y + 9 + high * index), line, size, INK, "start") for index, line in enumerate(lines)
    ]
    return shapes, high * len(lines)
