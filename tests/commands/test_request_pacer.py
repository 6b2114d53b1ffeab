"""The allowance of a token, shared by several bots."""

from __future__ import annotations

import asyncio
import itertools

import pytest

from bot.commands.discord import request_pacer
from bot.commands.discord.request_pacer import RequestPacer
from tests.families import few

DISCORD = 50


class Time:
    """Time that passes only while somebody waits."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    found = Time()
    monkeypatch.setattr(request_pacer.time, "monotonic", found.monotonic)
    monkeypatch.setattr(request_pacer.time, "time", found.monotonic)
    monkeypatch.setattr(request_pacer.asyncio, "sleep", found.sleep)
    return found


async def sent(part: float, time: Time, count: int, place: float = 0.0) -> list[float]:
    """When a bot with that part sends so many requests, all of which are wanted at once."""
    time.now, one = 1000.0, RequestPacer()
    one.part, one.place = part, place
    moments = []
    for _ in range(count):
        await one.wait()
        moments.append(time.now)
    return moments


@pytest.mark.parametrize(
    "parts",
    few([[1.0], [0.5, 0.5], [0.25, 0.75], [1 / 16] * 16, [1 / 64] * 64, [1 / 256] * 256, [0.0, 1.0]], 0, 2, 3, 6),
)
async def test_all_bots_together_stay_below_what_discord_takes(parts: list[float], time: Time) -> None:
    places = itertools.accumulate(parts, initial=0.0)
    moments = sorted(
        itertools.chain(*[await sent(part, time, 200, place) for part, place in zip(parts, places, strict=False)])
    )
    most = max(
        sum(begin <= moment < begin + 1 for moment in moments[place : place + 200])
        for place, begin in enumerate(moments)
    )
    assert most <= DISCORD


@pytest.mark.parametrize(("part", "rate"), [(1.0, 45), (0.5, 22), (1 / 16, 2), (1 / 64, 0.7), (0.0, 1)])
async def test_each_gets_its_part(part: float, rate: float, time: Time) -> None:
    moments = await sent(part, time, 100)
    assert (len(moments) - 1) / (moments[-1] - moments[0]) == pytest.approx(rate, rel=0.2)


async def test_nobody_overtakes(time: Time) -> None:
    one = RequestPacer()
    order: list[int] = []

    async def ask(number: int) -> None:
        await one.wait()
        order.append(number)

    await asyncio.gather(*map(ask, range(5)))
    assert order == sorted(order)
