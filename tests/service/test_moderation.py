"""Pausing, ending, seats that change hands; all of it in the log with a name."""

from __future__ import annotations

import pytest

from bot.engine.refusals import IllegalMove, NotYourTurn
from bot.service.game_service import GameService
from tests.service.conftest import ANN, BOB, CID, EVE, Clock, total


async def test_pause_resume_and_end(tables: GameService, game: int) -> None:
    with pytest.raises(IllegalMove, match="Only the moderator"):
        await tables.moderation.set_status(game, BOB, "paused")
    await tables.moderation.set_status(game, ANN, "paused", "Bob is away")
    with pytest.raises(IllegalMove, match="paused"):
        await tables.play.play(game, ANN, "pass")
    assert (await tables.looking.status(game)).waiting == ()
    await tables.moderation.set_status(game, ANN, "running")
    await tables.play.play(game, ANN, "bid P1 5")
    await tables.moderation.set_status(game, ANN, "finished")
    with pytest.raises(IllegalMove, match="over"):
        await tables.play.play(game, BOB, "pass")
    story = [entry for entry in await tables.looking.story(game) if entry.record.kind in ("pause", "resume", "end")]
    assert [entry.told[0] for entry in story] == [
        "Ann pauses the game: Bob is away",
        "Ann resumes the game.",
        "Ann ends the game.",
    ]
    await tables.moderation.set_status(game, ANN, "running")
    await tables.play.play(game, BOB, "bid P1 5")
    assert await total(tables, game) == 10


async def test_changes_of_status_that_make_no_sense(tables: GameService, game: int) -> None:
    for status in ("running", "asleep"):
        with pytest.raises(IllegalMove):
            await tables.moderation.set_status(game, ANN, status)
    await tables.moderation.set_status(game, ANN, "finished")
    with pytest.raises(IllegalMove):
        await tables.moderation.set_status(game, ANN, "paused")


async def test_the_resumed_game_asks_again(tables: GameService, game: int) -> None:
    await tables.moderation.set_status(game, ANN, "paused")
    assert [notice.kind for notice in await tables.outbox.pending()] == ["board", "board"]
    await tables.moderation.set_status(game, ANN, "running")
    assert [notice.seat for notice in await tables.outbox.pending() if notice.kind == "turn"] == [1]


async def test_a_seat_changes_hands(tables: GameService, game: int) -> None:
    await tables.play.play(game, ANN, "bid P1 5")
    table = await tables.moderation.replace(game, ANN, 2, EVE, "Eve")
    assert [seat.person for seat in table.seats] == [ANN, EVE, CID]
    assert (await tables.looking.story(game))[-1].told == ["Eve takes over from Bob."]
    with pytest.raises(NotYourTurn, match="You have no seat"):
        await tables.play.play(game, BOB, "pass")
    assert [notice.seat for notice in await tables.outbox.pending() if notice.kind == "turn"] == [2]
    assert str((await tables.looking.status(game)).question).startswith("Eve: raise the total")
    await tables.play.play(game, EVE, "bid P1 4")
    await tables.play.undo(game, EVE)
    await tables.moderation.replace(game, EVE, 2, BOB, "Bob")
    await tables.play.play(game, BOB, "bid P1 3")
    assert await tables.doctor.doctor(game) is None


async def test_who_may_hand_over_a_seat(tables: GameService, game: int) -> None:
    with pytest.raises(IllegalMove, match="Only the moderator"):
        await tables.moderation.replace(game, BOB, 3, EVE, "Eve")
    with pytest.raises(IllegalMove, match="no seat 9"):
        await tables.moderation.replace(game, ANN, 9, EVE, "Eve")
    with pytest.raises(IllegalMove, match="called Cid already"):
        await tables.moderation.replace(game, ANN, 2, EVE, "cid")
    assert (await tables.desk.table(game)).record.version == 0


async def test_a_player_who_leaves_loses_the_seat_never_the_game(tables: GameService, game: int, clock: Clock) -> None:
    await tables.play.play(game, ANN, "bid P1 5")
    await tables.moderation.abandon(game, BOB)
    with pytest.raises(NotYourTurn, match="You have no seat"):
        await tables.play.play(game, BOB, "pass")
    with pytest.raises(IllegalMove, match="no seat"):
        await tables.moderation.abandon(game, BOB)
    with pytest.raises(NotYourTurn):
        await tables.play.play(game, "", "pass")
    await tables.play.play(game, ANN, "bid P1 1", as_moderator=True)
    await tables.play.undo(game, ANN)
    await tables.moderation.replace(game, ANN, 2, EVE, "Eve")
    await tables.play.play(game, EVE, "bid P1 2")
    assert await total(tables, game) == 7


async def test_another_moderator_and_another_pace(tables: GameService, game: int, clock: Clock) -> None:
    with pytest.raises(IllegalMove):
        await tables.moderation.set_pace(game, ANN, "sleepy")
    await tables.moderation.set_pace(game, ANN, "fast")
    await tables.moderation.hand_over(game, ANN, BOB)
    with pytest.raises(IllegalMove):
        await tables.moderation.set_pace(game, ANN, "slow")
    await tables.play.play(game, ANN, "pass")
    clock.advance(hours=6)
    assert await tables.reminders.sweep() == 1


async def test_a_moderator_who_does_not_play(tables: GameService) -> None:
    game = await tables.lobby.create("toy", EVE, [(ANN, "Ann"), (BOB, "Bob")])
    await tables.lobby.start(game, EVE, "list")
    await tables.play.play(game, EVE, "bid P1 5", as_moderator=True)
    assert (await tables.looking.story(game))[-1].told[0] == "The moderator acts for Ann."
    await tables.play.undo(game, EVE)
    await tables.moderation.set_status(game, EVE, "paused")
    assert (await tables.looking.story(game))[-1].told == ["The moderator pauses the game."]
    assert [status.record.id for status in await tables.looking.games_of(EVE)] == [game]
