"""Who is told that a game has moved on: what idle games cost, and that no fault ends the news."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path

import pytest
from sqlalchemy import insert

from bot.commands.web import change_feed
from bot.commands.web.change_feed import ChangeFeed
from bot.commands.web.coalesce import FairScheduler
from bot.service.features.board_links import digest_of
from bot.service.game_service import GameService
from bot.service.sessions.session_manager import GameSession
from bot.store import GameRecord, LinkRecord, Server, Store, schema
from bot.store.backends import sqlite
from bot.store.rows import row_of
from tests.blank_database import write_blank
from tests.service.conftest import ANN
from tests.service.toy_title import TITLES as TOYS
from tests.store.statements import at_each_statement


class Watchers:
    """Watched games at a feed: what each viewer was told, in order; None where the stream has ended."""

    def __init__(self, feed: ChangeFeed) -> None:
        self.feed = feed
        self.told: dict[int, asyncio.Queue[str | None]] = {}
        self.tasks: list[asyncio.Task[None]] = []

    async def look_at(self, *games: int) -> None:
        """Open a stream of each, and wait until it has said how the game stands."""
        for game in games:
            self.told[game] = asyncio.Queue()
            self.tasks.append(asyncio.create_task(self._look(game)))
        for game in games:
            assert await self.next_of(game)

    async def next_of(self, game_id: int) -> str | None:
        """The next stamp that the viewer of a game is told, within twenty heartbeats; None when the stream has ended."""
        for _ in range(20):
            if (found := await asyncio.wait_for(self.told[game_id].get(), 60)) != "":
                return found
        raise AssertionError("nothing but heartbeats")

    async def _look(self, game_id: int) -> None:
        async with aclosing(self.feed.etags(game_id, [digest_of(str(game_id))])) as stamps:
            async for stamp in stamps:
                self.told[game_id].put_nowait(stamp)
        self.told[game_id].put_nowait(None)

    async def close(self) -> None:
        """Everybody goes."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await self.feed.close()


@asynccontextmanager
async def watched(
    store: Store, number: int, heartbeat: float = 20.0
) -> AsyncIterator[tuple[GameService, Watchers, list[int]]]:
    """So many lobbies, each with a link and somebody who looks."""
    tables, games = GameService(store, TOYS), list(range(1, number + 1))
    lobby = GameRecord(0, "toy", {}, 0, "lobby", ANN, 24.0, 0, 0.0, 0.0)
    async with store.write_transaction() as connection:
        await connection.execute(insert(schema.games), [{**row_of(lobby), "id": game} for game in games])
        records = [LinkRecord(digest_of(str(game)), game, ANN, "look", 0.0, 4e9) for game in games]
        await connection.execute(insert(schema.links), [row_of(record) for record in records])
    watchers = Watchers(ChangeFeed(tables, FairScheduler(), heartbeat))
    await watchers.look_at(*games)
    yield tables, watchers, games
    await watchers.close()


async def test_idle_games_cost_the_same_statements_however_many_are_watched(
    place: Path | Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, other = await Store.open(place), await Store.open(place)
    sent: list[bool] = []
    monkeypatch.setattr(change_feed, "REGULAR", 0.5)
    async with watched(store, 300) as (_, watchers, games):
        await asyncio.sleep(1.0)
        with monkeypatch.context() as patched:
            at_each_statement(patched, sent.append)
            await asyncio.sleep(2.0)
        # The counter of a file's changes; a regular look at all games together, for seats and links.
        assert 0 < len(sent) <= 2.0 / sqlite.LOOK + 2 * (2.0 / 0.5 + 1)
        monkeypatch.setattr(change_feed, "REGULAR", 1e6)
        await asyncio.sleep(1.0)
        for game in (games[0], games[-1]):
            # What another program changes is told at once.
            await other.games.change(game, status="paused")
            assert await watchers.next_of(game)
            await other.links.withdraw(game)
            assert await watchers.next_of(game) is None
        assert all(watchers.told[game].empty() for game in games)
    await store.close()
    await other.close()


async def test_a_fault_of_the_program_at_one_game_ends_nobodys_news(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    write_blank(tmp_path / "signalbox.db")
    store = await Store.open(tmp_path / "signalbox.db")
    stamp = change_feed.etag_of
    monkeypatch.setattr(change_feed, "REGULAR", 0.1)
    async with watched(store, 3, heartbeat=0.5) as (_, watchers, games):
        first, bad, last = games

        def faulty(table: GameSession) -> str:
            if table.record.id == bad:
                raise KeyError("a fault of the program")
            return stamp(table)

        monkeypatch.setattr(change_feed, "etag_of", faulty)
        for game in games:
            await store.games.change(game, status="paused")
        for game in (first, last):
            assert await watchers.next_of(game)
        # Nobody is left with heartbeats: who looks at that game is let go, and comes back.
        assert await watchers.next_of(bad) is None
        assert len([record for record in caplog.records if "a fault of the program" in record.getMessage()]) == 1
        monkeypatch.setattr(change_feed, "etag_of", stamp)
        await watchers.look_at(bad)
        await store.games.change(bad, status="running")
        assert await watchers.next_of(bad)
    await store.close()
