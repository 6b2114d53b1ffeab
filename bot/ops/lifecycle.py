"""A single bot at the tables of a data folder, or one of several that share them, until it is stopped."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from bot.service.game_service import GameService
from bot.service.route_search_process import RouteSearchProcess
from bot.store import FileLock, Server, Store, StoreInUse, remove_pictures
from bot.titles.registry import OLDER_VERSIONS, TITLES

from .backups import max_retention_days
from .settings import Settings
from .steady_clock import boottime_clock

if TYPE_CHECKING:
    from bot.store.backends.shard_lease import ShardLease


def _build_shard_lease(settings: Settings, mark: int | None) -> ShardLease | None:
    """This bot's share of the work; None for all of it."""
    if settings.shards is None:
        return None
    from bot.store.backends.shard_lease import ShardLease

    return ShardLease(settings.shards, boottime_clock, mark)


@asynccontextmanager
async def open_tables(place: Path | Server) -> AsyncIterator[GameService]:
    """The tables of a database, beside the bot's.

    :raises StoreError: the database cannot be opened.
    """
    async with await Store.open(place) as store:
        yield GameService(store, TITLES, editions=OLDER_VERSIONS)


@asynccontextmanager
async def exclusive_tables(
    settings: Settings, mark: Callable[[], int | None] = lambda: None
) -> AsyncIterator[tuple[GameService, asyncio.Event]]:
    """The tables, and what SIGTERM and SIGINT set. `mark` tells that of the secret of the mailbox, once there
    is a data folder.

    :raises StoreError: the database cannot be opened, or another bot runs on it, or one with another secret.
    """
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    try:
        alone = FileLock.take(settings.data / "bot", is_alone=settings.shards is None)
    except StoreInUse as error:
        raise StoreInUse("Another bot runs in this data folder.") from error
    with alone:
        store = await Store.open(settings.database, is_bot=True, share=_build_shard_lease(settings, mark()))
        searcher = RouteSearchProcess()
        try:
            tables = GameService(
                store,
                TITLES,
                editions=OLDER_VERSIONS,
                steady=boottime_clock,
                offered=settings.titles,
                route_search=searcher.search,
            )
            tables.privacy.backup_days = max_retention_days(settings.backup_hours)
            tables.privacy.at_erasing.append(partial(remove_pictures, settings.data))
            yield tables, stop
        finally:
            searcher.close()
            await store.close()
