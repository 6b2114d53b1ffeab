"""How a game stands or ended, and its log, in words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from bot.engine import PlayerId, msg
from bot.engine.notation import money, round_and_phase
from bot.engine.play import Game
from bot.engine.play.holdings import price_of
from bot.i18n import tr
from bot.service.sessions import LogEntry

from .position_text import holdings


@dataclass(frozen=True)
class Verdict:
    """The effect of a game's clock on its ranking: fines off the score, and players who have lost."""

    fines: Mapping[PlayerId, int] = field(default_factory=dict)
    lost: frozenset[PlayerId] = frozenset()


NO_VERDICT = Verdict()


def ranking(game: Game, verdict: Verdict = NO_VERDICT) -> list[tuple[int, PlayerId, int]]:
    """Place, player, score: best first; ties share a place."""
    score = {
        player.id: game.title.rules.worth(game, player.id) - verdict.fines.get(player.id, 0)
        for player in game.state.players
    }
    rank = {player: (player not in verdict.lost, score[player]) for player in score}
    order = sorted(rank, key=lambda player: rank[player], reverse=True)
    return [(1 + sum(other > rank[player] for other in rank.values()), player, score[player]) for player in order]


def report_text(game: Game, verdict: Verdict = NO_VERDICT) -> str:
    head = (
        tr("{name}: final report", game.title.name)
        if game.state.finished
        else tr("{name}: current standings", game.title.name)
    )
    lines = [head, tr("{game}, {moves} move(s).", round_and_phase(game), game.state.moves)]
    if game.state.ending:
        lines.append(tr("End: {ending}.", msg(game.state.ending), names=game.state.names))
    ranked = ranking(game, verdict)
    best = max((score for _, player, score in ranked if player not in verdict.lost), default=0)
    for place, player, score in ranked:
        cash, fine = game.state.cash[player], verdict.fines.get(player, 0)
        worth = score + fine
        behind = tr(", {money} behind", money(game, best - score)) if score < best else ""
        if fine:
            behind += tr(", after a time penalty of {money}", money(game, fine))
        if player in verdict.lost:
            behind += tr(", lost on time")
        lines.append(
            tr(
                "{place}. {player} {money}{behind}: cash {cash}, the rest {rest} ({details})",
                place,
                game.state.name(player),
                money(game, score),
                behind,
                money(game, cash),
                money(game, worth - cash),
                ", ".join(holdings(game, player)) or msg("nothing"),
            )
        )
    prices = [
        f"{company.id} {money(game, price_of(game, company.id))}"
        for company in game.state.companies.values()
        if company.position is not None
    ]
    if prices:
        lines.append(tr("Prices: {prices}.", ", ".join(prices)))
    return "\n".join(lines)


def log_lines(entries: Iterable[LogEntry], about: str = "") -> list[str]:
    """The log, one line a record; undone records are struck out. `about` keeps lines with that word, a company or
    a name.
    """
    wanted = re.compile(rf"(?<!\w){re.escape(about)}(?!\w)", re.IGNORECASE) if about else None
    lines = []
    for entry in entries:
        record = entry.record
        said = " ".join(entry.tr_lines) or record.text
        if wanted is not None and not wanted.search(f"{record.text} {said}"):
            continue
        taken_back = tr("(taken back) ") if entry.is_undone else ""
        lines.append(f"{record.number}. {taken_back}{said}")
    return lines
