"""A live game by the clock to its end, in simulated time: programs play, some in time and some too late."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from bot.ai.policy import choose
from bot.ai.title_parameters import STRENGTHS
from bot.engine import PersonId
from bot.service.game_service import GameService
from bot.service.sessions.budgets import PRESETS
from bot.store import ClockAllowance, EntryKind, GameStatus, MoveKind, Penalty, Server, Store
from bot.titles.registry import TITLES
from tests.service.conftest import Clock

NAMES = ("Ann", "Bob", "Cid", "Dan")
LEARNER = STRENGTHS["learner"]
SECONDS = 20.0
"""The time that each decision takes."""


def person_of(number: int) -> PersonId:
    return PersonId(f"test:{number}")


async def play_live(
    tables: GameService, clock: Clock, title: str, allowance: ClockAllowance, seed: int, most: int
) -> int:
    """Play up to `most` decisions, each after 20 seconds, while the keeper looks at the clock; returns the game's number."""
    tables.desk.listeners.clear()
    seats = [(person_of(number), name) for number, name in enumerate(NAMES, 1)]
    number = await tables.lobby.create(title, person_of(1), seats, None, seed, allowance=allowance)
    await tables.lobby.start(number, person_of(1), "list")
    for _ in range(most):
        table, game = await tables.desk.require_started(number)
        if table.record.status == GameStatus.FINISHED:
            break
        late = min(budget.left for budget in (await tables.desk.budgets(table)).values() if budget.is_running)
        pause = min(SECONDS, max(late + 3.5, 0.5))
        clock.advance(seconds=pause)
        await tables.keeper.sweep()
        after, game = await tables.desk.require_started(number)
        if after.record.version != table.record.version or pause < SECONDS:
            continue
        player = game.players_to_act()[0]
        action = choose(game.copy(), player, seed, LEARNER).action
        await tables.moves.submit(number, person_of(int(player[1:])), [action])
    return number


async def check_ledger(tables: GameService, number: int) -> None:
    """Every record of a player's own answer has ended a wait, every pass at zero too, and no second is missing: all waits one
    after another are the whole game.
    """
    entries = await tables.desk.store.ledger.list_of(number)
    waits = [entry for entry in entries if entry.kind == EntryKind.WAIT]
    assert all(entry.until is not None and entry.until >= entry.since for entry in waits)
    spans = sorted((entry.since, entry.until or 0.0) for entry in waits)
    gaps = [later[0] - earlier[1] for earlier, later in pairwise(spans)]
    assert all(gap <= 1e-6 for gap in gaps), max(gaps)
    topics = [(entry.seat, entry.topic) for entry in entries]
    assert len(topics) == len(set(topics))


async def test_a_live_game_goes_on_at_zero(tables: GameService, clock: Clock) -> None:
    """The toy, with little time: players pass when theirs is up."""
    short = ClockAllowance(50, 0, 0, 5, 60, False, Penalty.PASS)
    tables.desk.listeners.clear()
    seats = [(person_of(number), name) for number, name in enumerate(NAMES[:3], 1)]
    number = await tables.lobby.create("toy", person_of(1), seats, None, 1, allowance=short)
    await tables.lobby.start(number, person_of(1), "list")
    chance = Random(5)
    for _ in range(60):
        clock.advance(seconds=chance.choice((1, 14)))
        await tables.keeper.sweep()
        table, game = await tables.desk.require_started(number)
        if table.record.status == GameStatus.FINISHED:
            break
        if chance.random() < 0.6:
            await tables.moves.submit(number, person_of(int(game.players_to_act()[0][1:])), "bid P1 2")
    moves = await tables.desk.store.moves.list_of(number)
    assert any(not move.person and move.text.endswith("pass") for move in moves)
    assert any(move.person for move in moves if move.kind == MoveKind.MOVE)
    await check_ledger(tables, number)


@pytest.mark.soak
async def test_a_live_game_of_1830_ends(place: Path | Server, clock: Clock) -> None:
    """Four programs think for 20 seconds about each decision: they fall behind, and pass where their time is up."""
    store = await Store.open(place)
    tables = GameService(store, TITLES, clock)
    number = await play_live(tables, clock, "1830", PRESETS["blitz"], 3, 6000)
    table, _ = await tables.desk.require_started(number)
    assert table.record.status == GameStatus.FINISHED
    moves = await tables.desk.store.moves.list_of(number)
    assert {bool(move.person) for move in moves if move.kind == MoveKind.MOVE and not move.auto} == {True, False}
    await check_ledger(tables, number)
    assert (await tables.doctor.examine(number)).is_healthy
    await store.close()
