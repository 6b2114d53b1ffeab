"""What players do in 1844 alone, with its text forms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from bot.engine.data.actions import Action
from bot.engine.ids import CompanyId, HexId, Owner, as_company
from bot.engine.play.title import Title
from bot.engine.words.verb import Verb, check_name


def _alone(word: str, make: Callable[[Owner], Action]) -> Verb:
    def read(title: Title, by: Owner, words: Sequence[str]) -> Action | None:
        return make(by) if len(words) == 1 else None

    return Verb((word,), "", word, lambda action: word, read)


class LayFurka(Action, frozen=True, tag="furka"):
    """Lay the Furka-Oberalp line: by the owner of P4, a player or a company (1844 §V)."""

    form: ClassVar[Verb]


class TakeEva(Action, frozen=True, tag="eva"):
    """A company takes the EVA from its director (§V)."""

    form: ClassVar[Verb]


class ClaimTargets(Action, frozen=True, tag="claim"):
    """Companies whose homes are connected with their targets get the rest of their capital, also before their first
    turn (18xx.games alone)."""

    companies: tuple[CompanyId, ...]
    form: ClassVar[Verb]


class Repay(Action, frozen=True, tag="repay"):
    """Pay what one owes the bank, or as much of it as one has."""

    form: ClassVar[Verb]


class ReturnToken(Action, frozen=True, tag="return"):
    """The SBB takes one of its two markers on a space back: that in city number `city` (§XII)."""

    hex: HexId
    city: int
    form: ClassVar[Verb]


def _read_claim(title: Title, by: Owner, words: Sequence[str]) -> Action | None:
    names = tuple(as_company(check_name("company", word, title.companies)) for word in words[1:])
    return ClaimTargets(by, names) if names else None


def _read_return(title: Title, by: Owner, words: Sequence[str]) -> Action | None:
    if len(words) != 2:
        return None
    hex_id, _, city = words[1].partition(".")
    if not (city.isascii() and city.isdigit() and len(city) == 1):
        return None
    return ReturnToken(by, HexId(check_name("space", hex_id, title.land.map.hexes)), int(city))


LayFurka.form = _alone("furka", LayFurka)
TakeEva.form = _alone("eva", TakeEva)
ClaimTargets.form = Verb(
    ("claim",), "companies", "claim AB", lambda action: f"claim {' '.join(action.companies)}", _read_claim
)
Repay.form = _alone("repay", Repay)
ReturnToken.form = Verb(
    ("return",), "a hex and a city", "return C20.1", lambda action: f"return {action.hex}.{action.city}", _read_return
)
