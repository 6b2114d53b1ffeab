"""Games in and out of Discord: export in both forms, import, clones to play with."""

from __future__ import annotations

import json
from typing import Any

import discord
from discord import app_commands

from bot.cli_files import BadFile, Brought, brought_here, own_form
from bot.engine.logs18xx.export import export_log
from bot.engine.refusals import NotAllowed
from bot.engine.titles.registry import DIALECTS, TITLES
from bot.render.paint import Picture

from . import completion
from .answers import answering, edit, person_of
from .lobby import check_room, game_group, leave_command, start_command, tables_of
from .places import asker_of, here, place_for_new, spot_of
from .play import position

Ask = discord.Interaction[Any]

LARGEST_FILE = 4 * 2**20
MOST_NOTES = 5
"""So many revenues that a file pays otherwise are named."""


@app_commands.command(name="export", description="The game as a JSON file, in our form or that of 18xx.games")
@app_commands.describe(form="In our form, or for 18xx.games")
@app_commands.choices(
    form=[app_commands.Choice(name="Signalbox", value="own"), app_commands.Choice(name="18xx.games", value="18xx")]
)
@app_commands.guild_only()
async def export_command(interaction: Ask, form: str = "own") -> None:
    """Export."""
    async with answering(interaction):
        number, game = await position(interaction)
        tables = tables_of(interaction)
        table = await tables.table(number)
        tables.check(table, await asker_of(interaction, number), "export")
        record = table.record
        data = own_form(record.title, record.options, record.seed, game, await tables.actions(number))
        if form == "18xx":
            if record.title not in DIALECTS:
                raise NotAllowed(f"18xx.games does not know {TITLES[record.title].name}.")
            data = await interaction.client.loop.run_in_executor(
                None, export_log, TITLES[record.title], DIALECTS[record.title], data
            )
        text = json.dumps(data, indent=1, ensure_ascii=False).encode()
        await edit(interaction, f"Game {number}.", [Picture(f"game-{number}.json", text, f"Game {number} as JSON")])


@game_group.command(name="import", description="Go on here with a game from a JSON file, ours or of 18xx.games")
@app_commands.describe(file="Exported from Signalbox, or a game's JSON from 18xx.games")
async def import_command(interaction: Ask, file: discord.Attachment) -> None:
    """Import. All seats are the importer's until he gives them away."""
    async with answering(interaction, private=False):
        if file.size > LARGEST_FILE:
            raise NotAllowed(f"That file is too long; at most {LARGEST_FILE // 2**20} MiB are read.")
        await check_room(interaction)
        place = await place_for_new(interaction.client, str(interaction.guild_id), str(interaction.channel_id))
        content = await file.read()
        found = await interaction.client.loop.run_in_executor(None, read_file, content)
        data = found.data
        person = person_of(interaction.user)
        people = [(person, name) for name in data["players"]]
        game = await tables_of(interaction).import_game(
            data["title"], person, people, data["moves"], data["options"], data["seed"], place=place
        )
        await spot_of(interaction.client, place)
        seats = "All seats are yours; give them away with `/moderate replace`."
        lines = [f"Game {game} goes on after {len(data['moves'])} moves. {seats}"]
        lines += [f"Note: {note}." for note in found.notes[:MOST_NOTES]]
        await edit(interaction, "\n".join(lines))


def read_file(content: bytes) -> Brought:
    """A file of either form in our own.

    :raises NotAllowed: it is none, or our rules refuse one of its moves.
    """
    try:
        return brought_here(content, "That file")
    except BadFile as error:
        raise NotAllowed(f"{str(error).rstrip('.')}.") from error


@game_group.command(name="clone", description="A copy of this game to play with, from now or from a record on")
@app_commands.describe(record="The record of the log after which the copy begins; by default the last one")
async def clone_command(interaction: Ask, record: app_commands.Range[int, 0] | None = None) -> None:
    """A sandbox of its own: every seat is whoever asked for it."""
    async with answering(interaction):
        tables, number = tables_of(interaction), await here(interaction)
        await check_room(interaction)
        place = await place_for_new(interaction.client, str(interaction.guild_id), str(interaction.channel_id))
        game = await tables.clone(number, await asker_of(interaction, number), record, place)
        where = await spot_of(interaction.client, place)
        await edit(interaction, f"Game {game} is a copy of game {number}; every seat is yours: {where}")


clone_command.autocomplete("record")(completion.records)
_command: app_commands.Command[Any, ..., Any]
for _command in (leave_command, start_command):
    _command.autocomplete("game")(completion.own_games)
