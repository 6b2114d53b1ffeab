"""Deadlines as a calendar: valid lines, only the reader's own, nothing after withdrawal."""

from __future__ import annotations

import re

import pytest

from bot.commands.web.calendar_feed import LONGEST_LINE, calendar_text, deadlines_of, escaped_text, folded_lines
from bot.commands.web.server import BoardServer
from bot.engine import GameId, PersonId
from bot.i18n import use_language
from bot.service.game_service import GameService
from bot.service.sessions.budgets import PRESETS
from bot.store import LinkKind
from tests.service.conftest import ANN, BOB, CID, Clock
from tests.web.conftest import Browser


async def begin(tables: GameService, clock: str = "daily", names: tuple[str, ...] = ("Ann", "Bob", "Cid")) -> GameId:
    """A game with a clock, in which Ann is asked first."""
    seats = list(zip((ANN, BOB, CID), names, strict=True))
    number = await tables.lobby.create("1848", ANN, seats, {}, 7, allowance=PRESETS[clock])
    await tables.lobby.start(number, ANN, "list")
    return number


async def address_for(tables: GameService, board: BoardServer, game_id: GameId, person: PersonId) -> str:
    return board.link_address(LinkKind.CALENDAR, await tables.links.make(game_id, person, LinkKind.CALENDAR))


def properties(text: str) -> list[tuple[str, str]]:
    """Names and values of all lines, unfolded and without escapes."""
    assert text.endswith("\r\n") and "\n" not in text.replace("\r\n", "")
    assert all(len(line.encode()) <= LONGEST_LINE for line in text.split("\r\n"))
    lines = text.replace("\r\n ", "").removesuffix("\r\n").split("\r\n")
    names = [re.fullmatch(r"([A-Z-]+)(?:;[A-Z]+=[A-Z-]+)?:(.*)", line) for line in lines]
    assert all(names), lines
    signs = {"\\n": "\n", "\\\\": "\\", "\\,": ",", "\\;": ";"}
    return [
        (found[1], re.sub(r"\\[n\\,;]", lambda sign: signs[sign[0]], found[2])) for found in names if found is not None
    ]


async def test_the_end_of_ones_time_is_an_event(
    tables: GameService, board: BoardServer, browser: Browser, clock: Clock
) -> None:
    game_id = await begin(tables)
    path = await address_for(tables, board, game_id, ANN)
    status, text = await browser.get(path)
    found = properties(text)
    event = dict(found[found.index(("BEGIN", "VEVENT")) :])
    budget = (await tables.desk.budgets(await tables.desk.table(game_id)))[1]
    assert status == 200 and budget.runs_out is not None
    assert event["DTSTART"] == f"{budget.runs_out:%Y%m%dT%H%M%SZ}" and event["DTSTAMP"] == "20260601T120000Z"
    assert event["SUMMARY"] == f"1848 #{game_id}: your time runs out"
    assert event["DESCRIPTION"].startswith("Ann is asked to: bid") or "Ann" in event["DESCRIPTION"]
    assert event["URL"] == f"{board.address.origin}/g/{game_id}/" and event["UID"].endswith("@127.0.0.1")
    assert [one for one in found if one[0] in ("BEGIN", "END")] == [
        ("BEGIN", "VCALENDAR"),
        ("BEGIN", "VEVENT"),
        ("END", "VEVENT"),
        ("END", "VCALENDAR"),
    ]
    await tables.moves.submit(game_id, ANN, "buy P1")
    assert "VEVENT" not in (await browser.get(path))[1], "Bob is asked now"
    assert "VEVENT" in (await browser.get(await address_for(tables, board, game_id, BOB)))[1]


async def test_all_games_of_the_reader_and_no_others(tables: GameService, board: BoardServer, browser: Browser) -> None:
    first, second = await begin(tables), await begin(tables, "weekly")
    alone = await tables.lobby.create("1848", BOB, [(BOB, "Bob"), (CID, "Cid"), ("discord:9", "Zoe")], {}, 7)
    await tables.lobby.start(alone, BOB, "list")
    unclocked = await tables.lobby.create("1848", ANN, [(ANN, "Ann"), (CID, "Cid"), (BOB, "Bob")], {}, 7)
    await tables.lobby.start(unclocked, ANN, "list")
    found = properties((await browser.get(await address_for(tables, board, first, ANN)))[1])
    pages = [value.rstrip("/").rpartition("/")[2] for name, value in found if name == "URL"]
    assert pages == [str(first), str(second)], "the first to end is first"


async def test_the_same_calendar_is_sent_once(
    tables: GameService, board: BoardServer, browser: Browser, clock: Clock
) -> None:
    game_id = await begin(tables)
    path = await address_for(tables, board, game_id, ANN)
    answer = await browser.ask("GET", path)
    assert answer.content_type == "text/calendar" and answer.charset == "utf-8"
    clock.advance(hours=1)
    known = {"If-None-Match": answer.headers["ETag"]}
    again = await browser.ask("GET", path, headers=known)
    assert again.status == 304 and await again.read() == b""
    await tables.moves.submit(game_id, ANN, "buy P1")
    assert (await browser.ask("GET", path, headers=known)).status == 200


async def test_it_ends_when_it_is_withdrawn_or_the_seat_is_lost(
    tables: GameService, board: BoardServer, browser: Browser
) -> None:
    game_id = await begin(tables)
    paths = [await address_for(tables, board, game_id, person) for person in (ANN, BOB, CID)]
    assert [(await browser.get(path))[0] for path in paths] == [200, 200, 200]
    assert (await tables.links.links_of(game_id, ANN))[0].used_at is not None
    await tables.links.withdraw_one(game_id, ANN, 1)
    await tables.moderation.replace(game_id, ANN, 2, CID, "Cid")
    await tables.privacy.forget_person(CID)
    assert [(await browser.get(path))[0] for path in paths] == [403, 403, 403]


async def test_a_calendar_opens_nothing_else_and_nothing_else_is_a_calendar(
    tables: GameService, board: BoardServer, browser: Browser
) -> None:
    game_id = await begin(tables)
    token = await tables.links.make(game_id, ANN, LinkKind.CALENDAR)
    assert (await browser.get(f"/b/{token}/"))[0] == 403
    assert (await browser.enter(f"#{token}"))[0] == 403
    assert (await browser.get("/api/v1/position", Authorization=f"Bearer {token}"))[0] == 401
    for kind in (LinkKind.PLAY, LinkKind.LOOK, LinkKind.PROGRAM):
        other = await tables.links.make(game_id, ANN, kind)
        assert (await browser.get(f"/calendar/{other}.ics"))[0] == 403
    assert (await browser.get(f"/calendar/{'x' * 500}.ics"))[0] == 403


async def test_the_readers_language_and_signs_that_mean_something(tables: GameService) -> None:
    game_id = await begin(tables, names=("Ünï; cödé, \\Ann", "Bob", "Cid"))
    found = await deadlines_of(tables, ANN)
    with use_language("de"):
        values = dict(properties(calendar_text(found, "https://bot.example")))
    assert (await tables.desk.table(game_id)).seats[0].name in values["DESCRIPTION"]
    assert values["SUMMARY"] == f"1848 #{game_id}: deine Bedenkzeit endet"


@pytest.mark.parametrize("text", ["", "a" * 75, "a" * 76, "ä" * 200, "🚂" * 90, "a" * 74 + "🚂"])
def test_folding_divides_no_letter(text: str) -> None:
    parts = list(folded_lines(text))
    assert all(len(part.encode()) <= LONGEST_LINE for part in parts)
    assert parts[0] + "".join(part[1:] for part in parts[1:]) == text


def test_controls_cannot_begin_a_line() -> None:
    assert escaped_text("a\r\nBEGIN:VEVENT\x00\x1b;,\\") == "a\\nBEGIN:VEVENT\\;\\,\\\\"
