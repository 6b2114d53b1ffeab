"""Games in play: who may do what, one change at a time, saved before anybody hears of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import UTC, datetime

from bot.engine.play import RouteSearch, Title
from bot.store import Store

from .computers.ai_seats import AiSeats
from .features.board_links import BoardLinks
from .features.clock_keeper import ClockKeeper
from .features.failures import FailedRows
from .features.game_clocks import GameClocks
from .features.language_preferences import Languages
from .features.lobby import Lobby
from .features.mail import Mail
from .features.moderation import Moderation
from .features.moves import Moves
from .features.open_tables import OpenTables
from .features.outbox import Outbox
from .features.plans.executor import PlanExecutor
from .features.privacy import Privacy
from .features.records import Records
from .features.reminders import Reminders
from .features.sandbox import Sandbox
from .features.substitutes import Substitutes
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
        offered: Collection[str] | None = None,
        route_search: RouteSearch | None = None,
    ) -> None:
        desk = self.desk = SessionManager(store, titles, clock, editions, steady, offered, route_search)
        self.failures = FailedRows(desk)
        self.queries = Queries(desk)
        self.places = Places(desk)
        self.plans = PlanExecutor(desk)
        self.mail = Mail(desk)
        self.lobby = Lobby(desk, self.mail)
        self.open_tables = OpenTables(desk, self.lobby)
        self.moves = Moves(desk, self.plans)
        self.moderation = Moderation(desk, self.moves)
        self.lessons = self.moves.lessons
        self.computers = AiSeats(desk, self.moves)
        self.votes = Votes(desk, self.plans, self.moves, self.moderation, self.mail)
        self.substitutes = Substitutes(desk, self.votes, self.mail)
        self.clocks = GameClocks(desk, self.moves, self.computers.choose_move)
        self.records = Records(desk, self.clocks)
        self.keeper = ClockKeeper(desk, self.clocks)
        self.sandbox = Sandbox(desk, self.moves)
        self.privacy = Privacy(desk, self.lobby, self.moderation)
        self.reminders = Reminders(desk, self.failures, self.privacy, self.records, self.substitutes)
        self.outbox = Outbox(desk)
        self.languages = Languages(desk)
        self.links = BoardLinks(desk)
        self.talk = Talk(desk)
        self.transfer = Transfer(desk, self.lobby)
        self.doctor = IntegrityChecker(desk)
        self.rules_upgrade = RulesUpgrade(desk, self.doctor)


__all__ = ["GameService", "GameSession", "Listener", "MoveResult", "clean_name"]
