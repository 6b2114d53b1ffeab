"""The place of a game in Discord, somebody's present rights there, and the consequences when it cannot be posted
there."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

import aiohttp
import discord
import msgspec

from bot.engine import NO_GAME, GameId, IllegalMove, PersonId, msg
from bot.engine.play import Title
from bot.i18n import tr, use_language
from bot.metrics import REFUSALS
from bot.service.game_service import GameSession
from bot.service.sessions import Actor, check_right, is_lesson
from bot.store import NO_THREAD_YET, GameRecord, GameStatus, Place, PlaceTaken, PostRecord

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
    await_answer,
    brief,
    failure_kind_of,
    raise_if_passing,
)
from .forums import ARCHIVE_MINUTES, find_or_create_post, forum_of, tags_of
from .lobbies import lobby_text, lobby_view
from .responses import Item, answer_failure, is_within_rate_limit, person_of, refusal_text, set_user_language

log = logging.getLogger(__name__)

DISCORD = "discord:"

THREAD_GONE = "the thread is gone"

NO_THREADS = "I may not open threads here; the game is played in this channel."
NO_MORE_THREADS = "This server has as many open threads as Discord allows; the game is played in this channel."

OPENING_SECONDS = 20.0
"""Longest time to open a thread, in seconds. Discord lets few be opened in a while, and the library waits for its
turn.
"""

CARD = "card"


class PlaceUnavailable(Exception):
    """A place where nothing can be posted; `code` is Discord's error code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


# -- who asks -----------------------------------------------------------------------------------------


async def current_game(interaction: Interaction) -> GameId:
    """The game meant in this channel; in direct messages, the person's own.

    :raises IllegalMove: there is none, or it could be several.
    """
    tables, person = interaction.client.tables, person_of(interaction.user)
    game = await tables.places.game_at(str(interaction.channel_id), person)
    if game is None and interaction.guild_id is None:
        game = await tables.queries.game_meant_by(person)
    if game is None:
        raise IllegalMove("No game is played in this channel. Open one with /game new, or go to a game's thread.")
    return game


async def asker_of(interaction: Interaction, game_id: GameId) -> Actor:
    """The user with their rights at the game's place. Discord sends their permissions with each request, for the
    channel of the request. Elsewhere only the records count; an opener in another server is looked up in Discord,
    since they may have left. A lobby belongs to its server.

    :raises discord.HTTPException: Discord does not say.
    """
    client = interaction.client
    place, record = await client.tables.places.place(game_id), await client.tables.queries.record(game_id)
    guild, channel = str(interaction.guild_id), str(interaction.channel_id)
    is_there = place is not None and place.guild == guild and channel in (place.thread, place.channel)
    is_lobby = place is not None and place.guild == guild and record is not None and record.status == GameStatus.LOBBY
    person = person_of(interaction.user)
    manages = is_there and interaction.permissions.manage_threads
    manages = manages and not await client.tables.desk.is_kept_out(game_id, person)
    is_gone = False
    if record is not None and record.moderator == person and place is not None and place.guild != guild:
        is_gone = (await asker_at_place(client, interaction.user, place)).is_gone
    home = guild if interaction.guild_id is not None else ""
    return Actor(person, interaction.user.display_name, is_there or is_lobby, manages, is_gone=is_gone, guild=home)


def asker_in_channel(interaction: Interaction) -> Actor:
    """The user with their rights in this channel: whether they may write there, and manage threads."""
    may = interaction.permissions
    writes = may.send_messages_in_threads if isinstance(interaction.channel, discord.Thread) else may.send_messages
    return Actor(person_of(interaction.user), interaction.user.display_name, writes, may.manage_threads)


async def asker_at_place(client: GameClient, user: discord.abc.User, place: Place | None) -> Actor:
    """A user with their rights at another place, looked up in Discord now. If the bot is not in that server any more,
    only the records count.

    :raises discord.HTTPException: Discord does not say.
    """
    asker = Actor(person_of(user), user.display_name)
    guild = await _guild_of(client, place) if place is not None and place.guild else None
    if place is None or guild is None:
        return asker
    try:
        member = await guild.fetch_member(user.id)
    except discord.HTTPException as error:
        if error.code not in (UNKNOWN_MEMBER, UNKNOWN_USER) and failure_kind_of(error) is not FailureKind.CLOSED:
            raise
        return Actor(asker.person, asker.name, is_gone=error.code in (UNKNOWN_MEMBER, UNKNOWN_USER))
    channel = guild.get_channel_or_thread(int(place.spot)) or guild.get_channel_or_thread(int(place.channel))
    if channel is None and client.is_elsewhere(place.guild):
        try:
            channel = await guild.fetch_channel(int(place.channel))
        except discord.HTTPException as error:
            if failure_kind_of(error) is not FailureKind.CLOSED:
                raise
    may = channel.permissions_for(member) if channel is not None else member.guild_permissions
    manages = may.manage_threads and not await client.tables.desk.is_kept_out(place.game, asker.person)
    return Actor(asker.person, asker.name, may.view_channel, manages)


async def _guild_of(client: GameClient, place: Place) -> discord.Guild | None:
    """A game's server; None where the bot is not there any more.

    :raises discord.HTTPException: Discord does not say.
    """
    found = client.get_guild(int(place.guild))
    if found is not None or not client.is_elsewhere(place.guild):
        return found
    try:
        return await client.fetch_guild(int(place.guild))
    except discord.HTTPException as error:
        if failure_kind_of(error) is not FailureKind.CLOSED:
            raise
        return None


def with_permission_check(item: type[Item]) -> type[Item]:
    """A kind of button or menu behind the rate limiter; if it names a game, only for users who may look at that
    game. An error is answered as that of a command: the library would only log it, and leave the user waiting.
    """

    async def interaction_check(self: Any, interaction: discord.Interaction[Any], /) -> bool:
        return await is_within_rate_limit(interaction) and await can_view(interaction, getattr(self, "game", NO_GAME))

    act = item.callback

    async def callback(self: Any, interaction: discord.Interaction[Any]) -> None:
        try:
            await act(self, interaction)
        except Exception as error:
            await answer_failure(interaction, error)

    item.interaction_check = interaction_check  # type: ignore[method-assign]
    item.callback = callback  # type: ignore[method-assign]
    return item


async def can_view(interaction: Interaction, game_id: GameId) -> bool:
    """Whether this user may look at a game; tells them the reason if not. A missing game is left to the act to
    report.
    """
    found = await interaction.client.tables.queries.record_and_seats(game_id)
    if found is None:
        return True
    try:
        check_right(*found, await asker_of(interaction, game_id), "look")
    except IllegalMove as refusal:
        REFUSALS.labels(type(refusal).__name__).inc()
        await set_user_language(interaction)
        await interaction.response.send_message(tr(refusal_text(refusal)), ephemeral=True)
        return False
    return True


# -- places -------------------------------------------------------------------------------------------


async def place_for_new(client: GameClient, guild: str, channel: str, game_id: GameId = NO_GAME) -> Place:
    """The place of a game that begins in this channel or thread: a thread of its own if the bot may open threads.

    :raises IllegalMove: I may not, and another game is played in the channel.
    """
    found = client.get_channel(int(channel))
    home = found.parent if isinstance(found, discord.Thread) else found
    place = Place(game_id, guild, str(home.id) if home is not None else channel)
    if isinstance(home, discord.ForumChannel):
        place.trouble = NO_THREAD_YET
        return place
    if not (isinstance(home, discord.TextChannel) and home.permissions_for(home.guild.me).create_public_threads):
        await client.tables.places.check_free(place)
    if isinstance(home, discord.TextChannel):
        place.trouble = NO_THREAD_YET
    return place


async def ensure_thread(client: GameClient, game_id: GameId) -> Place | None:
    """The place of a game, after opening its thread if that was still to be done; without the permission it is
    played in the channel itself.

    :raises PlaceUnavailable: there is no such channel any more, or another game is played in it.
    :raises discord.HTTPException: Discord does not take it now.
    :raises TimeoutError: it takes too long; a thread that has been opened all the same is found the next time.
    """
    lock = client.opening.setdefault(game_id, asyncio.Lock())
    async with asyncio.timeout(OPENING_SECONDS), lock:
        place = await client.tables.places.place(game_id)
        if place is None or place.trouble != NO_THREAD_YET or client.is_elsewhere(place.guild):
            return place
        return await _open_place(client, msgspec.structs.replace(place, trouble=None))


async def _open_place(client: GameClient, place: Place) -> Place:
    """Open and save the thread of a game, or tell the channel why there is none."""
    tables, game_id, lack = client.tables, place.game, ""
    record = await tables.queries.record(game_id)
    forum = forum_of(client, place.channel)
    channel = forum or await channel_of(client, place)
    if record is not None:
        title, card = tables.desk.title(record.title), (await tables.outbox.posts(game_id)).get(CARD)
        if forum is not None:
            place.thread = await _post_for(client, forum, title, await tables.desk.table(game_id))
            if card is None:
                card = PostRecord(game_id, CARD, place.thread, place.thread, "", tables.desk.now(), 0)
                await tables.outbox.set_post(card)
        elif isinstance(channel, discord.TextChannel):
            seats = (await tables.desk.table(game_id)).seats
            people = [held.person for held in seats if held.person.startswith(DISCORD)] if is_lesson(seats) else []
            guests = [int(person.removeprefix(DISCORD)) for person in people]
            lack = await _open_thread(channel, place, name_of_thread(title, game_id), card, bool(guests))
            await invite(client, place, guests)
    try:
        await tables.places.set_place(place)
    except PlaceTaken as taken:
        raise PlaceUnavailable(PLACE_TAKEN) from taken
    if lack and record is not None and isinstance(channel, discord.TextChannel):
        with use_language(record.language):
            await channel.send(tr(lack))
    return place


async def invite(client: GameClient, place: Place, guests: Sequence[int]) -> None:
    """Let these users see a game's thread. A failure is only logged: the mention in a question lets them see it too."""
    for guest in guests if place.thread else ():
        try:
            await client.http.add_user_to_thread(int(str(place.thread)), guest)
        except discord.HTTPException as error:
            log.info("nobody can be added to the thread (%s)", brief(error), extra={"game": place.game})


async def _open_thread(
    channel: discord.TextChannel, place: Place, name: str, card: PostRecord | None, is_private: bool
) -> str:
    """Open a game's thread, at its lobby's message `card` if that is in the channel; returns why there is none. It is
    private only if the bot may open private threads."""
    on = int(card.message) if card and card.message and card.channel == place.channel else None
    try:
        place.thread = str(await find_or_create_thread(channel, name, on, is_private))
    except discord.HTTPException as error:
        if failure_kind_of(error) in (FailureKind.DOWN, FailureKind.LATER) or error.code == UNKNOWN_CHANNEL:
            raise
        log.info("no thread can be opened (%s)", brief(error), extra={"game": place.game})
        return NO_MORE_THREADS if error.code in (TOO_MANY_THREADS, TOO_MANY_MEMBERS) else NO_THREADS
    return ""


async def _post_for(client: GameClient, forum: discord.ForumChannel, title: Title, table: GameSession) -> str:
    """The id of a game's post; it begins with the text of a lobby's message.

    :raises discord.HTTPException: it cannot be opened.
    """
    game, status = table.record.id, table.record.status
    with use_language(table.record.language):
        words = lobby_text(table, title)
        view = lobby_view(game, title) if status == GameStatus.LOBBY else None
    post = await find_or_create_post(forum, name_of_thread(title, game), words, tags_of(forum, title, status), view)
    return str(post.id)


def name_of_thread(title: Title, game_id: GameId) -> str:
    return f"{title.name} #{game_id}"


async def find_or_create_thread(
    channel: discord.TextChannel, name: str, on: int | None = None, is_private: bool = False
) -> int:
    """The id of the bot's thread with that name: the thread opened before an interruption, or a new thread, attached
    to the message `on` while that exists.

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
    is_private = is_private and channel.permissions_for(channel.guild.me).create_private_threads
    kind = discord.ChannelType.private_thread if is_private else discord.ChannelType.public_thread
    opened = await channel.create_thread(name=name, auto_archive_duration=ARCHIVE_MINUTES, type=kind)
    return opened.id


async def describe_place(client: GameClient, place: Place) -> str:
    """The place of a game that has just begun, in words, and what prevents posting there. The outbox tries again."""
    try:
        place = await ensure_thread(client, place.game) or place
    except (PlaceUnavailable, discord.HTTPException, aiohttp.ClientError, OSError) as error:
        log.warning("the thread will be opened later (%s)", brief(error), extra={"game": place.game})
        if (code := getattr(error, "code", 0)) in TROUBLES:
            return tr("<#{spot}>, but I cannot post it there: {trouble}", place.spot, msg(TROUBLES[code]))
        if isinstance(error, discord.HTTPException) and failure_kind_of(error) is FailureKind.REFUSED:
            return tr("<#{spot}>, but Discord does not let me open a thread there ({reason})", place.spot, brief(error))
        return tr("<#{spot}>, as soon as Discord lets me open a thread there", place.spot)
    return f"<#{place.spot}>"


async def with_unarchived_thread(client: GameClient, channel: str, act: Callable[[], Awaitable[object]]) -> None:
    """Do something to a message; if its thread has been archived, unarchive it first.

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
            raise (refusal if failure_kind_of(refusal) in (FailureKind.DOWN, FailureKind.LATER) else error) from None
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
            if failure_kind_of(error) is not FailureKind.CLOSED:
                raise
            raise PlaceUnavailable(error.code) from error
    if not isinstance(found, discord.abc.Messageable):
        raise PlaceUnavailable(UNKNOWN_CHANNEL)
    return found


def trouble_text(record: GameRecord, place: Place, code: int) -> str:
    where = tr(" in <#{spot}>", place.spot) if place.guild else ""
    return tr(
        "Game {game} continues, but I cannot post it{where}: {trouble}. Nothing is lost meanwhile.",
        record.id,
        where,
        msg(TROUBLES[code]),
    )


async def tell_person(client: GameClient, person: PersonId, game_id: GameId, text: str) -> bool:
    """Tell somebody directly what a game needs; whether that was possible.

    :raises discord.HTTPException: Discord does not work now.
    :raises TimeoutError: it does not answer.
    """
    kind, _, number = person.partition(":")
    if kind != "discord" or not number.isdecimal():
        return False
    try:
        direct = await await_answer(partial(client.create_dm, discord.Object(int(number))))
        await await_answer(partial(direct.send, text, allowed_mentions=discord.AllowedMentions.none()))
    except discord.HTTPException as error:
        raise_if_passing(error)
        log.info("a message to somebody failed (%s)", brief(error), extra={"game": game_id})
        return False
    return True
