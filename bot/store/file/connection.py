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
    def create(cls, path: str, **options: Any) -> OneTurnConnection:
        """A connection that is opened when awaited; its thread does not keep a program from ending."""
        connection = cls(partial(sqlite3.connect, path, **options), iter_chunk_size=64)
        connection._thread.daemon = True
        return connection

    def cursor(self) -> OneTurnCursor:  # type: ignore[override]
        return OneTurnCursor(self)

    def stop(self) -> asyncio.Future[Any] | None:
        """End the thread. It answers once: later callers, such as two that close it while both are cancelled, wait for
        the same answer.
        """
        if self._end is None:
            self._end = super().stop()
        return self._end

    async def run_in_one_turn(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        """Run a function on the thread's connection in one turn. A cancelled caller leaves only when it has ended:
        nothing else uses the connection meanwhile.
        """
        turn = asyncio.ensure_future(self._execute(work, self._conn))  # type: ignore[no-untyped-call]
        try:
            return await asyncio.shield(turn)
        except asyncio.CancelledError:
            await asyncio.wait({turn})
            raise

    async def rollback(self) -> None:
        """Roll back what is open; if nothing is, the thread is not used."""
        if self.in_transaction:
            await super().rollback()


class OneTurnCursor(aiosqlite.Cursor):
    """Sends a statement, fetches its rows and closes, all in one turn."""

    def __init__(self, connection: OneTurnConnection) -> None:
        self._conn = connection
        self._description: Any = None
        self._numbers = (-1, None)
        self._rows: list[Any] = []

    async def __aenter__(self) -> Self:
        return self

    async def execute(self, sql: str, parameters: Parameters | None = None) -> Self:
        return await self._run("execute", sql, parameters or ())

    async def executemany(self, sql: str, parameters: Iterable[Parameters]) -> Self:
        return await self._run("executemany", sql, parameters)

    async def fetchall(self) -> list[Any]:
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
        return self._description

    @property
    def rowcount(self) -> int:
        return self._numbers[0]

    @property
    def lastrowid(self) -> int | None:
        return self._numbers[1]
