"""What whoever looks is shown: whole without scripts, as it was, as it is, and nothing that a text could do."""

from __future__ import annotations

import asyncio
import hashlib
import re
from pathlib import Path

import pytest

from bot.ai.fuzzer import RandomGame
from bot.commands.web import views
from bot.commands.web.headers import HEADERS
from bot.commands.web.response_cache import STATIC
from bot.commands.web.server import BoardServer
from bot.engine.games.game_record import GameRecordFile, build_game_record
from bot.service.game_service import GameService
from bot.service.sessions.budgets import PRESETS
from bot.store import LobbyScope
from bot.titles.registry import TITLES
from tests.service.conftest import ANN, BOB, CID, Clock

from .conftest import OPENING, STOCK, Browser, play_all


async def test_a_page_is_read_without_scripts(browser: Browser, look: str) -> None:
    status, text = await browser.get(look)
    assert status == 200
    for piece in ('id="map"', 'id="market"', "Bob: buy a private or lower a price.", "Ann buys P1", "Whole map"):
        assert piece in text, piece
    assert text.count('role="button"') == len(TITLES["1848"].land.map.hexes)
    assert "style=" not in text and "onclick" not in text


async def test_everybodys_time_stands_in_the_header(
    browser: Browser, look: str, tables: GameService, game_id: int, clock: Clock
) -> None:
    """The running budget with the moment at which it is used up, so that the page counts by itself."""
    assert 'id="times"' not in (await browser.get(look))[1]
    await tables.moderation.set_clock(game_id, ANN, PRESETS["evening"])
    clock.advance(seconds=90)
    _, text = await browser.get(look)
    out = clock().timestamp() - 90 + 3600
    assert re.search(rf'Bob <b data-out="{out}" data-rest="0.0" data-fine="10">59 min</b>', text), text
    assert re.search(r"Cid <b>1 h</b>", text)
    clock.advance(hours=2)
    assert re.search(r'"time low runs">Bob <b [^>]*>−1 h 2 min \(−620\)</b>', (await browser.get(look))[1])
    assert 'id="times"' not in (await browser.get(f"{look}?at=0"))[1]


async def test_it_speaks_the_language_of_the_browser_unless_the_game_has_one(
    browser: Browser, look: str, tables: GameService, game_id: int
) -> None:
    _, text = await browser.get(look, **{"Accept-Language": "de-AT,de;q=0.9"})
    assert '<html lang="de">' in text and "Spieler" in text and "Players" not in text
    await tables.languages.set_game_language(game_id, ANN, "en")
    _, text = await browser.get(look, **{"Accept-Language": "de"})
    assert '<html lang="en">' in text


async def test_any_past_position_with_its_rounds(
    browser: Browser, look: str, tables: GameService, game_id: int
) -> None:
    for person, text in ((BOB, "buy P2"), ("discord:3", "buy P3"), (ANN, "buy P4"), (BOB, "buy P5")):
        await tables.moves.submit(game_id, person, text)
    await tables.moves.submit(game_id, "discord:3", "buy P6")
    _, past = await browser.get(f"{look}?at=1")
    assert 'data-past="yes"' in past and "Then:" in past and "Bob: buy a private" in past
    assert "buys P2" not in past and ">SR 1</a>" in past
    assert '<a href="?at=0" aria-current="true">The auction</a>' in past
    _, now = await browser.get(look)
    assert 'data-past=""' in now and "buys P6" in now and "6 / 6" in now
    assert (await browser.get(f"{look}?at=7"))[0] == 404 and (await browser.get(f"{look}?at=x"))[0] == 404


@pytest.mark.parametrize("title", ("18BF", "1820"))
async def test_a_game_that_begins_with_a_stock_round_has_a_jump_to_it(
    browser: Browser, board: BoardServer, tables: GameService, title: str
) -> None:
    game = await tables.transfer.import_game(GameRecordFile(title, ("Ann", "Bob", "Cid", "Dan"), ()), ANN)
    _, text = await browser.get(board.doors.look_address(await tables.links.make(game, ANN)))
    assert '<a href="?at=0" aria-current="true">SR 1</a>' in text


async def test_votes_that_wait_stand_below_the_question(
    browser: Browser, look: str, tables: GameService, game_id: int
) -> None:
    async def is_shown() -> list[bool]:
        return ["asks to end the game now" in (await browser.get(path))[1] for path in (look, f"{look}board")]

    assert await is_shown() == [False, False]
    poll = await tables.votes.start_poll(game_id, BOB, "end")
    assert await is_shown() == [True, True]
    await tables.votes.answer_poll(poll.record.id, ANN, False)
    assert await is_shown() == [False, False]


async def test_texts_of_players_are_text(browser: Browser, look: str, tables: GameService, game_id: int) -> None:
    reason = "<img src=x onerror=alert(1)>\"'{{ 7*7 }}</script>"
    await tables.moderation.correct(game_id, ANN, "cash Ann 1", reason)
    for path in (look, f"{look}board", f"{look}log"):
        _, text = await browser.get(path)
        assert "&lt;img src=x" in text and "<img" not in text and "49" not in text.split("7*7")[0][-9:]


async def test_fifty_who_ask_for_the_same_board_have_it_drawn_once(
    browser: Browser, look: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = []
    page_of = views.page_of
    monkeypatch.setattr(views, "page_of", lambda *told: drawn.append(1) or page_of(*told))
    found = await asyncio.gather(*(browser.get(f"{look}board") for _ in range(50)))
    assert len(drawn) == 1 and {status for status, _ in found} == {200}


async def test_a_lobby_has_a_page_for_those_who_are_in_it(
    browser: Browser, tables: GameService, board: BoardServer, game_id: int
) -> None:
    lobby = await tables.lobby.create("1848", ANN, [(BOB, "Bob")], {})
    look = board.doors.look_address(await tables.links.make(lobby, ANN))
    status, seen = await browser.get(look)
    assert status == 200 and "<li>Bob</li>" in seen and "<form" not in seen, "who looks can do nothing"
    assert (await browser.get(f"{look}log"))[0] == 403, "there is no log yet"
    await browser.enter(board.doors.play_address(await tables.links.make(lobby, BOB, "play")))
    own = (await browser.get(f"/g/{lobby}/"))[1]
    assert 'data-name="game leave"' in own and 'data-name="game start"' not in own
    assert (await browser.post(f"/g/{lobby}/command", {"line": "start", "version": 0}))[0] == 403
    opener = Browser(board)
    await opener.enter(board.doors.play_address(await tables.links.make(lobby, ANN, "play")))
    opened = (await opener.get(f"/g/{lobby}/"))[1]
    for name in ("join", "computer", "invite", "option", "start"):
        assert f'data-name="game {name}"' in opened, name
    assert 'data-name="game leave"' not in opened, "Ann has no seat"
    for line in ("join Ann", "computer learner", "option rules=18xx.games", "start list"):
        status, told = await opener.post(f"/g/{lobby}/command", {"line": line, "version": 0})
        assert status == 200, told
    assert 'id="history"' in (await opener.get(f"/g/{lobby}/"))[1]
    await opener.session.close()
    assert (await browser.post(f"/g/{lobby}/command", {"line": "leave", "version": 0}))[0] != 500


async def test_open_tables_are_listed_for_anybody_without_names(
    browser: Browser, tables: GameService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "TABLES_SECONDS", 1e-9)
    assert "No table is open" in (await browser.get("/tables"))[1]
    lobby = await tables.lobby.create("1848", ANN, [(ANN, "Ann-Sophie")], {})
    closed = await tables.lobby.create("1889", ANN, [(ANN, "Ann-Sophie")], {})
    await tables.open_tables.open(lobby, ANN, LobbyScope.EVERYBODY, note="<b>Rude</b>")
    status, listed = await browser.get("/tables")
    assert status == 200 and f"{lobby}: 1848" in listed and f"{closed}: 1889" not in listed
    assert "Ann-Sophie" not in listed and "Rude" not in listed and "follow" not in listed
    watched = await tables.lobby.create("1889", ANN, [(ANN, "Ann-Sophie"), (BOB, "Bob")], {})
    await tables.lobby.choose_watching(watched, ANN, True)
    assert f"{watched}: 1889" not in (await browser.get("/tables"))[1]
    await tables.lobby.start(watched, ANN)
    listed = (await browser.get("/tables"))[1]
    assert f"{watched}: 1889 Shikoku, 2 players, 0 log entries" in listed and "Ann-Sophie" not in listed


async def test_a_browser_joins_by_an_invitation_and_lists_its_games(
    browser: Browser, tables: GameService, board: BoardServer, game_id: int
) -> None:
    assert "board mine" in (await browser.get("/"))[1] and (await browser.get("/command?line=games"))[0] == 403
    lobby = await tables.lobby.create("1848", ANN, [(ANN, "Ann")], {})
    code = await tables.lobby.invite(lobby, ANN)
    await browser.enter(board.doors.play_address(await tables.links.make(game_id, BOB, "play")))
    fields = {"name": "game join", "value-game": str(lobby), "value-name": "Bob", "version": 0}
    assert (await browser.post("/command", {**fields, "value-invitation": "x" * 22}))[0] == 403
    status, told = await browser.post("/command", {**fields, "value-invitation": code})
    assert status == 200 and f'href="/g/{lobby}/"' in told and "enter#" not in told
    assert "<strong>(you)</strong>" in (await browser.get(f"/g/{lobby}/"))[1]
    elsewhere = await tables.lobby.create("1848", CID, [(CID, "Cid"), (BOB, "Bob")], {})
    listed = (await browser.get("/"))[1]
    assert f'href="/g/{game_id}/"' in listed and listed.index("Your turn") < listed.index(f"/g/{lobby}/")
    assert f"#{elsewhere}" in listed and f"/g/{elsewhere}/" not in listed, "a link to it is asked for elsewhere"
    own = await tables.lobby.create("1848", BOB, [(BOB, "Bob")], {})
    for at in ("/command", f"/g/{game_id}/command"):
        for command in ("leave", "invite", "computer", "start", "options"):
            fields = {"name": f"game {command}", "value-game": str(own), "version": 1}
            assert (await browser.post(at, fields))[0] == 403, "a link opens no other game of its player"
    assert len((await tables.desk.table(own)).seats) == 1 and (await tables.desk.table(game_id)).seats[1].person == BOB
    await tables.lobby.leave(lobby, BOB)
    assert (await browser.get(f"/g/{lobby}/"))[0] == 403, "who has left has no link any more"


async def test_looking_changes_nothing(
    browser: Browser, look: str, tables: GameService, board: BoardServer, game_id: int, tmp_path: Path
) -> None:
    def kept() -> bytes:
        return b"".join((tmp_path / f"signalbox.db{part}").read_bytes() for part in ("", "-wal"))

    mine = board.doors.play_address(await tables.links.make(game_id, BOB, "play"))
    assert (await browser.enter(mine))[0] == 200
    before = kept()
    for path in (look, f"{look}board?at=0", f"{look}log", "/", "/enter", f"/g/{game_id}/", f"/g/{game_id}/board"):
        assert (await browser.get(path))[0] == 200, path
    assert kept() == before


async def test_every_answer_has_the_strict_policy(browser: Browser, look: str) -> None:
    for path in (look, "/", "/enter", "/nothing", f"{look}?at=99"):
        answer = await browser.ask("GET", path)
        assert {name: answer.headers[name] for name in HEADERS} == HEADERS, path
        assert "unsafe" not in answer.headers["Content-Security-Policy"]


async def test_files_of_the_page_are_kept_by_browsers_and_nothing_else_is_served(browser: Browser, look: str) -> None:
    _, text = await browser.get(look)
    address = next(part for part in text.split('"') if part.endswith("/main.js"))
    answer = await browser.ask("GET", address)
    assert answer.status == 200 and "immutable" in answer.headers["Cache-Control"]
    for path in ("/static/x/..%2Fserver.py", "/static/x/board.html", "/static/x/nothing.js"):
        assert (await browser.get(path))[0] == 404, path


async def test_best_routes_tiles_and_who_holds_what(
    browser: Browser, look: str, tables: GameService, game_id: int
) -> None:
    await play_all(tables, game_id, [*OPENING, *STOCK])
    status, text = await browser.get(f"{look}routes/VR?at=15")
    assert status == 200 and "VR owns no train." in text and "data-lines" in text
    assert (await browser.get(f"{look}routes/XX"))[0] == 403 and (await browser.get(f"{look}last/XX"))[0] == 403
    assert "VR has not run yet." in (await browser.get(f"{look}last/VR"))[1]
    _, tiles = await browser.get(f"{look}tiles")
    assert tiles.count("<figure") == sum(not tile.is_hidden for tile in TITLES["1848"].land.tiles.values())
    _, page = await browser.get(look)
    sheet = page.split('id="sheet"')[1].split("</table>")[0]
    assert re.findall(r"<th scope=\"row\">(\w+)</th><td>([^<]*)</td><td>([^<]*)</td>", sheet)[0] == (
        "CAR",
        "10%",
        "10%",
    )


async def test_last_routes_are_those_that_were_run_then(
    browser: Browser, board: BoardServer, tables: GameService
) -> None:
    played, ran = RandomGame(TITLES["1848"], 3, 7, None, None), {}
    for _ in played.moves():
        for company in played.game.state.companies.values():
            if company.last_run and company.last_run.revenue:
                ran.setdefault(company.id, []).append((len(played.texts), company.last_run))
        if any(len({str(last) for _, last in runs}) > 2 for runs in ran.values()):
            break
    game = await tables.transfer.import_game(build_game_record(played.game, played.texts), ANN)
    address = board.doors.look_address(await tables.links.make(game, ANN))
    for company, runs in ran.items():
        for at, last in (runs[0], runs[-1]):
            status, text = await browser.get(f"{address}last/{company}?at={at}")
            assert status == 200 and f"£{last.revenue} (OR {last.round})" in text, (company, at)
            earned = [int(number) for number in re.findall(r"</svg> [^<]* = (\d+)</p>", text)]
            assert sum(earned) == last.revenue and "<path" in text.split("data-lines>")[1], (company, at)
            reached = text.split('data-reach="')[1].split('"')[0].split()
            position = await tables.queries.position_at(game, at)
            assert set(position.board_rules.reached_hexes(position, company)) <= set(reached)


PUBLISHED = {
    "morphdom.js": "1bea1e3733860f75e851bf53e2cd97af8bd24d88e70f15cc643f4a737cd2fe2a",
    "panzoom.js": "3ce354ef7b493efb62a4d4acaaf86fa2d6027eb629857a4e144041de1a112c1e",
}
"""Sums of the libraries as they are published: morphdom 2.7.8 (`dist/morphdom-umd.min.js`), @panzoom/panzoom 4.6.2
(`dist/panzoom.min.js`)."""


def test_the_libraries_are_those_that_were_published() -> None:
    for name, digest in PUBLISHED.items():
        assert hashlib.sha256((STATIC / name).read_bytes()).hexdigest() == digest, name
        assert (STATIC / f"LICENSE-{name.removesuffix('.js')}.txt").is_file()
