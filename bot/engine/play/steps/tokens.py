"""Placing station tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain

from bot.engine import BANK, CompanyId, HexId, IllegalMove, TokenSections
from bot.engine.play import Game, filter_allowed
from bot.engine.play.holdings import check_cash, pay
from bot.engine.state import Action, Company, Pass, PlaceToken, TokenPlaced

from .dividends import operating_turn


def printed_price(game: Game, action: PlaceToken) -> int:
    """The price of the next token on the charter, in a city that the company reaches.

    :raises IllegalMove: the company does not reach it, or names a private.
    """
    if action.using is not None:
        raise IllegalMove("{using} does not help with tokens.", "", action.using)
    if (action.hex, action.city) not in game.board_rules.reached_cities(game, CompanyId(action.by)):
        raise IllegalMove("{company} has no route to {hex}.", "", action.by, action.hex)
    return game.company(action.by).tokens_left[0]


def price_by_distance(game: Game, action: PlaceToken) -> int:
    """The printed price for each hex from the nearest token of the company, ignoring track; errors as of `printed_price`."""
    price, company = printed_price(game, action), CompanyId(action.by)
    layout = game.board_rules.map.layout
    return price * min(layout.distance(action.hex, own) for own in game.board_rules.token_hexes(game, company))


def check_nothing(game: Game, company: CompanyId) -> None:
    """Nothing forbids tokens as such."""


def no_further_tokens(game: Game, company: CompanyId) -> Iterator[PlaceToken]:
    return iter(())


def put_token(game: Game, company: CompanyId, hex_id: HexId, city: int) -> None:
    game.company(company).tokens_left = game.company(company).tokens_left[1:]
    game.state.board.place_token(hex_id, city, company)
    game.board_changed()
    game.emit(TokenPlaced(company, hex_id, city, 0))


@dataclass(frozen=True)
class PlaceTokens:
    """One token a turn, in a city that the company reaches; the next token's price is printed on the charter.

    `may_help(game, action)` raises the refusal against a private's help; `price(game, action)` what it costs, or raises the
    refusal against placing it there; `spend(game, company, action)` takes it; `may_place(game, company)` raises
    the refusal against any token; `more(game, company)` lists tokens beyond reach that may be possible.
    """

    section: TokenSections
    name: str = "place a token"
    verbs: tuple[type[Action], ...] = (PlaceToken, Pass)
    may_help: Callable[[Game, PlaceToken], None] = lambda game, action: None
    price: Callable[[Game, PlaceToken], int] = printed_price
    spend: Callable[[Game, Company, PlaceToken], None] = lambda game, company, action: spend_token(
        game, company, action
    )
    may_place: Callable[[Game, CompanyId], None] = check_nothing
    more: Callable[[Game, CompanyId], Iterator[PlaceToken]] = no_further_tokens

    def opens(self, game: Game) -> bool:
        if operating_turn(game).tokens_placed:
            return False
        return any(isinstance(option, PlaceToken) for option in self.options(game))

    def options(self, game: Game) -> Iterator[Action]:
        company = game.company_in_turn
        yield Pass(company)
        places = game.board_rules.reached_cities(game, company) if game.company(company).tokens_left else []
        within_reach = (PlaceToken(company, *place) for place in places)
        yield from filter_allowed(self, game, chain(within_reach, self.more(game, company)))

    def check(self, game: Game, action: PlaceToken | Pass) -> None:
        if isinstance(action, Pass):
            return
        if action.using is not None:
            self.may_help(game, action)
        company = game.company(action.by)
        if not company.tokens_left and action.using is None:
            raise IllegalMove("{company} has no token left.", self.section.left, company.id)
        if operating_turn(game).tokens_placed:
            raise IllegalMove("Only one token may be placed per turn.", self.section.once)
        self.may_place(game, company.id)
        game.board_rules.check_city(game, company.id, action.hex, action.city, self.section, action.using)
        cost = self._price(game, action)
        check_cash(game, company.id, cost, self.section.cost)

    def _price(self, game: Game, action: PlaceToken) -> int:
        try:
            return self.price(game, action)
        except IllegalMove as refusal:
            raise IllegalMove("{reason}", refusal.rule or self.section.reach, refusal.said) from refusal

    def apply(self, game: Game, action: PlaceToken | Pass) -> None:
        if isinstance(action, Pass):
            game.record_pass(action)
            return
        company = game.company(action.by)
        cost = self.price(game, action)
        self.spend(game, company, action)
        pay(game, company.id, BANK, cost, "token")
        game.state.board.place_token(action.hex, action.city, company.id)
        game.board_changed()
        operating_turn(game).tokens_placed += 1
        game.emit(TokenPlaced(company.id, action.hex, action.city, cost, action.using))


def spend_token(game: Game, company: Company, action: PlaceToken) -> None:
    if action.using is None:
        company.tokens_left = company.tokens_left[1:]
        return
    private = game.private(action.using)
    private.ability_used = True
    game.state.board.free(action.hex, action.using)
