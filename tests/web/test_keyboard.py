"""1848 played by somebody who has only keys and hears only names: a whole auction, stock round and operating round, and a whole game."""

from __future__ import annotations

import json
import random
import re
from dataclasses import dataclass

import pytest

from bot.commands.web.server import BoardServer
from bot.engine import GameId
from bot.ops.rate_limit import RateLimiter
from bot.service.game_service import GameService
from tests.service.conftest import ANN

from .chromium import ABSENT, Opened, chromium, opened

pytestmark = [pytest.mark.browser, pytest.mark.skipif(chromium() is None, reason=ABSENT)]

BUTTON = re.compile(r'- \'?button "(?P<name>.*?)"')
HAS_FOCUS = "document.getElementById('act').contains(document.activeElement)"
SPACES = "document.getElementById('turn').dataset.spaces"
IS_READY = "document.getElementById('act').ariaBusy !== 'true' && document.getElementById('act').firstElementChild"
MOST_STOPS = 40
"""Maximum number of tabulators to a choice."""

AUCTION = [(f"buy P{number} ", "Confirm") for number in range(1, 7)]
STOCK = [
    ("par …", "VR", "£90", "Confirm"),
    ("par …", "NSW", "£80", "Confirm"),
    *[("buy CAR", "Confirm")] * 4,
    *[("pass",)] * 3,
]
OPERATING = ("run best", "pay", "buy 2 for", "pass", "done")
"""What a company does after its lay, in this order of preference."""

ONWARD = ("Confirm", "run best; pay", "run best", "pay", "buy", "par")
"""What brings a game to its end."""

ASIDE = ("Advice", "Your own routes", "Try", "Go on", "Back", "Cancel", "Take back")
"""Buttons that are no choice of a move."""

HAS_ENDED = "document.getElementById('act').dataset.plays !== 'yes'"


@dataclass
class Keys:
    """Somebody at the keyboard of a page."""

    it: Opened

    async def press(self, *keys: str) -> None:
        for key in keys:
            await self.it.page.keyboard.press(key)

    async def name(self) -> str:
        """The accessible name of what has the focus, if it can be pressed."""
        found = BUTTON.match(await self.it.page.locator(":focus").aria_snapshot())
        return found["name"] if found else ""

    async def choose(self, *wished: str) -> str:
        """Go to the choice whose name begins with one of these, the first of them that is there, and press it."""
        await self.it.until(IS_READY)
        assert await self.it.page.evaluate(HAS_FOCUS), "the choices have lost the focus"
        await self.press("a")
        names: list[str] = []
        for _ in range(MOST_STOPS):
            await self.press("Tab")
            if not await self.it.page.evaluate(HAS_FOCUS):
                break
            names.append(await self.name())
        found = [(one, stops) for one in wished for stops, name in enumerate(names) if name.startswith(one)]
        assert found, f"{wished} are not among {names}"
        wanted, stops = found[0]
        await self.press("a", *["Tab"] * (stops + 1), "Enter")
        return wanted

    async def choose_by_chance(self, chance: random.Random) -> None:
        """Press what brings the game on where it is offered, else any choice; a question without one is left by Escape."""
        await self.it.until(IS_READY)
        assert await self.it.page.evaluate(HAS_FOCUS), "the choices have lost the focus"
        await self.press("a")
        act = self.it.page.locator("#act")
        before, tree = await act.inner_html(), await act.aria_snapshot()
        names = [name for name in BUTTON.findall(tree) if not name.startswith(ASIDE)]
        if names:
            wished = chance.choice([name for name in names if name.startswith(ONWARD)] or names)
            while await self.name() != wished:
                assert await self.it.page.evaluate(HAS_FOCUS), f"{wished} is not reached"
                await self.press("Tab")
        await self.press("Enter" if names else "Escape")
        await self.it.until(
            f"{HAS_ENDED} || {IS_READY} && document.getElementById('act').innerHTML !== {json.dumps(before)}"
        )

    async def move(self, *choices: str) -> None:
        """Make a move by these choices, one after the other."""
        version = await self.it.page.evaluate("document.getElementById('turn').dataset.version")
        for choice in choices:
            await self.choose(choice)
        await self.moved(version)

    async def moved(self, version: str) -> None:
        await self.it.until(
            f"{IS_READY} && (document.getElementById('turn')?.dataset.version ?? '{version}') !== '{version}'"
        )

    async def lay_track(self) -> None:
        """Lay the first tile that is offered; on the map, after the way by questions was taken and left."""
        await self.choose("lay …")
        await self.choose("")
        await self.it.until(IS_READY)
        await self.press("Escape")
        await self.it.until(f"{IS_READY} && document.querySelector('#turn [data-kind=LayTile]')")
        version = await self.it.page.evaluate("document.getElementById('turn').dataset.version")
        await self.press("m")
        assert (await self.name()).split(" ")[0].rstrip(":") in str(await self.it.page.evaluate(SPACES)).split(" ")
        await self.press("Enter")
        await self.choose("Confirm")
        await self.moved(version)


async def test_1848_is_played_by_keys_alone(tables: GameService, board: BoardServer) -> None:
    names = ("Ann", "Bob", "Cid")
    number = await tables.lobby.create("1848", ANN, [(ANN, name) for name in names], {}, 7)
    await tables.lobby.start(number, ANN, "list")
    async with opened(board.doors.play_address(await tables.links.make(number, ANN, "play"))) as it:
        keys = Keys(it)
        await it.until("document.title.startsWith('▶')")
        await keys.press("Tab", "Enter", "a")  # past the header: the link comes first
        for choices in (*AUCTION, *STOCK):
            await keys.move(*choices)
        await operate(tables, keys, number)
        assert it.said == []


@pytest.mark.soak
async def test_a_whole_1848_is_played_by_keys_alone(tables: GameService, board: BoardServer) -> None:
    number = await tables.lobby.create("1848", ANN, [(ANN, name) for name in ("Ann", "Bob", "Cid")], {}, 7)
    await tables.lobby.start(number, ANN, "list")
    chance = random.Random(1848)
    board.looking.pace = RateLimiter(0)  # no person is so fast
    async with opened(board.doors.play_address(await tables.links.make(number, ANN, "play"))) as it:
        keys = Keys(it)
        await it.until("document.title.startsWith('▶')")
        await keys.press("Tab", "Enter", "a")
        while not await it.page.evaluate(HAS_ENDED):
            await keys.choose_by_chance(chance)
        assert it.said == []
    _, current = await tables.desk.require_started(number)
    assert current.state.finished


async def operate(tables: GameService, keys: Keys, number: GameId) -> None:
    """Every company lays track and does what else it can."""
    _, current = await tables.desk.require_started(number)
    began, company, turns = str(current.state.round.number), None, 0
    while current.state.round.kind == "operating" and str(current.state.round.number) == began:
        if current.company_in_turn != company:
            company, turns = current.company_in_turn, turns + 1
            await keys.lay_track()
        else:
            version = await keys.it.page.evaluate("document.getElementById('turn').dataset.version")
            if (await keys.choose(*OPERATING)).startswith("buy"):
                await keys.choose("Confirm")
            await keys.moved(version)
        _, current = await tables.desk.require_started(number)
    assert turns >= 1
