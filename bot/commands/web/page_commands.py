"""Commands typed or chosen on the board page: questions by GET, changes by POST with the position that was seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from mimetypes import guess_type
from typing import Any
from urllib.parse import urlencode

from aiohttp import web

from bot.engine import GameId, IllegalMove
from bot.i18n import tr, tr_error
from bot.render.picture_kinds import HistoryOf, PictureOf
from bot.render.worker import Renderer
from bot.service.features.board_links import look_address, play_address
from bot.service.registry.command import (
    Choice,
    Command,
    Door,
    Flag,
    ForumChannel,
    GameFile,
    Number,
    Parameter,
    Reply,
    SeatOf,
)
from bot.service.registry.command_line import TypedRequest, find_line, values_named, values_of
from bot.service.registry.commands import COMMANDS
from bot.service.sessions.session_manager import GameSession
from bot.store import LinkKind, PersonRecord
from bot.untrusted_input import LARGEST_FILE

from .actions import PageActions, render_fragment
from .auth import Viewer, mark_of

LONGEST_LINE = 4100
MOST_PICTURES = 6
FILE = "file"


class PageRequest(TypedRequest):
    """A player's request about the game of the page, of which they see the position `version`. `file` came with it."""

    door = Door.PAGE

    def __init__(self, actions: PageActions, table: GameSession, person: PersonRecord, file: bytes = b"") -> None:
        super().__init__(actions.tables, person.person)
        self.opened, self.zone, self.file = table, person.zone, file
        self.origin = actions.looking.doors.address.origin

    async def game_id(self) -> GameId:
        return self.opened.record.id

    async def board_link(self, kind: LinkKind) -> str:
        return look_address(self.origin, await self.tables.links.make(await self.game_id(), self.person, kind))

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

    def __init__(self, actions: PageActions, studio: Renderer) -> None:
        self.actions, self.tables, self.studio = actions, actions.tables, studio

    def add_to(self, router: web.UrlDispatcher) -> None:
        router.add_get("/g/{game}/commands", self.menu)
        router.add_get("/g/{game}/commands/{command}", self.form)
        router.add_get("/g/{game}/command", self.ask)
        router.add_post("/g/{game}/command", self.change)

    # -- the menu -------------------------------------------------------------------------------------

    async def menu(self, request: web.Request) -> web.StreamResponse:
        visit = await self.actions.require_player(request)
        shown = [one for one in COMMANDS.values() if one.is_at(Door.PAGE)]
        persons = [
            (mark_of(one), ", ".join(visit.table.names[player] for player in visit.table.seats_of(one)))
            for one in visit.persons
        ]
        return render_fragment("commands.html", request, commands=shown, persons=persons)

    async def form(self, request: web.Request) -> web.StreamResponse:
        """A command's parameters as a form."""
        visit = await self.actions.require_player(request)
        command = command_named(request.match_info["command"])
        asked = await self.request_of(visit, request.query)
        fields = [await field_of(one, asked) for one in command.parameters if not isinstance(one.kind, ForumChannel)]
        return render_fragment("form.html", request, command=command, fields=fields)

    # -- answers --------------------------------------------------------------------------------------

    async def ask(self, request: web.Request) -> web.StreamResponse:
        """The answer to a command that changes nothing; with `picture` or `file` that part of it. For a command that
        changes something only a button that does it, and for moves what they would do.
        """
        visit = await self.actions.require_player(request)
        asked = await self.request_of(visit, request.query)
        command, values = await read_command(request.query, asked, visit)
        if command.changes:
            line = request.query.get("line", "") or asked.spell(command.name, **values)
            lines = (command.help,) if command.name != "move" else (await COMMANDS["try"].run(asked, **values)).lines
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
        if request.content_type == "application/octet-stream":
            visit, fields, version, file = await self.read_upload(request)
        else:
            visit, data, version = await self.actions.read_change(request)
            fields, file = {name: str(text) for name, text in data.items()}, b""
        asked = await self.request_of(visit, fields, file)
        asked.version = version
        command, values = await read_command(fields, asked, visit)
        reply = await command.run(asked, **values)
        if reply.opened not in (None, visit.game):
            token = await self.tables.links.make(reply.opened, asked.person, LinkKind.PLAY)
            told = [tr("Your board in the browser, where you can also play; this link is only for you:")]
            reply = replace(reply, lines=[*reply.lines, *told, play_address(asked.origin, token)])
        return self.render(request, asked, reply, "")

    def render(self, request: web.Request, asked: PageRequest, reply: Reply, again: str) -> web.StreamResponse:
        lines = [] if reply.refusal is None else [tr_error(reply.refusal)]
        lines += [tr(line) for line in reply.lines]
        buttons = [
            (tr(one.label), asked.spell(one.command, **one.values), COMMANDS[one.command].changes)
            for one in reply.follow_ups
        ]
        pictures = range(len(reply.pictures[:MOST_PICTURES])) if again else ()
        files = [(number, one.name, one.about) for number, one in enumerate(reply.files)] if again else []
        values = {"lines": lines, "buttons": buttons, "pictures": pictures, "files": files, "again": again}
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

    async def request_of(self, visit: Viewer, fields: Mapping[str, str], file: bytes = b"") -> PageRequest:
        """The request of one of the viewer's persons: `of` says whose, else the person who is asked."""
        asked = visit.table.game.players_to_act() if visit.table.game is not None else ()
        person = visit.person(fields["of"]) if fields.get("of") else visit.actor(asked)
        return PageRequest(self.actions, visit.table, await self.tables.mail.person(person), file)

    async def read_upload(self, request: web.Request) -> tuple[Viewer, dict[str, str], int, bytes]:
        """The viewer, the fields in the address, the position they saw, and the file that they send.

        :raises HTTPException: it is too large, or the position is missing.
        """
        visit = await self.actions.require_player(request)
        self.actions.doorman.acquire(visit.persons[0])
        version = request.query.get("version", "")
        if not (version.isascii() and version.isdecimal() and len(version) < 10):
            raise web.HTTPBadRequest(reason=tr("That is not readable."))
        file = b""
        async for piece in request.content.iter_chunked(2**16):
            file += piece
            if len(file) > LARGEST_FILE:
                raise web.HTTPRequestEntityTooLarge(LARGEST_FILE, len(file), reason=tr("That file is too large."))
        return visit, dict(request.query), int(version), file


async def read_command(
    fields: Mapping[str, str], asked: PageRequest, visit: Viewer
) -> tuple[Command, Mapping[str, Any]]:
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
    line = find_line(text, Door.PAGE, visit.table.game, is_lobby=False)
    if line is None:
        return COMMANDS["move"], {"move": text}
    return line.command, await values_of(line, asked)


PREFIX = "value-"
"""Before a parameter's name in a form: no other field has its name."""


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
    if isinstance(kind, SeatOf):
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
