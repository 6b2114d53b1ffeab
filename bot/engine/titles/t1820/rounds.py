"""The circle of rounds (1820 §5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.engine.play.game import Game


def begin_again(game: Game) -> None:
    """After two operating rounds and two issue and takeover rounds a stock round follows."""
    game.frame.at = 0
