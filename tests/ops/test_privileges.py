"""What the program makes is its owner's alone, under any umask; commands that look make nothing; as root nothing is left
behind that the bot's user cannot open."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path

import pytest

from bot.cli.main import main
from bot.commands.terminal.commands import Console
from bot.ops import backups as backups_module
from bot.ops.privileges import as_owner, drop_privileges_to, owner_of
from bot.render.painting.picture import Picture
from bot.service.game_service import GameService
from bot.store import FileLock, Store, make_file, tighten, write_file
from bot.titles.registry import TITLES
from tests.blank_database import write_blank
from tests.ops.conftest import begin

SERVICE = 12345
"""A user whom this machine need not know, as that of a container."""

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="NOT TESTED: what root leaves behind; run this file as root")

PRELOADED = ("alembic.command", "alembic.config", "bot.cli.backup", "bot.cli.store", "bot.commands.terminal.console")
"""Imported while root: this Python may lie where the service's user cannot read."""


def modes(folder: Path) -> dict[str, str]:
    """The rights of a folder and of everything in it."""
    return {str(path.relative_to(folder)): f"{stat.S_IMODE(path.stat().st_mode):o}" for path in everything(folder)}


def everything(folder: Path) -> list[Path]:
    return [folder, *sorted(folder.rglob("*"))]


@pytest.fixture(params=[0o000, 0o022, 0o077])
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    """What an operator's shell takes away."""
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The environment of a data folder that is not there yet."""
    monkeypatch.setenv("SIGNALBOX_DATA", str(tmp_path / "new" / "data"))
    monkeypatch.setenv("SIGNALBOX_BACKUPS", str(tmp_path / "disk" / "backups"))
    return tmp_path


# -- for nobody else ------------------------------------------------------------------------------------


async def test_under_any_umask_all_that_is_made_is_the_owners_alone(tmp_path: Path, umask: int) -> None:
    data = tmp_path / "new" / "data"
    store = await Store.open(data / "signalbox.db")
    alone = FileLock.take(data / "bot", is_alone=True)
    console = Console.__new__(Console)
    console.data, console.number, console.screen = data, 1, _Silent()  # type: ignore[assignment]
    console.enter(1)
    console.keep(Picture("map", b"png", "a map"))
    found = modes(tmp_path / "new")
    alone.release()
    await store.close()
    assert {"data/signalbox.db-wal", "data/signalbox.db-shm", "data/bot.lock", "data/pictures/game-1-map"} <= set(found)
    folders = {".", "data", "data/pictures"}
    assert {name: mode for name, mode in found.items() if mode != ("700" if name in folders else "600")} == {}


class _Silent:
    def picture(self, picture: object, path: object) -> None:
        """Show nothing."""


def test_backups_are_private_and_what_a_user_asked_for_keeps_his_umask(settings: Path, umask: int) -> None:
    begin_game()
    assert main(["backup", "--no-replay"]) == 0
    assert main(["export", "1", "--out", str(settings / "game.json")]) == 0
    found = modes(settings / "disk")
    assert len(found) == 3
    assert {mode for name, mode in found.items() if name.endswith(".db")} == {"600"}
    assert (found["."], found["backups"]) == ("700", "700")
    assert modes(settings)["game.json"] == f"{0o666 & ~umask:o}"


def test_what_others_could_read_is_tightened_and_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    data, backups = tmp_path / "data", tmp_path / "backups"
    (data / "pictures").mkdir(parents=True)
    backups.mkdir()
    old = ["signalbox.db", "signalbox.db-wal", "signalbox.db.lock", "commands-1.sha256", "pictures/game-1-map.png"]
    for path in [*(data / name for name in old), backups / "signalbox-20260601T120000Z.db"]:
        path.write_bytes(b"")
        path.chmod(0o644)
    (backups / "letter.txt").write_text("dear friend")
    (data / "console-game").write_text("1")
    (data / "console-game").chmod(0o640)
    data.chmod(0o755)
    with caplog.at_level(logging.WARNING):
        assert len(tighten(data, backups)) == 8
        assert tighten(data, backups) == []
    assert "8 file(s) could be read by others on this machine" in caplog.text
    assert len(caplog.records) == 1
    assert {mode for name, mode in modes(data).items() if name in old} == {"600"}
    assert modes(data)["."] == modes(data)["pictures"] == "700"
    assert modes(data)["console-game"] == "640", "a group's right was given by somebody"
    assert modes(backups) == {".": "755", "letter.txt": "644", "signalbox-20260601T120000Z.db": "600"}


def test_a_folder_that_holds_other_things_keeps_its_rights(tmp_path: Path) -> None:
    (tmp_path / "signalbox.db").write_bytes(b"")
    (tmp_path / "signalbox.db").chmod(0o644)
    (tmp_path / "homepage.html").write_text("hello")
    tmp_path.chmod(0o755)
    tighten(tmp_path, tmp_path / "backups")
    assert modes(tmp_path) == {".": "755", "homepage.html": "644", "signalbox.db": "600"}


# -- looking makes nothing ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["doctor"], 2, "there is no database"),
        (["doctor", "--json"], 2, "there is no database"),
        (["export", "3"], 2, "there is no database"),
        (["backup"], 2, "there is no database"),
        (["backup", "--out", "friday.db"], 2, "there is no database"),
        (["backup", "--list"], 2, "there is no folder of backups"),
        (["restore"], 1, "there is no backup in"),
        (["restore", "none.db"], 1, "there is no file none.db"),
        (["health"], 1, "SIGNALBOX_PORT is not set"),
        (["replay", "none.json"], 2, "none.json"),
        (["import", "none.json"], 2, "none.json"),
    ],
)
def test_who_looks_for_what_is_not_there_is_told_and_nothing_is_made(
    settings: Path,
    words: list[str],
    code: int,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(settings)
    assert main(words) == code
    shown = capsys.readouterr()
    assert said in shown.err
    assert shown.err.count("\n") == 1
    assert (shown.out == "") is (words[0] != "doctor"), "the doctor looks at the titles all the same"
    assert everything(settings) == [settings]


# -- root, and the bot's user ---------------------------------------------------------------------------


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder as of a service: `data`, with a game, and `backups` belong to its user, the rest to root."""
    for module in PRELOADED:
        import_module(module)
    # As above: a helper process would have to start another Python.
    monkeypatch.setattr(backups_module, "verify", backups_module.verify_database)
    top = Path(tempfile.mkdtemp(prefix="signalbox-"))
    top.chmod(0o755)
    for name in ("data", "backups"):
        (top / name).mkdir(mode=0o700)
        os.chown(top / name, SERVICE, SERVICE)
    monkeypatch.setenv("SIGNALBOX_DATA", str(top / "data"))
    monkeypatch.setenv("SIGNALBOX_BACKUPS", str(top / "backups"))
    with as_owner(top / "data"):
        begin_game()
    yield top
    shutil.rmtree(top)


def begin_game() -> None:
    """A game of 1848 in the data folder of the environment."""
    path = Path(os.environ["SIGNALBOX_DATA"]) / "signalbox.db"
    write_blank(path)

    async def prepare() -> None:
        tables = GameService(await Store.open(path), TITLES)
        await begin(tables)
        await tables.desk.store.close()

    asyncio.run(prepare())


def foreign(*folders: Path) -> list[Path]:
    """What does not belong to the service's user."""
    return [path for folder in folders for path in everything(folder) if path.lstat().st_uid != SERVICE]


def as_service(act: Callable[[], object]) -> int:
    """The exit code of a process that does this as the service's user."""

    def child() -> None:
        os.setgroups([])
        os.setgid(SERVICE)
        os.setuid(SERVICE)
        act()

    process = get_context("fork").Process(target=child)
    process.start()
    process.join()
    return process.exitcode or 0


def open_for_writing() -> None:
    async def write() -> None:
        store = await Store.open(Path(os.environ["SIGNALBOX_DATA"]) / "signalbox.db")
        await store.games.change(1, pace_hours=12.0)
        await store.close()

    asyncio.run(write())


@as_root
def test_what_root_does_leaves_only_files_of_the_service(installed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, backups = installed / "data", installed / "backups"
    for path in data.glob("*.lock"):
        path.unlink()
    for words in (["doctor"], ["backup"], ["export", "1", "--out", str(installed / "game.json")], ["restore"]):
        assert main(words) == 0, capsys.readouterr().err
        assert foreign(data, backups) == []
    assert main(["import", str(installed / "game.json")]) == 0
    assert foreign(data, backups) == []
    assert (installed / "game.json").stat().st_uid == 0, "what root named is root's"
    assert (os.geteuid(), os.getegid()) == (0, 0)
    assert as_service(open_for_writing) == 0


@as_root
def test_a_backup_that_root_names_is_roots_and_leaves_the_data_alone(installed: Path) -> None:
    safe = installed / "safe"
    safe.mkdir(mode=0o700)
    assert main(["backup", "--out", str(safe / "friday.db")]) == 0
    assert (safe / "friday.db").stat().st_uid == 0
    assert foreign(installed / "data", installed / "backups") == []
    assert as_service(open_for_writing) == 0


@as_root
def test_a_first_restore_into_an_empty_folder_is_the_services(installed: Path) -> None:
    assert main(["backup", "--no-replay"]) == 0
    for path in (installed / "data").iterdir():
        path.unlink()
    assert main(["restore"]) == 0
    assert foreign(installed / "data") == []
    assert as_service(open_for_writing) == 0


@as_root
def test_a_folder_for_backups_that_the_service_may_not_write_to_is_named(
    installed: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SIGNALBOX_BACKUPS", str(installed / "disk"))
    assert main(["backup"]) == 1
    assert "Permission denied" in capsys.readouterr().err
    safe = installed / "safe"
    safe.mkdir(mode=0o700)
    shutil.copy(installed / "data" / "signalbox.db", safe / "friday.db")
    assert main(["restore", str(safe / "friday.db")]) == 2
    assert f"may not read {safe / 'friday.db'}; put it into a folder that user can read" in capsys.readouterr().err


@as_root
def test_whoever_stays_becomes_the_service_for_good(installed: Path) -> None:
    data = installed / "data"

    def stay() -> None:
        drop_privileges_to(data)
        write_file(data / "console-game", b"1")
        make_file(data / "console-history")
        assert (os.getresuid(), os.getresgid()) == ((SERVICE,) * 3, (SERVICE,) * 3)

    process = get_context("fork").Process(target=stay)
    process.start()
    process.join()
    assert process.exitcode == 0
    assert foreign(data) == []


@as_root
@pytest.mark.parametrize("words", [["doctor"], ["backup"], ["export", "1"], ["restore"], ["console"]])
def test_a_user_who_may_not_look_is_told_so(
    installed: Path, words: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["backup", "--no-replay"]) == 0
    os.chown(installed / "data", 0, 0)
    before = everything(installed)
    capfd.readouterr()

    def look() -> None:
        raise SystemExit(main(words))

    assert as_service(look) in (1, 2)
    assert everything(installed) == before
    said = capfd.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert "Permission denied" in said.err


def test_whose_a_folder_is_and_whose_one_would_be(tmp_path: Path) -> None:
    here = owner_of(tmp_path)
    assert here == owner_of(tmp_path / "not" / "there")
    assert here.user == os.geteuid()
    with as_owner(tmp_path):
        assert os.geteuid() == here.user
    assert json.loads(json.dumps(here.name))
