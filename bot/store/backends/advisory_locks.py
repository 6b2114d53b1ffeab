"""Claims of a program on a server for as long as it is at something, by locks of the session by which it writes: a
program that loses the session loses the claims."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from contextvars import ContextVar
from copy import copy
from dataclasses import dataclass

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from bot.engine import GameId
from bot.store.errors import AWAY, LOCKED, StoreError, map_driver_error

from .sqlalchemy_async import AsyncConnection, AsyncEngine

GAME = 7288
"""The first half of the key of the lock of a game that is being changed."""

CHANGING = 5.0
"""Seconds to wait for another program that changes a game."""

AGAIN = 0.05
"""Seconds between two attempts."""


@dataclass
class Claim:
    """A game that is being changed since that session; what was begun meanwhile and goes on after it knows it too."""

    session: int
    is_over: bool = False


_claim: ContextVar[Claim | None] = ContextVar("claim", default=None)


class AdvisoryLocks:
    def __init__(self, session: AsyncEngine) -> None:
        """:param session: the connection that writes, outside of transactions."""
        self._session = session
        self.session = 0
        """Number of sessions so far."""

    def renew(self) -> None:
        self.session += 1

    @asynccontextmanager
    async def game_lock(self, game_id: GameId) -> AsyncIterator[None]:
        """Held while no other program changes a game. Saves inside are refused once the session was lost: another
        program may have changed what was read.

        :raises StoreLocked: one does so for too long.
        :raises StoreError: the session is gone.
        """
        end = time.monotonic() + CHANGING
        while True:
            async with self.lock_or_skip((GAME, game_id % 2**31)) as is_ours:
                if is_ours:
                    outer = _claim.get()
                    claim = Claim(self.session)
                    _claim.set(claim)
                    try:
                        yield
                    finally:
                        claim.is_over = True
                        _claim.set(outer)
                    return
            if time.monotonic() > end:
                raise copy(LOCKED)
            await asyncio.sleep(AGAIN)

    def check(self) -> None:
        """Check that the session in which the present game was claimed still lives.

        :raises DatabaseUnreachable: the session was lost since.
        """
        claim = _claim.get()
        if claim is not None and not claim.is_over and claim.session != self.session:
            raise copy(AWAY)

    @asynccontextmanager
    async def lock_or_skip(self, key: tuple[int, int]) -> AsyncIterator[bool]:
        """Whether this program has the lock; if so, no other program gets it while the session lasts. It does not
        separate tasks of one program.

        :raises StoreError: the session is gone.
        """
        claiming = asyncio.create_task(self._claim(key))
        try:
            yield await asyncio.shield(claiming)
        finally:
            # Also where nobody has waited for the answer.
            await asyncio.shield(self._give_back(claiming, key))

    async def _claim(self, key: tuple[int, int]) -> bool:
        async with self.session_connection() as connection:
            return await try_lock(connection, key)

    async def _give_back(self, claiming: asyncio.Task[bool], key: tuple[int, int]) -> None:
        # With the session the lock is gone, too.
        with suppress(StoreError):
            if await claiming:
                async with self.session_connection() as connection:
                    await connection.exec_driver_sql(f"SELECT pg_advisory_unlock({key[0]}, {key[1]})")

    @asynccontextmanager
    async def session_connection(self) -> AsyncIterator[AsyncConnection]:
        """The session. Its errors are not logged: bots use it every second.

        :raises StoreError: it is gone.
        """
        try:
            async with self._session.connect() as connection:
                yield connection
        except (DBAPIError, PoolTimeout) as error:
            raise map_driver_error(error) from error


async def try_lock(connection: AsyncConnection, key: tuple[int, int]) -> bool:
    """Take a lock for this session, unless another has it. The same session can hold it more than once."""
    return bool((await connection.exec_driver_sql(f"SELECT pg_try_advisory_lock({key[0]}, {key[1]})")).scalar_one())
