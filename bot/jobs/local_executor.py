"""Doing jobs in processes of this machine."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Iterable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from bot.process_pool import create_pool, kill_pool, run

from .job_types import JobFailed, JobType, Order, Outcome

TRIES = 3
"""Number of attempts at a job whose process, or worker, has died."""

AHEAD = 4
"""Number of jobs under way, or done before their turn, for each process."""


class LocalExecutor:
    """A process that does one job after another. A job that takes too long is ended together with the process."""

    def __init__(self, niceness: int = 0) -> None:
        self._niceness = niceness
        self._pool: ProcessPoolExecutor | None = None

    async def do(self, kind: JobType[Order, Outcome], order: Order) -> Outcome:
        """The outcome of an order.

        :raises JobFailed: it took too long, its process died again and again, or it cannot be done here.
        """
        for _ in range(TRIES):
            self._pool = self._pool or create_pool(niceness=self._niceness)
            try:
                return await run(self._pool, kind.function, order, seconds=kind.seconds)
            except TimeoutError as error:
                self.close()
                raise JobFailed(f"{kind.name}: it took longer than {kind.seconds:.0f} s") from error
            except BrokenProcessPool:
                self.close()
            except asyncio.CancelledError:
                # Nobody waits for it any more.
                self.close()
                raise
        raise JobFailed(f"{kind.name}: the process that did it died {TRIES} times")

    def close(self) -> None:
        if self._pool is not None:
            kill_pool(self._pool)
            self._pool = None


async def run_locally(kind: JobType[Order, Outcome], orders: Iterable[Order], hands: int) -> AsyncGenerator[Outcome]:
    """The outcomes in the order of their orders, which are taken only when they can begin.

    :raises JobFailed: one of them was not done.
    """
    free: asyncio.Queue[LocalExecutor] = asyncio.Queue()
    every = [LocalExecutor() for _ in range(hands)]
    for hand in every:
        free.put_nowait(hand)

    async def do(order: Order) -> Outcome:
        hand = await free.get()
        try:
            return await hand.do(kind, order)
        finally:
            free.put_nowait(hand)

    under_way: deque[asyncio.Task[Outcome]] = deque()
    try:
        for order in orders:
            under_way.append(asyncio.create_task(do(order)))
            if len(under_way) >= AHEAD * hands:
                yield await under_way.popleft()
        while under_way:
            yield await under_way.popleft()
    finally:
        for task in under_way:
            task.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)
        for hand in every:
            hand.close()
