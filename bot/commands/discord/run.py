"""The bot's life: it begins when Discord can be reached, and ends in order."""

from __future__ import annotations

import asyncio
import logging
from functools import partial

import discord

from bot.ops.lifecycle import exclusive_tables
from bot.ops.settings import Settings
from bot.ops.side_services import SideServices
from bot.service.game_service import GameService
from bot.threads import run_in_thread

from .bot import Signalbox
from .discord_errors import UNREACHABLE, reason_to_end
from .interactions import brief

log = logging.getLogger(__name__)

FIRST_PATIENCE, LONGEST_PATIENCE = 1.0, 60.0
"""Seconds between two attempts to reach Discord: doubled each time."""

CLOSING_SECONDS = 8.5
"""Seconds after which the end is no longer orderly; a service manager waits 10 s."""


async def run_bot(token: str, settings: Settings, beside: SideServices) -> int:
    """Run until SIGTERM or SIGINT; returns the exit code.

    :raises StoreError: the database cannot be opened, or another bot runs on it.
    """
    while True:
        async with exclusive_tables(settings, partial(beside.mail_fingerprint, settings)) as (tables, stop):
            client = _client(tables, settings, beside)
            try:
                code = await _run_client(token, client, stop)
            finally:
                await _end_tasks()
        if not client.is_lost or stop.is_set():
            return code


def _client(tables: GameService, settings: Settings, beside: SideServices) -> Signalbox:
    if settings.shards is None:
        return Signalbox(tables, settings, beside)
    from .shards import ShardedSignalbox

    return ShardedSignalbox(tables, settings, beside)


async def _run_client(token: str, client: Signalbox, stop: asyncio.Event) -> int:
    titles = await client.tables.desk.titles_under_way()
    await run_in_thread(list, map(client.tables.desk.title, titles))
    living = asyncio.create_task(_connect(client, token), name="client")
    warming = asyncio.create_task(client.studio.warm(titles), name="painters")
    stopping = asyncio.create_task(stop.wait(), name="stop")
    await asyncio.wait({living, stopping}, return_when=asyncio.FIRST_COMPLETED)
    try:
        warming.cancel()
        async with asyncio.timeout(CLOSING_SECONDS):
            await client.close()
    except TimeoutError:
        log.warning("not everything could be closed in %s s", CLOSING_SECONDS)
    if stop.is_set():
        # However the connection takes its end, it was asked to.
        living.cancel()
        await asyncio.gather(living, return_exceptions=True)
        return 0
    try:
        await living
    except (discord.LoginFailure, discord.ConnectionClosed) as error:
        if not (reason := reason_to_end(error)):
            raise
        log.error(reason)
        return 1
    return 0


async def _connect(client: Signalbox, token: str) -> None:
    """Log in, retrying while Discord cannot be reached; then stay connected."""
    patience = FIRST_PATIENCE
    while True:
        try:
            await client.login(token)
            break
        except UNREACHABLE as error:
            log.warning("Discord cannot be reached, next attempt in %s s: %s", patience, brief(error))
            await client.http.close()
            client.http.connector = discord.utils.MISSING
            await asyncio.sleep(patience)
            patience = min(patience * 2, LONGEST_PATIENCE)
    await client.connect()


async def _end_tasks() -> None:
    """End the tasks still running when the client has closed, and collect their outcomes."""
    tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in tasks:
        task.cancel()
    for task, outcome in zip(tasks, await asyncio.gather(*tasks, return_exceptions=True), strict=True):
        if isinstance(outcome, Exception):
            log.info("%s ended with %s", task.get_name(), type(outcome).__name__)
