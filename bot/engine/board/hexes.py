"""Hex geometry in doubled coordinates.

A space has integers x and y. On a *pointy* map a row is x ± 2 and the next row is y ± 1, x ± 1; on a *flat* map it is
the other way round. Edges are numbered clockwise: on a pointy map 0 is the lower left side, on a flat map the bottom.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from bot.engine.ids import HexId

POINTY_OFFSETS = ((-1, 1), (-2, 0), (-1, -1), (1, -1), (2, 0), (1, 1))
FLAT_OFFSETS = ((0, 2), (-1, 1), (-1, -1), (0, -2), (1, -1), (1, 1))

PLACE = re.compile(r"^([A-Za-z]+)(\d+)$")


def opposite(edge: int) -> int:
    return (edge + 3) % 6


@dataclass(frozen=True)
class Layout:
    """The orientation of a map's hexes: flat or pointy, and whether the letter of a name is x or y."""

    is_flat: bool
    letter_is_x: bool

    @property
    def offsets(self) -> tuple[tuple[int, int], ...]:
        """The numbers to add to x and y to cross each edge."""
        return FLAT_OFFSETS if self.is_flat else POINTY_OFFSETS

    @lru_cache(maxsize=1024)  # noqa: B019 (layouts live as long as the process)
    def coordinates(self, name: HexId) -> tuple[int, int]:
        """The coordinates of a space.

        :raises ValueError: the name is not a letter and a number.
        """
        found = PLACE.match(name)
        if not found:
            raise ValueError(f"not the name of a map space: {name}")
        letter, number = letter_index(found[1]), int(found[2]) - 1
        return (letter, number) if self.letter_is_x else (number, letter)

    def distance(self, one: HexId, other: HexId) -> int:
        """Steps between two spaces as the crow flies."""
        (x1, y1), (x2, y2) = self.coordinates(one), self.coordinates(other)
        across, along = (abs(x1 - x2), abs(y1 - y2)) if self.is_flat else (abs(y1 - y2), abs(x1 - x2))
        return across + max(0, (along - across) // 2)


def letter_index(letters: str) -> int:
    """A is 0, Z 25, AA 26; small letters count backwards from -1."""
    if letters.islower():
        return -(ord(letters) - ord("a") + 1)
    index = 0
    for letter in letters:
        index = index * 26 + ord(letter) - ord("A") + 1
    return index - 1
