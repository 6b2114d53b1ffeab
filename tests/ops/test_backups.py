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

from bot.cli.main import main
from bot.ops import backups as backups_module
from bot.ops.backups import (
    DAYS,
    FORM,
    LOOK,
    NEWEST,
    BackupFailed,
    Backups,
    backups_to_keep,
    max_retention_days,
    moment_in,
)
from bot.ops.lifecycle import exclusive_tables
from bot.ops.settings import Settings
from bot.service.game_service import GameService
from bot.store import Store, StoreDamaged, StoreFull, StoreInUse, StoreMissing, copy_database, number_of
from bot.titles.registry import TITLES
from tests.families import few
from tests.ops.conftest import ANN, CID, begin

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


async def opened(path: Path) -> GameService:
    return GameService(await Store.open(path), TITLES)


async def test_a_backup_is_one_file_with_all_that_was_acknowledged(tables: GameService, backups: Backups) -> None:
    game = await begin(tables)
    over = await begin(tables)
    await tables.moderation.set_status(over, ANN, "finished")
    made = await backups.make(NOON)
    assert made.path.name == "signalbox-20260601T120000Z.db"
    assert made.proof is not None
    assert (made.proof.games, made.proof.faults) == (1, ())
    assert [path.name for path in backups.folder.iterdir()] == [made.path.name]
    assert made.path.stat().st_mode & 0o077 == 0
    copy = await opened(made.path)
    assert await copy.queries.actions(game) == await tables.queries.actions(game)
    await copy.desk.store.close()


async def test_moves_go_on_while_a_backup_is_made(tables: GameService, backups: Backups) -> None:
    games = [await begin(tables) for _ in range(5)]
    making = asyncio.create_task(backups.make(NOON))
    for game in games:
        await tables.moves.submit(game, CID, "buy P3")
    made = await making
    await backups.make(NOON + timedelta(seconds=1))
    copy = await opened(made.path)
    for game in games:
        before, after = await copy.queries.actions(game), await tables.queries.actions(game)
        assert before == after[: len(before)]
        assert len(before) >= 2
    await copy.desk.store.close()


async def test_a_game_that_replays_differently_is_named_and_the_backup_is_kept(
    tables: GameService, backups: Backups
) -> None:
    game = await begin(tables)
    async with tables.desk.store.write_transaction() as connection:
        await connection.execute(text("UPDATE moves SET text = '@2 buy-private P3 110' WHERE number = 2"))
    made = await backups.make(NOON)
    assert made.proof is not None
    (fault,) = made.proof.faults
    assert fault.startswith(f"game {game}: move 2: ")
    assert made.path.exists()


async def test_a_damaged_database_gives_no_backup_and_old_ones_stay(tables: GameService, backups: Backups) -> None:
    for _ in range(10):
        await begin(tables)
    good = (await backups.make(NOON)).path
    await tables.desk.store.close()
    data = bytearray(backups.database.read_bytes())
    for page in range(4096 * 3, len(data), 4096 * 4):
        data[page : page + 4096] = os.urandom(4096)
    backups.database.write_bytes(bytes(data))
    with pytest.raises(BackupFailed, match="No backup was made"):
        await backups.make(NOON + timedelta(hours=1))
    assert list(backups.folder.iterdir()) == [good]


async def test_a_full_disk_leaves_no_half_backup(
    tables: GameService, backups: Backups, monkeypatch: pytest.MonkeyPatch
) -> None:
    await begin(tables)

    def fail(source: Path, target: Path, number: int | None) -> None:
        target.parent.mkdir()
        target.write_bytes(b"half")
        raise StoreFull("There is no room left on the disk; nothing was saved.")

    monkeypatch.setattr(backups_module, "copy_database", fail)
    with pytest.raises(BackupFailed, match="no room left on the disk"):
        await backups.make(NOON)
    assert list(backups.folder.iterdir()) == []


async def test_what_a_killed_backup_left_does_not_hinder_the_next(tables: GameService, backups: Backups) -> None:
    await begin(tables)
    backups.folder.mkdir()
    (backups.folder / ".signalbox-20260601T120000Z.db.part").write_bytes(b"half")
    assert (await backups.make(NOON)).path.exists()
    with pytest.raises(BackupFailed, match="is there already"):
        await backups.make(NOON)


# -- how many are kept ----------------------------------------------------------------------------------


@pytest.mark.parametrize("late", [timedelta(0), LOOK])
@pytest.mark.parametrize("hours", few([1, 6, 20, 24, 25, 36, 48, 168, 720], 0, 4, 8))
def test_what_people_are_promised_about_backups_is_the_longest_time(hours: int, late: timedelta) -> None:
    longest = 0.0
    for start in range(24):
        made = [NOON + timedelta(hours=start)]
        while made[0] in (
            left := {moment_in(path) for path in backups_to_keep([Path(at.strftime(FORM + ".db")) for at in made])}
        ):
            made = [at for at in made if at in left] + [made[-1] + timedelta(hours=hours) + late]
        longest = max(longest, (made[-1] - made[0]) / timedelta(days=1))
    promised = max_retention_days(hours)
    assert promised is not None and longest <= promised <= longest + 2 + hours / 24
    assert max_retention_days(0) is None


async def test_a_running_bot_promises_what_its_settings_say(tmp_path: Path) -> None:
    for hours, days in (("168", 211), ("0", None)):
        settings = Settings.from_env({"SIGNALBOX_DATA": str(tmp_path / "data"), "SIGNALBOX_BACKUP_HOURS": hours})
        async with exclusive_tables(settings) as (tables, _):
            assert tables.privacy.backup_days == days
            assert "211 days" in str(tables.privacy.promise) or "until the operator" in str(tables.privacy.promise)


async def test_a_database_that_was_put_aside_goes_with_the_backups_from_before(
    tables: GameService, backups: Backups
) -> None:
    await begin(tables)
    await backups.make(NOON, is_proved=False)
    await tables.desk.store.close()
    _, aside = await backups.restore(backups.names()[-1], NOON + timedelta(minutes=1))
    assert isinstance(aside, Path)
    half, fresh = (backups.folder / f".signalbox-{name}.db.part" for name in ("20260601T000000Z", "20260602T000000Z"))
    for path in (half, fresh):
        path.write_bytes(b"half")
    os.utime(half, (NOON.timestamp(), NOON.timestamp()))
    days = 0
    while aside.exists() and days < 40:
        days += 1
        await backups.make(NOON + timedelta(days=days), is_proved=False)
    assert days == 31 == max_retention_days(24)
    # What another program is copying now stays.
    assert fresh.exists() and not half.exists()


def test_the_newest_are_kept_and_one_of_each_day_for_a_month() -> None:
    moments = [NOON - timedelta(hours=6 * number) for number in range(400)]
    paths = [Path(moment.strftime("signalbox-%Y%m%dT%H%M%SZ.db")) for moment in moments]
    left = sorted(backups_to_keep(paths[::-1]), reverse=True)
    assert left[:NEWEST] == paths[:NEWEST]
    days = sorted({moment.date() for moment in moments})[-DAYS:]
    assert {path.name[10:18] for path in left} == {f"{day:%Y%m%d}" for day in days}
    assert len(left) == NEWEST + len(days) - 4


def test_however_old_the_newest_are_kept() -> None:
    paths = [Path(f"signalbox-2020010{day}T000000Z.db") for day in range(1, 8)]
    assert backups_to_keep(paths) == set(paths)


async def test_other_files_in_the_folder_are_left_alone(tables: GameService, backups: Backups) -> None:
    backups.folder.mkdir()
    (backups.folder / "signalbox-letter.db").write_text("dear friend")
    assert backups.names() == []
    assert moment_in(Path("signalbox-20261301T120000Z.db")) is None
    for day in range(40):
        copy = NOON - timedelta(days=day)
        (backups.folder / copy.strftime("signalbox-%Y%m%dT%H%M%SZ.db")).write_bytes(b"")
    dropped = backups.prune()
    assert len(dropped) == 10
    assert (backups.folder / "signalbox-letter.db").exists()


def test_when_the_next_one_is_due(backups: Backups) -> None:
    assert backups.is_due(NOON, 6)
    backups.folder.mkdir()
    (backups.folder / "signalbox-20260601T060000Z.db").write_bytes(b"")
    assert backups.is_due(NOON, 6)
    assert not backups.is_due(NOON - timedelta(seconds=1), 6)
    assert backups.is_due(NOON - timedelta(days=1), 6), "a clock was wrong once"


# -- a clock that was wrong -------------------------------------------------------------------------------

YEARS = timedelta(days=3653)


@pytest.mark.parametrize("error", [YEARS, -YEARS, timedelta(days=3), -timedelta(days=3), timedelta(minutes=20)])
async def test_whatever_the_clock_said_the_last_backup_made_is_the_newest_and_none_is_due(
    tables: GameService, backups: Backups, error: timedelta
) -> None:
    game = await begin(tables)
    await backups.make(NOON, is_proved=False)
    wrong = await backups.make(NOON + error, is_proved=False)
    assert backups.names()[-1] == wrong.path
    now = NOON + timedelta(hours=1)
    assert backups.is_due(now, 6) == (not timedelta(0) <= now - (NOON + error) < timedelta(hours=6))
    await tables.moves.submit(game, CID, "buy P3")
    right = await backups.make(now, is_proved=False)
    assert backups.names()[-1] == right.path
    for minutes in range(0, 360, 5):
        assert not backups.is_due(now + timedelta(minutes=minutes), 6)
    assert backups.is_due(now + timedelta(hours=6), 6)
    await tables.desk.store.close()
    await backups.restore(backups.names()[-1], now)
    back = await opened(backups.database)
    assert len(await back.queries.actions(game)) == 3
    await back.desk.store.close()


async def test_after_a_restore_what_is_made_next_is_newer_than_what_was_left_behind(
    tables: GameService, backups: Backups
) -> None:
    game = await begin(tables)
    old = await backups.make(NOON, is_proved=False)
    await tables.moves.submit(game, CID, "buy P3")
    await backups.make(NOON + YEARS, is_proved=False)
    await tables.desk.store.close()
    await backups.restore(old.path, NOON)
    made = await backups.make(NOON + timedelta(hours=1), is_proved=False)
    assert backups.names()[-1] == made.path
    assert [number_of(path) for path in backups.names()] == [1, 2, 3]
    assert number_of(backups.database) == 1
    backups.folder.joinpath(made.path.name).write_bytes(made.path.read_bytes()[:50])
    assert number_of(made.path) == 0, "no whole header, no number"


async def test_what_was_made_under_a_wrong_clock_is_thinned_out_and_drops_nothing_else(
    tables: GameService, backups: Backups, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backups_module, "NEWEST", 3)
    monkeypatch.setattr(backups_module, "DAYS", 4)
    for moment in (NOON + timedelta(days=day) for day in range(4)):
        await backups.make(moment, is_proved=False)
    right = set(backups.names())
    ahead = {(await backups.make(NOON + YEARS + timedelta(hours=hour), is_proved=False)).path for hour in (0, 1)}
    assert right - set(backups.names()) == {min(right)}, "one day more, one day less"
    for day in range(4, 8):
        await backups.make(NOON + timedelta(days=day), is_proved=False)
    assert ahead.isdisjoint(backups.names())
    assert [path.name[16:18] for path in backups.names()] == ["05", "06", "07", "08"]


async def test_backups_of_older_releases_have_no_number_and_come_first(tables: GameService, backups: Backups) -> None:
    backups.folder.mkdir()
    for name in ("signalbox-20360601T120000Z.db", "signalbox-20260501T120000Z.db"):
        copy_database(backups.database, backups.folder / name)
    assert [path.name[10:14] for path in backups.names()] == ["2026", "2036"]
    made = await backups.make(NOON, is_proved=False)
    assert backups.names()[-1] == made.path


# -- restoring ------------------------------------------------------------------------------------------


async def test_restored_games_go_on_and_the_old_database_is_kept(tables: GameService, backups: Backups) -> None:
    game = await begin(tables)
    made = await backups.make(NOON)
    await tables.moves.submit(game, CID, "buy P3")
    await tables.desk.store.close()
    proof, aside = await backups.restore(made.path, NOON)
    assert proof.games == 1
    assert aside is not None
    back, before = await opened(backups.database), await opened(aside)
    assert len(await back.queries.actions(game)) == 2
    assert len(await before.queries.actions(game)) == 3
    await back.moves.submit(game, CID, "buy P4")
    await back.desk.store.close()
    await before.desk.store.close()
    assert made.path.exists()


async def test_a_log_that_a_killed_bot_left_goes_aside_with_its_database(tables: GameService, backups: Backups) -> None:
    game = await begin(tables)
    made = await backups.make(NOON)
    await tables.moves.submit(game, CID, "buy P3")
    killed = {path.name: path.read_bytes() for path in backups.database.parent.glob("signalbox.db*")}
    assert killed["signalbox.db-wal"]
    await tables.desk.store.close()
    for name, content in killed.items():
        (backups.database.parent / name).write_bytes(content)
    _, aside = await backups.restore(made.path, NOON)
    assert aside is not None
    assert not backups.database.with_name("signalbox.db-wal").exists()
    before, back = await opened(aside), await opened(backups.database)
    assert (len(await before.queries.actions(game)), len(await back.queries.actions(game))) == (3, 2)
    await before.desk.store.close()
    await back.desk.store.close()


async def test_nothing_is_swapped_under_a_running_program(tables: GameService, backups: Backups) -> None:
    game = await begin(tables)
    made = await backups.make(NOON)
    with pytest.raises(StoreInUse, match="Another program has the database open; stop it first"):
        await backups.restore(made.path, NOON)
    await tables.moves.submit(game, CID, "buy P3")
    assert len(await tables.queries.actions(game)) == 3


async def test_a_damaged_backup_is_not_restored(tables: GameService, backups: Backups, tmp_path: Path) -> None:
    for _ in range(5):
        await begin(tables)
    path = (await backups.make(NOON)).path
    await tables.desk.store.close()
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
    with pytest.raises(StoreDamaged, match="not a Signalbox database"):
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
        await tables.desk.store.close()

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
    assert "the old database is kept as" in shown
    assert main(["doctor"]) == 0


def test_what_cannot_be_backed_up_or_restored_is_one_sentence(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["restore"]) == 1
    assert "there is no backup in" in capsys.readouterr().err
    assert main(["restore", str(folder / "none.db")]) == 1
    (folder / "data" / "signalbox.db").write_bytes(b"broken" * 4096)
    assert main(["backup"]) == 1
    assert capsys.readouterr().err.count("signalbox: ") == 2
