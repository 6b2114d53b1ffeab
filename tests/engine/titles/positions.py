"""What the small built positions of all titles need."""

from __future__ import annotations

from bot.engine.game import Game
from bot.engine.ids import BANK, Owner


def set_cash(game: Game, owner: str, amount: int) -> None:
    """Give an owner exactly this sum; the bank takes the difference."""
    game.state.cash[BANK] += game.state.cash[Owner(owner)] - amount
    game.state.cash[Owner(owner)] = amount


def cash(game: Game, owner: str) -> int:
    """An owner's money."""
    return game.state.cash[Owner(owner)]
