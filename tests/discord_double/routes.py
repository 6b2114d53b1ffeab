"""The table of routes: method and template to handler; and the looks that handlers share."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tests.discord_double.calls import Call
from tests.discord_double.errors import ApiError
from tests.discord_double.model import PERMISSIONS, Channel, PostedMessage

if TYPE_CHECKING:
    from tests.discord_double.server import Emulator

Answer = tuple[int, Any]
Handler = Callable[["Emulator", Call], Answer]

NO_CONTENT: Answer = (204, None)
_TABLE: list[tuple[str, str, re.Pattern[str], Handler]] = []


def route(method: str, template: str) -> Callable[[Handler], Handler]:
    """Enter a handler into the table; a template names its parts in braces."""

    def enter(handler: Handler) -> Handler:
        pattern = re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", template))
        _TABLE.append((method, template, pattern, handler))
        _TABLE.sort(key=lambda row: row[1].count("{"))
        return handler

    return enter


def find(call: Call) -> Handler | None:
    """The handler of a request, which gets its parts of the path; None for an unknown route."""
    for method, template, pattern, handler in _TABLE:
        if method == call.method and (match := pattern.fullmatch(call.path)):
            call.template = template
            call.where = match.groupdict()
            return handler
    return None


def channel_of(emulator: Emulator, call: Call, *needs: str) -> Channel:
    """The channel of the path, which the bot can see and has the named permissions in.

    :raises ApiError: 10003 unknown, 50001 not visible, 50013 a permission is missing, 50007 direct messages refused.
    """
    channel = emulator.world.channels.get(call.number("channel"))
    if channel is None:
        raise ApiError(404, 10003)
    require(emulator, channel, "view_channel", *needs)
    return channel


def require(emulator: Emulator, channel: Channel, *needs: str) -> None:
    """Refuse what the bot may not do there.

    :raises ApiError: 50001 or 50013.
    """
    if channel.guild is None:
        return
    held = emulator.world.bot_permissions(channel)
    for name in needs:
        if not held & PERMISSIONS[name]:
            raise ApiError(403, 50001 if name == "view_channel" else 50013, [f"{name} in #{channel.name}"])


def message_of(channel: Channel, call: Call) -> PostedMessage:
    """The message of the path; ephemeral ones cannot be reached through their channel.

    :raises ApiError: 10008.
    """
    message = channel.history.get(call.number("message"))
    if message is None or message.deleted or message.ephemeral:
        raise ApiError(404, 10008)
    return message
