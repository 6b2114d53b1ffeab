"""Games that are over, and records of players."""

from __future__ import annotations

from bot.i18n import set_reader_language
from bot.service.features.results import results_text, tallies
from bot.service.game_service import GameService
from bot.store import Place
from tests.service.conftest import ANN, BOB, CID, Clock

People = list[tuple[str, str]]
AB: People = [(ANN, "Ann"), (BOB, "Bob")]


async def played(tables: GameService, people: People, guild: str, cash: str, is_whole: bool = True) -> int:
    """A game of the toy in that server, in which somebody is given money, played to its end or broken off."""
    game = await tables.lobby.create("toy", people[0][0], people)
    await tables.lobby.start(game, people[0][0], "list")
    await tables.desk.store.games.set_place(Place(game, guild, f"{game}0"))
    await tables.moderation.correct(game, people[0][0], f"cash {cash}", "found")
    for move in range(7 if is_whole else 0):
        await tables.moves.submit(game, people[move % len(people)][0], "bid P1 9")
    if not is_whole:
        await tables.moderation.set_status(game, people[0][0], "finished")
    return game


async def test_nothing_is_over_yet(tables: GameService, game_id: int) -> None:
    assert results_text(await tables.results.finished_games()) == "No game has finished yet."


async def test_the_games_of_one_server_the_newest_first(tables: GameService, clock: Clock) -> None:
    first = await played(tables, AB, "1", "Bob 5000")
    clock.advance(hours=30)
    await played(tables, AB, "2", "Ann 7000")
    second = await played(tables, [(CID, "Cid"), *AB], "1", "Cid 6000", is_whole=False)
    assert [result.record.id for result in await tables.results.finished_games("1")] == [second, first]
    assert len(await tables.results.finished_games()) == 3
    lines = results_text(await tables.results.finished_games("1")).splitlines()
    assert lines[1].startswith(f"{second}: toy, ") and "(broken off): 1. Cid £6000" in lines[1]
    assert lines[2].startswith(f"{first}: toy, ") and "1. Bob £5000, 2. Ann £" in lines[2]
    assert lines[1].split(", ")[1][:10] > lines[2].split(", ")[1][:10], "a day later"


async def test_records_count_what_was_played_to_its_end(tables: GameService) -> None:
    await played(tables, AB, "1", "Bob 5000")
    await played(tables, AB, "1", "Ann 5000")
    await played(tables, [(CID, "Cid"), *AB], "1", "Bob 6000")
    await played(tables, AB, "1", "Ann 9000", is_whole=False)
    found = {
        tally.name: (tally.wins, sorted(tally.places)) for tally in tallies(await tables.results.finished_games("1"))
    }
    assert found == {"Bob": (2, [1, 1, 2]), "Ann": (1, [1, 2, 2]), "Cid": (0, [2])}
    text = results_text(await tables.results.finished_games("1"))
    assert text.splitlines()[-3:] == [
        "Bob: 3 played, 2 won, place 1.3 on average",
        "Ann: 3 played, 1 won, place 1.7 on average",
        "Cid: 1 played, 0 won, place 2.0 on average",
    ]
    set_reader_language("de")
    assert "Bob: 3 gespielt, 2 gewonnen, im Mittel Platz 1,3" in results_text(await tables.results.finished_games("1"))
    set_reader_language("en")


async def test_several_seats_of_one_person_are_told_apart_by_their_names(tables: GameService) -> None:
    await played(tables, [(ANN, "Ann"), (ANN, "Zoe")], "1", "Zoe 5000")
    assert [(tally.name, tally.wins) for tally in tallies(await tables.results.finished_games())] == [
        ("Zoe", 1),
        ("Ann", 0),
    ]


async def test_whoever_is_forgotten_has_no_record(tables: GameService) -> None:
    await played(tables, AB, "1", "Bob 5000")
    await tables.privacy.forget_person(BOB)
    text = results_text(await tables.results.finished_games("1"))
    assert "Bob" not in text and "Ann: 1 played, 0 won" in text


async def test_what_cannot_be_read_is_left_out(tables: GameService) -> None:
    broken = await played(tables, AB, "1", "Bob 5000")
    whole = await played(tables, AB, "1", "Ann 5000")
    async with tables.desk.store.write_transaction() as connection:
        await connection.exec_driver_sql(f"DELETE FROM moves WHERE game = {broken}")
    assert [result.record.id for result in await tables.results.finished_games("1")] == [whole]
