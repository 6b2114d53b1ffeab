"""The page in a real browser while answers come late, twice or not at all: what was drawn for another position moves nothing,
and whatever was away for a while comes back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Route

from bot.commands.web.server import BoardServer
from bot.service.game_service import GameService
from tests.service.conftest import ANN, BOB, EVE

from .chromium import ABSENT, IN_VIEW, PHONE, Opened, chromium, opened
from .conftest import OPENING, STOCK, play_all

pytestmark = [pytest.mark.browser, pytest.mark.skipif(chromium() is None, reason=ABSENT)]

VERSION = "document.getElementById('top').dataset.version"
STATUS = "document.getElementById('status')"
REFUSED = "document.getElementById('refused').textContent"
DO = "document.querySelector('.do')"


@pytest.fixture
async def bob(tables: GameService, board: BoardServer, game_id: int) -> AsyncIterator[Opened]:
    """Bob at his page."""
    async with opened(board.doors.play_address(await tables.links.make(game_id, BOB, "play"))) as it:
        await it.until("document.getElementById('turn')")
        yield it


async def held(it: Opened, where: str) -> asyncio.Event:
    """Answers from there wait until they may."""
    may = asyncio.Event()

    async def wait(route: Route) -> None:
        await may.wait()
        await route.continue_()

    await it.page.route(where, wait, times=1)
    return may


async def test_what_was_drawn_for_another_position_moves_nothing(
    bob: Opened, tables: GameService, game_id: int
) -> None:
    await bob.page.locator("[data-try^='@2 buy P2']").click()
    await bob.until(DO)
    # The position is another one; what can be done there has not been answered yet.
    may = await held(bob, "**/turn")
    await tables.moderation.set_sitter(game_id, ANN, 3, EVE, "Eve", 3)
    await bob.until(f"{VERSION} === '2'")
    await bob.page.evaluate(f"{DO}.style.pointerEvents = 'auto'; document.getElementById('act').ariaBusy = 'false'")
    await bob.page.evaluate(f"{DO}.click()")
    await bob.until(f"{REFUSED}.includes('moved on')")
    may.set()
    await bob.until("document.querySelector('#turn[data-version=\"2\"]')")
    # Why nothing was made can still be read.
    assert "moved on" in await bob.text("#refused")
    assert (await tables.desk.require_started(game_id))[0].record.version == 2


async def test_what_is_pressed_twice_is_asked_once_and_the_last_space_counts(
    tables: GameService, board: BoardServer, game_id: int
) -> None:
    await play_all(tables, game_id, [*OPENING, *STOCK])
    table, current = await tables.desk.require_started(game_id)
    person = table.seats[int(current.players_to_act()[0][1:]) - 1].person
    address = board.doors.play_address(await tables.links.make(game_id, person, "play"))
    async with opened(address, viewport=PHONE, has_touch=True) as it:
        await it.until("document.querySelector('.hit.legal')")
        space = str(await it.until(f"{IN_VIEW}('.hit.legal')[0]"))
        other = str(await it.until(f"{IN_VIEW}('.hit:not(.legal)')[0]"))
        may = await held(it, f"**/space/{space}?*")
        await it.page.locator(f"#at-{space}").tap()
        async with it.page.expect_response(f"**/space/{other}?*"):
            await it.page.locator(f"#at-{other}").tap()
        async with it.page.expect_response(f"**/space/{space}?*"):
            may.set()
        await it.page.wait_for_timeout(300)
        assert await it.page.locator(".offer").count() == 0
        await it.page.locator(f"#at-{space}").tap()
        await it.page.locator(".do").wait_for()
        asked: list[str] = []
        it.page.on("request", lambda request: asked.append(request.url.split("/")[-1].partition("?")[0]))
        await it.page.evaluate(f"{DO}.click(); {DO}.click()")
        await it.until(f"{VERSION} === '16' && document.querySelector('#turn[data-version=\"16\"]')")
        assert asked.count("move") == 1 and it.said == []


async def test_a_move_that_does_not_arrive_can_be_sent_again(bob: Opened, tables: GameService, game_id: int) -> None:
    await bob.page.route("**/move", lambda route: route.abort(), times=1)
    await bob.page.locator("[data-try^='@2 buy P2']").click()
    await bob.page.locator(".do").click()
    await bob.until(f"{REFUSED}.includes('No connection to the server')")
    await bob.page.locator("#refused button").click()
    await bob.until(f"{VERSION} === '2' && {REFUSED} === ''")
    # Notes that were not taken are not said to be kept.
    await bob.page.locator("#notes summary").click()
    await bob.page.locator("#notes textarea").wait_for()
    await bob.page.route("**/notes", lambda route: route.abort(), times=1)
    await bob.page.locator("#notes textarea").fill("P3")
    await bob.until("document.getElementById('noting').textContent.includes('No connection')")
    await bob.page.locator("#notes textarea").fill("P3 or P4")
    await bob.until("document.getElementById('noting').textContent === 'Saved.'")
    assert await tables.links.notes(game_id, BOB) == "P3 or P4"


async def test_a_proxy_without_its_server_is_waited_for(tables: GameService, game_id: int, look: str) -> None:
    async with opened(look) as it:
        await it.until("document.title.includes('Bob')")
        away = [True]

        async def answer(route: Route) -> None:
            await (route.fulfill(status=502, body="<h1>Bad Gateway</h1>") if away[0] else route.continue_())

        for where in ("**/stream", "**/board"):
            await it.page.route(where, answer)
        # As a tab that was hidden: its stream is opened anew.
        await it.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        await it.until(f"{STATUS}.textContent.includes('Connection lost')")
        assert "Gateway" not in await it.page.content()
        await tables.moves.submit(game_id, BOB, "buy P2")
        away[0] = False
        await it.until("document.getElementById('question').textContent.includes('Cid')")
        await it.until(f"{STATUS}.hidden")


async def test_what_is_new_is_said_in_the_past_alone(tables: GameService, game_id: int, look: str) -> None:
    async with opened(f"{look}?at=0") as it:
        await it.until("document.getElementById('top').dataset.past === 'yes'")
        await it.page.wait_for_timeout(700)
        assert await it.page.evaluate(f"{STATUS}.hidden")
        await tables.moves.submit(game_id, BOB, "buy P2")
        await it.until(f"{STATUS}.textContent.includes('new moves')")
        await it.page.locator("#forth").click()
        await it.until("document.getElementById('top').dataset.at === '1'")
        assert "new moves" in await it.text("#status")
        await it.page.locator("#now").click()
        await it.until(f"document.getElementById('top').dataset.at === '2' && {STATUS}.hidden")
        assert it.said == []


async def test_a_browser_that_keeps_nothing_shows_and_follows(tables: GameService, game_id: int, look: str) -> None:
    async with opened("about:blank") as it:
        denied = (
            "Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('', 'SecurityError'); }})"
        )
        await it.page.add_init_script(denied)
        await it.page.goto(look)
        await it.until("document.title.includes('Bob')")
        await tables.moves.submit(game_id, BOB, "buy P2")
        await it.until("document.title.includes('Cid')")
        await it.page.click("[data-zoom=in]")
        await it.page.locator("#view summary").click()
        await it.page.locator("label", has_text="Names").click()
        assert it.said == []


async def test_a_page_that_stands_open_when_its_game_ends_still_looks(
    bob: Opened, tables: GameService, game_id: int
) -> None:
    await bob.page.locator("[data-try^='@2 buy P2']").click()
    await bob.until(DO)
    await tables.moderation.set_status(game_id, ANN, "finished")
    await bob.until("!document.querySelector('#act button') && !document.title.includes('Your turn')")
    assert await bob.page.locator("#act button").count() == 0 and await bob.text("#refused") == ""
    await bob.page.locator("#back").click()
    await bob.until("document.getElementById('top').dataset.past === 'yes'")
    await bob.page.reload()
    await bob.until("document.title.includes('1848')")
    assert await bob.page.evaluate(f"{STATUS}.hidden") and bob.said == []
