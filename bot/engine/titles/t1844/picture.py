"""How the board of 1844 looks: who stands on mountains and in tunnels, and which destinations are still to be reached."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...ids import CompanyId
from ...look import Look, Mark
from .nouns import COMPANIES
from .special import special

if TYPE_CHECKING:
    from ...game import Game


def marks(game: Game) -> Iterator[Mark]:
    """The shares of mountain railways and tunnels on their spaces, ticked once they pay (1844 §VI, §VII)."""
    record = special(game)
    for standing in (record.mountains, record.tunnels):
        for sign, hex_id in standing.items():
            is_active = sign in record.active
            yield Mark(hex_id, f"{sign}✓" if is_active else sign, colour="#bfe6b0" if is_active else "#ffffff")


def reached(game: Game) -> list[CompanyId]:
    """The companies that have nothing to reach any more."""
    return [company for company in COMPANIES if company not in special(game).waiting]


LOOK = Look(zones={"p": "#f6b8b0", "s": "#f3c969", "t": "#c9e7b4"}, marks=marks, spent=reached)
