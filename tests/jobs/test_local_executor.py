"""Jobs done by processes of this machine."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.jobs.dispatch import run_jobs
from bot.jobs.job_types import JobFailed
from bot.jobs.local_executor import AHEAD, TRIES
from tests.jobs.trial_jobs import ADDED, BRIEF, DEADLY, FAULTY, NOTED, REFUSED, Sum, first


@pytest.mark.parametrize("hands", [0, 2])
async def test_outcomes_come_in_the_order_of_their_orders(hands: int) -> None:
    orders = [Sum(number, 10) for number in range(12)]
    assert [outcome async for outcome in run_jobs(ADDED, orders, hands)] == list(range(10, 22))


async def test_orders_are_asked_for_as_they_can_be_begun() -> None:
    asked: list[int] = []

    def orders() -> Iterator[Sum]:
        for number in range(100):
            asked.append(number)
            yield Sum(number, 0)

    outcomes = run_jobs(ADDED, orders(), 1)
    assert await anext(outcomes) == 0
    assert len(asked) == AHEAD
    await outcomes.aclose()


async def test_a_job_that_takes_too_long_is_ended_with_its_process(tmp_path: Path) -> None:
    (tmp_path / "a.wait").touch()
    began = time.monotonic()
    with pytest.raises(JobFailed, match="brief: it took longer than 1 s"):
        await first(BRIEF, str(tmp_path / "a"))
    assert time.monotonic() - began < 30


async def test_a_job_whose_process_dies_is_begun_again_and_then_given_up(tmp_path: Path) -> None:
    with pytest.raises(JobFailed, match=f"died {TRIES} times"):
        await first(DEADLY, str(tmp_path / "a"))
    assert (tmp_path / "a").read_text() == "begun\n" * TRIES


async def test_what_cannot_be_done_and_faults_come_as_they_are() -> None:
    with pytest.raises(JobFailed, match="number 3 is not here"):
        await first(REFUSED, 3)
    with pytest.raises(ValueError, match="a fault"):
        await first(FAULTY, 3)


async def test_what_nobody_waits_for_any_more_is_broken_off(tmp_path: Path) -> None:
    (tmp_path / "b.wait").touch()
    outcomes = run_jobs(NOTED, [str(tmp_path / "a"), str(tmp_path / "b"), str(tmp_path / "b")], 2)
    assert await anext(outcomes) == 1
    began = time.monotonic()
    await outcomes.aclose()
    assert time.monotonic() - began < 30


def test_whoever_has_no_server_loads_nothing_of_it() -> None:
    program = (
        "import sys, bot.cli.worker, bot.cli.main; print([n for n in sys.modules if n in ('psycopg', 'procrastinate')])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
