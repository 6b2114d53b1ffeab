"""Routes about channels, threads, messages, pins and reactions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import unquote

from tests.discord_double.calls import Call
from tests.discord_double.errors import ApiError, invalid
from tests.discord_double.limits import check_message, check_tags, check_thread
from tests.discord_double.model import (
    DM,
    FORUM,
    HAS_THREAD,
    PERMISSIONS,
    PRIVATE_THREAD,
    PUBLIC_THREAD,
    THREAD_CREATED,
    Channel,
    Json,
    now,
)
from tests.discord_double.routes import NO_CONTENT, Answer, channel_of, message_of, require, route

if TYPE_CHECKING:
    from tests.discord_double.server import Emulator

PINS = 250
PINNED = 6
"""The type of the message that tells of a pin."""


@route("GET", "/channels/{channel}")
def get_channel(emulator: Emulator, call: Call) -> Answer:
    """A channel."""
    return 200, emulator.payloads.channel(channel_of(emulator, call))


@route("PATCH", "/channels/{channel}")
def edit_channel(emulator: Emulator, call: Call) -> Answer:
    """A thread's name, archive or lock; other channels are not the bot's to change."""
    thread = channel_of(emulator, call)
    if not thread.is_thread:
        raise ApiError(403, 50013, ["manage_channels"])
    if thread.owner is not emulator.world.bot or "locked" in call.form:
        require(emulator, thread, "manage_threads")
    check_thread(call.form)
    if thread.archived and call.form.get("archived", True):
        raise ApiError(400, 50083)
    if thread.locked:
        require(emulator, thread, "manage_threads")
    if "applied_tags" in call.form:
        if thread.parent is None or thread.parent.type != FORUM:
            raise invalid(["applied_tags of a thread that is no post"], "limits")
        thread.applied = check_tags(thread.parent, call.form["applied_tags"])
    if thread.archived and not call.form.get("archived", True):
        _check_room(emulator, thread)
    thread.name = call.form.get("name", thread.name)
    thread.archived = call.form.get("archived", thread.archived)
    thread.locked = call.form.get("locked", thread.locked)
    thread.auto_archive = call.form.get("auto_archive_duration", thread.auto_archive)
    emulator.gateway.dispatch("THREAD_UPDATE", emulator.payloads.channel(thread), 1)
    emulator.pulse.beat()
    return 200, emulator.payloads.channel(thread)


@route("DELETE", "/channels/{channel}")
def delete_thread(emulator: Emulator, call: Call) -> Answer:
    """Remove a thread; other channels are not the bot's to remove."""
    thread = channel_of(emulator, call)
    if not thread.is_thread:
        raise ApiError(403, 50013, ["manage_channels"])
    require(emulator, thread, "manage_threads")
    del emulator.world.channels[thread.id]
    emulator.gateway.dispatch("THREAD_DELETE", emulator.payloads.channel(thread), 1)
    emulator.pulse.beat()
    return 200, emulator.payloads.channel(thread)


@route("POST", "/channels/{channel}/typing")
def typing(emulator: Emulator, call: Call) -> Answer:
    """The bot is typing."""
    channel_of(emulator, call, "send_messages")
    return NO_CONTENT


# -- messages -----------------------------------------------------------------------------------------


def _check_open(emulator: Emulator, channel: Channel) -> None:
    """Refuse a locked thread to who may not manage threads: Discord calls it archived (discord-api-docs #7707)."""
    if channel.locked and not emulator.world.bot_permissions(channel) & PERMISSIONS["manage_threads"]:
        raise ApiError(403, 50083)


def _writable(emulator: Emulator, call: Call) -> Channel:
    """The channel of the path where the bot may write this message."""
    channel = channel_of(emulator, call)
    require(emulator, channel, "send_messages_in_threads" if channel.is_thread else "send_messages")
    _check_open(emulator, channel)
    if call.uploads:
        require(emulator, channel, "attach_files")
    if call.form.get("message_reference"):
        require(emulator, channel, "read_message_history")
    if channel.type == DM:
        user = next(user for user in channel.recipients if user is not emulator.world.bot)
        if not any(user.id in guild.members for guild in emulator.world.guilds.values()):
            raise ApiError(403, 50278)
        if not user.takes_dms:
            raise ApiError(403, 50007)
    return channel


@route("POST", "/channels/{channel}/messages")
def send_message(emulator: Emulator, call: Call) -> Answer:
    """Write a message."""
    channel = _writable(emulator, call)
    if channel.type == FORUM:
        raise ApiError(400, 50008)
    check_message(call.form, call.uploads)
    if reference := call.form.get("message_reference"):
        target = channel.history.get(int(reference.get("message_id") or 0))
        if (target is None or target.deleted) and reference.get("fail_if_not_exists", True):
            raise ApiError(400, 50035, ["message_reference: Unknown message"])
    return 200, emulator.payloads.message(emulator.messages.send(channel, emulator.world.bot, call.form, call.uploads))


@route("GET", "/channels/{channel}/messages")
def list_messages(emulator: Emulator, call: Call) -> Answer:
    """History, newest first; none where the permission for it is missing."""
    channel = channel_of(emulator, call)
    is_open = channel.guild is None or emulator.world.bot_permissions(channel) & PERMISSIONS["read_message_history"]
    found = channel.messages[::-1] if is_open else []
    limit = int(call.query.get("limit", 50))
    if "before" in call.query:
        found = [message for message in found if message.id < int(call.query["before"])]
    if "after" in call.query:
        found = [message for message in found if message.id > int(call.query["after"])][-limit:]
    if "around" in call.query:
        middle = int(call.query["around"])
        found = sorted(
            sorted(found, key=lambda message: abs(message.id - middle))[:limit], key=lambda message: -message.id
        )
    return 200, [emulator.payloads.message(message) for message in found[:limit]]


@route("GET", "/channels/{channel}/messages/{message}")
def get_message(emulator: Emulator, call: Call) -> Answer:
    """One message."""
    channel = channel_of(emulator, call, "read_message_history")
    return 200, emulator.payloads.message(message_of(channel, call))


@route("PATCH", "/channels/{channel}/messages/{message}")
def edit_message(emulator: Emulator, call: Call) -> Answer:
    """Change one of the bot's messages."""
    channel = channel_of(emulator, call)
    message = message_of(channel, call)
    if message.author is not emulator.world.bot:
        raise ApiError(403, 50005)
    if channel.archived:
        raise ApiError(400, 50083)
    _check_open(emulator, channel)
    if call.uploads:
        require(emulator, channel, "attach_files")
    check_message(call.form, call.uploads, edited=message)
    if message.is_old and (left := emulator.old_edits.wait(str(channel.id))):
        raise ApiError(429, 30046, retry_after=left)
    return 200, emulator.payloads.message(emulator.messages.edit(message, call.form, call.uploads))


@route("DELETE", "/channels/{channel}/messages/{message}")
def delete_message(emulator: Emulator, call: Call) -> Answer:
    """Delete a message, others' only with the permission."""
    channel = channel_of(emulator, call)
    message = message_of(channel, call)
    if message.author is not emulator.world.bot:
        require(emulator, channel, "manage_messages")
    emulator.messages.delete(message)
    return NO_CONTENT


# -- pins and reactions -------------------------------------------------------------------------------


@route("GET", "/channels/{channel}/messages/pins")
def list_pins(emulator: Emulator, call: Call) -> Answer:
    """Pinned messages."""
    pinned = [message for message in channel_of(emulator, call, "read_message_history").messages if message.pinned]
    items = [{"pinned_at": now(), "message": emulator.payloads.message(message)} for message in pinned]
    return 200, {"items": items, "has_more": False}


@route("PUT", "/channels/{channel}/messages/pins/{message}")
@route("PUT", "/channels/{channel}/pins/{message}")
def pin(emulator: Emulator, call: Call) -> Answer:
    """Pin a message; the channel is told so."""
    channel = channel_of(emulator, call, "manage_messages")
    message = message_of(channel, call)
    if sum(each.pinned for each in channel.messages) >= PINS:
        raise ApiError(400, 30003)
    if not message.pinned:
        message.pinned = True
        notice = {"message_reference": {"message_id": str(message.id)}, "allowed_mentions": {"parse": []}}
        emulator.messages.send(channel, emulator.world.bot, notice).type = PINNED
    return NO_CONTENT


@route("DELETE", "/channels/{channel}/messages/pins/{message}")
@route("DELETE", "/channels/{channel}/pins/{message}")
def unpin(emulator: Emulator, call: Call) -> Answer:
    """Unpin a message."""
    message_of(channel_of(emulator, call, "manage_messages"), call).pinned = False
    return NO_CONTENT


@route("PUT", "/channels/{channel}/messages/{message}/reactions/{emoji}/@me")
def react(emulator: Emulator, call: Call) -> Answer:
    """Put a reaction below a message."""
    channel = channel_of(emulator, call, "read_message_history", "add_reactions")
    users = message_of(channel, call).reactions.setdefault(unquote(call.where["emoji"]), [])
    if emulator.world.bot.id not in users:
        users.append(emulator.world.bot.id)
    emulator.pulse.beat()
    return NO_CONTENT


@route("DELETE", "/channels/{channel}/messages/{message}/reactions/{emoji}/@me")
def unreact(emulator: Emulator, call: Call) -> Answer:
    """Take the bot's reaction away."""
    message = message_of(channel_of(emulator, call), call)
    emoji = unquote(call.where["emoji"])
    left = [number for number in message.reactions.get(emoji, []) if number != emulator.world.bot.id]
    message.reactions = {key: users for key, users in (message.reactions | {emoji: left}).items() if users}
    return NO_CONTENT


# -- threads ------------------------------------------------------------------------------------------


def _check_room(emulator: Emulator, parent: Channel) -> None:
    """Refuse one more open thread where a server has enough of them."""
    if parent.guild is not None and emulator.world.open_threads(parent.guild) >= parent.guild.most_threads:
        raise ApiError(400, 160006)


def _open_thread(
    emulator: Emulator, parent: Channel, form: Json, kind: int, number: int | None = None, applied: Sequence[int] = ()
) -> Answer:
    check_thread(form)
    _check_room(emulator, parent)
    thread = emulator.world.add_thread(parent, form["name"], emulator.world.bot, kind, number)
    thread.applied = list(applied)
    thread.auto_archive = form.get("auto_archive_duration") or thread.auto_archive
    emulator.gateway.dispatch("THREAD_CREATE", emulator.payloads.channel(thread) | {"newly_created": True}, 1)
    emulator.pulse.beat()
    return 201, emulator.payloads.channel(thread)


def _open_post(emulator: Emulator, forum: Channel, call: Call) -> Answer:
    """A post in a forum: a thread and the message that it begins with, which share their id."""
    require(emulator, forum, "send_messages")
    message = call.form.get("message")
    if not message:
        raise invalid(["message is required in a forum"], "limits")
    check_message(message, call.uploads)
    applied = check_tags(forum, call.form.get("applied_tags") or [])
    number = emulator.world.new_id()
    status, _ = _open_thread(emulator, forum, call.form, PUBLIC_THREAD, number, applied)
    thread = emulator.world.channels[number]
    first = emulator.messages.send(thread, emulator.world.bot, message, call.uploads, number=number)
    return status, emulator.payloads.channel(thread) | {"message": emulator.payloads.message(first)}


@route("POST", "/channels/{channel}/threads")
def start_thread(emulator: Emulator, call: Call) -> Answer:
    """A thread of its own; a public one is announced in the channel. Without a type it is private. In a forum it is a post."""
    kind = call.form.get("type", PRIVATE_THREAD)
    parent = channel_of(emulator, call)
    if parent.type == FORUM:
        return _open_post(emulator, parent, call)
    require(emulator, parent, "create_public_threads" if kind == PUBLIC_THREAD else "create_private_threads")
    if parent.is_thread or parent.type == DM:
        raise ApiError(400, 50024)
    answer = _open_thread(emulator, parent, call.form, kind)
    if kind == PUBLIC_THREAD:
        notice = {"content": call.form["name"], "allowed_mentions": {"parse": []}}
        emulator.messages.send(parent, emulator.world.bot, notice, kind=THREAD_CREATED)
    return answer


@route("POST", "/channels/{channel}/messages/{message}/threads")
def start_thread_on_message(emulator: Emulator, call: Call) -> Answer:
    """A thread that hangs on a message and shares its id."""
    parent = channel_of(emulator, call, "create_public_threads")
    message = message_of(parent, call)
    if message.id in emulator.world.channels:
        raise ApiError(400, 160004)
    message.flags |= HAS_THREAD
    return _open_thread(emulator, parent, call.form, PUBLIC_THREAD, message.id)


@route("GET", "/channels/{channel}/thread-members")
def list_thread_members(emulator: Emulator, call: Call) -> Answer:
    """Who follows a thread."""
    thread = channel_of(emulator, call)
    return 200, [emulator.payloads.thread_member(thread, emulator.world.users[number]) for number in thread.members]


@route("PUT", "/channels/{channel}/thread-members/{user}")
def add_thread_member(emulator: Emulator, call: Call) -> Answer:
    """Bring somebody, or the bot itself (`@me`), into a thread."""
    thread = channel_of(emulator, call)
    number = emulator.world.bot.id if call.where["user"] == "@me" else call.number("user")
    if thread.guild is None or number not in thread.guild.members:
        raise ApiError(404, 10007)
    if thread.archived:
        raise ApiError(400, 50083)
    if number not in thread.members and len(thread.members) >= thread.guild.most_participants:
        raise ApiError(400, 30033)
    thread.members.setdefault(number, now())
    emulator.pulse.beat()
    return NO_CONTENT


@route("DELETE", "/channels/{channel}/thread-members/{user}")
def remove_thread_member(emulator: Emulator, call: Call) -> Answer:
    """Take somebody out of a thread."""
    thread = channel_of(emulator, call)
    number = emulator.world.bot.id if call.where["user"] == "@me" else call.number("user")
    if number != emulator.world.bot.id:
        require(emulator, thread, "manage_threads")
    thread.members.pop(number, None)
    return NO_CONTENT
