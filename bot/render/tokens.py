"""Tokens and share price markers: colour, initials, and a rim whose pattern tells like colours apart."""

from __future__ import annotations

from math import cos, pi, sin

from .colours import INK, RIMS
from .letters import size_to_fit
from .scene import Circle, Curve, Point, Polygon, Shape, Words
from .seen import Face


def token(face: Face, at: Point, radius: float, role: str = "token") -> list[Shape]:
    """A token around a point."""
    shapes: list[Shape] = [Circle(role, at, radius * 0.97, face.colour, INK, max(1.2, radius * 0.09))]
    shapes += halves(face, at, radius * 0.92)
    shapes += rim(RIMS[face.rim], at, radius * 0.97, face.text_colour)
    halo = face.colour if face.halves.lower else ""
    words = "initials" if role == "token" else f"{role} initials"
    shapes.append(initials(face.sign, at, radius, face.text_colour, halo, words))
    return shapes


def initials(sign: str, at: Point, radius: float, colour: str, halo: str = "", role: str = "initials") -> Words:
    """A company's sign within a circle."""
    size = size_to_fit(sign, radius * 1.72, radius * 0.95, bold=True, condensed=True)
    return Words(role, (at[0], at[1] + size * 0.36), sign, size, colour, bold=True, condensed=True, halo=halo)


def halves(face: Face, at: Point, radius: float) -> list[Shape]:
    """The lower half and the stripes of a token with several colours."""
    faces, (x, y) = face.halves, at
    shapes: list[Shape] = []
    if faces.lower:
        points = tuple((x + radius * cos(pi * i / 16), y + radius * sin(pi * i / 16)) for i in range(17))
        shapes.append(Polygon("token half", points, faces.lower))
    for stripe, height in ((faces.upper_stripe, -0.55), (faces.lower_stripe, 0.55)):
        if stripe:
            wide = radius * 0.8
            line = f"M{x - wide:.1f} {y + height * radius:.1f}L{x + wide:.1f} {y + height * radius:.1f}"
            shapes.append(Curve("token stripe", line, stripe, radius * 0.22))
    return shapes


def rim(pattern: str, at: Point, radius: float, colour: str) -> list[Shape]:
    """The pattern along the rim."""
    around = 2 * pi * (radius * 0.86)

    def ring(width: float, *dashes: float) -> list[Shape]:
        parts = " ".join(f"{part * around:.2f}" for part in dashes)
        return [Circle("token rim", at, radius * 0.86, "none", colour, max(1.2, width * radius), parts)]

    return {
        "": [],
        "solid": ring(0.09),
        "ticks": ring(0.26, 1 / 16, 3 / 16),
        "dots": ring(0.14, 1 / 32, 1 / 32),
        "half": ring(0.18, 1 / 2, 1 / 2),
        "thirds": ring(0.18, 1 / 6, 1 / 6),
        "thick": ring(0.2),
        "gaps": ring(0.1, 3 / 16, 1 / 16),
        "bars": ring(0.26, 1 / 40, 9 / 40 * 0.44),
    }[pattern]
