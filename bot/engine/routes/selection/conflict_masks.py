"""Many routes at once: which share no track with those that are chosen, and what they earn beyond what their track costs.

Only here they are arrays.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from bot.engine.routes.candidates import RouteColumn

WORD = 64
"""Bits of track that the machine compares at once."""

FEW, MANY, SOME = 48, 256, 2048
"""Up to the first number, routes are compared one by one; up to the last it is remembered which of them meet each piece of
track; up to the second numpy is not used, which takes longer to load than most searches take."""

LOOK, SHARE = 20, 16
"""The cost of a look at a stretch, in comparisons one by one, and the number of routes of a stretch that cost another
look."""


class ConflictMasks:
    """The track of a table's routes, a mask each, in the table's order.

    `meeting` are the routes, a bit each, that meet parts of track which have been asked for, where the table is asked
    often enough that it `remembers` them: routes of `whole`, the table and perhaps others after them.
    """

    def __init__(self, masks: Sequence[int], words: list[Any] | None = None, remembers: bool = False) -> None:
        self.masks = self.whole = masks
        self.words = words
        self.meeting: list[dict[int, int]] | None = None
        if remembers and FEW < len(masks) <= SOME:
            self.meeting = [{} for _ in range(self._number_of_words())]

    def find_compatible(self, mask: int, begin: int, end: int) -> tuple[Sequence[int], int]:
        """The numbers of routes from `begin` to before `end` that use nothing of the mask, and what the look cost."""
        if not mask:
            return range(begin, end), 1
        length = end - begin
        if length <= FEW:
            return [number for number in range(begin, end) if not self.masks[number] & mask], length
        cost = LOOK + length // SHARE
        if self.meeting is not None:
            return bits_of(~self._routes_meeting(mask) & (1 << end) - (1 << begin)), cost
        if length <= MANY:
            return [number for number in range(begin, end) if not self.masks[number] & mask], cost
        import numpy

        meets = numpy.zeros(length, dtype=bool)
        for number, part in mask_words(mask, len(self._word_arrays())):
            meets |= (self._word_arrays()[number][begin:end] & numpy.uint64(part)) != 0
        return (numpy.flatnonzero(~meets) + begin).tolist(), cost

    def _routes_meeting(self, mask: int) -> int:
        """The routes, a bit each, that use something of the mask."""
        assert self.meeting is not None
        met = 0
        for number, part in mask_words(mask, len(self.meeting)):
            known = self.meeting[number].get(part)
            if known is None:
                known = self.meeting[number][part] = self._find_meeting(number, part)
            met |= known
        return met

    def _find_meeting(self, number: int, part: int) -> int:
        """The routes of `whole`, a bit each, that use something of a part of one word."""
        if len(self.whole) <= MANY:
            track = part << number * WORD
            return sum(1 << place for place, mask in enumerate(self.whole) if mask & track)
        import numpy

        meets = (self._word_arrays()[number] & numpy.uint64(part)) != 0
        return int.from_bytes(numpy.packbits(meets, bitorder="little").tobytes(), "little")

    def take_first(self, number: int) -> ConflictMasks:
        """The first `number` routes: what is remembered of all is true of them, too."""
        first = ConflictMasks(self.masks[:number], self.words)
        first.meeting, first.whole = self.meeting, self.whole
        return first

    def subset(self, numbers: Sequence[int], remembers: bool = False) -> ConflictMasks:
        masks = [self.masks[number] for number in numbers]
        if self.words is None or len(masks) <= FEW:
            return ConflictMasks(masks, None, remembers)
        import numpy

        places = numpy.array(numbers)
        return ConflictMasks(masks, [word[places] for word in self.words], remembers)

    def costs(self, prices: Mapping[int, int]) -> Any:
        """The cost of each route's track, an array, when these bits have prices."""
        import numpy

        costs = numpy.zeros(len(self.masks), dtype=numpy.int64)
        bits = numpy.unpackbits(numpy.arange(256, dtype=numpy.uint8)[:, None], axis=1, bitorder="little")
        for number, word in enumerate(self._word_arrays()):
            octets = word[: len(self.masks)].view(numpy.uint8).reshape(-1, WORD // 8)
            for place in range(WORD // 8):
                first = number * WORD + place * 8
                of_bit = [prices.get(first + bit, 0) for bit in range(8)]
                if any(of_bit):
                    costs += (bits @ numpy.array(of_bit))[octets[:, place]]
        return costs

    def _number_of_words(self) -> int:
        return -(-max(map(int.bit_length, self.masks)) // WORD)

    def _word_arrays(self) -> list[Any]:
        """For each word of the masks an array over the routes, and perhaps others after them."""
        if self.words is None:
            import numpy

            size = self._number_of_words()
            data = b"".join(mask.to_bytes(size * WORD // 8, "little") for mask in self.masks)
            self.words = list(numpy.frombuffer(data, dtype="<u8").reshape(len(self.masks), size).T.copy())
        return self.words


class RouteTable:
    """Routes of trains alike, highest first."""

    def __init__(self, columns: Sequence[RouteColumn]) -> None:
        self.columns = columns

    @cached_property
    def masks(self) -> ConflictMasks:
        return ConflictMasks([column.mask for column in self.columns], remembers=True)

    @cached_property
    def revenues(self) -> Any:
        import numpy

        return numpy.array([column.revenue for column in self.columns], dtype=numpy.int64)

    def worth(self, prices: Mapping[int, int]) -> Any:
        """The revenue of each route beyond its track, an array, when these bits have prices."""
        return self.revenues - self.masks.costs(prices)

    def highest(self, worth: Any, most: int) -> list[RouteColumn]:
        import numpy

        if len(worth) <= most:
            return list(self.columns)
        return [self.columns[number] for number in sorted(numpy.argpartition(-worth, most)[:most].tolist())]


def mask_words(mask: int, words: int) -> Iterator[tuple[int, int]]:
    """The words of the mask, up to a number, that are not empty: number and bits of each."""
    for number in range(words):
        part = mask >> number * WORD & (1 << WORD) - 1
        if part:
            yield number, part


def bits_of(mask: int) -> list[int]:
    bits = []
    while mask:
        low = mask & -mask
        bits.append(low.bit_length() - 1)
        mask ^= low
    return bits
