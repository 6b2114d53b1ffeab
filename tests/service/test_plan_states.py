"""The states of one plan, kept with the moves that made them: a failure at any statement loses none and doubles no act, also
while moves are taken back and made again around it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.service.game_service import GameService
from bot.store import Server

from .conftest import ANN, BOB, CID
from .test_faults import all_or_nothing
from .test_standing_orders import kinds, stock

__all__ = ["stock"]


async def shown(tables: GameService, game_id: int) -> tuple[str, bool]:
    """Bob's plan as he sees it, and whether it is over."""
    (plan,) = await tables.plans.own_plans(game_id, BOB)
    return plan.text.partition(".")[0], plan.is_over


async def test_a_plan_of_several_states_survives_failures_at_every_statement_around_undo_and_redo(
    stock: tuple[GameService, int], place: Path | Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables, game = stock
    tables.desk.listeners.clear()
    for person, text in ((ANN, "par VR 90"), (BOB, "par NSW 80"), (CID, "buy CAR")):
        await tables.moves.submit(game, person, text)
    await tables.plans.give_plan(game, BOB, "buy VR; buy NSW; pass until start")
    whole, rest = ("Buy VR; buy NSW; pass", False), ("Buy NSW; pass", False)
    assert await shown(tables, game) == whole
    await all_or_nothing(place, monkeypatch, lambda: tables.moves.submit(game, ANN, "buy VR"))
    assert (await kinds(tables, game))[-2:] == [("@1 buy VR", False), ("@2 buy VR", True)]
    assert await shown(tables, game) == rest
    await tables.moves.submit(game, CID, "buy CAR")
    for _ in range(2):
        await all_or_nothing(place, monkeypatch, lambda: tables.moves.undo(game, CID))
        assert await shown(tables, game) == rest
        await all_or_nothing(place, monkeypatch, lambda: tables.moves.redo(game, CID))
        assert await shown(tables, game) == rest
    await all_or_nothing(place, monkeypatch, lambda: tables.moves.submit(game, ANN, "pass"))
    assert [text for text, auto in await kinds(tables, game) if auto] == ["@2 buy VR", "@2 buy NSW"]
    assert await shown(tables, game) == ("Pass", False)
    await all_or_nothing(place, monkeypatch, lambda: tables.moves.undo(game, BOB))
    assert await shown(tables, game) == (rest[0], True), "its owner has taken its act back"
    await all_or_nothing(place, monkeypatch, lambda: tables.moves.redo(game, BOB))
    assert [text for text, auto in await kinds(tables, game) if auto] == ["@2 buy VR", "@2 buy NSW"]
    assert await shown(tables, game) == (rest[0], True)
    assert (await tables.doctor.examine(game)).is_healthy
