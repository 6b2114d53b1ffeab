"""What players do in 1844 alone, with its text forms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from bot.engine.data.actions import Action
from bot.engine.ids import CompanyId, HexId, Owner
from bot.engine.play.title import Title
from bot.engine.words.verb import Verb, a_company, a_space, written


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
class Repay(Action, frozen=True, tag="repay"):
    """Pay what one owes the bank, or as much of it as one has."""


def _read_return(title: Title, by: Owner, words: Sequence[str]) -> Action | None:
    if len(words) != 2:
        return None
    hex_id, _, city = words[1].partition(".")
    if not (city.isascii() and city.isdigit() and len(city) == 1):
        return None
    return ReturnToken(by, a_space(title, hex_id), int(city))


class ReturnToken(Action, frozen=True, tag="return"):
    """The SBB takes one of its two markers on a space back: that in city number `city` (§XII)."""

    hex: HexId
    city: int
    form: ClassVar[Verb] = Verb(
        ("return",), "a hex and a city", "return C20.1", lambda a: f"return {a.hex}.{a.city}", _read_return
    )
