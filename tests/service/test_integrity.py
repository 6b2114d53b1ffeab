"""What follows from the log is made again; what else is wrong with a game is named in a sentence, and a backup has it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import msgspec
import psycopg
import pytest

from bot.engine.refusals import Rejected
from bot.service.game_service import GameService
from bot.store import Server, Store, StoreDamaged, compress_state, decompress_state
from bot.store.moves import MoveRepository
from bot.store.schema import metadata
from tests.blank_database import write_blank
from tests.conftest import ON_BOTH
from tests.families import few
from tests.service.conftest import ANN, BOB, CID, EVE, Clock, total
from tests.service.toy_title import TITLES
from tests.store.postgres_cluster import cluster, execute

Write = Callable[..., None]


REFUSED = (psycopg.DataError, psycopg.IntegrityError, psycopg.ProgrammingError)

SICK, OTHER = 1, 2
"""A game that is damaged, and one that is not."""


async def play_two_games(path: Path) -> None:
    """The first with five moves, one of them taken back and made again: records 1 to 9, and a total of 15."""
    write_blank(path)
    store = await Store.open(path)
    tables = GameService(store, TITLES, Clock())
    for seed in (SICK, OTHER):
        game = await tables.lobby.create("toy", ANN, [(ANN, "Ann"), (BOB, "Bob"), (CID, "Cid")], seed=seed)
        await tables.lobby.start(game, ANN, "list")
    for price, person in enumerate((ANN, BOB, CID, ANN, BOB), 1):
        await tables.moves.submit(SICK, person, f"bid P1 {price}")
    await tables.moves.undo(SICK, BOB)
    await tables.moderation.set_status(SICK, ANN, "paused")
    await tables.moderation.set_status(SICK, ANN, "running")
    await tables.moves.submit(SICK, BOB, "bid P1 5")
    await store.close()


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database with these games."""
    path = tmp_path_factory.mktemp("played") / "signalbox.db"
    asyncio.run(play_two_games(path))
    return path


@pytest.fixture(scope="module")
def played_there(played: Path) -> Iterator[Server]:
    """The same on a server."""
    server = cluster().fresh(None)
    asyncio.run(carry(played, server))
    yield server
    cluster().drop(server)


async def carry(source: Path, target: Server) -> None:
    here, there = await Store.open(source), await Store.open(target)
    await here.copy_to(there, lambda total, done: None)
    await here.close()
    await there.close()


@pytest.fixture(params=ON_BOTH)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path | Server]:
    """A copy of it."""
    if request.param == "file":
        (tmp_path / "signalbox.db").write_bytes(request.getfixturevalue("played").read_bytes())
        yield tmp_path / "signalbox.db"
        return
    server = cluster().fresh(request.getfixturevalue("played_there").url.database)
    yield server
    cluster().drop(server)


@pytest.fixture
async def store(place: Path | Server) -> AsyncIterator[Store]:
    opened = await Store.open(place, patience=0.2)
    yield opened
    await opened.close()


@pytest.fixture
def write(tables: GameService, place: Path | Server) -> Write:
    """Changes the database behind everybody's back. What a server refuses to keep cannot befall it."""

    def run(*statements: str, values: tuple[object, ...] = ()) -> None:
        try:
            execute(place, *statements, values=values)
        except REFUSED as error:
            pytest.skip(f"a server keeps no such thing: {error}")
        tables.desk._warm.clear()

    return run


async def named(tables: GameService, game_id: int) -> list[str]:
    """What the doctor says of a game."""
    return [str(fault) for fault in (await tables.doctor.examine(game_id)).faults]


async def mended(tables: GameService, game_id: int) -> tuple[str, ...]:
    """What is mended of a game, which is well afterwards; a second time there is nothing to do."""
    repair = await tables.doctor.repair(game_id)
    assert repair.report.is_healthy, repair.lines()
    again = await tables.doctor.repair(game_id)
    assert (again.done, again.report) == ((), repair.report)
    return repair.done


async def left_to_a_backup(tables: GameService, game_id: int) -> str:
    """What is named of a game after a repair, which has changed nothing that is not made again."""
    before = await tables.doctor.examine(game_id)
    repair = await tables.doctor.repair(game_id)
    assert [str(fault) for fault in repair.report.faults] == [str(fault) for fault in before.faults if not fault.cures]
    return "\n".join(map(str, repair.report.faults))


# -- positions ----------------------------------------------------------------------------------------

GONE = {
    "all": "DELETE FROM snapshots WHERE game = 1",
    "the first": "DELETE FROM snapshots WHERE game = 1 AND number = 0",
    "the newest": "DELETE FROM snapshots WHERE game = 1 AND number = 9",
    "all but the first": "DELETE FROM snapshots WHERE game = 1 AND number > 0",
    "the newest damaged": "UPDATE snapshots SET state = x'0102' WHERE game = 1 AND number = 9",
    "the newest cut off": "UPDATE snapshots SET state = substr(state, 1, 200) WHERE game = 1 AND number = 9",
    "one in the middle damaged": "UPDATE snapshots SET state = 'rubbish' WHERE game = 1 AND number = 4",
    "one that was taken back damaged": "UPDATE snapshots SET state = x'' WHERE game = 1 AND number = 5",
    "one ahead of the log": "INSERT INTO snapshots SELECT game, 10, state FROM snapshots WHERE game = 1 AND number = 4",
    "the newest of another game": "UPDATE snapshots SET state = (SELECT state FROM snapshots WHERE game = 2) WHERE game = 1 AND number = 9",
}


@pytest.mark.parametrize("what", GONE)
async def test_a_position_that_is_missing_or_damaged_is_named_and_made_again(
    tables: GameService, write: Write, what: str
) -> None:
    before = await tables.desk.store.moves.snapshots(SICK)
    write(GONE[what])
    assert [report.game for report in await tables.doctor.examine_all() if not report.is_healthy] == [SICK]
    said = await named(tables, SICK)
    assert all(fault.startswith("position ") for fault in said)
    assert len(await mended(tables, SICK)) == len(said) > 0
    after = await tables.desk.store.moves.snapshots(SICK)
    assert {number: decompress_state(after[number], SICK) for number in after if number < 10} == {
        number: decompress_state(before[number], SICK) for number in after
    }


@pytest.mark.parametrize("what", few(GONE, 0, 4, 8))
async def test_a_game_whose_positions_are_damaged_opens_is_exported_and_goes_on(
    tables: GameService, write: Write, caplog: pytest.LogCaptureFixture, what: str
) -> None:
    write(GONE[what])
    assert await total(tables, SICK) == 15
    assert (await tables.queries.game_file(SICK)).moves[-1] == "@2 bid P1 5"
    if any(word in what for word in ("all", "newest")):
        assert "made again from" in caplog.text
        assert await tables.desk.store.moves.snapshot(SICK, 9) is not None
    for number in range(10):
        await tables.queries.position_at(SICK, number)
    await tables.moderation.rewind(SICK, ANN, 4)
    await tables.moves.submit(SICK, BOB, "bid P1 2")
    assert await total(tables, SICK) == 12


async def test_what_cannot_be_kept_again_can_still_be_played(
    tables: GameService, write: Write, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def full(*arguments: object) -> None:
        raise StoreDamaged("There is no room.")

    monkeypatch.setattr(MoveRepository, "put_snapshots", full)
    write("DELETE FROM snapshots WHERE game = 1")
    assert await total(tables, SICK) == 15
    assert "it could not be kept: There is no room." in caplog.text


async def changed(store: Store, game_id: int, number: int, total_now: int) -> bytes:
    """A position with another total, packed."""
    state = msgspec.json.decode((await store.moves.snapshot(game_id, number)) or b"")
    state["special"]["total"] = total_now
    return compress_state(msgspec.json.encode(state))


async def test_a_position_that_differs_is_mended_where_a_later_one_shows_that_the_log_is_right(
    tables: GameService, write: Write
) -> None:
    wrong = await changed(tables.desk.store, SICK, 3, 50)
    write("UPDATE snapshots SET state = ? WHERE game = 1 AND number = 3", values=(wrong,))
    assert await named(tables, SICK) == ["move 3: state.special.total: 50 was saved, 6 is replayed"]
    assert await mended(tables, SICK) == ("position 3 is made again from the log, which leads to others that are kept",)


async def test_the_newest_position_is_what_the_players_saw_and_stays(tables: GameService, write: Write) -> None:
    wrong = await changed(tables.desk.store, SICK, 9, 50)
    write("UPDATE snapshots SET state = ? WHERE game = 1 AND number = 9", values=(wrong,))
    repair = await tables.doctor.repair(SICK)
    assert repair.done == ()
    assert repair.lines() == ["game 1: move 9: state.special.total: 50 was saved, 15 is replayed"]
    assert await total(tables, SICK) == 50


async def test_a_position_that_cannot_be_is_not_used(tables: GameService, write: Write) -> None:
    state = msgspec.json.decode((await tables.desk.store.moves.snapshot(SICK, 9)) or b"")
    state["flow"][-1]["plan"] = "nothing"
    write("UPDATE snapshots SET state = ? WHERE number = 9", values=(compress_state(msgspec.json.encode(state)),))
    assert (await named(tables, SICK))[0].startswith("position 9: it cannot be: ")
    assert await total(tables, SICK) == 15
    assert await named(tables, SICK) == []


# -- the log ------------------------------------------------------------------------------------------

BROKEN = {
    "a circle": ("UPDATE moves SET parent = 9 WHERE game = 1 AND number = 3", "record 3: it cannot stand on record 9"),
    "itself": ("UPDATE moves SET parent = 3 WHERE game = 1 AND number = 3", "record 3: it cannot stand on record 3"),
    "nowhere": ("UPDATE moves SET parent = 77 WHERE game = 1 AND number = 3", "record 3: it cannot stand on record 77"),
    "too far back": (
        "UPDATE moves SET parent = 0 WHERE game = 1 AND number = 3",
        "record 3: it cannot stand on record 0",
    ),
    "a number": (
        "UPDATE moves SET number = 77 WHERE game = 1 AND number = 4",
        "record 77: it cannot stand on record 3",
    ),
    "an undo": ("UPDATE moves SET parent = 9 WHERE game = 1 AND number = 6", "record 6: it cannot stand on record 9"),
    "a kind": (
        "UPDATE moves SET kind = 'mvoe' WHERE game = 1 AND number = 3",
        "record 3: there is no kind of record called 'mvoe'",
    ),
    "a seat": (
        "UPDATE moves SET seat = -1 WHERE game = 1 AND number = 3",
        "record 3: seat cannot be read (Expected `int` >= 1)",
    ),
}


@pytest.mark.parametrize("what", BROKEN)
async def test_a_log_that_leads_nowhere_is_named_and_holds_nothing_up(
    tables: GameService, write: Write, what: str
) -> None:
    statement, said = BROKEN[what]
    write(statement)
    for act in (
        tables.queries.log_since(SICK),
        tables.queries.actions(SICK),
        tables.queries.position_at(SICK, 2),
        tables.queries.status(SICK),
    ):
        try:
            await act
        except (Rejected, StoreDamaged) as error:
            assert str(error).endswith(("doctor.", "begun."))
    assert [status.record.id for status in await tables.queries.games_of(ANN)] == [OTHER, SICK]
    assert await named(tables, OTHER) == []
    assert said in await left_to_a_backup(tables, SICK)


async def test_a_position_that_a_broken_log_leads_to_is_not_made_again(tables: GameService, write: Write) -> None:
    """The newest position is what the players saw: only a log that certainly leads to it tells what it was."""
    write(
        "UPDATE moves SET parent = 0 WHERE game = 1 AND number = 3",
        "DELETE FROM snapshots WHERE game = 1 AND number > 2",
    )
    assert "position 9: it is not kept" in await left_to_a_backup(tables, SICK)


async def test_no_position_is_made_again_from_another_that_is_in_doubt(tables: GameService, write: Write) -> None:
    wrong = await changed(tables.desk.store, SICK, 4, 50)
    write("UPDATE snapshots SET state = ? WHERE game = 1 AND number = 4", values=(wrong,))
    write("DELETE FROM snapshots WHERE game = 1 AND number > 4")
    said = await left_to_a_backup(tables, SICK)
    assert "move 4: state.special.total: 50 was saved, 10 is replayed" in said and "position 9: it is not kept" in said


async def test_a_circle_of_parents_ends(tables: GameService, write: Write) -> None:
    write("UPDATE moves SET parent = 9 WHERE game = 1 AND number = 8", "UPDATE moves SET parent = 9 WHERE number = 9")
    for number in range(10):
        assert len(await tables.desk.store.moves.full_branch(SICK, number)) <= 10
    with pytest.raises(StoreDamaged, match=r"The log of game 1 is broken before entry 9; run: signalbox doctor\."):
        await tables.queries.log_since(SICK)
    write("DELETE FROM snapshots")
    with pytest.raises(StoreDamaged, match="broken before entry 9"):
        await tables.desk.table(SICK)
    assert "record 9: it cannot stand on record 9" in await left_to_a_backup(tables, SICK)


async def test_a_move_that_the_rules_refuse_is_named_and_the_game_goes_on_from_the_next_position(
    tables: GameService, write: Write
) -> None:
    write("UPDATE moves SET text = '@1 bid P1 10' WHERE game = 1 AND number = 1")
    write("UPDATE snapshots SET state = x'00' WHERE game = 1 AND number = 9")
    assert [fault.split(" (")[0] for fault in await named(tables, SICK)] == [
        "move 1: @1 bid P1 10 is no longer allowed: 10 is not 1 to 9.",
        "position 9: it is damaged and cannot be read",
    ]
    repair = await tables.doctor.repair(SICK)
    assert repair.done == ("position 9 is made again from the log",)
    assert [fault.number for fault in repair.report.faults] == [1]
    assert await total(tables, SICK) == 15
    write("DELETE FROM snapshots WHERE game = 1")
    with pytest.raises(StoreDamaged, match=r"log entry 1 cannot be replayed \(10 is not 1 to 9"):
        await tables.desk.table(SICK)


async def test_records_that_are_gone_are_named(tables: GameService, write: Write) -> None:
    write("DELETE FROM moves WHERE game = 1 AND number = 3")
    assert (await named(tables, SICK))[0] == "the log: record 3 is missing"
    assert await total(tables, SICK) == 15
    with pytest.raises(StoreDamaged, match="The log of game 1 is broken before entry 4"):
        await tables.queries.log_since(SICK)
    write("DELETE FROM moves WHERE game = 1")
    assert "there is no log" in (await named(tables, SICK))[0]
    assert (await tables.doctor.repair(SICK)).report.is_healthy is False
    with pytest.raises(StoreDamaged, match="does not end where it should"):
        await tables.desk.table(SICK)


async def test_a_record_that_has_lost_its_game_is_counted_and_stays(tables: GameService, write: Write) -> None:
    write("UPDATE moves SET game = 99 WHERE game = 1 AND number = 3", "UPDATE clocks SET game = 99 WHERE game = 1")
    assert [report.game for report in await tables.doctor.examine_all() if not report.is_healthy] == [SICK, 0]
    repair = await tables.doctor.repair(0)
    assert [str(fault) for fault in repair.report.faults] == ["moves: 1 row(s) belong to game 99, which there is not"]
    assert repair.done == ("clocks: 1 row(s) dropped",)
    assert "the log: record 3 is missing" in await left_to_a_backup(tables, SICK)


# -- the game's row and its seats ---------------------------------------------------------------------

FOREIGN = "its own row or its seats: no kept position agrees with them (position 0: it is one of another game: "
ROWS = {
    "options": ("UPDATE games SET options = 'rubbish' WHERE id = 1", "options cannot be read"),
    "options of another shape": ("UPDATE games SET options = '[1]' WHERE id = 1", "options cannot be read"),
    "an option that there is not": ("UPDATE games SET options = '{\"a\": \"b\"}' WHERE id = 1", f"{FOREIGN}options"),
    "the seed": ("UPDATE games SET seed = seed + 1 WHERE id = 1", f"{FOREIGN}seed differ)"),
    "the title": ("UPDATE games SET title = '1899' WHERE id = 1", "the start: There is no title 1899."),
    "the status": ("UPDATE games SET status = 'asleep' WHERE id = 1", "status cannot be read"),
    "back in the lobby": ("UPDATE games SET status = 'lobby' WHERE id = 1", "status is 'lobby', and there is a log"),
    "rules that there are not": ("UPDATE games SET rules = 7 WHERE id = 1", "the start: This game uses version 7"),
    "a seat missing": ("DELETE FROM seats WHERE game = 1 AND number = 2", "its seats: they are numbered 1, 3"),
    "the last seat missing": ("DELETE FROM seats WHERE game = 1 AND number = 3", f"{FOREIGN}seats differ)"),
    "a seat too many": ("INSERT INTO seats (game, number, person, name) VALUES (1, 4, 'x', 'Xe')", f"{FOREIGN}seats differ)"),
    "a seat elsewhere": ("UPDATE seats SET number = 7 WHERE game = 1 AND number = 2", "its seats: they are numbered 1, 3, 7"),
    "two of one name": ("UPDATE seats SET name = 'ANN' WHERE game = 1 AND number = 2", "seat 2: its name 'ANN' is that of"),
}  # fmt: skip
FOLLOWING = {
    "a log too short": ("UPDATE games SET version = 5 WHERE id = 1", "(version) is 5, and the log ends with 9"),
    "a log too long": ("UPDATE games SET version = 50 WHERE id = 1", "(version) is 50, and the log ends with 9"),
    "a time that there is not": ("UPDATE games SET updated_at = -1 WHERE id = 1", "(updated_at) cannot be read"),
}


@pytest.mark.parametrize("what", ROWS)
async def test_a_row_that_contradicts_log_and_positions_is_named(tables: GameService, write: Write, what: str) -> None:
    statement, said = ROWS[what]
    write(statement)
    if what != "two of one name":
        with pytest.raises((StoreDamaged, Rejected)):
            await tables.moves.submit(SICK, CID, "bid P1 1")
    before = await tables.desk.store.moves.snapshots(SICK)
    assert said in await left_to_a_backup(tables, SICK)
    assert await tables.desk.store.moves.snapshots(SICK) == before
    await tables.moves.submit(OTHER, ANN, "bid P1 1")


@pytest.mark.parametrize("what", FOLLOWING)
async def test_what_follows_from_the_log_is_put_right_in_a_row(tables: GameService, write: Write, what: str) -> None:
    statement, said = FOLLOWING[what]
    write(statement)
    with pytest.raises((StoreDamaged, Rejected)):
        await tables.moves.submit(SICK, CID, "bid P1 1")
    assert said in "\n".join(await named(tables, SICK))
    assert len(await mended(tables, SICK)) == 1
    await tables.moves.submit(SICK, CID, "bid P1 1")
    assert await total(tables, SICK) == 16


async def test_a_last_record_that_is_gone_is_not_forgotten(tables: GameService, write: Write) -> None:
    """The position after it shows that it was there."""
    write("DELETE FROM moves WHERE game = 1 AND number = 9")
    assert "(version) is 9, and the log ends with 8" in await left_to_a_backup(tables, SICK)


async def test_a_lobby_is_looked_through_too(tables: GameService, write: Write) -> None:
    lobby = await tables.lobby.create("toy", ANN, [(ANN, "Ann"), (BOB, "Bob")])
    assert [report.game for report in await tables.doctor.examine_all()] == [SICK, OTHER]
    write(f"UPDATE seats SET number = 9, muted = 7 WHERE game = {lobby} AND number = 2")
    assert [report.game for report in await tables.doctor.examine_all()] == [SICK, OTHER, lobby]
    assert len((await left_to_a_backup(tables, lobby)).splitlines()) == 2


# -- the rest -----------------------------------------------------------------------------------------


async def test_clocks_and_notices_of_seats_that_there_are_not(tables: GameService, write: Write, clock: Clock) -> None:
    write("UPDATE clocks SET seat = 9 WHERE game = 1", "UPDATE outbox SET seat = 9 WHERE game = 1 AND seat = 2")
    clock.advance(hours=24)
    assert await tables.reminders.sweep() == 1
    assert [notice.game for notice in await tables.outbox.waiting_notices() if notice.kind == "reminder"] == [OTHER]
    said = await named(tables, SICK)
    assert said[0] == "clock of seat 9: there is no such seat"
    assert "notice 6: it is not what was saved (seal)" in await left_to_a_backup(tables, SICK)
    assert [found.seat for found in await tables.desk.store.clocks.list_of(SICK)] == [3]


async def test_a_waiting_notice_that_cannot_be_read_takes_no_room_from_others(
    tables: GameService, write: Write, caplog: pytest.LogCaptureFixture
) -> None:
    write("UPDATE outbox SET lines = '{' WHERE game = 1")
    assert {notice.game for notice in await tables.outbox.waiting_notices(limit=2)} == {OTHER}
    await tables.outbox.waiting_notices()
    assert caplog.text.count("The saved data of game 1 is damaged (lines)") == 1


async def test_orders_and_questions_that_are_none(tables: GameService, write: Write) -> None:
    await tables.plans.give_plan(SICK, BOB, "pass")
    poll = await tables.votes.start_poll(SICK, ANN, "undo", {"number": 3})
    write('UPDATE orders SET data = \'{"type": "dance"}\'', "UPDATE questions SET data = '{}'")
    assert await tables.votes.polls(SICK) == []
    with pytest.raises(StoreDamaged, match="vote"):
        await tables.votes.answer_poll(poll.record.id, BOB, True)
    await tables.moves.submit(SICK, CID, "bid P1 1")
    assert await tables.plans.own_plans(SICK, BOB) == []
    assert len((await left_to_a_backup(tables, SICK)).splitlines()) == 2


async def test_habits_that_cannot_be_read_are_the_usual_ones(
    tables: GameService, write: Write, place: Path | Server
) -> None:
    await tables.reminders.set_default_quiet_hours(EVE, "Europe/Berlin", 22, 8)
    # A server keeps no text that is none.
    write("UPDATE people SET quiet_from = 99", *["UPDATE people SET language = x'ff'"] * isinstance(place, Path))
    habits = await tables.desk.store.people.find(EVE)
    assert (habits.zone, habits.quiet_from, habits.language) == ("Europe/Berlin", None, "")
    (said,) = (await tables.doctor.repair(0)).report.faults
    assert str(said).startswith("habits of 'discord:666': begin of quiet hours (quiet_from) cannot be read")


async def test_a_person_with_one_game_that_cannot_be_opened_may_still_go_on_holiday(
    tables: GameService, write: Write
) -> None:
    write("UPDATE games SET options = 'rubbish' WHERE id = 1")
    await tables.reminders.set_holiday(ANN, 3)
    assert await tables.reminders.set_default_quiet_hours(ANN, "Europe/Berlin", 22, 8) == 1
    assert [seat.zone for seat in await tables.desk.store.games.seats(OTHER)] == ["Europe/Berlin", "UTC", "UTC"]
    first, second = await tables.queries.games_of(ANN)
    assert (first.record.id, second.record.id) == (OTHER, SICK)
    assert str(second.question) == "The saved data of game 1 is damaged (options); run: signalbox doctor."


async def test_what_is_well_is_left_alone(tables: GameService, place: Path | Server) -> None:
    def rows() -> list[object]:
        return [execute(place, f"SELECT * FROM {table} ORDER BY 1, 2") for table in metadata.tables]

    before = rows()
    assert [repair.done for repair in await tables.doctor.repair_all()] == [(), ()]
    assert rows() == before


async def test_a_mended_game_is_found_by_a_fresh_program(tables: GameService, write: Write) -> None:
    write("DELETE FROM snapshots")
    await tables.doctor.repair_all()
    fresh = GameService(tables.desk.store, TITLES)
    assert await total(fresh, SICK) == 15


async def test_what_an_examination_raises_is_a_finding(
    tables: GameService, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A `StopIteration` that left its thread would let the doctor wait for ever (Python 3.11)."""

    def begin(*arguments: object) -> None:
        raise StopIteration

    monkeypatch.setattr("bot.service.integrity.replay_check.initial_position", begin)
    assert await named(tables, SICK) == ["its rows: they cannot be examined: StopIteration: "]
