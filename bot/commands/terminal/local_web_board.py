"""The board page of the game at this screen, served while the session lasts."""

from __future__ import annotations

from bot.engine import GameId
from bot.ops.side_services import BoardPages
from bot.service.game_service import GameService
from bot.store import GameStatus, LinkKind

from .request import PERSON


class LocalWebBoard:
    """The board pages, and the play link to each game: the person at this terminal moves for all seats that are
    played here.
    """

    def __init__(self, tables: GameService, pages: BoardPages) -> None:
        self.tables, self.pages = tables, pages
        self._known: dict[int, str] = {}
        self._told = 0

    async def open(self) -> None:
        """Listen on the port.

        :raises OSError: the port is taken.
        """
        await self.pages.open()

    async def close(self) -> None:
        await self.pages.close()

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
        return self.pages.link_address(kind, token)
