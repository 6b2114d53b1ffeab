"""Where things lie on a hexagon: corners, middles of edges, stops, the free corner for a value."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, sin, sqrt

from bot.engine.tiles import Node, Tile

from .scene import Point


@dataclass(frozen=True)
class Hexagon:
    """A hexagon of a given side length, flat or pointy, around (0, 0)."""

    side: float
    is_flat: bool

    @property
    def apothem(self) -> float:
        """From the middle to an edge."""
        return self.side * sqrt(3) / 2

    def edge_angle(self, edge: int) -> float:
        """The direction of an edge's middle: edge 0 is the bottom, or the lower left side of a pointy hexagon."""
        return (pi / 2 if self.is_flat else 2 * pi / 3) + edge * pi / 3

    def corner(self, number: float, scale: float = 1.0) -> Point:
        """The corner between edge `number` and the next one."""
        angle = self.edge_angle(0) + (number + 0.5) * pi / 3
        return self.side * scale * cos(angle), self.side * scale * sin(angle)

    def corners(self, scale: float = 1.0) -> tuple[Point, ...]:
        """All six corners in the order of the edges."""
        return tuple(self.corner(number, scale) for number in range(6))

    def middle(self, edge: int, scale: float = 1.0) -> Point:
        """The middle of an edge, or a point on the way to it."""
        angle = self.edge_angle(edge)
        return self.apothem * scale * cos(angle), self.apothem * scale * sin(angle)

    def centre_of(self, x: int, y: int) -> Point:
        """Where the space with these doubled coordinates lies."""
        if self.is_flat:
            return x * 1.5 * self.side, y * self.apothem
        return x * self.apothem, y * 1.5 * self.side

    # -- stops --------------------------------------------------------------------------------------

    def place_of(self, tile: Tile, node: Node) -> Point:
        """Where a stop is drawn: the middle of the tile, or between its exits where there are several stops."""
        if len(tile.nodes) == 1:
            return self._lone(tile, node)
        exits = sorted(tile.exits_of(node.id))
        if not exits:
            return self._away_from_others(tile, node)
        if len(exits) == 2 and node.kind == "town":
            return self.on_curve(exits[0], exits[1])
        x = sum(self.middle(edge)[0] for edge in exits) / len(exits)
        y = sum(self.middle(edge)[1] for edge in exits) / len(exits)
        length = sqrt(x * x + y * y)
        reach = self.side * 0.45
        if length < self.side * 0.15:
            return self._beside(tile, node, reach)
        return x / length * reach, y / length * reach

    def _lone(self, tile: Tile, node: Node) -> Point:
        exits = sorted(tile.exits_of(node.id))
        if node.kind == "town" and len(exits) == 2:
            return self.on_curve(exits[0], exits[1])
        return 0.0, 0.0

    def _away_from_others(self, tile: Tile, node: Node) -> Point:
        others = [other for other in tile.nodes if other.id != node.id and tile.exits_of(other.id)]
        if others:
            x, y = self.place_of(tile, others[0])
            return -x, -y
        index = [other.id for other in tile.nodes].index(node.id)
        angle = 2 * pi * index / len(tile.nodes) + (pi if self.is_flat else 0)
        return self.side * 0.42 * cos(angle), self.side * 0.42 * sin(angle)

    def _beside(self, tile: Tile, node: Node, reach: float) -> Point:
        """For a stop on a straight line through the middle: to the side where no other stop is."""
        exits = sorted(tile.exits_of(node.id))
        others = [edge for other in tile.nodes if other.id != node.id for edge in tile.exits_of(other.id)]
        angle = self.edge_angle(exits[0]) + pi / 2
        x, y = reach * 0.75 * cos(angle), reach * 0.75 * sin(angle)
        pull = sum(x * self.middle(edge)[0] + y * self.middle(edge)[1] for edge in others)
        return (-x, -y) if pull > 0 else (x, y)

    def on_curve(self, one: int, other: int) -> Point:
        """The middle of the track between two edges."""
        (ax, ay), (bx, by) = self.middle(one), self.middle(other)
        return (ax + bx) / 4, (ay + by) / 4

    # -- track --------------------------------------------------------------------------------------

    def between_edges(self, one: int, other: int) -> str:
        """Track from edge to edge as a path: a curve that meets both edges at a right angle."""
        (ax, ay), (bx, by) = self.middle(one, 1.0), self.middle(other, 1.0)
        return f"M{ax:.1f} {ay:.1f}Q0 0 {bx:.1f} {by:.1f}"

    def to_stop(self, edge: int, stop: Point) -> str:
        """Track from an edge to a stop."""
        (ax, ay), (bx, by) = self.middle(edge, 1.0), stop
        inner = self.middle(edge, 0.35)
        if abs(bx) + abs(by) < 1:
            return f"M{ax:.1f} {ay:.1f}L0 0"
        return f"M{ax:.1f} {ay:.1f}Q{inner[0]:.1f} {inner[1]:.1f} {bx:.1f} {by:.1f}"
