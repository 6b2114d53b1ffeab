"""Opening: settings, migrations, old and newer files, readers beside a writer."""

from __future__ import annotations

import asyncio
import json
import logging
import sqlite3
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, inspect, text

from bot.engine.ids import PersonId, seat
from bot.engine.message import FormerPlayer, Message, msg
from bot.i18n import tr, tr_lines
from bot.service.plans import Plan
from bot.store import (
    Audience,
    ClockAllowance,
    Commit,
    Conflict,
    Delivery,
    EntryKind,
    FollowKind,
    GameRecord,
    GameStatus,
    LinkKind,
    LinkRecord,
    MailKind,
    MailRecord,
    MoveKind,
    MoveRecord,
    Notice,
    NoticeKind,
    Penalty,
    PersonRecord,
    PollKind,
    PollOutcome,
    SeatRecord,
    Server,
    Store,
    StoreFull,
    StoreLocked,
    StoreTooNew,
    WaitRecord,
)
from bot.store.backends.sqlalchemy_async import AsyncConnection
from bot.store.database import connect
from bot.store.errors import map_driver_error
from bot.store.file.migrate import HEAD, MIGRATIONS, known_revisions, migrate
from bot.store.rows import row_of
from bot.store.schema import metadata
from tests.snapshot_helpers import kept_numbers

GAME = GameRecord(0, "toy", {"rules": "rulebook"}, 7, "running", "discord:1", 48.0, 0, 1.0, 1.0)
SEATS = [SeatRecord(0, 1, "discord:1", "Ann"), SeatRecord(0, 2, "discord:2", "Bob", "Europe/Berlin", 23, 8, True)]

A_GAME = text(
    "INSERT INTO games (id, title, options, seed, status, moderator, pace_hours, version, created_at, updated_at)"
    " VALUES (1, 'toy', '{}', 7, :status, 'discord:1', 48.0, :version, 1.0, 1.0)"
)
"""A game as releases wrote it that knew nothing of its rules' version."""


def move(number: int, game_id: int = 1) -> MoveRecord:
    return MoveRecord(game_id, number, number - 1, "move", "discord:1", "@1 pass", [msg("{by} passes.", "@1")], 1.0, 1)


async def test_the_settings_of_every_connection(tmp_path: Path) -> None:
    store = await Store.open(tmp_path / "new" / "folder" / "signalbox.db")
    found = {}
    for opened in (store.write_transaction, store.read_transaction):
        async with opened() as connection:
            for pragma in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout"):
                found[pragma] = (await connection.execute(text(f"PRAGMA {pragma}"))).scalar_one()
        assert found == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 5000}
    assert await store.check() == "ok"
    await store.close()


async def test_readers_do_not_wait_for_a_writer(place: Path | Server) -> None:
    store = await Store.open(place)
    async with store.write_transaction() as connection:
        await connection.execute(text("DELETE FROM games"))
        async with asyncio.timeout(1):
            assert await store.games.list_all() == []
    await store.close()


async def test_writers_wait_for_each_other(place: Path | Server) -> None:
    store = await Store.open(place, patience=0.0 if isinstance(place, Path) else 5.0)
    numbers = await asyncio.gather(*(store.games.add(GAME, SEATS) for _ in range(20)))
    assert sorted(numbers) == list(range(1, 21))
    await store.close()


@asynccontextmanager
async def of_old(place: Path | Server, revision: str) -> AsyncIterator[AsyncConnection]:
    """A database of the form that it had once."""
    opened = await connect(place)
    async with opened.writers.begin() as connection:
        await connection.run_sync(migrate, revision)
        yield connection
    await opened.close()


# -- migrations -----------------------------------------------------------------------------------------


def test_the_newest_migration_is_the_one_that_opening_asks_for() -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    scripts = ScriptDirectory.from_config(config)
    assert scripts.get_heads() == [HEAD]
    assert {script.revision for script in scripts.walk_revisions()} == known_revisions()


def columns_and_indexes(path: Path, first: str) -> dict[str, list[tuple[object, ...]]]:
    """What SQLite tells of each table of a file that was made in the first form and brought up to date, in any order."""
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        migrate(connection, first)
        migrate(connection)
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
        told = {
            f"{table} {kind}": sorted(
                (tuple(row)[1:] for row in connection.execute(text(f"PRAGMA {kind}({table})"))), key=repr
            )
            for table in (*metadata.tables, "alembic_version")
            for kind in ("table_info", "index_list", "foreign_key_list")
        }
    engine.dispose()
    return told


def test_the_migrations_lead_to_the_tables_of_a_new_file(tmp_path: Path) -> None:
    new = columns_and_indexes(tmp_path / "new.db", HEAD)
    assert columns_and_indexes(tmp_path / "old.db", "0006") == new
    assert new["games table_info"] and new["moves index_list"] and new["moves foreign_key_list"]


async def test_an_answer_that_waits_with_personal_data_still_brings_it(empty_place: Path | Server) -> None:
    async with of_old(empty_place, "0025") as connection:
        await connection.execute(
            text("INSERT INTO mails (key, person, kind, made_at) VALUES ('a', 'mail:1', 'data', 7.0)")
        )
    store = await Store.open(empty_place)
    (mail,) = await store.mail.list_waiting(9)
    assert (mail.kind, mail.attached) == (MailKind.ANSWER, ["privacy export"])
    await store.close()


async def test_an_older_ban_still_holds_and_knows_no_mailbox(empty_place: Path | Server) -> None:
    async with of_old(empty_place, "0038") as connection:
        digest = sha256(b"mail:1").hexdigest()
        await connection.execute(text(f"INSERT INTO bans (digest, since) VALUES ('{digest}', 7.0)"))
    store = await Store.open(empty_place)
    await store.people.save(PersonRecord(PersonId("mail:2"), address="a@b.example"))
    assert [one.mailbox for one in await store.bans.list_all()] == [""]
    assert await store.bans.has(PersonId("mail:1")) and not await store.bans.has(PersonId("mail:2"))
    await store.close()


async def test_an_address_from_which_nobody_has_answered_gets_a_column_of_its_own(empty_place: Path | Server) -> None:
    async with of_old(empty_place, "0023") as connection:
        for person, mail in (("mail:1", "asked"), ("mail:2", "digest")):
            values = f"'{person}', 'a@b.example', '{mail}', 7.0"
            await connection.execute(text(f"INSERT INTO people (person, address, mail, written_at) VALUES ({values})"))
    store = await Store.open(empty_place)
    asked, proven = await store.mail.people_at("a@b.example")
    assert (asked.address, asked.mail, asked.written_at, asked.asked, asked.asked_at) == (
        "",
        "",
        None,
        "a@b.example",
        7,
    )
    assert (proven.address, proven.mail, proven.written_at, proven.asked) == ("a@b.example", "digest", 7.0, "")
    await store.close()


async def test_games_of_before_clocks_have_none_and_may_get_one(empty_place: Path | Server) -> None:
    """A game under way, of which somebody is asked, and a lobby."""
    async with of_old(empty_place, "0027") as connection:
        for number, status in ((1, "running"), (2, "lobby")):
            await connection.execute(
                text(
                    "INSERT INTO games (id, title, options, seed, status, moderator, pace_hours, version, created_at, "
                    f"updated_at) VALUES ({number}, 'toy', '{{}}', 7, '{status}', 'discord:1', 48.0, 0, 1.0, 1.0)"
                )
            )
        await connection.execute(
            text(
                "INSERT INTO moves (game, number, parent, kind, person, text, lines, made_at) "
                "VALUES (1, 0, -1, 'start', 'discord:1', '', '[\"x\"]', 1.0)"
            )
        )
        await connection.execute(
            text("INSERT INTO clocks (game, seat, since, due_at, reminders) VALUES (1, 1, 5.0, 9.0, 0)")
        )
    store = await Store.open(empty_place)
    assert [record.clock for record in await store.games.list_all()] == [None, None]
    assert await store.clocks.list_of(1) == [WaitRecord(1, 1, 5.0, 9.0)]
    assert await store.ledger.list_of(1) == [] and await store.ledger.last_pulse() is None
    assert await store.ledger.games_under_way() == {}
    clock = ClockAllowance(600, 60, 30, 5, 1200, False)
    await store.games.change(1, clock=msgspec.json.encode(clock).decode())
    assert await store.ledger.games_under_way() == {1: 0}
    await store.moves.commit(
        Commit(
            1, 0, [MoveRecord(1, 1, 0, "move", "discord:1", "pass", [], 20.0)], None, 20.0, clocks=[], waits={1: 9.0}
        )
    )
    (wait,) = await store.ledger.list_of(1)
    assert (wait.kind, wait.topic, wait.since, wait.until) == (EntryKind.WAIT, "wait 0", 5.0, 14.0)
    await store.close()


async def test_an_old_database_is_brought_up_to_date(empty_place: Path | Server) -> None:
    async with of_old(empty_place, "0006") as connection:
        await connection.execute(
            text("INSERT INTO games VALUES (1, 'toy', '{}', 7, 'running', 'discord:1', 48.0, 0, 1.0, 1.0, 1, '')")
        )
        await connection.execute(
            text("INSERT INTO moves VALUES (1, 0, -1, 'start', 'discord:1', '', '[\"x\"]', 1.0, NULL, 0)")
        )
        await connection.execute(text("INSERT INTO clocks VALUES (1, 1, 5.0, 9.0, 1, 0)"))
        await connection.execute(
            text("INSERT INTO outbox VALUES (1, 1, 0, 'board', NULL, '[\"x\"]', 1.0, NULL, NULL, 0, NULL)")
        )
    for _ in range(2):
        store = await Store.open(empty_place)
        assert await store.moves.list_of(1) == [MoveRecord(1, 0, -1, "start", "discord:1", "", [msg("x")], 1.0, None)]
        assert await store.clocks.list_of(1) == [WaitRecord(1, 1, 5.0, 9.0, 1, 0)]
        assert await store.outbox.list_waiting() == [Notice(1, 0, "board", [msg("x")], 1.0, None, 1, 0)]
        await store.close()


async def test_reasons_and_movers_of_older_releases_hold_seats_and_guests(empty_place: Path | Server) -> None:
    moved = ["1", "2", "", ["said", "Eve moves game 1 to another place: <#7>", []]]
    seated = ["1", "2", "", ["said", "{1} moves game 1 to another place: <#7>", ["@1"]]]
    order = "INSERT INTO orders (game, seat, data, created_at, number, ended, reason) VALUES (1, 1, '{}', 1.0, 0, 0, :reason)"
    notice = "INSERT INTO outbox (game, number, kind, lines, created_at) VALUES (1, 0, 'moved', :lines, 1.0)"
    async with of_old(empty_place, "0012") as connection:
        await connection.execute(A_GAME, {"status": "running", "version": 0})
        for reason in ("@2 is director of VR now.", ""):
            await connection.execute(text(order), {"reason": reason})
        for lines in (moved, seated):
            await connection.execute(text(notice), {"lines": json.dumps(lines)})
    store = await Store.open(empty_place)
    first, second = await store.orders.list_of(1)
    assert tr(first.reason, names={seat(2): "Bob"}) == "Bob is director of VR now." and not tr(second.reason)
    told = [notice.lines[-1] for notice in await store.outbox.list_waiting()]
    assert [str(line) for line in told] == [
        "Eve moves game 1 to another place: <#7>",
        "@1 moves game 1 to another place: <#7>",
    ]
    assert isinstance(told[0], Message) and FormerPlayer("", "Eve") in told[0].values
    await store.close()


async def test_proposals_of_older_releases_are_told_by_seats(empty_place: Path | Server) -> None:
    def proposed(text: str) -> list[object]:
        return [
            "said",
            "{by} proposes: {text}. Asked: {asked}.",
            ["@1", ["said", "{1}", [text]], ["said", "{1}", ["@2"]]],
        ]

    texts = [
        "ask Bob for LSR",
        "float LSR 5 at 71 on G7 to Ann:1 Bob B:2 LSR:1",
        "assign 3+ from Bob",
        "buy 3+ from Ann for 9",
    ]
    move = "INSERT INTO moves (game, number, parent, kind, person, text, lines, made_at) VALUES (1, 0, -1, 'move', '', '', :it, 1.0)"
    notice = "INSERT INTO outbox (game, number, kind, lines, created_at) VALUES (1, 0, 'board', :it, 1.0)"
    async with of_old(empty_place, "0017") as connection:
        await connection.execute(A_GAME, {"status": "running", "version": 0})
        for number, name in enumerate(("Ann", "Bob", "Bob B"), 1):
            await connection.execute(
                text("INSERT INTO seats (game, number, person, name) VALUES (1, :number, '', :name)"),
                {"number": number, "name": name},
            )
        await connection.execute(text(move), {"it": json.dumps([proposed(one) for one in texts])})
        await connection.execute(text(notice), {"it": json.dumps(["1", proposed(texts[0])])})
    store = await Store.open(empty_place)
    ((record,), (told,)) = await store.moves.list_of(1), await store.outbox.list_waiting()
    now = {seat(1): "A", seat(2): "B", seat(3): "C"}
    assert [tr(line, names=now).partition(": ")[2] for line in record.lines] == [
        "ask B for LSR. Asked: B.",
        "float LSR 5 at 71 on G7 to A:1 C:2 LSR:1. Asked: B.",
        "assign 3+ from B. Asked: B.",
        "buy 3+ from Ann for 9. Asked: B.",
    ]
    assert told.lines[0] == "1" and tr(told.lines[1], names=now) == "A proposes: ask B for LSR. Asked: B."
    await store.close()


SEEN = {
    "round": "stock 2.1",
    "phase": "3",
    "trains": 9,
    "holdings": {},
    "presidents": {"VR": "@2"},
    "prices": {"VR": 90},
}
ORDERS = {
    '{"type":"pass","seen":SEEN,"wake":["sale","phase"],"companies":["VR"]}': (
        "@1 this stock 2.1",
        ["shares VR falls", "phase  != 3"],
        [{"type": "stay"}],
    ),
    '{"type":"buy","seen":SEEN,"company":"VR","percent":60,"most":100}': (
        "@1 all ",
        ["president VR != @2"],
        [{"type": "buy", "company": "VR", "percent": 60, "most": 100}],
    ),
    '{"type":"bid","seen":SEEN,"lot":"P4","most":200}': ("@1 all ", [], [{"type": "bid", "most": {"P4": 200}}]),
    '{"type":"operate","seen":SEEN,"company":"VR","track":"ask","expected":120,"guards":["trains","route","price"]}': (
        "VR all ",
        ["phase  != 3", "bank trains  != 9", "price VR < 90"],
        [{"type": "run", "revenue": "pay", "least": 120}, {"type": "stay"}],
    ),
    '{"type":"answer","agree":true,"least":300}': ("offer all ", [], [{"type": "answer", "agree": True, "least": 300}]),
    '{"type":"answer","agree":true,"about":"undo"}': (
        "undo all ",
        [],
        [{"type": "answer", "agree": True, "about": "undo"}],
    ),
}
"""Standing orders as 0.1.0 kept them, and the turn, the conditions and the steps of the plan that each becomes."""


async def test_standing_orders_of_older_releases_are_plans(empty_place: Path | Server) -> None:
    add = (
        "INSERT INTO orders (game, seat, data, created_at, number, ended, reason) "
        "VALUES (1, 1, :data, 1.0, 3, :ended, :reason)"
    )
    reason = '["said","{lot} is yours.",["P4"]]'
    async with of_old(empty_place, "0028") as connection:
        await connection.execute(A_GAME, {"status": "running", "version": 9})
        for order in ORDERS:
            data = order.replace("SEEN", json.dumps(SEEN))
            await connection.execute(text(add), {"data": data, "ended": None, "reason": '["said",""]'})
        over = next(order for order in ORDERS if "P4" in order).replace("SEEN", json.dumps(SEEN))
        await connection.execute(text(add), {"data": over, "ended": 7, "reason": reason})
        await connection.execute(text(add), {"data": '{"type":"dance"}', "ended": None, "reason": '["said",""]'})
    store = await Store.open(empty_place)
    rows = await store.orders.list_of(1)
    await store.close()
    for row, (head, wake, steps) in zip(rows, ORDERS.values(), strict=False):
        plan = msgspec.convert(row.data, Plan)
        said = [f"{when.fact.what} {when.fact.of} {when.sign} {when.than}".rstrip() for when in plan.wake]
        assert (f"{plan.turn} {plan.rounds} {plan.at}", said) == (head, wake)
        assert row.data["steps"] == steps and (row.plan, row.ended) == (row.id, None)
    assert msgspec.convert(rows[3].data, Plan).asks == ("track",)
    was_given, dance, has_ended = rows[-3:]
    assert (has_ended.plan, has_ended.ended, has_ended.number) == (was_given.plan, 7, 7)
    assert was_given.ended is None and tr(has_ended.reason) == "P4 is yours."
    assert dance.data == {"type": "dance"}, "the doctor says so, as before"


@pytest.mark.parametrize(("first", "failing"), [("", "sqlalchemy.Table.insert"), ("0006", "alembic.op.create_index")])
async def test_a_failed_migration_leaves_the_old_database(
    empty_place: Path | Server, monkeypatch: pytest.MonkeyPatch, first: str, failing: str
) -> None:
    if first:
        async with of_old(empty_place, first):
            """With nothing in it."""

    async def found() -> dict[str, set[str]]:
        opened = await connect(empty_place)
        async with opened.readers.connect() as connection:
            names = await connection.run_sync(lambda reached: inspect(reached).get_table_names())
            tables = {name: set((await connection.execute(text(f"SELECT * FROM {name}"))).keys()) for name in names}
        await opened.close()
        return tables

    def fail(*arguments: object, **named: object) -> None:
        raise RuntimeError("half-way")

    before = await found()
    with monkeypatch.context() as patched:
        patched.setattr(failing, fail)
        with pytest.raises(RuntimeError):
            await Store.open(empty_place)
    assert await found() == before and bool(before) == bool(first)
    store = await Store.open(empty_place)
    await store.close()


async def test_a_newer_database_is_left_alone(place: Path | Server) -> None:
    store = await Store.open(place)
    async with store.write_transaction() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    await store.close()
    with pytest.raises(StoreTooNew, match="newer Signalbox"):
        await Store.open(place)


# -- records --------------------------------------------------------------------------------------------


async def test_what_is_saved_is_read_back(place: Path | Server) -> None:
    store = await Store.open(place)
    game = await store.games.add(GAME, SEATS)
    clock = WaitRecord(game, 1, 5.0, 9.0)
    notice = Notice(game, 2, "private", [msg("{by}: pass.", "@1")], 3.0, 1)
    await store.moves.commit(Commit(game, 0, [move(1), move(2)], b"state", 3.0, "running", [clock], notices=[notice]))
    record, seats, has_orders = await store.games.find_with_seats(game) or (None, [], False)
    assert record is not None and not has_orders
    assert (record.version, record.updated_at, record.options) == (2, 3.0, {"rules": "rulebook"})
    assert [(seat.name, seat.zone, seat.quiet_from, seat.muted) for seat in seats] == [
        ("Ann", "UTC", None, False),
        ("Bob", "Europe/Berlin", 23, True),
    ]
    assert await store.moves.list_of(game) == [move(1), move(2)]
    assert await store.moves.snapshot(game, 2) == b"state"
    assert await store.clocks.list_of(game) == [clock]
    assert [(found.kind, found.lines, found.seat) for found in await store.outbox.list_waiting()] == [
        ("private", [msg("{by}: pass.", "@1")], 1)
    ]
    assert await store.games.find(99) is None
    assert await store.games.find_with_seats(99) is None
    await store.close()


async def test_a_number_is_given_once(place: Path | Server) -> None:
    store = await Store.open(place)
    game = await store.games.add(GAME, SEATS)
    await store.moves.commit(Commit(game, 0, [move(1)], b"one", 2.0))
    for version, number in ((0, 1), (1, 1), (0, 2)):
        with pytest.raises(Conflict):
            await store.moves.commit(Commit(game, version, [move(number)], b"two", 3.0))
    assert await store.moves.snapshot(game, 1) == b"one"
    assert len(await store.moves.list_of(game)) == 1
    await store.close()


async def test_the_last_twenty_positions_are_kept_the_last_of_every_fifty_and_those_where_rules_changed(
    place: Path | Server,
) -> None:
    store = await Store.open(place)
    game = await store.games.add(GAME, SEATS)
    await store.moves.commit(Commit(game, 0, [move(0)], b"0", 1.0))
    for number in range(1, 82):
        record = msgspec.structs.replace(move(number), kind="rules") if number == 7 else move(number)
        await store.moves.commit(Commit(game, number - 1, [record], b"%d" % number, 1.0))
    assert await kept_numbers(store, game) == [0, 7, 49, *range(60, 82)]
    for status, number in (("running", 0), ("finished", 21), ("finished", 0)):
        await store.games.change(game, status=status)
        assert await store.moves.prune_snapshots(0.0, 0.9) == 0
        assert await store.moves.prune_snapshots(0.5, 2.0) == number
    assert await kept_numbers(store, game) == [0, 7, 49, 81]
    await store.close()


async def test_a_position_ahead_of_the_log_gives_way(place: Path | Server) -> None:
    store = await Store.open(place)
    game = await store.games.add(GAME, SEATS)
    await store.moves.commit(Commit(game, 0, [move(0)], b"0", 1.0))
    async with store.write_transaction() as connection:
        await connection.execute(text("INSERT INTO snapshots VALUES (1, 1, :no), (1, 5, :no)"), {"no": b"\0"})
    await store.moves.commit(Commit(game, 0, [move(1)], b"1", 1.0))
    assert await kept_numbers(store, game) == [0, 1]
    assert await store.moves.snapshot(game, 1) == b"1"
    await store.close()


async def test_posted_notices_go_in_time_but_not_the_newest_nor_what_a_mail_waits_for(place: Path | Server) -> None:
    store = await Store.open(place)
    game = await store.games.add(GAME, SEATS)
    notices = [Notice(game, 0, "private", [msg("x")], 1.0, 1) for _ in range(6)]
    await store.moves.commit(Commit(game, 0, [move(1)], b"1", 1.0, notices=notices))
    await store.outbox.mark_all_posted([1, 2, 3, 6], 5.0, "there")
    await store.outbox.mark_all_posted([4], 50.0, "there")
    await store.mail.add(MailRecord("a", "ann", "private", 1.0, game, notice=2))
    assert await store.outbox.prune(10.0, 1) == 1
    assert await store.outbox.prune(10.0, 9) == 1
    assert [notice.id for notice in await store.outbox.list_by(range(9))] == [2, 4, 5, 6]
    await store.close()


async def test_a_clock_that_runs_goes_on_unless_restarted(place: Path | Server) -> None:
    store = await Store.open(place)
    game = await store.games.add(GAME, SEATS)
    first = [WaitRecord(game, 1, 1.0, 2.0), WaitRecord(game, 2, 1.0, 2.0)]
    later = [WaitRecord(game, 1, 5.0, 6.0), WaitRecord(game, 2, 5.0, 6.0)]
    await store.moves.commit(Commit(game, 0, [move(1)], None, 2.0, clocks=first))
    await store.moves.commit(Commit(game, 1, [move(2)], None, 3.0, clocks=later, restarted=[2]))
    assert await store.clocks.list_of(game) == [first[0], later[1]]
    await store.moves.commit(Commit(game, 2, [move(3)], None, 4.0, clocks=[]))
    assert await store.clocks.list_of(game) == []
    await store.close()


async def test_errors_are_logged_once_with_their_cause(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "signalbox.db"
    path.write_bytes(b"nonsense" * 1000)
    with caplog.at_level(logging.ERROR), pytest.raises(Exception, match="damaged"):
        await Store.open(path)
    assert [record.name for record in caplog.records] == ["signalbox.store"]
    assert "not a database" in caplog.text


async def test_the_log_names_the_disk_that_is_full(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    store = await Store.open(tmp_path / "signalbox.db")
    with pytest.raises(StoreFull) as full:
        async with store.write_transaction() as connection:
            await connection.exec_driver_sql("PRAGMA max_page_count=1")
            await connection.execute(
                text("INSERT INTO people (person, zone) VALUES ('p', :long)"), {"long": "x" * 10**6}
            )
    await store.close()
    assert f"no room left on the disk of {tmp_path}" in caplog.text
    # Players read that sentence, too: no folder of the machine stands in it.
    assert str(tmp_path) not in str(full.value)


async def test_whoever_waits_too_long_for_a_connection_is_told_that_it_is_busy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Found under load: more wait than there are connections."""
    store = await Store.open(tmp_path / "signalbox.db")
    pool: Any = store.backend.readers.pool
    monkeypatch.setattr(pool, "_timeout", 0.05)
    async with AsyncExitStack() as held:
        for _ in range(pool.size() + pool._max_overflow):
            await held.enter_async_context(store.read_transaction())
        with pytest.raises(StoreLocked, match="busy; nothing was saved"):
            await store.games.list_all()
    assert await store.games.list_all() == []
    await store.close()


def test_an_unknown_error_has_a_sentence_too() -> None:
    assert map_driver_error(sqlite3.OperationalError("strange")).sentence == (
        "The database did not answer; nothing was saved (OperationalError)."
    )


async def test_sentences_of_an_older_form_hold_seats_afterwards(empty_place: Path | Server) -> None:
    lines = {
        ("moves", "move"): ["Bob passes.", "Bobby is nobody, {x}."],
        ("moves", "replace"): ["Bob takes over from Rob."],
        ("moves", "sitter"): ["Eve sits in for Ann for 3 days."],
        ("moves", "pause"): ["Judith pauses the game: Rob is late"],
        ("outbox", "board"): ["Bob passes."],
        ("outbox", "question"): ["Ann asks to end the game now.", "7", "discord:2"],
        ("outbox", "moved"): ["1", "2", "", "Ann moves game 1 to another place: <#3>"],
        ("outbox", "turn"): ["Bob: pass."],
    }
    async with of_old(empty_place, "0008") as connection:
        await connection.execute(A_GAME, {"status": "paused", "version": 3})
        for number, name in enumerate(("Ann", "Bob"), 1):
            row = {"number": number, "person": f"discord:{number}", "name": name}
            await connection.execute(
                text("INSERT INTO seats (game, number, person, name) VALUES (1, :number, :person, :name)"), row
            )
        for number, ((table, kind), told) in enumerate(lines.items()):
            row = {"number": number, "kind": kind, "lines": json.dumps(told), "person": "discord:9"}
            columns = "parent, person, text, made_at" if table == "moves" else "created_at"
            values = ":number - 1, :person, '', 1.0" if table == "moves" else "1.0"
            await connection.execute(
                text(
                    f"INSERT INTO {table} (game, number, kind, lines, {columns}) VALUES (1, :number, :kind, :lines, {values})"
                ),
                row,
            )
    store = await Store.open(empty_place)
    names = {seat(1): "Ann", seat(2): "Robert"}
    assert [tr_lines(move.lines, names) for move in await store.moves.list_of(1)] == [
        ["Robert passes.", "Bobby is nobody, {x}."],
        ["Robert takes over from Rob."],
        ["Eve sits in for Ann for 3 days."],
        ["Judith pauses the game: Robert is late"],
    ]
    guests = {
        value
        for move in await store.moves.list_of(1)
        for line in move.lines
        for value in line.values
        if not isinstance(value, str)
    }
    assert {FormerPlayer("", "Rob"), FormerPlayer("", "Eve"), FormerPlayer("discord:9", "Judith")} <= guests
    async with store.single_statement() as connection:
        found = (await connection.execute(text("SELECT lines FROM outbox ORDER BY number"))).scalars().all()
    assert [json.loads(one) for one in found] == [
        [["said", "{1} passes.", ["@2"]]],
        ["7", "discord:2"],
        ["1", "2", "", ["said", "{1} moves game 1 to another place: <#3>", ["@1"]]],
        [],
    ]
    await store.close()


def test_words_for_kinds_in_databases_stay() -> None:
    words = {kind.__name__: " ".join(kind) for kind in (GameStatus, MoveKind, NoticeKind, MailKind, LinkKind, Delivery)}
    more = (PollKind, PollOutcome, Penalty, EntryKind, FollowKind, Audience)
    assert words | {kind.__name__: " ".join(kind) for kind in more} == {
        "GameStatus": "lobby running paused finished",
        "MoveKind": "start move correct undo redo rewind rules clock replace leave sitter elect pause resume end",
        "NoticeKind": "board lobby turn reminder question voted private moved told call",
        "MailKind": "letter answer welcome counted",
        "LinkKind": "look play mail program hook push notify calendar",
        "Delivery": " turns digest reminders nothing",
        "PollKind": "end undo replace computer skip fine clock moderator",
        "PollOutcome": "agreed refused",
        "Penalty": "none pass minder fine loss",
        "FollowKind": "game person season",
        "Audience": " tables everybody public",
        "EntryKind": "set stock company answer wait holiday outage warned",
    }


def test_rows_hold_plain_words_and_numbers() -> None:
    """Drivers of databases are given nothing but the types that they know."""
    records = [
        msgspec.structs.replace(GAME, status=GameStatus.PAUSED),
        msgspec.structs.replace(move(1), kind=MoveKind.UNDO),
        Notice(1, 1, NoticeKind.TURN, [], 1.0, 2),
        MailRecord("a", "discord:1", MailKind.ANSWER, 1.0),
        LinkRecord("0" * 64, 1, "discord:1", LinkKind.PLAY, 1.0, 2.0),
        PersonRecord("discord:1", mail=Delivery.DIGEST),
    ]
    rows = [row_of(record) for record in records]
    assert {type(value) for row in rows for value in row.values()} <= {str, int, float, bool, type(None)}
    assert [row.get("kind", row.get("status", row.get("mail"))) for row in rows] == [
        *("paused", "undo", "turn", "answer", "play", "digest")
    ]
