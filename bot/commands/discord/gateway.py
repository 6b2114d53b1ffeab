"""The connection to Discord's gateway. It is kept after everything that Discord sends and every way it ends, except
refusals of the bot itself.

discord.py's own loop is not used: its first connection may not fail (discord.py #10520), and everything that it cannot
parse ends it.
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
from .interactions import brief

log = logging.getLogger(__name__)

CONNECTING, CLOSING = 60.0, 5.0
"""Longest time to open and to close a connection, in seconds."""

GREETING = 60.0
"""Longest wait, in seconds, for Discord to say that a session has begun or goes on."""

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 120.0
"""Seconds between two attempts: none after a connection that has lasted, then doubled each time. Discord lets a bot begin 1,000
sessions a day, and takes its token from it after more."""

LASTING = 60.0
"""Seconds after which a connection counts as lasting."""

MOST_RESUMES = 5
"""Unconfirmed attempts in a row after which a session is given up and a new session begun."""

ENDINGS = {4007, 4009}
"""Close codes after which a session cannot be resumed."""

REMEMBERED = 10_000
"""Maximum number of interactions that are remembered."""

VITAL = {"READY", "RESUMED"}
"""Events without which a connection is of no use."""

Turn = Callable[[], AbstractAsyncContextManager[None]]
"""Waits until a session may begin."""


class GatewayConnection:
    """The connection of a shard, or of the only shard; `held` gets every socket that replaces the last."""

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
        self._is_await_ready = False
        forgive(client._connection.parsers)

    async def keep(self) -> None:
        """Stay connected until cancelled, or until the client leaves. An interrupted session is resumed if possible.

        :raises discord.ConnectionClosed: Discord does not want this bot.
        """
        pause = 0.0
        while True:
            began, reason = time.monotonic(), "Discord wants it"
            try:
                await self._open()
                await self._await_ready()
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
                # After any error: without a connection nobody can play.
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

    async def _await_ready(self) -> None:
        """Wait until Discord says that the session has begun or goes on; a session it does not mention is given up.

        :raises TimeoutError: it says nothing of it.
        """
        try:
            async with asyncio.timeout(GREETING):
                while not self._is_await_ready:
                    await self._socket.poll_event()
        except TimeoutError:
            self._resumes = MOST_RESUMES
            raise

    @property
    def _socket(self) -> DiscordWebSocket:
        assert self.socket is not None
        return self.socket

    async def _open(self) -> None:
        """Resume the interrupted session, whose missed events Discord repeats, or begin a new session."""
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
        self.socket, self._is_await_ready = socket, False
        tell = socket._dispatch

        def dispatch(event: str, *args: Any) -> None:
            if event == "socket_event_type" and args[0] in VITAL:
                self._is_await_ready, self._resumes = True, 0
            tell(event, *args)

        socket._dispatch = dispatch
        self.held(socket)

    async def _close(self) -> None:
        """End a connection from which nothing more is read; its session can be resumed."""
        if self.socket is not None and self.socket.open:
            with suppress(Exception):
                await asyncio.wait_for(self.socket.close(code=4000), CLOSING)


def forgive(parsers: dict[str, Callable[[Any], None]]) -> None:
    """Log and from then on skip an event that discord.py cannot parse, unless it is vital."""
    if parsers and not isinstance(parsers["INTERACTION_CREATE"], partial):
        parsers["INTERACTION_CREATE"] = partial(_once, parsers["INTERACTION_CREATE"], {})
    for event, parse in parsers.items():
        if event not in VITAL and not (isinstance(parse, partial) and parse.func is _parse_event):
            parsers[event] = partial(_parse_event, event, parse)


def _once(parse: Callable[[Any], None], known: dict[str, None], data: Any) -> None:
    if data["id"] in known:
        log.info("an interaction arrived twice")
        return
    known[data["id"]] = None
    while len(known) > REMEMBERED:
        known.pop(next(iter(known)))
    parse(data)


def _parse_event(event: str, parse: Callable[[Any], None], data: Any) -> None:
    try:
        parse(data)
    except Exception:
        log.exception("an event %s cannot be parsed and is left out", event)
