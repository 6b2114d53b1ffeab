"""The requests that are let in: only for this address, changes only from its own pages, nothing large; and the headers
of every answer to the browser."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

from aiohttp import hdrs, web
from aiohttp.typedefs import Handler, Middleware

from bot.engine import IllegalMove, Rejected, StalePosition, Text
from bot.i18n import tr, tr_error
from bot.ops.rate_limit import RateLimited, TokenBucket
from bot.render.worker import PictureFailed
from bot.store import StoreError

from .coalesce import FairScheduler
from .headers import HEADERS
from .response_cache import render_template

log = logging.getLogger("signalbox.web")

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
MOST_BYTES = 64 * 1024
"""Maximum size of a request; notes are the longest content."""

OWN_HEADER = "X-Signalbox"
"""In every request that changes something: a form of another site cannot send it."""

MISSES, MISSES_A_MINUTE = 60, 30
"""Wrong tokens are counted, from all senders together: behind a proxy everybody has one address."""


@dataclass(frozen=True)
class Address:
    """The place of the pages: the port on which this process listens, and the public address."""

    port: int
    public: str = ""

    @property
    def origin(self) -> str:
        """The beginning of all links."""
        return self.public.rstrip("/") or f"http://{LOOPBACK[0]}:{self.port}"

    @property
    def is_secure(self) -> bool:
        return self.origin.startswith("https://")

    @property
    def origins(self) -> set[str]:
        return {self.origin, *(f"http://{host}:{self.port}" for host in LOOPBACK)}

    @property
    def hosts(self) -> set[str]:
        return {urlsplit(origin).netloc.lower() for origin in self.origins}


class SecurityMiddleware:
    def __init__(self, address: Address, turnstile: FairScheduler, clock: Callable[[], float] = time.monotonic) -> None:
        self.address, self.turnstile, self.clock = address, turnstile, clock
        self._misses = TokenBucket(MISSES, clock())

    def middleware(self) -> Middleware:

        @web.middleware
        async def handle(request: web.Request, handler: Handler) -> web.StreamResponse:
            try:
                await self.turnstile.wait_turn()
                self.check(request)
                response = await handler(request)
            except web.HTTPRedirection as away:
                response = away
            except web.HTTPException as error:
                response = error_page(request, error.status, error.reason)
            except Rejected as refusal:
                response = error_page(request, status_of(refusal), tr_error(refusal), refusal.instead)
            except (StoreError, PictureFailed) as error:
                log.warning("not done: %s", error)
                response = error_page(request, 503, error.said)
            except Exception:
                log.exception("a page failed: %s", request.match_info.handler.__name__)
                response = error_page(request, 500, "Something went wrong; nothing was changed. The error is logged.")
            if not response.prepared:
                response.headers.update(HEADERS)
                response.headers.setdefault("Cache-Control", "no-store")
            return response

        return handle

    def check(self, request: web.Request) -> None:
        """Refuse a request that does not come from here.

        :raises HTTPException: it does not.
        """
        if request.host.lower() not in self.address.hosts:
            raise web.HTTPMisdirectedRequest(reason="There is nothing at this address.")
        if request.method in (hdrs.METH_GET, hdrs.METH_HEAD):
            return
        if request.method != hdrs.METH_POST:
            raise web.HTTPMethodNotAllowed(request.method, ("GET", "HEAD", "POST"))
        is_own = request.headers.get(hdrs.ORIGIN) in self.address.origins and OWN_HEADER in request.headers
        if not is_own or request.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
            raise web.HTTPForbidden(reason="Only the page itself may request that.")

    def count_wrong_token(self) -> None:
        """Count a token that opens nothing.

        :raises RateLimited: there were too many of them.
        """
        now = self.clock()
        left = min(MISSES, self._misses.left + (now - self._misses.at) * MISSES_A_MINUTE / 60)
        self._misses = TokenBucket(max(0.0, left - 1), now)
        if left < 1:
            raise RateLimited("There were too many wrong links; please wait a minute.")


def redact_request_log(record: logging.LogRecord) -> bool:
    """Whether a line may be logged unchanged. For an invalid request only the kind of its fault is logged: its
    content may include the keys of somebody's links.
    """
    fault = record.exc_info[1] if record.exc_info else None
    if fault is None:
        return True
    log.warning("a request cannot be read: %s", type(fault).__name__)
    return False


def status_of(refusal: Rejected) -> int:
    if isinstance(refusal, RateLimited):
        return 429
    if isinstance(refusal, StalePosition):
        return 409
    return 403 if isinstance(refusal, IllegalMove) else 422


def error_page(request: web.Request, status: int, sentence: Text, instead: tuple[str, ...] = ()) -> web.Response:
    """The sentence as a page; for the page's own requests as text."""
    if OWN_HEADER in request.headers:
        lines = [tr(sentence), *(f"• {option}" for option in instead)]
        return web.Response(text="\n".join(lines), status=status)
    return web.Response(
        text=render_template("sorry.html", sentence=tr(sentence)), content_type="text/html", status=status
    )
