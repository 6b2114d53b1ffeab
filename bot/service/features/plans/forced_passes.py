"""Passes that need no thought: nothing else is legal, and nobody learns from them what they may not know."""

from __future__ import annotations

from bot.engine.play import Game
from bot.engine.state import Pass

FORCED = "{line} (nothing else was possible)"


def forced_pass(game: Game) -> Pass | None:
    """The pass that is the only move of the player who is asked; None where there is a choice.

    If several players are asked at the same time, each answers separately. If the listed moves of a verb are samples
    (bids, prices, routes) another move might be legal, so the player is asked.
    """
    steps, asked = game.open_steps(), game.players_to_act()
    if len(asked) != 1 or any(kind.is_sampled for step in steps for kind in step.verbs):
        return None
    passes: set[Pass] = set()
    for action in (action for step in steps for action in step.options(game)):
        if not isinstance(action, Pass):
            return None
        passes.add(action)
    return passes.pop() if len(passes) == 1 else None
