"""Games in and out of Discord: export in both forms, import, clones to play with."""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager
from typing import Any

import aiohttp
import discord
from discord import app_commands

from bot.commands.discord.interactions import completion
from bot.commands.discord.interactions.client import Interaction
from bot.commands.discord.interactions.game_channels import asker_of, current_game, describe_place, place_for_new
from bot.commands.discord.interactions.responses import edit, person_of, respond
from bot.engine.message import msg
from bot.engine.refusals import IllegalMove
from bot.i18n import tr
from bot.render.painting.picture import Picture
from bot.service.imports.file_io import encode_game_file, read_file, write_18xx
from bot.untrusted_input import LARGEST_FILE

from .lobby import check_room, game_group, leave_command, start_command
from .move_commands import position

MOST_NOTES = 5
"""Maximum number of different revenues of a file that are named."""

FETCHING_SECONDS = 20.0
"""Longest time to download a file from Discord, in seconds."""


def turn_of(interaction: Interaction) -> AbstractAsyncContextManager[None]:
    """Wait for this person's turn to import or export, and hold it."""
    return interaction.client.porter.turn(person_of(interaction.user), str(interaction.guild_id))


@app_commands.command(name="export", description="The game as a JSON file, for Signalbox or for 18xx.games")
@app_commands.describe(form="For Signalbox or for 18xx.games")
@app_commands.choices(
    form=[app_commands.Choice(name="Signalbox", value="own"), app_commands.Choice(name="18xx.games", value="18xx")]
)
@app_commands.guild_only()
async def export_command(interaction: Interaction, form: str = "own") -> None:
    async with respond(interaction):
        number, _ = await position(interaction)
        tables = interaction.client.tables
        table = await tables.desk.table(number)
        tables.desk.check(table, await asker_of(interaction, number), "export")
        course = await tables.queries.game_file(number)
        if form == "18xx":
            async with turn_of(interaction):
                content = await interaction.client.porter.run(write_18xx, course)
        else:
            content = encode_game_file(course)
        await edit(
            interaction,
            tr("Game {number}.", number),
            [Picture(f"game-{number}.json", content, tr("Game {number} as JSON", number))],
        )


@game_group.command(name="import", description="Continue a game from a JSON file of Signalbox or 18xx.games")
@app_commands.describe(file="Exported from Signalbox, or a game's JSON from 18xx.games")
async def import_command(interaction: Interaction, file: discord.Attachment) -> None:
    """All seats are the importer's until they give them away."""
    async with respond(interaction, private=False):
        if file.size > LARGEST_FILE:
            raise IllegalMove("That file is too large; the limit is {limit} MiB.", "", LARGEST_FILE // 2**20)
        await check_room(interaction)
        place = await place_for_new(interaction.client, str(interaction.guild_id), str(interaction.channel_id))
        person = person_of(interaction.user)
        async with turn_of(interaction):
            found = await interaction.client.porter.run(read_file, await download(file))
            game = await interaction.client.tables.transfer.import_game(found.course, person, place=place)
        await describe_place(interaction.client, place)
        seats = "All seats are yours; give them away with `/moderate replace`."
        lines = [tr("Game {game} continues after {moves} move(s). {seats}", game, len(found.course.moves), seats)]
        lines += [tr("Note: {note}.", msg(note)) for note in found.notes[:MOST_NOTES]]
        await edit(interaction, "\n".join(lines))


async def download(file: discord.Attachment) -> bytes:
    """The bytes of an uploaded file.

    :raises IllegalMove: Discord does not give it out.
    """
    try:
        async with asyncio.timeout(FETCHING_SECONDS):
            return await file.read()
    except (discord.HTTPException, aiohttp.ClientError, TimeoutError) as error:
        raise IllegalMove("Discord did not deliver that file; please send it again.") from error


@game_group.command(name="clone", description="A copy of this game to play with, from now or from a log entry")
@app_commands.describe(record="The log entry after which the copy begins; by default the last entry")
async def clone_command(interaction: Interaction, record: app_commands.Range[int, 0] | None = None) -> None:
    """A sandbox game: every seat belongs to the user."""
    async with respond(interaction):
        tables, number = interaction.client.tables, await current_game(interaction)
        await check_room(interaction)
        place = await place_for_new(interaction.client, str(interaction.guild_id), str(interaction.channel_id))
        async with turn_of(interaction):
            game = await tables.transfer.clone(number, await asker_of(interaction, number), record, place)
        where = await describe_place(interaction.client, place)
        await edit(
            interaction,
            tr("Game {game} is a copy of game {number}; every seat is yours: {where}", game, number, where),
        )


clone_command.autocomplete("record")(completion.records)
_command: app_commands.Command[Any, ..., Any]
for _command in (leave_command, start_command):
    _command.autocomplete("game")(completion.own_games)
