"""Rows as records."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar

import msgspec
from sqlalchemy import Table

from .errors import StoreDamaged

Record = TypeVar("Record", bound=msgspec.Struct)

JSON_COLUMNS = ("options", "lines", "data", "reason", "texts")
"""Columns that hold JSON text."""

NOT_READ = (msgspec.DecodeError, UnicodeError, TypeError, RecursionError)
"""What a value raises that no column of that kind can hold. (`ValidationError` is a `DecodeError`.)"""


def text_of(raw: bytes) -> str | bytes:
    """A text of the database; as it is where it is none, so that one bad text does not spoil every list that it is in."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw


def record_of(row: Mapping[Any, Any], kind: type[Record], table: Table | None = None) -> Record:
    """The record that a row holds, of this table where the row is of several; other columns are left out.

    :raises StoreDamaged: a column holds what it cannot hold.
    """
    values = {name: row[name] if table is None else row[table.c[name]] for name in kind.__struct_fields__}
    try:
        return read_whole(values, kind)
    except NOT_READ as error:
        raise damaged(values, kind) from error


def read_whole(values: Mapping[str, Any], kind: type[Record]) -> Record:
    """The record of these columns.

    :raises msgspec.DecodeError: (or what else `NOT_READ` names) one holds what it cannot hold.
    """
    read = {name: msgspec.json.decode(value) if name in JSON_COLUMNS else value for name, value in values.items()}
    return msgspec.convert(read, kind, strict=False)


fields_of = cache(msgspec.structs.fields)
"""What a record consists of."""


def damaged(values: Mapping[str, Any], kind: type[msgspec.Struct]) -> StoreDamaged:
    """The sentence about a row that cannot be read."""
    columns = ", ".join(unreadable(values, kind))
    if "game" not in values and kind.__name__ not in ("GameRecord", "PaceRecord"):
        return StoreDamaged("Saved data is damaged ({columns}); run: signalbox doctor.", columns)
    game = values.get("game", values.get("id"))
    return StoreDamaged("The saved data of game {game} is damaged ({columns}); run: signalbox doctor.", game, columns)


def unreadable(row: Mapping[str, Any], kind: type[msgspec.Struct]) -> dict[str, str]:
    """The columns of a row that hold what they cannot hold, each with the reason."""
    with contextlib.suppress(*NOT_READ):
        read_whole({name: row[name] for name in kind.__struct_fields__}, kind)
        return {}
    found: dict[str, str] = {}
    for field in fields_of(kind):
        try:
            value_of(row[field.name], field)
        except NOT_READ as error:
            found[field.name] = str(error)
    return found


def value_of(value: Any, field: msgspec.structs.FieldInfo) -> Any:
    """What a column holds.

    :raises msgspec.DecodeError: what it cannot hold.
    """
    read = msgspec.json.decode(value) if field.name in JSON_COLUMNS else value
    return msgspec.convert(read, field.type, strict=False)


def legible(row: Mapping[Any, Any], kind: type[Record], instead: Mapping[str, Any]) -> Record:
    """What can be read of a row: other columns hold `instead`, or the record's default."""
    with contextlib.suppress(StoreDamaged):
        return record_of(row, kind)
    values: dict[str, Any] = {}
    for field in fields_of(kind):
        try:
            values[field.name] = value_of(row[field.name], field)
        except NOT_READ:
            values[field.name] = instead.get(field.name, field.default)
    return kind(**values)


def row_of(record: msgspec.Struct, *left_out: str) -> dict[str, Any]:
    """The columns of a record, without those that the database fills in."""
    values: dict[str, Any] = msgspec.to_builtins(record)
    for name in JSON_COLUMNS:
        if name in values:
            values[name] = msgspec.json.encode(values[name]).decode()
    return {name: value for name, value in values.items() if name not in left_out}
