"""Games in play: who may do what, one change at a time, saved before anybody hears of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from bot.engine.play.title import Title
from bot.store import Store

from .acts.failures import FailedRows
from .acts.languages import Languages
from .acts.links import Links
from .acts.lobby import Lobby
from .acts.mail import Mail
from .acts.moderation import Moderation
from .acts.outbox import Outbox
from .acts.play import Play
from .acts.privacy import Privacy
from .acts.reminders import Reminders
from .acts.results import Results
from .acts.sandbox import Sandbox
from .acts.votes import Votes
from .care.doctor import Doctor
from .care.editions import Editions
from .computers.playing import Computers
from .desk.desk import Desk, Listener, Played, Table
from .desk.looking import Looking
from .desk.names import clean_name
from .desk.places import Places
from .files.transfer import Transfer
from .orders.autopilot import Autopilot


class Tables:
    """The one door to all games: a part for each subject, named as its module, and the desk at which they all sit."""

    def __init__(
        self,
        store: Store,
        titles: Mapping[str, Title],
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        editions: Mapping[tuple[str, int], Title] | None = None,
        steady: Callable[[], float] | None = None,
    ) -> None:
        desk = self.desk = Desk(store, titles, clock, editions, steady)
        self.failures = FailedRows(desk)
        self.looking = Looking(desk)
        self.places = Places(desk)
        self.results = Results(desk)
        self.orders = Autopilot(desk)
        self.mail = Mail(desk)
        self.lobby = Lobby(desk, self.mail)
        self.play = Play(desk, self.orders)
        self.moderation = Moderation(desk, self.orders, self.play)
        self.computers = Computers(desk, self.play)
        self.votes = Votes(desk, self.orders, self.play, self.moderation)
        self.sandbox = Sandbox(desk, self.play)
        self.privacy = Privacy(desk, self.lobby, self.moderation)
        self.reminders = Reminders(desk, self.failures)
        self.outbox = Outbox(desk)
        self.languages = Languages(desk)
        self.links = Links(desk)
        self.transfer = Transfer(desk, self.lobby)
        self.doctor = Doctor(desk)
        self.editions = Editions(desk, self.doctor)


__all__ = ["Listener", "Played", "Table", "Tables", "clean_name"]
