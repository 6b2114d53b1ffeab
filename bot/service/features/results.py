"""How games ended, and each player's record. All of it is read from the games themselves: whoever is forgotten there is
forgotten here."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime

from bot.engine.message import Text
from bot.engine.notation.messages import money
from bot.engine.refusals import Rejected
from bot.i18n import say
from bot.service.sessions.session_manager import SessionManager
from bot.service.views.report import ranking
from bot.store import GameRecord, SeatRecord, StoreDamaged

MOST = 50
"""So many games are looked at, the newest."""


@dataclass(frozen=True)
class Ranked:
    """Who came in at which place, with what."""

    place: int
    seat: SeatRecord
    worth: Text


@dataclass(frozen=True)
class FinishedGame:
    """A game that is over: when, who came in how, best first; `is_whole` when it was not broken off."""

    record: GameRecord
    ended: datetime
    ranked: tuple[Ranked, ...]
    is_whole: bool


@dataclass
class Tally:
    """What somebody has played to the end: his present name, and his place in each game."""

    name: str
    places: list[int] = field(default_factory=list)

    @property
    def won(self) -> int:
        """How often he was first, or one of the first."""
        return self.places.count(1)


class Results:
    """Questions about games that are over."""

    def __init__(self, desk: SessionManager) -> None:
        self.desk = desk

    async def of(self, guild: str = "") -> list[FinishedGame]:
        """The newest games that are over, of a server or of all places; what cannot be read is left out."""
        found = []
        for record in await self.desk.store.finished(guild, MOST):
            try:
                seats = await self.desk.store.seats(record.id)
                game = await self.desk.position(record, record.version, seats)
            except (Rejected, StoreDamaged):
                continue
            ranked = tuple(
                Ranked(place, seats[int(player[1:]) - 1], money(game, worth)) for place, player, worth in ranking(game)
            )
            ended = datetime.fromtimestamp(record.updated_at, UTC)
            found.append(FinishedGame(record, ended, ranked, game.state.finished))
        return found


def results_text(results: list[FinishedGame]) -> str:
    """The games, the newest first, and the records of those who played them."""
    if not results:
        return say("No game has finished yet.")
    lines = [say("Finished games, newest first:")]
    for result in results:
        names = ", ".join(f"{one.place}. {one.seat.name} {say(one.worth)}" for one in result.ranked)
        broken = "" if result.is_whole else f" ({say('broken off')})"
        lines.append(f"{result.record.id}: {result.record.title}, {result.ended:%Y-%m-%d}{broken}: {names}")
    if found := tallies(results):
        lines.append(say("Records, from games played to the end:"))
    for tally in found:
        whole, tenths = divmod(round(10 * sum(tally.places) / len(tally.places)), 10)
        lines.append(
            say(
                "{name}: {games} played, {won} won, place {whole}.{tenths} on average",
                tally.name,
                len(tally.places),
                tally.won,
                whole,
                tenths,
            )
        )
    return "\n".join(lines)


def tallies(results: list[FinishedGame]) -> list[Tally]:
    """Each player's record in games that were played to their end, who won most first; people without a seat any more are
    in none. At one screen people are told apart by their names."""
    found: dict[tuple[str, str], Tally] = {}
    shared = {person for result in results for person in persons_of(result) if persons_of(result).count(person) > 1}
    for result in results:
        for one in result.ranked if result.is_whole else ():
            if person := one.seat.person:
                key = (person, one.seat.name if person in shared else "")
                found.setdefault(key, Tally(one.seat.name)).places.append(one.place)
    return sorted(found.values(), key=lambda tally: (-tally.won, sum(tally.places) / len(tally.places), tally.name))


def persons_of(result: FinishedGame) -> list[str]:
    """Who sat there."""
    return [one.seat.person for one in result.ranked]
