"""What tests hold: the emulator with a guild and users in it, the bot's process, expectations, verdict."""

from __future__ import annotations

import asyncio
import logging
import os
import re
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import discord

from tests.blank_database import write_blank
from tests.discord_double.boot import GUILD_WAIT, point, restore
from tests.discord_double.launcher import BotProcess
from tests.discord_double.model import PERMISSIONS, Channel, Guild, PostedMessage, User, now
from tests.discord_double.server import TOKEN, Emulator
from tests.discord_double.starvation import Waits, waits_of
from tests.discord_double.used import USED, is_ours
from tests.discord_double.user import ScriptedUser

NAMES = ("Ann", "Bob", "Cid", "Dora")
Match = str | re.Pattern[str] | Callable[[PostedMessage], Any]


GONE = "404 10008 DELETE"
"""The problem of a message that is deleted a second time."""


@dataclass
class Expectation:
    """A problem that a test provokes; one that is not optional has to come."""

    pattern: re.Pattern[str]
    optional: bool
    is_met: bool = False


class Double(Emulator):
    """A running Discord: `guild`, `channel`, `users` (`ann`, `bob`, `cid`, `dora`), and everything to break it with."""

    def __init__(self) -> None:
        super().__init__()
        self.users = {name: ScriptedUser(self, self.world.add_user(name)) for name in NAMES}
        self.ann, self.bob, self.cid, self.dora = (self.users[name] for name in NAMES)
        self.guild = self.world.add_guild("Railway Club", self.ann.account)
        for user in self.users.values():
            self.guild.members.setdefault(user.id, now())
        self.channel = self.world.add_channel(self.guild, "games")
        self.bots: list[BotProcess] = []
        self._expectations: list[Expectation] = []

    async def start(self) -> None:
        """Listen; whoever is slow only because the machine is busy has more time."""
        await super().start()
        self.interactions.waits = self._waits

    def _waits(self) -> Waits:
        return waits_of([os.getpid(), *(bot.pid for bot in self.bots if bot.is_running)])

    # -- the bot --------------------------------------------------------------------------------------

    async def launch(
        self,
        *command: str,
        data: Path | None = None,
        environment: Mapping[str, str] | None = None,
        wait: bool = True,
        is_fresh: bool = False,
    ) -> BotProcess:
        """Start a bot, by default `-m bot run` with its data in a folder; it is ended by the teardown."""
        more = dict(environment or {})
        if data is not None:
            more["SIGNALBOX_DATA"] = str(data)
            if not is_fresh:
                write_blank(data / "signalbox.db")
        bot = BotProcess(self, command or ("-m", "bot", "run"), more, is_fresh)
        self.bots.append(bot)
        await bot.start(wait)
        return bot

    @asynccontextmanager
    async def in_process(self, client: discord.Client, timeout: float = 60.0) -> AsyncIterator[discord.Client]:
        """Run a client inside the test, for tests that look into it; errors that it logs are problems."""
        before = point(self.url)
        client._connection.guild_ready_timeout = GUILD_WAIT
        handler = _Listener(self)
        logging.getLogger().addHandler(handler)
        task = asyncio.create_task(client.start(TOKEN))
        try:
            await self.pulse.until(lambda: self.gateway.live or task.done(), timeout, "the client")
            if task.done():
                task.result()
            await asyncio.wait_for(client.wait_until_ready(), timeout)
            yield client
        finally:
            await client.close()
            await asyncio.gather(task, return_exceptions=True)
            logging.getLogger().removeHandler(handler)
            restore(before)

    def log_tail(self) -> str:
        """The last lines of all bots."""
        return "\n".join(bot.tail() for bot in self.bots)

    # -- the world ------------------------------------------------------------------------------------

    def add_user(self, name: str, is_member: bool = True) -> ScriptedUser:
        """A further person."""
        user = self.users[name] = ScriptedUser(self, self.world.add_user(name))
        if is_member:
            self.guild.members[user.id] = now()
        return user

    def add_channel(self, name: str) -> Channel:
        """A further channel, of which the bot is told."""
        channel = self.world.add_channel(self.guild, name)
        self.gateway.dispatch("CHANNEL_CREATE", self.payloads.channel(channel), 1)
        return channel

    def add_forum(self, name: str, *tags: str, needs_tag: bool = False) -> Channel:
        """A further channel, a forum with these tags, of which the bot is told."""
        forum = self.world.add_forum(self.guild, name, tags, needs_tag)
        self.gateway.dispatch("CHANNEL_CREATE", self.payloads.channel(forum), 1)
        return forum

    @property
    def threads(self) -> list[Channel]:
        """All threads, oldest first."""
        return [channel for channel in self.world.channels.values() if channel.is_thread]

    def forbid(self, channel: Channel, *permissions: str) -> None:
        """Take permissions from the bot in a channel and its threads; the refusals are then expected."""
        self._deny(channel, self.world.bot, permissions)
        self.expect("403 (50001|50013)", optional=True)

    def forbid_user(self, user: ScriptedUser, channel: Channel, *permissions: str) -> None:
        """Take permissions from somebody in a channel and its threads."""
        self._deny(channel, user.account, permissions)

    def _deny(self, channel: Channel, user: User, permissions: Sequence[str]) -> None:
        bits = sum(PERMISSIONS[name] for name in permissions)
        channel.denied[user.id] = channel.denied.get(user.id, 0) | bits
        self.gateway.dispatch("CHANNEL_UPDATE", self.payloads.channel(channel), 1)

    def allow(self, channel: Channel) -> None:
        """Give everybody all permissions back."""
        channel.denied.clear()
        self.gateway.dispatch("CHANNEL_UPDATE", self.payloads.channel(channel), 1)

    def add_guild(self, name: str, shard: tuple[int, int] = (0, 1)) -> tuple[Guild, Channel]:
        """A further server with everybody in it, and its one channel; the bot is told. It is of that shard of so many."""
        guild = self.world.add_guild(name, self.ann.account, shard)
        for user in self.users.values():
            guild.members.setdefault(user.id, now())
        channel = self.world.add_channel(guild, "games")
        self.gateway.dispatch("GUILD_CREATE", self.payloads.guild(guild), 1)
        return guild, channel

    def remove_bot(self, guild: Guild) -> None:
        """Throw the bot out of a server: everything there is closed to it, which is then expected."""
        guild.members.pop(self.world.bot.id)
        self.gateway.dispatch("GUILD_DELETE", {"id": str(guild.id), "unavailable": False}, 1)
        self.expect("403 50001", optional=True)

    def remove_user(self, user: ScriptedUser) -> None:
        """Let a user leave the server; without a common one the bot's direct messages are refused with 50278."""
        self.guild.members.pop(user.id)
        gone = {"guild_id": str(self.guild.id), "user": self.payloads.user(user.account)}
        self.gateway.dispatch("GUILD_MEMBER_REMOVE", gone, 1 << 1)
        self.expect("403 50278", optional=True)

    def archive(self, thread: Channel) -> None:
        """Archive a thread, as Discord does after days of silence; a message brings it back."""
        thread.archived = True
        self.gateway.dispatch("THREAD_UPDATE", self.payloads.channel(thread), 1)

    def lock(self, thread: Channel, is_locked: bool = True) -> None:
        """Lock a thread and archive it, or open it again, as a moderator does; the refusals are then expected."""
        thread.archived = thread.locked = is_locked
        self.gateway.dispatch("THREAD_UPDATE", self.payloads.channel(thread), 1)
        self.expect("40[03] 50083", optional=True)

    def delete_channel(self, channel: Channel) -> None:
        """Delete a channel or a thread; the bot is told."""
        del self.world.channels[channel.id]
        self.gateway.dispatch(
            "THREAD_DELETE" if channel.is_thread else "CHANNEL_DELETE", self.payloads.channel(channel), 1
        )

    def go_down(self) -> None:
        """An outage of all of Discord: sockets are cut, and every request is answered with 503. Either side fails alone by
        `is_http_down` and `gateway.refuse`."""
        self.is_down = True
        self.gateway.drop()

    def come_back(self, is_session_lost: bool = True) -> None:
        """The outage is over; after a long one the session is lost."""
        if is_session_lost:
            self.gateway.invalidate()
        self.is_down = False

    def forget_nonces(self) -> None:
        """Let some minutes pass, after which Discord takes a repeated nonce for a new message."""
        for channel in self.world.channels.values():
            for message in channel.history.values():
                message.is_nonce_forgotten = True

    def pass_time(self, hours: float = 1.1) -> None:
        """Let all messages so far be that much older; their nonces are forgotten."""
        for channel in self.world.channels.values():
            for message in channel.messages:
                then = datetime.fromisoformat(message.timestamp) - timedelta(hours=hours)
                message.timestamp = then.isoformat()
        self.forget_nonces()

    def expire_tokens(self) -> None:
        """Let 15 minutes pass for all interactions so far."""
        for interaction in self.interactions.all:
            interaction.is_expired = True

    # -- waiting --------------------------------------------------------------------------------------

    async def wait_message(
        self,
        channel: Channel | Callable[[], Channel | None],
        match: Match = "",
        *,
        after: PostedMessage | None = None,
        timeout: float = 30.0,
    ) -> PostedMessage:
        """The first message of the bot that fits: a piece of its text, a pattern, or a question to it."""

        def look() -> PostedMessage | None:
            place = channel if isinstance(channel, Channel) else channel()
            for message in place.messages if place is not None else ():
                if (
                    message.author is self.world.bot
                    and (after is None or message.id > after.id)
                    and _fits(message, match)
                ):
                    return message
            return None

        try:
            found = await self.pulse.until(look, timeout, f"a message with {match!r}")
        except TimeoutError as error:
            raise AssertionError(f"{error}\n{self.log_tail()}") from None
        assert found is not None
        return found

    async def until(self, look: Callable[[], Any], timeout: float = 30.0, what: str = "") -> Any:
        """The first true value of a look at the world; it is looked again after every change."""
        return await self.pulse.until(look, timeout, what)

    async def idle(self, quiet: float = 0.15, timeout: float = 60.0) -> None:
        """Wait until the bot has asked nothing for `quiet` seconds."""
        loop = asyncio.get_running_loop()
        end = loop.time() + timeout
        while True:
            count = len(self.calls)
            await asyncio.sleep(quiet)
            if len(self.calls) == count and all(call.status for call in self.calls[-20:]):
                return
            if loop.time() > end:
                raise TimeoutError(f"the bot is still busy after {timeout} s")

    def count(self, pattern: str) -> int:
        """How many requests so far look like a pattern, e.g. `POST .*/messages$`."""
        look = re.compile(pattern)
        return sum(1 for call in self.calls if look.search(str(call)))

    # -- verdict --------------------------------------------------------------------------------------

    def expect(self, pattern: str, optional: bool = False) -> None:
        """Forgive problems that match, e.g. `"403 50007"`, `"400 50035"`, `"unanswered"`, `"log: .*ERROR"`, `"unknown route"`."""
        self._expectations.append(Expectation(re.compile(pattern), optional))

    def unexpected(self) -> list[str]:
        """Problems that no test asked for, and expected ones that did not come."""
        found = []
        was_killed = any(bot.was_killed for bot in self.bots)
        for problem in self.problems:
            if was_killed and GONE in problem:
                # A deletion of which nobody knew that it had been done.
                continue
            met = [each for each in self._expectations if each.pattern.search(problem)]
            for each in met:
                each.is_met = True
            if not met:
                found.append(problem)
        if any(is_ours(bot.command) for bot in self.bots):
            asked = {f"{call.method} {call.template}" for call in self.calls if call.template}
            found += [f"a route that the fault matrix does not have: {route}" for route in sorted(asked - USED)]
        missed = [each for each in self._expectations if not each.optional and not each.is_met]
        return found + [f"expected, but it did not come: {each.pattern.pattern}" for each in missed]

    async def close(self) -> None:
        """End the bots and the emulator, then judge.

        :raises AssertionError: there were problems that nobody expected.
        """
        if any(bot.is_running for bot in self.bots):
            await self._settle()
        for interaction in self.interactions.waiting():
            self.report(f"unanswered: {interaction} was still waiting at the end")
        for bot in self.bots:
            await (bot.terminate() if bot.is_running else bot.finish())
        await self.stop()
        if problems := self.unexpected():
            raise AssertionError(
                "\n".join(["what Discord would have held against the bot:", *problems, self.log_tail()])
            )

    async def _settle(self) -> None:
        try:
            await self.pulse.until(lambda: not self.interactions.waiting(), self.interactions.patience + 0.5)
        except TimeoutError:
            return


class _Listener(logging.Handler):
    """Reports errors logged inside the test's process."""

    def __init__(self, double: Double) -> None:
        super().__init__(logging.ERROR)
        self.double = double

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one."""
        self.double.report(f"log: {record.levelname} {record.name}: {record.getMessage()}")


def _fits(message: PostedMessage, match: Match) -> bool:
    if isinstance(match, str):
        return match in message.text
    return bool(match.search(message.text)) if isinstance(match, re.Pattern) else bool(match(message))
