"""The map as a scene: whole or cropped, with routes and the last move marked."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import ceil

from bot.engine.game import Game
from bot.engine.ids import HexId
from bot.engine.narration import question, where
from bot.engine.routes.model import Route
from bot.engine.track import Side

from .alt import map_alt, routes_alt
from .colours import INK, LAST_MOVE, PAPER, ROUTE_DASHES, ROUTES
from .hexagon import Hexagon
from .scene import Box, Curve, Placed, Point, Polygon, Scene, Shape, Sprite, Words, strip
from .tile_scene import path_line, space_sprite

SIDE = 66.0
CROP_SIDE = 106.0
MARGIN = 34.0
TITLE_HEIGHT = 58.0
LEGEND_HEIGHT = 34.0


class Canvas:
    """Where spaces lie on a picture that shows some of them."""

    def __init__(self, game: Game, side: float, shown: Collection[HexId]) -> None:
        layout = game.land.map.layout
        self.hexagon = Hexagon(side, layout.is_flat)
        self.shown = [hex_id for hex_id in game.land.map.hexes if hex_id in shown]
        centres = {hex_id: self.hexagon.centre_of(*layout.place(hex_id)) for hex_id in self.shown}
        half_width = side if layout.is_flat else self.hexagon.apothem
        half_height = self.hexagon.apothem if layout.is_flat else side
        left = min(x for x, _ in centres.values()) - half_width - MARGIN
        top = min(y for _, y in centres.values()) - half_height - MARGIN - TITLE_HEIGHT
        self.centres = {hex_id: (x - left, y - top) for hex_id, (x, y) in centres.items()}
        self.width = ceil(max(x for x, _ in self.centres.values()) + half_width + MARGIN)
        self.height = ceil(max(y for _, y in self.centres.values()) + half_height + MARGIN)

    def sprites(self, game: Game, left: float = 0.0, top: float = 0.0) -> list[Placed]:
        """Every space at its place, moved by so much."""
        return [
            Placed(
                space_sprite(game, self.hexagon, hex_id),
                (self.centres[hex_id][0] + left, self.centres[hex_id][1] + top),
            )
            for hex_id in self.shown
        ]


def map_scene(
    game: Game,
    changed: Collection[HexId] = (),
    routes: Sequence[Route] = (),
    around: Collection[HexId] = (),
) -> Scene:
    """The map. `changed` spaces are outlined, `routes` drawn over it; `around` crops it to spaces near these."""
    everything = game.land.map.hexes
    shown = near(game, around) if around else set(everything)
    canvas = Canvas(game, CROP_SIDE if around else SIDE, shown)
    placed = canvas.sprites(game)
    placed += [
        Placed(outline(canvas.hexagon), canvas.centres[hex_id]) for hex_id in changed if hex_id in canvas.centres
    ]
    extra = LEGEND_HEIGHT * len(routes)
    placed.append(title_bar(game, canvas.width))
    over: list[Shape] = []
    for number, route in enumerate(routes):
        over += route_shapes(game, canvas, number, route)
        over += route_legend(game, number, route, canvas.height)
    kind = "crop" if around else "map"
    return Scene(
        "routes" if routes else kind,
        canvas.width,
        round(canvas.height + extra),
        routes_alt(game, routes) if routes else map_alt(game, changed),
        f"{game.title.id}:{kind}:{sorted(around)}:{len(routes)}" if not around else "",
        PAPER,
        tuple(edge_names(game, canvas)),
        tuple(placed),
        tuple(over),
    )


def near(game: Game, around: Collection[HexId]) -> set[HexId]:
    """These spaces and everything beside them."""
    beside = game.land.map.beside
    known = {hex_id for hex_id in around if hex_id in beside}
    found = known | {other for hex_id in known for other in beside[hex_id] if other}
    return found or set(game.land.map.hexes)


def title_bar(game: Game, width: int) -> Placed:
    """Title, round, phase; whose turn it is and what is asked."""
    asked = question(game)
    size = min(21.0, max(12.0, 21.0 * (width - 40) / (len(asked) * 11.5)))
    left, top = -width / 2, -TITLE_HEIGHT / 2
    shapes = (
        Box("title ground", (left, top), (width, TITLE_HEIGHT), "#26343d"),
        Words(
            "title", (left + 16, top + 23), f"{game.title.name} · {where(game)}", 18.0, "#ffffff", "start", bold=True
        ),
        Words("question", (left + 16, top + 48), asked, size, "#ffe89a", "start"),
    )
    return strip("title", width, TITLE_HEIGHT, shapes, (width / 2, TITLE_HEIGHT / 2))


def edge_names(game: Game, canvas: Canvas) -> list[Shape]:
    """Letters and numbers of rows and columns along the edges of the map."""
    layout = game.land.map.layout
    rows: dict[str, float] = {}
    columns: dict[str, float] = {}
    for hex_id, (x, y) in canvas.centres.items():
        letters = "".join(letter for letter in hex_id if letter.isalpha())
        number = hex_id[len(letters) :]
        across, down = (letters, number) if layout.letter_is_x else (number, letters)
        columns[across], rows[down] = x, y
    shapes: list[Shape] = []
    for name, x in columns.items():
        shapes.append(Words("column", (x, TITLE_HEIGHT + 22), name, 17, "#5d5748", bold=True))
        shapes.append(Words("column", (x, canvas.height - 12), name, 17, "#5d5748", bold=True))
    for name, y in rows.items():
        shapes.append(Words("row", (16, y + 6), name, 17, "#5d5748", bold=True))
        shapes.append(Words("row", (canvas.width - 16, y + 6), name, 17, "#5d5748", bold=True))
    return shapes


def outline(hexagon: Hexagon) -> Sprite:
    """The mark around what the last move changed."""
    ring = Polygon("last move", hexagon.corners(0.96), "none", LAST_MOVE, 5)
    return Sprite(f"outline:{hexagon}", hexagon.side + 4, hexagon.side + 4, (ring,))


# -- routes -------------------------------------------------------------------------------------------


def route_shapes(game: Game, canvas: Canvas, number: int, route: Route) -> list[Shape]:
    """A train's way over the map, beside the ways of the other trains, in its own colour and dashes."""
    graph = game.land.graph(game)
    colour, dashes = ROUTES[number % len(ROUTES)], ROUTE_DASHES[number % len(ROUTE_DASHES)]
    shapes: list[Shape] = []
    for index in sorted(route.segments):
        segment = graph.segments[index]
        centre = canvas.centres.get(segment.hex)
        if centre is None:
            continue
        line = segment_line(game, canvas, index)
        shapes.append(Curve("route edge", moved(line, centre), "#ffffff", 13))
        shapes.append(Curve("route", moved(line, centre), colour, 8, dashes))
    return shapes


def segment_line(game: Game, canvas: Canvas, index: int) -> str:
    """A piece of the graph as a path within its space."""
    segment = game.land.graph(game).segments[index]
    tile = game.geometry(segment.hex)
    beside = game.land.map.beside[segment.hex]
    ends = []
    for end in segment.ends:
        if isinstance(end, Side):
            ends.append(beside.index(end.b if end.a == segment.hex else end.a))
        else:
            ends.append(end.node)  # type: ignore[arg-type]
    for path in tile.paths:
        if {path.a, path.b} == set(ends):
            return path_line(canvas.hexagon, tile, path)
    return ""


def moved(path: str, by: Point) -> str:
    """The path in another place: absolute coordinates of M, L and Q commands shifted."""
    words: list[str] = []
    for command in path.replace("M", "|M").replace("L", "|L").replace("Q", "|Q").split("|"):
        if not command:
            continue
        numbers = [float(number) for number in command[1:].split()]
        shifted = [f"{value + by[index % 2]:.1f}" for index, value in enumerate(numbers)]
        words.append(command[0] + " ".join(shifted))
    return "".join(words)


def route_legend(game: Game, number: int, route: Route, top: float) -> list[Shape]:
    """One line a train: its line, its kind, its stops, its revenue."""
    y = top + LEGEND_HEIGHT * (number + 0.5)
    colour, dashes = ROUTES[number % len(ROUTES)], ROUTE_DASHES[number % len(ROUTE_DASHES)]
    kind = next((train.kind for train in game.state.trains if train.id == route.train), route.train)
    parts = " + ".join(f"{amount} {name}" for name, amount in route.parts)
    stops = " – ".join(stop.hex for stop in route.stops)
    return [
        Curve("legend", f"M16 {y:.1f}L96 {y:.1f}", colour, 8, dashes),
        Words("legend", (108, y + 6), f"{kind}: {stops} = {route.revenue} ({parts})", 17, INK, "start"),
    ]
