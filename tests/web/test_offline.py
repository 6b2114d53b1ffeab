"""A page that is opened without a connection: the last board, never as if it were live."""

from __future__ import annotations

import pytest

from bot.commands.web.server import BoardServer
from bot.engine import GameId
from bot.service.game_service import GameService
from bot.store import LinkKind
from tests.service.conftest import BOB
from tests.web.chromium import ABSENT, PHONE, chromium, opened

pytestmark = [pytest.mark.browser, pytest.mark.skipif(chromium() is None, reason=ABSENT)]

KEPT = "caches.open('boards').then(boards => boards.keys()).then(all => all.length)"


async def test_the_last_board_is_shown_as_old_and_comes_alive_again(tables: GameService, game_id: GameId) -> None:
    board = BoardServer(tables)
    await board.open()
    token = await tables.links.make(game_id, BOB, LinkKind.PLAY)
    async with opened(board.doors.play_address(token), viewport=PHONE, service_workers="allow") as it:
        await it.until("document.title.startsWith('▶')")
        await it.until("navigator.serviceWorker.controller !== null")
        await it.page.reload()
        await it.until(f"{KEPT}.then(number => number >= 1)")
        await it.until("document.title.startsWith('▶') && document.querySelector('#act button') !== null")
        assert await it.page.evaluate("document.body.dataset.old === undefined")
        port = board.address.port
        await board.close()
        await it.page.reload()
        await it.until(
            "document.getElementById('status').textContent.startsWith('No connection: this is the board of ')"
        )
        assert await it.page.evaluate("!isNaN(new Date(document.body.dataset.old))")
        assert not await it.page.evaluate("document.title.startsWith('▶')"), "nothing says that it is live"
        assert not await it.page.locator("#act").is_visible()
        assert await it.page.locator("#map").is_visible()
        await tables.moves.submit(game_id, BOB, "buy P2")
        back = BoardServer(tables, port)
        await back.open()
        try:
            await it.until("document.body.dataset.old === undefined && document.getElementById('status').hidden", 60)
            assert await it.page.evaluate("document.getElementById('top').dataset.version") == "2"
            await tables.links.withdraw(game_id, BOB)
            await it.page.reload()
            await it.until(f"{KEPT}.then(number => number === 0)")
        finally:
            await back.close()


async def test_a_move_without_connection_is_kept_and_offered_on_the_same_board_only(
    tables: GameService, board: BoardServer, game_id: GameId
) -> None:
    token = await tables.links.make(game_id, BOB, LinkKind.PLAY)
    said = "document.getElementById('refused').textContent"
    async with opened(board.doors.play_address(token), viewport=PHONE, service_workers="allow") as it:
        await it.until("navigator.serviceWorker.controller !== null && document.title.startsWith('▶')")
        await it.page.reload()
        for is_changed in (False, True):
            await it.until("document.title.startsWith('▶')")
            await it.page.locator("[data-try^='@2 buy P']").first.click()
            await it.until("document.querySelector('.do')")
            await it.page.context.set_offline(True)
            await it.page.locator(".do").click()
            await it.until(f"{said}.includes('No connection')")
            await it.page.reload()
            await it.until(f"document.body.dataset.old && {said}.startsWith('Not sent yet: buy P')")
            assert await it.page.locator("#refused button").count() == 0
            if is_changed:
                await tables.moves.submit(game_id, BOB, "buy P3")
            await it.page.context.set_offline(False)
            if is_changed:
                await it.until(f"{said}.startsWith('The game has moved on; this was not sent: buy P')", 60)
                assert await it.page.locator("#refused button").count() == 0
            else:
                await it.until("document.querySelector('#refused button')", 60)
                assert (await tables.desk.require_started(game_id))[0].record.version == 1
                await it.page.locator("#refused button").click()
                await it.until("document.getElementById('top').dataset.version === '2'")
                await tables.moves.undo(game_id, BOB)
        assert (await tables.desk.require_started(game_id))[0].record.version == 4
