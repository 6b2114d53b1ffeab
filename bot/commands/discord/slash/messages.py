"""Messages of players: moves that are written, heard as they come or read afterwards where the bot was away. None is obeyed twice."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from weakref import WeakValueDictionary

import aiohttp
import discord

from bot.commands.discord.interactions import (
    UNDELIVERABLE,
    FailureKind,
    GameClient,
    PlaceUnavailable,
    await_answer,
    brief,
    channel_of,
    failure_kind_of,
    person_of,
    raise_if_passing,
    refusal_text,
)
from bot.engine import GameId, IllegalMove, Rejected
from bot.engine.notation.text import BY_WORD
from bot.engine.play.game import Game
from bot.i18n import set_reader_language, tr, use_language
from bot.metrics import REFUSALS
from bot.ops.rate_limit import RateLimited
from bot.service.parser.moves import begins_move, verb_meant
from bot.service.parser.vocabulary import ALIASES
from bot.service.sessions.answer_moment import answered_at
from bot.service.sessions.at_work import at_work
from bot.store import HEARD, PostRecord, StoreError, make_folder, write_file

from .request import INTRODUCTION

log = logging.getLogger(__name__)

DONE, REFUSED = "✅", "⚠️"
"""Reactions to a written move, where the bot may add them."""

REACTING = 5.0
"""Longest time for a reaction, in seconds."""

WRITTEN = {discord.MessageType.default, discord.MessageType.reply}
"""Kinds of messages that people write; others have their names, and what else Discord tells."""

LOOKED_THROUGH = 300
"""Maximum number of messages of a channel that are searched for moves written while the bot was away."""

AT_ONCE = 8
"""Maximum number of channels that are read at the same time."""

REMEMBERED = 10_000

DEAF = timedelta(minutes=5)
"""Longest time without events before the bot notices that its connection is dead."""

NOTICED = timedelta(seconds=30)
"""Shorter absences are not announced."""

LAST_SEEN = "last-seen"
"""The file in the data folder that says when the bot was last connected."""

UNREAD = "Discord does not work in that game's place at the moment. Please write your move again in a minute."

AWAY = "I have been away since {when} and cannot read what was written here meanwhile. If you wrote a move, please write it again."


class Messages:
    """Makes the moves that players write."""

    def __init__(self, client: GameClient) -> None:
        self.client = client
        self._locks = WeakValueDictionary[tuple[str, int], asyncio.Lock]()
        self._read: set[int] = set()
        self._heard: dict[int, None] = {}
        self._away_since: datetime | None = None

    def begin(self, away_since: datetime | None) -> None:
        """Note that a session has begun, which knows nothing of earlier messages. The bot was last connected at
        `away_since`.
        """
        self._read.clear()
        self._away_since = away_since

    async def hear(self, message: discord.Message) -> None:
        """Handle a message in a game's channel: a move if it mentions or answers the bot, or looks like a move; and a direct
        message, which is about its author's own game.
        """
        text = self._text_for_bot(message)
        if not text:
            return
        with self.client.doorman.track():
            try:
                number = await self._game_of(message)
                if number is None and _is_private(message):
                    await tell_privately(message, INTRODUCTION)
            except Rejected as refusal:
                await self._refuse(message, refusal)
            except StoreError as error:
                await self._fail(message, error)
            else:
                # Earlier texts come first; until they can be read, this text waits to be read later.
                if number is not None and await self.read_missed(number):
                    await self._make_move(number, message, text)
                elif number is not None and _is_private(message):
                    # Direct messages are not read later.
                    await self._refuse(message, IllegalMove(UNREAD))

    async def read_all_missed(self) -> bool:
        """Read the messages of all games from the time the bot was away; returns whether that has been done."""
        some = asyncio.Semaphore(AT_ONCE)

        async def read(game_id: GameId) -> bool:
            async with some:
                return await self.read_missed(game_id)

        places = await self.client.tables.places.places_under_way()
        here = [place.game for place in places if place.guild and not self.client.is_elsewhere(place.guild)]
        return all(await asyncio.gather(*map(read, here)))

    async def read_missed(self, game_id: GameId) -> bool:
        """Read the messages of a game since the last session, once a session; returns whether that has been done."""
        async with self._lock("read", game_id):
            if game_id not in self._read:
                try:
                    if not await self._read_missed(game_id):
                        return False
                except (Rejected, PlaceUnavailable) as error:
                    log.info("nothing can be read there: %s", error, extra={"game": game_id})
                except (discord.HTTPException, aiohttp.ClientError, OSError, StoreError) as error:
                    is_over = not isinstance(error, StoreError) and failure_kind_of(error) in (
                        FailureKind.CLOSED,
                        FailureKind.REFUSED,
                    )
                    log.info("what was written is not read (%s)", brief(error), extra={"game": game_id})
                    if not is_over:
                        return False
                except Exception:
                    # It will not be better soon, and others are to be read and reminded.
                    log.exception("what was written cannot be read", extra={"game": game_id})
                self._read.add(game_id)
        return True

    async def _read_missed(self, game_id: GameId) -> bool:
        """Make the moves written by the players asked, since they were asked and since the last handled message.
        False where Discord has not reported the game's server yet.

        :raises PlaceUnavailable: the game has no place.
        """
        tables = self.client.tables
        place, people = await tables.places.place(game_id), await tables.queries.asked_people(game_id)
        asked = {person: moment for person, moment in people.items() if person.startswith("discord:")}
        if place is None or not place.guild or not asked:
            return True
        guild = self.client.get_guild(int(place.guild))
        if guild is not None and guild.unavailable:
            return False
        rows = await tables.outbox.posts(game_id)
        heard = int(rows[HEARD].message or 0) if HEARD in rows else 0
        since = {person: max(heard, discord.utils.time_snowflake(moment)) for person, moment in asked.items()}
        channel = await await_answer(partial(channel_of, self.client, place))
        last = getattr(channel, "last_message_id", None)
        if last is not None and (last <= min(since.values()) or (self._is_before(last) and is_own(last, rows))):
            return True
        for message in await self._messages_since(game_id, channel, min(since.values())):
            person = person_of(message.author)
            text = self._text_for_bot(message)
            if text and message.id > since.get(person, message.id) and await self._game_of(message) == game_id:
                log.info("a move was written while the bot was away", extra={"game": game_id})
                await self._make_move(game_id, message, text, is_late=True)
        return True

    async def _messages_since(
        self, game_id: GameId, channel: discord.abc.Messageable, since: int
    ) -> list[discord.Message]:
        """The messages in a game's channel; where Discord refuses them, none, and the channel hears of the absence."""
        if _has_permission(channel, "read_message_history"):
            try:
                return await await_answer(partial(_messages_of, channel, since))
            except discord.HTTPException as error:
                raise_if_passing(error)
        await self._announce_absence(game_id, channel)
        return []

    def _is_before(self, message: int) -> bool:
        """Whether a message was certainly written before the bot was away."""
        return self._away_since is not None and message < discord.utils.time_snowflake(self._away_since - DEAF)

    async def _announce_absence(self, game_id: GameId, channel: discord.abc.Messageable) -> None:
        """Say that the bot was away, where it cannot read what it missed."""
        record = await self.client.tables.queries.record(game_id)
        if record is None or self._away_since is None or self.client.tables.desk.clock() - self._away_since < NOTICED:
            return
        with use_language(record.language):
            text = tr(AWAY, discord.utils.format_dt(self._away_since, "R"))
        await await_answer(partial(channel.send, text, allowed_mentions=discord.AllowedMentions.none()))

    def _text_for_bot(self, message: discord.Message) -> str:
        """The part of a message meant for the bot; empty where it is for others."""
        user = self.client.user
        is_persons = message.type in WRITTEN and not message.author.bot and message.webhook_id is None
        if not is_persons or not message.content or user is None:
            return ""
        text = message.content.replace(f"<@{user.id}>", " ").replace(f"<@!{user.id}>", " ").strip()
        return text if _is_private(message) or self._is_mention(message) or looks_like_move(text) else ""

    def _is_mention(self, message: discord.Message) -> bool:
        user = self.client.user
        return user is not None and user.mentioned_in(message) and not message.mention_everyone

    async def _game_of(self, message: discord.Message) -> GameId | None:
        """The game that a written move is meant for; without a mention of the bot, on a server only in the game's own thread.

        :raises IllegalMove: several games could be meant.
        :raises RateLimited: they write too many direct messages.
        """
        places, spot, person = self.client.tables.places, str(message.channel.id), person_of(message.author)
        if _is_private(message):
            set_reader_language(await self.client.tables.languages.chosen_language(person))
            self.client.doorman.acquire(person)
            async with at_work(person):
                return await self.client.tables.queries.game_meant_by(person)
        if self._is_mention(message):
            return await places.game_at(spot, person)
        return await places.game_in_thread(spot)

    async def _make_move(self, game_id: GameId, message: discord.Message, text: str, is_late: bool = False) -> None:
        """Make a written move, unless this message has been handled before: that is saved with the move. For
        messages read afterwards, nothing older than the last handled message is obeyed.
        """
        tables, person = self.client.tables, person_of(message.author)
        async with self._lock("obey", game_id):
            try:
                row = (await tables.outbox.posts(game_id)).get(HEARD)
                last = int(row.message or 0) if row is not None else 0
                if message.id in self._heard or (is_late and last >= message.id):
                    return
                newest = str(max(last, message.id))
                # The channel of a direct message names its author for good.
                channel = "" if _is_private(message) else str(message.channel.id)
                heard = PostRecord(game_id, HEARD, newest, channel, "", tables.desk.now(), 0)
                if not is_late and not _is_private(message):
                    self.client.doorman.acquire(person)
                set_reader_language(await tables.languages.chosen_language(person))
                _, game = await tables.desk.require_started(game_id)
                if is_chat(game, text):
                    if not is_late:
                        await tell_privately(message, INTRODUCTION)
                    return
                with answered_at(message.created_at):
                    await tables.moves.submit(game_id, person, text, cause=heard)
            except Rejected as refusal:
                self._remember(message)
                await tables.outbox.set_post(heard)
                await self._refuse(message, refusal)
            except StoreError as error:
                await self._fail(message, error)
            else:
                self._remember(message)
                await _react(message, DONE)

    def _remember(self, message: discord.Message) -> None:
        """Remember a handled message; Discord may send it once more."""
        self._heard[message.id] = None
        while len(self._heard) > REMEMBERED:
            self._heard.pop(next(iter(self._heard)))

    async def _fail(self, message: discord.Message, error: StoreError) -> None:
        log.warning("not done: %s", error)
        await _react(message, REFUSED)
        await tell_privately(message, tr(error.said))

    async def _refuse(self, message: discord.Message, refusal: Rejected) -> None:
        REFUSALS.labels(type(refusal).__name__).inc()
        if isinstance(refusal, RateLimited) and refusal.is_repeated:
            # They know; an answer to each message of a flood would be a flood of the bot's.
            return
        await _react(message, REFUSED)
        await tell_privately(message, refusal_text(refusal))

    def _lock(self, what: str, number: int) -> asyncio.Lock:
        return self._locks.setdefault((what, number), asyncio.Lock())


def note_presence(data: Path, moment: datetime) -> None:
    """Save when the bot was last connected; where that is not possible, it is not known later."""
    try:
        make_folder(data)
        write_file(data / LAST_SEEN, moment.isoformat().encode())
    except OSError as error:
        log.warning("it cannot be kept when the bot was connected last: %s", error)


def last_presence(data: Path) -> datetime | None:
    try:
        return datetime.fromisoformat((data / LAST_SEEN).read_text())
    except (OSError, ValueError):
        return None


async def _messages_of(channel: discord.abc.Messageable, after: int) -> list[discord.Message]:
    """The first messages of a channel after that message, oldest first."""
    return [one async for one in channel.history(limit=LOOKED_THROUGH, after=discord.Object(after), oldest_first=True)]


def _is_private(message: discord.Message) -> bool:
    """Whether only its author and the bot read it."""
    return isinstance(message.channel, discord.DMChannel)


def is_own(message: int, rows: Mapping[str, PostRecord]) -> bool:
    """Whether a message is in one of the slots of a game."""
    return str(message) in {row.message for row in rows.values()}


def _has_permission(channel: object, permission: str) -> bool:
    """Whether the bot has a permission in a channel, as far as it knows."""
    guild = getattr(channel, "guild", None)
    if guild is None or not isinstance(channel, discord.abc.GuildChannel | discord.Thread):
        return True
    if guild.me is None or (isinstance(channel, discord.Thread) and channel.parent is None):
        # Discord has not told of the server yet.
        return False
    return bool(getattr(channel.permissions_for(guild.me), permission))


async def _react(message: discord.Message, emoji: str) -> None:
    if not (
        _has_permission(message.channel, "add_reactions") and _has_permission(message.channel, "read_message_history")
    ):
        return
    try:
        async with asyncio.timeout(REACTING):
            await message.add_reaction(emoji)
    except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
        log.info("no reaction can be added (%s)", brief(error))


def is_chat(game: Game, text: str) -> bool:
    """Whether a message that mentions the bot is neither a move nor a mistyped move."""
    first = next(iter(text.replace(":", " ").split()), "")
    return not begins_move(game, first) and not verb_meant(game, first)


def looks_like_move(text: str) -> bool:
    """Whether a message begins like a move: chat in the thread is ignored."""
    words = text.lower().replace(":", " ").split()
    verbs = {*BY_WORD, *ALIASES} - {"no", "yes", "keep", "hold", "start", "done", "auto", "place"}
    return bool(words) and (words[0] in verbs or (len(words) > 1 and words[1] in verbs and len(words[0]) <= 4))


async def tell_privately(message: discord.Message, text: str) -> None:
    """Tell only the author; in the channel where direct messages are closed."""
    quietly = discord.AllowedMentions.none()
    try:
        try:
            await message.author.send(tr(text), allowed_mentions=quietly)
        except discord.HTTPException as error:
            if failure_kind_of(error) is not FailureKind.REFUSED:
                raise
            is_closed = error.code in UNDELIVERABLE
            log.info("direct message refused (%s), answering in the channel", "closed" if is_closed else brief(error))
            await message.reply(tr(text), mention_author=False, delete_after=60, allowed_mentions=quietly)
    except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
        log.warning("nobody hears why a written move was not made (%s)", brief(error))
