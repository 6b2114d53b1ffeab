"""Why a move was not made: a sentence for the player, the rule that forbids it, what would be allowed.

A refusal changes nothing. It is an expected outcome, not an error of the program.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .message import Message, Value


class LocalisedError(Exception):
    """A message for a player: a template with the values that fill it."""

    def __init__(self, template: str, *values: Value) -> None:
        super().__init__(template, *values)
        self.said = Message(template, values)

    @property
    def sentence(self) -> str:
        return str(self.said)

    def __str__(self) -> str:
        return self.sentence


class Rejected(LocalisedError):
    """A move that was not made.

    `said` is for the player, a template with its values; `rule` the section that forbids the move (`1848 §7.4.6`)
    or empty, `instead` a few lines that would be allowed.
    """

    def __init__(self, template: str, rule: str = "", *values: Value, instead: tuple[str, ...] = ()) -> None:
        # Thousands are made while moves are listed, so nothing is set twice: `args` are there already.
        self.said = Message(template, values)
        self.rule = rule
        self.instead = instead

    @property
    def sentence_with_rule(self) -> Message:
        return Message("{sentence} ({rule})", (self.said, self.rule)) if self.rule else self.said

    def __str__(self) -> str:
        """The sentence with its rule, as a player reads it: `No room. (1848 §7.7)`."""
        return str(self.sentence_with_rule)


class ParseError(Rejected):
    """The text is no move: unknown words, a half-written clause."""


class AmbiguousMove(Rejected):
    """The text could mean several moves; `instead` lists them."""


class IllegalMove(Rejected):
    """The rules forbid the move now."""


class NotYourTurn(Rejected):
    """Another player must act now, or the seat is not this person's."""


class OffCourse(Rejected):
    """A lesson wants another move; the sentence teaches."""


class StalePosition(Rejected):
    """The move was made on a board that is no longer current."""


def is_permitted(check: Callable[..., Any], *arguments: Any) -> bool:
    """Whether the check raises no refusal."""
    try:
        check(*arguments)
    except Rejected:
        return False
    return True
