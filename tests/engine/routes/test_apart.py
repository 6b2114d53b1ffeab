"""Whole stretches of a table of routes are compared as one by one."""

from __future__ import annotations

import random

import pytest

from bot.engine.routes.apart import FEW, Masks
from bot.engine.routes.enumeration import Column
from bot.engine.routes.selection import FIRST_STRETCH, Fleet, Selection

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
    table = Masks(masks)
    for _ in range(40):
        begin = generator.randrange(len(masks))
        end = generator.randrange(begin, len(masks) + 1)
        mask = generator.choice(masks) | generator.choice(masks) | 1 << generator.randrange(bits + 10)
        found, cost = table.apart(mask, begin, end)
        assert list(found) == [number for number in range(begin, end) if not masks[number] & mask]
        assert cost >= 0


@pytest.mark.parametrize("trains", [(2,), (1, 1), (2, 1)])
def test_chooses_the_best_from_tables_of_several_stretches(trains: tuple[int, ...]) -> None:
    generator = random.Random(sum(trains))
    fleets = []
    for number in trains:
        size = 2 * FIRST_STRETCH if number == 1 else FIRST_STRETCH // 4
        columns = [
            Column(10 * generator.randrange(1, 60), mask, 0, None, None)
            for mask in masks_of(70, size, generator)
            if mask
        ]
        columns.sort(key=lambda column: -column.revenue)
        fleets.append(Fleet(number, [*columns, Column(0, 0, 0, None, None)]))
    selection = Selection(fleets, None, lambda: None)
    selection.run()
    assert selection.best_sum == selection.bound == best_of(fleets)
    used = 0
    for _, column in selection.best:
        assert not used & column.mask
        used |= column.mask


def best_of(fleets: list[Fleet]) -> int:
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
