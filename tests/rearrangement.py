"""Positions built by hand: frozen cards and certificates are replaced, since copies of a position share them."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from bot.engine.play.game import Game
from bot.engine.state.state import Certificate, Train


def rearrange(game: Game, card: Certificate | Train, **values: Any) -> Any:
    """Put one with other values in the place of this card, or certificate, of the position. Returns it.

    :raises ValueError: the position has no such card.
    """
    for cards in (game.state.trains, *(company.certificates for company in game.state.companies.values())):
        for at, one in enumerate(cards):
            if one is card:
                cards[at] = replace(card, **values)
                return cards[at]
    raise ValueError(f"{card} is not of this position")
