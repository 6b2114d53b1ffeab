"""What players do in 1844 alone, with its text forms."""

from __future__ import annotations

from typing import ClassVar

from bot.engine.ids import CompanyId, HexId
from bot.engine.notation.verb import a_company, a_number, a_space, written
from bot.engine.state.actions import Action


@written("furka")
class LayFurka(Action, frozen=True, tag="furka"):
    """Lay the Furka-Oberalp line: by the owner of P4, a player or a company (1844 §V)."""


@written("eva")
class TakeEva(Action, frozen=True, tag="eva"):
    """A company takes the EVA from its director (§V)."""


@written("claim {companies*}", "companies", "claim AB", companies=a_company)
class ClaimTargets(Action, frozen=True, tag="claim"):
    """Companies whose homes are connected with their targets get the rest of their capital, also before their first
    turn (18xx.games alone)."""

    companies: tuple[CompanyId, ...]


@written("repay")
class PayDebt(Action, frozen=True, tag="repay"):
    """Pay what one owes the bank, or as much of it as one has."""

    menu_name: ClassVar[str] = "Repay"


@written("return {hex}.{city}", "a hex and a city", "return C20.1", hex=a_space, city=a_number)
class ReturnToken(Action, frozen=True, tag="return"):
    """The SBB takes one of its two markers on a space back: that in city number `city` (§XII)."""

    hex: HexId
    city: int
