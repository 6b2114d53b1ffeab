"""Waiting for something to become true in the emulator, as soon as it does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")
UNHEARD_SECONDS = 0.05
"""A bot inside the test changes without a beat: it is looked at this often."""


class Pulse:
    """Beats whenever the emulated world changes."""

    def __init__(self) -> None:
        self._waiting: set[asyncio.Future[None]] = set()

    def beat(self) -> None:
        """Something has changed: everybody looks again."""
        waiting, self._waiting = self._waiting, set()
        for future in waiting:
            if not future.done():
                future.set_result(None)

    async def until(self, look: Callable[[], Found], timeout: float, what: str = "") -> Found:
        """The first true value of `look`, which is asked after every beat, and every 50 ms for what beats unheard.

        :raises TimeoutError: it did not come within `timeout` seconds.
        """
        loop = asyncio.get_running_loop()
        end = loop.time() + timeout
        while not (found := look()):
            left = end - loop.time()
            if left <= 0:
                raise TimeoutError(f"{what or 'what was waited for'} did not come within {timeout} s")
            future: asyncio.Future[None] = loop.create_future()
            self._waiting.add(future)
            await asyncio.wait([future], timeout=min(left, UNHEARD_SECONDS))
            self._waiting.discard(future)
        return found
