"""The data of a game of 1848 beyond the shared state."""

from __future__ import annotations

from msgspec import Struct

from bot.engine import CompanyId, PlayerId
from bot.engine.play import title_state_getter


class State1848(Struct):
    """`debts` are players' loans from the bank (§5.5.3); `receiverships` the companies taken over, in order; `lost` how
    many of them each player directed; `is_linked` whether Sydney and Adelaide have been joined (§5.3.2);
    `loans_given` all loans of the Bank of England, including to companies gone since; `ends_met` the conditions for
    the end of the game that have ever been met (§13.1).
    """

    debts: dict[PlayerId, int] = {}
    receiverships: list[CompanyId] = []
    lost: dict[PlayerId, int] = {}
    is_linked: bool = False
    loans_given: int = 0
    ends_met: list[str] = []


title_state = title_state_getter(State1848)
