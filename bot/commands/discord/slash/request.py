"""Who asks in Discord, about which game, and what only Discord can do for a command."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import aiohttp
import discord

from bot.commands.discord.interactions import (
    Interaction,
    asker_at_place,
    asker_in_channel,
    asker_of,
    current_game,
    describe_place,
    forum_of,
    person_of,
    place_for_new,
)
from bot.engine import GameId, IllegalMove, Text, msg
from bot.i18n import tr
from bot.service.game_service import GameSession
from bot.service.registry.command import Door, Reply, Request
from bot.service.sessions.rights import Actor
from bot.store import LinkKind, Place, StoreDamaged
from bot.untrusted_input import LARGEST_FILE

from .game_buttons import moves_help
from .lobby import check_room, lobby_place, refresh_lobby

FETCHING_SECONDS = 20.0
"""Longest time to download a file from Discord, in seconds."""

INTRODUCTION = (
    "Signalbox plays 18xx by the rules and says why a move is illegal.\n"
    "Begin: `/game new`. Others press *Join*, the opener presses *Start*; computer players fill seats.\n"
    "Move: press a button, choose from `/move`, or write it and mention me; several with `;`\n"
    "Look: `/status`, `/map`, `/market`, `/routes`; `/company` explains companies, privates and "
    "trains.\n"
    "Take back: `/undo`. Try first: `/try`, `/whatif`. Plan ahead: `/plan`. Quiet hours: `/clock "
    "quiet`.\n"
    "In a game `/help` lists your moves; `/games` lists your games."
)


class Marked(str):
    """A line with marks of Discord in it, in which nothing comes from a person."""


@dataclass(frozen=True)
class ReplyWithView(Reply):
    view: discord.ui.View | None = None


class DiscordRequest(Request):
    """Somebody's slash command, or the button that they pressed; a button knows its game and the position below it."""

    door = Door.DISCORD

    def __init__(self, interaction: Interaction, game_id: GameId | None = None, version: int | None = None) -> None:
        super().__init__(interaction.client.tables, person_of(interaction.user), interaction.user.display_name)
        self.interaction, self.client, self.version = interaction, interaction.client, version
        self._game = game_id
        self.link = ""
        """The address in the answer, which then has a button for it."""

    # -- which game, and who asks -------------------------------------------------------------------------

    async def game_id(self) -> GameId:
        return await current_game(self.interaction) if self._game is None else self._game

    async def lobby_id(self, number: int | None = None) -> GameId:
        chosen = self._game if number is None else GameId(number)
        return await self.tables.places.lobby_at(str(self.interaction.channel_id)) if chosen is None else chosen

    async def asker(self, game_id: GameId) -> Actor:
        return await asker_of(self.interaction, game_id)

    def client_language(self) -> str:
        return str(self.interaction.locale)

    def guild(self) -> str:
        return str(self.interaction.guild_id or "")

    def check_server_manager(self) -> None:
        if self.interaction.guild_id is None or not self.interaction.permissions.manage_guild:
            super().check_server_manager()

    # -- places ---------------------------------------------------------------------------------------

    async def place_for_new(self) -> Place:
        await check_room(self.interaction)
        return await place_for_new(self.client, self.guild(), str(self.interaction.channel_id))

    async def lobby_place(self, title: str, forum: object) -> Place:
        chosen = forum if isinstance(forum, discord.ForumChannel) else self.forum_here()
        return await lobby_place(self.interaction, title, chosen)

    def forum_here(self) -> discord.ForumChannel | None:
        return forum_of(self.client, self.interaction.channel_id or 0)

    async def place_for_start(self, game_id: GameId) -> Place:
        here = Place(game_id, self.guild(), str(self.interaction.channel_id))
        lobby = await self.tables.places.place(game_id) or here
        return lobby if lobby.thread else await place_for_new(self.client, lobby.guild, lobby.channel, game_id)

    async def describe(self, place: Place | None) -> str:
        return "" if place is None else await describe_place(self.client, place)

    async def place_words(self, game_id: GameId) -> str:
        try:
            place = await self.tables.places.place(game_id)
        except StoreDamaged:
            return ""
        return f" https://discord.com/channels/{place.guild}/{place.spot}" if place and place.guild else ""

    async def move_here(self, game_id: GameId) -> None:
        """The user needs the right at the old place and here."""
        channel, number = self.interaction.channel, str(self.interaction.channel_id)
        home, thread = (str(channel.parent_id), number) if isinstance(channel, discord.Thread) else (number, None)
        old = await self.tables.places.place(game_id)
        asker = await asker_at_place(self.client, self.interaction.user, old)
        # A post to the old place may be under way, or begin while this is saved: how it goes there is of no interest.
        patience, guild = self.client.patience, old.guild if old is not None else ""
        patience.hope(guild)
        place = Place(game_id, self.guild(), home, thread)
        await self.tables.places.move_place(asker, place, asker_in_channel(self.interaction))
        patience.hope(guild)
        patience.forget(game_id)
        await self.tables.desk.notify(game_id)

    async def lobby_changed(self, table: GameSession) -> None:
        await refresh_lobby(self.interaction, table)

    # -- files, mail, links -----------------------------------------------------------------------------

    def _turn(self) -> AbstractAsyncContextManager[None]:
        """Wait for this person's turn to import or export, and hold it."""
        return self.client.porter.turn(self.person, self.guild())

    async def run_in_turn(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """An attachment among the arguments is downloaded when it is this person's turn."""
        for argument in arguments:
            if isinstance(argument, discord.Attachment) and argument.size > LARGEST_FILE:
                limit = LARGEST_FILE // 2**20
                raise IllegalMove("That file is too large; the limit is {limit} MiB.", "", limit)
        async with self._turn():
            return await self.client.porter.run(function, *[await _content(argument) for argument in arguments])

    async def clone(self, game_id: GameId, record: int | None, place: Place | None) -> GameId:
        async with self._turn():
            return await super().clone(game_id, record, place)

    def check_mail(self) -> None:
        if self.client.settings.mail is None:
            raise IllegalMove("This bot sends no mail.")

    def has_pages(self) -> bool:
        return self.client.board is not None

    async def board_link(self, kind: LinkKind) -> str:
        if self.client.board is None:
            raise IllegalMove("This bot shows no boards in the browser; its operator can turn that on.")
        pages, game_id = self.client.board, await self.game_id()
        token = await self.tables.links.make(game_id, await self.asker(game_id), kind)
        self.link = pages.link_address(kind, token)
        return f"<{self.link}>"

    # -- words ------------------------------------------------------------------------------------------

    def spell(self, command: str, **values: Any) -> str:
        return " ".join([f"/{command}", *(f"{name}:{value}" for name, value in values.items())])

    def moment(self, when: datetime) -> str:
        """A moment that has passed as the time since then."""
        return discord.utils.format_dt(when, "R" if when < self.tables.desk.clock() else None)

    async def invitation_lines(self, game_id: GameId, code: str) -> Sequence[Text]:
        told = msg(
            "Anyone with this code can join from any server I am in, until the game begins or you make a new code: "
            "`/game join game:{game} invitation:{code}`",
            game_id,
            code,
        )
        return [Marked(tr(told))]

    async def help(self, about: str) -> Reply:
        """Possible moves with their buttons; where no game is played, an introduction."""
        if about:
            return await super().help(about)
        try:
            table, game = await self.tables.desk.require_started(await self.game_id())
        except IllegalMove:
            return Reply([Marked(tr(INTRODUCTION))])
        text, view = await moves_help(table, game, self.person)
        return ReplyWithView([Marked(text)], view=view)


async def _content(argument: Any) -> Any:
    """The bytes of an uploaded file; anything else as it is.

    :raises IllegalMove: Discord does not give it out.
    """
    if not isinstance(argument, discord.Attachment):
        return argument
    try:
        async with asyncio.timeout(FETCHING_SECONDS):
            return await argument.read()
    except (discord.HTTPException, aiohttp.ClientError, TimeoutError) as error:
        raise IllegalMove("Discord did not deliver that file; please send it again.") from error
