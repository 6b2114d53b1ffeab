"""Rows of the database and our records."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec
from sqlalchemy import Table
from sqlalchemy.engine import RowMapping

Record = TypeVar("Record", bound=msgspec.Struct)

JSON_COLUMNS = ("options", "lines", "data", "texts")
"""Columns that hold JSON text."""


def record_of(row: RowMapping, kind: type[Record], table: Table | None = None) -> Record:
    """The record that a row holds, of this table where the row is of several; other columns are left out."""
    names = kind.__struct_fields__
    values = {name: row[name] if table is None else row[table.c[name]] for name in names}
    for name in JSON_COLUMNS:
        if name in values:
            values[name] = msgspec.json.decode(values[name])
    return msgspec.convert(values, kind, strict=False)


def row_of(record: msgspec.Struct, *left_out: str) -> dict[str, Any]:
    """The columns of a record, without those that the database fills in."""
    values: dict[str, Any] = msgspec.to_builtins(record)
    for name in JSON_COLUMNS:
        if name in values:
            values[name] = msgspec.json.encode(values[name]).decode()
    return {name: value for name, value in values.items() if name not in left_out}
