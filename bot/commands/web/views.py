"""Answers to viewers: pages, parts of pages, the stream of news. Nothing here changes anything but that a
personal link is brought into a browser."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Hashable
from contextlib import aclosing, suppress

from aiohttp import hdrs, web

from bot.engine import NOBODY, GameId, IllegalMove
from bot.i18n import ENGLISH, current_language, language_of, set_reader_language, tr
from bot.ops.rate_limit import RateLimiter
from bot.render.history_pictures import history_chart
from bot.render.scenes.chart import ChartKind
from bot.service.game_service import GameService
from bot.service.views.clock_text import SeatTime
from bot.store import LinkKind

from .auth import Authenticator, LinkHolder, Viewer
from .board_svg import chart_svg
from .change_feed import ChangeFeed, etag_of
from .choices import manifest
from .coalesce import Seats
from .display_options import DisplayOptions
from .ledger import company_ledgers
from .lobby import home_of, lobby_of
from .log_view import log_lines
from .page import page_of
from .response_cache import STATIC, STYLE_SHEET, CachedResponse, ResponseCache, asset, render_template, static_text
from .runs import best_runs, last_move_to_run, last_runs

MOST_STREAMS, MOST_OF_A_LINK = 2000, 500
"""Maximum number of open pages, in total and by one link. At the maximum, a newcomer gets the place of a viewer by a
link of the person whose links brought most.
"""

BODY_SECONDS = 15
"""Seconds in which a sender has to have sent a request."""

DRAWN_A_MINUTE, DRAWN_AT_ONCE = 300, 200
"""Number of boards not cached yet that are drawn for one link; a cached board costs nothing. A slider that is
dragged requests ten boards a second.
"""
CHARTS = (ChartKind.WORTH, ChartKind.PRICES, ChartKind.INCOME)
A_YEAR = 366 * 86400
TABLES_SECONDS = 10
"""How long the list of open tables may be old."""

TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
    ".webmanifest": "application/manifest+json",
}
NO_CHOICES = (
    '<div id="act" tabindex="-1" role="group" aria-labelledby="question" aria-describedby="about" data-own '
    'data-plays="yes"></div>'
)
"""The place of a player's choices on a board, which is the same for all."""

RETRY = 1500
"""Milliseconds until a browser that has lost the stream reconnects."""


class PageViews:
    def __init__(self, tables: GameService, doors: Authenticator, feed: ChangeFeed, press: ResponseCache) -> None:
        self.tables, self.doors, self.feed, self.press = tables, doors, feed, press
        # Searching for routes takes long; boards do not wait for it.
        self.searches = ResponseCache(press.turnstile)
        self.pace = RateLimiter(DRAWN_A_MINUTE, DRAWN_AT_ONCE)
        self.streams: Counter[str] = Counter()
        self.seats = Seats(MOST_STREAMS)

    def add_to(self, router: web.UrlDispatcher) -> None:
        router.add_get("/", self.games)
        router.add_get("/tables", self.open_tables)
        router.add_get("/enter", self.enter)
        router.add_post("/enter", self.accept_link)
        router.add_get("/static/{digest}/{name}", self.static)
        router.add_get("/service-worker.js", self.service_worker)
        router.add_get("/b/{token}/", self.page)
        for way in ("/b/{token}", "/g/{game}"):
            router.add_get(way, self.redirect_to_page)
            router.add_get(f"{way}/board", self.board)
            router.add_get(f"{way}/stream", self.stream)
            router.add_get(f"{way}/log", self.log)
            router.add_get(f"{way}/tiles", self.tiles)
            router.add_get(f"{way}/chart/{{kind}}", self.chart)
            router.add_get(f"{way}/ledger", self.ledger)
            router.add_get(f"{way}/routes/{{company}}", self.routes)
            router.add_get(f"{way}/last/{{company}}", self.last_routes)

    async def authenticate(self, request: web.Request, may_be_lobby: bool = False) -> Viewer:
        """The viewer of this request; from now on their language is used.

        :raises IllegalMove: they hold no good link, or the game is a lobby that has no such page.
        """
        set_reader_language(accepted_language(request))
        if "token" in request.match_info:
            visit = await self.doors.by_token(request.match_info["token"], LinkKind.LOOK)
        else:
            visit = await self.doors.by_cookies(request, GameId(parse_number(request.match_info["game"])))
        person = next(iter(visit.persons), NOBODY)
        chosen = await self.tables.languages.chosen_language(person) if person else ""
        set_reader_language(chosen or visit.table.record.language or accepted_language(request))
        if visit.table.game is None and not may_be_lobby:
            raise IllegalMove("This game has not begun yet.")
        return visit

    async def require_holder(self, request: web.Request) -> LinkHolder:
        """The browser with its play links; from now on the language of their first person is used.

        :raises IllegalMove: it holds none.
        """
        holder = await self.greet_holder(request)
        if not holder.persons:
            raise IllegalMove("This browser has no link to a game. Get yours with /board mine.")
        return holder

    async def greet_holder(self, request: web.Request) -> LinkHolder:
        """As `require_holder`, for browsers without links too."""
        holder = await self.doors.holder_of(request)
        chosen = await self.tables.languages.chosen_language(holder.persons[0]) if holder.persons else ""
        set_reader_language(chosen or accepted_language(request))
        return holder

    # -- pages ----------------------------------------------------------------------------------------

    async def redirect_to_page(self, request: web.Request) -> web.StreamResponse:
        """Redirect to the address with a slash at the end."""
        raise web.HTTPFound(f"{request.path}/")

    async def page(self, request: web.Request) -> web.StreamResponse:
        """The whole page, which can be read without scripts."""
        return await self.page_response(request, await self.authenticate(request, may_be_lobby=True), "")

    async def page_response(self, request: web.Request, visit: Viewer, turn: str) -> web.StreamResponse:
        """The whole page, with the viewer's own choices in it."""
        if visit.table.game is None:
            return self.render_lobby("lobby_page.html", request, visit)
        at, table, plays = requested_record(request, visit), visit.table, bool(visit.persons)
        wishes = DisplayOptions.of(request.query)
        board = await self.board_response(visit, at, wishes)

        async def prepare() -> Callable[[], str]:
            shown = board.text.decode().replace(NO_CHOICES, f"{NO_CHOICES.removesuffix('</div>')}{turn}</div>", 1)
            return lambda: render_template("page.html", board=shown, table=table, plays=plays)

        key = ("page", *self.key(visit, at), wishes, await self.matters(visit, at), await self.times(visit, at), turn)
        return build_response(request, await self.press.get_or_build(key, prepare, visit.holder))

    async def board(self, request: web.Request) -> web.StreamResponse:
        """The part of the page that changes."""
        visit = await self.authenticate(request, may_be_lobby=True)
        if visit.table.game is None:
            return self.render_lobby("lobby.html", request, visit)
        return build_response(
            request,
            await self.board_response(visit, requested_record(request, visit), DisplayOptions.of(request.query)),
        )

    def render_lobby(self, name: str, request: web.Request, visit: Viewer) -> web.StreamResponse:
        """A lobby, or the part of its page that changes, with the forms for what this viewer may do."""
        self.check_rate_limit(visit)
        lobby = lobby_of(visit, self.tables.desk.title(visit.table.record.title))
        return build_response(
            request, CachedResponse.of(render_template(name, lobby=lobby, stamp=etag_of(visit.table)))
        )

    async def board_response(self, visit: Viewer, at: int, wishes: DisplayOptions) -> CachedResponse:
        """The board after a log entry, built once for everybody who sees the same."""
        table, matters = visit.table, await self.matters(visit, at)
        times, verdict = await self.times(visit, at), await self.tables.clocks.verdict(table)

        async def prepare() -> Callable[[], str]:
            story = await self.tables.queries.log_since(visit.game)
            game = await self.tables.queries.position_at(visit.game, at)
            start = await self.tables.queries.position_at(visit.game, 0)
            plays, stamp = bool(visit.persons), etag_of(table)
            return lambda: render_template(
                "board.html",
                page=page_of(table, game, at, story, start, wishes, times, verdict),
                stamp=stamp,
                plays=plays,
                matters=matters,
            )

        return await self.cached_response(self.press, visit, (*self.key(visit, at), wishes, matters, times), prepare)

    async def matters(self, visit: Viewer, at: int) -> tuple[str, ...]:
        """The news for the table beside the present position; nothing beside an earlier position."""
        is_present = at == visit.table.record.version
        return tuple(await self.tables.votes.open_matters(visit.game)) if is_present else ()

    async def times(self, visit: Viewer, at: int) -> tuple[SeatTime, ...]:
        """Everybody's time beside the present position; the page counts on from there."""
        if at != visit.table.record.version:
            return ()
        return tuple(await self.tables.clocks.seat_times(visit.table))

    def key(self, visit: Viewer, at: int) -> tuple[Hashable, ...]:
        return visit.game, at, etag_of(visit.table), current_language(), bool(visit.persons)

    async def cached_response(
        self, press: ResponseCache, visit: Viewer, key: Hashable, prepare: Callable[[], Awaitable[Callable[[], str]]]
    ) -> CachedResponse:
        """A response that is built once for all who request it.

        :raises RateLimited: this link has had too many of them made.
        """
        if not press.has(key):
            self.check_rate_limit(visit)
        return await press.get_or_build(key, prepare, visit.holder)

    def check_rate_limit(self, visit: Viewer | LinkHolder) -> None:
        """Count a request that costs something.

        :raises RateLimited: by this link too much is asked.
        """
        self.pace.acquire(min(visit.digests))

    async def log(self, request: web.Request) -> web.StreamResponse:
        visit = await self.authenticate(request)
        table = visit.table

        async def prepare() -> Callable[[], str]:
            story = await self.tables.queries.log_since(visit.game)
            return lambda: render_template("log.html", lines=log_lines(story, table.record.version), table=table)

        return build_response(
            request, await self.cached_response(self.press, visit, ("log", *self.key(visit, 0)), prepare)
        )

    async def tiles(self, request: web.Request) -> web.StreamResponse:
        visit = await self.authenticate(request)
        at = requested_record(request, visit)

        async def prepare() -> Callable[[], str]:
            game = await self.tables.queries.position_at(visit.game, at)
            return lambda: render_template("tiles.html", tiles=manifest(game))

        return build_response(
            request,
            await self.cached_response(self.press, visit, ("tiles", visit.game, at, current_language()), prepare),
        )

    async def chart(self, request: web.Request) -> web.StreamResponse:
        """The course of worth, prices or income; the whole game is replayed for it, off the event loop."""
        visit = await self.authenticate(request)
        kind = request.match_info["kind"]
        if kind not in CHARTS:
            raise web.HTTPNotFound(reason=tr("There is no such page."))

        async def prepare() -> Callable[[], str]:
            course = await self.tables.queries.game_file(visit.game)
            return lambda: chart_svg(history_chart(course, ChartKind(kind)), ChartKind(kind))

        key = ("chart", visit.game, visit.table.record.version, kind, current_language())
        return build_response(request, await self.cached_response(self.searches, visit, key, prepare))

    async def ledger(self, request: web.Request) -> web.StreamResponse:
        """The ledger of companies by operating round; the whole game is replayed for it, off the event loop."""
        visit = await self.authenticate(request)

        async def prepare() -> Callable[[], str]:
            course = await self.tables.queries.game_file(visit.game)
            game = await self.tables.queries.position_at(visit.game)
            return lambda: render_template("ledger.html", companies=company_ledgers(game, course))

        key = ("ledger", visit.game, visit.table.record.version, current_language())
        return build_response(request, await self.cached_response(self.searches, visit, key, prepare))

    async def routes(self, request: web.Request) -> web.StreamResponse:
        visit = await self.authenticate(request)
        at, company = requested_record(request, visit), request.match_info["company"][:40]

        async def prepare() -> Callable[[], str]:
            game = await self.tables.queries.position_at(visit.game, at)
            return lambda: render_template("routes.html", runs=best_runs(game, company))

        return build_response(
            request,
            await self.cached_response(
                self.searches, visit, ("routes", visit.game, at, company, current_language()), prepare
            ),
        )

    async def last_routes(self, request: web.Request) -> web.StreamResponse:
        """The last routes of a company, and the hexes that it reaches."""
        visit = await self.authenticate(request)
        at, company = requested_record(request, visit), request.match_info["company"][:40]

        async def prepare() -> Callable[[], str]:
            game = await self.tables.queries.position_at(visit.game, at)
            story = await self.tables.queries.log_since(visit.game)
            number, action = last_move_to_run(game, story, at, company) or (0, None)
            before = await self.tables.queries.position_at(visit.game, number - 1) if action else None
            return lambda: render_template("routes.html", runs=last_runs(game, company, before, action))

        return build_response(
            request,
            await self.cached_response(
                self.press, visit, ("last", visit.game, at, company, current_language()), prepare
            ),
        )

    async def games(self, request: web.Request) -> web.StreamResponse:
        """The games of the browser's persons, and the ways to others."""
        holder = await self.greet_holder(request)
        values = await home_of(holder, self.tables)
        return build_response(request, CachedResponse.of(render_template("games.html", **values)))

    async def open_tables(self, request: web.Request) -> web.StreamResponse:
        """The lobbies that are open to everybody and the games that anybody may follow, read from the database once in a while."""
        set_reader_language(accepted_language(request))
        moment = int(time.monotonic() / TABLES_SECONDS)

        async def prepare() -> Callable[[], str]:
            found = await self.tables.open_tables.list_open()
            lines, first = [tr(one.line) for one in found], found[0].game_id if found else 0
            watched = [
                (f"/watch/{one.record.id}", tr(one.line)) for one in await self.tables.followers.list_watchable(NOBODY)
            ]
            return lambda: render_template("tables.html", tables=lines, first=first, watched=watched)

        key = ("tables", moment, current_language())
        return build_response(request, await self.press.get_or_build(key, prepare, NOBODY))

    # -- personal links -------------------------------------------------------------------------------

    async def enter(self, request: web.Request) -> web.StreamResponse:
        set_reader_language(accepted_language(request))
        return build_response(request, CachedResponse.of(render_template("enter.html")))

    async def accept_link(self, request: web.Request) -> web.StreamResponse:
        set_reader_language(accepted_language(request))
        token = str((await read_json(request)).get("token", ""))
        visit = await self.doors.by_token(token, LinkKind.PLAY, LinkKind.MAIL)
        await self.tables.links.mark_used(visit.links[0])
        response = web.json_response({"there": f"/g/{visit.game}/"})
        self.doors.hand_over(response, token, visit.links[0], self.tables.desk.now())
        return response

    # -- news -----------------------------------------------------------------------------------------

    async def stream(self, request: web.Request) -> web.StreamResponse:
        """Send each change of the board; ends when the link does."""
        return await self.stream_to(request, await self.authenticate(request, may_be_lobby=True), _format_etag)

    async def stream_to(
        self,
        request: web.Request,
        visit: Viewer,
        format_news: Callable[[str], Awaitable[str]],
        most: int | None = None,
    ) -> web.StreamResponse:
        """Send what `format_news` makes of each change of a game, until its viewer's links end; to `most` readers of a link
        (default: `MOST_OF_A_LINK`)."""
        link = min(visit.digests)
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream", "X-Accel-Buffering": "no"})
        response.headers["Cache-Control"] = "no-store"
        # A write shows whether somebody has gone away; a watcher that has to give up a place comes back for another.
        with suppress(ConnectionResetError, TimeoutError):
            async with asyncio.timeout(None) as until:
                with self.seats.seat(visit.holder, until) as is_seated:
                    if not is_seated or self.streams[link] >= (most or MOST_OF_A_LINK):
                        raise web.HTTPServiceUnavailable(reason=tr("Too many people are watching at once."))
                    self.streams[link] += 1
                    try:
                        await self._send_news(request, response, visit, format_news)
                    finally:
                        self.streams[link] -= 1
                        self.streams += Counter()
        return response

    async def _send_news(
        self,
        request: web.Request,
        response: web.StreamResponse,
        visit: Viewer,
        format_news: Callable[[str], Awaitable[str]],
    ) -> None:
        await response.prepare(request)
        await response.write(f"retry: {RETRY}\n\n".encode())
        async with aclosing(self.feed.etags(visit.game, visit.digests)) as stamps:
            async for stamp in stamps:
                await response.write(f"data: {await format_news(stamp)}\n\n".encode() if stamp else b":\n\n")

    # -- files ----------------------------------------------------------------------------------------

    async def service_worker(self, request: web.Request) -> web.StreamResponse:
        """At the root, so that it serves all pages; browsers ask for it anew."""
        return build_response(request, CachedResponse.of(static_text("service-worker.js")), TYPES[".js"])

    async def static(self, request: web.Request) -> web.StreamResponse:
        """A static file; its address depends on its contents, so that browsers keep it."""
        name = request.match_info["name"]
        path = STATIC / name
        is_file = name == STYLE_SHEET or path.is_file()
        if path.parent != STATIC or path.suffix not in TYPES or not is_file:
            raise web.HTTPNotFound(reason=tr("There is no such file."))
        if asset(name) != request.path and path.suffix != ".woff2":
            raise web.HTTPFound(asset(name))
        headers = {"Cache-Control": f"public, max-age={A_YEAR}, immutable"}
        if path.suffix == ".woff2":
            return web.Response(body=path.read_bytes(), content_type=TYPES[path.suffix], headers=headers)
        sheet = await self.press.get_or_build(("static", name), lambda: _read(name))
        return build_response(request, sheet, TYPES[path.suffix], headers)


async def _format_etag(stamp: str) -> str:
    return stamp


async def _read(name: str) -> Callable[[], str]:
    return lambda: static_text(name)


def build_response(
    request: web.Request, sheet: CachedResponse, kind: str = "text/html", headers: dict[str, str] | None = None
) -> web.Response:
    """A response, compressed where the browser accepts that."""
    more = {"Cache-Control": "no-store", "Vary": "Accept-Encoding, Accept-Language, Cookie", **(headers or {})}
    if "gzip" in request.headers.get(hdrs.ACCEPT_ENCODING, ""):
        more[hdrs.CONTENT_ENCODING] = "gzip"
        return web.Response(body=sheet.packed, content_type=kind, charset="utf-8", headers=more)
    return web.Response(body=sheet.text, content_type=kind, charset="utf-8", headers=more)


def accepted_language(request: web.Request) -> str:
    """The first language that the browser requests, among the available languages."""
    wishes = [part.partition(";")[0].strip() for part in request.headers.get(hdrs.ACCEPT_LANGUAGE, "").split(",")]
    return next((language_of(wish) for wish in wishes[:1] if wish), ENGLISH)


def parse_number(text: str) -> int:
    """A number in an address.

    :raises HTTPNotFound: it is not valid.
    """
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise web.HTTPNotFound(reason=tr("There is no such page."))
    return int(text)


def requested_record(request: web.Request, visit: Viewer) -> int:
    """The requested log entry: `at`, else the last.

    :raises HTTPNotFound: there is no such record.
    """
    version = visit.table.record.version
    at = parse_number(request.query["at"]) if request.query.get("at") else version
    if at > version:
        raise web.HTTPNotFound(reason=tr("There is no such log entry."))
    return at


async def read_body_bytes(request: web.Request) -> bytes:
    """The body of a request, for which a sender has `BODY_SECONDS`.

    :raises HTTPRequestTimeout: it took longer.
    """
    try:
        async with asyncio.timeout(BODY_SECONDS):
            return await request.read()
    except TimeoutError as error:
        raise web.HTTPRequestTimeout(reason=tr("The request took too long.")) from error


async def read_json(request: web.Request) -> dict[str, object]:
    """The JSON object of a request.

    :raises HTTPBadRequest: no object of JSON, or text that cannot be written.
    """
    try:
        found = json.loads(await read_body_bytes(request))
        whole = json.dumps(found, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise web.HTTPBadRequest(reason=tr("That is not readable.")) from error
    if not isinstance(found, dict) or rb"\u0000" in whole:
        raise web.HTTPBadRequest(reason=tr("That is not readable."))
    return found
