"""What is answered to whoever looks: pages, parts of pages, the stream of news. Nothing here changes anything but that a
personal link is brought into a browser."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable, Hashable
from contextlib import aclosing, suppress

from aiohttp import hdrs, web

from bot.engine.refusals import IllegalMove
from bot.i18n import ENGLISH, language_of, say, speak, spoken
from bot.ops.rate_limit import RateLimiter
from bot.service.game_service import GameService

from .auth import Authenticator, Viewer
from .change_feed import ChangeFeed, stamp_of
from .choices import manifest
from .coalesce import Seats
from .display_options import DisplayOptions
from .page import log_lines, page_of
from .response_cache import STATIC, CachedResponse, ResponseCache, asset, written
from .runs import best_runs, last_move_to_run, last_runs

MOST_STREAMS, MOST_OF_A_LINK = 2000, 500
"""So many pages stand open at once, and by one link. When there are so many, a newcomer gets the place of somebody who came by a
link of the person whose links brought most."""

DRAWN_A_MINUTE, DRAWN_AT_ONCE = 300, 200
"""So much that nobody has asked for yet is drawn for one link; what is kept costs nothing. A slider that is dragged asks for
ten boards a second."""
A_YEAR = 366 * 86400
TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".woff2": "font/woff2"}
RETRY = 1500
"""Milliseconds until a browser that has lost the stream comes back."""


class PageViews:
    """Answers that show."""

    def __init__(self, tables: GameService, doors: Authenticator, feed: ChangeFeed, press: ResponseCache) -> None:
        self.tables, self.doors, self.feed, self.press = tables, doors, feed, press
        # Searching for routes takes long; boards do not wait for it.
        self.searches = ResponseCache(press.turnstile)
        self.pace = RateLimiter(DRAWN_A_MINUTE, DRAWN_AT_ONCE)
        self.streams: Counter[str] = Counter()
        self.seats = Seats(MOST_STREAMS)

    def add_to(self, router: web.UrlDispatcher) -> None:
        """Take these addresses."""
        router.add_get("/", self.games)
        router.add_get("/enter", self.enter)
        router.add_post("/enter", self.entered)
        router.add_get("/static/{digest}/{name}", self.static)
        for way in ("/b/{token}", "/g/{game}"):
            router.add_get(way, self.into)
            router.add_get(f"{way}/", self.page)
            router.add_get(f"{way}/board", self.board)
            router.add_get(f"{way}/stream", self.stream)
            router.add_get(f"{way}/log", self.log)
            router.add_get(f"{way}/tiles", self.tiles)
            router.add_get(f"{way}/routes/{{company}}", self.routes)
            router.add_get(f"{way}/last/{{company}}", self.last)

    async def visit(self, request: web.Request) -> Viewer:
        """Who looks at what; from now on his language is spoken.

        :raises IllegalMove: he holds no good link.
        """
        speak(accepted(request))
        if "token" in request.match_info:
            visit = await self.doors.by_token(request.match_info["token"])
        else:
            visit = await self.doors.by_cookies(request, number(request.match_info["game"]))
        person = next(iter(visit.persons), "")
        chosen = await self.tables.languages.chosen_by(person) if person else ""
        speak(chosen or visit.table.record.language or accepted(request))
        if visit.table.game is None:
            raise IllegalMove("This game has not begun yet.")
        return visit

    # -- pages ----------------------------------------------------------------------------------------

    async def into(self, request: web.Request) -> web.StreamResponse:
        """Addresses of pages end with a stroke."""
        raise web.HTTPFound(f"{request.path}/")

    async def page(self, request: web.Request) -> web.StreamResponse:
        """The whole page, which needs no script to be read."""
        visit = await self.visit(request)
        at, table, plays = wanted(request, visit), visit.table, bool(visit.persons)
        wishes = DisplayOptions.of(request.query)
        board = await self.sheet(visit, at, wishes)

        async def prepare() -> Callable[[], str]:
            return lambda: written("page.html", board=board.text.decode(), table=table, plays=plays)

        return sent(request, await self.press.sheet(("page", *self.key(visit, at), wishes), prepare, visit.holder))

    async def board(self, request: web.Request) -> web.StreamResponse:
        """The part of the page that changes."""
        visit = await self.visit(request)
        return sent(request, await self.sheet(visit, wanted(request, visit), DisplayOptions.of(request.query)))

    async def sheet(self, visit: Viewer, at: int, wishes: DisplayOptions) -> CachedResponse:
        """The board as it was after a record, made once for everybody who sees the same."""
        table = visit.table

        async def prepare() -> Callable[[], str]:
            story = await self.tables.looking.story(visit.game)
            game = await self.tables.looking.position_at(visit.game, at)
            start = await self.tables.looking.position_at(visit.game, 0)
            plays, stamp = bool(visit.persons), stamp_of(table)
            return lambda: written(
                "board.html", page=page_of(table, game, at, story, start, wishes), stamp=stamp, plays=plays
            )

        return await self.drawn(self.press, visit, (*self.key(visit, at), wishes), prepare)

    def key(self, visit: Viewer, at: int) -> tuple[Hashable, ...]:
        """What tells a board from others."""
        return visit.game, at, stamp_of(visit.table), spoken(), bool(visit.persons)

    async def drawn(
        self, press: ResponseCache, visit: Viewer, key: Hashable, prepare: Callable[[], Awaitable[Callable[[], str]]]
    ) -> CachedResponse:
        """A sheet that is made once for all who ask for it.

        :raises RateLimited: this link has had too many of them made.
        """
        if not press.has(key):
            self.admit(visit)
        return await press.sheet(key, prepare, visit.holder)

    def admit(self, visit: Viewer) -> None:
        """Let somebody ask for what costs something.

        :raises RateLimited: by this link too much is asked.
        """
        self.pace.admit(min(visit.digests))

    async def log(self, request: web.Request) -> web.StreamResponse:
        """The whole log."""
        visit = await self.visit(request)
        table = visit.table

        async def prepare() -> Callable[[], str]:
            story = await self.tables.looking.story(visit.game)
            return lambda: written("log.html", lines=log_lines(story, table.record.version), table=table)

        return sent(request, await self.drawn(self.press, visit, ("log", *self.key(visit, 0)), prepare))

    async def tiles(self, request: web.Request) -> web.StreamResponse:
        """The manifest, drawn."""
        visit = await self.visit(request)
        at = wanted(request, visit)

        async def prepare() -> Callable[[], str]:
            game = await self.tables.looking.position_at(visit.game, at)
            return lambda: written("tiles.html", tiles=manifest(game))

        return sent(request, await self.drawn(self.press, visit, ("tiles", visit.game, at, spoken()), prepare))

    async def routes(self, request: web.Request) -> web.StreamResponse:
        """The best routes of a company."""
        visit = await self.visit(request)
        at, company = wanted(request, visit), request.match_info["company"][:40]

        async def prepare() -> Callable[[], str]:
            game = await self.tables.looking.position_at(visit.game, at)
            return lambda: written("routes.html", runs=best_runs(game, company))

        return sent(
            request, await self.drawn(self.searches, visit, ("routes", visit.game, at, company, spoken()), prepare)
        )

    async def last(self, request: web.Request) -> web.StreamResponse:
        """The last routes of a company, and what it reaches."""
        visit = await self.visit(request)
        at, company = wanted(request, visit), request.match_info["company"][:40]

        async def prepare() -> Callable[[], str]:
            game = await self.tables.looking.position_at(visit.game, at)
            story = await self.tables.looking.story(visit.game)
            number, action = last_move_to_run(game, story, at, company) or (0, None)
            before = await self.tables.looking.position_at(visit.game, number - 1) if action else None
            return lambda: written("routes.html", runs=last_runs(game, company, before, action))

        return sent(request, await self.drawn(self.press, visit, ("last", visit.game, at, company, spoken()), prepare))

    async def games(self, request: web.Request) -> web.StreamResponse:
        """The games for which this browser holds links."""
        speak(accepted(request))
        return sent(request, CachedResponse.of(written("games.html", tables=await self.doors.tables_in(request))))

    # -- personal links -------------------------------------------------------------------------------

    async def enter(self, request: web.Request) -> web.StreamResponse:
        """The page to which a personal link leads."""
        speak(accepted(request))
        return sent(request, CachedResponse.of(written("enter.html")))

    async def entered(self, request: web.Request) -> web.StreamResponse:
        """Take a personal link into this browser."""
        speak(accepted(request))
        token = str((await read_json(request)).get("token", ""))
        visit = await self.doors.by_token(token, is_personal=True)
        await self.tables.links.used(visit.links[0])
        response = web.json_response({"there": f"/g/{visit.game}/"})
        self.doors.hand_over(response, token, visit.links[0], self.tables.desk.now())
        return response

    # -- news -----------------------------------------------------------------------------------------

    async def stream(self, request: web.Request) -> web.StreamResponse:
        """Says whenever the board is another one; ends when the link does."""
        visit = await self.visit(request)
        link = min(visit.digests)
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream", "X-Accel-Buffering": "no"})
        response.headers["Cache-Control"] = "no-store"
        # Whoever has gone away is found out by writing to him; who has to give up his place comes back for another one.
        with suppress(ConnectionResetError, TimeoutError):
            async with asyncio.timeout(None) as until:
                with self.seats.seat(visit.holder, until) as is_seated:
                    if not is_seated or self.streams[link] >= MOST_OF_A_LINK:
                        raise web.HTTPServiceUnavailable(reason=say("Too many people are watching at once."))
                    self.streams[link] += 1
                    try:
                        await self.tell(request, response, visit)
                    finally:
                        self.streams[link] -= 1
                        self.streams += Counter()
        return response

    async def tell(self, request: web.Request, response: web.StreamResponse, visit: Viewer) -> None:
        """Begin the answer, and send the game's stamps until there are no more."""
        await response.prepare(request)
        await response.write(f"retry: {RETRY}\n\n".encode())
        async with aclosing(self.feed.stamps(visit.game, visit.digests)) as stamps:
            async for stamp in stamps:
                await response.write(f"data: {stamp}\n\n".encode() if stamp else b":\n\n")

    # -- files ----------------------------------------------------------------------------------------

    async def static(self, request: web.Request) -> web.StreamResponse:
        """A file of the page; its address names its contents, so that browsers keep it."""
        name = request.match_info["name"]
        path = STATIC / name
        if path.parent != STATIC or path.suffix not in TYPES or not path.is_file():
            raise web.HTTPNotFound(reason=say("There is no such file."))
        if asset(name) != request.path and path.suffix != ".woff2":
            raise web.HTTPFound(asset(name))
        headers = {"Cache-Control": f"public, max-age={A_YEAR}, immutable"}
        if path.suffix == ".woff2":
            return web.Response(body=path.read_bytes(), content_type=TYPES[path.suffix], headers=headers)
        sheet = await self.press.sheet(("static", name), lambda: _read(name))
        return sent(request, sheet, TYPES[path.suffix], headers)


async def _read(name: str) -> Callable[[], str]:
    return lambda: (STATIC / name).read_text(encoding="utf-8")


def sent(
    request: web.Request, sheet: CachedResponse, kind: str = "text/html", headers: dict[str, str] | None = None
) -> web.Response:
    """A sheet as an answer, packed where the browser takes that."""
    more = {"Cache-Control": "no-store", "Vary": "Accept-Encoding, Accept-Language, Cookie", **(headers or {})}
    if "gzip" in request.headers.get(hdrs.ACCEPT_ENCODING, ""):
        more[hdrs.CONTENT_ENCODING] = "gzip"
        return web.Response(body=sheet.packed, content_type=kind, charset="utf-8", headers=more)
    return web.Response(body=sheet.text, content_type=kind, charset="utf-8", headers=more)


def accepted(request: web.Request) -> str:
    """The first language that the browser asks for, of those that there are."""
    wishes = [part.partition(";")[0].strip() for part in request.headers.get(hdrs.ACCEPT_LANGUAGE, "").split(",")]
    return next((language_of(wish) for wish in wishes[:1] if wish), ENGLISH)


def number(text: str) -> int:
    """A number of an address.

    :raises HTTPNotFound: it is none.
    """
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise web.HTTPNotFound(reason=say("There is no such page."))
    return int(text)


def wanted(request: web.Request, visit: Viewer) -> int:
    """The record of which the position is asked for: `at`, else the last.

    :raises HTTPNotFound: there is no such record.
    """
    version = visit.table.record.version
    at = number(request.query["at"]) if request.query.get("at") else version
    if at > version:
        raise web.HTTPNotFound(reason=say("There is no such log entry."))
    return at


async def read_json(request: web.Request) -> dict[str, object]:
    """What a request holds.

    :raises HTTPBadRequest: no object of JSON, or text that cannot be written.
    """
    try:
        found = json.loads(await request.read())
        whole = json.dumps(found, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise web.HTTPBadRequest(reason=say("That is not readable.")) from error
    if not isinstance(found, dict) or rb"\u0000" in whole:
        raise web.HTTPBadRequest(reason=say("That is not readable."))
    return found
