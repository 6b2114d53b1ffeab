"""Forum channels: a game is a post there, whose tags say which title it is and how it stands.

A server makes its own tags. Those with the name of a title or of a state are used, all others are left alone: nobody is asked for
the permission to manage channels.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Any, Final

import discord
from discord import app_commands

from bot.engine import IllegalMove
from bot.engine.play import Title
from bot.i18n import tr
from bot.store import GameStatus

from .client import GameClient
from .failure_kinds import brief

log = logging.getLogger(__name__)

ARCHIVE_MINUTES: Final = 10080

STATES = {
    GameStatus.LOBBY: "Recruiting",
    GameStatus.RUNNING: "Playing",
    GameStatus.PAUSED: "Paused",
    GameStatus.FINISHED: "Finished",
}

TAGGING_SECONDS = 5.0
"""Longest time to change tags, in seconds. Discord allows two changes of a post in ten minutes, and the library
waits for its turn.
"""

MOST_TAGS = 5
"""Discord's maximum number of tags on a post."""


class Forum(app_commands.Transformer):
    """A forum as a command option; media channels are not accepted."""

    @property
    def type(self) -> discord.AppCommandOptionType:
        return discord.AppCommandOptionType.channel

    @property
    def channel_types(self) -> list[discord.ChannelType]:
        return [discord.ChannelType.forum]

    async def transform(self, interaction: discord.Interaction[Any], value: Any, /) -> discord.ForumChannel:
        """The chosen forum.

        :raises IllegalMove: I cannot see it.
        """
        found = forum_of(interaction.client, value.id)
        if found is None:
            raise IllegalMove("I cannot see that forum.")
        return found


def forum_of(client: GameClient, channel: int | str) -> discord.ForumChannel | None:
    """The forum with that id, or the forum of that post; None where it is not in a forum."""
    found = client.get_channel(int(channel))
    home = found.parent if isinstance(found, discord.Thread) else found
    return home if isinstance(home, discord.ForumChannel) else None


def find_tag(forum: discord.ForumChannel, *names: str) -> discord.ForumTag | None:
    """The first tag with any of these names that may be used."""
    wanted = {name.casefold() for name in names}
    may_all = forum.permissions_for(forum.guild.me).manage_threads
    tags = (tag for tag in forum.available_tags if may_all or not tag.moderated)
    return next((tag for tag in tags if tag.name.casefold() in wanted), None)


def tags_of(forum: discord.ForumChannel, title: Title, status: GameStatus) -> list[discord.ForumTag]:
    """The tags for a game of this title and status, as far as the forum has them."""
    state = STATES[status]
    found = (find_tag(forum, title.name, title.id), find_tag(forum, state, tr(state)))
    return [tag for tag in found if tag is not None]


def check_tags(forum: discord.ForumChannel, title: Title) -> None:
    """Refuse a game in a forum that requires a tag on every post and has none for this game.

    :raises IllegalMove: that is so.
    """
    if forum.flags.require_tag and not tags_of(forum, title, GameStatus.LOBBY):
        raise IllegalMove(
            "Posts in {forum} need a tag, and it has none for this game: {tags}.",
            "",
            forum.mention,
            ", ".join((title.name, *STATES.values())),
        )


def missing_tags_text(forum: discord.ForumChannel, title: Title) -> str:
    """The sentence about tags missing from the forum; empty where none is missing."""
    names = [title.name] if find_tag(forum, title.name, title.id) is None else []
    names += [state for state in STATES.values() if find_tag(forum, state, tr(state)) is None]
    return (
        tr("{forum} has no tags called {tags}; I post without them.", forum.mention, ", ".join(names)) if names else ""
    )


async def find_or_create_post(
    forum: discord.ForumChannel, name: str, words: str, tags: Sequence[discord.ForumTag], view: discord.ui.View | None
) -> discord.Thread:
    """The bot's post with that name: the post made before an interruption, or a new post.

    :raises discord.HTTPException: it cannot be made.
    """
    for thread in forum.threads:
        if thread.name == name and thread.owner_id == forum.guild.me.id:
            return thread
    made = await forum.create_thread(
        name=name,
        content=words,
        view=view or discord.utils.MISSING,
        applied_tags=list(tags),
        auto_archive_duration=ARCHIVE_MINUTES,
        allowed_mentions=discord.AllowedMentions.none(),
    )
    return made.thread


async def show_state(client: GameClient, spot: str, title: Title, status: GameStatus) -> None:
    """Set the tags of a game's post by its title and status; other tags stay. If that is not possible, the game does
    without.
    """
    thread, forum = client.get_channel(int(spot)), forum_of(client, spot)
    if not isinstance(thread, discord.Thread) or forum is None:
        return
    ours = {tag.id for state in STATES for tag in tags_of(forum, title, state)}
    wanted = [
        *tags_of(forum, title, status),
        *(tag for tag in thread.applied_tags if tag.id not in ours),
    ][:MOST_TAGS]
    if {tag.id for tag in wanted} != {tag.id for tag in thread.applied_tags}:
        try:
            async with asyncio.timeout(TAGGING_SECONDS):
                await thread.edit(applied_tags=wanted, archived=False)
        except (discord.HTTPException, TimeoutError) as error:
            log.info("the tags stay as they are (%s)", brief(error))
