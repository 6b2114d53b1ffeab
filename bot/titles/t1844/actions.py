"""The actions of players that only 1844 has, with their text forms."""

from __future__ import annotations

from typing import ClassVar

from bot.engine import CompanyId, HexId
from bot.engine.notation import company_arg, hex_arg, number_arg, text_form
from bot.engine.state import Action


@text_form("furka")
class LayFurka(Action, frozen=True, tag="furka"):
    """Lay the Furka-Oberalp line, as the player or company that owns P4 (1844 §V)."""


@text_form("eva")
class TakeEva(Action, frozen=True, tag="eva"):
    """Take the EVA from the company's director (§V)."""


@text_form("claim {companies*}", "companies", "claim AB", companies=company_arg)
class ClaimTargets(Action, frozen=True, tag="claim"):
    """Companies whose homes are connected with their targets get the rest of their capital, also before their first
    turn (18xx.games only).
    """

    companies: tuple[CompanyId, ...]


@text_form("repay")
class PayDebt(Action, frozen=True, tag="repay"):
    """Pay the player's debt to the bank, as far as there is cash."""

    menu_name: ClassVar[str] = "Repay"


@text_form("return {hex}.{city}", "a hex and a city", "return C20.1", hex=hex_arg, city=number_arg)
class ReturnToken(Action, frozen=True, tag="return"):
    """Return one of the SBB's two markers on a hex: the marker in city number `city` (§XII)."""

    hex: HexId
    city: int
