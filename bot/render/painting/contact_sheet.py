"""Several pictures on one sheet, to be looked at together."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO

from PIL import Image

from .picture import Picture

WIDTH, HEIGHT, COLUMNS, GAP = 1000, 800, 3, 12


def contact_sheet(pictures: Sequence[Picture]) -> bytes:
    """A PNG of the pictures in rows of three, each as large as fits its place."""
    rows = -(-len(pictures) // COLUMNS)
    sheet = Image.new("RGB", (COLUMNS * (WIDTH + GAP), max(1, rows) * (HEIGHT + GAP)), "white")
    for number, picture in enumerate(pictures):
        with Image.open(BytesIO(picture.png)) as image:
            fitted = image.convert("RGB")
        fitted.thumbnail((WIDTH, HEIGHT))
        sheet.paste(fitted, (number % COLUMNS * (WIDTH + GAP), number // COLUMNS * (HEIGHT + GAP)))
    out = BytesIO()
    sheet.save(out, "PNG")
    return out.getvalue()
