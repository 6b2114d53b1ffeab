"""The meaning of Discord's refusals: one judgement for every place that asks Discord for something.

Codes: https://discord.com/developers/docs/topics/opcodes-and-status-codes
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextvars import ContextVar
from enum import Enum, auto
from typing import TypeVar

import discord

log = logging.getLogger(__name__)

Answer = TypeVar("Answer")

NO_PLACE, PLACE_TAKEN = -1, -2
"""Troubles that Discord has no code for."""

UNKNOWN_CHANNEL, UNKNOWN_SERVER, UNKNOWN_MEMBER, UNKNOWN_MESSAGE, UNKNOWN_USER = 10003, 10004, 10007, 10008, 10013
NO_ACCESS, MISSING_PERMISSIONS, ARCHIVED, LOCKED = 50001, 50013, 50083, 160005
TOO_MANY_MEMBERS, TOO_MANY_THREADS, HAS_A_THREAD = 30033, 160006, 160004
TOO_OLD_TO_EDIT = 30046

TROUBLES = {
    NO_PLACE: "it has no channel. Type `/moderate here` where you want to play it",
    PLACE_TAKEN: "another game is played there, and I may not open a thread. Type `/moderate here` in another channel",
    UNKNOWN_CHANNEL: "the channel is gone. Type `/moderate here` in another channel",
    UNKNOWN_SERVER: "I am no longer in that server. Invite me again, or type `/moderate here` in another server",
    NO_ACCESS: "I cannot see the channel. I need the permission *View Channel* there",
    MISSING_PERMISSIONS: (
        "I may not post there. I need *Send Messages*, *Send Messages in Threads*, *Attach Files*, *Embed Links*"
    ),
    ARCHIVED: "the thread is archived and locked. Open it, or type `/moderate here` somewhere else",
    LOCKED: "the thread is locked. Open it, or type `/moderate here` somewhere else",
    TOO_MANY_THREADS: (
        "this server has as many open threads as Discord allows. Close some, or type `/moderate here` in a channel"
    ),
    TOO_MANY_MEMBERS: (
        "the thread has as many members as Discord allows. Remove some, or type `/moderate here` somewhere else"
    ),
}
"""Troubles with places, and the remedy for the moderator."""

UNDELIVERABLE = {50007, 50278, UNKNOWN_USER}
"""Direct messages are refused, there is no common server any more, or no such account."""

GONE = {UNKNOWN_MESSAGE, UNKNOWN_CHANNEL, UNKNOWN_SERVER, NO_ACCESS}
"""A message, or its channel, that is not accessible any more."""

EXPECTED = {10062, 10015, 40060, 50027, UNKNOWN_MESSAGE, *UNDELIVERABLE}
"""Refusals that are normal outcomes: an interaction token too old or never accepted, answered already, direct
messages closed, a deleted message.
"""

OUTAGES = {40001, 40002, 40333, 130000}
"""Refusals of the bot as a whole: its token or its network is not accepted at the moment, or Discord is overloaded."""


ANSWERING_SECONDS = 60.0
"""Longest wait for an answer in seconds, including the library's own waits for rate limits."""

MOST_OF_AN_ERROR = 200
"""Maximum number of characters of an error that are logged."""


class FailureKind(Enum):
    DOWN = auto()
    """Discord does not work for this bot at the moment. Nothing is known about the place, person or message of the
    request.
    """

    LATER = auto()
    """Discord works; the rate limit of this request is reached."""

    CLOSED = auto()
    """The place is gone or does not admit this bot; the code is in `TROUBLES`."""

    REFUSED = auto()
    """Discord does not take this request, now or later."""


is_hopeless: ContextVar[bool] = ContextVar("is_hopeless", default=False)
"""Whether Discord has worked for hours, except for this request: its outages are refusals then."""


def failure_kind_of(error: BaseException) -> FailureKind:
    """The meaning of an error of a request to Discord. An answer without one of Discord's codes comes from a server before
    Discord (HTML, a ban of this address), or is about the token: it says nothing about what was asked for."""
    if is_hopeless.get() and (isinstance(error, TimeoutError) or getattr(error, "status", 0) >= 500):
        return FailureKind.REFUSED
    if not isinstance(error, discord.HTTPException) or error.status >= 500 or error.code in OUTAGES:
        return FailureKind.DOWN
    if error.status == 429:
        is_of_discord = error.code or error.response.headers.get("Via")
        return FailureKind.LATER if is_of_discord else FailureKind.DOWN
    if not error.code:
        return FailureKind.REFUSED if error.status in (400, 413) else FailureKind.DOWN
    return FailureKind.CLOSED if error.code in TROUBLES else FailureKind.REFUSED


def raise_if_passing(error: BaseException) -> None:
    """Raise an error of a request again if it may be over soon: Discord does not work, or makes the request wait."""
    if failure_kind_of(error) in (FailureKind.DOWN, FailureKind.LATER):
        raise error


def brief(error: BaseException) -> str:
    """An error in a few words for the log: of an HTTP answer only its numbers, since it may be a page of HTML."""
    if isinstance(error, discord.HTTPException):
        return f"{error.status} {error.code}"
    return f"{type(error).__name__}: {error}"[:MOST_OF_AN_ERROR]


async def send_first_accepted(acts: Sequence[Callable[[], Awaitable[Answer]]], has_files: bool = False) -> Answer:
    """The answer to the first of these requests that Discord takes: each asks for less than the previous request.
    With `has_files` the first may lack a permission for its files.

    :raises discord.HTTPException: it takes none of them, or asking for less does not help.
    :raises TimeoutError: it does not answer.
    """
    for place, act in enumerate(acts[:-1]):
        try:
            return await await_answer(act)
        except (discord.HTTPException, TimeoutError) as error:
            code = getattr(error, "code", 0)
            lacks_files = has_files and not place and code == MISSING_PERMISSIONS
            if not lacks_files and (failure_kind_of(error) is not FailureKind.REFUSED or code in EXPECTED):
                raise
            log.warning("Discord refuses a message, and gets a plainer message (%s)", brief(error))
    return await await_answer(acts[-1])


async def await_answer(act: Callable[[], Awaitable[Answer]]) -> Answer:
    """The answer to a request.

    :raises TimeoutError: there is none for so long that none will come; what became of the request is not known.
    """
    async with asyncio.timeout(ANSWERING_SECONDS):
        return await act()
