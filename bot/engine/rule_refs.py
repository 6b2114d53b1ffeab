"""Which sections of a title's rules refusals quote: a record for each step that several titles share."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TypeVar


@dataclass(frozen=True, kw_only=True)
class TrackSections:
    """Rules of tiles: what they cost, the `kind` of hex for them, where track may end (`edge`), colours, upgrades, what
    the company must reach, how many there are, hexes that are not built on."""

    cost: str = ""
    kind: str = ""
    edge: str = ""
    colour: str = ""
    upgrade: str = ""
    reach: str = ""
    count: str = ""
    closed: str = ""


@dataclass(frozen=True, kw_only=True)
class TokenSections:
    """Rules of tokens: whether any is left, one a turn, what it costs, what must be reached, room in a city, two on a
    hex."""

    left: str = ""
    once: str = ""
    cost: str = ""
    reach: str = ""
    room: str = ""
    twice: str = ""


@dataclass(frozen=True, kw_only=True)
class StockSections:
    """Rules of shares: limits of certificates and of holdings, first prices, purchases, buying back what was sold,
    sales, what may be in the pool, changes of presidents."""

    limit: str = ""
    holding: str = ""
    par: str = ""
    buy: str = ""
    resell: str = ""
    sell: str = ""
    pool: str = ""
    president: str = ""


@dataclass(frozen=True, kw_only=True)
class TrainSections:
    """Rules of trains: who must own a train, purchases, the order of the cards, kinds of which a company owns one,
    limits, trains given in exchange, money raised for them, trains of other companies."""

    must: str = ""
    buy: str = ""
    order: str = ""
    one: str = ""
    limit: str = ""
    trade: str = ""
    money: str = ""
    used: str = ""


@dataclass(frozen=True, kw_only=True)
class RouteSections:
    """Rules of runs: which trains, who must run, what a route is, track that two trains would use (as routes, unless it
    has a section of its own), the highest revenue."""

    train: str = ""
    must: str = ""
    route: str = ""
    shared: str = ""
    best: str = ""


Sections = TypeVar("Sections", TrackSections, TokenSections, StockSections, TrainSections, RouteSections)


def same_ref(record: type[Sections], section: str) -> Sections:
    """The record in which every entry is that section."""
    return record(**{field.name: section for field in fields(record)})
