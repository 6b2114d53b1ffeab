"""A community of four shards."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from tests.discord_double.double import Double
from tests.discord_double.fixtures import double as double
from tests.shards.community import Community
from tests.store.postgres_cluster import cluster


@pytest_asyncio.fixture
async def community(double: Double, tmp_path: Path) -> AsyncIterator[Community]:
    """Four servers, one a shard, and no bot yet."""
    server = cluster().fresh()
    yield Community(double, server, tmp_path / "data")
    for bot in double.bots:
        if bot.is_running:
            await bot.terminate()
    cluster().drop(server)
