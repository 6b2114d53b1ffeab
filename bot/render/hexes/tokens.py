"""Tokens and share price markers: colour, initials, and a rim whose pattern tells like colours apart."""

from __future__ import annotations

from math import cos, pi, sin

from bot.render.shapes import INK, RIMS, Circle, Curve, Point, Polygon, Rect, Shape, Text, size_to_fit
from bot.render.shapes.hex_view import PLAIN, TokenDrawing

MOST_LETTERS = 4
"""Longer signs are written in two lines."""


RINGS, WITHIN_RING = ("solid", "dots", "thick", "gaps"), 0.82
"""Rims that go all around, and how much smaller the initials within them are; others leave the sides free."""


def token(face: TokenDrawing, at: Point, radius: float, role: str = "token") -> list[Shape]:
    shapes: list[Shape] = [Circle(role, at, radius * 0.97, face.colour, INK, max(1.2, radius * 0.09))]
    words = "initials" if role == "token" else f"{role} initials"
    if face.halves != PLAIN:
        high = radius * (0.66 if len(face.sign) <= MOST_LETTERS else 1.06)
        shapes += halves(face, at, radius * 0.92)
        band = (at[0] - radius * 0.88, at[1] - high / 2)
        shapes.append(Rect("token band", band, (radius * 1.76, high), "#ffffff", rounding=high / 5))
        return [*shapes, *initials(face.sign, at, radius, INK, words)]
    shapes += rim(RIMS[face.rim], at, radius * 0.97, face.text_colour)
    within = radius * (WITHIN_RING if RIMS[face.rim] in RINGS else 1.0)
    return [*shapes, *initials(face.sign, at, within, face.text_colour, words)]


def initials(sign: str, at: Point, radius: float, colour: str, role: str = "initials") -> list[Text]:
    """A long sign takes two lines."""
    lines = (sign,) if len(sign) <= MOST_LETTERS else split_sign(sign)
    room = radius * (1.72 if len(lines) == 1 else 1.5)
    size = min(size_to_fit(line, room, radius * (0.95 if len(lines) == 1 else 0.72), True, True) for line in lines)
    top = at[1] - size * 0.5 * (len(lines) - 1)
    return [
        Text(role, (at[0], top + size * (index + 0.36)), line, size, colour, bold=True, condensed=True)
        for index, line in enumerate(lines)
    ]


def split_sign(sign: str) -> tuple[str, str]:
    """Two parts of about equal length; an ampersand in the middle ends the first."""
    middle = (len(sign) + 1) // 2
    cut = sign.find("&") + 1
    cut = cut if cut and abs(cut - middle) <= 1 else middle
    return sign[:cut], sign[cut:]


def halves(face: TokenDrawing, at: Point, radius: float) -> list[Shape]:
    faces, (x, y) = face.halves, at
    shapes: list[Shape] = []
    if faces.lower:
        points = tuple((x + radius * cos(pi * i / 16), y + radius * sin(pi * i / 16)) for i in range(17))
        shapes.append(Polygon("token half", points, faces.lower))
    for stripe, height in ((faces.upper_stripe, -0.6), (faces.lower_stripe, 0.6)):
        if stripe:
            wide = radius * 0.74
            line = f"M{x - wide:.1f} {y + height * radius:.1f}L{x + wide:.1f} {y + height * radius:.1f}"
            shapes.append(Curve("token stripe", line, stripe, radius * 0.22))
    return shapes


def rim(pattern: str, at: Point, radius: float, colour: str) -> list[Shape]:
    around = 2 * pi * (radius * 0.86)

    def ring(width: float, *dashes: float) -> list[Shape]:
        parts = " ".join(f"{part * around:.2f}" for part in dashes)
        return [Circle("token rim", at, radius * 0.86, "none", colour, max(1.2, width * radius), parts)]

    def marks(width: float, number: int, part: float) -> list[Shape]:
        """The given number of marks, each that part of the way around; none at the left and right, where initials
        reach."""
        gap = (1 / number - part) / 2
        return ring(width, 0, gap, part, gap)

    return {
        "": [],
        "solid": ring(0.09),
        "ticks": marks(0.26, 4, 1 / 16),
        "dots": ring(0.14, 1 / 32, 1 / 32),
        "half": ring(0.22, 0, 1 / 9, 5 / 18, 11 / 18),
        "thirds": marks(0.22, 2, 5 / 18),
        "thick": ring(0.2),
        "gaps": ring(0.1, 3 / 16, 1 / 16),
        "bars": marks(0.18, 6, 1 / 40),
    }[pattern]
