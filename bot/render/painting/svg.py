"""Shapes to SVG text; one function a shape."""

from __future__ import annotations

from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

from bot.render.shapes import Circle, Curve, Polygon, Rect, Shape, Text

FAMILY = "DejaVu Sans"
NARROW_FAMILY = "DejaVu Sans Condensed"
HALO = 0.22
"""The width of a halo's line for each pixel of the letters' size."""


def document(shapes: Iterable[Shape], left: float, top: float, width: float, height: float) -> str:
    body = "".join(element(shape) for shape in shapes)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="{left:.1f} {top:.1f} {width:.1f} {height:.1f}">{body}</svg>'
    )


def element(shape: Shape) -> str:
    if isinstance(shape, Polygon):
        return _polygon(shape)
    if isinstance(shape, Curve):
        return _curve(shape)
    if isinstance(shape, Circle):
        return _circle(shape)
    if isinstance(shape, Rect):
        return _box(shape)
    return _text(shape)


def _polygon(shape: Polygon) -> str:
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in shape.points)
    return f'<polygon points="{points}" fill="{shape.fill}" stroke="{shape.stroke}" stroke-width="{shape.width:g}"/>'


def _curve(shape: Curve) -> str:
    dashes = f' stroke-dasharray="{shape.dashes}"' if shape.dashes else ""
    return (
        f'<path d="{shape.path}" fill="none" stroke="{shape.stroke}" stroke-width="{shape.width:g}" '
        f'stroke-linecap="{shape.cap}"{dashes}/>'
    )


def _circle(shape: Circle) -> str:
    dashes = f' stroke-dasharray="{shape.dashes}"' if shape.dashes else ""
    x, y = shape.centre
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{shape.radius:.1f}" fill="{shape.fill}" stroke="{shape.stroke}" '
        f'stroke-width="{shape.width:g}"{dashes}/>'
    )


def _box(shape: Rect) -> str:
    (x, y), (width, height) = shape.corner, shape.size
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="{shape.rounding:g}" '
        f'fill="{shape.fill}" stroke="{shape.stroke}" stroke-width="{shape.width:g}"/>'
    )


def _text(shape: Text) -> str:
    weight = "bold" if shape.bold else "normal"
    family = quoteattr(NARROW_FAMILY if shape.condensed else FAMILY)
    x, y = shape.at
    start = (
        f'<text x="{x:.1f}" y="{y:.1f}" font-family={family} font-size="{shape.size:g}" font-weight="{weight}" '
        f'text-anchor="{shape.anchor}"'
    )
    end = f">{escape(shape.text)}</text>"
    halo = (
        f'{start} fill="{shape.halo}" stroke="{shape.halo}" stroke-width="{shape.size * HALO:.1f}"{end}'
        if shape.halo
        else ""
    )
    return f'{halo}{start} fill="{shape.fill}"{end}'
