"""What a game of 1830 remembers beyond the shared state."""

from __future__ import annotations

from msgspec import Struct

from bot.engine.play.game import Game


class Special(Struct):
    """`sold_at` is what each of the shares brought that a president sold last for the train of the company in turn."""

    sold_at: int = 0


def special(game: Game) -> Special:
    """The title's own record.

    :raises TypeError: the game is not 1830.
    """
    record = game.state.special
    if not isinstance(record, Special):
        raise TypeError("not a game of 1830")
    return record
