"""What the bot needs of Discord, and what its refusals mean."""

from __future__ import annotations

import aiohttp
import discord

REFUSED: dict[type[Exception], str] = {
    discord.LoginFailure: "Discord refused the token; check DISCORD_TOKEN",
    discord.PrivilegedIntentsRequired: (
        "Discord refused the message content intent: grant it in the portal or unset DISCORD_MESSAGE_CONTENT"
    ),
}
"""What waiting does not mend."""

UNREACHABLE = (OSError, aiohttp.ClientError, discord.HTTPException, discord.GatewayNotFound)
"""What waiting may mend."""


def intents(reads_content: bool) -> discord.Intents:
    """What the bot wants to be told of."""
    wanted = discord.Intents.none()
    wanted.guilds = wanted.guild_messages = wanted.dm_messages = True
    wanted.message_content = reads_content
    return wanted
