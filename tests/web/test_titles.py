"""Whatever a title asks is answered on the page: every kind of move that a random game offers is chosen there, question by
question, and made."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest

from bot.ai.fuzzer import RandomGame
from bot.commands.web.server import BoardServer
from bot.engine.games.game_record import build_game_record
from bot.service.game_service import GameService
from bot.service.parser import menus
from bot.titles.registry import TITLES, title_folders
from tests.families import few
from tests.service.conftest import ANN

from .chromium import ABSENT, DESK, chromium, opened
from .conftest import Browser
from .pictures import course

CHOICE = re.compile(r'<button type="button" data-kind="(\w+)" data-path="([\d.]*)"')
MOVE = re.compile(r'data-do="([^"]*)"')
SUMS = re.compile(r'placeholder="(\d+)–')
MOST_MOVES, MOST_QUESTIONS = 260, 25


def kinds_offered(title: str) -> tuple[RandomGame, dict[str, int]]:
    """A random game, and after how many moves each kind of move is first offered to all who are asked."""
    played, found = RandomGame(TITLES[title], TITLES[title].players.start, title_folders()[title].record.trial.seed), {}
    for _, _ in zip(range(MOST_MOVES), played.moves(), strict=False):
        game = played.game
        if not game.state.finished:
            for way in menus.ways(game, game.players_to_act()):
                if way.kind:
                    found.setdefault(way.kind, len(played.texts))
    return played, found


@pytest.mark.parametrize("title", few(TITLES, 1, 5))
async def test_every_kind_of_move_is_made_by_menus(
    tables: GameService, board: BoardServer, browser: Browser, title: str
) -> None:
    played, kinds = kinds_offered(title)
    number = await tables.transfer.import_game(build_game_record(played.game, played.texts), ANN)
    assert (await browser.enter(board.doors.play_address(await tables.links.make(number, ANN, "play"))))[0] == 200
    for kind, at in kinds.items():
        await tables.moderation.rewind(number, ANN, at)
        version = (await tables.desk.require_started(number))[0].record.version
        status, turn = await browser.get(f"/g/{number}/turn")
        assert status == 200 and f'data-kind="{kind}"' in turn, (kind, at)
        move = await composed(browser, f"/g/{number}/menu?version={version}&kind={kind}")
        status, done = await browser.post(f"/g/{number}/move", {"version": version, "move": move})
        assert status == 200 and json.loads(done)["version"] > version, (kind, at, move, done)
    assert set(kinds) >= title_folders()[title].record.trial.kinds != frozenset(), sorted(kinds)


async def composed(browser: Browser, menu: str) -> str:
    """The move to which always the first answer leads."""
    path = ""
    for _ in range(MOST_QUESTIONS):
        status, text = await browser.get(f"{menu}&path={path}")
        assert status == 200, (menu, path, text)
        if found := MOVE.search(text):
            return unescape(found[1])
        onward = [
            there for _, there in CHOICE.findall(text) if len(there.split(".")) > len([*filter(None, path.split("."))])
        ]
        if "data-several" in text:
            path = ".".join([*filter(None, [path]), "1"])
        elif onward:
            path = onward[0]
        elif sums := SUMS.search(text):
            _, text = await browser.get(f"{menu}&path={path}&sum={sums[1]}")
            if found := MOVE.search(text):
                return unescape(found[1])
            # Whoever has named a sum is asked something else, or shown the move.
            path = ".".join([*filter(None, [path]), sums[1]])
            assert "<b></b>" not in text, (menu, path, text)
        else:
            raise AssertionError(f"{menu} {path} leads nowhere: {text}")
    raise AssertionError(f"{menu} asks without end")


@pytest.mark.browser
@pytest.mark.skipif(chromium() is None, reason=ABSENT)
async def test_a_desk_goes_to_the_hexes_in_question_of_a_large_map(tables: GameService, board: BoardServer) -> None:
    brought, _ = course("18BF", 3, 100)
    game_id = await tables.transfer.import_game(brought, ANN)
    address = board.doors.play_address(await tables.links.make(game_id, ANN, "play"))
    wide = "document.querySelector('.hit.legal').getBoundingClientRect().width"
    async with opened(address, viewport=DESK) as it:
        await it.until("document.querySelector('.hit.legal')")
        await it.until(f"{wide} > 79")
        foot = await it.page.locator("[data-zoom=reset]").bounding_box()
        assert foot is not None
        assert foot["y"] + foot["height"] <= DESK["height"], "the buttons of the map are below the fold"
        await it.page.locator("[data-zoom=reset]").click()
        await it.until(f"{wide} < 50")
        await it.page.locator("[data-zoom=move]").click()
        await it.until(f"{wide} > 79")
        assert it.said == []
