"""The Discord client: commands, text moves, the outbox, reminders, backups."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import re
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

import aiohttp
import discord
from apscheduler.schedulers.asyncio import AsyncIOScheduler
from discord import app_commands

from bot import metrics
from bot.engine import NO_GAME
from bot.ops.backups import LOOK, BackupFailed, Backups
from bot.ops.health import Health
from bot.ops.loop_lag import freeze_gc, monitor_loop_lag
from bot.ops.rate_limit import RateLimiter
from bot.ops.settings import Settings
from bot.ops.side_services import BoardPages, MailLetters, SideServices
from bot.ops.supervisor import keep_going
from bot.render.worker import Renderer
from bot.service.game_service import GameService
from bot.service.imports.sandbox_process import ImportProcess
from bot.store import StoreError, make_folder, write_file

from .discord_errors import intents
from .gateway import GatewayConnection
from .interactions import (
    GameClient,
    Interaction,
    answer_failure,
    brief,
    can_view,
    custom_id_of,
    is_within_rate_limit,
    unknown_button,
    with_permission_check,
)
from .interactions.persistent_items import PersistentItem
from .interactions.retry_backoff import PlaceBackoff
from .outbox_worker import OutboxWorker
from .request_pacer import watch_requests
from .scheduler import add_job, run_overdue_jobs
from .slash.command_buttons import PLAN_FORM, on_plan_form
from .slash.command_tree import add_commands
from .slash.language import Descriptions
from .slash.messages import Messages, last_presence, note_presence
from .slash.move_menus import FORM, on_form, open_menu
from .slash.replies import run_command
from .slash.whatif import edit_company_turn, on_turn_form
from .tree import Tree, on_command_error, refused_field

if TYPE_CHECKING:
    from bot.ops.health_server import HealthServer

log = logging.getLogger(__name__)

FORMS = {
    FORM: lambda interaction, form: (on_turn_form if form["what"] == "turn" else on_form)(interaction, form),
    PLAN_FORM: on_plan_form,
}
"""Handlers of submitted forms, by the form of their ids."""

SWEEP = timedelta(seconds=60)
REMAINS = timedelta(hours=1)

SWEEPING_SECONDS, DRAIN_SECONDS, POSTING_SECONDS = 1.0, 4.0, 2.0
"""Longest durations at shutdown, in seconds: the search for reminders, then requests in hand, then the post under
way.
"""

POSTER = "poster"


class Signalbox(GameClient):
    """The bot. Games live in `tables`; the client keeps nothing that a restart would lose."""

    is_lost = False
    """Whether it ends because other bots have taken its shards; everything is then built anew."""

    def __init__(self, tables: GameService, settings: Settings, beside: SideServices) -> None:
        super().__init__(
            intents=intents(settings.message_content),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
        )
        watch_requests(self)
        self.tables = tables
        self.run_command, self.open_menu, self.edit_company_turn = run_command, open_menu, edit_company_turn
        self.settings = settings
        self.data = settings.data
        self.backups = Backups(settings.database, settings.backups)
        self.studio = Renderer(settings.painters, settings.server)
        self.porter = tables.transfer.porter = ImportProcess()
        self.doorman = RateLimiter(settings.rate)
        self.endpoint: HealthServer | None = None
        self.beside = beside
        self.board: BoardPages | None = None
        self.mail: MailLetters | None = None
        self.patience = PlaceBackoff()
        self.poster = OutboxWorker(self)
        self.messages = Messages(self)
        self.opening = WeakValueDictionary[int, asyncio.Lock]()
        self.tree = Tree(self, allowed_installs=app_commands.AppInstallationType(guild=True, user=False))
        self.scheduler = AsyncIOScheduler(timezone="UTC")
        self._tasks: list[asyncio.Task[None]] = []
        self.templates: list[re.Pattern[str]] = []
        self._has_tree = False
        self._is_leaving = self._has_missed = False
        self._sweeping = asyncio.Lock()
        self._server_changes = asyncio.Lock()
        self.descriptions = Descriptions()
        add_commands(self.tree, {*tables.desk.titles} - {*tables.desk.offered})

    async def setup_hook(self) -> None:
        """Set up buttons, commands, reminders and health before the gateway opens. The outbox is served from now on."""
        self.tree.error(on_command_error)
        await self.tree.set_translator(self.descriptions)
        items = PersistentItem.__subclasses__()
        self.add_dynamic_items(*map(with_permission_check, items))
        self.templates = [item.__discord_ui_compiled_template__ for item in items]
        self.tables.desk.listeners.append(self.poster.wake)
        self.tables.computers.begin()
        await self.tables.keeper.begin()
        add_job(self.scheduler, self.sweep, SWEEP)
        add_job(self.scheduler, self.find_remains, REMAINS)
        self.scheduler.start()
        self._tasks.append(
            asyncio.create_task(keep_going(partial(run_overdue_jobs, self.scheduler), "the schedule"), name="schedule")
        )
        self._tasks.append(asyncio.create_task(keep_going(monitor_loop_lag, "the pulse"), name="pulse"))
        if self.settings.port:
            from bot.ops.health_server import HealthServer

            self.endpoint = HealthServer(self.settings.port, self.health)
            await self.endpoint.open()
        if self.settings.web:
            address, sends_mail = self.settings.web_address, self.settings.mail is not None
            self.board = self.beside.board(self.tables, self.settings.web, address, self.doorman, sends_mail)
        await self.take_duties()
        freeze_gc()

    async def take_duties(self) -> None:
        """Start what one process does for all games: the board pages, mail, backups.

        :raises OSError: the port of the pages is taken.
        """
        if self.board is not None:
            await self.board.open()
        if self.settings.mail is not None:
            self.mail = self.beside.mail(self.tables, self.settings, self.studio, self.doorman)
            self.mail.begin()
        if self.settings.backup_hours:
            add_job(self.scheduler, self.back_up, LOOK)
        await self.sync_if_changed()

    async def sync_if_changed(self) -> None:
        """Register the commands only when they differ from those registered last: the daily budget is small.

        If Discord does not take them now, the next session tries again.
        """
        if self._has_tree:
            return
        commands = self.tree.get_commands()
        payload = [await command.get_translated_payload(self.tree, self.descriptions) for command in commands]
        digest = hashlib.sha256(json.dumps(payload, sort_keys=True, default=str).encode()).hexdigest()
        known = self.data / f"commands-{self.application_id}.sha256"
        if not known.exists() or known.read_text() != digest:
            try:
                await self.tree.sync()
            except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
                what = refused_field(error, commands) if isinstance(error, discord.HTTPException) else brief(error)
                log.warning("the commands could not be registered, which will be tried again: %s", what)
                return
            make_folder(known.parent)
            write_file(known, digest.encode())
        self._has_tree = True

    async def connect(self, *, reconnect: bool = True) -> None:
        """Stay connected to the gateway until the end.

        :raises discord.ConnectionClosed: Discord does not want this bot.
        """
        await GatewayConnection(self, partial(setattr, self, "ws")).keep()

    async def on_ready(self) -> None:
        """Post everything that still waits in the database, after a new connection."""
        log.info("ready as %s in %d servers", self.user, len(self.guilds))
        metrics.GATEWAY_SESSIONS.labels("new").inc()
        self.begin_posting()
        await self.sync_if_changed()
        await self.serve()

    def begin_posting(self) -> None:
        """Runs once, until it is ended."""
        if not any(task.get_name() == POSTER for task in self._tasks):
            self._tasks.append(asyncio.create_task(self.poster.run(), name=POSTER))

    async def serve(self) -> None:
        """Post from now on, send reminders, let computer players move."""
        self.begin_posting()
        await self.read_missed()
        await self.sweep()
        await self.tables.computers.wake()

    async def read_missed(self) -> None:
        """Make the moves written while the bot was away, before anybody is reminded; retry later what cannot be read
        now.
        """
        try:
            self._has_missed = not await self.messages.read_all_missed()
        except StoreError as error:
            log.warning("what was written while the bot was away is read later: %s", error)

    async def on_resumed(self) -> None:
        """Discord has sent the missed events after a reconnection; the outbox may have waited."""
        metrics.GATEWAY_SESSIONS.labels("resumed").inc()
        await self.poster.wake(NO_GAME)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        await self._follow_server(guild)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """The bot was removed, or the server was deleted. (Of a server that is only unavailable Discord says so.)"""
        await self._follow_server(guild)

    async def _follow_server(self, guild: discord.Guild) -> None:
        """Let a server's games go on where the bot is now; events that come close together are followed one after the other."""
        async with self._server_changes:
            is_here = self.get_guild(guild.id) is not None
            places = self.tables.places
            try:
                await (places.return_to_server if is_here else places.leave_server)(str(guild.id))
            except StoreError as error:
                log.warning("where games of a server go on is noted with the next post: %s", error)
        if is_here:
            await self._retry_places(guild)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        await self._follow_server(guild)
        if self._has_missed:
            await self.read_missed()

    async def on_guild_channel_update(
        self, before: object, after: discord.abc.GuildChannel | discord.Role | discord.Member | discord.Thread
    ) -> None:
        """Permissions may have changed."""
        await self._retry_places(after.guild)

    # Of members Discord reports only about this bot: it may have another role.
    on_guild_role_update = on_member_update = on_thread_update = on_guild_channel_update

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """The game of the deleted thread goes on elsewhere."""
        await self._retry_places(discord.Object(payload.guild_id))

    async def _retry_places(self, guild: discord.abc.Snowflake) -> None:
        self.patience.hope(str(guild.id))
        await self.poster.wake(NO_GAME)

    async def on_message(self, message: discord.Message) -> None:
        await self.messages.hear(message)

    async def on_connect(self) -> None:
        """A new session reports nothing that was written before it."""
        self.messages.begin(last_presence(self.data))
        self._has_missed = True

    async def on_interaction(self, interaction: Interaction) -> None:
        """Forms are matched by their id, so a form opened before a restart is still read; also handles unknown
        buttons.
        """
        name = custom_id_of(interaction)
        if interaction.type is discord.InteractionType.component:
            if not any(template.fullmatch(name) for template in self.templates):
                await unknown_button(interaction)
        elif interaction.type is discord.InteractionType.modal_submit:
            for kind, answer in FORMS.items():
                found = kind.template.fullmatch(name)
                form = kind.parse(found) if found else {}
                if form and await is_within_rate_limit(interaction) and await can_view(interaction, form["game"]):
                    try:
                        await answer(interaction, form)
                    except Exception as error:
                        await answer_failure(interaction, error)

    async def sweep(self) -> None:
        """Send the reminders that are due, and look again at everything that could not be posted."""
        if self._is_leaving:
            return
        if self.is_connected:
            note_presence(self.data, self.tables.desk.clock())
            if self._has_missed:
                await self.read_missed()
        async with self._sweeping:
            try:
                await self.tables.reminders.sweep()
            except StoreError as error:
                log.warning("no reminders this time: %s", error)
        await self.poster.wake(NO_GAME)

    async def find_remains(self) -> None:
        """Have messages deleted for the last time that could not be deleted for a day."""
        try:
            await self.poster.find_remains()
        except StoreError as error:
            log.warning("messages that nobody needs stay for now: %s", error)

    async def back_up(self) -> None:
        """Make a backup when the newest is too old. A failure is logged and tried again."""
        now = self.tables.desk.clock()
        if not self.backups.is_due(now, self.settings.backup_hours):
            return
        try:
            made = await self.backups.make(now)
        except BackupFailed as failure:
            metrics.BACKUPS.labels("failed").inc()
            log.error("%s", failure)
        else:
            metrics.BACKUPS.labels("differs" if made.proof and made.proof.faults else "made").inc()
            log.info("backup made: %s", made.proof, extra={"backup": made.path.name, "bytes": made.size})

    async def health(self) -> Health:
        """The bot's present state; also sets the gauges."""
        database, waiting, oldest = "ok", 0, 0.0
        try:
            waiting, oldest = await self.tables.outbox.state()
        except StoreError as error:
            database = str(error)
        posting = any(task.get_name() == POSTER and not task.done() for task in self._tasks)
        is_ready = self.is_connected
        metrics.OUTBOX.set(waiting)
        metrics.OUTBOX_AGE.set(oldest)
        metrics.GATEWAY_READY.set(is_ready)
        if is_ready and self.latency == self.latency:
            metrics.GATEWAY_LATENCY.set(self.latency)
        if newest := self.backups.newest():
            metrics.BACKUP_TIME.set(newest.timestamp())
        has_begun = bool(self._tasks) and self.is_ready()
        gateway = "ready" if is_ready else "connecting"
        set_aside = await self.tables.failures.count()
        in_hand = self.doorman.in_flight
        return Health(
            database,
            posting or not has_begun,
            gateway,
            waiting,
            round(oldest, 1),
            in_hand,
            sum(set_aside.values()),
            set_aside.get("outbox", 0),
        )

    @property
    def is_connected(self) -> bool:
        return self.is_ready() and self.ws is not None and self.ws.open

    async def close(self) -> None:
        """Accept no more requests, answer those in hand, finish the post under way, disconnect: in under 10 s."""
        if self._is_leaving:
            return
        self._is_leaving = True
        self.porter.close()
        # A sweep under way comes to its end, and no other begins: the scheduler would cut it off in the database.
        try:
            await asyncio.wait_for(self._sweeping.acquire(), SWEEPING_SECONDS)
        except TimeoutError:
            log.warning("the search for reminders was cut off")
        if self.scheduler.running:
            self.scheduler.shutdown(wait=False)
        await self.tables.keeper.close()
        if not await self.doorman.drain(DRAIN_SECONDS):
            log.warning("%d requests were still in hand at the end", self.doorman.in_flight)
        if self.mail is not None:
            await self.mail.close()
        if self.board is not None:
            await self.board.close()
        await self.poster.stop(POSTING_SECONDS)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.studio.close()
        self.tables.computers.close()
        if self.endpoint is not None:
            await self.endpoint.close()
        await self.disconnect()

    async def disconnect(self) -> None:
        await super().close()
