"""The server of the board page: an application on a port of its own. It begins, listens and ends here."""

from __future__ import annotations

import logging
import resource

from aiohttp import web

from bot.ops.doorman import Doorman
from bot.tables.tables import Tables

from .crowd import Turnstile
from .feed import Feed
from .guard import LOOPBACK, MOST_BYTES, Address, Guard, terse
from .links import Doors
from .looking import MOST_STREAMS, Looking
from .playing import Playing
from .printing import Press

MOST_FILES = 2 * MOST_STREAMS


class Board:
    """The board pages of all games, on the loopback address. They know games by the tables alone, and players by their
    links; `doorman` says how much somebody may ask."""

    def __init__(self, tables: Tables, port: int = 0, public: str = "", doorman: Doorman | None = None) -> None:
        self.address = Address(port, public)
        turnstile = Turnstile()
        self.guard = Guard(self.address, turnstile)
        self.feed = Feed(tables, turnstile)
        self.doors = Doors(tables, self.guard)
        self.looking = Looking(tables, self.doors, self.feed, Press(turnstile))
        self.playing = Playing(tables, self.looking, doorman or Doorman(0))
        self._runner: web.AppRunner | None = None

    async def open(self) -> None:
        """Listen; port 0 takes a free one. Every page that stands open is a file to the system: as many are asked for.

        :raises OSError: the port is taken.
        """
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft < MOST_FILES <= hard:
            resource.setrlimit(resource.RLIMIT_NOFILE, (MOST_FILES, hard))
        app = web.Application(client_max_size=MOST_BYTES, middlewares=[self.guard.middleware()])
        self.looking.add_to(app.router)
        self.playing.add_to(app.router)
        requests = logging.getLogger("signalbox.web.requests")
        requests.addFilter(terse)
        runner = web.AppRunner(app, access_log=None, logger=requests, shutdown_timeout=0.5)
        await runner.setup()
        try:
            await web.TCPSite(runner, LOOPBACK[0], self.address.port).start()
        except OSError:
            await runner.cleanup()
            raise
        self._runner = runner
        self.guard.address = Address(runner.addresses[0][1], self.address.public)
        self.address = self.guard.address

    async def close(self) -> None:
        """Let everybody go and stop listening."""
        await self.feed.close()
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None
