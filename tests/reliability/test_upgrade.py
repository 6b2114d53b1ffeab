"""Games that were under way in release 0.1.0 go on: one of every title, as that release saved them, with a lobby, standing
orders, a question to the table, clocks, a sitter, a correction and a rewind.

The database was written by commit 836fa9f; it is never written anew by a later one.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import re
import sqlite3
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest

from bot.engine.message import COUNTED, pluralise
from bot.engine.notation.text import format_action
from bot.engine.state.state import Memory, TurnMemory
from bot.i18n import LANGUAGES, tr, use_language
from bot.service.game_service import GameService
from bot.service.sessions.rights import Actor
from bot.store import Audience, Server, Store
from bot.store.backends.shard_lease import ShardLease, ShardSpec
from bot.titles.registry import OLDER_VERSIONS, TITLES
from tests.families import few
from tests.store.postgres_cluster import execute

OLD = Path(__file__).parents[1] / "data" / "0.1.0" / "signalbox.db.gz"
ANN, BOB, CID, DORA = (f"discord:{number}" for number in (101, 102, 103, 104))
GAMES = {1: "1848", 2: "18GB", 3: "1844", 4: "18BF", 5: "1820"}
LOBBY, FINISHED = 6, 7


class Clock:
    """Time that passes when a test says so."""

    def __init__(self) -> None:
        self.time = datetime(2026, 11, 1, 14, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.time


@pytest.fixture(scope="module")
def upgraded(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The database as it was, upgraded."""
    path = tmp_path_factory.mktemp("old") / "signalbox.db"
    path.write_bytes(gzip.decompress(OLD.read_bytes()))

    async def upgrade() -> None:
        await (await Store.open(path)).close()

    asyncio.run(upgrade())
    return path.read_bytes()


@pytest.fixture
async def tables(tmp_path: Path, empty_place: Path | Server, upgraded: bytes) -> AsyncIterator[GameService]:
    """Its tables; carried to a server after the upgrade."""
    (tmp_path / "signalbox.db").write_bytes(upgraded)
    store = await Store.open(tmp_path / "signalbox.db")
    if isinstance(empty_place, Server):
        old, store = store, await Store.open(empty_place)
        await old.copy_to(store, lambda total, done: None)
        await old.close()
    yield GameService(store, TITLES, Clock(), editions=OLDER_VERSIONS)
    await store.close()


@pytest.mark.parametrize("number", few(GAMES, 1, 4))
async def test_a_game_goes_on_by_a_button_that_stood_below_its_last_board(tables: GameService, number: int) -> None:
    table, game = await tables.desk.require_started(number)
    assert table.record.title == GAMES[number] and table.record.status == "running"
    action = game.legal_actions()[-1]
    person = next(record.person for record in table.seats if f"@{record.number}" == game.controller_of(action.by))
    played = await tables.moves.submit(number, person, format_action(action), table.record.version)
    assert played.version > table.record.version and not (await tables.queries.position_at(number)).audit()
    back = await tables.moves.undo(number, person)
    assert back.version > played.version


@pytest.mark.parametrize("number", few(GAMES, 0, 3))
async def test_its_log_still_leads_to_its_position(tables: GameService, number: int) -> None:
    assert (await tables.doctor.examine(number)).is_healthy


def test_what_a_position_no_longer_counts_is_passed_over() -> None:
    kept = b'{"type":"turn","lays":[],"tokens_placed":1,"revenue":40,"trains_bought":2,"used":["trains"]}'
    assert msgspec.json.decode(kept, type=Memory) == TurnMemory(tokens_placed=1, revenue=40, used=["trains"])


async def test_places_orders_questions_sitters_and_lobbies_are_known(tables: GameService) -> None:
    assert [await tables.places.game_at(str(1000 + number)) for number in GAMES] == list(GAMES)
    assert [len(await tables.desk.store.orders.list_of(number)) for number in (1, 2, 5)] == [1, 1, 1]
    (poll,) = await tables.votes.polls(3)
    await tables.votes.answer_poll(poll.record.id, ANN, True)
    assert (await tables.votes.answer_poll(poll.record.id, CID, True)).record.outcome == "agreed"
    assert (await tables.desk.table(4)).seats_of(DORA)
    asker = Actor(CID, is_there=True)
    await tables.lobby.join(LOBBY, asker, "Cid")
    assert (await tables.lobby.start(LOBBY, ANN)).version == 0
    await tables.moderation.set_status(FINISHED, ANN, "running")


async def test_figures_of_a_game_that_was_over_are_computed_and_its_players_records_are_private(
    tables: GameService,
) -> None:
    (ended,) = await tables.records.outcomes()
    assert ended.result.game == FINISHED and len(ended.seats) == ended.result.players
    person = ended.seats[0].held.person
    assert await tables.records.visible_people(DORA, [person], [person]) == set()
    assert not (await tables.desk.table(1)).record.unrated


async def test_nobody_can_be_followed_who_has_not_said_so(tables: GameService) -> None:
    assert await tables.followers.list_watchable(DORA) == []
    person = (await tables.desk.table(1)).seats[0].person
    assert not await tables.followers.may_follow(DORA, person)
    await tables.followers.choose_audience(person, Audience.EVERYBODY)
    await tables.followers.follow_person(DORA, person, "Ann")
    assert await tables.followers.sweep() == 0 and (await tables.followers.list_of(person))[1] == 1


async def test_no_mail_has_come_back_and_nobody_has_another_address(tables: GameService) -> None:
    person = await tables.mail.person(ANN)
    assert (person.returned_at, person.also) == (None, "")
    assert await tables.mail.add_alias(ANN, "ann@far.example") == ["ann@far.example"]


async def test_everybody_who_keeps_a_table_waiting_is_reminded(tables: GameService) -> None:
    await tables.desk.store.outbox.supersede(tables.desk.now())
    tables.desk.clock.time += timedelta(days=3)  # type: ignore[attr-defined]
    await tables.reminders.sweep()
    reminded = {notice.game for notice in await tables.outbox.waiting_notices(limit=1000) if notice.kind == "reminder"}
    assert reminded == set(GAMES)


@pytest.mark.postgres
@pytest.mark.parametrize("empty_place", ["server"], indirect=True)
async def test_two_bots_on_a_server_have_the_games_of_their_shards(tmp_path: Path, empty_place: Server) -> None:
    path, others = tmp_path / "signalbox.db", {2, 4}
    path.write_bytes(gzip.decompress(OLD.read_bytes()))
    execute(path, f"UPDATE places SET guild = '{1 << 22}' WHERE game IN (2, 4)")
    old, new = await Store.open(path), await Store.open(empty_place)
    await old.copy_to(new, lambda total, done: None)
    await old.close()
    await new.close()
    bots: list[GameService] = []
    async with AsyncExitStack() as stack:
        for shard in range(2):
            share = ShardLease(ShardSpec.parse(f"{shard}/2"))
            store = await Store.open(empty_place, is_bot=True, share=share)
            stack.push_async_callback(store.close)
            share.served = {shard}
            bots.append(GameService(store, TITLES, Clock(), editions=OLDER_VERSIONS))
        for tables in bots:
            await tables.desk.store.outbox.supersede(tables.desk.now())
            tables.desk.clock.time += timedelta(days=3)  # type: ignore[attr-defined]
            await tables.reminders.sweep()
        waiting = [await tables.outbox.waiting_notices(limit=1000) for tables in bots]
        reminded = [{notice.game for notice in told if notice.kind == "reminder"} for told in waiting]
        assert reminded == [set(GAMES) - others, others]
        assert {notice.game for notice in waiting[1]} == others
        for number in GAMES:
            # Whichever bot is asked makes the move, the one of its shard tells it.
            await test_a_game_goes_on_by_a_button_that_stood_below_its_last_board(bots[number % 2], number)
            assert (await bots[0].desk.table(number)).record == (await bots[1].desk.table(number)).record
            assert [await tables.desk.is_local(number) for tables in bots] == [number not in others, number in others]


async def test_its_sentences_hold_seats_and_read_as_before(tmp_path: Path) -> None:
    path = tmp_path / "signalbox.db"
    path.write_bytes(gzip.decompress(OLD.read_bytes()))
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT game, lines FROM moves ORDER BY game, number").fetchall()
        names = {name for (name,) in connection.execute("SELECT name FROM seats")}
    store = await Store.open(path)
    tables = GameService(store, TITLES, Clock(), editions=OLDER_VERSIONS)
    told = [entry.tr_lines for number in (*GAMES, FINISHED) for entry in await tables.queries.log_since(number)]
    # Since then, one and several are told apart: `6 lobbies`.
    before = [[COUNTED.sub(pluralise, line[:1].upper() + line[1:]) for line in json.loads(lines)] for _, lines in rows]
    assert told == before
    for language in LANGUAGES:
        with use_language(language):
            entries = [entry for number in (*GAMES, FINISHED) for entry in await tables.queries.log_since(number)]
            notices = await tables.outbox.waiting_notices(limit=1000)
            read = [line for entry in entries for line in entry.tr_lines]
            read += [tr(line) for notice in notices for line in notice.lines]
        assert notices and [line for line in read if re.search(r"[{}]", line)] == []
    await tables.moderation.replace(1, ANN, 1, ANN, "Joanna")
    renamed = [line for entry in await tables.queries.log_since(1) for line in entry.tr_lines]
    assert any("Joanna" in line for line in renamed[:-1]) and not any("Ann" in line for line in renamed[:-1])
    await store.close()
    with closing(sqlite3.connect(path)) as connection:
        kept = connection.execute("SELECT lines FROM moves UNION ALL SELECT lines FROM outbox").fetchall()
        reasons = connection.execute("SELECT reason FROM orders").fetchall()
    named = [text for (text,) in (*kept, *reasons) if any(re.search(rf"\b{name}\b", text) for name in names)]
    assert all('["guest"' in text for text in named), named
