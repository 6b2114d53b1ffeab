"""A database on a server: what a file does not have. Refusals by SQLSTATE, a server that goes away, programs side by side."""

from __future__ import annotations

import ast
import asyncio
import logging
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from sqlalchemy import event, text

from bot.engine.refusals import StalePosition
from bot.service.game_service import GameService
from bot.store import (
    DatabaseUnreachable,
    NoteRecord,
    Server,
    Store,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreInUse,
    StoreLocked,
    StoreMissing,
    StoreReadOnly,
)
from bot.store.database import connect
from bot.store.file.migrate import migrate
from bot.store.schema import metadata
from tests.service.conftest import ANN, BOB, CID, total
from tests.service.test_faults import contents
from tests.service.toy_title import TITLES
from tests.store.postgres_cluster import Cluster, cluster, execute
from tests.store.statements import at_each_statement

pytestmark = pytest.mark.postgres

KINDS = {
    "INTEGER": "bigint",
    "FLOAT": "double precision",
    "VARCHAR": "character varying",
    "TEXT": "text",
    "BLOB": "bytea",
}
"""What the server makes of our types."""

WRITERS = "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND classid = 7283 AND objid = 1"
"""The connections that hold a database."""


@pytest.fixture
def server() -> Any:
    """A database with the tables."""
    found = cluster().fresh()
    yield found
    cluster().drop(found)


@pytest.fixture
async def tables(server: Server) -> AsyncIterator[GameService]:
    store = await Store.open(server, patience=2)
    yield GameService(store, TITLES)
    await store.close()


@pytest.fixture
async def game_id(tables: GameService) -> int:
    """Ann, Bob and Cid play the toy; Ann is in turn."""
    number = await tables.lobby.create("toy", ANN, [(ANN, "Ann"), (BOB, "Bob"), (CID, "Cid")])
    await tables.lobby.start(number, ANN, "list")
    return number


@pytest.mark.parametrize(
    ("state", "kind"),
    [
        ("53100", StoreFull),
        ("53200", StoreLocked),
        ("40001", StoreLocked),
        ("57014", StoreLocked),
        ("25006", StoreReadOnly),
        ("42501", StoreReadOnly),
        ("XX001", StoreDamaged),
        ("57P01", DatabaseUnreachable),
        ("22012", StoreError),
    ],
)
async def test_what_the_server_refuses_is_said_in_our_words(
    tables: GameService, game_id: int, server: Server, state: str, kind: type[StoreError]
) -> None:
    before = contents(server)
    execute(
        server,
        f"CREATE FUNCTION fail() RETURNS trigger AS $$BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '{state}'; END$$"
        " LANGUAGE plpgsql",
        "CREATE TRIGGER fails BEFORE INSERT ON moves FOR EACH ROW EXECUTE FUNCTION fail()",
    )
    with pytest.raises(StoreError, match=r"nothing was saved|restore it from a backup") as caught:
        await tables.moves.submit(game_id, ANN, "bid P1 5")
    assert type(caught.value) is kind
    assert contents(server) == before
    execute(server, "DROP TRIGGER fails ON moves")
    await tables.moves.submit(game_id, ANN, "bid P1 4")
    assert await total(tables, game_id) == 4


async def test_a_server_that_only_answers(tables: GameService, game_id: int, server: Server) -> None:
    execute(server, f"ALTER DATABASE {server.url.database} SET default_transaction_read_only = on")
    await tables.desk.store.backend.writers.dispose()
    with pytest.raises(StoreReadOnly):
        await tables.moves.submit(game_id, ANN, "pass")
    execute(
        server,
        "SET default_transaction_read_only = off",
        f"ALTER DATABASE {server.url.database} RESET default_transaction_read_only",
    )
    await tables.desk.store.backend.writers.dispose()
    await tables.moves.submit(game_id, ANN, "pass")


def cut_off_at(monkeypatch: pytest.MonkeyPatch, server: Server, number: int) -> Callable[[], int]:
    """Let the server end the connection that writes before its statement `number`; returns how many were asked for."""
    count = 0

    def begins(is_change: bool) -> None:
        nonlocal count
        count += 1
        if count == number + 1:
            execute(server, f"SELECT pg_terminate_backend(pid) FROM ({WRITERS}) AS found")

    at_each_statement(monkeypatch, begins)
    return lambda: count


async def test_a_connection_that_is_lost_at_any_statement_leaves_all_or_nothing(
    tables: GameService, game_id: int, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables.desk.listeners.clear()
    await tables.moves.submit(game_id, ANN, "bid P1 3")
    before, failures, number = contents(server), 0, 0
    while contents(server) == before:
        async with tables.desk.store.write_transaction():
            """The connection is there again."""
        with monkeypatch.context() as patched:
            cut_off_at(patched, server, number)
            try:
                await tables.moves.submit(game_id, BOB, "bid P1 7")
            except DatabaseUnreachable as error:
                assert "nothing was saved" in str(error)
                failures += 1
        number += 1
    assert failures >= 5
    assert await total(tables, game_id) == 10
    assert (await tables.doctor.examine(game_id)).is_healthy


async def test_whether_it_was_saved_is_not_said_where_nobody_knows(
    tables: GameService, game_id: int, server: Server
) -> None:
    def cut(connection: object) -> None:
        execute(server, f"SELECT pg_terminate_backend(pid) FROM ({WRITERS}) AS found")

    event.listen(tables.desk.store.backend.writers.sync_engine, "commit", cut)
    with pytest.raises(DatabaseUnreachable, match="while saving"):
        await tables.moves.submit(game_id, ANN, "bid P1 5")
    event.remove(tables.desk.store.backend.writers.sync_engine, "commit", cut)
    await tables.moves.submit(game_id, ANN, "bid P1 4")
    assert await total(tables, game_id) == 4


async def test_a_server_that_stops_and_comes_back(tables: GameService, game_id: int, server: Server) -> None:
    own = Cluster()
    try:
        place = own.fresh()
        store = await Store.open(place, is_bot=True)
        here = GameService(store, TITLES)
        number = await here.lobby.create("toy", ANN, [(ANN, "Ann"), (BOB, "Bob")])
        await here.lobby.start(number, ANN, "list")
        own.stop("immediate")
        for _ in range(2):
            with pytest.raises(DatabaseUnreachable):
                await here.moves.submit(number, ANN, "bid P1 5")
            with pytest.raises(DatabaseUnreachable):
                await store.games.list_all()
        own.start()
        await here.moves.submit(number, ANN, "bid P1 5")
        assert await total(here, number) == 5
        with pytest.raises(StoreInUse):
            await Store.open(place, is_bot=True)
        await store.close()
    finally:
        own.remove()


async def test_a_server_that_is_not_there_or_lets_nobody_in(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    for address in (
        "postgresql://ann:geheim@127.0.0.1:1/games",
        server.text.replace("signalbox@", "nobody:geheim@"),
        server.text.replace(str(server.url.database), "none"),
    ):
        with caplog.at_level(logging.DEBUG), pytest.raises(DatabaseUnreachable, match="cannot be reached"):
            await Store.open(Server.parse(address))
    assert "geheim" not in caplog.text


# -- programs side by side ------------------------------------------------------------------------------


async def test_of_two_programs_one_plays_and_the_other_is_stale(server: Server) -> None:
    stores = [await Store.open(server) for _ in range(2)]
    first, second = (GameService(store, TITLES) for store in stores)
    game = await first.lobby.create("long", ANN, [(ANN, "Ann"), (ANN, "Bob")])
    await first.lobby.start(game, ANN, "list")

    async def play(tables: GameService) -> bool:
        try:
            await tables.moves.submit(game, ANN, "bid P1 1")
        except StalePosition:
            return False
        return True

    played = sum([sum(await asyncio.gather(play(first), play(second))) for _ in range(10)])
    assert await total(first, game) == await total(second, game) == played
    assert played >= 10
    assert (await first.doctor.examine(game)).is_healthy
    told = [(notice.kind, notice.number, notice.seat) for notice in await stores[0].outbox.list_waiting(500)]
    assert len(told) == len(set(told))
    for store in stores:
        await store.close()


async def test_a_writer_sees_all_that_was_saved_while_it_waited(server: Server) -> None:
    stores = [await Store.open(server) for _ in range(2)]
    query = text("SELECT text FROM notes")
    game = await GameService(stores[0], TITLES).lobby.create("toy", ANN, [(ANN, "Ann"), (BOB, "Bob")])
    async with stores[0].write_transaction() as one:
        await one.execute(text(f"INSERT INTO notes VALUES ({game}, 'x', 'first')"))

        async def read_then_write() -> str:
            async with stores[1].write_transaction() as other:
                return str((await other.execute(query)).scalar_one())

        waiting = asyncio.create_task(read_then_write())
        await asyncio.sleep(0.3)
        assert not waiting.done()
    assert await waiting == "first"
    for store in stores:
        await store.close()


async def test_one_bot_and_nobody_beside_a_repair(server: Server) -> None:
    bot = await Store.open(server, is_bot=True)
    other = await Store.open(server)
    with pytest.raises(StoreInUse, match="Another bot"):
        await Store.open(server, is_bot=True)
    with pytest.raises(StoreInUse, match="Another program"):
        await Store.open(server, is_alone=True)
    await bot.close()
    await other.close()
    alone = await Store.open(server, is_alone=True)
    with pytest.raises(StoreInUse, match="Another program"):
        await Store.open(server)
    await alone.close()


async def test_a_bot_that_has_lost_its_hold_to_another_writes_no_more(server: Server) -> None:
    old = await Store.open(server, is_bot=True)
    execute(server, f"SELECT pg_terminate_backend(pid) FROM ({WRITERS}) AS found")
    new = await Store.open(server, is_bot=True)
    for kind in (DatabaseUnreachable, StoreInUse, StoreInUse):
        with pytest.raises(kind):
            await old.outbox.mark_all_posted([1], 1.0, "7")
    assert await old.games.list_all() == []
    await new.close()
    await old.outbox.mark_all_posted([1], 1.0, "7")
    await old.close()


# -- what it keeps, and what is told of it ----------------------------------------------------------------


@pytest.mark.parametrize("first", ["", "0006"])
async def test_a_new_database_and_one_that_was_migrated_have_the_tables_of_the_schema(first: str) -> None:
    server = cluster().fresh(None)
    if first:
        opened = await connect(server)
        async with opened.writers.begin() as connection:
            await connection.run_sync(migrate, first)
        await opened.close()
    await (await Store.open(server)).close()
    columns = execute(
        server,
        "SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns"
        " WHERE table_schema = 'public' AND table_name != 'alembic_version'",
    )
    wanted = {
        (table.name, column.name, KINDS[str(column.type)], "YES" if column.nullable else "NO")
        for table in metadata.tables.values()
        for column in table.columns
    }
    assert set(columns) == wanted
    indexes = {name for (name,) in execute(server, "SELECT indexname FROM pg_indexes WHERE schemaname = 'public'")}
    assert {str(index.name) for table in metadata.tables.values() for index in table.indexes} <= indexes
    assert {f"{name}_pkey" for name in metadata.tables} | {"mails_key_key"} <= indexes
    cluster().drop(server)


async def test_a_text_with_nul_is_kept_without_it(tables: GameService, game_id: int) -> None:
    await tables.desk.store.links.set_notes(NoteRecord(game_id, ANN, "a\0b"))
    assert await tables.desk.store.links.notes(game_id, ANN) == "ab"


async def test_numbers_have_as_many_bits_as_in_a_file(tables: GameService, game_id: int) -> None:
    await tables.desk.store.games.change(game_id, seed=2**53 - 1)
    found = await tables.desk.store.games.find(game_id)
    assert found is not None and found.seed == 2**53 - 1


def test_an_address_is_printed_without_its_password() -> None:
    server = Server.parse("postgres://ann:geheim@db.example.org:5433/games?sslmode=require&password=geheim")
    assert str(server) == "postgresql://ann@db.example.org:5433/games"
    assert "geheim" not in repr(server) and server.password == "geheim"
    for wrong in ("", "sqlite:///x", "mysql://a:geheim@b/c", "postgresql://host", "postgresql://ann:geheim@host:x/y"):
        with pytest.raises(ValueError) as caught:
            Server.parse(wrong)
        assert "geheim" not in str(caught.value)


PROGRAM = """
import asyncio, sys, tempfile
from pathlib import Path
from bot.store import Store

async def main():
    with tempfile.TemporaryDirectory() as folder:
        await (await Store.open(Path(folder) / "signalbox.db")).close()

asyncio.run(main())
print([name for name in sys.modules if name == "psycopg" or name.startswith("bot.store.backends")])
"""


def test_whoever_has_a_file_loads_nothing_for_servers() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    # What reads and writes dumps tells a dump from a file too; it takes the driver when a server is asked.
    loaded = {name.removeprefix("bot.store.backends").removeprefix(".") for name in ast.literal_eval(done.stdout)}
    assert loaded == {
        "",
        "backend",
        "compiled_statements",
        "copy_database",
        "dsn",
        "dumps",
        "sqlalchemy_async",
        "sqlite",
        "temp_database",
    }


async def test_without_its_package_the_line_to_install_is_said(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreMissing, match=r"signalbox\[postgres\]"):
        await Store.open(server)
