"""Which of many routes share no track with those that are chosen: one look at a whole stretch of a table."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

WORD = 64
"""Bits of track that the machine compares at once."""

FEW = 48
"""So few routes are compared one by one."""

LOOK, SHARE = 20, 16
"""What a look at a stretch costs, in comparisons one by one, and how many routes of a stretch cost another one."""


class Masks:
    """The track of a table's routes, a mask each, in the table's order."""

    def __init__(self, masks: Sequence[int]) -> None:
        self.masks = masks

    def apart(self, mask: int, begin: int, end: int) -> tuple[Sequence[int], int]:
        """The numbers of routes from `begin` to before `end` that use nothing of the mask, and what the look cost."""
        if not mask:
            return range(begin, end), 1
        if end - begin <= FEW:
            return [number for number in range(begin, end) if not self.masks[number] & mask], end - begin
        import numpy

        meets = numpy.zeros(end - begin, dtype=bool)
        for number, word in enumerate(self._words):
            part = mask >> number * WORD & (1 << WORD) - 1
            if part:
                meets |= (word[begin:end] & numpy.uint64(part)) != 0
        return (numpy.flatnonzero(~meets) + begin).tolist(), LOOK + (end - begin) // SHARE

    @cached_property
    def _words(self) -> list[Any]:
        """For each word of the masks an array over the routes."""
        import numpy

        size = -(-max(map(int.bit_length, self.masks)) // WORD)
        data = b"".join(mask.to_bytes(size * WORD // 8, "little") for mask in self.masks)
        return list(numpy.frombuffer(data, dtype="<u8").reshape(len(self.masks), size).T.copy())
