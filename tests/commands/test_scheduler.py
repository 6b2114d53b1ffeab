"""What is done every so often is done whatever the machine's clock says."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest
from apscheduler.schedulers import base
from apscheduler.schedulers.asyncio import AsyncIOScheduler

from bot.commands.discord import scheduler
from bot.commands.discord.scheduler import RepeatingTrigger, add_job, run_overdue_jobs

SPACING = timedelta(seconds=0.01)


class SetClock(datetime):
    """The machine's clock, set wrong by so much."""

    error = timedelta(0)

    @classmethod
    def now(cls, tz=None):  # type: ignore[no-untyped-def, override]
        return datetime.now(tz) + cls.error


@pytest.fixture
async def done(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[asyncio.Queue[None]]:
    """What a job puts there every hundredth of a second."""
    monkeypatch.setattr(SetClock, "error", timedelta(0))
    for module in (base, scheduler):
        monkeypatch.setattr(module, "datetime", SetClock)
    queue = asyncio.Queue[None]()
    jobs = AsyncIOScheduler(timezone="UTC")

    async def act() -> None:
        queue.put_nowait(None)

    add_job(jobs, act, SPACING)
    jobs.start()
    minding = asyncio.create_task(run_overdue_jobs(jobs, 0.01))
    yield queue
    minding.cancel()
    jobs.shutdown(wait=False)


@pytest.mark.parametrize("days", [3653, -3653, 3, -3])
async def test_a_job_is_done_while_the_clock_is_wrong_and_when_it_is_right_again(
    done: asyncio.Queue[None], days: int
) -> None:
    for error in (timedelta(days=days), timedelta(0), timedelta(days=-days), timedelta(0)):
        SetClock.error = error
        while not done.empty():
            done.get_nowait()
        async with asyncio.timeout(30):
            for _ in range(3):
                await done.get()


def test_however_late_it_is_there_is_one_next_time() -> None:
    now = datetime(2036, 6, 1, tzinfo=UTC)
    for previous in (None, datetime(2026, 6, 1, tzinfo=UTC), datetime(2046, 6, 1, tzinfo=UTC)):
        assert RepeatingTrigger(seconds=60).get_next_fire_time(previous, now) == now + timedelta(minutes=1)
