"""How wide words are in the bundled fonts, without asking the fonts."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

WIDTHS = (
    "35 46 52 84 70 100 87 31 46 46 52 84 38 42 38 37 70 70 70 70 70 70 70 70 70 70 40 40 84 84 84 58 100 77 76 73 83 68 "
    "68 82 84 37 37 77 64 100 84 85 73 85 77 72 68 81 77 110 77 72 73 46 37 46 84 50 50 67 72 59 72 68 44 72 71 34 34 67 "
    "34 104 71 69 72 72 49 60 48 71 65 92 65 65 58 71 37 71 84"
)
BOLD = tuple(int(width) / 100 for width in WIDTHS.split())
"""Widths of the letters from space to tilde in DejaVu Sans Bold, as parts of the size."""

OTHER = 0.72
CONDENSED = 0.9
NORMAL = 0.9
HINTED = 0.96
"""Small letters are drawn a little wider than their outlines, so a line is fitted into a little less."""


def width_of(text: str, size: float, bold: bool = False, condensed: bool = False) -> float:
    """In pixels, within a few percent."""
    wide = 0 if text.isascii() else sum(unicodedata.east_asian_width(letter) in "WF" for letter in text)
    width = sum(BOLD[ord(letter) - 32] if 32 <= ord(letter) < 127 else OTHER for letter in text) - OTHER * wide
    return size * (wide + width * (CONDENSED if condensed else 1.0) * (1.0 if bold else NORMAL))


HEADING = 0.02
"""The least size of a heading as a part of a picture's width: 11 pixels on a phone that shows 550."""


def size_to_fit(text: str, room: float, most: float, bold: bool = False, condensed: bool = False) -> float:
    """The largest size up to `most` at which the text fits into `room` pixels."""
    return min(most, most * room * HINTED / max(1e-6, width_of(text, most, bold, condensed)))


def wrap_words(words: Sequence[str], room: float, size: float, gap: str = "  ") -> tuple[str, ...]:
    lines = [""]
    for word in words:
        longer = f"{lines[-1]}{gap}{word}" if lines[-1] else word
        if lines[-1] and width_of(longer, size) > room * HINTED:
            lines.append(word)
        else:
            lines[-1] = longer
    return tuple(lines)


def split_in_two(text: str) -> tuple[str, ...]:
    """Two lines of about equal length; one if the text has no gap."""
    words = text.replace("/", "/ ").split(" ")
    best: tuple[int, tuple[str, ...]] = (len(text) + 1, (text,))
    for cut in range(1, len(words)):
        lines = (" ".join(words[:cut]), " ".join(words[cut:]))
        best = min(best, (max(len(line) for line in lines), lines))
    return best[1]
