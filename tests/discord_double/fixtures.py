"""Fixtures for end-to-end tests: `from tests.discord_double.fixtures import double`."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest_asyncio

from tests.discord_double.double import Double


@pytest_asyncio.fixture
async def double() -> AsyncIterator[Double]:
    """A running emulator with one guild, one text channel and four users; its teardown is the judge."""
    running = Double()
    await running.start()
    try:
        yield running
    finally:
        await running.close()
