"""Reminders: to whom, when, once; and the outbox."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from bot.engine.refusals import IllegalMove
from bot.service.features import reminders as reminders_module
from bot.service.game_service import GameService, GameSession
from bot.store import Place, PostRecord, RunningWait, Server, Store, StoreDamaged, WaitRecord
from tests.service.conftest import ANN, BOB, CID, EVE, Clock
from tests.service.toy_title import TITLES


async def reminders(tables: GameService) -> list[tuple[int, int | None]]:
    """Reminders that wait in the outbox: the version they speak of and the seat."""
    return [
        (notice.number, notice.seat) for notice in await tables.outbox.waiting_notices() if notice.kind == "reminder"
    ]


async def test_whoever_holds_the_game_up_is_reminded(tables: GameService, game_id: int, clock: Clock) -> None:
    clock.advance(hours=23)
    assert await tables.reminders.sweep() == 0
    clock.advance(hours=1)
    assert await tables.reminders.sweep() == 1
    assert await tables.reminders.sweep() == 0
    assert await reminders(tables) == [(0, 1)]
    clock.advance(hours=24)
    assert await tables.reminders.sweep() == 1
    clock.advance(hours=23)
    assert await tables.reminders.sweep() == 0
    clock.advance(hours=1)
    assert await tables.reminders.sweep() == 1


async def test_a_move_restarts_the_clock_and_withdraws_the_reminder(
    tables: GameService, game_id: int, clock: Clock
) -> None:
    clock.advance(hours=24)
    await tables.reminders.sweep()
    await tables.moves.submit(game_id, ANN, "pass")
    assert await reminders(tables) == []
    assert await tables.reminders.sweep() == 0
    (waiting,) = (await tables.queries.status(game_id)).waiting
    assert (waiting.seat.name, waiting.since) == ("Bob", clock.time)


async def test_others_clocks_go_on_while_one_answers(tables: GameService, game_id: int, clock: Clock) -> None:
    await tables.moves.submit(game_id, ANN, "bid P1 7")
    begun = clock.time
    clock.advance(hours=20)
    await tables.moves.submit(game_id, BOB, "Bob agree")
    since = {waiting.seat.name: waiting.since for waiting in (await tables.queries.status(game_id)).waiting}
    assert since == {"Ann": begun, "Cid": begun}


async def test_never_twice_after_a_restart(place: Path | Server, clock: Clock) -> None:
    store = await Store.open(place)
    tables = GameService(store, TITLES, clock)
    game = await tables.lobby.create("toy", ANN, [(ANN, "Ann"), (BOB, "Bob")])
    await tables.lobby.start(game, ANN, "list")
    clock.advance(hours=24)
    assert await tables.reminders.sweep() == 1
    await store.close()
    store = await Store.open(place)
    again = GameService(store, TITLES, clock)
    assert await again.reminders.sweep() == 0
    assert await reminders(again) == [(0, 1)]
    await store.close()


async def test_two_sweeps_at_once_send_one(tables: GameService, game_id: int, clock: Clock) -> None:
    clock.advance(hours=24)
    other = GameService(tables.desk.store, TITLES, clock)
    assert sum(await asyncio.gather(tables.reminders.sweep(), other.reminders.sweep(), tables.reminders.sweep())) == 1
    assert await reminders(tables) == [(0, 1)]


async def test_a_reminder_waits_until_the_morning(tables: GameService, game_id: int, clock: Clock) -> None:
    """Berlin, summer time: quiet from 23 to 8 is 21:00 to 06:00 UTC."""
    await tables.reminders.set_quiet_hours(game_id, ANN, "Europe/Berlin", 23, 8)
    (waiting,) = await tables.desk.store.clocks.list_of(game_id)
    assert datetime.fromtimestamp(waiting.due_at, UTC) == datetime(2026, 6, 3, 6, tzinfo=UTC)
    clock.time = datetime(2026, 6, 4, 22, tzinfo=UTC)
    assert await tables.reminders.sweep() == 0
    clock.time = datetime(2026, 6, 5, 5, 59, tzinfo=UTC)
    assert await tables.reminders.sweep() == 0
    clock.time = datetime(2026, 6, 5, 6, 0, tzinfo=UTC)
    assert await tables.reminders.sweep() == 1


async def test_a_long_absence_of_the_bot_brings_one_reminder_not_many(
    tables: GameService, game_id: int, clock: Clock
) -> None:
    clock.advance(days=30)
    assert await tables.reminders.sweep() == 1
    for _ in range(3):
        clock.advance(minutes=5)
        assert await tables.reminders.sweep() == 0


async def test_a_clock_that_was_wrong_does_not_silence_a_game(tables: GameService, clock: Clock) -> None:
    clock.advance(days=3650)
    game = await tables.lobby.create("toy", ANN, [(ANN, "Ann"), (BOB, "Bob")])
    await tables.lobby.start(game, ANN, "list")
    clock.advance(days=-3650)
    assert await tables.reminders.sweep() == 0
    clock.advance(hours=24)
    assert await tables.reminders.sweep() == 1


async def test_a_paused_game_reminds_nobody_and_begins_anew(tables: GameService, game_id: int, clock: Clock) -> None:
    await tables.moderation.set_status(game_id, ANN, "paused", "holidays")
    clock.advance(days=20)
    assert await tables.reminders.sweep() == 0
    await tables.moderation.set_status(game_id, ANN, "running")
    assert await tables.reminders.sweep() == 0
    clock.advance(hours=24)
    assert await tables.reminders.sweep() == 1


async def test_mute_and_snooze(tables: GameService, game_id: int, clock: Clock) -> None:
    await tables.reminders.snooze(game_id, ANN, 72)
    clock.advance(hours=71)
    assert await tables.reminders.sweep() == 0
    clock.advance(hours=1)
    assert await tables.reminders.sweep() == 1
    await tables.reminders.mute(game_id, ANN)
    clock.advance(days=9)
    assert await tables.reminders.sweep() == 0
    await tables.reminders.mute(game_id, ANN, False)
    clock.advance(days=9)
    assert await tables.reminders.sweep() == 1
    for person, hours in ((EVE, 5), (ANN, 0), (ANN, 24 * 15)):
        with pytest.raises(IllegalMove):
            await tables.reminders.snooze(game_id, person, hours)


@pytest.mark.parametrize(("zone", "begin", "end"), [("Atlantis", 1, 2), ("UTC", -1, 5), ("UTC", 5, 25)])
async def test_quiet_hours_that_do_not_exist(
    tables: GameService, game_id: int, zone: str, begin: int, end: int
) -> None:
    with pytest.raises(IllegalMove):
        await tables.reminders.set_quiet_hours(game_id, ANN, zone, begin, end)


# -- the outbox -----------------------------------------------------------------------------------------


async def test_one_ping_a_turn(tables: GameService) -> None:
    game = await tables.lobby.create("toy", ANN, [(ANN, "Ann"), (ANN, "Bob"), (CID, "Cid")])
    await tables.lobby.start(game, ANN, "list")
    assert [(notice.kind, notice.seat) for notice in await tables.outbox.waiting_notices()] == [
        ("board", None),
        ("turn", 1),
    ]
    for notice in await tables.outbox.waiting_notices():
        await tables.desk.store.outbox.mark_all_posted([notice.id], tables.desk.now(), "17")
    await tables.moves.submit(game, ANN, "bid P1 1; bid P1 2")
    found = await tables.outbox.waiting_notices()
    assert [(notice.kind, notice.seat) for notice in found] == [("board", None), ("turn", 3)]
    assert ["£1" in str(line) for line in found[0].lines] == [True, True]
    assert found[1].lines == []


async def test_a_ping_that_came_too_late_is_withdrawn(tables: GameService, game_id: int) -> None:
    await tables.moves.submit(game_id, ANN, "pass")
    await tables.moves.submit(game_id, BOB, "pass")
    assert [
        (notice.number, notice.seat) for notice in await tables.outbox.waiting_notices() if notice.kind == "turn"
    ] == [(2, 3)]


async def test_what_could_not_be_posted_stays(tables: GameService, game_id: int) -> None:
    first = (await tables.outbox.waiting_notices())[0]
    once = PostRecord(game_id, f"told:{first.id}", None, "5", "n", 1.0, 0)
    another = msgspec.structs.replace(once, slot=f"told:{first.id}0")
    each = msgspec.structs.replace(once, slot=f"told:{first.id}:2")
    for row in (once, another, each):
        await tables.outbox.set_post(row)
    await tables.desk.store.outbox.mark_all_posted([first.id], tables.desk.now(), "18")
    assert first.id not in [notice.id for notice in await tables.outbox.waiting_notices()]
    assert list(await tables.outbox.posts(game_id)) == [another.slot], "what was sent once for it is forgotten with it"


async def test_a_thread_is_the_place_of_one_game_and_its_channel_is_another(tables: GameService) -> None:
    other = await tables.lobby.create("toy", ANN, [(ANN, "Ann"), (BOB, "Bob")])
    await tables.lobby.start(other, ANN, "list")
    await tables.desk.store.games.set_place(Place(other, "1", "2", "3"))
    assert [found.id for found in await tables.desk.store.games.list_at("3")] == [other]
    assert await tables.desk.store.games.list_at("2") == [], "its channel is another place"
    assert [place.game for place in await tables.desk.store.games.places_below("2")] == [other]
    assert await tables.desk.store.games.place(other) == Place(other, "1", "2", "3")
    assert await tables.desk.store.games.list_at("9") == []
    assert await tables.places.game_at("3") == await tables.places.game_at("2") == other


async def test_withdrawn_questions_leave_the_outbox_for_good(tables: GameService, game_id: int) -> None:
    await tables.moves.submit(game_id, ANN, "pass")
    assert await tables.desk.store.outbox.supersede(1.0) == 1
    assert await tables.desk.store.outbox.supersede(1.0) == 0
    assert [(notice.kind, notice.seat) for notice in await tables.outbox.waiting_notices()] == [
        ("board", None),
        ("board", None),
        ("turn", 2),
    ]


async def test_an_undo_withdraws_the_next_players_question(tables: GameService, game_id: int) -> None:
    await tables.moves.submit(game_id, ANN, "pass")
    await tables.moves.undo(game_id, ANN)
    assert [notice.seat for notice in await tables.outbox.waiting_notices() if notice.kind == "turn"] == []
    await tables.moves.submit(game_id, ANN, "pass")
    assert [
        (notice.number, notice.seat) for notice in await tables.outbox.waiting_notices() if notice.kind == "turn"
    ] == [(3, 2)]


# -- holidays, habits, turn times ---------------------------------------------------------------------


async def test_on_holiday_nobody_is_reminded_in_any_game(tables: GameService, game_id: int, clock: Clock) -> None:
    back = await tables.reminders.set_holiday(ANN, 10)
    assert back is not None
    later = await tables.lobby.create("toy", ANN, [(ANN, "Ann"), (BOB, "Bob")])
    await tables.lobby.start(later, ANN, "list")
    clock.advance(days=9)
    assert await tables.reminders.sweep() == 0
    assert [record.away_until for record in (await tables.desk.table(later)).seats] == [back.timestamp(), None]
    clock.advance(days=1, hours=1)
    assert await tables.reminders.sweep() == 2
    with pytest.raises(IllegalMove, match="find a sitter"):
        await tables.reminders.set_holiday(ANN, 90)
    assert await tables.reminders.set_holiday(ANN, 0) is None
    assert (await tables.desk.table(game_id)).seats[0].away_until is None


async def test_quiet_hours_are_a_habit_that_new_games_know(tables: GameService, game_id: int) -> None:
    assert await tables.reminders.set_default_quiet_hours(BOB, "Europe/Berlin", 22, 7) == 1
    new = await tables.lobby.create("toy", ANN, [(ANN, "Ann"), (BOB, "Bob")])
    for number in (game_id, new):
        bob = (await tables.desk.table(number)).seats[1]
        assert (bob.zone, bob.quiet_from, bob.quiet_to) == ("Europe/Berlin", 22, 7)
    with pytest.raises(IllegalMove, match="no time zone"):
        await tables.reminders.set_default_quiet_hours(BOB, "Mars/Base", 22, 7)


async def test_turn_times_count_from_the_last_record_to_the_first_move_of_a_turn(
    tables: GameService, game_id: int, clock: Clock
) -> None:
    clock.advance(hours=2)
    await tables.moves.submit(game_id, ANN, "pass")
    clock.advance(hours=5)
    await tables.moves.submit(game_id, BOB, "pass")
    clock.advance(hours=1)
    await tables.moves.submit(game_id, CID, "pass")
    clock.advance(hours=4)
    await tables.moves.submit(game_id, ANN, "pass")
    times = {one.name: one for one in await tables.queries.turn_times(game_id)}
    assert (times["Ann"].turns, times["Ann"].median, times["Ann"].longest, times["Ann"].total) == (2, 3, 4, 6)
    assert (times["Bob"].turns, times["Bob"].longest) == (1, 5)


async def test_a_game_that_cannot_be_opened_keeps_no_other_from_being_reminded(
    tables: GameService, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever it is that a row of it brings about; it is tried less and less often, told once, and goes on when it is mended."""
    broken, well = [await tables.lobby.create("toy", ANN, [(ANN, "Ann"), (BOB, "Bob")]) for _ in range(2)]
    for game in (broken, well):
        await tables.lobby.start(game, ANN, "list")
    real = tables.desk.table

    async def table(game_id: int) -> GameSession:
        if game_id == broken:
            raise KeyError("a row of this game")
        return await real(game_id)

    with monkeypatch.context() as patch:
        patch.setattr(tables.desk, "table", table)
        clock.advance(hours=24)
        assert await tables.reminders.sweep() == 1
        for _ in range(30):
            clock.advance(minutes=1)
            await tables.reminders.sweep()
        assert [failure.tries for failure in await tables.desk.store.failures.list_all()] == [2]
        for _ in range(60):
            clock.advance(hours=1)
            await tables.reminders.sweep()
    (failure,) = await tables.failures.list_set_aside()
    assert (failure.queue, failure.game, failure.error) == ("reminder", broken, "KeyError")
    assert failure.tries == 6
    told = [notice for notice in await tables.outbox.waiting_notices() if notice.kind == "told"]
    assert [notice.game for notice in told] == [broken] and "signalbox doctor" in str(told[0].lines[0])
    clock.advance(hours=24)
    await tables.reminders.sweep()
    assert broken in {notice.game for notice in await tables.outbox.waiting_notices() if notice.kind == "reminder"}
    assert not await tables.desk.store.failures.list_all()


async def test_a_failed_clock_that_began_anew_is_forgotten(tables: GameService, game_id: int, clock: Clock) -> None:
    await tables.failures.note("reminder", f"{game_id}:1:5", "no reminder", game_id)
    clock.advance(hours=2)
    await tables.reminders.sweep()
    assert not await tables.desk.store.failures.list_all()


async def test_reminders_come_though_damage_hinders_what_else_is_done_every_minute(
    tables: GameService, game_id: int, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def damaged(*args: object) -> int:
        raise StoreDamaged("The database is damaged; restore it from a backup.")

    store = tables.desk.store
    for repository, name in (
        (store.clocks, "list_running"),
        (store.outbox, "supersede"),
        (store.outbox, "prune"),
        (store.moves, "prune_snapshots"),
    ):
        monkeypatch.setattr(repository, name, damaged)
    clock.advance(hours=24)
    assert await tables.reminders.sweep() == 1


async def test_one_clock_that_cannot_be_set_right_keeps_no_other_from_it(
    tables: GameService, game_id: int, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = await tables.lobby.create("toy", ANN, [(ANN, "Ann"), (BOB, "Bob")])
    await tables.lobby.start(other, ANN, "list")

    def set_right(running: RunningWait, now: datetime) -> WaitRecord:
        if running.wait.game == game_id:
            raise OverflowError("date value out of range")
        return msgspec.structs.replace(running.wait, due_at=now.timestamp())

    monkeypatch.setattr(reminders_module, "correct_wait", set_right)
    assert await tables.reminders.sweep() == 1
