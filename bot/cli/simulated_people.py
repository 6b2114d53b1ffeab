"""People who do not exist, at tables that do: their behaviour is docs/lab/people.md."""

from __future__ import annotations

import heapq
import itertools
import math
import random
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bot.ai.title_parameters import title_ai
from bot.engine import NO_GAME, GameId, PersonId, Rejected, SeatNumber, seat_number
from bot.service.features.open_tables import OpenTable, TableFilter
from bot.service.game_service import GameService
from bot.service.sessions import Actor, add_waking, is_computer
from bot.store import GameStatus, LobbyScope, PollKind, PollOutcome, SeatRecord, Store
from bot.titles.registry import TITLES

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
ZONES = ("America/Los_Angeles", "America/New_York", "UTC", "Europe/Berlin", "Europe/Athens", "Asia/Tokyo")
QUIET_FROM, QUIET_TO = 23, 7
MEDIAN_HOURS, SIGMA, MOST_HOURS = 0.87, 1.64, 60.0
PACES = ((0.5, 40), (1.0, 40), (2.0, 20))
TABLES = ((1, 60), (2, 40))
SIZES = (3, 4)
FILL_DAYS = 3
FILLING = 1 / 3
"""Part of the time in which people look for new tables."""

VOLUNTEERS, YES, GOODBYE = 0.5, 0.95, 0.5
SWEEP = timedelta(hours=6)
STRENGTH = "learner"
DAY_HOURS = 24


Event = Callable[[Any], Awaitable[None]]
"""Something that happens at its moment, with whom or what it is about."""


@dataclass
class SimulatedPerson:
    person: PersonId
    zone: str
    pace: float
    taste: tuple[str, ...]
    tables: int
    volunteers: bool
    leaves_at: datetime | None
    says_goodbye: bool
    is_gone: bool = False

    @property
    def habits(self) -> SeatRecord:
        return SeatRecord(NO_GAME, SeatNumber(1), self.person, "", self.zone, QUIET_FROM, QUIET_TO)


@dataclass
class SimulationReport:
    """Counts of one simulated crowd."""

    games: int = 0
    ended: int = 0
    running: int = 0
    broken: int = 0
    lobbies: int = 0
    substitutes: int = 0
    seats: int = 0
    computer_seats: int = 0
    fill_days: list[float] = field(default_factory=list)
    length_days: list[float] = field(default_factory=list)


class Simulation:
    """A crowd at work: events in the order of their moments, each carried out by the service."""

    def __init__(self, people: int, days: int, drop_outs: int, seed: int) -> None:
        self.chance = random.Random(seed)
        self.now, self.days = BEGIN, days
        self.end = BEGIN + timedelta(days=days)
        self._events: list[tuple[datetime, int, Event, Any]] = []
        self._order = itertools.count()
        self.people = {
            PersonId(f"simulated:{number}"): self._draw(number, drop_outs) for number in range(1, people + 1)
        }
        self.sizes: dict[GameId, int] = {}
        self.opened: dict[GameId, datetime] = {}
        self.report = SimulationReport()
        self._due: set[tuple[GameId, PersonId]] = set()

    def _draw(self, number: int, drop_outs: int) -> SimulatedPerson:
        chance = self.chance
        tastes = {title: weight for title in TITLES if (weight := title_ai(title).taste)}
        first = chance.choices([*tastes], [*tastes.values()])[0]
        del tastes[first]
        second = chance.choices([*tastes], [*tastes.values()])[0]
        leaves = chance.random() * 100 < drop_outs
        return SimulatedPerson(
            PersonId(f"simulated:{number}"),
            chance.choice(ZONES),
            chance.choices([pace for pace, _ in PACES], [weight for _, weight in PACES])[0],
            (first, second),
            chance.choices([most for most, _ in TABLES], [weight for _, weight in TABLES])[0],
            chance.random() < VOLUNTEERS,
            BEGIN + timedelta(days=chance.random() * self.days) if leaves else None,
            chance.random() < GOODBYE,
        )

    # -- events -------------------------------------------------------------------------------------

    def _at(self, moment: datetime, event: Event, about: Any) -> None:
        if moment < self.end:
            heapq.heappush(self._events, (moment, next(self._order), event, about))

    async def run(self) -> SimulationReport:
        with tempfile.TemporaryDirectory(prefix="signalbox-people-") as folder:
            async with await Store.open(Path(folder) / "signalbox.db") as store:
                self.tables = GameService(store, TITLES, lambda: self.now)
                await self._begin()
                while self._events:
                    self.now, _, event, about = heapq.heappop(self._events)
                    await event(about)
                self.now = self.end
                await self._count()
        return self.report

    async def _begin(self) -> None:
        for one in self.people.values():
            await self.tables.reminders.set_default_quiet_hours(one.person, one.zone, QUIET_FROM, QUIET_TO)
            if one.volunteers:
                await self.tables.substitutes.volunteer(one.person, one.taste)
            self._at(self._waking(one, BEGIN + timedelta(hours=self.chance.random() * DAY_HOURS)), self._on_look, one)
            if one.leaves_at is not None:
                self._at(one.leaves_at, self._on_leave, one)
        self._at(BEGIN + SWEEP, self._on_sweep, None)

    def _waking(self, one: SimulatedPerson, moment: datetime, hours: float = 0.0) -> datetime:
        return add_waking(moment, hours, one.habits)

    async def _on_sweep(self, about: None) -> None:
        await self.tables.substitutes.sweep()
        self._at(self.now + SWEEP, self._on_sweep, None)

    async def _on_leave(self, one: SimulatedPerson) -> None:
        one.is_gone = True
        for record in await self.tables.desk.store.games.list_of(one.person):
            if record.status == GameStatus.LOBBY:
                await self._try(self.tables.lobby.leave(record.id, one.person))
            elif record.status == GameStatus.RUNNING and one.says_goodbye:
                await self._try(self.tables.moderation.leave_seat(record.id, one.person))
        await self.tables.substitutes.volunteer(one.person, [])

    async def _on_look(self, one: SimulatedPerson) -> None:
        """A daily look: votes, free seats, new tables."""
        if one.is_gone:
            return
        own = await self.tables.desk.store.games.list_of(one.person)
        playing = [record for record in own if record.status in (GameStatus.LOBBY, GameStatus.RUNNING)]
        for record in playing:
            if record.status == GameStatus.RUNNING:
                await self._care_for(record.id, one)
            elif record.moderator == one.person:
                await self._start_if_ready(record.id)
        if len(playing) < one.tables and self.now < BEGIN + timedelta(days=self.days) * FILLING:
            await self._find_table(one, [record.id for record in playing])
        if one.volunteers and len(playing) <= one.tables:
            await self._substitute(one)
        later = self._waking(one, self.now + timedelta(hours=DAY_HOURS / 2 + self.chance.random() * DAY_HOURS))
        self._at(later, self._on_look, one)

    async def _on_answer(self, about: tuple[GameId, PersonId]) -> None:
        """A person whose turn it is moves."""
        self._due.discard(about)
        game_id, person = about
        one = self.people[person]
        if one.is_gone:
            return
        await self._care_for(game_id, one)
        table, game = await self.tables.desk.require_started(game_id)
        asked = game.players_to_act() if table.record.status == GameStatus.RUNNING else ()
        own = {player: STRENGTH for player in table.seats_of(person) if player in asked}
        if own:
            texts = await self.tables.computers.choose_moves(game_id, own)
            await self.tables.moves.submit(game_id, person, "; ".join(texts))
        await self._follow(game_id)

    async def _follow(self, game_id: GameId) -> None:
        """Have everybody answer whom the game waits for now."""
        await self.tables.computers.wait_idle(game_id)
        table, game = await self.tables.desk.require_started(game_id)
        if table.record.status != GameStatus.RUNNING:
            return
        for player in game.players_to_act():
            held = table.seats[seat_number(player) - 1]
            one = self.people.get(held.person)
            if one is None or one.is_gone or (game_id, one.person) in self._due:
                continue
            hours = self.chance.lognormvariate(math.log(MEDIAN_HOURS * one.pace), SIGMA)
            self._due.add((game_id, one.person))
            self._at(self._waking(one, self.now, min(hours, MOST_HOURS)), self._on_answer, (game_id, one.person))

    # -- what people do -----------------------------------------------------------------------------

    async def _try(self, act: Any) -> Any:
        """Something that may be refused meanwhile, as it may be to anybody."""
        try:
            return await act
        except Rejected:
            return None

    async def _find_table(self, one: SimulatedPerson, playing: Sequence[GameId]) -> None:
        """Join the fullest table that one likes, else open another."""
        every = await self.tables.open_tables.list_for(one.person, "", TableFilter())
        liked = [found for found in every if found.lobby.record.title in one.taste and self._has_room(found)]
        for found in sorted(liked, key=lambda found: -found.taken):
            asker, name = Actor(one.person), one.person.replace(":", " ")
            if found.game_id not in playing and await self._try(self.tables.lobby.join(found.game_id, asker, name)):
                await self._start_if_ready(found.game_id)
                return
        if not any(game in self.sizes and game in self.opened for game in playing):
            name = one.person.replace(":", " ")
            title = one.taste[0]
            game_id = await self.tables.lobby.create(
                title, one.person, [(one.person, name)], seed=self.chance.randrange(2**31), pace="fast"
            )
            self.sizes[game_id], self.opened[game_id] = self.chance.choice(SIZES), self.now
            await self.tables.open_tables.open(game_id, one.person, LobbyScope.EVERYBODY)

    def _has_room(self, found: OpenTable) -> bool:
        return found.taken < self.sizes.get(found.game_id, 0)

    async def _start_if_ready(self, game_id: GameId) -> None:
        table = await self.tables.lobby.require_lobby(game_id)
        waited = self.now - self.opened[game_id]
        is_full = len(table.seats) >= self.sizes[game_id]
        if is_full or (len(table.seats) >= min(SIZES) and waited >= timedelta(days=FILL_DAYS)):
            await self.tables.lobby.start(game_id, table.record.moderator)
            self.report.fill_days.append(waited / timedelta(days=1))
            await self._follow(game_id)

    async def _care_for(self, game_id: GameId, one: SimulatedPerson) -> None:
        """Answer the table's votes, and have a computer mind a seat that is offered."""
        table = await self.tables.desk.table(game_id)
        if table.record.status != GameStatus.RUNNING:
            return
        for poll in await self.tables.votes.polls(game_id):
            if one.person in poll.waits_for:
                agrees = self.chance.random() < YES
                answered = await self._try(self.tables.votes.answer_poll(poll.record.id, one.person, agrees))
                if answered is not None and answered.record.outcome == PollOutcome.AGREED:
                    self.report.substitutes += answered.record.kind == PollKind.REPLACE
        for offer in await self.tables.desk.store.substitutes.offers_of(game_id):
            held = table.seats[offer.seat - 1]
            if not held.sitter and held.person != one.person:
                start = self.tables.votes.start_poll(game_id, one.person, PollKind.COMPUTER, {"seat": offer.seat})
                await self._try(start)
        await self._follow(game_id)

    async def _substitute(self, one: SimulatedPerson) -> None:
        for found in await self.tables.substitutes.offered_seats(one.person):
            name = one.person.replace(":", " ")
            take = self.tables.substitutes.take(found.offer.game, one.person, name, found.offer.seat)
            if await self._try(take) is not None:
                return

    async def _count(self) -> None:
        """Fill in the report from the database."""
        report, store = self.report, self.tables.desk.store
        for record in await store.games.list_all():
            if record.status == GameStatus.LOBBY:
                report.lobbies += 1
                continue
            report.games += 1
            table, game = await self.tables.desk.require_started(record.id)
            if not game.state.finished:
                report.running += record.status != GameStatus.FINISHED
                report.broken += record.status == GameStatus.FINISHED
                continue
            report.ended += 1
            report.length_days.append((record.updated_at - record.created_at) / timedelta(days=1).total_seconds())
            report.seats += len(table.seats)
            report.computer_seats += sum(is_computer(held.sitter) or not held.person for held in table.seats)
