"""Many who come at once: read once for all, none told what is no longer so, and the loop never kept by all of them."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from bot.commands.web.coalesce import A_TURN, READERS, FairScheduler, SingleFlight, Turns
from bot.commands.web.response_cache import ResponseCache
from bot.commands.web.server import BoardServer
from bot.ops.rate_limit import RateLimiter
from bot.service.game_service import GameService
from tests.service.conftest import ANN, BOB
from tests.store.statements import at_each_statement

from .conftest import Browser, events


async def test_a_crowd_goes_through_a_few_at_a_time() -> None:
    turnstile, loop = FairScheduler(), asyncio.get_running_loop()
    turn, went = 0, []

    def count() -> None:
        nonlocal turn
        turn += 1
        if len(went) < 100:
            loop.call_soon(count)

    async def go(number: int) -> None:
        await turnstile.wait_turn()
        went.append((number, turn))

    loop.call_soon(count)
    await asyncio.gather(*(go(number) for number in range(100)))
    assert [number for number, _ in went] == list(range(100))
    assert max(sum(there == one for _, there in went) for one in range(turn + 1)) == A_TURN


async def test_who_went_away_holds_nobody_up() -> None:
    turnstile = FairScheduler()
    tasks = [asyncio.create_task(turnstile.wait_turn()) for _ in range(3 * A_TURN)]
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

    shared = SingleFlight(reading, FairScheduler())
    early = asyncio.create_task(shared.get("a"))
    await begun.wait()
    now = 1
    late = [asyncio.create_task(shared.get("a")) for _ in range(50)]
    late[0].cancel()
    may.set()
    assert await early == 0
    assert set(await asyncio.gather(*late[1:])) == {1}
    assert len(read) <= 1 + READERS


async def test_what_reading_raises_all_are_told() -> None:
    async def reading(_: str) -> int:
        raise KeyError("gone")

    found = await asyncio.gather(
        *(SingleFlight(reading, FairScheduler()).get("a") for _ in range(3)), return_exceptions=True
    )
    assert [type(one) for one in found] == [KeyError] * 3


async def test_three_hundred_who_look_cost_a_few_readings(
    browser: Browser, look: str, tables: GameService, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, link = [], tables.desk.store.links.find
    monkeypatch.setattr(tables.desk.store.links, "find", lambda digest: read.append(1) or link(digest))
    found = await asyncio.gather(*(browser.get(f"{look}board") for _ in range(300)))
    assert {status for status, _ in found} == {200} and len(read) < 100


async def test_whoever_asks_for_much_keeps_nobody_else_waiting() -> None:
    turns, done = Turns(2), []

    async def work(who: str) -> None:
        async with turns.turn(who):
            await asyncio.sleep(0)
            done.append(who)

    flood = [asyncio.create_task(work("flood")) for _ in range(100)]
    await asyncio.sleep(0)
    others = [asyncio.create_task(work(name)) for name in ("Ann", "Bob", "Ann")]
    gone = asyncio.create_task(work("Cid"))
    await asyncio.sleep(0)
    gone.cancel()
    await asyncio.gather(*flood, *others)
    assert "Bob" in done[:8] and done[:12].count("Ann") == 2 and len(done) == 103
    async with turns.turn("Cid"), turns.turn("Cid"):
        pass


async def test_a_sheet_that_waits_in_a_floods_line_is_made_when_it_is_anothers_turn() -> None:
    press, made = ResponseCache(FairScheduler()), []

    def wanted(number: int) -> Callable[[], Awaitable[Callable[[], str]]]:
        async def prepare() -> Callable[[], str]:
            made.append(number)
            return lambda: str(number)

        return prepare

    flood = [asyncio.create_task(press.get_or_build(number, wanted(number), "flood")) for number in range(100)]
    await asyncio.sleep(0)
    assert (await press.get_or_build(99, wanted(99), "Ann")).text == b"99"
    assert made.index(99) < 6
    await asyncio.gather(*flood)
    assert sorted(made) == list(range(100))


async def test_whose_links_have_all_places_gives_one_to_whoever_comes(
    browser: Browser, tables: GameService, board: BoardServer, game_id: int
) -> None:
    board.looking.seats.most = 6
    address = board.doors.look_address(await tables.links.make(game_id, ANN))
    flood = [await events(browser, address) for _ in range(6)]
    for said, _ in flood:
        assert await said.get()
    assert (await browser.get(f"{address}stream"))[0] == 503
    other = board.doors.look_address(await tables.links.make(game_id, BOB))
    late = [await events(browser, other) for _ in range(3)]
    for said, _ in late:
        assert await asyncio.wait_for(said.get(), 5)
    # Three are left to each of the two; nobody has more than another one now.
    for said, _ in flood[:3]:
        assert await asyncio.wait_for(said.get(), 5) == ""
    assert (await browser.get(f"{other}stream"))[0] == 503 and board.looking.seats.viewers == 6
    for _, task in (*flood, *late):
        task.cancel()


async def test_a_browser_that_holds_many_links_costs_no_more_statements_than_one_that_holds_one(
    browser: Browser, tables: GameService, board: BoardServer, game_id: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = await tables.links.make(game_id, BOB, "play")
    cookies = "; ".join(
        [*(f"board-{number}-x={number:024d}" for number in range(2, 150)), f"board-{game_id}-x={token}"]
    )
    numbers = []
    for held in (f"board-{game_id}-x={token}", cookies):
        sent: list[bool] = []
        with monkeypatch.context() as patched:
            at_each_statement(patched, sent.append)
            status, text = await browser.get("/", Cookie=held)
        assert status == 200 and f'href="/g/{game_id}/"' in text
        numbers.append(len(sent))
    assert numbers[0] == numbers[1] <= 9


@pytest.mark.soak
async def test_memory_stays_where_it_is_over_a_thousand_moves(
    browser: Browser, board: BoardServer, look: str, tables: GameService, game_id: int
) -> None:
    board.looking.pace = RateLimiter(0)

    def megabytes() -> float:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20

    after = {}
    for number in range(1, 1001):
        await (tables.moves.undo(game_id, BOB) if number % 2 == 0 else tables.moves.submit(game_id, BOB, "buy P2"))
        assert (await browser.get(f"{look}board"))[0] == 200
        if number % 100 == 0:
            after[number] = megabytes()
    assert after[1000] - after[300] < 8, after
