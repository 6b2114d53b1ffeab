"""Answers to players: their choices, what a move would do, and the move itself, by the same ways as in Discord.
Questions come by GET and change nothing; what changes something comes by POST and names the position that was seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import msgspec
from aiohttp import web

from bot.engine import NOBODY, CompanyId, HexId, IllegalMove, NotYourTurn, ParseError, StalePosition
from bot.engine.notation import format_action, parse_action, question
from bot.engine.play import Game
from bot.engine.play.move_builder import encode_answer
from bot.engine.play.steps import route_problem
from bot.engine.state import Action, RunRoutes
from bot.i18n import tr
from bot.ops.rate_limit import RateLimiter
from bot.service.features.plans.offers import PlanOffer
from bot.service.features.sandbox import MovePreview
from bot.service.game_service import GameService
from bot.service.parser import menus
from bot.service.parser.suggestions import may_be_written
from bot.service.parser.vocabulary import with_names
from bot.service.sessions import MOVED_ON, MoveResult, is_computer
from bot.service.views.turn_text import cash_line, company_cash_lines, player_cash
from bot.store import GameStatus
from bot.threads import run_in_thread

from .api_schema import LONGEST_MOVE
from .auth import Viewer, mark_of
from .choices import MovePreviewView, build_preview, options_on, turn_of
from .coalesce import Turns
from .display_options import DisplayOptions
from .push_notices import PushTarget, new_key, public_key, read_target
from .response_cache import AT_ONCE, CachedResponse, render_template
from .tapped_route import path_through
from .views import PageViews, build_response, parse_number, read_json

Found = TypeVar("Found")

MOST_ANSWERS = 40


@dataclass(frozen=True)
class Notes:
    """The notes of one of the viewer's persons: their mark, their seats, the text."""

    of: str
    name: str
    text: str


class PageActions:
    def __init__(self, tables: GameService, looking: PageViews, doorman: RateLimiter) -> None:
        self.tables, self.looking, self.doorman = tables, looking, doorman
        # However many ask, moves of all games go on.
        self._turns = Turns(AT_ONCE)

    def add_to(self, router: web.UrlDispatcher) -> None:
        router.add_get("/g/{game}/", self.page)
        for way in ("/b/{token}", "/g/{game}"):
            router.add_get(f"{way}/space/{{hex}}", self.hex_options)
        for name, answer in (
            ("turn", self.turn),
            ("menu", self.menu),
            ("try", self.preview_text),
            ("tapped", self.preview_tapped_route),
            ("notes", self.notes),
            ("push", self.push),
        ):
            router.add_get(f"/g/{{game}}/{name}", answer)
        for name, act in (("move", self.move), ("undo", self.undo), ("notes", self.save_note), ("push", self.set_push)):
            router.add_post(f"/g/{{game}}/{name}", act)

    # -- what could be done -----------------------------------------------------------------------------

    async def page(self, request: web.Request) -> web.StreamResponse:
        """The whole page: what the viewer can do is on it from the beginning."""
        visit = await self.looking.authenticate(request, may_be_lobby=True)
        is_open = bool(visit.persons) and visit.table.game is not None and not request.query.get("at")
        turn = render_template("turn.html", **await self.turn_values(visit)) if is_open else ""
        return await self.looking.page_response(request, visit, turn)

    async def turn(self, request: web.Request) -> web.StreamResponse:
        return render_fragment("turn.html", request, **await self.turn_values(await self.require_player(request)))

    async def turn_values(self, visit: Viewer) -> dict[str, object]:
        game = self.position(visit)
        own = [player for player in game.players_to_act() if player in visit.seats]
        found = (
            await self.in_thread(visit, turn_of, game, visit.seats)
            if visit.table.record.status == GameStatus.RUNNING
            else None
        )
        if len(visit.seats) > 1:
            purses = [tr("{player} has {purse}.", game.state.name(player), player_cash(game, player)) for player in own]
            purse = [*company_cash_lines(game), *purses] if own else []
        else:
            purse = [cash_line(game, player) for player in own]
        names = [game.state.name(player) for player in visit.seats]
        is_lost = any([await self.tables.mail.is_lost(person) for person in visit.persons])
        values: dict[str, object] = {
            "turn": found,
            "own": own,
            "names": names,
            "purse": purse,
            "task": await self.tables.lessons.task_lines(visit.table),
            "is_lost": is_lost,
            "visit": visit,
            "undoable": await self.undoable(visit, game),
            "is_advised": has_only_computers_beside(visit),
        }
        values["offers"] = [(tr(one.label), f"plan {one.plan}", one.is_draft) for one in await self.offers(visit)]
        return values

    async def undoable(self, visit: Viewer, game: Game) -> str:
        """The move that the viewer can take back, as players type it; empty if there is none."""
        found = [await self.tables.moves.undoable_move(visit.game, person) for person in visit.persons]
        text = next(filter(None, found), "")
        if not text:
            return ""
        action = parse_action(game.title, text)
        # The routes of a run are long, and nobody reads them here.
        if isinstance(action, RunRoutes):
            action = msgspec.structs.replace(action, runs=())
        return with_names(game, format_action(action))

    async def offers(self, visit: Viewer) -> Sequence[PlanOffer]:
        """Plans to tap while the game waits for others; only where one person plays here, whose seats are meant."""
        if len(visit.persons) != 1:
            return []
        async with self._turns.turn(visit.holder):
            return await self.tables.plans.offers(visit.game, visit.persons[0])

    async def hex_options(self, request: web.Request) -> web.StreamResponse:
        """The lays and tokens possible on a hex: for a player their own, to be made; for all others those of the
        player asked, to be copied.
        """
        visit = await self.looking.authenticate(request)
        self.looking.check_rate_limit(visit)
        game = self.position(visit, request)
        hex_id = HexId(request.match_info["hex"])
        if hex_id not in game.board_rules.map.hexes:
            raise web.HTTPNotFound(reason=tr("There is no such page."))
        is_open = visit.table.record.status == GameStatus.RUNNING
        seats = visit.seats if visit.persons else game.players_to_act()
        offers = (
            await self.in_thread(visit, options_on, game, seats, hex_id, DisplayOptions.of(request.query))
            if is_open
            else []
        )
        wanted = [offer for offer in offers if offer.text == request.query.get("move")] or offers
        first = await self.preview(request, visit, wanted[0].text) if wanted else None
        return render_fragment(
            "space.html", request, offers=offers, trial=first, plays=bool(visit.persons), visit=visit
        )

    async def menu(self, request: web.Request) -> web.StreamResponse:
        """The next question of a kind of move, or the effect of the whole move."""
        visit = await self.require_player(request)
        game = self.require_turn(visit, request)
        kind, path = request.query.get("kind", ""), path_of(request.query.get("path", ""))
        found = await self.in_thread(visit, menus.menu, game, visit.seats, kind, path)
        amount = request.query.get("sum", "").strip().removeprefix(game.title.currency)
        if amount and found.sums is not None:
            if not (amount.isascii() and amount.isdecimal() and len(amount) < 10):
                raise ParseError("An amount is a whole number, for example 175.")
            if found.left:
                action = menus.with_sum(game, found, int(amount))
                return await self.confirm(request, visit, format_action(action), kind, path)
            path = (*path, int(amount))
            found = await self.in_thread(visit, menus.menu, game, visit.seats, kind, path)
        if found.action is not None:
            return await self.confirm(request, visit, format_action(found.action), kind, path)
        return self.render_menu(request, visit, game, found)

    def render_menu(self, request: web.Request, visit: Viewer, game: Game, found: menus.Menu) -> web.StreamResponse:
        """A question with its choices; a choice that is a hex of the map can be tapped there. Tiles and tokens are
        offered, with pictures, only in the menu of their hex.
        """
        is_tapped = not menus.is_guided(found.verb)
        named = [find_hex(game, choice.label) if is_tapped else "" for choice in found.choices]
        spaces = dict.fromkeys(filter(None, named)) or dict.fromkeys(
            str(space) for action in found.left for space in menus.hexes_of(game, action)
        )
        return render_fragment(
            "menu.html",
            request,
            menu=found,
            path=".".join(map(str, found.path)),
            back=".".join(map(str, found.path[:-1])),
            text=menus.text_command(game, found),
            example=menus.example(game, found, visit.seats) if may_be_written(found.verb) else "",
            named=named,
            spaces=list(spaces or map(str, found.spaces)),
            together=encode_answer,
            visit=visit,
        )

    async def preview_text(self, request: web.Request) -> web.StreamResponse:
        visit = await self.require_player(request)
        self.require_turn(visit, request)
        return await self.confirm(request, visit, request.query.get("move", ""))

    async def preview_tapped_route(self, request: web.Request) -> web.StreamResponse:
        """The revenue of a company on the routes that were tapped: for each train the hexes of its stops."""
        visit = await self.require_player(request)
        game = self.require_turn(visit, request)
        if RunRoutes not in game.open_verbs():
            raise StalePosition(MOVED_ON)
        company = game.company_in_turn
        text = await self.in_thread(visit, run_of, game, company, request.query.getall("train", []))
        return await self.confirm(request, visit, text)

    async def confirm(
        self, request: web.Request, visit: Viewer, text: str, kind: str = "", path: Sequence[int] = ()
    ) -> web.StreamResponse:
        """The effect of a move, with a button that makes it."""
        trial = await self.preview(request, visit, text)
        back = ".".join(map(str, path[:-1])) if path else ""
        return render_fragment(
            "confirm.html", request, trial=trial, plays=True, kind=kind, back=back, path=path, visit=visit
        )

    async def preview(self, request: web.Request, visit: Viewer, text: str) -> MovePreviewView:
        """The effect of a move.

        :raises Rejected: it is not legal.
        """
        game = self.position(visit)
        found = await self.try_move(visit, text)
        return await self.in_thread(visit, build_preview, game, found, DisplayOptions.of(request.query))

    async def try_move(self, visit: Viewer, said: str | Action) -> MovePreview:
        """The effect of a move as typed, or of an action.

        :raises Rejected: it is not legal.
        """
        game = self.position(visit)
        exact = exact_move(game, said)
        person = visit.actor(game.players_to_act()) if visit.persons else NOBODY
        async with self._turns.turn(visit.holder):
            return await self.tables.sandbox.preview(visit.game, person, [exact] if exact else str(said))

    # -- doing it -------------------------------------------------------------------------------------

    async def move(self, request: web.Request) -> web.StreamResponse:
        """Make the moves of a text on the position that was seen."""
        visit, data, version = await self.read_change(request)
        return json_result(await self.make_move(visit, str(data.get("move", "")), version))

    async def make_move(self, visit: Viewer, said: str | Action, version: int) -> MoveResult:
        """Make moves as typed, or an action, on the position that was seen.

        :raises Rejected: they are not legal, or that is no longer the position.
        """
        game = self.position(visit)
        exact = exact_move(game, said)
        person = visit.actor([game.controller_of(exact.by)] if exact else game.players_to_act())
        return await self.tables.moves.submit(visit.game, person, [exact] if exact else str(said), version)

    async def undo(self, request: web.Request) -> web.StreamResponse:
        visit, _, version = await self.read_change(request)
        return json_result(await self.take_back(visit, version))

    async def take_back(self, visit: Viewer, version: int) -> MoveResult:
        """Take back the last move of the first of the viewer's persons who may.

        :raises IllegalMove: none may.
        """
        last = None
        for person in visit.persons:
            try:
                return await self.tables.moves.undo(visit.game, person, 1, version)
            except IllegalMove as refusal:
                last = refusal
        raise last or IllegalMove("There is nothing to take back.")

    # -- notes ----------------------------------------------------------------------------------------

    async def notes(self, request: web.Request) -> web.StreamResponse:
        """The viewer's private notes; several persons in one browser have separate notes."""
        visit = await self.require_player(request)
        notes = [
            Notes(
                mark_of(one),
                ", ".join(visit.table.names[player] for player in visit.table.seats_of(one)),
                await self.tables.links.notes(visit.game, one),
            )
            for one in visit.persons
        ]
        return render_fragment("notes.html", request, notes=notes)

    async def save_note(self, request: web.Request) -> web.StreamResponse:
        visit, data, _ = await self.read_change(request)
        person = visit.person(str(data.get("of", "")))
        await self.tables.links.save_notes(visit.game, person, str(data.get("text", "")))
        return web.json_response({})

    # -- notices --------------------------------------------------------------------------------------

    async def push(self, request: web.Request) -> web.StreamResponse:
        """The key that a browser needs to get notices, and whether it gets them about this game."""
        visit = await self.require_player(request, may_be_lobby=True)
        private = await self.tables.desk.store.calls.key("push", new_key)
        endpoint = request.query.get("endpoint", "")
        found = [await self.tables.links.push_links(visit.game, one, endpoint) for one in visit.persons]
        return web.json_response({"key": public_key(private), "is_on": bool(endpoint) and any(found)})

    async def set_push(self, request: web.Request) -> web.StreamResponse:
        """Send notices about this game to this browser, or no longer."""
        visit = await self.require_player(request, may_be_lobby=True)
        self.doorman.acquire(visit.persons[0])
        data, _ = await read_fields(request)
        fields = {name: str(data.get(name, "")) for name in PushTarget.__struct_fields__}
        target = await run_in_thread(read_target, fields) if data.get("on") is True else None
        for person in visit.persons:
            text = msgspec.json.encode(target).decode() if target else ""
            await self.tables.links.set_push(visit.game, person, fields["endpoint"], text)
        return web.json_response({})

    # -- who asks, about which position -----------------------------------------------------------------

    async def read_change(self, request: web.Request) -> tuple[Viewer, dict[str, object], int]:
        """The viewer, the data they send, and the position they saw.

        :raises RateLimited: they ask for too much.
        """
        visit = await self.require_player(request)
        self.doorman.acquire(visit.persons[0])
        return visit, *await read_fields(request)

    async def in_thread(self, visit: Viewer, work: Callable[..., Found], *values: object) -> Found:
        """Run in a thread, a few at a time, by turns."""
        async with self._turns.turn(visit.holder):
            return await run_in_thread(work, *values)

    async def require_player(self, request: web.Request, may_be_lobby: bool = False) -> Viewer:
        """The viewer, who must be a player.

        :raises IllegalMove: they only look.
        :raises RateLimited: by this link too much is asked.
        """
        visit = await self.looking.authenticate(request, may_be_lobby)
        check_plays(visit)
        self.looking.check_rate_limit(visit)
        return visit

    def position(self, visit: Viewer, request: web.Request | None = None) -> Game:
        """A copy of the current position; with a request the position that it names.

        :raises StalePosition: that is no longer the present position.
        """
        if request is not None and parse_number(request.query.get("version", "")) != visit.table.record.version:
            raise StalePosition(MOVED_ON)
        if visit.table.game is None:
            raise IllegalMove("This game has not begun yet.")
        return visit.table.game.copy()

    def require_turn(self, visit: Viewer, request: web.Request) -> Game:
        """The position that a request names, in which the viewer's seats can act.

        :raises NotYourTurn: they cannot.
        """
        game = self.position(visit, request)
        if not set(visit.seats) & set(game.players_to_act()) and not menus.legal_for(game, visit.seats):
            raise NotYourTurn("It is not your turn. {status}", "", question(game))
        return game


async def read_fields(request: web.Request) -> tuple[dict[str, object], int]:
    """The data of a change, and the position that was seen.

    :raises HTTPBadRequest: they are not readable.
    """
    data = await read_json(request)
    version = data.get("version")
    if not isinstance(version, int):
        raise web.HTTPBadRequest(reason=tr("That is not readable."))
    return data, version


def render_fragment(name: str, request: web.Request, **values: object) -> web.Response:
    return build_response(request, CachedResponse.of(render_template(name, **values)))


def json_result(played: MoveResult) -> web.Response:
    return web.json_response({"version": played.version, "lines": list(played.lines)})


def has_only_computers_beside(visit: Viewer) -> bool:
    """Whether a viewer's only opponents are computer players: then they may ask for advice."""
    others = [held.person for held in visit.table.seats if held.person not in visit.persons]
    return len(visit.persons) == 1 and all(is_computer(one) for one in others if one)


def check_plays(visit: Viewer) -> None:
    """:raises IllegalMove: the viewer plays nobody, since the game is over."""
    if not visit.persons:
        raise IllegalMove("This game is over.")


def exact_move(game: Game, said: str | Action) -> Action | None:
    """The action, or the action whose exact text form is given; None for any other text.

    :raises ParseError: the text is too long.
    """
    if isinstance(said, Action):
        return said
    if len(said) > LONGEST_MOVE:
        raise ParseError("That is too long for a move.")
    try:
        return parse_action(game.title, said)
    except ParseError:
        return None


def find_hex(game: Game, label: str) -> str:
    """The hex on the map with which a choice's label begins; empty where there is none."""
    word = label.partition(" ")[0]
    return word if HexId(word) in game.board_rules.map.hexes else ""


def run_of(game: Game, company: CompanyId, tapped: Sequence[str]) -> str:
    """The move for routes, each in the form `train:hex,hex,…`.

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

    :raises HTTPNotFound: they are not valid.
    """
    return tuple(parse_number(part) for part in text.split(".")[:MOST_ANSWERS] if part)
