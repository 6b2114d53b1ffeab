"""Privates in companies' hands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..actions import Action, BuyPrivate
from ..certificates import president_of
from ..events import PrivateBought
from ..ids import CompanyId, Owner
from ..money import pay
from ..refusals import NotAllowed

if TYPE_CHECKING:
    from ..game import Game


@dataclass(frozen=True)
class BuyPrivates:
    """The company in turn buys privates from its president, each within its printed range.

    `may_buy(game, company)` raises the refusal against any such purchase; `section` names the rule that is quoted.
    """

    may_buy: Callable[[Game, CompanyId], None]
    section: str
    name: str = "buy a private"
    verbs: tuple[type[Action], ...] = (BuyPrivate,)

    def opens(self, game: Game) -> bool:
        """While the president has one to sell and the company some money."""
        return any(True for _ in self.options(game))

    def options(self, game: Game) -> Iterator[Action]:
        """Lowest and highest price of each."""
        company = CompanyId(Owner(game.frame.entity or ""))
        for private in game.state.privates.values():
            span = game.title.privates[private.id].price_range
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
            raise NotAllowed(f"{action.private} is not in play.", self.section)
        span = game.title.privates[private.id].price_range
        if span is None:
            raise NotAllowed(f"{private.id} cannot be bought by a company.", self.section)
        self.may_buy(game, company)
        if private.owner != president_of(game.company(company)):
            raise NotAllowed(f"{company} buys privates from its own {game.title.director_word} only.", self.section)
        if not span[0] <= action.price <= span[1]:
            raise NotAllowed(f"{private.id} can be bought for {money}{span[0]} to {money}{span[1]}.", self.section)
        if action.price > game.state.cash[company]:
            raise NotAllowed(f"{company} has {money}{game.state.cash[company]}.", self.section)

    def apply(self, game: Game, action: BuyPrivate) -> None:
        """Money to the president, the private to the company."""
        private = game.private(action.private)
        seller = private.owner or Owner("")
        pay(game, action.by, seller, action.price, private.id)
        private.owner = action.by
        game.happened(PrivateBought(action.by, private.id, seller, action.price))
