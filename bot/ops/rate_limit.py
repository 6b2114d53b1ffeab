"""Who is let in: nobody faster than he may, nobody while the house is closing, and nobody is thrown out half-way."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from bot.engine.refusals import IllegalMove
from bot.metrics import IN_HAND
from bot.service.imports.fair_queue import LEAVING, ShuttingDown

BURST = 30
"""How much a person may ask at once before the rate counts."""

REMEMBERED = 10_000
"""How many people are remembered; those who asked nothing for long are forgotten first."""


class RateLimited(IllegalMove):
    """Somebody asks for too much."""


@dataclass
class TokenBucket:
    """What is left of a person's allowance, and when that was reckoned."""

    left: float
    at: float


class RateLimiter:
    """Counts what is asked and by whom. `rate` is the number of requests a minute (0: no limit)."""

    def __init__(self, rate: int, burst: int = BURST, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate = rate
        self.burst = burst
        self.clock = clock
        self.is_closing = False
        self.being_answered = 0
        self._idle = asyncio.Event()
        self._idle.set()
        self._people: dict[str, TokenBucket] = {}

    def admit(self, person: str) -> None:
        """Let somebody ask.

        :raises RateLimited: the person has asked for too much.
        :raises ShuttingDown: the bot is closing.
        """
        if self.is_closing:
            raise ShuttingDown(LEAVING)
        if not self.rate:
            return
        now = self.clock()
        known = self._people.pop(person, None) or TokenBucket(self.burst, now)
        per_second = self.rate / 60
        left = min(float(self.burst), known.left + max(0.0, now - known.at) * per_second)
        self._people[person] = TokenBucket(left - 1 if left >= 1 else left, now)
        while len(self._people) > REMEMBERED:
            self._people.pop(next(iter(self._people)))
        if left < 1:
            seconds = max(1, round((1 - left) / per_second))
            raise RateLimited(f"That was a lot at once; please wait {seconds} s. Nothing was changed.")

    @contextmanager
    def in_hand(self) -> Iterator[None]:
        """Somebody is being answered; `drained` waits for it."""
        self.being_answered += 1
        IN_HAND.set(self.being_answered)
        self._idle.clear()
        try:
            yield
        finally:
            self.being_answered -= 1
            IN_HAND.set(self.being_answered)
            if not self.being_answered:
                self._idle.set()

    async def drained(self, seconds: float) -> bool:
        """Let nobody in any more and wait until everybody has been answered; whether that was so in time."""
        self.is_closing = True
        try:
            await asyncio.wait_for(self._idle.wait(), seconds)
        except TimeoutError:
            return False
        return True
