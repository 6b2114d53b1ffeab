"""The board page of the game at this screen, served while the session lasts. Imported only where it is served."""

from __future__ import annotations

from bot.commands.web.server import BoardServer
from bot.service.game_service import GameService

from .session import PERSON


class LocalWebBoard:
    """The pages, and the personal link to each game: whoever sits here moves for all seats that are played here."""

    def __init__(self, tables: GameService, port: int = 0, public: str = "") -> None:
        self.tables = tables
        self.board = BoardServer(tables, port, public)
        self._known: dict[int, str] = {}
        self._told = 0

    async def open(self) -> None:
        """Listen.

        :raises OSError: the port is taken.
        """
        await self.board.open()

    async def close(self) -> None:
        """Stop listening."""
        await self.board.close()

    async def news(self, game: int | None) -> str:
        """What is to be told of the open game: where its board is, once a game; empty when that has been told."""
        if game is None or game == self._told:
            return ""
        record = await self.tables.looking.record(game)
        if record is None or record.status == "lobby":
            return ""
        self._told = game
        if game not in self._known:
            self._known[game] = await self.link(game, "play")
        return " ".join(["board:", self._known[game]])

    async def link(self, game: int, kind: str) -> str:
        """A new link to a game.

        :raises IllegalMove: nobody here may have one.
        """
        token = await self.tables.links.make(game, PERSON, kind)
        return self.board.doors.play_address(token) if kind == "play" else self.board.doors.look_address(token)
