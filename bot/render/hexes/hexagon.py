"""Points and curves on a hexagon: corners, middles of edges, track between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, hypot, pi, sin, sqrt

from bot.render.shapes import Point

APOTHEM = sqrt(3) / 2
"""From the middle to an edge, of a side of 1."""

SHARP_HANDLE, GENTLE_HANDLE = 0.385, 0.536
"""Lengths of the handles with which a cubic curve follows these arcs of radius 0.5 and 1.5."""

Curved = tuple[Point, Point, Point, Point]
"""A cubic curve: its start, two handles, its end."""


@dataclass(frozen=True)
class Hexagon:
    """A hexagon of a given side length, flat or pointy, around (0, 0)."""

    side: float
    is_flat: bool

    @property
    def apothem(self) -> float:
        return self.side * APOTHEM

    def edge_angle(self, edge: float) -> float:
        """The direction of an edge's middle: edge 0 is the bottom, or the lower left side of a pointy hexagon.
        0.5 is the corner between the edges 0 and 1."""
        return (pi / 2 if self.is_flat else 2 * pi / 3) + edge * pi / 3

    def towards(self, edge: float, reach: float) -> Point:
        """The point at `reach` sides from the middle towards an edge or corner."""
        angle = self.edge_angle(edge)
        return self.side * reach * cos(angle), self.side * reach * sin(angle)

    def corner(self, number: float, scale: float = 1.0) -> Point:
        """The corner between edge `number` and the next edge."""
        return self.towards(number + 0.5, scale)

    def corners(self, scale: float = 1.0) -> tuple[Point, ...]:
        """In the order of the edges."""
        return tuple(self.corner(number, scale) for number in range(6))

    def middle(self, edge: int, scale: float = 1.0) -> Point:
        return self.towards(edge, APOTHEM * scale)

    def centre_of(self, x: int, y: int) -> Point:
        """The centre of the hex with these doubled coordinates."""
        if self.is_flat:
            return x * 1.5 * self.side, y * self.apothem
        return x * self.apothem, y * 1.5 * self.side

    def holds(self, point: Point, margin: float = 0.0) -> bool:
        """Whether the point is inside, at least `margin` sides from the edge."""
        x, y = point
        most = self.apothem - margin * self.side
        for edge in range(3):
            angle = self.edge_angle(edge)
            if abs(x * cos(angle) + y * sin(angle)) > most:
                return False
        return True

    # -- track --------------------------------------------------------------------------------------

    def between_edges(self, one: int, other: int) -> Curved:
        """Track from edge to edge: an arc that meets both at a right angle."""
        apart = min((one - other) % 6, (other - one) % 6)
        handle = {1: SHARP_HANDLE, 2: GENTLE_HANDLE}.get(apart, APOTHEM / 2)
        scale = 1 - handle / APOTHEM
        return self.middle(one), self.middle(one, scale), self.middle(other, scale), self.middle(other)

    def on_curve(self, one: int, other: int) -> Point:
        return point_on(self.between_edges(one, other), 0.5)

    def to_stop(self, edge: int, stop: Point) -> Curved:
        """Track from an edge to a stop: straight in, then a bend."""
        start = self.middle(edge)
        angle = self.edge_angle(edge)
        ux, uy = cos(angle), sin(angle)
        along = stop[0] * ux + stop[1] * uy
        aside = hypot(stop[0] - along * ux, stop[1] - along * uy)
        if aside < 0.02 * self.side:
            return straight_curve(start, stop)
        bend = min(self.apothem * 0.75, along + aside * 0.75)
        bend = max(bend, 0.0)
        turn = (bend * ux, bend * uy)
        return start, interpolate(start, turn, 0.7), interpolate(stop, turn, 0.7), stop

    def curve_around(self, one: int, other: int, free: Point) -> Curved:
        """Track from edge to edge that leaves the middle free and passes on the side of `free`."""
        start, _, _, end = self.between_edges(one, other)
        length = hypot(*free) or 1.0
        lift = (free[0] / length * 0.78 * self.side, free[1] / length * 0.78 * self.side)
        one_handle, other_handle = interpolate(start, (0.0, 0.0), 0.3), interpolate(end, (0.0, 0.0), 0.3)
        return (
            start,
            (one_handle[0] * 0.9 + lift[0], one_handle[1] * 0.9 + lift[1]),
            (other_handle[0] * 0.9 + lift[0], other_handle[1] * 0.9 + lift[1]),
            end,
        )


def interpolate(one: Point, other: Point, part: float) -> Point:
    return one[0] + (other[0] - one[0]) * part, one[1] + (other[1] - one[1]) * part


def straight_curve(start: Point, end: Point) -> Curved:
    return start, interpolate(start, end, 1 / 3), interpolate(start, end, 2 / 3), end


def point_on(curve: Curved, part: float) -> Point:
    """`part` runs from 0 to 1."""
    rest = 1 - part
    weights = (rest**3, 3 * rest**2 * part, 3 * rest * part**2, part**3)
    return (
        sum(weight * x for weight, (x, _) in zip(weights, curve, strict=True)),
        sum(weight * y for weight, (_, y) in zip(weights, curve, strict=True)),
    )


def first_half(curve: Curved) -> Curved:
    a, b, c, d = curve
    ab, bc, cd = interpolate(a, b, 0.5), interpolate(b, c, 0.5), interpolate(c, d, 0.5)
    abc, bcd = interpolate(ab, bc, 0.5), interpolate(bc, cd, 0.5)
    return a, ab, abc, interpolate(abc, bcd, 0.5)


def path_of(curve: Curved, by: Point = (0.0, 0.0)) -> str:
    """The curve in SVG's path language, moved."""
    (ax, ay), (bx, by_), (cx, cy), (dx, dy) = ((x + by[0], y + by[1]) for x, y in curve)
    return f"M{ax:.1f} {ay:.1f}C{bx:.1f} {by_:.1f} {cx:.1f} {cy:.1f} {dx:.1f} {dy:.1f}"


def samples(curve: Curved, number: int = 9) -> Sequence[Point]:
    return [point_on(curve, index / (number - 1)) for index in range(number)]
