"""How many taps a decision takes on a phone. After each the chosen hex is in view, and at the zoom for a decision labels can
be read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pytest

from bot.commands.web.server import BoardServer
from bot.engine import GameId, as_company
from bot.engine.games.game_record import GameRecordFile
from bot.engine.play import Game
from bot.engine.play.steps import trains_to_run
from bot.engine.state import LayTile
from bot.service.game_service import GameService
from bot.service.parser import menus
from bot.titles.registry import TITLES
from tests.families import few
from tests.golden.playthrough import NAMES, beginning_of, path_of
from tests.service.conftest import ANN, BOB

from .chromium import ABSENT, IN_VIEW, Opened, chromium, opened
from .conftest import OPENING, STOCK, play_all
from .test_phone import HOW, VERSION, address_of

pytestmark = [pytest.mark.browser, pytest.mark.skipif(chromium() is None, reason=ABSENT)]

IS_CHOSEN_SEEN = """(() => { const pane = document.getElementById("pan").getBoundingClientRect();
  const sheet = document.getElementById("acting").getBoundingClientRect(), said = document.getElementById("space").getBoundingClientRect();
  return [...document.querySelectorAll(".hit.chosen")].every(hit => { const box = hit.getBoundingClientRect();
    return box.top >= Math.max(pane.top, said.bottom) - 1 && box.bottom <= Math.min(pane.bottom, sheet.top) + 1
      && box.left >= -1 && box.right <= innerWidth + 1
      && document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2) === hit; }); })()"""
"""Nothing stands over the chosen hexes."""

SMALLEST_LABEL = """(() => { const pane = document.getElementById("pan").getBoundingClientRect();
  const scale = document.getElementById("map").getScreenCTM().a;
  return Math.min(...[...document.querySelectorAll("#map text")].filter(text => { const box = text.getBoundingClientRect();
    return box.width && box.right > pane.left && box.left < pane.right && box.bottom > pane.top && box.top < pane.bottom; })
    .map(text => parseFloat(getComputedStyle(text).fontSize) * scale)); })()"""
NEXT = (
    "[data-do='run best; pay']",
    "[data-do='run best']",
    "[data-do$=' pay']",
    "[data-try*=' buy '][data-try*=' for ']",
    "[data-do$=' pass'], [data-do$=' done']",
)
"""What a company does after its lay, in this order of preference."""


@dataclass
class Taps:
    """Taps on a page, counted; after each the chosen hex is in view."""

    it: Opened
    number: int = 0

    async def tap(self, where: str) -> None:
        await self.it.until(f"document.getElementById('act').ariaBusy !== 'true' && document.querySelector(`{where}`)")
        await self.it.page.locator(where).first.tap()
        self.number += 1
        await self.it.page.wait_for_timeout(350)
        assert await self.it.page.evaluate(IS_CHOSEN_SEEN), where

    async def confirm(self) -> None:
        version = int(await self.it.page.evaluate(VERSION))
        await self.tap(".do")
        await self.moved(version)

    async def moved(self, version: int) -> None:
        """The position after that of `version` has been drawn, with its choices."""
        await self.it.until(
            f"Number({VERSION}) > {version} && document.getElementById('act').ariaBusy !== 'true'"
            f' && document.querySelector(`#turn[data-version="${{{VERSION}}}"]`)'
        )


async def brought(tables: GameService, title: str, is_there: Callable[[Game], bool]) -> GameId:
    """The title's play-through up to the first position of that kind, every seat Ann's."""
    found = TITLES[title]
    beginning = beginning_of(path_of(found).read_text(encoding="utf-8"))
    course = GameRecordFile(title, NAMES[: beginning.players], beginning.moves, seed=beginning.seed)
    for number, (game, _) in enumerate(course.positions(found)):
        if is_there(game):
            short = GameRecordFile(title, course.players, beginning.moves[:number], seed=beginning.seed)
            return await tables.transfer.import_game(short, ANN)
    raise LookupError(f"the play-through of {title} has no such position")


async def first(it: Opened, wished: Sequence[str]) -> str:
    """The first of these that the page has."""
    for where in wished:
        if await it.page.locator(where).count():
            return where
    raise AssertionError(f"the page has none of {wished}")


@pytest.mark.parametrize("title", few(TITLES, 3, 5))
async def test_a_company_turn_takes_at_most_eight_taps(tables: GameService, board: BoardServer, title: str) -> None:
    """It lays a tile, runs its trains, pays and buys one train."""

    def is_there(game: Game) -> bool:
        legal = menus.legal_for(game, game.players_to_act())
        lays = [one for one in legal if isinstance(one, LayTile)]
        company = as_company(lays[0].by) if lays else None
        return company is not None and bool(trains_to_run(game, company))

    game_id = await brought(tables, title, is_there)
    company = (await tables.desk.require_started(game_id))[1].company_in_turn
    async with opened(await address_of(tables, board, game_id), **HOW) as it:
        taps = Taps(it)
        await it.until("document.querySelector('.hit.legal')")
        assert await it.page.evaluate(SMALLEST_LABEL) >= 8.9
        space = str(await it.until(f"{IN_VIEW}('.hit.legal')[0]"))
        await taps.tap(f"#at-{space}")
        await taps.confirm()
        wished = [*NEXT]
        while (await tables.desk.require_started(game_id))[1].company_in_turn == company:
            version = int(await it.page.evaluate(VERSION))
            where = await first(it, wished)
            await taps.tap(where)
            if where.startswith("[data-try"):
                await taps.confirm()
                wished.remove(where)
            else:
                await taps.moved(version)
            assert taps.number <= 8, where
        assert it.said == []


async def test_a_bid_takes_two_taps(tables: GameService, board: BoardServer) -> None:
    game_id = await brought(tables, "1830", lambda _: True)
    async with opened(await address_of(tables, board, game_id), **HOW) as it:
        taps = Taps(it)
        await taps.tap("[data-try*=' bid ']")
        await taps.confirm()
        assert taps.number == 2 and it.said == []


async def test_a_lobby_is_raised_by_four_taps(tables: GameService, board: BoardServer) -> None:
    """To the sum that is proposed, or to another that is typed."""

    def is_there(game: Game) -> bool:
        return any(getattr(action, "lobby", 0) for action in menus.legal_for(game, game.players_to_act()))

    game_id = await brought(tables, "1820", is_there)
    async with opened(await address_of(tables, board, game_id), **HOW) as it:
        for is_typed in (False, True):
            taps = Taps(it)
            await taps.tap("[data-kind=FundLobby]")
            await taps.tap("[data-path='1']")
            if is_typed:
                await taps.tap("[name=sum]")
                await it.page.keyboard.type("70")
                await it.page.keyboard.press("Enter")
            else:
                await taps.tap("[data-sum] button")
            await taps.confirm()
            assert taps.number == 4 and it.said == []
        assert "£70" in await it.text("#logged li")


async def test_a_merger_is_proposed_by_five_taps(tables: GameService, board: BoardServer) -> None:
    def is_there(game: Game) -> bool:
        return any(way.kind == "Merge" for way in menus.ways(game, game.players_to_act()))

    game_id = await brought(tables, "18BF", is_there)
    async with opened(await address_of(tables, board, game_id), **HOW) as it:
        taps = Taps(it)
        await taps.tap("[data-kind=Merge]")
        await taps.tap("[data-several] label")
        await taps.tap("[data-several] button")
        await taps.tap("[data-path='1.0']")
        await taps.confirm()
        assert taps.number == 5 and it.said == []
        assert "become CR" in await it.text("#question")


async def test_a_stock_turn_and_a_purchase_take_two_taps(
    tables: GameService, board: BoardServer, game_id: GameId
) -> None:
    async with opened(await address_of(tables, board, game_id, BOB), **HOW) as it:
        taps = Taps(it)
        await taps.tap("[data-try^='@2 buy P2']")
        await taps.confirm()
        assert taps.number == 2
    await play_all(tables, game_id, [*OPENING[1:], *STOCK[:2]])
    async with opened(await address_of(tables, board, game_id), **HOW) as it:
        taps = Taps(it)
        assert "you pay £" in await it.text("[data-try*='buy CAR'] small")
        await taps.tap("[data-try*='buy CAR']")
        await taps.confirm()
        assert taps.number == 2 and it.said == []
