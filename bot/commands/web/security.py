"""The requests that are let in: only for this address, changes only from its own pages, nothing large; and the headers
of every answer to the browser."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import urlsplit

import msgspec
from aiohttp import hdrs, web
from aiohttp.typedefs import Handler, Middleware

from bot.engine import IllegalMove, NotYourTurn, Rejected, StalePosition, Text, msg
from bot.i18n import tr, tr_error
from bot.ops.rate_limit import RateLimited, TokenBucket
from bot.render.worker import PictureFailed
from bot.service.features.board_links import API
from bot.service.imports.fair_queue import ShuttingDown
from bot.store import StoreError

from .api_schema import ApiProblem
from .coalesce import FairScheduler
from .headers import HEADERS
from .response_cache import render_template

log = logging.getLogger("signalbox.web")

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
MOST_BYTES = 64 * 1024
"""Maximum size of a request; notes are the longest content."""

PLAIN_REASONS: Mapping[str, Text] = {
    "Not Found": msg("There is nothing at this address."),
    "Method Not Allowed": msg("That cannot be done at this address."),
    "Request Entity Too Large": msg("The request is too long."),
}
"""Sentences for reasons of the web server's own."""

KEPT_HEADERS = frozenset({hdrs.ALLOW, hdrs.WWW_AUTHENTICATE})
"""Headers of an error that its answer keeps."""

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
                response = error_page(request, error.status, PLAIN_REASONS.get(error.reason, error.reason))
                response.headers.update({name: error.headers[name] for name in KEPT_HEADERS & error.headers.keys()})
            except Rejected as refusal:
                response = error_page(request, status_of(refusal, request), tr_error(refusal), refusal)
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
        if is_by_program(request):
            # No page of another site can send the token that is needed.
            return
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
            raise RateLimited(msg("There were too many wrong links; please wait a minute."))


def redact_request_log(record: logging.LogRecord) -> bool:
    """Whether a line may be logged unchanged. For an invalid request only the kind of its fault is logged: its
    content may include the keys of somebody's links.
    """
    fault = record.exc_info[1] if record.exc_info else None
    if fault is None:
        return True
    log.warning("a request cannot be read: %s", type(fault).__name__)
    return False


def is_by_program(request: web.Request) -> bool:
    """Whether a request is for the API, which asks for a token."""
    return request.path == API or request.path.startswith(f"{API}/")


def status_of(refusal: Rejected, request: web.Request) -> int:
    if isinstance(refusal, RateLimited):
        return 429
    if isinstance(refusal, ShuttingDown):
        return 503
    if isinstance(refusal, StalePosition):
        return 409
    if is_by_program(request):
        return 403 if isinstance(refusal, NotYourTurn) else 422
    return 403 if isinstance(refusal, IllegalMove) else 422


def error_page(request: web.Request, status: int, sentence: Text, refusal: Rejected | None = None) -> web.Response:
    """The sentence as a page; for the page's own requests as text, for programs as JSON."""
    if is_by_program(request):
        response = problem(status, sentence, refusal)
    elif OWN_HEADER in request.headers:
        lines = [tr(sentence), *(f"• {option}" for option in (refusal.instead if refusal else ()))]
        response = web.Response(text="\n".join(lines), status=status)
    else:
        text = render_template("sorry.html", sentence=tr(sentence))
        response = web.Response(text=text, content_type="text/html", status=status)
    if isinstance(refusal, RateLimited):
        response.headers[hdrs.RETRY_AFTER] = str(refusal.seconds)
    return response


def problem(status: int, sentence: Text, refusal: Rejected | None) -> web.Response:
    """Why nothing was done, for programs."""
    title, kind = HTTPStatus(status).phrase, HTTPStatus(status).name.lower()
    found = ApiProblem(title, status, tr(sentence), kind)
    if refusal is not None:
        kind = re.sub(r"(?<!^)(?=[A-Z])", "_", type(refusal).__name__).lower()
        found = ApiProblem(title, status, tr(refusal.said), kind, refusal.rule, list(refusal.instead))
    return web.Response(body=msgspec.json.encode(found), content_type="application/problem+json", status=status)
