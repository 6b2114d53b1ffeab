"""Connections that ask their thread once a statement: nothing stays open, whenever somebody gives up waiting."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import aiosqlite
import pytest
from sqlalchemy import text

from bot.store import Commit, Notice, Server, Store, WaitRecord
from bot.store.file.connection import OneTurnConnection

from .test_database import GAME, SEATS, move

TURNS = 80
"""More turns of the event loop than adding a game takes."""


async def test_whoever_is_broken_off_leaves_nothing_open(tmp_path: Path) -> None:
    path = tmp_path / "signalbox.db"
    store = await Store.open(path)
    saved, broken_off = 0, 0
    for turns in range(TURNS):
        task = asyncio.create_task(store.games.add(GAME, SEATS))
        for _ in range(turns):
            await asyncio.sleep(0.0002)
        task.cancel()
        (result,) = await asyncio.gather(task, return_exceptions=True)
        saved, broken_off = saved + isinstance(result, int), broken_off + isinstance(result, asyncio.CancelledError)
        with closing(sqlite3.connect(path, timeout=2)) as other:
            other.execute("BEGIN IMMEDIATE")
            found = {
                table: other.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ("games", "seats")
            }
        # Whose commit was on its way when he gave up may find it saved, but never a half of it.
        assert saved <= found["games"] <= saved + broken_off and found["seats"] == len(SEATS) * found["games"]
    assert saved and broken_off
    await store.close()


async def test_whoever_is_broken_off_while_he_saves_a_move_has_saved_it_or_nothing(place: Path | Server) -> None:
    store = await Store.open(place)
    game = await store.games.add(GAME, SEATS)
    await store.moves.commit(Commit(game, 0, [move(0)], b"0", 1.0))
    version, broken_off = 0, 0
    for turns in range(0, TURNS, 4):
        clocks = [WaitRecord(game, seat, float(turns), 2.0, number=version + 1) for seat in (1, 2)]
        notices = [Notice(game, version + 1, kind, [], 1.0, 1) for kind in ("board", "turn")]
        change = Commit(game, version, [move(version + 1)], b"1", 1.0, clocks=clocks, restarted=[1, 2], notices=notices)
        task = asyncio.create_task(store.moves.commit(change))
        for _ in range(turns):
            await asyncio.sleep(0.0002)
        task.cancel()
        (result,) = await asyncio.gather(task, return_exceptions=True)
        assert result is None or isinstance(result, asyncio.CancelledError)
        record = await store.games.find(game)
        assert record is not None and record.version in (version + (result is None), version + 1)
        version, broken_off = record.version, broken_off + (result is not None)
        assert (len(await store.moves.list_of(game)), (await store.outbox.state())[0]) == (version + 1, 2 * version)
        assert {clock.number for clock in await store.clocks.list_of(game)} == {version} - {0}
    assert version and broken_off
    await store.close()


@pytest.mark.parametrize("is_failing", [False, True])
async def test_a_glance_and_a_failed_change_leave_no_transaction(tmp_path: Path, is_failing: bool) -> None:
    store = await Store.open(tmp_path / "signalbox.db")
    if is_failing:
        with pytest.raises(RuntimeError):
            async with store.write_transaction() as connection:
                await connection.execute(text("UPDATE games SET version = 1"))
                raise RuntimeError("half-way")
    async with store.single_statement() as connection:
        await connection.execute(text("SELECT 1"))
        raw = await connection.get_raw_connection()
        assert raw.driver_connection is not None and not raw.driver_connection.in_transaction
    with closing(sqlite3.connect(tmp_path / "signalbox.db", timeout=0)) as other:
        other.execute("BEGIN IMMEDIATE")
    await store.close()


async def test_who_closes_a_connection_that_is_being_ended_does_not_wait_for_ever(tmp_path: Path) -> None:
    connection = await OneTurnConnection.create(str(tmp_path / "signalbox.db"))
    closing_down = asyncio.create_task(connection.close())
    await asyncio.sleep(0)
    # The library ends by force what is cancelled while it closes; both are under way now.
    connection.stop()
    closing_down.cancel()
    done, _ = await asyncio.wait({closing_down}, timeout=5)
    assert done


async def test_what_belongs_together_takes_one_turn_of_the_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await Store.open(tmp_path / "signalbox.db")
    game = await store.games.add(GAME, SEATS)
    turns: list[object] = []
    original = aiosqlite.Connection._execute

    async def counted(self: aiosqlite.Connection, function: Any, *args: Any) -> Any:
        turns.append(function)
        return await original(self, function, *args)  # type: ignore[no-untyped-call]

    monkeypatch.setattr(aiosqlite.Connection, "_execute", counted)
    clocks = [WaitRecord(game, 1, 1.0, 2.0)]
    notices = [Notice(game, 0, "board", [], 1.0)]
    await store.moves.commit(Commit(game, 0, [move(1)], b"1", 1.0, clocks=clocks, notices=notices))
    # It begins, is written, and is saved.
    assert len(turns) == 3
    await store.close()


async def test_whoever_is_broken_off_waits_until_nobody_uses_the_connection(tmp_path: Path) -> None:
    connection = OneTurnConnection.create(str(tmp_path / "signalbox.db"))
    await connection
    begun, may_end = threading.Event(), threading.Event()

    def work(here: sqlite3.Connection) -> None:
        begun.set()
        may_end.wait(5)

    task = asyncio.create_task(connection.run_in_one_turn(work))
    await asyncio.to_thread(begun.wait, 5)
    task.cancel()
    done, _ = await asyncio.wait({task}, timeout=0.05)
    assert not done
    may_end.set()
    await asyncio.wait({task}, timeout=5)
    assert task.cancelled()
    await connection.close()
