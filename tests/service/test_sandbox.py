"""Trying: nothing is changed, nobody sees it, and what is still legal can be made."""

from __future__ import annotations

import asyncio
import threading

import pytest

from bot.engine.refusals import IllegalMove, Rejected
from bot.service.features import sandbox
from bot.service.game_service import GameService
from tests.service.conftest import ANN, BOB, CID, EVE, total


async def test_a_preview_changes_nothing_and_knows_no_turn(tables: GameService, game_id: int) -> None:
    tried = await tables.sandbox.preview(game_id, BOB, "Ann bid P1 5; Bob bid P1 4; Cid pass")
    assert tried.game.state.special.total == 9 and str(tried.question).startswith("Ann")
    assert len(tried.lines) == 3
    assert await total(tables, game_id) == 0 and (await tables.desk.table(game_id)).record.version == 0
    with pytest.raises(Rejected):
        await tables.sandbox.preview(game_id, ANN, "bid P1 12")


async def test_a_sandbox_stays_and_its_own_moves_can_be_made(tables: GameService, game_id: int) -> None:
    await tables.sandbox.add(game_id, ANN, "bid P1 5")
    found = await tables.sandbox.add(game_id, ANN, "bid P1 4")
    assert (found.preview.game.state.special.total, found.own) == (9, 1)
    assert (await tables.sandbox.add(game_id, BOB)).preview.actions == (), "everybody has his own"
    fresh = GameService(tables.desk.store, tables.desk.titles, tables.desk.clock)
    played = await fresh.sandbox.commit(game_id, ANN)
    assert played.actions == ("@1 bid P1 5",)
    left = await tables.sandbox.add(game_id, ANN)
    assert [action.price for action in left.preview.actions] == [4] and left.own == 0
    with pytest.raises(IllegalMove, match="not a move you can make now"):
        await tables.sandbox.commit(game_id, ANN)


async def test_a_sandbox_says_what_has_become_impossible(tables: GameService, game_id: int) -> None:
    await tables.sandbox.add(game_id, BOB, "Ann bid P1 5; Bob bid P1 4")
    await tables.moves.submit(game_id, ANN, "bid P1 6")
    found = await tables.sandbox.add(game_id, BOB)
    assert found.lost.startswith("Ann bid P1 5 is not possible any more") and found.preview.actions == ()
    await tables.sandbox.add(game_id, BOB, "bid P1 4")
    assert (await tables.sandbox.commit(game_id, BOB)).actions == ("@2 bid P1 4",)


async def test_moves_are_taken_out_of_a_sandbox(tables: GameService, game_id: int) -> None:
    await tables.sandbox.add(game_id, ANN, "bid P1 5; bid P1 4; bid P1 3")
    assert len((await tables.sandbox.undo(game_id, ANN)).preview.actions) == 2
    with pytest.raises(Rejected):
        await tables.sandbox.add(game_id, ANN, "bid P1 12")
    assert len((await tables.sandbox.add(game_id, ANN)).preview.actions) == 2
    assert (await tables.sandbox.undo(game_id, ANN, None)).preview.actions == ()
    assert await tables.desk.store.orders.sandbox(game_id, ANN) is None


async def test_a_sandbox_is_in_no_log_and_no_export(tables: GameService, game_id: int) -> None:
    before = (await tables.queries.game_file(game_id), await tables.queries.log_since(game_id))
    await tables.sandbox.add(game_id, CID, "Ann bid P1 9")
    assert (await tables.queries.game_file(game_id), await tables.queries.log_since(game_id)) == before
    assert await tables.outbox.waiting_notices() != [] and all(
        "9" not in " ".join(map(str, n.lines)) for n in await tables.outbox.waiting_notices()
    )
    found = await tables.sandbox.add(game_id, EVE)
    assert found.preview.actions == ()


async def test_whoever_tries_long_sequences_keeps_nobodys_move_waiting(
    tables: GameService, game_id: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_over, simulate = threading.Event(), sandbox.simulate

    def slowly(*values: object) -> sandbox.MovePreview:
        is_over.wait(30)
        return simulate(*values)  # type: ignore[arg-type]

    monkeypatch.setattr(sandbox, "simulate", slowly)
    tried = [asyncio.create_task(tables.sandbox.add(game_id, person, "bid P1 9")) for person in (CID, EVE, EVE)]
    await asyncio.sleep(0.05)
    try:
        async with asyncio.timeout(10):
            await tables.moves.submit(game_id, ANN, "bid P1 5")
    finally:
        is_over.set()
    found = await asyncio.gather(*tried, return_exceptions=True)
    assert all(isinstance(one, sandbox.SandboxState) for one in found[:2])
