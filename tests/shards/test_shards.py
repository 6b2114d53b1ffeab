"""Two and three bots on the shards of one community: every game is told by its own bot alone, whatever happens to one of them."""

from __future__ import annotations

import asyncio
import contextlib
import json
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from bot.engine.titles.registry import EDITIONS, TITLES
from bot.store import Store
from bot.store.engines.share import Share, Wanted
from bot.tables.tables import Tables
from tests.discord_double.launcher import BotProcess
from tests.shards.community import Community

pytestmark = pytest.mark.postgres

NEVER = "10000"
"""Seconds until a bot looks into its outbox by itself."""


@asynccontextmanager
async def at_the_tables(community: Community, share: Share | None = None) -> AsyncIterator[Tables]:
    """A program that makes moves on the same database: one of the bots (with a share), or one that knows nothing of them."""
    store = await Store.open(community.server, is_bot=share is not None, share=share)
    try:
        yield Tables(store, TITLES, editions=EDITIONS)
    finally:
        await store.close()


async def health(bot: BotProcess) -> tuple[bool, str]:
    """What a bot tells whoever asks how it is: whether it plays, and how it is connected."""
    port = bot.environment["SIGNALBOX_PORT"]

    def ask() -> tuple[bool, str]:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/ready", timeout=10) as answer:
                told = json.load(answer)
        except urllib.error.HTTPError as error:
            told = json.load(error)
        return told["ok"], told["gateway"]

    for _ in range(200):
        with contextlib.suppress(ConnectionRefusedError, urllib.error.URLError):
            return await asyncio.to_thread(ask)
        await asyncio.sleep(0.1)
    raise AssertionError("it does not tell how it is")


async def test_every_game_is_told_by_the_bot_of_its_shard_alone(community: Community, unused_tcp_port: int) -> None:
    first = await community.bot("0-1/4", SIGNALBOX_PORT=str(unused_tcp_port))
    second = await community.bot("2-3/4")
    await community.served()
    await asyncio.gather(*(club.open() for club in community.clubs))
    for _ in range(2):
        await asyncio.gather(*(club.moved() for club in community.clubs))
    await community.settled()
    for club in community.clubs:
        assert club.tellers() == {(first if club.shard < 2 else second).pid}
    assert await health(first) == (True, "ready")
    done = "does what is done once for all"
    assert sum(done in line for bot in (first, second) for line in bot.lines) == 1
    assert community.double.count("PUT /applications/.*/commands") == 1


async def test_what_has_no_place_is_told_by_the_bot_of_shard_0(community: Community) -> None:
    await community.bot("1-3/4")
    first = await community.bot("0/4")
    await community.served()
    people = community.clubs[0].people
    async with at_the_tables(community) as tables:
        game = await tables.lobby.create("1848", "console:1", [(f"discord:{one.id}", one.name) for one in people])
        await tables.lobby.start(game, "console:1", "list")
    ann = people[0]
    asked = await community.double.wait_message(lambda: ann.dm, "Buy a private")
    calls = [call for call in community.double.calls if call.path.startswith(f"/channels/{ann.dm.id}/")]
    assert {call.sender for call in calls} == {first.pid}
    reply = await ann.click(asked, "buy P1 for 30")
    assert "P1" in reply.text, reply.text


async def test_a_move_that_another_bot_saves_is_told_at_once(community: Community) -> None:
    bot = await community.bot("0-3/4", SIGNALBOX_DOUBLE_POLL=NEVER)
    await community.served()
    club = community.clubs[2]
    await club.open()
    await community.settled()
    async with at_the_tables(community, Share(Wanted.read("auto/4"))) as tables:
        await tables.play.play(club.game, f"discord:{club.people[0].id}", "buy P1")
        club.made += 1
        await club.told()
    assert club.tellers() == {bot.pid}


async def test_a_move_whose_word_is_lost_is_found_by_looking(community: Community) -> None:
    await community.bot("0-3/4")
    await community.served()
    club = community.clubs[1]
    await club.open()
    await community.settled()
    async with at_the_tables(community) as tables:
        await tables.play.play(club.game, f"discord:{club.people[0].id}", "buy P1")
        club.made += 1
        await club.told()


async def test_a_spare_takes_the_shards_of_a_bot_that_was_killed(community: Community, unused_tcp_port: int) -> None:
    first = await community.bot("auto/4")
    await community.served()
    spare = await community.bot("auto/4", wait=False, SIGNALBOX_PORT=str(unused_tcp_port))
    await spare.logged("logging in")
    await asyncio.gather(*(club.open() for club in community.clubs[:2]))
    one, other = community.clubs[:2]
    assert await health(spare) == (False, "connecting")
    await one.move()
    await first.kill()
    await community.served()
    await asyncio.gather(one.told(), other.moved())
    await one.moved()
    await community.settled()
    assert one.tellers() == {first.pid, spare.pid}
    assert await health(spare) == (True, "ready")
