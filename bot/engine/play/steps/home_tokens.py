"""Home tokens in spaces of several cities: who chooses the city, and when."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass

from bot.engine import CompanyId, HexId, IllegalMove, TokenSections
from bot.engine.play import Game, filter_allowed
from bot.engine.state import Action, PlaceToken, TileLaid

from .rounds import waiting_companies
from .tokens import put_token


def reserve_homes(game: Game) -> None:
    """Reserve a slot for every company's home token: on a hex of several cities in all of them, unless one is its own."""
    for noun in game.title.companies.values():
        for hex_id in noun.home:
            cities = range(len(game.tile_at(hex_id).cities)) if noun.home_city is None else [noun.home_city]
            for city in cities:
                game.state.board.reserve(hex_id, city, noun.id)


def place_home(game: Game) -> None:
    """An automatic step: before a company's first turn its home token is placed for nothing. It chooses one of several
    cities, by the plan named `home`; while no track leads to any of them they are equal.
    """
    company = game.company(game.company_in_turn)
    noun = game.title.companies[company.id]
    if len(company.tokens_left) < len(noun.tokens):
        return
    tile = game.tile_at(noun.home[0])
    if noun.home_city is None and len(tile.cities) > 1 and tile.paths:
        game.push("home", company.id)
        return
    place_home_where_kept(game, company.id)


def place_homes(game: Game) -> None:
    """An automatic step: when an operating round begins, companies without home tokens place them for nothing, each in the
    first city that is kept for it."""
    for company in waiting_companies(game):
        if len(game.company(company).tokens_left) == len(game.title.companies[company].tokens):
            place_home_where_kept(game, company)


def place_home_where_kept(game: Game, company: CompanyId) -> None:
    kept = [place.city for place in game.state.board.reservations if place.company == company]
    place_home_in_city(game, company, kept[0])


def place_home_in_city(game: Game, company: CompanyId, city: int) -> None:
    """Place the token; no slot is reserved any more."""
    put_token(game, company, game.title.companies[company].home[0], city)


def reopen_home_choice(game: Game, event: TileLaid) -> None:
    """A reaction: when the first track is laid on a hex of several cities, the player who lays it chooses the city of the
    home token, by the plan named `home`.
    """
    board, printed = game.state.board, game.board_rules.map.hexes[event.hex].printed
    if event.replaced is not None or printed.paths or len(game.tile_at(event.hex).cities) < 2:
        return
    for company in [company for city in board.tokens.get(event.hex, ()) for company in city]:
        board.take_token(event.hex, company)
        game.company(company).tokens_left = (0, *game.company(company).tokens_left)
        game.board_changed()
        game.push("home", event.by)


def company_without_home(game: Game) -> CompanyId | None:
    """The company whose home token is not placed yet: no slot is reserved for it, or it begins its first turn."""
    kept = {place.company for place in game.state.board.reservations} - {game.actor_in_turn}
    for company in game.state.companies.values():
        if company.id not in kept and len(company.tokens_left) == len(game.title.companies[company.id].tokens):
            return company.id
    return None


def vacant_cities(game: Game, hexes: Iterable[HexId]) -> Iterator[tuple[HexId, int]]:
    """The cities of these hexes with a place that is neither taken nor reserved."""
    board = game.state.board
    for hex_id in hexes:
        for number, city in enumerate(game.tile_at(hex_id).cities):
            if len(board.tokens_in(hex_id, number)) + len(board.reservations_in(hex_id, number)) < city.slots:
                yield hex_id, number


@dataclass(frozen=True, kw_only=True)
class PlaceFirstToken:
    """The player who begins a company chooses one of `places(game, company)` for its first token, which costs nothing;
    `told` is the refusal of other places."""

    section: str
    places: Callable[[Game, CompanyId], Collection[tuple[HexId, int]]]
    told: str
    name: str = "place the first token"
    verbs: tuple[type[Action], ...] = (PlaceToken,)

    def opens(self, game: Game) -> bool:
        return not any(game.state.board.cities_of(game.company_in_turn))

    def options(self, game: Game) -> Iterator[Action]:
        company = game.company_in_turn
        return (PlaceToken(company, hex_id, city) for hex_id, city in self.places(game, company))

    def check(self, game: Game, action: PlaceToken) -> None:
        if action.using is not None:
            raise IllegalMove("{using} does not help with tokens.", self.section, action.using)
        if (action.hex, action.city) not in self.places(game, CompanyId(action.by)):
            raise IllegalMove(self.told, self.section)

    def apply(self, game: Game, action: PlaceToken) -> None:
        put_token(game, CompanyId(action.by), action.hex, action.city)


@dataclass(frozen=True)
class ChooseHomeCity:
    section: TokenSections
    name: str = "choose the city of a home token"
    verbs: tuple[type[Action], ...] = (PlaceToken,)

    def opens(self, game: Game) -> bool:
        return company_without_home(game) is not None

    def options(self, game: Game) -> Iterator[Action]:
        company = company_without_home(game)
        if company is not None:
            hex_id = game.title.companies[company].home[0]
            cities = range(len(game.tile_at(hex_id).cities))
            yield from filter_allowed(self, game, (PlaceToken(game.actor_in_turn, hex_id, city) for city in cities))

    def check(self, game: Game, action: PlaceToken) -> None:
        company = company_without_home(game)
        if company is None or action.hex not in game.title.companies[company].home or action.using is not None:
            raise IllegalMove("Choose the city for {company}'s home token now.", self.section.room, str(company))
        game.board_rules.check_city(game, company, action.hex, action.city, self.section)

    def apply(self, game: Game, action: PlaceToken) -> None:
        company = company_without_home(game)
        if company is not None:
            place_home_in_city(game, company, action.city)
