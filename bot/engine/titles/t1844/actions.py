"""What players do in 1844 alone, with its text forms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from ...actions import Action
from ...ids import HexId, Owner
from ...title import Title
from ...words.verb import Verb, check_name


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


class DeclareBankruptcy(Action, frozen=True, tag="bankrupt"):
    """A company's director cannot pay for the train that it must own (18xx.games alone)."""

    form: ClassVar[Verb]


class Repay(Action, frozen=True, tag="repay"):
    """Pay `amount` of what one owes the bank."""

    amount: int
    form: ClassVar[Verb]


class ReturnToken(Action, frozen=True, tag="return"):
    """The SBB takes one of its two markers on a space back: that in city number `city` (§XII)."""

    hex: HexId
    city: int
    form: ClassVar[Verb]


def _read_repay(title: Title, by: Owner, words: Sequence[str]) -> Action | None:
    is_sum = len(words) == 2 and words[1].isascii() and words[1].isdigit() and len(words[1]) < 8
    return Repay(by, int(words[1])) if is_sum else None


def _read_return(title: Title, by: Owner, words: Sequence[str]) -> Action | None:
    if len(words) != 2:
        return None
    hex_id, _, city = words[1].partition(".")
    if not (city.isascii() and city.isdigit() and len(city) == 1):
        return None
    return ReturnToken(by, HexId(check_name("space", hex_id, title.land.map.hexes)), int(city))


LayFurka.form = _alone("furka", LayFurka)
TakeEva.form = _alone("eva", TakeEva)
DeclareBankruptcy.form = _alone("bankrupt", DeclareBankruptcy)
Repay.form = Verb(("repay",), "a sum", "repay 30", lambda action: f"repay {action.amount}", _read_repay)
ReturnToken.form = Verb(
    ("return",), "a hex and a city", "return C20.1", lambda action: f"return {action.hex}.{action.city}", _read_return
)
