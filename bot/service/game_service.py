"""Games in play: who may do what, one change at a time, saved before anybody hears of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from bot.engine import GameId, msg, seat
from bot.engine.play import Title
from bot.i18n import tr_lines
from bot.store import GameStatus, Store

from .computers.ai_seats import AiSeats
from .features.board_links import BoardLinks
from .features.failures import FailedRows
from .features.language_preferences import Languages
from .features.lobby import Lobby
from .features.mail import UNREACHED, Mail
from .features.moderation import Moderation
from .features.moves import Moves
from .features.outbox import Outbox
from .features.privacy import Privacy
from .features.reminders import Reminders
from .features.results import Results
from .features.sandbox import Sandbox
from .features.standing_orders.executor import OrderExecutor
from .features.talk import Talk
from .features.votes import Votes
from .imports.import_export import Transfer
from .integrity.doctor import IntegrityChecker
from .integrity.rules_upgrade import RulesUpgrade
from .sessions import GameSession, Listener, MoveResult, Queries, SessionManager, clean_name
from .sessions.places import Places


class GameService:
    """The only entry to all games: a part for each subject, named as its module, and the desk that they share."""

    def __init__(
        self,
        store: Store,
        titles: Mapping[str, Title],
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        editions: Mapping[tuple[str, int], Title] | None = None,
        steady: Callable[[], float] | None = None,
    ) -> None:
        desk = self.desk = SessionManager(store, titles, clock, editions, steady)
        self.failures = FailedRows(desk)
        self.queries = Queries(desk)
        self.places = Places(desk)
        self.results = Results(desk)
        self.orders = OrderExecutor(desk)
        self.mail = Mail(desk)
        self.lobby = Lobby(desk, self.mail)
        self.moves = Moves(desk, self.orders)
        self.moderation = Moderation(desk, self.orders, self.moves)
        self.computers = AiSeats(desk, self.moves)
        self.votes = Votes(desk, self.orders, self.moves, self.moderation)
        self.sandbox = Sandbox(desk, self.moves)
        self.privacy = Privacy(desk, self.lobby, self.moderation)
        self.reminders = Reminders(desk, self.failures, self.privacy)
        self.outbox = Outbox(desk)
        self.languages = Languages(desk)
        self.links = BoardLinks(desk)
        self.talk = Talk(desk)
        self.transfer = Transfer(desk, self.lobby)
        self.doctor = IntegrityChecker(desk)
        self.rules_upgrade = RulesUpgrade(desk, self.doctor)

    async def open_matters(self, game_id: GameId) -> list[str]:
        """What the table should know beside the position, in the reader's language: open votes with the players who have
        not answered, and players whom no mail reaches.
        """
        table = await self.desk.table(game_id)
        if table.game is None or table.record.status == GameStatus.FINISHED:
            return []
        unreached = [msg(UNREACHED, seat(one.number)) for one in table.seats if await self.mail.is_lost(one.person)]
        votes = [f"{poll.text} {poll.line}" for poll in await self.votes.polls(game_id)]
        return [*votes, *tr_lines(unreached, table.names)]


__all__ = ["GameService", "GameSession", "Listener", "MoveResult", "clean_name"]
