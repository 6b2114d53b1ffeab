"""Every statement of the store, wherever it goes by: one by one, or a step of those that are taken together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bot.store.engines.asynchronous import AsyncConnection
from bot.store.engines.steps import Step


def at_each_statement(monkeypatch: pytest.MonkeyPatch, begins: Callable[[bool], None]) -> None:
    """Before each, `begins` is told whether it changes anything; what it raises, the statement does."""
    execute, spelt = AsyncConnection.execute, Step.spelt

    async def executed(self: AsyncConnection, statement: Any, *args: Any, **kwargs: Any) -> Any:
        begins(statement.is_dml)
        return await execute(self, statement, *args, **kwargs)

    def taken(self: Step, dialect: Any) -> Any:
        begins(True)
        return spelt(self, dialect)

    monkeypatch.setattr(AsyncConnection, "execute", executed)
    monkeypatch.setattr(Step, "spelt", taken)
