"""Privates in companies' hands (1844 §V)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...actions import Action, BuyPrivate
from ...certificates import president_of
from ...events import PrivateBought
from ...ids import CompanyId, Owner
from ...money import pay
from ...refusals import NotAllowed
from ...trains import has_begun
from .nouns import HISTORICAL, PRIVATES, REGIONAL

if TYPE_CHECKING:
    from ...game import Game

SECTION = "1844 §V"


@dataclass(frozen=True)
class BuyPrivates:
    """A large historical or regional company in its turn buys P1 to P5 from its director, for 1 to twice the price."""

    name: str = "buy a private"
    verbs: tuple[type[Action], ...] = (BuyPrivate,)

    def opens(self, game: Game) -> bool:
        """While the director has one to sell and the company some money."""
        return any(True for _ in self.options(game))

    def options(self, game: Game) -> Iterator[Action]:
        """Lowest and highest price of each."""
        company = CompanyId(Owner(game.frame.entity or ""))
        for private in game.state.privates.values():
            span = PRIVATES[private.id].price_range
            if span is None:
                continue
            for price in dict.fromkeys((span[0], min(span[1], game.state.cash[company]))):
                action = BuyPrivate(company, private.id, price)
                try:
                    self.check(game, action)
                except NotAllowed:
                    continue
                yield action

    def check(self, game: Game, action: BuyPrivate) -> None:
        """Raise the refusal that stands against the purchase."""
        company, money = CompanyId(action.by), game.title.currency
        private = game.state.privates.get(action.private)
        if private is None or private.closed:
            raise NotAllowed(f"{action.private} is not in play.", SECTION)
        span = PRIVATES[private.id].price_range
        if span is None:
            raise NotAllowed(f"{private.id} cannot be bought by a company.", SECTION)
        if game.title.companies[company].kind not in (HISTORICAL, REGIONAL):
            raise NotAllowed(f"{company} buys no privates: large historical and regional companies do.", SECTION)
        if not has_begun(game, "3"):
            raise NotAllowed("Privates are sold to companies once the first 3/3H has been bought.", SECTION)
        if private.owner != president_of(game.company(company)):
            raise NotAllowed(f"{company} buys privates from its own director only.", SECTION)
        if not span[0] <= action.price <= span[1]:
            raise NotAllowed(f"{private.id} can be bought for {money}{span[0]} to {money}{span[1]}.", SECTION)
        if action.price > game.state.cash[company]:
            raise NotAllowed(f"{company} has {money}{game.state.cash[company]}.", SECTION)

    def apply(self, game: Game, action: BuyPrivate) -> None:
        """Money to the director, the private to the company."""
        private = game.private(action.private)
        seller = private.owner or Owner("")
        pay(game, action.by, seller, action.price, private.id)
        private.owner = action.by
        game.happened(PrivateBought(action.by, private.id, seller, action.price))
