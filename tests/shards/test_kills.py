"""Two and three bots share four shards and are killed in turn; the database's server stops in the middle, or ends sessions.

Nothing that was acknowledged is lost, nothing is made or posted twice, no game is told by two bots at a time, and whoever is due a
reminder gets one.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Iterator
from itertools import groupby
from pathlib import Path

import msgspec
import psycopg
import pytest
import pytest_asyncio

from bot.commands.discord.interactions.responses import escape
from bot.commands.discord.message_slots import AGAIN
from bot.engine.ids import seat
from bot.engine.message import Message
from bot.i18n import tr_lines
from bot.store.backends.postgres import SPACE, WRITER
from tests.discord_double.double import Double
from tests.discord_double.launcher import BotProcess
from tests.discord_double.user import Unanswered
from tests.reliability.table import PATIENCE
from tests.reliability.test_crashes import script
from tests.shards.community import Club, Community
from tests.store.postgres_cluster import Cluster

pytestmark = pytest.mark.postgres

KILLS_IN_SUITE, KILLS_IN_SOAK, KILLS_OF_A_RUN = 5, 100, 20
"""Of two bots, and as many of three."""

SPARES = {2: "auto/4", 3: "auto:2/4"}
"""What bots ask for, so that there is a spare."""

WAITING = f"SELECT count(*) FROM pg_locks WHERE classid = {SPACE} AND objid = {WRITER} AND NOT granted"

ANSWERED = 4.0
"""Seconds for an answer while bots are killed: nobody waits long for one that was."""

OFFERED = "the seat is now offered to volunteers"


class Campaign:
    """Games that go on while bots are killed."""

    def __init__(self, community: Community, seed: int, moves: int) -> None:
        self.community, self.double = community, community.double
        self.chance = random.Random(seed)
        self.moves = [script(seed + club.shard, moves) for club in community.clubs]
        self.acknowledged = [0 for _ in community.clubs]
        self.reminders = [0 for _ in community.clubs]
        self.patience = ANSWERED
        self.double.expect("unanswered|10062|10015|50027|40060|log: |404 10008", optional=True)

    async def begin(self) -> None:
        """Open all games."""
        await self.community.served()
        await asyncio.gather(*(club.open() for club in self.community.clubs))
        self.double.interactions.deadline = ANSWERED

    async def kill(self, bots: list[BotProcess], kills: int) -> None:
        """Play, kill one after the other, start it again."""
        for number in range(kills):
            club = self.chance.choice(self.community.clubs)
            self.remind([other for other in self.community.clubs if other is not club])
            self.disturb()
            playing = asyncio.create_task(self.play(club))
            bot = bots[number // 2 % len(bots)]
            if number % 2:
                await asyncio.sleep(self.chance.choice((0.0, 0.05, 0.2, 0.5)) * self.chance.random() * 2)
            else:
                # Whoever has just answered dies at once.
                await asyncio.wait({playing})
                bot = next((one for one in bots if one.pid == club.told_by()[-1]), bot)
            await bot.kill()
            await asyncio.gather(playing, return_exceptions=True)
            self.double.faults.pending.clear()
            await self.community.served()
            await self.reminded()
            self.check_moves()
            await bot.start(wait=False)
            await bot.logged("logging in")

    async def end(self) -> None:
        """Every game goes on, and all of it was told."""
        self.double.interactions.deadline = self.patience = PATIENCE
        await self.community.served()
        for club in self.community.clubs:
            await self.play(club)
        await self.community.settled()
        self.check_moves()
        for club in self.community.clubs:
            assert self.acknowledged[club.shard] == len(self.saved(club)), "the last move was acknowledged"
            self.check_posts(club)

    def disturb(self) -> None:
        """Make a moment longer, or lose an answer, so that kills fall into it."""
        kind = self.chance.random()
        if kind < 0.3:
            self.double.faults.slow("POST /channels/*/messages", 0.3 * self.chance.random(), times=2)
        elif kind < 0.7:
            self.double.faults.lose_answer("POST /channels/*/messages")

    def remind(self, clubs: list[Club]) -> None:
        """As if whoever is asked there had not moved for long."""
        for club in clubs:
            aged = "due_at = 1, since = since - 1000000, reminded_at = reminded_at - 1000000"
            due = f"UPDATE clocks SET {aged} WHERE game = {club.game} RETURNING seat"
            self.reminders[club.shard] += len(self.community.rows(due))

    async def reminded(self) -> None:
        """Until everybody was."""
        waiting = "SELECT count(*) FROM clocks WHERE due_at < extract(epoch FROM now())"
        await self.community.until(lambda: self.community.rows(waiting) == [(0,)], "the reminders")

    async def play(self, club: Club) -> None:
        """Make the next move of a game; remember whether it was acknowledged."""
        number = len(self.saved(club))
        who, text = self.moves[club.shard][number]
        try:
            reply = await club.people[who - 1].slash("move", club.thread, move=text, wait=self.patience)
        except Unanswered:
            return
        if not any(word in reply.text for word in ("database", "moved on", "Another bot")):
            self.acknowledged[club.shard] = number + 1

    def saved(self, club: Club) -> list[str]:
        """The moves that are kept, in order, without passes that are forced."""
        query = f"SELECT text FROM moves WHERE game = {club.game} AND kind = 'move' ORDER BY number"
        return [text for (text,) in self.community.rows(query)]

    def check_moves(self) -> None:
        """Nothing acknowledged is lost, nothing is made twice."""
        for club in self.community.clubs:
            saved = self.saved(club)
            assert saved == [text for _, text in self.moves[club.shard][: len(saved)]]
            assert len(saved) >= self.acknowledged[club.shard]

    def check_posts(self, club: Club) -> None:
        """Every line stands in a record, whoever is asked has his question, nothing was sent or reminded of twice; and one bot
        after the other told the game."""
        rows = self.community.rows
        posts = {str(post.id): post for post in club.posts()}
        standing = dict(rows(f"SELECT slot, message FROM posts WHERE game = {club.game}"))
        records = [posts[message].text for slot, message in standing.items() if slot.startswith("record:")]
        names = {
            seat(number): name for number, name in rows(f"SELECT number, name FROM seats WHERE game = {club.game}")
        }
        for (lines,) in rows(f"SELECT lines FROM moves WHERE game = {club.game}"):
            for line in tr_lines(msgspec.json.decode(lines, type=list[Message]), names):
                assert any(escape(line) in text for text in records), line
        asked = sorted(slot for (slot,) in rows(f"SELECT 'ping:' || seat FROM clocks WHERE game = {club.game}"))
        assert sorted(slot for slot in standing if slot.startswith("ping:")) == asked
        assert all(standing[slot] in posts for slot in asked)
        strays = [post.text for number, post in posts.items() if number not in standing.values()]
        # Of questions a kill may leave an old one; a seat is offered once each time that it becomes late.
        offered = [text for text in strays if OFFERED in text]
        offers = f"SELECT count(*) FROM outbox WHERE game = {club.game} AND kind = 'told' AND lines LIKE '%{OFFERED}%'"
        assert len(offered) <= rows(offers)[0][0]
        others = [text for text in strays if OFFERED not in text]
        assert [text for text in others if not text.removeprefix(AGAIN).startswith("<@")] == []
        # Each of these was sent once at most, or withdrawn before it was.
        of_seats = f"SELECT count(*) FROM outbox WHERE game = {club.game} AND kind IN ('turn', 'reminder')"
        assert len(club.asked_ever()) <= rows(of_seats)[0][0]
        nonces = [str(post.nonce) for post in posts.values()]
        assert len(nonces) == len(set(nonces))
        reminders = f"SELECT count(*) FROM outbox WHERE game = {club.game} AND kind = 'reminder'"
        assert rows(reminders) == [(self.reminders[club.shard],)]
        tellers = [sender for sender, _ in groupby(club.told_by())]
        assert len(tellers) == len(set(tellers)), tellers


async def killed_in_turn(community: Community, bots: int, seed: int, kills: int) -> None:
    campaign = Campaign(community, seed, kills + 5)
    running = [await community.bot(SPARES[bots], wait=False, SIGNALBOX_DOUBLE_SWEEP="1") for _ in range(bots)]
    await campaign.begin()
    await campaign.kill(running, kills)
    await campaign.end()


@pytest.mark.parametrize("bots", SPARES)
async def test_killed_in_turn_nothing_is_lost_or_done_twice(community: Community, bots: int) -> None:
    await killed_in_turn(community, bots, 1, KILLS_IN_SUITE)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(KILLS_IN_SOAK // KILLS_OF_A_RUN))
@pytest.mark.parametrize("bots", SPARES)
async def test_killed_hundreds_of_times(community: Community, bots: int, seed: int) -> None:
    await killed_in_turn(community, bots, 100 + seed, KILLS_OF_A_RUN)


# -- the server of the database ---------------------------------------------------------------------------


@pytest.fixture
def own() -> Iterator[Cluster]:
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


async def test_a_server_that_stops_in_the_middle_of_moves_and_comes_back(elsewhere: Community, own: Cluster) -> None:
    campaign = Campaign(elsewhere, 7, 9)
    first, second = await elsewhere.bot("0-1/4"), await elsewhere.bot("2-3/4")
    await campaign.begin()
    for how in ("immediate", "fast", "sessions"):
        with psycopg.connect(elsewhere.server.text, autocommit=True) as writer:
            # Every move is in the middle of its transaction until this lock is free.
            writer.execute(f"SELECT pg_advisory_lock({SPACE}, {WRITER})")
            playing = [asyncio.create_task(campaign.play(club)) for club in elsewhere.clubs]
            await elsewhere.until(lambda: elsewhere.rows(WAITING) == [(2,)], "both bots to write")
            known = [len(bot.lines) for bot in (first, second)]
            if how == "sessions":
                others = "datname = current_database() AND pid <> pg_backend_pid()"
                writer.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}")
            else:
                await asyncio.to_thread(own.stop, how)
        if how != "sessions":
            for bot, since in zip((first, second), known, strict=True):
                await elsewhere.until(lambda bot=bot, since=since: rests(bot, since), "that it rests")
            count = elsewhere.double.count("(POST|PATCH) /channels")
            await asyncio.sleep(1)
            assert elsewhere.double.count("(POST|PATCH) /channels") == count, "nobody posts"
            await asyncio.to_thread(own.start)
        for bot, since in zip((first, second), known, strict=True):
            await elsewhere.until(lambda bot=bot, since=since: holds(bot, since), "that it holds its shards")
        await asyncio.gather(*playing, return_exceptions=True)
        await elsewhere.settled()
        campaign.check_moves()
    assert len(elsewhere.double.gateway.connections) == 4, "nobody has left Discord for that"
    await campaign.end()
    for club in elsewhere.clubs:
        assert club.tellers() == {(first if club.shard < 2 else second).pid}


def rests(bot: BotProcess, since: int) -> bool:
    """Whether a bot has said since that it posts nothing."""
    return any("nothing is posted until" in line for line in bot.lines[since:])


def holds(bot: BotProcess, since: int) -> bool:
    """Whether a bot has said since that it has its shards again."""
    return any(": the shards are held again" in line for line in bot.lines[since:])
