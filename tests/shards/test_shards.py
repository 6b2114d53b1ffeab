"""Two and three bots on the shards of one community: every game is told by its own bot alone, whatever happens to one of them."""

from __future__ import annotations

import asyncio

import pytest

from tests.shards.community import Community

pytestmark = pytest.mark.postgres


async def test_every_game_is_told_by_the_bot_of_its_shard_alone(community: Community) -> None:
    first, second = await asyncio.gather(community.bot("0-1/4"), community.bot("2-3/4"))
    await community.served()
    await asyncio.gather(*(club.open() for club in community.clubs))
    for _ in range(2):
        await asyncio.gather(*(club.moved() for club in community.clubs))
    await community.settled()
    for club in community.clubs:
        assert club.tellers() == {(first if club.shard < 2 else second).pid}
