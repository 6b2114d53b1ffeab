"""Kinds of jobs to try hands and workers with, and what a worker of another release, or a bad day, would do to them."""

from __future__ import annotations

import os
import signal
import time
from contextlib import aclosing
from pathlib import Path

from msgspec import Struct

from bot.jobs.dispatch import run_jobs
from bot.jobs.job_types import JobFailed, JobType, Order, Outcome
from bot.store import Server


class Sum(Struct):
    """Two numbers to be added."""

    one: int
    other: int


def added(order: Sum) -> int:
    """The sum."""
    return order.one + order.other


def noted(path: str) -> int:
    """Notes in a file that it was begun; waits as long as the file beside it is there. How often it was begun."""
    with open(path, "a") as file:
        file.write("begun\n")
    while Path(f"{path}.wait").exists():
        time.sleep(0.05)
    return len(Path(path).read_text().splitlines())


def deadly(path: str) -> int:
    """Its process is killed."""
    noted(path)
    os.kill(os.getpid(), signal.SIGKILL)
    return 0


def refused(order: int) -> int:
    """Cannot be done."""
    raise JobFailed(f"number {order} is not here")


def faulty(order: int) -> int:
    """Has a fault."""
    raise ValueError("a fault")


async def first(kind: JobType[Order, Outcome], order: Order, workers: Server | None = None, times: int = 1) -> Outcome:
    """The first outcome where something is ordered so often: by workers, or else by a process here."""
    async with aclosing(run_jobs(kind, [order] * times, 1, workers)) as outcomes:
        return await anext(outcomes)


ADDED = JobType("added", Sum, int, added, 60)
NOTED = JobType("noted", str, int, noted, 60)
BRIEF = JobType("brief", str, int, noted, 1.0)
DEADLY = JobType("deadly", str, int, deadly, 60)
REFUSED = JobType("refused", int, int, refused, 60)
FAULTY = JobType("faulty", int, int, faulty, 60)
KINDS = [ADDED, NOTED, BRIEF, DEADLY, REFUSED, FAULTY]
