"""The outbox is posted game by game: whatever is wrong with one of them, the others are told."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from sqlalchemy import text

from bot.commands.discord import outbox_worker
from bot.commands.discord.interactions.retry_backoff import PlaceBackoff
from bot.commands.discord.message_slots import RetryLater
from bot.commands.discord.notifications import NotificationSender
from bot.commands.discord.outbox_worker import OutboxWorker
from bot.commands.discord.post_failures import PostFailures, PostRefused
from bot.service.game_service import GameService
from bot.store import Notice, Place, SeatRecord, Store
from tests.blank_database import write_blank
from tests.service.toy_title import TITLES

ANN, BOB = "discord:1", "discord:2"


@pytest.fixture
async def tables(tmp_path: Path) -> AsyncIterator[GameService]:
    """Two games that have begun, each with a place."""
    write_blank(tmp_path / "signalbox.db")
    store = await Store.open(tmp_path / "signalbox.db")
    opened = GameService(store, TITLES)
    for game in (1, 2):
        await opened.lobby.create("toy", ANN, [(ANN, "Ann"), (BOB, "Bob")])
        await store.games.set_place(Place(game, "1", "2", f"3{game}"))
        await opened.lobby.start(game, ANN, "list")
    yield opened
    await store.close()


DAMAGE = {
    "place": "UPDATE places SET guild = 'rubbish' WHERE game = 1",
    "notice": "UPDATE outbox SET lines = '[7]' WHERE game = 1",
    "game": "UPDATE games SET pace_hours = -1 WHERE id = 1",
    "fault": "",
}


@pytest.mark.parametrize("what", DAMAGE)
async def test_one_game_that_cannot_be_told_does_not_silence_the_others(
    tables: GameService, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    told: list[int] = []

    async def channel(client: object, place: Place) -> object:
        return object()

    async def post(self: NotificationSender, venue: object, game: int, waiting: Sequence[Notice], is_due: bool) -> None:
        await tables.desk.table(game)
        if what == "fault" and game == 1:
            raise ValueError("whatever stands in its rows")
        told.append(game)
        await tables.desk.store.outbox.mark_all_posted([notice.id for notice in waiting], 1.0, "7")

    monkeypatch.setattr("bot.commands.discord.outbox_worker.channel_of", channel)
    monkeypatch.setattr(NotificationSender, "post_game", post)
    if DAMAGE[what]:
        async with tables.desk.store.write_transaction() as connection:
            await connection.execute(text(DAMAGE[what]))
        tables.desk.forget(1)
    client: Any = SimpleNamespace(tables=tables, patience=PlaceBackoff(), loop=asyncio.get_running_loop())
    poster = OutboxWorker(client)
    assert await poster.flush() is False
    assert told == [2]
    assert poster.patience.waiting() == (set() if what == "notice" else {1})


async def test_everything_is_told_once_and_in_order(tables: GameService, monkeypatch: pytest.MonkeyPatch) -> None:
    told: dict[int, list[int]] = {1: [], 2: []}

    async def channel(client: object, place: Place) -> object:
        return object()

    async def post(self: NotificationSender, venue: object, game: int, waiting: Sequence[Notice], is_due: bool) -> None:
        if not told[game]:
            await tables.moves.submit(game, ANN, "pass")
        told[game] += [notice.id for notice in waiting]
        await tables.desk.store.outbox.mark_all_posted([notice.id for notice in waiting], 1.0, "7")

    monkeypatch.setattr("bot.commands.discord.outbox_worker.channel_of", channel)
    monkeypatch.setattr(NotificationSender, "post_game", post)
    client: Any = SimpleNamespace(tables=tables, patience=PlaceBackoff(), loop=asyncio.get_running_loop())
    await tables.moves.submit(1, ANN, "pass")
    await tables.moves.submit(1, BOB, "pass")
    assert await OutboxWorker(client).flush() is False
    assert [len(numbers) for numbers in told.values()] == [6, 4]
    assert all(numbers == sorted(set(numbers)) for numbers in told.values())
    assert await tables.outbox.waiting_notices() == []


async def test_games_that_wait_for_discord_keep_no_other_game_waiting(
    tables: GameService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox_worker, "AT_ONCE", 1)
    monkeypatch.setattr(outbox_worker, "SLOW", 0.1)
    attempts: list[int] = []
    has_succeeded = asyncio.Event()

    async def channel(client: object, place: Place) -> object:
        return object()

    async def post(self: NotificationSender, venue: object, game: int, waiting: Sequence[Notice], is_due: bool) -> None:
        attempts.append(game)
        if game == 1:
            await has_succeeded.wait()
        elif attempts.count(2) < 2:
            raise RetryLater("a limit")
        else:
            has_succeeded.set()
        await tables.desk.store.outbox.mark_all_posted([notice.id for notice in waiting], 1.0, "7")

    monkeypatch.setattr("bot.commands.discord.outbox_worker.channel_of", channel)
    monkeypatch.setattr(NotificationSender, "post_game", post)
    client: Any = SimpleNamespace(tables=tables, patience=PlaceBackoff(), loop=asyncio.get_running_loop())
    async with asyncio.timeout(10):
        assert await OutboxWorker(client).flush() is False
    assert attempts == [1, 2, 2]
    assert await tables.outbox.waiting_notices() == []


@pytest.mark.parametrize("code", [50007, 50035])
def test_only_who_takes_no_direct_messages_does_without(code: int) -> None:
    answer: Any = SimpleNamespace(status=403, reason="Forbidden", headers={})
    notice, bob = Notice(1, 0, "told", [], 0.0), SeatRecord(1, 2, BOB, "Bob")
    for reader in (bob, None):
        failures = PostFailures(1)
        with failures.collect([notice], reader):
            raise discord.HTTPException(answer, {"code": code, "message": "no"})
        does_without = reader is bob and code == 50007
        with nullcontext() if does_without else pytest.raises(PostRefused):
            failures.check()
        assert failures.refused == ([] if does_without else [notice])
