"""The questions of 18xx.games to a company in its turn, with the answers that it records, where our game goes on
automatically.

Its files have a pass for every step that waits and is passed over, and none for a step that does not wait. Ours ask when
something can be done; its steps ask by tests of their own. A title's dialect lists them in order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.engine import CompanyId
from bot.engine.play import Game
from bot.engine.state import Action, Frame, Passed, TurnMemory

PASS: Mapping[str, Any] = {"type": "pass"}
NO_RUN: Mapping[str, Any] = {"type": "run_routes", "routes": [], "extra_revenue": 0, "subsidy": 0}


@dataclass(frozen=True)
class PeerQuestion:
    """A step of a company's turn there, beside our decision about such moves (`verb`). As soon as it no longer
    `asks(game, company)` it is over for this turn, unless it `returns`; if our game goes on before that, the file has
    the `answer`: a pass, or another action without effect there. Without `asks` it waits just as long as our decision
    does. Its own machinery answers if it `is_automatic`."""

    verb: type[Action]
    asks: Callable[[Game, CompanyId], bool] | None = None
    answer: Mapping[str, Any] = field(default_factory=lambda: PASS)
    is_automatic: bool = False
    returns: bool = False


def also_in_need(asks: Callable[[Game, CompanyId], bool]) -> Callable[[Game, CompanyId], bool]:
    """As `asks` about trains, and while the company must own a train and has none, even if others must help to pay for it."""
    return lambda game, company: asks(game, company) or game.title.rules.must_own_train(game, company)


def was_passed(game: Game, place: int) -> bool:
    name = getattr(game.procedure.steps[place], "name", "")
    return any(isinstance(event, Passed) and event.step == name for event in game.events)


def place_of(game: Game, verb: type[Action]) -> int | None:
    """The place of the decision about such moves in the turn's plan; None if a turn of this kind has none."""
    places = (place for place, step in enumerate(game.procedure.steps) if verb in getattr(step, "verbs", ()))
    return next(places, None)


class PeerTurn:
    """The turn of a company there beside ours: which of its questions are behind it."""

    def __init__(self, questions: tuple[PeerQuestion, ...]) -> None:
        self.questions = questions
        self._frame: Frame | None = None
        self._over = 0

    def due_questions(self, game: Game) -> list[PeerQuestion]:
        """The questions that our game has just left behind and that still wait for an answer there."""
        if not game.state.flow or not isinstance(game.frame.memory, TurnMemory):
            return []
        if game.frame is not self._frame:
            self._frame, self._over = game.frame, 0
        company = game.company_in_turn
        found = []
        for question in self.questions[self._over :]:
            place = place_of(game, question.verb)
            if place is None:
                self._over += 1
                continue
            if place > game.frame.at:
                break
            is_left = place < game.frame.at
            asks = question.asks(game, company) if question.asks else not is_left or was_passed(game, place)
            if not is_left and (asks or question.returns):
                break
            self._over += 1
            if asks:
                found.append(question)
        return found

    def has_gone_on(self, game: Game) -> bool:
        """Whether our game waits for a company there that is asked nothing any more: it can only pass."""
        if not game.state.flow or game.frame is not self._frame:
            return False
        company, at = game.company_in_turn, game.frame.at
        here = [(number, one) for number, one in enumerate(self.questions) if place_of(game, one.verb) == at]
        return bool(here) and all(
            number < self._over or bool(question.asks and not question.asks(game, company)) for number, question in here
        )
