"""Shapes without curves drawn by Cairo itself: lines of text and tables, far sooner than by way of SVG."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import pi
from typing import Any

import cairocffi
from cairosvg.colors import color

from bot.render.shapes import Circle, Curve, Point, Polygon, Rect, Shape, Text

from .font_runs import FALLBACK, Piece, pieces
from .svg import FAMILY, HALO, NARROW_FAMILY


def can_draw(shapes: Iterable[Shape]) -> bool:
    """Whether the shapes include no curves, which are SVG paths."""
    return not any(isinstance(shape, Curve) for shape in shapes)


def draw_surface(shapes: Iterable[Shape], left: float, top: float, width: float, height: float) -> Any:
    """The shapes of this part of the plane on a clear Cairo surface, a pixel a unit."""
    surface = cairocffi.ImageSurface(cairocffi.FORMAT_ARGB32, max(1, round(width)), max(1, round(height)))
    draw_on(surface, shapes, left, top)
    return surface


def draw_on(surface: Any, shapes: Iterable[Shape], left: float, top: float) -> None:
    context = cairocffi.Context(surface)
    context.translate(-left, -top)
    for shape in shapes:
        DRAWING[type(shape)](context, shape)


def _polygon(context: Any, shape: Polygon) -> None:
    for x, y in shape.points:
        context.line_to(x, y)
    context.close_path()
    _fill_and_stroke(context, shape.fill, shape.stroke, shape.width)


def _circle(context: Any, shape: Circle) -> None:
    context.arc(*shape.centre, shape.radius, 0, 2 * pi)
    context.close_path()
    context.set_dash([float(part) for part in shape.dashes.replace(",", " ").split()])
    _fill_and_stroke(context, shape.fill, shape.stroke, shape.width)
    context.set_dash([])


def _box(context: Any, shape: Rect) -> None:
    _rounded_path(context, shape.corner, shape.size, min(shape.rounding, *(side / 2 for side in shape.size)))
    _fill_and_stroke(context, shape.fill, shape.stroke, shape.width)


def _rounded_path(context: Any, corner: Point, size: Point, radius: float) -> None:
    (x, y), (width, height) = corner, size
    if radius <= 0:
        context.rectangle(x, y, width, height)
        return
    corners = ((x + width, y), (x + width, y + height), (x, y + height), (x, y))
    for quarter, (right, bottom) in enumerate(corners):
        middle_x = right - radius if right > x else right + radius
        middle_y = bottom - radius if bottom > y else bottom + radius
        context.arc(middle_x, middle_y, radius, (quarter - 1) * pi / 2, quarter * pi / 2)
    context.close_path()


def _fill_and_stroke(context: Any, fill: str, stroke: str, width: float) -> None:
    if fill != "none":
        context.set_source_rgba(*color(fill))
        context.fill_preserve()
    if stroke != "none":
        context.set_source_rgba(*color(stroke))
        context.set_line_width(width)
        context.stroke_preserve()
    context.new_path()


def needs_fonts(shape: Text) -> bool:
    """Whether the text needs more than its own font."""
    return [text for _, text in _pieces(shape)] != [shape.text] or _pieces(shape)[0].family == FALLBACK


def _pieces(shape: Text) -> tuple[Piece, ...]:
    return pieces(shape.text, NARROW_FAMILY if shape.condensed else FAMILY, shape.bold)


def _text(context: Any, shape: Text) -> None:
    weight = cairocffi.FONT_WEIGHT_BOLD if shape.bold else cairocffi.FONT_WEIGHT_NORMAL
    context.set_font_size(shape.size)
    placed, advance = [], 0.0
    for family, text in _pieces(shape):
        context.select_font_face(family, cairocffi.FONT_SLANT_NORMAL, weight)
        placed.append((context.get_font_face(), text, advance))
        advance += context.text_extents(text)[4]
    left = shape.at[0] - {"start": 0.0, "middle": advance / 2, "end": advance}[shape.anchor]
    if shape.halo:
        for face, text, right in placed:
            context.set_font_face(face)
            context.move_to(left + right, shape.at[1])
            context.text_path(text)
        _fill_and_stroke(context, shape.halo, shape.halo, shape.size * HALO)
    context.set_source_rgba(*color(shape.fill))
    for face, text, right in placed:
        context.set_font_face(face)
        context.move_to(left + right, shape.at[1])
        context.show_text(text)
    context.new_path()


DRAWING: dict[type[Shape], Callable[[Any, Any], None]] = {
    Polygon: _polygon,
    Circle: _circle,
    Rect: _box,
    Text: _text,
}
