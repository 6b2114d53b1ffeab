"""What can be read: status, one's games, the log."""

from __future__ import annotations

import pytest

from bot.engine.refusals import IllegalMove
from bot.service.game_service import GameService
from bot.service.sessions.rights import check_right
from tests.service.conftest import ANN, BOB, CID, EVE, Clock


async def test_whose_turn_since_when(tables: GameService, game_id: int, clock: Clock) -> None:
    clock.advance(hours=3)
    begun = clock.time
    await tables.moves.submit(game_id, ANN, "pass")
    clock.advance(hours=2)
    status = await tables.queries.status(game_id)
    assert [(waiting.seat.name, waiting.since) for waiting in status.waiting] == [("Bob", begun)]
    assert str(status.question).startswith("Bob: raise the total")
    assert status.waits_for(BOB) and not status.waits_for(ANN)


async def test_the_games_of_a_person_begin_with_those_that_wait(tables: GameService, game_id: int) -> None:
    lobby = await tables.lobby.create("toy", EVE, [(EVE, "Eve"), (BOB, "Bob")])
    second = await tables.lobby.create("toy", BOB, [(BOB, "Bob"), (CID, "Cid")])
    await tables.lobby.start(second, BOB, "list")
    assert [status.record.id for status in await tables.queries.games_of(BOB)] == [second, lobby, game_id]
    assert (await tables.queries.games_of(EVE))[0].question == ""
    await tables.moderation.set_status(second, BOB, "finished")
    assert [status.record.id for status in await tables.queries.games_of(BOB)] == [lobby, game_id]
    assert len(await tables.queries.games_of(BOB, with_finished=True)) == 3


async def test_a_sitter_whose_time_is_over_is_nothing_to_the_game(
    tables: GameService, game_id: int, clock: Clock
) -> None:
    """Found by the campaign of rights: a button that was forged elsewhere asks these seats alone who may look."""
    await tables.moderation.set_sitter(game_id, ANN, 1, EVE, "Eve", 3)

    async def is_let_in() -> bool:
        found = await tables.queries.record_and_seats(game_id)
        assert found is not None
        try:
            check_right(*found, EVE, "look")
        except IllegalMove:
            return False
        return True

    assert await is_let_in() and [status.record.id for status in await tables.queries.games_of(EVE)] == [game_id]
    clock.advance(days=4)
    assert not await is_let_in() and await tables.queries.games_of(EVE) == []


async def test_what_has_happened_since_ones_last_turn(tables: GameService, game_id: int) -> None:
    assert [entry.record.kind for entry in await tables.queries.log_since_last_turn(game_id, BOB)] == ["start"]
    await tables.moves.submit(game_id, ANN, "bid P1 1")
    await tables.moves.submit(game_id, BOB, "bid P1 2")
    await tables.moves.submit(game_id, CID, "bid P1 3")
    await tables.moves.undo(game_id, CID)
    await tables.moves.submit(game_id, CID, "bid P1 4")
    found = await tables.queries.log_since_last_turn(game_id, BOB)
    assert [(entry.record.kind, entry.is_undone) for entry in found] == [
        ("move", True),
        ("undo", False),
        ("move", False),
    ]
    with pytest.raises(IllegalMove):
        await tables.queries.log_since_last_turn(game_id, EVE)


async def test_a_position_to_try_moves_on_is_a_copy(tables: GameService, game_id: int) -> None:
    trial = await tables.queries.position_at(game_id)
    trial.apply(trial.legal_actions()[0])
    assert trial.encode() != (await tables.queries.position_at(game_id)).encode()
    with pytest.raises(IllegalMove, match="no log entry 9"):
        await tables.queries.position_at(game_id, 9)
    lobby = await tables.lobby.create("toy", ANN)
    with pytest.raises(IllegalMove, match="has not begun"):
        await tables.queries.position_at(lobby)
