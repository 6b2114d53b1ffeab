"""A connection of aiosqlite that asks its thread once a statement, or once for many that belong together.

SQLAlchemy takes four turns there and back for each: a cursor, the statement, its rows, the cursor's end. A turn between two
threads costs 0.1 to 0.4 ms on a small machine, more than most statements.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Self, TypeVar

import aiosqlite

Parameters = Iterable[Any]
Result = TypeVar("Result")


class OneTurnConnection(aiosqlite.Connection):
    """As aiosqlite's own, with cursors that work in one turn."""

    _end: asyncio.Future[Any] | None = None

    @classmethod
    def to(cls, path: str, **options: Any) -> OneTurnConnection:
        """A connection that is opened when it is awaited; its thread keeps no program from ending."""
        connection = cls(partial(sqlite3.connect, path, **options), iter_chunk_size=64)
        connection._thread.daemon = True
        return connection

    def cursor(self) -> OneTurnCursor:  # type: ignore[override]
        """A cursor, without asking the thread."""
        return OneTurnCursor(self)

    def stop(self) -> asyncio.Future[Any] | None:
        """End the thread. It answers once: whoever asks again, as two who close it while both are cancelled, waits for the same."""
        if self._end is None:
            self._end = super().stop()
        return self._end

    async def in_one_turn(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        """Have the thread do something with its connection, all of it in one turn. Whoever gives up waiting leaves when it has
        ended: nobody else uses the connection meanwhile."""
        turn = asyncio.ensure_future(self._execute(work, self._conn))  # type: ignore[no-untyped-call]
        try:
            return await asyncio.shield(turn)
        except asyncio.CancelledError:
            await asyncio.wait({turn})
            raise

    async def rollback(self) -> None:
        """Take back what is open; where nothing is, the thread is not asked."""
        if self.in_transaction:
            await super().rollback()


class OneTurnCursor(aiosqlite.Cursor):
    """A statement is sent, its rows are fetched and the cursor is closed at once."""

    def __init__(self, connection: OneTurnConnection) -> None:
        self._conn = connection
        self._description: Any = None
        self._numbers = (-1, None)
        self._rows: list[Any] = []

    async def __aenter__(self) -> Self:
        return self

    async def execute(self, sql: str, parameters: Parameters | None = None) -> Self:
        """Run a statement and fetch all that it gives."""
        return await self._run("execute", sql, parameters or ())

    async def executemany(self, sql: str, parameters: Iterable[Parameters]) -> Self:
        """Run a statement for each of these."""
        return await self._run("executemany", sql, parameters)

    async def fetchall(self) -> list[Any]:
        """The rows, which are there."""
        return self._rows

    async def close(self) -> None:
        """Nothing is open."""

    async def _run(self, method: str, sql: str, parameters: Any) -> Self:
        def run() -> tuple[Any, int, int | None, list[Any]]:
            cursor = self._conn._conn.cursor()
            try:
                getattr(cursor, method)(sql, parameters)
                rows = cursor.fetchall() if cursor.description else []
                return cursor.description, cursor.rowcount, cursor.lastrowid, rows
            finally:
                cursor.close()

        self._description, *self._numbers, self._rows = await self._execute(run)  # type: ignore[no-untyped-call]
        return self

    @property
    def description(self) -> Any:
        """What the columns are called, of a statement that gives rows."""
        return self._description

    @property
    def rowcount(self) -> int:
        """How many rows were changed."""
        return self._numbers[0]

    @property
    def lastrowid(self) -> int | None:
        """The number of the row that was added last."""
        return self._numbers[1]
