"""The store's statements as PostgreSQL wants them. They are written once, for SQLite; what differs is told here."""

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
        """Numbers as numbers."""
        return lambda value: None if value is None else int(value)


class NulFreeString(String):
    """A text. PostgreSQL keeps none with a NUL in it, which nobody can type nor see: it is left out."""

    render_bind_cast = True

    def bind_processor(self, dialect: Any) -> Callable[[Any], Any]:
        """Texts without it; what is none is refused."""
        return lambda value: None if value is None else str.replace(value, "\0", "")


class TypeCompiler(PGTypeCompiler):
    """Columns' types, also in migrations."""

    def visit_INTEGER(self, type_: Any, **options: Any) -> str:
        """SQLite's whole numbers have 64 bits."""
        return "BIGINT"


class StatementCompiler(PGCompiler_psycopg):
    """Statements. `ON CONFLICT` is PostgreSQL's and was taken over by SQLite, which knows no names of constraints."""

    _on_conflict_target = SQLiteCompiler._on_conflict_target


class SignalboxPostgresDialect(PGDialectAsync_psycopg):
    """PostgreSQL by psycopg 3."""

    supports_statement_cache = True
    statement_compiler = StatementCompiler
    type_compiler_cls = TypeCompiler
    colspecs = {**PGDialectAsync_psycopg.colspecs, Integer: Int64, String: NulFreeString}

    @classmethod
    def get_async_dialect_cls(cls, url: Any) -> type[SignalboxPostgresDialect]:
        """This one is asynchronous."""
        return cls


registry.register(NAME.replace("+", "."), __name__, SignalboxPostgresDialect.__name__)
