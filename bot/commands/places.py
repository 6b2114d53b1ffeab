"""Where a game is played in Discord, and what happens when it cannot be posted there any more."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import discord

from bot.store import GameRecord, Place

from .answers import EXPECTED

if TYPE_CHECKING:
    from .bot import Signalbox

log = logging.getLogger(__name__)

NO_CHANNEL, NO_SERVER = 10003, 10004
THREAD_GONE = "the thread is gone"

TROUBLES = {
    NO_CHANNEL: "the channel is gone. Choose another one: `/moderate here`, typed there",
    NO_SERVER: "I am not in that server any more. Invite me again, or type `/moderate here` in another one",
    50001: "I cannot see the channel. I need the permission *View Channel* there",
    50013: "I may not post there. I need *Send Messages*, *Send Messages in Threads*, *Attach Files*, *Embed Links*",
    50083: "the thread is archived and locked. Open it, or type `/moderate here` somewhere else",
    160005: "the thread is locked. Open it, or type `/moderate here` somewhere else",
}
"""What Discord's error codes ask of the moderator."""

FIRST_WAIT, LONGEST_WAIT = 300.0, 6 * 3600.0
"""Seconds until a place is tried again: refusals are counted, and too many of them get a bot banned."""


class Unreachable(Exception):
    """A place where nothing can be posted; `code` is Discord's."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Patience:
    """When games that cannot be posted are tried again."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.changes = 0
        self._until: dict[int, tuple[float, float]] = {}

    def waiting(self) -> set[int]:
        """The games that are not to be tried now."""
        now = self.clock()
        return {game for game, (until, _) in self._until.items() if until > now}

    def seconds(self) -> float | None:
        """Until the next game that waits may be tried again; None where none waits."""
        now = self.clock()
        return min((until - now for until, _ in self._until.values() if until > now), default=None)

    def after(self, game: int, changes: int) -> bool:
        """It did not work once more; `changes` were known when it was begun.

        Returns whether that counts: what was begun before the last change says nothing about the present, and may be
        tried again at once.
        """
        if changes != self.changes:
            return False
        _, last = self._until.get(game, (0.0, FIRST_WAIT / 2))
        wait = min(last * 2, LONGEST_WAIT)
        self._until[game] = (self.clock() + wait, wait)
        return True

    def forget(self, game: int) -> None:
        """It works."""
        self._until.pop(game, None)

    def hope(self) -> None:
        """Something has changed in a server: everything may be tried again."""
        self.changes += 1
        self._until.clear()


async def channel_of(client: Signalbox, place: Place) -> discord.abc.Messageable:
    """The thread or channel of a game.

    :raises Unreachable: there is none to be had.
    :raises discord.HTTPException: Discord does not say.
    """
    if client.get_guild(int(place.guild)) is None:
        raise Unreachable(NO_SERVER)
    number = int(place.thread or place.channel)
    found = client.get_channel(number)
    if found is None:
        try:
            found = await client.fetch_channel(number)
        except discord.HTTPException as error:
            if error.code not in TROUBLES:
                raise
            raise Unreachable(error.code) from error
    if not isinstance(found, discord.abc.Messageable):
        raise Unreachable(NO_CHANNEL)
    return found


async def tell_moderator(client: Signalbox, game: GameRecord, place: Place, code: int) -> None:
    """Tell whoever moderates a game what it needs; nobody else can help."""
    kind, _, number = game.moderator.partition(":")
    if kind != "discord" or not number.isdecimal():
        return
    where = f"<#{place.thread or place.channel}>"
    text = f"Game {game.id} goes on, but I cannot post it in {where}: {TROUBLES[code]}. What happens meanwhile is kept."
    try:
        direct = await client.create_dm(discord.Object(int(number)))
        await direct.send(text, allowed_mentions=discord.AllowedMentions.none())
    except discord.HTTPException as error:
        if error.code not in EXPECTED and error.status >= 500:
            raise
        log.info("the moderator could not be told (%s)", error.code, extra={"game": game.id})
