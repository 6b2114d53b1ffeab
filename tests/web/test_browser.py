"""The page in a real browser: every title loads in silence, and a move shows at once and leaves the reader alone."""

from __future__ import annotations

import pytest

from bot.engine.games.course import course_of
from bot.engine.games.selfplay import RandomGame
from bot.engine.titles.registry import TITLES
from bot.tables.tables import Tables
from bot.web.server import Board
from tests.tables.conftest import ANN, BOB

from .chromium import ABSENT, PHONE, chromium, opened

pytestmark = pytest.mark.skipif(chromium() is None, reason=ABSENT)

MOVES = 40


async def brought(tables: Tables, name: str, moves: int = MOVES) -> int:
    """A game of that title after some random moves, every seat Ann's."""
    title = TITLES[name]
    played = RandomGame(title, title.players.start, 7, None, None)
    for _, _ in zip(range(moves), played.moves(), strict=False):
        pass
    return await tables.transfer.import_game(course_of(played.game, played.texts), ANN)


@pytest.mark.browser
@pytest.mark.parametrize("title", TITLES)
async def test_every_title_loads_in_silence(tables: Tables, board: Board, title: str) -> None:
    game = await brought(tables, title)
    address = board.doors.look_address(await tables.links.make(game, ANN))
    async with opened(address, viewport=PHONE, has_touch=True, is_mobile=True) as it:
        await it.until("document.title.includes('·')")
        assert await it.page.locator(".hit").count() == len((await tables.desk.begun(game))[1].land.map.hexes)
        assert await it.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        await it.page.locator("#history a").first.click()
        await it.until("document.getElementById('top').dataset.at === '0'")
        assert (it.said, it.hosts) == ([], {address.split("/")[2]})


async def test_a_move_shows_and_leaves_the_reader_alone(tables: Tables, board: Board, game: int, look: str) -> None:
    other = Tables(tables.desk.store, tables.desk.titles, tables.desk.clock)
    async with opened(look) as it:
        await it.until("document.title.includes('Bob')")
        await it.page.click("[data-zoom=in]")
        await it.page.focus("#at-G10")
        zoomed = await it.until(
            "document.getElementById('map').style.transform.includes('scale(1.') && document.getElementById('map').style.transform"
        )
        await other.play.play(game, BOB, "buy P2")
        await it.until("document.getElementById('question').textContent.includes('Cid')", 5)
        assert await it.page.evaluate("document.activeElement.id") == "at-G10"
        assert (await it.page.evaluate("document.getElementById('map').style.transform"))[:9] == zoomed[:9]
        await it.page.keyboard.press("ArrowRight")
        assert await it.page.evaluate("document.activeElement.id") == "at-G12"
        await it.page.locator("#back").click()
        await it.until("document.getElementById('top').dataset.at === '1'")
        await other.play.play(game, "discord:3", "buy P3")
        await it.until("!document.getElementById('status').hidden")
        assert await it.page.evaluate("document.getElementById('top').dataset.at") == "1"
        await it.page.click("#now")
        await it.until("document.getElementById('top').dataset.at === '3'")
        assert it.said == []


async def test_a_withdrawn_link_is_said_to_be_none(tables: Tables, game: int, look: str) -> None:
    async with opened(look) as it:
        await it.until("document.title.includes('Bob')")
        await tables.links.withdraw(game, ANN)
        await it.until("document.getElementById('status').textContent.includes('not good any more')", 10)
