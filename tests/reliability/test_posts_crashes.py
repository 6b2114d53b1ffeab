"""The bot ends at any moment while it opens, tells or closes a game: before each statement that writes, and each request that
changes something in Discord, what came before it being done. What comes after finds everything there once, or marked where
nobody can tell any more."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Coroutine
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest
import pytest_asyncio
from discord.http import HTTPClient

from bot.commands.discord import outbox_worker
from bot.commands.discord.bot import Signalbox
from bot.commands.discord.interactions.responses import escape
from bot.commands.discord.message_slots import AGAIN
from bot.commands.discord.outbox_worker import OutboxWorker
from bot.engine.message import Message
from bot.main import SIDE_SERVICES
from bot.ops.settings import Settings
from bot.render.worker import Renderer
from bot.service.game_service import GameService
from bot.service.sessions.rights import Actor
from bot.store import NO_THREAD_YET, Notice, Place, Server, Store
from bot.titles.registry import OLDER_VERSIONS, TITLES
from tests.discord_double.double import Double
from tests.discord_double.fixtures import double as double
from tests.discord_double.model import Channel, PostedMessage
from tests.reliability import blank_bot
from tests.store.statements import at_each_statement

MOST_FLUSHES = 5


class Killed(BaseException):
    """The bot has ended; nothing that it was doing goes on."""


class Death:
    """Comes at one moment, counted from 0. After that nothing is done until the next life."""

    def __init__(self) -> None:
        self.left: int | None = None
        self.moments = 0
        self.came = asyncio.Event()

    def comes(self, left: int | None) -> None:
        """At that moment from now; None for not at all."""
        self.left, self.moments, self.came = left, 0, asyncio.Event()

    def moment(self) -> None:
        """The bot is about to do something that lasts."""
        if self.came.is_set() or self.moments == self.left:
            self.came.set()
            raise Killed
        self.moments += 1


class Mortal(Signalbox):
    """The bot, whose outbox is posted when the test says so."""

    async def on_ready(self) -> None:
        """Nothing begins by itself."""

    async def sweep(self) -> None:
        """Not even when a test takes more than a minute."""


class World:
    """The bot in this process, its games, and what people see of them."""

    def __init__(self, double: Double, client: Mortal, store: Store, death: Death) -> None:
        self.double, self.client, self.store, self.death = double, client, store, death
        self.forum = double.add_forum("18xx", "1848", "Recruiting", "Playing", "Finished")
        self.people = [(f"discord:{user.id}", user.name) for user in (double.ann, double.bob, double.cid)]

    def live(self, moments: int | None = None, forgets: bool = False) -> None:
        """A new life, which remembers what is written down."""
        if forgets:
            self.double.forget_nonces()
        self.client.tables = GameService(self.store, TITLES, editions=OLDER_VERSIONS)
        self.client.poster = OutboxWorker(self.client)
        self.death.comes(moments)

    async def told(self) -> None:
        """The outbox is emptied."""
        for _ in range(MOST_FLUSHES):
            await self.client.poster.flush()
            if not await self.client.tables.outbox.waiting_notices():
                return
        raise AssertionError("the outbox is never empty")

    async def asked(self, act: Coroutine[Any, Any, Any]) -> None:
        """Somebody asks something of the bot, which may not live to answer."""
        asking, dying = asyncio.create_task(act), asyncio.create_task(self.death.came.wait())
        await asyncio.wait({asking, dying}, return_when=asyncio.FIRST_COMPLETED)
        if not asking.done():
            self.double.interactions.abandon()
            asking.cancel()
        dying.cancel()
        await asyncio.gather(asking, dying, return_exceptions=True)

    def thread_of(self, game_id: int) -> Channel:
        """The one thread of a game."""
        (found,) = (thread for thread in self.double.threads if thread.name == f"1848 Australia #{game_id}")
        return found

    def said(self, channel: Channel) -> list[PostedMessage]:
        """What the bot has posted there."""
        return [one for one in channel.messages if one.author is self.double.world.bot]


@pytest_asyncio.fixture
async def world(
    double: Double, tmp_path: Path, place: Path | Server, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[World]:
    """The bot with its hands in the test: it paints nothing, waits for nothing, and ends when it is told to."""
    death = Death()
    request = HTTPClient.request

    def begins(is_change: bool) -> None:
        if is_change:
            death.moment()

    async def requested(self: HTTPClient, route: Any, **kwargs: Any) -> Any:
        if route.method != "GET":
            death.moment()
        return await request(self, route, **kwargs)

    # The bot takes this method when it is made.
    monkeypatch.setattr(HTTPClient, "request", requested)
    monkeypatch.setattr(Renderer, "picture", blank_bot.picture)
    monkeypatch.setattr(Renderer, "history_picture", blank_bot.picture)
    monkeypatch.setattr(outbox_worker, "PACE", 0.0)
    store = await Store.open(place)
    settings = Settings.from_env({"SIGNALBOX_DATA": str(tmp_path), "SIGNALBOX_RATE": "0"})
    client = Mortal(GameService(store, TITLES, editions=OLDER_VERSIONS), settings, SIDE_SERVICES)
    double.expect("never retrieved|404 10008 DELETE", optional=True)
    async with double.in_process(client):
        at_each_statement(monkeypatch, begins)
        yield World(double, client, store, death)
        death.comes(None)
    await store.close()


# -- what the bot does when it dies -----------------------------------------------------------------------


async def newest(world: World, where: str = "", run: int = 0) -> int:
    """The game that was made last, 0 before there is one. (What a failure takes back has used up its number on a server.)"""
    return max((record.id for record in await world.store.games.list_all()), default=0)


async def lobby(world: World, where: str, run: int) -> int:
    """A lobby with everybody in it."""
    game, lobbies = run + 1, world.client.tables.lobby
    if where == "forum":
        place = Place(0, str(world.double.guild.id), str(world.forum.id), trouble=NO_THREAD_YET)
        await lobbies.create("1848", world.people[0][0], world.people, place=place)
        await world.told()
        return game
    await world.double.ann.slash("game new", world.double.channel, title="1848")
    for person, name in world.people[1:]:
        await lobbies.join(game, Actor(person, name, is_there=True), name)
    return game


async def begun(world: World, where: str, run: int) -> int:
    """A game that has begun, of which everything is told."""
    game = await lobby(world, where, run)
    await world.client.tables.lobby.start(game, world.people[0][0], "list")
    await world.told()
    return game


async def same(world: World, where: str, run: int) -> int:
    """One game, which goes on."""
    return 1 if run else await begun(world, where, run)


async def new(world: World, game_id: int, run: int) -> None:
    """A lobby is opened in a forum. Who is shown that the bot does not answer tries again where nothing comes of it."""
    if await newest(world) == game_id:
        await world.asked(world.double.ann.slash("game new", world.double.channel, title="1848", forum=world.forum))
    await world.told()


async def start(world: World, game_id: int, run: int) -> None:
    """It begins."""
    await world.asked(world.double.ann.slash("game start", world.double.channel, game=game_id, order="list"))
    await world.told()


async def move(world: World, game_id: int, run: int) -> None:
    """Somebody moves."""
    if (await world.client.tables.desk.table(game_id)).record.version == run:
        await world.client.tables.moves.submit(game_id, world.people[run % 3][0], f"reduce P{2 + run % 5}")
    await world.told()


async def remind(world: World, game_id: int, run: int) -> None:
    """Somebody is reminded: that is told without anything new for the table."""
    (clock,) = await world.store.clocks.list_of(game_id)
    if clock.reminders == run:
        notice = Notice(game_id, 0, "reminder", [], clock.since, clock.seat)
        reminded = msgspec.structs.replace(clock, reminders=run + 1)
        await world.store.clocks.record_reminder(clock, reminded, notice)
    await world.told()


async def end(world: World, game_id: int, run: int) -> None:
    """The table gives up."""
    if (await world.client.tables.desk.table(game_id)).record.status != "finished":
        await world.client.tables.moderation.set_status(game_id, world.people[0][0], "finished")
    await world.told()


async def vote(world: World, game_id: int, run: int) -> None:
    """The table is asked whether to give up, and does."""
    ann, *others = (person for person, _ in world.people)
    votes, table = world.client.tables.votes, await world.client.tables.desk.table(game_id)
    if table.record.status != "finished" and not await votes.polls(game_id):
        await votes.start_poll(game_id, ann, "end")
    await world.told()
    for person in others:
        for poll in await votes.polls(game_id):
            if person in poll.waits_for:
                await votes.answer_poll(poll.record.id, person, True)
    await world.told()


ACTS = {
    "a forum's post": (newest, new, "forum"),
    "a beginning in it": (lobby, start, "forum"),
    "a beginning in a thread": (lobby, start, "text"),
    "a move": (same, move, "forum"),
    "a reminder": (same, remind, "forum"),
    "an end": (begun, end, "forum"),
    "a vote": (begun, vote, "forum"),
}
"""What is there undisturbed, what the bot does when it dies, and where."""


@pytest.mark.parametrize(
    "act", [pytest.param(act, marks=[pytest.mark.whole] * (act not in ("a move", "a reminder"))) for act in ACTS]
)
async def test_a_death_at_any_moment_leaves_everything_once_or_marked(world: World, act: str) -> None:
    prepare, doing, where = ACTS[act]
    runs = count()
    for moment in count():
        for forgets in (False, True):
            run = next(runs)
            world.live()
            game = await prepare(world, where, run)
            world.live(moment)
            with contextlib.suppress(Killed):
                await doing(world, game, run)
            was_killed, rows = world.death.came.is_set(), await world.client.tables.outbox.posts(await newest(world))
            world.live(None, forgets)
            await doing(world, game, run)
            await check(world, where, await newest(world), forgets)
            if all(row.message for row in rows.values()):
                # Discord forgets alike what nobody asks it about.
                break
        if not was_killed:
            assert moment > 5
            break


async def check(world: World, where: str, game_id: int, forgot: bool) -> None:
    """There is one thread for a game, one message for each of its slots, and the card says how it stands."""
    status = (await world.client.tables.desk.table(game_id)).record.status
    thread, place = world.thread_of(game_id), await world.client.tables.places.place(game_id)
    rows = await world.client.tables.outbox.posts(game_id)
    assert place is not None and place.thread == str(thread.id) and place.trouble is None
    assert await world.client.tables.outbox.waiting_notices() == []
    home = thread if where == "forum" else world.double.channel
    card = home.history[int(rows.pop("card").message or 0)]
    assert card.id == thread.id, "the post begins with the card, the thread hangs on it"
    if where == "forum":
        states = {"lobby": "Recruiting", "running": "Playing", "finished": "Finished"}
        assert thread.tag_names == ["1848", states[status]]
    if status != "lobby":
        assert not card.buttons and "In: Ann, Bob, Cid" in card.text and f"in <#{thread.id}>" in card.text
    else:
        assert "Join" in [button.label for button in card.buttons]
    polls = [message for message in world.said(thread) if "asks to end the game" in message.text]
    assert all("All agreed." in poll.text and not poll.buttons for poll in polls), [poll.text for poll in polls]
    assert len([poll for poll in polls if not poll.text.startswith(AGAIN)]) <= 1
    standing = {one.id: one for one in world.said(thread) if one is not card and one not in polls}
    kept = [standing[int(row.message or 0)] for row in rows.values()]
    marked = [message for message in kept if message.text.startswith(AGAIN)]
    twice = len(standing) - len(kept)
    assert twice <= len(marked) <= 1 and (forgot or not twice), [message.text for message in standing.values()]
    slots = {"lobby": 0, "running": 2, "finished": 2}
    assert len(kept) == slots[status], list(rows)


async def test_two_reminders_that_wait_at_once_ask_once_whenever_the_bot_dies(world: World) -> None:
    game = await begun(world, "forum", 0)
    for moment in count():
        before = set(world.thread_of(game).history)
        for _ in range(2):
            (clock,) = await world.store.clocks.list_of(game)
            reminded = msgspec.structs.replace(clock, reminders=clock.reminders + 1)
            notice = Notice(game, 0, "reminder", [], clock.since, clock.seat)
            await world.store.clocks.record_reminder(clock, reminded, notice)
        world.live(moment)
        with contextlib.suppress(Killed):
            await world.told()
        was_killed = world.death.came.is_set()
        world.live()
        await world.told()
        asked = [one for one in world.thread_of(game).history if one not in before]
        assert len(asked) == 1, (moment, len(asked))
        if not was_killed:
            assert moment > 5
            break


async def test_a_message_that_may_still_be_in_a_slot_is_not_taken_for_a_lost_message(world: World) -> None:
    game, outbox = await begun(world, "forum", 0), world.client.tables.outbox
    asked = (await outbox.posts(game))["ping:1"]
    unsure = msgspec.structs.replace(asked, message=None)
    await outbox.set_post(unsure)
    await outbox.set_post(msgspec.structs.replace(unsure, slot="gone:ping:2"))
    await world.client.poster.posts.slots.clear(game)
    assert "gone:ping:2" in await outbox.posts(game)
    await outbox.set_post(asked)
    await world.client.poster.posts.slots.clear(game)
    assert "gone:ping:2" not in await outbox.posts(game)
    assert not world.thread_of(game).history[int(asked.message or 0)].deleted


async def test_a_death_at_any_moment_leaves_what_is_told_directly_once_or_marked(world: World) -> None:
    game = await world.client.tables.lobby.create("1848", "mail:ann@example.org", world.people)
    await world.client.tables.lobby.start(game, "mail:ann@example.org", "list")
    await world.told()
    users = (world.double.ann, world.double.bob, world.double.cid)
    for moment in count():
        text = f"Somebody says {moment}."
        world.live(moment)
        with contextlib.suppress(Killed):
            notice = Notice(game, 0, "told", [Message(text)], 0.0)
            await world.store.orders.end([], [notice])
            await world.told()
        was_killed = world.death.came.is_set()
        world.live()
        await world.told()
        slots = await world.client.tables.outbox.posts(game)
        assert not [slot for slot in slots if slot.startswith(("told:", "gone:"))], list(slots)
        told = [sum(escape(text) in one.text for one in user.dm.messages) for user in users if user.dm is not None]
        assert told == [1, 1, 1] or (was_killed and moment < 3 and told == [0, 0, 0]), (moment, told)
        if not was_killed:
            assert moment > 9
            break
