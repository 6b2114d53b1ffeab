"""The machine's clock is set wrong and right again, at starts and while the bot runs: everything comes right with it."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import strategies as st

from bot.engine.refusals import IllegalMove, NotYourTurn
from bot.service.game_service import GameService
from bot.service.sessions.reminder_times import GROWTH, SHORTEST_DISTANCE, Timekeeper
from bot.store import Store
from tests.families import few, in_two_lengths
from tests.service.conftest import ANN, BOB, CID, EVE, Clock
from tests.service.toy_title import TITLES
from tests.store.postgres_cluster import IN_TIME_ON_BOTH, fresh

PEOPLE = [ANN, BOB, CID]
PACE = timedelta(hours=48)
DECADE = timedelta(days=3653)
ERRORS = [DECADE, -DECADE, timedelta(days=3), -timedelta(days=3), timedelta(minutes=20), -timedelta(minutes=20)]


class World:
    """Time as it is, the machine's clock with its error, the bot with its starts; and what a turn should come to."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.time = datetime(2026, 6, 1, 12, tzinfo=UTC)
        self.error = timedelta(0)
        self.starts = 0
        self.mover = 0
        self.right_since = self.time
        self.start()

    def start(self) -> None:
        """The bot starts (again). The run before has moved its notes with the clock; if that is wrong now, so are they."""
        if self.starts and self.error:
            self.begun = self.note()
            self.told = self.note() if self.told else None
        self.starts += 1
        self.started_behind = self.error < timedelta(0)
        self.tables = GameService(
            self.store, TITLES, lambda: self.time + self.error, steady=lambda: self.time.timestamp()
        )

    async def begin(self) -> None:
        """Ann's turn begins."""
        self.game = await self.tables.lobby.create("toy", ANN, [(ANN, "Ann"), (BOB, "Bob"), (CID, "Cid")])
        await self.tables.lobby.start(self.game, ANN, "list")
        self.turn_begins()

    def turn_begins(self) -> None:
        self.sent = 0
        self.begun, self.begun_at = self.note(), self.time
        self.told: tuple[timedelta, int] | None = None
        self.told_at: datetime | None = None

    def note(self) -> tuple[timedelta, int]:
        """Under which error something is noted, and after which start."""
        return self.error, self.starts

    async def move(self) -> None:
        """Whoever is in turn passes."""
        await self.tables.moves.submit(self.game, PEOPLE[self.mover], "pass")
        self.mover = (self.mover + 1) % 3
        self.turn_begins()

    def set_clock(self, error: timedelta) -> None:
        """Somebody sets the machine's clock."""
        self.error = error
        self.right_since = self.time

    # -- what should be -----------------------------------------------------------------------------

    def is_known(self) -> bool:
        """Whether nothing that counts was noted wrong before the bot's last start."""
        notes = [note for note in (self.begun, self.told) if note is not None]
        is_old = any(start != self.starts for _, start in notes)
        was_wrong = any(error and start != self.starts for error, start in notes)
        return not was_wrong and not (is_old and self.started_behind)

    def distance(self) -> timedelta:
        return PACE * (self.sent + 1) / 2 if self.sent < 2 else timedelta(days=GROWTH[min(self.sent - 2, 3)])

    def due(self) -> datetime:
        """When the next reminder should come."""
        first = self.begun_at if self.sent < 2 or self.told_at is None else self.told_at
        due = first + self.distance()
        return due if self.told_at is None else max(due, self.told_at + SHORTEST_DISTANCE)

    async def sweep(self) -> None:
        """A look for reminders, compared with what should come of it while the clock is right."""
        due, latest = self.due(), max(self.due(), self.right_since + self.distance() + SHORTEST_DISTANCE)
        found = await self.tables.reminders.sweep()
        if not self.error and self.is_known():
            assert found == (self.time >= due), (self.time, due)
        elif not self.error and self.time >= latest:
            assert found == 1, "lost"
        assert found in (0, 1)
        if found:
            self.sent += 1
            self.told, self.told_at = self.note(), self.time
            self.right_since = self.time
        (clock,) = await self.store.clocks.list_of(self.game)
        assert clock.reminders == self.sent, "each stage once"


event = st.one_of(st.sampled_from(["right", "right", "restart", "move", "wait"]), st.sampled_from(ERRORS))
happenings = st.lists(st.tuples(event, st.sampled_from([0.02, 1, 7, 25, 50, 200])), min_size=3, max_size=14)


async def live(kind: str, events: list[tuple[str | timedelta, float]]) -> None:
    with fresh(kind) as place:
        store = await Store.open(place)
        try:
            await go_through(World(store), events)
        finally:
            await store.close()


async def go_through(world: World, events: list[tuple[str | timedelta, float]]) -> None:
    await world.begin()
    for what, hours in events:
        if what == "restart":
            world.start()
        elif what == "move":
            await world.move()
        elif what != "wait":
            world.set_clock(timedelta(0) if isinstance(what, str) else what)
        await world.sweep()
        world.time += timedelta(hours=hours)
        await world.sweep()
    world.set_clock(timedelta(0))
    for _ in range(9):
        await world.sweep()
        world.time += timedelta(hours=23)


@pytest.mark.parametrize("kind", IN_TIME_ON_BOTH)
def once_the_clock_is_right_exactly_those_reminders_come_that_are_due(
    kind: str, events: list[tuple[str | timedelta, float]]
) -> None:
    asyncio.run(live(kind, events))


def test_a_bot_that_starts_while_the_clock_is_ahead_loses_no_reminder_when_it_is_right_again() -> None:
    asyncio.run(live("file", [("right", 0.02), (DECADE, 0.02), ("restart", 0.02)]))


(
    test_once_the_clock_is_right_exactly_those_reminders_come_that_are_due,
    test_often_exactly_those_reminders_come_that_are_due,
) = in_two_lengths(once_the_clock_is_right_exactly_those_reminders_come_that_are_due, 3, 6, events=happenings)


@pytest.mark.parametrize("error", few([DECADE, -timedelta(days=3), timedelta(minutes=2)], 0))
@pytest.mark.parametrize("second", [timedelta(0), -timedelta(days=30)])
async def test_one_look_with_a_wrong_clock_silences_nobody(store: Store, error: timedelta, second: timedelta) -> None:
    """Wrong at a start and right at the next one, or wrong while it runs; once, or in both directions."""
    for is_restarted in (False, True):
        world = World(store)
        await world.begin()
        world.time += timedelta(hours=73)
        for wrong in (error, second, timedelta(0)):
            if is_restarted:
                world.start()
            world.set_clock(wrong)
            await world.sweep()
        for _ in range(6):
            world.time += timedelta(days=2)
            await world.sweep()
        assert world.sent >= 4
        await world.tables.moderation.set_status(world.game, ANN, "finished")


async def test_as_it_was_found_one_sweep_ten_years_ahead(tables: GameService, game_id: int, clock: Clock) -> None:
    """Without a steady clock too: what now has not reached is not believed."""
    clock.advance(hours=1)
    clock.time += DECADE
    assert await tables.reminders.sweep() == 1
    clock.time -= DECADE
    assert await tables.reminders.sweep() == 0
    clock.advance(hours=46)
    assert await tables.reminders.sweep() == 0
    clock.advance(hours=1)
    assert await tables.reminders.sweep() == 1


# -- what lasts until a moment ------------------------------------------------------------------------


@pytest.mark.parametrize("error", [DECADE, -DECADE, timedelta(days=90), -timedelta(days=90)])
async def test_snoozes_and_holidays_outlast_a_wrong_clock_but_are_not_made_longer_by_one(
    tables: GameService, game_id: int, clock: Clock, error: timedelta
) -> None:
    right = clock.time
    await tables.reminders.snooze(game_id, ANN, 240)
    clock.time = right + error
    await tables.reminders.sweep()
    clock.time = right + timedelta(hours=1)
    assert await tables.reminders.sweep() == 0
    clock.time = right + timedelta(hours=239)
    assert await tables.reminders.sweep() == 0
    clock.time = right + timedelta(hours=241)
    assert await tables.reminders.sweep() == 1
    clock.time = right + timedelta(hours=242) + error
    await tables.reminders.snooze(game_id, ANN, 24)
    await tables.reminders.set_holiday(ANN, 10)
    clock.time = right + timedelta(hours=243)
    await tables.reminders.sweep()
    clock.time += timedelta(days=9)
    assert await tables.reminders.sweep() == 1


async def test_who_comes_back_early_is_reminded_again(tables: GameService, game_id: int, clock: Clock) -> None:
    await tables.reminders.set_holiday(ANN, 50)
    clock.advance(days=2)
    assert await tables.reminders.sweep() == 0
    await tables.reminders.set_holiday(ANN, 0)
    assert await tables.reminders.sweep() == 1


@pytest.mark.parametrize("error", [DECADE, -DECADE])
async def test_a_sitter_is_there_again_when_the_clock_is_right(
    tables: GameService, game_id: int, clock: Clock, error: timedelta
) -> None:
    await tables.moderation.set_sitter(game_id, ANN, 1, EVE, "Eve", 3)
    right = clock.time
    clock.time = right + error
    with pytest.raises(NotYourTurn):
        await tables.moves.submit(game_id, EVE, "pass")
    await tables.reminders.mute(game_id, ANN)
    clock.time = right + timedelta(days=2)
    await tables.moves.submit(game_id, EVE, "pass")
    clock.time = right + error
    await tables.moderation.set_sitter(game_id, BOB, 2, EVE, "Eve", 3)
    clock.time = right + timedelta(days=4)
    with pytest.raises(NotYourTurn):
        await tables.moves.submit(game_id, EVE, "pass")


async def test_nobody_is_late_or_silent_by_a_clock_that_was_wrong(
    tables: GameService, game_id: int, clock: Clock
) -> None:
    right = clock.time
    clock.time = right + DECADE
    await tables.moves.submit(game_id, ANN, "pass")
    clock.time = right
    seat = {"seat": 2, "newcomer": EVE, "name": "Eve"}
    for kind in ("skip", "replace"):
        with pytest.raises(IllegalMove, match=r"not late|has not kept"):
            await tables.votes.start_poll(game_id, ANN, kind, seat)
    await tables.reminders.sweep()
    (waiting,) = (await tables.queries.status(game_id)).waiting
    assert waiting.since == right
    clock.advance(days=1)
    assert await tables.reminders.sweep() == 1
    clock.advance(days=8)
    assert (await tables.votes.start_poll(game_id, ANN, "replace", seat)).record.closed_at is None


async def test_turn_times_leave_out_what_a_wrong_clock_has_noted(
    tables: GameService, game_id: int, clock: Clock
) -> None:
    for person, error in ((ANN, 0), (BOB, 87600), (CID, 0), (ANN, -87600), (BOB, 0), (CID, 0)):
        clock.advance(hours=1 + error)
        await tables.moves.submit(game_id, person, "pass")
        clock.advance(hours=-error)
    times = {one.name: (one.turns, one.longest) for one in await tables.queries.turn_times(game_id)}
    assert times == {"Ann": (1, 1), "Cid": (1, 1)}


# -- the steady clock -----------------------------------------------------------------------------------


def test_a_jump_is_told_from_time_that_passes() -> None:
    steady = 1000.0
    keeper = Timekeeper(5000.0, lambda: steady)
    steady += 90_000
    assert keeper.jump(95_010.0) is None, "a machine that slept, and a clock that is slewed"
    steady += 60
    jump = keeper.jump(95_070.0 + 7200)
    assert jump is not None
    assert (jump.first, jump.last, jump.seconds) == (5000.0, 95_070.0, 7200.0)
    steady += 60
    back = keeper.jump(95_130.0)
    assert back is not None
    assert (back.first, back.seconds) == (12_200.0, -7200.0)
