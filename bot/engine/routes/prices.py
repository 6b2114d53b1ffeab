"""Prices for track: what a route must earn beyond the track it takes from others.

For any prices of at least nothing, the sum of all prices and the best priced route of every train is a sum that no
choice of separate routes exceeds (Lagrange). Good prices make that bound nearly sharp, so that few routes are left to
choose from. They are found by subgradient steps on the dearest routes, with all routes priced now and then.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import nlargest

from .enumeration import Column

ROUNDS = 4
STEPS = 60
WORKING = 300
"""How many routes of each train the steps look at, to begin with and more in every round."""

Table = tuple[int, Sequence[Column]]
"""Trains alike and their routes."""


class Prices:
    """Whole prices for bits of track."""

    def __init__(self, of_bit: dict[int, int]) -> None:
        self.of_bit = {bit: price for bit, price in of_bit.items() if price > 0}
        self.total = sum(self.of_bit.values())
        self.mask = sum(1 << bit for bit in self.of_bit)
        self.memory: dict[int, int] = {}

    def of(self, mask: int) -> int:
        """The price of the track in the mask."""
        priced = mask & self.mask
        known = self.memory.get(priced)
        if known is None:
            known = self.memory[priced] = sum(price for bit, price in self.of_bit.items() if priced >> bit & 1)
        return known

    def bound(self, tables: Sequence[Table]) -> int:
        """The sum that no choice exceeds."""
        return self.total + sum(
            trains * max(column.revenue - self.of(column.mask) for column in columns) for trains, columns in tables
        )


def find_prices(tables: Sequence[Table], target: int, check_time: Callable[[], None]) -> Prices:
    """Prices whose bound comes near the target.

    :raises OutOfTime: from `check_time`.
    """
    best = Prices({})
    best_bound = best.bound(tables)
    working = [_by_mask(nlargest(WORKING, columns, key=lambda one: one.revenue)) for _, columns in tables]
    prices: dict[int, float] = {}
    for _ in range(ROUNDS):
        check_time()
        trains = [number for number, _ in tables]
        looked_at = [list(some.values()) for some in working]
        prices = _steps(list(zip(trains, looked_at, strict=True)), prices, target, check_time)
        whole = Prices({bit: round(price) for bit, price in prices.items()})
        bound = whole.bound(tables)
        if bound < best_bound:
            best, best_bound = whole, bound
        grown = False
        for some, (_, columns) in zip(working, tables, strict=True):
            before = len(some)
            some.update(_by_mask(nlargest(WORKING // 2, columns, key=lambda one: one.revenue - whole.of(one.mask))))
            grown = grown or len(some) > before
        if best_bound <= target or not grown:
            break
    return best


def _by_mask(columns: Sequence[Column]) -> dict[tuple[int, int], Column]:
    return {(column.mask, column.revenue): column for column in columns}


def _steps(
    tables: Sequence[Table], prices: dict[int, float], target: int, check_time: Callable[[], None]
) -> dict[int, float]:
    """Subgradient steps; the prices with the lowest bound over these tables."""
    listed = [(trains, [(column.revenue, _bits(column.mask)) for column in columns]) for trains, columns in tables]
    best, best_bound, scale = dict(prices), float("inf"), 1.0
    now = dict(prices)
    for step in range(STEPS):
        check_time()
        bound, excess = _dual(listed, now)
        if bound < best_bound - 0.01:
            best, best_bound = dict(now), bound
        elif step % 5 == 4:
            scale *= 0.6
        size = sum(number * number for number in excess.values())
        if not size or bound <= target:
            break
        stride = scale * (bound - target) / size
        now = {bit: max(0.0, now.get(bit, 0.0) + stride * excess.get(bit, 0)) for bit in {**now, **excess}}
    return best


def _dual(
    listed: Sequence[tuple[int, Sequence[tuple[int, Sequence[int]]]]], prices: dict[int, float]
) -> tuple[float, dict[int, int]]:
    """The bound of the prices, and how much more than once each bit is used by the best priced routes."""
    bound = sum(prices.values())
    excess = dict.fromkeys((bit for bit, price in prices.items() if price > 0), -1)
    for trains, columns in listed:
        value, bits = max(
            ((revenue - sum([prices.get(bit, 0.0) for bit in bits]), bits) for revenue, bits in columns),
            key=lambda one: one[0],
        )
        bound += trains * value
        for bit in bits:
            excess[bit] = excess.get(bit, -1) + trains
    return bound, {bit: number for bit, number in excess.items() if number}


def _bits(mask: int) -> list[int]:
    bits = []
    while mask:
        low = mask & -mask
        bits.append(low.bit_length() - 1)
        mask ^= low
    return bits
