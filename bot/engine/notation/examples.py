"""Examples of moves in a title's own names: `sell 2 VR` in 1848, `sell 2 LSR` in 1820."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from bot.engine import BANK, DEPOT, POOL, CompanyId, HexId
from bot.engine.play import PrivateSpec, Title, TrainKind
from bot.engine.state import Board, actions

from .shared import SHARED
from .verb import Verb

START = "starting price"
"""The word for market zones in which companies may start."""


def example_of(title: Title, verb: Verb) -> str:
    """A move of this verb in the title's names; it need not be legal now."""
    sample = next((SAMPLES[kind] for kind, shared in SHARED.items() if shared is verb and kind in SAMPLES), None)
    return verb.write(sample(title)) if sample else verb.example


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


def lay(title: Title) -> actions.LayTile:
    land, board = title.land, Board()
    places = (
        (tile, space, land.fitting_rotations(board, tile, space)) for space in cities(title) for tile in land.tiles
    )
    return next(actions.LayTile(BANK, tile, space, rotations[0]) for tile, space, rotations in places if rotations)


def first_price(title: Title) -> int:
    zones = (zone for zone, meaning in title.market.zones.items() if meaning.startswith(START))
    return min(title.market.price(cell) for zone in zones for cell in title.market.cells_in(zone))


SAMPLES: Mapping[type[actions.Action], Callable[[Title], actions.Action]] = {
    actions.ReducePrice: lambda title: actions.ReducePrice(BANK, private(title).id),
    actions.BuyPrivate: lambda title: actions.BuyPrivate(BANK, private(title).id, private(title).price),
    actions.Bid: lambda title: actions.Bid(BANK, private(title).id, private(title).price),
    actions.Par: lambda title: actions.Par(BANK, company(title), first_price(title)),
    actions.BuyShares: lambda title: actions.BuyShares(BANK, company(title), POOL),
    actions.SellShares: lambda title: actions.SellShares(BANK, company(title), 2),
    actions.LayTile: lay,
    actions.PlaceToken: lambda title: actions.PlaceToken(BANK, next(cities(title))),
    actions.BuyTrain: lambda title: actions.BuyTrain(BANK, train(title).name, train(title).price, DEPOT),
    actions.DiscardTrain: lambda title: actions.DiscardTrain(BANK, train(title).name),
    actions.Exchange: lambda title: actions.Exchange(BANK, private(title).id, POOL),
}
"""Examples of the verbs that more than one title knows."""
