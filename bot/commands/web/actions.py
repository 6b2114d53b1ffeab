"""What is answered to whoever plays: his choices, what a move would do, and the move itself, by the same ways as in Discord.
Questions come by GET and change nothing; what changes something comes by POST and names the position that was seen."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from aiohttp import web

from bot.engine.ids import CompanyId, HexId
from bot.engine.notation.messages import question
from bot.engine.notation.text import action_of, text_of
from bot.engine.play.game import Game
from bot.engine.play.move_builder import together
from bot.engine.play.steps.routes import route_problem
from bot.engine.refusals import IllegalMove, NotYourTurn, ParseError, StalePosition
from bot.engine.state.actions import RunRoutes
from bot.i18n import say
from bot.ops.rate_limit import RateLimiter
from bot.service.game_service import GameService
from bot.service.parser import menus
from bot.service.parser.suggestions import may_be_written
from bot.service.sessions.session_manager import MOVED_ON, MoveResult
from bot.service.views.turn_text import purse_line

from .auth import Viewer, mark_of
from .choices import MovePreviewView, offers_on, trial_of, turn_of
from .coalesce import Turns
from .display_options import DisplayOptions
from .response_cache import AT_ONCE, CachedResponse, written
from .tapped_route import path_through
from .views import PageViews, number, read_json, sent

Found = TypeVar("Found")

MOST_ANSWERS = 40
LONGEST_MOVE = 4000


@dataclass(frozen=True)
class Notes:
    """What one of the viewer's persons has noted: his mark, the seats that he plays, the text."""

    of: str
    name: str
    text: str


class PageActions:
    """Answers to players."""

    def __init__(self, tables: GameService, looking: PageViews, doorman: RateLimiter) -> None:
        self.tables, self.looking, self.doorman = tables, looking, doorman
        # However many ask, moves of all games go on.
        self._turns = Turns(AT_ONCE)

    def add_to(self, router: web.UrlDispatcher) -> None:
        """Take these addresses."""
        for way in ("/b/{token}", "/g/{game}"):
            router.add_get(f"{way}/space/{{hex}}", self.space)
        for name, answer in (
            ("turn", self.turn),
            ("menu", self.menu),
            ("try", self.tried),
            ("tapped", self.tapped),
            ("notes", self.notes),
        ):
            router.add_get(f"/g/{{game}}/{name}", answer)
        for name, act in (("move", self.move), ("undo", self.undo), ("notes", self.note)):
            router.add_post(f"/g/{{game}}/{name}", act)

    # -- what could be done -----------------------------------------------------------------------------

    async def turn(self, request: web.Request) -> web.StreamResponse:
        """What is asked of these seats, and their first choices."""
        visit = await self.player(request)
        game = self.position(visit)
        own = [player for player in game.asked() if player in visit.seats]
        found = await self.aside(visit, turn_of, game, visit.seats) if visit.table.record.status == "running" else None
        purse = [purse_line(game, player) for player in own]
        if len(own) > 1:
            purse = [f"{game.state.name(player)}: {line}" for player, line in zip(own, purse, strict=True)]
        names = [game.state.name(player) for player in visit.seats]
        is_lost = any([await self.tables.mail.is_lost(person) for person in visit.persons])
        return page("turn.html", request, turn=found, own=own, names=names, purse=purse, is_lost=is_lost, visit=visit)

    async def space(self, request: web.Request) -> web.StreamResponse:
        """What can be laid or placed on a space: by whoever plays, to be made; for all others by whoever is asked, to be
        copied."""
        visit = await self.looking.visit(request)
        self.looking.admit(visit)
        game = self.position(visit, request)
        hex_id = HexId(request.match_info["hex"])
        if hex_id not in game.land.map.hexes:
            raise web.HTTPNotFound(reason=say("There is no such page."))
        is_open = visit.table.record.status == "running"
        seats = visit.seats if visit.persons else game.asked()
        offers = (
            await self.aside(visit, offers_on, game, seats, hex_id, DisplayOptions.of(request.query)) if is_open else []
        )
        wanted = [offer for offer in offers if offer.text == request.query.get("move")] or offers
        first = await self.trial(request, visit, wanted[0].text) if wanted else None
        return page("space.html", request, offers=offers, trial=first, plays=bool(visit.persons), visit=visit)

    async def menu(self, request: web.Request) -> web.StreamResponse:
        """The next question of a kind of move, or what the whole move would do."""
        visit = await self.player(request)
        game = self.asked(visit, request)
        kind, path = request.query.get("kind", ""), path_of(request.query.get("path", ""))
        found = await self.aside(visit, menus.menu, game, visit.seats, kind, path)
        amount = request.query.get("sum", "").strip().removeprefix(game.title.currency)
        if amount and found.sums is not None:
            if not (amount.isascii() and amount.isdecimal() and len(amount) < 10):
                raise ParseError("An amount is a whole number, for example 175.")
            if found.left:
                action = menus.with_sum(game, found, int(amount))
                return await self.confirm(request, visit, text_of(action), kind, path)
            path = (*path, int(amount))
            found = await self.aside(visit, menus.menu, game, visit.seats, kind, path)
        if found.action is not None:
            return await self.confirm(request, visit, text_of(found.action), kind, path)
        return self.shown_menu(request, visit, game, found)

    def shown_menu(self, request: web.Request, visit: Viewer, game: Game, found: menus.Menu) -> web.StreamResponse:
        """A question with its choices; one that is a space of the map can be tapped there. What is laid or placed is, with
        its pictures, by the space alone."""
        is_tapped = not menus.is_guided(found.verb)
        named = [space_named(game, choice.label) if is_tapped else "" for choice in found.choices]
        spaces = dict.fromkeys(filter(None, named)) or dict.fromkeys(
            str(space) for action in found.left for space in menus.spaces_of(game, action)
        )
        return page(
            "menu.html",
            request,
            menu=found,
            path=".".join(map(str, found.path)),
            back=".".join(map(str, found.path[:-1])),
            text=menus.text_command(game, found),
            example=menus.example(game, found, visit.seats) if may_be_written(found.verb) else "",
            named=named,
            spaces=list(spaces or map(str, found.spaces)),
            together=together,
            visit=visit,
        )

    async def tried(self, request: web.Request) -> web.StreamResponse:
        """What a move in words would do."""
        visit = await self.player(request)
        self.asked(visit, request)
        return await self.confirm(request, visit, request.query.get("move", ""))

    async def tapped(self, request: web.Request) -> web.StreamResponse:
        """What a company would earn on the routes that were tapped: for each train the spaces of its stops."""
        visit = await self.player(request)
        game = self.asked(visit, request)
        if not any(RunRoutes in step.verbs for step in game.open_steps()):
            raise StalePosition(MOVED_ON)
        company = game.company_in_turn
        text = await self.aside(visit, run_of, game, company, request.query.getall("train", []))
        return await self.confirm(request, visit, text)

    async def confirm(
        self, request: web.Request, visit: Viewer, text: str, kind: str = "", path: Sequence[int] = ()
    ) -> web.StreamResponse:
        """What a move would do, with a button that makes it."""
        trial = await self.trial(request, visit, text)
        back = ".".join(map(str, path[:-1])) if path else ""
        return page("confirm.html", request, trial=trial, plays=True, kind=kind, back=back, path=path, visit=visit)

    async def trial(self, request: web.Request, visit: Viewer, text: str) -> MovePreviewView:
        """What a move would do.

        :raises Rejected: it is not legal.
        """
        game = self.position(visit)
        if len(text) > LONGEST_MOVE:
            raise ParseError("That is too long for a move.")
        person = visit.actor(game.asked()) if visit.persons else ""
        said = [action_of(game.title, text)] if is_exact(game, text) else text
        async with self._turns.turn(visit.holder):
            found = await self.tables.sandbox.preview(visit.game, person, said)
        return await self.aside(visit, trial_of, game, found, DisplayOptions.of(request.query))

    # -- doing it -------------------------------------------------------------------------------------

    async def move(self, request: web.Request) -> web.StreamResponse:
        """Make the moves of a text on the position that was seen."""
        visit, data, version = await self.change(request)
        text = str(data.get("move", ""))
        if len(text) > LONGEST_MOVE:
            raise ParseError("That is too long for a move.")
        game = self.position(visit)
        exact = [action_of(game.title, text)] if is_exact(game, text) else None
        person = visit.actor([game.decider(exact[0].by)] if exact else game.asked())
        return done(await self.tables.play.play(visit.game, person, exact or text, version))

    async def undo(self, request: web.Request) -> web.StreamResponse:
        """Take one's own last move back."""
        visit, _, version = await self.change(request)
        last = None
        for person in visit.persons:
            try:
                return done(await self.tables.play.undo(visit.game, person, 1, version))
            except IllegalMove as refusal:
                last = refusal
        raise last or IllegalMove("There is nothing to take back.")

    # -- notes ----------------------------------------------------------------------------------------

    async def notes(self, request: web.Request) -> web.StreamResponse:
        """What the viewer has noted for himself; of several persons in one browser each for himself."""
        visit = await self.player(request)
        notes = [
            Notes(
                mark_of(one),
                ", ".join(visit.table.names[player] for player in visit.table.seats_of(one)),
                await self.tables.links.notes(visit.game, one),
            )
            for one in visit.persons
        ]
        return page("notes.html", request, notes=notes)

    async def note(self, request: web.Request) -> web.StreamResponse:
        """Keep what one of the viewer's persons has noted."""
        visit, data, _ = await self.change(request)
        person = visit.person(str(data.get("of", "")))
        await self.tables.links.take_notes(visit.game, person, str(data.get("text", "")))
        return web.json_response({})

    # -- who asks, about which position -----------------------------------------------------------------

    async def change(self, request: web.Request) -> tuple[Viewer, dict[str, object], int]:
        """Who changes something, what he sends, and which position he saw.

        :raises RateLimited: he asks for too much.
        """
        visit = await self.player(request)
        self.doorman.admit(visit.persons[0])
        data = await read_json(request)
        version = data.get("version")
        if not isinstance(version, int):
            raise web.HTTPBadRequest(reason=say("That is not readable."))
        return visit, data, version

    async def aside(self, visit: Viewer, work: Callable[..., Found], *values: object) -> Found:
        """Done in a thread, a few at a time, by turns."""
        async with self._turns.turn(visit.holder):
            return await asyncio.to_thread(work, *values)

    async def player(self, request: web.Request) -> Viewer:
        """Whoever plays.

        :raises IllegalMove: he only looks.
        :raises RateLimited: by this link too much is asked.
        """
        visit = await self.looking.visit(request)
        if not visit.persons:
            raise IllegalMove("This game is over.")
        self.looking.admit(visit)
        return visit

    def position(self, visit: Viewer, request: web.Request | None = None) -> Game:
        """A copy of the present position; with a request the one that it names.

        :raises StalePosition: that is no longer the present one.
        """
        if request is not None and number(request.query.get("version", "")) != visit.table.record.version:
            raise StalePosition(MOVED_ON)
        if visit.table.game is None:
            raise IllegalMove("This game has not begun yet.")
        return visit.table.game.copy()

    def asked(self, visit: Viewer, request: web.Request) -> Game:
        """The position that a request names, in which the viewer's seats can do something.

        :raises NotYourTurn: they cannot.
        """
        game = self.position(visit, request)
        if not set(visit.seats) & set(game.asked()) and not menus.legal_for(game, visit.seats):
            raise NotYourTurn("It is not your turn. {status}", "", question(game))
        return game


def page(name: str, request: web.Request, **values: object) -> web.Response:
    """A part of the page."""
    return sent(request, CachedResponse.of(written(name, **values)))


def done(played: MoveResult) -> web.Response:
    """That a move was made, and what it did."""
    return web.json_response({"version": played.version, "lines": list(played.lines)})


def is_exact(game: Game, text: str) -> bool:
    """Whether a text is the exact form of one move."""
    try:
        action_of(game.title, text)
    except ParseError:
        return False
    return True


def space_named(game: Game, label: str) -> str:
    """The space of the map with which the name of a choice begins; empty where it is none."""
    word = label.partition(" ")[0]
    return word if HexId(word) in game.land.map.hexes else ""


def run_of(game: Game, company: CompanyId, tapped: Sequence[str]) -> str:
    """The move for routes of which each is written `train:space,space,…`.

    :raises IllegalMove: there is no such track.
    """
    graph = route_problem(game, company).graph
    runs = []
    for one in tapped[:MOST_ANSWERS]:
        train, _, spaces = one.partition(":")
        path = path_through(graph, [HexId(space) for space in spaces.split(",") if space])
        runs.append(f"{train}={'>'.join(path)}")
    return f"{company} run {' '.join(runs) or 'nothing'}"


def path_of(text: str) -> tuple[int, ...]:
    """The choices made so far: `0.12.3`.

    :raises HTTPNotFound: they are none.
    """
    return tuple(number(part) for part in text.split(".")[:MOST_ANSWERS] if part)
