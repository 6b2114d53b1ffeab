"""What is kept about a person, and that he can be forgotten without ending a game."""

from __future__ import annotations

import json
import shutil
import zlib
from pathlib import Path
from types import SimpleNamespace

import pytest

from bot.engine.refusals import IllegalMove
from bot.service.features.privacy import PERSON
from bot.service.game_service import GameService
from bot.store import Place, Server, StoreDamaged
from bot.store.schema import metadata
from tests.service.conftest import ANN, BOB, CID, EVE, there, total
from tests.store.postgres_cluster import execute


def everything(place: Path | Server) -> str:
    """All that the database holds, positions unpacked."""
    rows = [row for table in metadata.tables for row in execute(place, f"SELECT * FROM {table}")]
    found = [
        zlib.decompress(value).decode() if isinstance(value, bytes) else str(value) for row in rows for value in row
    ]
    return "\n".join(found)


async def test_a_person_sees_all_that_is_kept_about_him_and_nothing_else(tables: GameService, game_id: int) -> None:
    await tables.moves.submit(game_id, ANN, "bid P1 3")
    await tables.moves.submit(game_id, BOB, "bid P1 2")
    await tables.reminders.set_quiet_hours(game_id, BOB, "Europe/Berlin", 22, 8)
    data = json.loads(await tables.privacy.personal_data(BOB))
    assert [seat["name"] for seat in data["seats"]] == ["Bob"]
    assert data["seats"][0]["zone"] == "Europe/Berlin"
    assert [move["text"] for move in data["moves"]] == ["@2 bid P1 2"]
    assert ANN not in json.dumps(data["moves"]) and CID not in json.dumps(data)
    assert not any(json.loads(await tables.privacy.personal_data("discord:77")).values())


async def test_the_data_of_a_sitter_or_a_moderator_hold_no_ids_nor_habits_of_others(
    tables: GameService, game_id: int
) -> None:
    await tables.reminders.set_quiet_hours(game_id, BOB, "Europe/Berlin", 22, 8)
    await tables.reminders.set_holiday(BOB, 5)
    await tables.moderation.set_sitter(game_id, BOB, 2, EVE, "Eve", 9)
    await tables.moderation.replace(game_id, ANN, 3, "discord:7", "Gus")
    shown = {person: (await tables.privacy.personal_data(person)).decode() for person in (ANN, BOB, CID, EVE)}
    (sits,) = json.loads(shown[EVE])["sits in for"]
    assert sits.keys() == {"game", "number", "sitter", "sitter_until"} and sits["sitter"] == EVE
    assert "Berlin" not in shown[EVE] and "away_until" not in shown[EVE] and "Berlin" in shown[BOB]
    for person, data in shown.items():
        assert set(PERSON.findall(data)) == {person}


async def test_who_came_and_left_is_taken_out_of_what_the_opener_is_told(
    tables: GameService, place: Path | Server
) -> None:
    await tables.mail.request_confirmation("ann@home.example", ANN)
    await tables.mail.confirm_address(ANN, "ann@home.example")
    await tables.mail.set_delivery(ANN, "turns")
    game = await tables.lobby.create("toy", ANN, [(ANN, "Ann")])
    await tables.lobby.join(game, there(BOB), "Bob")
    await tables.lobby.leave(game, BOB)
    assert "Bob" in everything(place) and await tables.mail.waiting_mails()
    await tables.privacy.forget_person(BOB)
    assert "Bob" not in everything(place) and BOB not in everything(place)


async def test_a_forgotten_person_is_in_no_row_and_the_game_goes_on_with_a_successor(
    tables: GameService, game_id: int, place: Path | Server
) -> None:
    await tables.desk.store.games.set_place(Place(game_id, "1", "2", "3"))
    await tables.moves.submit(game_id, ANN, "bid P1 3")
    await tables.moves.submit(game_id, BOB, "bid P1 7")
    for person in (ANN, BOB, CID):
        await tables.moves.submit(game_id, person, "yes")
    assert BOB in everything(place)
    assert await tables.privacy.forget_person(BOB) == 1
    left = everything(place)
    assert BOB not in left
    assert "Bob" not in left
    assert "Player 2" in left
    table = await tables.desk.table(game_id)
    assert (table.record.status, [seat.person for seat in table.seats]) == ("running", [ANN, "", CID])
    assert (await tables.doctor.examine(game_id)).is_healthy
    assert await total(tables, game_id) == 10
    await tables.moves.submit(game_id, CID, "bid P1 1")
    await tables.moderation.replace(game_id, ANN, 2, BOB, "Robert")
    await tables.moves.submit(game_id, ANN, "pass")
    await tables.moves.submit(game_id, BOB, "bid P1 1")
    assert await total(tables, game_id) == 12
    assert (await tables.doctor.examine(game_id)).is_healthy


async def test_another_program_forgets_him_too(tables: GameService, game_id: int) -> None:
    other = GameService(tables.desk.store, tables.desk.titles, tables.desk.clock)
    for person in (ANN, BOB):
        await tables.moves.submit(game_id, person, "bid P1 3")
    await tables.moderation.leave_seat(game_id, BOB)
    assert (await other.desk.require_started(game_id))[1].state.players[1].name == "Bob"
    await tables.privacy.forget_person(BOB)
    assert (await other.desk.require_started(game_id))[1].state.players[1].name == "Player 2"


async def test_a_moderator_who_is_forgotten_has_a_successor(tables: GameService, game_id: int) -> None:
    await tables.privacy.forget_person(ANN)
    assert (await tables.desk.table(game_id)).record.moderator == BOB
    await tables.moderation.set_status(game_id, BOB, "paused")


async def test_a_name_from_a_seat_given_up_earlier_is_found(
    tables: GameService, game_id: int, place: Path | Server
) -> None:
    await tables.moves.submit(game_id, ANN, "bid P1 3")
    await tables.moves.submit(game_id, BOB, "bid P1 2")
    await tables.moderation.replace(game_id, ANN, 2, CID, "Cecil")
    await tables.privacy.forget_person(BOB)
    left = everything(place)
    assert "Bob" not in left and BOB not in left
    assert "Cecil" in left
    assert (await tables.doctor.examine(game_id)).is_healthy


async def test_whoever_never_moved_is_forgotten_as_well(
    tables: GameService, game_id: int, place: Path | Server
) -> None:
    """Bob leaves, Cid is replaced, who follows Cid is replaced in his turn; none of them has made a move."""
    await tables.moderation.leave_seat(game_id, BOB)
    await tables.moderation.replace(game_id, ANN, 3, EVE, "Eve")
    await tables.moderation.replace(game_id, ANN, 3, "discord:7", "Gus")
    for person, name in ((BOB, "Bob"), (CID, "Cid"), (EVE, "Eve")):
        assert name in everything(place)
        await tables.privacy.forget_person(person)
        left = everything(place)
        assert name not in left and f'"{person}"' not in left
    assert [seat.name for seat in (await tables.desk.table(game_id)).seats] == ["Ann", "Player 2", "Gus"]
    assert (await tables.doctor.examine(game_id)).is_healthy


@pytest.mark.whole
async def test_a_name_is_found_where_no_position_of_that_time_is_kept(
    tables: GameService, game_id: int, place: Path | Server
) -> None:
    """Bob moves and is followed by Eve, who moves and leaves; long after she is forgotten, then he."""
    await tables.moves.submit(game_id, ANN, "bid P1 1")
    await tables.moves.submit(game_id, BOB, "bid P1 1")
    await tables.moderation.replace(game_id, ANN, 2, EVE, "Eve")
    for person in (CID, ANN, EVE):
        await tables.moves.submit(game_id, person, "bid P1 1")
    await tables.moderation.leave_seat(game_id, EVE)
    for status in ("paused", "running") * 120:
        await tables.moderation.set_status(game_id, ANN, status)
    assert await tables.desk.store.moves.snapshot(game_id, 6) is None
    await tables.privacy.forget_person(EVE)
    assert "Eve" not in everything(place) and '"name":"Bob"' in everything(place)
    await tables.privacy.forget_person(BOB)
    assert "Bob" not in everything(place)
    assert (await tables.doctor.examine(game_id)).is_healthy


async def test_names_inside_other_words_stay(tables: GameService, place: Path | Server) -> None:
    game = await tables.lobby.create("toy", ANN, [(ANN, "Ann"), (BOB, "Annabel"), (CID, "Player 1")])
    await tables.lobby.start(game, ANN, "list")
    await tables.moves.submit(game, ANN, "bid P1 3")
    await tables.privacy.forget_person(ANN)
    table = await tables.desk.table(game)
    assert [seat.name for seat in table.seats] == ["Player 2", "Annabel", "Player 1"]
    assert (await tables.doctor.examine(game)).is_healthy


async def test_a_lobby_is_left_and_a_stranger_is_told(tables: GameService) -> None:
    game = await tables.lobby.create("toy", ANN, [(ANN, "Ann"), (BOB, "Bob")])
    await tables.privacy.forget_person(BOB)
    assert [seat.name for seat in (await tables.desk.table(game)).seats] == ["Ann"]
    with pytest.raises(IllegalMove, match="Nothing is stored about you"):
        await tables.privacy.forget_person("discord:77")


@pytest.mark.parametrize("place", ["file"], indirect=True)
async def test_a_file_is_not_written_anew_where_there_is_no_room_but_later(
    tables: GameService, game_id: int, place: Path | Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would fill the disk for everybody else every minute, and its log would stay as long as the file."""
    assert isinstance(place, Path)
    store, room = tables.desk.store, SimpleNamespace(free=2 * place.stat().st_size - 1)
    with monkeypatch.context() as crowded:
        crowded.setattr(shutil, "disk_usage", lambda folder: room)
        await tables.privacy.forget_person(BOB)
        assert store.is_unpurged
    assert BOB not in everything(place)
    store._next_purge = 0.0
    await store.purge()
    assert not store.is_unpurged


async def test_what_is_damaged_in_games_of_others_keeps_nobody_from_being_erased(
    tables: GameService, game_id: int, place: Path | Server
) -> None:
    await tables.moderation.replace(game_id, ANN, 3, EVE, "Eve")
    number = (await tables.desk.table(game_id)).record.version
    other = await tables.lobby.create("toy", "discord:77", [("discord:77", "Fay"), ("discord:78", "Gus")])
    await tables.lobby.start(other, "discord:77", "list")
    cut = f'UPDATE moves SET lines = \'[["said","",[["guest",\' WHERE game = {game_id} AND number = {number}'
    execute(place, cut)
    await tables.privacy.forget_person("discord:77")
    assert "discord:77" not in everything(place)
    with pytest.raises(StoreDamaged, match=f"game {game_id} is damaged"):
        await tables.privacy.forget_person(BOB)


class Killed(BaseException):
    """The program ends."""


@pytest.mark.parametrize("at", ["the first seat", "the second seat", "the last transaction"])
async def test_an_erasure_that_a_kill_interrupts_is_finished_by_the_next_start(
    tables: GameService, game_id: int, place: Path | Server, monkeypatch: pytest.MonkeyPatch, at: str
) -> None:
    second = await tables.lobby.create("toy", ANN, [(ANN, "Ann"), (BOB, "Bob"), (CID, "Cid")])
    await tables.lobby.start(second, ANN, "list")
    left = {"the first seat": 0, "the second seat": 1, "the last transaction": 2}[at]
    get_up = tables.privacy._leave_game

    async def get_up_some(number: int, person: str) -> None:
        nonlocal left
        if not left:
            raise Killed
        left -= 1
        await get_up(number, person)

    async def erase(*rest: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(tables.privacy, "_leave_game", get_up_some)
        patch.setattr(tables.desk.store.privacy, "erase", erase)
        with pytest.raises(Killed):
            await tables.privacy.forget_person(BOB)
    assert BOB in everything(place)
    await tables.reminders.sweep()
    assert BOB in everything(place), "it may be under way"
    tables.desk.clock.advance(minutes=1)  # type: ignore[attr-defined]
    after = GameService(tables.desk.store, tables.desk.titles, tables.desk.clock)
    await after.reminders.sweep()
    assert "Bob" not in everything(place) and BOB not in everything(place)


async def test_an_erasure_that_cannot_be_finished_holds_up_no_housekeeping(
    tables: GameService, game_id: int, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await tables.desk.store.privacy.begin_erasing(BOB, tables.desk.now())
    tables.desk.clock.advance(minutes=1)  # type: ignore[attr-defined]
    after = GameService(tables.desk.store, tables.desk.titles, tables.desk.clock)
    monkeypatch.setattr(after.privacy, "_leave_game", None)
    for _ in range(2):
        await after.reminders.sweep()
    assert caplog.text.count("cannot be finished") == 1


async def test_who_is_forgotten_is_in_no_copy_of_their_game(
    tables: GameService, game_id: int, place: Path | Server
) -> None:
    await tables.moves.submit(game_id, ANN, "bid P1 3")
    clone = await tables.transfer.clone(game_id, ANN)
    again = await tables.transfer.clone(clone, ANN)
    tables.desk.clock.advance(minutes=1)  # type: ignore[attr-defined]
    other = await tables.lobby.create("toy", EVE, [(EVE, "Bob")])
    assert await tables.privacy.forget_person(BOB) == 1
    named = {
        number: [seat.name for seat in await tables.desk.store.games.seats(number)] for number in (clone, again, other)
    }
    assert named == {clone: ["Ann", "Player 2", "Cid"], again: ["Ann", "Player 2", "Cid"], other: ["Bob"]}
    for number in (clone, again):
        assert [player.name for player in (await tables.desk.require_started(number))[1].state.players] == named[number]
