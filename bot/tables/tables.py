"""Games in play: who may do what, one change at a time, saved before anybody hears of it."""

from __future__ import annotations

from .acts.languages import Languages
from .acts.privacy import Privacy
from .acts.reminders import Reminders
from .acts.sandbox import Sandbox
from .acts.votes import Votes
from .care.doctor import Doctor
from .care.editions import Editions
from .desk.desk import Listener, Played, Table
from .desk.names import clean_name
from .desk.places import Places
from .files.transfer import Transfer


class Tables(Languages, Transfer, Privacy, Editions, Votes, Sandbox, Reminders, Doctor, Places):
    """The one door to all games. Each subject has its module: lobby, play, sandbox, moderation,
    reminders, looking, transfer, doctor; what they share is in `desk`."""


__all__ = ["Listener", "Played", "Table", "Tables", "clean_name"]
