"""The page in a real browser: every title loads in silence, and a move shows at once and leaves the reader alone."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.ai.fuzzer import RandomGame
from bot.commands.web.server import BoardServer
from bot.engine.games.game_record import build_game_record
from bot.engine.ids import GameId, HexId
from bot.service.game_service import GameService
from bot.service.sessions.budgets import PRESETS
from bot.titles.registry import TITLES
from tests.service.conftest import ANN, BOB

from .chromium import ABSENT, IN_VIEW, PHONE, Opened, chromium, opened
from .conftest import OPENING, STOCK, play_all

pytestmark = pytest.mark.skipif(chromium() is None, reason=ABSENT)

MOVES = 40
AXE = Path(__file__).parent / "axe.min.js"
"""axe-core 4.14.1 as published on npm, by Deque Systems under the Mozilla Public License 2.0 (its text stands beside it)."""


async def brought(tables: GameService, name: str, moves: int = MOVES) -> int:
    """A game of that title after some random moves, every seat Ann's."""
    title = TITLES[name]
    played = RandomGame(title, title.players.start, 7, None, None)
    for _, _ in zip(range(moves), played.moves(), strict=False):
        pass
    return await tables.transfer.import_game(build_game_record(played.game, played.texts), ANN)


@pytest.mark.browser
@pytest.mark.parametrize("title", TITLES)
async def test_every_title_loads_in_silence(tables: GameService, board: BoardServer, title: str) -> None:
    game = await brought(tables, title)
    address = board.doors.look_address(await tables.links.make(game, ANN))
    async with opened(address, viewport=PHONE, has_touch=True, is_mobile=True) as it:
        await it.until("document.title.includes('·')")
        assert await it.page.locator(".hit").count() == len(
            (await tables.desk.require_started(game))[1].board_rules.map.hexes
        )
        assert await it.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        await it.page.locator("#timed").tap()
        await it.page.locator("#history a").first.click()
        await it.until("document.getElementById('top').dataset.at === '0'")
        assert (it.said, it.hosts) == ([], {address.split("/")[2]})


async def test_a_move_shows_and_leaves_the_reader_alone(
    tables: GameService, board: BoardServer, game_id: int, look: str
) -> None:
    other = GameService(tables.desk.store, tables.desk.titles, tables.desk.clock)
    async with opened(look) as it:
        await it.until("document.title.includes('Bob')")
        await it.page.click("[data-zoom=in]")
        await it.page.focus("#at-G10")
        zoomed = await it.until(
            "document.getElementById('map').style.transform.includes('scale(1.') && document.getElementById('map').style.transform"
        )
        await other.moves.submit(game_id, BOB, "buy P2")
        await it.until("document.getElementById('question').textContent.includes('Cid')", 5)
        assert await it.page.evaluate("document.activeElement.id") == "at-G10"
        assert (await it.page.evaluate("document.getElementById('map').style.transform"))[:9] == zoomed[:9]
        await it.page.keyboard.press("ArrowRight")
        assert await it.page.evaluate("document.activeElement.id") == "at-G12"
        await it.page.locator("#back").click()
        await it.until("document.getElementById('top').dataset.at === '1'")
        await other.moves.submit(game_id, "discord:3", "buy P3")
        await it.until("!document.getElementById('status').hidden")
        assert await it.page.evaluate("document.getElementById('top').dataset.at") == "1"
        await it.page.click("#now")
        await it.until("document.getElementById('top').dataset.at === '3'")
        assert it.said == []


async def test_a_withdrawn_link_is_said_to_be_none(tables: GameService, game_id: int, look: str) -> None:
    async with opened(look) as it:
        await it.until("document.title.includes('Bob')")
        await tables.links.withdraw(game_id, ANN)
        await it.until("document.getElementById('status').textContent.includes('no longer valid')", 10)


@pytest.mark.browser
async def test_two_taps_lay_a_tile(tables: GameService, board: BoardServer, game_id: int) -> None:
    await play_all(tables, game_id, [*OPENING, *STOCK])
    table, current = await tables.desk.require_started(game_id)
    person = table.seats[int(current.players_to_act()[0][1:]) - 1].person
    address = board.doors.play_address(await tables.links.make(game_id, person, "play"))
    async with opened(address, viewport=PHONE, has_touch=True, is_mobile=True) as it:
        await it.until("document.querySelectorAll('.hit.legal').length > 0")
        space = str(await it.until(f"{IN_VIEW}('.hit.legal')[0]"))
        # In the past nothing can be laid, and nothing is asked.
        await it.page.locator("#timed").tap()
        await it.page.locator("#back").tap()
        await it.until(
            "document.querySelectorAll('.hit.legal').length === 0 && !document.querySelector('#act > *') && document.querySelector('.then')"
        )
        await it.page.locator("#now").tap()
        await it.until("document.querySelectorAll('.hit.legal').length > 0")
        await it.page.locator(f"#at-{space}").tap()
        await it.until("document.querySelector('.do') && document.getElementById('preview').childElementCount === 1")
        drawn = await it.page.evaluate("document.querySelector('#preview g').innerHTML")
        await it.page.locator(".do").tap()
        await it.until("document.getElementById('top').dataset.version !== '15' && document.getElementById('turn')")
        assert (await tables.desk.require_started(game_id))[1].state.board.tiles[HexId(space)]
        parts = f"document.getElementById('land-{space}').innerHTML + document.getElementById('top-{space}').innerHTML"
        assert await it.page.evaluate(parts) == drawn
        assert it.said == []


@pytest.mark.browser
async def test_time_counts_by_itself(tables: GameService, board: BoardServer, game_id: int) -> None:
    tables.desk.clock = lambda: datetime.now(UTC)
    await tables.moderation.set_clock(game_id, ANN, PRESETS["blitz"])
    address = board.doors.look_address(await tables.links.make(game_id, ANN))
    async with opened(address, viewport=PHONE) as it:
        await it.until("document.querySelector('#times [data-out]').textContent.startsWith('9 min 5')")
        first = await it.page.evaluate("document.querySelector('#times [data-out]').textContent")
        await it.until(f"document.querySelector('#times [data-out]').textContent !== '{first}'")
        assert await it.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        assert it.said == []


@pytest.mark.browser
async def test_the_page_is_for_everybody(tables: GameService, board: BoardServer, game_id: int) -> None:
    """axe finds nothing: light, dark, narrow, forced colours, with the tiles of a space chosen by the keyboard."""
    await play_all(tables, game_id, [*OPENING, *STOCK])
    table, current = await tables.desk.require_started(game_id)
    person = table.seats[int(current.players_to_act()[0][1:]) - 1].person
    for how in ({"color_scheme": "light"}, {"color_scheme": "dark", "viewport": PHONE}, {"forced_colors": "active"}):
        address = board.doors.play_address(await tables.links.make(game_id, person, "play"))
        async with opened(address, bypass_csp=True, locale="de", **how) as it:
            await it.until("document.querySelectorAll('.hit.legal').length > 0")
            await it.page.focus(".hit.legal")
            await it.page.keyboard.press("Enter")
            await it.until("document.querySelector('.do')")
            # Forced colours are the reader's own: axe reckons with those of the page.
            options = '{rules: {"color-contrast": {enabled: false}}}' if "forced_colors" in how else "{}"
            assert await violations(it, options) == [], how


async def violations(it: Opened, options: str = "{}") -> list[list[str]]:
    """What axe finds wrong with a page."""
    await it.page.evaluate(AXE.read_text())
    found = f"axe.run({options}).then(found => found.violations.map(one => [one.id, one.nodes[0].html]))"
    return list(await it.page.evaluate(found))


@pytest.mark.browser
async def test_a_game_is_opened_filled_and_begun_by_tapping(
    tables: GameService, board: BoardServer, game_id: int
) -> None:
    address = board.doors.play_address(await tables.links.make(game_id, BOB, "play"))
    how = {"viewport": PHONE, "has_touch": True, "is_mobile": True, "color_scheme": "dark", "bypass_csp": True}
    async with opened(address, **how) as it:
        await it.until("document.querySelector('.home a')")
        await it.page.locator(".home a").tap()
        await it.until("document.getElementById('opening')")
        await it.page.locator("#opening summary").tap()
        assert await violations(it) == []
        await it.page.locator("#opening button").tap()
        await it.until("document.querySelector('[data-lobby]')")
        assert await it.page.evaluate("document.querySelector('#starting button').disabled")
        for players in (2, 3):
            await it.page.locator("[data-name='game computer'] button").first.tap()
            await it.until(f"document.querySelectorAll('#players li').length === {players}")
        await it.page.locator("#options input[name='value-option']").nth(1).check()
        await it.until("document.getElementById('answer').textContent.includes('rules=18xx.games')")
        assert await it.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        assert await violations(it) == []
        await tables.lobby.add_computer(GameId(2), BOB)
        await it.until("document.querySelectorAll('#players li').length === 4")
        await it.page.locator("#starting button").tap()
        await it.until("document.getElementById('history')")
        assert (await tables.desk.require_started(GameId(2)))[0].record.options["rules"] == "18xx.games"
        assert it.said == []
