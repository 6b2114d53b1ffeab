"""Distinct identifier types, all of them plain strings or numbers when saved."""

from __future__ import annotations

from typing import NewType, TypeVar

Found = TypeVar("Found")

HexId = NewType("HexId", str)
"""A hex, as printed on the map: `H11`."""

TileId = NewType("TileId", str)

Owner = NewType("Owner", str)
"""A holder of cash, certificates, trains or privates: a player, a company, `bank`, `pool` …"""

PlayerId = NewType("PlayerId", Owner)
"""A seat at the table: `@1`, `@2` … in the order of the first deal."""

CompanyId = NewType("CompanyId", Owner)
"""A company's abbreviation: `VR`."""

PrivateId = NewType("PrivateId", Owner)
"""A private company's sign: `P4`."""

TrainId = NewType("TrainId", str)
"""One train card: `3-1` is the second card of the 3/3+ trains."""

GameId = NewType("GameId", int)
"""A game's number in its database."""

NO_GAME = GameId(0)
"""In records of a game that its database has not numbered yet; elsewhere: no game."""

SeatNumber = NewType("SeatNumber", int)
"""A seat's number at its table, from 1, in the order of the first deal: 2 is `@2`."""

PersonId = NewType("PersonId", str)
"""A person or computer player, in all games: `discord:123`, `computer:strong`."""

NOBODY = PersonId("")

ERASED = PersonId("erased")
"""In place of a person of whom nothing is stored any more."""

BANK = Owner("bank")

IPO = Owner("ipo")
"""The initial offering: certificates nobody has bought yet (in 1848: new shares, §5.1.3)."""

POOL = Owner("pool")
"""The bank pool: certificates that players have sold (in 1848: old shares, §5.1.4)."""

DEPOT = Owner("depot")
"""Trains that can be bought from the bank, now or later."""

REMOVED = Owner("removed")
"""Out of the game for good."""


def as_company(sign: str) -> CompanyId:
    return CompanyId(Owner(sign))


def as_private(sign: str) -> PrivateId:
    return PrivateId(Owner(sign))


def seat(number: SeatNumber) -> PlayerId:
    return PlayerId(Owner(f"@{number}"))


def seat_number(player: PlayerId) -> SeatNumber:
    return SeatNumber(int(player[1:]))


def is_player(owner: Owner) -> bool:
    return owner.startswith("@")


def require(thing: Found | None, missing: str) -> Found:
    """The thing.

    :raises ValueError: there is none; `missing` says so.
    """
    if thing is None:
        raise ValueError(missing)
    return thing
