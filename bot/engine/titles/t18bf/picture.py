"""How the board of 18BF looks: London once more, bonuses by phase (18BF §10.6), privates where they earn one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...look import Look, Mark, Note
from .nouns import COMPANIES, IRISH_BONUS, LONDON, STOP_BONUS
from .special import special

if TYPE_CHECKING:
    from ...game import Game


def marks(game: Game) -> Iterator[Mark]:
    """Privates of companies on the places where they earn more, ferries to Ireland where they go this round."""
    places = {**STOP_BONUS, **{sign: (area, IRISH_BONUS) for sign, area in special(game).ferries.items()}}
    for private in game.state.privates.values():
        owner = next((company for company in COMPANIES if company == private.owner), None)
        if owner and not private.closed and private.id in places:
            place, bonus = places[private.id]
            yield Mark(place, f"{private.id}+{bonus}", owner)


LOOK = Look(
    zones={"c": "#3a3a3a", "b": "#ffd0a0", "r": "#f6b8b0", "p": "#c9e7b4", "y": "#7fb2ee", "m": "#b98fd6"},
    insets=(LONDON,),
    notes=(
        Note("London–red", (20, 20, 30, 30)),
        Note("England–Scotland", (10, 20, 30, 40)),
        Note("England–Wales", (10, 20, 20, 30)),
        Note("Mine (G-trains)", (0, 0, 50, 60)),
    ),
    marks=marks,
)
