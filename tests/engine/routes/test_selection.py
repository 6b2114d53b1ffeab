"""The choice of routes: aims that come down from what prices allow, and an honest bound whenever the time ends."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import pytest

from bot.engine.routes.candidates.enumeration import EnumerationTimeout
from bot.engine.routes.candidates.route_column import IDLE, RouteColumn
from bot.engine.routes.selection import branch_and_bound as selection_module
from bot.engine.routes.selection.branch_and_bound import (
    THOROUGH,
    BonusCase,
    BonusTerms,
    BranchAndBound,
    Flags,
    TrainGroup,
)
from tests.engine.routes.test_conflict_masks import check_best, tables
from tests.families import few

TOGETHER = 70
ROUTE: Any = (None, ())
PLAIN = BonusTerms(lambda column: (), lambda classes: 0, lambda columns: 0)


def flags(column: RouteColumn) -> Flags:
    """Even track brings one half of a bonus, odd track the other, none nothing."""
    return (1 + column.mask % 2 if column.mask else 0,)


def together(classes: Sequence[Flags]) -> int:
    return TOGETHER if {(1,), (2,)} <= set(classes) else 0


EXTRAS = BonusTerms(flags, together, lambda columns: together([flags(column) for column in columns]), step=10)


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Searches give up at once and look at the clock often; what they aimed at."""
    aims: list[int] = []
    search = BranchAndBound._search

    def noted(
        self: BranchAndBound, case: BonusCase, useful: list[Any], least: int, dearest_first: bool = False
    ) -> None:
        aims.append(least)
        search(self, case, useful, least, dearest_first)

    for name, value in (("QUICK", 0), ("SCANNED", 1)):
        monkeypatch.setattr(selection_module, name, value)
    monkeypatch.setattr(BranchAndBound, "_search", noted)
    return aims


@pytest.mark.parametrize("trains", [(2,), (1, 1), (2, 1), (1, 1, 1), (3,)])
def test_aims_come_down_from_what_the_prices_allow(trains: tuple[int, ...], hasty: list[int]) -> None:
    selection = BranchAndBound(tables(trains), None, lambda: None)
    selection.budget = 0
    selection.run()
    check_best(selection)
    greedy, plain, *aims = hasty
    assert greedy == plain == selection.step
    assert aims == sorted(aims, reverse=True)
    assert selection.best_sum >= aims[-1]
    assert all(aim > selection.best_sum for aim in aims[:-1])


def crowded(trains: tuple[int, ...], seed: int = 0) -> list[TrainGroup]:
    """Routes over every two of seven pieces of track: prices allow three and a half of them, the board three."""
    generator = random.Random(seed)
    fleets = []
    for number in trains:
        masks = [1 << one | 1 << other for one, other in combinations(range(7), 2)]
        columns = [RouteColumn(generator.randrange(80, 130, 10), mask, 0, ROUTE, None) for mask in masks]
        fleets.append(TrainGroup(number, [*sorted(columns, key=lambda column: -column.revenue), IDLE]))
    return fleets


@pytest.mark.parametrize(
    "boards", [5, pytest.param(15, marks=pytest.mark.whole), pytest.param(120, marks=pytest.mark.soak)]
)
@pytest.mark.parametrize("thorough", few([0, THOROUGH], 1))
@pytest.mark.parametrize("extras", [None, EXTRAS])
@pytest.mark.parametrize("trains", [(1, 2), (3,), (2, 2)])
def test_nothing_better_is_missed(
    trains: tuple[int, ...],
    extras: BonusTerms | None,
    thorough: int,
    boards: int,
    hasty: list[int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(selection_module, "THOROUGH", thorough)
    for seed in range(boards):
        check_choice(crowded(trains, seed), extras)


def check_choice(fleets: list[TrainGroup], extras: BonusTerms | None) -> None:
    """The best is chosen, and the bound has been honest whenever the search looked at the clock."""
    best = best_with(fleets, extras or PLAIN)
    looks: list[bool] = []
    selection = BranchAndBound(fleets, extras, lambda: looks.append(selection.bound >= best))
    selection.budget = 0
    selection.run()
    assert selection.best_sum == selection.bound == best
    assert looks and all(looks)


@pytest.mark.parametrize("boards", [2, pytest.param(12, marks=pytest.mark.soak)])
@pytest.mark.parametrize("extras", few([None, EXTRAS], 1))
@pytest.mark.parametrize("trains", few([[4], [1, 3], [2, 2]], 1))
def test_the_bound_is_honest_whenever_the_time_ends(
    trains: tuple[int, ...], extras: BonusTerms | None, boards: int, hasty: list[int]
) -> None:
    is_lowered = False
    for seed in range(boards):
        fleets = crowded(trains, seed)
        best = best_with(fleets, extras or PLAIN)
        bounds = list(bounds_in_time(fleets, extras, best))
        assert bounds == sorted(bounds, reverse=True)
        assert bounds[-1] == best
        is_lowered = is_lowered or len(set(bounds)) > 2
    assert is_lowered


@pytest.mark.parametrize("extras", [None, EXTRAS])
@pytest.mark.parametrize("seed", few(range(6), 3))
def test_a_search_that_was_stopped_goes_on_where_it_was(seed: int, extras: BonusTerms | None, hasty: list[int]) -> None:
    fleets = crowded((1, 3), seed)
    best = best_with(fleets, extras or PLAIN)
    clock, patience = Clock(), 1
    selection = BranchAndBound(fleets, extras, clock.look)
    selection.budget = 0
    bounds = [selection.cases[0].ceiling]
    while not is_over(selection, clock, patience, best):
        bounds.append(selection.bound)
        patience += 1
    bounds.append(selection.bound)
    assert bounds == sorted(bounds, reverse=True)
    assert bounds[-1] == selection.best_sum == best
    assert patience < looks_needed(fleets, extras)


@pytest.mark.parametrize("extras", [None, EXTRAS])
def test_without_the_solver_the_plain_search_chooses_alone(
    extras: BonusTerms | None, hasty: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def asked(*_: object) -> None:
        raise AssertionError("prices or the solver were asked")

    monkeypatch.setattr(selection_module, "find_prices", asked)
    monkeypatch.setattr(selection_module, "Packing", asked)
    fleets = crowded((1, 3))
    selection = BranchAndBound(fleets, extras, lambda: None, may_solve=False)
    selection.run()
    assert selection.bound == selection.best_sum == best_with(fleets, extras or PLAIN)
    with pytest.raises(AssertionError, match="asked"):
        BranchAndBound(fleets, extras, lambda: None).run()


def looks_needed(fleets: list[TrainGroup], extras: BonusTerms | None) -> int:
    """How often a search that nobody stops looks at the clock."""
    looks: list[None] = []
    selection = BranchAndBound(fleets, extras, lambda: looks.append(None))
    selection.budget = 0
    selection.run()
    return len(looks)


def bounds_in_time(fleets: list[TrainGroup], extras: BonusTerms | None, best: int) -> Iterator[int]:
    """What bounds the search knows when it may look at the clock ever more often, the last after its end."""
    looks, has_ended = 0, False
    while not has_ended:
        clock = Clock()
        selection = BranchAndBound(fleets, extras, clock.look)
        selection.budget = 0
        has_ended = is_over(selection, clock, looks, best)
        yield selection.bound
        looks += 1 + looks // 8


@dataclass
class Clock:
    """May be looked at so often; then the time is over."""

    left: int = 0

    def look(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise EnumerationTimeout


def is_over(selection: BranchAndBound, clock: Clock, looks: int, best: int) -> bool:
    """Whether the search comes to its end within so many looks at its clock; if not, its bound is honest."""
    clock.left = looks
    try:
        selection.run()
    except EnumerationTimeout:
        assert selection.best_sum <= best <= selection.bound
        return False
    return True


def best_with(fleets: list[TrainGroup], extras: BonusTerms) -> int:
    """The most that can be chosen, with what the routes earn together, by trying everything."""
    choices = [fleet.columns for fleet in fleets for _ in range(fleet.trains)]

    def most(chosen: list[RouteColumn], used: int) -> int:
        if len(chosen) == len(choices):
            return sum(column.revenue for column in chosen) + extras.exact(chosen)
        apart = [column for column in choices[len(chosen)] if not column.mask & used]
        return max(most([*chosen, column], used | column.mask) for column in apart)

    return most([], 0)


def test_the_trains_with_the_fewest_routes_choose_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selection_module, "GREEDY", 0)
    crossing = [RouteColumn(500, 1 | 2 << number, 0, ROUTE, None) for number in range(300)]
    avoiding = RouteColumn(300, 1 << 400, 0, ROUTE, None)
    many, only = TrainGroup(1, [*crossing, avoiding, IDLE]), TrainGroup(1, [RouteColumn(400, 1, 0, ROUTE, None), IDLE])
    selection = BranchAndBound([many, only], None, lambda: None)
    selection.run()
    assert selection.best_sum == 700
    assert selection.examined < 10, "none of the many goes with the only route of the other kind but one"


@pytest.mark.parametrize(("dearest_first", "order"), [(False, [2, 1, 0]), (True, [0, 1, 2])])
def test_several_trains_of_a_kind_choose_before_one_of_a_kind_with_somewhat_fewer_routes(
    dearest_first: bool, order: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[list[int]] = []
    monkeypatch.setattr(
        BranchAndBound, "_choose", lambda self, waiting, *others: asked.append([one.fleet for one in waiting])
    )
    sizes = ((1, 40, 500), (1, 10, 400), (2, 30, 300))
    fleets = [
        TrainGroup(trains, [*(RouteColumn(revenue, 1 << number, 0, ROUTE, None) for number in range(routes)), IDLE])
        for trains, routes, revenue in sizes
    ]
    selection = BranchAndBound(fleets, None, lambda: None)
    case = selection.cases[0]
    selection._search(case, selection._useful_routes(case, 100), 100, dearest_first)
    assert asked == [order]
