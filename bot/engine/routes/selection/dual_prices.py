"""Prices for track: what a route must earn beyond the track it takes from others.

For any prices of at least nothing, the sum of all prices and the best priced route of every train is a sum that no
choice of separate routes exceeds (Lagrange). The best prices make that bound nearly sharp, so that few routes are left
to choose from. They are those of a linear programme in which parts of routes may be run; routes are added to it as long
as its prices find better routes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil

from bot.engine.routes.candidates import RouteColumn

from .conflict_masks import RouteTable, bits_of
from .milp import LinearProgram

ROUNDS = 30
WORKING = 300
"""How many routes of each train the programme begins with, and at most gets in each round."""

ENOUGH = 0.002
"""The part of the bound that may be missing from the best prices."""


class DualPrices:
    """Whole prices for bits of track."""

    def __init__(self, of_bit: dict[int, int]) -> None:
        self.of_bit = {bit: price for bit, price in of_bit.items() if price > 0}
        self.total = sum(self.of_bit.values())


Choices = Sequence[tuple[int, RouteTable]]
"""How many trains there are of each kind, and their routes."""


def bound_of(choices: Choices, prices: DualPrices) -> int:
    return prices.total + sum(trains * int(table.worth(prices.of_bit).max()) for trains, table in choices)


def find_prices(choices: Choices, target: int, check_time: Callable[[], None], left: Callable[[], float]) -> DualPrices:
    """Prices whose bound comes near the target, or is the lowest that prices can give.

    :raises EnumerationTimeout: from `check_time`.
    """
    best = DualPrices({})
    best_bound = bound_of(choices, best)
    packing = Packing([trains for trains, _ in choices])
    for number, (_, table) in enumerate(choices):
        packing.add(number, table.highest(table.revenues, WORKING))
    for _ in range(ROUNDS):
        check_time()
        found = packing.prices(left())
        if found is None:
            break
        bound, added = found.total, 0
        for number, (trains, table) in enumerate(choices):
            check_time()
            worth = table.worth(found.of_bit)
            bound += trains * int(worth.max())
            added += packing.add(number, table.highest(worth, WORKING))
        if bound < best_bound:
            best, best_bound = found, bound
        if best_bound <= target or bound - packing.worth < ENOUGH * bound or not added:
            break
    return best


class Packing:
    """Routes to choose from so that no track is used twice and no train twice."""

    def __init__(self, trains: Sequence[int]) -> None:
        self.trains = trains
        self.chosen: dict[tuple[int, int, int], tuple[int, RouteColumn]] = {}
        self.worth = 0.0

    def add(self, table: int, columns: Sequence[RouteColumn]) -> int:
        """Let the programme choose from these too; how many were new."""
        before = len(self.chosen)
        for column in columns:
            if column.one is not None:
                self.chosen.setdefault((table, column.mask, column.revenue), (table, column))
        return len(self.chosen) - before

    def programme(self) -> tuple[LinearProgram, list[int]]:
        """The programme, and the track bit of each of its first rows."""
        linear = LinearProgram()
        users: dict[int, list[tuple[int, float]]] = {}
        runs: list[list[tuple[int, float]]] = [[] for _ in self.trains]
        for table, column in self.chosen.values():
            variable = linear.variable(column.revenue)
            runs[table].append((variable, 1))
            for bit in bits_of(column.mask):
                users.setdefault(bit, []).append((variable, 1))
        for terms in users.values():
            linear.add_upper_bound(1, terms)
        for trains, terms in zip(self.trains, runs, strict=True):
            linear.add_upper_bound(trains, terms)
        return linear, list(users)

    def prices(self, seconds: float) -> DualPrices | None:
        """The worth of track when parts of routes may be run; None if the time is over."""
        linear, bits = self.programme()
        solution = linear.solve_relaxed(seconds)
        if not solution.is_best:
            return None
        self.worth = solution.bound
        return DualPrices({bit: ceil(price - 0.001) for bit, price in zip(bits, solution.prices, strict=False)})
