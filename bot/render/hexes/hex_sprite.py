"""One map space as shapes: ground, track, stops and tokens. Words and signs are in `signs`."""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b
from math import cos, sin

from bot.engine.board import Node, Path, Tile
from bot.render.shapes import HEX_EDGE, INK, TILE, TRACK, WATER, Circle, Curve, Point, Polygon, Shape, Sprite, lighten
from bot.render.shapes.hex_view import HexView, TokenDrawing

from .hexagon import Curved, Hexagon, samples, straight_curve
from .label_placement import NEAR_STOP, STOP, OccupancyGrid
from .signs import signs
from .stops import MOST_TOGETHER, places, slots, town_angle, track_line, track_path
from .tokens import initials, token

MARGIN = 1.16
"""Half the size of a hex's sprite, in sides: signs on an edge reach over it."""


@lru_cache(maxsize=8192)
def land_sprite(hexagon: Hexagon, seen: HexView) -> Sprite:
    shapes = (*ground(hexagon, seen), *track(hexagon, seen))
    return _sprite("land", hexagon, shapes, 1.0)


@lru_cache(maxsize=8192)
def top_sprite(hexagon: Hexagon, seen: HexView) -> Sprite:
    """Stops, tokens, words and signs of a hex; drawn after the ground of all hexes."""
    room = OccupancyGrid(hexagon)
    for path in seen.tile.paths:
        is_arrow = _is_arrow(seen.tile, path.a, path.b)
        line = arrow_line(hexagon, path) if is_arrow else track_line(hexagon, seen.tile, path)
        room.add_line(samples(line, 13), hexagon.side * 0.07)
    shapes = (*stops(hexagon, seen, room), *signs(hexagon, seen, room))
    return _sprite(f"top {seen.space.id}", hexagon, shapes, MARGIN)


def _sprite(name: str, hexagon: Hexagon, shapes: tuple[Shape, ...], margin: float) -> Sprite:
    """The key is derived from the contents."""
    digest = blake2b(repr(shapes).encode(), digest_size=12).hexdigest()
    half = hexagon.side * margin + 3
    return Sprite(f"{name} {hexagon.side:g} {digest}", half, half, shapes)


# -- ground -------------------------------------------------------------------------------------------


def ground(hexagon: Hexagon, seen: HexView) -> list[Shape]:
    """The coloured hexagon; water has waves, tunnels hatching. Edges within one area are not drawn."""
    colour = seen.tile.colour if seen.is_laid or seen.tile.colour != "white" else seen.space.colour
    fill = TILE.get(colour, TILE["white"])
    shapes: list[Shape] = [Polygon("ground", hexagon.corners(1.008), fill)]
    if colour == "blue":
        shapes += waves(hexagon)
    if colour == "purple":
        shapes += hatching(hexagon)
    joined = seen.space.edges_with("joint")
    for edge in range(6):
        if edge not in joined:
            (ax, ay), (bx, by) = hexagon.corner(edge - 1), hexagon.corner(edge)
            shapes.append(Curve("edge", f"M{ax:.1f} {ay:.1f}L{bx:.1f} {by:.1f}", HEX_EDGE, 1.5))
    return shapes


def waves(hexagon: Hexagon) -> list[Shape]:
    side = hexagon.side
    found: list[Shape] = []
    for row in (-0.25, 0.2, 0.6):
        for column in (-0.45, 0.25) if row < 0.5 else (-0.1,):
            x, y = column * side, row * side
            arc = 0.1 * side
            found.append(
                Curve(
                    "wave",
                    f"M{x:.1f} {y:.1f}q{arc / 2:.1f} {-arc / 2:.1f} {arc:.1f} 0q{arc / 2:.1f} {arc / 2:.1f} {arc:.1f} 0",
                    "#7db7dc",
                    1.6,
                )
            )
    return found


def hatching(hexagon: Hexagon) -> list[Shape]:
    side = hexagon.side
    found: list[Shape] = []
    for offset in (-0.75, -0.45, -0.15, 0.15, 0.45, 0.75):
        ends = [
            ((offset + part) * side, (offset - part) * side)
            for part in (index / 40 for index in range(-40, 41))
            if hexagon.holds(((offset + part) * side, (offset - part) * side), 0.03)
        ]
        if ends:
            (ax, ay), (bx, by) = ends[0], ends[-1]
            found.append(Curve("hatching", f"M{ax:.1f} {ay:.1f}L{bx:.1f} {by:.1f}", "#b79dce", 1.4))
    return found


# -- track --------------------------------------------------------------------------------------------


def track(hexagon: Hexagon, seen: HexView) -> list[Shape]:
    """The ground, then all track of the tile, then the arrows of off-board areas."""
    shapes: list[Shape] = []
    for tile in seen.beneath:
        shapes += tunnels(hexagon, tile)
    tile = seen.tile
    drawn: list[Path] = []
    for path in sorted(tile.paths, key=lambda path: not path.is_narrow):
        if _is_arrow(tile, path.a, path.b):
            continue
        line, width = track_path(hexagon, tile, path), hexagon.side * 0.13
        if not path.is_narrow and drawn and not any({path.a, path.b} & {other.a, other.b} for other in drawn):
            shapes.append(Curve("crossing", line, TILE.get(tile.colour, TILE["white"]), width * 1.55))
        drawn.append(path)
        if path.mark == "shared":
            shapes += [Curve("track", line, TRACK, width * 1.5), Curve("track shared", line, "#ffffff", width)]
        elif path.mark == "dual":
            shapes += [Curve("track", line, TRACK, width), Curve("track dual", line, "#ffffff", width * 0.4, "6 5")]
        elif path.mark == "future":
            shapes.append(Curve("track future", line, "#5b4a70", width * 0.55, "3 5"))
        elif path.mark == "drawn":
            shapes.append(Curve("ferry", line, WATER, width * 0.5, "7 5"))
        elif path.is_narrow:
            shapes += tunnel(line, width)
        else:
            shapes.append(Curve("track", line, TRACK, width))
    shown = tile if tile.paths else seen.space.printed
    return shapes + arrows(hexagon, shown)


def tunnels(hexagon: Hexagon, tile: Tile) -> list[Shape]:
    return [shape for path in tile.paths for shape in tunnel(track_path(hexagon, tile, path), hexagon.side * 0.13)]


def tunnel(line: str, width: float) -> list[Shape]:
    return [
        Curve("tunnel", line, "#3b2a52", width * 1.9),
        Curve("tunnel bed", line, "#ffffff", width * 1.3),
        Curve("tunnel track", line, "#3b2a52", width * 0.7, "5 4"),
    ]


def _is_arrow(tile: Tile, a: int | str, b: int | str) -> bool:
    stop = b if isinstance(a, int) else a
    return isinstance(stop, str) and tile.node(stop).kind == "offboard"


def arrows(hexagon: Hexagon, tile: Tile) -> list[Shape]:
    """A wedge pointing inwards at each edge where track leaves the board."""
    shapes: list[Shape] = []
    for path in tile.paths:
        if not _is_arrow(tile, path.a, path.b):
            continue
        angle = hexagon.edge_angle(next(iter(path.edges)))
        (x, y), *_, tip = arrow_line(hexagon, path)
        dx, dy = -sin(angle) * hexagon.side * 0.14, cos(angle) * hexagon.side * 0.14
        shapes.append(Polygon("arrow", ((x + dx, y + dy), (x - dx, y - dy), tip), TRACK))
    return shapes


def arrow_line(hexagon: Hexagon, path: Path) -> Curved:
    """From the foot of a wedge to its tip: all that is drawn of track off the board."""
    edge = next(iter(path.edges))
    return straight_curve(hexagon.middle(edge, 1.005), hexagon.middle(edge, 0.62))


# -- stops --------------------------------------------------------------------------------------------


def stops(hexagon: Hexagon, seen: HexView, room: OccupancyGrid) -> list[Shape]:
    shapes: list[Shape] = []
    for number, city in enumerate(seen.tile.cities):
        shapes += city_shapes(hexagon, seen, city, number, room)
    for node in seen.tile.nodes:
        if node.kind == "town":
            shapes += town_shapes(hexagon, seen.tile, node, room)
    return shapes


def city_shapes(hexagon: Hexagon, seen: HexView, city: Node, number: int, room: OccupancyGrid) -> list[Shape]:
    """A city: white slots, tokens in them, the initials of companies with a reserved slot or home here."""
    radius, lie = slots(hexagon, seen.tile)
    middles = lie[city.id]
    shapes: list[Shape] = []
    for x, y in middles:
        room.add_disc((x, y), radius + 0.09 * hexagon.side, NEAR_STOP)
        room.add_disc((x, y), radius, STOP)
    if len(middles) > 1:
        frame = radius * (1.22 if len(seen.tile.cities) <= MOST_TOGETHER else 1.1)
        shapes += [Circle("city frame", place, frame, "#ffffff", INK, 1.0) for place in middles]
        shapes += [Circle("city frame", place, frame - 0.6, "#ffffff") for place in middles]
    shapes += [Circle("slot", place, radius, "#ffffff", INK, 2.0) for place in middles]
    tokens = _tokens_of_city(seen.tokens, number)
    for place, face in zip(middles, tokens, strict=False):
        shapes += token(face, place, radius)
    for index, face in enumerate(tokens[len(middles) :]):
        at = _place_beside(hexagon, room, radius * 0.85, index)
        shapes += token(face, at, radius * 0.85)
    free = list(middles[len(tokens) :])
    for face in _tokens_of_city(seen.kept, number):
        if free:
            shapes += reserved_slot(free.pop(0), radius, face)
    for face in _tokens_of_city(seen.homes, number):
        if free:
            shapes += home_slot(free.pop(0), radius, face)
    return shapes


def _tokens_of_city(cities: tuple[tuple[TokenDrawing, ...], ...], number: int) -> tuple[TokenDrawing, ...]:
    return cities[number] if number < len(cities) else ()


def _place_beside(hexagon: Hexagon, room: OccupancyGrid, radius: float, index: int) -> Point:
    return room.reserve(2 * radius, 2 * radius, [hexagon.corner(2 + index, 0.66)], 20.0)


def reserved_slot(place: Point, radius: float, face: TokenDrawing) -> list[Shape]:
    """An empty slot reserved for a company: like its home slot, with a dashed ring."""
    return [
        Circle("kept", place, radius * 0.84, lighten(face.colour), "#777777", 1.5, "3 3"),
        *initials(face.sign, place, radius, INK),
    ]


def home_slot(place: Point, radius: float, face: TokenDrawing) -> list[Shape]:
    return [
        Circle("home ground", place, radius * 0.84, lighten(face.colour)),
        *initials(face.sign, place, radius, INK, role="home"),
    ]


def town_shapes(hexagon: Hexagon, tile: Tile, node: Node, room: OccupancyGrid) -> list[Shape]:
    """A town: a bar across its track, or a dot where it has no track, one exit or many."""
    x, y = places(hexagon, tile)[node.id]
    if len(node.revenue) > 1:
        return []
    exits = tile.exits_of(node.id)
    room.add_disc((x, y), hexagon.side * 0.18, STOP / 2)
    if len(exits) != 2 or node.place is not None:
        return [Circle("town", (x, y), hexagon.side * 0.13, INK, "#ffffff", 2)]
    angle = town_angle(hexagon, tile, node)
    dx, dy = -sin(angle) * hexagon.side * 0.19, cos(angle) * hexagon.side * 0.19
    bar = f"M{x - dx:.1f} {y - dy:.1f}L{x + dx:.1f} {y + dy:.1f}"
    return [
        Curve("town edge", bar, "#ffffff", hexagon.side * 0.19),
        Curve("town", bar, INK, hexagon.side * 0.11),
    ]
