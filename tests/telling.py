"""What is read of what happened."""

from __future__ import annotations

from collections.abc import Iterable

from bot.engine.data.events import Event
from bot.engine.play.game import Game
from bot.engine.words.narration import narrate
from bot.language import shown


def told(game: Game, happened: Iterable[Event]) -> list[str]:
    """The sentences about events, as players read them."""
    return shown(narrate(game, happened), game.state.names)
