"""How people who know what they want answer a composer's questions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from bot.engine.ids import PlayerId, is_player
from bot.engine.play.game import Game
from bot.engine.play.move_builder import Prompt, compose, encode_answer
from bot.engine.refusals import IllegalMove
from bot.engine.state.actions import Action


def in_order(action: Action) -> Action:
    """The action with what it lists in one order: it means the same in any."""
    lists = {field: getattr(action, field) for field in action.__struct_fields__}
    ordered = {field: tuple(sorted(found, key=repr)) for field, found in lists.items() if isinstance(found, tuple)}
    return msgspec.structs.replace(action, **ordered)


def named_in(part: Any) -> Iterator[Any]:
    """Everything that an action names, and the parts in which it stands."""
    yield part
    if isinstance(part, msgspec.Struct):
        for field in part.__struct_fields__:
            yield from named_in(getattr(part, field))
    elif isinstance(part, tuple):
        for inner in part:
            yield from named_in(inner)


def answers_to(game: Game, player: PlayerId, action: Action, before: tuple[int, ...] = ()) -> tuple[int, ...] | None:
    """The answers that lead to this action, None where none do."""
    try:
        made = compose(game.title.composers[type(action)], game, player, before)
    except IllegalMove:
        return None
    if made.question is None:
        return before if made.action and in_order(made.action) == in_order(action) else None
    for answer in fitting(made.question, action):
        found = answers_to(game, player, action, (*before, answer))
        if found is not None:
            return found
    return None


def fitting(question: Prompt, action: Action) -> Iterator[int]:
    """The answers that could lead there."""
    known = [found for field in action.__struct_fields__ if field != "by" for found in named_in(getattr(action, field))]
    if question.sums is not None:
        yield from (value for value in known if isinstance(value, int) and not isinstance(value, bool))
        return
    if question.is_several:
        yield encode_answer(chosen_parts(question, known, action))
    else:
        parts = enumerate(question.parts)
        yield from (number for number, part in parts if part.value in known or stands_for(part.value, action))


def chosen_parts(question: Prompt, known: list[Any], action: Action) -> list[int]:
    """The parts that stand for what the action names; of like parts, two tokens in a city, as many as it names."""
    left, numbers = [*known], list[int]()
    for number, part in enumerate(question.parts):
        if part.value in left:
            left.remove(part.value)
            numbers.append(number)
        elif part.value not in known and stands_for(part.value, action):
            numbers.append(number)
    return numbers


def stands_for(value: Any, action: Action) -> bool:
    """Whether a company, or its record, is the one that acts, or a sum is what is left out."""
    return (getattr(value, "id", value) == action.by and not is_player(action.by)) or value in (0, None)
