"""The requests of commands to the mail door, and which commands of a letter were done before an interruption."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from bot.engine import GameId, IllegalMove, StalePosition, Text, msg
from bot.service.features.board_links import link_address
from bot.service.game_service import GameService
from bot.service.registry.command import Command, Door, Reply
from bot.service.registry.command_line import TypedRequest, find_line, values_of
from bot.store import LinkKind, MoveKind, PersonRecord

NO_GAME = "Which game? Answer a mail about it; games lists yours."


@dataclass(frozen=True)
class MailDoor:
    """The common parts of all letters: the tables, the address of the board pages (empty where none are served), the
    bot's own address.
    """

    tables: GameService
    pages: str
    own_address: str


class MailRequest(TypedRequest):
    """The writer's request about a game, of which they have seen the position `version`; `game` becomes the game
    that they open or join. `begun_at` is when their letter was begun before, None where it was not; `file` came
    with it.
    """

    door = Door.MAIL

    def __init__(
        self,
        door: MailDoor,
        person: PersonRecord,
        game_id: GameId | None,
        version: int | None = None,
        begun_at: float | None = None,
        file: bytes = b"",
    ) -> None:
        super().__init__(door.tables, person.person)
        self.pages, self.own_address, self.zone = door.pages, door.own_address, person.zone
        self.game, self.version, self.begun_at, self.file = game_id, version, begun_at, file

    async def game_id(self) -> GameId:
        if self.game is None:
            raise IllegalMove(NO_GAME)
        return self.game

    async def invitation_lines(self, game_id: GameId, code: str) -> Sequence[Text]:
        line = self.spell("game join", game=game_id, name=code) + " NAME"
        told = "Give this line to the people you invite; each sends it to {address} with their own name:"
        return [
            msg(told, self.own_address),
            line,
            f"mailto:{self.own_address}?subject=Signalbox&body={quote(line)}",
        ]

    async def board_link(self, kind: LinkKind) -> str:
        if not self.pages:
            return await super().board_link(kind)
        token = await self.tables.links.make(await self.game_id(), self.person, kind)
        return link_address(self.pages, kind, token)

    async def read_file(self, name: str) -> bytes:
        if not self.file:
            raise IllegalMove(
                "Attach a game's JSON to your mail (up to 4 MB), or paste it below a line that says import, in a reply to a mail from the bot."
            )
        return self.file


async def attached_reply(door: MailDoor, person: PersonRecord, game_id: GameId | None, text: str) -> Reply:
    """The answer to a command that changes nothing, for its pictures and files.

    :raises Rejected: it is refused.
    """
    request, line = MailRequest(door, person, game_id), find_line(text, Door.MAIL)
    if line is None or line.command.changes:
        return Reply()
    return await line.command.run(request, **await values_of(line, request))


# -- what was done before an interruption -------------------------------------------------------------


async def run_once(command: Command, request: MailRequest, values: Mapping[str, Any]) -> Reply:
    """Run a command, unless an interrupted try of the same letter has done it.

    :raises Rejected: it is refused.
    """
    check = DONE_BEFORE.get(command.name)
    if request.begun_at is not None and check is not None and (done := await check(request, values)) is not None:
        return done
    try:
        return await command.run(request, **values)
    except StalePosition:
        if await has_moved_since(request):
            return Reply([msg(MADE_BEFORE.get(command.name, "That has been done."))])
        raise


MADE_BEFORE = {"move": "Your moves have been made.", "undo": "Your moves have been taken back."}


async def has_moved_since(request: MailRequest) -> bool:
    """Whether the first log entry after the writer's position is their own, made since their letter was begun."""
    if request.begun_at is None or request.version is None:
        return False
    since = await request.tables.queries.moves_after(await request.game_id(), request.version)
    return bool(since) and since[0].person == request.person and since[0].made_at >= request.begun_at


async def find_opened(request: MailRequest, values: Mapping[str, Any]) -> Reply | None:
    """The newest game that the writer has opened since their letter was begun."""
    own = [one.record for one in await request.tables.queries.games_of(request.person)]
    since = request.begun_at or 0.0
    found = [one.id for one in own if one.moderator == request.person and one.created_at >= since]
    if not found:
        return None
    return Reply([msg("Game {number} is open.", max(found))], opened=max(found))


async def find_seat(request: MailRequest, values: Mapping[str, Any]) -> Reply | None:
    """The seat that the writer has taken."""
    game_id = await request.lobby_id(values.get("game"))
    if not (await request.tables.desk.table(game_id)).seats_of(request.person):
        return None
    return Reply([msg("You are in game {game}.", game_id)], opened=game_id)


async def find_started(request: MailRequest, values: Mapping[str, Any]) -> Reply | None:
    game_id = await request.lobby_id(values.get("game"))
    if (await request.tables.desk.table(game_id)).game is None:
        return None
    return Reply([msg("Game {game} has begun.", game_id)], opened=game_id)


async def find_said(request: MailRequest, values: Mapping[str, Any]) -> Reply | None:
    """The writer's messages to the table since their letter was begun."""
    game_id, text = await request.game_id(), " ".join(str(values["text"]).split())
    is_said = await request.tables.talk.has_said(game_id, request.person, text, request.begun_at or 0.0)
    return Reply([msg("That has been done.")]) if is_said else None


async def find_moderator(request: MailRequest, values: Mapping[str, Any]) -> Reply | None:
    """The game is the named person's."""
    record = (await request.tables.desk.table(await request.game_id())).record
    return Reply([msg("That has been done.")]) if record.moderator == values["member"].person else None


def find_entry(kind: MoveKind) -> Callable[[MailRequest, Mapping[str, Any]], Awaitable[Reply | None]]:
    """A finder of the writer's log entry of that kind since their letter was begun."""

    async def find(request: MailRequest, values: Mapping[str, Any]) -> Reply | None:
        since = request.begun_at or 0.0
        is_done = any(
            entry.kind == kind and entry.person == request.person and entry.made_at >= since
            for entry in await request.tables.queries.moves_after(await request.game_id(), request.version or -1)
        )
        return Reply([msg("That has been done.")]) if is_done else None

    return find


DONE_BEFORE: Mapping[str, Callable[[MailRequest, Mapping[str, Any]], Awaitable[Reply | None]]] = {
    "game new": find_opened,
    "game import": find_opened,
    "game clone": find_opened,
    "game join": find_seat,
    "game start": find_started,
    "say": find_said,
    "game sitter": find_entry(MoveKind.SITTER),
    "moderate sitter": find_entry(MoveKind.SITTER),
    "moderate replace": find_entry(MoveKind.REPLACE),
    "moderate handover": find_moderator,
}
"""For commands that would do something twice: what an earlier try has done. Moves show it by the position seen."""
