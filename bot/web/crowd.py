"""Many at once: what all of them ask is read once, and they go on a few at a time, so that nobody else is kept waiting."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Found = TypeVar("Found")

A_TURN = 8
"""So many go on in one turn of the event loop."""

READERS = 2
"""So many readings are under way at the same time."""


class Turnstile:
    """Lets a few through in each turn of the event loop, in the order in which they came."""

    def __init__(self) -> None:
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def passed(self) -> None:
        """Wait for one's turn."""
        loop = asyncio.get_running_loop()
        if not self._waiting:
            loop.call_soon(self._open, loop)
        mine = loop.create_future()
        self._waiting.append(mine)
        await mine

    def _open(self, loop: asyncio.AbstractEventLoop) -> None:
        for _ in range(min(A_TURN, len(self._waiting))):
            one = self._waiting.popleft()
            if not one.done():
                one.set_result(None)
        if self._waiting:
            loop.call_soon(self._open, loop)


class Shared(Generic[Key, Found]):
    """Readings for a crowd: whoever asks while one waits to begin has part in it. What has begun before he asked is not for
    him, so that nobody is told what is no longer so."""

    def __init__(self, read: Callable[[Key], Awaitable[Found]], turnstile: Turnstile) -> None:
        self.read, self.turnstile = read, turnstile
        self._next: dict[Key, asyncio.Task[Found]] = {}
        self._free = asyncio.Semaphore(READERS)

    async def of(self, key: Key) -> Found:
        """What is read for that key; what reading raises, everybody who shares in it is told."""
        if key not in self._next:
            self._next[key] = asyncio.create_task(self._read(key))
        # Whoever goes away leaves the others what he asked for.
        found = await asyncio.shield(self._next[key])
        await self.turnstile.passed()
        return found

    async def _read(self, key: Key) -> Found:
        async with self._free:
            del self._next[key]
            return await self.read(key)
