"""Games in and out: files are read and games replayed in a process of their own, one at a time, with limits.

Whatever it comes to there, the bot goes on, and nothing was changed; whoever asked gets a sentence.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from bot.engine.refusals import IllegalMove, Rejected
from bot.metrics import PORTER_JOBS, PORTER_WAITING
from bot.process_pool import CpuLimitExceeded, ResourceLimits, end, helpers, run

from .fair_queue import LEAVING, FairQueue, ShuttingDown

log = logging.getLogger("signalbox.tables")

Found = TypeVar("Found")

LIMITS = ResourceLimits(megabytes=200, seconds=30)
"""The longest real games known, of a thousand moves, need 80 MB and two seconds of work; a random one of four thousand
moves needs ten."""

LONGEST = 240.0
"""Seconds by the clock, on a machine that has much else to do."""

NICENESS = 5
"""Moves come first."""

LONGEST_SENTENCE = 1500
"""Letters of a refusal that come back: it may name what stands in a file."""


class ImportProcess:
    """Where files are read and games replayed. Each job has a process of its own, which ends with it."""

    def __init__(self) -> None:
        self._turns = FairQueue()
        self._pools: set[ProcessPoolExecutor] = set()

    @asynccontextmanager
    async def turn(self, person: str, server: str) -> AsyncIterator[None]:
        """Wait for this person's turn to have something carried, and have it.

        :raises IllegalMove: too many wait already, or he would wait too long.
        """
        with PORTER_WAITING.track_inprogress():
            async with self._turns.turn(person, server):
                yield

    async def run(self, function: Callable[..., Found], *arguments: Any) -> Found:
        """What a function returns in a new process.

        :raises Rejected: as the function does; or it took too long, needed too much memory, or its process died.
        """
        if self._turns.is_closing:
            raise ShuttingDown(LEAVING)
        pool = helpers(niceness=NICENESS, limits=LIMITS)
        self._pools.add(pool)
        outcome = "refused"
        try:
            found: Found = await run(pool, carry_out, function, *arguments, seconds=LONGEST)
            outcome = "done"
        except CpuLimitExceeded as error:
            outcome = "long"
            raise IllegalMove(
                "That game takes longer to replay than the limit of {seconds} s. Nothing was changed.",
                "",
                LIMITS.seconds,
            ) from error
        except TimeoutError as error:
            outcome = "slow"
            raise IllegalMove("The bot is too busy to replay that game in time. Nothing was changed.") from error
        except MemoryError as error:
            outcome = "large"
            raise IllegalMove("That game needs more memory than allowed. Nothing was changed.") from error
        except BrokenProcessPool as error:
            if self._turns.is_closing:
                raise ShuttingDown(LEAVING) from error
            outcome = "died"
            log.warning("the process of a porter died: %s", error)
            raise IllegalMove(
                "The process that replayed that game died. Nothing was changed; you can try again."
            ) from error
        finally:
            PORTER_JOBS.labels(outcome).inc()
            self._pools.discard(pool)
            end(pool)
        return found

    def close(self) -> None:
        """Send away whoever waits, and end what is under way."""
        self._turns.close()
        for pool in self._pools:
            end(pool)


def carry_out(function: Callable[..., Found], *arguments: Any) -> Found:
    """What the function returns, in the process.

    :raises Rejected: as the function does, if need be cut; or something is nested too deeply.
    """
    try:
        return function(*arguments)
    except Rejected as refusal:
        if len(str(refusal)) <= LONGEST_SENTENCE:
            raise
        raise IllegalMove(f"{str(refusal)[:LONGEST_SENTENCE]}…") from None
    except RecursionError as error:
        raise IllegalMove("The data in that file is nested too deeply.") from error
