"""The board page of the game at this screen, served while the session lasts. Imported only where it is served."""

from __future__ import annotations

from bot.commands.web.server import BoardServer
from bot.engine import GameId
from bot.service.game_service import GameService
from bot.store import GameStatus, LinkKind

from .request import PERSON


class LocalWebBoard:
    """The board pages, and the play link to each game: the person at this terminal moves for all seats that are
    played here.
    """

    def __init__(self, tables: GameService, port: int = 0, public: str = "") -> None:
        self.tables = tables
        self.board = BoardServer(tables, port, public)
        self._known: dict[int, str] = {}
        self._told = 0

    async def open(self) -> None:
        """Listen on the port.

        :raises OSError: the port is taken.
        """
        await self.board.open()

    async def close(self) -> None:
        await self.board.close()

    async def news(self, game_id: GameId | None) -> str:
        """The address of the open game's board, once a game; empty when it has been shown."""
        if game_id is None or game_id == self._told:
            return ""
        record = await self.tables.queries.record(game_id)
        if record is None or record.status == GameStatus.LOBBY:
            return ""
        self._told = game_id
        if game_id not in self._known:
            self._known[game_id] = await self.link(game_id, LinkKind.PLAY)
        return " ".join(["board:", self._known[game_id]])

    async def link(self, game_id: GameId, kind: LinkKind) -> str:
        """A new link to a game.

        :raises IllegalMove: nobody here may have a link.
        """
        token = await self.tables.links.make(game_id, PERSON, kind)
        return self.board.doors.play_address(token) if kind == LinkKind.PLAY else self.board.doors.look_address(token)
