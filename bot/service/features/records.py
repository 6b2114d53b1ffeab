"""Records of people and titles: figures of every game that is over, computed from its moves, and what people allow others to
see of them.

Figures are no part of the transaction that ends a game: a game without them is due, and is computed in the next sweep, even after a
crash.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

import msgspec

from bot.engine import NOBODY, GameId, IllegalMove, PersonId
from bot.service.sessions import GameSession, SessionManager, is_computer, log
from bot.store import Audience, FinishedGame, GameRecord, RatedSeat, StandingRecord, concerns_all
from bot.threads import run_in_thread

from .figures import compute_figures
from .game_clocks import GameClocks
from .ratings import PROVISIONAL, Rating, Ratings, rating_of

SWEEP_SECONDS = 2.0
"""Time after which a sweep leaves the games that are still due to the next."""


@dataclass(frozen=True)
class RatedPlayer:
    """A rating with the number of rated games behind it."""

    rating: Rating
    games: int

    @property
    def is_provisional(self) -> bool:
        return self.games < PROVISIONAL


@dataclass(frozen=True)
class PlayedGame:
    """A game that a person ended, with their seat in it."""

    outcome: FinishedGame
    seat: RatedSeat

    @property
    def is_won(self) -> bool:
        return self.seat.standing.place == 1

    @property
    def win_chance(self) -> float:
        """The chance of winning that the ratings gave before, or equal chances."""
        chance = self.seat.standing.expected
        return 1 / self.outcome.result.players if chance is None else chance


@dataclass(frozen=True)
class PersonalRecord:
    """A person's games that were played to their end, newest first; how many were `broken` off, and how many they `left`."""

    person: PersonId
    games: Sequence[PlayedGame]
    broken: int
    left: int

    @property
    def name(self) -> str:
        return self.games[0].seat.held.name if self.games else ""

    @property
    def titles(self) -> list[str]:
        """Most played first."""
        found = [one.outcome.result.title for one in self.games]
        return sorted(set(found), key=lambda title: (-found.count(title), title))

    def of_title(self, title: str) -> list[PlayedGame]:
        return [one for one in self.games if title in ("", one.outcome.result.title)]

    def rating_in(self, title: str = "") -> RatedPlayer | None:
        """Their rating in a title, or in all; None before their first rated game."""
        games = [
            one.seat.standing
            for one in self.of_title(title)
            if one.seat.standing.mu is not None and not one.seat.standing.inherited
        ]
        return RatedPlayer(rating_of(games[0], bool(title)), len(games)) if games else None

    @property
    def answers(self) -> tuple[int, float, float] | None:
        """The number of their turns, and in how many waking hours half and three quarters of them were made: the means over the
        games, by their turns. None where nothing is known.
        """
        known = [one.seat.standing.answers for one in self.games if len(one.seat.standing.answers) == 4]
        turns = sum(answers[0] for answers in known)
        if not turns:
            return None
        half, most = (sum(answers[0] * answers[at] for answers in known) / turns for at in (2, 3))
        return int(turns), half, most


@dataclass(frozen=True)
class TitleSummary:
    """The games of a title that were played to their end here, and the best rated of those whom the reader may see."""

    title: str
    outcomes: Sequence[FinishedGame]
    best: Sequence[tuple[str, RatedPlayer]]


class Records:
    def __init__(self, desk: SessionManager, clocks: GameClocks) -> None:
        self.desk, self.clocks = desk, clocks
        self.ratings = Ratings(desk.store)
        self._unreadable: set[GameId] = set()
        self._lock = asyncio.Lock()

    # -- computing ----------------------------------------------------------------------------------

    async def catch_up(
        self, seconds: float | None = SWEEP_SECONDS, told: Callable[[int, int], None] = lambda number, total: None
    ) -> int:
        """Compute the figures that are due, for about this number of seconds, and the ratings that follow; returns how many games
        were computed. `told` gets the number so far and in all.
        """
        store, began, number = self.desk.store, time.monotonic(), 0
        async with self._lock:
            await store.results.drop_stale()
            total = await store.results.count_due()
            while due := await store.results.list_due(1, self._unreadable):
                if seconds is not None and number and time.monotonic() - began > seconds:
                    break
                await self._compute(due[0])
                number += 1
                told(number, total)
            await self.ratings.catch_up()
        return number

    async def rebuild(self, told: Callable[[int, int], None] = lambda number, total: None) -> int:
        """Compute everything again; returns the number of games."""
        self._unreadable.clear()
        await self.desk.store.results.drop_all()
        return await self.catch_up(None, told)

    async def rate_again(self) -> int:
        """Compute all ratings again from the figures; returns the number of rated games."""
        await self.desk.store.results.drop_all(with_figures=False)
        return await self.ratings.catch_up()

    @property
    def unreadable(self) -> Collection[GameId]:
        """Games whose figures could not be computed since this program began."""
        return self._unreadable

    async def _compute(self, record: GameRecord) -> None:
        """Compute and save the figures of a game; a game that cannot be read is left out until the program starts again."""
        store = self.desk.store
        try:
            seats = await store.games.seats(record.id)
            position = await self.desk.position(record, record.version, seats)
            verdict = await self.clocks.verdict(GameSession(record, seats, position))
            records = await store.moves.list_of(record.id)
            line = await store.moves.branch_numbers(record.id, record.version)
            title_at, now = await self.desk.title_at(record), self.desk.now()
            figures = await run_in_thread(compute_figures, record, seats, records, line, title_at, verdict, now)
        except Exception as error:
            if concerns_all(error):
                raise
            log.warning("no figures: %s", error, exc_info=error, extra={"game": record.id})
            self._unreadable.add(record.id)
            return
        await store.results.save(figures.result, figures.standings, figures.departures)

    # -- reading ------------------------------------------------------------------------------------

    async def choose_audience(self, person: PersonId, audience: Audience) -> None:
        """Let others see a person's record, or nobody."""
        known = await self.desk.store.people.find(person)
        await self.desk.store.people.save(msgspec.structs.replace(known, record=audience))

    async def public_people(self) -> list[PersonId]:
        """Those whose record anybody may see, on public pages too."""
        found = await self.desk.store.people.list_public()
        banned = await self.desk.store.bans.among(found)
        return [one for one in found if one not in banned]

    async def visible_people(
        self, reader: PersonId, people: Iterable[PersonId], around: Collection[PersonId]
    ) -> set[PersonId]:
        """Those whose record the reader may see; `around` are the people in the reader's games. Strangers on the web (`NOBODY`) see
        only what is public. Of banned people strangers see nothing.
        """
        found: set[PersonId] = set()
        asked = {*people} - {""}
        banned = await self.desk.store.bans.among(asked)
        for person in asked:
            if person == reader or is_computer(person):
                found.add(person)
                continue
            audience = (await self.desk.store.people.find(person)).record
            if person in banned and audience in (Audience.EVERYBODY, Audience.PUBLIC):
                audience = Audience.TABLES
            is_open = audience == Audience.EVERYBODY and reader != NOBODY
            if is_open or audience == Audience.PUBLIC or (audience == Audience.TABLES and person in around):
                found.add(person)
        return found

    async def outcomes(self, guild: str = "", person: PersonId | None = None, title: str = "") -> list[FinishedGame]:
        """All games that are over, the newest first: of a server, of a person, of a title."""
        await self.catch_up()
        return await self.desk.store.results.list_of(guild, person, title)

    async def record_of(self, person: PersonId, reader: PersonId, around: Collection[PersonId]) -> PersonalRecord:
        """A person's record.

        :raises IllegalMove: they do not let the reader see it.
        """
        if not await self.visible_people(reader, [person], around):
            raise IllegalMove("This player does not let you see their record.")
        return personal_record(
            person, await self.outcomes(person=person), await self.desk.store.results.count_left(person)
        )

    async def record_of_title(self, title: str, reader: PersonId, around: Collection[PersonId]) -> TitleSummary:
        outcomes = [one for one in await self.outcomes(title=title) if one.result.whole]
        newest: dict[PersonId, tuple[str, StandingRecord]] = {}
        games: dict[PersonId, int] = {}
        for outcome in outcomes:
            for person in {one.held.person for one in outcome.seats if one.standing.mu is not None}:
                own = next(one for one in outcome.seats if one.held.person == person)
                if person and not own.standing.inherited:
                    newest.setdefault(person, (own.held.name, own.standing))
                    games[person] = games.get(person, 0) + 1
        shown = await self.visible_people(reader, newest, around)
        best = [
            (person if is_computer(person) else name, RatedPlayer(rating_of(standing, True), games[person]))
            for person, (name, standing) in newest.items()
            if person in shown
        ]
        return TitleSummary(title, outcomes, sorted(best, key=lambda one: -one[1].rating.mu))


def personal_record(person: PersonId, outcomes: Iterable[FinishedGame], left: int) -> PersonalRecord:
    found = [PlayedGame(one, held) for one in outcomes for held in one.seats_of(person)]
    whole = [one for one in found if one.outcome.result.whole]
    return PersonalRecord(
        person,
        whole,
        len({one.outcome.result.game for one in found}) - len({one.outcome.result.game for one in whole}),
        left,
    )


def mean_place(games: Sequence[PlayedGame]) -> float:
    return fmean(one.seat.standing.place for one in games)
