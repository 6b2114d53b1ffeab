"""A copy of a position is the same, and shares nothing that can change."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from msgspec import Struct, structs

from bot.bench.fixtures import random_game
from bot.engine.state.copies import copy_record
from bot.titles.registry import TITLES

MOVES = 400


def parts_that_can_change(value: Any) -> Iterator[Any]:
    """All lists, tables, sets and records in it that are not frozen, found by walking; also what is in frozen ones."""
    if isinstance(value, Struct):
        parts = [getattr(value, one.name) for one in structs.fields(value)]
        can_change = not type(value).__struct_config__.frozen
    elif isinstance(value, dict):
        parts, can_change = [*value, *value.values()], True
    elif isinstance(value, list | set | tuple | frozenset):
        parts, can_change = list(value), isinstance(value, list | set)
    else:
        assert value is None or isinstance(value, str | int), type(value)
        return
    if can_change:
        yield value
    for part in parts:
        yield from parts_that_can_change(part)


@pytest.mark.parametrize("step", [80, pytest.param(10, marks=pytest.mark.whole)])
@pytest.mark.parametrize("title", TITLES)
def test_a_copy_is_the_same_and_what_is_played_in_it_leaves_the_game_as_it_was(title: str, step: int) -> None:
    for number, game in enumerate(islice(random_game(title, 4, 3).moves(), MOVES)):
        if number % step or game.state.finished:
            continue
        before, copy = game.encode(), game.copy()
        assert copy.encode() == before and copy.state == game.state
        mine, theirs = (list(parts_that_can_change(one.state)) for one in (game, copy))
        assert len(mine) == len(theirs) and {*map(id, mine)}.isdisjoint(map(id, theirs))
        copy.apply(game.legal_actions()[-1])
        assert game.encode() == before != copy.encode()


class Mine(Struct):
    known: list[int]
    unknown: bytearray


class Held(Struct, frozen=True):
    names: list[str]


@pytest.mark.parametrize("record", [Mine([1], bytearray()), Held(["a"])])
def test_a_type_that_is_not_known_cannot_be_copied(record: Struct) -> None:
    with pytest.raises(TypeError, match=r"names|bytearray"):
        copy_record(record)
