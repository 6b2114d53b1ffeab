"""Waiting for something to become true in the emulator, without polling."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")


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
        """The first true value of `look`.

        :raises TimeoutError: it did not come within `timeout` seconds.
        """
        loop = asyncio.get_running_loop()
        end = loop.time() + timeout
        while not (found := look()):
            future: asyncio.Future[None] = loop.create_future()
            self._waiting.add(future)
            try:
                await asyncio.wait_for(future, end - loop.time())
            except TimeoutError:
                raise TimeoutError(f"{what or 'what was waited for'} did not come within {timeout} s") from None
            finally:
                self._waiting.discard(future)
        return found
