"""The whole journey in Discord, through the double: lobby, auction, stock round, first operating round."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest_asyncio

from .conftest import shared_folder
from .double.model import CHANNEL
from .double.process import BotProcess
from .double.server import Double
from .double.user import Person


class Table:
    """A double, a bot, three people."""

    def __init__(self, double: Double, bot: BotProcess) -> None:
        self.double = double
        self.bot = bot
        self.ann, self.bob, self.cid = (Person(double, name) for name in ("Ann", "Bob", "Cid"))
        self.people = {"Ann": self.ann, "Bob": self.bob, "Cid": self.cid}
        self.thread = ""

    def posts(self) -> list[dict[str, Any]]:
        """What the bot posted in the thread for all, oldest first."""
        messages = self.double.world.messages.values()
        return [m for m in messages if m["channel_id"] == self.thread and m["author"].get("bot") and "private" not in m]

    def pings(self) -> list[dict[str, Any]]:
        """Posts that ping somebody."""
        return [message for message in self.posts() if message["content"].startswith("<@")]

    def boards(self) -> list[dict[str, Any]]:
        """Posts with map and market."""
        return [message for message in self.posts() if message["attachments"]]

    async def open(self) -> None:
        """Lobby and start, seats as joined."""
        lobby = await self.ann.slash("game new", title="1848")
        assert "1848 Australia" in lobby["content"]
        await self.bob.click(lobby, "Join")
        await self.cid.slash("game join")
        assert "Bob" in self.double.world.messages[lobby["id"]]["content"]
        answer = await self.ann.slash("game start", order="list")
        assert "begun" in answer["content"]
        self.thread = next(c["id"] for c in self.double.world.channels.values() if c["type"] == 11)
        await self.double.wait_for(self.pings, "the first question")

    async def turn(self) -> tuple[Person, dict[str, Any]]:
        """Whose turn it is, from the last ping."""
        ping = self.pings()[-1]
        person = next(p for p in self.people.values() if f"<@{p.id}>" in ping["content"])
        return person, ping

    async def move(self, text: str, way: str = "slash") -> None:
        """The player in turn moves, and the next question comes."""
        person, ping = await self.turn()
        pings, boards = len(self.pings()), len(self.boards())
        if way == "click":
            await person.click(ping, text)
        elif way == "say":
            await person.say(self.thread, text)
        else:
            answer = await person.slash("move", self.thread, move=text)
            assert answer["private"]
        await self.double.wait_for(lambda: len(self.boards()) > boards, f"the board after {text}")
        if "pass" not in text and "loan" not in text:
            await self.double.wait_for(lambda: len(self.pings()) >= pings, f"a question after {text}")


@pytest_asyncio.fixture
async def table(tmp_path: Path) -> AsyncIterator[Table]:
    """A running bot; afterwards nothing may be wrong."""
    double = Double(shared_folder())
    await double.start()
    bot = BotProcess(double, tmp_path)
    await bot.start()
    yield Table(double, bot)
    await bot.terminate()
    await double.stop()
    assert bot.errors() == []
    assert double.problems == []
    unanswered = [entry["data"] for entry in double.interactions.values() if entry.get("answer") is None]
    assert unanswered == []
    assert "double.secret.token" not in bot.log


AUCTION = (("buy P1 for 30", "click"), ("buy p2", "say"), ("buy P3 for 110", "slash"))


async def sell_all(table: Table) -> None:
    """All privates, by button, text and command."""
    for text, way in (*AUCTION, ("buy P4 for 170", "click"), ("buy p5", "say"), ("buy P6", "slash")):
        await next_ping(table, text, way)


async def next_ping(table: Table, text: str, way: str = "slash") -> None:
    """A move after which somebody else is asked."""
    before = len(table.pings())
    await table.move(text, way)
    await table.double.wait_for(lambda: len(table.pings()) > before, f"the next question after {text}")


async def test_lobby_to_first_operating_round(table: Table) -> None:
    await table.open()
    first = table.boards()[0]
    assert [entry["filename"] for entry in first["attachments"]] == ["map.png", "market.png"]
    assert all(20 < len(entry["description"]) <= 1024 for entry in first["attachments"])
    assert all(table.double.world.files[entry["id"]].startswith(b"\x89PNG") for entry in first["attachments"])
    await sell_all(table)
    for text in ("par VR 90", "par NSW 80", "buy CAR", "buy CAR", "buy CAR", "buy CAR", "pass", "pass"):
        await next_ping(table, text)
    await table.move("pass")
    await next_ping(table, "CAR: lay 57 E4 to F5; buy 2; pass", "say")
    assert any("CAR buys a 2 train" in board["content"] for board in table.boards())
    choices = await (await table.turn())[0].complete("move", table.thread, "move", "buy")
    assert choices
    assert all(choice.startswith("buy") for choice in choices)


async def test_refusals_reach_their_author_alone_and_change_nothing(table: Table) -> None:
    await table.open()
    boards = len(table.boards())
    answer = await table.bob.slash("move", table.thread, move="buy P1")
    assert answer["private"]
    assert "Ann" in answer["content"]
    answer = await table.ann.slash("move", table.thread, move="lay 57 H11 2")
    assert "not possible now" in answer["content"]
    answer = await table.ann.slash("move", table.thread, move="x" * 3000)
    assert "2000" in answer["content"]
    await table.bob.say(table.thread, "buy P1")
    direct = await table.double.wait_for(
        lambda: [m for m in table.double.world.messages.values() if m["channel_id"].startswith("3")], "a direct message"
    )
    assert "Ann" in direct[0]["content"]
    assert len(table.boards()) == boards


async def test_direct_messages_refused_fall_back_to_the_thread(table: Table) -> None:
    await table.open()
    table.double.expected_codes.add(50007)
    table.double.world.closed_to_messages.add(table.bob.id)
    await table.bob.say(table.thread, "buy P1")
    await table.double.wait_for(
        lambda: any("Ann" in m["content"] for m in table.posts()[2:]), "the answer in the thread"
    )


async def test_a_stale_button_does_nothing(table: Table) -> None:
    await table.open()
    _, old = await table.turn()
    await next_ping(table, "buy P1 for 30", "click")
    answer = await table.ann.click(old, "buy P2 for 70")
    assert "moved on" in answer["content"]


async def test_kill_and_restart_in_mid_turn(table: Table) -> None:
    await table.open()
    await next_ping(table, "buy P1 for 30", "click")
    boards, pings = len(table.boards()), len(table.pings())
    await table.bot.kill()
    await table.bot.start()
    _, ping = await table.turn()
    await table.bob.click(ping, "buy P2 for 70")
    await table.double.wait_for(lambda: len(table.pings()) > pings, "the next question")
    assert len(table.boards()) == boards + 1
    assert len(table.pings()) == pings + 1
    commands = [path for method, path in table.double.requests if method == "PUT"]
    assert len(commands) == 1


async def test_a_dropped_gateway_is_resumed(table: Table) -> None:
    await table.open()
    await table.double.drop_gateway()
    await table.double.wait_for(lambda: table.double.resumed, "a resume")
    await next_ping(table, "buy P1 for 30", "slash")


async def test_rate_limits_and_server_errors_lose_nothing(table: Table) -> None:
    await table.open()
    table.double.faults += [("messages", 429), ("messages", 503)]
    await next_ping(table, "buy P1 for 30", "slash")
    await next_ping(table, "buy P2 for 70", "slash")
    assert len(table.boards()) == 3


async def test_looking(table: Table) -> None:
    await table.open()
    for command, values in (
        ("map", {}),
        ("map", {"around": "G10"}),
        ("market", {}),
        ("status", {}),
        ("tiles", {}),
        ("log", {}),
        ("help", {}),
        ("games", {}),
        ("export", {}),
        ("show", {"name": "VR"}),
        ("show", {"name": "Ann"}),
        ("routes", {"company": "VR"}),
    ):
        answer = await table.ann.slash(command, table.thread, **values)
        assert answer["content"], command
    answer = await table.ann.slash("map", CHANNEL)
    assert answer["content"]


async def test_undo_rewind_and_moderation(table: Table) -> None:
    await table.open()
    await next_ping(table, "buy P1 for 30")
    answer = await table.ann.slash("undo", table.thread)
    assert "takes back" in answer["content"]
    answer = await table.bob.slash("moderate rewind", table.thread, record=0)
    assert "moderator" in answer["content"].lower()
    answer = await table.ann.slash("moderate status", table.thread, status="paused")
    assert "paused" in answer["content"]
    answer = await table.ann.slash("move", table.thread, move="buy P1")
    assert "paused" in answer["content"]
