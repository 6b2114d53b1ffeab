"""A worker: takes jobs from the queue of a server, until it is stopped."""

from __future__ import annotations

import asyncio
import logging
import signal
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from bot.store import Server
from bot.store.errors import AWAY

from .job_types import JobFailed, JobType
from .local_executor import TRIES, LocalExecutor
from .queue import BEAT, KEEP_HOURS, STALLED, TASK, queue

if TYPE_CHECKING:
    from procrastinate import App, JobContext

POLL = 1.0
"""Seconds after which a job is found whose arrival was not signalled."""

GRACE = 8.0
"""Seconds that jobs under way have to finish when the worker is stopped; then they go back into the queue."""

GENTLE = 19
"""The priority (nice) of jobs."""

NO_ORDER = "SELECT id FROM procrastinate_jobs WHERE jsonb_typeof(args) <> 'object' AND status IN ('todo', 'doing')"

log = logging.getLogger("signalbox.work")


class Worker:
    """Does jobs of these kinds, several at once, and refuses all others. With `only` it leaves jobs of other kinds
    in the queue.
    """

    def __init__(
        self, server: Server, kinds: Mapping[str, JobType[Any, Any]], hands: int = 1, only: Sequence[str] = ()
    ) -> None:
        self._server = server
        self._kinds = kinds
        self._only = list(only) or None
        self._free: asyncio.Queue[LocalExecutor] = asyncio.Queue()
        self._hands = [LocalExecutor(GENTLE) for _ in range(hands)]

    async def run(self, is_waiting: bool = True) -> None:
        """Work until SIGTERM or SIGINT; without waiting, until there is nothing to do.

        :raises JobFailed: there is no queue.
        :raises StoreError: the server cannot be reached, or went away.
        """
        from procrastinate import RetryStrategy

        loop, stop = asyncio.get_running_loop(), asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, stop.set)
        for hand in self._hands:
            self._free.put_nowait(hand)
        try:
            async with queue(self._server) as app:
                app.task(name=TASK, pass_context=True, retry=RetryStrategy(max_attempts=TRIES, wait=1))(self._job)
                working = app.run_worker_async(
                    queues=self._only,  # type: ignore[arg-type]
                    wait=is_waiting,
                    concurrency=len(self._hands),
                    fetch_job_polling_interval=POLL,
                    abort_job_polling_interval=POLL,
                    shutdown_graceful_timeout=GRACE,
                    delete_jobs="always",
                    update_heartbeat_interval=BEAT,
                    stalled_worker_timeout=STALLED,
                    install_signal_handlers=False,
                )
                log.info(
                    "waiting for work", extra={"kinds": ",".join(self._only or self._kinds), "jobs": len(self._hands)}
                )
                tasks = [asyncio.ensure_future(each) for each in (working, self._clean_up(app), stop.wait())]
                is_done = False
                try:
                    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                    is_done = tasks[0].done() and not is_waiting
                finally:
                    for task in tasks:
                        task.cancel()
                    found = await asyncio.gather(*tasks, return_exceptions=True)
                failures = [each for each in found if isinstance(each, Exception)]
                if failures:
                    raise failures[0]
                if not is_done and not stop.is_set():
                    raise type(AWAY)(str(AWAY))
                log.info("ended")
        finally:
            for hand in self._hands:
                hand.close()

    async def _job(self, context: JobContext, kind: str, order: Any, until: float) -> None:
        """Do a job, and leave its outcome, or why there is none, for the orderer."""
        began, outcome, failure = time.monotonic(), None, ""
        job = {"kind": kind, "job": context.job.id}
        log.info("began", extra=job)
        try:
            if context.job.attempts >= TRIES:
                raise JobFailed(f"{kind}: the worker that did it died or was ended {TRIES} times")
            if time.time() > until:
                raise JobFailed(f"{kind}: it has waited for more than {KEEP_HOURS} hours")
            outcome = msgspec.json.encode(await self._outcome(kind, order))
        except asyncio.CancelledError:
            log.info("broken off", extra=job)
            raise
        except JobFailed as error:
            failure = str(error)
        except Exception as error:
            log.exception("failed", extra=job)
            failure = f"{kind}: {type(error).__name__}: {error}"
        await context.app.connector.execute_query_async(
            "INSERT INTO outcomes (job, outcome, failure) VALUES (%(job)s, %(outcome)s, %(failure)s)"
            " ON CONFLICT (job) DO UPDATE SET outcome = excluded.outcome, failure = excluded.failure",
            job=context.job.id,
            outcome=outcome,
            failure=failure,
        )
        seconds = round(time.monotonic() - began, 2)
        if failure:
            log.warning("not done: %s", failure, extra={**job, "seconds": seconds})
        else:
            log.info("done", extra={**job, "seconds": seconds})

    async def _outcome(self, name: str, order: Any) -> Any:
        kind = self._kinds.get(name)
        if kind is None:
            raise JobFailed(f"this worker knows no jobs called {name[:40]!r}; it knows: {', '.join(self._kinds)}")
        try:
            read = msgspec.convert(order, kind.order)
        except msgspec.ValidationError as error:
            raise JobFailed(f"{name}: this worker cannot read the order: {error}") from error
        hand = await self._free.get()
        try:
            return await hand.do(kind, read)
        finally:
            self._free.put_nowait(hand)

    async def _clean_up(self, app: App) -> None:
        """Put back what dead workers have left; drop what is no job, and what nobody has taken away."""
        from procrastinate.jobs import Status

        while True:
            # The library takes such a job, stumbles over it, and leaves it as if it were under way.
            for row in await app.connector.execute_query_all_async(NO_ORDER):
                log.error("a row of the queue is not a job; it is dropped", extra={"job": row["id"]})
                await app.job_manager.finish_job_by_id_async(row["id"], Status.FAILED, delete_job=True)
            for job in await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=STALLED):
                log.warning("a worker has died; its job is taken again", extra={"job": job.id})
                await app.job_manager.retry_job(job)
            await app.job_manager.delete_old_jobs(
                KEEP_HOURS, include_failed=True, include_cancelled=True, include_aborted=True
            )
            await app.connector.execute_query_async(
                f"DELETE FROM outcomes WHERE made < now() - interval '{KEEP_HOURS} h'"
            )
            await asyncio.sleep(BEAT)
