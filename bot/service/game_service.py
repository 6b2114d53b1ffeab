"""Games in play: who may do what, one change at a time, saved before anybody hears of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING

from bot.engine.play import RouteSearch, Title
from bot.store import Store

from .computers.ai_seats import AiSeats
from .features.bans import Bans
from .features.board_links import BoardLinks
from .features.clock_keeper import ClockKeeper
from .features.failures import FailedRows
from .features.followers import Followers
from .features.game_clocks import GameClocks
from .features.language_preferences import Languages
from .features.lobby import Lobby
from .features.mail import Mail
from .features.moderation import Moderation
from .features.moves import Moves
from .features.open_tables import OpenTables
from .features.outbox import Outbox
from .features.personal_notices import PersonalNotices
from .features.plans.executor import PlanExecutor
from .features.privacy import Privacy
from .features.public_pages import PublicPages
from .features.records import Records
from .features.reminders import Reminders
from .features.sandbox import Sandbox
from .features.seasons import Seasons
from .features.substitutes import Substitutes
from .features.talk import Talk
from .features.votes import Votes
from .imports.import_export import Transfer
from .sessions import GameSession, Listener, MoveResult, Queries, SessionManager, clean_name
from .sessions.places import Places

if TYPE_CHECKING:
    from .integrity.doctor import IntegrityChecker
    from .integrity.rules_upgrade import RulesUpgrade


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
        self.bans = Bans(desk, self.lobby, self.moderation, self.votes, self.mail)
        self.substitutes = Substitutes(desk, self.votes, self.mail)
        self.clocks = GameClocks(desk, self.moves, self.computers.choose_move)
        self.records = Records(desk, self.clocks)
        self.seasons = Seasons(desk, self.lobby, self.records)
        self.public_pages = PublicPages(desk, self.records, self.seasons, self.open_tables)
        self.followers = Followers(desk, self.queries, self.seasons, self.mail)
        self.keeper = ClockKeeper(desk, self.clocks)
        self.sandbox = Sandbox(desk, self.moves)
        self.privacy = Privacy(desk, self.lobby, self.moderation)
        self.reminders = Reminders(
            desk,
            self.failures,
            self.privacy,
            (self.records.catch_up, self.substitutes.sweep, self.seasons.sweep, self.followers.sweep),
        )
        self.outbox = Outbox(desk)
        self.languages = Languages(desk)
        self.links = BoardLinks(desk)
        self.personal_notices = PersonalNotices(desk, self.links)
        self.talk = Talk(desk)
        self.transfer = Transfer(desk, self.lobby)

    @cached_property
    def doctor(self) -> IntegrityChecker:
        """Loaded when it is first needed, which few processes do."""
        from .integrity.doctor import IntegrityChecker

        return IntegrityChecker(self.desk)

    @cached_property
    def rules_upgrade(self) -> RulesUpgrade:
        from .integrity.rules_upgrade import RulesUpgrade

        return RulesUpgrade(self.desk, self.doctor)


__all__ = ["GameService", "GameSession", "Listener", "MoveResult", "clean_name"]
