"""The double with a table of 1848 in it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from tests.discord_double.double import Double
from tests.discord_double.fixtures import double as double
from tests.reliability.table import BLANK_BOT, Table


@pytest_asyncio.fixture
async def table(double: Double, tmp_path: Path) -> AsyncIterator[Table]:
    """A running bot, which paints nothing; the double's teardown is the judge."""
    yield Table(double, await double.launch(BLANK_BOT, data=tmp_path / "data"), tmp_path / "data")
