"""Several bots on one database: what each holds, what becomes of it with its session, and which games are whose."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from bot.cli.main import main
from bot.ops.settings import InvalidSetting, Settings
from bot.service.game_service import GameService
from bot.service.sessions.rights import Actor
from bot.store import NO_THREAD_YET, DatabaseUnreachable, Place, Server, Store, StoreInUse, StoreLocked, shard_key_of
from bot.store.backends import advisory_locks
from bot.store.backends.shard_lease import LEASE, REST, ShardLease, ShardSpec
from tests.service.conftest import ANN, BOB
from tests.service.toy_title import TITLES
from tests.store.postgres_cluster import cluster, execute, taken_over
from tests.store.test_database import of_old

GUILD = 1574639546274938880
"""A server's number as they are today: 61 bits."""

END = (
    "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND classid = 7284 AND objid = {shard}"
)


class Clock:
    """Seconds that pass when the test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def server() -> Any:
    """A database with the tables."""
    found = cluster().fresh()
    yield found
    cluster().drop(found)


@asynccontextmanager
async def bot(server: Server, words: str, clock: Clock | None = None) -> AsyncIterator[tuple[Store, ShardLease]]:
    """A bot that asks for these shards."""
    share = ShardLease(ShardSpec.parse(words), clock or Clock())
    store = await Store.open(server, patience=2, is_bot=True, share=share)
    try:
        await share.refresh()
        yield store, share
    finally:
        await store.close()


def of_shard(shard: int, count: int = 4) -> str:
    """The number of a server of that shard."""
    key = GUILD >> 22
    return str((key + (shard - key) % count) << 22)


# -- what is asked for ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("0-3/16", ShardSpec(16, (0, 1, 2, 3), 4)),
        ("15/16", ShardSpec(16, (15,), 1)),
        ("0/1", ShardSpec(1, (0,), 1)),
        ("auto/16", ShardSpec(16, (), 16)),
        ("auto:4/16", ShardSpec(16, (), 4)),
        ("auto:40/16", ShardSpec(16, (), 16)),
    ],
)
def test_which_shards_a_bot_asks_for(words: str, wanted: ShardSpec) -> None:
    environment = {"SIGNALBOX_SHARDS": words, "SIGNALBOX_DATABASE_URL": "postgresql://db.example.org/games"}
    assert Settings.from_env(environment).shards == wanted


@pytest.mark.parametrize("words", ["16/16", "0-16/16", "3-2/16", "auto:0/16", "0/0", "0-3", "all/4", "-1/4", "0/4097"])
def test_shards_that_there_are_not(words: str) -> None:
    with pytest.raises(InvalidSetting, match="SIGNALBOX_SHARDS is like"):
        Settings.from_env({"SIGNALBOX_SHARDS": words, "SIGNALBOX_DATABASE_URL": "postgresql://db.example.org/games"})


def test_on_a_file_there_is_one_bot() -> None:
    with pytest.raises(InvalidSetting, match="SIGNALBOX_DATABASE_URL"):
        Settings.from_env({"SIGNALBOX_SHARDS": "0/1"})


def test_what_plays_by_mail_alone_serves_no_shards(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("DISCORD_TOKEN", raising=False)
    for name, value in (
        ("SIGNALBOX_SHARDS", "auto/4"),
        ("SIGNALBOX_DATABASE_URL", "postgresql://db.example.org/games"),
        ("SIGNALBOX_MAIL_ADDRESS", "games@example.org"),
        ("SIGNALBOX_IMAP", "imaps://imap.example.org"),
        ("SIGNALBOX_SMTP", "smtps://smtp.example.org"),
        ("SIGNALBOX_MAIL_PASSWORD", "secret"),
    ):
        monkeypatch.setenv(name, value)
    assert main(["run"]) == 2
    assert "SIGNALBOX_SHARDS needs DISCORD_TOKEN" in capsys.readouterr().err


# -- whose a server is ------------------------------------------------------------------------------------


def test_the_shard_of_a_server() -> None:
    assert shard_key_of("") == 0
    assert shard_key_of(str(GUILD)) == GUILD >> 22
    assert [shard_key_of(of_shard(shard)) % 4 for shard in range(4)] == [0, 1, 2, 3]


async def test_an_old_database_gets_the_keys_of_shards(empty_place: Path | Server) -> None:
    async with of_old(empty_place, "0015") as connection:
        for game, guild in enumerate(("", str(GUILD), "no number"), start=1):
            await connection.execute(
                text(
                    "INSERT INTO games (id, title, options, seed, status, moderator, pace_hours, version, created_at, updated_at)"
                    f" VALUES ({game}, 'toy', '{{}}', 7, 'running', '', 48.0, 0, 1.0, 1.0)"
                )
            )
            await connection.execute(
                text(f"INSERT INTO places (game, guild, channel) VALUES ({game}, '{guild}', '{game}')")
            )
    store = await Store.open(empty_place)
    await store.close()
    keys = execute(empty_place, "SELECT shard_key FROM places ORDER BY game")
    assert [tuple(row) for row in keys] == [(None,), (GUILD >> 22,), (None,)]


async def test_a_place_has_the_key_of_its_shard(place: Path | Server) -> None:
    store = await Store.open(place)
    game = await GameService(store, TITLES).lobby.create("toy", ANN, [(ANN, "Ann")], place=Place(0, str(GUILD), "5"))
    assert [tuple(row) for row in execute(place, "SELECT shard_key FROM places")] == [(GUILD >> 22,)]
    await store.games.set_place(Place(game, "", "6"))
    assert [tuple(row) for row in execute(place, "SELECT shard_key FROM places")] == [(0,)]
    await store.close()


@pytest.mark.postgres
async def test_places_that_older_programs_have_written_get_their_keys_when_a_bot_begins(server: Server) -> None:
    store = await Store.open(server)
    tables = GameService(store, TITLES)
    for guild in (str(GUILD), ""):
        await tables.lobby.create("toy", ANN, [(ANN, "Ann")], place=Place(0, guild, f"5{guild}"))
    execute(
        server,
        "UPDATE places SET shard_key = 7 WHERE guild <> ''",
        "UPDATE places SET shard_key = NULL WHERE guild = ''",
    )
    await store.close()
    async with bot(server, "0/1"):
        assert execute(server, "SELECT shard_key FROM places ORDER BY game") == [(GUILD >> 22,), (0,)]


@pytest.mark.postgres
async def test_a_bot_posts_and_reminds_for_its_own_shards_alone(server: Server) -> None:
    async with bot(server, "auto/4") as (store, share):
        tables = GameService(store, TITLES)
        games = {}
        for shard in range(4):
            where = Place(0, of_shard(shard), f"1{shard}", trouble=NO_THREAD_YET)
            games[shard] = await tables.lobby.create("toy", ANN, [(ANN, "Ann"), (BOB, "Bob")], place=where)
        nowhere = await tables.lobby.create("toy", ANN, [(ANN, "Ann"), (BOB, "Bob")])
        for game in (*games.values(), nowhere):
            await tables.lobby.start(game, ANN, "list")
        execute(server, "UPDATE clocks SET due_at = 1")
        for served, own in (((), []), ((2,), [games[2]]), ((0, 3), [games[0], games[3], nowhere])):
            share.served = set(served)
            assert {notice.game for notice in await store.outbox.list_waiting()} == set(own)
            assert sorted({clock.game for clock in await store.clocks.list_due(10.0)}) == own
            assert (await store.outbox.state())[0] == len(await store.outbox.list_waiting())
            waiting = [number for (number,) in execute(server, "SELECT id FROM outbox")]
            assert await store.outbox.unposted_numbers(waiting) == {
                notice.id for notice in await store.outbox.list_waiting()
            }
            assert [game for game in (*games.values(), nowhere) if await tables.desk.is_local(game)] == own


# -- holding ----------------------------------------------------------------------------------------------


@pytest.mark.postgres
async def test_a_shard_has_one_bot_and_duties_another(server: Server) -> None:
    async with (
        bot(server, "0-1/4") as (_, first),
        bot(server, "auto:1/4") as (_, second),
        bot(server, "auto/4") as (_, third),
    ):
        assert [set(share.taken) for share in (first, second, third)] == [{0, 1}, {2}, {3}]
        assert [share.has_duties for share in (first, second, third)] == [True, False, False]
        with pytest.raises(StoreInUse, match="shard 1"):
            await Store.open(server, is_bot=True, share=ShardLease(ShardSpec.parse("1-2/4")))
        with pytest.raises(StoreInUse, match="another number"):
            await Store.open(server, is_bot=True, share=ShardLease(ShardSpec.parse("3/8")))
        with pytest.raises(StoreInUse, match="Another bot"):
            await Store.open(server, is_bot=True)
    async with contextlib.AsyncExitStack() as stack:
        alone = await Store.open(server, is_bot=True)
        stack.push_async_callback(alone.close)
        with pytest.raises(StoreInUse, match="Another bot"):
            await Store.open(server, is_bot=True, share=ShardLease(ShardSpec.parse("0/1")))


@pytest.mark.postgres
async def test_whoever_opens_the_mailbox_has_the_secret_of_the_others(server: Server) -> None:
    async with contextlib.AsyncExitStack() as stack:
        for shard, mark in enumerate((7, None, 7)):
            share = ShardLease(ShardSpec.parse(f"{shard}/4"), mark=mark)
            opened = await Store.open(server, is_bot=True, share=share)
            stack.push_async_callback(opened.close)
        with pytest.raises(StoreInUse, match=r"another mail\.key"):
            await Store.open(server, is_bot=True, share=ShardLease(ShardSpec.parse("3/4"), mark=8))


@pytest.mark.postgres
async def test_a_spare_takes_what_gets_free(server: Server) -> None:
    async with bot(server, "0-3/4") as (first, one), bot(server, "auto/4") as (_, spare):
        assert set(one.taken) == {0, 1, 2, 3} and not spare.taken and not spare.has_duties
        await first.close()
        # The server ends a session a little after it was closed.
        for _ in range(200):
            await spare.refresh()
            if len(spare.taken) == 4:
                break
            await asyncio.sleep(0.05)
        assert set(spare.taken) == {0, 1, 2, 3}


@pytest.mark.postgres
async def test_duties_that_get_free_are_left_for_a_while_to_whoever_had_them(server: Server) -> None:
    clock = Clock()
    async with bot(server, "0/2") as (first, one), bot(server, "1/2", clock) as (_, other):
        clock.now += REST
        await other.refresh()
        execute(server, END.format(shard=0))
        await other.refresh()
        assert not other.has_duties
        with pytest.raises(DatabaseUnreachable):
            await one.refresh()
        await one.refresh()
        assert one.has_duties, "it begins nothing anew"
        await first.close()
        await asyncio.sleep(1)
        for seconds, has in ((REST - 0.1, False), (0.2, True)):
            clock.now += seconds
            await other.refresh()
            assert other.has_duties is has


@pytest.mark.postgres
async def test_a_lost_session_is_known_and_begun_again_with_all_that_it_held(server: Server) -> None:
    clock = Clock()
    async with bot(server, "0-1/4", clock) as (store, share):
        share.served = {0, 1}
        clock.now += LEASE - 0.1
        assert share.is_sure
        clock.now += 0.2
        assert not share.is_sure, "nobody has asked for that long"
        await share.refresh()
        assert share.is_sure
        execute(server, END.format(shard=0))
        with pytest.raises(DatabaseUnreachable):
            await share.refresh()
        assert not share.is_sure and not share.served, "nothing is posted from now on"
        clock.now += 1
        await share.refresh()
        assert share.is_sure and share.taken == {0: clock.now, 1: clock.now} and share.has_duties
        assert not share.served, "somebody may have had them in between"
        async with store.write_transaction():
            """It writes."""


@pytest.mark.postgres
async def test_a_bot_that_lost_a_shard_to_another_writes_nothing(server: Server) -> None:
    async with bot(server, "0-1/4") as (store, share):
        game = await GameService(store, TITLES).lobby.create("toy", ANN, [(ANN, "Ann")])
        async with taken_over(server, 1):
            for kind in (DatabaseUnreachable, StoreInUse, StoreInUse):
                with pytest.raises(kind):
                    await store.games.change(game, pace_hours=1.0)
            with pytest.raises(StoreInUse, match="Another bot has shard 1"):
                await share.refresh()
            assert not share.is_sure
            assert execute(server, "SELECT pace_hours FROM games") != [(1.0,)]
        await share.refresh()
        assert set(share.taken) == {0, 1}
        await store.games.change(game, pace_hours=1.0)
        assert execute(server, "SELECT pace_hours FROM games") == [(1.0,)]


@pytest.mark.postgres
async def test_after_a_loss_nothing_new_is_taken_for_a_while(server: Server) -> None:
    clock = Clock()
    async with bot(server, "auto/2", clock) as (_, spare):
        assert set(spare.taken) == {0, 1}
    async with bot(server, "0-1/2") as (first, _), bot(server, "auto/2", clock) as (_, spare):
        execute(server, "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE classid = 7285")
        await first.close()
        with pytest.raises(DatabaseUnreachable):
            await spare.refresh()
        for seconds, taken in ((0.0, set()), (REST - 0.1, set()), (0.2, {0, 1})):
            clock.now += seconds
            await spare.refresh()
            assert set(spare.taken) == taken


@pytest.mark.postgres
async def test_one_bot_at_a_time_posts_a_game_or_identifies(server: Server) -> None:
    async with bot(server, "0/2") as (first, one), bot(server, "1/2") as (_, other):
        for claim in ("post_lock", "identify_lock"):
            async with getattr(one, claim)(5) as is_ours:
                async with getattr(other, claim)(5) as is_others:
                    assert (is_ours, is_others) == (True, False)
                async with getattr(other, claim)(6) as is_others:
                    assert is_others
            async with getattr(other, claim)(5) as is_others:
                assert is_others
        async with one.post_lock(2**40 + 5) as is_ours:
            assert is_ours
        claimed = one.post_lock(7)
        assert await claimed.__aenter__()
        await first.close()
        for _ in range(100):  # the server may take a moment to end the session
            async with other.post_lock(7) as is_others:
                if is_others:
                    break
            await asyncio.sleep(0.1)
        assert is_others, "it is free with the session"


# -- changing ---------------------------------------------------------------------------------------------


@pytest.mark.postgres
@pytest.mark.parametrize("beside", [None, "1/2"], ids=["a program beside the bot", "another bot"])
async def test_two_programs_that_change_a_game_do_so_one_after_the_other(server: Server, beside: str | None) -> None:
    share = ShardLease(ShardSpec.parse(beside)) if beside else None
    async with bot(server, "0/2") as (first, _):
        second = await Store.open(server, is_bot=beside is not None, share=share)
        one, other = GameService(first, TITLES), GameService(second, TITLES)
        people = [(Actor(f"discord:{number}", is_there=True), f"Name {number}") for number in range(1, 5)]
        for _ in range(10):
            game = await one.lobby.create("toy", "console:1", [])
            await asyncio.gather(
                *(tables.lobby.join(game, *person) for tables, person in zip([one, other] * 2, people, strict=True))
            )
            assert {seat.name for seat in await first.games.seats(game)} == {name for _, name in people}
        await second.close()


@pytest.mark.postgres
async def test_a_game_that_another_bot_changes_is_waited_for(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advisory_locks, "CHANGING", 0.3)
    async with bot(server, "0/2") as (first, _), bot(server, "1/2") as (second, _):
        one, other = GameService(first, TITLES), GameService(second, TITLES)
        game = await one.lobby.create("toy", ANN, [(ANN, "Ann")])
        async with one.desk.lock(game):
            with pytest.raises(StoreLocked):
                await other.lobby.join(game, Actor(BOB, is_there=True), "Bob")
            joining = asyncio.create_task(other.lobby.join(game, Actor(BOB, is_there=True), "Bob"))
            await asyncio.sleep(0.1)
            assert not joining.done()
        await joining
        waiting = asyncio.create_task(other.lobby.leave(game, BOB))
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        async with one.desk.lock(game):
            assert True, "who gave up holds nothing"


@pytest.mark.postgres
async def test_nothing_is_saved_of_an_act_that_lost_its_game_with_the_session(server: Server) -> None:
    async with bot(server, "0/1") as (store, share):
        game = await GameService(store, TITLES).lobby.create("toy", ANN, [(ANN, "Ann")])
        async with GameService(store, TITLES).desk.lock(game):
            going_on = asyncio.create_task(_later(store, game))
            execute(server, END.format(shard=0))
            with pytest.raises(DatabaseUnreachable):
                await share.refresh()
            await share.refresh()
            with pytest.raises(DatabaseUnreachable):
                await store.games.change(game, pace_hours=1.0)
        await going_on
        assert execute(server, "SELECT pace_hours FROM games") == [(2.0,)]


async def _later(store: Store, game_id: int) -> None:
    """Begun in an act, and saved long after it."""
    await asyncio.sleep(1)
    await store.games.change(game_id, pace_hours=2.0)


# -- news -------------------------------------------------------------------------------------------------


@pytest.mark.postgres
async def test_bots_tell_each_other_what_was_saved(server: Server) -> None:
    async with bot(server, "0/2") as (store, one), bot(server, "1/2") as (_, other):
        heard: list[int] = []

        async def hear(share: ShardLease) -> None:
            async for game in share.news.changed_games():
                heard.append(game)

        hearing = [asyncio.create_task(hear(share)) for share in (one, other)]
        await asyncio.sleep(0.3)
        tables = GameService(store, TITLES)
        game = await tables.lobby.create("toy", ANN, [(ANN, "Ann"), (BOB, "Bob")])
        await tables.lobby.start(game, ANN, "list")
        await asyncio.sleep(0.3)
        assert heard and set(heard) == {game}, "the other hears it, who told it does not"
        told = len(heard)
        execute(server, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'")
        for task in hearing:
            with pytest.raises(DatabaseUnreachable):
                await asyncio.wait_for(task, 5)
        await tables.desk.notify(game)
        assert len(heard) == told
