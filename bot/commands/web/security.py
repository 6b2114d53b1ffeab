"""What is let in: requests for this address alone, changes from its own pages alone, nothing large; and what every answer
says to the browser."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

from aiohttp import hdrs, web
from aiohttp.typedefs import Handler, Middleware

from bot.engine.message import Text
from bot.engine.refusals import IllegalMove, Rejected, StalePosition
from bot.i18n import refused, say
from bot.ops.rate_limit import RateLimited, TokenBucket
from bot.render.worker import PictureFailed
from bot.store import StoreError

from .coalesce import FairScheduler
from .headers import HEADERS
from .response_cache import written

log = logging.getLogger("signalbox.web")

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
MOST_BYTES = 64 * 1024
"""Of a request; notes are the longest thing that anybody sends."""

OWN_HEADER = "X-Signalbox"
"""Stands in every request that changes something: a form of another site cannot send it."""

MISSES, MISSES_A_MINUTE = 60, 30
"""Wrong tokens are counted, whoever brings them: behind a proxy everybody has one address."""


@dataclass(frozen=True)
class Address:
    """Where the pages are: the port on which this program listens, and the address under which others reach it."""

    port: int
    public: str = ""

    @property
    def origin(self) -> str:
        """What links begin with."""
        return self.public.rstrip("/") or f"http://{LOOPBACK[0]}:{self.port}"

    @property
    def is_secure(self) -> bool:
        """Whether browsers come by https."""
        return self.origin.startswith("https://")

    @property
    def origins(self) -> set[str]:
        """The sites from which changes are taken."""
        return {self.origin, *(f"http://{host}:{self.port}" for host in LOOPBACK)}

    @property
    def hosts(self) -> set[str]:
        """The names under which this program may be asked."""
        return {urlsplit(origin).netloc.lower() for origin in self.origins}


class SecurityMiddleware:
    """Stands before every request."""

    def __init__(self, address: Address, turnstile: FairScheduler, clock: Callable[[], float] = time.monotonic) -> None:
        self.address, self.turnstile, self.clock = address, turnstile, clock
        self._misses = TokenBucket(MISSES, clock())

    def middleware(self) -> Middleware:
        """The guard as aiohttp wants it."""

        @web.middleware
        async def guarded(request: web.Request, handler: Handler) -> web.StreamResponse:
            try:
                await self.turnstile.passed()
                self.check(request)
                response = await handler(request)
            except web.HTTPRedirection as away:
                response = away
            except web.HTTPException as error:
                response = sorry(request, error.status, error.reason)
            except Rejected as refusal:
                response = sorry(request, status_of(refusal), refused(refusal), refusal.instead)
            except (StoreError, PictureFailed) as error:
                log.warning("not done: %s", error)
                response = sorry(request, 503, error.said)
            except Exception:
                log.exception("a page failed: %s", request.match_info.handler.__name__)
                response = sorry(request, 500, "Something went wrong; nothing was changed. The error is logged.")
            if not response.prepared:
                response.headers.update(HEADERS)
                response.headers.setdefault("Cache-Control", "no-store")
            return response

        return guarded

    def check(self, request: web.Request) -> None:
        """Refuse what does not come from here.

        :raises HTTPException: it does not.
        """
        if request.host.lower() not in self.address.hosts:
            raise web.HTTPMisdirectedRequest(reason="Nothing is served under this name.")
        if request.method in (hdrs.METH_GET, hdrs.METH_HEAD):
            return
        if request.method != hdrs.METH_POST:
            raise web.HTTPMethodNotAllowed(request.method, ("GET", "HEAD", "POST"))
        is_own = request.headers.get(hdrs.ORIGIN) in self.address.origins and OWN_HEADER in request.headers
        if not is_own or request.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
            raise web.HTTPForbidden(reason="Only the page itself may request that.")

    def missed(self) -> None:
        """Somebody brought a token that opens nothing.

        :raises RateLimited: there were too many of them.
        """
        now = self.clock()
        left = min(MISSES, self._misses.left + (now - self._misses.at) * MISSES_A_MINUTE / 60)
        self._misses = TokenBucket(max(0.0, left - 1), now)
        if left < 1:
            raise RateLimited("There were too many wrong links; please wait a minute.")


def terse(record: logging.LogRecord) -> bool:
    """Whether a line may be logged as it is. Of a request that is none only the kind of its fault is told: what somebody has
    sent may hold the keys of his links."""
    fault = record.exc_info[1] if record.exc_info else None
    if fault is None:
        return True
    log.warning("a request cannot be read: %s", type(fault).__name__)
    return False


def status_of(refusal: Rejected) -> int:
    """The number that HTTP has for a refusal."""
    if isinstance(refusal, RateLimited):
        return 429
    if isinstance(refusal, StalePosition):
        return 409
    return 403 if isinstance(refusal, IllegalMove) else 422


def sorry(request: web.Request, status: int, sentence: Text, instead: tuple[str, ...] = ()) -> web.Response:
    """The sentence as a page; for the page's own requests as text."""
    if OWN_HEADER in request.headers:
        lines = [say(sentence), *(f"• {option}" for option in instead)]
        return web.Response(text="\n".join(lines), status=status)
    return web.Response(text=written("sorry.html", sentence=say(sentence)), content_type="text/html", status=status)
