"""A community that moves to a server and back by the command line, and is looked after there. (`make test` runs these too.)"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.cli.main import main
from bot.ops.lifecycle import exclusive_tables
from bot.ops.settings import InvalidSetting, Settings
from bot.service.game_service import GameService
from bot.store import Server, Store, StoreInUse
from bot.titles.registry import TITLES
from tests.ops.conftest import begin
from tests.store.postgres_cluster import cluster, execute


@pytest.fixture
def server() -> Iterator[Server]:
    """A database without tables."""
    found = cluster().fresh(None)
    yield found
    cluster().drop(found)


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder with two games under way."""
    monkeypatch.setenv("SIGNALBOX_DATA", str(tmp_path / "data"))
    monkeypatch.delenv("SIGNALBOX_DATABASE_URL", raising=False)
    asyncio.run(_play(tmp_path / "data" / "signalbox.db"))
    return tmp_path / "data"


async def _play(path: Path) -> None:
    store = await Store.open(path)
    tables = GameService(store, TITLES)
    await begin(tables)
    await begin(tables, "buy P1; buy P2; buy P3")
    await store.close()


def test_a_community_moves_to_a_server_and_back(
    data: Path, server: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["export", "2"]) == 0
    game = capsys.readouterr().out
    assert main(["move-database", "--to", server.text]) == 0
    said = capsys.readouterr().out
    assert (
        "rows carried" in said and "2 game(s) replayed there, 0 not well" in said and "SIGNALBOX_DATABASE_URL" in said
    )
    monkeypatch.setenv("SIGNALBOX_DATABASE_URL", server.text)
    assert main(["export", "2"]) == 0
    assert capsys.readouterr().out == game
    assert main(["doctor"]) == 0
    assert main(["move-database", "--to", f"{tmp_path}/back/", "--json"]) == 0
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert told["to"] == f"{tmp_path}/back/signalbox.db" and told["games"] == 2 and told["faults"] == []
    assert told["rows"]["games"] == 2 and told["from"] == str(server)
    for table in ("moves", "snapshots", "outbox", "clocks", "seats"):
        query = f"SELECT * FROM {table} ORDER BY 1, 2"
        assert execute(tmp_path / "back" / "signalbox.db", query) == execute(data / "signalbox.db", query)


def test_what_cannot_be_moved_is_left_alone(
    data: Path, server: Server, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def refused(code: int, *arguments: str) -> str:
        assert main(["move-database", *arguments]) == code
        return capsys.readouterr().err

    assert "postgresql://signalbox:password@" in refused(2, "--to", "mysql://ann:geheim@there/games")
    assert "no database" in refused(2, "--from", str(tmp_path / "none.db"), "--to", server.text)
    assert "There is a file" in refused(1, "--to", str(data))
    assert "cannot be reached" in refused(1, "--to", "postgresql://ann:geheim@127.0.0.1:1/games")
    execute(data / "signalbox.db", "UPDATE moves SET parent = 'x' WHERE game = 2 AND number = 1")
    assert "cannot store a row of moves" in refused(1, "--to", server.text)
    assert execute(server, "SELECT count(*) FROM games") == [(0,)]
    execute(data / "signalbox.db", "UPDATE moves SET parent = 0, text = 'buy P9' WHERE game = 2 AND number = 1")
    assert main(["move-database", "--to", str(tmp_path / "new.db")]) == 1
    said = capsys.readouterr().out
    assert "1 not well" in said and "game 2" in said
    assert main(["move-database", "--to", server.text]) == 1
    assert "needs an empty database" in refused(1, "--to", server.text)


async def test_nobody_moves_a_database_that_is_open(data: Path, server: Server, tmp_path: Path) -> None:
    from bot.cli.move_database import _move

    store = await Store.open(data / "signalbox.db")
    with pytest.raises(StoreInUse):
        await _move(data / "signalbox.db", tmp_path / "other.db")
    await store.close()
    store = await Store.open(server)
    with pytest.raises(StoreInUse):
        await _move(data / "signalbox.db", server)
    await store.close()
    assert not (tmp_path / "other.db").exists()


@pytest.mark.postgres
async def test_one_bot_on_a_server_whatever_its_folder(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = (
        Settings.from_env({"SIGNALBOX_DATA": str(tmp_path / name), "SIGNALBOX_DATABASE_URL": server.text})
        for name in ("one", "two")
    )
    async with exclusive_tables(first):
        with pytest.raises(StoreInUse, match="Another bot runs on this database"):
            async with exclusive_tables(second):
                pass
    async with exclusive_tables(second) as (tables, _):
        assert await tables.desk.store.games.list_all() == []


def test_the_setting_is_read_and_its_password_is_a_secret(tmp_path: Path) -> None:
    chosen = Settings.from_env({"SIGNALBOX_DATABASE_URL": "postgresql://ann:geheim@db.example.org/games"})
    assert str(chosen.database) == "postgresql://ann@db.example.org/games"
    assert "geheim" in chosen.secret_values and "geheim" not in repr(chosen)
    assert Settings.from_env({"SIGNALBOX_DATA": str(tmp_path)}).database == tmp_path / "signalbox.db"
    with pytest.raises(InvalidSetting, match="SIGNALBOX_DATABASE_URL is like") as caught:
        Settings.from_env({"SIGNALBOX_DATABASE_URL": "mysql://ann:geheim@there/games"})
    assert "geheim" not in str(caught.value)
