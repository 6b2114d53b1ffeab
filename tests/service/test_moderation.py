"""Pausing, ending, seats that change hands; all of it in the log with a name."""

from __future__ import annotations

import pytest

from bot.engine.refusals import IllegalMove, NotYourTurn
from bot.service.game_service import GameService
from tests.service.conftest import ANN, BOB, CID, EVE, Clock, total


async def test_pause_resume_and_end(tables: GameService, game_id: int) -> None:
    with pytest.raises(IllegalMove, match="Only the moderator"):
        await tables.moderation.set_status(game_id, BOB, "paused")
    await tables.moderation.set_status(game_id, ANN, "paused", "Bob is away")
    with pytest.raises(IllegalMove, match="paused"):
        await tables.moves.submit(game_id, ANN, "pass")
    assert (await tables.queries.status(game_id)).waiting == ()
    await tables.moderation.set_status(game_id, ANN, "running")
    await tables.moves.submit(game_id, ANN, "bid P1 5")
    await tables.moderation.set_status(game_id, ANN, "finished")
    with pytest.raises(IllegalMove, match="over"):
        await tables.moves.submit(game_id, BOB, "pass")
    story = [
        entry for entry in await tables.queries.log_since(game_id) if entry.record.kind in ("pause", "resume", "end")
    ]
    assert [entry.tr_lines[0] for entry in story] == [
        "Ann pauses the game: Bob is away",
        "Ann resumes the game.",
        "Ann ends the game.",
    ]
    await tables.moderation.set_status(game_id, ANN, "running")
    await tables.moves.submit(game_id, BOB, "bid P1 5")
    assert await total(tables, game_id) == 10


async def test_changes_of_status_that_make_no_sense(tables: GameService, game_id: int) -> None:
    for status in ("running", "asleep"):
        with pytest.raises(IllegalMove):
            await tables.moderation.set_status(game_id, ANN, status)
    await tables.moderation.set_status(game_id, ANN, "finished")
    with pytest.raises(IllegalMove):
        await tables.moderation.set_status(game_id, ANN, "paused")


async def test_the_resumed_game_asks_again(tables: GameService, game_id: int) -> None:
    await tables.moderation.set_status(game_id, ANN, "paused")
    assert [notice.kind for notice in await tables.outbox.waiting_notices()] == ["board", "board"]
    await tables.moderation.set_status(game_id, ANN, "running")
    assert [notice.seat for notice in await tables.outbox.waiting_notices() if notice.kind == "turn"] == [1]


async def test_who_sits_in_or_is_voted_on_is_told_from_a_player_of_that_name(
    tables: GameService, game_id: int, clock: Clock
) -> None:
    await tables.moderation.set_sitter(game_id, CID, 3, EVE, "\u0410nn", 9)
    assert (await tables.queries.log_since(game_id))[-1].tr_lines == ["\u0410nn 2 sits in for Cid for 9 days."]
    clock.advance(days=8)
    poll = await tables.votes.start_poll(game_id, BOB, "replace", {"seat": 1, "newcomer": EVE, "name": "\u0412ob"})
    assert "\u0412ob 2" in poll.text


async def test_a_seat_changes_hands(tables: GameService, game_id: int) -> None:
    await tables.moves.submit(game_id, ANN, "bid P1 5")
    table = await tables.moderation.replace(game_id, ANN, 2, EVE, "Eve")
    assert [seat.person for seat in table.seats] == [ANN, EVE, CID]
    assert (await tables.queries.log_since(game_id))[-1].tr_lines == ["Eve takes over from Bob."]
    with pytest.raises(NotYourTurn, match="You have no seat"):
        await tables.moves.submit(game_id, BOB, "pass")
    assert [notice.seat for notice in await tables.outbox.waiting_notices() if notice.kind == "turn"] == [2]
    assert str((await tables.queries.status(game_id)).question).startswith("Eve: raise the total")
    await tables.moves.submit(game_id, EVE, "bid P1 4")
    await tables.moves.undo(game_id, EVE)
    await tables.moderation.replace(game_id, EVE, 2, BOB, "Bob")
    await tables.moves.submit(game_id, BOB, "bid P1 3")
    assert (await tables.doctor.examine(game_id)).is_healthy


async def test_who_may_hand_over_a_seat(tables: GameService, game_id: int) -> None:
    with pytest.raises(IllegalMove, match="Only the moderator"):
        await tables.moderation.replace(game_id, BOB, 3, EVE, "Eve")
    with pytest.raises(IllegalMove, match="no seat 9"):
        await tables.moderation.replace(game_id, ANN, 9, EVE, "Eve")
    with pytest.raises(IllegalMove, match="already a player called Cid"):
        await tables.moderation.replace(game_id, ANN, 2, EVE, "cid")
    assert (await tables.desk.table(game_id)).record.version == 0
    taken = await tables.moderation.replace(game_id, BOB, 2, ANN, "Ann")
    assert [held.name for held in taken.seats] == ["Ann", "Ann 2", "Cid"], "Ann plays both seats"


async def test_a_player_who_leaves_loses_the_seat_never_the_game(
    tables: GameService, game_id: int, clock: Clock
) -> None:
    await tables.moves.submit(game_id, ANN, "bid P1 5")
    await tables.moderation.leave_seat(game_id, BOB)
    with pytest.raises(NotYourTurn, match="You have no seat"):
        await tables.moves.submit(game_id, BOB, "pass")
    with pytest.raises(IllegalMove, match="no seat"):
        await tables.moderation.leave_seat(game_id, BOB)
    with pytest.raises(NotYourTurn):
        await tables.moves.submit(game_id, "", "pass")
    await tables.moves.submit(game_id, ANN, "bid P1 1", as_moderator=True)
    await tables.moves.undo(game_id, ANN)
    await tables.moderation.replace(game_id, ANN, 2, EVE, "Eve")
    await tables.moves.submit(game_id, EVE, "bid P1 2")
    assert await total(tables, game_id) == 7


async def test_another_moderator_and_another_pace(tables: GameService, game_id: int, clock: Clock) -> None:
    with pytest.raises(IllegalMove):
        await tables.moderation.set_pace(game_id, ANN, "sleepy")
    await tables.moderation.set_pace(game_id, ANN, "fast")
    await tables.moderation.transfer_moderation(game_id, ANN, BOB)
    with pytest.raises(IllegalMove):
        await tables.moderation.set_pace(game_id, ANN, "slow")
    await tables.moves.submit(game_id, ANN, "pass")
    clock.advance(hours=6)
    assert await tables.reminders.sweep() == 1


async def test_a_moderator_who_does_not_play(tables: GameService) -> None:
    game = await tables.lobby.create("toy", EVE, [(ANN, "Ann"), (BOB, "Bob")])
    await tables.lobby.start(game, EVE, "list")
    await tables.moves.submit(game, EVE, "bid P1 5", as_moderator=True)
    assert (await tables.queries.log_since(game))[-1].tr_lines[0] == "The moderator acts for Ann."
    await tables.moves.undo(game, EVE)
    await tables.moderation.set_status(game, EVE, "paused")
    assert (await tables.queries.log_since(game))[-1].tr_lines == ["The moderator pauses the game."]
    assert [status.record.id for status in await tables.queries.games_of(EVE)] == [game]
