"""Who is let in, how often, and who is waited for at the end."""

from __future__ import annotations

import asyncio

import pytest

from bot.ops.rate_limit import BURST, REMEMBERED, RateLimited, RateLimiter, ShuttingDown
from bot.ops.settings import InvalidSetting, Settings


class Watch:
    time = 0.0

    def __call__(self) -> float:
        return self.time


def ask(doorman: RateLimiter, person: str = "ann") -> None:
    doorman.acquire(person)


async def test_a_burst_then_the_rate_and_each_person_for_himself() -> None:
    watch = Watch()
    doorman = RateLimiter(60, clock=watch)
    for _ in range(BURST):
        ask(doorman)
    with pytest.raises(RateLimited, match=r"please wait 1 s\. Nothing was changed"):
        ask(doorman)
    ask(doorman, "bob")
    watch.time += 2
    ask(doorman)
    ask(doorman)
    with pytest.raises(RateLimited):
        ask(doorman)
    watch.time += 3600
    for _ in range(BURST):
        ask(doorman)
    with pytest.raises(RateLimited):
        ask(doorman)


async def test_only_the_first_refusal_of_a_flood_is_news() -> None:
    watch = Watch()
    doorman = RateLimiter(60, burst=1, clock=watch)
    told = []
    for wait in (0.0, 0.0, 0.1, 0.1, 1.0, 0.0, 0.0):
        watch.time += wait
        try:
            ask(doorman)
        except RateLimited as refusal:
            told.append(refusal.is_repeated)
    assert told == [False, True, True, False, True]


async def test_a_clock_that_goes_back_gives_nothing() -> None:
    watch = Watch()
    doorman = RateLimiter(60, burst=1, clock=watch)
    ask(doorman)
    watch.time -= 1000
    with pytest.raises(RateLimited):
        ask(doorman)


async def test_no_limit_and_no_growth() -> None:
    free = RateLimiter(0)
    for _ in range(1000):
        ask(free)
    doorman = RateLimiter(60)
    for number in range(REMEMBERED + 100):
        ask(doorman, f"person {number}")
    assert len(doorman._people) == REMEMBERED


async def test_at_the_end_nobody_enters_and_whoever_is_in_is_waited_for() -> None:
    doorman = RateLimiter(60)
    with doorman.track():
        draining = asyncio.create_task(doorman.drain(5))
        await asyncio.sleep(0)
        with pytest.raises(ShuttingDown, match="is restarting"):
            ask(doorman, "bob")
        assert not draining.done()
    assert await draining
    busy = RateLimiter(60)
    with busy.track():
        assert not await busy.drain(0.01)
    failing = RateLimiter(60)
    with pytest.raises(RuntimeError), failing.track():
        raise RuntimeError
    assert await failing.drain(1)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SIGNALBOX_PORT", "99999"),
        ("SIGNALBOX_PORT", "http"),
        ("SIGNALBOX_BACKUP_HOURS", "-1"),
        ("SIGNALBOX_PAINTERS", "0"),
        ("SIGNALBOX_RATE", "\N{SUPERSCRIPT TWO}"),
        ("SIGNALBOX_LOG", "xml"),
        ("SIGNALBOX_TITLES", "1848, 1889a"),
    ],
)
def test_a_setting_that_is_none_is_named(name: str, value: str) -> None:
    with pytest.raises(InvalidSetting, match=name):
        Settings.from_env({name: value})


def test_titles_that_are_offered_are_named_with_commas_or_spaces() -> None:
    assert Settings.from_env({"SIGNALBOX_TITLES": "1848,1830 18GB"}).titles == ("1848", "1830", "18GB")
    assert Settings.from_env({"SIGNALBOX_TITLES": " "}).titles is None


def test_settings_that_are_not_set_have_their_defaults() -> None:
    plain = Settings.from_env({})
    assert (str(plain.data), str(plain.backups), plain.backup_hours, plain.port, plain.rate, plain.log_form) == (
        "data",
        "data/backups",
        6,
        0,
        60,
        "text",
    )
