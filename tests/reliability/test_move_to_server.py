"""A community moves from a file to a server with two bots in the middle of its turns, as docs/reference/scaling.md says, and back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from bot.cli.main import main
from bot.commands.discord.message_slots import AGAIN
from tests.discord_double.double import Double
from tests.discord_double.fixtures import double as double
from tests.discord_double.model import PostedMessage
from tests.discord_double.user import ScriptedUser
from tests.reliability.table import AUCTION, BLANK_BOT
from tests.shards.community import Club, Community
from tests.store.postgres_cluster import cluster, execute

pytestmark = pytest.mark.postgres

AGED = "UPDATE clocks SET due_at = 1, since = since - 1000000, reminded_at = reminded_at - 1000000 WHERE game = {}"


@pytest_asyncio.fixture
async def community(double: Double, tmp_path: Path) -> AsyncIterator[Community]:
    """Four servers, one a shard, a database without tables, and no bot yet."""
    server = cluster().fresh(None)
    yield Community(double, server, tmp_path / "data")
    for bot in double.bots:
        if bot.is_running:
            await bot.terminate()
    cluster().drop(server)


def button(post: PostedMessage, beginning: str) -> str:
    """Its button whose label begins so."""
    return next(button.label for button in post.buttons if button.label.startswith(beginning))


def told(club: Club, what: str) -> int:
    """How often that is said in its thread to all."""
    return sum(post.text.count(what) for post in club.posts() if not post.text.removeprefix(AGAIN).startswith("<@"))


def reminders(club: Club) -> list[PostedMessage]:
    """What was said to whoever holds it up."""
    return [post for post in club.posts() if "Reminder" in post.text]


async def pressed(person: ScriptedUser, panel: PostedMessage, label: str, *chosen: str) -> PostedMessage:
    """A private panel after a button of it, or choices from its menu."""
    edits = panel.edits
    await (person.select(panel, *chosen) if chosen else person.click(panel, label))
    await person.double.until(lambda: panel.edits > edits, 60, f"what comes of {label}")
    return panel


async def in_stock_round(club: Club) -> None:
    """The auction is over; Ann is asked for shares."""
    await club.open()
    for _ in AUCTION:
        await club.move()
    await club.community.until(lambda: asked(club, "Buy or sell shares"), "the stock round")


def asked(club: Club, what: str) -> list[PostedMessage]:
    """The questions with these words whose buttons stand."""
    return [post for post in club.posts() if what in post.text and post.text.startswith("<@") and post.buttons]


async def test_turns_go_on_from_a_file_to_two_bots_on_a_server_and_back(
    community: Community, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    double, server, data, back = community.double, community.server, tmp_path / "data", tmp_path / "back"
    stocks, auction = community.clubs[1], community.clubs[2]
    monkeypatch.setenv("SIGNALBOX_DATA", str(data))
    monkeypatch.setenv("SIGNALBOX_BACKUPS", str(tmp_path / "backups"))

    # On a file, one bot. Ann has composed half of her turn, Bob has ordered to pass, Cid is late elsewhere.
    bot = await double.launch(BLANK_BOT, data=data)
    await in_stock_round(stocks)
    await auction.open()
    await auction.moved()
    await auction.moved()
    ann, bob, cid = stocks.people
    await bob.slash("auto pass", stocks.thread)
    panel = await ann.click(asked(stocks, "Buy or sell shares")[-1], "My turn")
    await pressed(ann, panel.message, "par …")
    await pressed(ann, panel.message, "", "VR")
    await double.idle()
    assert await bot.terminate() == 0
    execute(data / "signalbox.db", AGED.format(auction.game))

    # To the server: two bots with half of the shards each, and a queue.
    assert await asyncio.to_thread(main, ["move-database", "--to", server.text]) == 0
    monkeypatch.setenv("SIGNALBOX_DATABASE_URL", server.text)
    assert await asyncio.to_thread(main, ["worker", "--prepare"]) == 0
    since = len(double.calls)
    bots = [await community.bot("0-1/4"), await community.bot("2-3/4")]
    await community.served()
    await community.until(lambda: reminders(auction), "Cid's reminder")
    await pressed(ann, panel.message, "", "£90")
    await pressed(ann, panel.message, "Do it: par VR 90")
    await community.until(lambda: told(stocks, "(planned)") == 1, "Bob's order")
    await cid.click(asked(auction, cid.mention)[-1], button(asked(auction, cid.mention)[-1], "buy P3"))
    await community.until(lambda: told(auction, "buys P3") == 1 and asked(auction, ann.mention), "Cid's move")
    await community.until(lambda: asked(stocks, cid.mention), "Cid's turn")
    await community.settled()
    assert [stocks.tellers(since), auction.tellers(since)] == [{bots[0].pid}, {bots[1].pid}]
    assert await asyncio.to_thread(main, ["backup"]) == 0
    assert [await each.terminate() for each in bots] == [0, 0]

    # And back into a file.
    assert await asyncio.to_thread(main, ["move-database", "--to", f"{back}/"]) == 0
    monkeypatch.delenv("SIGNALBOX_DATABASE_URL")
    bot = await double.launch(BLANK_BOT, environment={"SIGNALBOX_DATA": str(back)})
    await ann.click(asked(auction, ann.mention)[-1], button(asked(auction, ann.mention)[-1], "buy P4"))
    await cid.click(asked(stocks, cid.mention)[-1], "pass")
    await community.until(lambda: asked(stocks, ann.mention), "Ann's turn")
    await ann.click(asked(stocks, ann.mention)[-1], button(asked(stocks, ann.mention)[-1], "buy"))
    await community.until(lambda: told(stocks, "(planned)") == 2, "Bob's order again")
    await community.until(lambda: told(auction, "buys P4") == 1 and asked(auction, bob.mention), "Ann's move")
    await double.idle()
    assert await bot.terminate() == 0
    assert execute(back / "signalbox.db", "SELECT game FROM outbox WHERE kind = 'reminder'") == [(auction.game,)]
    for number in range(4):
        assert told(auction, f"buys P{number + 1}") == 1
    monkeypatch.setenv("SIGNALBOX_DATA", str(back))
    assert await asyncio.to_thread(main, ["doctor"]) == 0
