"""A game costs the same after ten moves and after a thousand: statements and rows are counted, not seconds."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from itertools import pairwise
from typing import Any

from bot.engine.games.game_record import GameRecordFile
from bot.service.game_service import GameService
from tests.service.conftest import ANN, BOB, Clock
from tests.service.toy_title import TITLES
from tests.snapshot_helpers import kept_numbers
from tests.store.statements import at_each_statement


class Counter:
    """Counts the statements that reach the database, and the moves that are replayed."""

    def __init__(self, tables: GameService, monkeypatch: Any) -> None:
        self.statements = 0
        self.applied = 0
        at_each_statement(monkeypatch, self._count)
        original = TITLES["long"].plans["turn"].steps[0].apply  # type: ignore[union-attr]

        def apply(step: Any, game: Any, action: Any) -> None:
            self.applied += 1
            original(game, action)

        monkeypatch.setattr(type(TITLES["long"].plans["turn"].steps[0]), "apply", apply)

    def _count(self, is_change: bool) -> None:
        self.statements += 1

    async def cost(self, act: Awaitable[object]) -> tuple[int, int]:
        """Statements and replayed moves of an act."""
        self.statements = self.applied = 0
        await act
        return self.statements, self.applied


def bids(number: int) -> tuple[str, ...]:
    """So many, by turns."""
    return tuple(f"@{1 + n % 2} bid P1 1" for n in range(number))


async def test_the_thousandth_move_costs_what_the_tenth_did(tables: GameService, monkeypatch: Any) -> None:
    people = {"Bob": BOB}
    games = {
        length: await tables.transfer.import_game(GameRecordFile("long", ("Ann", "Bob"), bids(length)), ANN, people)
        for length in (10, 1000)
    }
    counter = Counter(tables, monkeypatch)
    costs: dict[int, list[tuple[int, int]]] = {}
    for length, game in games.items():
        cold = GameService(tables.desk.store, TITLES)
        costs[length] = [
            await counter.cost(cold.desk.table(game)),
            await counter.cost(cold.moves.submit(game, ANN, "bid P1 2")),
            await counter.cost(cold.moves.submit(game, BOB, "pass")),
            await counter.cost(cold.moves.undo(game, BOB)),
            await counter.cost(cold.queries.status(game)),
        ]
    assert costs[10] == costs[1000]
    assert max(statements for statements, _ in costs[1000]) <= 20
    # The game is read, and nine steps save the move.
    assert costs[1000][2][0] == 10
    assert (await tables.doctor.examine(games[1000])).is_healthy


async def test_any_position_is_at_most_fifty_moves_away(tables: GameService, monkeypatch: Any) -> None:
    game = await tables.lobby.create("long", ANN, [(ANN, "Ann"), (ANN, "Bob")])
    await tables.lobby.start(game, ANN, "list")
    for _ in range(60):
        await tables.moves.submit(game, ANN, "; ".join(["bid P1 1"] * 7))
    kept = await kept_numbers(tables.desk.store, game)
    assert max(later - earlier for earlier, later in pairwise(kept)) <= 56
    assert len(kept) < 420 / 50 + 20
    counter = Counter(tables, monkeypatch)
    for number in (1, 77, 199, 300, 419):
        _, applied = await counter.cost(tables.queries.position_at(game, number))
        assert applied <= 56
    assert (await tables.queries.position_at(game, 300)).state.special.total == 300


async def test_a_game_that_has_been_over_for_a_month_keeps_as_much_as_an_old_part_of_one(
    tables: GameService, clock: Clock, monkeypatch: Any
) -> None:
    games = []
    for _ in range(2):
        game = await tables.lobby.create("long", ANN, [(ANN, "Ann"), (ANN, "Bob")])
        await tables.lobby.start(game, ANN, "list")
        for _ in range(75):
            await tables.moves.submit(game, ANN, "bid P1 1")
        games.append(game)
    over, goes_on = games
    store = tables.desk.store
    assert await store.rows.storage() == {"games": 0, "log": 0, "positions": 0, "notices": 0}
    await tables.moderation.set_status(over, ANN, "finished")
    assert [game.id for game in await store.games.list_all("finished")] == [over]
    before = await kept_numbers(store, goes_on)
    await tables.reminders.sweep()
    assert len(await kept_numbers(store, over)) > 20
    kept = await store.rows.storage()
    assert kept["games"] == 1 and kept["log"] > 3000 and kept["positions"] > 2000 and kept["notices"] > 500
    clock.advance(days=29)
    await tables.reminders.sweep()
    assert len(await kept_numbers(store, over)) > 20
    clock.advance(days=2)
    await tables.reminders.sweep()
    last = (await store.moves.list_of(over))[-1].number
    assert await kept_numbers(store, over) == [0, 49, last]
    assert await kept_numbers(store, goes_on) == before
    assert (await store.rows.storage())["positions"] < kept["positions"] / 4
    fresh = GameService(store, TITLES, clock)
    counter = Counter(fresh, monkeypatch)
    _, applied = await counter.cost(fresh.queries.position_at(over, 48))
    assert applied == 48
    assert (await fresh.doctor.examine(over)).is_healthy


async def test_no_lock_is_kept_of_a_game_that_nobody_changes(tables: GameService, game_id: int) -> None:
    await tables.moves.submit(game_id, ANN, "bid P1 1")
    async with tables.desk.lock(game_id):
        waiting = asyncio.create_task(tables.moves.submit(game_id, BOB, "bid P1 1"))
        await asyncio.sleep(0.05)
        assert not waiting.done() and list(tables.desk.locks) == [game_id]
    await waiting
    assert not tables.desk.locks
