"""How whoever looks wants it drawn: the map of the start, companies in players' colours; with scripts and without."""

from __future__ import annotations

import re

import pytest

from bot.ai.fuzzer import RandomGame
from bot.commands.web.display_options import COLOURS, DisplayOptions
from bot.commands.web.response_cache import STATIC
from bot.commands.web.server import BoardServer
from bot.engine.games.game_record import build_game_record
from bot.render.shapes.colours import DESERT, HILL, MOUNTAIN, PROVINCE, TILE, WATER, contrast
from bot.render.shapes.hex_view import faces_of
from bot.service.game_service import GameService
from bot.titles.registry import TITLES
from tests.families import few
from tests.service.conftest import ANN

from .chromium import ABSENT, IN_VIEW, PHONE, chromium, opened
from .conftest import OPENING, STOCK, Browser, play_all

MAP = re.compile(r'<svg id="map".*?<g id="preview"', re.DOTALL)
MARKET = re.compile(r'<svg id="market".*?</svg>', re.DOTALL)
LINKS = re.compile(r'href="(\?[^"]*)"')


async def under_way(tables: GameService, board: BoardServer, title: str, moves: int = 300) -> tuple[int, str]:
    """A random game of that title after its first operating rounds, and the address to look at it."""
    played = RandomGame(TITLES[title], TITLES[title].players.start, 7, None, None)
    for position in played.moves():
        if len(played.texts) >= moves and position.state.round.number > 2:
            break
    game = await tables.transfer.import_game(build_game_record(played.game, played.texts), ANN)
    return game, board.doors.look_address(await tables.links.make(game, ANN))


async def test_the_map_of_the_start_beside_the_present_tables(
    tables: GameService, board: BoardServer, browser: Browser
) -> None:
    _, address = await under_way(tables, board, "1848")
    _, now = await browser.get(address)
    _, then = await browser.get(f"{address}?at=0")
    _, wished = await browser.get(f"{address}?start=yes")
    drawn = [MAP.search(text)[0].replace(" last", "") for text in (now, then, wished)]
    assert drawn[2] == drawn[1] != drawn[0]
    assert MARKET.search(wished)[0] == MARKET.search(now)[0] != MARKET.search(then)[0]
    assert "This is the starting map." in wished and "This is the starting map." not in now
    # Without scripts every link and both forms keep what was wished.
    assert {"start=yes" in link for link in LINKS.findall(wished)} == {True}
    assert wished.count('<input type="hidden" name="start" value="yes">') == 1
    _, past = await browser.get(f"{address}?at=3&start=yes&players=yes")
    assert '<input type="hidden" name="at" value="3">' in past
    assert past.count("data-drawn checked") + past.count('data-toggle="players" checked') == 2


@pytest.mark.parametrize("title", few(TITLES, 4))
async def test_companies_in_the_colours_of_their_directors(
    tables: GameService, board: BoardServer, browser: Browser, title: str
) -> None:
    game, address = await under_way(tables, board, title)
    position = (await tables.desk.require_started(game))[1]
    faces = DisplayOptions(players=True).faces(position)
    directed = {company: position.controller_of(company) for company in position.state.companies}
    assert any(directed.values()) and set(faces) == set(faces_of(position.title))
    for company, player in directed.items():
        same = [faces[other].colour for other, who in directed.items() if who == player]
        assert set(same) == {faces[company].colour}
        assert (faces[company].colour in COLOURS) == (player is not None) and faces[company].sign == company
    _, text = await browser.get(f"{address}?players=yes")
    for where in (MAP, MARKET):
        shown = {circle for circle in re.findall(r'<circle [^>]*fill="(#\w+)"', where.search(text)[0])}
        own = {faces_of(position.title)[company].colour for company in directed} - {"#ffffff"}
        assert shown & set(COLOURS) and not shown & (own - set(COLOURS)), where
    rows = re.findall(r'<tbody class="[^"]*"><tr><th scope="row">.*?</tr>', text, re.DOTALL)
    assert len([row for row in rows if 'class="chip"' in row]) == len(position.state.order)


@pytest.mark.browser
@pytest.mark.skipif(chromium() is None, reason=ABSENT)
async def test_switches_are_set_by_finger_and_key_and_remembered(
    tables: GameService, board: BoardServer, game_id: int
) -> None:
    await play_all(tables, game_id, [*OPENING, *STOCK])
    table, current = await tables.desk.require_started(game_id)
    person = table.seats[int(current.players_to_act()[0][1:]) - 1].person
    address = board.doors.play_address(await tables.links.make(game_id, person, "play"))
    tokens = "[...document.querySelectorAll('#market circle')].map(one => one.getAttribute('fill')).join()"
    is_laid = "document.getElementById('land-{}').innerHTML"
    async with opened(address, viewport=PHONE, has_touch=True, is_mobile=True, locale="de") as it:
        await it.until("document.querySelectorAll('.hit.legal').length > 0")
        await it.page.locator("#view summary").tap()
        assert "Farben der Spieler" in await it.text(".toggles")
        plain = await it.page.evaluate(tokens)
        await it.page.locator("[data-drawn][name=players]").tap()
        await it.until(f"{tokens} !== {plain!r} && {tokens}.includes('{COLOURS[0]}')")
        # What is tried is drawn as it lies afterwards, also in these colours.
        space = str(await it.until(f"{IN_VIEW}('.hit.legal')[0]"))
        before = await it.page.evaluate(is_laid.format(space))
        await it.page.locator(f"#at-{space}").tap()
        await it.until("document.querySelector('.do') && document.getElementById('preview').childElementCount === 1")
        tried = await it.page.evaluate("document.querySelector('#preview g').innerHTML")
        await it.page.locator(".do").tap()
        await it.until(f"{is_laid.format(space)} !== {before!r}")
        parts = f"document.getElementById('land-{space}').innerHTML + document.getElementById('top-{space}').innerHTML"
        assert await it.page.evaluate(parts) == tried
        # By key the map of the start comes and goes; the record that is shown stays.
        await it.page.keyboard.press("s")
        await it.until(f"{is_laid.format(space)} === {before!r} && document.querySelector('.note-of-map')")
        await it.page.keyboard.press("ArrowLeft")
        await it.until("document.getElementById('top').dataset.past === 'yes'")
        assert await it.page.evaluate("document.querySelector('[data-drawn][name=start]').checked")
        await it.page.keyboard.press("End")
        await it.page.keyboard.press("s")
        await it.until(f"{is_laid.format(space)} !== {before!r} && !document.querySelector('.note-of-map')")
        await it.page.locator("[data-toggle=coords]").tap()  # what was opened has stayed so
        await it.page.reload()
        await it.until(f"{tokens}.includes('{COLOURS[0]}')")
        assert not await it.page.evaluate("document.querySelector('#map .coords').getBoundingClientRect().width")
        await it.page.keyboard.press("d")
        await it.until(f"!{tokens}.includes('{COLOURS[0]}')")
        assert it.said == []


@pytest.mark.browser
@pytest.mark.skipif(chromium() is None, reason=ABSENT)
async def test_switches_work_without_scripts(look: str) -> None:
    async with opened(look, java_script_enabled=False) as it:
        await it.page.locator("#view summary").click()
        await it.page.locator("[data-drawn][name=start]").check()
        await it.page.locator(".toggles button:not([data-own])").click()
        assert "This is the starting map." in await it.text(".note-of-map")
        assert await it.page.locator("#map text").first.is_visible()
        await it.page.locator("#view summary").click()
        await it.page.locator("[data-toggle=named]").uncheck()
        assert not await it.page.locator("#map .named").first.is_visible()
        await it.page.locator("#back").click()
        assert "start=yes" in it.page.url and "at=0" in it.page.url


@pytest.mark.browser
@pytest.mark.skipif(chromium() is None, reason=ABSENT)
async def test_on_a_phone_every_part_is_a_tap_away(tables: GameService, board: BoardServer) -> None:
    """Wherever one is: the bar below lies over nothing that is shown by it."""
    _, address = await under_way(tables, board, "18BF")
    async with opened(address, viewport=PHONE, has_touch=True, is_mobile=True) as it:
        await it.until("document.title.includes('·')")
        links = it.page.locator("#views a:visible")
        assert await links.count() == 6  # who only looks has no move
        for number in (*range(6), 2, 0):
            await links.nth(number).tap()
            there = (await links.nth(number).get_attribute("href"))[1:]
            box = f"document.getElementById('{there}').getBoundingClientRect()"
            await it.until(f"{box}.top < innerHeight / 2 && {box}.bottom > 60")
            assert await it.page.evaluate(
                "document.getElementById('views').getBoundingClientRect().bottom <= innerHeight"
            )
        assert await it.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"] and it.said == []
    async with opened(address) as it:
        assert await it.page.locator("#views a:visible").count() == 0


def test_signs_of_the_map_can_be_read_in_the_dark() -> None:
    """The ground of a hex without a tile is darker there, so its signs are too."""
    dark = re.search(r"@media \(prefers-color-scheme: dark\) \{\n.*?\n\}", (STATIC / "map.css").read_text(), re.DOTALL)
    assert dark is not None
    for kind in ("fill", "stroke"):
        signs = (WATER, MOUNTAIN, HILL, DESERT, *([PROVINCE] if kind == "stroke" else ["#5c5644"]))
        drawn = {old: new for old, new in re.findall(rf'\[{kind}="(#\w+)"\]\)? \{{ {kind}: (#\w+); \}}', dark[0])}
        ground = drawn[TILE["white"]]
        assert {sign for sign in signs if contrast(drawn.get(sign, sign), ground) < 4.5} == set(), kind
