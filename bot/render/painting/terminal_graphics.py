"""Pictures for terminals, as sixels."""

from __future__ import annotations

import io
from collections.abc import Iterator

from PIL import Image

SIXEL_COLOURS = 64
BAND = 6
"""Height of a row of sixels in pixels."""


def shrink_to_fit(png: bytes, width: int, height: int) -> Image.Image:
    """Keeps the aspect ratio."""
    image = Image.open(io.BytesIO(png)).convert("RGB")
    scale = min(width / image.width, height / image.height, 1.0)
    size = (max(int(image.width * scale), 1), max(int(image.height * scale) // 2 * 2, 2))
    return image.resize(size, Image.Resampling.LANCZOS)


def sixel(png: bytes, width: int) -> str:
    image = shrink_to_fit(png, width, 10 * width).quantize(SIXEL_COLOURS)
    palette = image.getpalette() or []
    colours = [palette[start : start + 3] for start in range(0, len(palette), 3)]
    percent = (f"#{number};2;{';'.join(str(part * 100 // 255) for part in rgb)}" for number, rgb in enumerate(colours))
    bands = (
        band(image.crop((0, top, image.width, min(top + BAND, image.height)))) for top in range(0, image.height, BAND)
    )
    return f'\x1bPq"1;1;{image.width};{image.height}{"".join(percent)}{"-".join(bands)}\x1b\\'


def band(image: Image.Image) -> str:
    """Six rows of points: a row of sixels for each colour in them."""
    width, points = image.width, list(image.tobytes())
    rows = [points[start : start + width] for start in range(0, len(points), width)]
    return "$".join(f"#{colour}{''.join(runs(rows, colour))}" for colour in sorted(set(points)))


def runs(rows: list[list[int]], colour: int) -> Iterator[str]:
    """The sixels of one colour from left to right, repeated sixels as a single sixel with their number."""
    signs = [sum(1 << y for y, row in enumerate(rows) if row[x] == colour) for x in range(len(rows[0]))]
    start = 0
    for place in range(1, len(signs) + 1):
        if place == len(signs) or signs[place] != signs[start]:
            yield (
                f"!{place - start}{chr(63 + signs[start])}"
                if place - start > 3
                else chr(63 + signs[start]) * (place - start)
            )
            start = place
