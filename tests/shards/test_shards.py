"""Two and three bots on the shards of one community: every game is told by its own bot alone, whatever happens to one of them."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import groupby

import pytest

from bot.service.game_service import GameService
from bot.store import Store
from bot.store.backends.shard_lease import ShardLease, ShardSpec
from bot.titles.registry import OLDER_VERSIONS, TITLES
from tests.discord_double.launcher import BotProcess
from tests.shards.community import Community
from tests.store.postgres_cluster import taken_over

pytestmark = pytest.mark.postgres

NEVER = "10000"
"""Seconds until a bot looks into its outbox, or for reminders, by itself."""


@asynccontextmanager
async def at_the_tables(community: Community, share: ShardLease | None = None) -> AsyncIterator[GameService]:
    """A program that makes moves on the same database: one of the bots (with a share), or one that knows nothing of them."""
    store = await Store.open(community.server, is_bot=share is not None, share=share)
    try:
        yield GameService(store, TITLES, editions=OLDER_VERSIONS)
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
    bot = await community.bot("0-3/4", SIGNALBOX_DOUBLE_POLL=NEVER, SIGNALBOX_DOUBLE_SWEEP=NEVER)
    await community.served()
    club = community.clubs[2]
    await club.open()
    await community.settled()
    async with at_the_tables(community, ShardLease(ShardSpec.parse("auto/4"))) as tables:
        await tables.moves.submit(club.game, f"discord:{club.people[0].id}", "buy P1")
        club.made += 1
        await club.told()
    assert club.tellers() == {bot.pid}


async def test_a_move_whose_word_is_lost_is_found_by_looking(community: Community) -> None:
    await community.bot("0-3/4", SIGNALBOX_DOUBLE_SWEEP=NEVER)
    await community.served()
    club = community.clubs[1]
    await club.open()
    await community.settled()
    async with at_the_tables(community) as tables:
        await tables.moves.submit(club.game, f"discord:{club.people[0].id}", "buy P1")
        club.made += 1
        await club.told()


async def test_a_spare_takes_the_shards_of_a_bot_that_was_killed(community: Community, unused_tcp_port: int) -> None:
    first = await community.bot("auto/4")
    await community.served()
    spare = await community.bot("auto/4", wait=False, SIGNALBOX_PORT=str(unused_tcp_port))
    await spare.logged("logging in")
    one, other, ordered = community.clubs[:3]
    await asyncio.gather(one.open(), other.open(), ordered.open("1830"))
    ann, bob, _ = ordered.people
    await bob.slash("auto say", ordered.thread, order="bid CS up to 200")
    assert await health(spare) == (False, "connecting")
    await one.move()
    await first.kill()
    await community.served()
    await asyncio.gather(one.told(), other.moved(), ann.slash("move", ordered.thread, move="bid CS 45"))
    await one.moved()
    bids = community.rows(f"SELECT text, auto FROM moves WHERE game = {ordered.game} AND kind = 'move' ORDER BY number")
    assert bids == [("@1 bid CS 45", False), ("@2 bid CS 50", True)], "the order goes on"
    await community.settled()
    assert one.tellers() == {first.pid, spare.pid}
    assert await health(spare) == (True, "ready")


async def test_a_bot_whose_session_is_ended_takes_its_shards_back(community: Community) -> None:
    bot, _ = await community.bot("auto:2/4"), await community.bot("auto:2/4")
    await community.served()
    club = community.clubs[0]
    await club.open()
    holder = community.holder(0)
    community.double.expect("log: .*ERROR signalbox.store: database", optional=True)
    community.rows(f"SELECT pg_terminate_backend({holder})")
    await bot.logged(": the shards are held again")
    assert community.holder(0) not in (None, holder)
    await club.moved()
    await community.settled()
    assert club.tellers() == {bot.pid}
    assert len(community.double.gateway.connections) == 4, "nobody has left Discord for that"


async def test_a_bot_that_lost_a_shard_neither_writes_nor_posts(community: Community) -> None:
    bot = await community.bot("auto/4")
    await community.served()
    club, other = community.clubs[0], community.clubs[1]
    await asyncio.gather(club.open(), other.open())
    await community.settled()
    community.double.expect("log: .*(database|shard|begins anew)", optional=True)
    async with taken_over(community.server, 0):
        await bot.logged("Another bot has shard 0. This bot begins anew")
        await community.until(lambda: len(community.double.gateway.connections) == 7, "new sessions")
        await community.served(1, 2, 3)
        await other.moved()
        before = len(community.double.calls)
        async with at_the_tables(community) as tables:
            await tables.moves.submit(club.game, f"discord:{club.people[0].id}", "buy P1")
        club.made += 1
        await asyncio.sleep(3)
        assert not club.tellers(before), "its game is somebody else's"
        assert community.double.gateway.shards == {1, 2, 3}
    await community.served()
    await club.told()
    await club.moved()
    assert bot.is_running and club.tellers() == {bot.pid}


async def test_a_bot_that_stood_still_while_another_took_its_shards_saves_and_posts_nothing(
    community: Community,
) -> None:
    first = await community.bot("auto/4")
    await community.served()
    club = community.clubs[0]
    await club.open()
    await community.settled()
    spare = await community.bot("auto/4", wait=False)
    await spare.logged("logging in")
    community.double.expect("log: .*(database|shard|begins anew)|unanswered|10062|10015|gateway: shard", optional=True)
    stopped = first.pid
    os.kill(stopped, signal.SIGSTOP)
    moving = asyncio.create_task(club.people[0].slash("move", club.thread, move="buy P1"))
    try:
        await asyncio.sleep(0.2)
        community.rows(f"SELECT pg_terminate_backend({community.holder(0)})")
        await spare.logged("with shard 3")
        async with at_the_tables(community) as tables:
            await tables.moves.submit(club.game, f"discord:{club.people[0].id}", "buy P2")
        club.made += 1
        await community.until(lambda: club.asked(1), "the next question")
    finally:
        os.kill(stopped, signal.SIGCONT)
    await first.logged("This bot begins anew")
    moving.cancel()
    await asyncio.gather(moving, return_exceptions=True)
    assert community.rows("SELECT text FROM moves WHERE kind = 'move'") == [("@1 buy P2 for 70",)]
    await club.people[1].slash("move", club.thread, move="buy P1")
    await community.until(lambda: club.asked(2), "the question after it")
    await community.settled()
    tellers = [sender for sender, _ in groupby(club.told_by())]
    assert tellers == [stopped, spare.pid]


async def test_a_game_goes_to_a_server_of_another_bot(community: Community) -> None:
    first, second = await community.bot("0-1/4"), await community.bot("2-3/4")
    await community.served()
    club, there = community.clubs[0], community.clubs[3]
    await club.open()
    await club.moved()
    await community.settled()
    old, before = club.thread, len(community.double.calls)
    bob, ann = club.people[1], club.people[0]
    refused = await bob.slash("moderate here", there.channel, game=club.game)
    assert "moderat" in refused.text and community.rows("SELECT guild FROM places") == [(str(club.guild.id),)]
    reply = await ann.slash("moderate here", there.channel, game=club.game)
    assert reply.text == f"Game {club.game} continues here."
    club.spot = there.channel
    await community.until(lambda: club.asked(1), "the question at the new place")
    await community.settled()
    told = [call for call in community.double.calls[before:] if call.method != "GET" and call.path.startswith("/chan")]
    assert {call.sender for call in told} == {second.pid}
    assert len([one for one in old.messages if "moves game" in one.text]) == 1
    assert not community.rows("SELECT 1 FROM places WHERE trouble IS NOT NULL")
    await club.moved()
    assert first.is_running


async def test_who_left_the_server_of_another_bot_has_no_rights_there(community: Community) -> None:
    await asyncio.gather(community.bot("0-1/4"), community.bot("2-3/4"))
    await community.served()
    club, elsewhere = community.clubs[0], community.clubs[3]
    await club.open()
    await community.settled()
    before = community.rows("SELECT * FROM places")
    community.double.expect("404 10007")
    club.guild.members.pop(club.people[0].id)
    refused = await club.people[0].slash("moderate here", elsewhere.channel, game=club.game)
    assert community.rows("SELECT * FROM places") == before, refused.text


async def test_no_shard_goes_silent_since_its_gateway_fails_or_sends_what_nobody_can_read(community: Community) -> None:
    double = community.double
    double.gateway.refuse(4000)
    await community.bot("0-3/4", wait=False)
    await double.until(lambda: len(double.gateway.connections) > len(community.clubs), 60, "connections that fail")
    double.gateway.accept()
    await community.served()
    await asyncio.gather(*(club.open() for club in community.clubs))
    double.expect("cannot be parsed|Traceback")
    double.gateway.garble("MESSAGE_CREATE")
    await double.bots[0].logged("an event MESSAGE_CREATE cannot be parsed")
    await asyncio.gather(*(club.moved() for club in community.clubs))
