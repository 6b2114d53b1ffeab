"""The actions of players that only 1844 has."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, ClassVar

from bot.engine import CompanyId, HexId, msg
from bot.engine.notation import TYPES, number
from bot.engine.state import Action

COMPANIES = replace(TYPES[CompanyId], noun=msg("companies"), prompt="Which companies?")


class LayFurka(Action, frozen=True, tag="furka"):
    """Lay the Furka-Oberalp line, as the player or company that owns P4 (1844 §V)."""


class TakeEva(Action, frozen=True, tag="eva"):
    """Take the EVA from the company's director (§V)."""


class ClaimTargets(Action, frozen=True, tag="claim"):
    """Companies whose homes are connected with their targets get the rest of their capital, also before their first
    turn (18xx.games only).
    """

    companies: tuple[Annotated[CompanyId, COMPANIES], ...]


class PayDebt(Action, frozen=True, tag="repay"):
    """Pay the player's debt to the bank, as far as there is cash."""

    menu_name: ClassVar[str] = "Repay"


class ReturnToken(Action, frozen=True, tag="return"):
    """Return one of the SBB's two markers on a hex: the marker in city number `city` (§XII)."""

    form: ClassVar[str] = "return {hex}.{city}"
    hex: HexId
    city: Annotated[int, number("a city", "Which city?", example=lambda title: 1)]
