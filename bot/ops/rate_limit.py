"""Limits on actions: nobody exceeds their rate, nobody starts while the bot is closing, and nobody is interrupted
half-way."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from bot.engine import IllegalMove, Message, msg
from bot.metrics import IN_FLIGHT
from bot.service.imports.fair_queue import LEAVING, ShuttingDown

BURST = 30
"""Number of requests a person may make at once before the rate counts."""

REMEMBERED = 10_000
"""Number of people remembered; those who have asked nothing for longest are forgotten first."""


class RateLimited(IllegalMove):
    """Somebody asks for too much; they may ask again after that number of `seconds`. `is_repeated` says that their last request
    was refused, too.
    """

    def __init__(self, said: Message, seconds: int = 60, is_repeated: bool = False) -> None:
        super().__init__(said.template, "", *said.values)
        self.seconds = seconds
        self.is_repeated = is_repeated


@dataclass
class TokenBucket:
    left: float
    at: float
    is_refused: bool = False
    """Whether the last request was refused."""


class RateLimiter:
    """Counts requests by person or other source. `rate` is the number of requests a minute (0: no limit)."""

    def __init__(self, rate: int, burst: int = BURST, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate = rate
        self.burst = burst
        self.clock = clock
        self.is_closing = False
        self.in_flight = 0
        self._idle = asyncio.Event()
        self._idle.set()
        self._people: dict[str, TokenBucket] = {}

    def acquire(self, key: str) -> None:
        """Admit a request.

        :raises RateLimited: this person, or source, has asked for too much.
        :raises ShuttingDown: the bot is closing.
        """
        if self.is_closing:
            raise ShuttingDown(LEAVING)
        if not self.rate:
            return
        now = self.clock()
        known = self._people.pop(key, None) or TokenBucket(self.burst, now)
        per_second = self.rate / 60
        left = min(float(self.burst), known.left + max(0.0, now - known.at) * per_second)
        self._people[key] = TokenBucket(left - 1 if left >= 1 else left, now, is_refused=left < 1)
        while len(self._people) > REMEMBERED:
            self._people.pop(next(iter(self._people)))
        if left < 1:
            seconds = max(1, round((1 - left) / per_second))
            said = msg("That was a lot at once; please wait {seconds} s. Nothing was changed.", seconds)
            raise RateLimited(said, seconds, known.is_refused)

    @contextmanager
    def track(self) -> Iterator[None]:
        """Somebody is being answered; `drain` waits for it."""
        self.in_flight += 1
        IN_FLIGHT.set(self.in_flight)
        self._idle.clear()
        try:
            yield
        finally:
            self.in_flight -= 1
            IN_FLIGHT.set(self.in_flight)
            if not self.in_flight:
                self._idle.set()

    async def drain(self, seconds: float) -> bool:
        """Admit nobody any more and wait until everybody has been answered; returns whether that was so in time."""
        self.is_closing = True
        try:
            await asyncio.wait_for(self._idle.wait(), seconds)
        except TimeoutError:
            return False
        return True
