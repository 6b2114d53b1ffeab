"""A game keeps the rules it began by until its moderator agrees to others; the doctor names the first difference."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest
from sqlalchemy import text

from bot.engine.play.game import Game
from bot.engine.play.title import Procedure
from bot.engine.refusals import IllegalMove, Rejected
from bot.service.game_service import GameService
from bot.store import Store, StoreDamaged
from tests.service.conftest import ANN, BOB, Clock, total
from tests.service.toy_title import TOY, Raise


class RaiseByFive(Raise):
    """The second version of the toy's rule: at most 5."""

    def check(self, game: Game, action: Any) -> None:
        if getattr(action, "price", 0) > 5:
            raise IllegalMove(f"{action.price} is not 1 to 5.", "Toy §1 (2nd edition)")


JUNK = {"junk": b"\0"}

SECOND = replace(TOY, version=2, plans={**TOY.plans, "turn": Procedure("turn", (RaiseByFive(),))})


@pytest.fixture
def newer(store: Store, clock: Clock) -> GameService:
    """The program after an upgrade that changed the toy's rules and kept the old ones."""
    return GameService(store, {"toy": SECOND}, clock, {("toy", 1): TOY})


async def test_a_game_goes_on_by_the_rules_it_began_by(tables: GameService, newer: GameService, game_id: int) -> None:
    await tables.moves.submit(game_id, ANN, "bid P1 3")
    await newer.moves.submit(game_id, BOB, "bid P1 9")
    assert await total(newer, game_id) == 12
    assert (await newer.doctor.examine(game_id)).is_healthy
    fresh = await newer.lobby.create("toy", ANN, [(ANN, "Ann"), (BOB, "Bob")])
    await newer.lobby.start(fresh, ANN, "list")
    with pytest.raises(Rejected, match="9 is not 1 to 5"):
        await newer.moves.submit(fresh, ANN, "bid P1 9")


async def test_a_game_that_comes_out_the_same_is_moved_at_once(
    tables: GameService, newer: GameService, game_id: int
) -> None:
    await tables.moves.submit(game_id, ANN, "bid P1 3")
    played = await newer.rules_upgrade.upgrade_rules(game_id, ANN)
    assert played.lines == ("Ann moves the game from version 1 to version 2 of the rules.",)
    with pytest.raises(Rejected, match="9 is not 1 to 5"):
        await newer.moves.submit(game_id, BOB, "bid P1 9")
    await newer.moves.submit(game_id, BOB, "bid P1 5")
    assert (await newer.doctor.examine(game_id)).is_healthy
    with pytest.raises(IllegalMove, match="already uses the newest version of the rules, 2"):
        await newer.rules_upgrade.upgrade_rules(game_id, ANN)


async def test_a_game_that_differs_is_moved_when_its_moderator_agrees(
    tables: GameService, newer: GameService, game_id: int
) -> None:
    await tables.moves.submit(game_id, ANN, "bid P1 3")
    await tables.moves.submit(game_id, BOB, "bid P1 8")
    with pytest.raises(IllegalMove, match="Only the moderator"):
        await newer.rules_upgrade.upgrade_rules(game_id, BOB, agrees=True)
    with pytest.raises(IllegalMove, match=r"move 2: .*bid P1 8 is no longer allowed: 8 is not 1 to 5.*If you agree"):
        await newer.rules_upgrade.upgrade_rules(game_id, ANN)
    assert await total(newer, game_id) == 11
    await newer.rules_upgrade.upgrade_rules(game_id, ANN, agrees=True)
    assert await total(newer, game_id) == 11
    await newer.moves.submit(game_id, "discord:3", "bid P1 5")
    assert (await newer.doctor.examine(game_id)).is_healthy
    newer.desk.forget(game_id)
    async with newer.desk.store.write_transaction() as connection:
        await connection.execute(text("DELETE FROM snapshots WHERE number > 0"))
    assert await total(newer, game_id) == 16


async def test_rules_that_this_release_lacks_are_named(
    tables: GameService, store: Store, clock: Clock, game_id: int
) -> None:
    await tables.moves.submit(game_id, ANN, "bid P1 3")
    bare = GameService(store, {"toy": SECOND}, clock)
    with pytest.raises(IllegalMove, match="uses version 1 of the Toy rules, which this release lacks"):
        await bare.moves.submit(game_id, BOB, "pass")
    assert "which this release lacks" in str(await bare.doctor.examine(game_id))
    await bare.rules_upgrade.upgrade_rules(game_id, ANN)
    await bare.moves.submit(game_id, BOB, "bid P1 5")


async def test_whoever_goes_back_behind_a_change_of_rules_plays_on_by_the_newer_ones(
    tables: GameService, newer: GameService, game_id: int
) -> None:
    await tables.moves.submit(game_id, ANN, "bid P1 9")
    await tables.moves.submit(game_id, BOB, "bid P1 8")
    await newer.rules_upgrade.upgrade_rules(game_id, ANN, agrees=True)
    await newer.moderation.rewind(game_id, ANN, 1)
    with pytest.raises(Rejected, match="8 is not 1 to 5"):
        await newer.moves.submit(game_id, BOB, "bid P1 8")
    await newer.moves.submit(game_id, BOB, "bid P1 5")
    assert (await newer.doctor.examine(game_id)).is_healthy
    async with newer.desk.store.write_transaction() as connection:
        await connection.execute(text("DELETE FROM snapshots"))
    newer.desk.forget(game_id)
    assert await total(newer, game_id) == 14
    assert (await newer.doctor.repair(game_id)).report.is_healthy
    assert await total(newer, game_id) == 14


async def test_a_game_whose_first_rules_are_lacking_is_replayed_from_where_it_left_them(
    tables: GameService, newer: GameService, store: Store, clock: Clock, game_id: int
) -> None:
    await tables.moves.submit(game_id, ANN, "bid P1 9")
    await newer.rules_upgrade.upgrade_rules(game_id, ANN, agrees=True)
    await newer.moves.submit(game_id, BOB, "bid P1 5")
    bare = GameService(store, {"toy": SECOND}, clock)
    async with store.write_transaction() as connection:
        await connection.execute(text("UPDATE snapshots SET state = :junk WHERE number = 3"), JUNK)
    assert await total(bare, game_id) == 14
    report = await bare.doctor.examine(game_id)
    assert (report.is_healthy, report.begun) == (True, 2)
    async with store.write_transaction() as connection:
        await connection.execute(text("DELETE FROM snapshots WHERE number > 1"))
    bare.desk.forget(game_id)
    with pytest.raises(IllegalMove, match="uses version 1 of the Toy rules, which this release lacks"):
        await bare.desk.table(game_id)
    assert [str(fault) for fault in (await bare.doctor.repair(game_id)).report.faults] == ["position 3: it is not kept"]
    assert await total(newer, game_id) == 14


async def test_a_present_position_that_is_damaged_is_made_again_before_the_rules_change(
    tables: GameService, newer: GameService, store: Store, clock: Clock, game_id: int
) -> None:
    await tables.moves.submit(game_id, ANN, "bid P1 3")
    async with store.write_transaction() as connection:
        await connection.execute(text("UPDATE snapshots SET state = :junk WHERE number = 1"), JUNK)
    with pytest.raises(IllegalMove, match="The current position is not saved"):
        await GameService(store, {"toy": SECOND}, clock).rules_upgrade.upgrade_rules(game_id, ANN, agrees=True)
    await newer.rules_upgrade.upgrade_rules(game_id, ANN, agrees=True)
    assert await total(newer, game_id) == 3


async def test_a_record_about_rules_that_names_none_is_told(
    tables: GameService, newer: GameService, game_id: int
) -> None:
    await tables.moves.submit(game_id, ANN, "bid P1 3")
    await newer.rules_upgrade.upgrade_rules(game_id, ANN)
    async with newer.desk.store.write_transaction() as connection:
        await connection.execute(text("UPDATE moves SET text = 'rubbish' WHERE kind = 'rules'"))
    newer.desk.forget(game_id)
    with pytest.raises(StoreDamaged, match=r"Log entry 2 of game 1 is damaged \(text\); run: signalbox doctor\."):
        await newer.desk.table(game_id)
    assert "Log entry 2 of game 1 is damaged" in str(await newer.doctor.examine(game_id))


# -- copies and files -----------------------------------------------------------------------------------


async def test_a_clone_is_played_by_the_rules_of_its_game(
    tables: GameService, newer: GameService, game_id: int
) -> None:
    await tables.moves.submit(game_id, ANN, "bid P1 8")
    copy = await newer.transfer.clone(game_id, ANN)
    assert (await newer.desk.table(copy)).record.rules == 1
    await newer.moves.submit(copy, ANN, "bid P1 9")
    assert await total(newer, copy) == 17


async def test_a_clone_from_before_a_change_of_rules_is_played_by_the_older_ones(
    tables: GameService, newer: GameService, game_id: int
) -> None:
    await tables.moves.submit(game_id, ANN, "bid P1 3")
    await newer.rules_upgrade.upgrade_rules(game_id, ANN)
    copies = [await newer.transfer.clone(game_id, ANN, record) for record in (1, 2)]
    assert [(await newer.desk.table(copy)).record.rules for copy in copies] == [1, 2]


async def test_a_file_is_read_by_the_rules_that_it_names(tables: GameService, newer: GameService, game_id: int) -> None:
    await tables.moves.submit(game_id, ANN, "bid P1 8")
    course = await newer.queries.game_file(game_id)
    assert course.rules == 1
    other = await newer.transfer.import_game(course, ANN)
    assert (await newer.desk.table(other)).record.rules == 1
    for rules in (2, None):
        with pytest.raises(IllegalMove, match="8 is not 1 to 5"):
            await newer.transfer.import_game(msgspec.structs.replace(course, rules=rules), ANN)
    with pytest.raises(IllegalMove, match=r"version 3 .*lacks"):
        await newer.transfer.import_game(msgspec.structs.replace(course, rules=3), ANN)
