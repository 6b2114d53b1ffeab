"""Passes that nobody has to think about: nothing else is legal, and nobody learns by them what he may not know."""

from __future__ import annotations

from bot.engine.play.game import Game
from bot.engine.state.actions import Pass

FORCED = "{line} (nothing else was possible)"
"""What is told of such a pass."""


def forced_pass(game: Game) -> Pass | None:
    """The pass that is all that whoever is asked can do; None where he has a choice.

    Where several are asked at once, each answers for himself. Where the listed moves of a verb are samples (bids, prices,
    routes) another one might be legal, so its owner is asked.
    """
    steps, asked = game.open_steps(), game.asked()
    if len(asked) != 1 or any(kind.is_sampled for step in steps for kind in step.verbs):
        return None
    passes: set[Pass] = set()
    for action in (action for step in steps for action in step.options(game)):
        if not isinstance(action, Pass):
            return None
        passes.add(action)
    return passes.pop() if len(passes) == 1 else None
