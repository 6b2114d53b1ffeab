"""Pictures as plain shapes with roles, comparable before anything is painted. Lengths are pixels, y grows downwards."""

from __future__ import annotations

from dataclasses import dataclass

Point = tuple[float, float]


@dataclass(frozen=True)
class Polygon:
    role: str
    points: tuple[Point, ...]
    fill: str = "none"
    stroke: str = "none"
    width: float = 1.0


@dataclass(frozen=True)
class Curve:
    """In SVG's path language."""

    role: str
    path: str
    stroke: str
    width: float
    dashes: str = ""
    cap: str = "butt"


@dataclass(frozen=True)
class Circle:
    role: str
    centre: Point
    radius: float
    fill: str = "none"
    stroke: str = "none"
    width: float = 1.0
    dashes: str = ""


@dataclass(frozen=True)
class Rect:
    role: str
    corner: Point
    size: Point
    fill: str = "none"
    stroke: str = "none"
    width: float = 1.0
    rounding: float = 0.0


@dataclass(frozen=True)
class Text:
    """A line of text; `at` is the middle of its baseline, or its start or end as `anchor` says.
    `halo` is the colour of a pale edge that keeps it legible over track."""

    role: str
    at: Point
    text: str
    size: float
    fill: str = "#111111"
    anchor: str = "middle"
    bold: bool = False
    condensed: bool = False
    halo: str = ""


Shape = Polygon | Curve | Circle | Rect | Text


@dataclass(frozen=True)
class Sprite:
    """Shapes that are painted once and pasted often. `key` tells contents apart; `middle` is placed on the sprite's
    position. A strip says how one game stands: no other picture needs it."""

    key: str
    half_width: float
    half_height: float
    shapes: tuple[Shape, ...]
    middle: Point = (0.0, 0.0)
    is_strip: bool = False


@dataclass(frozen=True)
class PlacedSprite:
    """`at` is the sprite's middle."""

    sprite: Sprite
    at: Point


@dataclass(frozen=True)
class Scene:
    """A picture: `base` shapes on paper, `placed` sprites over them, `over` shapes on top."""

    name: str
    width: int
    height: int
    alt: str
    base: tuple[Shape, ...] = ()
    placed: tuple[PlacedSprite, ...] = ()
    over: tuple[Shape, ...] = ()

    def texts(self, role: str = "") -> list[str]:
        shapes = [*self.base, *(shape for placed in self.placed for shape in placed.sprite.shapes), *self.over]
        return [shape.text for shape in shapes if isinstance(shape, Text) and (not role or shape.role == role)]


def make_strip(name: str, width: float, height: float, shapes: tuple[Shape, ...], at: Point) -> PlacedSprite:
    """Drawn around (0, 0)."""
    return PlacedSprite(Sprite(f"{name}:{width}x{height}:{shapes}", width / 2, height / 2, shapes, is_strip=True), at)
