"""Copies all rows of any database into another that is empty; compared before anything is saved there."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from sqlalchemy import Table, func, insert, select, tuple_
from sqlalchemy.exc import DBAPIError, StatementError

from bot.store.errors import DatabaseUnreachable, StoreDamaged, StoreNotEmpty, map_driver_error
from bot.store.schema import metadata

from .backend import Backend
from .sqlalchemy_async import AsyncConnection

PART = 500
"""Maximum number of rows in memory at once."""

ProgressCallback = Callable[[int, int], None]
"""Called with the total number of rows, and the number copied so far."""


@dataclass(frozen=True)
class Content:
    """The number of a table's rows, and the sum of their digests, in any order."""

    rows: int = 0
    digest: int = 0

    def with_rows(self, rows: Sequence[Sequence[Any]]) -> Content:
        digests = (
            int.from_bytes(sha256(repr([_plain_value(value) for value in row]).encode()).digest()) for row in rows
        )
        return Content(self.rows + len(rows), (self.digest + sum(digests)) % 2**256)


async def copy_rows(source: Backend, target: Backend, told: ProgressCallback) -> dict[str, Content]:
    """Copy every row as it is at one moment; returns what each table holds. All of it is saved, or nothing.

    :raises StoreNotEmpty: the target holds something.
    :raises StoreDamaged: a row cannot be kept there, or is not the same there.
    """
    async with source.readers.begin() as reading, target.writers.begin() as writing:
        if sum([await _count_rows(writing, table) for table in metadata.sorted_tables]):
            raise StoreNotEmpty("That database is not empty; copying needs an empty database.")
        total = sum([await _count_rows(reading, table) for table in metadata.sorted_tables])
        carried: dict[str, Content] = {}
        for table in metadata.sorted_tables:
            content = Content()
            async for rows in _row_batches(reading, table):
                content = content.with_rows(rows)
                await _insert_rows(writing, table, rows)
                told(total, sum(other.rows for other in carried.values()) + content.rows)
            carried[table.name] = content
        for table in metadata.sorted_tables:
            content = Content()
            async for rows in _row_batches(writing, table):
                content = content.with_rows(rows)
            if content != carried[table.name]:
                raise StoreDamaged("The rows of {table} are not the same in the other database.", table.name)
            await target.sync_sequence(writing, table)
    return carried


def _plain_value(value: Any) -> Any:
    return value.replace("\0", "") if isinstance(value, str) else value


async def _count_rows(connection: AsyncConnection, table: Table) -> int:
    return int((await connection.execute(select(func.count()).select_from(table))).scalar_one())


async def _insert_rows(connection: AsyncConnection, table: Table, rows: Sequence[Sequence[Any]]) -> None:
    names = [column.name for column in table.columns]
    try:
        await connection.execute(insert(table), [dict(zip(names, row, strict=True)) for row in rows])
    except (StatementError, TypeError, ValueError) as error:
        if isinstance(error, DBAPIError) and isinstance(map_driver_error(error), DatabaseUnreachable):
            raise
        raise StoreDamaged(
            "The other database cannot store a row of {table}; run: signalbox doctor.", table.name
        ) from error


async def _row_batches(connection: AsyncConnection, table: Table) -> AsyncIterator[Sequence[Sequence[Any]]]:
    keys = list(table.primary_key.columns)
    places = [list(table.columns).index(key) for key in keys]
    query = select(table).order_by(*keys).limit(PART)
    rows = (await connection.execute(query)).all()
    while rows:
        yield rows
        last = tuple_(*(rows[-1][place] for place in places), types=[key.type for key in keys])
        rows = (await connection.execute(query.where(tuple_(*keys) > last))).all()
