"""Export, import, and the doctor."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec
import pytest

from bot.engine.games.game_record import GameRecordFile
from bot.engine.ids import seat
from bot.engine.notation.text import format_action
from bot.engine.refusals import IllegalMove
from bot.service.game_service import GameService
from bot.service.imports.file_io import read_file, write_18xx
from bot.service.imports.formats import import_file
from bot.store import Store
from bot.titles.t1848.title import TITLE as AUSTRALIA
from bot.untrusted_input import InvalidFile
from tests.service.conftest import ANN, BOB, CID, EVE, total
from tests.service.toy_title import TITLES


async def test_a_game_goes_out_and_comes_in(tables: GameService, game_id: int) -> None:
    await tables.moves.submit(game_id, ANN, "bid P1 5")
    await tables.moves.undo(game_id, ANN)
    await tables.moves.submit(game_id, ANN, "bid P1 4")
    other = await tables.transfer.import_game(await tables.queries.game_file(game_id), EVE, {"Ann": ANN})
    table = await tables.desk.table(other)
    assert [(record.name, record.person) for record in table.seats] == [("Ann", ANN), ("Bob", EVE), ("Cid", EVE)]
    assert await tables.queries.actions(other) == ["@1 bid P1 4"]
    await tables.moves.submit(other, EVE, "bid P1 3")
    assert await total(tables, other) == 7
    assert [
        notice.seat
        for notice in await tables.outbox.waiting_notices()
        if notice.game == other and notice.kind == "turn"
    ] == [3]


async def test_import_of_a_finished_game_and_of_one_without_moves(tables: GameService) -> None:
    moves = tuple(f"@{1 + n % 2} bid P1 9" for n in range(7))
    game = await tables.transfer.import_game(GameRecordFile("toy", ("Ann", "Bob"), moves), ANN, {"Bob": BOB})
    assert (await tables.desk.table(game)).record.status == "finished"
    assert await tables.desk.store.clocks.list_of(game) == []
    empty = await tables.transfer.import_game(GameRecordFile("toy", ("Ann", "Bob"), ()), ANN, {"Bob": BOB})
    await tables.moves.submit(empty, ANN, "pass")


async def test_a_game_that_somebody_ended_is_so_in_its_file(tables: GameService, game_id: int) -> None:
    assert not (await tables.queries.game_file(game_id)).stopped
    await tables.moderation.set_status(game_id, ANN, "finished")
    assert (await tables.queries.game_file(game_id)).stopped


@pytest.mark.parametrize(
    ("rules", "move", "objection"),
    [
        ("rulebook", "buy CA", r"at move 12 \(@1 agree\).*: CA is not sold"),
        ("rulebook", "buy DH", ""),
        ("18xx.games", "buy DH", ""),
    ],
)
def test_an_export_says_what_18xx_games_refuses(rules: str, move: str, objection: str) -> None:
    """There players do not sell each other the Camden & Amboy of 1830."""
    auction = "@1 bid SV 20,@2 bid CS 40,@1 bid DH 70,@2 bid MH 110,@1 bid CA 160,@2 bid BO 220,@2 par B&O 67"
    texts = (*auction.split(","), "@1 pass", "@2 pass", "@1 pass", f"@2 {move} for 100", "@1 agree")
    found = write_18xx(GameRecordFile("1830", ("Ann", "Bob"), texts, {"rules": rules})).objection
    assert re.search(objection, str(found)) if objection else found is None


def test_a_refused_file_names_the_optional_rule_that_is_missing_here() -> None:
    file = json.loads(write_18xx(GameRecordFile("1830", ("Ann", "Bob"), ("@1 bid SV 20", "@2 bid CS 40"))).content)
    file["settings"] = {"seed": 1, "optional_rules": ["shorter_game"]}
    file["actions"][1]["price"] = 1
    with pytest.raises(InvalidFile, match=r"action 2 .*the optional rule shorter_game of 18xx.games is not known here"):
        import_file(json.dumps(file).encode(), "game.json")


def test_a_game_that_somebody_ended_is_exported_as_one() -> None:
    course = GameRecordFile("1848", ("Ann", "Bob", "Cid"), ("@1 reduce P1",), {"rules": "18xx.games"}, stopped=True)
    content = write_18xx(course).content
    file = json.loads(content)
    assert (file["status"], file["game_end_reason"], file["actions"][-1]["type"]) == (
        "finished", "manually_ended", "end_game"
    )  # fmt: skip
    assert set(file["result"].values()) == {840} and import_file(content, "game.json").course.stopped


@pytest.mark.parametrize(
    ("data", "match"),
    [
        (b"", "not JSON"),
        (b"\xff\xfe\x00", "not JSON"),
        (b"[1, 2", "not JSON"),
        (b'{"format": "signalbox 9"}', "no Signalbox game: .*'signalbox 9'"),
        (b'{"format":"signalbox 1","title":"1848","players":["A","B","C"]}', "moves"),
        (b'{"format":"signalbox 1","title":"1899","players":["A","B"],"moves":[]}', "game of 1899; known titles"),
        (b'{"format":"signalbox 1","title":"1848","players":["A"],"moves":[]}', "3 to 6 players"),
        (b'{"format":"signalbox 1","title":"1848","players":["A","B","C"],"moves":["@1 dance"]}', "no move called"),
        (b'{"format":"signalbox 1","title":"1848","players":["A","B","C"],"moves":["@2 pass"]}', "action 1 .*turn"),
        (b" " * (5 * 2**20), "larger than 4 MB"),
    ],
)
def test_a_corrupt_file_is_refused_whole(data: bytes, match: str) -> None:
    with pytest.raises(IllegalMove, match=match):
        read_file(data)


@pytest.mark.parametrize(
    ("course", "match"),
    [
        (GameRecordFile("1899", ("A", "B"), ()), "no title 1899"),
        (GameRecordFile("toy", ("A",), ()), "2 to 4 players"),
        (GameRecordFile("toy", ("A", "a"), ()), "already a player called A"),
        (GameRecordFile("toy", ("A", "B"), ("@1 dance",)), "Move 1 .*no move called"),
        (GameRecordFile("toy", ("A", "B"), ("@1 pass", "@1 pass")), "Move 2 .*turn"),
    ],
)
async def test_a_game_that_cannot_be_replayed_is_not_stored(
    tables: GameService, course: GameRecordFile, match: str
) -> None:
    with pytest.raises(IllegalMove, match=match):
        await tables.transfer.import_game(course, ANN)
    assert await tables.desk.store.games.list_all() == []


async def test_a_game_with_too_many_moves(tables: GameService, monkeypatch: pytest.MonkeyPatch) -> None:
    data = b'{"format":"signalbox 1","title":"1848","players":["A","B","C"],"moves":["a","b","c"]}'
    for module in ("import_export", "formats"):
        monkeypatch.setattr(f"bot.service.imports.{module}.MOST_MOVES", 2)
    with pytest.raises(IllegalMove, match="3 moves"):
        await tables.transfer.import_game(GameRecordFile("toy", ("A", "B"), ("@1 pass",) * 3), ANN)
    with pytest.raises(IllegalMove, match="3 moves"):
        read_file(data)


async def test_many_moves_at_once(tables: GameService) -> None:
    game = await tables.lobby.create("toy", ANN, [(ANN, "A"), (ANN, "B")])
    await tables.lobby.start(game, ANN, "list")
    assert (await tables.moves.submit_texts(game, ANN, [])).version == 0
    assert (await tables.moves.submit_texts(game, ANN, ["@1 pass", "@2 bid P1 3"])).version == 2


# -- the doctor -----------------------------------------------------------------------------------------


async def tamper(store: Store, game_id: int, number: int, total: int) -> None:
    """Change a kept position behind everybody's back."""
    import zlib

    from sqlalchemy import text

    state = msgspec.json.decode((await store.moves.snapshot(game_id, number)) or b"")
    state["special"]["total"] = total
    packed = zlib.compress(msgspec.json.encode(state))
    async with store.write_transaction() as connection:
        await connection.execute(
            text("UPDATE snapshots SET state = :state WHERE game = :game AND number = :number"),
            {"state": packed, "game": game_id, "number": number},
        )


async def test_the_doctor_names_the_first_position_that_differs(tables: GameService, game_id: int) -> None:
    for person, price in ((ANN, 1), (BOB, 2), (CID, 3)):
        await tables.moves.submit(game_id, person, f"bid P1 {price}")
    assert (await tables.doctor.examine(game_id)).is_healthy
    await tamper(tables.desk.store, game_id, 2, 40)
    report = await tables.doctor.examine(game_id)
    assert (report.number, report.since) == (2, 1)
    assert report.fault == "state.special.total: 40 was saved, 3 is replayed"


async def test_the_doctor_names_the_first_move_that_is_no_longer_allowed(
    tables: GameService, game_id: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for person, price in ((ANN, 1), (BOB, 9), (CID, 9)):
        await tables.moves.submit(game_id, person, f"bid P1 {price}")
    await tables.moves.undo(game_id, CID)
    step: Any = TITLES["toy"].plans["turn"].steps[0]
    original = step.check

    def stricter(self: Any, game: Any, action: Any) -> None:
        original(game, action)
        if getattr(action, "price", 0) == 9:
            raise IllegalMove("9 is too much.")

    monkeypatch.setattr(type(step), "check", stricter)
    report = await tables.doctor.examine(game_id)
    assert (report.number, report.moves) == (2, 2)
    assert "bid P1 9 is no longer allowed: 9 is too much." in report.fault
    other = await tables.lobby.create("toy", ANN, [(ANN, "A")])
    assert [found.is_healthy for found in await tables.doctor.examine_all()] == [False]
    assert (await tables.doctor.examine(other)).is_healthy


async def test_1848_is_stored_found_and_examined(tables: GameService) -> None:
    game = await tables.lobby.create("1848", ANN, [(ANN, "Ann"), (BOB, "Bob"), (CID, "Cid")], seed=7)
    await tables.lobby.start(game, ANN, "list")
    for turn in range(60):
        current = await tables.queries.position_at(game)
        legal = current.legal_actions()
        action = legal[(turn * 7) % len(legal)]
        decider = current.controller_of(action.by)
        person = {seat(1): ANN, seat(2): BOB, seat(3): CID}[decider] if decider else ANN
        played = await tables.moves.submit(game, person, format_action(action))
        assert played.lines
    report = await tables.doctor.examine(game)
    # Forced passes are moves, too.
    assert report.is_healthy and report.moves == len((await tables.queries.game_file(game)).moves) >= 60
    other = await tables.transfer.import_game(await tables.queries.game_file(game), ANN)
    assert (await tables.queries.position_at(other)).encode() == (await tables.queries.position_at(game)).encode()
    assert AUSTRALIA.id == "1848"


async def test_the_doctor_goes_on_after_a_rule_that_breaks(
    tables: GameService, game_id: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    await tables.moves.submit(game_id, ANN, "bid P1 1")
    monkeypatch.setattr(type(TITLES["toy"].plans["turn"].steps[0]), "apply", lambda *args: {}["nothing"])
    report = await tables.doctor.examine(game_id)
    assert (report.number, report.fault) == (1, "@1 bid P1 1 fails: KeyError: 'nothing'")
