"""The number of function calls of an act: the same on every machine, so tests may hold it where time would mislead."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, TypeVar

from bot.engine.notation import parse_action
from bot.engine.play import Game
from bot.service.parser.moves import read_clause
from bot.service.parser.vocabulary import names_in_box, own_words, verb_vocabulary, words_of
from bot.titles.registry import TITLES

from .fixtures import NAMES, SEED, random_moves

Result = TypeVar("Result")

TYPED_MOVES = 120
"""Number of moves of a random game that are typed."""


def count_calls(act: Callable[[], Result], with_builtins: bool = True) -> tuple[int, Result]:
    """How many functions are called while `act` runs, itself among them; and what it returns. Garbage of others is not collected
    meanwhile: their finalizers would count.
    """
    number = 0
    counted = {"call", "c_call"} if with_builtins else {"call"}

    def profile(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal number
        number += event in counted

    before, collects = sys.getprofile(), gc.isenabled()
    gc.disable()
    sys.setprofile(profile)
    try:
        result = act()
    finally:
        sys.setprofile(before)
        if collects:
            gc.enable()
    return number - with_builtins, result  # less the call that ends the count


def typed_move_calls(title: str) -> Iterator[tuple[int, str]]:
    """The first moves of a random game, each typed in small letters, with the calls from text to action.

    :raises ValueError: one is read as another move.
    """
    game = Game.new(TITLES[title], NAMES, {}, SEED)
    texts = random_moves(title)[:TYPED_MOVES]
    # Words are collected once a title.
    (
        words_of(game, texts[0]),
        names_in_box(game.title, game.board_rules),
        own_words(game.title),
        verb_vocabulary(game.title),
    )
    for text in texts:
        typed, action = text.lower(), parse_action(game.title, text)
        calls, found = count_calls(lambda typed=typed: read_clause(game, typed))  # type: ignore[misc]
        if found != action:
            raise ValueError(f"{title}: {typed} is not read as {text}")
        yield calls, typed
        game.apply(action)
