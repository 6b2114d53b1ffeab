"""What Discord knows, as plain data: users, guilds, channels, threads, messages, registered commands."""

from __future__ import annotations

import mimetypes
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

Json = dict[str, Any]

DISCORD_EPOCH_MS = 1420070400000
"""Snowflakes count milliseconds from the first second of 2015."""

TEXT, DM, PUBLIC_THREAD, PRIVATE_THREAD, FORUM = 0, 1, 11, 12, 15
THREADS = (PUBLIC_THREAD, PRIVATE_THREAD)

DEFAULT, THREAD_CREATED, REPLY, CHAT_INPUT_COMMAND = 0, 18, 19, 20
"""Message types that the emulator makes."""

EPHEMERAL, LOADING, COMPONENTS_V2, HAS_THREAD = 1 << 6, 1 << 7, 1 << 15, 1 << 5
"""Message flags."""

PERMISSIONS = {
    "manage_guild": 1 << 5,
    "add_reactions": 1 << 6,
    "view_channel": 1 << 10,
    "send_messages": 1 << 11,
    "manage_messages": 1 << 13,
    "embed_links": 1 << 14,
    "attach_files": 1 << 15,
    "read_message_history": 1 << 16,
    "use_application_commands": 1 << 31,
    "manage_threads": 1 << 34,
    "create_public_threads": 1 << 35,
    "create_private_threads": 1 << 36,
    "send_messages_in_threads": 1 << 38,
}
"""The permissions that the emulator checks, by discord.py's names."""

ADMINISTRATOR = 1 << 3
ALL_PERMISSIONS = sum(PERMISSIONS.values())
MEMBERS = ALL_PERMISSIONS & ~sum(PERMISSIONS[name] for name in ("manage_guild", "manage_threads", "manage_messages"))
"""What people may do who have no role."""

BUTTON, TEXT_INPUT, SELECTS = 2, 4, (3, 5, 6, 7, 8)


OLD = timedelta(hours=1)
"""Edits of messages of that age have a limit of their own."""


class Snowflakes:
    """Ids that rise with the time of their making, as Discord's do."""

    def __init__(self) -> None:
        self._last = 0

    def __call__(self) -> int:
        """The next id."""
        self._last = max(self._last + 1, (int(time.time() * 1000) - DISCORD_EPOCH_MS) << 22)
        return self._last

    def of_shard(self, shard: int, count: int) -> int:
        """The next id of a server of that shard."""
        key = self() >> 22
        if key % count != shard:
            self._last = (key + (shard - key) % count) << 22
        return self._last


def now() -> str:
    """The present as Discord writes it."""
    return datetime.now(UTC).isoformat()


def walk_components(components: list[Json]) -> Iterator[Json]:
    """Every component of a message or a modal, from the outside in."""
    for component in components:
        yield component
        yield from walk_components(component.get("components") or [])
        for part in ("accessory", "component"):
            if isinstance(component.get(part), dict):
                yield from walk_components([component[part]])


def references(value: Any) -> Iterator[str]:
    """The names of the files that embeds or components show."""
    if isinstance(value, str) and value.startswith("attachment://"):
        yield value.removeprefix("attachment://")
    elif isinstance(value, dict):
        for part in value.values():
            yield from references(part)
    elif isinstance(value, list):
        for part in value:
            yield from references(part)


def number_components(components: list[Json]) -> list[Json]:
    """Give every component the id that Discord fills in where the bot gave none."""
    taken = {component["id"] for component in walk_components(components) if component.get("id")}
    fresh = (number for number in range(1, 10_000) if number not in taken)
    for component in walk_components(components):
        if not component.get("id"):
            component["id"] = next(fresh)
    return components


@dataclass
class User:
    """An account. `takes_dms` False refuses direct messages with 50007; `locale` is the language of the user's client."""

    id: int
    name: str
    bot: bool = False
    takes_dms: bool = True
    locale: str = "en-US"


@dataclass
class Attachment:
    """A file of a message; `alt` is its description for screen readers."""

    id: int
    filename: str
    content_type: str
    data: bytes
    alt: str | None = None


@dataclass(frozen=True)
class Button:
    """A button as a user sees it."""

    label: str
    custom_id: str | None
    disabled: bool
    style: int
    url: str | None


@dataclass
class PostedMessage:
    """A message as it now stands; edits change it in place."""

    id: int
    channel: Channel
    author: User
    content: str = ""
    type: int = DEFAULT
    timestamp: str = field(default_factory=now)
    edited: str | None = None
    embeds: list[Json] = field(default_factory=list)
    components: list[Json] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    flags: int = 0
    mentions: list[User] = field(default_factory=list)
    reply_to: PostedMessage | None = None
    nonce: str | int | None = None
    is_nonce_forgotten: bool = False
    interaction: Json | None = None
    reactions: dict[str, list[int]] = field(default_factory=dict)
    pinned: bool = False
    deleted: bool = False
    pings_everyone: bool = False
    seen_only_by: User | None = None
    edits: int = 0

    @property
    def ephemeral(self) -> bool:
        """Whether only one user sees it."""
        return bool(self.flags & EPHEMERAL)

    @property
    def loading(self) -> bool:
        """Whether it still says that the bot is thinking."""
        return bool(self.flags & LOADING)

    @property
    def text(self) -> str:
        """Its content, then the texts of its components and embeds."""
        parts = [self.content]
        parts += [part["content"] for part in walk_components(self.components) if part["type"] == 10]
        parts += [embed.get(key, "") for embed in self.embeds for key in ("title", "description")]
        return "\n".join(part for part in parts if part)

    @property
    def buttons(self) -> list[Button]:
        """Its buttons in reading order."""
        return [
            Button(
                part.get("label") or (part.get("emoji") or {}).get("name") or "",
                part.get("custom_id"),
                bool(part.get("disabled")),
                part["style"],
                part.get("url"),
            )
            for part in walk_components(self.components)
            if part["type"] == BUTTON
        ]

    @property
    def is_old(self) -> bool:
        """Whether edits of it are few: it is older than an hour."""
        return datetime.now(UTC) - datetime.fromisoformat(self.timestamp) > OLD

    def mentions_user(self, user: User) -> bool:
        """Whether it pings a user."""
        return user in self.mentions

    def is_seen_by(self, user: User) -> bool:
        """Whether a user's client shows it."""
        if self.deleted or (self.seen_only_by is not None and self.seen_only_by is not user):
            return False
        return self.channel.is_open_to(user)


@dataclass
class Channel:
    """A text channel, a forum, a thread or a conversation of two.

    A forum has `tags`, by their ids, and may demand one of every post (`needs_tag`); a post in it has some of them `applied`.
    """

    id: int
    type: int
    name: str = ""
    guild: Guild | None = None
    parent: Channel | None = None
    recipients: list[User] = field(default_factory=list)
    denied: dict[int, int] = field(default_factory=dict)
    owner: User | None = None
    archived: bool = False
    locked: bool = False
    auto_archive: int = 1440
    members: dict[int, str] = field(default_factory=dict)
    history: dict[int, PostedMessage] = field(default_factory=dict)
    tags: dict[int, str] = field(default_factory=dict)
    needs_tag: bool = False
    applied: list[int] = field(default_factory=list)

    @property
    def tag_names(self) -> list[str]:
        """What the tags of a post are called."""
        return [self.parent.tags[number] for number in self.applied] if self.parent else []

    @property
    def is_thread(self) -> bool:
        """Whether it is a thread."""
        return self.type in THREADS

    @property
    def messages(self) -> list[PostedMessage]:
        """What stands in it, oldest first, without what only one user sees."""
        return [each for each in self.history.values() if not each.deleted and not each.ephemeral]

    def denied_to(self, user: User) -> int:
        """What somebody may not do here, nor in its threads; those who own or administer the server may do everything."""
        place = self.parent if self.is_thread and self.parent is not None else self
        is_admin = self.guild is not None and user.id in self.guild.admins
        return 0 if is_admin else place.denied.get(user.id, 0)

    def is_open_to(self, user: User) -> bool:
        """Whether a user can read it."""
        if self.type == DM:
            return user in self.recipients
        if self.denied_to(user) & PERMISSIONS["view_channel"]:
            return False
        if self.type == PRIVATE_THREAD:
            return user.id in self.members
        return self.guild is not None and user.id in self.guild.members


@dataclass
class Guild:
    """A server; `members` holds the time of joining by user id, `admins` the ids with every permission, `moderators` those
    with the role that manages threads. `most_threads` may be open at a time, with `most_participants` each."""

    id: int
    name: str
    bot_role: int
    owner: User
    members: dict[int, str] = field(default_factory=dict)
    admins: set[int] = field(default_factory=set)
    moderators: set[int] = field(default_factory=set)
    locale: str = "en-US"
    most_threads: int = 1000
    most_participants: int = 1000

    @property
    def moderator_role(self) -> int:
        """The id of the role that manages threads."""
        return self.bot_role + 1


class World:
    """Everything there is, and the only place where it is made."""

    def __init__(self) -> None:
        self.new_id = Snowflakes()
        self.users: dict[int, User] = {}
        self.guilds: dict[int, Guild] = {}
        self.channels: dict[int, Channel] = {}
        self.commands: dict[int | None, list[Json]] = {None: []}
        self.commands_created = 0
        self.files: dict[int, Attachment] = {}
        self.bot = self.add_user("Signalbox", bot=True)
        self.application_id = self.bot.id

    def add_user(self, name: str, bot: bool = False) -> User:
        """A new account."""
        user = User(self.new_id(), name, bot)
        self.users[user.id] = user
        return user

    def add_guild(self, name: str, owner: User, shard: tuple[int, int] = (0, 1)) -> Guild:
        """A new server with its owner and the bot in it, of that shard of so many."""
        guild = Guild(self.new_id.of_shard(*shard), name, self.new_id(), owner)
        self.new_id()  # the role beside the bot's
        self.guilds[guild.id] = guild
        for user in (owner, self.bot):
            guild.members[user.id] = now()
        guild.admins.add(owner.id)
        return guild

    def add_channel(self, guild: Guild, name: str) -> Channel:
        """A new text channel."""
        channel = Channel(self.new_id(), TEXT, name, guild)
        self.channels[channel.id] = channel
        return channel

    def add_forum(self, guild: Guild, name: str, tags: Sequence[str], needs_tag: bool = False) -> Channel:
        """A new forum with these tags."""
        forum = Channel(self.new_id(), FORUM, name, guild, needs_tag=needs_tag)
        forum.tags = {self.new_id(): tag for tag in tags}
        self.channels[forum.id] = forum
        return forum

    def add_thread(self, parent: Channel, name: str, owner: User, kind: int, number: int | None = None) -> Channel:
        """A new thread; one that hangs on a message has the message's id."""
        thread = Channel(number or self.new_id(), kind, name, parent.guild, parent, owner=owner)
        thread.members[owner.id] = now()
        self.channels[thread.id] = thread
        return thread

    def dm_with(self, user: User) -> Channel:
        """The bot's conversation with a user, made when there is none yet."""
        for channel in self.channels.values():
            if channel.type == DM and user in channel.recipients:
                return channel
        channel = Channel(self.new_id(), DM, recipients=[user, self.bot])
        self.channels[channel.id] = channel
        return channel

    def add_file(self, name: str, data: bytes, alt: str | None = None) -> Attachment:
        """A file that the CDN serves from now on."""
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        attachment = Attachment(self.new_id(), name, kind, data, alt)
        self.files[attachment.id] = attachment
        return attachment

    def message(self, number: int) -> PostedMessage | None:
        """A message by its id, deleted or not."""
        return next((channel.history[number] for channel in self.channels.values() if number in channel.history), None)

    def bot_permissions(self, channel: Channel) -> int:
        """What the bot may do in a channel: everything but what was denied there or on its parent."""
        if channel.guild is not None and self.bot.id not in channel.guild.members:
            return 0
        return ALL_PERMISSIONS & ~channel.denied_to(self.bot)

    def open_threads(self, guild: Guild) -> int:
        """How many threads of a server are open."""
        return sum(each.is_thread and each.guild is guild and not each.archived for each in self.channels.values())
