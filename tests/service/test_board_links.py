"""Links to the board page and the notes made there: who may have them, and how they end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot.engine.refusals import IllegalMove, NotYourTurn
from bot.service.game_service import GameService
from tests.service.conftest import ANN, BOB, CID, EVE, Clock, there


async def test_who_may_have_which(tables: GameService, game_id: int) -> None:
    for asker in (ANN, BOB, there(EVE)):
        assert await tables.links.make(game_id, asker)
    with pytest.raises(IllegalMove, match="not played here"):
        await tables.links.make(game_id, EVE)
    for stranger in (EVE, there(EVE)):
        with pytest.raises((IllegalMove, NotYourTurn), match="no seat"):
            await tables.links.make(game_id, stranger, "play")
    await tables.moderation.set_sitter(game_id, ANN, 2, EVE, "Eve", 3)
    assert await tables.links.make(game_id, EVE, "play")


async def test_a_token_is_kept_nowhere(tables: GameService, game_id: int, tmp_path: Path) -> None:
    token = await tables.links.make(game_id, BOB, "play")
    kept = b"".join(path.read_bytes() for path in tmp_path.glob("signalbox.db*"))
    assert len(token) == 24 and token.encode() not in kept
    record, table = await tables.links.open_link(token)
    assert (record.person, record.kind, table.record.id) == (BOB, "play", game_id)
    assert token not in (await tables.privacy.personal_data(BOB)).decode()


async def test_a_personal_link_ends_with_the_seat_and_the_sitters_days(
    tables: GameService, game_id: int, clock: Clock
) -> None:
    await tables.moderation.set_sitter(game_id, ANN, 2, EVE, "Eve", 3)
    sitters, holders, look = [await tables.links.make(game_id, *who) for who in ((EVE, "play"), (BOB, "play"), (BOB,))]
    clock.advance(days=4)
    with pytest.raises(IllegalMove, match="no longer valid"):
        await tables.links.open_link(sitters)
    mailed = await tables.links.mail_link_token(game_id, BOB, "made at {}".format)
    assert (await tables.links.open_link(mailed))[0].is_personal
    await tables.moderation.replace(game_id, ANN, 2, CID, "Cecil")
    assert [link.kind for link in await tables.desk.store.links.list_to(game_id) if link.person == BOB] == ["look"]
    with pytest.raises(IllegalMove, match="no longer valid"):
        await tables.links.open_link(holders)
    assert await tables.links.open_link(look)


async def test_leaving_and_being_forgotten_end_all_links_and_notes(tables: GameService, game_id: int) -> None:
    left = await tables.links.make(game_id, BOB)
    await tables.moderation.leave_seat(game_id, BOB)
    forgotten = await tables.links.make(game_id, CID)
    await tables.links.save_notes(game_id, CID, "P1 is worth 9")
    assert json.loads(await tables.privacy.personal_data(CID))["notes"][0]["text"] == "P1 is worth 9"
    await tables.privacy.forget_person(CID)
    for token in (left, forgotten):
        with pytest.raises(IllegalMove, match="no longer valid"):
            await tables.links.open_link(token)
    assert await tables.desk.store.links.notes(game_id, CID) == ""


async def test_the_moderator_ends_all_links_that_look_and_no_other(tables: GameService, game_id: int) -> None:
    look, own, play = [await tables.links.make(game_id, *who) for who in ((BOB,), (CID,), (BOB, "play"))]
    assert await tables.links.withdraw(game_id, CID) == 1
    assert await tables.links.open_link(look)
    assert await tables.links.withdraw(game_id, ANN) == 1
    for token in (look, own):
        with pytest.raises(IllegalMove):
            await tables.links.open_link(token)
    assert await tables.links.open_link(play)


async def test_notes_are_for_their_writer_alone(tables: GameService, game_id: int) -> None:
    await tables.links.save_notes(game_id, BOB, "sell VR")
    assert [await tables.links.notes(game_id, person) for person in (ANN, BOB)] == ["", "sell VR"]
    with pytest.raises((IllegalMove, NotYourTurn), match="no seat"):
        await tables.links.notes(game_id, EVE)
    with pytest.raises(IllegalMove, match="characters"):
        await tables.links.save_notes(game_id, BOB, "x" * 20_001)
    await tables.links.save_notes(game_id, BOB, "")
    assert await tables.links.notes(game_id, BOB) == ""
