"""`signalbox run --check`: whether Discord lets the bot do its work, asked without doing any of it."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

import discord

from bot.commands.discord.discord_errors import UNREACHABLE, fault_of_place, intents, missing_permissions, reason_to_end
from bot.commands.discord.gateway import GatewayConnection
from bot.interpreter import interpreter_line
from bot.ops.privileges import as_owner
from bot.store import Place, Store

from .main import WRONG_USE, NotFound, present_database, settings

PATIENCE = 60.0
"""Seconds to wait for Discord to list the servers."""

MOST_CHANNELS = 20


def check(token: str) -> int:
    """Say what is missing; exit 0 when nothing is, 1 when games cannot be opened or go on, 2 without a token."""
    chosen = settings()
    print(interpreter_line())
    if not token:
        print("signalbox: DISCORD_TOKEN is not set; it stands in the developer portal on the page Bot", file=sys.stderr)
        return WRONG_USE
    with as_owner(chosen.data):
        places = asyncio.run(_places())
    # Failures are printed below, in one sentence.
    logging.getLogger("discord").setLevel(logging.CRITICAL)
    try:
        found = asyncio.run(run_checks(token, chosen.message_content, places))
    except CheckFailed as error:
        print(f"signalbox: {error}", file=sys.stderr)
        return 1
    for line in found.lines:
        print(line)
    print("all is well" if found.is_well else "something is missing")
    return 0 if found.is_well else 1


async def _places() -> list[Place]:
    try:
        path = present_database()
    except NotFound:
        return []
    async with await Store.open(path) as store:
        return await store.games.places_under_way()


class CheckFailed(Exception):
    """The bot cannot even begin; the text says why, and what to do."""


@dataclass
class CheckResult:
    """The findings, line by line; `is_well` when games can be opened somewhere, and each goes on where it is played."""

    lines: list[str] = field(default_factory=list)
    is_well: bool = True

    def add(self, line: str, is_well: bool = True) -> None:
        self.lines.append(line)
        self.is_well = self.is_well and is_well


async def run_checks(token: str, reads_content: bool, places: Sequence[Place]) -> CheckResult:
    """Log in as the bot does, look at each server and at where games are played, and leave again.

    :raises CheckFailed: the token or an intent is refused, or Discord cannot be reached.
    """
    client = discord.Client(intents=intents(reads_content), member_cache_flags=discord.MemberCacheFlags.none())
    connecting = asyncio.create_task(_connect(client, token))
    ready = asyncio.create_task(_wait_until_ready(client))
    try:
        await asyncio.wait({connecting, ready}, timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
        if connecting.done():
            connecting.result()
        if not ready.done():
            raise CheckFailed(f"Discord did not name the bot's servers within {PATIENCE:.0f} s; try again")
        found = CheckResult([f"token: good, the bot is {client.user}"])
        found.add(
            f"message content: {'granted' if reads_content else 'not asked for, so that moves are typed as /move'}"
        )
        for guild in client.guilds:
            _look_at_server(guild, found)
        if not client.guilds:
            found.add("no server: open the install link of the developer portal (README, step 2)", is_well=False)
        for place in places:
            await _look_at_place(client, place, found)
        return found
    except (discord.LoginFailure, discord.ConnectionClosed) as error:
        raise CheckFailed(reason_to_end(error) or str(error)) from error
    except UNREACHABLE as error:
        raise CheckFailed(f"Discord cannot be reached: {error}") from error
    finally:
        ready.cancel()
        await client.close()
        await asyncio.gather(connecting, ready, return_exceptions=True)


async def _connect(client: discord.Client, token: str) -> None:
    await client.login(token)
    await GatewayConnection(client, partial(setattr, client, "ws")).keep()


async def _wait_until_ready(client: discord.Client) -> None:
    """Works also for a client that has not logged in yet."""
    while not client.is_ready():
        await asyncio.sleep(0.05)


def _look_at_server(guild: discord.Guild, found: CheckResult) -> None:
    channels: list[discord.TextChannel | discord.ForumChannel] = [*guild.text_channels, *guild.forums]
    seen = [channel for channel in channels if channel.permissions_for(guild.me).view_channel]
    lacking = [(channel, missing) for channel in seen if (missing := missing_permissions(channel))]
    fit = len(seen) - len(lacking)
    found.add(f"server {guild.name!r}: games can be opened in {fit} of {len(channels)} channels", is_well=fit > 0)
    for channel, missing in lacking[:MOST_CHANNELS]:
        found.add(f"  #{channel.name} lacks {', '.join(missing)}")
    if len(lacking) > MOST_CHANNELS:
        found.add(f"  and {len(lacking) - MOST_CHANNELS} more")


async def _look_at_place(client: discord.Client, place: Place, found: CheckResult) -> None:
    """Whether a game can go on where it is played; what can, is not mentioned."""
    try:
        channel = await client.fetch_channel(int(place.spot))
    except discord.HTTPException as error:
        if not (fault := fault_of_place(error)):
            raise
        found.add(f"game {place.game}: {fault}", is_well=False)
    else:
        home = channel.parent if isinstance(channel, discord.Thread) else channel
        if isinstance(home, discord.abc.GuildChannel) and (missing := missing_permissions(home)):
            found.add(f"game {place.game} in #{home.name} lacks {', '.join(missing)}", is_well=False)
