"""The first tokens of companies, where their owners choose the place."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from bot.engine import CompanyId, HexId
from bot.engine.board import BoardRules
from bot.engine.play import Game
from bot.engine.play.steps import PlaceFirstToken, put_token, vacant_cities

from .family import Place, merging


def home_places(game: Game, company: CompanyId) -> Sequence[Place]:
    """Where the company's first token may be placed. A minor's: its home, or any city without a token. A major's:
    cities on hexes without a token; unconnected cities if there are any, and only these where minors have homes.
    """
    noun = game.title.companies[company]
    return game.memoise(("homes", company if noun.home else noun.kind), lambda: _home_places(game, company))


def _home_places(game: Game, company: CompanyId) -> list[Place]:
    noun, board = game.title.companies[company], game.state.board
    if noun.home:
        return [(place.hex, place.city) for place in board.reservations if place.company == company]
    vacant = list(vacant_cities(game, hexes_with_cities(game.board_rules)))
    found = [place for place in vacant if not board.tokens_in(*place)]
    if noun.kind == "minor":
        return found
    if merging(game).has_homes:
        return [place for place in found if not is_connected(game, place[0])]
    free = [place for place in vacant if not any(board.tokens.get(place[0], ()))]
    return [place for place in free if not is_connected(game, place[0])] or free


@lru_cache(maxsize=8)
def hexes_with_cities(land: BoardRules) -> Sequence[HexId]:
    return [hex_id for hex_id, space in land.map.hexes.items() if space.printed.cities]


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


def build_first_tokens(section: str) -> PlaceFirstToken:
    return PlaceFirstToken(
        section=section,
        places=home_places,
        told=(
            "The first token cannot be placed there: a minor needs a city without a token, a major a hex without tokens, from "
            "which no track leads to another stop if there is such a hex."
        ),
    )
