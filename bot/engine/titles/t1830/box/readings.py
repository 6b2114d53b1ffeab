"""Where 1830 is read in more than one way: by the rulebook or as 18xx.games plays it (option `rules`). docs/titles/1830.md
has the rulebook's side of each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from bot.engine.play.game import Game


@dataclass(frozen=True)
class Readings:
    """What holds in a game beside, or instead of, what the rulebook says; by the rulebook nothing does."""

    trades_without_consent: bool
    """Another president's train is bought without asking him."""
    camden_is_not_traded: bool
    """Players do not sell each other the Camden & Amboy."""
    ends_when_bank_owes: bool
    """The bank is broken when it owes money, not as soon as it has none."""


def readings(game: Game) -> Readings:
    """How this game is read."""
    return read(game.state.options.get("rules", ""))


@cache
def read(rules: str) -> Readings:
    """How games with that choice of `rules` are read."""
    is_there = rules == "18xx.games"
    return Readings(trades_without_consent=is_there, camden_is_not_traded=is_there, ends_when_bank_owes=is_there)
