"""What the bot needs of Discord, and what its refusals mean."""

from __future__ import annotations

import aiohttp
import discord

PERMISSIONS = {
    "view_channel": "View Channels",
    "send_messages": "Send Messages",
    "send_messages_in_threads": "Send Messages in Threads",
    "create_public_threads": "Create Public Threads",
    "attach_files": "Attach Files",
    "embed_links": "Embed Links",
    "read_message_history": "Read Message History",
}
"""In channels where games are opened, as Discord's settings call them; README asks for them."""

REFUSED: dict[type[Exception], str] = {
    discord.LoginFailure: "Discord refused the token; check DISCORD_TOKEN",
    discord.PrivilegedIntentsRequired: (
        "Discord refused the message content intent: grant it in the portal or unset DISCORD_MESSAGE_CONTENT"
    ),
}
"""What waiting does not mend."""

UNREACHABLE = (OSError, aiohttp.ClientError, discord.DiscordServerError, discord.GatewayNotFound)
"""What waiting may mend."""


def intents(reads_content: bool) -> discord.Intents:
    """What the bot wants to be told of."""
    wanted = discord.Intents.none()
    wanted.guilds = wanted.guild_messages = wanted.dm_messages = True
    wanted.message_content = reads_content
    return wanted
