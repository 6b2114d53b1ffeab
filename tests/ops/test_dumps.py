"""Backups of a community on a server: made and proved while the bot runs, put back, and what can go wrong on the way."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.cli.main import main
from bot.ops import backups as backups_module
from bot.ops.backups import BackupFailed, Backups, Verification, number_in, verify_sync
from bot.service.game_service import GameService
from bot.store import (
    DatabaseUnreachable,
    Server,
    Store,
    StoreDamaged,
    StoreInUse,
    StoreMissing,
    StoreReadOnly,
    StoreTooNew,
    dump,
    load,
    scratch,
)
from bot.titles.registry import TITLES
from tests.ops.conftest import CID, begin
from tests.store.postgres_cluster import Cluster, cluster, execute

pytestmark = pytest.mark.postgres

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)

Program = Callable[[str, str], None]


@pytest.fixture
def server() -> Iterator[Server]:
    """A database with the tables, and nothing in them."""
    found = cluster().fresh()
    yield found
    cluster().drop(found)
    for kept in databases(f"{found.url.database}\\_%"):
        cluster().execute("postgres", f'DROP DATABASE "{kept}"')


@pytest.fixture
def backups(server: Server, tmp_path: Path) -> Backups:
    """Its backups."""
    return Backups(server, tmp_path / "backups")


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    """Puts a script in the place of one of PostgreSQL's programs."""
    folder = tmp_path / "programs"
    folder.mkdir()

    def put(name: str, script: str) -> None:
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(0o755)
        monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")

    return put


def databases(like: str) -> list[str]:
    """The names of such databases of the tests' server."""
    return [
        row[0] for row in cluster().execute("postgres", f"SELECT datname FROM pg_database WHERE datname LIKE '{like}'")
    ]


async def played(server: Server, moves: str = "buy P1; buy P2") -> int:
    """A game under way there."""
    store = await Store.open(server)
    game = await begin(GameService(store, TITLES), moves)
    await store.close()
    return game


async def actions(place: Server, game_id: int) -> int:
    """How many moves a game has there."""
    store = await Store.open(place)
    try:
        return len(await GameService(store, TITLES).queries.actions(game_id))
    finally:
        await store.close()


async def test_a_server_is_dumped_and_proved_while_the_bot_runs(server: Server, backups: Backups) -> None:
    game = await played(server)
    store = await Store.open(server, is_bot=True)
    made = await backups.make(NOON)
    assert made.path.name == "signalbox-20260601T120000Z-1.dump"
    assert made.proof is not None and (made.proof.games, made.proof.faults) == (1, ())
    assert [path.name for path in backups.folder.iterdir()] == [made.path.name]
    assert made.path.stat().st_mode & 0o077 == 0
    assert databases("%scratch%") == []
    await GameService(store, TITLES).moves.submit(game, CID, "buy P3")
    await store.close()


async def test_a_restored_game_goes_on_and_the_old_database_is_kept(server: Server, backups: Backups) -> None:
    game = await played(server)
    made = await backups.make(NOON)
    before = execute(server, "SELECT * FROM moves ORDER BY game, number")
    store = await Store.open(server)
    await GameService(store, TITLES).moves.submit(game, CID, "buy P3")
    with pytest.raises(StoreInUse, match="stop it first"):
        await backups.restore(made.path, NOON)
    await store.close()
    assert await actions(server, game) == 3
    proof, aside = await backups.restore(made.path, NOON)
    assert proof.games == 1
    assert execute(server, "SELECT * FROM moves ORDER BY game, number") == before
    assert isinstance(aside, Server) and aside.url.database == f"{server.url.database}_before-20260601T120000Z"
    assert await actions(aside, game) == 3
    store = await Store.open(server)
    await GameService(store, TITLES).moves.submit(game, CID, "buy P4")
    await store.close()
    assert databases("%scratch%") == []


async def test_a_game_that_replays_differently_is_named_and_the_dump_is_kept(server: Server, backups: Backups) -> None:
    game = await played(server)
    execute(server, "UPDATE moves SET text = '@2 buy-private P3 110' WHERE number = 2")
    made = await backups.make(NOON)
    assert made.proof is not None and made.path.exists()
    (fault,) = made.proof.faults
    assert fault.startswith(f"game {game}: move 2: ")


async def test_backups_of_both_kinds_have_one_order(server: Server, backups: Backups, tmp_path: Path) -> None:
    file = tmp_path / "data" / "signalbox.db"
    await (await Store.open(file)).close()
    here = Backups(file, backups.folder)
    moments = [NOON, NOON + timedelta(days=3653), NOON + timedelta(hours=1), NOON + timedelta(hours=2)]
    made = [
        (await each.make(moment, is_proved=False)).path
        for each, moment in zip((here, backups, here, backups), moments, strict=True)
    ]
    assert backups.names() == made and [number_in(path) for path in made] == [1, 2, 3, 4]
    assert backups.newest() == moments[-1]
    with pytest.raises(StoreMissing, match="is not a dump of a server"):
        await backups.restore(made[0], NOON)
    with pytest.raises(StoreMissing, match="was written by pg_dump"):
        await here.restore(made[1], NOON)


def test_backup_and_restore_on_the_command_line(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SIGNALBOX_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("SIGNALBOX_DATABASE_URL", server.text)
    game = asyncio.run(played(server))
    assert main(["backup", "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert (made["games"], made["faults"]) == (1, []) and made["file"].endswith("-1.dump")
    assert main(["backup", "--list"]) == 0
    assert "1 backup(s)" in capsys.readouterr().out
    execute(server, f"UPDATE games SET status = 'finished' WHERE id = {game}")
    assert main(["restore"]) == 0
    said = capsys.readouterr().out
    assert "is the database now: 1 open game(s) replayed" in said
    assert "the old database is kept as postgresql://" in said and f"/{server.url.database}_before-" in said
    assert execute(server, "SELECT status FROM games") == [("running",)]
    assert main(["doctor"]) == 0


# -- what can go wrong ------------------------------------------------------------------------------------


async def test_without_pg_dump_there_is_a_sentence(
    backups: Backups, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BackupFailed, match="There is no pg_dump here: install"):
        await backups.make(NOON)
    assert list(backups.folder.iterdir()) == []


async def test_an_older_pg_dump_is_told(backups: Backups, program: Program) -> None:
    said = "pg_dump: error: aborting because of server version mismatch"
    program(
        "pg_dump", f"echo '{said}' >&2; echo 'pg_dump: detail: server version: 17.2; pg_dump version: 15.8' >&2; exit 1"
    )
    with pytest.raises(BackupFailed, match="pg_dump is older than the server"):
        await backups.make(NOON)


async def test_an_older_pg_restore_is_told(backups: Backups, program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    async def prove_here(path: Path, server: Server) -> Verification:
        return await asyncio.to_thread(verify_sync, path, server)

    monkeypatch.setattr(backups_module, "verify", prove_here)  # a helper has the PATH of before
    made = await backups.make(NOON)
    program("pg_restore", "echo 'pg_restore: error: unsupported version (1.16) in file header' >&2; exit 1")
    with pytest.raises(StoreTooNew, match="pg_restore is older"):
        await backups.restore(made.path, NOON)
    made = await backups.make(NOON + timedelta(hours=1))
    assert made.path.exists() and made.proof is not None
    assert made.proof.faults[0].startswith(f"{made.path.name} is not proved. pg_restore is older"), "kept, and said"


async def test_a_full_disk_leaves_no_half_dump(server: Server, backups: Backups, program: Program) -> None:
    await played(server)
    real = shutil.which("pg_dump")
    program(
        "pg_dump",
        f'for each; do shift; case "$each" in --file=*) each=--file=/dev/full;; esac; set -- "$@" "$each"; done; exec {real} "$@"',
    )
    with pytest.raises(BackupFailed, match="no room left on the disk"):
        await backups.make(NOON)
    assert list(backups.folder.iterdir()) == []


@pytest.fixture
def poor(server: Server) -> Iterator[Server]:
    """The same database for a role that may read it, and make no databases."""
    name = f"poor_{server.url.database}"
    cluster().execute("postgres", f"CREATE ROLE {name} LOGIN PASSWORD 'geheim'")
    execute(
        server,
        f"GRANT SELECT ON ALL TABLES IN SCHEMA public TO {name}",
        f"GRANT SELECT ON ALL SEQUENCES IN SCHEMA public TO {name}",
    )
    yield Server(server.url.set(username=name, password="geheim"))
    execute(server, f"DROP OWNED BY {name}")
    cluster().execute("postgres", f"DROP ROLE {name}")


async def test_whoever_may_make_no_databases_has_a_dump_that_is_not_proved(
    server: Server, poor: Server, tmp_path: Path
) -> None:
    await played(server)
    backups = Backups(poor, tmp_path / "backups")
    made = await backups.make(NOON)
    assert made.proof is not None and backups.names() == [made.path]
    (fault,) = made.proof.faults
    assert "is not proved" in fault and f"ALTER ROLE {poor.url.username} CREATEDB" in fault
    with pytest.raises(StoreReadOnly, match="CREATEDB"):
        await backups.restore(made.path, NOON)
    execute(server, f"REVOKE SELECT ON notes FROM {poor.url.username}")
    with pytest.raises(BackupFailed, match="may not read or create all of it"):
        await backups.make(NOON + timedelta(hours=1))
    assert backups.names() == [made.path]


async def test_a_password_stands_in_no_list_of_processes(poor: Server, tmp_path: Path, program: Program) -> None:
    told = tmp_path / "told"
    program("pg_dump", f'echo "$@" > {told}; echo "$PGPASSWORD" > {told}-environment')
    dump(poor, tmp_path / "x.dump")
    assert "geheim" not in told.read_text() and f"--dbname=postgresql://{poor.url.username}@" in told.read_text()
    assert (tmp_path / "told-environment").read_text() == "geheim\n"


async def test_what_is_not_whole_or_not_ours_is_not_restored(server: Server, backups: Backups, tmp_path: Path) -> None:
    game = await played(server)
    whole = (await backups.make(NOON)).path
    damaged = tmp_path / "damaged.dump"
    for length in (200, whole.stat().st_size // 2, whole.stat().st_size - 300):
        damaged.write_bytes(whole.read_bytes()[:length])
        with pytest.raises(StoreDamaged, match=r"damaged\.dump is damaged"):
            await backups.restore(damaged, NOON)
    with scratch(server) as other:
        execute(other, "CREATE TABLE letters (text text)")
        dump(other, tmp_path / "letters.dump")
    with pytest.raises(StoreDamaged, match="not a Signalbox database"):
        await backups.restore(tmp_path / "letters.dump", NOON)
    assert await actions(server, game) == 2
    assert databases("%scratch%") == databases("%before%") == []


async def test_what_a_killed_proof_has_left_goes_before_the_next(server: Server, backups: Backups) -> None:
    cluster().execute("postgres", f"CREATE DATABASE {server.url.database}_scratch")
    made = await backups.make(NOON)
    assert made.proof is not None and made.proof.faults == () and databases("%scratch%") == []


async def test_a_server_that_is_away_gives_no_dump(tmp_path: Path) -> None:
    own = Cluster()
    try:
        server = own.fresh()
        backups = Backups(server, tmp_path / "backups")
        made = await backups.make(NOON)
        own.stop("immediate")
        with pytest.raises(BackupFailed, match="cannot be reached"):
            await backups.make(NOON + timedelta(hours=1))
        with pytest.raises(DatabaseUnreachable):
            load(made.path, server)
        assert list(backups.folder.iterdir()) == [made.path]
    finally:
        own.remove()
