"""How games ended, and each player's record. All of it is read from the games themselves: players who are erased there
are erased here."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime

from bot.engine import PersonId, Rejected, Text, seat_number
from bot.engine.notation import money
from bot.i18n import tr
from bot.service.sessions import GameSession, SessionManager
from bot.service.views.report import ranking
from bot.store import GameRecord, SeatRecord, StoreDamaged

from .game_clocks import GameClocks

MOST = 50
"""Maximum number of games looked at, the newest."""


@dataclass(frozen=True)
class Ranked:
    place: int
    seat: SeatRecord
    worth: Text


@dataclass(frozen=True)
class FinishedGame:
    """A game that is over: when, and its players with their places, best first; `is_whole` if it was played to the
    end.
    """

    record: GameRecord
    ended: datetime
    ranked: tuple[Ranked, ...]
    is_whole: bool


@dataclass
class Tally:
    """A player's games played to the end: their present name, and their place in each game."""

    name: str
    places: list[int] = field(default_factory=list)

    @property
    def wins(self) -> int:
        """Shared first places count."""
        return self.places.count(1)


class Results:
    def __init__(self, desk: SessionManager, clocks: GameClocks) -> None:
        self.desk, self.clocks = desk, clocks

    async def finished_games(self, guild: str = "") -> list[FinishedGame]:
        """The newest games that are over, of a server or of all places; unreadable games are left out."""
        found = []
        for record in await self.desk.store.games.list_finished(guild, MOST):
            try:
                seats = await self.desk.store.games.seats(record.id)
                game = await self.desk.position(record, record.version, seats)
                verdict = await self.clocks.verdict(GameSession(record, seats, game))
            except (Rejected, StoreDamaged):
                continue
            ranked = tuple(
                Ranked(place, seats[seat_number(player) - 1], money(game, worth))
                for place, player, worth in ranking(game, verdict)
            )
            ended = datetime.fromtimestamp(record.updated_at, UTC)
            found.append(FinishedGame(record, ended, ranked, game.state.finished))
        return found


def results_text(results: list[FinishedGame]) -> str:
    if not results:
        return tr("No game has finished yet.")
    lines = [tr("Finished games, newest first:")]
    for result in results:
        names = ", ".join(f"{one.place}. {one.seat.name} {tr(one.worth)}" for one in result.ranked)
        broken = "" if result.is_whole else f" ({tr('broken off')})"
        lines.append(f"{result.record.id}: {result.record.title}, {result.ended:%Y-%m-%d}{broken}: {names}")
    if found := tallies(results):
        lines.append(tr("Records, from games played to the end:"))
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


def tallies(results: list[FinishedGame]) -> list[Tally]:
    """Each player's record in games that were played to their end, most wins first; people without a seat any more
    are left out. Players at one screen are distinguished by their names.
    """
    found: dict[tuple[str, str], Tally] = {}
    shared = {person for result in results for person in persons_of(result) if persons_of(result).count(person) > 1}
    for result in results:
        for one in result.ranked if result.is_whole else ():
            if person := one.seat.person:
                key = (person, one.seat.name if person in shared else "")
                found.setdefault(key, Tally(one.seat.name)).places.append(one.place)
    return sorted(found.values(), key=lambda tally: (-tally.wins, sum(tally.places) / len(tally.places), tally.name))


def persons_of(result: FinishedGame) -> list[PersonId]:
    return [one.seat.person for one in result.ranked]
