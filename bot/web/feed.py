"""Who is told that a game has moved on: one watcher a game, however many look."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import zlib
from collections.abc import AsyncGenerator, Collection
from dataclasses import dataclass, field

from bot.engine.refusals import Refusal
from bot.store import StoreError
from bot.tables.desk.desk import Table
from bot.tables.tables import Tables

from .crowd import Turnstile

log = logging.getLogger("signalbox.web")

LOOK = 0.3
"""Seconds between two looks at the database, where another program may have moved a game on."""

HEARTBEAT = 20.0
"""Seconds after which a stream without news shows that it lives; whoever has gone is found out by that."""


def stamp_of(table: Table) -> str:
    """What tells one page of a game from the next: its record, and what changes it without one."""
    record = table.record
    others = "|".join(f"{seat.number}.{seat.name}.{seat.person}.{seat.sitter}" for seat in table.seats)
    return f"{record.version}.{zlib.crc32(f'{record.status}|{record.rules}|{record.retold}|{others}'.encode()):x}"


@dataclass
class Watched:
    """A game that somebody looks at: its stamp, the links that are good, who waits for news."""

    stamp: str = ""
    good: frozenset[str] = frozenset()
    news: asyncio.Event = field(default_factory=asyncio.Event)
    viewers: int = 0
    task: asyncio.Task[None] | None = None


class Feed:
    """Watches games while somebody looks at them."""

    def __init__(self, tables: Tables, turnstile: Turnstile, look: float = LOOK, heartbeat: float = HEARTBEAT) -> None:
        self.tables, self.turnstile, self.look, self.heartbeat = tables, turnstile, look, heartbeat
        self._games: dict[int, Watched] = {}
        self._wakes: dict[int, asyncio.Event] = {}
        tables.desk.listeners.append(self.wake)

    @property
    def viewers(self) -> int:
        """How many streams are open."""
        return sum(watched.viewers for watched in self._games.values())

    async def wake(self, game: int, saved: object = None) -> None:
        """This program has moved a game on: look at once."""
        if game in self._wakes:
            self._wakes[game].set()

    async def stamps(self, game: int, links: Collection[str]) -> AsyncGenerator[str, None]:
        """The game's stamp, now and whenever it is another one; empty where nothing has happened for a while. Ends when the
        links are not all good any more; `links` are their digests.

        :raises NotAllowed: there is no such game.
        """
        watched = self._games.setdefault(game, Watched())
        watched.viewers += 1
        try:
            if watched.task is None or not watched.good.issuperset(links):
                # A link may be newer than the last look.
                await self._take_stock(game, watched)
            if watched.task is None:
                self._wakes[game] = asyncio.Event()
                watched.task = asyncio.create_task(self._watch(game, watched), name=f"watch game {game}")
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
                    yield ""
                await self.turnstile.passed()
        finally:
            watched.viewers -= 1
            if not watched.viewers:
                self._end(game, watched)

    def _end(self, game: int, watched: Watched) -> None:
        if self._games.get(game) is watched:
            del self._games[game]
            self._wakes.pop(game, None)
        if watched.task is not None:
            watched.task.cancel()

    async def _watch(self, game: int, watched: Watched) -> None:
        """Look again and again, and let everybody know what is new."""
        while True:
            wake = self._wakes[game]
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(wake.wait(), self.look)
            wake.clear()
            try:
                await self._take_stock(game, watched)
            except (StoreError, Refusal) as error:
                log.warning("cannot be looked at: %s", error, extra={"game": game})

    async def _take_stock(self, game: int, watched: Watched) -> None:
        """What the database says; whoever waits is told when that is new."""
        table = await self.tables.desk.table(game)
        stamp, good = stamp_of(table), frozenset(await self.tables.links.good(table))
        if (stamp, good) == (watched.stamp, watched.good):
            return
        watched.stamp, watched.good = stamp, good
        news, watched.news = watched.news, asyncio.Event()
        news.set()

    async def close(self) -> None:
        """Let everybody go."""
        self.tables.desk.listeners.remove(self.wake)
        for game, watched in list(self._games.items()):
            watched.good = frozenset()
            watched.news.set()
            self._end(game, watched)
