"""The API for programs that play: beside the pages, by a token that has the rights of its owner in one game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, reduce
from operator import or_
from typing import Any, TypeVar

import msgspec
from aiohttp import hdrs, web

from bot.engine import IllegalMove, ParseError, literal, seat
from bot.engine.notation import format_action, parse_action, question, round_and_phase
from bot.engine.play import Game, Title
from bot.engine.play.move_builder import first_built_move
from bot.engine.state import Action, RunRoutes
from bot.i18n import set_reader_language, tr
from bot.ops.rate_limit import RateLimited, RateLimiter
from bot.service.features.board_links import API, SPACING_OF_USES
from bot.service.features.sandbox import MovePreview
from bot.service.game_service import MoveResult
from bot.service.parser import menus
from bot.service.parser.suggestions import BEST
from bot.service.sessions import LogEntry, is_computer
from bot.store import GameStatus, LinkKind

from .actions import PageActions, check_plays
from .api_schema import (
    LONGEST_MOVE,
    MOST_ENTRIES,
    ROUTES,
    ApiMove,
    ApiSeat,
    GameNews,
    LogAnswer,
    LogItem,
    LogQuery,
    MoveAnswer,
    MoveBody,
    MovesAnswer,
    PositionAnswer,
    PositionQuery,
    TryAnswer,
    TryBody,
    UndoBody,
)
from .auth import Viewer
from .openapi import openapi_text
from .response_cache import CachedResponse
from .views import accepted_language, build_response, read_body_bytes

CALLS_A_MINUTE, CALLS_AT_ONCE = 300, 100
"""Number of requests by one token."""

STREAMS_AT_ONCE = 10
"""Number of streams of one token."""

MOST_SAID = 200
"""Maximum number of characters of what is wrong with a request."""

Read = TypeVar("Read", bound=msgspec.Struct)


class ProgramApi:
    def __init__(self, playing: PageActions) -> None:
        self.playing, self.looking, self.tables = playing, playing.looking, playing.tables
        self.pace = RateLimiter(CALLS_A_MINUTE, CALLS_AT_ONCE)

    def add_to(self, router: web.UrlDispatcher) -> None:
        for path in ("", "/openapi.json"):
            router.add_get(f"{API}{path}", self.document)
        for route in ROUTES:
            router.add_route(route.method, f"{API}{route.path}", getattr(self, route.handler))

    async def document(self, request: web.Request) -> web.StreamResponse:
        """The OpenAPI document, for everybody."""
        return build_response(request, CachedResponse.of(openapi_text()), "application/json")

    # -- who asks ---------------------------------------------------------------------------------------

    async def authenticate(self, request: web.Request) -> Viewer:
        """The owner of the token; from now on their language is used.

        :raises HTTPUnauthorized: there is no token, or it opens nothing.
        :raises RateLimited: it asks for too much.
        """
        set_reader_language(accepted_language(request))
        scheme, _, token = request.headers.get(hdrs.AUTHORIZATION, "").partition(" ")
        if scheme.lower() != "bearer" or not token.isascii():
            raise build_unauthorized(tr("Send a token as Authorization: Bearer TOKEN. Get one with: board token."))
        try:
            visit = await self.looking.doors.by_token(token.strip(), LinkKind.PROGRAM)
        except RateLimited:
            raise
        except IllegalMove as refusal:
            raise build_unauthorized(
                tr("This token is not valid: it was withdrawn or expired, or its owner no longer plays.")
            ) from refusal
        link = visit.links[0]
        set_reader_language(await self.tables.languages.chosen_language(link.person) or accepted_language(request))
        self.pace.acquire(link.digest)
        await self.tables.links.mark_used(link, SPACING_OF_USES)
        return visit

    # -- looking ----------------------------------------------------------------------------------------

    async def position(self, request: web.Request) -> web.StreamResponse:
        visit, query = await self.authenticate(request), read_query(request, PositionQuery)
        game = visit.table.game
        version = visit.table.record.version
        at = version if query.at is None else query.at
        if at > version:
            raise IllegalMove("There is no such log entry.")
        if game is not None and at != version:
            game = await self.tables.queries.position_at(visit.game, at)
        return await self.answer(visit, position_answer, visit, game, at)

    async def moves(self, request: web.Request) -> web.StreamResponse:
        visit = await self.authenticate(request)
        return await self.answer(visit, moves_answer, visit, self.playing.position(visit))

    async def log(self, request: web.Request) -> web.StreamResponse:
        visit, query = await self.authenticate(request), read_query(request, LogQuery)
        story = await self.tables.queries.log_since(visit.game, query.after)
        return await self.answer(visit, log_answer, visit, story)

    async def stream(self, request: web.Request) -> web.StreamResponse:
        visit = await self.authenticate(request)

        async def news(stamp: str) -> str:
            table = await self.tables.desk.table(visit.game)
            now = Viewer(table, visit.links)
            return msgspec.json.encode(
                GameNews(table.record.version, table.record.status, is_asked(now, table.game))
            ).decode()

        return await self.looking.stream_to(request, visit, news, STREAMS_AT_ONCE)

    # -- playing ----------------------------------------------------------------------------------------

    async def preview(self, request: web.Request) -> web.StreamResponse:
        visit, body = await self.authenticate(request), await read_body(request, TryBody)
        found = await self.playing.try_move(visit, self.read_move(visit, body.move))
        return await self.answer(visit, try_answer, visit, found)

    async def move(self, request: web.Request) -> web.StreamResponse:
        visit, body = await self.authenticate(request), await read_body(request, MoveBody)
        self.playing.doorman.acquire(visit.links[0].person)
        played = await self.playing.make_move(visit, self.read_move(visit, body.move), body.version)
        return await self.answer(visit, move_answer, played)

    async def undo(self, request: web.Request) -> web.StreamResponse:
        visit, body = await self.authenticate(request), await read_body(request, UndoBody)
        self.playing.doorman.acquire(visit.links[0].person)
        check_plays(visit)
        return await self.answer(visit, move_answer, await self.playing.take_back(visit, body.version))

    def read_move(self, visit: Viewer, move: str | Mapping[str, Any]) -> str | Action:
        """A move of a request, as its text or as an action.

        :raises Rejected: the game is over, has not begun, or the object is no move.
        """
        check_plays(visit)
        game = self.playing.position(visit)
        return move if isinstance(move, str) else action_of(game.title, move)

    async def answer(self, visit: Viewer, build: Callable[..., msgspec.Struct], *values: object) -> web.Response:
        """An answer that is built and written in a thread."""
        body = await self.playing.in_thread(visit, lambda: msgspec.json.encode(build(*values)))
        return web.Response(body=body, content_type="application/json")


# -- requests -------------------------------------------------------------------------------------------


def build_unauthorized(sentence: str) -> web.HTTPUnauthorized:
    return web.HTTPUnauthorized(reason=sentence, headers={hdrs.WWW_AUTHENTICATE: 'Bearer realm="Signalbox"'})


def read_query(request: web.Request, kind: type[Read]) -> Read:
    """The values in the address.

    :raises ParseError: one does not fit.
    """
    try:
        return msgspec.convert(dict(request.query), kind, strict=False)
    except msgspec.ValidationError as error:
        raise build_unreadable(error) from error


async def read_body(request: web.Request, kind: type[Read]) -> Read:
    """The JSON of a request.

    :raises ParseError: it is not of that kind.
    """
    try:
        return msgspec.json.decode(await read_body_bytes(request), type=kind)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise build_unreadable(error) from error


def build_unreadable(error: Exception) -> ParseError:
    return ParseError("That is not readable: {problem}.", "", literal(str(error)[:MOST_SAID]))


@cache
def action_type(title: Title) -> Any:
    """The type of an object that is a move of a title."""
    return reduce(or_, title.verbs)


def action_of(title: Title, data: Mapping[str, Any]) -> Action:
    """The move that an object names: read by its text, so that it names only what the title has.

    :raises ParseError: it is not a move of the title.
    """
    try:
        action: Action = msgspec.convert(data, action_type(title))
    except (msgspec.ValidationError, RecursionError) as error:
        raise build_unreadable(error) from error
    text = format_action(action)
    if len(text) > LONGEST_MOVE:
        raise ParseError("That is too long for a move.")
    return parse_action(title, text)


# -- answers --------------------------------------------------------------------------------------------


def is_asked(visit: Viewer, game: Game | None) -> bool:
    is_running = visit.table.record.status == GameStatus.RUNNING
    return is_running and game is not None and bool(set(visit.seats) & set(game.players_to_act()))


def position_answer(visit: Viewer, game: Game | None, at: int) -> PositionAnswer:
    record, own = visit.table.record, visit.seats
    asked = game.players_to_act() if game is not None else ()
    seats = [
        ApiSeat(player, held.name, player in own, player in asked, is_computer(held.person))
        for held in visit.table.seats
        for player in [seat(held.number)]
    ]
    where, decision = (tr(round_and_phase(game)), tr(question(game))) if game is not None else ("", "")
    state = game.state if game is not None else None
    return PositionAnswer(record.id, record.title, record.status, record.version, at, where, decision, seats, state)


def moves_answer(visit: Viewer, game: Game) -> MovesAnswer:
    """The moves as in menus; of moves that are put together one by one an example."""
    version, seats = visit.table.record.version, visit.seats
    if visit.table.record.status != GameStatus.RUNNING or game.state.finished:
        return MovesAnswer(version, False, [], [])
    found = menus.legal_for(game, seats)
    kinds = {type(action) for action in found}
    for verb in menus.composers_for(game, seats, kinds):
        player = menus.composing_seat(game, seats, verb)
        built = first_built_move(game.title.composers[verb], game, player) if player and verb not in kinds else None
        found += [built] if built is not None else []
    moves = [ApiMove(format_action(action), action) for action in found]
    is_due = is_asked(visit, game)
    if is_due and RunRoutes in game.open_verbs():
        moves.insert(0, ApiMove(BEST, None))
    sampled = {tag_of(verb) for verb in {*game.title.composers, *kinds} if may_be_more(game, verb)}
    return MovesAnswer(version, is_due, moves, sorted(sampled & {tag_of(type(action)) for action in found}))


def may_be_more(game: Game, verb: type[Action]) -> bool:
    """Whether only examples of a verb are listed."""
    return verb.is_sampled or verb in game.title.composers


def tag_of(verb: type[Action]) -> str:
    """The word for a verb in an action's object."""
    return str(verb.__struct_config__.tag)


def try_answer(visit: Viewer, found: MovePreview) -> TryAnswer:
    moves = [ApiMove(format_action(action), action) for action in found.actions]
    return TryAnswer(visit.table.record.version, moves, list(found.lines), tr(found.question), found.game.state)


def move_answer(played: MoveResult) -> MoveAnswer:
    return MoveAnswer(played.version, list(played.actions), list(played.lines), tr(played.question))


def log_answer(visit: Viewer, story: Sequence[LogEntry]) -> LogAnswer:
    shown = story[:MOST_ENTRIES]
    entries = [
        LogItem(
            entry.record.number,
            entry.record.kind,
            seat(entry.record.seat) if entry.record.seat is not None else None,
            entry.record.text,
            entry.tr_lines,
            entry.record.made_at,
            entry.is_undone,
            entry.record.auto,
        )
        for entry in shown
    ]
    return LogAnswer(visit.table.record.version, entries, shown[-1].record.number if len(story) > len(shown) else None)
