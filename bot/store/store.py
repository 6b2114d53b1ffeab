"""The database: every change is one transaction, every read a few rows, however long a game is."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, delete, event, insert, select, text, update
from sqlalchemy.engine import RowMapping
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from .errors import Conflict, translated
from .records import ClockRecord, GameRecord, MoveRecord, Notice, Place, SeatRecord
from .schema import clocks, games, moves, outbox, places, seats, snapshots

KEPT_SNAPSHOTS = 20
"""How many of the latest snapshots are kept; older ones only at multiples of `SNAPSHOT_SPACING`."""

SNAPSHOT_SPACING = 50


@dataclass
class Commit:
    """One change to a game: records appended, the position after the last of them, clocks, notices."""

    game: int
    expected_version: int
    records: Sequence[MoveRecord]
    state: bytes | None
    now: float
    status: str | None = None
    clocks: Sequence[ClockRecord] | None = None
    notices: Sequence[Notice] = field(default_factory=tuple)


class Store:
    """An open database. Use `await Store.open(path)`."""

    def __init__(self, engine: AsyncEngine) -> None:
        self.engine = engine

    @classmethod
    async def open(cls, path: Path) -> Store:
        """Open the file, creating and migrating it as needed.

        :raises StoreError: it cannot be opened.
        """
        path.parent.mkdir(parents=True, exist_ok=True)
        engine = create_async_engine(f"sqlite+aiosqlite:///{path}", connect_args={"timeout": 5})
        event.listen(engine.sync_engine, "connect", _prepare)
        event.listen(engine.sync_engine, "begin", _begin)
        store = cls(engine)
        async with store._transaction() as connection:
            await connection.run_sync(_migrate)
        return store

    async def close(self) -> None:
        """Close all connections."""
        await self.engine.dispose()

    @asynccontextmanager
    async def _transaction(self) -> AsyncIterator[AsyncConnection]:
        async with translated(), self.engine.begin() as connection:
            yield connection

    async def check(self) -> str:
        """SQLite's own report on the file: `ok` when it is whole."""
        async with self._transaction() as connection:
            return str((await connection.execute(text("PRAGMA quick_check"))).scalar_one())

    # -- games and seats ----------------------------------------------------------------------------

    async def add_game(self, record: GameRecord, first_seats: Iterable[SeatRecord] = ()) -> int:
        """Save a new game; returns its number."""
        values = msgspec.to_builtins(record)
        values["options"] = _write(record.options)
        del values["id"]
        async with self._transaction() as connection:
            game = int((await connection.execute(insert(games).values(**values))).inserted_primary_key[0])
            for seat in first_seats:
                await connection.execute(insert(seats).values(**{**msgspec.to_builtins(seat), "game": game}))
        return game

    async def game(self, game: int) -> GameRecord | None:
        """The game of that number."""
        async with self._transaction() as connection:
            row = (await connection.execute(select(games).where(games.c.id == game))).mappings().one_or_none()
        return _game(row) if row else None

    async def games(self, status: str | None = None) -> list[GameRecord]:
        """All games, or those of one status, newest first."""
        query = select(games).order_by(games.c.id.desc())
        if status:
            query = query.where(games.c.status == status)
        async with self._transaction() as connection:
            return [_game(row) for row in (await connection.execute(query)).mappings()]

    async def games_of(self, person: str) -> list[GameRecord]:
        """The games in which a person sits, newest first."""
        query = (
            select(games)
            .where(games.c.id.in_(select(seats.c.game).where(seats.c.person == person)))
            .order_by(games.c.id.desc())
        )
        async with self._transaction() as connection:
            return [_game(row) for row in (await connection.execute(query)).mappings()]

    async def seats(self, game: int) -> list[SeatRecord]:
        """The game's seats in order."""
        query = select(seats).where(seats.c.game == game).order_by(seats.c.number)
        async with self._transaction() as connection:
            return [
                msgspec.convert({**_plain(row), "muted": bool(row["muted"])}, SeatRecord)
                for row in (await connection.execute(query)).mappings()
            ]

    async def set_seats(self, game: int, records: Sequence[SeatRecord]) -> None:
        """Replace all seats of a game."""
        async with self._transaction() as connection:
            await connection.execute(delete(seats).where(seats.c.game == game))
            for record in records:
                await connection.execute(insert(seats).values(**msgspec.to_builtins(record)))

    async def set_game(self, game: int, **values: Any) -> None:
        """Change columns of a game (status, pace_hours, moderator)."""
        async with self._transaction() as connection:
            await connection.execute(update(games).where(games.c.id == game).values(**values))

    # -- moves --------------------------------------------------------------------------------------

    async def commit(self, change: Commit) -> None:
        """Save a change, all of it or nothing.

        :raises Conflict: the game has moved on since `expected_version`.
        :raises StoreError: the database did not take it.
        """
        version = change.records[-1].number if change.records else change.expected_version
        values: dict[str, Any] = {"version": version, "updated_at": change.now}
        if change.status:
            values["status"] = change.status
        async with self._transaction() as connection:
            done = await connection.execute(
                update(games)
                .where(games.c.id == change.game, games.c.version == change.expected_version)
                .values(**values)
            )
            if done.rowcount != 1:
                raise Conflict("The game has moved on; nothing was saved.")
            for record in change.records:
                row = msgspec.to_builtins(record)
                row["lines"] = _write(record.lines)
                await connection.execute(insert(moves).values(**row))
            if change.state is not None:
                await _save_snapshot(connection, change.game, version, change.state)
            if change.clocks is not None:
                await _save_clocks(connection, change.game, change.clocks)
            await _add_notices(connection, change.notices)

    async def snapshot(self, game: int, at_most: int) -> tuple[int, bytes] | None:
        """The latest position at or before a record: its number and the state."""
        query = (
            select(snapshots.c.number, snapshots.c.state)
            .where(snapshots.c.game == game, snapshots.c.number <= at_most)
            .order_by(snapshots.c.number.desc())
            .limit(1)
        )
        async with self._transaction() as connection:
            row = (await connection.execute(query)).one_or_none()
        return (int(row[0]), zlib.decompress(row[1])) if row else None

    async def snapshot_numbers(self, game: int) -> list[int]:
        """Which positions are kept."""
        query = select(snapshots.c.number).where(snapshots.c.game == game).order_by(snapshots.c.number)
        async with self._transaction() as connection:
            return [int(number) for number in (await connection.execute(query)).scalars()]

    async def moves(self, game: int, after: int = -1, limit: int | None = None) -> list[MoveRecord]:
        """The game's records with numbers above `after`; with a limit the latest of them."""
        query = select(moves).where(moves.c.game == game, moves.c.number > after).order_by(moves.c.number.desc())
        if limit is not None:
            query = query.limit(limit)
        async with self._transaction() as connection:
            rows = list((await connection.execute(query)).mappings())
        return [msgspec.convert({**_plain(row), "lines": _read(row["lines"])}, MoveRecord) for row in reversed(rows)]

    # -- clocks and notices -------------------------------------------------------------------------

    async def clocks(self, game: int) -> list[ClockRecord]:
        """Whom the game waits for, since when."""
        query = select(clocks).where(clocks.c.game == game).order_by(clocks.c.seat)
        async with self._transaction() as connection:
            return [msgspec.convert(_plain(row), ClockRecord) for row in (await connection.execute(query)).mappings()]

    async def due_clocks(self, now: float) -> list[ClockRecord]:
        """Clocks of running games whose next reminder is due."""
        query = (
            select(clocks)
            .join(games, games.c.id == clocks.c.game)
            .where(clocks.c.due_at <= now, games.c.status == "running")
            .order_by(clocks.c.due_at)
        )
        async with self._transaction() as connection:
            return [msgspec.convert(_plain(row), ClockRecord) for row in (await connection.execute(query)).mappings()]

    async def remind(self, clock: ClockRecord, next_due: float, notice: Notice | None) -> bool:
        """Push a clock on and add its reminder, both or neither. False when another sweep has done it already."""
        async with self._transaction() as connection:
            done = await connection.execute(
                update(clocks)
                .where(
                    clocks.c.game == clock.game,
                    clocks.c.seat == clock.seat,
                    clocks.c.due_at == clock.due_at,
                    clocks.c.reminders == clock.reminders,
                )
                .values(due_at=next_due, reminders=clock.reminders + 1)
            )
            if done.rowcount != 1:
                return False
            if notice is not None:
                await _add_notices(connection, [notice])
        return True

    async def waiting_notices(self, limit: int = 100) -> list[Notice]:
        """What must still be posted, oldest first."""
        query = select(outbox).where(outbox.c.posted_at.is_(None)).order_by(outbox.c.id).limit(limit)
        async with self._transaction() as connection:
            rows = list((await connection.execute(query)).mappings())
        return [
            msgspec.convert(
                {key: _read(row[key]) if key == "lines" else row[key] for key in Notice.__struct_fields__}, Notice
            )
            for row in rows
        ]

    async def mark_posted(self, notice: int, now: float, reference: str) -> None:
        """Note that a notice has been posted, and as what."""
        async with self._transaction() as connection:
            await connection.execute(
                update(outbox).where(outbox.c.id == notice).values(posted_at=now, reference=reference)
            )

    # -- places -------------------------------------------------------------------------------------

    async def set_place(self, place: Place) -> None:
        """Remember where a game is played."""
        async with self._transaction() as connection:
            await connection.execute(delete(places).where(places.c.game == place.game))
            await connection.execute(insert(places).values(**msgspec.to_builtins(place)))

    async def place(self, game: int) -> Place | None:
        """Where a game is played."""
        async with self._transaction() as connection:
            row = (await connection.execute(select(places).where(places.c.game == game))).mappings().one_or_none()
        return msgspec.convert(_plain(row), Place) if row else None

    async def game_in(self, channel: str) -> int | None:
        """The newest game whose thread or channel this is."""
        query = (
            select(places.c.game)
            .where((places.c.thread == channel) | (places.c.channel == channel))
            .order_by((places.c.thread == channel).desc(), places.c.game.desc())
            .limit(1)
        )
        async with self._transaction() as connection:
            found = (await connection.execute(query)).scalar_one_or_none()
        return int(found) if found is not None else None


# -- details ------------------------------------------------------------------------------------------


def _prepare(connection: Any, record: Any) -> None:
    """Settings of every new connection: write-ahead log, full sync, our own transactions."""
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin(connection: Connection) -> None:
    """Take the write lock at once, so that no transaction fails half-way for want of it."""
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _migrate(connection: Connection) -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


async def _save_snapshot(connection: AsyncConnection, game: int, number: int, state: bytes) -> None:
    packed = zlib.compress(state, 1)
    await connection.execute(insert(snapshots).values(game=game, number=number, state=packed))
    await connection.execute(
        delete(snapshots).where(
            snapshots.c.game == game,
            snapshots.c.number < number - KEPT_SNAPSHOTS,
            snapshots.c.number > number - KEPT_SNAPSHOTS - SNAPSHOT_SPACING,
            snapshots.c.number % SNAPSHOT_SPACING != 0,
        )
    )


async def _save_clocks(connection: AsyncConnection, game: int, records: Sequence[ClockRecord]) -> None:
    await connection.execute(delete(clocks).where(clocks.c.game == game))
    for record in records:
        await connection.execute(insert(clocks).values(**msgspec.to_builtins(record)))


async def _add_notices(connection: AsyncConnection, notices: Iterable[Notice]) -> None:
    for notice in notices:
        row = msgspec.to_builtins(notice)
        row["lines"] = _write(notice.lines)
        del row["id"]
        await connection.execute(insert(outbox).values(**row))


def _write(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _read(value: str) -> Any:
    return msgspec.json.decode(value)


def _plain(row: RowMapping) -> dict[str, Any]:
    """The row with ordinary strings as keys."""
    return {str(key): value for key, value in row.items()}


def _game(row: RowMapping) -> GameRecord:
    return msgspec.convert({**_plain(row), "options": _read(row["options"])}, GameRecord)
