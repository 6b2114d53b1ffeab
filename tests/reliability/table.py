"""A game of 1848 with Ann, Bob and Cid in a thread of the double, for tests that break things around it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from bot.commands.discord.message_slots import AGAIN
from bot.store import Server
from tests.discord_double.double import Double
from tests.discord_double.launcher import BotProcess
from tests.discord_double.model import Channel, PostedMessage
from tests.discord_double.nursery import REPOSITORY
from tests.discord_double.user import Reply, ScriptedUser
from tests.store.postgres_cluster import execute

PATIENCE = 60.0

BLANK_BOT = str(REPOSITORY / "tests/reliability/blank_bot.py")

AUCTION = ("buy P1", "buy P2", "buy P3", "buy P4", "buy P5", "buy P6")
"""Moves that are legal in this order, each by the next of the three."""


def environment_of(place: Path | Server) -> dict[str, str]:
    """What tells a bot where its database is: nothing for the file of its data folder."""
    return {"SIGNALBOX_DATABASE_URL": place.text} if isinstance(place, Server) else {}


class Table:
    """The table as its players see it, and its database as the operator sees it."""

    def __init__(self, double: Double, bot: BotProcess, data: Path, place: Path | Server | None = None) -> None:
        self.double = double
        self.bot = bot
        self.data = data
        self.place = place or data / "signalbox.db"
        self.people = (double.ann, double.bob, double.cid)
        self.home: Channel | None = None

    @property
    def thread(self) -> Channel:
        """Where the game is played."""
        if self.home is not None:
            return self.home
        return self.double.threads[-1]

    async def open(self, forum: Channel | None = None) -> None:
        """Lobby and start, seats in the order of joining, with the first board and question posted: in a thread, or as a post."""
        ann, bob, cid = self.people
        home = {"forum": forum} if forum is not None else {}
        lobby = await ann.slash("game new", self.double.channel, title="1848", **home)
        card = self.thread.history[self.thread.id] if forum is not None else lobby.message
        await bob.click(card, "Join")
        await cid.click(card, "Join")
        await ann.slash("game start", card.channel, order="list")
        await self.wait(lambda: self.pings() and self.boards(), "the first question and record")

    def posts(self) -> list[PostedMessage]:
        """What the bot posted for all."""
        bot = self.double.world.bot
        return [m for m in self.thread.messages if m.author is bot and not m.ephemeral and not m.interaction]

    def boards(self, piece: str = "") -> list[PostedMessage]:
        """Posts of what happened, with a piece of text."""
        return [m for m in self.posts() if not said(m).startswith("<@") and piece in m.text]

    def pings(self, person: ScriptedUser | None = None) -> list[PostedMessage]:
        """Posts that ask somebody."""
        asked = person.mention if person else "<@"
        return [m for m in self.posts() if said(m).startswith(asked)]

    async def wait(self, look: Callable[[], Any], what: str) -> Any:
        """Wait until something is so."""
        return await self.double.until(look, PATIENCE, what)

    async def move(self, number: int, wait: float = PATIENCE) -> Reply:
        """The move of that number (from 0) of the auction."""
        return await self.people[number % 3].slash("move", self.thread, move=AUCTION[number], wait=wait)

    async def moved(self, number: int) -> Reply:
        """As `move`; waits until everybody was told, too."""
        reply = await self.move(number)
        await self.wait(lambda: self.boards(f"buys P{number + 1}"), f"the board after {AUCTION[number]}")
        return reply

    def rows(self, query: str) -> list[Any]:
        """What the database says."""
        return execute(self.place, query)

    def write(self, *statements: str) -> None:
        """Change the database behind the bot's back."""
        execute(self.place, *statements)

    def moves(self) -> list[str]:
        """The text of every move that is saved, in order."""
        return [text for (text,) in self.rows("SELECT text FROM moves WHERE kind = 'move' ORDER BY number")]


def said(message: PostedMessage) -> str:
    """What a post says, without the mark of a repetition."""
    return message.text.removeprefix(AGAIN)
