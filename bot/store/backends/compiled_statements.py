"""Statements as a driver takes them, past the library that builds them: eight save a move, and each one's way through the library
costs more than what it does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import Dialect, UpdateBase
from sqlalchemy.sql.compiler import SQLCompiler

MOST_COMPILED = 200
"""Maximum number of compiled statements kept, each with its columns."""

Row = Mapping[str, Any]


class CompiledStatement(NamedTuple):
    """A statement that changes rows and returns none, run once for each of these sets of values; there is at least one.
    The statement is shared, not built anew for each step.
    """

    statement: UpdateBase
    rows: Sequence[Row]

    def compile_for(self, dialect: Dialect) -> tuple[str, list[Any]]:
        """Its text, and each set of values, in the driver's form."""
        spelling = _compiled_text(self.statement, dialect, tuple(self.rows[0]))
        return spelling.text, [spelling.values(row) for row in self.rows]


class _CompiledText:
    """A statement in one database's dialect, with numbered or named parameters."""

    def __init__(self, statement: UpdateBase, dialect: Dialect, columns: Sequence[str]) -> None:
        compiled = statement.compile(dialect=dialect, column_keys=columns, for_executemany=True)
        assert isinstance(compiled, SQLCompiler)
        whole = compiled.construct_expanded_state(dict.fromkeys(columns))
        self.text, self._order, self._own = whole.statement, whole.positiontup, dict(whole.parameters)
        kinds = {name: compiled.binds[name].type.dialect_impl(dialect) for name in columns}
        found = {name: kind.bind_processor(dialect) for name, kind in kinds.items()}
        self._processors = {name: process for name, process in found.items() if process is not None}

    def values(self, row: Row) -> Any:
        values = {**self._own, **row}
        for name, process in self._processors.items():
            values[name] = process(values[name])
        return values if self._order is None else [values[name] for name in self._order]


_compiled_text = lru_cache(MOST_COMPILED)(_CompiledText)
