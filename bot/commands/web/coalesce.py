"""Many at once: what all of them ask is read once, and they go on a few at a time, so that nobody else is kept waiting."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Found = TypeVar("Found")

A_TURN = 8
"""Maximum number that go on in one turn of the event loop."""

READERS = 2


class FairScheduler:
    """Lets a few through in each turn of the event loop, first come first served."""

    def __init__(self) -> None:
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def wait_turn(self) -> None:
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


class Turns:
    """A limited number of places for work, shared in turn by all who have work waiting: a client with many requests
    waits longer, and keeps others waiting for no more than its next request.
    """

    def __init__(self, places: int) -> None:
        self._free = places
        self._waiting: OrderedDict[Hashable, deque[asyncio.Future[None]]] = OrderedDict()

    @asynccontextmanager
    async def turn(self, who: Hashable) -> AsyncIterator[None]:
        """A place, when it is this client's turn."""
        if self._free:
            self._free -= 1
        else:
            mine = asyncio.get_running_loop().create_future()
            self._waiting.setdefault(who, deque()).append(mine)
            try:
                await mine
            except asyncio.CancelledError:
                if mine.done() and not mine.cancelled():
                    self._pass_on()
                raise
        try:
            yield
        finally:
            self._pass_on()

    def _pass_on(self) -> None:
        """Give the place to the next client in turn, whose other work waits until all others had a turn."""
        while self._waiting:
            who, line = self._waiting.popitem(last=False)
            while line:
                mine = line.popleft()
                if not mine.done():
                    if line:
                        self._waiting[who] = line
                    mine.set_result(None)
                    return
        self._free += 1


class Seats:
    """Limits the number of simultaneous viewers. When all places are taken, a newcomer gets the place of a viewer by
    the links of the person with most, unless the newcomer's person would then have as many: no flood keeps
    anybody else away.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._held: dict[Hashable, deque[asyncio.Timeout]] = {}

    @property
    def viewers(self) -> int:
        return sum(map(len, self._held.values()))

    @contextmanager
    def seat(self, who: Hashable, until: asyncio.Timeout) -> Iterator[bool]:
        """Yields whether there is a place, which is held meanwhile; `until` ends early when another viewer needs it."""
        own = self._held.get(who, deque())
        if self.viewers >= self.most:
            heaviest = max(self._held.values(), key=len, default=own)
            if len(heaviest) <= len(own) + 1:
                yield False
                return
            heaviest.popleft().reschedule(asyncio.get_running_loop().time())
        self._held.setdefault(who, own).append(until)
        try:
            yield True
        finally:
            with suppress(ValueError):
                own.remove(until)
            if not own and self._held.get(who) is own:
                del self._held[who]


class SingleFlight(Generic[Key, Found]):
    """Coalesces concurrent reads: callers join a read that has not started yet. A read that started before the call
    is not shared, so that nobody gets outdated data.
    """

    def __init__(self, read: Callable[[Key], Awaitable[Found]], turnstile: FairScheduler) -> None:
        self.read, self.turnstile = read, turnstile
        self._next: dict[Key, asyncio.Task[Found]] = {}
        self._free = asyncio.Semaphore(READERS)

    async def get(self, key: Key) -> Found:
        """The value read for that key; an error is raised to all callers that share the read."""
        if key not in self._next:
            self._next[key] = asyncio.create_task(self._read(key))
        # A caller that goes away leaves the result to the others.
        found = await asyncio.shield(self._next[key])
        await self.turnstile.wait_turn()
        return found

    async def _read(self, key: Key) -> Found:
        async with self._free:
            del self._next[key]
            return await self.read(key)
