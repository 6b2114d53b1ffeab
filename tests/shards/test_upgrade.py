"""A new release comes, bot by bot: the first one that begins expands the tables, the others go on as they are until they are begun
anew."""

from __future__ import annotations

import asyncio

import pytest

from bot.store.file.migrate import HEAD
from tests.shards import newer_bot
from tests.shards.community import Community

pytestmark = pytest.mark.postgres


async def test_older_and_newer_bots_side_by_side(community: Community) -> None:
    older, leaving = await community.bot("0-1/4"), await community.bot("2-3/4")
    await community.served()
    await asyncio.gather(*(club.open() for club in community.clubs))
    # Often enough for the driver to have prepared what is asked again and again.
    for _ in range(3):
        await asyncio.gather(*(club.moved() for club in community.clubs))
    await leaving.terminate()
    newer = await community.bot("2-3/4", program=newer_bot.__file__)
    await community.served()
    assert community.rows("SELECT version_num FROM alembic_version") == [(newer_bot.NEXT,)] != [(HEAD,)]
    await asyncio.gather(*(club.moved() for club in community.clubs))
    told = {club.shard: club.tellers() for club in community.clubs}
    assert all((older.pid if shard < 2 else newer.pid) in tellers for shard, tellers in told.items())
    # One whose session is ended goes on too; one that is begun again says what it lacks, and is begun as the new release.
    community.double.expect("log: .*(database|newer Signalbox)|bot: ended by itself with code 1", optional=True)
    community.rows(f"SELECT pg_terminate_backend({community.holder(0)})")
    await older.logged(": the shards are held again")
    await asyncio.gather(*(club.moved() for club in community.clubs))
    await older.terminate()
    await older.start(wait=False)
    await older.logged("made by a newer Signalbox; update the program")
    await older.finish()
    await community.bot("0-1/4", program=newer_bot.__file__)
    await community.served()
    await asyncio.gather(*(club.moved() for club in community.clubs))
    await community.settled()
    moods = community.rows("SELECT DISTINCT mood FROM moves")
    assert moods == [("calm",)], "what older bots saved is whole"
