"""The tree of commands: who may use one, and what is said where something goes wrong with them."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from typing import Any

import discord
from discord import app_commands

from bot.engine import Rejected
from bot.i18n import tr

from .interactions import (
    GameClient,
    Interaction,
    answer_failure,
    brief,
    is_within_rate_limit,
    refusal_text,
    set_user_language,
)

log = logging.getLogger(__name__)

NOT_HERE = "I am not in this server, so you cannot play here. Its moderators can invite me."


class Tree(app_commands.CommandTree[GameClient]):
    async def interaction_check(self, interaction: Interaction, /) -> bool:
        """Whether this user may ask now, here. Completions are not counted: the client sends one with every letter."""
        if interaction.type is discord.InteractionType.autocomplete:
            return True
        client, guild = interaction.client, interaction.guild_id
        if guild is not None and client.get_guild(guild) is None and not client.is_elsewhere(str(guild)):
            # Somebody has brought it here only for themselves, or it has just been removed.
            await set_user_language(interaction)
            await interaction.response.send_message(tr(NOT_HERE), ephemeral=True)
            return False
        return await is_within_rate_limit(interaction)


def refused_field(error: discord.HTTPException, commands: Sequence[app_commands.Command[Any, ..., Any] | Any]) -> str:
    """The first command that Discord refuses, and the part at fault, in one short line."""
    found = re.findall(r"^\w+ (\d+)\.?(\S*): (.*)$", error.text, re.MULTILINE)
    if not found or int(found[0][0]) >= len(commands):
        return brief(error)
    number, field, reason = found[0]
    return f"{brief(error)}: /{commands[int(number)].name} {field}: {reason[:100]} (1/{len(found)})"


async def on_command_error(interaction: Interaction, error: app_commands.AppCommandError) -> None:
    """Answer a command that ended with an error."""
    cause = error.__cause__ or error
    if isinstance(error, app_commands.TransformerError) and error.type is discord.AppCommandOptionType.user:
        # People who are named by their number need not be here; they may have left.
        await set_user_language(interaction)
        await interaction.response.send_message(tr("You can only name people on this server here."), ephemeral=True)
        return
    if isinstance(cause, Rejected):
        await set_user_language(interaction)
        await interaction.response.send_message(refusal_text(cause), ephemeral=True)
        return
    await answer_failure(interaction, cause)
