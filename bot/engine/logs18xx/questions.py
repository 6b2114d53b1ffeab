"""What 18xx.games asks a company in its turn, and writes down, where our game goes on by itself.

Its files have a pass for every step that waits and is passed over, and none for a step that does not wait. Ours ask when
something can be done; its steps ask by tests of their own. A title's dialect lists them in order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..ids import CompanyId, Owner
from ..state import Frame, TurnMemory

if TYPE_CHECKING:
    from ..game import Game

PASS: Mapping[str, Any] = {"type": "pass"}
NO_RUN: Mapping[str, Any] = {"type": "run_routes", "routes": [], "extra_revenue": 0, "subsidy": 0}


@dataclass(frozen=True)
class Question:
    """A step of a company's turn there. It is over as soon as our decision named `step` is; if it still `asks(game, company)`
    then, the file has the `answer`: a pass, or whatever does nothing there. What `is_automatic` its own machinery answers."""

    step: str
    asks: Callable[[Game, CompanyId], bool]
    answer: Mapping[str, Any] = field(default_factory=lambda: PASS)
    is_automatic: bool = False


def as_here(game: Game, company: CompanyId) -> bool:
    """It waits just as long as our decision, which was left open by a pass."""
    step = game.plan.steps[game.frame.at - 1]
    return not callable(step) and step.opens(game)


class TurnThere:
    """The turn of a company there beside ours: which of its questions are behind it."""

    def __init__(self, questions: tuple[Question, ...]) -> None:
        self.questions = questions
        self._frame: Frame | None = None
        self._answered = 0

    def due(self, game: Game) -> list[Question]:
        """The questions that our game has just left behind and that still wait for an answer there."""
        if not game.state.flow or not isinstance(game.frame.memory, TurnMemory):
            return []
        if game.frame is not self._frame:
            self._frame, self._answered = game.frame, 0
        names = [getattr(step, "name", "") for step in game.plan.steps]
        company = CompanyId(game.frame.entity or Owner(""))
        found = []
        for question in self.questions[self._answered :]:
            if names.index(question.step) >= game.frame.at:
                break
            self._answered += 1
            if question.asks(game, company):
                found.append(question)
        return found
