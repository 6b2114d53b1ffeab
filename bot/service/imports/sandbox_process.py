"""Games in and out: files are read and games replayed in a process of their own, one at a time, with limits.

In every case the bot goes on, and nothing was changed; the person who asked gets a sentence.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from bot.engine import IllegalMove, PersonId, Rejected
from bot.metrics import IMPORT_JOBS, IMPORTS_WAITING
from bot.process_pool import CpuLimitExceeded, ResourceLimits, create_pool, kill_pool, run
from bot.service.sessions.at_work import waiting_elsewhere

from .fair_queue import LEAVING, FairQueue, ShuttingDown

log = logging.getLogger("signalbox.tables")

Found = TypeVar("Found")

LIMITS = ResourceLimits(megabytes=200, seconds=30)
"""The longest real games known, of a thousand moves, need 80 MB and two seconds of work; a random game of four
thousand moves needs ten.
"""

LONGEST = 240.0
"""Wall-clock seconds, on a busy machine."""

NICENESS = 5
"""Moves come first."""

LONGEST_SENTENCE = 1500
"""Maximum letters of a refusal that come back: it may quote a file."""


class ImportProcess:
    """Reads files and replays games. Each job has its own process, which ends with it."""

    def __init__(self) -> None:
        self._turns = FairQueue()
        self._pools: set[ProcessPoolExecutor] = set()

    @asynccontextmanager
    async def turn(self, person: PersonId, server: str) -> AsyncIterator[None]:
        """Wait for this person's turn for a job; their other requests are worked on meanwhile.

        :raises IllegalMove: too many wait already, or they would wait too long.
        """
        with IMPORTS_WAITING.track_inprogress():
            async with waiting_elsewhere(), self._turns.turn(person, server):
                yield

    async def run(self, function: Callable[..., Found], *arguments: Any) -> Found:
        """The result of a function in a new process.

        :raises Rejected: as the function does; or it took too long, needed too much memory, or its process died.
        """
        if self._turns.is_closing:
            raise ShuttingDown(LEAVING)
        pool = create_pool(niceness=NICENESS, limits=LIMITS)
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
            IMPORT_JOBS.labels(outcome).inc()
            self._pools.discard(pool)
            kill_pool(pool)
        return found

    def close(self) -> None:
        self._turns.close()
        for pool in self._pools:
            kill_pool(pool)


def carry_out(function: Callable[..., Found], *arguments: Any) -> Found:
    """The result of the function, in the process.

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
