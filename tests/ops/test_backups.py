"""Backups: whole, proved, thinned out; and back again."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import text

from bot.cli import main
from bot.engine.titles.registry import TITLES
from bot.ops import backups as backups_module
from bot.ops.backups import DAYS, NEWEST, BackupFailed, Backups, kept, moment_in
from bot.store import Store, StoreDamaged, StoreFull, StoreInUse, StoreMissing
from bot.tables.tables import Tables

from .conftest import ANN, CID, begin

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


async def opened(path: Path) -> Tables:
    return Tables(await Store.open(path), TITLES)


async def test_a_backup_is_one_file_with_all_that_was_acknowledged(tables: Tables, backups: Backups) -> None:
    game = await begin(tables)
    over = await begin(tables)
    await tables.set_status(over, ANN, "finished")
    made = await backups.make(NOON)
    assert made.path.name == "signalbox-20260601T120000Z.db"
    assert made.proof is not None
    assert (made.proof.games, made.proof.faults) == (1, ())
    assert [path.name for path in backups.folder.iterdir()] == [made.path.name]
    assert made.path.stat().st_mode & 0o077 == 0
    copy = await opened(made.path)
    assert await copy.actions(game) == await tables.actions(game)
    await copy.store.close()


async def test_moves_go_on_while_a_backup_is_made(tables: Tables, backups: Backups) -> None:
    games = [await begin(tables) for _ in range(5)]
    making = asyncio.create_task(backups.make(NOON))
    for game in games:
        await tables.play(game, CID, "buy P3")
    made = await making
    await backups.make(NOON + timedelta(seconds=1))
    copy = await opened(made.path)
    for game in games:
        before, after = await copy.actions(game), await tables.actions(game)
        assert before == after[: len(before)]
        assert len(before) >= 2
    await copy.store.close()


async def test_a_game_that_replays_differently_is_named_and_the_backup_is_kept(
    tables: Tables, backups: Backups
) -> None:
    game = await begin(tables)
    async with tables.store.writing() as connection:
        await connection.execute(text("UPDATE moves SET text = '@2 buy-private P3 110' WHERE number = 2"))
    made = await backups.make(NOON)
    assert made.proof is not None
    (fault,) = made.proof.faults
    assert fault.startswith(f"game {game}: move 2: ")
    assert made.path.exists()


async def test_a_damaged_database_gives_no_backup_and_old_ones_stay(tables: Tables, backups: Backups) -> None:
    for _ in range(10):
        await begin(tables)
    good = (await backups.make(NOON)).path
    await tables.store.close()
    data = bytearray(backups.database.read_bytes())
    for page in range(4096 * 3, len(data), 4096 * 4):
        data[page : page + 4096] = os.urandom(4096)
    backups.database.write_bytes(bytes(data))
    with pytest.raises(BackupFailed, match="No backup was made"):
        await backups.make(NOON + timedelta(hours=1))
    assert list(backups.folder.iterdir()) == [good]


async def test_a_full_disk_leaves_no_half_backup(
    tables: Tables, backups: Backups, monkeypatch: pytest.MonkeyPatch
) -> None:
    await begin(tables)

    def fail(source: Path, target: Path) -> None:
        target.parent.mkdir()
        target.write_bytes(b"half")
        raise StoreFull("There is no room left on the disk; nothing was saved.")

    monkeypatch.setattr(backups_module, "copy_database", fail)
    with pytest.raises(BackupFailed, match="no room left on the disk"):
        await backups.make(NOON)
    assert list(backups.folder.iterdir()) == []


async def test_what_a_killed_backup_left_does_not_hinder_the_next(tables: Tables, backups: Backups) -> None:
    await begin(tables)
    backups.folder.mkdir()
    (backups.folder / ".signalbox-20260601T120000Z.db.part").write_bytes(b"half")
    assert (await backups.make(NOON)).path.exists()
    with pytest.raises(BackupFailed, match="is there already"):
        await backups.make(NOON)


# -- how many are kept ----------------------------------------------------------------------------------


def test_the_newest_are_kept_and_one_of_each_day_for_a_month() -> None:
    moments = [NOON - timedelta(hours=6 * number) for number in range(400)]
    paths = [Path(moment.strftime("signalbox-%Y%m%dT%H%M%SZ.db")) for moment in moments]
    left = sorted(kept(paths, NOON), reverse=True)
    assert left[:NEWEST] == paths[:NEWEST]
    days = {moment.date() for moment in moments if moment > NOON - timedelta(days=DAYS)}
    assert {path.name[10:18] for path in left} == {f"{day:%Y%m%d}" for day in days}
    assert len(left) == NEWEST + len(days) - 4


def test_however_old_the_newest_are_kept() -> None:
    paths = [Path(f"signalbox-2020010{day}T000000Z.db") for day in range(1, 8)]
    assert kept(paths, NOON) == set(paths)


async def test_other_files_in_the_folder_are_left_alone(tables: Tables, backups: Backups) -> None:
    backups.folder.mkdir()
    (backups.folder / "signalbox-letter.db").write_text("dear friend")
    assert backups.names() == []
    assert moment_in(Path("signalbox-20261301T120000Z.db")) is None
    for day in range(40):
        copy = NOON - timedelta(days=day)
        (backups.folder / copy.strftime("signalbox-%Y%m%dT%H%M%SZ.db")).write_bytes(b"")
    dropped = backups.thin(NOON)
    assert len(dropped) == 10
    assert (backups.folder / "signalbox-letter.db").exists()


def test_when_the_next_one_is_due(backups: Backups) -> None:
    assert backups.is_due(NOON, 6)
    backups.folder.mkdir()
    (backups.folder / "signalbox-20260601T060000Z.db").write_bytes(b"")
    assert backups.is_due(NOON, 6)
    assert not backups.is_due(NOON - timedelta(seconds=1), 6)
    assert backups.is_due(NOON - timedelta(days=1), 6), "a clock was wrong once"


# -- restoring ------------------------------------------------------------------------------------------


async def test_restored_games_go_on_and_the_old_database_is_kept(tables: Tables, backups: Backups) -> None:
    game = await begin(tables)
    made = await backups.make(NOON)
    await tables.play(game, CID, "buy P3")
    await tables.store.close()
    proof, aside = await backups.restore(made.path, NOON)
    assert proof.games == 1
    assert aside is not None
    back, before = await opened(backups.database), await opened(aside)
    assert len(await back.actions(game)) == 2
    assert len(await before.actions(game)) == 3
    await back.play(game, CID, "buy P4")
    await back.store.close()
    await before.store.close()
    assert made.path.exists()


async def test_a_log_that_a_killed_bot_left_goes_aside_with_its_database(tables: Tables, backups: Backups) -> None:
    game = await begin(tables)
    made = await backups.make(NOON)
    await tables.play(game, CID, "buy P3")
    killed = {path.name: path.read_bytes() for path in backups.database.parent.glob("signalbox.db*")}
    assert killed["signalbox.db-wal"]
    await tables.store.close()
    for name, content in killed.items():
        (backups.database.parent / name).write_bytes(content)
    _, aside = await backups.restore(made.path, NOON)
    assert aside is not None
    assert not backups.database.with_name("signalbox.db-wal").exists()
    before, back = await opened(aside), await opened(backups.database)
    assert (len(await before.actions(game)), len(await back.actions(game))) == (3, 2)
    await before.store.close()
    await back.store.close()


async def test_nothing_is_swapped_under_a_running_program(tables: Tables, backups: Backups) -> None:
    game = await begin(tables)
    made = await backups.make(NOON)
    with pytest.raises(StoreInUse, match="Another program has the database open; stop it first"):
        await backups.restore(made.path, NOON)
    await tables.play(game, CID, "buy P3")
    assert len(await tables.actions(game)) == 3


async def test_a_damaged_backup_is_not_restored(tables: Tables, backups: Backups, tmp_path: Path) -> None:
    for _ in range(5):
        await begin(tables)
    path = (await backups.make(NOON)).path
    await tables.store.close()
    whole = path.read_bytes()
    before = backups.database.read_bytes()
    for number, broken in enumerate(
        (whole[: len(whole) // 2], b"", b"nonsense" * 999, whole[:8192] + bytes(4096) + whole[12288:])
    ):
        source = tmp_path / f"broken-{number}.db"
        source.write_bytes(broken)
        with pytest.raises(StoreDamaged):
            await backups.restore(source, NOON)
    with closing(sqlite3.connect(tmp_path / "other.db")) as other:
        other.execute("CREATE TABLE letters (text)")
    with pytest.raises(StoreDamaged, match="no database of Signalbox"):
        await backups.restore(tmp_path / "other.db", NOON)
    with pytest.raises(StoreMissing):
        await backups.restore(tmp_path / "none.db", NOON)
    assert backups.database.read_bytes() == before
    assert not list(backups.database.parent.glob("*before*"))


# -- the command line -----------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SIGNALBOX_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("SIGNALBOX_BACKUPS", str(tmp_path / "backups"))

    async def prepare() -> None:
        tables = await opened(tmp_path / "data" / "signalbox.db")
        await begin(tables)
        await tables.store.close()

    asyncio.run(prepare())
    return tmp_path


def test_backup_and_restore_on_the_command_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["backup", "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert (made["games"], made["faults"]) == (1, [])
    assert main(["backup", "--list", "--json"]) == 0
    assert [each["file"] for each in json.loads(capsys.readouterr().out)["backups"]] == [made["file"]]
    assert main(["backup", "--out", str(folder / "friday.db"), "--no-replay"]) == 0
    assert "no games replayed" in capsys.readouterr().out
    (folder / "data" / "signalbox.db").write_bytes(b"broken" * 4096)
    assert main(["restore"]) == 0
    shown = capsys.readouterr().out
    assert "1 open game(s) replayed" in shown
    assert "the old one is kept as" in shown
    assert main(["doctor"]) == 0


def test_what_cannot_be_backed_up_or_restored_is_one_sentence(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["restore"]) == 1
    assert "there is no backup in" in capsys.readouterr().err
    assert main(["restore", str(folder / "none.db")]) == 1
    (folder / "data" / "signalbox.db").write_bytes(b"broken" * 4096)
    assert main(["backup"]) == 1
    assert capsys.readouterr().err.count("signalbox: ") == 2
