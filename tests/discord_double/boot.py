"""Points discord.py at the emulator, then runs a program: `boot.py -m bot run` or `boot.py script.py`.

The address stands in SIGNALBOX_DOUBLE. The program itself knows nothing of all this.
"""

from __future__ import annotations

import asyncio
import os
import runpy
import sys
from datetime import timedelta
from typing import Any

import discord
import discord.gateway
import discord.http
import discord.state
import yarl

GUILD_WAIT = 0.05
"""Seconds that discord.py waits for a further guild before it is ready; its own default of 2 s is for thousands."""

READY_LINE = "the emulator is told: ready"
"""What a process prints when its client is ready; the launcher keeps it out of the log."""

LEASE = 1.5
"""Seconds for which a bot under test believes that it holds its shards."""

IDENTIFY_SECONDS = 0.3
"""Seconds between two sessions of a bucket of shards, in place of Discord's five."""

LEAST_WAIT = 1.0
"""Seconds between two tries at a place in whose server something changes, in place of ten."""

IDENTIFY_WAIT = 0.05
"""Seconds before a lost session is identified anew; discord.py's own default is 5."""


def heartbeat_seconds() -> float:
    """After so much silence a gateway is taken for dead; discord.py's own default is a minute."""
    return float(os.environ.get("SIGNALBOX_DOUBLE_HEARTBEAT", "60"))


async def wait_to_identify(self: discord.Client, shard_id: int | None, *, initial: bool = False) -> None:
    """In place of discord.py's courtesy towards the real gateway."""
    if not initial:
        await asyncio.sleep(IDENTIFY_WAIT)


def point(url: str) -> dict[str, Any]:
    """Turn HTTP, gateway and CDN to an address; returns what stood there before, for `restore`."""
    before: dict[str, Any] = {
        "api": discord.http.Route.BASE,
        "gateway": discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY,
        "cdn": discord.Asset.BASE,
        "state": discord.state.ConnectionState.__init__,
        "identify": discord.Client.before_identify_hook,
    }
    discord.http.Route.BASE = f"{url}/api/v10"
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"{url}/gateway").with_scheme("ws")
    discord.Asset.BASE = f"{url}/cdn"
    build = before["state"]

    def build_state(self: Any, **options: Any) -> None:
        build(self, **{"guild_ready_timeout": GUILD_WAIT, "heartbeat_timeout": heartbeat_seconds()} | options)

    discord.state.ConnectionState.__init__ = build_state  # type: ignore[method-assign]
    discord.Client.before_identify_hook = wait_to_identify  # type: ignore[method-assign]
    return before


def restore(before: dict[str, Any]) -> None:
    """Undo `point`."""
    discord.http.Route.BASE = before["api"]
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = before["gateway"]
    discord.Asset.BASE = before["cdn"]
    discord.state.ConnectionState.__init__ = before["state"]  # type: ignore[method-assign]
    discord.Client.before_identify_hook = before["identify"]  # type: ignore[method-assign]


def announce_ready() -> None:
    """Let every client print a line once it is ready, for whoever started the process."""
    dispatch = discord.Client.dispatch

    def dispatch_and_tell(self: discord.Client, event: str, /, *values: Any, **named: Any) -> None:
        dispatch(self, event, *values, **named)
        if event == "ready":
            print(READY_LINE, flush=True)

    discord.Client.dispatch = dispatch_and_tell  # type: ignore[method-assign]


def sign_requests() -> None:
    """Let every request say which process sends it."""
    build = discord.http.HTTPClient.__init__

    def build_signed(self: discord.http.HTTPClient, *values: Any, **named: Any) -> None:
        build(self, *values, **named)
        self.user_agent += f" pid/{os.getpid()}"

    discord.http.HTTPClient.__init__ = build_signed  # type: ignore[method-assign]


def hurry() -> None:
    """Let records be changed, shards be taken, and reminders be looked for, as fast as tests play."""
    from bot.commands.discord import outbox_worker
    from bot.commands.discord.interactions import retry_backoff

    outbox_worker.PACE = 0.02
    outbox_worker.FIRST_RETRY = 0.2
    retry_backoff.LEAST_WAIT = LEAST_WAIT
    if sweep := float(os.environ.get("SIGNALBOX_DOUBLE_SWEEP", "0")):
        from bot.commands.discord import bot

        bot.SWEEP = bot.REMAINS = timedelta(seconds=sweep)
    if pause := float(os.environ.get("SIGNALBOX_DOUBLE_PAUSE", "0")):
        from bot.commands.discord import gateway

        gateway.FIRST_PAUSE = pause
    if greeting := float(os.environ.get("SIGNALBOX_DOUBLE_GREETING", "0")):
        from bot.commands.discord import gateway

        gateway.GREETING = greeting
    if seconds := float(os.environ.get("SIGNALBOX_DOUBLE_PATIENCE", "0")):
        from bot.commands.discord import gateway, message_slots

        retry_backoff.FIRST_WAIT, retry_backoff.LONGEST_WAIT = seconds, seconds * 4
        retry_backoff.LEAST_WAIT = seconds
        outbox_worker.FIRST_RETRY, outbox_worker.LONGEST_RETRY = seconds / 2, seconds * 2
        gateway.FIRST_PAUSE, gateway.LONGEST_PAUSE = seconds / 2, seconds * 2
        message_slots.EDIT_SECONDS = seconds * 4
    if os.environ.get("SIGNALBOX_SHARDS"):
        from bot.commands.discord import request_pacer, shards
        from bot.store.backends import shard_lease

        request_pacer.ALLOWED = float(os.environ.get("SIGNALBOX_DOUBLE_ALLOWED", request_pacer.ALLOWED))
        shards.BEAT, shards.AGAIN = 0.1, 0.05
        shards.POLL = float(os.environ.get("SIGNALBOX_DOUBLE_POLL", "0.5"))
        shard_lease.LEASE, shard_lease.REST, shards.GRACE = LEASE, LEASE, LEASE + 0.5
        shards.IDENTIFY = IDENTIFY_SECONDS + 0.1


def main() -> None:
    """Run the program named on the command line as if it had been started itself."""
    point(os.environ["SIGNALBOX_DOUBLE"])
    announce_ready()
    sign_requests()
    sys.path[0] = os.getcwd()
    arguments = sys.argv[1:]
    hurry()
    if arguments[0] == "-m":
        sys.argv = arguments[1:]
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = arguments
        runpy.run_path(arguments[0], run_name="__main__")


if __name__ == "__main__":
    main()
