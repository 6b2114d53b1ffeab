"""The server of the board page: an application on a port of its own. It begins, listens and ends here."""

from __future__ import annotations

import logging
import resource

from aiohttp import web

from bot.ops.rate_limit import RateLimiter
from bot.render.worker import Renderer
from bot.service.features.board_links import link_address
from bot.service.game_service import GameService
from bot.store import LinkKind

from .actions import PageActions
from .auth import Authenticator
from .calendar_feed import CalendarFeed
from .call_sender import CallSender
from .change_feed import ChangeFeed
from .coalesce import FairScheduler
from .page_commands import PageCommands
from .program_api import ProgramApi
from .public_views import PublicViews
from .response_cache import ResponseCache
from .security import LOOPBACK, MOST_BYTES, Address, SecurityMiddleware, redact_request_log
from .views import MOST_STREAMS, PageViews

MOST_FILES = 2 * MOST_STREAMS


class BoardServer:
    """The board pages of all games, on the loopback address. They know games only by the tables, and players by
    their links; `doorman` limits the requests.
    """

    def __init__(
        self,
        tables: GameService,
        port: int = 0,
        public: str = "",
        doorman: RateLimiter | None = None,
        sends_mail: bool = False,
    ) -> None:
        self.address = Address(port, public)
        turnstile = FairScheduler()
        self.guard = SecurityMiddleware(self.address, turnstile)
        self.feed = ChangeFeed(tables, turnstile)
        self.doors = Authenticator(tables, self.guard)
        press = ResponseCache(turnstile)
        self.looking = PageViews(tables, self.doors, self.feed, press)
        self.public = PublicViews(tables, press)
        self.playing = PageActions(tables, self.looking, doorman or RateLimiter(0))
        self._studio = Renderer()
        self.commanding = PageCommands(self.playing, self._studio, sends_mail)
        self.programs = ProgramApi(self.playing)
        self.calls = CallSender(tables, lambda: self.address.origin)
        self._runner: web.AppRunner | None = None

    async def open(self) -> None:
        """Listen; port 0 takes a free port. Every open page is a file to the system: the limit of open files is
        raised to match.

        :raises OSError: the port is taken.
        """
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft < MOST_FILES <= hard:
            resource.setrlimit(resource.RLIMIT_NOFILE, (MOST_FILES, hard))
        app = web.Application(client_max_size=MOST_BYTES, middlewares=[self.guard.middleware()])
        self.looking.add_to(app.router)
        self.public.add_to(app.router)
        self.playing.add_to(app.router)
        self.commanding.add_to(app.router)
        self.programs.add_to(app.router)
        CalendarFeed(self.looking).add_to(app.router)
        requests = logging.getLogger("signalbox.web.requests")
        requests.addFilter(redact_request_log)
        # Bodies that are packed are not unpacked: a few kilobytes can be 60 MB.
        runner = web.AppRunner(app, access_log=None, logger=requests, shutdown_timeout=0.5, auto_decompress=False)
        await runner.setup()
        try:
            await web.TCPSite(runner, LOOPBACK[0], self.address.port).start()
        except OSError:
            await runner.cleanup()
            raise
        self._runner = runner
        self.calls.begin()
        self.guard.address = Address(runner.addresses[0][1], self.address.public)
        self.address = self.guard.address

    def link_address(self, kind: LinkKind, token: str) -> str:
        return link_address(self.address.origin, kind, token)

    async def close(self) -> None:
        await self.calls.close()
        await self.feed.close()
        self._studio.close()
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None
