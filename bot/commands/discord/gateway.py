"""The connection to Discord's gateway. It is kept whatever Discord sends and however it ends, but for refusals of the bot itself.

discord.py's own loop is not used: its first connection may not fail (discord.py #10520), and whatever it cannot parse ends it.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext, suppress
from functools import partial
from typing import Any

import discord
from discord.gateway import DiscordWebSocket, ReconnectWebSocket

from .discord_errors import CLOSINGS
from .interactions.failure_kinds import brief

log = logging.getLogger(__name__)

CONNECTING, CLOSING = 60.0, 5.0
"""So many seconds a connection may take to be made, and to be closed."""

GREETING = 60.0
"""So many seconds Discord may take to say that a session has begun or goes on."""

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 120.0
"""Seconds between two attempts: none after a connection that has lasted, then doubled each time. Discord lets a bot begin 1,000
sessions a day, and takes its token from it after more."""

LASTING = 60.0
"""A connection of so many seconds has lasted."""

MOST_RESUMES = 5
"""After so many attempts in a row that Discord has not confirmed a session is given up, and a new one begun."""

ENDINGS = {4007, 4009}
"""Codes with which Discord closes a connection whose session cannot be resumed."""

REMEMBERED = 10_000
"""So many interactions are remembered."""

VITAL = {"READY", "RESUMED"}
"""Without these events a connection is of no use."""

Turn = Callable[[], AbstractAsyncContextManager[None]]
"""Waits until a session may begin."""


class GatewayConnection:
    """One connection, of a shard or of the only one; `held` is told of every socket that takes the place of the last one."""

    def __init__(
        self,
        client: discord.Client,
        held: Callable[[DiscordWebSocket], None],
        shard: int | None = None,
        turn: Turn = nullcontext,
    ) -> None:
        self.client, self.held, self.shard, self.turn = client, held, shard, turn
        self.name = "the gateway" if shard is None else f"shard {shard}"
        self.socket: DiscordWebSocket | None = None
        self._resumes = 0
        self._is_greeted = False
        forgive(client._connection.parsers)

    async def keep(self) -> None:
        """Stay connected until cancelled, or until the client leaves. A session that was cut off is resumed, if it can be.

        :raises discord.ConnectionClosed: Discord does not want this bot.
        """
        pause = 0.0
        while True:
            began, reason = time.monotonic(), "Discord wants it"
            try:
                await self._open()
                await self._greeted()
                while True:
                    await self._socket.poll_event()
            except ReconnectWebSocket:
                if self.socket is not None and self.socket.socket.close_code in ENDINGS:
                    self._resumes = MOST_RESUMES
            except discord.ConnectionClosed as error:
                if error.code in CLOSINGS:
                    raise
                reason = f"closed with {error.code}"
            except Exception as error:
                # Whatever it is, without a connection nobody can play.
                reason = brief(error)
            finally:
                await self._close()
            if self.client.is_closed():
                return
            self.client.dispatch("disconnect")
            if time.monotonic() - began > LASTING:
                pause = 0.0
            log.warning("%s is connected again in %.0f s (%s)", self.name, pause, reason)
            await asyncio.sleep(pause)
            pause = min(max(FIRST_PAUSE, pause * 2), LONGEST_PAUSE)

    async def _greeted(self) -> None:
        """Wait until Discord says that the session has begun or goes on; one that it does not speak of is given up.

        :raises TimeoutError: it says nothing of it.
        """
        try:
            async with asyncio.timeout(GREETING):
                while not self._is_greeted:
                    await self._socket.poll_event()
        except TimeoutError:
            self._resumes = MOST_RESUMES
            raise

    @property
    def _socket(self) -> DiscordWebSocket:
        assert self.socket is not None
        return self.socket

    async def _open(self) -> None:
        """Go on with the session that was cut off, of which what was missed is told, or begin one."""
        old = self.socket
        self._resumes += 1
        if old is not None and old.session_id is not None and self._resumes <= MOST_RESUMES:
            going_on = DiscordWebSocket.from_client(
                self.client,
                shard_id=self.shard,
                session=old.session_id,
                sequence=old.sequence,
                gateway=old.gateway,
                resume=True,
            )
            self._hold(await asyncio.wait_for(going_on, CONNECTING))
            return
        async with self.turn():
            beginning = DiscordWebSocket.from_client(self.client, shard_id=self.shard, initial=old is None)
            self._hold(await asyncio.wait_for(beginning, CONNECTING))

    def _hold(self, socket: DiscordWebSocket) -> None:
        self.socket, self._is_greeted = socket, False
        tell = socket._dispatch

        def dispatch(event: str, *args: Any) -> None:
            if event == "socket_event_type" and args[0] in VITAL:
                self._is_greeted, self._resumes = True, 0
            tell(event, *args)

        socket._dispatch = dispatch
        self.held(socket)

    async def _close(self) -> None:
        """End a connection of which nothing more is read; its session can be resumed."""
        if self.socket is not None and self.socket.open:
            with suppress(Exception):
                await asyncio.wait_for(self.socket.close(code=4000), CLOSING)


def forgive(parsers: dict[str, Callable[[Any], None]]) -> None:
    """An event that discord.py cannot parse is logged and left out from now on, unless it is vital. What somebody presses is
    told once, also where Discord tells it twice."""
    if parsers and not isinstance(parsers["INTERACTION_CREATE"], partial):
        parsers["INTERACTION_CREATE"] = partial(_once, parsers["INTERACTION_CREATE"], {})
    for event, parse in parsers.items():
        if event not in VITAL and not (isinstance(parse, partial) and parse.func is _parsed):
            parsers[event] = partial(_parsed, event, parse)


def _once(parse: Callable[[Any], None], known: dict[str, None], data: Any) -> None:
    if data["id"] in known:
        log.info("an interaction is told twice")
        return
    known[data["id"]] = None
    while len(known) > REMEMBERED:
        known.pop(next(iter(known)))
    parse(data)


def _parsed(event: str, parse: Callable[[Any], None], data: Any) -> None:
    try:
        parse(data)
    except Exception:
        log.exception("an event %s cannot be parsed and is left out", event)
