"""What goes on for as long as the program does survives its own faults."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from bot.commands.mail import main
from bot.ops import supervisor
from bot.ops.supervisor import keep_going


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses that were made, none of which lasts."""
    made: list[float] = []
    sleep = asyncio.sleep

    async def rest(seconds: float) -> None:
        made.append(seconds)
        await sleep(0)

    monkeypatch.setattr(supervisor, "asyncio", SimpleNamespace(sleep=rest))
    return made


async def test_work_that_fails_is_begun_again_after_longer_pauses_and_the_same_failure_is_logged_once(
    pauses: list[float], caplog: pytest.LogCaptureFixture
) -> None:
    faults = iter([KeyError("a"), KeyError("a"), KeyError("a"), ValueError("b")])

    async def work() -> None:
        if (fault := next(faults, None)) is not None:
            raise fault

    await keep_going(work, "the work")
    assert pauses == [0.5, 1.0, 2.0, 4.0]
    assert [record.exc_info[0] for record in caplog.records if record.exc_info] == [KeyError, ValueError]


async def test_reminders_of_a_program_that_serves_mail_alone_survive_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    swept = asyncio.Event()
    faults = iter([KeyError("a fault of the program")])

    async def sweep() -> None:
        if (fault := next(faults, None)) is not None:
            raise fault
        swept.set()

    tables: Any = SimpleNamespace(reminders=SimpleNamespace(sweep=sweep))
    sweeping = main.keep_sweeping(tables, SimpleNamespace(), SimpleNamespace(backup_hours=0))  # type: ignore[arg-type]
    await asyncio.wait_for(swept.wait(), 5)
    sweeping.cancel()
