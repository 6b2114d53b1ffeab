"""Words and signs of a space: values, names, labels, costs, reservations, what runs along its edges."""

from __future__ import annotations

import re
from math import cos, sin

from bot.engine.board import COLOURS, Node, SideMark
from bot.render.shapes import (
    BORDER,
    DESERT,
    HILL,
    INK,
    MOUNTAIN,
    PIPS,
    PROVINCE,
    STUB,
    TILE,
    WALL,
    WATER,
    Circle,
    Curve,
    Point,
    Polygon,
    Rect,
    Shape,
    Text,
    choose_text_colour,
    lighten,
    size_to_fit,
    split_in_two,
    tint,
    width_of,
)
from bot.render.shapes.hex_view import Badge, HexView, TokenDrawing

from .hexagon import Hexagon, interpolate
from .label_placement import STOP, OccupancyGrid
from .stops import MOST_TOGETHER, places

CLEAR_SIDE = 120.0
"""A hex with at least this side is drawn in an inset: with room for badges among more than three cities, and
its name and coordinates above it.
"""

ASIDE = 0.65
"""How far towards a corner costs stand on the edges of a ring of cities, whose tokens are at the middles of the
edges."""

NAME, SMALL_NAME = 0.215, 0.15
MOST_LETTERS = 3

MISSED_PIPS, NO_ROOM = 25.0, 90.0
"""The penalty for leaving the dots out; the penalty from which on a tile's number stays in its usual place."""

COMPASS = {"north": "N", "east": "E", "south": "S", "west": "W"}
BONUS = re.compile(r"^[a-z]+_(\d+)$")


def signs(hexagon: Hexagon, seen: HexView, room: OccupancyGrid) -> list[Shape]:
    """All words and signs, the most important first so that they get the best places."""
    sides = side_marks(hexagon, seen, room)
    shapes = [
        *phase_boxes(hexagon, seen, room),
        *label(hexagon, seen, room),
        *name(hexagon, seen, room),
        *values(hexagon, seen, room),
        *terrain(hexagon, seen, room),
        *extra_homes(hexagon, seen, room),
        *badges(hexagon, seen, room),
        *icons(hexagon, seen, room),
        *tile_number(hexagon, seen, room),
        *coordinates(hexagon, seen, room),
    ]
    return sides + shapes


def _ground(seen: HexView) -> str:
    return TILE.get(seen.tile.colour, TILE["white"])


# -- values -------------------------------------------------------------------------------------------


def phase_boxes(hexagon: Hexagon, seen: HexView, room: OccupancyGrid) -> list[Shape]:
    """Values that grow with the phase, in boxes of its colours, the present one framed."""
    shapes: list[Shape] = []
    printed: set[tuple[int, ...]] = set()
    for node in seen.tile.nodes:
        if len(node.revenue) > 1 and not node.is_hidden and node.revenue not in printed:
            printed.add(node.revenue)
            shapes += _boxes(hexagon, seen, node, room)
        elif node.kind == "offboard" and len(node.revenue) == 1 and node.revenue[0]:
            shapes += _single_box(hexagon, seen, node, room)
    return shapes


def _boxes(hexagon: Hexagon, seen: HexView, node: Node, room: OccupancyGrid) -> list[Shape]:
    size = hexagon.side
    names = (node.colours or COLOURS)[: len(node.revenue)]
    known = [colour for colour in names if colour in seen.colours]
    now = known[-1] if known else ""
    digits = max(len(str(value)) for value in node.revenue)
    room_wide = 0.74 if len(seen.tile.cities) > MOST_TOGETHER else 1.5
    wide = min((0.24 if digits < 3 else 0.32) * size + 0.1 * size, room_wide * size / len(names))
    high = min(0.3 * size, wide * 1.2)
    middle = room.reserve(wide * len(names), high, [(0.0, 0.02 * size), (0.0, 0.3 * size), (0.0, -0.3 * size)])
    left, top = middle[0] - wide * len(names) / 2, middle[1] - high / 2
    shapes: list[Shape] = []
    order = sorted(range(len(names)), key=lambda index: names[index] == now)
    for index in order:
        x, is_now = left + index * wide, names[index] == now
        text = str(node.revenue[index])
        fill = tint(names[index])
        shapes.append(Rect("phase value ground", (x, top), (wide, high), fill, INK, 3.2 if is_now else 1.0))
        letters = size_to_fit(text, wide * 0.86, 0.25 * size, bold=True, condensed=True)
        at = (x + wide / 2, top + high / 2 + letters * 0.36)
        shapes.append(Text("phase value", at, text, letters, INK, bold=True, condensed=True))
    return shapes


def _single_box(hexagon: Hexagon, seen: HexView, node: Node, room: OccupancyGrid) -> list[Shape]:
    size = hexagon.side
    text = f"{seen.space.plus}+{node.revenue[0]}" if seen.space.plus else str(node.revenue[0])
    letters = 0.24 * size
    wide = width_of(text, letters, True, True) + 0.14 * size
    x, y = room.reserve(wide, 0.32 * size, [(0.0, 0.02 * size), (0.0, 0.3 * size), (0.0, -0.3 * size)])
    return [
        Rect("value ground", (x - wide / 2, y - 0.15 * size), (wide, 0.3 * size), "#ffffff", INK, 1.4),
        Text("value", (x, y + letters * 0.36), text, letters, INK, bold=True, condensed=True),
    ]


def values(hexagon: Hexagon, seen: HexView, room: OccupancyGrid) -> list[Shape]:
    """One circle for each different value, beside its stop where they differ."""
    if seen.tile.colour == "white":
        return []
    stops: dict[int, list[Node]] = {}
    for node in seen.tile.nodes:
        if len(node.revenue) == 1 and node.revenue[0] and node.kind in ("city", "town"):
            stops.setdefault(node.revenue[0], []).append(node)
    lie = places(hexagon, seen.tile)
    shapes: list[Shape] = []
    for value, nodes in stops.items():
        radius = hexagon.side * 0.2
        wished = [hexagon.corner(corner, 0.68) for corner in range(6)]
        wished += [hexagon.middle(edge, 0.74) for edge in range(6) if edge not in seen.tile.exits]
        if len(seen.tile.cities) > MOST_TOGETHER:
            wished = [(0.0, 0.0)]
        pull = 6.0
        if len(stops) > 1:
            wished, pull = [lie[node.id] for node in nodes], 14.0
        at = room.reserve(radius * 1.9, radius * 1.9, wished, pull)
        shapes.append(Circle("value ground", at, radius, "#ffffff", INK, 1.5))
        letters = size_to_fit(str(value), radius * 1.62, radius * 1.16, bold=True, condensed=True)
        shapes.append(
            Text("value", (at[0], at[1] + letters * 0.36), str(value), letters, INK, bold=True, condensed=True)
        )
    return shapes


# -- words --------------------------------------------------------------------------------------------


def name(hexagon: Hexagon, seen: HexView, room: OccupancyGrid) -> list[Shape]:
    """The name of the place, in one or two lines. It is left out if several cities and their track leave no room
    beside them: it would hide which track belongs to which city, and the coordinates identify the hex.
    """
    size = hexagon.side
    text = seen.space.name
    if not text or size >= CLEAR_SIDE:
        return []
    wished = [(0.0, -0.6 * size), (0.0, 0.6 * size), (0.0, -0.4 * size), (0.0, 0.42 * size)]
    best: tuple[float, tuple[str, ...], float, Point] | None = None
    for lines in dict.fromkeys(((text,), split_in_two(text.replace(" & ", " &\u00a0") if " & " in text else text))):
        for letters in (NAME, 0.19, 0.17, SMALL_NAME):
            wide = max(width_of(line, letters * size, True, True) for line in lines)
            high = letters * size * 1.08 * len(lines)
            cost, at = room.find_free(wide, high, wished, 3.0)
            cost += 160 * (NAME - letters) + (3 if len(lines) > 1 else 0)
            if best is None or cost < best[0]:
                best = (cost, lines, letters * size, at)
    assert best is not None
    _, lines, letters, at = best
    wide, high = max(width_of(line, letters, True, True) for line in lines), letters * 1.08 * len(lines)
    if seen.is_laid and len(seen.tile.cities) > 1 and room.has_track(at, wide, high):
        return []
    ground = plate("name", hexagon, seen, room, at, (wide, high))
    room.add_box(at, wide, high)
    top = at[1] - letters * 1.08 * (len(lines) - 1) / 2
    return ground + [
        Text(
            "name",
            (at[0], top + index * letters * 1.08 + letters * 0.36),
            line,
            letters,
            INK,
            condensed=True,
            bold=True,
            halo=_ground(seen),
        )
        for index, line in enumerate(lines)
    ]


def plate(
    role: str, hexagon: Hexagon, seen: HexView, room: OccupancyGrid, at: Point, extent: tuple[float, float]
) -> list[Shape]:
    """A background for words that fit nowhere beside the track; nothing for others. Call it before the words take
    their room.
    """
    wide, high = extent
    if not room.has_track(at, wide + room.step, high + room.step):
        return []
    corner, rim = (at[0] - wide / 2, at[1] - high / 2), 0.025 * hexagon.side
    corner = (corner[0] - rim, corner[1] - rim)
    return [
        Rect(f"{role} ground", corner, (wide + 2 * rim, high + 2 * rim), _ground(seen), rounding=0.04 * hexagon.side)
    ]


def coordinates(hexagon: Hexagon, seen: HexView, room: OccupancyGrid) -> list[Shape]:
    """The hex's coordinates, larger where the hex has no other text."""
    size = hexagon.side
    if size >= CLEAR_SIDE:
        return []
    is_plain = not seen.is_laid and not seen.space.name and not seen.tile.nodes
    letters = (0.2 if is_plain else 0.145) * size
    wished = [(0.0, -0.56 * size)] if is_plain else [hexagon.corner(corner, 0.82) for corner in range(6)]
    x, y = room.reserve(width_of(seen.space.id, letters), letters, wished, 12.0 if is_plain else 4.0)
    return [Text("space", (x, y + letters * 0.36), seen.space.id, letters, "#5c5644", halo=_ground(seen))]


def label(hexagon: Hexagon, seen: HexView, room: OccupancyGrid) -> list[Shape]:
    """The label of the tile or hex; a label that counts only later is in brackets."""
    size = hexagon.side
    texts = [text for text in seen.tile.labels if text != seen.space.name]
    if seen.space.is_later_label_due(seen.tile):
        texts.append(f"({seen.space.later_label})")
    shapes: list[Shape] = []
    for text in texts:
        letters = (0.27 if len(text) < MOST_LETTERS else 0.23 if len(text) == MOST_LETTERS else 0.16) * size
        wide = width_of(text, letters, bold=True)
        wished = [hexagon.corner(corner, 0.7) for corner in range(6)]
        if len(seen.tile.cities) > MOST_TOGETHER:
            wished = [(0.0, -0.2 * size), (0.0, 0.2 * size)]
        _, (x, y) = room.find_free(wide, letters, wished, 5.0)
        shapes += plate("label", hexagon, seen, room, (x, y), (wide, letters))
        room.add_box((x, y), wide, letters)
        shapes.append(Text("label", (x, y + letters * 0.36), text, letters, INK, bold=True, halo=_ground(seen)))
    return shapes


def tile_number(hexagon: Hexagon, seen: HexView, room: OccupancyGrid) -> list[Shape]:
    """With dots that show the tile's colour. A tile that is not on the tile sheet has no number."""
    if not seen.is_laid or seen.tile.is_hidden:
        return []
    size = hexagon.side
    wished = [(0.0, 0.86 * size)] if not hexagon.is_flat else [hexagon.corner(0, 0.82), hexagon.corner(5, 0.82)]
    found: list[tuple[float, str, float, Point]] = []
    with_pips, plain = f"{seen.tile.id} {PIPS.get(seen.tile.colour, '')}".strip(), str(seen.tile.id)
    for text, letters in ((with_pips, 0.15 * size), (plain, 0.15 * size), (plain, 0.12 * size)):
        cost, at = room.find_free(width_of(text, letters), letters, wished, 8.0)
        found.append((cost + MISSED_PIPS * len(found), text, letters, at))
    cost, text, letters, (x, y) = min(found)
    if cost > NO_ROOM:
        x, y = wished[0]
    room.add_box((x, y), width_of(text, letters), letters)
    return [Text("tile number", (x, y + letters * 0.36), text, letters, "#3d3a33", halo=_ground(seen))]


# -- terrain and edges --------------------------------------------------------------------------------


def terrain(hexagon: Hexagon, seen: HexView, room: OccupancyGrid) -> list[Shape]:
    """The cost of the next tile, with a sign for each terrain."""
    size = hexagon.side
    cost = seen.tile.cost if seen.is_laid else seen.space.cost
    terrains = () if seen.is_laid else seen.space.terrains
    if not cost:
        return []
    letters, text = 0.25 * size, str(cost)
    wide = width_of(text, letters, bold=True) + 0.34 * size * len(terrains)
    wished = [(0.0, 0.08 * size)] if not seen.tile.nodes else [(0.0, 0.6 * size), (0.0, -0.6 * size)]
    x, y = room.reserve(wide, 0.3 * size, wished, 5.0)
    left, colour = x - wide / 2, MOUNTAIN
    sign: list[Shape] = []
    for kind in terrains:
        colour = {"desert": DESERT, "hill": HILL}.get(kind, WATER if kind in WET else MOUNTAIN)
        sign += terrain_sign(kind, (left + 0.14 * size, y), 0.3 * size, colour)
        left += 0.31 * size
    at = (left, y + letters * 0.36)
    return [*sign, Text("terrain cost", at, text, letters, colour, "start", bold=True, halo=_ground(seen))]


REEDS = ((-0.5, 0.8), (0.0, 1.2), (0.5, 0.8))
"""The reeds in the sign of a swamp: place and height of each, in halves of its width."""

WET = ("water", "river", "lake", "swamp")


def terrain_sign(kind: str, middle: Point, size: float, colour: str) -> list[Shape]:
    """`size` is the width."""
    x, y = middle
    half = size / 2
    if kind == "swamp":
        reeds = (f"M{x + dx * half:.1f} {y + 0.5 * half:.1f}v{-height * half:.1f}" for dx, height in REEDS)
        lines = [f"M{x - half:.1f} {y + 0.5 * half:.1f}h{size:.1f}", *reeds]
        return [Curve("terrain", line, colour, max(2.0, size * 0.12)) for line in lines]
    if kind in WET:
        lines = [
            f"M{x - half:.1f} {y + dy:.1f}q{half / 2:.1f} {-half * 0.5:.1f} {half:.1f} 0"
            f"q{half / 2:.1f} {half * 0.5:.1f} {half:.1f} 0"
            for dy in ((0.1 * half,) if kind == "river" else (-0.3 * half, 0.45 * half))
        ]
        return [Curve("terrain", line, colour, max(2.0, size * 0.13)) for line in lines]
    if kind == "desert":
        line = (
            f"M{x - half:.1f} {y + 0.2 * half:.1f}q{half / 2:.1f} {-half * 0.8:.1f} {half:.1f} 0"
            f"q{half / 2:.1f} {-half * 0.8:.1f} {half:.1f} 0"
        )
        return [Curve("terrain", line, colour, max(2.0, size * 0.13))]
    if kind == "hill":
        peak = ((x - half, y + 0.6 * half), (x, y - 0.8 * half), (x + half, y + 0.6 * half))
        return [Polygon("terrain", peak, "none", colour, max(2.0, size * 0.12))]
    points = (
        (x - half, y + 0.7 * half),
        (x - 0.3 * half, y - 0.8 * half),
        (x + 0.1 * half, y + 0.05 * half),
        (x + 0.4 * half, y - 0.45 * half),
        (x + half, y + 0.7 * half),
    )
    return [Polygon("terrain", points, colour)]


LINES = {
    "gauge": (BORDER, 5.0, "9 5"),
    "water": (WATER, 6.0, ""),
    "barrier": (WATER, 7.0, "14 3"),
    "mountain": (MOUNTAIN, 6.0, "3 2"),
    "province": (PROVINCE, 4.5, "12 4 3 4"),
    "wall": (WALL, 7.0, ""),
}
"""Colour, width and dashes of what runs along an edge."""


def side_marks(hexagon: Hexagon, seen: HexView, room: OccupancyGrid) -> list[Shape]:
    """The rivers or borders along the edges, with their cost until track crosses them."""
    shapes: list[Shape] = []
    for mark in sorted(seen.space.sides):
        if mark.kind in LINES:
            shapes += _side_line(hexagon, mark)
        if mark.kind == "gauge" and mark.edge in seen.tile.exits:
            shapes.append(Circle("gauge change", hexagon.middle(mark.edge), hexagon.side * 0.13, "#ffffff", BORDER, 3))
        if mark.kind == "stub":
            shapes += _stub(hexagon, mark.edge)
            room.add_disc(hexagon.middle(mark.edge, 0.9), hexagon.side * 0.1, 12.0)
        if mark.cost and mark.edge not in seen.crossed:
            is_ring = len(seen.tile.cities) > MOST_TOGETHER
            shapes += _side_cost(hexagon, mark, ASIDE if is_ring else 0.0, room)
    return shapes


def _side_line(hexagon: Hexagon, mark: SideMark) -> list[Shape]:
    colour, width, dashes = LINES[mark.kind]
    scale = hexagon.side / 66
    (ax, ay), (bx, by) = sorted((hexagon.corner(mark.edge - 1), hexagon.corner(mark.edge)))
    line = f"M{ax:.1f} {ay:.1f}L{bx:.1f} {by:.1f}"
    shapes: list[Shape] = [Curve("border", line, colour, width * scale, dashes)]
    if mark.kind == "wall":
        shapes.append(Curve("wall", line, "#ffffff", 2.2 * scale, "5 6"))
    return shapes


def _stub(hexagon: Hexagon, edge: int) -> list[Shape]:
    angle = hexagon.edge_angle(edge)
    x, y = hexagon.middle(edge)
    dx, dy = -sin(angle) * hexagon.side * 0.13, cos(angle) * hexagon.side * 0.13
    points = ((x + dx, y + dy), (x - dx, y - dy), hexagon.middle(edge, 0.78))
    return [Polygon("stub", points, STUB, INK, 1.8)]


def _side_cost(hexagon: Hexagon, mark: SideMark, aside: float, room: OccupancyGrid) -> list[Shape]:
    size = hexagon.side
    letters = 0.165 * size
    text = str(mark.cost)
    wide, high = width_of(text, letters, True, True) + 0.09 * size, 0.22 * size
    x, y = interpolate(hexagon.middle(mark.edge), hexagon.corner(mark.edge), aside)
    room.add_disc((0.92 * x, 0.92 * y), 0.16 * size, STOP)
    colour = {"mountain": MOUNTAIN, "cost": INK}.get(mark.kind, WATER)
    return [
        Rect("side cost ground", (x - wide / 2, y - high / 2), (wide, high), "#ffffff", colour, 1.6, high / 2.6),
        Text("side cost", (x, y + letters * 0.36), text, letters, colour, bold=True, condensed=True),
    ]


# -- reservations and other signs ---------------------------------------------------------------------


def extra_homes(hexagon: Hexagon, seen: HexView, room: OccupancyGrid) -> list[Shape]:
    """Home companies without a slot of their own: beside the city."""
    shapes: list[Shape] = []
    lie = places(hexagon, seen.tile)
    cities = seen.tile.cities
    for cities_of in (seen.homes, seen.kept):
        for number, faces in enumerate(cities_of):
            slots = cities[number].slots if number < len(cities) else 0
            taken = _number(seen.tokens, number) + (_number(seen.kept, number) if cities_of is seen.homes else 0)
            rest = faces[max(0, slots - taken) :]
            if rest:
                wished = [lie[cities[number].id]] if number < len(cities) else [(0.0, 0.0)]
                fill = lighten(rest[0].colour) if len(rest) == 1 else "#ffffff"
                signs_of = "/".join(face.sign for face in rest)
                shapes += _box(hexagon, room, Badge("home", signs_of, fill, "#3a3a3a"), wished)
    return shapes


def _number(cities: tuple[tuple[TokenDrawing, ...], ...], number: int) -> int:
    return len(cities[number]) if number < len(cities) else 0


def badges(hexagon: Hexagon, seen: HexView, room: OccupancyGrid) -> list[Shape]:
    """Private companies' reservations, destinations, markers; a ring of cities has them only when drawn large."""
    if len(seen.tile.cities) > MOST_TOGETHER and hexagon.side < CLEAR_SIDE:
        return []
    shapes: list[Shape] = []
    wished = [hexagon.corner(corner, 0.66) for corner in range(6)]
    for badge in seen.badges:
        shapes += _box(
            hexagon, room, badge, [(0.0, 0.1 * hexagon.side), *wished] if badge.kind == "private" else wished
        )
    return shapes


STYLES = {"private": ("#2b2b2b", "#ffffff"), "kept": ("#ffffff", "#2b2b2b"), "goal": ("#ffffff", "#0a4d8c")}
PREFIX = {"private": "×", "goal": "►"}
"""A private company keeps the hex closed; a company's destination."""


def _box(hexagon: Hexagon, room: OccupancyGrid, badge: Badge, wished: list[Point]) -> list[Shape]:
    size = hexagon.side
    letters = 0.17 * size if hexagon.side < CLEAR_SIDE else 0.13 * size
    text = f"{PREFIX.get(badge.kind, '')}{badge.text}"
    fill, colour = STYLES.get(badge.kind, (badge.colour, badge.text_colour))
    wide, high = width_of(text, letters, True, True) + 0.1 * size, 1.35 * letters
    x, y = room.reserve(wide, high, wished, 4.0)
    return [
        Rect(badge.kind, (x - wide / 2, y - high / 2), (wide, high), fill, colour, 1.5, 3),
        Text(f"{badge.kind} name", (x, y + letters * 0.36), text, letters, colour, bold=True, condensed=True),
    ]


def icons(hexagon: Hexagon, seen: HexView, room: OccupancyGrid) -> list[Shape]:
    size = hexagon.side
    points = [COMPASS[icon] for icon in seen.tile.icons if icon in COMPASS]
    texts = ["".join(points)] if points else []
    texts += [f"+{found[1]}" for icon in seen.tile.icons if (found := BONUS.match(icon))]
    texts += ["⚓" for icon in seen.tile.icons if icon in ("anchor", "port")]
    shapes: list[Shape] = []
    for text in texts:
        letters = 0.19 * size
        wide, high = width_of(text, letters, True, True) + 0.12 * size, 0.25 * size
        x, y = room.reserve(wide, high, [hexagon.corner(corner, 0.62) for corner in range(6)], 4.0)
        fill = "#123a6b" if text[0] in "NESW" else "#0b5d3b"
        shapes += [
            Rect("icon", (x - wide / 2, y - high / 2), (wide, high), fill, "#ffffff", 1.2, high / 2),
            Text(
                "icon name", (x, y + letters * 0.36), text, letters, choose_text_colour(fill), bold=True, condensed=True
            ),
        ]
    return shapes
