"""The ends of the game and the scores (1820 §9)."""

from __future__ import annotations

from bot.engine.ids import PlayerId, is_player
from bot.engine.message import Text
from bot.engine.play.game import Game
from bot.engine.play.holdings.certificates import value_of_shares
from bot.engine.play.steps.rounds import end_game
from bot.engine.state.events import GameEndTriggered

from .components import TOP
from .state import special


def finish(game: Game, reason: Text) -> None:
    """The game is over now."""
    if not game.state.finished:
        end_game(game, reason)


def worth(game: Game, player: PlayerId) -> int:
    """His possessions, less what he still owes: it was due when another one's bankruptcy ended the game (§8.5, §10.2)."""
    return max(0, possessions(game, player) - special(game).debts.get(player, 0))


def possessions(game: Game, player: PlayerId) -> int:
    """Cash and shares at their present price; private companies, cousins, future trains do not count (§9.2)."""
    if player in special(game).bankrupt:
        return 0
    return game.state.cash[player] + value_of_shares(game, player)


def nobody_controls(game: Game) -> bool:
    """Whether no player directs any company (§9.1)."""
    return not any(is_player(director) for director in special(game).directors.values())


def at_the_top(game: Game) -> bool:
    """Whether some price has reached £500."""
    return any(company.position == (0, TOP) for company in game.state.companies.values())


def after_stock_round(game: Game) -> None:
    """No company is left, or a company wholly held has risen to £500 (§9.1)."""
    if nobody_controls(game):
        finish(game, "no player controls a company")
    elif at_the_top(game):
        finish(game, "a share price has reached £500")


def after_operating_round(game: Game) -> None:
    """A price has come to £500: in this round, or in the issue and takeover round before it (§9.1, §16.2.1)."""
    if special(game).will_end or at_the_top(game):
        finish(game, special(game).will_end or "a share price has reached £500")


def after_issue_round(game: Game) -> None:
    """No company is left (§9.1)."""
    if nobody_controls(game):
        finish(game, "no player controls a company")


def watch_prices(game: Game, event: object) -> None:
    """A price that reaches £500 in an operating round ends the game after it (§16.2.1)."""
    memory = special(game)
    if not memory.will_end and at_the_top(game) and game.state.round.kind == "operating":
        memory.will_end = "a share price has reached £500"
        game.happened(GameEndTriggered(memory.will_end, "after this operating round"))
