"""The open file: connections, transactions, migrations."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Self, TypeVar

from sqlalchemy import Connection, event, text
from sqlalchemy.engine import RowMapping
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bot.metrics import SAVE_SECONDS

from .errors import StoreDamaged, StoreTooNew, log, refusal_of, translated
from .file.connection import OneTurnConnection
from .file.holding import Holding
from .file.migrate import UnknownRevision, migrate
from .file.private import make_file, make_folder
from .rows import Record, record_of, text_of

Read = TypeVar("Read")

PATIENCE = 5.0
"""Seconds to wait for another program that writes."""


class Database:
    """An open database. Use `await Store.open(path)`.

    Writers of this program wait for each other in turn; readers never wait.
    """

    def __init__(self, engine: AsyncEngine, holding: Holding) -> None:
        self.engine = engine
        self._holding = holding
        self._readers = engine.execution_options(begin="BEGIN")
        self._glances = engine.execution_options(begin="")
        self._one_writer = asyncio.Lock()
        self._named: set[str] = set()

    @classmethod
    async def open(cls, path: Path, patience: float = PATIENCE, is_alone: bool = False) -> Self:
        """Open the file, creating and migrating it as needed; `is_alone` keeps everybody else out meanwhile.

        :raises StoreInUse: somebody holds it alone, or (where `is_alone` is wanted) at all.
        :raises StoreError: it cannot be opened.
        """
        try:
            make_folder(path.parent)
            make_file(path)
        except OSError as error:
            raise refusal_of(error) from error
        async with translated():
            await asyncio.to_thread(_try_to_open, path)
        holding = Holding.take(path, is_alone)
        options = {"timeout": patience, "async_creator_fn": OneTurnConnection.to}
        engine = create_async_engine(f"sqlite+aiosqlite:///{path}", connect_args=options)
        event.listen(engine.sync_engine, "connect", _prepare)
        event.listen(engine.sync_engine, "begin", _begin)
        store = cls(engine, holding)
        try:
            async with store.writing() as connection:
                await connection.run_sync(migrate)
        except UnknownRevision as error:
            await store.close()
            raise StoreTooNew("The database was made by a newer Signalbox; update the program.") from error
        except BaseException:
            await store.close()
            raise
        return store

    async def close(self) -> None:
        """Close all connections."""
        await self.engine.dispose()
        self._holding.release()

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """One transaction that may change things: all of it is saved, or nothing.

        :raises StoreError: the database did not take it.
        """
        with SAVE_SECONDS.time():
            async with self._one_writer, translated(), self.engine.begin() as connection:
                yield connection

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """One look at the database: everything read in it belongs to the same moment.

        :raises StoreError: the database did not answer.
        """
        async with translated(), self._readers.begin() as connection:
            yield connection

    @asynccontextmanager
    async def glance(self) -> AsyncIterator[AsyncConnection]:
        """As `reading`, for a single statement, which needs no transaction to be of one moment.

        :raises StoreError: the database did not answer.
        """
        async with translated(), self._glances.connect() as connection:
            yield connection

    def readable(self, rows: Iterable[RowMapping], kind: type[Record]) -> list[Record]:
        """The records of a list's rows, without those that cannot be read."""
        return self.read_each(rows, lambda row: record_of(row, kind))

    def read_each(self, rows: Iterable[RowMapping], read: Callable[[RowMapping], Read]) -> list[Read]:
        """What is read from a list's rows, without those that are damaged: one does not spoil the list. What is wrong is
        logged once."""
        found: list[Read] = []
        for row in rows:
            try:
                found.append(read(row))
            except StoreDamaged as damage:
                if str(damage) not in self._named:
                    self._named.add(str(damage))
                    log.error("left out: %s", damage)
        return found

    async def check(self) -> str:
        """SQLite's own report on the file: `ok` when it is whole."""
        async with self.reading() as connection:
            return str((await connection.execute(text("PRAGMA quick_check"))).scalar_one())


def _try_to_open(path: Path) -> None:
    """Open and close the file: a failed attempt in aiosqlite would leave its thread behind.

    :raises sqlite3.Error: it cannot be opened.
    """
    sqlite3.connect(path).close()


def _prepare(connection: Any, record: Any) -> None:
    """Settings of every new connection: write-ahead log, full sync, our own transactions, texts that may be none."""
    connection.isolation_level = None
    connection.driver_connection.text_factory = text_of
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin(connection: Connection) -> None:
    """A writer takes the write lock at once, so that no transaction fails half-way for want of it."""
    statement = connection.get_execution_options().get("begin", "BEGIN IMMEDIATE")
    if statement:
        connection.exec_driver_sql(statement)
