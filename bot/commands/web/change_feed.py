"""News that a game has moved on: one watcher for all games that somebody looks at.

It reads when the database says that something was saved, and also at intervals; changes of this program, at once. Games
in which nothing happens cost nothing, however many are looked at.
"""

from __future__ import annotations

import asyncio
import logging
import time
import zlib
from collections.abc import AsyncGenerator, Collection
from contextlib import aclosing, suppress
from dataclasses import dataclass, field

from bot.engine import GameId
from bot.ops.supervisor import keep_going
from bot.service.game_service import GameService
from bot.service.sessions import GameSession
from bot.store import StoreError

from .coalesce import FairScheduler

log = logging.getLogger("signalbox.web")

SPACING = 0.2
"""Minimum number of seconds between two checks of all games, however much is saved."""

REGULAR = 3.0
"""Seconds after which all games are checked even without news from the database: a sitter's days may be over, or a
link's.
"""

LONGEST_REST = 30.0
"""Maximum number of seconds for which a game is left alone after a failure."""

HEARTBEAT = 20.0
"""Seconds after which a stream without news sends a sign of life; this detects viewers who have gone."""


def etag_of(table: GameSession) -> str:
    """Distinguishes the states of a game's page: its log entry, and what changes it without an entry."""
    record = table.record
    others = "|".join(f"{seat.number}.{seat.name}.{seat.person}.{seat.sitter}" for seat in table.seats)
    return f"{record.version}.{zlib.crc32(f'{record.status}|{record.rules}|{record.retold}|{record.options}|{record.clock}|{others}'.encode()):x}"


@dataclass
class WatchedGame:
    """A game with viewers: its stamp, the valid links, the waiting streams; and since when it could not be read,
    why, and the time of the next try.
    """

    stamp: str = ""
    good: frozenset[str] = frozenset()
    news: asyncio.Event = field(default_factory=asyncio.Event)
    viewers: int = 0
    fault: str = ""
    rest: float = 0.0
    due: float = 0.0


class ChangeFeed:
    def __init__(self, tables: GameService, turnstile: FairScheduler, heartbeat: float = HEARTBEAT) -> None:
        self.tables, self.turnstile, self.heartbeat = tables, turnstile, heartbeat
        self._games: dict[GameId, WatchedGame] = {}
        self._moved: set[GameId] = set()
        self._is_behind = False
        self._wake = asyncio.Event()
        self._reading = asyncio.Lock()
        self._tasks: list[asyncio.Task[None]] = []
        tables.desk.listeners.append(self.notify)

    @property
    def viewers(self) -> int:
        """Number of open streams."""
        return sum(watched.viewers for watched in self._games.values())

    async def notify(self, game_id: GameId, saved: object = None) -> None:
        """Check at once: this process has changed a game."""
        if game_id in self._games:
            self._moved.add(game_id)
            self._wake.set()

    async def etags(self, game_id: GameId, links: Collection[str]) -> AsyncGenerator[str, None]:
        """The game's stamp, now and at each change; empty where nothing has happened for a while. Ends when the
        links are not all valid any more, and when the game cannot be read; `links` are their digests.

        :raises StoreError: the database does not answer.
        """
        watched = self._games.setdefault(game_id, WatchedGame())
        watched.viewers += 1
        if not self._tasks:
            self._tasks = [
                asyncio.create_task(keep_going(work, f"the board page's {what}"), name=f"board page: {what}")
                for what, work in (("ear", self._listen), ("watcher", self._watch))
            ]
        try:
            async with self._reading:
                if not watched.good.issuperset(links):
                    # A link may be newer than the last look.
                    await self._read([game_id])
            known = ""
            while watched.good.issuperset(links):
                news = watched.news
                if watched.stamp != known:
                    known = watched.stamp
                    yield known
                    continue
                try:
                    async with asyncio.timeout(self.heartbeat):
                        await news.wait()
                except TimeoutError:
                    if watched.fault:
                        return
                    yield ""
                await self.turnstile.wait_turn()
        finally:
            watched.viewers -= 1
            if not watched.viewers:
                self._end(game_id, watched)

    def _end(self, game_id: GameId, watched: WatchedGame) -> None:
        if self._games.get(game_id) is watched:
            del self._games[game_id]
        if not self._games:
            for task in self._tasks:
                task.cancel()
            self._tasks = []

    async def _listen(self) -> None:
        async with aclosing(self.tables.desk.store.changes()) as changes:
            async for _ in changes:
                self._is_behind = True
                self._wake.set()

    async def _watch(self) -> None:
        looked = 0.0
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(REGULAR):
                    await self._wake.wait()
            self._wake.clear()
            now = time.monotonic()
            if self._is_behind and now - looked < SPACING:
                asyncio.get_running_loop().call_later(SPACING - now + looked, self._wake.set)
                games = self._moved
            elif self._is_behind or now - looked >= REGULAR:
                looked, self._is_behind = now, False
                games = set(self._games)
            else:
                games = self._moved
            self._moved = set()
            await self._look_at([game for game in games if game in self._games and self._games[game].due <= now])

    async def _look_at(self, games: Collection[GameId]) -> None:
        """Check these games. Games at which the program itself fails are checked separately, so that no other has to
        wait.
        """
        try:
            async with self._reading:
                if games:
                    await self._read(games)
        except StoreError as error:
            self._note_fault(games, error)
        except Exception as error:
            if len(games) == 1:
                self._note_fault(games, error)
                return
            for game in games:
                await self._look_at([game])

    def _note_fault(self, games: Collection[GameId], error: Exception) -> None:
        """Note that these games could not be read: each rests, longer and longer. A fault is logged once, however
        many games it affects and however often.
        """
        fault = f"{type(error).__name__}: {error}"
        if not any(watched.fault == fault for watched in self._games.values()):
            is_ours = not isinstance(error, StoreError)
            log.warning("%d game(s) cannot be looked at: %s", len(games), fault, exc_info=error if is_ours else None)
        for watched in [self._games[game] for game in games if game in self._games]:
            watched.fault = fault
            watched.rest = min(2 * watched.rest or SPACING, LONGEST_REST)
            watched.due = time.monotonic() + watched.rest

    async def _read(self, games: Collection[GameId]) -> None:
        """Read the state from the database, one reading after another (`_reading`); waiting streams are notified of
        changes. A game that cannot be read opens to no link.
        """
        tables = await self.tables.desk.tables(games)
        good = await self.tables.links.valid_digests(tables)
        for game in games:
            if (watched := self._games.get(game)) is None:
                continue
            found = (etag_of(tables[game]), good[game]) if game in tables else ("", frozenset[str]())
            watched.fault, watched.rest = "", 0.0
            if found != (watched.stamp, watched.good):
                watched.stamp, watched.good = found
                news, watched.news = watched.news, asyncio.Event()
                news.set()

    async def close(self) -> None:
        self.tables.desk.listeners.remove(self.notify)
        for watched in self._games.values():
            watched.good = frozenset()
            watched.news.set()
        tasks, self._tasks = self._tasks, []
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
