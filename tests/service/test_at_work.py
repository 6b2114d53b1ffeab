"""A person has few requests worked on at once; what waits in a queue of its own is none of them."""

from __future__ import annotations

import asyncio

from bot.engine import PersonId
from bot.service.sessions.at_work import MOST_AT_WORK, at_work, waiting_elsewhere

ANN = PersonId("ann")


async def is_next_worked_on() -> bool:
    async def do() -> None:
        async with at_work(ANN):
            pass

    try:
        await asyncio.wait_for(do(), 0.05)
    except TimeoutError:
        return False
    return True


async def test_requests_that_wait_elsewhere_keep_no_others_waiting() -> None:
    go = asyncio.Event()

    async def ask() -> None:
        async with at_work(ANN), waiting_elsewhere():
            await go.wait()

    asked = [asyncio.create_task(ask()) for _ in range(5)]
    await asyncio.sleep(0)
    assert await is_next_worked_on()
    go.set()
    await asyncio.gather(*asked)


async def test_a_request_that_is_given_up_frees_exactly_its_own_place() -> None:
    stay, go = asyncio.Event(), asyncio.Event()

    async def stays() -> None:
        async with at_work(ANN):
            await stay.wait()

    async def waits() -> None:
        async with at_work(ANN), waiting_elsewhere():
            await go.wait()

    given_up = asyncio.create_task(waits())
    await asyncio.sleep(0)
    others = [asyncio.create_task(stays()) for _ in range(MOST_AT_WORK)]
    await asyncio.sleep(0)
    go.set()
    await asyncio.sleep(0.01)
    given_up.cancel()
    await asyncio.gather(given_up, return_exceptions=True)
    assert not await is_next_worked_on()
    stay.set()
    await asyncio.gather(*others)
    assert await is_next_worked_on()
