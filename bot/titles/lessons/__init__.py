"""Lessons: games that teach. A title's module `lesson` has the tasks, and the moves of all others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from bot.engine.play import Game
from bot.engine.state import Action, Pass

Test = Callable[[Game, Action], bool]
"""Whether a move is of some kind, judged by the position after it and by the move."""


def script(text: str) -> tuple[str, ...]:
    """Moves as they are typed or stored, one a line: the same in every language."""
    return tuple(line.strip() for line in text.strip().splitlines())


@dataclass(frozen=True)
class Slip:
    """Legal moves that a step does not want, and what they teach."""

    is_made: Test
    answer: str


@dataclass(frozen=True)
class LessonStep:
    """One task for the learner. It waits for a move of `kind` after which `is_done` holds; `line` is such a move as it is
    typed, and `told` is said after it. `slips` answer other moves, the first that fits. The moves `then` of all seats
    follow, in their exact text forms.
    """

    task: str
    line: tuple[str, ...]
    kind: type[Action]
    is_done: Test
    told: str
    slips: Sequence[Slip] = ()
    then: tuple[str, ...] = ()

    def answer_to(self, after: Game, action: Action) -> str:
        """Why this step does not want a move; empty where it does."""
        if isinstance(action, self.kind) and self.is_done(after, action):
            return ""
        answers = (slip.answer for slip in self.slips if slip.is_made(after, action))
        return next(answers, OTHER)


OTHER = "That is legal, but another move is wanted here."


@dataclass(frozen=True)
class Lesson:
    """A game of the title for the learner and these others, from this seed."""

    others: tuple[str, ...]
    seed: int
    steps: Sequence[LessonStep]
    end: str
    options: dict[str, str] = field(default_factory=dict)


def is_pass(after: Game, action: Action) -> bool:
    return isinstance(action, Pass)
