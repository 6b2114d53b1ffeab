"""A database on a server: PostgreSQL.

Writers follow one another over all programs, as SQLite's do: every transaction that may change something begins with a
lock of the whole database and sees all that was saved before. Each program writes by one connection, and that
connection holds the database for it: a program that lost it writes nothing until it holds the database again.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable
from functools import partial
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, event, func, literal_column, select, text
from sqlalchemy.exc import DBAPIError

from bot.store.errors import IN_USE, StoreInUse, StoreMissing, map_driver_error, translate_errors

from .advisory_locks import AdvisoryLocks
from .backend import Backend
from .compiled_statements import CompiledStatement
from .dsn import Server
from .notify import listen
from .shard_lease import ShardLease
from .sqlalchemy_async import AsyncConnection, create_async_engine

SPACE = 7283
"""The first half of the keys of our locks."""

HOLD, WRITER, BOT = 1, 2, 3
"""The second half: open database; writer; the only bot, or one of several that share the work."""

CHANGES = "signalbox_changes"
"""The channel on which every transaction that may have changed something is announced to programs that watch
the database.
"""

ASKING = "500ms"
"""How long the lock of a program that has just ended may still be there."""

LOCK_NOT_AVAILABLE = "55P03"

ANOTHER_BOT = StoreInUse("Another bot runs on this database.")


class PostgresBackend(Backend):
    claims: AdvisoryLocks

    def __init__(
        self, server: Server, patience: float, is_alone: bool, is_bot: bool, share: ShardLease | None = None
    ) -> None:
        from .dialect import NAME

        self.share = share
        self._is_alone = is_alone
        self._is_bot = is_bot
        url = server.url.set(drivername=NAME)
        given = url.query.get("options", "")
        settings = f"-c synchronous_commit=on -c lock_timeout={int(patience * 1000) or 1}"
        options: dict[str, Any] = {
            "connect_args": {
                "options": f"{given} {settings}".strip(),
                "connect_timeout": 5,
                "application_name": "signalbox",
            },
            "hide_parameters": True,
        }
        url = url.difference_update_query(["options"])
        self.writers = create_async_engine(
            url, isolation_level="READ COMMITTED", pool_size=1, max_overflow=0, **options
        )
        event.listen(self.writers.sync_engine, "connect", self._hold)
        event.listen(self.writers.sync_engine, "begin", _begin)
        pool = create_async_engine(url, **options)
        self.readers = pool.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        self.glances = pool.execution_options(isolation_level="AUTOCOMMIT")
        self.claims = AdvisoryLocks(self.writers.execution_options(isolation_level="AUTOCOMMIT"))
        if share is not None:
            share.open(self.claims, self.glances)

    @classmethod
    async def open(
        cls, server: Server, patience: float, is_alone: bool, is_bot: bool, share: ShardLease | None = None
    ) -> PostgresBackend:
        """Open a database; waiting `patience` seconds for another program that writes.

        :raises StoreInUse: somebody holds it exclusively, or (where `is_alone` is wanted) at all, or another bot runs
            on it.
        :raises StoreError: it cannot be reached.
        """
        try:
            opened = cls(server, patience, is_alone, is_bot, share)
        except ModuleNotFoundError as error:
            raise StoreMissing("For PostgreSQL one package is missing: install signalbox[postgres].") from error
        try:
            async with translate_errors(), opened.writers.connect():
                pass
        except BaseException:
            await opened.close()
            raise
        return opened

    async def close(self) -> None:
        await self.writers.dispose()
        await self.readers.dispose()

    async def run(self, connection: AsyncConnection, steps: Iterable[CompiledStatement]) -> list[int]:
        """Sends all, and only then waits. Driver errors are reported and handled as the library does."""
        import psycopg

        driver = (await connection.get_raw_connection()).driver_connection
        assert isinstance(driver, psycopg.AsyncConnection)
        cursors = []
        try:
            async with driver.pipeline():
                for step in steps:
                    cursors.append(driver.cursor())
                    await cursors[-1].executemany(*step.compile_for(connection.dialect))
        except psycopg.Error as error:
            is_lost = driver.closed
            if is_lost:
                await connection.invalidate(error)
            raise DBAPIError.instance(
                None, None, error, psycopg.Error, connection_invalidated=is_lost, dialect=connection.dialect
            ) from error
        return [cursor.rowcount for cursor in cursors]

    async def changes(self) -> AsyncGenerator[None]:
        """Announced by the server for every transaction that may have changed something."""
        async with listen(self.glances, CHANGES) as notices:
            yield
            async for _ in notices:
                yield

    async def state(self) -> str:
        """Whether the server has found damaged pages (it checks their sums if it was set up with them)."""
        query = text("SELECT checksum_failures FROM pg_stat_database WHERE datname = current_database()")
        async with self.glances.connect() as connection:
            failures = (await connection.execute(query)).scalar_one_or_none()
        return f"{failures} page(s) with a wrong sum" if failures else "ok"

    def row_of(self, table: str) -> ColumnElement[int | str]:
        return literal_column(f"{table}.ctid")

    def row_condition(self, table: str, row: int | str) -> ColumnElement[bool]:
        return literal_column(f"{table}.ctid::text") == row

    async def sync_sequence(self, connection: AsyncConnection, table: Table) -> None:
        column = table.autoincrement_column
        if column is not None and not column.foreign_keys:
            sequence = func.pg_get_serial_sequence(table.name, column.name)
            newest = select(func.max(column)).scalar_subquery()
            await connection.execute(select(func.setval(sequence, newest)).where(newest.is_not(None)))

    async def note_erasing(self, connection: AsyncConnection) -> None:
        """The server removes it in time, where we cannot."""

    async def is_unpurged(self) -> bool:
        return False

    async def purge(self) -> None:
        """Remove rows that nobody can see any more; the server's log and backups keep them for as long as they are
        kept.
        """
        async with self.glances.connect() as connection:
            await connection.execute(text("VACUUM"))

    def _hold(self, connection: Any, record: Any) -> None:
        """Hold the database through the writing connection, for as long as it lasts.

        :raises StoreInUse: another program does.
        """
        cursor = connection.cursor()
        try:
            cursor.execute(f"SET LOCAL lock_timeout = '{ASKING}'")
            take = partial(_lock, cursor)
            take("pg_advisory_lock" if self._is_alone else "pg_advisory_lock_shared", (SPACE, HOLD), IN_USE)
            self.claims.renew()
            if self.share is not None:
                take("pg_advisory_lock_shared", (SPACE, BOT), ANOTHER_BOT)
                self.share.acquire(take, cursor)
            elif self._is_bot:
                take("pg_advisory_lock", (SPACE, BOT), ANOTHER_BOT)
            cursor.close()
            connection.commit()
        except BaseException:
            connection.close()
            raise


def _lock(cursor: Any, function: str, key: tuple[int, int], refusal: StoreInUse) -> None:
    """Take a lock of this connection.

    :raises StoreInUse: another program has it.
    """
    try:
        cursor.execute(f"SELECT {function}({key[0]}, {key[1]})")
    except Exception as error:
        if getattr(error, "sqlstate", None) == LOCK_NOT_AVAILABLE:
            raise StoreInUse(str(refusal)) from error
        raise map_driver_error(error) from error


def _begin(connection: Connection) -> None:
    """Writers follow one another, and listeners are notified when all is saved. (Each statement sees what was
    saved before it; the lock's statement, which waits, reads nothing.)
    """
    if connection.get_execution_options().get("isolation_level") == "AUTOCOMMIT":
        return
    connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({SPACE}, {WRITER}), pg_notify('{CHANGES}', '')")
