"""The command that tries what the bot needs of Discord."""

from __future__ import annotations

import asyncio
import logging
import sys

from bot.commands.discord.checking import Unfit
from bot.commands.discord.checking import check as look
from bot.ops.ownership import acting_as_owner_of
from bot.store import Place, Store

from .main import WRONG_USE, NotThere, present_database, settings


def check(token: str) -> int:
    """Say what is missing; exit 0 when nothing is, 1 when games cannot be opened or go on, 2 without a token."""
    chosen = settings()
    if not token:
        print("signalbox: DISCORD_TOKEN is not set; it stands in the developer portal on the page Bot", file=sys.stderr)
        return WRONG_USE
    with acting_as_owner_of(chosen.data):
        places = asyncio.run(_places())
    # What goes wrong is said below, in one sentence.
    logging.getLogger("discord").setLevel(logging.CRITICAL)
    try:
        found = asyncio.run(look(token, chosen.reads_content, places))
    except Unfit as error:
        print(f"signalbox: {error}", file=sys.stderr)
        return 1
    for line in found.lines:
        print(line)
    print("all is well" if found.is_well else "something is missing")
    return 0 if found.is_well else 1


async def _places() -> list[Place]:
    """Where games are played, if there are any yet."""
    try:
        path = present_database()
    except NotThere:
        return []
    store = await Store.open(path)
    try:
        return await store.places_under_way()
    finally:
        await store.close()
