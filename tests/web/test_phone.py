"""The board page on a phone: map and decision together, moves that are undone, true sentences when the server is away."""

from __future__ import annotations

import pytest
from playwright.async_api import Route

from bot.commands.web.server import BoardServer
from bot.engine import GameId
from bot.service.game_service import GameService
from tests.service.conftest import ANN, BOB

from .chromium import ABSENT, PHONE, chromium, opened
from .conftest import OPENING, STOCK, play_all

pytestmark = [pytest.mark.browser, pytest.mark.skipif(chromium() is None, reason=ABSENT)]

HOW = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
VERSION = "document.getElementById('top').dataset.version"
REFUSED = "document.getElementById('refused').textContent"


async def person_asked(tables: GameService, game_id: GameId) -> str:
    table, current = await tables.desk.require_started(game_id)
    return table.seats[int(current.players_to_act()[0][1:]) - 1].person


async def address_of(tables: GameService, board: BoardServer, game_id: GameId, person: str = "") -> str:
    person = person or await person_asked(tables, game_id)
    return board.doors.play_address(await tables.links.make(game_id, person, "play"))


async def test_a_safe_move_is_made_by_one_tap_and_undone_by_another(
    tables: GameService, board: BoardServer, game_id: GameId
) -> None:
    await play_all(tables, game_id, [*OPENING, *STOCK[:2]])
    asked = (await tables.desk.require_started(game_id))[1].players_to_act()
    pass_button = f"[data-do='{asked[0]} pass']"
    async with opened(await address_of(tables, board, game_id), **HOW) as it:
        await it.until("document.getElementById('turn')")
        # The last move was another player's.
        assert await it.page.locator(".undo").count() == 0 and not await it.page.locator("#toast").is_visible()
        await it.page.locator(pass_button).tap()
        await it.until(f"{VERSION} === '9'")
        assert "passes" in await it.text("#toast")
        # Also while the next choices are fetched.
        await it.page.evaluate("document.getElementById('act').setAttribute('aria-busy', 'true')")
        await it.page.locator("#toast button").tap()
        await it.until(f"{VERSION} === '10'")
        assert (await tables.desk.require_started(game_id))[1].players_to_act() == asked
        await it.page.locator(pass_button).tap()
        await it.until(f"{VERSION} === '11' && !document.getElementById('toast').hidden")
        await it.until("document.getElementById('toast').hidden", 9)
        # Later it is named, and asked about.
        assert "pass" in await it.text(".undo summary")
        await it.page.locator(".undo summary").tap()
        await it.page.locator("[data-undo]").tap()
        await it.until(f"{VERSION} === '12'")
        assert it.said == []


async def test_the_sheet_is_folded_and_the_whole_map_comes_back(
    tables: GameService, board: BoardServer, game_id: GameId
) -> None:
    await play_all(tables, game_id, [*OPENING, *STOCK])
    async with opened(await address_of(tables, board, game_id), **HOW) as it:
        await it.until("document.querySelector('.hit.legal')")
        high = "document.getElementById('acting').offsetHeight"
        open_height = await it.page.evaluate(high)
        assert 100 < open_height <= 0.45 * PHONE["height"] + 1
        await it.page.locator("#handle").tap()
        await it.until(f"{high} < {open_height} / 2")
        await it.page.locator("#handle").tap()
        await it.until(f"{high} === {open_height}")
        wide = "document.querySelector('.hit').getBoundingClientRect().width"
        assert await it.page.evaluate(wide) >= 44
        await it.page.locator("[data-zoom=reset]").tap()
        await it.until(f"{wide} < 44")
        await it.page.locator("[data-zoom=move]").tap()
        await it.until(f"{wide} >= 44")
        assert it.said == []


async def test_a_server_that_does_not_answer_is_waited_for_fifteen_seconds(
    tables: GameService, board: BoardServer, game_id: GameId
) -> None:
    async with opened(await address_of(tables, board, game_id, BOB), **HOW) as it:
        await it.page.locator("[data-try^='@2 buy P2']").tap()
        await it.until("document.querySelector('.do')")
        hung: list[Route] = []
        await it.page.route("**/move", lambda route: hung.append(route), times=1)
        await it.page.locator(".do").tap()
        sending = "getComputedStyle(document.getElementById('sending')).visibility"
        await it.until(f"{sending} === 'visible'", 3)
        await it.until(f"{REFUSED}.includes('15 seconds')", 20)
        assert await it.page.evaluate(f"{sending} === 'hidden' && document.getElementById('act').ariaBusy === 'false'")
        await it.page.locator("#refused button").tap()
        await it.until(f"{VERSION} === '2' && {REFUSED} === ''")
        assert len(hung) == 1 and it.said == []


async def test_a_page_whose_link_was_withdrawn_offers_no_moves(
    tables: GameService, board: BoardServer, game_id: GameId
) -> None:
    async with opened(await address_of(tables, board, game_id, BOB), **HOW) as it:
        await it.until("document.title.startsWith('▶')")
        await tables.links.withdraw(game_id, BOB)
        await it.until("!document.getElementById('status').hidden", 10)
        assert await it.page.locator("#act button:visible").count() == 0
        assert not (await it.page.title()).startswith("▶")
        assert await it.page.locator("#status a").get_attribute("href") == "/"


async def test_the_page_stays_where_it_is_while_it_loads(
    tables: GameService, board: BoardServer, game_id: GameId
) -> None:
    await play_all(tables, game_id, [*OPENING, *STOCK])
    address = await address_of(tables, board, game_id, ANN)
    watched = """window.shift = 0; new PerformanceObserver(list => { for (const one of list.getEntries())
        if (!one.hadRecentInput) window.shift += one.value; }).observe({type: "layout-shift", buffered: true});"""
    async with opened("about:blank", **HOW) as it:
        await it.page.add_init_script(watched)
        await it.page.goto(address)
        await it.until("location.pathname.startsWith('/g/') && document.title.includes('·')")
        await it.page.wait_for_timeout(1500)
        assert await it.page.evaluate("window.shift") < 0.05
        assert await it.page.evaluate("document.querySelectorAll('.hit').length") > 0


async def test_the_page_can_be_installed(look: str) -> None:
    async with opened(look, **HOW) as it:
        session = await it.page.context.new_cdp_session(it.page)
        found = await session.send("Page.getAppManifest")
        assert '"start_url": "/"' in found["data"] and not found["errors"] and it.said == []
