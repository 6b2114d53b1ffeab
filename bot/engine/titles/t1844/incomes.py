"""What privates, mountain railways and tunnels pay (1844 §V to §VII)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...events import PrivatePaid
from ...ids import BANK
from ...money import pay
from .nouns import PRINTED_PRIVATES, PRIVATES
from .special import special

if TYPE_CHECKING:
    from ...game import Game


def pay_incomes(game: Game) -> None:
    """Every open private pays its owner; mountain railways and tunnels do once they have been visited."""
    active = (*PRINTED_PRIVATES, *special(game).active)
    for private in game.state.privates.values():
        income = PRIVATES[private.id].income
        if private.owner in (None, BANK) or private.closed or private.id not in active or not income:
            continue
        owner = private.owner or BANK
        game.happened(PrivatePaid(private.id, owner, income))
        pay(game, BANK, owner, income, f"income of {private.id}")
