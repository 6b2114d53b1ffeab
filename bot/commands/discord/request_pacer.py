"""The pace of requests to Discord: this bot's part of its token's allowance, and limits on the whole bot."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from json import JSONDecodeError
from typing import Any

import discord

from .interactions import GameClient

ALLOWED = 45.0
"""Requests a second of all bots of a token together. Discord takes 50; the rest is a margin for delays in its
network, and for bots that only wait.
"""

LEAST = 1.0
"""Requests a second of a bot that has no shard."""


class RequestPacer:
    """Lets requests go one after another, at a limited rate; `part` is this bot's share, between 0 and 1. A bot that
    may send less than one a second sends at moments of its own, by the wall clock: `place`, between 0 and 1, is
    their position between those of other bots with the same share.
    """

    def __init__(self) -> None:
        self.part = self.place = 0.0
        self._turn = asyncio.Lock()
        self._recent: deque[float] = deque()

    async def wait(self) -> None:
        async with self._turn:
            rate = ALLOWED * self.part or LEAST
            many = max(1, int(rate))
            # For requests with their own moments, a little less than the whole: they may not quite be met.
            span = max(1.0, 0.99 * many / rate)
            while len(self._recent) >= many:
                left = self._recent[0] + span - time.monotonic()
                if left <= 0:
                    self._recent.popleft()
                else:
                    await asyncio.sleep(left)
            if rate < 1:
                await asyncio.sleep((self.place - time.time() * rate) % 1 / rate)
            self._recent.append(time.monotonic())


class GlobalLimit(asyncio.Event):
    """Set while requests may be sent. It knows the request that hit a limit on the whole bot, and waits for its end."""

    waiting: asyncio.Task[Any] | None = None

    def clear(self) -> None:
        """Note that the present task has hit the limit."""
        super().clear()
        self.waiting = asyncio.current_task()


class AnswerUnreadable(OSError):
    """The answer is not from Discord: text where data was asked for."""


def watch_requests(client: GameClient) -> None:
    """Note when Discord has done what it was asked for; and let a limit on the whole bot end with the request that waits for its
    end, also where that request is given up: discord.py would let no request through any more.

    An answer that cannot be read raises AnswerUnreadable.
    """
    http = client.http
    send = http.request

    async def request(route: discord.http.Route, **more: Any) -> Any:
        if not isinstance(http._global_over, GlobalLimit):
            http._global_over = GlobalLimit()
            http._global_over.set()
        limit = http._global_over
        try:
            answer = await send(route, **more)
        except JSONDecodeError as error:
            raise AnswerUnreadable from error
        finally:
            if not limit.is_set() and limit.waiting is asyncio.current_task():
                limit.set()
        if isinstance(answer, str) and answer:
            raise AnswerUnreadable
        client.answered_at = time.monotonic()
        return answer

    http.request = request  # type: ignore[method-assign]
