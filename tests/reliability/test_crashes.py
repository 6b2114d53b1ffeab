"""Crash safety: the bot is killed at random moments of a real game, again and again, through Discord's double.

After every kill: no acknowledged move is lost, none is made twice. At the end: every post is there once; again only,
and marked as a repetition, where Discord has forgotten its nonce; reminders are neither lost nor doubled.
"""

from __future__ import annotations

import asyncio
import random
from functools import cache
from pathlib import Path

import msgspec
import pytest

from bot.ai.fuzzer import RandomGame
from bot.commands.discord.interactions.responses import escape
from bot.commands.discord.message_slots import AGAIN
from bot.engine.ids import seat
from bot.engine.message import Message
from bot.engine.notation.text import parse_action
from bot.engine.play.game import Game
from bot.i18n import tr_lines
from bot.store import Server
from bot.titles.registry import TITLES
from tests.discord_double.double import Double
from tests.discord_double.model import PostedMessage
from tests.discord_double.user import Unanswered
from tests.reliability.table import Table, environment_of

RUNS_IN_SUITE, RUNS_IN_SOAK, RUNS_OF_A_GAME = 5, 320, 40
TITLE = TITLES["1848"]


@cache
def script(seed: int, most: int) -> tuple[tuple[int, str], ...]:
    """The first moves of a random game: whose seat, and the text."""
    played = RandomGame(TITLE, 3, seed, is_audited=False)
    for _ in played.moves():
        if len(played.texts) >= most:
            break
    game = Game.new(TITLE, ["Ann", "Bob", "Cid"], {}, 1)
    moves = []
    for text in played.texts:
        action = parse_action(TITLE, text)
        decider = game.controller_of(action.by)
        moves.append((next(number for number in (1, 2, 3) if seat(number) == decider), text))
        game.apply(action)
    return tuple(moves)


class Campaign:
    """A game, its script, and a bot that does not live long."""

    def __init__(self, table: Table, seed: int, runs: int) -> None:
        self.table = table
        self.double = table.double
        self.chance = random.Random(seed)
        self.runs = runs
        self.moves = script(seed, runs * 2 + 10)
        self.acknowledged = self.tried = 0
        self.double.interactions.deadline = 3.0
        self.reminders = self.forgotten = 0
        # A painter that is being started when its bot is killed says so on its way out. A question that was deleted just
        # before a kill may be needed again before the next bot has noticed that: then it is sent anew.
        self.double.expect("unanswered|10062|10015|50027|log: Traceback|404 10008 PATCH", optional=True)

    async def run(self) -> None:
        """Play, kill, look, start again."""
        await self.table.open()
        for _ in range(self.runs):
            await self.one()
        await self.settle()
        self.check_posts()

    async def one(self) -> None:
        """One life of the bot, which ends in the middle of something."""
        done = len(self.table.moves())
        for number in range(done, min(done + self.chance.randint(1, 2), len(self.moves))):
            self.disturb()
            playing = asyncio.create_task(self.play(number))
            if number > done or self.chance.random() < 0.7:
                break
            await playing
        await asyncio.sleep(self.chance.choice((0.0, 0.01, 0.03, 0.06, 0.1, 0.2, 0.4)) * self.chance.random() * 2)
        await self.table.bot.kill()
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        self.double.faults.pending.clear()
        self.check_moves()
        if self.chance.random() < 0.3:
            self.make_reminder_due()
        if self.chance.random() < 0.3:
            self.double.forget_nonces()
            self.forgotten += 1
        await self.table.bot.start()

    def disturb(self) -> None:
        """Make a moment longer, or lose an answer, so that kills fall into it."""
        kind = self.chance.random()
        if kind < 0.3:
            self.double.faults.slow("POST /channels/*/messages", 0.2 * self.chance.random(), times=2)
        elif kind < 0.4:
            self.double.faults.lose_answer("POST /channels/*/messages")

    async def play(self, number: int) -> None:
        """Make the next move of the script; remember that it was tried, and that it was acknowledged."""
        who, text = self.moves[number]
        self.tried = number + 1
        try:
            reply = await self.table.people[who - 1].slash("move", self.table.thread, move=text, wait=3)
        except Unanswered:
            return
        assert "moved on" not in reply.text and "cannot" not in reply.text.lower(), reply.text
        self.acknowledged = number + 1

    def make_reminder_due(self) -> None:
        """As if much time had passed while the bot was away."""
        self.reminders += self.table.rows("SELECT count(*) FROM clocks")[0][0]
        self.table.write("UPDATE clocks SET due_at = 1, since = since - 1000000, reminded_at = reminded_at - 1000000")

    def check_moves(self) -> None:
        """Nothing acknowledged is lost, nothing is made twice, nothing is made up but passes that are forced."""
        # In one look: a server may end a transaction after the bot that began it was killed.
        rows = self.table.rows("SELECT text, auto FROM moves WHERE kind = 'move' ORDER BY number")
        saved, forced = [text for text, _ in rows], [auto for _, auto in rows]
        assert saved == [text for _, text in self.moves[: len(saved)]]
        assert self.acknowledged <= len(saved) and all(forced[self.tried :])
        self.acknowledged = len(saved)

    async def settle(self) -> None:
        """Let everything be posted."""
        waiting = "SELECT count(*) FROM outbox WHERE posted_at IS NULL"
        for _ in range(200):
            if self.table.rows(waiting) == [(0,)]:
                break
            await asyncio.sleep(0.1)
        assert self.table.rows(waiting) == [(0,)], self.table.bot.tail()
        await self.double.idle()

    def attempts(self) -> dict[str, list[PostedMessage]]:
        """The posts by the notice that they were begun with, in order."""
        attempts: dict[str, list[PostedMessage]] = {}
        for post in self.table.posts():
            attempts.setdefault(str(post.nonce), []).append(post)
        return attempts

    def check_posts(self) -> None:
        """Every line stands in a record, whoever is asked has his question. What is there twice was sent when nobody knew
        what had become of the first attempt, and says so; of questions a kill may leave an old one."""
        posts = {str(message.id): message.text for message in self.table.posts()}
        standing = dict(self.table.rows("SELECT slot, message FROM posts"))
        records = [posts[message] for slot, message in standing.items() if slot.startswith("record:")]
        names = {seat(number): name for number, name in self.table.rows("SELECT number, name FROM seats")}
        for (lines,) in self.table.rows("SELECT lines FROM moves"):
            told = tr_lines(msgspec.json.decode(lines, type=list[Message]), names)
            assert all(any(escape(line) in text for text in records) for line in told)
        asked = [slot for (slot,) in self.table.rows("SELECT 'ping:' || seat FROM clocks")]
        assert sorted(slot for slot in standing if slot.startswith(("ping:", "gone:"))) == sorted(asked)
        assert all(standing[slot] in posts for slot in asked)
        for attempts in self.attempts().values():
            # Discord takes the same nonce for a new post only once it has forgotten the old one.
            assert len(attempts) <= 1 + self.forgotten
            assert all(post.text.startswith(AGAIN) for post in attempts[1:]), attempts
        twice = [message for message in posts if message not in standing.values()]
        assert len(twice) <= self.runs, [posts[message] for message in twice]
        assert self.table.rows("SELECT count(*) FROM clocks WHERE due_at = 1") == [(0,)]
        assert self.table.rows("SELECT count(*) FROM outbox WHERE kind = 'reminder'")[0][0] <= self.reminders


async def campaign(double: Double, folder: Path, place: Path | Server, seed: int, runs: int) -> None:
    bot = await double.launch(data=folder, environment=environment_of(place))
    await Campaign(Table(double, bot, folder, place), seed, runs).run()
    await bot.terminate()


async def test_killed_at_random_moments_nothing_is_lost_or_done_twice(
    double: Double, tmp_path: Path, place: Path | Server
) -> None:
    await campaign(double, tmp_path, place, 1, RUNS_IN_SUITE)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(RUNS_IN_SOAK // RUNS_OF_A_GAME))
async def test_killed_hundreds_of_times(double: Double, tmp_path: Path, place: Path | Server, seed: int) -> None:
    await campaign(double, tmp_path, place, seed + 100, RUNS_OF_A_GAME)


async def test_a_post_whose_end_nobody_knows_is_marked_when_it_is_made_again(table: Table) -> None:
    double = table.double
    await table.open()
    await double.idle()
    for forgets in (False, True):
        number = int(forgets)
        asked = table.people[number + 1]
        double.faults.pending.clear()
        double.faults.slow("POST /channels/*/messages", 60.0)
        await table.move(number)
        await table.wait(lambda: not double.faults.pending, "the attempt")
        ((nonce,),) = table.rows("SELECT nonce FROM posts WHERE message IS NULL")
        await table.bot.kill()
        arrived = double.messages.say(double.world.bot, table.thread, f"{asked.mention} as it was sent", None, [])
        arrived.nonce, arrived.is_nonce_forgotten = nonce, forgets
        await table.bot.start()
        whole = f"SELECT count(*) FROM posts WHERE slot = 'ping:{number + 2}' AND message IS NOT NULL AND digest <> ''"
        await table.wait(lambda query=whole: table.rows(query) == [(1,)], "the question")
        questions = [message.text for message in table.pings(asked)]
        assert len(questions) == 1 + forgets
        assert questions[-1].startswith(AGAIN) == forgets and "buy a private" in questions[-1].lower()
    # What was sent again and marked is found after another kill, and keeps its mark when it is changed.
    await table.bot.kill()
    table.write("UPDATE posts SET message = NULL, digest = '', again = 0 WHERE slot = 'ping:3'")
    assert table.rows(whole) == [(0,)]
    await table.bot.start()
    await table.wait(lambda: table.rows(whole) == [(1,)], "the question, found")
    questions = [message.text for message in table.pings(table.people[2])]
    assert len(questions) == 2 and questions[-1].startswith(AGAIN)
