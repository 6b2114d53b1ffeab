"""Nothing is half written: failures at every statement, a full disk, a locked or broken file, a killed process."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import event, text

from bot.engine.games.game_record import GameRecordFile
from bot.engine.refusals import StalePosition
from bot.service.game_service import GameService
from bot.service.sessions.budgets import PRESETS
from bot.store import Conflict, Server, Store, StoreDamaged, StoreFull, StoreLocked, StoreMissing, StoreReadOnly
from bot.store.backends.postgres import SPACE, WRITER
from bot.store.moves import MoveRepository
from tests.families import few
from tests.service.conftest import ANN, BOB, CID, EVE, Clock, total
from tests.service.toy_title import TITLES
from tests.store.postgres_cluster import execute
from tests.store.statements import at_each_statement

EVERYTHING = (
    "games",
    "seats",
    "moves",
    "snapshots",
    "clocks",
    "outbox",
    "places",
    "questions",
    "answers",
    "orders",
    "sandboxes",
    "ledger",
)


def contents(place: Path | Server) -> dict[str, list[Any]]:
    """Every row of every table."""
    return {table: execute(place, f"SELECT * FROM {table} ORDER BY 1, 2") for table in EVERYTHING}


class Killed(BaseException):
    """Stands for whatever may end a task."""


def fail_at(monkeypatch: pytest.MonkeyPatch, number: int, kind: type[BaseException]) -> Callable[[], int]:
    """Let statement number `number` (from 0) fail; returns how many were asked for."""
    count = 0

    def begins(is_change: bool) -> None:
        nonlocal count
        count += 1
        if count == number + 1:
            raise kind()

    at_each_statement(monkeypatch, begins)
    return lambda: count


async def all_or_nothing(
    place: Path | Server,
    monkeypatch: pytest.MonkeyPatch,
    act: Callable[[], Awaitable[object]],
    kind: type[BaseException] = Killed,
) -> None:
    """Do something that fails at each of its statements, one after the other, and changes nothing then; at last do it."""
    before, failures = contents(place), 0
    while True:
        with monkeypatch.context() as patched:
            count = fail_at(patched, failures, kind)
            with contextlib.suppress(kind):
                await act()
            if count() <= failures:
                break
        assert contents(place) == before, f"statement {failures}"
        failures += 1
    assert failures >= 2
    assert contents(place) != before


VOTES: dict[str, dict[str, object]] = {
    "undo": {"number": 0},
    "end": {},
    "replace": {"seat": 2, "newcomer": EVE, "name": "Eve"},
    "computer": {"seat": 2},
    "skip": {"seat": 2},
    "fine": {"seat": 2, "amount": 5},
}


ACTS: dict[str, Callable[[GameService, int], Awaitable[object]]] = {
    "play": lambda tables, game: tables.moves.submit(game, BOB, "bid P1 7"),
    "undo": lambda tables, game: tables.moves.undo(game, ANN),
    "rewind": lambda tables, game: tables.moderation.rewind(game, ANN, 0),
    "pause": lambda tables, game: tables.moderation.set_status(game, ANN, "paused"),
    "replace": lambda tables, game: tables.moderation.replace(game, ANN, 2, EVE, "Eve"),
    "abandon": lambda tables, game: tables.moderation.leave_seat(game, BOB),
    "sweep": lambda tables, game: tables.reminders.sweep(),
    "import": lambda tables, game: tables.transfer.import_game(
        GameRecordFile("toy", ("A", "B"), ("@1 bid P1 5",)), ANN, {"B": BOB}
    ),
}


CLOCK_ACTS: dict[str, Callable[[GameService, int], Awaitable[object]]] = {
    "play": ACTS["play"],
    "undo": ACTS["undo"],
    "pause": ACTS["pause"],
    "replace": lambda tables, game: tables.moderation.replace(game, ANN, 2, EVE, "Eve"),
    "clock": lambda tables, game: tables.moderation.set_clock(game, ANN, PRESETS["daily"]),
    "vote": lambda tables, game: tables.votes.start_poll(game, ANN, "clock", {"clock": {}}),
    "penalty": lambda tables, game: tables.clocks.settle(game),
}


@pytest.mark.parametrize("act", few(CLOCK_ACTS, 0, 6))
async def test_a_failure_at_any_statement_keeps_every_second(
    tables: GameService, clock: Clock, place: Path | Server, monkeypatch: pytest.MonkeyPatch, act: str
) -> None:
    """In a game with a clock: budgets are as before, or as after the whole act; nobody is asked twice, passed for twice or
    granted anything twice.
    """
    tables.desk.listeners.clear()
    game = await tables.lobby.create("toy", ANN, [(ANN, "Ann"), (BOB, "Bob")], allowance=PRESETS["blitz"])
    await tables.lobby.start(game, ANN, "list")
    clock.advance(seconds=100)
    await tables.moves.submit(game, ANN, "bid P1 3")
    clock.advance(seconds=604)
    await tables.desk.store.outbox.supersede(clock.time.timestamp())

    async def left() -> list[float]:
        return [one.left for one in (await tables.desk.budgets(await tables.desk.table(game))).values()]

    assert await left() == [505, -4]
    await all_or_nothing(place, monkeypatch, lambda: CLOCK_ACTS[act](tables, game))
    assert (await tables.doctor.examine(game)).is_healthy
    expected = {"play": [505, 1], "clock": [505 * 720, -4 * 720]}.get(act, [505, -4])
    if act != "vote":
        assert await left() == pytest.approx(expected)
    for topic in ("set 0", "answer 1", "wait 0"):
        assert [one.topic for one in await tables.desk.store.ledger.list_of(game) if one.seat == 1].count(topic) == 1


@pytest.mark.parametrize("kind", few([Killed, asyncio.CancelledError], 0))
@pytest.mark.parametrize("act", list(ACTS))
async def test_a_failure_at_any_statement_leaves_all_or_nothing(
    tables: GameService,
    game_id: int,
    clock: Clock,
    place: Path | Server,
    monkeypatch: pytest.MonkeyPatch,
    act: str,
    kind: type[BaseException],
) -> None:
    # Who follows a move (a front door, computer players) has transactions of his own.
    tables.desk.listeners.clear()
    await tables.moves.submit(game_id, ANN, "bid P1 3")
    clock.advance(hours=24)
    await tables.desk.store.outbox.supersede(clock.time.timestamp())
    await all_or_nothing(place, monkeypatch, lambda: ACTS[act](tables, game_id), kind)
    assert (await tables.doctor.examine(game_id)).is_healthy
    if act == "play":
        assert await total(tables, game_id) == 10


@pytest.mark.parametrize(("vote", "agree"), [*((vote, True) for vote in VOTES), ("fine", False), ("undo", None)])
async def test_a_vote_is_put_and_carried_out_whole_or_not_at_all(
    tables: GameService,
    game_id: int,
    clock: Clock,
    place: Path | Server,
    monkeypatch: pytest.MonkeyPatch,
    vote: str,
    agree: bool | None,
) -> None:
    """Ann's answer decides; None: all have answered in advance."""
    tables.desk.listeners.clear()
    await tables.moderation.correct(game_id, ANN, "cash Bob 100", "something to lose")
    await tables.moves.submit(game_id, ANN, "bid P1 3")
    clock.advance(days=8)
    for person in (ANN, BOB) if agree is None else ():
        await tables.plans.give_plan(game_id, person, f"agree {vote}")
    version = (await tables.desk.table(game_id)).record.version
    await all_or_nothing(place, monkeypatch, lambda: tables.votes.start_poll(game_id, CID, vote, VOTES[vote]))
    ((number,),) = execute(place, "SELECT id FROM questions")
    if agree is not None:
        asked = [one.lines for one in await tables.outbox.waiting_notices() if one.kind == "question"]
        assert asked == [[str(number), ANN, BOB] if vote == "end" else [str(number), ANN]]
        if vote == "end":
            await tables.votes.answer_poll(number, BOB, True)
        await all_or_nothing(place, monkeypatch, lambda: tables.votes.answer_poll(number, ANN, bool(agree)))
    ((outcome, is_closed),) = execute(place, "SELECT outcome, closed_at IS NOT NULL FROM questions")
    assert (outcome, bool(is_closed)) == ("refused" if agree is False else "agreed", True)
    assert (await tables.desk.table(game_id)).record.version - version == (agree is not False)
    given = {seat: bool(one) for seat, one in execute(place, "SELECT seat, agree FROM answers")}
    assert given[1] == (agree is not False)


async def test_an_order_is_given_and_a_game_resumed_with_all_that_orders_do_then(
    tables: GameService, game_id: int, place: Path | Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables.desk.listeners.clear()

    async def last() -> tuple[str, bool]:
        record = (await tables.desk.store.moves.list_of(game_id))[-1]
        return record.text, record.auto

    await all_or_nothing(place, monkeypatch, lambda: tables.plans.give_plan(game_id, ANN, "pass until sale"))
    assert await last() == ("@1 pass", True)
    await tables.moderation.set_status(game_id, ANN, "paused")
    await all_or_nothing(place, monkeypatch, lambda: tables.plans.give_plan(game_id, BOB, "pass until sale"))
    assert await last() == ("", False), "nothing is done while the game is paused"
    await all_or_nothing(place, monkeypatch, lambda: tables.moderation.set_status(game_id, ANN, "running"))
    assert await last() == ("@2 pass", True)


async def test_moves_leave_the_sandbox_when_they_are_made(
    tables: GameService, game_id: int, place: Path | Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables.desk.listeners.clear()
    await tables.sandbox.add(game_id, ANN, "bid P1 3")
    await tables.sandbox.add(game_id, ANN, "bid P1 4")
    await all_or_nothing(place, monkeypatch, lambda: tables.sandbox.commit(game_id, ANN))
    assert await total(tables, game_id) == 3
    assert execute(place, "SELECT texts FROM sandboxes") == [('["@2 bid P1 4"]',)]
    await tables.sandbox.undo(game_id, ANN, None)
    assert execute(place, "SELECT texts FROM sandboxes") == []


async def test_a_failing_commit(tables: GameService, game_id: int, place: Path | Server) -> None:
    before = contents(place)

    def fail(connection: object) -> None:
        raise Killed

    event.listen(tables.desk.store.backend.writers.sync_engine, "commit", fail)
    with pytest.raises(Killed):
        await tables.moves.submit(game_id, ANN, "bid P1 5")
    event.remove(tables.desk.store.backend.writers.sync_engine, "commit", fail)
    assert contents(place) == before
    await tables.moves.submit(game_id, ANN, "bid P1 4")
    assert await total(tables, game_id) == 4


async def test_a_locked_database(tables: GameService, game_id: int, place: Path | Server) -> None:
    other: sqlite3.Connection | psycopg.Connection
    if isinstance(place, Path):
        other = sqlite3.connect(place, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
    else:
        other = psycopg.connect(place.text)
        other.execute(f"SELECT pg_advisory_xact_lock({SPACE}, {WRITER})")
    with pytest.raises(StoreLocked, match=r"The database is busy; nothing was saved\. Please try again\."):
        await tables.moves.submit(game_id, ANN, "bid P1 5")
    assert await total(tables, game_id) == 0
    assert len(await tables.desk.store.moves.list_of(game_id)) == 1
    other.execute("ROLLBACK")
    other.close()
    await tables.moves.submit(game_id, ANN, "bid P1 5")
    assert await total(tables, game_id) == 5


@pytest.mark.parametrize("place", ["file"], indirect=True)
async def test_a_full_disk(tables: GameService, game_id: int, place: Path) -> None:
    engine = tables.desk.store.backend.writers

    def limit(connection: Any, record: Any) -> None:
        cursor = connection.cursor()
        cursor.execute("PRAGMA page_count")
        cursor.execute(f"PRAGMA max_page_count={cursor.fetchone()[0]}")
        cursor.close()

    event.listen(engine.sync_engine, "connect", limit)
    await engine.dispose()
    before = 0
    with pytest.raises(StoreFull, match="no room left on the disk; nothing was saved"):
        for turn in range(200):
            before = (await tables.desk.table(game_id)).record.version
            await tables.moves.submit(game_id, (ANN, BOB, CID)[turn % 3], "pass")
    assert (await tables.desk.table(game_id)).record.version == before
    rows = contents(place)
    assert max(row[1] for row in rows["moves"]) == before
    event.remove(engine.sync_engine, "connect", limit)
    await engine.dispose()
    await tables.moves.submit(game_id, (ANN, BOB, CID)[before % 3], "pass")
    assert (await tables.doctor.examine(game_id)).is_healthy


@pytest.mark.parametrize("place", ["file"], indirect=True)
async def test_a_read_only_database(tables: GameService, game_id: int) -> None:
    async with tables.desk.store.read_transaction() as connection:
        await connection.execute(text("PRAGMA query_only=ON"))
    with pytest.raises(StoreReadOnly, match="cannot be written to"):
        await tables.moves.submit(game_id, ANN, "pass")
    async with tables.desk.store.read_transaction() as connection:
        await connection.execute(text("PRAGMA query_only=OFF"))
    await tables.moves.submit(game_id, ANN, "pass")


@pytest.mark.parametrize("junk", [b"this is no database at all, but a letter to a friend" * 100, b"\0" * 4096])
async def test_a_file_that_is_no_database(tmp_path: Path, junk: bytes) -> None:
    path = tmp_path / "signalbox.db"
    path.write_bytes(junk)
    with pytest.raises(StoreDamaged, match="damaged; restore it from a backup"):
        await Store.open(path)
    assert path.read_bytes() == junk


async def test_a_damaged_file(tmp_path: Path) -> None:
    path = tmp_path / "signalbox.db"
    store = await Store.open(path)
    tables = GameService(store, TITLES)
    game = await tables.lobby.create("toy", ANN, [(ANN, "Ann"), (BOB, "Bob")])
    await tables.lobby.start(game, ANN, "list")
    await store.close()
    data = bytearray(path.read_bytes())
    for page in range(4096, len(data), 4096):
        data[page : page + 200] = b"\xff" * 200
    path.write_bytes(bytes(data))
    with pytest.raises(StoreDamaged, match="damaged"):
        store = await Store.open(path)
        try:
            await GameService(store, TITLES).moves.submit(game, ANN, "pass")
        finally:
            await store.close()


async def test_a_damaged_position(tables: GameService, game_id: int, caplog: pytest.LogCaptureFixture) -> None:
    async with tables.desk.store.write_transaction() as connection:
        await connection.execute(text("UPDATE snapshots SET state = :junk"), {"junk": b"\1\2"})
    tables.desk.forget(game_id)
    assert "is damaged" in str(await tables.doctor.examine(game_id))
    await tables.moves.submit(game_id, ANN, "pass")
    assert "position 0: it is damaged and cannot be read; made again from the beginning and the log" in caplog.text
    assert (await tables.doctor.examine(game_id)).is_healthy


async def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreMissing):
        await Store.open(tmp_path / "file" / "signalbox.db")
    with pytest.raises(StoreMissing):
        await Store.open(tmp_path)


async def test_a_lost_race_is_stale_and_the_new_position_is_read(
    tables: GameService, game_id: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def conflict(self: Store, change: object) -> None:
        raise Conflict("no")

    with monkeypatch.context() as patched:
        patched.setattr(MoveRepository, "commit", conflict)
        with pytest.raises(StalePosition):
            await tables.moves.submit(game_id, ANN, "pass")
    await tables.moves.submit(game_id, ANN, "pass")


PLAYER = """
import asyncio, sys
from pathlib import Path
from bot.store import Server, Store
from bot.service.game_service import GameService
from {package} import TITLES
from tests.families import few

async def main():
    store = await Store.open(Server.parse(sys.argv[1]) if "://" in sys.argv[1] else Path(sys.argv[1]))
    tables = GameService(store, TITLES)
    game = await tables.lobby.create("long", "x:1", [("x:1", "Ann"), ("x:1", "Bob")])
    await tables.lobby.start(game, "x:1", "list")
    while True:
        played = await tables.moves.submit(game, "x:1", "bid P1 1; bid P1 2")
        print(played.version, flush=True)

asyncio.run(main())
"""


async def test_a_killed_process_loses_nothing_that_was_acknowledged(place: Path | Server) -> None:
    folder = Path(__file__).parent
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder.parents[1]), str(folder)])}
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            PLAYER.format(package="toy_title"),
            place.text if isinstance(place, Server) else str(place),
        ],
        stdout=subprocess.PIPE,
        env=environment,
        text=True,
    )
    assert process.stdout is not None
    acknowledged = 0
    for line in process.stdout:
        acknowledged = int(line)
        if acknowledged >= 20:
            process.send_signal(signal.SIGKILL)
            break
    process.wait()
    process.stdout.close()
    store = await Store.open(place)
    tables = GameService(store, TITLES)
    version = (await tables.desk.table(1)).record.version
    assert version >= acknowledged and version % 2 == 0
    assert await total(tables, 1) == version // 2 * 3
    assert (await tables.doctor.examine(1)).is_healthy
    assert await store.check() == "ok"
    await store.close()


async def test_a_game_that_cannot_be_opened_does_not_hold_up_the_others(
    tables: GameService, game_id: int, clock: Clock
) -> None:
    broken = await tables.lobby.create("toy", ANN, [(ANN, "Ann"), (BOB, "Bob")])
    await tables.lobby.start(broken, ANN, "list")
    await tables.desk.store.games.change(broken, title="1899")
    tables.desk.forget(broken)
    clock.advance(hours=24)
    assert await tables.reminders.sweep() == 1
    assert await tables.reminders.sweep() == 0
    first, second = await tables.queries.games_of(BOB)
    assert str(first.question) == "There is no title 1899. Available: toy, long, 1848."
    assert str(second.question).startswith("Ann: raise the total")
    assert [report.is_healthy for report in await tables.doctor.examine_all()] == [True, False]
