"""The engine's own chance: the same seed gives the same draw on every machine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

Thing = TypeVar("Thing")


class SeededRandom:
    """18xx.games' generator: x -> (1103515245 x + 12345) mod 2^31."""

    def __init__(self, seed: int) -> None:
        self.x = seed % 2**31

    def random_bits(self) -> int:
        """The next number, from 0 to 2^31 - 1."""
        self.x = (1103515245 * self.x + 12345) % 2**31
        return self.x

    def randrange(self, limit: int) -> int:
        return (self.random_bits() >> 8) % limit

    def permutation(self, things: Iterable[Thing]) -> list[Thing]:
        waiting = list(things)
        return [waiting.pop(self.randrange(len(waiting))) for _ in range(len(waiting))]

    def choose(self, weights: Sequence[int]) -> int:
        """An index, drawn by weight.

        :raises ValueError: there is none.
        """
        drawn = self.randrange(sum(weights))
        for index, weight in enumerate(weights):
            if drawn < weight:
                return index
            drawn -= weight
        raise ValueError("no weights")
