"""Buttons for what a command would do: a game that goes on from the past, advice against computers."""

from __future__ import annotations

import pytest

from bot.commands.web.server import BoardServer
from bot.engine import GameId
from bot.service.game_service import GameService
from bot.service.sessions import computer_person
from bot.store import LinkKind
from tests.service.conftest import ANN, BOB
from tests.web.chromium import ABSENT, PHONE, chromium, opened
from tests.web.conftest import Browser


@pytest.mark.browser
@pytest.mark.skipif(chromium() is None, reason=ABSENT)
async def test_a_copy_goes_on_from_the_past(tables: GameService, board: BoardServer, game_id: GameId) -> None:
    address = board.doors.play_address(await tables.links.make(game_id, BOB, LinkKind.PLAY))
    async with opened(address, viewport=PHONE, has_touch=True, is_mobile=True) as it:
        await it.until("document.getElementById('act')?.dataset.asked === 'yes'")
        await it.page.goto(f"{board.address.origin}/g/{game_id}/?at=0")
        await it.page.locator("[data-ask='clone 0']").click()
        await it.page.locator("#answer [data-line='clone 0']").click()
        await it.until("document.querySelector('#answer [data-go]')")
    copy = await tables.desk.table(GameId(game_id + 1))
    assert copy.record.version == 0 and {held.person for held in copy.seats} == {BOB}
    assert (await tables.desk.table(game_id)).record.version == 1


async def test_advice_is_offered_only_against_computers(
    tables: GameService, board: BoardServer, browser: Browser, game_id: GameId
) -> None:
    alone = await tables.lobby.create(
        "1848", ANN, [(ANN, "Ann"), (computer_person("club"), "Bot"), (computer_person("club"), "Bot 2")], {}, 7
    )
    await tables.lobby.start(alone, ANN, "list")
    for game in (alone, game_id):
        await browser.enter(board.doors.play_address(await tables.links.make(game, ANN, LinkKind.PLAY)))
    await tables.moves.undo(game_id, ANN)
    assert 'data-ask="advice"' in (await browser.get(f"/g/{alone}/turn"))[1]
    assert 'data-ask="advice"' not in (await browser.get(f"/g/{game_id}/turn"))[1]
