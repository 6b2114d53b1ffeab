"""Following games, persons and seasons: news once a day, as far as everybody there allows it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.engine.ids import NOBODY, PersonId
from bot.engine.refusals import IllegalMove
from bot.i18n import tr, tr_lines
from bot.service.features.followers import MOST_FOLLOWED, next_morning, next_news
from bot.service.game_service import GameService
from bot.store import Audience, LobbyScope, NewsInterval, NoticeKind, PersonRecord, Server
from bot.titles.registry import TITLES
from tests.reliability.table import AUCTION
from tests.service.conftest import ANN, BOB, CID, EVE, Clock
from tests.service.test_privacy import everything
from tests.service.test_seasons import GUILD, entered, opened, person, play, play_round, seen, swept

AB = [(ANN, "Ann"), (BOB, "Bob")]


async def watchable(tables: GameService, title: str = "toy", others: Sequence[tuple[str, str]] = ()) -> int:
    game = await tables.lobby.create(title, ANN, [*AB, *others])
    await tables.lobby.choose_watching(game, ANN, True)
    await tables.lobby.start(game, ANN, "list")
    return game


async def heard(tables: GameService, clock: Clock, who: str) -> list[str]:
    """What the next morning brings somebody."""
    before = {notice.id for notice in await tables.outbox.waiting_notices()}
    clock.advance(days=1)
    await tables.followers.sweep()
    clock.advance(minutes=1)
    calls = [one for one in await tables.outbox.waiting_notices() if one.kind == NoticeKind.CALL]
    lines = [tr_lines(one.lines[1:], {}) for one in calls if one.id not in before and one.lines[0] == who]
    assert len(lines) <= 1, "once a day"
    return lines[0][1:] if lines else []


async def test_a_game_is_followed_by_leave_of_its_table_and_its_news_name_nobody(
    tables: GameService, clock: Clock, game_id: int
) -> None:
    game = await watchable(tables)
    assert [one.record.id for one in await tables.followers.list_watchable(EVE)] == [game]
    assert "Ann" not in tr((await tables.followers.list_watchable(EVE))[0].line)
    with pytest.raises(IllegalMove, match="cannot be followed"):
        await tables.followers.follow_game(EVE, game_id)
    with pytest.raises(IllegalMove, match="cannot be followed"):
        await tables.followers.follow_game(EVE, 99)
    await tables.followers.follow_game(EVE, game)
    assert await heard(tables, clock, EVE) == [], "nothing has happened"
    await tables.moves.submit(game, ANN, "bid P1 3")
    assert await heard(tables, clock, EVE) == [
        f"Game {game}, Toy: 1 entry in the log since then, Set-up round 1, phase 2."
    ]
    assert await heard(tables, clock, EVE) == []
    await play(tables, game)
    assert await heard(tables, clock, EVE) == [f"Game {game}, Toy: it is over."]
    assert (await tables.followers.list_of(EVE))[0] == [], "nothing more will come"


async def test_news_come_at_the_end_of_each_round_where_that_is_asked_for(tables: GameService, clock: Clock) -> None:
    tables = GameService(tables.desk.store, TITLES, tables.desk.clock)
    game = await watchable(tables, "1848", [(CID, "Cid")])
    await tables.followers.follow_game(EVE, game, NewsInterval.ROUND)
    for who, move in zip([ANN, BOB, CID] * 2, AUCTION, strict=True):
        clock.advance(hours=2)
        assert await tables.followers.sweep() == 0, f"the auction is not over before {move}"
        await tables.moves.submit(game, who, move)
    assert await tables.followers.sweep() == 0, "once an hour"
    clock.advance(hours=2)
    assert await tables.followers.sweep() == 1
    (told,) = [one.lines[2] for one in await tables.outbox.waiting_notices() if one.lines[:1] == [EVE]]
    assert tr(told) == f"Game {game}, 1848 Australia: 6 entries in the log since then, Stock round 1, phase 2."
    clock.advance(days=2)
    assert await tables.followers.sweep() == 0, "nothing new"


def test_news_come_neither_in_quiet_hours_nor_to_who_is_away() -> None:
    habits = PersonRecord(EVE, "UTC", 22, 7)
    evening = datetime(2026, 5, 1, 21, 30, tzinfo=UTC)
    morning = datetime(2026, 5, 2, 7, tzinfo=UTC)
    assert next_news(evening, habits, NewsInterval.ROUND) == next_news(evening, habits) == morning
    noon = datetime(2026, 5, 1, 12, tzinfo=UTC)
    assert next_news(noon, habits, NewsInterval.ROUND) == noon + timedelta(hours=1)
    away = PersonRecord(EVE, "UTC", 22, 7, away_until=noon.timestamp() + 2 * 86400)
    assert next_news(noon, away, NewsInterval.ROUND) == noon + timedelta(days=2)


async def test_only_the_moderator_lets_others_watch_and_only_before_the_game_begins(
    tables: GameService, game_id: int
) -> None:
    game = await tables.lobby.create("toy", ANN, AB)
    with pytest.raises(IllegalMove, match="moderator"):
        await tables.lobby.choose_watching(game, BOB, True)
    with pytest.raises(IllegalMove, match="begun"):
        await tables.lobby.choose_watching(game_id, ANN, True)
    assert await tables.followers.list_watchable(EVE) == []


async def test_nobody_follows_where_somebody_avoids_them(tables: GameService, clock: Clock) -> None:
    game = await watchable(tables)
    await tables.followers.follow_game(EVE, game)
    await tables.open_tables.set_block(BOB, EVE, True)
    await tables.moves.submit(game, ANN, "bid P1 3")
    assert await heard(tables, clock, EVE) == [] and await tables.followers.list_watchable(EVE) == []
    with pytest.raises(IllegalMove, match="cannot be followed"):
        await tables.followers.follow_game(EVE, game)


async def test_a_person_is_followed_by_their_leave_alone(tables: GameService, clock: Clock, game_id: int) -> None:
    for audience, may in ((Audience.NOBODY, []), (Audience.TABLES, [CID]), (Audience.EVERYBODY, [CID, EVE])):
        await tables.followers.choose_audience(ANN, audience)
        for who in (CID, EVE):
            if who in may:
                await tables.followers.follow_person(who, ANN, "Ann")
            else:
                with pytest.raises(IllegalMove, match="does not let you follow"):
                    await tables.followers.follow_person(who, ANN, "Ann")
    with pytest.raises(IllegalMove, match="yourself"):
        await tables.followers.follow_person(ANN, ANN, "Ann")
    assert (await tables.followers.list_of(ANN))[1] == 2
    lobby = await tables.lobby.create("toy", ANN, AB)
    assert await heard(tables, clock, EVE) == [], "a lobby of their server is nobody else's"
    await tables.open_tables.open(lobby, ANN, LobbyScope.EVERYBODY)
    assert await heard(tables, clock, EVE) == [f"Ann has an open table: game {lobby}, Toy."]
    await tables.lobby.start(lobby, ANN, "list")
    await play(tables, lobby, ANN)
    await tables.records.catch_up(None)
    assert await heard(tables, clock, EVE) == [f"Ann: place 1 of 2 in Toy, game {lobby}."]
    assert await heard(tables, clock, EVE) == []
    await tables.followers.choose_audience(ANN, Audience.TABLES)
    other = await tables.lobby.create("toy", ANN, AB)
    await tables.open_tables.open(other, ANN, LobbyScope.EVERYBODY)
    assert await heard(tables, clock, EVE) == [], "what holds now counts"
    await tables.followers.choose_audience(ANN, Audience.NOBODY)
    assert (await tables.followers.list_of(ANN))[1] == 0


async def test_a_block_ends_following_both_ways(tables: GameService) -> None:
    for one in (ANN, EVE):
        await tables.followers.choose_audience(one, Audience.EVERYBODY)
    await tables.followers.follow_person(EVE, ANN, "Ann")
    await tables.followers.follow_person(ANN, EVE, "Eve")
    await tables.followers.follow_person(CID, ANN, "Ann")
    await tables.open_tables.set_block(ANN, EVE, True)
    assert [(await tables.followers.list_of(one))[0] for one in (ANN, EVE)] == [[], []]
    assert len((await tables.followers.list_of(CID))[0]) == 1
    for one, other in ((EVE, ANN), (ANN, EVE)):
        with pytest.raises(IllegalMove, match="does not let you follow"):
            await tables.followers.follow_person(one, other, "Ann")


async def test_news_of_a_season_name_players_only_to_its_players(tables: GameService, clock: Clock) -> None:
    season = await opened(tables, size=2, rounds=1)
    await entered(tables, season, 2)
    await tables.followers.follow_season(EVE, season.id, GUILD)
    await tables.followers.follow_season(person(0), season.id, "")
    with pytest.raises(IllegalMove, match="no season"):
        await tables.followers.follow_season(CID, season.id, "another server")
    clock.advance(days=7)
    await swept(tables)
    news = await heard(tables, clock, EVE)
    assert news == ["Season 1, Spring: Toy, 2 players a table; round 1 of 1", "0 of 1 tables of this round are over."]
    await play_round(tables, season)
    await swept(tables)
    others = [line for line in await heard(tables, clock, EVE) if "Player" in line]
    assert not others and (await seen(tables, season)).record.status == "finished"
    assert (await tables.followers.list_of(EVE))[0] == []
    calls = [one for one in await tables.outbox.waiting_notices() if one.kind == NoticeKind.CALL]
    own = [line for one in calls if one.lines[0] == person(0) for line in tr_lines(one.lines[1:], {})]
    assert any("1. Player 0: points 1" in line for line in own)


async def test_limits_and_numbers(tables: GameService) -> None:
    games = [await watchable(tables) for _ in range(2)]
    await tables.followers.follow_game(EVE, games[0])
    await tables.followers.follow_game(EVE, games[0])
    with pytest.raises(IllegalMove, match="nothing with number 2"):
        await tables.followers.unfollow(EVE, 2)
    first = (await tables.followers.unfollow(EVE, 1)).target
    assert first == str(games[0]) and (await tables.followers.list_of(EVE))[0] == []
    for number in range(MOST_FOLLOWED):
        other = person(number)
        await tables.followers.choose_audience(other, Audience.EVERYBODY)
        await tables.followers.follow_person(EVE, other, f"Player {number}")
    with pytest.raises(IllegalMove, match="the limit"):
        await tables.followers.follow_game(EVE, games[0])
    await tables.followers.follow_person(EVE, person(0), "again")


async def test_a_person_is_erased_from_both_sides_with_news_that_wait(
    tables: GameService, clock: Clock, place: Path | Server
) -> None:
    await tables.followers.choose_audience(ANN, Audience.EVERYBODY)
    await tables.followers.follow_person(EVE, ANN, "Annabelle")
    clock.advance(minutes=1)
    lobby = await tables.lobby.create("toy", ANN, [(ANN, "Annabelle"), (BOB, "Bob")])
    await tables.open_tables.open(lobby, ANN, LobbyScope.EVERYBODY)
    assert await heard(tables, clock, EVE) == [f"Annabelle has an open table: game {lobby}, Toy."]
    assert len(json.loads(await tables.privacy.personal_data(EVE))["follows"]) == 1
    await tables.privacy.forget_person(ANN)
    assert "Annabelle" not in everything(place) and ANN not in everything(place)
    game = await watchable(tables)
    await tables.followers.follow_game(EVE, game)
    await tables.privacy.forget_person(EVE)
    assert EVE not in everything(place)


@pytest.mark.parametrize("erased", [ANN, EVE])
async def test_news_that_are_written_during_an_erasure_reach_nobody(
    tables: GameService, clock: Clock, place: Path | Server, monkeypatch: pytest.MonkeyPatch, erased: PersonId
) -> None:
    await tables.followers.choose_audience(ANN, Audience.EVERYBODY)
    await tables.followers.follow_person(EVE, ANN, "Annabelle")
    clock.advance(minutes=1)
    lobby = await tables.lobby.create("toy", ANN, [(ANN, "Annabelle"), (BOB, "Bob")])
    await tables.open_tables.open(lobby, ANN, LobbyScope.EVERYBODY)
    deliver = tables.followers._delivery

    async def late(*values: Any) -> Any:
        await tables.privacy.forget_person(erased)
        return await deliver(*values)

    monkeypatch.setattr(tables.followers, "_delivery", late)
    assert await heard(tables, clock, EVE) == []
    assert erased not in everything(place) and (erased == EVE or "Annabelle" not in everything(place))


async def test_strangers_hear_nothing_of_a_banned_person(tables: GameService, clock: Clock) -> None:
    await tables.followers.choose_audience(ANN, Audience.EVERYBODY)
    await tables.records.choose_audience(ANN, Audience.PUBLIC)
    await tables.followers.follow_person(EVE, ANN, "Annabelle")
    lobby = await tables.lobby.create("toy", ANN, [(ANN, "Annabelle"), (BOB, "Bob")])
    await tables.lobby.start(lobby, ANN, "list")
    await play(tables, lobby, ANN)
    await tables.records.catch_up(None)
    assert await tables.records.public_people() == [ANN]
    await tables.bans.ban(ANN)
    assert await heard(tables, clock, EVE) == [] and await tables.records.public_people() == []
    assert await tables.records.visible_people(NOBODY, [ANN], []) == set()
    assert await tables.records.visible_people(BOB, [ANN], [ANN]) == {ANN}, "who plays with them does"
    assert "Annabelle" not in str((await tables.records.record_of_title("toy", NOBODY, [])).best)
    await tables.bans.lift(ANN)
    assert await tables.records.public_people() == [ANN]


async def test_who_reads_by_mail_hears_by_mail_at_the_end_of_the_quiet_hours(tables: GameService, clock: Clock) -> None:
    await tables.mail.request_confirmation("eve@home.example", EVE)
    await tables.mail.confirm_address(EVE, "eve@home.example")
    await tables.mail.set_delivery(EVE, "digest")
    await tables.reminders.set_default_quiet_hours(EVE, "Europe/Berlin", 22, 7)
    game = await watchable(tables)
    await tables.followers.follow_game(EVE, game)
    await tables.moves.submit(game, ANN, "bid P1 3")
    clock.time = datetime(2026, 6, 2, 4, 59, tzinfo=UTC)
    assert await tables.followers.sweep() == 0
    clock.advance(minutes=1)
    assert await tables.followers.sweep() == 1 and await tables.followers.sweep() == 0
    (mail,) = [one for one in await tables.desk.store.mail.list_waiting(9) if one.key.startswith("news-")]
    assert mail.game is None and "1 entry in the log since then" in tr_lines(mail.lines, {})[1]
    assert not [one for one in await tables.outbox.waiting_notices() if one.kind == NoticeKind.CALL]


async def test_news_that_cannot_be_told_hold_up_nobody_elses(
    tables: GameService, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await watchable(tables)
    for who in (CID, EVE):
        await tables.followers.follow_game(who, game)
    await tables.moves.submit(game, ANN, "bid P1 3")
    told = tables.followers._tell

    async def fail(who: PersonRecord, now: datetime) -> bool:
        if who.person == CID:
            raise ZeroDivisionError
        return await told(who, now)

    monkeypatch.setattr(tables.followers, "_tell", fail)
    assert len(await heard(tables, clock, EVE)) == 1
    assert await tables.followers.sweep() == 0, "tomorrow again"


def test_the_morning_is_the_end_of_the_quiet_hours() -> None:
    now = datetime(2026, 3, 28, 12, tzinfo=UTC)
    berlin = PersonRecord(EVE, "Europe/Berlin", 22, 7)
    assert next_morning(now, berlin) == datetime(2026, 3, 29, 5, tzinfo=UTC), "summer time has begun"
    assert next_morning(now, PersonRecord(EVE)) == datetime(2026, 3, 29, 8, tzinfo=UTC)
    assert next_morning(datetime(2026, 3, 28, 7, tzinfo=UTC), PersonRecord(EVE)).day == 28


async def test_a_season_that_is_cancelled_before_it_begins_tells_so_once(tables: GameService, clock: Clock) -> None:
    season = await opened(tables)
    await tables.followers.follow_season(EVE, season.id, GUILD)
    await tables.seasons.cancel(season.id, GUILD)
    clock.advance(days=1)
    await tables.followers.sweep()
    assert (await tables.followers.list_of(EVE))[0] == []
