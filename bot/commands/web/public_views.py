"""The public pages of titles, servers, seasons and people, and the boards of games that anybody may follow: without a link."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable

from aiohttp import web

from bot.engine import NOBODY, GameId, IllegalMove
from bot.engine.play import Game
from bot.i18n import current_language, set_reader_language, tr
from bot.service.features.public_pages import PublicPage
from bot.service.game_service import GameService, GameSession

from .display_options import DisplayOptions
from .page import Page, page_of
from .response_cache import ResponseCache, render_template
from .views import accepted_language, build_response, parse_number

PAGE_SECONDS = 300
"""How long a page may be old, unless what people allow has changed."""


class PublicViews:
    def __init__(self, tables: GameService, press: ResponseCache) -> None:
        self.tables, self.pages, self.press = tables, tables.public_pages, press

    def add_to(self, router: web.UrlDispatcher) -> None:
        router.add_get("/records", lambda request: self._show(request, self.pages.index))
        for path, find in (("titles", self.pages.title), ("people", self.pages.person), ("servers", self.pages.server)):
            router.add_get(f"/{path}/{{name}}", self._view_of(find))
        router.add_get("/seasons/{name}", self._season)
        router.add_get("/watch/{name}", self._watch)

    def _view_of(
        self, find: Callable[[str], Awaitable[PublicPage]]
    ) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
        return lambda request: self._show(request, lambda: find(request.match_info["name"][:40]))

    async def _season(self, request: web.Request) -> web.StreamResponse:
        number = parse_number(request.match_info["name"])
        return await self._show(request, lambda: self.pages.season(number))

    async def _watch(self, request: web.Request) -> web.StreamResponse:
        """The board of a game that anybody may follow, without names and without what people typed.

        :raises HTTPNotFound: nobody may follow it.
        """
        set_reader_language(accepted_language(request))
        game_id = GameId(parse_number(request.match_info["name"]))
        record = await self.tables.queries.record(game_id)
        if record is None or not await self.tables.followers.may_watch(NOBODY, game_id):
            raise web.HTTPNotFound(reason=tr("There is no such page."))

        async def prepare() -> Callable[[], str]:
            game, table = await self.tables.queries.position_at(game_id), await self.tables.desk.table(game_id)
            return lambda: render_template("watch.html", page=nameless_page(table, game))

        key = ("watch", game_id, record.version, record.status, current_language())
        return build_response(request, await self.press.get_or_build(key, prepare, NOBODY))

    async def _show(self, request: web.Request, find: Callable[[], Awaitable[PublicPage]]) -> web.StreamResponse:
        """A page, which is made once in a while for all who read its language.

        :raises HTTPNotFound: there is no such page, or nobody wants it shown.
        """
        set_reader_language(accepted_language(request))

        async def prepare() -> Callable[[], str]:
            page = await find()
            return lambda: render_template("public.html", page=page)

        moment = int(time.monotonic() / PAGE_SECONDS)
        key = ("public", request.path[:60], moment, current_language(), *await self.pages.revision())
        try:
            return build_response(request, await self.press.get_or_build(key, prepare, NOBODY))
        except IllegalMove as error:
            raise web.HTTPNotFound(reason=tr(error.said)) from error


def nameless_page(table: GameSession, game: Game) -> Page:
    """The page of a position, a copy, in which the players are numbered; without the log, which names people."""
    for number, player in enumerate(game.state.players, 1):
        player.name = tr("Player {number}", number)
    return page_of(table, game, table.record.version, (), game, DisplayOptions())
