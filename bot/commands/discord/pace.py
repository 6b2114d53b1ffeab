"""Requests to Discord from a bot that has a part of its token's allowance."""

from __future__ import annotations

import asyncio
import time
from collections import deque

ALLOWED = 45.0
"""Requests a second of all bots of a token together. Discord takes 50; the rest is for what its network delays, and for bots that
only wait."""

LEAST = 1.0
"""Of a bot that has no shard."""


class Pace:
    """Lets requests go one after another, so many a second; `part` is this bot's, between 0 and 1."""

    def __init__(self) -> None:
        self.part = 0.0
        self._turn = asyncio.Lock()
        self._recent: deque[float] = deque()

    async def wait(self) -> None:
        """Until one more may be sent."""
        async with self._turn:
            rate = max(ALLOWED * self.part, LEAST)
            many = max(1, int(rate))
            span = max(1.0, many / rate)
            while len(self._recent) >= many:
                left = self._recent[0] + span - time.monotonic()
                if left <= 0:
                    self._recent.popleft()
                else:
                    await asyncio.sleep(left)
            self._recent.append(time.monotonic())
