"""What is left to workers comes out as it does here: random games, tournaments, the doctor, proofs, time-lapses."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.cli.main import main
from bot.cli.worker import known_job_types
from bot.jobs.job_types import JobFailed
from bot.ops import backups
from bot.ops.backups import Backups, verify_in_folder
from bot.render import worker as painting
from bot.render.worker import Renderer
from bot.service.game_service import GameService
from bot.store import Server, Store
from bot.titles.registry import TITLES
from tests.jobs.test_workers import begun, server, until, working
from tests.store.postgres_cluster import execute

pytestmark = pytest.mark.postgres

__all__ = ["server"]


@pytest.fixture(autouse=True)
def environment(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder, and the server of the games."""
    monkeypatch.setenv("SIGNALBOX_DATABASE_URL", server.text)
    monkeypatch.setenv("SIGNALBOX_DATA", str(tmp_path))
    monkeypatch.delenv("SIGNALBOX_BACKUPS", raising=False)
    return tmp_path


@contextmanager
def beside(server: Server) -> Iterator[None]:
    """A worker beside a command, which has an event loop of its own."""
    ending = begun(server)
    try:
        yield
    finally:
        ending.terminate()
        assert ending.wait() == 0


async def played(server: Server, moves: int = 6) -> int:
    """A game in which some moves were made."""
    store = await Store.open(server)
    tables = GameService(store, TITLES)
    game = await tables.lobby.create("1830", "ann", [("ann", "Ann"), ("ann", "Bob")], {}, 1)
    await tables.lobby.start(game, "ann", "list")
    for _ in range(moves):
        await tables.moves.submit(game, "ann", "pass")
    await store.close()
    return game


def told(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, object]]:
    """What a command says."""
    code = main([*words, "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_a_tournament_by_workers_is_the_one_that_is_played_here(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("tournament", "1830", "--seats", "random,random", "--games", "3", "--moves", "30")
    here = told(capsys, *words, "--jobs", "1")
    assert told(capsys, *words, "--jobs", "2") == here
    with beside(server):
        assert told(capsys, *words, "--workers") == here
    assert execute(server, "SELECT count(*) FROM work.outcomes") == [(0,)]


def test_the_doctor_finds_by_workers_what_he_finds_himself(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    games = [asyncio.run(played(server)) for _ in range(3)]
    execute(
        server,
        f"UPDATE moves SET kind = 'odd' WHERE game = {games[1]} AND number = 2",
        "DELETE FROM snapshots WHERE game = 1",
    )
    code, here = told(capsys, "doctor")
    assert code == 1
    with beside(server):
        assert told(capsys, "doctor", "--workers") == (code, here)
        main(["doctor", "--workers"])
        text = capsys.readouterr().out
    assert "database: ok" in text and "can be mended" in text
    assert main(["doctor", "--workers", "--repair"]) == 2


def test_workers_need_a_server(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delenv("SIGNALBOX_DATABASE_URL")
    assert main(["selfplay", "1830", "--players", "2", "--seed", "1", "--workers"]) == 2
    assert "SIGNALBOX_DATABASE_URL" in capsys.readouterr().err


async def test_a_backup_is_proved_by_a_worker_that_sees_its_folder(
    server: Server, environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await played(server)
    here: list[Path] = []
    prove = backups.verify

    async def noted(path: Path, server: Server) -> backups.Verification:
        here.append(path)
        return await prove(path, server)

    monkeypatch.setattr(backups, "verify", noted)
    with beside(server):
        await until(lambda: execute(server, "SELECT 1 FROM work.procrastinate_workers"))
        made = await Backups(server, environment / "backups").make(datetime.now(UTC))
        assert made.proof is not None and made.proof.games == 1 and here == []
        elsewhere = await Backups(server, environment / "elsewhere").make(datetime.now(UTC))
        assert elsewhere.proof == made.proof and len(here) == 1


def test_a_worker_proves_files_of_its_folder_alone(environment: Path) -> None:
    (environment / "secret.db").touch()
    (environment / "backups").mkdir()
    for name in ("../secret.db", "nothing.db", str(environment / "secret.db")):
        with pytest.raises(JobFailed, match="there is no"):
            verify_in_folder(name)


async def test_a_time_lapse_is_painted_by_a_worker(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    store = await Store.open(server)
    course = await GameService(store, TITLES).queries.game_file(await played(server, 2))
    await store.close()
    studio, alone = Renderer(1, server), Renderer()
    try:
        async with working(server, known_job_types()):
            monkeypatch.setattr(painting, "create_pool", None)
            picture = await studio.history_picture("timelapse", course)
        monkeypatch.undo()
        assert picture == await alone.history_picture("timelapse", course)
    finally:
        studio.close()
        alone.close()
