"""Requests of the person at the terminal: about the game that is open here, for every seat of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from bot.engine import GameId, IllegalMove, PersonId, msg
from bot.service.registry.command import Door, Person, Reply
from bot.service.registry.command_line import TypedRequest
from bot.service.registry.help import help_about
from bot.service.sessions import GameSession, is_computer
from bot.store import LinkKind
from bot.titles.registry import example_title
from bot.untrusted_input import InvalidFile, read_bounded

if TYPE_CHECKING:
    from .session import Session

PERSON = PersonId("console")
"""The person at the terminal, who moves for every seat."""


class TerminalRequest(TypedRequest):
    """`page` is the page of help that is asked for."""

    door = Door.TERMINAL

    def __init__(self, session: Session) -> None:
        super().__init__(session.tables, PERSON)
        self.session = session
        self.page = 0
        self.about = ""

    async def game_id(self) -> GameId:
        return self.session.open_number()

    async def lobby_changed(self, table: GameSession) -> None:
        names = ", ".join(held.name for held in table.seats)
        self.session.screen.say("In: {names}", names or msg("nobody yet"))

    def mark(self, game_id: GameId) -> str:
        return "* " if game_id == self.session.number else "  "

    def first_game(self) -> str:
        return self.spell("new", title=example_title(), players="Ann Bob Cid")

    async def find_person(self, name: str) -> Person:
        """Somebody of the open game, else somebody new at this screen."""
        table = await self.session.find_table()
        called = [one for one in table.seats if one.name.casefold() == name.casefold()] if table is not None else []
        others = [Person(one.person, one.name) for one in called if one.person and not is_computer(one.person)]
        return next(iter(others), Person(PERSON, name))

    async def read_file(self, name: str) -> bytes:
        try:
            return read_bounded(Path(name).expanduser())
        except InvalidFile as error:
            raise IllegalMove("{reason}.", "", error.said) from error

    def has_pages(self) -> bool:
        return self.session.board is not None

    async def board_link(self, kind: LinkKind) -> str:
        if self.session.board is None:
            raise IllegalMove("The browser board is off; turn it on with SIGNALBOX_WEB=8018.")
        return await self.session.board.link(self.session.open_number(), kind)

    def check_mail(self) -> None:
        raise IllegalMove("This bot sends no mail.")

    async def help(self, about: str) -> Reply:
        """Help, page by page: a number at the end is that of the page."""
        self.about, _, number = about.rpartition(" ")
        if not (number.isdecimal() and len(number) < 4):
            self.about, number = about, "1"
        self.page = int(number)
        return await help_about(self, self.about)
