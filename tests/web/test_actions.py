"""Moves on the page: offered to whom they belong, shown before, made once, refused with a sentence."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator

import pytest

from bot.ai.fuzzer import RandomGame
from bot.commands.web.auth import mark_of
from bot.commands.web.board_svg import hex_svg
from bot.commands.web.choices import options_on
from bot.commands.web.display_options import DisplayOptions
from bot.commands.web.server import BoardServer
from bot.commands.web.tapped_route import path_through
from bot.engine.ids import CompanyId, HexId, Owner
from bot.engine.notation.text import format_action
from bot.engine.play.steps.routes import best_set, route_problem
from bot.engine.refusals import IllegalMove
from bot.engine.routes.revenue.paths import read_routes
from bot.engine.state.actions import LayTile, PlaceToken, RunRoutes
from bot.render.shapes.hex_view import view_of
from bot.service.game_service import GameService
from bot.service.parser import menus
from bot.service.parser.suggestions import each_once
from bot.titles.registry import TITLES
from tests.service.conftest import ANN, BOB, CID, EVE

from .conftest import OPENING, STOCK, Browser, play_all

CHOICES = re.compile(r'data-(?:try|kind)="([^"]+)"')


@pytest.fixture
async def bob(browser: Browser, tables: GameService, board: BoardServer, game_id: int) -> Browser:
    """Bob's browser."""
    address = board.doors.play_address(await tables.links.make(game_id, BOB, "play"))
    assert (await browser.enter(address))[0] == 200
    return browser


@pytest.fixture
async def watcher(board: BoardServer) -> AsyncIterator[Browser]:
    found = Browser(board)
    yield found
    await found.session.close()


async def test_who_is_asked_is_offered_his_moves_and_makes_one(bob: Browser, tables: GameService, game_id: int) -> None:
    _, text = await bob.get(f"/g/{game_id}/turn")
    assert 'data-asked="yes"' in text and "You play: Bob" in text and "@2 buy P2 for 70" in CHOICES.findall(text)
    _, shown = await bob.get(f"/g/{game_id}/try?version=1&move=buy+P2")
    assert "Bob buys P2" in shown and 'data-do="@2 buy P2 for 70"' in shown
    assert (await tables.desk.require_started(game_id))[0].record.version == 1
    status, done = await bob.post(f"/g/{game_id}/move", {"version": 1, "move": "@2 buy P2 for 70"})
    assert status == 200 and json.loads(done)["version"] == 2 and "Bob buys P2" in done
    status, again = await bob.post(f"/g/{game_id}/move", {"version": 1, "move": "@2 buy P2 for 70"})
    assert status == 409 and "moved on" in again
    assert (await bob.post(f"/g/{game_id}/undo", {"version": 2}))[0] == 200
    assert (await tables.desk.require_started(game_id))[1].players_to_act() == ("@2",)


async def test_whose_mails_come_back_reads_of_it(bob: Browser, tables: GameService, game_id: int) -> None:
    person = await tables.mail.person(BOB)
    assert "bounces" not in (await bob.get(f"/g/{game_id}/turn"))[1]
    person.returned_at = 1.0
    await tables.desk.store.people.save(person)
    assert "Mail to you bounces" in (await bob.get(f"/g/{game_id}/turn"))[1]


async def test_nobody_moves_for_others(
    bob: Browser, tables: GameService, game_id: int, watcher: Browser, look: str
) -> None:
    for move in ("@1 buy P2 for 70", "@3 buy P2 for 70"):
        status, text = await bob.post(f"/g/{game_id}/move", {"version": 1, "move": move})
        assert status in (403, 422) and text, move
    for path in (f"/g/{game_id}/move", f"{look}move"):
        assert (await watcher.post(path, {"version": 1, "move": "@2 buy P2 for 70"}))[0] in (403, 404)
    assert (await watcher.get(f"/g/{game_id}/turn"))[0] == 403
    await tables.moves.submit(game_id, BOB, "buy P2")
    _, text = await bob.get(f"/g/{game_id}/turn")
    assert 'data-asked=""' in text and not CHOICES.findall(text)
    assert (await bob.get(f"/g/{game_id}/try?version=2&move=buy+P3"))[0] == 422
    assert (await tables.desk.require_started(game_id))[0].record.version == 2


async def test_one_browser_moves_for_all_seats_that_it_holds(
    bob: Browser, tables: GameService, board: BoardServer, game_id: int
) -> None:
    mailed = await tables.links.mail_link_token(game_id, CID, "link-{}".format)
    assert (await bob.enter(board.doors.play_address(mailed)))[0] == 200
    assert "You play: Bob, Cid" in (await bob.get(f"/g/{game_id}/turn"))[1]
    for version, move in ((1, "@2 buy P2 for 70"), (2, "@3 buy P3 for 110")):
        assert (await bob.post(f"/g/{game_id}/move", {"version": version, "move": move}))[0] == 200
    records = await tables.queries.moves_after(game_id, 1)
    assert [record.person for record in records] == [BOB, CID]


async def test_what_cannot_be_read_is_refused(bob: Browser, game_id: int) -> None:
    for path in (
        "menu?version=1&kind=Nothing",
        "menu?version=1&kind=Bid&path=x",
        "try?version=9&move=pass",
        "try?move=pass",
    ):
        assert (await bob.get(f"/g/{game_id}/{path}"))[0] in (404, 409), path
    assert (await bob.get(f"/g/{game_id}/try?version=1&move=fly"))[0] == 422
    assert (await bob.get(f"/g/{game_id}/space/Z99?version=1"))[0] == 404
    assert (await bob.post(f"/g/{game_id}/move", {"move": "pass"}))[0] == 400
    assert (await bob.post(f"/g/{game_id}/move", {"version": 1, "move": "x" * 5000}))[0] == 422


async def test_a_sitter_plays_until_his_days_are_over(
    browser: Browser, tables: GameService, board: BoardServer, game_id: int
) -> None:
    await tables.moderation.set_sitter(game_id, ANN, 2, EVE, "Eve", 3)
    assert (await browser.enter(board.doors.play_address(await tables.links.make(game_id, EVE, "play"))))[0] == 200
    assert (await browser.post(f"/g/{game_id}/move", {"version": 2, "move": "@2 buy P2 for 70"}))[0] == 200
    await tables.moderation.set_sitter(game_id, ANN, 2, "", "", 0)
    assert (await browser.post(f"/g/{game_id}/undo", {"version": 4}))[0] == 403


async def test_each_space_offers_what_is_legal_there_and_shows_what_will_be(
    bob: Browser, tables: GameService, game_id: int, watcher: Browser, look: str, board: BoardServer
) -> None:
    await play_all(tables, game_id, [*OPENING, *STOCK])
    table, current = await tables.desk.require_started(game_id)
    seats = list(current.players_to_act())
    legal = [one for one in menus.legal_for(current, seats) if isinstance(one, LayTile | PlaceToken)]
    for hex_id in current.board_rules.map.hexes:
        offered = [offer.text for offer in options_on(current.copy(), seats, hex_id, DisplayOptions())]
        assert offered == [format_action(one) for one in each_once(current, legal) if one.hex == hex_id], hex_id
    chosen, version = legal[0], table.record.version
    person = table.seats[int(seats[0][1:]) - 1].person
    await bob.enter(board.doors.play_address(await tables.links.make(game_id, person, "play")))
    _, shown = await bob.get(f"/g/{game_id}/space/{chosen.hex}?version={version}")
    assert f'data-offer="{format_action(chosen)}"' in shown and f'data-do="{format_action(chosen)}"' in shown
    assert (await bob.post(f"/g/{game_id}/move", {"version": version, "move": format_action(chosen)}))[0] == 200
    after = (await tables.desk.require_started(game_id))[1]
    assert hex_svg(view_of(after), HexId(chosen.hex)) in shown
    await tables.moves.undo(game_id, person)
    _, copied = await watcher.get(f"{look}space/{chosen.hex}?version={version + 2}")
    assert "data-offer=" in copied and "data-copy=" in copied and "data-do=" not in copied


@pytest.mark.parametrize("title", ("1848", "18GB"))
def test_routes_are_tapped_stop_by_stop(title: str) -> None:
    played, seen = RandomGame(TITLES[title], 3, 7, None, None), 0
    for _ in played.moves():
        game = played.game
        if not game.state.finished and any(RunRoutes in step.verbs for step in game.open_steps()):
            problem = route_problem(game, game.company_in_turn)
            for route in best_set(game, game.company_in_turn).routes:
                if not route.stops:
                    continue
                path = path_through(problem.graph, [stop.hex for stop in route.stops])
                (read,) = read_routes(problem, [(route.train, path)])
                assert [stop.hex for stop in read.stops] == [stop.hex for stop in route.stops]
                seen += 1
        if seen > 4:
            return
    raise AssertionError("nobody ran")


async def test_tapped_routes_are_tried_and_what_is_none_is_refused(
    bob: Browser, tables: GameService, game_id: int
) -> None:
    assert (await bob.get(f"/g/{game_id}/tapped?version=1&train=2-0:H11,G10"))[0] == 409
    graph = route_problem((await tables.desk.require_started(game_id))[1], CompanyId(Owner("VR"))).graph
    with pytest.raises(IllegalMove, match="two stops"):
        path_through(graph, [HexId("G10")])


async def test_notes_are_for_the_eyes_of_their_writer(
    bob: Browser, tables: GameService, board: BoardServer, game_id: int, watcher: Browser
) -> None:
    assert (await bob.post(f"/g/{game_id}/notes", {"version": 1, "text": "P2 <b>or</b> P3"}))[0] == 200
    assert "P2 &lt;b&gt;or&lt;/b&gt; P3</textarea>" in (await bob.get(f"/g/{game_id}/notes"))[1]
    assert (await watcher.get(f"/g/{game_id}/notes"))[0] == 403
    await watcher.enter(board.doors.play_address(await tables.links.make(game_id, ANN, "play")))
    assert ">\n</textarea>" in (await watcher.get(f"/g/{game_id}/notes"))[1]
    assert (await bob.post(f"/g/{game_id}/notes", {"version": 1, "text": "x" * 20_001}))[0] == 403


async def test_of_several_persons_in_one_browser_each_has_his_notes(
    bob: Browser, tables: GameService, board: BoardServer, game_id: int
) -> None:
    await bob.enter(board.doors.play_address(await tables.links.make(game_id, ANN, "play")))
    for person, text in ((BOB, "\nsell VR"), (ANN, "buy NSW")):
        assert (await bob.post(f"/g/{game_id}/notes", {"version": 1, "of": mark_of(person), "text": text}))[0] == 200
    assert [await tables.links.notes(game_id, person) for person in (ANN, BOB)] == ["buy NSW", "\nsell VR"]
    _, shown = await bob.get(f"/g/{game_id}/notes")
    assert sorted(re.findall(r'>(\w+)\n<textarea.*data-of="(\w+)".*: \w+">\n([^<]*)</textarea>', shown)) == [
        ("Ann", mark_of(ANN), "buy NSW"),
        ("Bob", mark_of(BOB), "\nsell VR"),
    ]
    # Nobody's are taken for another's, nor for anybody's whom the browser does not play.
    for of in ("", mark_of(CID), "x"):
        assert (await bob.post(f"/g/{game_id}/notes", {"version": 1, "of": of, "text": "mine"}))[0] == 403
    assert await tables.links.notes(game_id, CID) == ""


async def test_the_page_shows_the_task_of_a_lesson(browser: Browser, tables: GameService, board: BoardServer) -> None:
    game = await tables.lessons.create(tables.lobby, ANN, "Ann")
    await tables.lobby.start(game, ANN, "list")
    await browser.enter(board.doors.play_address(await tables.links.make(game, ANN, "play")))
    assert "Lesson, 1 of 23:" in (await browser.get(f"/g/{game}/turn"))[1]
    status, refused = await browser.post(f"/g/{game}/move", {"version": 0, "move": "par KO 100"})
    assert status == 422 and "five shares cost more than your ¥380" in refused
    assert (await browser.post(f"/g/{game}/move", {"version": 0, "move": "par KO 75"}))[0] == 200
    await tables.computers.wait_idle(game)
    assert "Lesson, 2 of 23:" in (await browser.get(f"/g/{game}/turn"))[1]
