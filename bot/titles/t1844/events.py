"""The events that only 1844 has."""

from __future__ import annotations

from bot.engine import CompanyId, PlayerId
from bot.engine.state import Event


class TargetReached(Event, frozen=True, tag="TargetReached"):
    """A company is connected with its target and gets the rest of its capital."""

    company: CompanyId
    amount: int


class SbbFormed(Event, frozen=True, tag="SbbFormed"):
    """The pre-SBB companies merged. `payments` is what each player got for their shares (negative: paid)."""

    payments: tuple[tuple[PlayerId, int], ...]
