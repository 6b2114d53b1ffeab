"""One route a train, no track shared, the greatest sum: branch and bound over tables of routes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, product

from .enumeration import IDLE, Column

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
    `exact` what chosen routes earn together; it is never above the ceiling plus `most`.
    """

    flags: Callable[[Column], Flags]
    ceiling: Callable[[Sequence[Flags]], int]
    exact: Callable[[Sequence[Column]], int]
    most: int = 0


class Selection:
    """The search for the best choice. `best` and `best_sum` are what has been found, `bound` what nothing exceeds."""

    def __init__(self, fleets: list[Fleet], extras: Extras | None, check_time: Callable[[], None]) -> None:
        self.fleets = fleets
        self.extras = extras
        self.check_time = check_time
        self.best: Choice = [(number, IDLE) for number, fleet in enumerate(fleets) for _ in range(fleet.trains)]
        self.best_sum = extras.exact([column for _, column in self.best]) if extras else 0
        self.bound = self.best_sum
        self.examined = 0
        self.pulse = 0

    def run(self) -> None:
        """Find the best choice.

        :raises OutOfTime: from `check_time`.
        """
        cases = sorted(self._cases(), key=lambda case: -case[0])
        self.bound = max([self.best_sum, *(case[0] for case in cases)])
        for ceiling, constant, levels in cases:
            if ceiling <= self.best_sum:
                break
            self.bound = ceiling
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
        levels = sorted(levels, key=lambda level: -level.columns[0].revenue)
        self.levels = [level for level in levels for _ in range(level.trains)]
        self.again = [number > 0 for level in levels for number in range(level.trains)]
        self.constant = constant
        self.rest = [0] * (len(self.levels) + 1)
        for index in range(len(self.levels) - 1, -1, -1):
            self.rest[index] = self.rest[index + 1] + self.levels[index].columns[0].revenue
        self._choose(0, 0, 0, [], 0)

    def _choose(self, index: int, mask: int, total: int, chosen: list[Column], begin: int) -> None:
        if index == len(self.levels):
            self._leaf(total, chosen)
            return
        columns = self.levels[index].columns
        slack = self.best_sum - total - self.rest[index + 1] - self.constant
        following = index + 1 < len(self.levels) and self.again[index + 1]
        scanned = begin
        for number in range(begin, len(columns)):
            column = columns[number]
            if column.revenue <= slack:
                break
            if column.mask & mask:
                continue
            self._pulse(number - scanned)
            scanned = number
            chosen.append(column)
            self._choose(index + 1, mask | column.mask, total + column.revenue, chosen, number if following else 0)
            chosen.pop()
            slack = self.best_sum - total - self.rest[index + 1] - self.constant

    def _leaf(self, total: int, chosen: list[Column]) -> None:
        if self.extras is not None:
            total += self.extras.exact(chosen)
        if total > self.best_sum:
            self.best_sum = total
            self.best = [(level.fleet, column) for level, column in zip(self.levels, chosen, strict=True)]

    def _pulse(self, scanned: int) -> None:
        self.examined += 1
        self.pulse += scanned + 1
        if self.pulse > 4096:
            self.pulse = 0
            self.check_time()


def _ceiling(levels: Sequence[Level]) -> int:
    return sum(level.trains * level.columns[0].revenue for level in levels)


def _split(columns: list[Column], flags: Callable[[Column], Flags]) -> dict[Flags, list[Column]]:
    """The columns by class, each still dearest first."""
    classes: dict[Flags, list[Column]] = {}
    for column in columns:
        classes.setdefault(flags(column), []).append(column)
    return classes
