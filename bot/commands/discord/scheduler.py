"""Periodic tasks. The scheduler goes by the machine's clock, which may be set while the bot runs."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.interval import IntervalTrigger

LOOK = 30.0
"""Seconds, by the monotonic clock, between two looks for overdue jobs."""


class RepeatingTrigger(IntervalTrigger):  # type: ignore[misc]
    """Counts a job's next time from now, not from its last time.

    A clock that is set ten years ahead would otherwise have every time in between calculated, which holds up
    everything for most of a minute.
    """

    def get_next_fire_time(self, previous_fire_time: datetime | None, now: datetime) -> datetime:
        later: datetime = now + self.interval
        return later


def add_job(scheduler: AsyncIOScheduler, act: Callable[[], Awaitable[None]], spacing: timedelta) -> None:
    """Repeat something at this spacing, never twice at once; a late run is not skipped."""
    trigger = RepeatingTrigger(seconds=spacing.total_seconds(), timezone=UTC)
    scheduler.add_job(act, trigger, max_instances=1, coalesce=True, misfire_grace_time=None)


async def run_overdue_jobs(scheduler: AsyncIOScheduler, seconds: float = LOOK) -> None:
    """Until cancelled, run jobs that wait for longer than their spacing, since the clock has been set back."""
    while True:
        await asyncio.sleep(seconds)
        now = datetime.now(UTC)
        for job in scheduler.get_jobs():
            if job.next_run_time is not None and job.next_run_time - now > job.trigger.interval:
                job.modify(next_run_time=now)
