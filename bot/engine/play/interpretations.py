"""Readings: what holds in a title's games beside, or instead of, what its rulebook says.

A title lists them as attributes of a record of the game, each with the section that it is about. Imported games of 18xx.games
are read as they are played there, and a game by the version of the rules by which it was begun.
"""

from __future__ import annotations

from dataclasses import dataclass

from .game import Game
from .title import Option

PEER_SITE = "18xx.games"
"""The value of the option `rules` for rules as 18xx.games plays them."""

RULES_OPTION = Option(
    "rules",
    "whose reading of the rules is played",
    {
        "rulebook": "the printed rules; where its own rules differ, 18xx.games refuses an exported game",
        PEER_SITE: "as 18xx.games plays it, for games that were started there",
    },
)
"""An option of every title that 18xx.games plays."""


@dataclass(frozen=True)
class InterpretationFlags:
    """The readings of a game beside, or instead of, the rulebook; by the rulebook and today's version there are none. A
    title's own record adds its readings."""

    game: Game


@dataclass(frozen=True)
class Interpretation:
    """One reading: it holds `there`, in games by the option `rules: 18xx.games`, from version `since` of the title's
    rules on and not from `until` on. In versions `before` that it holds in all games."""

    there: bool = True
    since: int = 1
    until: int = 1_000
    before: int = 0

    def __get__(self, record: InterpretationFlags, owner: type[InterpretationFlags]) -> bool:
        version = record.game.title.version
        is_there = self.there and record.game.state.options.get(RULES_OPTION.name) == PEER_SITE
        return version < self.before or (is_there and self.since <= version < self.until)
