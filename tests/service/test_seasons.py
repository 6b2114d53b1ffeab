"""Seasons: drawn, opened, started and counted by themselves."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

from bot.engine import NO_GAME
from bot.engine.refusals import IllegalMove
from bot.i18n import tr
from bot.service.features.season_draw import KEPT_APART, draw_tables, standings_of, strain_of, table_sizes
from bot.service.features.seasons import MOST_OPEN, SeasonView, standing_lines
from bot.service.game_service import GameService
from bot.store import SITS_OUT, DrawRecord, EntrantRecord, GameStatus, NoticeKind, Place, SeasonRecord, Server
from tests.service.conftest import ANN, BOB, EVE, Clock
from tests.service.test_privacy import everything

MANAGER, GUILD = "discord:900", "1"
WEEK = 7


def person(number: int) -> str:
    return f"discord:{1000 + number}"


async def opened(tables: GameService, size: int = 4, rounds: int = 3, by_level: bool = False) -> SeasonRecord:
    place = Place(NO_GAME, GUILD, "10")
    return await tables.seasons.open(
        *(MANAGER, place, "toy", "Spring"), size=size, rounds=rounds, days=WEEK, pace_hours=24.0, by_level=by_level
    )


async def entered(tables: GameService, season: SeasonRecord, people: int) -> None:
    for number in range(people):
        await tables.seasons.enter(season.id, person(number), f"Player {number}", GUILD)


async def due(tables: GameService, clock: Clock, people: int, size: int = 2, rounds: int = 1) -> SeasonRecord:
    """A season whose sign-up is over."""
    season = await opened(tables, size, rounds)
    await entered(tables, season, people)
    clock.advance(days=WEEK)
    return season


async def seen(tables: GameService, season: SeasonRecord) -> SeasonView:
    return await tables.seasons.view(await tables.seasons.find(season.id, MANAGER, GUILD))


async def swept(tables: GameService) -> None:
    while await tables.seasons.sweep():
        pass


async def play(tables: GameService, game_id: int, richest: str = "") -> None:
    """Play a game of the toy to its end; somebody has found money."""
    table = await tables.desk.table(game_id)
    if richest:
        number = next(held.number for held in table.seats if held.person == richest)
        await tables.moderation.correct(game_id, table.record.moderator, f"cash @{number} 5000", "found")
    while table.record.status == GameStatus.RUNNING:
        table, game = await tables.desk.require_started(game_id)
        who = table.seats[int(game.players_to_act()[0][1:]) - 1]
        await tables.moves.submit(game_id, who.person, "bid P1 9")
        table = await tables.desk.table(game_id)


async def play_round(tables: GameService, season: SeasonRecord) -> None:
    await swept(tables)
    for game_id, _ in (await seen(tables, season)).tables.values():
        if game_id is not None:
            seats = (await tables.desk.table(game_id)).seats
            await play(tables, game_id, min(held.person for held in seats))
    await tables.records.catch_up(None)


# -- who meets whom -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "people, wanted, players, sizes",
    [
        (64, 4, range(3, 7), [4] * 16),
        (62, 4, range(3, 7), [4] * 14 + [3] * 2),
        (5, 4, range(3, 7), [5]),
        (5, 4, range(3, 5), []),
        (7, 4, range(2, 7), [4, 3]),
        (2, 4, range(3, 7), []),
        (9, 5, range(2, 6), [5, 4]),
    ],
)
def test_tables_are_as_near_to_the_wanted_size_as_the_title_allows(
    people: int, wanted: int, players: range, sizes: list[int]
) -> None:
    assert table_sizes(people, wanted, players) == sizes


def test_nobody_meets_again_who_need_not() -> None:
    people, drawn = [person(number) for number in range(16)], list[DrawRecord]()
    for number in range(1, 4):
        tables = draw_tables(people, [4] * 4, strain_of(drawn, {}))
        drawn += [DrawRecord(1, number, at, one) for at, table in enumerate(tables, 1) for one in table]
    pairs = [
        frozenset(pair)
        for number in range(1, 4)
        for at in range(1, 5)
        for pair in combinations([one.person for one in drawn if (one.round, one.number) == (number, at)], 2)
    ]
    assert len(pairs) == 3 * 4 * 6 and len(pairs) - len(set(pairs)) <= 2


def test_people_who_do_not_want_to_meet_are_kept_apart() -> None:
    people = [person(number) for number in range(8)]
    apart = {people[0]: {people[1]}, people[1]: {people[0]}}
    strain = strain_of([], apart)
    assert strain(people[0], people[1]) == KEPT_APART
    one, other = draw_tables(people, [4, 4], strain)
    assert (people[0] in one) != (people[1] in one) and sorted([*one, *other]) == people


# -- a whole season -----------------------------------------------------------------------------------


async def test_sixty_four_people_play_three_rounds_without_a_hand(tables: GameService, clock: Clock) -> None:
    season = await opened(tables)
    await entered(tables, season, 64)
    await swept(tables)
    assert not (await seen(tables, season)).tables, "not before the sign-up is over"
    clock.advance(days=WEEK)
    for number in (1, 2, 3):
        await play_round(tables, season)
        view = await seen(tables, season)
        assert view.record.round == number and len(view.tables) == 16
        assert all(len(names) == 4 for _, names in view.tables.values())
    await swept(tables)
    view = await seen(tables, season)
    assert view.record.status == "finished" and sum(one.points for one in view.standings) == 3 * 16 * (3 + 2 + 1)
    best = view.standings[0]
    assert (best.entrant.person, best.points, best.games) == (person(0), 9, 3), "whoever is named first is always rich"
    games = await tables.desk.store.games.list_all()
    assert len(games) == 48 and {game.status for game in games} == {"finished"}
    assert {game.moderator for game in games} == {MANAGER}


async def test_a_table_hears_of_the_round_and_the_standings(tables: GameService, clock: Clock) -> None:
    season = await due(tables, clock, 2)
    await play_round(tables, season)
    await swept(tables)
    notices = [one for one in await tables.outbox.waiting_notices() if one.kind == NoticeKind.TOLD]
    told = [[tr(line) for line in one.lines] for one in notices]
    assert ["Season Spring: round 1 of 1, table 1 of 1."] in told
    assert told[-1] == [
        "Season Spring, after round 1:",
        "1. Player 0: points 1, games 1",
        "2. Player 1: points 0, games 1",
        "The season is over.",
    ]
    place = await tables.places.place(notices[0].game)
    assert place is not None and (place.guild, place.channel, place.trouble) == (GUILD, "10", "thread")


async def test_a_season_begins_once_enough_people_are_in_it(tables: GameService, clock: Clock) -> None:
    season = await opened(tables, size=3, rounds=1)
    await entered(tables, season, 1)
    clock.advance(days=WEEK + 1)
    await swept(tables)
    assert (await seen(tables, season)).record.status == "sign-up"
    await tables.seasons.enter(season.id, ANN, "Ann", GUILD)
    await tables.seasons.enter(season.id, BOB, "Bob", GUILD)
    await swept(tables)
    view = await seen(tables, season)
    assert view.record.status == "running" and {*view.tables[1][1]} == {"Ann", "Bob", "Player 0"}


async def test_who_leaves_is_drawn_no_more_and_who_comes_late_plays_from_the_next_round(
    tables: GameService, clock: Clock
) -> None:
    season = await due(tables, clock, 4, rounds=2)
    await swept(tables)
    await tables.seasons.enter(season.id, ANN, "Ann", GUILD)
    await tables.seasons.leave(season.id, person(0), GUILD)
    lost = next(game for game, names in (await seen(tables, season)).tables.values() if "Player 1" in names)
    await tables.moderation.leave_seat(int(lost or 0), person(1))
    await tables.moderation.set_status(int(lost or 0), MANAGER, "finished")
    await play_round(tables, season)
    await swept(tables)
    view = await seen(tables, season)
    names = {name for _, people in view.tables.values() for name in people}
    assert view.record.round == 2 and "Player 0" not in names and "Player 1" not in names and "Ann" in names
    gone = {tr(line) for line in standing_lines(view.standings) if "has left" in tr(line)}
    assert len(gone) == 2


async def test_sitting_a_round_out_is_worth_half_of_a_table(tables: GameService) -> None:
    season = await opened(tables, size=4)
    await entered(tables, season, 2)
    entrants = await tables.desk.store.seasons.entrants_of(season.id)
    found = standings_of(season, entrants, [DrawRecord(season.id, 1, SITS_OUT, person(1))], {})
    assert [(one.entrant.name, one.points) for one in found] == [("Player 1", 1.5), ("Player 0", 0)]


async def test_a_crash_between_the_steps_opens_no_table_twice(
    tables: GameService, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    await due(tables, clock, 4)
    assert await tables.seasons.sweep() == 1

    async def broken(*args: object) -> None:
        raise ValueError("a crash")

    with monkeypatch.context() as patched:
        patched.setattr(tables.lobby, "start", broken)
        assert await tables.seasons.sweep() == 0
    await swept(tables)
    games = await tables.desk.store.games.list_all()
    assert len(games) == 2 and {game.status for game in games} == {"running"}


async def test_a_table_with_too_few_people_or_a_broken_one_holds_up_no_other(
    tables: GameService, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    season = await due(tables, clock, 6)
    assert await tables.seasons.sweep() == 1
    drawn = await tables.desk.store.seasons.draws_of(season.id)
    await tables.privacy.forget_person(next(one.person for one in drawn if one.number == 1))
    start = tables.lobby.start

    async def start_only_later(game_id: int, *more: object) -> object:
        if game_id == 1:
            raise ValueError("a fault")
        return await start(game_id, *more)  # type: ignore[arg-type]

    with monkeypatch.context() as patched:
        patched.setattr(tables.lobby, "start", start_only_later)
        await tables.seasons.sweep()
    games = await tables.desk.store.games.list_all()
    assert [game.status for game in games] == ["running", "lobby"]
    await swept(tables)
    view = await seen(tables, season)
    assert len(view.tables[0][1]) == 1 and [game for game, _ in view.tables.values()] == [None, 1, 2]


async def test_a_season_that_is_cancelled_meanwhile_does_not_go_on(
    tables: GameService, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    season = await due(tables, clock, 4)
    draw = tables.seasons._draw

    async def cancel_then_draw(*values: object) -> object:
        await tables.seasons.cancel(season.id, GUILD)
        return await draw(*values)  # type: ignore[arg-type]

    monkeypatch.setattr(tables.seasons, "_draw", cancel_then_draw)
    assert await tables.seasons.sweep() == 0
    assert (await seen(tables, season)).record.status == "cancelled"
    assert await tables.desk.store.seasons.draws_of(season.id) == []


async def test_a_game_of_an_earlier_round_that_goes_on_is_waited_for(tables: GameService, clock: Clock) -> None:
    season = await due(tables, clock, 2, rounds=2)
    await play_round(tables, season)
    await play_round(tables, season)
    await tables.moderation.rewind(1, MANAGER, 2)
    await tables.records.catch_up(None)
    await swept(tables)
    assert (await seen(tables, season)).record.status == "running"


async def test_who_enters_again_plays_on(tables: GameService, clock: Clock) -> None:
    season = await due(tables, clock, 2, rounds=2)
    await swept(tables)
    clock.advance(hours=1)
    await tables.seasons.leave(season.id, person(0), GUILD)
    await tables.moderation.leave_seat(1, person(0))
    await tables.seasons.enter(season.id, person(0), "Player 0", GUILD)
    await tables.moderation.set_status(1, MANAGER, "finished")
    await play_round(tables, season)
    await swept(tables)
    assert {*(await seen(tables, season)).tables[1][1]} == {"Player 0", "Player 1"}


async def test_namesakes_who_entered_at_one_moment_play_all_the_same(tables: GameService, clock: Clock) -> None:
    season = await opened(tables, size=2, rounds=1)
    for number in (0, 1):
        await tables.desk.store.seasons.enter(EntrantRecord(season.id, person(number), "Sam", float(number)))
    clock.advance(days=WEEK)
    await swept(tables)
    assert sorted(held.name for held in (await tables.desk.table(1)).seats) == ["Sam", "Sam 2"]


async def test_a_title_that_is_gone_leaves_seasons_to_be_seen_and_cancelled(tables: GameService) -> None:
    season = await opened(tables)
    await tables.desk.store.seasons.enter(EntrantRecord(season.id, person(0), "Sam", 0.0))
    record = await tables.seasons.find(season.id, MANAGER, GUILD)
    record.title = "gone"
    assert (await tables.seasons.view(record)).title == "gone"


async def test_a_round_under_way_asks_for_no_table_again(
    tables: GameService, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    await due(tables, clock, 6)
    await swept(tables)
    asked: list[object] = []
    monkeypatch.setattr(tables.desk.store.games, "find", asked.append)
    assert await tables.seasons.sweep() == 0 and asked == []


async def test_what_is_refused(tables: GameService, clock: Clock) -> None:
    season = await opened(tables, rounds=1)
    refusals = [
        (tables.seasons.enter(season.id, EVE, "Eve", "2"), "There is no season"),
        (tables.seasons.leave(season.id, BOB, GUILD), "You are not in this season"),
        (tables.seasons.cancel(season.id, "2"), "There is no season"),
        (opened(tables, size=20), "is for"),
    ]
    await tables.seasons.enter(season.id, ANN, "Ann", GUILD)
    refusals.append((tables.seasons.enter(season.id, BOB, "ann", GUILD), "already a player called Ann"))
    refusals.append((tables.seasons.enter(season.id, ANN, "Ann", "2"), "on its server"))
    for doing, why in refusals:
        with pytest.raises(IllegalMove, match=why):
            await doing
    for _ in range(MOST_OPEN - 1):
        await opened(tables)
    with pytest.raises(IllegalMove, match="seasons that are not over"):
        await opened(tables)
    await tables.seasons.cancel(season.id, GUILD)
    with pytest.raises(IllegalMove, match="Nobody can enter this season any more"):
        await tables.seasons.enter(season.id, BOB, "Bob", GUILD)


async def test_an_erased_player_is_in_no_season(tables: GameService, clock: Clock, place: Path | Server) -> None:
    season = await opened(tables, size=2, rounds=2)
    await tables.seasons.enter(season.id, person(0), "Zacharias", GUILD)
    for number in (1, 2, 3):
        await tables.seasons.enter(season.id, person(number), f"Player {number}", GUILD)
    clock.advance(days=WEEK)
    await play_round(tables, season)
    await swept(tables)
    kept = await tables.privacy.personal_data(person(0))
    assert b"Zacharias" in kept and "Zacharias" in everything(place)
    await tables.privacy.forget_person(person(0))
    names = {one.entrant.name for one in (await seen(tables, season)).standings}
    assert names == {"Player 1", "Player 2", "Player 3"}
    assert "Zacharias" not in everything(place) and person(0) not in everything(place)
    assert b"seasons organised" in await tables.privacy.personal_data(MANAGER)
    await tables.privacy.forget_person(MANAGER)
    assert MANAGER not in everything(place)


@pytest.mark.parametrize("name", ["begin_round", "add_game"])
async def test_an_erasure_beside_a_draw_seats_nobody_who_is_gone(
    tables: GameService, clock: Clock, place: Path | Server, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    season = await due(tables, clock, 5, size=4)
    repository, erased = tables.desk.store.seasons, person(1)
    save = getattr(repository, name)

    async def erase_and_save(*values: object) -> object:
        monkeypatch.setattr(repository, name, save)
        await tables.privacy.forget_person(erased)
        return await save(*values)

    monkeypatch.setattr(repository, name, erase_and_save)
    for _ in range(3):
        await tables.seasons.sweep()
    assert erased not in everything(place)
    drawn = await repository.draws_of(season.id)
    assert {one.person for one in drawn} == {person(number) for number in (0, 2, 3, 4)}
    assert all(one.game is not None for one in drawn if one.number != SITS_OUT)
