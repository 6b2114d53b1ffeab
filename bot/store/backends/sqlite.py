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

from bot.store.errors import FULL, LOCKED, map_os_error, translate_errors
from bot.store.file.backup_file import fold_log
from bot.store.file.connection import OneTurnConnection
from bot.store.file.file_lock import FileLock
from bot.store.file.permissions import make_file, make_folder
from bot.store.rows import text_of
from bot.threads import run_in_thread

from .backend import Backend
from .compiled_statements import CompiledStatement
from .sqlalchemy_async import AsyncConnection, create_async_engine

FOLDINGS, FOLDING_PAUSE = 10, 0.3
"""Number of attempts, and seconds between them, to empty the write-ahead log while somebody reads."""

VACUUM_ROOM = 2
"""Multiple of its size in free room that a file needs to be rewritten: once for the new file, once for the log
of the change.
"""

UNPURGED = 1
"""`application_id` in the header of a file that may hold erased data."""

MOST_NAMED = 20
"""Maximum number of faults of a file that are named, the first found."""

VERSION = text("PRAGMA data_version")
"""A different number after every change saved by another connection, of this program or of another."""

LOOK = 0.1
"""Seconds between two looks at it."""


class SqliteBackend(Backend):
    def __init__(self, path: Path, patience: float, holding: FileLock) -> None:
        self._holding, self.path, self.where = holding, path, str(path.parent)
        options = {"timeout": patience, "async_creator_fn": OneTurnConnection.create}
        self.writers = create_async_engine(f"sqlite+aiosqlite:///{path}", connect_args=options, hide_parameters=True)
        event.listen(self.writers.sync_engine, "connect", _prepare)
        event.listen(self.writers.sync_engine, "begin", _begin)
        self.readers = self.writers.execution_options(begin="BEGIN")
        self.glances = self.writers.execution_options(begin="")

    @classmethod
    async def open(cls, path: Path, patience: float, is_alone: bool) -> SqliteBackend:
        """Open a file, made where there is none; waiting `patience` seconds for another program that writes.

        :raises StoreInUse: somebody holds it exclusively, or (where `is_alone` is wanted) at all.
        :raises StoreError: it cannot be opened.
        """
        try:
            make_folder(path.parent)
            make_file(path)
        except OSError as error:
            raise map_os_error(error) from error
        async with translate_errors():
            await run_in_thread(_try_to_open, path)
        return cls(path, patience, FileLock.take(path, is_alone))

    async def close(self) -> None:
        await self.writers.dispose()
        self._holding.release()

    async def changes(self) -> AsyncGenerator[None]:
        known = None
        async with self.glances.connect() as connection:
            while True:
                version = (await connection.execute(VERSION)).scalar_one()
                if version != known:
                    known = version
                    yield
                await asyncio.sleep(LOOK)

    async def state(self) -> str:
        async with self.readers.begin() as connection:
            found = (await connection.execute(text(f"PRAGMA quick_check({MOST_NAMED})"))).scalars()
            lines = [line for row in found for line in str(row).splitlines() if not line.startswith("***")]
        return "\n".join(lines[:MOST_NAMED])

    async def run(self, connection: AsyncConnection, steps: Iterable[CompiledStatement]) -> list[int]:
        driver = (await connection.get_raw_connection()).driver_connection
        assert isinstance(driver, OneTurnConnection)
        return await driver.run_in_one_turn(
            lambda here: [_run_statement(here, *step.compile_for(connection.dialect)) for step in steps]
        )

    def row_of(self, table: str) -> ColumnElement[int | str]:
        return literal_column(f"{table}.rowid")

    def row_condition(self, table: str, row: int | str) -> ColumnElement[bool]:
        return self.row_of(table) == row

    async def sync_sequence(self, connection: AsyncConnection, table: Table) -> None:
        """It does."""

    async def note_erasing(self, connection: AsyncConnection) -> None:
        await connection.execute(text(f"PRAGMA application_id={UNPURGED}"))

    async def is_unpurged(self) -> bool:
        async with self.glances.connect() as connection:
            return bool((await connection.execute(text("PRAGMA application_id"))).scalar_one() == UNPURGED)

    async def purge(self) -> None:
        """Rewrite the file (`secure_delete` leaves copies of moved rows), and empty its write-ahead log.

        :raises StoreFull: there is less room than that takes: the disk would be full for others meanwhile, and its log
            stay long.
        :raises StoreLocked: somebody reads for too long.
        """
        if shutil.disk_usage(self.path.parent).free < VACUUM_ROOM * self.path.stat().st_size:
            raise copy(FULL)
        async with self.glances.connect() as connection:
            await connection.execute(text("VACUUM"))
            for _ in range(FOLDINGS):
                if await run_in_thread(fold_log, self.path):
                    await connection.execute(text("PRAGMA application_id=0"))
                    return
                await asyncio.sleep(FOLDING_PAUSE)
        raise copy(LOCKED)


def _run_statement(connection: sqlite3.Connection, statement: str, rows: list[Any]) -> int:
    with closing(connection.cursor()) as cursor:
        cursor.executemany(statement, rows)
        return cursor.rowcount


def _try_to_open(path: Path) -> None:
    """Open and close the file: a failed attempt in aiosqlite would leave its thread behind.

    :raises sqlite3.Error: it cannot be opened.
    """
    sqlite3.connect(path).close()


def _prepare(connection: Any, record: Any) -> None:
    """Settings of every new connection: write-ahead log, full sync, our own transactions, texts that may be invalid."""
    connection.isolation_level = None
    connection.driver_connection.text_factory = text_of
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin(connection: Connection) -> None:
    """A writer takes the write lock at once, so that no transaction fails half-way without it."""
    statement = connection.get_execution_options().get("begin", "BEGIN IMMEDIATE")
    if statement:
        connection.exec_driver_sql(statement)
