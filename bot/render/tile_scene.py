"""One map space as shapes: ground, track, stops, tokens, values, names."""

from __future__ import annotations

from math import atan2, cos, hypot, sin

from bot.engine.game import Game
from bot.engine.ids import CompanyId, HexId
from bot.engine.maps import MapHex
from bot.engine.tiles import Node, Path, Tile

from .colours import BORDER, DESERT, HEX_EDGE, INK, MOUNTAIN, PHASE, RINGS, TILE, TRACK
from .hexagon import Hexagon
from .scene import Box, Circle, Curve, Point, Polygon, Shape, Sprite, Words

SLOT = 0.285
"""Radius of a token slot as a part of the hexagon's side."""


def space_sprite(game: Game, hexagon: Hexagon, hex_id: HexId) -> Sprite:
    """The space as it is now."""
    board, space = game.state.board, game.land.map.hexes[hex_id]
    tile = game.geometry(hex_id)
    tokens = tuple(tuple(city) for city in board.tokens.get(hex_id, []))
    kept = tuple((r.city, r.company) for r in board.reservations if r.hex == hex_id)
    colour = game.title.phase(game.state.phase).colours[-1]
    laid = board.tiles.get(hex_id)
    key = f"{game.title.id}:{hexagon}:{hex_id}:{laid}:{tokens}:{kept}:{colour if has_phases(tile) else ''}"
    shapes = [
        *ground(hexagon, tile, space),
        *track(hexagon, tile),
        *stops(game, hexagon, hex_id, tile, colour),
        *labels(hexagon, space, tile, bool(laid)),
        *border_marks(hexagon, space, tile),
    ]
    return Sprite(key, hexagon.side + 3, hexagon.side + 3, tuple(shapes))


def has_phases(tile: Tile) -> bool:
    """Whether a stop's value grows with the phase."""
    return any(len(node.revenue) > 1 for node in tile.nodes)


def ground(hexagon: Hexagon, tile: Tile, space: MapHex) -> list[Shape]:
    """The coloured hexagon and its terrain."""
    shapes: list[Shape] = [Polygon("ground", hexagon.corners(), TILE.get(tile.colour, TILE["white"]), HEX_EDGE, 1.5)]
    if tile.colour == "white" and space.cost:
        shapes += terrain(hexagon, space)
    return shapes


def terrain(hexagon: Hexagon, space: MapHex) -> list[Shape]:
    """The cost of the first tile, with a sign: peaks for mountains, dunes for deserts."""
    size = hexagon.side
    x, y = (0.0, 0.12 * size) if not space.printed.nodes else (0.0, 0.62 * size)
    colour = DESERT if space.is_desert else MOUNTAIN
    sign: Shape
    if space.is_desert:
        sign = Curve(
            "terrain",
            f"M{x - 0.3 * size:.1f} {y - 0.22 * size:.1f}q{0.15 * size:.1f} {-0.22 * size:.1f} {0.3 * size:.1f} 0"
            f"q{0.15 * size:.1f} {-0.22 * size:.1f} {0.3 * size:.1f} 0",
            colour,
            3,
        )
    else:
        sign = Polygon(
            "terrain",
            (
                (x - 0.3 * size, y - 0.16 * size),
                (x - 0.1 * size, y - 0.46 * size),
                (x + 0.05 * size, y - 0.24 * size),
                (x + 0.15 * size, y - 0.38 * size),
                (x + 0.3 * size, y - 0.16 * size),
            ),
            colour,
        )
    return [sign, Words("terrain cost", (x, y + 0.12 * size), str(space.cost), 0.27 * size, colour, bold=True)]


# -- track --------------------------------------------------------------------------------------------


def track(hexagon: Hexagon, tile: Tile) -> list[Shape]:
    """All pieces of track; narrow ones dashed."""
    width = hexagon.side * 0.13
    return [
        Curve("track", path_line(hexagon, tile, path), TRACK, width, "5 3" if path.is_narrow else "")
        for path in tile.paths
    ]


def path_line(hexagon: Hexagon, tile: Tile, path: Path) -> str:
    """A piece of track as a path."""
    if isinstance(path.a, int) and isinstance(path.b, int):
        return hexagon.between_edges(path.a, path.b)
    if isinstance(path.a, int) or isinstance(path.b, int):
        edge, name = (path.a, path.b) if isinstance(path.a, int) else (path.b, path.a)
        node = tile.node(str(name))
        exits = sorted(tile.exits_of(node.id))
        if node.kind == "town" and len(exits) == 2:
            return _half_curve(hexagon, int(edge), exits)
        place = hexagon.place_of(tile, node)
        if path.is_terminal and node.kind == "offboard":
            place = hexagon.middle(int(edge), 0.55)
        return hexagon.to_stop(int(edge), place)
    (ax, ay), (bx, by) = (hexagon.place_of(tile, tile.node(str(end))) for end in (path.a, path.b))
    return f"M{ax:.1f} {ay:.1f}L{bx:.1f} {by:.1f}"


def _half_curve(hexagon: Hexagon, edge: int, exits: list[int]) -> str:
    """The half of a curve between two edges that lies at `edge`, up to the town in its middle."""
    ax, ay = hexagon.middle(edge)
    bx, by = hexagon.on_curve(exits[0], exits[1])
    return f"M{ax:.1f} {ay:.1f}Q{ax / 2:.1f} {ay / 2:.1f} {bx:.1f} {by:.1f}"


# -- stops --------------------------------------------------------------------------------------------


def stops(game: Game, hexagon: Hexagon, hex_id: HexId, tile: Tile, colour: str) -> list[Shape]:
    """Cities with tokens, towns, off-board places, and what they are worth."""
    shapes: list[Shape] = []
    for node in tile.nodes:
        if node.slots:
            city = [other.id for other in tile.cities].index(node.id)
            shapes += city_shapes(game, hexagon, hex_id, tile, node, city)
        elif node.kind == "town":
            shapes += town_shapes(hexagon, tile, node)
    shapes += values(hexagon, tile, colour)
    return shapes


def slot_places(hexagon: Hexagon, middle: Point, slots: int) -> list[Point]:
    """Where the slots of a city lie."""
    x, y = middle
    radius = hexagon.side * SLOT
    if slots == 1:
        return [middle]
    if slots == 2:
        return [(x - radius, y), (x + radius, y)]
    if slots == 3:
        return [(x - radius, y + 0.6 * radius), (x + radius, y + 0.6 * radius), (x, y - 1.13 * radius)]
    columns = (slots + 1) // 2
    return [
        (x + (index % columns - (columns - 1) / 2) * 2 * radius, y + (-radius if index < columns else radius))
        for index in range(slots)
    ]


def city_shapes(game: Game, hexagon: Hexagon, hex_id: HexId, tile: Tile, node: Node, city: int) -> list[Shape]:
    """A city: white slots, tokens in them, the initials of whoever a slot is kept for."""
    board = game.state.board
    radius = hexagon.side * SLOT
    middle = hexagon.place_of(tile, node)
    places = slot_places(hexagon, middle, node.slots)
    shapes: list[Shape] = []
    if node.slots > 1:
        shapes += [Circle("city frame", place, radius * 1.28, "#ffffff") for place in places]
    shapes += [Circle("slot", place, radius, "#ffffff", INK, 2.0) for place in places]
    tokens = board.tokens_in(hex_id, city)
    for place, company in zip(places, tokens, strict=False):
        shapes += token(game, place, radius, company)
    for index, company in enumerate(tokens[len(places) :]):
        at = hexagon.corner(2 + index, 0.68)
        shapes += token(game, at, radius * 0.85, company)
    for place, company in zip(places[len(tokens) :], board.reserved_in(hex_id, city), strict=False):
        shapes.append(Circle("kept", place, radius * 0.86, "none", "#777777", 1.5, "3 3"))
        shapes.append(initials(place, radius, company, "#555555"))
    return shapes


def token(game: Game, place: Point, radius: float, company: CompanyId) -> list[Shape]:
    """A station token: colour, initials, and a ring with its own dashes."""
    noun = game.title.companies[company]
    number = list(game.title.companies).index(company)
    return [
        Circle("token", place, radius * 0.97, noun.colour, INK, 1.8),
        Circle("token ring", place, radius * 0.8, "none", noun.text_colour, 1.6, RINGS[number % len(RINGS)]),
        initials(place, radius, company, noun.text_colour),
    ]


def initials(place: Point, radius: float, company: CompanyId, colour: str) -> Words:
    """A company's sign in a slot."""
    size = radius * (0.86 if len(company) <= 3 else 0.66)
    return Words("initials", (place[0], place[1] + size * 0.36), company, size, colour, bold=True, condensed=True)


def town_shapes(hexagon: Hexagon, tile: Tile, node: Node) -> list[Shape]:
    """A town: a bar across its track, or a dot where it has no track or several."""
    x, y = hexagon.place_of(tile, node)
    exits = sorted(tile.exits_of(node.id))
    if len(exits) != 2:
        return [Circle("town", (x, y), hexagon.side * 0.12, INK, "#ffffff", 2)]
    (ax, ay), (bx, by) = hexagon.middle(exits[0]), hexagon.middle(exits[1])
    angle = atan2(by - ay, bx - ax)
    dx, dy = -sin(angle) * hexagon.side * 0.2, cos(angle) * hexagon.side * 0.2
    bar = f"M{x - dx:.1f} {y - dy:.1f}L{x + dx:.1f} {y + dy:.1f}"
    return [
        Curve("town edge", bar, "#ffffff", hexagon.side * 0.19),
        Curve("town", bar, INK, hexagon.side * 0.11),
    ]


def values(hexagon: Hexagon, tile: Tile, colour: str) -> list[Shape]:
    """What the stops are worth: one circle a value, boxes in the colours of the phases off the board."""
    phased = [node for node in tile.nodes if len(node.revenue) > 1]
    if phased:
        return phase_boxes(hexagon, phased[0], colour)
    if tile.colour == "white" or not tile.nodes:
        return []
    shapes: list[Shape] = []
    for index, revenue in enumerate(dict.fromkeys(node.revenue[0] for node in tile.nodes)):
        if not revenue:
            continue
        at = free_places(hexagon, tile, index + 1)[index]
        size = hexagon.side * 0.215
        shapes.append(Circle("value ground", at, size, "#ffffff", INK, 1.5))
        shapes.append(
            Words("value", (at[0], at[1] + size * 0.42), str(revenue), size * 1.16, INK, bold=True, condensed=True)
        )
    return shapes


def free_places(hexagon: Hexagon, tile: Tile, number: int) -> list[Point]:
    """The places inside the hexagon's rim that are farthest from track, slots, the name and each other."""
    taken = [hexagon.middle(edge, scale) for edge in tile.exits for scale in (1.0, 0.8, 0.6)]
    for node in tile.nodes:
        taken += slot_places(hexagon, hexagon.place_of(tile, node), max(1, node.slots))
        if len(node.revenue) > 1:
            taken += [(offset * hexagon.side, 0.42 * hexagon.side) for offset in (-0.6, -0.3, 0.0, 0.3, 0.6)]
    taken.append((0.0, 0.86 * hexagon.side))
    for offset in (-0.45, 0.0, 0.45):
        taken.append((offset * hexagon.side, name_height(hexagon, tile) - 0.08 * hexagon.side))
    candidates = [hexagon.corner(corner, 0.72) for corner in range(6)]
    candidates += [hexagon.middle(edge, 0.74) for edge in range(6) if edge not in tile.exits]
    found: list[Point] = []
    for _ in range(number):
        best = max(candidates, key=lambda place: min(hypot(place[0] - x, place[1] - y) for x, y in taken))
        found.append(best)
        taken.append(best)
    return found


def name_height(hexagon: Hexagon, tile: Tile) -> float:
    """Where a place's name stands: above its stops, or below where three slots reach up."""
    if any(node.slots >= 3 for node in tile.nodes):
        return 0.74 * hexagon.side
    return (-0.62 if hexagon.is_flat else -0.5) * hexagon.side


def phase_boxes(hexagon: Hexagon, node: Node, colour: str) -> list[Shape]:
    """The values by phase, the present one framed."""
    size = hexagon.side
    wide, high = 0.36 * size, 0.3 * size
    names = list(PHASE)[: len(node.revenue)]
    left = -wide * len(names) / 2
    y = 0.28 * size if node.slots else -0.02 * size
    shapes: list[Shape] = []
    for index, name in enumerate(names):
        x = left + index * wide
        now = name == colour
        shapes.append(Box("phase value ground", (x, y), (wide, high), PHASE[name], INK, 3.0 if now else 0.8))
        shapes.append(
            Words(
                "phase value",
                (x + wide / 2, y + high * 0.76),
                str(node.revenue[index]),
                (0.235 if now else 0.21) * size * (0.8 if node.revenue[index] > 99 else 1.0),
                INK,
                bold=now,
                condensed=True,
            )
        )
    return shapes


# -- words and borders --------------------------------------------------------------------------------


def labels(hexagon: Hexagon, space: MapHex, tile: Tile, is_laid: bool) -> list[Shape]:
    """The name of the place, the tile's label and number, the name of an empty space."""
    size = hexagon.side
    ground_colour = TILE.get(tile.colour, TILE["white"])
    shapes: list[Shape] = []
    words = list(tile.labels) or ([space.later_label] if space.later_label else [])
    if words:
        used = len({node.revenue[0] for node in tile.nodes if len(node.revenue) == 1 and node.revenue[0]})
        x, y = free_places(hexagon, tile, used + 1)[used]
        shapes.append(Words("label", (x, y + 0.1 * size), words[0], 0.28 * size, INK, bold=True, halo=ground_colour))
    if space.name:
        short = space.name if len(space.name) <= 15 else space.name.replace(" & ", "/")
        width = 0.235 * size if len(short) <= 11 else 0.19 * size if len(short) <= 17 else 0.165 * size
        at = (0.0, name_height(hexagon, tile))
        shapes.append(Words("name", at, short, width, INK, condensed=True, bold=True, halo=ground_colour))
    elif not is_laid and not tile.nodes:
        shapes.append(Words("space", (0.0, -0.5 * size), space.id, 0.2 * size, "#6e6753"))
    if is_laid:
        shapes.append(Words("tile number", (0.0, 0.93 * size), tile.id, 0.15 * size, "#3d3a33", halo=ground_colour))
    return shapes


def border_marks(hexagon: Hexagon, space: MapHex, tile: Tile) -> list[Shape]:
    """Gauge borders as thick dashes; a white disc where track crosses one (1848 §7.6)."""
    shapes: list[Shape] = []
    for edge in sorted(space.borders):
        (ax, ay), (bx, by) = hexagon.corner(edge - 1), hexagon.corner(edge)
        shapes.append(Curve("border", f"M{ax:.1f} {ay:.1f}L{bx:.1f} {by:.1f}", BORDER, 5, "9 5"))
        if edge in tile.exits:
            shapes.append(Circle("gauge change", hexagon.middle(edge), hexagon.side * 0.13, "#ffffff", BORDER, 3))
    return shapes
