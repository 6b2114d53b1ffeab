"""What is read of what happened."""

from __future__ import annotations

from collections.abc import Iterable

from bot.engine.notation.messages import narrate
from bot.engine.play.game import Game
from bot.engine.state.events import Event
from bot.i18n import tr_lines


def told(game: Game, happened: Iterable[Event]) -> list[str]:
    """The sentences about events, as players read them."""
    return tr_lines(narrate(game, happened), game.state.names)
