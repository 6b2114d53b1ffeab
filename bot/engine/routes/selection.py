"""One route a train, no track shared, the greatest sum: branch and bound over tables of routes."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations_with_replacement, product
from math import gcd, inf
from operator import neg

from .apart import Masks
from .enumeration import IDLE, Column
from .prices import Packing, Prices, find_prices

QUICK = 400_000
"""How many routes the plain search looks at before prices are worth their time."""

THOROUGH = 400_000
"""How many it looks at with prices, each time it aims lower, before the solver is worth its time."""

FIRST_STRETCH, LAST_STRETCH = 256, 8192
"""How many routes of a table are looked at together, at first and at most."""

SCANNED = 4096
"""How many routes the plain search looks at before the clock."""

PACKING_SECONDS = 1.0
"""How long the solver chooses from routes before the clock is looked at."""

MOST_PACKED = 400_000
"""How many pieces of track the routes may have together that the solver chooses from. It heeds no clock while it takes
a programme in, and more than 70 million, which one late board of 18BF had, took it minutes and all memory."""

Choice = list[tuple[int, Column]]
"""Chosen routes, each with the number of its fleet."""

Flags = tuple[int, ...]
"""For each bonus that several routes earn together: 1 a route brings its one half only, 2 the other half, 0 neither
or both."""


@dataclass(frozen=True)
class Fleet:
    """Trains alike: how many, and their routes, dearest first, ending with staying at home."""

    trains: int
    columns: list[Column]


@dataclass(frozen=True)
class Level:
    """Trains of one fleet with routes of one class."""

    fleet: int
    trains: int
    columns: list[Column]


@dataclass(frozen=True)
class Extras:
    """What a choice of routes earns besides their sum.

    `flags` classifies a route for the joint bonuses; `ceiling` is the most that routes with these flags earn together;
    `exact` what chosen routes earn together; it is never above the ceiling plus `most` and a multiple of `step`.
    """

    flags: Callable[[Column], Flags]
    ceiling: Callable[[Sequence[Flags]], int]
    exact: Callable[[Sequence[Column]], int]
    most: int = 0
    step: int = 0


class Selection:
    """The search for the best choice. `best` and `best_sum` are what has been found, `bound` what nothing exceeds."""

    def __init__(
        self,
        fleets: list[Fleet],
        extras: Extras | None,
        check_time: Callable[[], None],
        left: Callable[[], float] = lambda: inf,
        spend: Callable[[float], None] = lambda seconds: None,
    ) -> None:
        self.fleets = fleets
        self.extras = extras
        self.check_time = check_time
        self.left = left
        self.spend = spend
        self.best: Choice = [(number, IDLE) for number, fleet in enumerate(fleets) for _ in range(fleet.trains)]
        self.best_sum = extras.exact([column for _, column in self.best]) if extras else 0
        self.bound = self.best_sum
        self.waiting = self.best_sum
        self.step = _step(fleets, extras)
        self.need = self.best_sum + self.step
        self.examined = 0
        self.pulse = 0
        self.prices = FREE
        self.tables_priced: dict[int, _Table] = {}
        self.budget: int | None = QUICK

    def run(self) -> None:
        """Find the best choice.

        :raises OutOfTime: from `check_time`.
        """
        cases = sorted(self._cases(), key=lambda case: -case[0])
        ceilings = [*(case[0] for case in cases), self.best_sum]
        for number, (ceiling, constant, levels) in enumerate(cases):
            if ceiling <= self.best_sum:
                break
            self.bound, self.waiting = ceiling, ceilings[number + 1]
            self._solve(levels, constant)
        self.bound = self.best_sum

    # -- cases: which halves of joint bonuses the routes bring -----------------------------------------------

    def _cases(self) -> Iterator[tuple[int, int, list[Level]]]:
        """Bound, what is earned besides at most, and the tables to choose from."""
        if self.extras is None:
            levels = [Level(number, fleet.trains, fleet.columns) for number, fleet in enumerate(self.fleets)]
            yield _ceiling(levels), 0, levels
            return
        split = [_split(fleet.columns, self.extras.flags) for fleet in self.fleets]
        picks = [
            combinations_with_replacement(sorted(classes), fleet.trains)
            for classes, fleet in zip(split, self.fleets, strict=True)
        ]
        for choice in product(*picks):
            levels = [
                Level(number, flags.count(one), split[number][one])
                for number, flags in enumerate(choice)
                for one in sorted(set(flags))
            ]
            constant = self.extras.ceiling([one for flags in choice for one in flags]) + self.extras.most
            yield _ceiling(levels) + constant, constant, levels

    # -- branch and bound --------------------------------------------------------------------------------

    def _solve(self, levels: list[Level], constant: int) -> None:
        """Search one case, plainly or with the prices of track found before, then with its own prices."""
        try:
            self._search(levels, constant, self.prices, self.best_sum + self.step)
        except _TooLong:
            tables = [(level.trains, level.columns) for level in levels]
            self.prices = find_prices(tables, self.best_sum - constant, self.check_time, self.left)
            self.tables_priced.clear()
            self._aim_lower(levels, constant)
        self.budget = max(self.budget or 0, QUICK // 4)

    def _aim_lower(self, levels: list[Level], constant: int) -> None:
        """Look for what brings all that the prices allow, or nearly, and then for ever less.

        The best is mostly near what the prices allow; and the higher the aim, the fewer the routes that could be part
        of it.
        """
        _, ceiling = self._priced_tables(levels, constant, self.prices)
        distance, least = self.step, ceiling + 1
        while least > self.best_sum + self.step:
            self._lower_bound(least - 1)
            least = max(self.best_sum + self.step, ceiling - distance)
            self.budget = THOROUGH if self.extras is None else None
            try:
                self._search(levels, constant, self.prices, least)
            except _TooLong:
                self._pack(levels, constant, least)
            if self.best_sum >= least:
                return
            distance *= 2

    def _lower_bound(self, ceiling: int) -> None:
        """Nothing of this case exceeds the ceiling, which the other cases may do."""
        self.bound = max(self.best_sum, self.waiting, min(self.bound, ceiling // self.step * self.step))

    def _pack(self, levels: list[Level], constant: int, least: int) -> None:
        """Let the solver choose from the routes that might be part of what brings at least so much; where these are
        too many for it, search on."""
        useful = self._useful(levels, constant, self.prices, least)
        if sum(column.mask.bit_count() for table in useful for column in table.columns) > MOST_PACKED:
            self.budget = None
            self._search(levels, constant, self.prices, least)
            return
        packing = Packing([(level.trains, level.columns) for level in levels])
        for number, table in enumerate(useful):
            packing.add(number, table.columns)
        linear, _ = packing.programme()
        while True:
            before = linear.spent
            solution = linear.whole(self.step - 0.5, min(PACKING_SECONDS, self.left()))
            picked = [one for one, value in zip(packing.chosen.values(), solution.values, strict=False) if value > 0.5]
            if sum(column.revenue for _, column in picked) > self.best_sum - constant:
                self._take(levels, picked)
            if solution.is_best:
                return
            self.spend(linear.spent - before)
            self.check_time()

    def _take(self, levels: list[Level], picked: Sequence[tuple[int, Column]]) -> None:
        self.best_sum = sum(column.revenue for _, column in picked)
        self.best = []
        for number, level in enumerate(levels):
            columns = [column for table, column in picked if table == number]
            idle = [IDLE] * (level.trains - len(columns))
            self.best += [(level.fleet, column) for column in [*columns, *idle]]

    def _priced_tables(self, levels: list[Level], constant: int, prices: Prices) -> tuple[list[_Table], int]:
        tables = [self._priced(level, prices) for level in levels]
        return tables, constant + prices.total + sum(table.level.trains * table.values[0] for table in tables)

    def _useful(self, levels: list[Level], constant: int, prices: Prices, least: int) -> list[_Table]:
        """The routes that might be part of a choice that brings so much; no tables where nothing does."""
        tables, ceiling = self._priced_tables(levels, constant, prices)
        if ceiling < least:
            return []
        return [table.reaching(table.values[0] - (ceiling - least)) for table in tables]

    def _search(self, levels: list[Level], constant: int, prices: Prices, least: int) -> None:
        """Find the best choice of this case that brings at least so much; less may be found on the way."""
        tables = self._useful(levels, constant, prices, least)
        if not tables:
            return
        self.need = least
        tables.sort(key=lambda table: (len(table.values), -table.values[0]))
        self.tables = [table for table in tables for _ in range(table.level.trains)]
        self.again = [number > 0 for table in tables for number in range(table.level.trains)]
        self.rest = [constant + prices.total] * (len(self.tables) + 1)
        for index in range(len(self.tables) - 1, -1, -1):
            self.rest[index] = self.rest[index + 1] + self.tables[index].values[0]
        self._choose(0, 0, 0, [], 0)

    def _priced(self, level: Level, prices: Prices) -> _Table:
        """The level's columns by what they earn beyond the prices; worked out once for each list of columns."""
        known = self.tables_priced.get(id(level.columns))
        if known is None:
            known = self.tables_priced[id(level.columns)] = _sorted(level, prices, self.check_time)
        return replace(known, level=level)

    def _choose(self, index: int, mask: int, total: int, chosen: list[Column], begin: int) -> None:
        if index == len(self.tables):
            self._leaf(chosen)
            return
        values, columns = self.tables[index].values, self.tables[index].columns
        following = index + 1 < len(self.tables) and self.again[index + 1]
        for number in self._apart(index, mask, begin, self.need - total - self.rest[index + 1]):
            if values[number] < self.need - total - self.rest[index + 1]:
                return
            column = columns[number]
            self.examined += 1
            chosen.append(column)
            self._choose(index + 1, mask | column.mask, total + values[number], chosen, number if following else 0)
            chosen.pop()

    def _apart(self, index: int, mask: int, begin: int, least: int) -> Iterator[int]:
        """The numbers of the table's routes that bring so much and share no track with the mask, dearest first."""
        table, stretch = self.tables[index], FIRST_STRETCH
        end = bisect_right(table.values, -least, key=neg)
        while begin < end:
            stop = min(end, begin + stretch)
            numbers, cost = table.masks.apart(mask, begin, stop)
            self._pulse(cost)
            for number in numbers:
                self._pulse(1)
                yield number
            begin, stretch = stop, min(2 * stretch, LAST_STRETCH)

    def _leaf(self, chosen: list[Column]) -> None:
        total = sum(column.revenue for column in chosen)
        if self.extras is not None:
            total += self.extras.exact(chosen)
        if total > self.best_sum:
            self.best_sum = total
            self.best = [(table.level.fleet, column) for table, column in zip(self.tables, chosen, strict=True)]
            self.need = max(self.need, total + self.step)

    def _pulse(self, cost: int) -> None:
        self.pulse += cost
        if self.budget is not None:
            self.budget -= cost
            if self.budget < 0:
                raise _TooLong
        if self.pulse > SCANNED:
            self.pulse = 0
            self.check_time()


class _TooLong(Exception):
    """The plain search has used up its budget."""


@dataclass(frozen=True)
class _Table:
    """A level's columns in the order of what they earn beyond the prices of their track."""

    level: Level
    values: list[int]
    columns: list[Column]

    @cached_property
    def masks(self) -> Masks:
        """The track of the columns."""
        return Masks([column.mask for column in self.columns])

    def reaching(self, least: int) -> _Table:
        """Without the columns that earn less; one is kept."""
        number = max(1, sum(value >= least for value in self.values))
        return _Table(self.level, self.values[:number], self.columns[:number])


FREE = Prices({})


def _sorted(level: Level, prices: Prices, check_time: Callable[[], None]) -> _Table:
    if not prices.total:
        return _Table(level, [column.revenue for column in level.columns], level.columns)
    pairs = list(zip(prices.worth(level.columns, check_time), level.columns, strict=True))
    pairs.sort(key=lambda pair: (-pair[0], -pair[1].revenue, pair[1].mask))
    return _Table(level, [value for value, _ in pairs], [column for _, column in pairs])


def _step(fleets: Sequence[Fleet], extras: Extras | None) -> int:
    """A number that all sums are multiples of."""
    step = extras.step if extras else 0
    for fleet in fleets:
        step = gcd(step, *{column.revenue for column in fleet.columns})
    return max(1, step)


def _ceiling(levels: Sequence[Level]) -> int:
    return sum(level.trains * level.columns[0].revenue for level in levels)


def _split(columns: list[Column], flags: Callable[[Column], Flags]) -> dict[Flags, list[Column]]:
    """The columns by class, each still dearest first."""
    classes: dict[Flags, list[Column]] = {}
    for column in columns:
        classes.setdefault(flags(column), []).append(column)
    return classes
