"""How this title's games of 18xx.games are read."""

from __future__ import annotations

from bot.engine import is_player
from bot.engine.play import Game
from bot.engine.play.steps import current_stock_turn
from bot.formats.peer18xx.dialect import can_do_something
from bot.titles.classic.peer18xx import ClassicDialect

from ..components import BROWN_OPTION, CAMDEN, SIXES_OPTION
from ..title import VALUES


class Dialect1830(ClassicDialect):
    def peer_waits(self, game: Game) -> bool:
        """While the player can do anything, or could buy the Camden & Amboy, if only another player's."""
        owner, player = game.private(CAMDEN).owner, game.player_in_turn
        has_camden = owner is not None and is_player(owner) and owner != player and not game.private(CAMDEN).closed
        can_pay = game.state.cash[player] > 0 and not current_stock_turn(game).bought and game.state.round.number > 1
        return can_do_something(game) or (has_camden and can_pay)


DIALECT = Dialect1830(
    VALUES,
    prints={"J14": 1, "F22": 2, "D10": 1, "H18": 1, "H4": 1, "B10": 2, "H10": 3, "H16": 4},
    optional_rules={
        "multiple_brown_from_ipo": {BROWN_OPTION.name: "anywhere"},
        "optional_6_train": {SIXES_OPTION.name: "three"},
    },
)
