"""The facts for the player or company in turn: the question, money, certificates, what has happened since."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine import PlayerId, as_company, is_player, join_and
from bot.engine.notation import capitalise, money, question, short_question
from bot.engine.play import Game
from bot.engine.play.holdings import format_certificates
from bot.i18n import tr
from bot.service.parser.components_info import leads, lots_now, shop
from bot.service.sessions import LogEntry

from .position_text import trains_of

MOST_NEWS = 900
"""Maximum number of characters about events since the last turn; the log has the rest."""


def cash_line(game: Game, player: PlayerId) -> str:
    """The payer in turn with their money, and the player's room for certificates."""
    return " ".join([*company_cash_lines(game), tr("You have {purse}.", player_cash(game, player))])


def player_cash(game: Game, player: PlayerId) -> str:
    return tr("{cash}, {held} certificates", money(game, game.state.cash[player]), format_certificates(game, player))


def company_cash_lines(game: Game) -> list[str]:
    entity = game.frame.entity
    if not entity or is_player(entity) or entity not in game.state.cash:
        return []
    trains = f", {trains_of(game, as_company(entity))}" if entity in game.state.companies else ""
    return [tr("{company} has {cash}{trains}.", entity, money(game, game.state.cash[entity]), trains)]


def events_since(entries: Sequence[LogEntry], most: int = MOST_NEWS) -> list[str]:
    """The latest lines of these records that fit, oldest first, after a line that counts those left out."""
    return latest_lines([line for entry in entries if not entry.is_undone for line in entry.tr_lines], most)


def latest_lines(lines: Sequence[str], most: int) -> list[str]:
    """The last of these lines that fit into `most` characters, after a line that counts those left out."""
    kept: list[str] = []
    size = 0
    for line in reversed(lines):
        size += len(line) + 3
        if size > most:
            break
        kept.insert(0, line)
    left_out = len(lines) - len(kept)
    return [tr("… {left_out} more lines: /log", left_out), *kept] if left_out else kept


def lot_lines(game: Game, most: int) -> list[str]:
    """Every lot that is available now, with price, income and power, as far as it fits into `most` characters; the
    question names the leaders.
    """
    told = set(leads(game))
    lines = [line for line in shop(game) if line not in told] if lots_now(game) else []
    while lines and sum(len(line) + 1 for line in lines) > most:
        lines.pop()
    return lines


def table_text(game: Game, players: Sequence[PlayerId]) -> str:
    """The question, and what the players asked have, as the whole table reads it."""
    purses = [tr("{player} has {purse}.", game.state.name(player), player_cash(game, player)) for player in players]
    asked = game.players_to_act()
    waiting = [tr("Waiting for {asked}.", join_and(map(game.state.name, asked)))] if len(asked) > 1 else []
    return "\n".join([tr(question(game)), *leads(game), *company_cash_lines(game), *purses, *waiting])


def turn_text(
    game: Game, player: PlayerId, entries: Sequence[LogEntry] = (), most: int = MOST_NEWS, is_named: bool = True
) -> str:
    """The turn in a few lines; without the player's name if that stands before them."""
    asked = tr(question(game)) if is_named else capitalise(tr(short_question(game)))
    since = _with_heading(tr("Since your last turn:"), events_since(entries, most))
    return "\n".join([asked, *leads(game), cash_line(game, player), *since])


def since_text(game: Game, player: PlayerId, entries: Sequence[LogEntry], most: int = MOST_NEWS) -> str:
    """Events since a player's last turn, where several read it; empty if there are none."""
    return "\n".join(
        _with_heading(tr("Since {player}'s last turn:", game.state.name(player)), events_since(entries, most))
    )


def _with_heading(heading: str, lines: Sequence[str]) -> list[str]:
    return [heading, *(f"- {line}" for line in lines)] if lines else []
