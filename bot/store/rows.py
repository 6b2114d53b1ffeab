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

JSON_COLUMNS = ("options", "clock", "lines", "data", "reason", "texts", "attached", "companies", "privates", "answers")

NOT_READ = (msgspec.DecodeError, UnicodeError, TypeError, RecursionError)
"""Exceptions for a value that no column of that kind can hold. (`ValidationError` is a `DecodeError`.)"""


def text_of(raw: bytes) -> str | bytes:
    """A text of the database; raw if it cannot be decoded, so that one bad text does not spoil every list that it
    is in.
    """
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw


def record_of(row: Mapping[Any, Any], kind: type[Record], table: Table | None = None) -> Record:
    """The record in a row, of this table if the row joins several; other columns are left out.

    :raises StoreDamaged: a column holds what it cannot hold.
    """
    values = {name: row[name] if table is None else row[table.c[name]] for name in kind.__struct_fields__}
    try:
        return decode_row(values, kind)
    except NOT_READ as error:
        raise damaged_error(values, kind) from error


def decode_row(values: Mapping[str, Any], kind: type[Record]) -> Record:
    """The record of these columns.

    :raises msgspec.DecodeError: (or what else `NOT_READ` names) one holds what it cannot hold.
    """
    read = {name: msgspec.json.decode(value) if name in JSON_COLUMNS else value for name, value in values.items()}
    return msgspec.convert(read, kind, strict=False)


fields_of = cache(msgspec.structs.fields)


def damaged_error(values: Mapping[str, Any], kind: type[msgspec.Struct]) -> StoreDamaged:
    columns = ", ".join(unreadable_columns(values, kind))
    if "game" not in values and kind.__name__ not in ("GameRecord", "PaceRecord"):
        return StoreDamaged("Saved data is damaged ({columns}); run: signalbox doctor.", columns)
    game = values.get("game", values.get("id"))
    return StoreDamaged("The saved data of game {game} is damaged ({columns}); run: signalbox doctor.", game, columns)


def unreadable_columns(row: Mapping[str, Any], kind: type[msgspec.Struct]) -> dict[str, str]:
    """The columns of a row with invalid values, each with the reason."""
    with contextlib.suppress(*NOT_READ):
        decode_row({name: row[name] for name in kind.__struct_fields__}, kind)
        return {}
    found: dict[str, str] = {}
    for field in fields_of(kind):
        try:
            value_of(row[field.name], field)
        except NOT_READ as error:
            found[field.name] = str(error)
    return found


def value_of(value: Any, field: msgspec.structs.FieldInfo) -> Any:
    """A column's value.

    :raises msgspec.DecodeError: what it cannot hold.
    """
    read = msgspec.json.decode(value) if field.name in JSON_COLUMNS else value
    return msgspec.convert(read, field.type, strict=False)


def decode_leniently(row: Mapping[Any, Any], kind: type[Record], instead: Mapping[str, Any]) -> Record:
    """The readable part of a row: other columns hold `instead`, or the record's default."""
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
