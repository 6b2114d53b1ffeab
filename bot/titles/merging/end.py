"""The end by the bank."""

from __future__ import annotations

from bot.engine import BANK
from bot.engine.play import Game
from bot.engine.play.holdings import has_phase_begun
from bot.engine.play.steps import trigger_end
from bot.engine.state import Paid

from .state import title_state

BANK_BROKEN = "the bank has run out of money"


def detect_broken_bank(game: Game, event: Paid) -> None:
    if game.state.cash[BANK] < 0:
        break_bank(game)


def break_bank(game: Game) -> None:
    """The game ends after the operating round, unless phase 8 begins before that."""
    title_state(game).is_broken = True
    if not has_phase_begun(game, "8"):
        trigger_end(game, BANK_BROKEN, "after this or the next operating round")
