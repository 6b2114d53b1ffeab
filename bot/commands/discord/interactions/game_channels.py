"""Where a game is played in Discord, what somebody is there now, and what happens when it cannot be posted there."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import aiohttp
import discord
import msgspec

from bot.engine.message import said
from bot.engine.play.title import Title
from bot.engine.refusals import IllegalMove
from bot.i18n import say, speaking
from bot.metrics import REFUSALS
from bot.service.game_service import GameSession
from bot.service.sessions.rights import Actor, check_right
from bot.store import NO_THREAD_YET, GameRecord, Place, PlaceTaken, PostRecord

from .client import GameClient, Interaction
from .failure_kinds import (
    ARCHIVED,
    HAS_A_THREAD,
    NO_PLACE,
    PLACE_TAKEN,
    TOO_MANY_MEMBERS,
    TOO_MANY_THREADS,
    TROUBLES,
    UNKNOWN_CHANNEL,
    UNKNOWN_MEMBER,
    UNKNOWN_MESSAGE,
    UNKNOWN_SERVER,
    UNKNOWN_USER,
    FailureKind,
    answered,
    brief,
    verdict_on,
)
from .forums import ARCHIVE_MINUTES, forum_of, post_called, tags_of
from .lobbies import lobby_text, lobby_view
from .responses import Item, admitted, person_of, refusal_text, speak_to

log = logging.getLogger(__name__)

THREAD_GONE = "the thread is gone"

NO_THREADS = "I may not open threads here; the game is played in this channel."
NO_MORE_THREADS = "This server has as many open threads as Discord allows; the game is played in this channel."

OPENING_SECONDS = 20.0
"""So long it may take to open a thread. Discord lets few be opened in a while, and the library waits for its turn."""

CARD = "card"
"""The slot of the lobby's message."""


class PlaceUnavailable(Exception):
    """A place where nothing can be posted; `code` is Discord's."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


# -- who asks -----------------------------------------------------------------------------------------


async def here(interaction: Interaction) -> int:
    """The game that is meant where this is typed.

    :raises IllegalMove: there is none, or it could be several.
    """
    game = await interaction.client.tables.places.game_at(str(interaction.channel_id), person_of(interaction.user))
    if game is None:
        raise IllegalMove("No game is played in this channel. Open one with /game new, or go to a game's thread.")
    return game


async def asker_of(interaction: Interaction, game: int) -> Actor:
    """Whoever asks something of a game, as he is at its place now: Discord tells his permissions with each request, for
    the channel in which it is made. Anywhere else he is nothing but what the records say; an opener who asks from another
    server is asked of Discord, for he may have left. A lobby is its server's.

    :raises discord.HTTPException: Discord does not say.
    """
    client = interaction.client
    place, record = await client.tables.places.place(game), await client.tables.looking.record(game)
    guild, channel = str(interaction.guild_id), str(interaction.channel_id)
    is_there = place is not None and place.guild == guild and channel in (place.thread, place.channel)
    is_lobby = place is not None and place.guild == guild and record is not None and record.status == "lobby"
    manages = is_there and interaction.permissions.manage_threads
    person = person_of(interaction.user)
    is_gone = False
    if record is not None and record.moderator == person and place is not None and place.guild != guild:
        is_gone = (await asker_away(client, interaction.user, place)).is_gone
    return Actor(person, interaction.user.display_name, is_there or is_lobby, manages, is_gone=is_gone)


def asker_here(interaction: Interaction) -> Actor:
    """Whoever asks, as he is where he asks: whether he may write there, and manage threads."""
    may = interaction.permissions
    writes = may.send_messages_in_threads if isinstance(interaction.channel, discord.Thread) else may.send_messages
    return Actor(person_of(interaction.user), interaction.user.display_name, writes, may.manage_threads)


async def asker_away(client: GameClient, user: discord.abc.User, place: Place | None) -> Actor:
    """Somebody as he is at a place elsewhere, asked of Discord now. Where Discord cannot be asked, since I am not there
    any more, he is what the records say.

    :raises discord.HTTPException: Discord does not say.
    """
    asker = Actor(person_of(user), user.display_name)
    guild = await _guild_of(client, place) if place is not None and place.guild else None
    if place is None or guild is None:
        return asker
    try:
        member = await guild.fetch_member(user.id)
    except discord.HTTPException as error:
        if error.code not in (UNKNOWN_MEMBER, UNKNOWN_USER) and verdict_on(error) is not FailureKind.CLOSED:
            raise
        return Actor(asker.person, asker.name, is_gone=error.code in (UNKNOWN_MEMBER, UNKNOWN_USER))
    channel = guild.get_channel_or_thread(int(place.spot)) or guild.get_channel_or_thread(int(place.channel))
    if channel is None and client.is_elsewhere(place.guild):
        try:
            channel = await guild.fetch_channel(int(place.channel))
        except discord.HTTPException as error:
            if verdict_on(error) is not FailureKind.CLOSED:
                raise
    may = channel.permissions_for(member) if channel is not None else member.guild_permissions
    return Actor(asker.person, asker.name, may.view_channel, may.manage_threads)


async def _guild_of(client: GameClient, place: Place) -> discord.Guild | None:
    """A game's server; None where I am not there any more.

    :raises discord.HTTPException: Discord does not say.
    """
    found = client.get_guild(int(place.guild))
    if found is not None or not client.is_elsewhere(place.guild):
        return found
    try:
        return await client.fetch_guild(int(place.guild))
    except discord.HTTPException as error:
        if verdict_on(error) is not FailureKind.CLOSED:
            raise
        return None


def guarded(item: type[Item]) -> type[Item]:
    """A kind of button or menu, put behind the doorman; one that names a game is for those who may look at it."""

    async def interaction_check(self: Any, interaction: discord.Interaction[Any], /) -> bool:
        return await admitted(interaction) and await sees(interaction, getattr(self, "game", 0))

    item.interaction_check = interaction_check  # type: ignore[method-assign]
    return item


async def sees(interaction: Interaction, game: int) -> bool:
    """Whether this user may look at a game; if not, he is told why. There may be no such game, which the act will say."""
    found = await interaction.client.tables.looking.record_and_seats(game)
    if found is None:
        return True
    try:
        check_right(*found, await asker_of(interaction, game), "look")
    except IllegalMove as refusal:
        REFUSALS.labels(type(refusal).__name__).inc()
        await speak_to(interaction)
        await interaction.response.send_message(say(refusal_text(refusal)), ephemeral=True)
        return False
    return True


# -- places -------------------------------------------------------------------------------------------


async def place_for_new(client: GameClient, guild: str, channel: str, game: int = 0) -> Place:
    """Where a game will be played that begins in this channel or thread: in a thread of its own, if I may open one.

    :raises IllegalMove: I may not, and another game is played in the channel.
    """
    found = client.get_channel(int(channel))
    home = found.parent if isinstance(found, discord.Thread) else found
    place = Place(game, guild, str(home.id) if home is not None else channel)
    if isinstance(home, discord.ForumChannel):
        place.trouble = NO_THREAD_YET
        return place
    if not (isinstance(home, discord.TextChannel) and home.permissions_for(home.guild.me).create_public_threads):
        await client.tables.places.check_free(place)
    if isinstance(home, discord.TextChannel):
        place.trouble = NO_THREAD_YET
    return place


async def with_thread(client: GameClient, game: int) -> Place | None:
    """Where a game is played, after its thread has been opened if that was still to be done; without the permission it is
    played in the channel itself.

    :raises PlaceUnavailable: there is no such channel any more, or another game is played in it.
    :raises discord.HTTPException: Discord does not take it now.
    :raises TimeoutError: it takes too long; a thread that has been opened all the same is found the next time.
    """
    lock = client.opening.setdefault(game, asyncio.Lock())
    async with asyncio.timeout(OPENING_SECONDS), lock:
        tables, lack = client.tables, ""
        place = await tables.places.place(game)
        if place is None or place.trouble != NO_THREAD_YET or client.is_elsewhere(place.guild):
            return place
        record = await tables.looking.record(game)
        place = msgspec.structs.replace(place, trouble=None)
        forum = forum_of(client, place.channel)
        channel = forum or await channel_of(client, place)
        title = tables.desk.title(record.title) if record is not None else None
        card = (await tables.outbox.posts(game)).get(CARD)
        if forum is not None and title is not None:
            place.thread = await _post_for(client, forum, title, await tables.desk.table(game))
            if card is None:
                await tables.outbox.set_post(
                    PostRecord(game, CARD, place.thread, place.thread, "", tables.desk.now(), 0)
                )
        elif isinstance(channel, discord.TextChannel) and title is not None and record is not None:
            on = int(card.message) if card and card.message and card.channel == place.channel else None
            try:
                place.thread = str(await thread_called(channel, name_of_thread(title, game), on))
            except discord.HTTPException as error:
                if verdict_on(error) in (FailureKind.DOWN, FailureKind.LATER) or error.code == UNKNOWN_CHANNEL:
                    raise
                log.info("no thread can be opened (%s)", brief(error), extra={"game": game})
                lack = NO_MORE_THREADS if error.code in (TOO_MANY_THREADS, TOO_MANY_MEMBERS) else NO_THREADS
        try:
            await tables.places.set_place(place)
        except PlaceTaken as taken:
            raise PlaceUnavailable(PLACE_TAKEN) from taken
        if lack and record is not None and isinstance(channel, discord.TextChannel):
            with speaking(record.language):
                await channel.send(say(lack))
        return place


async def _post_for(client: GameClient, forum: discord.ForumChannel, title: Title, table: GameSession) -> str:
    """The id of a game's post; it begins with what a lobby's message says.

    :raises discord.HTTPException: it cannot be opened.
    """
    game, status = table.record.id, table.record.status
    with speaking(table.record.language):
        words = lobby_text(table, title)
        view = lobby_view(game, title) if status == "lobby" else None
    post = await post_called(forum, name_of_thread(title, game), words, tags_of(forum, title, status), view)
    return str(post.id)


def name_of_thread(title: Title, game: int) -> str:
    """What the thread or the post of a game is called."""
    return f"{title.name} #{game}"


async def thread_called(channel: discord.TextChannel, name: str, on: int | None = None) -> int:
    """The id of my thread of that name: one that was opened before an interruption, or a new one, which hangs `on` a message
    as long as that is there.

    :raises discord.HTTPException: it cannot be opened.
    """
    for thread in channel.threads:
        if (thread.name == name or thread.id == on) and thread.owner_id == channel.guild.me.id:
            return thread.id
    if on is not None:
        try:
            message = channel.get_partial_message(on)
            return (await message.create_thread(name=name, auto_archive_duration=ARCHIVE_MINUTES)).id
        except discord.HTTPException as error:
            if error.code == HAS_A_THREAD:
                return on
            if error.code != UNKNOWN_MESSAGE:
                raise
    opened = await channel.create_thread(
        name=name, auto_archive_duration=ARCHIVE_MINUTES, type=discord.ChannelType.public_thread
    )
    return opened.id


async def spot_of(client: GameClient, place: Place) -> str:
    """Where a game that has just begun is played, in words, and what keeps it from being posted there. The outbox tries again."""
    try:
        place = await with_thread(client, place.game) or place
    except (PlaceUnavailable, discord.HTTPException, aiohttp.ClientError, OSError) as error:
        log.warning("the thread will be opened later (%s)", brief(error), extra={"game": place.game})
        if (code := getattr(error, "code", 0)) in TROUBLES:
            return say("<#{spot}>, but I cannot post it there: {trouble}", place.spot, said(TROUBLES[code]))
        if isinstance(error, discord.HTTPException) and verdict_on(error) is FailureKind.REFUSED:
            return say(
                "<#{spot}>, but Discord does not let me open a thread there ({reason})", place.spot, brief(error)
            )
        return say("<#{spot}>, as soon as Discord lets me open a thread there", place.spot)
    return f"<#{place.spot}>"


async def opened(client: GameClient, channel: str, act: Callable[[], Awaitable[object]]) -> None:
    """Do something to a message, in a thread that has been archived after that is undone.

    :raises discord.HTTPException: it cannot be done; with the code `ARCHIVED` where the thread is locked.
    """
    try:
        await act()
    except discord.HTTPException as error:
        if error.code != ARCHIVED:
            raise
        try:
            await client.http.edit_channel(int(channel), archived=False)
        except discord.HTTPException as refusal:
            raise (refusal if verdict_on(refusal) in (FailureKind.DOWN, FailureKind.LATER) else error) from None
        await act()


async def channel_of(client: GameClient, place: Place) -> discord.abc.Messageable:
    """The thread or channel of a game.

    :raises PlaceUnavailable: there is none to be had.
    :raises discord.HTTPException: Discord does not say.
    """
    if not place.guild:
        raise PlaceUnavailable(NO_PLACE)
    if client.get_guild(int(place.guild)) is None and not client.is_elsewhere(place.guild):
        raise PlaceUnavailable(UNKNOWN_SERVER)
    number = int(place.spot)
    found = client.get_channel(number)
    if found is None:
        try:
            found = await client.fetch_channel(number)
        except discord.HTTPException as error:
            if verdict_on(error) is not FailureKind.CLOSED:
                raise
            raise PlaceUnavailable(error.code) from error
    if not isinstance(found, discord.abc.Messageable):
        raise PlaceUnavailable(UNKNOWN_CHANNEL)
    return found


def trouble_text(game: GameRecord, place: Place, code: int) -> str:
    """What is wrong with the place of a game, and what it needs."""
    where = say(" in <#{spot}>", place.spot) if place.guild else ""
    return say(
        "Game {game} continues, but I cannot post it{where}: {trouble}. Nothing is lost meanwhile.",
        game.id,
        where,
        said(TROUBLES[code]),
    )


async def tell_person(client: GameClient, person: str, game: int, text: str) -> bool:
    """Tell somebody directly what a game needs; whether that was possible.

    :raises discord.HTTPException: Discord does not work now.
    :raises TimeoutError: it does not answer.
    """
    kind, _, number = person.partition(":")
    if kind != "discord" or not number.isdecimal():
        return False
    try:
        direct = await answered(partial(client.create_dm, discord.Object(int(number))))
        await answered(partial(direct.send, text, allowed_mentions=discord.AllowedMentions.none()))
    except discord.HTTPException as error:
        if verdict_on(error) in (FailureKind.DOWN, FailureKind.LATER):
            raise
        log.info("somebody could not be told (%s)", brief(error), extra={"game": game})
        return False
    return True
