"""What the one who is asked should know: the question, money, certificates, what has happened since."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.ids import PlayerId, as_company, is_player
from bot.engine.message import together
from bot.engine.notation.messages import money, question, question_alone, upper
from bot.engine.play.game import Game
from bot.engine.play.holdings.certificates import certificates_said
from bot.i18n import say
from bot.service.parser.components_info import leads, lots_now, shop
from bot.service.sessions.queries import LogEntry

from .position_text import trains_of

MOST_NEWS = 900
"""So many characters of what has happened since the last turn are shown; the log has the rest."""


def purse_line(game: Game, player: PlayerId) -> str:
    """Whoever is to pay now with what it has, and the player's room for certificates."""
    return " ".join([*company_purse(game), say("You have {purse}.", purse(game, player))])


def purse(game: Game, player: PlayerId) -> str:
    """A player's money and certificates."""
    return say("{cash}, {held} certificates", money(game, game.state.cash[player]), certificates_said(game, player))


def company_purse(game: Game) -> list[str]:
    """The sentence about the company in turn, if there is one."""
    entity = game.frame.entity
    if not entity or is_player(entity) or entity not in game.state.cash:
        return []
    trains = f", {trains_of(game, as_company(entity))}" if entity in game.state.companies else ""
    return [say("{company} has {cash}{trains}.", entity, money(game, game.state.cash[entity]), trains)]


def news(entries: Sequence[LogEntry], most: int = MOST_NEWS) -> list[str]:
    """The latest lines of these records that fit, oldest first, after a line that counts those left out."""
    return latest([line for entry in entries if not entry.is_undone for line in entry.told], most)


def latest(lines: Sequence[str], most: int) -> list[str]:
    """The last of these lines that fit into so many characters, after a line that counts those left out."""
    kept: list[str] = []
    size = 0
    for line in reversed(lines):
        size += len(line) + 3
        if size > most:
            break
        kept.insert(0, line)
    left_out = len(lines) - len(kept)
    return [say("… {left_out} more lines: /log", left_out), *kept] if left_out else kept


def shop_lines(game: Game, most: int) -> list[str]:
    """Every lot that can be had now, with price, income and power, as far as it fits into so many characters; who leads is
    told with the question."""
    told = set(leads(game))
    lines = [line for line in shop(game) if line not in told] if lots_now(game) else []
    while lines and sum(len(line) + 1 for line in lines) > most:
        lines.pop()
    return lines


def table_text(game: Game, players: Sequence[PlayerId]) -> str:
    """The question, and what those who are asked have, as the whole table reads it."""
    purses = [say("{player} has {purse}.", game.state.name(player), purse(game, player)) for player in players]
    asked = game.asked()
    waiting = [say("Waiting for {asked}.", together(map(game.state.name, asked)))] if len(asked) > 1 else []
    return "\n".join([say(question(game)), *leads(game), *company_purse(game), *purses, *waiting])


def turn_text(
    game: Game, player: PlayerId, entries: Sequence[LogEntry] = (), most: int = MOST_NEWS, is_named: bool = True
) -> str:
    """The turn in a few lines; without the player's name where that stands before them."""
    asked = say(question(game)) if is_named else upper(say(question_alone(game)))
    since = _under(say("Since your last turn:"), news(entries, most))
    return "\n".join([asked, *leads(game), purse_line(game, player), *since])


def since_text(game: Game, player: PlayerId, entries: Sequence[LogEntry], most: int = MOST_NEWS) -> str:
    """What has happened since a player's last turn, where several read it; empty when nothing has."""
    return "\n".join(_under(say("Since {player}'s last turn:", game.state.name(player)), news(entries, most)))


def _under(heading: str, lines: Sequence[str]) -> list[str]:
    return [heading, *(f"- {line}" for line in lines)] if lines else []
