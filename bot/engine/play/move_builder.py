"""Moves that are put together question by question, where there are too many legal moves to be listed.

A composer of a title is a generator: it yields a `Question`, is sent the number that answers it, and returns the action
in the end. The answers so far are a tuple of numbers, so that a half-made move can be kept anywhere and taken up again:
the number of a choice, of several choices the sum of 2 to their numbers, of a sum the sum itself. The action is checked
by the rules like any other; a composer only leaves out what could never become legal.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from bot.engine import HexId, IllegalMove, PlayerId, StalePosition, Text, TileId
from bot.engine.state import Action

if TYPE_CHECKING:
    from .game import Game

Move = TypeVar("Move", bound=Action)

MOST_TRIES, MOST_ANSWERS = 80, 5
"""Beginnings that are looked at for an example, and answers to each prompt."""

NOT_POSSIBLE = "That is no longer possible; look at the new position."


@dataclass(frozen=True)
class ChoiceField:
    """One possible answer: its value, its name and a further description."""

    value: Any
    label: Text
    note: Text = ""


@dataclass(frozen=True)
class Prompt:
    """The next question: one of some parts, or `least` to `most` of at most 25, or a sum between two `sums`.

    `spaces` and `tiles` are what it is about, for a picture.
    """

    text: Text
    parts: tuple[ChoiceField, ...] = ()
    least: int = 1
    most: int = 1
    sums: tuple[int, int] | None = None
    spaces: tuple[HexId, ...] = ()
    tiles: tuple[TileId, ...] = ()

    @property
    def is_several(self) -> bool:
        return (self.least, self.most) != (1, 1)


Composing = Generator[Prompt, int, Action]
Composer = Callable[["Game", PlayerId], Composing]
"""Puts a move of one kind together for a player.

:raises IllegalMove: there is none.
"""


@dataclass(frozen=True)
class BuiltMove:
    """A move after some answers: what they are called, and what is asked next or the action itself."""

    said: tuple[Text, ...]
    question: Prompt | None
    action: Action | None


def compose(composer: Composer, game: Game, player: PlayerId, answers: Sequence[int]) -> BuiltMove:
    """The move as far as these answers go.

    :raises IllegalMove: there is no such move, or the number of choices is not allowed.
    :raises StalePosition: the answers do not belong to these questions.
    """
    said: list[Text] = []
    left = list(answers)
    composing = composer(game, player)
    try:
        question = next(composing)
        while left:
            answer = left.pop(0)
            said += answer_labels(question, answer)
            question = composing.send(answer)
    except StopIteration as end:
        if left:
            raise StalePosition(NOT_POSSIBLE) from None
        return BuiltMove(tuple(said), None, end.value)
    return BuiltMove(tuple(said), question, None)


def first_built_move(composer: Composer, game: Game, player: PlayerId) -> Action | None:
    """A legal move that is put together, by the first answers that lead to one; None where none is found soon."""
    paths: list[tuple[int, ...]] = [()]
    for _ in range(MOST_TRIES):
        if not paths:
            break
        path = paths.pop()
        try:
            made = compose(composer, game, player, path)
        except (IllegalMove, StalePosition):
            continue
        if made.question is not None:
            paths += [(*path, answer) for answer in reversed(sample_answers(made.question, player))]
        elif made.action is not None and game.allows(made.action):
            return made.action
    return None


def sample_answers(question: Prompt, player: PlayerId) -> list[int]:
    """The first answers to a question; of several parts the fewest, the player's own before others."""
    if question.sums is not None:
        return list(dict.fromkeys(question.sums))
    if not question.is_several:
        return list(range(min(len(question.parts), MOST_ANSWERS)))
    numbers = sorted(range(len(question.parts)), key=lambda number: question.parts[number].value != player)
    return [sum(2**number for number in numbers[: question.least])]


def answer_labels(question: Prompt, answer: int) -> list[Text]:
    """:raises StalePosition: it answers another prompt."""
    if question.sums is not None:
        return [str(answer)]
    numbers = selected_indices(question, answer)
    if not all(0 <= number < len(question.parts) for number in numbers):
        raise StalePosition(NOT_POSSIBLE)
    if not question.least <= len(numbers) <= question.most:
        if question.least == question.most:
            raise IllegalMove("Choose exactly {most} of them.", "", question.most)
        raise IllegalMove("Choose {least} to {most} of them.", "", question.least, question.most)
    return [question.parts[number].label for number in numbers]


def selected_indices(question: Prompt, answer: int) -> list[int]:
    if not question.is_several:
        return [answer]
    return [number for number in range(max(0, answer).bit_length()) if answer >> number & 1]


def encode_answer(numbers: Sequence[int]) -> int:
    return sum(1 << number for number in set(numbers))


def filter_legal(game: Game, moves: Sequence[Move]) -> list[Move]:
    """:raises Rejected: the rules allow none of them; the sentence is that against the first."""
    found = [move for move in moves if game.allows(move)]
    if moves and not found:
        game.check(moves[0])
    return found


# -- questions, to be asked with `yield from` ---------------------------------------------------------


def choose_one(
    text: Text, parts: Sequence[ChoiceField], spaces: Sequence[HexId] = (), tiles: Sequence[TileId] = ()
) -> Generator[Prompt, int, Any]:
    """The value of the chosen part; if there is only one part, there is no question.

    :raises IllegalMove: there is none.
    """
    if not parts:
        raise IllegalMove("{text} There are no choices.", "", text)
    if len(parts) == 1:
        return parts[0].value
    question = Prompt(text, tuple(parts), spaces=tuple(spaces), tiles=tuple(tiles))
    return question.parts[(yield question)].value


def choose_many(
    text: Text, parts: Sequence[ChoiceField], least: int, most: int, spaces: Sequence[HexId] = ()
) -> Generator[Prompt, int, list[Any]]:
    """The values of the chosen parts, in their order; if all of them must be chosen, there is no question.

    :raises IllegalMove: there are too few.
    """
    most = min(most, len(parts))
    if most < least:
        raise IllegalMove("{text} There are too few choices.", "", text)
    if most == 0 or least == len(parts):
        return [part.value for part in parts[:most]]
    if (least, most) == (1, 1):
        return [(yield from choose_one(text, parts, spaces))]
    question = Prompt(text, tuple(parts), least, most, spaces=tuple(spaces))
    return [question.parts[number].value for number in selected_indices(question, (yield question))]


def ask_amount(text: Text, low: int, high: int) -> Generator[Prompt, int, int]:
    """A sum of money. `low` and `high` are usual; the rules decide about others.

    :raises IllegalMove: there is no such sum.
    """
    if high < low:
        raise IllegalMove("{text} There are no choices.", "", text)
    return (yield Prompt(text, sums=(low, high)))
