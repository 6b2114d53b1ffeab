"""Whatever stands in a row of one game: the doctor names that game, all the others go on, and what follows from the log is made
again.

One game is played that has something in every table. Every case is a copy of it with one column of one row damaged; two
more copies stay well.
"""

from __future__ import annotations

import asyncio
import random
import struct
from collections.abc import AsyncIterator, Awaitable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import pytest

from bot.commands.terminal.commands import Console
from bot.commands.terminal.console import PERSON, execute_safely
from bot.commands.terminal.screen import Screen
from bot.engine.refusals import Rejected
from bot.service.game_service import GameService
from bot.service.sessions.budgets import PRESETS
from bot.store import PersonRecord, Place, PostRecord, Server, Store, StoreError
from bot.store.schema import metadata
from bot.store.seals import SEALED
from tests.blank_database import write_blank
from tests.service.conftest import BOB, CID, Clock
from tests.service.toy_title import TITLES
from tests.store.postgres_cluster import execute

PEOPLE = [(PERSON, "Ann"), (BOB, "Bob"), (CID, "Cid")]
WELL = (1, 2)
FIRST_CASE = 3

ELSEWHERE = (
    "results",
    "standings",
    "departures",
    "openings",
    "sharing",
    "bans",
    "follows",
    "server_pages",
    "wishes",
    "blocks",
    "volunteers",
    "offers",
    "calls",
    "keys",
    "seasons",
    "entrants",
    "draws",
)
"""Of games that are over, of lobbies, or of no game: tests/service/test_results.py, tests/service/test_open_tables.py."""

TABLES = [table for table in metadata.sorted_tables if table.name not in ("people", "failures", "pulses", *ELSEWHERE)]
OWN_NUMBERS = ("outbox", "orders", "questions", "mails", "talk", "ledger")
"""Tables whose rows are numbered by the database."""


async def play_a_game(path: Path) -> None:
    """A game of the toy with something in every table."""
    write_blank(path)
    store = await Store.open(path)
    tables = GameService(store, TITLES, Clock())
    await store.people.save(PersonRecord(CID, address="cid@example.org", mail="turns"))
    game = await tables.lobby.create("toy", PERSON, PEOPLE, {}, 7)
    await tables.moderation.set_clock(game, PERSON, PRESETS["weekly"])
    await tables.lobby.start(game, PERSON, "list")
    await store.ledger.note_pulse(tables.desk.now())
    await store.games.set_place(Place(game, "1", "2", "3"))
    await store.posts.save(PostRecord(game, "card", "4", "2", "5", 1.0, 0))
    for price, person in enumerate((PERSON, BOB, CID, PERSON), 1):
        await tables.moves.submit(game, person, f"bid P1 {price}")
    await tables.moves.undo(game, PERSON)
    await tables.moderation.correct(game, PERSON, "cash Bob 0", "a coin was found")
    await tables.moderation.set_status(game, PERSON, "paused")
    await tables.moderation.set_status(game, PERSON, "running")
    await tables.moves.submit(game, PERSON, "bid P1 5")
    await tables.plans.give_plan(game, CID, "pass")
    await tables.sandbox.add(game, BOB, "bid P1 9")
    await tables.talk.say(game, BOB, "Good morning!")
    await tables.links.make(game, BOB)
    await tables.links.save_notes(game, BOB, "P1 is worth 9")
    await tables.failures.note("mail", 9, "it cannot be built")
    poll = await tables.votes.start_poll(game, PERSON, "end")
    await tables.votes.answer_poll(poll.record.id, BOB, True)
    for notice in (await tables.outbox.waiting_notices())[:-2]:
        await tables.desk.store.outbox.mark_all_posted([notice.id], tables.desk.now(), "17")
    await store.close()


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The database with that game."""
    path = tmp_path_factory.mktemp("played") / "signalbox.db"
    asyncio.run(play_a_game(path))
    return path.read_bytes()


def copy(game_id: int) -> Iterator[str]:
    """The statements that make one more game like the first."""
    for table in TABLES:
        columns = [column.name for column in table.columns if not (column.name == "id" and table.name in OWN_NUMBERS)]
        own = {
            "digest": f"'{game_id:064x}'",
            "id": str(game_id),
            "game": str(game_id),
            # That of the first one is for its rows alone: these are as older releases saved them.
            "seal": "NULL",
            "key": f"key || '-{game_id}'",
            "question": f"(SELECT id FROM questions WHERE game = {game_id})",
        }
        copied = ", ".join(own.get(name, name) for name in columns)
        which = {"games": "id = 1", "answers": "question = (SELECT id FROM questions WHERE game = 1)"}
        yield (
            f"INSERT INTO {table.name} ({', '.join(columns)}) "
            f"SELECT {copied} FROM {table.name} WHERE {which.get(table.name, 'game = 1')}"
        )


def row_of(table: str, game_id: int, row: str) -> str:
    """The row that is damaged: of those of a game the one in the middle, of notices the last. Rows are told apart by `row`."""
    own = {"games": f"id = {game_id}", "answers": f"question IN (SELECT id FROM questions WHERE game = {game_id})"}
    mine = own.get(table, f"game = {game_id}")
    middle = f"SELECT {'count(*) - 1' if table == 'outbox' else 'count(*) / 2'} FROM {table} WHERE {mine}"
    keys = ", ".join(column.name for column in metadata.tables[table].primary_key)
    if table == "moves":
        # What the moderator did comes first, which nothing else tells; a move is in the middle.
        keys = "coalesce(seat, 0), number"
    return f"{row} = (SELECT {row} FROM {table} WHERE {mine} ORDER BY {keys} LIMIT 1 OFFSET ({middle}))"


@dataclass
class Ward:
    """A database with two games that are well and many that are not: `cases` says by number which."""

    tables: GameService
    clock: Clock
    folder: Path
    cases: dict[int, str] = field(default_factory=dict)

    async def faults(self) -> dict[str, str]:
        """What the doctor names, by case."""
        return {
            self.cases.get(found.game, str(found.game)): str(found)
            for found in await self.tables.doctor.examine_all()
            if not found.is_healthy
        }

    async def others_go_on(self) -> None:
        """The other games open and are played, reminded and posted; the console starts, and shows all games."""
        self.clock.time += timedelta(days=3)
        await self.tables.reminders.sweep()
        for game in WELL:
            await self.tables.moves.submit(game, BOB, "bid P1 1")
        assert set(WELL) <= {notice.game for notice in await self.tables.outbox.waiting_notices()}
        said: list[str] = []
        console = Console(self.tables, self.folder, Screen(said.append), None)  # type: ignore[arg-type]
        for line in (None, "games", "open 1"):
            await execute_safely(console, line)
        assert console.faults == 0
        assert "Game 1: Toy." in said[-1]

    async def shut(self) -> dict[str, str]:
        """The cases that cannot be opened, each with the sentence that says so."""
        return {
            case: said
            for game, case in self.cases.items()
            if (said := await self._tried(self.tables.queries.status(game)))
        }

    async def unplayable(self) -> dict[str, str]:
        """The cases that cannot be played, each with the sentence that says so."""
        plays = {
            game: self.tables.moves.submit(game, PERSON, "Bob: bid P1 1", as_moderator=True) for game in self.cases
        }
        return {self.cases[game]: said for game, play in plays.items() if (said := await self._tried(play))}

    async def _tried(self, act: Awaitable[object]) -> str:
        try:
            await act
        except (Rejected, StoreError) as error:
            return str(error)
        return ""


@pytest.fixture
async def ward(tmp_path: Path, home: Path | Server) -> AsyncIterator[Ward]:
    clock = Clock()
    store = await Store.open(home)
    yield Ward(GameService(store, TITLES, clock), clock, tmp_path)
    await store.close()


@pytest.fixture
async def home(tmp_path: Path, empty_place: Path | Server, played: bytes) -> Path | Server:
    """A database with that game: a file, or one of a server to which it was carried."""
    path = tmp_path / "signalbox.db"
    path.write_bytes(played)
    if isinstance(empty_place, Path):
        return path
    file, server = await Store.open(path), await Store.open(empty_place)
    await file.copy_to(server, lambda total, done: None)
    await file.close()
    await server.close()
    return empty_place


def damaged(home: Path | Server, cases: Iterable[tuple[str, str]], value: str) -> dict[int, str]:
    """Copies of the game, each with this value in another column; which one by the game's number."""
    found: dict[int, str] = {}
    statements = [*copy(WELL[1])]
    for game, (table, column) in enumerate(cases, FIRST_CASE):
        row = row_of(table, game, "rowid" if isinstance(home, Path) else "ctid")
        statements += [*copy(game), f"UPDATE {table} SET {column} = {value} WHERE {row}"]
        found[game] = f"{table}.{column}"
    execute(home, *statements)
    return found


NOT_TAKEN = (("games", "id"), ("places", "game"), *((table, "id") for table in OWN_NUMBERS))
"""Columns in which the database itself takes nothing but numbers."""

COLUMNS = [(table.name, column.name) for table in TABLES for column in table.columns]
TIMES = [(table.name, column.name) for table in TABLES for column in table.columns if str(column.type) == "FLOAT"]
NUMBERS = [
    ("games", "seed"),
    ("games", "version"),
    ("games", "rules"),
    ("seats", "number"),
    ("seats", "quiet_from"),
    ("moves", "number"),
    ("moves", "parent"),
    ("moves", "seat"),
    ("snapshots", "number"),
    ("clocks", "seat"),
    ("orders", "ended"),
]
DAMAGES = {
    "no text": ([one for one in COLUMNS if one not in NOT_TAKEN], "CAST(x'61c3' AS TEXT)"),
    "far back": ([*TIMES, *NUMBERS], "-9e17"),
}
"""Columns, and what is written into them: bytes that are no text, no number and no JSON; and a number that is none."""

WHOSE = (
    *(
        f"{table}.game"
        for table in (
            "orders",
            "outbox",
            "posts",
            "questions",
            "sandboxes",
            "snapshots",
            "links",
            "notes",
            "mails",
            "talk",
            "ledger",
        )
    ),
    "answers.question",
)
"""What nothing in the game itself tells that it has lost it."""


FOLLOWING = ("games.version", "games.updated_at", "places.shard_key")
"""What follows from the log, or from another column."""


@pytest.mark.parametrize("damage", [pytest.param("no text", marks=pytest.mark.whole), "far back"])
async def test_whatever_stands_in_a_column_of_one_game(home: Path | Server, ward: Ward, damage: str) -> None:
    if isinstance(home, Server) and damage == "no text":
        pytest.skip("a server takes neither such bytes nor texts for numbers")
    ward.cases = damaged(home, *DAMAGES[damage])
    cases = set(ward.cases.values())
    found = await ward.faults()
    homeless = cases & {*WHOSE, "moves.game", "seats.game"}
    assert set(found) == {*cases.difference(WHOSE), *(["0"] if homeless else [])}
    assert all(f"{case.split('.')[0]}: 1 row(s) belong to" in found["0"] for case in homeless)

    await ward.others_go_on()
    shut = await ward.shut()
    own = {case for case in cases if case.startswith(("games.", "seats."))}
    assert own <= set(shut) <= {*own, "moves.number"}
    assert all(said.endswith("; run: signalbox doctor.") for said in shut.values())

    repairs = await ward.tables.doctor.repair_all()
    left = {ward.cases.get(one.report.game, "0") for one in repairs if not one.report.is_healthy}
    made_again = {case for case in found if case.startswith(("snapshots.", "clocks.")) or case in FOLLOWING}
    assert made_again and left == set(found) - made_again
    assert {ward.cases.get(one.report.game, "0") for one in repairs if one.done} >= made_again
    refused = await ward.unplayable()
    assert set(refused) <= {*own, "moves.number"} - made_again
    assert all(said.endswith("; run: signalbox doctor.") for said in refused.values())


KEYS = {"moves": "number", "outbox": "id"}


def flipped(value: object, bit: int) -> object:
    """A value with one bit of it turned, as a disk would; where no text comes of it, its bytes."""
    if isinstance(value, int):
        return value ^ 1 << bit % 8
    if isinstance(value, float):
        raw = bytearray(struct.pack(">d", value))
        raw[2 + bit % 6] ^= 1 << bit % 8
        return struct.unpack(">d", raw)[0]
    raw = bytearray(str(value).encode())
    place = bit % len(raw)
    # A server keeps no zero byte in a text: the bit beside it is turned then.
    raw[place] = raw[place] ^ 1 << bit % 7 or raw[place] ^ 1 << (bit + 1) % 7
    return raw.decode()


@pytest.mark.parametrize("table", ["moves", "outbox"])
async def test_every_bit_that_turns_in_a_record_or_a_notice_is_noticed(
    ward: Ward, home: Path | Server, table: str
) -> None:
    """Who made it, when, of what kind it is, what it says: nothing else tells that some of these are others."""
    rows = execute(home, f"SELECT {', '.join(SEALED[table])} FROM {table} WHERE game = 1 ORDER BY {KEYS[table]}")
    keys = [key for (key,) in execute(home, f"SELECT {KEYS[table]} FROM {table} WHERE game = 1 ORDER BY {KEYS[table]}")]
    assert (await ward.tables.doctor.examine(1)).is_healthy
    chance, missed = random.Random(70), []
    for column, name in enumerate(SEALED[table]):
        if name in ("game", KEYS[table]):
            continue
        for place in chance.sample(range(len(rows)), 4):
            was = rows[place][column]
            if was in (None, ""):
                continue
            bad = flipped(was, chance.randrange(64))
            here = f"UPDATE {table} SET {name} = ? WHERE game = 1 AND {KEYS[table]} = {keys[place]}"
            execute(home, here, values=(bad,))
            if (await ward.tables.doctor.examine(1)).is_healthy:
                missed.append((name, was, bad))
            execute(home, here, values=(was,))
    assert not missed
    assert (await ward.tables.doctor.examine(1)).is_healthy


async def test_a_record_that_is_not_what_was_saved_stays_as_it_is(ward: Ward, home: Path | Server) -> None:
    execute(home, "UPDATE moves SET person = 'discord:99' WHERE game = 1 AND number = 2")
    execute(home, "UPDATE outbox SET kind = 'boart' WHERE game = 1 AND id = 1")
    report = await ward.tables.doctor.examine(1)
    assert [str(fault) for fault in report.faults] == [
        "notice 1: it is not what was saved (seal)",
        "record 2: it is not what was saved (seal)",
    ]
    repair = await ward.tables.doctor.repair(1)
    assert repair.done == () and repair.report == report


async def test_records_of_a_person_who_was_erased_are_sealed(ward: Ward, home: Path | Server) -> None:
    await ward.tables.privacy.forget_person(BOB)
    assert (await ward.tables.doctor.examine(1)).is_healthy
    (seals,) = execute(home, "SELECT count(*) FROM moves WHERE game = 1 AND seal IS NULL")
    assert seals == (0,)


async def test_what_was_broken_before_somebody_was_erased_stays_so(ward: Ward, home: Path | Server) -> None:
    (number,) = execute(home, f"SELECT min(number) FROM moves WHERE game = 1 AND person = '{BOB}'")[0]
    execute(home, f"UPDATE moves SET made_at = made_at + 1 WHERE game = 1 AND number = {number}")
    await ward.tables.privacy.forget_person(BOB)
    assert f"record {number}: it is not what was saved" in str(await ward.tables.doctor.examine(1))


async def test_what_is_noted_of_a_failed_row_and_cannot_be_read_is_named_and_dropped(
    ward: Ward, home: Path | Server
) -> None:
    for key in (7, 8):
        await ward.tables.failures.note("mail", key, "no")
    execute(home, "UPDATE failures SET first_at = -9e17 WHERE key = '7'")
    report = await ward.tables.doctor.examine_strays()
    assert [str(fault).partition(" (")[0] for fault in report.faults] == ["failure mail 7: first_at cannot be read"]
    await ward.tables.doctor.repair(0)
    assert [failure.key for failure in await ward.tables.desk.store.failures.list_all()] == ["8", "9"]
