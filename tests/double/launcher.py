"""Points discord.py at the double and runs the bot. Started as a program; production code has no seam for it."""

from __future__ import annotations

import os
import runpy
import sys

import discord
import yarl

connection = discord.state.ConnectionState.__init__


def quick(self, *args, **kwargs):  # type: ignore[no-untyped-def]
    """Do not wait for more servers after READY."""
    connection(self, *args, **{**kwargs, "guild_ready_timeout": 0})


def main() -> None:
    """Patch and run."""
    port = os.environ["DOUBLE_PORT"]
    discord.http.Route.BASE = f"http://127.0.0.1:{port}/api/v10"
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"ws://127.0.0.1:{port}/gateway")
    discord.Asset.BASE = f"http://127.0.0.1:{port}"
    discord.state.ConnectionState.__init__ = quick  # type: ignore[method-assign]
    sys.argv = ["signalbox", "run"]
    runpy.run_module("bot", run_name="__main__")


if __name__ == "__main__":
    main()
