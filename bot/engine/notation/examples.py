"""Examples of what moves name, in a title's own names: `sell 2 VR` in 1848, `sell 2 LSR` in 1820."""

from __future__ import annotations

from collections.abc import Iterator

from bot.engine import CompanyId, HexId, TileId
from bot.engine.play import PrivateSpec, Title, TrainKind
from bot.engine.state import Board

START = "starting price"
"""The word for market zones in which companies may start."""


def company(title: Title) -> CompanyId:
    """The first company with shares to trade, a home and no special rules; where none has a home, the first."""
    special = title.words.companies
    nouns = {sign: noun for sign, noun in title.companies.items() if len(noun.certificates) > 1 and sign not in special}
    return next((sign for sign, noun in nouns.items() if noun.home), next(iter(nouns)))


def cities(title: Title) -> Iterator[HexId]:
    """That company's home, then every space with a city."""
    yield from title.companies[company(title)].home
    yield from (space for space in title.land.map.hexes if title.land.tile_at(Board(), space).cities)


def private(title: Title) -> PrivateSpec:
    return next(iter(title.privates.values()))


def train(title: Title) -> TrainKind:
    return next(iter(title.trains.values()))


def lay(title: Title) -> tuple[TileId, HexId, int]:
    """A tile, a city where it fits, and its rotation there."""
    land, board = title.land, Board()
    places = (
        (tile, space, land.fitting_rotations(board, tile, space)) for space in cities(title) for tile in land.tiles
    )
    return next((tile, space, rotations[0]) for tile, space, rotations in places if rotations)


def first_price(title: Title) -> int:
    zones = (zone for zone, meaning in title.market.zones.items() if meaning.startswith(START))
    return min(title.market.price(cell) for zone in zones for cell in title.market.cells_in(zone))
