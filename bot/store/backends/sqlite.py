"""A database in a file: SQLite."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import AsyncGenerator, Iterable
from contextlib import closing
from copy import copy
from pathlib import Path
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, event, literal_column, text

from bot.store.errors import FULL, LOCKED, refusal_of, translated
from bot.store.file.backup_file import fold_log
from bot.store.file.connection import OneTurnConnection
from bot.store.file.file_lock import FileLock
from bot.store.file.permissions import make_file, make_folder
from bot.store.rows import text_of

from .backend import Backend
from .compiled_statements import CompiledStatement
from .sqlalchemy_async import AsyncConnection, create_async_engine

FOLDINGS, FOLDING_PAUSE = 10, 0.3
"""So often, and after so many seconds, it is tried again to empty the write-ahead log while somebody reads."""

VACUUM_ROOM = 2
"""So many times its size of free room a file needs to be written anew: once for the new one, once for the log of the change."""

UNPURGED = 1
"""Stands as `application_id` in the header of a file that may hold what was erased."""

MOST_NAMED = 20
"""So many faults of a file are named, the first that are found."""

VERSION = text("PRAGMA data_version")
"""Another number after every change that another connection has saved, of this program or of another one."""

LOOK = 0.1
"""Seconds between two looks at it."""


class SqliteBackend(Backend):
    """An open file, and the hold on it."""

    def __init__(self, path: Path, patience: float, holding: FileLock) -> None:
        self._holding, self.path, self.where = holding, path, str(path.parent)
        options = {"timeout": patience, "async_creator_fn": OneTurnConnection.to}
        self.writers = create_async_engine(f"sqlite+aiosqlite:///{path}", connect_args=options, hide_parameters=True)
        event.listen(self.writers.sync_engine, "connect", _prepare)
        event.listen(self.writers.sync_engine, "begin", _begin)
        self.readers = self.writers.execution_options(begin="BEGIN")
        self.glances = self.writers.execution_options(begin="")

    @classmethod
    async def to(cls, path: Path, patience: float, is_alone: bool) -> SqliteBackend:
        """Open a file, made where there is none; `patience` seconds are waited for another program that writes.

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
        return cls(path, patience, FileLock.take(path, is_alone))

    async def close(self) -> None:
        """Close all connections and let go of the file."""
        await self.writers.dispose()
        self._holding.release()

    async def changes(self) -> AsyncGenerator[None]:
        """As the file's counter of changes says, which is looked at every so often."""
        known = None
        async with self.glances.connect() as connection:
            while True:
                version = (await connection.execute(VERSION)).scalar_one()
                if version != known:
                    known = version
                    yield
                await asyncio.sleep(LOOK)

    async def state(self) -> str:
        """SQLite's own report on the file."""
        async with self.readers.begin() as connection:
            found = (await connection.execute(text(f"PRAGMA quick_check({MOST_NAMED})"))).scalars()
            lines = [line for row in found for line in str(row).splitlines() if not line.startswith("***")]
        return "\n".join(lines[:MOST_NAMED])

    async def run(self, connection: AsyncConnection, steps: Iterable[CompiledStatement]) -> list[int]:
        """In one turn of its thread."""
        driver = (await connection.get_raw_connection()).driver_connection
        assert isinstance(driver, OneTurnConnection)
        return await driver.in_one_turn(lambda here: [_taken(here, *step.spelt(connection.dialect)) for step in steps])

    def row_of(self, table: str) -> ColumnElement[int | str]:
        """Its rowid."""
        return literal_column(f"{table}.rowid")

    def is_row(self, table: str, row: int | str) -> ColumnElement[bool]:
        """Whether it has that one."""
        return self.row_of(table) == row

    async def count_on(self, connection: AsyncConnection, table: Table) -> None:
        """It does."""

    async def note_erasing(self, connection: AsyncConnection) -> None:
        """In its header."""
        await connection.execute(text(f"PRAGMA application_id={UNPURGED}"))

    async def is_unpurged(self) -> bool:
        """As its header says."""
        async with self.glances.connect() as connection:
            return bool((await connection.execute(text("PRAGMA application_id"))).scalar_one() == UNPURGED)

    async def purge(self) -> None:
        """The file is written anew (`secure_delete` leaves copies of moved rows), and its write-ahead log emptied.

        :raises StoreFull: there is less room than that takes: the disk would be full for others meanwhile, and its log stay long.
        :raises StoreLocked: somebody reads for so long.
        """
        if shutil.disk_usage(self.path.parent).free < VACUUM_ROOM * self.path.stat().st_size:
            raise copy(FULL)
        async with self.glances.connect() as connection:
            await connection.execute(text("VACUUM"))
            for _ in range(FOLDINGS):
                if await asyncio.to_thread(fold_log, self.path):
                    await connection.execute(text("PRAGMA application_id=0"))
                    return
                await asyncio.sleep(FOLDING_PAUSE)
        raise copy(LOCKED)


def _taken(connection: sqlite3.Connection, statement: str, rows: list[Any]) -> int:
    with closing(connection.cursor()) as cursor:
        cursor.executemany(statement, rows)
        return cursor.rowcount


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
