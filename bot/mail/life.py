"""The program where it serves mail alone: it begins, reminds, and ends in order."""

from __future__ import annotations

import asyncio
import logging
import signal

from bot.engine.titles.registry import EDITIONS, TITLES
from bot.ops.backups import DATABASE, BackupFailed, Backups
from bot.ops.doorman import Doorman
from bot.ops.settings import Settings
from bot.render.worker import Studio
from bot.store import Holding, Store, StoreError, StoreInUse
from bot.tables.tables import Tables

from .service import MailService

log = logging.getLogger("signalbox.mail")

SWEEP = 60.0
CLOSING_SECONDS = 8.5


async def run_mail(settings: Settings) -> int:
    """Run until SIGTERM or SIGINT; returns the exit code.

    :raises StoreError: the database cannot be opened, or another bot runs on it.
    """
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    try:
        alone = Holding.take(settings.data / "bot", is_alone=True)
    except StoreInUse as error:
        raise StoreInUse("Another bot runs in this data folder.") from error
    with alone:
        store = await Store.open(settings.data / DATABASE)
        studio = Studio(settings.painters)
        tables = Tables(store, TITLES, editions=EDITIONS)
        service = MailService(tables, settings, studio, Doorman(settings.rate))
        board = None
        if settings.web:
            from bot.web.server import Board

            board = Board(tables, settings.web, settings.web_address, Doorman(settings.rate))
            await board.open()
        sweeping = asyncio.create_task(_sweep(tables, Backups(settings.data / DATABASE, settings.backups), settings))
        try:
            tables.computers.begin()
            service.begin()
            await tables.computers.wake()
            log.info("ready")
            await stop.wait()
        finally:
            sweeping.cancel()
            await asyncio.gather(sweeping, return_exceptions=True)
            async with asyncio.timeout(CLOSING_SECONDS):
                await service.close()
                if board is not None:
                    await board.close()
            tables.computers.close()
            studio.close()
            await store.close()
    return 0


async def _sweep(tables: Tables, backups: Backups, settings: Settings) -> None:
    """Reminders that are due, what nobody in Discord waits for, backups."""
    while True:
        try:
            await tables.reminders.sweep()
            if settings.backup_hours and backups.is_due(tables.desk.clock(), settings.backup_hours):
                await backups.make(tables.desk.clock())
        except StoreError as error:
            log.warning("no reminders this time: %s", error)
        except BackupFailed as failure:
            log.error("%s", failure)
        await asyncio.sleep(SWEEP)
