"""Commands typed or chosen on the board page: questions by GET, changes by POST with the position that was seen."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from itertools import zip_longest
from mimetypes import guess_type
from typing import Any
from urllib.parse import urlencode

from aiohttp import web

from bot.engine import GameId, IllegalMove, PersonId, Text, msg
from bot.i18n import tr, tr_error
from bot.render.picture_kinds import HistoryOf, PictureOf
from bot.render.worker import Renderer
from bot.service.features.board_links import link_address
from bot.service.registry.command import (
    Choice,
    Command,
    Door,
    Flag,
    ForumChannel,
    GameFile,
    Member,
    Number,
    Parameter,
    Plans,
    Reply,
    SeatOf,
)
from bot.service.registry.command_line import TypedRequest, find_line, values_named, values_of
from bot.service.registry.commands import COMMANDS
from bot.service.registry.plan_commands import WAKE_UP, plan_lines
from bot.service.sessions.at_work import at_work
from bot.service.sessions.session_manager import GameSession
from bot.store import LinkKind, PersonRecord
from bot.untrusted_input import LARGEST_FILE

from .actions import PageActions, read_fields, render_fragment
from .auth import LinkHolder, Viewer, mark_of

LONGEST_LINE = 4100
MOST_PICTURES = 6
FILE = "file"
FILE_SECONDS = 60
"""Seconds in which a sender has to have sent a file."""
UNTIL = " until "
"""In a plan between its steps and what ends it."""


class PageRequest(TypedRequest):
    """A player's request about the game of the page (None on the page of all games), of which they see the position
    `version`. `file` came with it.
    """

    door = Door.PAGE

    def __init__(
        self,
        commands: PageCommands,
        browser: web.Request,
        table: GameSession | None,
        person: PersonRecord,
        name: str,
        file: bytes = b"",
    ) -> None:
        super().__init__(commands.tables, person.person, name)
        self.browser, self.opened, self.zone, self.file = browser, table, person.zone, file
        self.doors, self.sends_mail = commands.actions.looking.doors, commands.sends_mail
        self.origin = self.doors.address.origin

    @property
    def is_lobby(self) -> bool:
        """Whether words of lobbies mean commands here."""
        return self.opened is None or self.opened.game is None

    async def game_id(self) -> GameId:
        if self.opened is None:
            raise IllegalMove("Which game? Open its page first, or give its number.")
        return self.opened.record.id

    async def lobby_id(self, number: int | None = None) -> GameId:
        """A game of theirs must be held by a link in their browser: a link that was passed on opens no other game."""
        if number is None:
            return await self.game_id()
        game_id = GameId(number)
        table = (await self.tables.desk.tables([game_id])).get(game_id)
        is_theirs = table is not None and (self.person == table.record.moderator or table.seats_of(self.person))
        if is_theirs and game_id not in (await self.doors.holder_of(self.browser)).games:
            raise IllegalMove("This browser has no link to that game. Ask for a personal link: /board mine.")
        return game_id

    async def invitation_lines(self, game_id: GameId, code: str) -> Sequence[Text]:
        """The part behind the # reaches no server, as in a play link."""
        told = msg("Give this address to the people you invite; it works until the game begins or you make a new code:")
        return [told, f"{self.origin}/#join-{game_id}-{code}", *await super().invitation_lines(game_id, code)]

    def check_mail(self) -> None:
        if not self.sends_mail:
            raise IllegalMove("This bot sends no mail.")

    async def board_link(self, kind: LinkKind) -> str:
        token = await self.tables.links.make(await self.game_id(), self.person, kind)
        return link_address(self.origin, kind, token)

    async def read_file(self, name: str) -> bytes:
        if not self.file:
            raise IllegalMove("Choose a file or paste its JSON first.")
        return self.file


@dataclass(frozen=True)
class Field:
    """A parameter in a command's form: its name, help, kind of input, and what is offered for it."""

    name: str
    help: str
    kind: str
    is_needed: bool
    offers: Sequence[tuple[str, str]] = ()
    least: int = 0
    most: int = 0


class PageCommands:
    """The command line of a board page, and the menu of its commands."""

    def __init__(self, actions: PageActions, studio: Renderer, sends_mail: bool = False) -> None:
        self.actions, self.tables, self.studio, self.sends_mail = actions, actions.tables, studio, sends_mail

    def add_to(self, router: web.UrlDispatcher) -> None:
        for way in ("", "/g/{game}"):
            router.add_get(f"{way}/commands", self.menu)
            router.add_get(f"{way}/commands/{{command}}", self.form)
            router.add_get(f"{way}/command", self.ask)
            router.add_post(f"{way}/command", self.change)
        router.add_get("/g/{game}/plans", self.plans)

    # -- the menu -------------------------------------------------------------------------------------

    async def menu(self, request: web.Request) -> web.StreamResponse:
        visit = await self.visitor(request)
        shown = [one for one in COMMANDS.values() if one.is_at(Door.PAGE) and (visit.table or not needs_game(one))]
        persons = [(mark_of(one), await self.name_of(visit.table, one)) for one in visit.persons]
        return render_fragment("commands.html", request, commands=shown, persons=persons)

    async def form(self, request: web.Request) -> web.StreamResponse:
        """A command's parameters as a form."""
        command = command_named(request.match_info["command"])
        async with self.question(request) as asked:
            fields = [
                await field_of(one, asked) for one in command.parameters if not isinstance(one.kind, ForumChannel)
            ]
        return render_fragment("form.html", request, command=command, fields=fields)

    async def plans(self, request: web.Request) -> web.StreamResponse:
        """A player's own plans, and parts for a new plan; with an `order` the meaning of that plan."""
        async with self.question(request) as asked:
            game_id, command = await asked.game_id(), COMMANDS["plan"]
            if order := request.query.get("order", "").strip():
                values = await values_named(command, {"order": order}, asked)
                shown = await self.tables.plans.preview_plan(game_id, asked.person, values["order"])
                return self.render(request, asked, Reply(list(plan_lines(shown))), "")
            listed = await COMMANDS["auto list"].run(asked)
            numbers = range(1, len(listed.subject.plans) + 1) if isinstance(listed.subject, Plans) else ()
            plans = [(tr(line), number) for line, number in zip_longest(listed.lines, numbers)]
            completed = await complete(asked, "") if (complete := command.parameters[0].complete) else ()
            offers = [text for text, _ in completed if UNTIL not in text]
            wakes = [(words, tr(said)) for words, said in WAKE_UP.meanings.items() if words]
            return render_fragment("plans.html", request, plans=plans, offers=offers, wakes=wakes)

    # -- answers --------------------------------------------------------------------------------------

    async def ask(self, request: web.Request) -> web.StreamResponse:
        """The answer to a command that changes nothing; with `picture` or `file` that part of it. For a command that
        changes something only a button that does it, and for moves what they would do.
        """
        async with self.question(request) as asked:
            command, values = await read_command(request.query, asked)
            if command.changes:
                line = request.query.get("line", "") or asked.spell(command.name, **values)
                lines = (
                    (command.help,) if command.name != "move" else (await COMMANDS["try"].run(asked, **values)).lines
                )
                return render_fragment("sure.html", request, line=line, lines=lines)
            reply = await command.run(asked, **values)
            if (number := request.query.get("picture", "")).isdecimal():
                return await self.picture(reply.pictures[:MOST_PICTURES], int(number))
            if (number := request.query.get(FILE, "")).isdecimal():
                return download(reply, int(number))
            again = urlencode({name: text for name, text in request.query.items() if name not in ("picture", FILE)})
            return self.render(request, asked, reply, f"command?{again}")

    async def change(self, request: web.Request) -> web.StreamResponse:
        """The answer to a command that changes something, on the position that was seen."""
        visit = await self.visitor(request)
        self.actions.doorman.acquire(visit.persons[0])
        if request.content_type == "application/octet-stream":
            fields, version, file = await self.read_upload(request)
        else:
            data, version = await read_fields(request)
            fields, file = {name: str(text) for name, text in data.items()}, b""
        asked = await self.request_of(request, visit, fields, file)
        asked.version = version
        async with at_work(asked.person):
            command, values = await read_command(fields, asked)
            reply = await command.run(asked, **values)
        if reply.opened is None or (visit.table is not None and reply.opened == visit.table.record.id):
            return self.render(request, asked, reply, "")
        answer = self.render(request, asked, replace(reply, follow_ups=()), "", reply.opened)
        if reply.opened not in (await asked.doors.holder_of(request)).games:
            await self.hand_over(answer, reply.opened, asked.person)
        return answer

    async def hand_over(self, answer: web.StreamResponse, game_id: GameId, person: PersonId) -> None:
        """Give the browser a play link to a game that its person has opened or joined."""
        doors, links = self.actions.looking.doors, self.tables.links
        token = await links.make(game_id, person, LinkKind.PLAY)
        link, _ = await links.open_link(token)
        await links.mark_used(link)
        doors.hand_over(answer, token, link, self.tables.desk.now())

    def render(
        self, request: web.Request, asked: PageRequest, reply: Reply, again: str, opened: GameId | None = None
    ) -> web.StreamResponse:
        """A reply; `opened` is another game that its reader can go to."""
        lines = [] if reply.refusal is None else [tr_error(reply.refusal)]
        lines += [tr(line) for line in reply.lines]
        buttons = [
            (tr(one.label), asked.spell(one.command, **one.values), COMMANDS[one.command].changes, one.is_draft)
            for one in reply.follow_ups
        ]
        pictures = range(len(reply.pictures[:MOST_PICTURES])) if again else ()
        files = [(number, one.name, one.about) for number, one in enumerate(reply.files)] if again else []
        values = {"lines": lines, "buttons": buttons, "pictures": pictures, "files": files, "again": again}
        values["opened"] = opened
        return render_fragment("reply.html", request, **values)

    async def picture(self, pictures: Sequence[PictureOf | HistoryOf], number: int) -> web.StreamResponse:
        """One of a reply's pictures.

        :raises HTTPNotFound: it has fewer.
        """
        if number >= len(pictures):
            raise web.HTTPNotFound(reason=tr("There is no such page."))
        found = await self.studio.paint(pictures[number])
        return web.Response(body=found.png, content_type=f"image/{found.name.rpartition('.')[2]}")

    # -- who asks what --------------------------------------------------------------------------------

    @asynccontextmanager
    async def question(self, request: web.Request) -> AsyncIterator[PageRequest]:
        """A player's question, when it is its turn: few of a person's are answered at once."""
        asked = await self.request_of(request, await self.visitor(request), request.query)
        async with at_work(asked.person):
            yield asked

    async def visitor(self, request: web.Request) -> Viewer | LinkHolder:
        """The player of the game in the address; without one the browser with its links.

        :raises IllegalMove: they only look, or have no link.
        :raises RateLimited: by this link too much is asked.
        """
        if "game" in request.match_info:
            return await self.actions.require_player(request, may_be_lobby=True)
        holder = await self.actions.looking.require_holder(request)
        self.actions.looking.check_rate_limit(holder)
        return holder

    async def request_of(
        self, browser: web.Request, visit: Viewer | LinkHolder, fields: Mapping[str, str], file: bytes = b""
    ) -> PageRequest:
        """The request of one of the viewer's persons: `of` says whose, else the person who is asked."""
        asked = visit.table.game.players_to_act() if visit.table and visit.table.game is not None else ()
        person = visit.person(fields["of"]) if fields.get("of") else visit.actor(asked)
        name, record = await self.name_of(visit.table, person), await self.tables.mail.person(person)
        return PageRequest(self, browser, visit.table, record, name, file)

    async def name_of(self, table: GameSession | None, person: PersonId) -> str:
        """Somebody's name in a game, else in their newest; empty where they have none."""
        here = [held.name for held in table.seats if held.person == person] if table is not None else []
        around = here or [name for one, name in await self.tables.queries.people_around(person) if one == person]
        return next(iter(around), "")

    async def read_upload(self, request: web.Request) -> tuple[dict[str, str], int, bytes]:
        """The fields in the address, the position they saw, and the file that they send.

        :raises HTTPException: it is too large or takes too long, or the position is missing.
        """
        version = request.query.get("version", "")
        if not (version.isascii() and version.isdecimal() and len(version) < 10):
            raise web.HTTPBadRequest(reason=tr("That is not readable."))
        file = b""
        try:
            async with asyncio.timeout(FILE_SECONDS):
                async for piece in request.content.iter_chunked(2**16):
                    file += piece
                    if len(file) > LARGEST_FILE:
                        raise web.HTTPRequestEntityTooLarge(
                            LARGEST_FILE, len(file), reason=tr("That file is too large.")
                        )
        except TimeoutError as error:
            raise web.HTTPRequestTimeout(reason=tr("The request took too long.")) from error
        return dict(request.query), int(version), file


async def read_command(fields: Mapping[str, str], asked: PageRequest) -> tuple[Command, Mapping[str, Any]]:
    """The command of a typed `line`, or of its `name` with the fields of its form; moves are typed as they are.

    :raises IllegalMove: something is missing or does not fit.
    """
    if fields.get("name"):
        command = command_named(fields["name"])
        given = {name: text for name, text in fields.items() if name.startswith(PREFIX)}
        return command, await values_named(
            command, {name.removeprefix(PREFIX): text for name, text in given.items()}, asked
        )
    text = fields.get("line", "")
    if len(text) > LONGEST_LINE:
        raise IllegalMove("That is too long for a move.")
    line = find_line(text, Door.PAGE, asked.opened.game if asked.opened else None, asked.is_lobby)
    if line is None:
        return COMMANDS["move"], {"move": text}
    return line.command, await values_of(line, asked)


PREFIX = "value-"
"""Before a parameter's name in a form: no other field has its name."""


def needs_game(command: Command) -> bool:
    """Whether a command is about a game that has to be open."""
    return bool(command.right) and not any(one.name == "game" for one in command.parameters)


def command_named(name: str) -> Command:
    """The page's command of that name.

    :raises HTTPNotFound: it has none.
    """
    command = COMMANDS.get(name)
    if command is None or not command.is_at(Door.PAGE):
        raise web.HTTPNotFound(reason=tr("There is no such page."))
    return command


async def field_of(parameter: Parameter, asked: PageRequest) -> Field:
    kind, offers = parameter.kind, await parameter.complete(asked, "") if parameter.complete else ()
    about = (parameter.name, tr(parameter.help))
    if isinstance(kind, Choice):
        return Field(*about, "choice", parameter.is_needed, [(one, tr(said)) for one, said in kind.meanings.items()])
    if isinstance(kind, Member):
        offers = [(name, name) for name in dict.fromkeys(one.name for one in await asked.known_people())]
    if isinstance(kind, SeatOf) and asked.opened is not None:
        seats = [(str(held.number), held.name) for held in asked.opened.seats]
        return Field(*about, "choice", parameter.is_needed, seats)
    if isinstance(kind, Number):
        return Field(*about, "number", parameter.is_needed, offers, kind.least, kind.most)
    named = "file" if isinstance(kind, GameFile) else "flag" if isinstance(kind, Flag) else "text"
    return Field(*about, named, parameter.is_needed and not isinstance(kind, Flag), offers)


def download(reply: Reply, number: int) -> web.Response:
    """One of a reply's files, to be saved.

    :raises HTTPNotFound: it has fewer.
    """
    if number >= len(reply.files):
        raise web.HTTPNotFound(reason=tr("There is no such page."))
    file = reply.files[number]
    plain = "".join(sign if sign.isascii() and (sign.isalnum() or sign in "-_.") else "_" for sign in file.name)[:80]
    headers = {"Content-Disposition": f'attachment; filename="{plain}"'}
    return web.Response(body=file.content, content_type=guess_type(plain)[0] or "text/plain", headers=headers)
