"""Bots that share the work tell each other in which games something was saved. A word may be lost: all who wait for it
also look at intervals."""

from __future__ import annotations

import secrets
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from bot.engine import GameId
from bot.store.errors import map_driver_error

from .sqlalchemy_async import AsyncEngine

CHANNEL = "signalbox"


class News:
    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._name = secrets.token_hex(8)

    async def publish(self, game_id: GameId) -> None:
        """Announce that something was saved in a game.

        :raises StoreError: the others were not told.
        """
        try:
            async with self._engine.connect() as connection:
                told = text("SELECT pg_notify(:channel, :words)")
                await connection.execute(told, {"channel": CHANNEL, "words": f"{self._name} {game_id}"})
        except DBAPIError as error:
            raise map_driver_error(error) from error

    async def changed_games(self) -> AsyncGenerator[GameId]:
        """The numbers of games in which another bot has saved something, as they come.

        :raises StoreError: nothing is heard any more.
        """
        async with listen(self._engine, CHANNEL) as notices:
            async for words in notices:
                name, _, game = words.partition(" ")
                if name != self._name and game.isdecimal():
                    yield GameId(int(game))


@asynccontextmanager
async def listen(engine: AsyncEngine, channel: str) -> AsyncIterator[AsyncIterator[str]]:
    """The messages on a channel of the server, as they come.

    :raises StoreError: nothing is heard any more.
    """
    try:
        async with engine.connect() as connection:
            try:
                line = (await connection.get_raw_connection()).driver_connection
                assert line is not None
                await line.execute(f"LISTEN {channel}")
                yield (notice.payload async for notice in line.notifies())
            finally:
                await connection.invalidate()
    except Exception as error:
        raise map_driver_error(error) from error
