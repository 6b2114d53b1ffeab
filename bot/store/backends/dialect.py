"""The store's statements as PostgreSQL wants them. They are written once, for SQLite; this module translates what
differs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import BigInteger, Integer, String
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.postgresql.base import PGTypeCompiler
from sqlalchemy.dialects.postgresql.psycopg import PGCompiler_psycopg, PGDialectAsync_psycopg
from sqlalchemy.dialects.sqlite.base import SQLiteCompiler

NAME = "postgresql+signalbox"


class Int64(BigInteger):
    """A whole number of up to 64 bits, as SQLite's all are; yes and no are 1 and 0 there."""

    render_bind_cast = True

    def bind_processor(self, dialect: Any) -> Callable[[Any], Any]:
        return lambda value: None if value is None else int(value)


class NulFreeString(String):
    """A text. PostgreSQL stores no NUL in a text, which nobody can type nor see: it is left out."""

    render_bind_cast = True

    def bind_processor(self, dialect: Any) -> Callable[[Any], Any]:
        """Texts without NUL; other values are refused."""
        return lambda value: None if value is None else str.replace(value, "\0", "")


class TypeCompiler(PGTypeCompiler):
    def visit_INTEGER(self, type_: Any, **options: Any) -> str:
        """SQLite's whole numbers have 64 bits."""
        return "BIGINT"


class StatementCompiler(PGCompiler_psycopg):
    """Statements. SQLite took over PostgreSQL's `ON CONFLICT`, but without names of constraints."""

    _on_conflict_target = SQLiteCompiler._on_conflict_target


class SignalboxPostgresDialect(PGDialectAsync_psycopg):
    supports_statement_cache = True
    statement_compiler = StatementCompiler
    type_compiler_cls = TypeCompiler
    colspecs = {**PGDialectAsync_psycopg.colspecs, Integer: Int64, String: NulFreeString}

    @classmethod
    def get_async_dialect_cls(cls, url: Any) -> type[SignalboxPostgresDialect]:
        return cls


registry.register(NAME.replace("+", "."), __name__, SignalboxPostgresDialect.__name__)
