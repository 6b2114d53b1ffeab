"""The command line and the list of commands, in Chromium."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bot.commands.web.server import BoardServer
from bot.engine import GameId
from bot.service.game_service import GameService
from tests.service.conftest import BOB
from tests.web.chromium import ABSENT, PHONE, chromium, opened

pytestmark = [pytest.mark.browser, pytest.mark.skipif(chromium() is None, reason=ABSENT)]


async def test_a_player_asks_fills_in_a_form_and_moves(
    tables: GameService, board: BoardServer, game_id: GameId
) -> None:
    address = board.doors.play_address(await tables.links.make(game_id, BOB, "play"))
    async with opened(address, viewport=PHONE, has_touch=True, is_mobile=True) as it:
        await it.until("document.getElementById('act')?.dataset.asked === 'yes'")
        line = it.page.locator("#commanding input")
        await line.fill("player Bob")
        await line.press("Enter")
        await it.until("document.querySelector('#answer img')?.naturalWidth > 0")
        assert "Bob" in await it.text("#answer .line")
        await shot(it.page, "answer")
        await it.page.locator("#all summary").click()
        await it.page.locator("[data-form='auto buy']").click()
        await it.until("document.querySelector('.asking')")
        await it.page.locator("[name='value-company']").fill("VR")
        await shot(it.page, "form")
        await it.page.locator(".asking button").click()
        await it.until("document.querySelector('#answer .line')?.textContent.startsWith('Noted')")
        await it.page.locator("#saying input").fill("See you <b>tomorrow</b>")
        await it.page.locator("#saying button").click()
        await it.until("document.getElementById('talk').textContent.includes('Bob: See you <b>tomorrow</b>')")
        await shot(it.page, "talk")
        await line.fill("nonsense")
        await line.press("Enter")
        await it.until("document.getElementById('unanswered').textContent.includes('no move called nonsense')")
        await line.fill("buy P2")
        await line.press("Enter")
        await it.until("document.querySelector('.do[data-line=\"buy P2\"]')")
        await it.page.locator(".do[data-line='buy P2']").click()
        await it.until("document.getElementById('top').dataset.version === '2'")
        assert await it.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "it fits a phone"
        assert [one for one in it.said if "422" not in one] == [], "only the refusal is in the console"


async def shot(page: object, name: str) -> None:
    """Keep a picture where somebody looks at it."""
    if folder := os.environ.get("SIGNALBOX_SHOTS"):
        await page.screenshot(path=Path(folder) / f"{name}.png")  # type: ignore[attr-defined]
