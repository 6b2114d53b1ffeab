"""Finished games as a list, with the wins of those whom the reader may see."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from bot.engine import PersonId, isolate
from bot.i18n import tr
from bot.store import FinishedGame, RatedSeat
from bot.titles.registry import TITLES

SHOWN = 50
"""Maximum number of games in the list, the newest; all are counted."""


@dataclass
class Tally:
    """A player's games played to the end: their present name, and their place in each game."""

    name: str
    places: list[int] = field(default_factory=list)

    @property
    def wins(self) -> int:
        """Shared first places count."""
        return self.places.count(1)


def results_text(outcomes: Sequence[FinishedGame], shown: Collection[PersonId] = ()) -> str:
    """The list, with the records of those `shown`."""
    if not outcomes:
        return tr("No game has finished yet.")
    lines = [tr("Finished games, newest first:")]
    for outcome in outcomes[:SHOWN]:
        result = outcome.result
        names = ", ".join(
            f"{one.standing.place}. {isolate(one.held.name)} {score_of(outcome, one)}" for one in outcome.seats
        )
        broken = "" if result.whole else f" ({tr('abandoned')})"
        ended = datetime.fromtimestamp(result.ended_at, UTC)
        lines.append(f"{result.game}: {result.title}, {ended:%Y-%m-%d}{broken}: {names}")
    if len(outcomes) > SHOWN:
        lines.append(tr("{number} games before that.", len(outcomes) - SHOWN))
    if found := tallies(outcomes, shown):
        lines.append(tr("Records, from finished games:"))
    for tally in found:
        whole, tenths = divmod(round(10 * sum(tally.places) / len(tally.places)), 10)
        lines.append(
            tr(
                "{name}: {games} played, {won} won, place {whole}.{tenths} on average",
                tally.name,
                len(tally.places),
                tally.wins,
                whole,
                tenths,
            )
        )
    return "\n".join(lines)


def score_of(outcome: FinishedGame, seat: RatedSeat) -> str:
    title = TITLES.get(outcome.result.title)
    return str(seat.standing.score) if title is None else title.money(seat.standing.score)


def tallies(outcomes: Sequence[FinishedGame], shown: Collection[PersonId]) -> list[Tally]:
    """The record of each of those `shown` in games that were played to their end, most wins first. Players at one screen are
    distinguished by their names.
    """
    found: dict[tuple[str, str], Tally] = {}
    shared = {
        one.held.person for outcome in outcomes for one in outcome.seats if len(outcome.seats_of(one.held.person)) > 1
    }
    for outcome in outcomes:
        for one in outcome.seats if outcome.result.whole else ():
            if one.held.person in shown:
                key = (one.held.person, one.held.name if one.held.person in shared else "")
                found.setdefault(key, Tally(one.held.name)).places.append(one.standing.place)
    return sorted(found.values(), key=lambda tally: (-tally.wins, sum(tally.places) / len(tally.places), tally.name))
