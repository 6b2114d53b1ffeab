"""The page in a real browser while a table does all that tables do: taken back, rewound, corrected, called otherwise, over. And
what is copied there, which every other door must read."""

from __future__ import annotations

import pytest

from bot.commands.web.server import BoardServer
from bot.service.game_service import GameService
from tests.service.conftest import ANN, BOB, CID

from .chromium import ABSENT, DESK, chromium, opened

pytestmark = [pytest.mark.browser, pytest.mark.skipif(chromium() is None, reason=ABSENT)]

HOSTILE = "<img src=x onerror=alert(1)>"
QUESTION = "document.getElementById('question').textContent"
UNDONE = "[...document.querySelectorAll('.log del')].map(line => line.innerText).join()"
LOG = "document.querySelector('.log').innerText"


async def test_whatever_another_program_does_shows(tables: GameService, game_id: int, look: str) -> None:
    other = GameService(tables.desk.store, tables.desk.titles, tables.desk.clock)
    async with opened(look, reduced_motion="reduce") as it:
        await it.until(f"{QUESTION}.includes('Bob')")
        await other.moves.submit(game_id, BOB, "buy P2")
        await it.until(f"{QUESTION}.includes('Cid')")
        await other.moves.undo(game_id, BOB)
        await it.until(f"{QUESTION}.includes('Bob') && {UNDONE}.includes('buys P2')")
        for person, text in ((BOB, "buy P3"), (CID, "buy P4")):
            await other.moves.submit(game_id, person, text)
        await it.until(f"{QUESTION}.includes('Ann')")
        await other.moderation.rewind(game_id, ANN, 1)
        await it.until(f"{QUESTION}.includes('Bob') && {UNDONE}.includes('buys P4')")
        await other.moderation.correct(game_id, ANN, "cash Ann 1", HOSTILE)
        await it.until(f"{LOG}.includes('{HOSTILE}')")
        await other.moderation.replace(game_id, ANN, 2, BOB, "Rob <i>")
        await it.until(f"{QUESTION}.startsWith('Rob')")
        assert await it.page.locator("#board img, #board i").count() == 0
        await other.moderation.set_status(game_id, ANN, "paused")
        await it.until("document.querySelector('.note').innerText.includes('paused')")
        await other.moderation.set_status(game_id, ANN, "finished")
        await it.until("!document.querySelector('#top .note')")
        assert it.said == [] and it.hosts == {look.split("/")[2]}


async def test_the_wheel_makes_the_map_larger_where_the_pointer_is(look: str) -> None:
    async with opened(look, viewport=DESK) as it:
        await it.until("document.title.includes('·')")
        box = await it.page.locator("#at-G10").bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        await it.page.mouse.move(x, y)
        # The wheel alone scrolls the page, the map is not in its way.
        await it.page.mouse.wheel(0, 200)
        await it.until("scrollY > 100")
        await it.page.mouse.wheel(0, -400)
        await it.until("scrollY === 0")
        await it.page.keyboard.down("Control")
        for _ in range(4):
            await it.page.mouse.wheel(0, -200)
        await it.page.keyboard.up("Control")
        await it.until(f"document.getElementById('at-G10').getBoundingClientRect().width > {1.2 * box['width']}")
        assert await it.page.evaluate(f"document.elementFromPoint({x}, {y}).dataset.hex") == "G10"
        assert await it.page.evaluate("scrollY") == 0 and it.said == []


async def test_what_is_copied_is_read_as_a_move(tables: GameService, board: BoardServer, game_id: int) -> None:
    address = board.doors.play_address(await tables.links.make(game_id, BOB, "play"))
    async with opened(address, permissions=["clipboard-read", "clipboard-write"]) as it:
        await it.page.locator("[data-try^='@2 buy P2']").click()
        await it.page.locator(".trial .as-text summary").click()
        await it.page.locator(".trial [data-copy]").click()
        await it.until("document.getElementById('refused').textContent === 'Copied.'")
        text = await it.page.evaluate("navigator.clipboard.readText()")
        await tables.moves.submit(game_id, BOB, text)
        assert (await tables.desk.require_started(game_id))[1].state.privates_of("@2")
        await it.until(f"{QUESTION}.includes('Cid')")
        assert it.said == []
