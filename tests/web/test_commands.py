"""Commands on the board page: each once; answers with pictures, files and buttons; what a link may not do."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from urllib.parse import quote, urlencode

import pytest

from bot.commands.web.server import BoardServer
from bot.engine import GameId
from bot.service.game_service import GameService
from bot.service.imports.file_io import encode_game_file
from bot.service.registry.command import Door
from bot.service.registry.commands import COMMANDS
from tests.service.conftest import BOB
from tests.web.conftest import OWN, Browser

IN_LOBBY = {
    "game new": "new 1848",
    "game join": "join Bea",
    "game leave": "leave",
    "game invite": "invite",
    "game options": "options",
    "game option": "option rules=rulebook",
    "game computer": "computer steady",
    "game start": "start",
}
LINES = {
    **IN_LOBBY,
    "move": "buy P2",
    "undo": "undo",
    "redo": "redo",
    "help": "help lay",
    "try": "try buy P3",
    "whatif move": "whatif buy P3",
    "whatif show": "whatif show",
    "whatif back": "whatif back",
    "whatif drop": "whatif drop",
    "whatif plan": "whatif plan",
    "whatif make": "whatif make",
    "status": "status",
    "map": "map G10",
    "market": "market",
    "routes": "routes VR",
    "company": "company VR",
    "player": "player Bob",
    "trains": "trains",
    "tiles": "tiles green",
    "board words": "board words",
    "log": "log all",
    "chart": "chart prices",
    "timelapse": "timelapse",
    "report": "report",
    "review": "review",
    "results": "results",
    "games": "games",
    "why": "why",
    "advice": "advice",
    "plan": "plan bid P4 up to 200",
    "auto list": "auto list",
    "auto drop": "auto drop 1",
    "vote undo": "vote undo",
    "vote end": "vote end",
    "vote computer": "vote computer 1",
    "vote replace": "vote replace 3 Ann",
    "vote skip": "vote skip 3",
    "vote fine": "vote fine 3 50",
    "vote clock": "vote clock weekly",
    "game clock": "clock daily answer=20m",
    "vote list": "votes",
    "vote yes": "vote yes",
    "vote no": "vote no",
    "say": "say See you <b>tomorrow</b>",
    "talk": "talk",
    "moderate rewind": "rewind 1",
    "moderate act": "moderate act buy P2",
    "moderate status": "moderate pause",
    "moderate rules": "moderate rules",
    "moderate cash": "moderate cash Ann 150 counted wrong",
    "moderate token": "moderate token put VR G10 forgotten",
    "moderate pace": "moderate pace fast",
    "moderate replace": "moderate replace 3 Ann",
    "moderate sitter": "moderate sitter 3 Ann 7",
    "moderate handover": "moderate handover Bob",
    "game sitter": "game sitter ann 7",
    "clock away": "away 7",
    "clock quiet": "quiet Europe/Berlin 22 8",
    "mail send": "mail send digest",
    "language mine": "language en",
    "language game": "language game de",
    "export": "export 18xx",
    "game import": "import game.json",
    "game clone": "clone",
    "board link": "board link",
    "clock snooze": "snooze 24",
    "clock mute": "mute",
    "game quiet": "game quiet Europe/Berlin 22 8",
    "clock times": "times",
    "clock budget": "clock",
    "lesson": "lesson",
    "record": "record",
    "privacy record": "privacy record tables",
    "game rating": "game rating no",
    "game open": "game open everybody",
    "puzzle": "puzzle 1889 3",
    "rematch": "rematch",
    "season leave": "season leave 2",
    "season list": "seasons",
    "season show": "season 2",
    "follow game": "follow game 2",
    "follow person": "follow person Cid",
    "follow season": "follow season 2",
    "follow list": "follow",
    "follow stop": "follow stop 1",
    "privacy followers": "privacy followers tables",
    "game watch": "game watch on",
    "tables watch": "tables watch",
    "substitute brief": "substitute brief",
    "substitute list": "substitute list",
    "substitute on": "substitute on 1848 1830",
    "substitute take": "substitute take 12 2 Zoe",
    "tables block": "tables block Zoe",
    "tables list": "tables 1848",
    "tables tell": "tables tell 1848",
    "vote moderator": "vote moderator 2",
    "board calendar": "board kalender",
    "ledger": "hauptbuch",
    "board links": "board links",
    "board withdraw": "board withdraw",
}
"""A line for each command; the last ends the links."""


@pytest.fixture
async def there(tables: GameService, board: BoardServer, browser: Browser, game_id: GameId) -> str:
    """The address of the game, in a browser that holds Bob's play link."""
    await browser.enter(board.doors.play_address(await tables.links.make(game_id, BOB, "play")))
    return f"/g/{game_id}"


async def version(tables: GameService, game_id: GameId) -> int:
    return (await tables.desk.table(game_id)).record.version


async def test_every_command_of_the_page_is_answered(
    there: str, browser: Browser, tables: GameService, game_id: GameId
) -> None:
    assert set(LINES) == {one.name for one in COMMANDS.values() if one.is_at(Door.PAGE) and not one.form_of}
    answers = {}
    for name, line in LINES.items():
        # The first opens the lobby.
        at = "/g/2" if name in IN_LOBBY and name != "game new" else there
        if COMMANDS[name].changes:
            status, asked = await browser.get(f"{at}/command?{urlencode({'line': line})}")
            assert status in (200, 403) and (status == 403 or "data-line" in asked), name
            data = {"line": line, "version": await version(tables, game_id)}
            answers[name] = await browser.post(f"{at}/command", data)
        else:
            answers[name] = await browser.get(f"{at}/command?{urlencode({'line': line})}", **OWN)
    codes = {name: status for name, (status, _) in answers.items()}
    assert {status for status in codes.values()} <= {200, 403, 422}, codes
    assert all(text.strip() for _, text in answers.values())
    assert codes["move"] == codes["undo"] == codes["redo"] == codes["plan"] == codes["board withdraw"] == 200
    assert codes["game start"] == 403, "too few players"
    for name in ("games", *IN_LOBBY, "game sitter", "clock away", "language mine"):
        assert codes[name] == 200 or name == "game start", answers[name]
    assert codes["moderate cash"] == codes["moderate handover"] == 403, "Ann moderates"
    assert "Bob: See you &lt;b&gt;tomorrow&lt;/b&gt;" in answers["talk"][1]


async def test_a_form_is_filled_in_by_names(there: str, browser: Browser) -> None:
    status, listed = await browser.get(f"{there}/commands", **OWN)
    assert status == 200 and 'data-form="auto buy"' in listed and 'data-form="privacy export"' not in listed
    status, form = await browser.get(f"{there}/commands/{quote('auto buy')}", **OWN)
    assert status == 200 and '<option value="VR">' in await whole(browser, f"{there}/commands/routes")
    assert 'type="number" min="1" max="100"' in form and 'data-changes="yes"' in form
    fields = {"name": "auto buy", "value-company": "VR", "value-to": "60", "version": 1}
    status, told = await browser.post(f"{there}/command", fields)
    assert status == 200 and "1. Buy VR until you hold 60%." in told
    status, told = await browser.post(f"{there}/command", {**fields, "value-to": "many"})
    assert status == 403 and "to is a number from 1 to 100." in told
    status, _ = await browser.get(f"{there}/commands/{quote('privacy erase')}", **OWN)
    assert status == 404


async def whole(browser: Browser, path: str) -> str:
    """The text of a page."""
    return (await browser.get(path, **OWN))[1]


async def test_pictures_and_files_come_from_the_same_address(there: str, browser: Browser) -> None:
    told = await whole(browser, f"{there}/command?line=player+Bob")
    assert '<img src="command?line=player+Bob&amp;picture=0"' in told
    picture = await browser.ask("GET", f"{there}/command?line=player+Bob&picture=0")
    assert picture.content_type == "image/png" and (await picture.read())[:4] == b"\x89PNG"
    file = await browser.ask("GET", f"{there}/command?line=export&file=0")
    assert "attachment" in file.headers["Content-Disposition"] and json.loads(await file.read())["title"] == "1848"
    assert (await browser.get(f"{there}/command?line=export&file=7"))[0] == 404


async def test_a_change_needs_the_page_and_the_position_seen(
    there: str, browser: Browser, tables: GameService, game_id: GameId
) -> None:
    assert (await browser.post(f"{there}/command", {"line": "buy P2", "version": 0}))[0] == 409
    assert (await browser.post(f"{there}/command", {"line": "buy P2"}))[0] == 400
    assert (await browser.post(f"{there}/command", {"line": "buy P2", "version": 1}, {}))[0] == 403
    assert "data-line" in await whole(browser, f"{there}/command?line=buy+P2")
    assert await version(tables, game_id) == 1
    status, told = await browser.post(f"{there}/command", {"line": "forget me", "version": 1})
    assert status == 422 and await tables.links.notes(game_id, BOB) == "", told


async def test_an_undo_that_is_refused_offers_to_ask(
    there: str, browser: Browser, tables: GameService, game_id: GameId
) -> None:
    await tables.moves.submit(game_id, BOB, "buy P2")
    await tables.moves.submit(game_id, (await tables.desk.table(game_id)).seats[2].person, "buy P3")
    status, told = await browser.post(f"{there}/command", {"line": "undo", "version": 3})
    assert status == 200 and 'data-line="vote undo 1"' in told


async def test_a_game_is_imported_from_a_file(
    there: str, browser: Browser, tables: GameService, game_id: GameId
) -> None:
    content = encode_game_file(await tables.queries.game_file(game_id))
    path = f"{there}/command?{urlencode({'name': 'game import', 'value-file': 'game.json', 'version': 1})}"
    headers = {**OWN, "Origin": browser.board.address.origin, "Content-Type": "application/octet-stream"}
    answer = await browser.ask("POST", path, data=content, headers=headers)
    told = await answer.text()
    assert answer.status == 200 and "continues after 1 move." in told and 'href="/g/2/"' in told
    assert (await browser.get("/g/2/"))[0] == 200, "the browser holds the link to it"
    answer = await browser.ask("POST", path, data=b"x" * (4 * 2**20 + 1), headers=headers)
    assert answer.status == 413
    assert "data-pasted" in (await browser.get(f"{there}/commands/{quote('game import')}", **OWN))[1]


async def test_a_file_that_never_ends_is_not_waited_for(
    there: str, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.commands.web.page_commands.FILE_SECONDS", 0.05)

    async def endless() -> AsyncIterator[bytes]:
        yield b"{"
        await asyncio.sleep(60)

    path = f"{there}/command?{urlencode({'name': 'game import', 'value-file': 'game.json', 'version': 1})}"
    headers = {**OWN, "Origin": browser.board.address.origin, "Content-Type": "application/octet-stream"}
    async with asyncio.timeout(20):
        assert (await browser.ask("POST", path, data=endless(), headers=headers)).status == 408


async def test_a_look_link_has_no_commands(look: str, browser: Browser) -> None:
    assert 'id="commanding"' not in await whole(browser, look)
    assert (await browser.get(f"{look}command?line=status"))[0] == 404


async def test_a_refusal_is_plain_text(there: str, browser: Browser) -> None:
    answer = await browser.ask("GET", f"{there}/command?{urlencode({'line': 'company <b>x</b>'})}", headers=OWN)
    assert answer.content_type == "text/plain" and "There is no <b>x</b>." in await answer.text()
