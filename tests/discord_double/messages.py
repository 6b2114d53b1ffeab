"""Sending, editing and deleting messages: what changes, and who is told."""

from __future__ import annotations

import copy
import re
from collections.abc import Sequence

from tests.discord_double.calls import Upload
from tests.discord_double.errors import ApiError
from tests.discord_double.gateway import Gateway
from tests.discord_double.model import (
    DEFAULT,
    DM,
    EPHEMERAL,
    LOADING,
    REPLY,
    Channel,
    Json,
    PostedMessage,
    User,
    World,
    now,
    number_components,
    walk_components,
)
from tests.discord_double.payloads import Payloads
from tests.discord_double.pulse import Pulse

EVERYONE = re.compile(r"@(everyone|here)\b")
MENTION = re.compile(r"<@!?(\d+)>")


class Messages:
    """Changes messages of the world and dispatches the events."""

    def __init__(self, world: World, payloads: Payloads, gateway: Gateway, pulse: Pulse) -> None:
        self.world = world
        self.payloads = payloads
        self.gateway = gateway
        self.pulse = pulse

    def send(
        self,
        channel: Channel,
        author: User,
        body: Json,
        uploads: Sequence[Upload] = (),
        *,
        kind: int = DEFAULT,
        interaction: Json | None = None,
        seen_only_by: User | None = None,
        number: int | None = None,
    ) -> PostedMessage:
        """A new message; a nonce that is enforced gives the message that already has it.

        :raises ApiError: 10008 when that one has been deleted: it is not made a second time (discord-api-docs #6647).
        """
        if (twin := self._twin(channel, author, body)) is not None:
            return twin
        message = PostedMessage(number or self.world.new_id(), channel, author, type=kind, interaction=interaction)
        message.flags = int(body.get("flags") or 0)
        message.nonce = body.get("nonce")
        if reference := body.get("message_reference"):
            message.type = REPLY
            message.reply_to = self.world.message(int(reference["message_id"]))
        if message.flags & EPHEMERAL:
            message.seen_only_by = seen_only_by
        self._fill(message, body, uploads)
        channel.history[message.id] = message
        if channel.is_thread:
            self._wake_thread(channel, author)
        self._tell("MESSAGE_CREATE", message)
        return message

    def _twin(self, channel: Channel, author: User, body: Json) -> PostedMessage | None:
        if not body.get("enforce_nonce") or body.get("nonce") is None:
            return None
        alike = (each for each in channel.history.values() if each.author is author and each.nonce == body["nonce"])
        twin = next((each for each in alike if not each.is_nonce_forgotten), None)
        if twin is not None and twin.deleted:
            raise ApiError(404, 10008, [f"nonce {body['nonce']} of a message that was deleted"])
        return twin

    def edit(self, message: PostedMessage, body: Json, uploads: Sequence[Upload] = ()) -> PostedMessage:
        """Change what the body names; a message that was loading is loading no more."""
        was_loading = message.loading
        message.flags = (message.flags & ~LOADING) | int(body.get("flags") or 0)
        self._fill(message, body, uploads)
        if not was_loading:
            message.edited = now()
            message.edits += 1
        self._tell("MESSAGE_UPDATE", message)
        return message

    def delete(self, message: PostedMessage) -> None:
        """Take a message away."""
        message.deleted = True
        guild = message.channel.guild
        event = {"id": str(message.id), "channel_id": str(message.channel.id)}
        if not message.ephemeral:
            self.gateway.dispatch(
                "MESSAGE_DELETE", event | ({"guild_id": str(guild.id)} if guild else {}), 1 << 9 | 1 << 12
            )
        self.pulse.beat()

    def _tell(self, event: str, message: PostedMessage) -> None:
        if not message.ephemeral:
            self.gateway.dispatch_message(event, message)
        self.pulse.beat()

    def _fill(self, message: PostedMessage, body: Json, uploads: Sequence[Upload]) -> None:
        if "content" in body:
            message.content = (body["content"] or "").strip()
        if "embeds" in body:
            message.embeds = list(body["embeds"] or [])
        if "components" in body:
            message.components = number_components(copy.deepcopy(body["components"] or []))
        self._attach(message, body, uploads)
        allowed = body.get("allowed_mentions")
        message.mentions = self._mentions(message, allowed)
        is_allowed = allowed is None or "everyone" in (allowed.get("parse") or [])
        message.pings_everyone = is_allowed and bool(EVERYONE.search(message.content))

    def _attach(self, message: PostedMessage, body: Json, uploads: Sequence[Upload]) -> None:
        listed = {str(entry["id"]): entry for entry in body.get("attachments") or []}
        if "attachments" in body or uploads:
            # Since version 10 of the API a list that is absent is taken for an empty one (discord-api-docs #5170).
            message.attachments = [each for each in message.attachments if str(each.id) in listed]
        for attachment in message.attachments:
            attachment.alt = listed.get(str(attachment.id), {}).get("description", attachment.alt)
        for upload in uploads:
            entry = listed.get(str(upload.index), {})
            name = entry.get("filename") or upload.filename
            message.attachments.append(self.world.add_file(name, upload.data, entry.get("description")))

    def _mentions(self, message: PostedMessage, allowed: Json | None) -> list[User]:
        """Who is pinged: the mentioned that `allowed_mentions` lets through, and the author replied to."""
        text = message.content + "".join(part.get("content", "") for part in walk_components(message.components))
        named = [int(number) for number in MENTION.findall(text)]
        if allowed is not None and "users" not in (allowed.get("parse") or []):
            listed = {int(number) for number in allowed.get("users") or []}
            named = [number for number in named if number in listed]
        found = [self.world.users[number] for number in dict.fromkeys(named) if number in self.world.users]
        pings_back = allowed is None or bool(allowed.get("replied_user"))
        if message.reply_to is not None and pings_back and message.reply_to.author not in found:
            found.append(message.reply_to.author)
        return found

    def _wake_thread(self, thread: Channel, author: User) -> None:
        """Who writes in a thread follows it, and a message brings it back from the archive."""
        thread.members.setdefault(author.id, now())
        if thread.archived:
            thread.archived = False
            self.gateway.dispatch("THREAD_UPDATE", self.payloads.channel(thread), 1)

    # -- what users do --------------------------------------------------------------------------------

    def say(
        self, user: User, channel: Channel, text: str, reply_to: PostedMessage | None, uploads: Sequence[Upload]
    ) -> PostedMessage:
        """A user's message; a reply pings whom it answers, as the client does by default."""
        if channel.type == DM and self.world.bot not in channel.recipients:
            raise ValueError("this is not a conversation with the bot")
        body: Json = {"content": text}
        if reply_to is not None:
            body["message_reference"] = {"message_id": str(reply_to.id)}
        return self.send(channel, user, body, uploads)
