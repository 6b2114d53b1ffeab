"""Servers of several shards, each with a game of 1848 of Ann, Bob and Cid, and the bots that serve them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bot.commands.discord.message_slots import AGAIN
from bot.store import Server
from tests.discord_double.double import Double
from tests.discord_double.launcher import BotProcess
from tests.discord_double.model import Channel, PostedMessage
from tests.discord_double.user import Reply
from tests.reliability.table import AUCTION, BLANK_BOT, PATIENCE
from tests.store.postgres_cluster import execute

SHARDS = 4
HOLDERS = "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND classid = 7284 AND objid = {shard}"


class Club:
    """A server of one shard, and its game."""

    def __init__(self, community: Community, shard: int) -> None:
        self.community, self.shard = community, shard
        self.double = community.double
        self.guild, self.channel = self.double.add_guild(f"Club {shard}", (shard, SHARDS))
        self.people = (self.double.ann, self.double.bob, self.double.cid)
        self.spot: Channel | None = None
        """Where its game has been moved to."""
        self.game = 0
        self.made = 0

    @property
    def threads(self) -> list[Channel]:
        """Those of its channel: none before its game is told there. A game that has been moved is told in that channel."""
        if self.spot is not None:
            return [self.spot]
        return [thread for thread in self.double.threads if thread.parent is self.channel]

    @property
    def thread(self) -> Channel:
        """Where its game is played."""
        return self.threads[0]

    async def open(self, title: str = "1848") -> None:
        """Lobby and start; waits for the first question."""
        lobby = await self.people[0].slash("game new", self.channel, title=title)
        for person in self.people[1:]:
            await person.click(lobby, "Join")
        await self.people[0].slash("game start", self.channel, order="list")
        await self.community.until(lambda: self.asked(0), "the first question")
        self.game = int(self.thread.name.rpartition("#")[2])

    async def move(self, wait: float = PATIENCE) -> Reply:
        """The next move of the auction."""
        person = self.people[self.made % 3]
        reply = await person.slash("move", self.thread, move=AUCTION[self.made], wait=wait)
        assert f"P{self.made + 1}" in reply.text, reply.text
        self.made += 1
        return reply

    async def moved(self) -> None:
        """As `move`; waits until everybody was told."""
        await self.move()
        await self.told()

    async def told(self) -> None:
        """Until what was made is told, and the next one is asked."""
        try:
            await self.community.until(lambda: self.is_told(), f"all of club {self.shard} to be told")
        except TimeoutError as error:
            posts = "\n".join(post.text for post in self.posts())
            raise AssertionError(f"{error}\n{posts}\n{self.double.log_tail()}") from None

    def is_told(self) -> bool:
        """Whether the last move stands there once, and the next question."""
        records = [one for one in self.posts() if f"buys P{self.made}" in one.text and "<@" not in one.text[:12]]
        return (not self.made or len(records) == 1) and len(self.asked(self.made)) == 1

    def posts(self) -> list[PostedMessage]:
        """What bots have posted for all."""
        bot = self.double.world.bot
        messages = [message for thread in self.threads for message in thread.messages]
        return [one for one in messages if one.author is bot and not one.ephemeral and not one.interaction]

    def asked_ever(self) -> list[PostedMessage]:
        """All questions and reminders, also those that have been deleted since."""
        sent = [message for thread in self.threads for message in thread.history.values()]
        return [
            one for one in sent if one.author is self.double.world.bot and one.text.removeprefix(AGAIN).startswith("<@")
        ]

    def asked(self, number: int) -> list[PostedMessage]:
        """The questions to whoever makes that move."""
        mention = self.people[number % 3].mention
        return [post for post in self.posts() if post.text.removeprefix(AGAIN).startswith(mention)]

    def told_by(self, since: int = 0) -> list[int]:
        """The process behind every request that sent or changed a message there, from that one on."""
        places = (f"/channels/{self.thread.id}/", f"/channels/{self.channel.id}/")
        calls = self.double.calls[since:]
        return [call.sender for call in calls if call.method != "GET" and call.path.startswith(places)]

    def tellers(self, since: int = 0) -> set[int]:
        """The processes that have sent or changed messages there, from that request on."""
        return set(self.told_by(since))


class Community:
    """All of it."""

    def __init__(self, double: Double, server: Server, folder: Path) -> None:
        self.double, self.server, self.folder = double, server, folder
        self.clubs = [Club(self, shard) for shard in range(SHARDS)]
        double.expect("never retrieved|404 10008 DELETE", optional=True)

    async def bot(self, shards: str, wait: bool = True, program: str = BLANK_BOT, **more: str) -> BotProcess:
        """Start a bot that serves these shards, and wait until it does."""
        environment = {
            "SIGNALBOX_DATA": str(self.folder),
            "SIGNALBOX_DATABASE_URL": self.server.text,
            "SIGNALBOX_SHARDS": shards,
            **more,
        }
        found = await self.double.launch(program, environment=environment, wait=False)
        if wait:
            await found.logged("ready as", PATIENCE)
        return found

    async def until(self, look: Callable[[], Any], what: str, timeout: float = PATIENCE) -> Any:
        """Wait until something is so."""
        return await self.double.until(look, timeout, what)

    async def served(self, *shards: int) -> None:
        """Until these shards, or all, have a session."""
        wanted = set(shards or range(SHARDS))
        await self.until(lambda: wanted <= self.double.gateway.shards, f"shards {wanted}")

    def rows(self, query: str) -> list[Any]:
        """What the database says."""
        return execute(self.server, query)

    def holder(self, shard: int) -> int | None:
        """The session of the database that holds a shard."""
        return next((pid for (pid,) in self.rows(HOLDERS.format(shard=shard))), None)

    async def settled(self) -> None:
        """Until nothing waits to be posted."""
        for _ in range(300):
            if self.rows("SELECT count(*) FROM outbox WHERE posted_at IS NULL") == [(0,)]:
                await self.double.idle()
                return
            await asyncio.sleep(0.1)
        raise AssertionError(f"the outbox is never empty\n{self.double.log_tail()}")
