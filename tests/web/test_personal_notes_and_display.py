"""The page in a real browser, what a player does there for himself: routes of his own, who holds what, the tiles that are
left, notes."""

from __future__ import annotations

import re
from itertools import permutations

import pytest

from bot.ai.fuzzer import RandomGame
from bot.commands.web.server import BoardServer
from bot.commands.web.tapped_route import path_through
from bot.engine.games.game_record import build_game_record
from bot.engine.play.game import Game
from bot.engine.play.steps.routes import best_set, route_problem
from bot.engine.refusals import IllegalMove
from bot.engine.routes.revenue.model import Route
from bot.engine.state.actions import LayTile, RunRoutes
from bot.service.game_service import GameService
from bot.titles.registry import TITLES
from tests.service.conftest import ANN, BOB

from .chromium import ABSENT, PHONE, Opened, chromium, opened
from .conftest import OPENING, STOCK, play_all

pytestmark = [pytest.mark.browser, pytest.mark.skipif(chromium() is None, reason=ABSENT)]

COUNTED = "[...document.querySelectorAll('#drawn figcaption')].map(each => each.innerText)"
TOUCH = {"viewport": PHONE, "has_touch": True, "is_mobile": True}


async def about_to_run(tables: GameService) -> tuple[int, Game, Route]:
    """A game of 1848 in which somebody's trains are to run, all seats Ann's; and the route of one train."""
    played = RandomGame(TITLES["1848"], 3, 7, None, None)
    for _ in played.moves():
        game = played.game
        if any(RunRoutes in step.verbs for step in game.open_steps()):
            routes = [route for route in best_set(game, game.company_in_turn).routes if route.stops]
            if routes:
                return await tables.transfer.import_game(build_game_record(game, played.texts), ANN), game, routes[0]
    raise AssertionError("nobody ran")


def unjoined(game: Game) -> tuple[str, str]:
    """Two spaces with stops that no track joins."""
    graph = route_problem(game, game.company_in_turn).graph
    spaces = dict.fromkeys(stop.hex for stop in graph.stops)
    for pair in permutations(spaces, 2):
        try:
            path_through(graph, pair)
        except IllegalMove:
            return pair
    raise AssertionError("all of them are joined")


async def tapped(it: Opened, train: str, *spaces: str) -> str:
    """Tap the stops of a train one after the other; returns what stands beside it."""
    await it.page.locator(f"[name=train][value='{train}']").check()
    for space in spaces:
        await it.page.locator(f"#at-{space}").tap()
    return await it.text(f"output[data-train='{train}']")


async def test_routes_of_ones_own_are_tapped_and_run(tables: GameService, board: BoardServer) -> None:
    number, game, route = await about_to_run(tables)
    company, stops = game.company_in_turn, [str(stop.hex) for stop in route.stops]
    async with opened(board.doors.play_address(await tables.links.make(number, ANN, "play")), **TOUCH) as it:
        await it.until("document.getElementById('own-routes')")
        version = await it.page.evaluate("document.getElementById('top').dataset.version")
        await it.page.locator("#own-routes").tap()
        await tapped(it, route.train, stops[0])
        await it.page.locator("#reckon").tap()
        await it.until("document.getElementById('refused').textContent.includes('A route needs two stops')")
        await it.page.locator("#clear").tap()
        wrong = unjoined(game)
        assert await tapped(it, route.train, *wrong) == " – ".join(wrong)
        await it.page.locator("#reckon").tap()
        await it.until("document.getElementById('refused').textContent.includes('No track connects')")
        assert await it.page.locator(".do").count() == 0
        await it.page.locator("#clear").tap()
        # Whatever is tapped a second time at once is taken back.
        assert await tapped(it, route.train, *stops, *wrong[:1], *wrong[:1]) == " – ".join(stops)
        await it.page.locator("#reckon").tap()
        await it.until("document.querySelector('.do') && document.getElementById('tried').childElementCount > 0")
        assert f"= {route.revenue}" in await it.text("#reckoned") and await it.text("#refused") == ""
        assert (await tables.desk.require_started(number))[0].record.version == int(version)
        await it.page.locator(".do").tap()
        await it.until(f"document.getElementById('top').dataset.version > {version}")
        last = (await tables.desk.require_started(number))[1].company(company).last_run
        assert last is not None and last.revenue == route.revenue
        refused = "Failed to load resource: the server responded with a status of 403 (Forbidden)"
        assert set(it.said) == {refused}


async def test_who_holds_what_stands_in_a_table_that_stays_open(
    tables: GameService, board: BoardServer, game_id: int
) -> None:
    await play_all(tables, game_id, [*OPENING, *STOCK[:4]])
    async with opened(board.doors.look_address(await tables.links.make(game_id, ANN))) as it:
        await it.until("document.title.includes('·')")
        assert not await it.page.locator("#sheet table").is_visible()
        await it.page.locator("#sheet summary").click()
        before = await cells(it)
        await play_all(tables, game_id, STOCK[4:5])
        await it.until(f"document.getElementById('number').innerText === '{10 + 1} / {10 + 1}'")
        after = await cells(it)
        assert await it.page.locator("#sheet table").is_visible()
        current = (await tables.desk.require_started(game_id))[1]
        names = [player.name for player in current.state.players]
        assert sorted(after[0][1:]) == sorted(names)
        for line in after[1:]:
            held = dict(zip(after[0][1:], line[1:], strict=True))
            for player in current.state.players:
                if line[0] == "Cash":
                    assert held[player.name] == f"£{current.state.cash[player.id]}"
                elif line[0] in current.state.companies:
                    percent = current.state.companies[line[0]].percent_held_by(player.id)
                    assert held[player.name].rstrip("*") == (f"{percent}%" if percent else "")
        assert before != after and it.said == []


async def cells(it: Opened) -> list[list[str]]:
    """The table as it is read."""
    lines = "[...document.querySelectorAll('#sheet tr')].map(line => [...line.cells].map(cell => cell.innerText))"
    return list(await it.page.evaluate(lines))


async def test_the_tiles_that_are_left_are_drawn_and_counted_anew(
    tables: GameService, board: BoardServer, game_id: int
) -> None:
    await play_all(tables, game_id, [*OPENING, *STOCK])
    async with opened(board.doors.look_address(await tables.links.make(game_id, ANN)), **TOUCH) as it:
        await it.until("document.title.includes('·')")
        await it.page.locator("#manifest summary").tap()
        tiles = TITLES["1848"].land.tiles.values()
        await it.until(
            f"document.querySelectorAll('#drawn figure').length === {sum(not one.is_hidden for one in tiles)}"
        )
        assert await it.page.locator("#drawn figure svg path").count() > 50
        assert not await it.page.locator("#manifest > p").first.is_visible()
        table, current = await tables.desk.require_started(game_id)
        laid = next(action for action in current.legal_actions() if isinstance(action, LayTile))
        before, tile = await left(it), str(laid.tile)
        person = table.seats[int(current.players_to_act()[0][1:]) - 1].person
        await tables.moves.submit(game_id, person, [laid])
        await it.until(f"{COUNTED}.includes('{tile} × {before[tile] - 1}')")
        assert await left(it) == {**before, tile: before[tile] - 1}
        # In the past as many as there were then.
        await it.page.locator("#timed").tap()
        await it.page.locator("#back").tap()
        await it.until(f"{COUNTED}.includes('{tile} × {before[tile]}')")
        assert it.said == []


async def left(it: Opened) -> dict[str, int]:
    """How many of each tile."""
    return {tile: int(many) for tile, many in re.findall(r"^(\S+) × (\d+)$", await it.text("#drawn"), re.M)}


async def test_notes_are_kept_for_their_writer_alone_and_go_with_him(
    tables: GameService, board: BoardServer, game_id: int
) -> None:
    async def address(person: str) -> str:
        return board.doors.play_address(await tables.links.make(game_id, person, "play"))

    secret = "P2 up to 90,\n<b>not</b> more"
    async with opened(await address(BOB)) as bob:
        await bob.until("document.getElementById('turn')")
        await bob.page.locator("#notes summary").click()
        await bob.page.locator("#notes textarea").fill(secret)
        await bob.until("document.getElementById('noting').textContent === 'Saved.'")
        # What is written last is sent when the page is left.
        await bob.page.locator("#notes textarea").press("End")
        await bob.page.locator("#notes textarea").type("!")
        await bob.page.locator("h1").click()
        await bob.page.reload()
        await bob.page.locator("#notes summary").click()
        await bob.until("document.querySelector('#notes textarea')?.value.length > 0")
        assert await bob.page.locator("#notes textarea").input_value() == f"{secret}!"
        ann = await bob.beside(await address(ANN))
        await ann.until("document.getElementById('turn')")
        await ann.page.locator("#notes summary").click()
        assert await ann.page.locator("#notes textarea").input_value() == ""
        await ann.page.locator("#notes textarea").fill("mine")
        await ann.until("document.getElementById('noting').textContent === 'Saved.'")
        looks = await bob.beside(board.doors.look_address(await tables.links.make(game_id, BOB)))
        await looks.until("document.title.includes('·')")
        assert await looks.page.locator("#notes textarea").count() == 0
        asked = "fetch('notes', {headers: {'X-Signalbox': '1'}}).then(answer => answer.status)"
        assert await looks.page.evaluate(asked) == 404
        for other in (ann, looks):
            assert "P2 up to" not in await other.page.content()
        await tables.privacy.forget_person(BOB)
        await bob.until("document.getElementById('status').textContent.includes('has no link to that game')")
        assert await tables.desk.store.links.notes(game_id, BOB) == ""
        assert await tables.links.notes(game_id, ANN) == "mine"


async def test_two_persons_in_one_browser_write_each_for_himself(
    tables: GameService, board: BoardServer, game_id: int
) -> None:
    async with opened(board.doors.play_address(await tables.links.make(game_id, BOB, "play"))) as it:
        await it.until("document.getElementById('turn')")
        await it.page.goto(board.doors.play_address(await tables.links.make(game_id, ANN, "play")))
        await it.until("document.getElementById('turn')?.innerText.includes('Ann')")
        await it.page.locator("#notes summary").click()
        for name in ("Ann", "Bob"):
            await it.page.get_by_label(f"Notes for yourself: {name}").fill(f"of {name}")
        await it.until("document.getElementById('noting').textContent === 'Saved.'")
        await it.page.reload()
        await it.page.locator("#notes summary").click()
        for name, person in (("Ann", ANN), ("Bob", BOB)):
            assert await it.page.get_by_label(f"Notes for yourself: {name}").input_value() == f"of {name}"
            assert await tables.links.notes(game_id, person) == f"of {name}"
        assert it.said == []
