"""Lobbies: where one may be opened, its message, and the menus of its options."""

from __future__ import annotations

from typing import Any

import discord

from bot.commands.discord.interactions import (
    CARD,
    Interaction,
    PersistentItem,
    Select,
    asker_of,
    check_tags,
    describe_place,
    edit,
    forum_of,
    is_ephemeral,
    lobby_text,
    lobby_view,
    missing_tags_text,
    values_of,
    view_of,
)
from bot.engine import NO_GAME, GameId, IllegalMove
from bot.i18n import tr
from bot.service.game_service import GameSession
from bot.service.registry.lobby_commands import CLOCK
from bot.service.views.clock_text import clock_name
from bot.store import NO_THREAD_YET, GameRecord, Place, PostRecord
from bot.titles.registry import TITLES

MOST_MENUS = 5
"""Rows of a message: one for the clock, the others for options of the title."""

MOST_GAMES_PER_SERVER = 500
"""Games that are not over; Discord itself takes 1000 open threads."""


def check_forum(forum: discord.ForumChannel, user: discord.User | discord.Member, title: str) -> None:
    """Refuse a post that the user or I may not make there.

    :raises IllegalMove: with the reason.
    """
    if not isinstance(user, discord.Member) or not forum.permissions_for(user).send_messages:
        raise IllegalMove("You may not write in {forum}, so you cannot open a game there.", "", forum.mention)
    if not forum.permissions_for(forum.guild.me).send_messages:
        raise IllegalMove("I may not create posts in {forum}: I need *Create Posts* there.", "", forum.mention)
    check_tags(forum, TITLES[title])


async def check_room(interaction: Interaction) -> None:
    """Refuse another game where there are very many.

    :raises IllegalMove: the server is full.
    """
    found = await interaction.client.tables.places.count_games_in(str(interaction.guild_id))
    if found >= MOST_GAMES_PER_SERVER:
        raise IllegalMove("This server has {found} open games, the limit. Please end a game first.", "", found)


class OptionMenu(PersistentItem, form="op:{game}:{place}"):
    place: int
    record: GameRecord

    def build(self) -> Select:
        option = TITLES[self.record.title].options[self.place]
        chosen = self.record.options.get(option.name)
        choices = [
            discord.SelectOption(
                label=choice[:100],
                value=choice[:100],
                description=tr(explanation)[:100],
                default=choice == chosen,
            )
            for choice, explanation in option.choices.items()
        ]
        question = option.explanation[:1].upper() + option.explanation[1:]
        return Select(placeholder=tr(question)[:150], options=choices[:25])

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        record = await interaction.client.tables.queries.record(self.game)
        options = TITLES[record.title].options[self.place : self.place + 1] if record is not None else ()
        chosen = [f"{option.name}={choice}" for option in options for choice in values_of(interaction)]
        await interaction.client.run_command(
            interaction, "game option", {"option": "".join(chosen)}, self.game, is_update=is_ephemeral(interaction)
        )


class ClockMenu(PersistentItem, form="ck:{game}"):
    """The clocks to choose from."""

    record: GameRecord

    def build(self) -> Select:
        chosen = clock_name(self.record.clock)
        choices = [
            discord.SelectOption(label=name, value=name, description=tr(about)[:100], default=name == chosen)
            for name, about in CLOCK.meanings.items()
        ]
        return Select(placeholder=tr("The clock: numbers of your own"), options=choices)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        (clock,) = values_of(interaction)
        await interaction.client.run_command(
            interaction, "game clock", {"clock": clock}, self.game, is_update=is_ephemeral(interaction)
        )


def options_view(table: GameSession) -> discord.ui.View:
    """A menu for each option that can be chosen before the game begins, and for the clock."""
    options = TITLES[table.record.title].options[: MOST_MENUS - 1]
    menus = [OptionMenu(table.record.id, place, record=table.record) for place, _ in enumerate(options)]
    return view_of([*menus, ClockMenu(table.record.id, record=table.record)])


async def show_options(interaction: Interaction, table: GameSession) -> None:
    """Show the options with their menus, to the player who opened the lobby.

    :raises IllegalMove: it is somebody else.
    """
    interaction.client.tables.desk.check(table, await asker_of(interaction, table.record.id), "options")
    await edit(interaction, lobby_text(table, TITLES[table.record.title]), view=options_view(table))


async def lobby_place(interaction: Interaction, title: str, forum: discord.ForumChannel | None) -> Place:
    """The place of a new lobby: this channel, or a post in a forum.

    :raises IllegalMove: none may be opened there.
    """
    await check_room(interaction)
    if forum is None:
        return Place(NO_GAME, str(interaction.guild_id), str(interaction.channel_id))
    check_forum(forum, interaction.user, title)
    return Place(NO_GAME, str(forum.guild.id), str(forum.id), trouble=NO_THREAD_YET)


async def show_lobby(interaction: Interaction, table: GameSession) -> None:
    """Show a new lobby: as a message here, or where its post in a forum is."""
    client, game, title = interaction.client, table.record.id, TITLES[table.record.title]
    place = await client.tables.places.place(game)
    forum = forum_of(client, place.channel) if place is not None else None
    if place is not None and forum is not None:
        where = await describe_place(client, place)
        await client.tables.desk.notify(game)
        await edit(interaction, " ".join(filter(None, [f"{where}.", missing_tags_text(forum, title)])))
        return
    card = await edit(interaction, lobby_text(table, title), view=lobby_view(game, title))
    if card is not None:
        await keep_card(interaction, game, card)


async def keep_card(interaction: Interaction, game_id: GameId, message: discord.Message) -> PostRecord:
    """Remember the lobby's message: it describes the table for ever."""
    tables = interaction.client.tables
    row = PostRecord(game_id, CARD, str(message.id), str(message.channel.id), "", tables.desk.now(), 0)
    await tables.outbox.set_post(row)
    return row


async def refresh_lobby(interaction: Interaction, table: GameSession) -> None:
    """Keep the message of an older lobby, whose button was pressed; the outbox brings it up to date."""
    if interaction.message is None or (await interaction.client.tables.outbox.posts(table.record.id)).get(CARD):
        return
    await keep_card(interaction, table.record.id, interaction.message)
    await interaction.client.tables.lobby.tell_changed(table)
