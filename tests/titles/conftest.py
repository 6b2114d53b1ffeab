"""In every test of a title, its decisions are asked by questions that change nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import pytest

from bot.engine.play.game import Game

Answer = TypeVar("Answer")


@pytest.fixture(autouse=True)
def honest_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether a decision opens, and what it lists, is asked of the same state before and after."""
    goes_on, legal = Game._advance_once, Game.legal_actions

    def watched(game: Game) -> bool:
        plan = game.title.plans[game.frame.plan] if game.state.flow else None
        step = plan.steps[game.frame.at] if plan and game.frame.at < len(plan.steps) else None
        if step is not None and not callable(step):
            unchanged(game, step.opens)
        return goes_on(game)

    monkeypatch.setattr(Game, "_advance_once", watched)
    monkeypatch.setattr(Game, "legal_actions", lambda game: unchanged(game, legal))


def unchanged(game: Game, question: Callable[[Game], Answer]) -> Answer:
    """The answer to a question about a game that is the same game after it."""
    before = game.encode()
    answer = question(game)
    assert game.encode() == before, f"a question changed the state in {game.frame.plan}"
    return answer
