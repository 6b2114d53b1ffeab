"""The JSON forms of the model, as Discord sends them."""

from __future__ import annotations

import struct

from tests.discord_double.model import (
    ADMINISTRATOR,
    ALL_PERMISSIONS,
    DM,
    FORUM,
    HAS_THREAD,
    MEMBERS,
    PERMISSIONS,
    REPLY,
    Attachment,
    Channel,
    Guild,
    Json,
    PostedMessage,
    User,
    World,
    references,
)
from tests.discord_double.payloads_components import Shown

ATTACHMENT_LIMIT = 10 * 1024 * 1024
REQUIRE_TAG = 1 << 4
"""The flag of a forum whose posts all need a tag."""


class Payloads:
    """Writes the model as JSON; `cdn` is the address under which files are served."""

    def __init__(self, world: World, cdn: str) -> None:
        self.world = world
        self.cdn = cdn

    def user(self, user: User) -> Json:
        """An account."""
        return {
            "id": str(user.id),
            "username": user.name.lower(),
            "global_name": None if user.bot else user.name,
            "discriminator": "0000" if user.bot else "0",
            "avatar": None,
            "bot": user.bot,
            "public_flags": 0,
            "flags": 0,
            "primary_guild": None,
        }

    def own_user(self) -> Json:
        """The bot's account as it sees it itself."""
        return self.user(self.world.bot) | {"mfa_enabled": True, "locale": "en-US", "verified": True, "email": None}

    def member(self, guild: Guild, user: User, with_user: bool = True, permissions: int | None = None) -> Json:
        """A member of a guild; inside an interaction with the permissions there."""
        member: Json = {
            "nick": None,
            "avatar": None,
            "banner": None,
            "roles": self._roles_of(guild, user),
            "joined_at": guild.members[user.id],
            "premium_since": None,
            "communication_disabled_until": None,
            "deaf": False,
            "mute": False,
            "pending": False,
            "flags": 0,
        }
        if with_user:
            member["user"] = self.user(user)
        if permissions is not None:
            member["permissions"] = str(permissions)
        return member

    def permissions(self, channel: Channel, user: User) -> int:
        """What a user may do in a channel."""
        if user is self.world.bot:
            return self.world.bot_permissions(channel)
        if channel.guild is not None and user.id in channel.guild.admins:
            return ALL_PERMISSIONS | ADMINISTRATOR
        manages = channel.guild is not None and user.id in channel.guild.moderators
        held = MEMBERS | PERMISSIONS["manage_threads"] if manages else MEMBERS
        return held & ~channel.denied_to(user)

    def _roles_of(self, guild: Guild, user: User) -> list[str]:
        if user is self.world.bot:
            return [str(guild.bot_role)]
        return [str(guild.moderator_role)] if user.id in guild.moderators else []

    def channel(self, channel: Channel) -> Json:
        """A channel of any kind."""
        last = max(channel.history, default=None)
        shared: Json = {
            "id": str(channel.id),
            "type": channel.type,
            "flags": 0,
            "last_message_id": str(last) if last else None,
            "last_pin_timestamp": None,
        }
        if channel.type == DM:
            others = [user for user in channel.recipients if user is not self.world.bot]
            return shared | {"recipients": [self.user(user) for user in others]}
        assert channel.guild is not None
        shared |= {"guild_id": str(channel.guild.id), "name": channel.name, "rate_limit_per_user": 0}
        if channel.is_thread:
            return shared | self._thread(channel)
        overwrites = [
            {"id": str(target), "type": 1, "allow": "0", "deny": str(bits)}
            for target, bits in channel.denied.items()
            if bits
        ]
        return (shared | self._forum(channel) if channel.type == FORUM else shared) | {
            "position": 0,
            "parent_id": None,
            "topic": None,
            "nsfw": False,
            "permission_overwrites": overwrites,
        }

    def _forum(self, forum: Channel) -> Json:
        tags = [
            {"id": str(number), "name": name, "moderated": False, "emoji_id": None, "emoji_name": None}
            for number, name in forum.tags.items()
        ]
        return {
            "flags": REQUIRE_TAG if forum.needs_tag else 0,
            "available_tags": tags,
            "default_reaction_emoji": None,
            "default_sort_order": None,
            "default_forum_layout": 0,
        }

    def _thread(self, thread: Channel) -> Json:
        assert thread.parent is not None and thread.owner is not None
        count = sum(1 for message in thread.messages if message.id != thread.id)
        return {
            "parent_id": str(thread.parent.id),
            "applied_tags": [str(number) for number in thread.applied],
            "owner_id": str(thread.owner.id),
            "message_count": count,
            "total_message_sent": count,
            "member_count": len(thread.members),
            "thread_metadata": {
                "archived": thread.archived,
                "locked": thread.locked,
                "auto_archive_duration": thread.auto_archive,
                "archive_timestamp": thread.members.get(thread.owner.id),
            },
        } | ({"member": self.thread_member(thread, self.world.bot)} if self.world.bot.id in thread.members else {})

    def thread_member(self, thread: Channel, user: User) -> Json:
        """A follower of a thread."""
        return {"id": str(thread.id), "user_id": str(user.id), "join_timestamp": thread.members[user.id], "flags": 0}

    def guild(self, guild: Guild) -> Json:
        """A guild as GUILD_CREATE tells it: channels, open threads, the bot as its only listed member."""
        channels = [channel for channel in self.world.channels.values() if channel.guild is guild]
        return {
            "id": str(guild.id),
            "name": guild.name,
            "owner_id": str(guild.owner.id),
            "icon": None,
            "splash": None,
            "description": None,
            "features": [],
            "emojis": [],
            "stickers": [],
            "roles": self.roles(guild),
            "channels": [self.channel(channel) for channel in channels if not channel.is_thread],
            "threads": [self.channel(channel) for channel in channels if channel.is_thread and not channel.archived],
            "members": [self.member(guild, self.world.bot)],
            "member_count": len(guild.members),
            "voice_states": [],
            "presences": [],
            "stage_instances": [],
            "guild_scheduled_events": [],
            "soundboard_sounds": [],
            "joined_at": guild.members[self.world.bot.id],
            "large": False,
            "unavailable": False,
            "preferred_locale": guild.locale,
            "premium_tier": 0,
            "verification_level": 0,
            "default_message_notifications": 1,
            "explicit_content_filter": 0,
            "mfa_level": 0,
            "nsfw_level": 0,
            "afk_timeout": 300,
        }

    def guild_answer(self, guild: Guild) -> Json:
        """A guild as the API answers with it: without channels and members, with all its settings."""
        nothing: tuple[str, ...] = (
            "home_header",
            "discovery_splash",
            "banner",
            "application_id",
            "afk_channel_id",
            "system_channel_id",
        )
        nothing += ("widget_channel_id", "max_presences", "vanity_url_code", "rules_channel_id", "incidents_data")
        nothing += ("safety_alerts_channel_id", "public_updates_channel_id")
        told = ("channels", "threads", "members", "voice_states", "presences", "joined_at", "unavailable")
        settings = {
            "region": "deprecated",
            "system_channel_flags": 0,
            "widget_enabled": False,
            "max_members": 500_000,
            "max_stage_video_channel_users": 50,
            "max_video_channel_users": 25,
            "premium_subscription_count": 0,
            "premium_progress_bar_enabled": False,
            "nsfw": False,
        }
        kept = {key: value for key, value in self.guild(guild).items() if key not in told}
        return kept | settings | dict.fromkeys(nothing)

    def roles(self, guild: Guild) -> list[Json]:
        """@everyone and the bot's own role."""
        shared = {
            "color": 0,
            "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
            "hoist": False,
            "icon": None,
            "unicode_emoji": None,
            "mentionable": False,
            "flags": 0,
            "permissions": str(MEMBERS),
        }
        everyone = {"id": str(guild.id), "name": "@everyone", "position": 0, "managed": False}
        own = {
            "id": str(guild.bot_role),
            "name": self.world.bot.name,
            "position": 1,
            "managed": True,
            "permissions": str(ALL_PERMISSIONS),
            "tags": {"bot_id": str(self.world.bot.id)},
        }
        moderators = {
            "id": str(guild.moderator_role),
            "name": "Moderators",
            "position": 2,
            "managed": False,
            "permissions": str(PERMISSIONS["manage_threads"]),
        }
        return [shared | everyone, shared | own, shared | moderators]

    def attachment(self, channel: Channel, attachment: Attachment, ephemeral: bool = False) -> Json:
        """A file with the address under which it can be fetched."""
        url = f"{self.cdn}/attachments/{channel.id}/{attachment.id}/{attachment.filename}"
        form: Json = {
            "id": str(attachment.id),
            "filename": attachment.filename,
            "size": len(attachment.data),
            "url": url,
            "proxy_url": url,
            "content_type": attachment.content_type,
        }
        if attachment.alt is not None:
            form["description"] = attachment.alt
        if attachment.data.startswith(b"\x89PNG") and len(attachment.data) >= 24:
            form["width"], form["height"] = struct.unpack(">II", attachment.data[16:24])
        if ephemeral:
            form["ephemeral"] = True
        return form

    def message(self, message: PostedMessage, with_reply: bool = True) -> Json:
        """A message as the API answers with it. Files that its components or embeds show are listed there alone."""
        shown = Shown(message.attachments, lambda file: self.attachment(message.channel, file, message.ephemeral))
        inside = set(references([message.embeds, message.components]))
        form: Json = {
            "id": str(message.id),
            "channel_id": str(message.channel.id),
            "author": self.user(message.author),
            "type": message.type,
            "content": message.content,
            "timestamp": message.timestamp,
            "edited_timestamp": message.edited,
            "embeds": shown.embeds(message.embeds),
            "components": shown.components(message.components),
            "attachments": [
                self.attachment(message.channel, each, message.ephemeral)
                for each in message.attachments
                if each.filename not in inside
            ],
            "flags": message.flags,
            "mentions": [self.user(user) for user in message.mentions],
            "mention_roles": [],
            "mention_everyone": message.pings_everyone,
            "pinned": message.pinned,
            "tts": False,
        }
        if message.nonce is not None:
            form["nonce"] = message.nonce
        if message.interaction is not None:
            form |= {
                "interaction_metadata": message.interaction,
                "application_id": str(self.world.application_id),
                "webhook_id": str(self.world.application_id),
            }
        if message.reactions:
            form["reactions"] = [self._reaction(emoji, users) for emoji, users in message.reactions.items()]
        if message.flags & HAS_THREAD and message.id in self.world.channels:
            form["thread"] = self.channel(self.world.channels[message.id])
        if message.reply_to is not None:
            form["message_reference"] = {
                "type": 0,
                "channel_id": str(message.reply_to.channel.id),
                "message_id": str(message.reply_to.id),
            } | ({"guild_id": str(message.channel.guild.id)} if message.channel.guild else {})
        if message.type == REPLY and with_reply:
            target = message.reply_to
            is_there = target is not None and not target.deleted
            form["referenced_message"] = self.message(target, with_reply=False) if target and is_there else None
        return form

    def _reaction(self, emoji: str, users: list[int]) -> Json:
        mine = self.world.bot.id in users
        return {
            "emoji": {"id": None, "name": emoji},
            "count": len(users),
            "count_details": {"burst": 0, "normal": len(users)},
            "burst_colors": [],
            "me_burst": False,
            "burst_me": False,
            "me": mine,
            "burst_count": 0,
        }

    def message_event(self, message: PostedMessage) -> Json:
        """A message as the gateway tells it: with its guild and its author's membership."""
        form = self.message(message)
        guild = message.channel.guild
        if guild is not None:
            form["guild_id"] = str(guild.id)
            if message.author.id in guild.members and message.interaction is None:
                form["member"] = self.member(guild, message.author, with_user=False)
        return form

    def application(self) -> Json:
        """The bot's application."""
        owner = next(iter(self.world.guilds.values())).owner if self.world.guilds else self.world.bot
        return {
            "id": str(self.world.application_id),
            "name": self.world.bot.name,
            "icon": None,
            "description": "",
            "type": None,
            "bot": self.user(self.world.bot),
            "bot_public": True,
            "bot_require_code_grant": False,
            "verify_key": "0" * 64,
            "flags": 1 << 19,
            "flags_new": str(1 << 19),
            "redirect_uris": [],
            "interactions_endpoint_url": None,
            "role_connections_verification_url": None,
            "owner": self.user(owner),
            "approximate_guild_count": len(self.world.guilds),
            "approximate_user_install_count": 0,
            "approximate_user_authorization_count": 0,
            "explicit_content_filter": 0,
            "team": None,
            "eligible_oauth2_scopes": [],
            "rpc_origins": [],
        }
