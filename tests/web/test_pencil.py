"""Marks of one's own on the map: by tap and by key, said, kept by the browser, erased."""

from __future__ import annotations

import pytest

from bot.commands.web.server import BoardServer
from bot.engine import GameId
from bot.service.game_service import GameService
from tests.service.conftest import BOB
from tests.web.chromium import ABSENT, chromium, opened

pytestmark = [pytest.mark.browser, pytest.mark.skipif(chromium() is None, reason=ABSENT)]

MARKS = "[...document.querySelectorAll('#penned text')].map(sign => sign.textContent).join('')"


async def test_hexes_are_marked_by_tap_and_key_and_stay_marked(
    tables: GameService, look: str, game_id: GameId, board: BoardServer
) -> None:
    async with opened(look) as it:
        await it.until("document.getElementById('erase')?.hidden === true")
        label = await it.page.evaluate("document.querySelector('.hit[data-hex=\"G8\"]').getAttribute('aria-label')")
        await it.page.locator("#view summary").click()
        await it.page.locator("#pencil").click()
        for expected in ("●", "✕"):
            await it.page.locator('.hit[data-hex="G8"]').click(force=True)
            assert await it.page.evaluate(MARKS) == expected
        assert "marked by you: ✕" in await it.text("#space")
        assert not await it.page.evaluate("document.querySelector('.hit.chosen') !== null"), (
            "it chooses nothing meanwhile"
        )
        await it.page.locator("#pencil").click()
        await it.page.evaluate("document.querySelector('.hit[data-hex=\"F9\"]').focus()")
        await it.page.keyboard.press("x")
        assert sorted(await it.page.evaluate(MARKS)) == ["●", "✕"]
        await tables.moves.submit(game_id, BOB, "buy P2")
        await it.until("document.getElementById('top').dataset.version === '2'")
        assert sorted(await it.page.evaluate(MARKS)) == ["●", "✕"], "another position"
        await it.page.reload()
        await it.until(f"{MARKS}.length === 2")
        said = "document.querySelector('.hit[data-hex=\"G8\"]').getAttribute('aria-label')"
        assert await it.page.evaluate(said) == f"{label} ✎ marked by you: ✕"
        await it.page.locator("#view summary").click()
        await it.page.locator("#erase").click()
        assert await it.page.evaluate(MARKS) == "" and await it.page.evaluate(said) == label
        assert await it.page.evaluate("document.getElementById('erase').hidden") and not it.said
