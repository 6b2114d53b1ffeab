"""Three bots share four shards, two of them at a time; they are killed in turn, and the database's server stops in the middle.

Nothing that was acknowledged is lost, nothing is made or posted twice, and no game is told by two bots at a time.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from itertools import groupby
from pathlib import Path

import msgspec
import pytest
import pytest_asyncio

from bot.commands.discord.interactions.answers import plain
from bot.engine.ids import seat
from bot.engine.said import Said
from bot.language import shown
from tests.discord_double.double import Double
from tests.discord_double.user import Unanswered
from tests.reliability.test_crashes import script
from tests.shards.community import Club, Community
from tests.store.cluster import Cluster

pytestmark = pytest.mark.postgres

KILLS_IN_SUITE, KILLS_IN_SOAK, KILLS_OF_A_RUN = 10, 200, 20


class Campaign:
    """Games that go on while bots are killed."""

    def __init__(self, community: Community, seed: int, kills: int) -> None:
        self.community, self.double, self.kills = community, community.double, kills
        self.chance = random.Random(seed)
        self.moves = [script(seed + club.shard, kills + 5) for club in community.clubs]
        self.acknowledged = [0 for _ in community.clubs]
        self.double.expect("unanswered|10062|10015|50027|40060|log: |404 10008", optional=True)

    async def run(self) -> None:
        """Play, kill one after the other, start it again."""
        bots = [await self.community.bot("auto:2/4", wait=False) for _ in range(3)]
        await self.community.served()
        await asyncio.gather(*(club.open() for club in self.community.clubs))
        for number in range(self.kills):
            club = self.chance.choice(self.community.clubs)
            self.disturb()
            playing = asyncio.create_task(self.play(club))
            await asyncio.sleep(self.chance.choice((0.0, 0.05, 0.2, 0.5)) * self.chance.random() * 2)
            bot = bots[number % len(bots)]
            await bot.kill()
            await asyncio.gather(playing, return_exceptions=True)
            self.double.faults.pending.clear()
            await self.community.served()
            self.check_moves()
            await bot.start(wait=False)
        for club in self.community.clubs:
            await self.play(club)
        await self.community.settled()
        self.check_moves()
        for club in self.community.clubs:
            self.check_posts(club)

    def disturb(self) -> None:
        """Make a moment longer, so that kills fall into it."""
        if self.chance.random() < 0.4:
            self.double.faults.slow("POST /channels/*/messages", 0.3 * self.chance.random(), times=2)

    async def play(self, club: Club) -> None:
        """Make the next move of a game; remember whether it was acknowledged."""
        number = len(self.saved(club))
        who, text = self.moves[club.shard][number]
        try:
            reply = await club.people[who - 1].slash("move", club.thread, move=text, wait=3)
        except Unanswered:
            return
        if not any(word in reply.text for word in ("database", "moved on", "Another bot")):
            self.acknowledged[club.shard] = number + 1

    def saved(self, club: Club) -> list[str]:
        """The moves that are kept, in order."""
        query = f"SELECT text FROM moves WHERE game = {club.game} AND kind = 'move' ORDER BY number"
        return [text for (text,) in self.community.rows(query)]

    def check_moves(self) -> None:
        """Nothing acknowledged is lost, nothing is made twice."""
        for club in self.community.clubs:
            saved = self.saved(club)
            assert saved == [text for _, text in self.moves[club.shard][: len(saved)]]
            assert len(saved) >= self.acknowledged[club.shard]

    def check_posts(self, club: Club) -> None:
        """Every line stands in a record, whoever is asked has his question, nothing was sent twice; and one bot after the
        other told the game."""
        rows = self.community.rows
        posts = {str(post.id): post for post in club.posts()}
        standing = dict(rows(f"SELECT slot, message FROM posts WHERE game = {club.game}"))
        records = [posts[message].text for slot, message in standing.items() if slot.startswith("record:")]
        names = {
            seat(number): name for number, name in rows(f"SELECT number, name FROM seats WHERE game = {club.game}")
        }
        for (lines,) in rows(f"SELECT lines FROM moves WHERE game = {club.game}"):
            for line in shown(msgspec.json.decode(lines, type=list[Said]), names):
                assert any(plain(line) in text for text in records), line
        asked = sorted(slot for (slot,) in rows(f"SELECT 'ping:' || seat FROM clocks WHERE game = {club.game}"))
        assert sorted(slot for slot in standing if slot.startswith("ping:")) == asked
        assert all(standing[slot] in posts for slot in asked)
        nonces = [str(post.nonce) for post in posts.values()]
        assert len(nonces) == len(set(nonces))
        tellers = [sender for sender, _ in groupby(club.told_by())]
        assert len(tellers) == len(set(tellers)), tellers


async def test_killed_in_turn_nothing_is_lost_or_done_twice(community: Community) -> None:
    await Campaign(community, 1, KILLS_IN_SUITE).run()


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(KILLS_IN_SOAK // KILLS_OF_A_RUN))
async def test_killed_hundreds_of_times(community: Community, seed: int) -> None:
    await Campaign(community, 100 + seed, KILLS_OF_A_RUN).run()


# -- the server of the database ---------------------------------------------------------------------------


@pytest.fixture
def own() -> AsyncIterator[Cluster]:
    """A server that may be stopped."""
    found = Cluster()
    yield found
    found.remove()


@pytest_asyncio.fixture
async def elsewhere(double: Double, own: Cluster, tmp_path: Path) -> AsyncIterator[Community]:
    """A community on it."""
    yield Community(double, own.fresh(), tmp_path / "data")
    for bot in double.bots:
        if bot.is_running:
            await bot.terminate()


async def test_a_server_that_stops_in_the_middle_and_comes_back(elsewhere: Community, own: Cluster) -> None:
    campaign = Campaign(elsewhere, 7, 6)
    first, second = await elsewhere.bot("0-1/4"), await elsewhere.bot("auto/4")
    await elsewhere.served()
    await asyncio.gather(*(club.open() for club in elsewhere.clubs))
    for how in ("immediate", "fast"):
        playing = [asyncio.create_task(campaign.play(club)) for club in elsewhere.clubs]
        await asyncio.sleep(0.2)
        await asyncio.to_thread(own.stop, how)
        await asyncio.gather(*playing, return_exceptions=True)
        for bot in (first, second):
            await elsewhere.until(lambda bot=bot: rests(bot.lines), "that it rests")
            bot.lines.clear()
        count = elsewhere.double.count("POST .*/messages")
        await asyncio.sleep(1)
        assert elsewhere.double.count("POST .*/messages") == count
        await asyncio.to_thread(own.start)
        for bot in (first, second):
            await bot.logged("the shards are held again")
        await elsewhere.settled()
        campaign.check_moves()
    assert len(elsewhere.double.gateway.connections) == 4, "nobody has left Discord for that"
    for club in elsewhere.clubs:
        await campaign.play(club)
    await elsewhere.settled()
    for club in elsewhere.clubs:
        campaign.check_posts(club)
        assert club.tellers() == {(first if club.shard < 2 else second).pid}


def rests(lines: list[str]) -> bool:
    """Whether a bot says that it posts nothing."""
    return any("nothing is posted until" in line for line in lines)
