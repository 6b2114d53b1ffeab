"""`signalbox doctor --repair`, and that a backup's proof notices what the doctor does."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import random
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.cli.main import main
from bot.ops.backups import Backups
from bot.render.painting import fonts
from bot.render.painting.fonts import NEEDED
from bot.render.painting.painter import FONTS
from bot.service.game_service import GameService
from bot.service.integrity.rows import LABELS
from bot.store import KINDS, Store
from bot.store.backends.sqlite import MOST_NAMED
from bot.titles.registry import TITLES
from tests.blank_database import write_blank
from tests.families import few
from tests.ops.conftest import begin
from tests.ops.test_damage import flip

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)

Shown = pytest.CaptureFixture[str]


async def begin_three(path: Path) -> None:
    write_blank(path)
    store = await Store.open(path)
    for _ in range(3):
        await begin(GameService(store, TITLES))
    await store.close()


@pytest.fixture(scope="module")
def three_games(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A database with three games of 1848."""
    path = tmp_path_factory.mktemp("three") / "signalbox.db"
    asyncio.run(begin_three(path))
    return path.read_bytes()


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, three_games: bytes) -> Path:
    """The data folder of that database."""
    monkeypatch.setenv("SIGNALBOX_DATA", str(tmp_path / "data"))
    monkeypatch.delenv("SIGNALBOX_BACKUPS", raising=False)
    path = tmp_path / "data" / "signalbox.db"
    path.parent.mkdir()
    path.write_bytes(three_games)
    return path


def write(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


def test_the_doctor_names_mends_and_is_content(database: Path, capsys: Shown) -> None:
    write(database, "UPDATE games SET options = 'rubbish' WHERE id = 2", "DELETE FROM snapshots WHERE game = 3")
    assert main(["doctor"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"titles: {', '.join(TITLES)}: ok",
        "database: ok",
        "which game: which part of it: what is wrong with it, or was done",
        "game 2: its own row: options cannot be read (JSON is malformed: invalid character (byte 0))",
        "game 3: position 0: it is not kept",
        "game 3: position 2: it is not kept",
        "3 game(s) examined, 3 problem(s)",
        "2 can be mended: stop the bot, make a backup, and run: signalbox doctor --repair",
        "1 need a backup: stop the bot, and run: signalbox restore",
    ]
    assert main(["doctor", "--repair"]) == 1
    assert capsys.readouterr().out.splitlines()[3:] == [
        "game 2: its own row: options cannot be read (JSON is malformed: invalid character (byte 0))",
        "game 3: mended: position 0 is made again from the log",
        "game 3: mended: position 2 is made again from the log",
        "3 game(s) examined, 1 problem(s), 2 thing(s) mended",
        "1 need a backup: stop the bot, and run: signalbox restore",
    ]
    assert main(["doctor", "--repair", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert [(game["game"], game["mended"]) for game in found["games"]] == [(1, []), (2, []), (3, [])]
    assert main(["export", "3"]) == 0


def test_a_backup_has_what_the_doctor_cannot_make_again(database: Path, capsys: Shown) -> None:
    assert main(["backup"]) == 0
    write(database, "UPDATE games SET options = 'rubbish' WHERE id = 2", "UPDATE moves SET text = '' WHERE game = 3")
    assert main(["doctor"]) == 1
    assert main(["restore"]) == 0
    assert main(["doctor"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "3 game(s) examined, 0 problem(s)"


def test_columns_are_told_in_words(database: Path, capsys: Shown) -> None:
    write(database, "UPDATE moves SET made_at = 'never' WHERE game = 2 AND number = 1")
    assert main(["doctor"]) == 1
    assert "game 2: record 1: when it was made (made_at) cannot be read (Expected" in capsys.readouterr().out
    assert set(LABELS) <= {column for kind in KINDS.values() for column in kind.__struct_fields__}


def test_what_cannot_be_mended_is_still_named(database: Path, capsys: Shown) -> None:
    write(database, "UPDATE moves SET text = '@1 sing' WHERE game = 2 AND number = 1")
    assert main(["doctor", "--repair", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    (wrong,) = [game for game in found["games"] if game["faults"]]
    assert (wrong["game"], wrong["move"], wrong["mended"]) == (2, 1, [])
    assert wrong["faults"][0].startswith("move 1: @1 sing is no longer allowed: There is no move called sing")


@pytest.mark.parametrize(
    ("command", "pages"),
    few([(["doctor", "--repair"], 5), *((["doctor", *more], 12) for more in ([], ["--repair"], ["--json"]))], 0),
)
def test_whatever_bit_of_a_page_header_is_flipped_the_doctor_names_it(
    database: Path, capsys: Shown, command: list[str], pages: int
) -> None:
    """SQLite's report has several lines then."""
    whole = database.read_bytes()
    size = int.from_bytes(whole[16:18], "big")
    chance, most = random.Random(16), 0
    for page in chance.sample(range(1, len(whole) // size), pages):
        at = page * size + chance.randrange(8)
        flip(database, at, chance.randrange(8))
        assert main(command) in (0, 1), at
        out, err = capsys.readouterr()
        assert out or "damaged" in err
        found = json.loads(out)["database"].split("\n") if "--json" in command and out else out.splitlines()
        most = max(most, sum(line.startswith("database: ") or "--json" in command for line in found))
        database.write_bytes(whole)
        for ending in ("-wal", "-shm"):
            database.with_name(database.name + ending).unlink(missing_ok=True)
    assert 1 < most <= MOST_NAMED


def test_nothing_is_mended_under_a_running_program(database: Path, capsys: Shown) -> None:
    write(database, "DELETE FROM snapshots WHERE game = 3")

    async def meanwhile() -> int:
        store = await Store.open(database)
        try:
            assert await asyncio.to_thread(main, ["doctor"]) == 1
            return await asyncio.to_thread(main, ["doctor", "--repair"])
        finally:
            await store.close()

    assert asyncio.run(meanwhile()) == 1
    assert "Another program has the database open; stop it first." in capsys.readouterr().err
    assert main(["doctor", "--repair"]) == 0


def test_a_game_with_damaged_rows_is_backed_up_and_restored_with_all_others(database: Path, capsys: Shown) -> None:
    write(
        database,
        "UPDATE games SET options = 'rubbish' WHERE id = 2",
        "UPDATE moves SET parent = 2 WHERE game = 2 AND number = 1",
        "UPDATE seats SET name = CAST(x'ff' AS TEXT) WHERE game = 2 AND number = 1",
        "UPDATE seats SET game = 77 WHERE game = 2 AND number = 2",
    )
    assert main(["doctor", "--json"]) == 1
    doctored = json.loads(capsys.readouterr().out)["games"]
    assert main(["backup", "--json"]) == 1
    made = json.loads(capsys.readouterr().out)
    assert Path(made["file"]).exists()
    named = {game["game"]: game["faults"] for game in doctored if game["faults"]}
    assert list(named) == [2, 0]
    assert made["faults"] == [f"game 2: {'; '.join(named[2])}", f"no game: {'; '.join(named[0])}"]
    assert main(["restore"]) == 0
    assert "seats: 1 row(s) belong to game 77, which there is not" in capsys.readouterr().out
    assert Backups(database, database.parent / "backups").names() == [Path(made["file"])]


def test_a_folder_that_may_only_be_read_is_examined_in_a_copy(
    database: Path, capsys: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(database, "UPDATE games SET options = 'rubbish' WHERE id = 2")
    real, whole = os.open, {path.name: path.read_bytes() for path in database.parent.iterdir()}

    def opened(path: object, flags: int, *more: object, **options: object) -> int:
        if flags & (os.O_WRONLY | os.O_RDWR) and database.parent in Path(str(path)).parents:
            raise OSError(errno.EROFS, os.strerror(errno.EROFS))
        return real(path, flags, *more, **options)  # type: ignore[call-overload, no-any-return]

    monkeypatch.setattr(os, "open", opened)
    assert main(["doctor"]) == 1
    out, err = capsys.readouterr()
    assert "game 2: its own row: options cannot be read" in out and f"{database.parent} may only be read" in err
    assert main(["doctor", "--repair"]) == 1
    assert "cannot be written to" in capsys.readouterr().err
    assert {path.name: path.read_bytes() for path in database.parent.iterdir()} == whole


def test_missing_fonts_are_named(
    database: Path, capsys: Shown, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "fonts").mkdir()
    (tmp_path / "fonts" / NEEDED[0]).touch()
    monkeypatch.setattr(fonts, "asset_folder", lambda name: tmp_path / name)
    assert main(["doctor"]) == 1
    assert f"fonts: {', '.join(NEEDED[1:])} missing" in capsys.readouterr().out
    assert {path.name for path in FONTS.iterdir()} >= {*NEEDED}
