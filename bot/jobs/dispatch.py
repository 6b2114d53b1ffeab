"""The one door: have jobs done, here or by workers."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Iterable
from contextlib import aclosing
from typing import TYPE_CHECKING

from .job_types import JobFailed, JobType, Order, Outcome
from .local_executor import done_here

if TYPE_CHECKING:
    from bot.store import Server

BEGUN = 10.0
"""So many seconds a worker has to begin what else would be done here."""

log = logging.getLogger("signalbox.work")


async def done(
    kind: JobType[Order, Outcome], orders: Iterable[Order], hands: int = 0, workers: Server | None = None
) -> AsyncGenerator[Outcome]:
    """The outcomes in the order of their orders: by the workers of this server, else by so many processes of this machine,
    of which none means in this one.

    :raises JobFailed: one of them was not done.
    :raises StoreError: the server cannot be reached, or goes away.
    """
    if workers is not None:
        from .queue import done_by_workers

        async with aclosing(done_by_workers(kind, orders, workers)) as outcomes:
            async for outcome in outcomes:
                yield outcome
    elif hands:
        async with aclosing(done_here(kind, orders, hands)) as outcomes:
            async for outcome in outcomes:
                yield outcome
    else:
        for order in orders:
            yield kind.function(order)


async def done_for_us(kind: JobType[Order, Outcome], order: Order, server: Server | None) -> Outcome | None:
    """The outcome of one order by a worker of this server; None where there is no server, no worker, or none that can, so
    that it has to be done here."""
    if server is None:
        return None
    from bot.store import StoreError

    from .queue import done_by_workers, has_workers

    try:
        if await has_workers(server):
            async with aclosing(done_by_workers(kind, [order], server, BEGUN)) as outcomes:
                return await anext(outcomes)
    except (JobFailed, StoreError) as error:
        log.warning("done here, since no worker did it: %s", error)
    return None
