"""How a game stands or ended, and its log, in words."""

from __future__ import annotations

import re
from collections.abc import Iterable

from bot.engine.holdings.market import price_of
from bot.engine.ids import PlayerId
from bot.engine.play.game import Game
from bot.engine.words.narration import money, where
from bot.tables.desk.looking import Entry

from .panel import holdings


def ranking(game: Game) -> list[tuple[int, PlayerId, int]]:
    """Place, player, worth: the best first; equals share a place."""
    worth = {player.id: game.title.rules.worth(game, player.id) for player in game.state.players}
    order = sorted(worth, key=lambda player: -worth[player])
    return [(1 + sum(other > worth[player] for other in worth.values()), player, worth[player]) for player in order]


def report_text(game: Game) -> str:
    """The ranking, what everybody's worth consists of, share prices, how it ended."""
    head = f"{game.title.name}: final report" if game.state.finished else f"{game.title.name}: as it stands"
    lines = [head, f"{where(game)}, {game.state.moves} moves."]
    if game.state.ending:
        lines.append(f"End: {game.state.ending}.")
    best = max((worth for _, _, worth in ranking(game)), default=0)
    for place, player, worth in ranking(game):
        cash = game.state.cash[player]
        behind = f", {money(game, best - worth)} behind" if worth < best else ""
        lines.append(
            f"{place}. {game.state.name(player)} {money(game, worth)}{behind}: cash {money(game, cash)}, "
            f"the rest {money(game, worth - cash)} ({', '.join(holdings(game, player)) or 'nothing'})"
        )
    prices = [
        f"{company.id} {money(game, price_of(game, company.id))}"
        for company in game.state.companies.values()
        if company.position is not None
    ]
    if prices:
        lines.append(f"Prices: {', '.join(prices)}.")
    return "\n".join(lines)


def log_lines(entries: Iterable[Entry], about: str = "") -> list[str]:
    """The log, a line a record; what was taken back is struck out. `about` keeps lines with that word, a company or a
    name."""
    wanted = re.compile(rf"(?<!\w){re.escape(about)}(?!\w)", re.IGNORECASE) if about else None
    lines = []
    for entry in entries:
        record = entry.record
        said = " ".join(entry.told) or record.text
        if wanted is not None and not wanted.search(f"{record.text} {said}"):
            continue
        lines.append(f"{record.number}. {'(taken back) ' if entry.is_undone else ''}{said}")
    return lines
