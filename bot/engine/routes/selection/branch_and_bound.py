"""One route a train, no track shared, the greatest sum: branch and bound over tables of routes."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement, product
from math import gcd, inf
from operator import neg
from typing import NamedTuple

from bot.engine.routes.candidates import IDLE, RouteColumn

from .conflict_masks import ConflictMasks, RouteTable
from .dual_prices import DualPrices, Packing, find_prices

GREEDY, QUICK = 20_000, 1_200_000
"""Number of routes the plain search looks at with the best trains first, which finds much soon; and then with the trains
of the fewest routes first, which ends sooner, before prices are worth their time.
"""

THOROUGH = 20_000_000
"""Number of routes looked at with prices, each time the aim is lowered, before the solver is worth its time."""

FIRST_STRETCH, LAST_STRETCH = 256, 8192
"""How many routes of a table are looked at together, at first and at most."""

SCANNED = 4096
"""Number of routes the plain search looks at between two looks at the clock."""

PACKING_SECONDS = 1.0
"""Seconds of solver time between two looks at the clock."""

MOST_PACKED = 400_000
"""How many pieces of track the routes may have together that the solver chooses from. It heeds no clock while it takes
a programme in, and more than 70 million, which one late board of 18BF had, took it minutes and all memory."""

Choice = list[tuple[int, RouteColumn]]
"""Each with the number of its fleet."""

Flags = tuple[int, ...]
"""For each bonus that several routes earn together: 1 a route brings its one half only, 2 the other half, 0 neither
or both."""


@dataclass(frozen=True)
class TrainGroup:
    """Trains alike: their number and their routes, highest first, ending with staying at home."""

    trains: int
    columns: list[RouteColumn]


@dataclass(frozen=True)
class Level:
    """Trains of one fleet with routes of one class."""

    fleet: int
    trains: int
    table: RouteTable


@dataclass(frozen=True)
class BonusCase:
    """The routes that bring halves of joint bonuses: they earn `constant` at most besides their sum, and no more than
    `ceiling` in all."""

    ceiling: int
    constant: int
    levels: list[Level]


@dataclass
class Target:
    """The least sum that is looked for now, since nothing brings more, and how far below what prices allow it is."""

    least: int
    distance: int


@dataclass(frozen=True)
class BonusTerms:
    """The revenue of a choice of routes besides their sum.

    `flags` classifies a route for the joint bonuses; `ceiling` is the most that routes with these flags earn together;
    `exact` what chosen routes earn together; it is never above the ceiling plus `most` and a multiple of `step`.
    """

    flags: Callable[[RouteColumn], Flags]
    ceiling: Callable[[Sequence[Flags]], int]
    exact: Callable[[Sequence[RouteColumn]], int]
    most: int = 0
    step: int = 0


class BranchAndBound:
    """The search for the best choice. `best` and `best_sum` are what has been found, `bound` what nothing exceeds. With
    `may_solve` unset there are no prices and no solver: nothing but the plain search."""

    def __init__(
        self,
        fleets: list[TrainGroup],
        extras: BonusTerms | None,
        check_time: Callable[[], None],
        left: Callable[[], float] = lambda: inf,
        spend: Callable[[float], None] = lambda seconds: None,
        may_solve: bool = True,
    ) -> None:
        self.fleets = fleets
        self.extras = extras
        self.check_time = check_time
        self.left = left
        self.spend = spend
        self.best: Choice = [(number, IDLE) for number, fleet in enumerate(fleets) for _ in range(fleet.trains)]
        self.best_sum = extras.exact([column for _, column in self.best]) if extras else 0
        self.bound = self.best_sum
        self.step = _step(fleets, extras)
        self.need = self.best_sum + self.step
        self.examined = 0
        self.pulse = 0
        self.prices = FREE
        self.ranked: dict[RouteTable, _Ranked] = {}
        self.may_solve = may_solve
        self.budget = QUICK if may_solve else None
        self.cases = sorted(self._cases(), key=lambda case: -case.ceiling)
        self.at = 0
        self.aim: Target | None = None

    def run(self) -> None:
        """Find the best choice. After an exception it may be called again, and goes on where it was.

        :raises EnumerationTimeout: from `check_time`.
        """
        while self.at < len(self.cases) and self.cases[self.at].ceiling > self.best_sum:
            self._solve(self.cases[self.at])
            self.at, self.aim = self.at + 1, None
        self.bound = self.best_sum

    # -- cases: which halves of joint bonuses the routes bring -----------------------------------------------

    def _cases(self) -> Iterator[BonusCase]:
        if self.extras is None:
            yield _case(
                [Level(number, fleet.trains, RouteTable(fleet.columns)) for number, fleet in enumerate(self.fleets)]
            )
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
            yield _case(levels, self.extras.ceiling([one for flags in choice for one in flags]) + self.extras.most)

    # -- branch and bound --------------------------------------------------------------------------------

    def _solve(self, case: BonusCase) -> None:
        if self.aim is None:
            self._lower_bound(case.ceiling)
            try:
                self._search_plainly(case)
            except _TooLong:
                choices = [(level.trains, level.table) for level in case.levels]
                self.prices = find_prices(choices, self.best_sum - case.constant, self.check_time, self.left)
                self.ranked.clear()
                self.aim = Target(self._round_down(self._ceiling(case)) + self.step, 0)
        if self.aim is not None:
            self._aim_lower(case, self.aim)
        if self.may_solve:
            self.budget = max(self.budget or 0, QUICK // 12)

    def _search_plainly(self, case: BonusCase) -> None:
        """Search without prices, for a short time with the best trains first."""
        least, budget = self.best_sum + self.step, self.budget
        self.budget = GREEDY if budget is None else min(GREEDY, budget)
        try:
            self._search(case, self._useful_routes(case, least), least, dearest_first=True)
            return
        except _TooLong:
            least = self.best_sum + self.step
        finally:
            self.budget = budget
        self._search(case, self._useful_routes(case, least), least)

    def _aim_lower(self, case: BonusCase, aim: Target) -> None:
        """Look for what brings all that the prices allow, or nearly, and then for ever less.

        The best is mostly near what the prices allow; and the higher the aim, the fewer the routes that could be part
        of it.
        """
        while aim.least > self.best_sum + self.step:
            self._lower_bound(aim.least - self.step)
            least = max(self.best_sum + self.step, self._round_down(self._ceiling(case)) - aim.distance)
            useful = self._useful_routes(case, least)
            self.budget = THOROUGH if self.extras is None and _can_pack(useful) else None
            try:
                self._search(case, useful, least)
            except _TooLong:
                self._pack(case, useful, least)
            aim.least, aim.distance = least, 2 * aim.distance + self.step
            if self.best_sum >= least:
                return

    def _lower_bound(self, ceiling: int) -> None:
        """Nothing of the present case exceeds the ceiling, which the cases after it may do."""
        after = self.cases[self.at + 1 : self.at + 2]
        self.bound = max(self.best_sum, ceiling, *(case.ceiling for case in after))

    def _pack(self, case: BonusCase, useful: list[_Ranked], least: int) -> None:
        """Let the solver choose from these routes of the case's levels a choice that brings at least `least`."""
        packing = Packing([level.trains for level in case.levels])
        for number, table in enumerate(useful):
            packing.add(number, table.columns)
        linear, _ = packing.programme()
        while True:
            before = linear.spent
            above = max(least, self.best_sum + self.step) - case.constant - 0.5
            solution = linear.solve_whole(self.step - 0.5, min(PACKING_SECONDS, self.left()), above)
            picked = [one for one, value in zip(packing.chosen.values(), solution.values, strict=False) if value > 0.5]
            if sum(column.revenue for _, column in picked) > self.best_sum - case.constant:
                self._take(case.levels, picked)
            if solution.is_best:
                return
            self.spend(linear.spent - before)
            self.check_time()

    def _take(self, levels: list[Level], picked: Sequence[tuple[int, RouteColumn]]) -> None:
        self.best_sum = sum(column.revenue for _, column in picked)
        self.best = []
        for number, level in enumerate(levels):
            columns = [column for table, column in picked if table == number]
            idle = [IDLE] * (level.trains - len(columns))
            self.best += [(level.fleet, column) for column in [*columns, *idle]]

    def _ceiling(self, case: BonusCase) -> int:
        most = sum(level.trains * self._rank_cached(level.table).values[0] for level in case.levels)
        return case.constant + self.prices.total + most

    def _round_down(self, total: int) -> int:
        """The greatest possible sum up to this total."""
        return total // self.step * self.step

    def _useful_routes(self, case: BonusCase, least: int) -> list[_Ranked]:
        """The routes of each level that might be part of a choice that brings `least`; no tables where nothing does."""
        slack = self._ceiling(case) - least
        if slack < 0:
            return []
        tables = [self._rank_cached(level.table) for level in case.levels]
        return [table.keep_reaching(table.values[0] - slack) for table in tables]

    def _search(self, case: BonusCase, useful: list[_Ranked], least: int, dearest_first: bool = False) -> None:
        """Find the best choice from these routes of the case's levels that brings at least `least`; less may be found
        on the way.

        Trains choose first that leave few routes to the others: those with few routes to choose from, and several of a kind,
        which must not share track either. With `dearest_first` the best trains choose first.
        """
        if not useful:
            return
        self.need = least
        waiting = [_Waiting(level.fleet, level.trains, table) for level, table in zip(case.levels, useful, strict=True)]
        waiting.sort(key=lambda one: -one.table.highest if dearest_first else len(one.table.values) / one.trains**2)
        self._choose(waiting, 0, case.constant + self.prices.total, case.constant, [])

    def _rank_cached(self, table: RouteTable) -> _Ranked:
        if table not in self.ranked:
            self.ranked[table] = _rank(table, self.prices)
        return self.ranked[table]

    def _choose(self, waiting: list[_Waiting], mask: int, total: int, earned: int, chosen: Choice) -> None:
        """Go on from a choice that brings `total` with the prices and earns no more than `earned`, with routes that use
        nothing of the mask."""
        first, *others = waiting
        fleet, trains, table, begin = first
        missing = total + sum(one.max_total for one in others)
        besides = earned + sum(one.highest for one in others) + (trains - 1) * table.highest
        for number in self._compatible_routes(table, mask, begin, first.required_total(self.need - missing)):
            value, column = table.values[number], table.columns[number]
            if value < first.required_total(self.need - missing):
                return
            if column.revenue < self.need - besides:
                continue
            self.examined += 1
            chosen.append((fleet, column))
            following = [first._replace(trains=trains - 1, begin=number), *others] if trains > 1 else others
            used, brought, gained = mask | column.mask, total + value, earned + column.revenue
            if not following:
                self._leaf(chosen)
            elif len(following) == 1 and following[0].trains == 1:
                self._choose(following, used, brought, gained, chosen)
            elif following := self._narrow(following, used, brought):
                self._choose(following, 0, brought, gained, chosen)
            chosen.pop()

    def _narrow(self, waiting: list[_Waiting], mask: int, total: int) -> list[_Waiting]:
        """The same trains with those of their routes only that use nothing of the mask and might bring enough; nothing
        if they cannot bring enough together."""
        most = total + sum(one.max_total for one in waiting)
        left = []
        for one in waiting:
            end = one.table.number_of(self.need - most + one.table.values[one.begin])
            numbers, cost = one.table.masks.find_compatible(mask, one.begin, end)
            self._pulse(cost + len(numbers))
            if not numbers:
                return []
            most += one.trains * (one.table.values[numbers[0]] - one.table.values[one.begin])
            if most < self.need:
                return []
            left.append(numbers)
        return [
            one._replace(table=one.table.subset(numbers), begin=0) for one, numbers in zip(waiting, left, strict=True)
        ]

    def _compatible_routes(self, table: _Ranked, mask: int, begin: int, least: int) -> Iterator[int]:
        """Numbers of the table's routes that bring `least` and share no track with the mask, highest first."""
        stretch = FIRST_STRETCH
        end = table.number_of(least)
        while begin < end:
            stop = min(end, begin + stretch)
            numbers, cost = table.masks.find_compatible(mask, begin, stop)
            self._pulse(cost)
            for number in numbers:
                self._pulse(1)
                yield number
            begin, stretch = stop, min(2 * stretch, LAST_STRETCH)

    def _leaf(self, chosen: Choice) -> None:
        total = sum(column.revenue for _, column in chosen)
        if self.extras is not None:
            total += self.extras.exact([column for _, column in chosen])
        if total > self.best_sum:
            self.best_sum = total
            self.best = chosen.copy()
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
class _Ranked:
    """A table's routes ordered by their revenue beyond the prices of their track, which is in `values`."""

    values: list[int]
    columns: Sequence[RouteColumn]
    masks: ConflictMasks

    @cached_property
    def highest(self) -> int:
        return max(column.revenue for column in self.columns)

    def number_of(self, least: int) -> int:
        return bisect_right(self.values, -least, key=neg)

    def keep_reaching(self, least: int) -> _Ranked:
        """Without the routes that earn less; one is kept."""
        number = max(1, self.number_of(least))
        if number == len(self.values):
            return self
        return _Ranked(self.values[:number], self.columns[:number], self.masks.take_first(number))

    def subset(self, numbers: Sequence[int], remembers: bool = False) -> _Ranked:
        """Only these routes, in this order, as a table that `remembers` if it will be asked often."""
        return _Ranked(
            [self.values[number] for number in numbers],
            [self.columns[number] for number in numbers],
            self.masks.subset(numbers, remembers),
        )


class _Waiting(NamedTuple):
    """Trains alike that have no route yet, and the routes to choose from: those of the table from `begin` on."""

    fleet: int
    trains: int
    table: _Ranked
    begin: int = 0

    @property
    def max_total(self) -> int:
        return self.trains * self.table.values[self.begin]

    @property
    def highest(self) -> int:
        return self.trains * self.table.highest

    def required_total(self, total: int) -> int:
        """The least that the first of them must bring for the given total: of trains alike the first brings most."""
        return -(-total // self.trains)


FREE = DualPrices({})


def _rank(table: RouteTable, prices: DualPrices) -> _Ranked:
    if not prices.total:
        return _Ranked([column.revenue for column in table.columns], table.columns, table.masks)
    worth = table.worth(prices.of_bit)
    order = (-worth).argsort(kind="stable").tolist()
    return _Ranked(worth.tolist(), table.columns, table.masks).subset(order, remembers=True)


def _can_pack(useful: list[_Ranked]) -> bool:
    return sum(column.mask.bit_count() for table in useful for column in table.columns) <= MOST_PACKED


def _step(fleets: Sequence[TrainGroup], extras: BonusTerms | None) -> int:
    """A number that all sums are multiples of."""
    step = extras.step if extras else 0
    for fleet in fleets:
        step = gcd(step, *{column.revenue for column in fleet.columns})
    return max(1, step)


def _case(levels: list[Level], constant: int = 0) -> BonusCase:
    return BonusCase(
        sum(level.trains * level.table.columns[0].revenue for level in levels) + constant, constant, levels
    )


def _split(columns: list[RouteColumn], flags: Callable[[RouteColumn], Flags]) -> dict[Flags, RouteTable]:
    """The columns by class, still best first."""
    classes: dict[Flags, list[RouteColumn]] = {}
    for column in columns:
        classes.setdefault(flags(column), []).append(column)
    return {one: RouteTable(alike) for one, alike in classes.items()}
