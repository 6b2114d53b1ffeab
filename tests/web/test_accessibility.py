"""The page in a real browser for readers of all kinds: fingers, narrow screens, a pointer, keys alone, without JavaScript;
and while its server is away."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.commands.web.server import BoardServer
from bot.engine.ids import HexId
from bot.service.game_service import GameService
from bot.titles.registry import TITLES
from tests.service.conftest import ANN, BOB

from .chromium import ABSENT, DESK, PHONE, Opened, chromium, opened
from .conftest import OPENING, STOCK, play_all
from .test_browser import brought

pytestmark = [pytest.mark.browser, pytest.mark.skipif(chromium() is None, reason=ABSENT)]

NARROW = {"width": 320, "height": 568}
TOUCH = {"has_touch": True, "is_mobile": True}

SERVER = """
import asyncio, sys
from pathlib import Path
from bot.titles.registry import TITLES
from bot.store import Store
from bot.service.game_service import GameService
from bot.commands.web.server import BoardServer

async def main():
    board = BoardServer(GameService(await Store.open(Path(sys.argv[1])), TITLES), int(sys.argv[2]))
    await board.open()
    print(board.address.port, flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""


@asynccontextmanager
async def served(folder: Path, port: int = 0) -> AsyncIterator[int]:
    """A server of the pages in a process of its own, killed at the end."""
    command = (sys.executable, "-c", SERVER, str(folder / "signalbox.db"), str(port))
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    try:
        yield int(await process.stdout.readline())
    finally:
        process.kill()
        await process.wait()


async def test_a_killed_server_is_said_to_be_away_and_nothing_is_lost(
    tables: GameService, game_id: int, tmp_path: Path
) -> None:
    own = GameService(tables.desk.store, TITLES)
    token = await own.links.make(game_id, ANN)
    async with served(tmp_path) as port:
        page = opened(f"http://127.0.0.1:{port}/b/{token}/")
        it = await page.__aenter__()
        await it.until("document.title.includes('Bob')")
    try:
        await it.until("document.getElementById('status').textContent.includes('Connection lost')")
        assert "Bob" in await it.page.evaluate("document.getElementById('question').textContent")
        for person, text in ((BOB, "buy P2"), ("discord:3", "buy P3")):
            await own.moves.submit(game_id, person, text)
        async with served(tmp_path, port):
            await it.until("document.getElementById('top').dataset.at === '3'")
            await it.until("document.getElementById('status').hidden")
            assert "Ann" in await it.page.evaluate("document.getElementById('question').textContent")
    finally:
        await page.__aexit__(None, None, None)


async def test_two_fingers_make_the_map_larger_and_one_moves_it(look: str) -> None:
    async with opened(look, viewport=PHONE, **TOUCH) as it:
        await it.until("document.title.includes('Bob')")
        box = await it.page.locator("#pan").bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        await touched(it, [[(x - 20 - k, y), (x + 20 + k, y)] for k in range(0, 90, 10)])
        await it.until("(document.getElementById('map').style.transform.match(/scale\\(([\\d.]+)/) || [])[1] > 2")
        there = await it.page.evaluate("document.getElementById('map').getBoundingClientRect().x")
        await touched(it, [[(x + k, y)] for k in range(0, 80, 10)])
        moved = await it.page.evaluate("document.getElementById('map').getBoundingClientRect().x")
        assert 55 < moved - there < 85
        await it.page.reload()
        await it.until("document.getElementById('map').style.transform.includes('scale(')")
        await it.page.locator("[data-zoom=reset]").tap()
        await it.until("document.getElementById('map').getBoundingClientRect().width <= innerWidth")
        assert it.said == []


async def touched(it: Opened, ways: list[list[tuple[float, float]]]) -> None:
    """Fingers go from place to place."""
    session = await it.page.context.new_cdp_session(it.page)
    for number, fingers in enumerate(ways):
        points = [{"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(fingers)]
        kind = "touchMove" if number else "touchStart"
        await session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    await session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


@pytest.mark.parametrize("title", TITLES)
async def test_nothing_is_cut_off_on_a_narrow_screen(tables: GameService, board: BoardServer, title: str) -> None:
    address = board.doors.look_address(await tables.links.make(await brought(tables, title, 90), ANN))
    async with opened(address, viewport=NARROW, **TOUCH) as it:
        await it.until("document.title.includes('·')")
        assert await it.page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
        small = "[...document.querySelectorAll('.step, .tools button')].filter(one => one.offsetHeight && one.offsetHeight < 40).length"
        assert await it.page.evaluate(small) == 0
        await it.page.locator("#timed").tap()
        beside = "[...document.querySelectorAll('#top p, #rounds [aria-current]')].filter(one => { const box = one.getBoundingClientRect(); return box.left < 0 || box.right > innerWidth; }).length"
        assert await it.page.evaluate(beside) == 0


@pytest.mark.parametrize(("title", "size"), [("1844", PHONE), ("1820", NARROW), ("1844", NARROW)])
async def test_companies_and_the_bar_of_parts_fit_in_german(
    tables: GameService, board: BoardServer, title: str, size: dict[str, int]
) -> None:
    address = board.doors.play_address(await tables.links.make(await brought(tables, title, 150), ANN, "play"))
    async with opened(address, viewport=size, locale="de", **TOUCH) as it:
        await it.until("document.title.includes('·')")
        await it.until("document.fonts.size && [...document.fonts].every(one => one.status !== 'loading')")
        for part in ("#companies .wide", "#views"):
            beside = f"(one => one.scrollWidth - one.clientWidth)(document.querySelector('{part}'))"
            assert await it.page.evaluate(beside) <= 1, part


async def test_a_company_that_is_pointed_at_shows_where_it_ran_and_what_it_reaches(
    tables: GameService, board: BoardServer
) -> None:
    game = await brought(tables, "1848", 150)
    address = board.doors.look_address(await tables.links.make(game, ANN))
    drawn = "document.getElementById('ways').childElementCount"
    async with opened(address, viewport=DESK) as it:
        ran = await it.until("document.querySelector('[data-runs^=last]').closest('[data-company]').dataset.company")
        await it.page.hover(f"[data-company='{ran}'] td")
        await it.until(f"{drawn} > 0 && document.querySelectorAll('.hit.reached').length > 1")
        await it.page.hover("h1")
        await it.until(f"{drawn} === 0 && document.querySelectorAll('.hit.reached').length === 0")
        await it.page.focus(f"[data-runs='last/{ran}']")
        await it.until(f"{drawn} > 0")
        await it.page.keyboard.press("Enter")
        await it.until(f"document.getElementById('routes').textContent.includes('{ran}: last run')")
        await it.page.click(f"[data-runs='routes/{ran}']")
        await it.until("document.getElementById('routes').textContent.includes('the best run')")
        await it.page.hover("h1")
        await it.page.click("[data-no-routes]")
        await it.until(f"{drawn} === 0")
        assert it.said == []


async def test_with_a_phone_the_last_stock_round_and_the_best_run_are_found(
    tables: GameService, board: BoardServer
) -> None:
    address = board.doors.look_address(await tables.links.make(await brought(tables, "1848", 150), ANN))
    seen = "(id => { const box = document.getElementById(id).getBoundingClientRect(); return box.top > -1 && box.bottom < innerHeight + 1 && box.right <= innerWidth; })"
    async with opened(address, viewport=PHONE, **TOUCH) as it:
        await it.until("document.title.includes('·')")
        for piece in ("where", "question", "timed", "map"):
            assert await it.page.evaluate(f"{seen}('{piece}')"), piece
        await it.page.locator("#timed").tap()
        await it.page.locator("#rounds a", has_text="SR").last.tap()
        await it.until("document.getElementById('where').textContent.includes('Stock round')")
        await it.page.locator("#now").tap()
        await it.until("document.getElementById('top').dataset.past === ''")
        ran = await it.page.evaluate(
            "document.querySelector('[data-runs^=last]').closest('[data-company]').dataset.company"
        )
        row = f"document.querySelector('[data-company={ran}]')"
        assert await it.page.evaluate(
            f"{row}.scrollWidth <= innerWidth && {row}.offsetWidth <= {row}.closest('.wide').clientWidth"
        )
        await it.page.evaluate(f"{row}.scrollIntoView(false)")
        await it.page.locator(f"[data-runs='routes/{ran}']").tap()
        await it.until(f"document.getElementById('routes').textContent.includes('the best run') && {seen}('routes')")
        await it.page.locator(".to-map").tap()
        await it.until(f"{seen}('map') && document.getElementById('ways').childElementCount > 0")
        assert it.said == []


async def test_the_past_by_slider_rounds_and_keys(tables: GameService, game_id: int, look: str) -> None:
    await play_all(tables, game_id, [*OPENING, *STOCK])
    async with opened(look) as it:
        await it.until("document.title.includes('·')")
        await it.page.locator("#slider").fill("4")
        await it.until("document.getElementById('top').dataset.at === '4' && location.search === '?at=4'")
        assert "Then:" in await it.page.evaluate("document.getElementById('question').textContent")
        await it.page.locator("#rounds a", has_text="SR 1").click()
        await it.until("document.querySelector('#rounds [aria-current]').textContent === 'SR 1'")
        at = int(await it.page.evaluate("document.getElementById('top').dataset.at"))
        await it.page.focus("#question")
        await it.page.keyboard.press("ArrowRight")
        await it.until(f"document.getElementById('top').dataset.at === '{at + 1}'")
        await it.page.keyboard.press("Home")
        await it.until("document.getElementById('top').dataset.at === '0'")
        await it.page.keyboard.press("End")
        await it.until("document.getElementById('top').dataset.past === '' && location.search === ''")
        await it.page.keyboard.press("c")
        await it.until("Math.abs(document.getElementById('companies').getBoundingClientRect().top) < innerHeight")
        assert it.said == []


async def test_a_tile_is_laid_with_keys_alone(tables: GameService, board: BoardServer, game_id: int) -> None:
    await play_all(tables, game_id, [*OPENING, *STOCK])
    table, current = await tables.desk.require_started(game_id)
    person = table.seats[int(current.players_to_act()[0][1:]) - 1].person
    address = board.doors.play_address(await tables.links.make(game_id, person, "play"))
    async with opened(address) as it:
        await it.until("document.querySelectorAll('.hit.legal').length > 0")
        focused = "document.activeElement"
        await it.page.keyboard.press("Tab")
        assert await it.page.evaluate(f"{focused}.className") == "skip"
        await it.page.keyboard.press("Enter")
        await it.until(f"{focused}.id === 'question'")
        await tab_to(it, f"{focused}.classList.contains('hit')")
        space = await it.page.evaluate(f"{focused}.dataset.hex")
        assert await it.page.evaluate(f"{focused}.classList.contains('legal')"), space
        await it.page.keyboard.press("Enter")
        await it.until("document.querySelector('.do')")
        await it.until(f"{focused}.closest('#acting')")
        await tab_to(it, f"{focused}.classList.contains('do')")
        await it.page.keyboard.press("Enter")
        await it.until("document.getElementById('top').dataset.version === '16'")
        assert HexId(space) in (await tables.desk.require_started(game_id))[1].state.board.tiles
        assert it.said == []


async def tab_to(it: Opened, what: str) -> None:
    """Press the tabulator until something has the focus."""
    for _ in range(60):
        await it.page.keyboard.press("Tab")
        if await it.page.evaluate(what):
            return
    raise AssertionError(f"sixty tabulators do not come to {what}")


async def test_without_javascript_all_is_read(tables: GameService, game_id: int, look: str) -> None:
    await play_all(tables, game_id, [*OPENING, *STOCK])
    async with opened(look, java_script_enabled=False) as it:
        for words in ("Players", "Companies", "Market", "Trains", "Log", "VR", "lay track"):
            assert await it.page.get_by_text(words).count(), words
        await it.page.click("#back")
        await it.page.wait_for_url("**/?at=14")
        await it.page.get_by_role("button", name="Show").click()
        await it.page.wait_for_url("**/?at=14")
        await it.page.click("#logged .log a >> nth=-1")
        await it.page.wait_for_url("**/?at=0")
        await it.page.get_by_text("Who holds what").first.click()
        assert await it.page.locator("#sheet").get_attribute("open") is not None
