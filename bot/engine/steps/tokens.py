"""Placing station tokens."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..actions import Action, Pass, PlaceToken
from ..events import TokenPlaced
from ..ids import BANK, CompanyId, Owner
from ..money import pay
from ..refusals import NotAllowed
from .dividends import operating_turn

if TYPE_CHECKING:
    from ..game import Game


@dataclass(frozen=True)
class PlaceTokens:
    """One token a turn, in a city that the company reaches; the next token's price is printed on the charter."""

    section: dict[str, str]
    name: str = "place a token"
    verbs: tuple[type[Action], ...] = (PlaceToken, Pass)

    def opens(self, game: Game) -> bool:
        """While a token can be paid and placed somewhere."""
        company = game.company(Owner(game.frame.entity or ""))
        if not company.tokens_left or operating_turn(game).tokens_placed:
            return False
        return company.tokens_left[0] <= game.state.cash[company.id] and any(
            isinstance(option, PlaceToken) for option in self.options(game)
        )

    def options(self, game: Game) -> Iterator[Action]:
        """Passing and every city with room for the company."""
        company = CompanyId(Owner(game.frame.entity or ""))
        yield Pass(company)
        for hex_id, city in game.land.reached_cities(game, company):
            action = PlaceToken(company, hex_id, city)
            try:
                self.check(game, action)
            except NotAllowed:
                continue
            yield action

    def check(self, game: Game, action: PlaceToken | Pass) -> None:
        """Raise the refusal that stands against the token."""
        if isinstance(action, Pass):
            return
        company = game.company(action.by)
        if not company.tokens_left:
            raise NotAllowed(f"{company.id} has no token left.", self.section["left"])
        if operating_turn(game).tokens_placed:
            raise NotAllowed("One token is placed in a turn.", self.section["once"])
        cost = company.tokens_left[0]
        if cost > game.state.cash[company.id]:
            money = game.title.currency
            raise NotAllowed(
                f"The token costs {money}{cost} and {company.id} has {money}{game.state.cash[company.id]}.",
                self.section["cost"],
            )
        game.land.check_city(game, company.id, action.hex, action.city, self.section)
        if (action.hex, action.city) not in game.land.reached_cities(game, company.id):
            raise NotAllowed(f"{company.id} does not reach {action.hex}.", self.section["reach"])

    def apply(self, game: Game, action: PlaceToken | Pass) -> None:
        """Pay and place; the step is over either way."""
        if isinstance(action, Pass):
            game.passed(action)
            return
        company = game.company(action.by)
        cost = company.tokens_left.pop(0)
        pay(game, company.id, BANK, cost, "token")
        game.state.board.place_token(action.hex, action.city, company.id)
        game.board_changed()
        operating_turn(game).tokens_placed += 1
        game.happened(TokenPlaced(company.id, action.hex, action.city, cost))
        game.next_step()
