"""`signalbox ban`: keeps people out of open tables, seasons and messages."""

from __future__ import annotations

import argparse
import asyncio
import re
from datetime import UTC, datetime

from bot.engine import PersonId
from bot.ops.lifecycle import open_tables
from bot.ops.privileges import as_owner
from bot.service.game_service import GameService
from bot.untrusted_input import InvalidFile

from .main import data_folder, present_database

DISCORD_ID = re.compile(r"(?:discord:)?([0-9]{1,20})")


def ban(arguments: argparse.Namespace) -> int:
    """Exit 1 where a ban is to be lifted and there is none."""
    with as_owner(data_folder()):
        return asyncio.run(_ban(arguments))


async def _ban(arguments: argparse.Namespace) -> int:
    async with open_tables(present_database()) as tables:
        if not arguments.person:
            found = await tables.bans.list_all()
            for one in found:
                print(f"{one.digest[:12]}  since {datetime.fromtimestamp(one.since, UTC):%Y-%m-%d}")
            print(f"{len(found)} people are banned")
            return 0
        person = await find_person(tables, arguments.person)
        if arguments.lift:
            was_banned = await tables.bans.lift(person)
            print("the ban is lifted" if was_banned else "that person is not banned")
            return 0 if was_banned else 1
        left = await tables.bans.ban(person)
        print(f"banned; games left: {', '.join(map(str, left)) or 'none'}")
        return 0


async def find_person(tables: GameService, word: str) -> PersonId:
    """The person with that Discord id, or that confirmed mail address.

    :raises InvalidFile: it is neither.
    """
    if found := DISCORD_ID.fullmatch(word):
        return PersonId(f"discord:{found[1]}")
    people = [one.person for one in await tables.mail.people_at(word.strip().lower()) if one.address]
    if len(people) != 1:
        raise InvalidFile(
            "name a person by their Discord id, like 123456789012345678, or by their confirmed mail address"
        )
    return people[0]
