"""Links, hosts, origins, sizes: who is let in."""

from __future__ import annotations

import asyncio

import pytest

from bot.commands.web import views
from bot.commands.web.auth import MOST_SEATS, Authenticator
from bot.commands.web.coalesce import FairScheduler
from bot.commands.web.security import MISSES, MOST_BYTES, OWN_HEADER, Address, SecurityMiddleware
from bot.commands.web.server import BoardServer
from bot.ops.rate_limit import RateLimiter
from bot.service.features.board_links import INVALID_LINK
from bot.service.game_service import GameService
from bot.service.sessions.rights import Actor
from bot.store.links import MOST_ALIKE
from tests.families import few
from tests.service.conftest import ANN, BOB, EVE, Clock

from .conftest import Browser, events

SORRY = INVALID_LINK.partition(":")[0]


async def test_a_link_that_is_none_opens_nothing(
    browser: Browser, look: str, tables: GameService, game_id: int
) -> None:
    mine = await tables.links.make(game_id, BOB, "play")
    for path in ("/b/x/", "/b/" + "a" * 24 + "/", "/b/%00/", "/b/" + "a" * 5000 + "/", f"/b/{mine}/"):
        status, text = await browser.get(path)
        assert status == 403 and SORRY in text, path
    assert (await browser.enter(f"#{look.split('/')[-2]}"))[0] == 403
    assert (await browser.get(f"/g/{game_id}/"))[0] == 403 and (await browser.get("/g/x/"))[0] == 404


async def test_many_wrong_links_are_too_many_and_good_ones_still_open(browser: Browser, look: str) -> None:
    found = [(await browser.get(f"/b/{number:024d}/"))[0] for number in range(MISSES + 3)]
    assert found[0] == 403 and found[-1] == 429
    assert (await browser.get(look))[0] == 200


async def test_links_end(
    browser: Browser, look: str, tables: GameService, board: BoardServer, game_id: int, clock: Clock
) -> None:
    clock.advance(days=365)
    assert (await browser.get(look))[0] == 200
    clock.advance(days=2)
    assert (await browser.get(look))[0] == 403
    made = []
    for _ in range(MOST_ALIKE):
        clock.advance(minutes=1)
        made.append(board.doors.look_address(await tables.links.make(game_id, ANN)))
    # Each device has its own link; of too many the oldest ends.
    assert {(await browser.get(one))[0] for one in made} == {200}
    clock.advance(minutes=1)
    made.append(board.doors.look_address(await tables.links.make(game_id, ANN)))
    assert [(await browser.get(one))[0] for one in made] == [403, *[200] * MOST_ALIKE]
    assert await tables.links.withdraw(game_id, ANN) == MOST_ALIKE
    assert {(await browser.get(one))[0] for one in made} == {403}


async def test_cookies_that_are_no_text_open_nothing_and_break_nothing(
    board: BoardServer, game_id: int, caplog: pytest.LogCaptureFixture
) -> None:
    for path in ("/", f"/g/{game_id}/"):
        reader, writer = await asyncio.open_connection("127.0.0.1", board.address.port)
        name = board.doors.cookie_name(game_id, "abcdefgh")
        head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{board.address.port}\r\nConnection: close\r\nCookie: {name}="
        writer.write(head.encode() + b"\xff\xed\xa0\x80\r\n\r\n")
        assert (await reader.read(12)).split()[1] in (b"200", b"403")
        writer.close()
    assert not [line for line in caplog.records if line.exc_info]


async def test_only_this_address_is_served(browser: Browser, look: str) -> None:
    assert (await browser.get(look, Host="evil.example"))[0] == 421
    assert (await browser.get(look, Host=f"localhost:{browser.board.address.port}"))[0] == 200


async def test_only_the_page_itself_changes_anything(browser: Browser, tables: GameService, game_id: int) -> None:
    token = await tables.links.make(game_id, BOB, "play")
    origin = browser.board.address.origin
    for headers in (
        {},
        {OWN_HEADER: "1"},
        {"Origin": origin},
        {OWN_HEADER: "1", "Origin": "https://evil.example"},
        {OWN_HEADER: "1", "Origin": "null"},
        {OWN_HEADER: "1", "Origin": origin, "Sec-Fetch-Site": "cross-site"},
    ):
        assert (await browser.post("/enter", {"token": token}, headers))[0] == 403, headers
    assert (await browser.ask("DELETE", "/enter")).status == 405
    assert (await browser.post("/enter", {"token": "a" * MOST_BYTES}))[0] == 413
    assert (await browser.post("/enter", [token]))[0] == 400
    assert (await browser.post("/enter", {"token": token}))[0] == 200


async def test_a_cookie_is_for_this_site_and_no_script(browser: Browser, tables: GameService, game_id: int) -> None:
    token = await tables.links.make(game_id, BOB, "play")
    origin = {OWN_HEADER: "1", "Origin": browser.board.address.origin}
    answer = await browser.ask("POST", "/enter", json={"token": token}, headers=origin)
    cookie = answer.headers["Set-Cookie"]
    assert cookie.startswith(f"board-{game_id}-") and "HttpOnly" in cookie and "SameSite=Strict" in cookie
    assert "Secure" not in cookie and "Domain" not in cookie and token not in await answer.text()


def test_by_https_the_cookie_is_bound_to_the_host(tables: GameService) -> None:
    doors = Authenticator(tables, SecurityMiddleware(Address(8018, "https://board.example.org"), FairScheduler()))
    assert doors.cookie_name(7, "abc") == "__Host-board-7-abc"
    assert doors.look_address("T") == "https://board.example.org/b/T/"
    assert doors.play_address("T") == "https://board.example.org/enter#T"
    assert "board.example.org" in doors.address.hosts


async def test_a_stream_tells_of_moves_of_this_program_and_of_others(
    browser: Browser, look: str, tables: GameService, game_id: int
) -> None:
    other = GameService(tables.desk.store, tables.desk.titles, tables.desk.clock)
    said, task = await events(browser, look)
    first = await said.get()
    assert first.startswith("data: 1.")
    await tables.moves.submit(game_id, BOB, "buy P2")
    assert (await said.get()).startswith("data: 2.")
    await other.moves.submit(game_id, "discord:3", "buy P3")
    assert (await said.get()).startswith("data: 3.")
    await other.moderation.set_sitter(game_id, ANN, 1, EVE, "Eve", 3)
    assert (await said.get()).startswith("data: 4.")
    task.cancel()


@pytest.mark.parametrize("by", ["himself", "the moderator", "another program"])
async def test_a_withdrawn_link_ends_its_stream(browser: Browser, tables: GameService, game_id: int, by: str) -> None:
    path = browser.board.doors.look_address(await tables.links.make(game_id, BOB))
    said, _ = await events(browser, path)
    assert await said.get()
    if by == "himself":
        await tables.links.withdraw(game_id, BOB)
    elif by == "the moderator":
        await tables.links.withdraw(game_id, ANN)
    else:
        await tables.desk.store.links.withdraw(game_id)
    assert await said.get() == ""


async def test_who_gets_up_has_no_personal_link_any_more(browser: Browser, tables: GameService, game_id: int) -> None:
    assert (await browser.enter(browser.board.doors.play_address(await tables.links.make(game_id, BOB, "play"))))[
        0
    ] == 200
    assert (await browser.get(f"/g/{game_id}/"))[0] == 200
    assert f'href="/g/{game_id}/"' in (await browser.get("/"))[1]
    await tables.moderation.replace(game_id, ANN, 2, EVE, "Eve")
    assert (await browser.get(f"/g/{game_id}/"))[0] == 403
    await tables.moderation.replace(game_id, ANN, 2, BOB, "Bob")
    assert (await browser.get(f"/g/{game_id}/"))[0] == 403


@pytest.mark.parametrize("by", few(["replaced", "left", "withdrawn", "sitter", "erased", "over"], 0, 2, 4))
async def test_a_personal_link_does_not_outlive_the_seat(
    browser: Browser, tables: GameService, game_id: int, clock: Clock, by: str
) -> None:
    """Whatever ends it, in another program too: the page that stands open moves nothing any more and is told so."""
    other = GameService(tables.desk.store, tables.desk.titles, clock)
    holder = EVE if by == "sitter" else BOB
    if by == "sitter":
        await tables.moderation.set_sitter(game_id, ANN, 2, EVE, "Eve", 3)
    address = browser.board.doors.play_address(await tables.links.make(game_id, holder, "play"))
    assert (await browser.enter(address))[0] == 200
    said, task = await events(browser, f"/g/{game_id}/")
    assert await said.get()
    before = (await tables.desk.require_started(game_id))[0].record.version
    status, text = await browser.get(f"/g/{game_id}/try?version={before}&move=buy+P2")
    assert status == 200 and 'data-do="@2 buy P2 for 70"' in text
    if by == "replaced":
        await other.moderation.replace(game_id, ANN, 2, EVE, "Eve")
    elif by == "left":
        await other.moderation.leave_seat(game_id, BOB)
    elif by == "withdrawn":
        await other.links.withdraw(game_id, BOB)
    elif by == "sitter":
        clock.advance(days=4)
    elif by == "erased":
        await other.privacy.forget_person(BOB)
    else:
        await other.moderation.set_status(game_id, ANN, "finished")
    table, current = await other.desk.require_started(game_id)
    version = table.record.version
    for path, body in (("move", {"move": "@2 buy P2 for 70"}), ("undo", {}), ("notes", {"text": "still here"})):
        for seen in {before, version}:
            status, text = await browser.post(f"/g/{game_id}/{path}", {"version": seen, **body})
            assert status == 403 and text, (path, seen, status)
    for path in ("turn", f"try?version={version}&move=buy+P2", f"menu?version={version}&kind=BuyPrivate", "notes"):
        assert (await browser.get(f"/g/{game_id}/{path}"))[0] == 403, path
    after, position = await tables.desk.require_started(game_id)
    assert after.record.version == version and position.state.privates_of("@2") == current.state.privates_of("@2") == []
    assert await tables.desk.store.links.notes(game_id, holder) == ""
    if by == "over":
        # It looks, as everybody may; what it would have played is not asked any more.
        assert (await browser.get(f"/g/{game_id}/"))[0] == 200
        task.cancel()
        return
    assert (await browser.enter(address))[0] == (await browser.get(f"/g/{game_id}/"))[0] == 403
    while told := await asyncio.wait_for(said.get(), 5):
        assert told.startswith("data: ")


async def test_a_browser_that_was_given_many_links_holds_the_last_alone(
    browser: Browser, tables: GameService, board: BoardServer, game_id: int
) -> None:
    for _ in range(MOST_SEATS + 2):
        assert (await browser.enter(board.doors.play_address(await tables.links.make(game_id, BOB, "play"))))[0] == 200
    assert len(list(browser.session.cookie_jar)) == 1
    assert (await browser.get(f"/g/{game_id}/turn"))[0] == 200


async def test_one_link_does_not_have_everything_drawn_at_once(
    browser: Browser, look: str, tables: GameService, board: BoardServer, game_id: int
) -> None:
    board.looking.pace = RateLimiter(60, 3, clock=lambda: 0.0)
    other = board.doors.look_address(await tables.links.make(game_id, BOB))
    found = [(await browser.get(f"{look}space/G10?version=1"))[0] for _ in range(4)]
    assert found == [200, 200, 200, 429]
    # What another link has had drawn is there for this one too; what nobody has is not.
    assert (await browser.get(f"{other}board"))[0] == 200
    assert (await browser.get(f"{look}board"))[0] == 200
    assert (await browser.get(f"{look}board?at=0"))[0] == (await browser.get(f"{look}tiles"))[0] == 429


NONSENSE = (
    b"",
    b"{",
    b"null",
    b"\xff\xfe",
    b'{"version": 1' + b"0" * 5000 + b"}",
    b"[" * 60_000,
    rb'{"version": 1, "token": "\ud800", "move": "\ud800", "text": "\ud800"}',
    rb'{"version": 1, "token": "\u0000", "move": "\u0000", "text": "\u0000"}',
)


async def test_nonsense_is_refused_and_fails_nothing(
    browser: Browser, tables: GameService, board: BoardServer, game_id: int, caplog: pytest.LogCaptureFixture
) -> None:
    assert (await browser.enter(board.doors.play_address(await tables.links.make(game_id, BOB, "play"))))[0] == 200
    for path in ("/enter", f"/g/{game_id}/move", f"/g/{game_id}/undo", f"/g/{game_id}/notes"):
        for body in NONSENSE:
            for kind in ("application/json", "text/plain; charset=foo"):
                headers = {OWN_HEADER: "1", "Origin": board.address.origin, "Content-Type": kind}
                answer = await browser.ask("POST", path, data=body, headers=headers)
                assert answer.status == 400 and "not readable" in await answer.text(), (path, body[:40])
                assert answer.headers["Cache-Control"] == "no-store"
    assert not caplog.records


async def test_no_key_of_a_link_is_logged(board: BoardServer, caplog: pytest.LogCaptureFixture) -> None:
    key = "k" * 24
    reader, writer = await asyncio.open_connection("127.0.0.1", board.address.port)
    held = "; ".join(f"board-{number}-x={key}" for number in range(400))
    writer.write(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{board.address.port}\r\nCookie: {held}\r\n\r\n".encode())
    assert b" 400 " in await reader.readline()
    writer.close()
    assert "cannot be read" in caplog.text and key not in caplog.text


@pytest.mark.parametrize("where", ["here", "in another program"])
async def test_who_is_erased_stands_on_no_page_that_was_kept(
    browser: Browser, look: str, tables: GameService, game_id: int, where: str
) -> None:
    erasing = tables if where == "here" else GameService(tables.desk.store, tables.desk.titles, tables.desk.clock)
    moderator = Actor(EVE, "Evelina", is_there=True, manages=True)
    await tables.moderation.correct(game_id, moderator, "cash Ann 1", "a coin lay below the table")
    said, task = await events(browser, look)
    first = await said.get()
    for path in ("", "board", "board?at=2", "log"):
        assert "Evelina" in (await browser.get(f"{look}{path}"))[1], path
    await erasing.privacy.forget_person(EVE)
    for path in ("", "board", "board?at=2", "log"):
        assert "Evelina" not in (await browser.get(f"{look}{path}"))[1], path
    # Pages that stand open are drawn anew.
    assert await asyncio.wait_for(said.get(), 5) != first
    task.cancel()


async def test_one_link_does_not_keep_others_away(
    browser: Browser, look: str, tables: GameService, board: BoardServer, game_id: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "MOST_OF_A_LINK", 2)
    open_ = [await events(browser, look) for _ in range(2)]
    for said, _ in open_:
        assert await said.get()
    assert (await browser.get(f"{look}stream"))[0] == 503
    other, task = await events(browser, board.doors.look_address(await tables.links.make(game_id, BOB)))
    assert await other.get()
    for _, stream in (*open_, (other, task)):
        stream.cancel()
