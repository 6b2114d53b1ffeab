"""Whole stretches of a table of routes are compared as one by one."""

from __future__ import annotations

import random
from typing import Any

import pytest

from bot.engine.routes.candidates.route_column import IDLE, RouteColumn
from bot.engine.routes.selection import branch_and_bound as selection_module
from bot.engine.routes.selection.branch_and_bound import (
    FIRST_STRETCH,
    MOST_PACKED,
    PACKING_SECONDS,
    BonusCase,
    BranchAndBound,
    TrainGroup,
)
from bot.engine.routes.selection.conflict_masks import FEW, ConflictMasks
from bot.engine.routes.selection.dual_prices import Packing
from bot.engine.routes.selection.milp import LinearProgram, Solution

BITS = (1, 63, 64, 65, 128, 200)


def masks_of(bits: int, number: int, generator: random.Random) -> list[int]:
    """Random track of a few pieces each, some of none."""
    return [
        sum(1 << bit for bit in {generator.randrange(bits) for _ in range(generator.randrange(4))})
        for _ in range(number)
    ]


@pytest.mark.parametrize("bits", BITS)
def test_finds_the_routes_that_share_no_track(bits: int) -> None:
    generator = random.Random(bits)
    masks = masks_of(bits, 5 * FEW, generator)
    whole = ConflictMasks(masks, remembers=True)
    assert whole.meeting and not ConflictMasks(masks).meeting and not ConflictMasks(masks[:FEW], remembers=True).meeting
    for _ in range(40):
        begin = generator.randrange(len(masks))
        end = generator.randrange(begin, len(masks) + 1)
        mask = generator.choice(masks) | generator.choice(masks) | 1 << generator.randrange(bits + 10)
        expected = [number for number in range(begin, end) if not masks[number] & mask]
        for table in (ConflictMasks(masks), whole.take_first(max(end, FEW + 1)), whole):
            found, cost = table.find_compatible(mask, begin, end)
            assert list(found) == expected and cost >= 0


@pytest.mark.parametrize("bits", BITS)
def test_costs_what_the_prices_of_the_bits_add_up_to(bits: int) -> None:
    generator = random.Random(bits)
    masks = masks_of(bits, 2 * FEW, generator)
    prices = {bit: generator.randrange(1, 400) for bit in range(bits + 70) if generator.random() < 0.4}
    table = ConflictMasks(masks)
    costs = [sum(price for bit, price in prices.items() if mask >> bit & 1) for mask in masks]
    assert table.costs(prices).tolist() == costs
    some = generator.sample(range(2 * FEW), FEW // 2)
    many = generator.sample(range(2 * FEW), FEW + 1)
    for part, expected in (
        (table.subset(some), [costs[number] for number in some]),
        (table.subset(many), [costs[number] for number in many]),
        (ConflictMasks(masks).subset(many), [costs[number] for number in many]),
        (table.subset(many, remembers=True), [costs[number] for number in many]),
        (table.take_first(7), costs[:7]),
        (ConflictMasks(masks).take_first(7), costs[:7]),
    ):
        assert part.costs(prices).tolist() == expected
        assert list(part.find_compatible(masks[0], 0, len(part.masks))[0]) == [
            number for number, mask in enumerate(part.masks) if not mask & masks[0]
        ]


def tables(trains: tuple[int, ...]) -> list[TrainGroup]:
    """Random routes for so many trains of several kinds."""
    generator = random.Random(sum(trains))
    fleets = []
    for number in trains:
        size = 2 * FIRST_STRETCH if number == 1 else FIRST_STRETCH // 4
        columns = [
            RouteColumn(10 * generator.randrange(1, 60), mask, 0, (None, ()), None)
            for mask in masks_of(70, size, generator)
            if mask
        ]
        columns.sort(key=lambda column: -column.revenue)
        fleets.append(TrainGroup(number, [*columns, IDLE]))
    return fleets


def check_best(selection: BranchAndBound) -> None:
    """The selection has run and has chosen what earns most, no track twice."""
    assert selection.best_sum == selection.bound == best_of(selection.fleets)
    assert sum(column.revenue for _, column in selection.best) == selection.best_sum
    used = 0
    for _, column in selection.best:
        assert not used & column.mask
        used |= column.mask


@pytest.mark.parametrize("trains", [(2,), (1, 1), (2, 1), (3,), (2, 2)])
def test_chooses_the_best_from_tables_of_several_stretches(trains: tuple[int, ...]) -> None:
    selection = BranchAndBound(tables(trains), None, lambda: None)
    selection.run()
    check_best(selection)


@pytest.mark.parametrize("trains", [(2,), (1, 1), (2, 1), (3,)])
@pytest.mark.parametrize("most_packed", [0, MOST_PACKED])
def test_where_the_search_takes_too_long_the_solver_chooses_unless_there_is_too_much(
    trains: tuple[int, ...], most_packed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    packings: list[int] = []

    class Counted(Packing):
        def programme(self) -> tuple[LinearProgram, list[int]]:
            packings.append(len(self.chosen))
            return super().programme()

    searched: list[int] = []
    search = BranchAndBound._search

    def noted(
        self: BranchAndBound, case: BonusCase, useful: list[Any], least: int, dearest_first: bool = False
    ) -> None:
        searched.append(least)
        search(self, case, useful, least, dearest_first)

    monkeypatch.setattr(BranchAndBound, "_search", noted)
    for name, value in (("QUICK", 0), ("THOROUGH", 0), ("MOST_PACKED", most_packed), ("Packing", Counted)):
        monkeypatch.setattr(selection_module, name, value)
    selection = BranchAndBound(tables(trains), None, lambda: None)
    selection.budget = 0
    selection.run()
    check_best(selection)
    _, _, *aims = searched
    assert aims and aims == sorted(aims, reverse=True)
    assert len(packings) == (len(aims) if most_packed else 0)
    assert packings == sorted(packings)


def test_the_solvers_time_is_taken_off_the_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow(LinearProgram):
        def solve_whole(self, gap: float, seconds: float, above: float) -> Solution:
            assert seconds == PACKING_SECONDS
            self.spent += seconds
            return Solution([], 0, False)

    class NoEnd(Exception):
        pass

    spent: list[float] = []

    def spend(seconds: float) -> None:
        spent.append(seconds)
        if len(spent) == 3:
            raise NoEnd

    monkeypatch.setattr(Packing, "programme", lambda self: (Slow(), []))
    monkeypatch.setattr(selection_module, "THOROUGH", 0)
    selection = BranchAndBound(tables((2, 1)), None, lambda: None, spend=spend)
    selection.budget = 0
    with pytest.raises(NoEnd):
        selection.run()
    assert spent == [PACKING_SECONDS] * 3


def best_of(fleets: list[TrainGroup]) -> int:
    """The most that can be chosen, by trying everything."""
    tables = [fleet.columns for fleet in fleets for _ in range(fleet.trains)]

    def most(index: int, used: int) -> int:
        if index == len(tables):
            return 0
        if index == len(tables) - 1:
            return next(column.revenue for column in tables[index] if not column.mask & used)
        return max(
            column.revenue + most(index + 1, used | column.mask) for column in tables[index] if not column.mask & used
        )

    return most(0, 0)
