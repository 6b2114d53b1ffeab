"""Every statement of the store, wherever it goes by: one by one, or a step of those that are taken together; of a file as SQLite
has it, too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bot.store.backends import sqlite
from bot.store.backends.compiled_statements import CompiledStatement
from bot.store.backends.sqlalchemy_async import AsyncConnection
from bot.store.file.connection import OneTurnCursor


def at_each_statement(monkeypatch: pytest.MonkeyPatch, begins: Callable[[bool], None]) -> None:
    """Before each, `begins` is told whether it changes anything; what it raises, the statement does."""
    execute, spelt = AsyncConnection.execute, CompiledStatement.compile_for

    async def executed(self: AsyncConnection, statement: Any, *args: Any, **kwargs: Any) -> Any:
        begins(statement.is_dml)
        return await execute(self, statement, *args, **kwargs)

    def taken(self: CompiledStatement, dialect: Any) -> Any:
        begins(True)
        return spelt(self, dialect)

    monkeypatch.setattr(AsyncConnection, "execute", executed)
    monkeypatch.setattr(CompiledStatement, "compile_for", taken)


def spelt_for_a_file(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """What SQLite is asked from now on, word by word, each once."""
    found: set[str] = set()
    run, taken = OneTurnCursor._run, sqlite._run_statement

    async def ran(self: OneTurnCursor, method: str, sql: str, parameters: Any) -> Any:
        found.add(sql)
        return await run(self, method, sql, parameters)

    def took(connection: Any, statement: str, rows: list[Any]) -> int:
        found.add(statement)
        return taken(connection, statement, rows)

    monkeypatch.setattr(OneTurnCursor, "_run", ran)
    monkeypatch.setattr(sqlite, "_run_statement", took)
    return found
