"""Trying moves that nobody else sees: once (`/try`), or in a sandbox that stays (`/whatif`)."""

from __future__ import annotations

import re
from typing import Any

import discord
from discord import app_commands

from bot.commands.discord.interactions.answers import answering, edit, is_panel, person_of, plain
from bot.commands.discord.interactions.client import Interaction
from bot.commands.discord.interactions.places import here
from bot.engine.refusals import Refusal
from bot.language import say
from bot.render.painting.picture import Picture
from bot.render.worker import PictureFailed
from bot.store import StoreError
from bot.tables.acts.sandbox import Preview, WhatIf

from .buttons import answer_move
from .play import completed

whatif_group = app_commands.Group(name="whatif", description="A private sandbox of the position", guild_only=True)


class SandboxButton(
    discord.ui.DynamicItem[discord.ui.Button[Any]],
    template=r"if:(?P<game>\d{1,9}):(?P<version>\d{1,9}):(?P<verb>commit|back|drop)",
):
    """Makes the sandbox's moves, takes the last one out of it, or empties it."""

    LABELS = {"commit": "Make these moves", "back": "Take the last one back", "drop": "Forget them"}

    def __init__(self, game: int, version: int, verb: str) -> None:
        self.game, self.version, self.verb = game, version, verb
        style = discord.ButtonStyle.success if verb == "commit" else discord.ButtonStyle.secondary
        super().__init__(
            discord.ui.Button(label=say(self.LABELS[verb]), style=style, custom_id=f"if:{game}:{version}:{verb}")
        )

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[Any], match: re.Match[str]
    ) -> SandboxButton:
        """The button that was pressed."""
        return cls(int(match["game"]), int(match["version"]), match["verb"])

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Do it."""
        tables = interaction.client.tables
        person = person_of(interaction.user)
        async with answering(interaction, is_update=is_panel(interaction)):
            if self.verb == "commit":
                await answer_move(interaction, await tables.sandbox.what_if_commit(self.game, person, self.version))
                return
            found = await tables.sandbox.what_if_back(self.game, person, 1 if self.verb == "back" else None)
            await show_sandbox(interaction, self.game, found)


async def show_sandbox(interaction: Interaction, game: int, found: WhatIf) -> None:
    """What the sandbox's moves would do, with a picture, and what can be done with them."""
    table = await interaction.client.tables.desk.table(game)
    view = discord.ui.View(timeout=None)
    if found.own:
        view.add_item(SandboxButton(game, table.record.version, "commit"))
    if found.preview.actions:
        view.add_item(SandboxButton(game, table.record.version, "back"))
        view.add_item(SandboxButton(game, table.record.version, "drop"))
    lines = [f"- {plain(line)}" for line in found.preview.lines]
    empty = "Your sandbox is empty; `/whatif move` puts moves in."
    head = say("In your sandbox, which nobody else sees:" if lines else empty)
    tail = [plain(found.lost)] if found.lost else []
    await edit(
        interaction,
        "\n".join([head, *lines, *tail, say("Then: {question}", plain(say(found.preview.question)))]),
        await pictures(interaction, found.preview),
        view,
    )


async def pictures(interaction: Interaction, preview: Preview) -> list[Picture]:
    """The part of the board that would change; nothing where nothing would, or it cannot be painted."""
    if not preview.changed:
        return []
    try:
        return [
            await interaction.client.studio.picture(preview.game, "crop", [str(space) for space in preview.changed])
        ]
    except (PictureFailed, Refusal):
        return []


@app_commands.command(name="try", description="What moves would do, without making them; nobody else sees it")
@app_commands.describe(move="One or several moves, of whichever seat")
@app_commands.guild_only()
async def try_command(interaction: Interaction, move: str) -> None:
    """A preview."""
    async with answering(interaction):
        tried = await interaction.client.tables.sandbox.preview(
            await here(interaction), person_of(interaction.user), move
        )
        lines = [
            say("That would do this:"),
            *(f"- {plain(line)}" for line in tried.lines),
            say("Then: {question}", plain(say(tried.question))),
        ]
        await edit(interaction, "\n".join(lines), await pictures(interaction, tried))


@whatif_group.command(name="move", description="Make moves in your sandbox, of whichever seat")
@app_commands.describe(move="One or several moves, of whichever seat")
async def whatif_move(interaction: Interaction, move: str) -> None:
    """Add moves."""
    async with answering(interaction):
        game = await here(interaction)
        found = await interaction.client.tables.sandbox.what_if(game, person_of(interaction.user), move)
        await show_sandbox(interaction, game, found)


@whatif_move.autocomplete("move")
async def complete_whatif(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Legal moves in one's own sandbox."""
    try:
        found = await interaction.client.tables.sandbox.what_if(await here(interaction), person_of(interaction.user))
    except (Refusal, StoreError):
        return []
    return await completed(found.preview.game, typed, None)


@try_command.autocomplete("move")
async def complete_try(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Legal moves."""
    try:
        _, game = await interaction.client.tables.desk.begun(await here(interaction))
    except (Refusal, StoreError):
        return []
    return await completed(game, typed, None)


@whatif_group.command(name="show", description="Your sandbox, on the present position")
async def whatif_show(interaction: Interaction) -> None:
    """Look."""
    async with answering(interaction):
        game = await here(interaction)
        await show_sandbox(
            interaction, game, await interaction.client.tables.sandbox.what_if(game, person_of(interaction.user))
        )
