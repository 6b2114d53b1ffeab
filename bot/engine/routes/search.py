"""The best set of routes, one a train, no track shared: enumeration, then branch and bound with a proof."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby

from .chains import Contraction
from .enumeration import IDLE, Column, OutOfTime, columns, route_of
from .model import RouteProblem, RouteSet, TrackBonus, TrainSpec
from .profile import Board
from .scoring import score


def best_routes(problem: RouteProblem, seconds: float = 5.0, clock: Callable[[], float] | None = None) -> RouteSet:
    """The set of routes that earns most, or the best found within the time with a bound on what may be missing.

    Without a clock the search always runs to the end.
    """
    began = clock() if clock else 0.0

    def check_time() -> None:
        if clock and clock() - began > seconds:
            raise OutOfTime

    marks = tuple(bonus.segments for bonus in problem.bonuses if isinstance(bonus, TrackBonus))
    board = Board(problem, Contraction(problem.graph, marks))
    trains = sorted(problem.trains, key=lambda train: (repr(train.kind), train.id))
    selection = _Selection([], check_time)
    proven = True
    try:
        tables: list[tuple[TrainSpec, list[Column]]] = []
        for _, alike in groupby(trains, key=lambda train: train.kind):
            group = list(alike)
            table = columns(board, group[0], check_time)
            tables += [(train, table) for train in group]
        tables.sort(key=lambda entry: (-entry[1][0].revenue if entry[1] else 0, repr(entry[0].kind), entry[0].id))
        selection = _Selection(tables, check_time)
        selection.run()
    except OutOfTime:
        proven = False
    routes = [
        route_of(column.one, column.other, train)
        for (train, _), column in zip(selection.tables, selection.best, strict=False)
        if column.one
    ]
    result = score(problem, sorted(routes, key=lambda route: route.train))
    taken = clock() - began if clock else 0.0
    bound = result.revenue if proven else max(result.revenue, selection.bound())
    return RouteSet(result.routes, result.revenue, bound, proven, taken, selection.examined, result.joint)


class _Selection:
    """One column a train, no two of them with common track, the greatest sum."""

    def __init__(self, tables: list[tuple[TrainSpec, list[Column]]], check_time: Callable[[], None]) -> None:
        self.tables = tables
        self.check_time = check_time
        self.best: list[Column] = [IDLE] * len(tables)
        self.best_sum = -1
        self.examined = 0
        self.rest = [0] * (len(tables) + 1)
        for index in range(len(tables) - 1, -1, -1):
            table = tables[index][1]
            self.rest[index] = self.rest[index + 1] + (table[0].revenue if table else 0)

    def bound(self) -> int:
        """A sum that no set exceeds."""
        return self.rest[0]

    def run(self) -> None:
        """Find the best set.

        :raises OutOfTime: from `check_time`; `best` holds the best found until then.
        """
        self._choose(0, 0, 0, [], 0)

    def _choose(self, index: int, mask: int, total: int, chosen: list[Column], begin: int) -> None:
        if index == len(self.tables):
            if total > self.best_sum:
                self.best_sum, self.best = total, list(chosen)
            return
        train, table = self.tables[index]
        rest = self.rest[index + 1]
        alike = index + 1 < len(self.tables) and self.tables[index + 1][0].kind == train.kind
        for number in range(begin, len(table)):
            column = table[number]
            if total + column.revenue + rest <= self.best_sum:
                return
            if column.mask & mask:
                continue
            self.examined += 1
            if not self.examined & 255:
                self.check_time()
            chosen.append(column)
            self._choose(index + 1, mask | column.mask, total + column.revenue, chosen, number + 1 if alike else 0)
            chosen.pop()
        if total + rest > self.best_sum:
            chosen.append(IDLE)
            self._choose(index + 1, mask, total, chosen, len(table) if alike else 0)
            chosen.pop()
