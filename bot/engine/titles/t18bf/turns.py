"""Whose turn it is: minors, publics, systems, each by price (18BF §10)."""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING

from bot.engine.holdings.market import in_order
from bot.engine.ids import CompanyId

from .special import kind_of

if TYPE_CHECKING:
    from bot.engine.play.game import Game

KINDS = ("minor", "public", "system")


def operating_order(game: Game) -> list[CompanyId]:
    """All companies in play: minors, then publics, then systems, each by falling price, the upper marker first."""
    playing = [company.id for company in game.state.companies.values() if company.position is not None]
    return [company for kind in KINDS for company in in_order(game, [one for one in playing if kind_of(one) == kind])]


def next_in_order(game: Game, done: Container[CompanyId]) -> CompanyId | None:
    """The first company that has not had its turn."""
    return next((company for company in operating_order(game) if company not in done), None)
