"""What a game of 1848 remembers beyond the shared state."""

from __future__ import annotations

from msgspec import Struct

from bot.engine.ids import CompanyId, PlayerId
from bot.engine.play.game import record_of


class State1848(Struct):
    """`debts` are players' borrowings from the bank (§5.5.3); `receiverships` the companies taken over, in order;
    `lost` how many of them each player directed; `is_linked` whether Sydney and Adelaide have been joined (§5.3.2);
    `loans_given` by the Bank of England in all, also to companies gone since; `ends_met` which conditions for the end
    of the game have ever been met (§13.1)."""

    debts: dict[PlayerId, int] = {}
    receiverships: list[CompanyId] = []
    lost: dict[PlayerId, int] = {}
    is_linked: bool = False
    loans_given: int = 0
    ends_met: list[str] = []


special = record_of(State1848)
"""The title's own record."""
