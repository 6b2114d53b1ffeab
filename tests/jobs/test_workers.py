"""Jobs done by workers through the queue of a server."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from bot.cli.main import main
from bot.jobs import dispatch, queue
from bot.jobs.dispatch import run_jobs, try_run_on_worker
from bot.jobs.job_types import JobFailed, JobType
from bot.jobs.local_executor import TRIES
from bot.jobs.queue import QueueNotInstalled, install_schema
from bot.jobs.worker import Worker
from bot.store import DatabaseUnreachable, Server
from tests.jobs.trial_jobs import ADDED, DEADLY, FAULTY, KINDS, NOTED, REFUSED, Sum, first
from tests.store.postgres_cluster import cluster, execute

pytestmark = pytest.mark.postgres

KNOWN = {kind.name: kind for kind in KINDS}
PATIENCE = 60.0


@pytest.fixture
def server() -> Iterator[Server]:
    """A database with the games' tables, and an empty queue."""
    found = cluster().fresh()
    asyncio.run(install_schema(found))
    yield found
    cluster().drop(found)


@asynccontextmanager
async def working(server: Server, known: dict[str, JobType[Any, Any]] = KNOWN, *only: str) -> AsyncIterator[None]:
    """A worker in this process, with two hands."""
    task = asyncio.create_task(Worker(server, known, 2, only).run())
    try:
        await until(lambda: execute(server, "SELECT 1 FROM work.procrastinate_workers"))
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def begun(server: Server, *options: str) -> subprocess.Popen[str]:
    """A worker as the command line begins it."""
    environment = {**os.environ, "SIGNALBOX_DATABASE_URL": server.text, "PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-m", "bot", "worker", "--with", "tests.jobs.trial_jobs", *options]
    return subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)


async def until(is_so: Callable[[], object]) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(PATIENCE):
        while not is_so():
            await asyncio.sleep(0.05)


def jobs(server: Server) -> list[Any]:
    """What stands in the queue: status and attempts."""
    return execute(server, "SELECT status, attempts FROM work.procrastinate_jobs ORDER BY id")


def kept(server: Server) -> int:
    """How many outcomes nobody has taken away."""
    return int(execute(server, "SELECT count(*) FROM work.outcomes")[0][0])


async def test_outcomes_come_in_the_order_of_their_orders_and_nothing_stays(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue, "AHEAD", 4)
    async with working(server):
        orders = [Sum(number, 10) for number in range(12)]
        assert [outcome async for outcome in run_jobs(ADDED, orders, workers=server)] == list(range(10, 22))
    assert jobs(server) == [] and kept(server) == 0


async def test_what_a_worker_does_not_know_or_cannot_do_is_told(server: Server) -> None:
    async with working(server):
        for kind, order, told in (
            (
                JobType("newer", int, int, abs, 60),
                1,
                "this worker knows no jobs called 'newer'; it knows: added, noted",
            ),
            (JobType("added", str, int, len, 60), "x", "added: this worker cannot read the order: Expected `object`"),
            (JobType("added", Sum, str, str, 60), Sum(1, 2), "added: a worker of another release did it"),
            (REFUSED, 3, "number 3 is not here"),
            (FAULTY, 3, "faulty: ValueError: a fault"),
        ):
            with pytest.raises(JobFailed, match=f"^{told}"):
                await first(kind, order, server)
        assert await first(ADDED, Sum(1, 2), server) == 3


async def test_a_worker_leaves_other_kinds_to_others_where_it_is_told_to(server: Server) -> None:
    async with working(server, KNOWN, "noted"):
        assert await try_run_on_worker(ADDED, Sum(1, 2), None) is None
        dispatch.WORKER_START_SECONDS, patience = 1.0, dispatch.WORKER_START_SECONDS
        try:
            assert await try_run_on_worker(ADDED, Sum(1, 2), server) is None
        finally:
            dispatch.WORKER_START_SECONDS = patience
    assert jobs(server) == []


async def test_without_a_worker_that_is_said(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue, "STALLED", 1.0)
    with pytest.raises(JobFailed, match="start one: signalbox worker"):
        await first(ADDED, Sum(1, 2), server)
    assert await try_run_on_worker(ADDED, Sum(1, 2), server) is None
    assert jobs(server) == []


async def test_a_job_of_whose_arrival_no_word_came_is_found(server: Server) -> None:
    execute(server, "ALTER TABLE work.procrastinate_jobs DISABLE TRIGGER USER")
    async with working(server):
        await first(ADDED, Sum(1, 1), server)
        began = time.monotonic()
        assert await first(ADDED, Sum(1, 2), server) == 3
        assert time.monotonic() - began < 10


async def test_a_job_whose_process_dies_is_begun_again_and_then_given_up(server: Server, tmp_path: Path) -> None:
    async with working(server):
        with pytest.raises(JobFailed, match=f"died {TRIES} times"):
            await first(DEADLY, str(tmp_path / "a"), server)
    assert (tmp_path / "a").read_text() == "begun\n" * TRIES


async def test_the_job_of_a_killed_worker_is_taken_again(server: Server, tmp_path: Path) -> None:
    killed = begun(server)
    (tmp_path / "a.wait").touch()
    task = asyncio.ensure_future(first(NOTED, str(tmp_path / "a"), server))
    await until((tmp_path / "a").exists)
    killed.kill()
    killed.communicate()
    (tmp_path / "a.wait").unlink()
    execute(server, "UPDATE work.procrastinate_workers SET last_heartbeat = now() - interval '1 hour'")
    async with working(server), asyncio.timeout(PATIENCE):
        assert await task == 2


async def test_a_job_that_has_ended_too_many_workers_is_given_up(server: Server) -> None:
    task = asyncio.ensure_future(first(ADDED, Sum(1, 2), server))
    await until(lambda: jobs(server))
    execute(server, f"UPDATE work.procrastinate_jobs SET attempts = {TRIES}")
    async with working(server):
        with pytest.raises(JobFailed, match=f"ended {TRIES} times"):
            await task


async def test_a_job_whose_arguments_are_no_object_does_not_stay_in_the_queue(server: Server) -> None:
    """Whatever another program has put there."""
    for arguments in ("[1]", '"x"', "5", "null", '{"kind": 5}', "{}"):
        values = f"('added', '{queue.TASK}', '{arguments}'::jsonb)"
        async with await queue.connect(server) as connection:
            await connection.execute(f"INSERT INTO procrastinate_jobs (queue_name, task_name, args) VALUES {values}")
    async with working(server):
        await until(lambda: not jobs(server))
        assert await first(ADDED, Sum(3, 4), server) == 7


async def test_a_worker_that_is_told_to_end_puts_back_what_it_cannot_end(server: Server, tmp_path: Path) -> None:
    ending = begun(server)
    (tmp_path / "a.wait").touch()
    task = asyncio.ensure_future(first(NOTED, str(tmp_path / "a"), server))
    await until((tmp_path / "a").exists)
    ending.send_signal(signal.SIGTERM)
    _, log = await asyncio.to_thread(ending.communicate)
    assert ending.returncode == 0 and "broken off kind=noted" in log and "Traceback" not in log
    assert jobs(server) == [("todo", 1)]
    (tmp_path / "a.wait").unlink()
    async with working(server), asyncio.timeout(PATIENCE):
        assert await task == 2


async def test_what_nobody_waits_for_any_more_leaves_the_queue(server: Server, tmp_path: Path) -> None:
    (tmp_path / "a.wait").touch()
    async with working(server):
        task = asyncio.ensure_future(first(NOTED, str(tmp_path / "a"), server, 3))
        await until((tmp_path / "a").exists)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await until(lambda: all(status not in ("todo", "doing") for status, _ in jobs(server)))
        assert kept(server) == 0
        assert await first(ADDED, Sum(1, 2), server) == 3


async def test_a_worker_ends_with_a_sentence_when_its_server_goes_away(server: Server) -> None:
    task = asyncio.create_task(Worker(server, KNOWN).run())
    await until(lambda: execute(server, "SELECT 1 FROM work.procrastinate_workers"))
    await asyncio.to_thread(cluster().stop, "immediate")
    try:
        with pytest.raises(DatabaseUnreachable, match="cannot be reached"):
            async with asyncio.timeout(PATIENCE):
                await task
    finally:
        await asyncio.to_thread(cluster().start)


async def test_the_queue_is_made_once_for_each_release_of_its_library(server: Server) -> None:
    assert not await install_schema(server)
    execute(server, "UPDATE work.prepared SET by = '0'")
    with pytest.raises(QueueNotInstalled):
        await first(ADDED, Sum(1, 2), server)
    assert await install_schema(server)
    assert execute(server, "SELECT count(*) FROM public.games") == [(0,)]


def test_the_command_says_what_is_missing(
    server: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def told(*words: str) -> tuple[int, str]:
        code = main(["worker", *words])
        return code, "".join(capsys.readouterr())

    monkeypatch.delenv("SIGNALBOX_DATABASE_URL", raising=False)
    assert told() == (2, "signalbox: A worker needs a database on a server: SIGNALBOX_DATABASE_URL.\n")
    monkeypatch.setenv("SIGNALBOX_DATABASE_URL", server.text)
    assert told("--only", "selfplay,x")[0] == 2 and told("--with", "tests.nothing")[0] == 2
    execute(server, "DROP SCHEMA work CASCADE")
    code, text = told("--once")
    assert code == 2 and "run: signalbox worker --prepare" in text
    assert told("--prepare") == (0, f"{server}: the queue is made\n")
    assert told("--prepare") == (0, f"{server}: the queue is there\n")
    monkeypatch.setenv("SIGNALBOX_DATABASE_URL", "postgresql://signalbox@/nothing?host=/nowhere")
    assert told("--once")[0] == 1
