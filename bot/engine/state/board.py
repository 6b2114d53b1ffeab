"""The contents of the map: tiles, tokens, reservations. Plain data; `bot.engine.board.board_rules` knows the
geometry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain

from msgspec import Struct

from bot.engine import CompanyId, HexId, Owner, TileId


class PlacedTile(Struct, frozen=True):
    """A tile on a hex, turned by `rotation` steps of 60 degrees clockwise."""

    tile: TileId
    rotation: int


class Reservation(Struct, frozen=True):
    """A city slot reserved for a company's home token, or for the token that a private gives."""

    hex: HexId
    city: int
    company: Owner


class Board(Struct):
    """`tiles` by space. `tokens` by hex, then by city number, companies in the order of placing: those beyond the
    city's slots are at the edge of the hex until it grows (1848 §5.3.6)."""

    tiles: dict[HexId, PlacedTile] = {}
    tokens: dict[HexId, list[list[CompanyId]]] = {}
    reservations: list[Reservation] = []

    def copy(self) -> Board:
        tokens = {hex_id: [list(companies) for companies in cities] for hex_id, cities in self.tokens.items()}
        return Board(dict(self.tiles), tokens, list(self.reservations))

    def tokens_in(self, hex_id: HexId, city: int) -> list[CompanyId]:
        cities = self.tokens.get(hex_id, [])
        return cities[city] if city < len(cities) else []

    def place_token(self, hex_id: HexId, city: int, company: CompanyId) -> None:
        """Put a token there and drop the company's reservation, if it had one there."""
        cities = self.tokens.setdefault(hex_id, [])
        cities += [[] for _ in range(city + 1 - len(cities))]
        cities[city].append(company)
        self.free(hex_id, company)

    def has_token(self, hex_id: HexId, company: CompanyId) -> bool:
        return any([company in city for city in self.tokens.get(hex_id, ())])

    def cities_of(self, company: CompanyId) -> Iterator[tuple[HexId, int]]:
        """Every token of the company: space and city number, several tokens in a city several times."""
        for hex_id, cities in self.tokens.items():
            for city, companies in enumerate(cities):
                if company in companies:
                    yield from [(hex_id, city)] * companies.count(company)

    def token_counts(self) -> Counter[CompanyId]:
        return Counter(chain.from_iterable(chain.from_iterable(self.tokens.values())))

    def replace_tokens(self, company: CompanyId, successor: CompanyId) -> None:
        for cities in self.tokens.values():
            for city in cities:
                city[:] = [successor if token == company else token for token in city]

    def swap_token(self, hex_id: HexId, city: int, old: CompanyId, new: CompanyId) -> None:
        """Put another company's token in the place of one of this company's.

        :raises ValueError: there is none.
        """
        companies = self.tokens_in(hex_id, city)
        companies[companies.index(old)] = new

    def take_token(self, hex_id: HexId, company: CompanyId) -> None:
        for city in self.tokens[hex_id]:
            city[:] = [token for token in city if token != company]

    def remove_tokens(self, company: CompanyId) -> None:
        for cities in self.tokens.values():
            for city in cities:
                city[:] = [token for token in city if token != company]

    def reserve(self, hex_id: HexId, city: int, company: Owner) -> None:
        self.reservations.append(Reservation(hex_id, city, company))

    def free(self, hex_id: HexId, owner: Owner) -> None:
        self.reservations = [kept for kept in self.reservations if (kept.hex, kept.company) != (hex_id, owner)]

    def reservations_in(self, hex_id: HexId, city: int) -> list[Owner]:
        return [kept.company for kept in self.reservations if (kept.hex, kept.city) == (hex_id, city)]

    def rearrange(self, hex_id: HexId, new_city_of: dict[int, int]) -> None:
        """Carry tokens and reservations over to a new tile whose cities are numbered differently."""
        old = self.tokens.get(hex_id)
        if old is not None:
            cities: list[list[CompanyId]] = [[] for _ in range(max(new_city_of.values(), default=0) + 1)]
            for city, companies in enumerate(old):
                cities[new_city_of.get(city, city)] += companies
            self.tokens[hex_id] = cities
        self.reservations = [
            Reservation(kept.hex, new_city_of.get(kept.city, kept.city), kept.company) if kept.hex == hex_id else kept
            for kept in self.reservations
        ]
