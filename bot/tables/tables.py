"""Games in play: who may do what, one change at a time, saved before anybody hears of it."""

from __future__ import annotations

from .consent import Consent
from .desk import Listener, Played, Table
from .doctor import Doctor
from .editions import Editions
from .languages import Languages
from .names import clean_name
from .places import Places
from .privacy import Privacy
from .reminders import Reminders
from .sandbox import Sandbox
from .transfer import Transfer


class Tables(Languages, Transfer, Privacy, Editions, Consent, Sandbox, Reminders, Doctor, Places):
    """The one door to all games. Each subject has its module: lobby, play, sandbox, moderation,
    reminders, looking, transfer, doctor; what they share is in `desk`."""


__all__ = ["Listener", "Played", "Table", "Tables", "clean_name"]
