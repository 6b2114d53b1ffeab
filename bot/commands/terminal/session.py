"""A session at the terminal: the open game, and where things are shown and kept."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from bot.engine import GameId, IllegalMove, Rejected
from bot.engine.notation.messages import question
from bot.engine.play.game import Game
from bot.i18n import set_reader_name
from bot.render.painting.picture import Picture
from bot.render.worker import Renderer
from bot.service.game_service import GameService, GameSession
from bot.service.imports.sandbox_process import ImportProcess
from bot.service.sessions.computer_seats import is_computer
from bot.store import GameStatus, StoreError, make_folder, write_file

from .request import PERSON
from .screen import Screen

if TYPE_CHECKING:
    from .local_web_board import LocalWebBoard


class Session:
    """The open game and the messages about it. `faults` counts internal errors, `refusals` refused lines."""

    def __init__(self, tables: GameService, data: Path, screen: Screen, studio: Renderer) -> None:
        self.tables = tables
        self.data = data
        self.screen = screen
        self.studio = studio
        self.porter = tables.transfer.porter = ImportProcess()
        self.number: GameId | None = None
        self.done = False
        self.board: LocalWebBoard | None = None
        self.faults = 0
        self.refusals = 0

    # -- the open game ------------------------------------------------------------------------------

    async def resume(self) -> None:
        """Go to the game that was open last, else to the newest unfinished game that can be opened."""
        running = [
            status.record
            for status in await self.tables.queries.games_of(PERSON)
            if status.record.status != GameStatus.LOBBY
        ]
        last = self._last_open_number()
        for record in sorted(running, key=lambda record: record.id != last):
            try:
                table, game = await self.tables.desk.require_started(record.id)
            except (Rejected, StoreError) as error:
                self.screen.show_error(error)
                continue
            self.number = record.id
            self.address_reader(table)
            self.screen.say("Back at game {game} ({title}). {status}", record.id, record.title, question(game))
            for line in await self.task_lines(table):
                self.screen.say(line)
            return

    def _last_open_number(self) -> GameId | None:
        try:
            text = (self.data / "console-game").read_text().strip()
        except (OSError, UnicodeDecodeError):
            return None
        return GameId(int(text)) if text.isdecimal() and len(text) < 12 else None

    def enter(self, game_id: GameId) -> None:
        """Make a game the open game; a restart returns to it."""
        self.number = game_id
        try:
            write_file(self.data / "console-game", str(game_id).encode())
        except OSError as error:
            self.screen.say("(The next start will not return here automatically: {error}.)", error.strerror or "")

    async def task_lines(self, table: GameSession | None) -> list[str]:
        """The present task of a lesson; nothing in other games, and while others move."""
        return await self.tables.lessons.task_lines(table) if table is not None else []

    async def tell_board(self) -> None:
        """Show the link to the open game's board page, once."""
        if self.board is not None and (news := await self.board.news(self.number)):
            self.screen.write(news)

    async def position(self) -> Game:
        """The open game's current position.

        :raises IllegalMove: none is open.
        """
        _, game = await self.tables.desk.require_started(self.open_number())
        return game

    async def find_table(self) -> GameSession | None:
        """The open game; None where none is open, or it cannot be read."""
        if self.number is None:
            return None
        try:
            return await self.tables.desk.table(self.number)
        except (Rejected, StoreError):
            return None

    def address_reader(self, table: GameSession | None) -> None:
        """Say "you" to the only person of the open game; where several share the screen, all have their names."""
        people = [seat for seat in table.seats if not is_computer(seat.person)] if table else []
        set_reader_name(people[0].name if len(people) == 1 and table and len(table.seats) > 1 else "")

    async def find_position(self) -> Game | None:
        try:
            return await self.position()
        except (Rejected, StoreError):
            return None

    def open_number(self) -> GameId:
        """The open game's number.

        :raises IllegalMove: none is open.
        """
        if self.number is None:
            raise IllegalMove("No game is open. Start a game with: new 1848 Ann Bob Cid; games lists your games.")
        return self.number

    def keep(self, picture: Picture) -> None:
        try:
            folder = self.data / "pictures"
            make_folder(folder)
            path = folder / f"game-{self.number}-{picture.name}"
            write_file(path, picture.png)
        except OSError as error:
            self.screen.say("No picture: {file} cannot be written ({error}).", error.filename, error.strerror or "")
        else:
            self.screen.picture(picture, path)
