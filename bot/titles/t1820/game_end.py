"""The ends of the game and the scores (1820 §9)."""

from __future__ import annotations

from bot.engine import PlayerId, Text, is_player
from bot.engine.play import Game
from bot.engine.play.holdings import value_of_shares
from bot.engine.play.steps import end_game
from bot.engine.state import GameEndTriggered

from .components import TOP
from .state import title_state


def finish(game: Game, reason: Text) -> None:
    if not game.state.finished:
        end_game(game, reason)


def net_worth(game: Game, player: PlayerId) -> int:
    """The player's possessions, less debts still due when another player's bankruptcy ended the game (§8.5, §10.2)."""
    return max(0, possessions(game, player) - title_state(game).debts.get(player, 0))


def possessions(game: Game, player: PlayerId) -> int:
    """Cash and shares at their current price; private companies, cousins and future trains do not count (§9.2)."""
    if player in title_state(game).bankrupt:
        return 0
    return game.state.cash[player] + value_of_shares(game, player)


def nobody_controls(game: Game) -> bool:
    """Whether no player directs any company (§9.1)."""
    return not any(is_player(director) for director in title_state(game).directors.values())


def is_at_top(game: Game) -> bool:
    return any(company.position == (0, TOP) for company in game.state.companies.values())


def after_stock_round(game: Game) -> None:
    """End the game if no company is left, or a company held completely has risen to £500 (§9.1)."""
    if nobody_controls(game):
        finish(game, "no player controls a company")
    elif is_at_top(game):
        finish(game, "a share price has reached £500")


def after_operating_round(game: Game) -> None:
    """End the game if a price reached £500 in this round or in the issue and takeover round before it (§9.1,
    §16.2.1).
    """
    if title_state(game).will_end or is_at_top(game):
        finish(game, title_state(game).will_end or "a share price has reached £500")


def after_issue_round(game: Game) -> None:
    """End the game if no company is left (§9.1)."""
    if nobody_controls(game):
        finish(game, "no player controls a company")


def watch_prices(game: Game, event: object) -> None:
    """A price that reaches £500 in an operating round ends the game after it (§16.2.1)."""
    memory = title_state(game)
    if not memory.will_end and is_at_top(game) and game.state.round.kind == "operating":
        memory.will_end = "a share price has reached £500"
        game.emit(GameEndTriggered(memory.will_end, "after this operating round"))
