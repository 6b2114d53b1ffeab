"""The first tokens of companies, where their owners choose the place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from bot.engine import CompanyId, HexId, IllegalMove
from bot.engine.board import BoardRules
from bot.engine.play import Game
from bot.engine.play.steps import put_token
from bot.engine.state import Action, PlaceToken

from .family import Place, merging


def home_places(game: Game, company: CompanyId) -> Sequence[Place]:
    """Where the company's first token may be placed. A minor's: its home, or any city without a token. A major's: cities on
    hexes without a token; unconnected cities if there are any, and only these where minors have homes.
    """
    noun = game.title.companies[company]
    return game.memoise(("homes", company if noun.home else noun.kind), lambda: _home_places(game, company))


def _home_places(game: Game, company: CompanyId) -> list[Place]:
    noun, board = game.title.companies[company], game.state.board
    if noun.home:
        return [(place.hex, place.city) for place in board.reservations if place.company == company]
    found = [place for place in _vacant_cities(game) if not board.tokens_in(*place)]
    if noun.kind == "minor":
        return found
    if merging(game).has_homes:
        return [place for place in found if not is_connected(game, place[0])]
    free = [place for place in _vacant_cities(game) if not any(board.tokens.get(place[0], ()))]
    return [place for place in free if not is_connected(game, place[0])] or free


@lru_cache(maxsize=8)
def hexes_with_cities(land: BoardRules) -> Sequence[HexId]:
    return [hex_id for hex_id, space in land.map.hexes.items() if space.printed.cities]


def _vacant_cities(game: Game) -> Iterator[Place]:
    board = game.state.board
    for hex_id in hexes_with_cities(game.board_rules):
        for number, city in enumerate(game.tile_at(hex_id).cities):
            if len(board.tokens_in(hex_id, number)) + len(board.reservations_in(hex_id, number)) < city.slots:
                yield hex_id, number


def is_connected(game: Game, hex_id: HexId) -> bool:
    """Whether track leads from a city of the hex to another stop."""
    land = game.board_rules
    for number in range(len(game.tile_at(hex_id).cities)):
        own = land.city_stop(game.state.board, hex_id, number)
        if land.track_index(game).network([own], ()).stops - {own}:
            return True
    return False


def place_first_token(game: Game, company: CompanyId) -> None:
    """Place it for nothing at the company's home, or ask for a place."""
    if game.title.companies[company].home:
        put_token(game, company, *home_places(game, company)[0])
    else:
        game.push("home", company)


@dataclass(frozen=True)
class PlaceHome:
    """The player who begins a company chooses the place of its first token, which costs nothing."""

    section: str
    name: str = "place the first token"
    verbs: tuple[type[Action], ...] = (PlaceToken,)

    def opens(self, game: Game) -> bool:
        return not any(game.state.board.cities_of(game.company_in_turn))

    def options(self, game: Game) -> Iterator[Action]:
        company = game.company_in_turn
        return (PlaceToken(company, hex_id, city) for hex_id, city in home_places(game, company))

    def check(self, game: Game, action: PlaceToken) -> None:
        if action.using is not None:
            raise IllegalMove("{using} does not help with tokens.", self.section, action.using)
        if (action.hex, action.city) not in home_places(game, CompanyId(action.by)):
            sentence = (
                "The first token of {company} cannot be placed there: a minor needs a city without a token, a major a hex "
                "without tokens, from which no track leads to another stop if there is such a hex."
            )
            raise IllegalMove(sentence, self.section, action.by)

    def apply(self, game: Game, action: PlaceToken) -> None:
        put_token(game, CompanyId(action.by), action.hex, action.city)
