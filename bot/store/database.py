"""The open file: connections, transactions, migrations."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

from sqlalchemy import ColumnElement, Executable, Select, func
from sqlalchemy.engine import RowMapping

from bot.metrics import SAVE_SECONDS

from .backends.backend import Backend
from .backends.copy_database import Content, ProgressCallback, copy_rows
from .backends.dsn import Server
from .backends.sqlalchemy_async import AsyncConnection
from .backends.sqlite import SqliteBackend
from .errors import UNSURE, DatabaseUnreachable, StoreDamaged, StoreError, StoreFull, StoreTooNew, log, translate_errors
from .file.migrate import UnknownRevision, migrate
from .rows import Record, record_of
from .schema import places

if TYPE_CHECKING:
    from .backends.shard_lease import ShardLease

Read = TypeVar("Read")
Value = TypeVar("Value")
Rows = TypeVar("Rows")
Query = TypeVar("Query", bound="Select[*tuple[Any, ...]]")

PURGE_SPACING = 20
"""Minimum pause between two purges, in multiples of a purge's duration: nobody else writes meanwhile."""

PATIENCE = 5.0
"""Seconds to wait for another program that writes."""


class Database:
    """An open database. Use `await Store.open(path)`, or a server's address.

    Writers of this program wait for each other in turn; readers never wait.
    """

    def __init__(self, opened: Backend) -> None:
        self.backend = opened
        self._one_writer = asyncio.Lock()
        self._named: set[str] = set()
        self.is_unpurged = False
        """Whether erased data may remain in unused parts of the database's files."""
        self._next_purge = 0.0

    @classmethod
    async def open(
        cls,
        place: Path | Server,
        patience: float = PATIENCE,
        is_alone: bool = False,
        is_bot: bool = False,
        share: ShardLease | None = None,
    ) -> Self:
        """Open a database, creating and migrating it as needed; `is_alone` keeps everybody else out meanwhile, `is_bot`
        other bots of a server (beside a file `exclusive_tables` does), except those that have another `share` of it.

        :raises StoreInUse: somebody holds it exclusively, or (where `is_alone` is wanted) at all, or is its bot.
        :raises StoreError: it cannot be opened.
        """
        store = cls(await connect(place, patience, is_alone, is_bot, share))
        try:
            async with store.write_transaction() as connection:
                await connection.run_sync(migrate)
                if share is not None:
                    await share.set_shard_keys(connection)
            store.is_unpurged = await store.backend.is_unpurged()
            await store.purge()
        except UnknownRevision as error:
            await store.close()
            raise StoreTooNew("The database was made by a newer Signalbox; update the program.") from error
        except BaseException:
            await store.close()
            raise
        return store

    async def close(self) -> None:
        await self.backend.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *raised: object) -> None:
        await self.close()

    @asynccontextmanager
    async def write_transaction(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that may change things: all of it is saved, or nothing.

        :raises StoreError: the database did not take it.
        """
        is_asked = False
        try:
            with SAVE_SECONDS.time():
                async with self._one_writer, translate_errors(), self.backend.writers.begin() as connection:
                    if self.backend.claims is not None:
                        self.backend.claims.check()
                    yield connection
                    is_asked = True
        except StoreFull:
            log.error("there is no room left on the disk of %s", self.backend.where)
            raise
        except DatabaseUnreachable as error:
            if is_asked:
                raise DatabaseUnreachable(str(UNSURE)) from error
            raise

    @asynccontextmanager
    async def read_transaction(self) -> AsyncIterator[AsyncConnection]:
        """A consistent view of the database: everything read in it belongs to the same moment.

        :raises StoreError: the database did not answer.
        """
        async with translate_errors(), self.backend.readers.begin() as connection:
            yield connection

    @asynccontextmanager
    async def single_statement(self) -> AsyncIterator[AsyncConnection]:
        """As `read_transaction`, for a single statement, which needs no transaction.

        :raises StoreError: the database did not answer.
        """
        async with translate_errors(), self.backend.glances.connect() as connection:
            yield connection

    async def find_rows(self, query: Executable, values: Mapping[str, object] | None = None) -> Sequence[RowMapping]:
        """The rows of a single statement, which needs no transaction.

        :raises StoreError: the database did not answer.
        """
        async with self.single_statement() as connection:
            return (await connection.execute(query, values)).mappings().all()

    async def find_row(self, query: Executable) -> RowMapping | None:
        """As `find_rows`, for at most one row."""
        async with self.single_statement() as connection:
            return (await connection.execute(query)).mappings().one_or_none()

    async def find_value(self, query: Select[Value]) -> Value | None:
        """The value of a single statement's only row; None where there is no row, or no value in it."""
        async with self.single_statement() as connection:
            return (await connection.execute(query)).scalar_one_or_none()

    async def find_values(self, query: Select[Value]) -> Sequence[Value]:
        """The values of a single statement's first column."""
        async with self.single_statement() as connection:
            return (await connection.execute(query)).scalars().all()

    async def write(self, statement: Executable, rows: Sequence[Mapping[str, object]] | None = None) -> int:
        """Run a single statement in a transaction of its own, once for each of the rows; returns how many it changed.

        :raises StoreError: the database did not take it.
        """
        async with self.write_transaction() as connection:
            return (await connection.execute(statement, rows)).rowcount

    async def changes(self) -> AsyncGenerator[None]:
        """A signal at once, and another whenever any program may have saved something since the last.

        :raises StoreError: nothing is heard any more.
        """
        async with translate_errors(), aclosing(self.backend.changes()) as changes:
            async for _ in changes:
                yield

    def readable_records(self, rows: Iterable[RowMapping], kind: type[Record]) -> list[Record]:
        """Records that cannot be read are left out."""
        return self.read_each(rows, lambda row: record_of(row, kind))

    def read_each(self, rows: Iterable[Rows], read: Callable[[Rows], Read]) -> list[Read]:
        """The results for a list's rows; damaged rows are left out, so that they do not spoil the list. Faults are
        logged once.
        """
        found: list[Read] = []
        for row in rows:
            try:
                found.append(read(row))
            except StoreDamaged as damage:
                if str(damage) not in self._named:
                    self._named.add(str(damage))
                    log.error("left out: %s", damage)
        return found

    def for_own_shards(self, query: Query, game_column: ColumnElement[int]) -> Query:
        """The query, restricted to games that this program serves: where several share the work, those of its shards.
        Games without a place in Discord belong to shard 0, like direct messages.
        """
        share = self.backend.share
        if share is None:
            return query
        shard = func.coalesce(places.c.shard_key, 0) % share.wanted.count
        return query.outerjoin(places, places.c.game == game_column).where(shard.in_(sorted(share.served)))

    async def copy_to(self, target: Database, told: ProgressCallback) -> dict[str, Content]:
        """Copy every row into an empty database; returns what each table holds. All of it is saved there, or nothing.

        :raises StoreNotEmpty: it is not empty.
        :raises StoreError: a row cannot be read here, or not be kept there.
        """
        async with translate_errors():
            return await copy_rows(self.backend, target.backend, told)

    async def purge(self) -> None:
        """Remove erased data from the database's files too, unless that is done. If it cannot be done now, the next
        call does it. It takes a small share of the time, however often people are erased.
        """
        began = time.monotonic()
        if not self.is_unpurged or began < self._next_purge:
            return
        try:
            async with self._one_writer, translate_errors():
                await self.backend.purge()
                self.is_unpurged = False
        except StoreError as error:
            log.warning(
                "what was erased is still in unused parts of the database, which will be tried again: %s", error
            )
        now = time.monotonic()
        self._next_purge = now + PURGE_SPACING * (now - began)

    async def check(self) -> str:
        """The database's own report on itself: `ok` when it is whole, else a line for each fault."""
        async with translate_errors():
            return await self.backend.state()


async def connect(
    place: Path | Server,
    patience: float = PATIENCE,
    is_alone: bool = False,
    is_bot: bool = False,
    share: ShardLease | None = None,
) -> Backend:
    """Open a database as it is.

    :raises StoreError: as `Store.open`.
    """
    if isinstance(place, Path):
        return await SqliteBackend.open(place, patience, is_alone)
    from .backends.postgres import PostgresBackend

    return await PostgresBackend.open(place, patience, is_alone, is_bot, share)
