"""What the double knows: one server with channels, threads, people and messages, as plain data."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import Any

BOT, APPLICATION, GUILD, CHANNEL = (
    "900000000000000001",
    "900000000000000001",
    "100000000000000001",
    "200000000000000001",
)
NOW = "2026-01-01T00:00:00.000000+00:00"
ALL_PERMISSIONS = str((1 << 50) - 1)


@dataclass
class World:
    """The server's contents. Numbers count up, so that runs are alike."""

    users: dict[str, dict[str, Any]] = field(default_factory=dict)
    channels: dict[str, dict[str, Any]] = field(default_factory=dict)
    messages: dict[str, dict[str, Any]] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)
    commands: list[dict[str, Any]] = field(default_factory=list)
    closed_to_messages: set[str] = field(default_factory=set)
    _numbers: Any = field(default_factory=lambda: itertools.count(1))

    def __post_init__(self) -> None:
        self.users[BOT] = {"id": BOT, "username": "signalbox", "discriminator": "0", "avatar": None, "bot": True}
        self.channels[CHANNEL] = {
            "id": CHANNEL,
            "type": 0,
            "name": "trains",
            "guild_id": GUILD,
            "position": 0,
            "permission_overwrites": [],
            "nsfw": False,
            "parent_id": None,
        }

    def number(self) -> str:
        """A fresh snowflake."""
        return str((700000000000 + next(self._numbers)) << 22)

    def add_user(self, name: str) -> str:
        """A person on the server."""
        number = self.number()
        self.users[number] = {
            "id": number,
            "username": name.lower(),
            "global_name": name,
            "discriminator": "0",
            "avatar": None,
        }
        return number

    def member(self, user: str) -> dict[str, Any]:
        """The person as a member, without the user."""
        return {"roles": [], "joined_at": NOW, "deaf": False, "mute": False, "flags": 0, "permissions": ALL_PERMISSIONS}

    def guild(self) -> dict[str, Any]:
        """The server as the gateway announces it."""
        return {
            "id": GUILD,
            "name": "Table",
            "owner_id": BOT,
            "roles": [
                {
                    "id": GUILD,
                    "name": "@everyone",
                    "permissions": ALL_PERMISSIONS,
                    "position": 0,
                    "color": 0,
                    "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
                    "hoist": False,
                    "managed": False,
                    "mentionable": False,
                    "flags": 0,
                }
            ],
            "emojis": [],
            "stickers": [],
            "features": [],
            "channels": [channel for channel in self.channels.values() if channel["type"] == 0],
            "threads": [channel for channel in self.channels.values() if channel["type"] == 11],
            "members": [{**self.member(BOT), "user": self.users[BOT]}],
            "presences": [],
            "voice_states": [],
            "stage_instances": [],
            "guild_scheduled_events": [],
            "soundboard_sounds": [],
            "member_count": len(self.users),
            "large": False,
            "unavailable": False,
            "joined_at": NOW,
            "verification_level": 0,
            "default_message_notifications": 0,
            "explicit_content_filter": 0,
            "mfa_level": 0,
            "system_channel_id": None,
            "system_channel_flags": 0,
            "premium_tier": 0,
            "preferred_locale": "en-US",
            "nsfw_level": 0,
            "afk_timeout": 300,
            "premium_progress_bar_enabled": False,
        }

    def message(self, channel: str, author: str, body: dict[str, Any], files: dict[str, bytes]) -> dict[str, Any]:
        """Store a new message."""
        number = self.number()
        message = {
            "id": number,
            "channel_id": channel,
            "author": self.users[author],
            "content": "",
            "timestamp": NOW,
            "edited_timestamp": None,
            "tts": False,
            "mention_everyone": False,
            "mentions": [],
            "mention_roles": [],
            "attachments": [],
            "embeds": [],
            "pinned": False,
            "type": 0,
            "components": [],
            "flags": 0,
        }
        if self.channels.get(channel, {}).get("guild_id"):
            message["guild_id"] = GUILD
        self.messages[number] = message
        self.change(number, body, files)
        return message

    def change(self, number: str, body: dict[str, Any], files: dict[str, bytes]) -> dict[str, Any]:
        """Change a message's content, components, files."""
        message = self.messages[number]
        for key in ("content", "components", "embeds", "flags", "nonce"):
            if body.get(key) is not None:
                message[key] = body[key]
        if "attachments" in body:
            message["attachments"] = [self._attachment(entry, files) for entry in body["attachments"]]
        return message

    def _attachment(self, entry: dict[str, Any], files: dict[str, bytes]) -> dict[str, Any]:
        number = self.number()
        data = files.get(f"files[{entry['id']}]", b"")
        self.files[number] = data
        return {
            "id": number,
            "filename": entry.get("filename", "file"),
            "description": entry.get("description"),
            "size": len(data),
            "url": f"http://127.0.0.1/files/{number}",
            "proxy_url": f"http://127.0.0.1/files/{number}",
        }
