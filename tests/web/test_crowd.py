"""Many who come at once: read once for all, none told what is no longer so, and the loop never kept by all of them."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from bot.ops.doorman import Doorman
from bot.tables.tables import Tables
from bot.web.crowd import A_TURN, READERS, Shared, Turnstile
from bot.web.server import Board
from tests.tables.conftest import BOB

from .conftest import Browser


async def test_a_crowd_goes_through_a_few_at_a_time() -> None:
    turnstile, loop = Turnstile(), asyncio.get_running_loop()
    turn, went = 0, []

    def count() -> None:
        nonlocal turn
        turn += 1
        if len(went) < 100:
            loop.call_soon(count)

    async def go(number: int) -> None:
        await turnstile.passed()
        went.append((number, turn))

    loop.call_soon(count)
    await asyncio.gather(*(go(number) for number in range(100)))
    assert [number for number, _ in went] == list(range(100))
    assert max(sum(there == one for _, there in went) for one in range(turn + 1)) == A_TURN


async def test_who_went_away_holds_nobody_up() -> None:
    turnstile = Turnstile()
    tasks = [asyncio.create_task(turnstile.passed()) for _ in range(3 * A_TURN)]
    await asyncio.sleep(0)
    for task in tasks[: 2 * A_TURN]:
        task.cancel()
    await asyncio.gather(*tasks[2 * A_TURN :])


async def test_who_asks_while_one_reads_has_the_next_reading() -> None:
    now, begun, may = 0, asyncio.Event(), asyncio.Event()
    read: list[int] = []

    async def reading(_: str) -> int:
        found = now
        read.append(found)
        begun.set()
        await may.wait()
        return found

    shared = Shared(reading, Turnstile())
    early = asyncio.create_task(shared.of("a"))
    await begun.wait()
    now = 1
    late = [asyncio.create_task(shared.of("a")) for _ in range(50)]
    late[0].cancel()
    may.set()
    assert await early == 0
    assert set(await asyncio.gather(*late[1:])) == {1}
    assert len(read) <= 1 + READERS


async def test_what_reading_raises_all_are_told() -> None:
    async def reading(_: str) -> int:
        raise KeyError("gone")

    found = await asyncio.gather(*(Shared(reading, Turnstile()).of("a") for _ in range(3)), return_exceptions=True)
    assert [type(one) for one in found] == [KeyError] * 3


async def test_three_hundred_who_look_cost_a_few_readings(
    browser: Browser, look: str, tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, link = [], tables.desk.store.link
    monkeypatch.setattr(tables.desk.store, "link", lambda digest: read.append(1) or link(digest))
    found = await asyncio.gather(*(browser.get(f"{look}board") for _ in range(300)))
    assert {status for status, _ in found} == {200} and len(read) < 100


@pytest.mark.soak
async def test_memory_stays_where_it_is_over_a_thousand_moves(
    browser: Browser, board: Board, look: str, tables: Tables, game: int
) -> None:
    board.looking.pace = Doorman(0)

    def megabytes() -> float:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20

    after = {}
    for number in range(1, 1001):
        await (tables.play.undo(game, BOB) if number % 2 == 0 else tables.play.play(game, BOB, "buy P2"))
        assert (await browser.get(f"{look}board"))[0] == 200
        if number % 100 == 0:
            after[number] = megabytes()
    assert after[1000] - after[300] < 8, after
