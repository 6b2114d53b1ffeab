"""Prices for track: what a route must earn beyond the track it takes from others.

For any prices of at least nothing, the sum of all prices and the best priced route of every train is a sum that no
choice of separate routes exceeds (Lagrange). The best prices make that bound nearly sharp, so that few routes are left
to choose from. They are those of a linear programme in which parts of routes may be run; routes are added to it as long
as its prices find better ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import nlargest
from math import ceil

from .enumeration import Column
from .linear import Linear

ROUNDS = 30
WORKING = 300
"""How many routes of each train the programme begins with, and at most gets in each round."""

SLICE = 8192
"""How many routes are priced before the clock is looked at."""

ENOUGH = 0.002
"""The part of the bound that may be missing from the best prices."""

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

    def worth(self, columns: Sequence[Column], check_time: Callable[[], None] = lambda: None) -> list[int]:
        """What each route earns beyond the prices of its track.

        :raises OutOfTime: from `check_time`.
        """
        worth: list[int] = []
        for begin in range(0, len(columns), SLICE):
            check_time()
            worth += [column.revenue - self.of(column.mask) for column in columns[begin : begin + SLICE]]
        return worth

    def bound(self, tables: Sequence[Table], check_time: Callable[[], None] = lambda: None) -> int:
        """The sum that no choice exceeds.

        :raises OutOfTime: from `check_time`.
        """
        return self.total + sum(trains * max(self.worth(columns, check_time)) for trains, columns in tables)


def find_prices(
    tables: Sequence[Table], target: int, check_time: Callable[[], None], left: Callable[[], float]
) -> Prices:
    """Prices whose bound comes near the target, or is the lowest that prices can give.

    :raises OutOfTime: from `check_time`.
    """
    best = Prices({})
    best_bound = best.bound(tables)
    packing = Packing(tables)
    for trains_table, (_, columns) in enumerate(tables):
        packing.add(trains_table, nlargest(WORKING, columns, key=lambda one: one.revenue))
    for _ in range(ROUNDS):
        check_time()
        found = packing.prices(left())
        if found is None:
            break
        bound = found.bound(tables, check_time)
        if bound < best_bound:
            best, best_bound = found, bound
        if best_bound <= target or bound - packing.worth < ENOUGH * bound:
            break
        added = 0
        for number, (_, columns) in enumerate(tables):
            check_time()
            added += packing.add(number, nlargest(WORKING, columns, key=lambda one: one.revenue - found.of(one.mask)))
        if not added:
            break
    return best


class Packing:
    """Routes to choose from so that no track is used twice and no train twice."""

    def __init__(self, tables: Sequence[Table]) -> None:
        self.trains = [trains for trains, _ in tables]
        self.chosen: dict[tuple[int, int, int], tuple[int, Column]] = {}
        self.worth = 0.0

    def add(self, table: int, columns: Sequence[Column]) -> int:
        """Let the programme choose from these too; how many were new."""
        before = len(self.chosen)
        for column in columns:
            if column.one is not None:
                self.chosen.setdefault((table, column.mask, column.revenue), (table, column))
        return len(self.chosen) - before

    def programme(self) -> tuple[Linear, list[int]]:
        """The programme, and the track bit of each of its first rows."""
        linear = Linear()
        users: dict[int, list[tuple[int, float]]] = {}
        runs: list[list[tuple[int, float]]] = [[] for _ in self.trains]
        for table, column in self.chosen.values():
            variable = linear.variable(column.revenue)
            runs[table].append((variable, 1))
            for bit in bits_of(column.mask):
                users.setdefault(bit, []).append((variable, 1))
        for terms in users.values():
            linear.at_most(1, terms)
        for trains, terms in zip(self.trains, runs, strict=True):
            linear.at_most(trains, terms)
        return linear, list(users)

    def prices(self, seconds: float) -> Prices | None:
        """What track is worth when parts of routes may be run; None if the time is over."""
        linear, bits = self.programme()
        solution = linear.relaxed(seconds)
        if not solution.is_best:
            return None
        self.worth = solution.bound
        return Prices({bit: ceil(price - 0.001) for bit, price in zip(bits, solution.prices, strict=False)})


def bits_of(mask: int) -> list[int]:
    """The numbers of the bits that are set."""
    bits = []
    while mask:
        low = mask & -mask
        bits.append(low.bit_length() - 1)
        mask ^= low
    return bits
