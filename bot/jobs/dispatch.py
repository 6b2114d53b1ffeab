"""The one door: have jobs done, here or by workers."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Iterable
from contextlib import aclosing
from typing import TYPE_CHECKING

from .job_types import JobFailed, JobType, Order, Outcome
from .local_executor import run_locally

if TYPE_CHECKING:
    from bot.store import Server

WORKER_START_SECONDS = 10.0
"""Seconds a worker has to begin a job before it is done here."""

log = logging.getLogger("signalbox.work")


async def run_jobs(
    kind: JobType[Order, Outcome], orders: Iterable[Order], hands: int = 0, workers: Server | None = None
) -> AsyncGenerator[Outcome]:
    """The outcomes in the order of their orders: by the workers of this server, else by `hands` processes of this
    machine (0: in this process).

    :raises JobFailed: one of them was not done.
    :raises StoreError: the server cannot be reached, or goes away.
    """
    if workers is not None:
        from .queue import run_on_workers

        async with aclosing(run_on_workers(kind, orders, workers)) as outcomes:
            async for outcome in outcomes:
                yield outcome
    elif hands:
        async with aclosing(run_locally(kind, orders, hands)) as outcomes:
            async for outcome in outcomes:
                yield outcome
    else:
        for order in orders:
            yield kind.function(order)


async def try_run_on_worker(kind: JobType[Order, Outcome], order: Order, server: Server | None) -> Outcome | None:
    """The outcome of one order by a worker of this server; None where there is no server or no worker that can do
    it, so that it has to be done here.
    """
    if server is None:
        return None
    from bot.store import StoreError

    from .queue import has_workers, run_on_workers

    try:
        if await has_workers(server):
            async with aclosing(run_on_workers(kind, [order], server, WORKER_START_SECONDS)) as outcomes:
                return await anext(outcomes)
    except (JobFailed, StoreError) as error:
        log.warning("done here, since no worker did it: %s", error)
    return None
