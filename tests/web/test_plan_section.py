"""The part of the page where a plan is put together: what it offers, what it says a plan would mean, what it gives."""

from __future__ import annotations

import asyncio
import threading
from typing import Any
from urllib.parse import urlencode

import pytest

from bot.commands.web.response_cache import AT_ONCE
from bot.commands.web.server import BoardServer
from bot.engine import GameId, PersonId
from bot.service.features.plans import executor
from bot.service.game_service import GameService
from bot.service.sessions.at_work import MOST_AT_WORK
from tests.service.conftest import ANN, BOB
from tests.web.chromium import ABSENT, chromium, opened
from tests.web.conftest import OWN, Browser


async def test_what_a_plan_would_mean_is_said_and_nothing_is_kept(
    tables: GameService, board: BoardServer, browser: Browser, game_id: GameId
) -> None:
    await browser.enter(board.doors.play_address(await tables.links.make(game_id, BOB, "play")))
    status, listed = await browser.get(f"/g/{game_id}/plans")
    assert status == 200 and "You have no plans here." in listed
    assert '<option value="bid P4 up to' in listed and '<option value="sale">somebody sells shares' in listed
    assert 'value="pass until' not in listed, "what ends a plan is chosen beside it"
    for order, expected in (
        ("pass until sale", (200, "or somebody sells shares.")),
        ("bid P9 up to 200", (403, "P9")),
        ("x" * 501, (403, "500")),
    ):
        status, said = await browser.get(f"/g/{game_id}/plans?{urlencode({'order': order})}", **OWN)
        assert (status, expected[1] in said) == (expected[0], True), said
    assert await tables.plans.own_plans(game_id, BOB) == []


async def test_only_ones_own_plans_are_listed(
    tables: GameService, board: BoardServer, browser: Browser, look: str, game_id: GameId
) -> None:
    await tables.plans.give_plan(game_id, ANN, "bid P4 up to 270")
    await tables.plans.give_plan(game_id, BOB, "bid P5 up to 280")
    assert (await browser.get(f"{look.removeprefix(browser.url(''))}plans"))[0] == 404, "whoever only looks has none"
    await browser.enter(board.doors.play_address(await tables.links.make(game_id, BOB, "play")))
    _, listed = await browser.get(f"/g/{game_id}/plans")
    assert "280" in listed and "270" not in listed and 'data-plan="plan drop 1"' in listed


@pytest.mark.parametrize(
    ("what", "holder", "name", "person"),
    [
        (f"plans?{urlencode({'order': 'bid P4 up to 200'})}", executor.PlanExecutor, "_view_of", BOB),
        ("turn", executor, "list_offers", ANN),
    ],
)
async def test_a_hundred_questions_of_one_person_leave_threads_to_others(
    tables: GameService,
    board: BoardServer,
    browser: Browser,
    game_id: GameId,
    monkeypatch: pytest.MonkeyPatch,
    what: str,
    holder: object,
    name: str,
    person: PersonId,
) -> None:
    do, is_open, begun = getattr(holder, name), threading.Event(), list[object]()

    def wait_for_others(*values: Any) -> object:
        begun.append(values)
        is_open.wait(60)
        return do(*values)

    monkeypatch.setattr(holder, name, wait_for_others)
    await browser.enter(board.doors.play_address(await tables.links.make(game_id, person, "play")))
    asked = [asyncio.create_task(browser.get(f"/g/{game_id}/{what}", **OWN)) for _ in range(100)]
    try:
        for _ in range(60):
            await asyncio.sleep(0.05)
        async with asyncio.timeout(30):
            await tables.sandbox.preview(game_id, ANN, "buy P2")
        assert len(begun) == AT_ONCE
    finally:
        is_open.set()
    assert {status for status, _ in await asyncio.gather(*asked)} == {200} and len(begun) == 100


@pytest.mark.browser
@pytest.mark.skipif(chromium() is None, reason=ABSENT)
async def test_a_plan_is_put_together_of_chips_and_given(
    tables: GameService, board: BoardServer, game_id: GameId
) -> None:
    async with opened(board.doors.play_address(await tables.links.make(game_id, BOB, "play"))) as it:
        await it.page.locator('#views a[href="#planned"], #planned summary').locator("visible=true").first.click()
        await it.until("document.getElementById('stepping')")
        for step in ("pass", "bid P4 up to 200", "bid P5 up to 200"):
            await it.page.locator("#stepping input").fill(step)
            await it.page.keyboard.press("Enter")
        await it.page.locator("#steps li:nth-child(3) button").first.click()
        await it.page.locator("#steps li:nth-child(2)").drag_to(it.page.locator("#steps li:nth-child(1)"))
        await it.page.locator("#steps li:nth-child(2) button").last.click()
        await it.page.locator("#ending").select_option("phase")
        await it.until("document.getElementById('meant').textContent.includes('P5')")
        assert await it.page.evaluate(
            "[...document.querySelectorAll('#steps li')].map(one => one.firstChild.data)"
        ) == [
            "bid P5 up to 200",
            "bid P4 up to 200",
        ]
        await it.page.locator("#planning").click()
        await it.until("document.querySelector('#plans [data-plan=\"plan drop 1\"]')")
        [plan] = await tables.plans.own_plans(game_id, BOB)
        assert "P5" in plan.text and "P4" in plan.text and "phase" in plan.text
        assert await it.page.evaluate(
            "document.getElementById('planning').disabled && !document.querySelector('#steps li')"
        )
        await it.page.locator('#plans [data-plan="plan drop 1"]').click()
        await it.until("!document.querySelector('#plans [data-plan=\"plan drop 1\"]')")
        assert await tables.plans.own_plans(game_id, BOB) == [] and not it.said


async def test_few_changes_of_one_person_are_made_at_once(
    tables: GameService, board: BoardServer, browser: Browser, game_id: GameId, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go, give = list[object](), asyncio.Event(), executor.PlanExecutor.give_plan

    async def wait_for_others(*values: Any) -> object:
        begun.append(values)
        await go.wait()
        return await give(*values)

    monkeypatch.setattr(executor.PlanExecutor, "give_plan", wait_for_others)
    await browser.enter(board.doors.play_address(await tables.links.make(game_id, BOB, "play")))
    plan = {"line": "plan bid P4 up to 200", "version": 0}
    asked = [asyncio.create_task(browser.post(f"/g/{game_id}/command", plan)) for _ in range(20)]
    for _ in range(40):
        await asyncio.sleep(0.05)
    assert len(begun) == MOST_AT_WORK
    go.set()
    assert {status for status, _ in await asyncio.gather(*asked)} == {200} and len(begun) == 20
