"""Public pages: nothing about a person stands there that the person has not allowed."""

from __future__ import annotations

import random

import pytest

from bot.engine import NO_GAME
from bot.service.features.public_pages import mark_of_person
from bot.service.game_service import GameService
from bot.store import Audience, GameStatus, LobbyScope, Place, ResultRecord, StandingRecord
from tests.families import few
from tests.service.conftest import Clock

from .conftest import Browser

GUILD, OTHER = "4711", "815"
PEOPLE = {f"discord:90000{number}": f"Xanthos{number}" for number in range(1, 7)}
GERMAN = {"Accept-Language": "de"}


async def ended(tables: GameService, people: list[str], guild: str) -> int:
    """A game of 1889 that is over; the first has won."""
    seated = [(person, PEOPLE[person]) for person in people]
    game = await tables.lobby.create("1889", people[0], seated, {}, 1)
    await tables.lobby.start(game, people[0], "list")
    await tables.desk.store.games.set_place(Place(game, guild, f"{game}0"))
    await tables.moderation.set_status(game, people[0], GameStatus.FINISHED)
    tables.desk.clock.advance(hours=1)  # type: ignore[attr-defined]
    version, now = (await tables.desk.table(game)).record.version, tables.desk.now()
    result = ResultRecord(game, version, "1889", now - 9000, now, len(people), 300, True, True)
    standings = [
        StandingRecord(game, seat, seat, 1000 * (9 - seat), False, ["AR"], ["TR"], [9, 1.0, 2.0, 3.0])
        for seat in range(1, len(people) + 1)
    ]
    await tables.desk.store.results.save(result, standings, [])
    return game


async def read(browser: Browser, path: str) -> tuple[int, str]:
    """A page in English and in German."""
    status, text = await browser.get(path)
    german_status, german = await browser.get(path, **GERMAN)
    assert status == german_status and "{" not in text
    return status, text + german


def paths(season: int) -> list[str]:
    return [
        *("/records", "/tables", "/titles/1889", f"/servers/{GUILD}", f"/servers/{OTHER}", f"/seasons/{season}"),
        *(f"/people/{mark_of_person(person)}" for person in PEOPLE),
    ]


async def assert_only_allowed(browser: Browser, season: int, allowed: set[str], has_page: bool) -> None:
    """Every page of everybody names those who have allowed it, and nobody else."""
    pages = {path: await read(browser, path) for path in paths(season)}
    text = "".join(shown for _, shown in pages.values())
    for person, name in PEOPLE.items():
        assert (name in text) == (person in allowed), name
        assert person not in text and person.removeprefix("discord:") not in text
        assert pages[f"/people/{mark_of_person(person)}"][0] == (200 if person in allowed else 404)
    assert pages[f"/servers/{GUILD}"][0] == pages[f"/seasons/{season}"][0] == (200 if has_page else 404)
    assert pages[f"/servers/{OTHER}"][0] == 404 and ("Club of Gentlemen" in text) == has_page
    assert ("Autumn Cup" in text) == has_page


@pytest.mark.parametrize("seed", few(range(6), 0))
async def test_nobody_is_on_a_page_who_has_not_allowed_it(
    browser: Browser, tables: GameService, clock: Clock, seed: int
) -> None:
    """People and managers change their minds at random; the pages follow at once."""
    chance, people = random.Random(seed), [*PEOPLE]
    season = await tables.seasons.open(
        *(people[0], Place(NO_GAME, GUILD, "10"), "1889", "Autumn Cup"), size=3, rounds=2, days=1, pace_hours=24.0
    )
    for person in people:
        await tables.seasons.enter(season.id, person, PEOPLE[person], GUILD)
    clock.advance(days=2)
    while await tables.seasons.sweep():
        pass
    for guild in (GUILD, OTHER, GUILD):
        await ended(tables, chance.sample(people, 3), guild)
    for group in (people[:3], people[3:], people[1:4]):
        await ended(tables, group, GUILD)
    lobby = await tables.lobby.create("1889", people[1], [(people[1], PEOPLE[people[1]])], {})
    await tables.open_tables.open(lobby, people[1], LobbyScope.EVERYBODY)
    for number, person in enumerate(people):
        await tables.records.choose_audience(person, [*Audience][number % 3])
    allowed, has_page = set[str](), False
    await assert_only_allowed(browser, season.id, allowed, has_page)
    for _ in range(6):
        if chance.random() < 0.4:
            has_page = not has_page
            if has_page:
                assert await tables.public_pages.show_server(GUILD, "Club of Gentlemen <b>") == "Club of Gentlemen b"
            else:
                await tables.public_pages.drop_server(GUILD)
        else:
            person, audience = chance.choice(people), chance.choice([*Audience, Audience.PUBLIC])
            await tables.records.choose_audience(person, audience)
            allowed = {*allowed, person} if audience == Audience.PUBLIC else allowed - {person}
        await assert_only_allowed(browser, season.id, allowed, has_page)
    await tables.records.choose_audience(people[0], Audience.PUBLIC)
    await assert_only_allowed(browser, season.id, {*allowed, people[0]}, has_page)
    await tables.privacy.forget_person(people[0])
    await assert_only_allowed(browser, season.id, allowed - {people[0]}, has_page)


async def test_what_the_pages_tell(browser: Browser, tables: GameService) -> None:
    ann, bob, *_ = PEOPLE
    await ended(tables, [ann, bob], GUILD)
    assert "No game of 1889 Shikoku" not in (await read(browser, "/titles/1889"))[1]
    await tables.records.choose_audience(ann, Audience.PUBLIC)
    await tables.public_pages.show_server(GUILD, "Club")
    text = (await read(browser, f"/servers/{GUILD}"))[1]
    assert "1. Xanthos1 ¥8000, 2. a player ¥7000" in text and "2. jemand ¥7000" in text
    text = (await read(browser, f"/people/{mark_of_person(ann)}"))[1]
    assert "Record of Xanthos1" in text and "1 won" in text and "rating" in text
    index = (await read(browser, "/records"))[1]
    assert f'href="/people/{mark_of_person(ann)}"' in index and 'href="/titles/1889"' in index
    for path in ("/titles/1999", "/people/0", "/servers/1", "/seasons/7", "/seasons/x", "/titles/1889/"):
        assert (await browser.get(path))[0] == 404, path


async def test_readers_in_discord_see_a_public_record_and_strangers_only_that(tables: GameService) -> None:
    ann, bob, *_ = PEOPLE
    for audience, inside, outside in (
        (Audience.NOBODY, False, False),
        (Audience.TABLES, False, False),
        (Audience.EVERYBODY, True, False),
        (Audience.PUBLIC, True, True),
    ):
        await tables.records.choose_audience(ann, audience)
        assert (ann in await tables.records.visible_people(bob, [ann], ())) == inside
        assert (ann in await tables.records.visible_people("", [ann], ())) == outside


async def test_a_board_that_anybody_may_watch_names_nobody(browser: Browser, tables: GameService) -> None:
    ann, bob, *_ = PEOPLE
    seated = [(ann, PEOPLE[ann]), (bob, PEOPLE[bob])]
    hidden = await tables.lobby.create("1889", ann, seated, {}, 1)
    game = await tables.lobby.create("1889", ann, seated, {}, 1)
    await tables.lobby.choose_watching(game, ann, True)
    assert (await browser.get(f"/watch/{game}"))[0] == 404, "it has not begun"
    for number in (hidden, game):
        await tables.lobby.start(number, ann, "list")
    status, text = await read(browser, f"/watch/{game}")
    assert status == 200 and "Player 1: buy or bid" in text and "Spieler 1" in text and "<svg" in text
    await tables.moves.submit(game, ann, "pass")
    await tables.moderation.correct(game, ann, "cash @1 450", "Xanthos1 has paid the pizza")
    later = (await read(browser, f"/watch/{game}"))[1]
    assert later != text and "¥450" in later
    for shown in (text, later, (await read(browser, "/tables"))[1]):
        assert not any(name in shown for name in PEOPLE.values()) and "pizza" not in shown
    assert f'href="/watch/{game}"' in (await read(browser, "/tables"))[1]
    assert (await browser.get(f"/watch/{hidden}"))[0] == (await browser.get("/watch/77"))[0] == 404
    await tables.moderation.set_status(game, ann, GameStatus.FINISHED)
    assert (await read(browser, f"/watch/{game}"))[0] == 200
