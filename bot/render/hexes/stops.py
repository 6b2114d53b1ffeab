"""The places of stops on a tile, and the track that leads to them."""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from math import atan2, cos, hypot, sin

from bot.engine.board import Node, Path, Tile
from bot.render.shapes import Point

from .hexagon import Curved, Hexagon, first_half, path_of, point_on, samples, straight_curve

SLOT = 0.285
"""Radius of a token slot as a part of the hexagon's side, where there is room."""

REACH = 0.5
"""Distance from the middle of a stop that shares its hex with others."""

OUTER_REACH = 0.63
"""`REACH` for more than three stops in a ring."""

MOST_TOGETHER = 3
"""Maximum number of stops whose arrangements are all compared; with more, stops are placed one after the
other.
"""


@lru_cache(maxsize=4096)
def places(hexagon: Hexagon, tile: Tile) -> dict[str, Point]:
    nodes = tile.nodes
    if len(nodes) == 1 and nodes[0].place is None:
        return {nodes[0].id: _single_stop_place(hexagon, tile, nodes[0])}
    choices = {node.id: _choices(hexagon, tile, node) for node in nodes}
    if len(nodes) <= MOST_TOGETHER:
        found = min(
            product(*choices.values()),
            key=lambda chosen: _badness(hexagon, tile, dict(zip(choices, chosen, strict=True))),
        )
        return dict(zip(choices, found, strict=True))
    return _spread_stops(choices)


def _single_stop_place(hexagon: Hexagon, tile: Tile, node: Node) -> Point:
    exits = sorted(tile.exits_of(node.id))
    if node.kind == "town" and len(exits) == 2:
        return hexagon.on_curve(exits[0], exits[1])
    return 0.0, 0.0


def _choices(hexagon: Hexagon, tile: Tile, node: Node) -> list[Point]:
    """The most natural place first."""
    reach = REACH if len(tile.nodes) <= MOST_TOGETHER else OUTER_REACH
    if node.place is not None:
        return [hexagon.towards(node.place, reach)]
    exits = sorted(tile.exits_of(node.id))
    if node.kind == "town" and len(exits) == 2:
        return [hexagon.on_curve(exits[0], exits[1])]
    if not exits:
        return [hexagon.towards(edge / 2, REACH * 0.9) for edge in (4, 10, 0, 6, 2, 8, 1, 3, 5, 7, 9, 11)]
    x = sum(hexagon.middle(edge)[0] for edge in exits)
    y = sum(hexagon.middle(edge)[1] for edge in exits)
    length = hypot(x, y)
    found = (
        [] if length < 0.2 * hexagon.side else [(x / length * reach * hexagon.side, y / length * reach * hexagon.side)]
    )
    if node.kind == "town" and len(exits) == 1:
        return [hexagon.towards(exits[0], REACH * 0.9)]
    found += [hexagon.towards(edge, reach) for edge in exits]
    found += [hexagon.towards(edge + 0.5, reach) for edge in exits if (edge + 1) % 6 in exits]
    if len(exits) == 2 and (exits[1] - exits[0]) == 3:
        found += [hexagon.towards(exits[0] + 1.5, REACH * 0.72), hexagon.towards(exits[0] - 1.5, REACH * 0.72)]
    return found


def _badness(hexagon: Hexagon, tile: Tile, chosen: dict[str, Point]) -> float:
    """How much stops crowd each other and cover each other's track; a little for unnatural places."""
    side = hexagon.side
    bad = 0.0
    stops = list(chosen.items())
    for index, (_, (ax, ay)) in enumerate(stops):
        for _, (bx, by) in stops[index + 1 :]:
            bad += 3 * max(0.0, 0.85 - hypot(ax - bx, ay - by) / side) ** 2
            bad += 0.02 * max(0.0, 1.0 - hypot(ax - bx, ay - by) / side)
    for path in tile.paths:
        line = samples(line_of(hexagon, tile, path, chosen), 11)
        for name, (ax, ay) in stops:
            if name in (path.a, path.b):
                continue
            near = min(hypot(ax - x, ay - y) for x, y in line) / side
            bad += 2 * max(0.0, SLOT + 0.12 - near) ** 2
    for name, point in stops:
        bad += 0.002 * _choices(hexagon, tile, tile.node(name)).index(point)
    return bad


def _spread_stops(choices: dict[str, list[Point]]) -> dict[str, Point]:
    """Stops with the fewest places first, each as far as possible from those before it."""
    found: dict[str, Point] = {}
    for name in sorted(choices, key=lambda name: len(choices[name])):
        found[name] = max(
            choices[name],
            key=lambda point: min((round(hypot(point[0] - x, point[1] - y)) for x, y in found.values()), default=0),
        )
    return found


# -- slots --------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def slots(hexagon: Hexagon, tile: Tile) -> tuple[float, dict[str, tuple[Point, ...]]]:
    """The radius of the tile's slots, and the slot centres of each city."""
    radius = hexagon.side * SLOT
    crowd = len(tile.cities)
    if crowd > MOST_TOGETHER:
        radius = hexagon.side * (0.17 if any(city.slots > 1 for city in tile.cities) else 0.21)
    elif (crowd > 1 and sum(city.slots for city in tile.cities) > 2) or any(city.slots > 3 for city in tile.cities):
        radius = hexagon.side * 0.245
    found = {}
    for city in tile.cities:
        found[city.id] = tuple(_slots_of(places(hexagon, tile)[city.id], city.slots, radius))
    return radius, found


def _slots_of(middle: Point, number: int, radius: float) -> list[Point]:
    x, y = middle
    if number == 1:
        return [middle]
    if number == 2:
        is_central = hypot(x, y) < radius
        angle = 0.0 if is_central else atan2(x, -y)
        dx, dy = radius * cos(angle), radius * sin(angle)
        return sorted([(x - dx, y - dy), (x + dx, y + dy)])
    if number == 3:
        return [(x - radius, y + 0.6 * radius), (x + radius, y + 0.6 * radius), (x, y - 1.13 * radius)]
    columns = (number + 1) // 2
    return [
        (x + (index % columns - (columns - 1) / 2) * 2 * radius, y + (-radius if index < columns else radius))
        for index in range(number)
    ]


# -- track --------------------------------------------------------------------------------------------


def track_line(hexagon: Hexagon, tile: Tile, path: Path) -> Curved:
    return line_of(hexagon, tile, path, places(hexagon, tile))


def line_of(hexagon: Hexagon, tile: Tile, path: Path, at: dict[str, Point]) -> Curved:
    if isinstance(path.a, int) and isinstance(path.b, int):
        return _curve_past_stops(hexagon, tile, path.a, path.b, at)
    if isinstance(path.a, int) or isinstance(path.b, int):
        edge, name = (path.a, str(path.b)) if isinstance(path.a, int) else (path.b, str(path.a))
        node = tile.node(name)
        exits = sorted(tile.exits_of(name))
        if node.kind == "town" and len(exits) == 2 and node.place is None:
            other = exits[0] if exits[1] == edge else exits[1]
            return first_half(hexagon.between_edges(int(edge), other))
        if path.is_terminal and node.kind == "offboard":
            return straight_curve(hexagon.middle(int(edge)), hexagon.middle(int(edge), 0.5))
        return hexagon.to_stop(int(edge), at[name])
    return straight_curve(at[str(path.a)], at[str(path.b)])


def _curve_past_stops(hexagon: Hexagon, tile: Tile, one: int, other: int, at: dict[str, Point]) -> Curved:
    """Track from edge to edge, curved around an unserved stop in the middle."""
    curve = hexagon.between_edges(one, other)
    is_blocked = (one - other) % 6 == 3 and any(
        hypot(*at[node.id]) < 0.1 * hexagon.side and not {one, other} <= tile.exits_of(node.id)
        for node in tile.nodes
        if node.kind in ("city", "town")
    )
    if not is_blocked:
        return curve
    angle = hexagon.edge_angle(one)
    sides = [(-sin(angle), cos(angle)), (sin(angle), -cos(angle))]
    used = [hexagon.middle(edge) for edge in tile.exits]
    free = min(sides, key=lambda side: sum(max(0.0, side[0] * x + side[1] * y) for x, y in used))
    return hexagon.curve_around(one, other, free)


def track_path(hexagon: Hexagon, tile: Tile, path: Path) -> str:
    return path_of(track_line(hexagon, tile, path))


def town_angle(hexagon: Hexagon, tile: Tile, node: Node) -> float:
    exits = sorted(tile.exits_of(node.id))
    curve = hexagon.between_edges(exits[0], exits[1])
    (ax, ay), (bx, by) = point_on(curve, 0.45), point_on(curve, 0.55)
    return atan2(by - ay, bx - ax)
