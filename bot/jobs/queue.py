"""The queue of jobs on a PostgreSQL server: procrastinate's tables, and one of ours for outcomes, in a schema of their own.

Nothing in it lasts: who has ordered a job waits for its outcome and takes it away.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Iterable
from contextlib import asynccontextmanager
from importlib.metadata import version
from itertools import islice
from math import inf
from typing import TYPE_CHECKING, Any

import msgspec

from bot.store import Server, StoreMissing
from bot.store.errors import map_driver_error

from .job_types import JobFailed, JobType, Order, Outcome

if TYPE_CHECKING:
    from procrastinate import App

SCHEMA = "work"
TASK = "signalbox"
"""All our jobs are procrastinate's tasks of this name; each holds its kind."""

BEAT, STALLED = 5.0, 20.0
"""Seconds between two signs of life of a worker, and seconds without any until it counts as dead."""

KEEP_HOURS = 24
"""Hours after which a waiting job is not begun any more, and an outcome that nobody has taken is dropped."""

LOOK = 0.2
"""Seconds between two checks whether something is done."""

AHEAD = 256
"""Maximum number of jobs of one orderer in the queue."""

LIVE_WORKERS = f"SELECT count(*) FROM procrastinate_workers WHERE last_heartbeat > now() - interval '{STALLED} s'"

OUTCOMES = """
CREATE TABLE outcomes (
    job bigint PRIMARY KEY, outcome bytea, failure text NOT NULL, made timestamptz NOT NULL DEFAULT now());
CREATE TABLE prepared (by text NOT NULL);
"""


class QueueNotInstalled(JobFailed):
    """The server has no queue, or one of another release of procrastinate."""

    def __init__(self) -> None:
        super().__init__(
            "the server has no queue of this release; stop all workers, then run: signalbox worker --prepare"
        )


async def connect(server: Server) -> Any:
    """A connection to the queue, each of whose statements stands alone.

    :raises StoreError: the server cannot be reached, or the packages for it are missing.
    """
    try:
        import procrastinate  # noqa: F401
        import psycopg
    except ModuleNotFoundError as error:
        raise StoreMissing("For PostgreSQL one package is missing: install signalbox[postgres].") from error
    try:
        return await psycopg.AsyncConnection.connect(server.text, autocommit=True, **_settings(server))
    except psycopg.Error as error:
        raise map_driver_error(error) from error


def _settings(server: Server) -> dict[str, Any]:
    given = server.url.query.get("options", "")
    options = f"{given} -c search_path={SCHEMA}".strip()
    return {"options": options, "connect_timeout": 5, "application_name": "signalbox-work"}


async def install_schema(server: Server) -> bool:
    """Make the queue, empty, where there is none of this release of procrastinate; the queue of another release is
    dropped with the jobs that wait in it. Returns whether anything was done.

    :raises StoreError: the server cannot be reached, or does not let us.
    """
    async with await connect(server) as connection:
        if await _is_installed(connection):
            return False
        import psycopg
        from procrastinate.schema import SchemaManager

        try:
            async with connection.transaction():
                await connection.execute(f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE")
                await connection.execute(f"CREATE SCHEMA {SCHEMA}")
                await connection.execute(SchemaManager.get_schema())
                await connection.execute(OUTCOMES)
                await connection.execute("INSERT INTO prepared VALUES (%s)", [version("procrastinate")])
        except psycopg.Error as error:
            raise map_driver_error(error) from error
    return True


async def _is_installed(connection: Any) -> bool:
    cursor = await connection.execute(f"SELECT to_regclass('{SCHEMA}.prepared')")
    if (await cursor.fetchone())[0] is None:
        return False
    cursor = await connection.execute("SELECT by FROM prepared")
    return bool(await cursor.fetchone() == (version("procrastinate"),))


@asynccontextmanager
async def queue(server: Server) -> AsyncIterator[App]:
    """The open queue.

    :raises QueueNotInstalled: there is none.
    :raises StoreError: the server cannot be reached, or goes away.
    """
    async with await connect(server) as connection:
        if not await _is_installed(connection):
            raise QueueNotInstalled
    from procrastinate import App, PsycopgConnector
    from procrastinate.exceptions import ConnectorException

    app = App(
        connector=PsycopgConnector(conninfo=server.text, kwargs=_settings(server), min_size=1, max_size=4, timeout=BEAT)
    )
    try:
        async with app.open_async():
            yield app
    except ConnectorException as error:
        raise map_driver_error(error.__cause__ or error) from error


async def has_workers(server: Server) -> bool:
    """Whether there is a queue with a living worker.

    :raises StoreError: the server cannot be reached.
    """
    try:
        async with queue(server) as app:
            return await _count_live_workers(app) > 0
    except QueueNotInstalled:
        return False


async def _count_live_workers(app: App) -> int:
    return int((await app.connector.execute_query_one_async(LIVE_WORKERS))["count"])


async def run_on_workers(
    kind: JobType[Order, Outcome], orders: Iterable[Order], server: Server, patience: float = inf
) -> AsyncGenerator[Outcome]:
    """The outcomes in the order of their orders, done through the queue by workers somewhere.

    :raises JobFailed: one of them was not done; no worker lives; or for `patience` seconds none has begun any.
    :raises StoreError: the server cannot be reached, or goes away.
    """
    async with queue(server) as app:
        task = app.configure_task(TASK, allow_unknown=True, queue=kind.name, priority=kind.priority)
        coming, waiting, found = iter(orders), deque[int](), dict[int, Outcome]()
        sign = time.monotonic()
        try:
            while True:
                until = time.time() + KEEP_HOURS * 3600
                fresh = [
                    {"kind": kind.name, "order": msgspec.to_builtins(order), "until": until}
                    for order in islice(coming, AHEAD - len(waiting))
                ]
                if fresh:
                    waiting += await task.batch_defer_async(*fresh)
                if not waiting:
                    return
                await _collect_outcomes(app, kind, waiting, found)
                if waiting[0] in found:
                    sign = time.monotonic()
                    yield found.pop(waiting.popleft())
                    continue
                if await _is_begun(app, waiting):
                    sign = time.monotonic()
                elif time.monotonic() - sign > min(patience, STALLED) and (
                    not await _count_live_workers(app) or time.monotonic() - sign > patience
                ):
                    raise JobFailed("no worker for such jobs runs on this database; start one: signalbox worker")
                await asyncio.sleep(LOOK)
        finally:
            if left := [job for job in waiting if job not in found]:
                await asyncio.shield(_cancel_jobs(app, left))


async def _collect_outcomes(
    app: App, kind: JobType[Any, Outcome], jobs: Iterable[int], found: dict[int, Outcome]
) -> None:
    """Take the finished outcomes of these jobs out of the queue.

    :raises JobFailed: one of them was not done.
    """
    query = "DELETE FROM outcomes WHERE job = ANY(%(jobs)s) RETURNING job, outcome, failure"
    for row in await app.connector.execute_query_all_async(query, jobs=list(jobs)):
        if row["failure"]:
            raise JobFailed(row["failure"])
        try:
            found[row["job"]] = msgspec.json.decode(row["outcome"], type=kind.outcome)
        except msgspec.DecodeError as error:
            raise JobFailed(f"{kind.name}: a worker of another release did it, whose answer is not ours") from error


async def _is_begun(app: App, jobs: Iterable[int]) -> bool:
    query = "SELECT count(*) FROM procrastinate_jobs WHERE id = ANY(%(jobs)s) AND status = 'doing'"
    return bool((await app.connector.execute_query_one_async(query, jobs=list(jobs)))["count"])


async def _cancel_jobs(app: App, jobs: list[int]) -> None:
    """Drop jobs that nobody waits for any more; jobs under way are aborted."""
    query = "SELECT procrastinate_cancel_job_v1(id, true, true) FROM unnest(%(jobs)s::bigint[]) AS id"
    await app.connector.execute_query_all_async(query, jobs=jobs)
