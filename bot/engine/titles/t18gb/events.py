"""Events that only 18GB knows."""

from __future__ import annotations

from bot.engine.data.events import Event
from bot.engine.ids import CompanyId, HexId, PrivateId


class PriceCut(Event, frozen=True, tag=True):
    """A private for which nobody had bid became cheaper."""

    private: PrivateId
    price: int


class Converted(Event, frozen=True, tag=True):
    """A company has ten shares now; `capital` is what it received."""

    company: CompanyId
    capital: int


class BecameInsolvent(Event, frozen=True, tag=True):
    """A company without a train leases from now on."""

    company: CompanyId


class BecameSolvent(Event, frozen=True, tag=True):
    """A company leases no more."""

    company: CompanyId


class CompanyRemoved(Event, frozen=True, tag=True):
    """A company that had not been launched left the game, with a train if `train` names one."""

    company: CompanyId
    train: str


class HomeMoved(Event, frozen=True, tag=True):
    """A home token stands in another of its space's cities."""

    company: CompanyId
    hex: HexId
    city: int


class TokensEnded(Event, frozen=True, tag=True):
    """Two trains or fewer are left: no more tokens."""
