"""The bot's needs of Discord, and the meaning of its refusals."""

from __future__ import annotations

import aiohttp
import discord

from .interactions import UNKNOWN_CHANNEL, FailureKind, failure_kind_of

BAD_TOKEN = "Discord refused the token; check DISCORD_TOKEN"

CLOSINGS = {
    4004: BAD_TOKEN,
    4010: "Discord does not know this shard; check SIGNALBOX_SHARDS",
    4011: "Discord wants this bot to have shards, since it is in many servers: docs/reference/scaling.md, SIGNALBOX_SHARDS",
    4012: "Discord does not serve this version of its gateway any more; install a newer release",
    4013: "Discord does not know the events that this release asks for; install a newer release",
    4014: "Discord refused the message content intent: grant it in the portal or unset DISCORD_MESSAGE_CONTENT",
}
"""Close codes of the gateway that waiting does not fix, and what to do."""


def reason_to_end(error: BaseException) -> str:
    """The sentence about an error that waiting does not fix; empty for any other error."""
    if isinstance(error, discord.LoginFailure):
        return BAD_TOKEN
    return CLOSINGS.get(error.code, "") if isinstance(error, discord.ConnectionClosed) else ""


UNREACHABLE = (OSError, aiohttp.ClientError, discord.HTTPException, discord.GatewayNotFound)
"""Errors that waiting may fix."""


def fault_of_place(error: discord.HTTPException) -> str:
    """The fault of a game's channel; empty where Discord's answer says nothing about the channel."""
    if failure_kind_of(error) is not FailureKind.CLOSED:
        return ""
    if error.code == UNKNOWN_CHANNEL:
        return "its channel is gone; type /moderate here in another channel"
    return "its channel cannot be seen: View Channels is missing, or the bot left the server"


PERMISSIONS = {
    "view_channel": "View Channels",
    "send_messages": "Send Messages",
    "send_messages_in_threads": "Send Messages in Threads",
    "create_public_threads": "Create Public Threads",
    "attach_files": "Attach Files",
    "embed_links": "Embed Links",
    "read_message_history": "Read Message History",
}
"""Needed in channels where games are opened, named as in Discord's settings; README asks for them."""

IN_FORUMS = {name: word for name, word in PERMISSIONS.items() if name != "create_public_threads"} | {
    "send_messages": "Create Posts"
}
"""Needed in forums, where a game is a post."""


def missing_permissions(channel: discord.abc.GuildChannel) -> list[str]:
    may = channel.permissions_for(channel.guild.me)
    needed = IN_FORUMS if isinstance(channel, discord.ForumChannel) else PERMISSIONS
    return [word for name, word in needed.items() if not getattr(may, name)]


def intents(reads_content: bool) -> discord.Intents:
    """The gateway events that the bot subscribes to."""
    wanted = discord.Intents.none()
    wanted.guilds = wanted.guild_messages = wanted.dm_messages = True
    wanted.message_content = reads_content
    return wanted
