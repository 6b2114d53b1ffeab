"""Check sums of rows that are not to change: of what stands in them, not of what it means, so that wordings may change."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import Any

import msgspec
from sqlalchemy import Table, update

from .backends.sqlalchemy_async import AsyncConnection
from .schema import metadata

CHANGING = ("id", "posted_at", "reference", "attempts", "seal")
"""Columns of sealed rows that change, or that the database fills in."""

SEALED = {
    name: [column.name for column in metadata.tables[name].columns if column.name not in CHANGING]
    for name in ("moves", "outbox")
}


def seal_of(table: str, row: Mapping[Any, Any]) -> int:
    return zlib.crc32(msgspec.json.encode([_plain_value(name, row[name]) for name in SEALED[table]]))


def with_seal(table: str, row: Mapping[Any, Any]) -> dict[str, Any]:
    return {**row, "seal": seal_of(table, row)}


def is_broken(table: str, row: Mapping[Any, Any]) -> bool:
    """Whether a row differs from what was sealed. Rows of older releases have no seal."""
    return row["seal"] is not None and row["seal"] != seal_of(table, row)


async def rewrite(connection: AsyncConnection, table: Table, row: Mapping[Any, Any], **values: Any) -> None:
    """Change a row, and its seal if it is sealed. A broken seal stays broken."""
    if table.name in SEALED and row["seal"] is not None and not is_broken(table.name, row):
        values["seal"] = seal_of(table.name, {**row, **values})
    here = [column == row[column.name] for column in table.primary_key.columns]
    await connection.execute(update(table).where(*here).values(**values))


def _plain_value(name: str, value: Any) -> Any:
    """A value as either database returns it: numbers with a fraction, booleans as 1 and 0, texts without NUL."""
    if isinstance(value, str):
        return value.replace("\0", "")
    if isinstance(value, bool):
        return int(value)
    return float(value) if name.endswith("_at") and isinstance(value, int) else value
