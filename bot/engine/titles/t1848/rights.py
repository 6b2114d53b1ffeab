"""Who may use the powers of the privates (1848 §4.1, §4.3-§4.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.engine.holdings.certificates import president_of
from bot.engine.holdings.trains import has_begun
from bot.engine.ids import CompanyId, Owner

from .box.nouns import DESERT_REBATE, GHAN_REBATE

if TYPE_CHECKING:
    from bot.engine.play.game import Game


def has_right(game: Game, company: CompanyId, private_id: Owner) -> bool:
    """Whether the company may use a private's power: it or its director owns it, from the first 3/3+ on (§4.1)."""
    private = game.private(private_id)
    if private.ability_used or private.owner is None or not (private.closed or has_begun(game, "3")):
        return False
    if private.closed and private.id not in (DESERT_REBATE, GHAN_REBATE):
        return False
    return private.owner in (company, president_of(game.company(company)))
