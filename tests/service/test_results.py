"""Games that are over, records of players and titles, ratings."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.engine.refusals import IllegalMove
from bot.i18n import set_reader_language
from bot.service.features.ratings import BEGINNER, rate, win_chances
from bot.service.features.record_text import person_lines, title_lines
from bot.service.features.results import results_text, tallies
from bot.service.game_service import GameService
from bot.store import Audience, FinishedGame, Place, Server
from tests.service.conftest import ANN, BOB, CID, EVE, Clock
from tests.service.test_privacy import everything
from tests.store.postgres_cluster import execute

People = list[tuple[str, str]]
AB: People = [(ANN, "Ann"), (BOB, "Bob")]
ALL = {ANN, BOB, CID}


async def played(
    tables: GameService, people: People, guild: str, cash: str, is_whole: bool = True, is_unrated: bool = False
) -> int:
    """A game of the toy in that server, in which somebody is given money, played to its end or broken off."""
    game = await tables.lobby.create("toy", people[0][0], people)
    if is_unrated:
        await tables.lobby.choose_rating(game, people[0][0], True)
    await tables.lobby.start(game, people[0][0], "list")
    await tables.desk.store.games.set_place(Place(game, guild, f"{game}0"))
    await tables.moderation.correct(game, people[0][0], f"cash {cash}", "found")
    for move in range(7 if is_whole else 0):
        await tables.moves.submit(game, people[move % len(people)][0], "bid P1 9")
    if not is_whole:
        await tables.moderation.set_status(game, people[0][0], "finished")
    tables.desk.clock.advance(hours=1)  # type: ignore[attr-defined]
    return game


def ratings(outcomes: list[FinishedGame]) -> list[tuple[int, str, float | None, float | None]]:
    return [
        (outcome.result.game, one.held.person, one.standing.mu, one.standing.expected)
        for outcome in outcomes
        for one in outcome.seats
    ]


async def test_nothing_is_over_yet(tables: GameService, game_id: int) -> None:
    assert results_text(await tables.records.outcomes()) == "No game has finished yet."


async def test_the_games_of_one_server_the_newest_first(tables: GameService, clock: Clock) -> None:
    first = await played(tables, AB, "1", "Bob 5000")
    clock.advance(hours=30)
    await played(tables, AB, "2", "Ann 7000")
    second = await played(tables, [(CID, "Cid"), *AB], "1", "Cid 6000", is_whole=False)
    assert [outcome.result.game for outcome in await tables.records.outcomes("1")] == [second, first]
    assert len(await tables.records.outcomes()) == 3
    lines = results_text(await tables.records.outcomes("1")).splitlines()
    assert lines[1].startswith(f"{second}: toy, ") and "(abandoned): 1. Cid 6000" in lines[1]
    assert lines[2].startswith(f"{first}: toy, ") and "1. Bob 5000, 2. Ann " in lines[2]
    assert lines[1].split(", ")[1][:10] > lines[2].split(", ")[1][:10], "a day later"


async def test_many_games_are_read_in_parts_and_in_their_order(
    tables: GameService, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = []
    for winner in ("Bob 5000", "Ann 7000", "Bob 6000"):
        games.append(await played(tables, AB, "1", winner))
        clock.advance(hours=1)
    monkeypatch.setattr("bot.store.results.AT_ONCE", 2)
    assert [outcome.result.game for outcome in await tables.records.outcomes("1")] == games[::-1]


async def test_records_count_what_was_played_to_its_end(tables: GameService) -> None:
    await played(tables, AB, "1", "Bob 5000")
    await played(tables, AB, "1", "Ann 5000")
    await played(tables, [(CID, "Cid"), *AB], "1", "Bob 6000")
    await played(tables, AB, "1", "Ann 9000", is_whole=False)
    outcomes = await tables.records.outcomes("1")
    found = {tally.name: (tally.wins, sorted(tally.places)) for tally in tallies(outcomes, ALL)}
    assert found == {"Bob": (2, [1, 1, 2]), "Ann": (1, [1, 2, 2]), "Cid": (0, [2])}
    assert results_text(outcomes, ALL).splitlines()[-3:] == [
        "Bob: 3 played, 2 won, place 1.3 on average",
        "Ann: 3 played, 1 won, place 1.7 on average",
        "Cid: 1 played, 0 won, place 2.0 on average",
    ]
    set_reader_language("de")
    assert "Bob: 3 gespielt, 2 gewonnen, im Mittel Platz 1,3" in results_text(outcomes, ALL)
    set_reader_language("en")


async def test_several_seats_of_one_person_are_told_apart_by_their_names_and_rate_nobody(tables: GameService) -> None:
    await played(tables, [(ANN, "Ann"), (ANN, "Zoe")], "1", "Zoe 5000")
    outcomes = await tables.records.outcomes()
    assert [(tally.name, tally.wins) for tally in tallies(outcomes, ALL)] == [("Zoe", 1), ("Ann", 0)]
    assert not outcomes[0].result.rated


async def test_whoever_is_forgotten_has_no_record(tables: GameService, place: Path | Server) -> None:
    await played(tables, AB, "1", "Bob 5000")
    await played(tables, [(CID, "Cid"), *AB], "1", "Cid 5000")
    before = ratings(await tables.records.outcomes())
    await tables.privacy.forget_person(BOB)
    left = everything(place)
    assert "Bob" not in left and BOB not in left
    assert not execute(place, "SELECT * FROM standings"), "with his ways of answering"
    outcomes = await tables.records.outcomes("1")
    text = results_text(outcomes, {*ALL, ""})
    assert "Bob" not in text and "Ann: 2 played, 0 won" in text
    assert [one.standing.answers for outcome in outcomes for one in outcome.seats if not one.held.person] == [[], []]
    assert ratings(outcomes) != before, "games against him are games against a stranger"


async def test_what_cannot_be_read_is_left_out(tables: GameService) -> None:
    whole = await played(tables, AB, "1", "Bob 5000")
    broken = await played(tables, AB, "1", "Ann 5000")
    async with tables.desk.store.write_transaction() as connection:
        await connection.exec_driver_sql(f"DELETE FROM moves WHERE game = {broken}")
    assert [outcome.result.game for outcome in await tables.records.outcomes("1")] == [whole]
    assert await tables.records.catch_up() == 0, "and is not tried at every sweep"


# -- figures and ratings ------------------------------------------------------------------------------


async def test_a_game_that_goes_on_is_taken_out_and_ratings_after_it_follow(tables: GameService) -> None:
    first = await played(tables, AB, "1", "Bob 5000")
    second = await played(tables, AB, "1", "Ann 5000")
    both = ratings(await tables.records.outcomes())
    await tables.moderation.rewind(first, ANN, 3)
    only = ratings(await tables.records.outcomes())
    assert {game for game, *_ in only} == {second}
    assert only != both[:2], "the second game is the first now"
    assert {chance for *_, chance in only} == {0.5}


async def test_all_is_computed_again_as_it_was(tables: GameService) -> None:
    await played(tables, AB, "1", "Bob 5000")
    await played(tables, [(CID, "Cid"), *AB], "1", "Bob 6000")
    await played(tables, AB, "2", "Ann 5000", is_unrated=True)
    was = await tables.records.outcomes()
    assert [outcome.result.rated for outcome in was] == [False, True, True]
    assert was[0].seats[0].standing.mu is None
    assert await tables.records.rebuild() == 3
    assert await tables.records.outcomes() == was
    assert await tables.records.rate_again() == 2
    assert await tables.records.outcomes() == was


async def test_whoever_wins_is_rated_higher_and_whoever_takes_over_is_not_rated(tables: GameService) -> None:
    for _ in range(4):
        await played(tables, AB, "1", "Bob 5000")
    game = await tables.lobby.create("toy", ANN, AB)
    await tables.lobby.start(game, ANN, "list")
    await tables.moderation.leave_seat(game, BOB)
    await tables.moderation.replace(game, ANN, 2, CID, "Cid")
    for move in range(7):
        await tables.moves.submit(game, (ANN, CID)[move % 2], "bid P1 9")
    bob, cid = [await tables.records.record_of(person, person, ()) for person in (BOB, CID)]
    ann = await tables.records.record_of(ANN, ANN, ())
    assert bob.rating_in() is not None and ann.rating_in() is not None and cid.rating_in() is None
    assert bob.rating_in().rating.mu > 25 > ann.rating_in().rating.mu  # type: ignore[union-attr]
    assert (bob.left, cid.left, len(cid.games)) == (1, 0, 1)
    assert bob.rating_in().is_provisional and not ann.rating_in().is_provisional  # type: ignore[union-attr]


def test_ratings_follow_places() -> None:
    after = rate([BEGINNER] * 3, [1, 2, 2])
    assert after[0].mu > 25 > after[1].mu == after[2].mu and after[0].sigma < BEGINNER.sigma
    chances = win_chances(after)
    assert sum(chances) == pytest.approx(1) and chances[0] > chances[1]


# -- what is shown ------------------------------------------------------------------------------------


async def test_a_record_is_private_until_its_owner_says_otherwise(tables: GameService) -> None:
    await played(tables, AB, "1", "Bob 5000")
    for audience, around, stranger in (
        (Audience.NOBODY, False, False),
        (Audience.TABLES, True, False),
        (Audience.EVERYBODY, True, True),
        (Audience.NOBODY, False, False),
    ):
        await tables.records.choose_audience(BOB, audience)
        for reader, people, may in ((ANN, {ANN, BOB}, around), (EVE, {EVE}, stranger), (BOB, {BOB}, True)):
            shown = await tables.records.visible_people(reader, [ANN, BOB], people)
            assert (BOB in shown) == may, (audience, reader)
            title = await tables.records.record_of_title("toy", reader, people)
            assert ("Bob" in [name for name, _ in title.best]) == may
            if may:
                assert (await tables.records.record_of(BOB, reader, people)).name == "Bob"
            else:
                with pytest.raises(IllegalMove, match="does not let you see"):
                    await tables.records.record_of(BOB, reader, people)


async def test_records_in_words(tables: GameService) -> None:
    await played(tables, AB, "1", "Bob 5000")
    await played(tables, AB, "1", "Bob 5000")
    record = await tables.records.record_of(BOB, BOB, ())
    lines = person_lines(record)
    assert lines[0] == "Record of Bob"
    assert lines[1].startswith("All titles: 2 games, 2 won (") and "provisional" in lines[1]
    assert "Players: 2: 2 of 2 won" in lines and "Seats: 2: 2 of 2 won" in lines
    found = await tables.records.record_of_title("toy", BOB, ())
    assert title_lines(found)[:2] == [
        "toy: 2 games, half of them within 0 days and 7 moves.",
        "2 players, 2 games; wins by seat: 1: 0, 2: 2",
    ]
    empty = await tables.records.record_of(EVE, EVE, ())
    assert person_lines(empty) == ["No game has been finished yet."]


async def test_a_damaged_figure_is_dropped_by_the_doctor_and_computed_again(
    tables: GameService, place: Path | Server
) -> None:
    game = await played(tables, AB, "1", "Bob 5000")
    was = await tables.records.outcomes()
    execute(place, "UPDATE standings SET companies = '7' WHERE seat = 2")
    assert "standing of seat 2" in str(await tables.doctor.examine(game))
    assert (await tables.doctor.repair_all())[0].report.is_healthy or (await tables.doctor.examine(game)).is_healthy
    assert len(execute(place, "SELECT * FROM standings")) == 1
    assert await tables.records.outcomes() == was
