"""What is done every so often. The scheduler goes by the machine's clock, which may be set while the bot runs."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.interval import IntervalTrigger

LOOK = 30.0
"""Seconds, by a clock that nobody sets, between two looks for jobs that wait for too long."""


class RepeatingTrigger(IntervalTrigger):  # type: ignore[misc]
    """A job's next time is so much later than now, not than its last time.

    A clock that is set ten years ahead would otherwise have every time in between reckoned, which holds up everything
    for most of a minute.
    """

    def get_next_fire_time(self, previous_fire_time: datetime | None, now: datetime) -> datetime:
        """When the job is done next."""
        later: datetime = now + self.interval
        return later


def add_job(scheduler: AsyncIOScheduler, act: Callable[[], Awaitable[None]], spacing: timedelta) -> None:
    """Have something done every so often, one at a time; where it comes late, it is done late."""
    trigger = RepeatingTrigger(seconds=spacing.total_seconds(), timezone=UTC)
    scheduler.add_job(act, trigger, max_instances=1, coalesce=True, misfire_grace_time=None)


async def mind(scheduler: AsyncIOScheduler, seconds: float = LOOK) -> None:
    """Until cancelled: do now what waits for longer than its spacing, since the clock has been set back."""
    while True:
        await asyncio.sleep(seconds)
        now = datetime.now(UTC)
        for job in scheduler.get_jobs():
            if job.next_run_time is not None and job.next_run_time - now > job.trigger.interval:
                job.modify(next_run_time=now)
