"""The steps: what the bot does at a table, once each, on a real server."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

import discord

from bot.commands.discord.discord_errors import missing_permissions
from bot.commands.discord.gateway import GatewayConnection
from bot.commands.discord.interactions import files
from bot.commands.discord.message_slots import SlotContent, shape

from ..interactions.forums import ARCHIVE_MINUTES
from .trial import Missing, SmokeStep, Trial, Wrong

NAME = "signalbox-smoke"
"""The name of everything that a trial creates."""

PRESS = "smoke:press"
WORDS = ("steam", "coal", "rails")
NO_SUCH_MESSAGE = 10008
LATEST = 3.0
"""Latest first response to an interaction, in seconds."""

COMMAND = {
    "name": NAME,
    "description": "Part of a trial by this bot's operator; it is gone in a moment.",
    "type": 1,
    "options": [
        {"type": 3, "name": "word", "description": "One of those offered.", "required": True, "autocomplete": True}
    ],
}


async def log_in(trial: Trial) -> str:
    """Check that the token is good."""
    await trial.client.login(trial.token)
    return "the token is good"


async def connect(trial: Trial) -> str:
    """Check that the gateway names the servers."""
    client = trial.client
    trial.connecting = asyncio.create_task(GatewayConnection(client, partial(setattr, client, "ws")).keep())
    ready = asyncio.create_task(client.wait_until_ready())
    await asyncio.wait({trial.connecting, ready}, return_when=asyncio.FIRST_COMPLETED)
    if not ready.done():
        ready.cancel()
        await trial.connecting
        raise Wrong("the gateway closed the connection")
    trial.guild = client.get_guild(trial.wishes.guild)
    if trial.guild is None:
        raise Wrong(f"the bot is not in the server {trial.wishes.guild}; it is in {len(client.guilds)} others")
    return f"ready, in {len(client.guilds)} servers"


async def look_at_permissions(trial: Trial) -> str:
    """Find a channel, and perhaps a forum, in which the bot has all permissions that it needs."""
    guild, wishes = trial.server, trial.wishes
    places = [place for place in guild.text_channels if wishes.channel in (None, place.id)]
    if not places:
        raise Wrong("there is no such text channel" if wishes.channel else "the server has no text channel")
    forums = [place for place in guild.forums if wishes.forum in (None, place.id)]
    if wishes.forum and not forums:
        raise Wrong("there is no such forum")
    trial.channel = min(places, key=lambda place: len(missing_permissions(place)))
    trial.forum = min(forums, key=lambda place: len(missing_permissions(place)), default=None)
    lacking = missing_permissions(trial.channel)
    in_forum = missing_permissions(trial.forum) if trial.forum is not None else []
    found = [f"the channel lacks {', '.join(lacking)}"] if lacking else []
    found += [f"the forum lacks {', '.join(in_forum)}"] if in_forum else []
    if found:
        raise Wrong("; ".join(found))
    cleans = trial.channel.permissions_for(guild.me).manage_threads
    return (
        "all that is needed"
        if cleans
        else "all that is needed; without Manage Threads threads are archived, not removed"
    )


async def register_command(trial: Trial) -> str:
    """Register a command of this server only, beside all others: none of them is changed."""
    http, application = trial.client.http, trial.client.application_id
    assert application is not None
    known = await http.get_global_commands(application)
    made = await http.upsert_guild_command(application, trial.server.id, COMMAND)
    trial.undoing.append(
        ("the command", lambda: http.delete_guild_command(application, trial.server.id, int(made["id"])))
    )
    if made["name"] != NAME:
        raise Wrong(f"the command is called {made['name']!r}")
    return f"one more command, only for this server; {len(known)} of the bot's own are untouched"


async def open_thread(trial: Trial) -> str:
    assert trial.channel is not None
    thread = await trial.channel.create_thread(
        name=NAME, auto_archive_duration=ARCHIVE_MINUTES, type=discord.ChannelType.public_thread
    )
    trial.thread = thread
    trial.undoing.append(("the thread", lambda: remove(thread)))
    return "a public thread"


async def remove(thread: discord.Thread) -> None:
    """Delete a thread; without the permission, delete its messages and archive it."""
    try:
        await thread.delete()
    except discord.Forbidden:
        async for message in thread.history(limit=50):
            if message.author == thread.guild.me and message.type is discord.MessageType.default:
                await message.delete()
        await thread.edit(archived=True)


def record_of(trial: Trial, picture: int) -> dict[str, Any]:
    button: discord.ui.Button[Any] = discord.ui.Button(label="A button", custom_id="smoke:record", disabled=True)
    post = SlotContent("**A record**", "After the picture.", [button], is_record=True)
    return shape(post, [trial.pictures[picture]], "")


async def picture_size(trial: Trial, message: discord.Message) -> str:
    """The size of a record's picture, as downloaded.

    :raises Wrong: it shows none.
    """
    found = [part for part in message.components if isinstance(part, discord.MediaGalleryComponent)]
    if not found:
        raise Wrong("the record shows no picture")
    data = await trial.client.http.get_from_cdn(found[0].items[0].media.url)
    return f"{len(data) // 1024} KB"


async def send_record(trial: Trial) -> str:
    trial.record = await trial.home.send(files=files(trial.pictures[:1]), silent=True, **record_of(trial, 0))
    listed = len(trial.record.attachments)
    return f"a picture of {await picture_size(trial, trial.record)}; {listed} attachments are listed"


async def edit_record(trial: Trial) -> str:
    """Replace the picture (discord-api-docs #7529)."""
    assert trial.record is not None
    changed = await trial.record.edit(attachments=files(trial.pictures[1:2]), **record_of(trial, 1))
    size = await picture_size(trial, changed)
    pictures = [part for part in changed.components if isinstance(part, discord.MediaGalleryComponent)]
    if len(pictures) != 1 or len(pictures[0].items) != 1:
        raise Wrong("the old picture is still there")
    return f"another picture of {size} in its place"


async def mention(trial: Trial) -> str:
    """Ask a question with a mention of the bot itself: nobody else is pinged."""
    me = trial.server.me
    message = await trial.home.send(
        f"{me.mention} A question.", allowed_mentions=discord.AllowedMentions(users=[me], everyone=False, roles=False)
    )
    if [user.id for user in message.mentions] != [me.id]:
        raise Wrong(f"{len(message.mentions)} people were mentioned")
    await message.edit(content=f"{me.mention} A question, changed.")
    await message.delete()
    return "one was mentioned; changed, and deleted"


async def send_twice(trial: Trial) -> str:
    """The same nonce twice is one message; after it is deleted the nonce is refused."""
    first = await trial.home.send("Once.", nonce="smoke-1")
    second = await trial.home.send("Once.", nonce="smoke-1")
    if first.id != second.id:
        raise Wrong("the same nonce gave two messages")
    await first.delete()
    try:
        third = await trial.home.send("Once.", nonce="smoke-1")
    except discord.NotFound as error:
        if error.code != NO_SUCH_MESSAGE:
            raise
        return "one message; once it is deleted its nonce is refused with 10008"
    await third.delete()
    return "one message; once it is deleted its nonce gives a new message"


async def react(trial: Trial) -> str:
    message = await trial.home.send("A move, typed.")
    await message.add_reaction("\N{WHITE HEAVY CHECK MARK}")
    return "a reaction"


async def open_post(trial: Trial) -> str:
    forum = trial.forum
    if forum is None:
        raise Missing("the server has no forum")
    tags = [tag for tag in forum.available_tags if not tag.moderated][:1]
    made = await forum.create_thread(
        name=NAME, content="A post.", applied_tags=tags, auto_archive_duration=ARCHIVE_MINUTES
    )
    trial.post = made.thread
    trial.undoing.append(("the post", lambda: remove(made.thread)))
    if {tag.id for tag in made.thread.applied_tags} != {tag.id for tag in tags}:
        raise Wrong("it has other tags")
    if not tags:
        return "a post; the forum has no tags"
    await made.thread.edit(applied_tags=[], archived=False) if not forum.flags.require_tag else None
    return "a post with a tag" + (", which was taken off" if not forum.flags.require_tag else "")


async def wait_for_operator(trial: Trial, kind: discord.InteractionType, ask: str) -> discord.Interaction[Any]:
    """Ask the operator to do something, and return the interaction.

    :raises Missing: they did nothing.
    """
    trial.tell(ask)
    try:
        async with asyncio.timeout(trial.wishes.patience):
            while (interaction := await trial.client.interactions.get()).type is not kind:
                if interaction.type is discord.InteractionType.autocomplete:
                    await offer(interaction)
            return interaction
    except TimeoutError:
        raise Missing("nobody did it in time") from None


async def press(trial: Trial) -> str:
    view = discord.ui.View(timeout=None)
    view.add_item(discord.ui.Button(label="Press me", custom_id=PRESS))
    await trial.home.send("Press the button.", view=view)
    ask = f"Please press the button in the thread {NAME} ({trial.home.jump_url})."
    interaction = await wait_for_operator(trial, discord.InteractionType.component, ask)
    await interaction.response.edit_message(content="Pressed.", view=None)
    return age_of(interaction)


def age_of(interaction: discord.Interaction[Any]) -> str:
    """Time that an interaction has waited for its first answer.

    :raises Wrong: longer than Discord allows.
    """
    seconds = (discord.utils.utcnow() - interaction.created_at).total_seconds()
    if seconds > LATEST:
        raise Wrong(f"answered after {seconds:.1f} s: is the clock of this machine right?")
    return f"answered after {max(seconds, 0.0):.1f} s"


async def complete(trial: Trial) -> str:
    ask = f"Please type /{NAME} in the thread, choose one of the words that are offered, and send it."
    interaction = await wait_for_operator(trial, discord.InteractionType.autocomplete, ask)
    await offer(interaction)
    return f"{len(WORDS)} words, {age_of(interaction)}"


async def offer(interaction: discord.Interaction[Any]) -> None:
    await interaction.response.autocomplete([discord.app_commands.Choice(name=word, value=word) for word in WORDS])


async def defer(trial: Trial) -> str:
    """Answer late, with a picture, visible to one person only."""
    interaction = await wait_for_operator(trial, discord.InteractionType.application_command, "... and send it.")
    await interaction.response.defer(ephemeral=True, thinking=True)
    age = age_of(interaction)
    await interaction.edit_original_response(content="A picture:", attachments=files(trial.pictures[:1]))
    return f"{age}, then a picture"


STEPS = (
    SmokeStep("login", log_in),
    SmokeStep("gateway", connect, ("login",)),
    SmokeStep("permissions", look_at_permissions, ("gateway",)),
    SmokeStep("commands", register_command, ("gateway",)),
    SmokeStep("thread", open_thread, ("permissions",)),
    SmokeStep("record", send_record, ("thread",)),
    SmokeStep("record changed", edit_record, ("record",)),
    SmokeStep("question", mention, ("thread",)),
    SmokeStep("nonce", send_twice, ("thread",)),
    SmokeStep("reaction", react, ("thread",)),
    SmokeStep("forum post", open_post, ("permissions",)),
    SmokeStep("button", press, ("thread",), asks=True),
    SmokeStep("completion", complete, ("thread", "commands"), asks=True),
    SmokeStep("late answer", defer, ("completion",), asks=True),
)
