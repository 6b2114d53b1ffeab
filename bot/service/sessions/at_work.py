"""A person has few requests worked on at once, wherever they ask: the threads stay free for the moves of others."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from weakref import WeakValueDictionary

from bot.engine import PersonId

MOST_AT_WORK = 2

_SHARES: WeakValueDictionary[PersonId, asyncio.Semaphore] = WeakValueDictionary()


@dataclass
class _Place:
    """A place in somebody's share; not held while its request waits for something else."""

    share: asyncio.Semaphore
    is_held: bool = False

    async def take(self) -> None:
        await self.share.acquire()
        self.is_held = True

    def give_back(self) -> None:
        if self.is_held:
            self.is_held = False
            self.share.release()


_PLACE: ContextVar[_Place | None] = ContextVar("place", default=None)


@asynccontextmanager
async def at_work(person: PersonId) -> AsyncIterator[None]:
    """Wait until few of the person's other requests are worked on."""
    place = _Place(_SHARES.setdefault(person, asyncio.Semaphore(MOST_AT_WORK)))
    await place.take()
    before = _PLACE.set(place)
    try:
        yield
    finally:
        _PLACE.reset(before)
        place.give_back()


@asynccontextmanager
async def waiting_elsewhere() -> AsyncIterator[None]:
    """Inside, the request takes no place: what it waits for has a queue of its own."""
    place = _PLACE.get()
    if place is None:
        yield
        return
    place.give_back()
    try:
        yield
    finally:
        await place.take()
