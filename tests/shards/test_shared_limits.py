"""What Discord allows to one token is shared by several bots: requests a second, and beginnings of sessions."""

from __future__ import annotations

import asyncio
from itertools import pairwise

import pytest

from tests.discord_double.boot import IDENTIFY_SECONDS
from tests.shards.community import Community

pytestmark = pytest.mark.postgres

ALLOWED = 8
"""Requests a second of all bots together, in place of Discord's: as many as a busy machine can send, and more."""

MESSAGES = 8
"""Of each game, all at once."""

TELL = """
INSERT INTO outbox (game, number, kind, lines, created_at, attempts)
SELECT games.id, 0, 'told', '[["said", "News {number}.", [' || number || ']]]', 1.0, 0
FROM games, generate_series(1, %d) AS number
"""


def most_in_a_second(moments: list[float]) -> int:
    """The most of these moments that lie within a second."""
    return max(sum(begin <= moment < begin + 1 for moment in moments) for begin in moments)


async def test_bots_that_have_much_to_tell_stay_below_what_discord_takes_together(community: Community) -> None:
    bots = [await community.bot(shards, SIGNALBOX_DOUBLE_ALLOWED=str(ALLOWED)) for shards in ("0-1/4", "2/4", "3/4")]
    await community.served()
    await asyncio.gather(*(club.open() for club in community.clubs))
    await community.settled()
    before = len(community.double.calls)
    community.rows(TELL % MESSAGES)
    await community.until(
        lambda: all(sum("News" in post.text for post in club.posts()) == MESSAGES for club in community.clubs),
        "all that there is to tell",
        120,
    )
    sent = [call for call in community.double.calls[before:] if call.path.startswith("/channels/")]
    for bot, part in zip(bots, (0.5, 0.25, 0.25), strict=True):
        moments = [call.at for call in sent if call.sender == bot.pid]
        assert len(moments) >= MESSAGES * 4 * part
        # A busy machine brings some of them later than they were sent.
        assert most_in_a_second(moments) <= ALLOWED * part + 2, f"the bot with {part} of the allowance"


@pytest.mark.parametrize("buckets", [1, 2])
async def test_sessions_begin_one_after_the_other_in_each_bucket(community: Community, buckets: int) -> None:
    gateway = community.double.gateway
    gateway.max_concurrency = buckets
    await asyncio.gather(*(community.bot("auto:1/4", wait=False) for _ in range(4)))
    await community.served()
    assert len(gateway.began) == 4
    for bucket in range(buckets):
        moments = sorted(at for shard, at in gateway.began if shard % buckets == bucket)
        assert all(later - earlier >= IDENTIFY_SECONDS for earlier, later in pairwise(moments))
