"""The Discord client: commands, text moves, the outbox, reminders."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import signal
from datetime import timedelta
from typing import Any

import discord
from apscheduler.schedulers.asyncio import AsyncIOScheduler
from discord import app_commands

from bot.engine.titles.registry import TITLES
from bot.ops.backups import DATABASE, BackupFailed, Backups
from bot.ops.settings import Settings
from bot.render.worker import Studio
from bot.store import Store
from bot.tables.tables import Tables

from . import lobby, play
from .answers import EXPECTED
from .buttons import LobbyButton, LookButton, MoveButton
from .guide import SUM_FORM, GuideButton, GuideMenu, SumButton, sum_entered
from .poster import Poster

log = logging.getLogger(__name__)

SWEEP = timedelta(seconds=60)
BACKUP_LOOK = timedelta(minutes=5)
"""How often it is looked whether a backup is due."""


class Signalbox(discord.Client):
    """The bot. Games live in `tables`; the client keeps nothing that a restart would lose."""

    def __init__(self, tables: Tables, settings: Settings) -> None:
        intents = discord.Intents.none()
        intents.guilds = intents.guild_messages = intents.dm_messages = True
        intents.message_content = settings.reads_content
        super().__init__(
            intents=intents,
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
        )
        self.tables = tables
        self.settings = settings
        self.data = settings.data
        self.backups = Backups(settings.data / DATABASE, settings.backups)
        self.studio = Studio()
        self.poster = Poster(self)
        self.tree = app_commands.CommandTree(self)
        self.scheduler = AsyncIOScheduler(timezone="UTC")
        self._posting: asyncio.Task[None] | None = None
        add_commands(self.tree)

    async def setup_hook(self) -> None:
        """Before the gateway opens: buttons, commands, reminders."""
        self.tree.error(on_command_error)
        self.add_dynamic_items(MoveButton, LobbyButton, LookButton, GuideButton, GuideMenu, SumButton)
        await self.sync_if_changed()
        self.tables.listeners.append(self.poster.wake)
        self.scheduler.add_job(self.sweep, "interval", seconds=SWEEP.total_seconds(), max_instances=1, coalesce=True)
        if self.settings.backup_hours:
            self.scheduler.add_job(self.back_up, "interval", seconds=BACKUP_LOOK.total_seconds(), max_instances=1)
        self.scheduler.start()

    async def sync_if_changed(self) -> None:
        """Register the commands only when they differ from those registered last: the daily budget is small."""
        payload = [command.to_dict(self.tree) for command in self.tree.get_commands()]
        digest = hashlib.sha256(json.dumps(payload, sort_keys=True, default=str).encode()).hexdigest()
        known = self.data / f"commands-{self.application_id}.sha256"
        if known.exists() and known.read_text() == digest:
            return
        await self.tree.sync()
        known.parent.mkdir(parents=True, exist_ok=True)
        known.write_text(digest)

    async def on_ready(self) -> None:
        """Connected afresh: post whatever still waits, from the database."""
        log.info("ready as %s in %d servers", self.user, len(self.guilds))
        if self._posting is None:
            self._posting = asyncio.create_task(self.poster.run(), name="poster")
        await self.sweep()

    async def on_message(self, message: discord.Message) -> None:
        """Text moves."""
        await play.text_move(self, message)

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Forms: by their id, so that one opened before a restart is still read."""
        if interaction.type is not discord.InteractionType.modal_submit:
            return
        found = SUM_FORM.fullmatch(str((interaction.data or {}).get("custom_id", "")))
        if found:
            await sum_entered(interaction, found)

    async def sweep(self) -> None:
        """Reminders that are due; and whatever could not be posted is looked at again."""
        await self.tables.sweep()
        await self.poster.wake(0)

    async def back_up(self) -> None:
        """A backup, when the newest is too old. A failure is logged and tried again."""
        now = self.tables.clock()
        if not self.backups.is_due(now, self.settings.backup_hours):
            return
        try:
            made = await self.backups.make(now)
        except BackupFailed as failure:
            log.error("%s", failure)
        else:
            log.info("backup made: %s", made.proof, extra={"backup": made.path.name, "bytes": made.size})

    async def close(self) -> None:
        """Stop the clock, finish posting what is under way, leave."""
        if self.scheduler.running:
            self.scheduler.shutdown(wait=False)
        if self._posting is not None:
            self._posting.cancel()
            await asyncio.gather(self._posting, return_exceptions=True)
        self.studio.close()
        await super().close()


def add_commands(tree: app_commands.CommandTree[Any]) -> None:
    """Put all commands into the tree."""
    tree.add_command(lobby.game_group)
    tree.add_command(lobby.moderate_group)
    for command in play.COMMANDS:
        tree.add_command(command)


async def on_command_error(interaction: discord.Interaction[Any], error: app_commands.AppCommandError) -> None:
    """What no command expected: logged once with its cause; the user gets a sentence."""
    cause = error.__cause__ or error
    if isinstance(cause, discord.HTTPException) and cause.code in EXPECTED:
        log.info("interaction failed as expected: %s", cause.code)
        return
    log.error("command failed", exc_info=cause)
    text = "Something went wrong here; nothing was changed. The error has been logged."
    if interaction.response.is_done():
        await interaction.edit_original_response(content=text)
    else:
        await interaction.response.send_message(text, ephemeral=True)


async def run_bot(token: str, settings: Settings) -> int:
    """Run until SIGTERM or SIGINT; returns the exit code."""
    store = await Store.open(settings.data / DATABASE)
    client = Signalbox(Tables(store, TITLES), settings)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, lambda: asyncio.create_task(client.close()))
    try:
        await client.start(token)
    except discord.LoginFailure:
        log.error("Discord refused the token; check DISCORD_TOKEN")
        return 1
    finally:
        if not client.is_closed():
            await client.close()
        await store.close()
    return 0
