"""The program that serves only mail."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, cast

import pytest

from bot.commands.mail import main
from bot.commands.mail.service import MailService
from bot.engine import PersonId
from bot.ops.settings import Settings
from bot.service.game_service import GameService
from bot.service.imports.fair_queue import ShuttingDown
from bot.service.imports.sandbox_process import ImportProcess
from tests.mail.conftest import Post, settings


async def test_files_of_strangers_are_read_in_processes_with_limits(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    stop, found = asyncio.Event(), list[ImportProcess | None]()

    @asynccontextmanager
    async def opened(chosen: Settings) -> AsyncIterator[tuple[GameService, asyncio.Event]]:
        yield post.tables, stop

    class Service(MailService):
        def begin(self) -> None:
            found.append(self.tables.transfer.porter)
            stop.set()

    monkeypatch.setattr(main, "exclusive_tables", opened)
    monkeypatch.setattr(main, "MailService", Service)
    chosen = Settings.from_env({"SIGNALBOX_DATA": str(post.folder), "SIGNALBOX_PORT": "0"})
    object.__setattr__(chosen, "mail", settings())
    assert await main.run_mail(chosen, cast(Any, None)) == 0
    (porter,) = found
    assert isinstance(porter, ImportProcess)
    with pytest.raises(ShuttingDown):
        async with porter.turn(PersonId("mail:0123456789abcdef"), ""):
            pass
