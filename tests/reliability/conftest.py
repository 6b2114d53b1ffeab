"""The double with a table of 1848 in it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from bot.store import Server
from tests.discord_double.double import Double
from tests.discord_double.fixtures import double as double
from tests.reliability.table import BLANK_BOT, Table, environment_of


@pytest.fixture
def haste() -> dict[str, str]:
    """What shortens the bot's waits; see `boot.hurry`. A test gives its own by the parameter of that name."""
    return {}


@pytest_asyncio.fixture
async def table(double: Double, tmp_path: Path, place: Path | Server, haste: dict[str, str]) -> AsyncIterator[Table]:
    """A running bot, which paints nothing, with a file and with a server's database; the double's teardown is the judge."""
    bot = await double.launch(BLANK_BOT, data=tmp_path, environment=environment_of(place) | haste)
    yield Table(double, bot, tmp_path, place)
    if isinstance(place, Server) and bot.is_running:
        await bot.terminate()
