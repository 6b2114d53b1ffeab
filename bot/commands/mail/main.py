"""The program when it serves only mail: it begins, reminds, and ends in order."""

from __future__ import annotations

import asyncio
import logging
from functools import partial

from bot.ops.backups import BackupFailed, Backups
from bot.ops.health import Health
from bot.ops.health_server import HealthServer
from bot.ops.lifecycle import exclusive_tables
from bot.ops.rate_limit import RateLimiter
from bot.ops.settings import Settings
from bot.ops.side_services import SideServices
from bot.ops.supervisor import keep_going
from bot.render.worker import Renderer
from bot.service.game_service import GameService
from bot.service.imports.sandbox_process import ImportProcess
from bot.store import StoreError

from .service import MailService

log = logging.getLogger("signalbox.mail")

SWEEP = 60.0
CLOSING_SECONDS = 8.5


async def run_mail(settings: Settings, beside: SideServices) -> int:
    """Run until SIGTERM or SIGINT; returns the exit code.

    :raises StoreError: the database cannot be opened, or another bot runs on it.
    """
    async with exclusive_tables(settings) as (tables, stop):
        studio, doorman = Renderer(settings.painters, settings.server), RateLimiter(settings.rate)
        porter = tables.transfer.porter = ImportProcess()
        service = MailService(tables, settings, studio, doorman)
        backups = Backups(settings.database, settings.backups)
        endpoint = HealthServer(settings.port, lambda: _health(tables, service)) if settings.port else None
        board = beside.board(tables, settings.web, settings.web_address, doorman, True) if settings.web else None
        opened = [part for part in (endpoint, board) if part is not None]
        for part in opened:
            await part.open()
        sweeping = keep_sweeping(tables, backups, settings)
        try:
            tables.computers.begin()
            await tables.keeper.begin()
            service.begin()
            await tables.computers.wake()
            log.info("ready")
            await stop.wait()
        finally:
            await tables.keeper.close()
            sweeping.cancel()
            await asyncio.gather(sweeping, return_exceptions=True)
            async with asyncio.timeout(CLOSING_SECONDS):
                await service.close()
                for part in opened:
                    await part.close()
            tables.computers.close()
            porter.close()
            studio.close()
    return 0


async def _health(tables: GameService, service: MailService) -> Health:
    """The present state; the mailbox takes the place of Discord's gateway."""
    database, waiting, oldest = "ok", 0, 0.0
    try:
        waiting, oldest = await tables.outbox.state()
    except StoreError as error:
        database = str(error)
    mailbox = "ready" if service.is_open else "connecting"
    set_aside = await tables.failures.count()
    return Health(database, service.is_serving, mailbox, waiting, round(oldest, 1), 0, sum(set_aside.values()))


def keep_sweeping(tables: GameService, backups: Backups, settings: Settings) -> asyncio.Task[None]:
    """Send reminders and back up until cancelled, through all failures."""
    return asyncio.create_task(
        keep_going(partial(_sweep, tables, backups, settings), "reminders and backups"), name="sweep"
    )


async def _sweep(tables: GameService, backups: Backups, settings: Settings) -> None:
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
