"""The powers of privates as data."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from bot.engine import IPO, POOL, Owner


class LayBy(Enum):
    """Who uses a private's lay, and when: the company that owns it, at any time of its turn, in its track step beside its
    tiles of the turn, or as its tile of the turn; the player who owns it, in stock rounds, in the track step of their own
    companies, and before a company has acted in its turn; the player who sells it to a company, at once.
    """

    COMPANY = auto()
    COMPANY_WITH_ITS_TRACK = auto()
    COMPANY_AS_ITS_TILE = auto()
    PLAYER = auto()
    SELLER = auto()


@dataclass(frozen=True)
class TokenPlace:
    """A token of the company that may be placed for nothing immediately after the lay, on the same hex: by the plan of
    this name, at a decision of that name.
    """

    plan: str = "private-token"
    decision: str = "place a token using a private"


@dataclass(frozen=True)
class Lay:
    """One of these tiles is laid on one of these hexes, once, even out of reach; both are listed with spaces between.
    It costs what is printed unless it `is_free`.
    """

    hexes: str
    tiles: str
    by: LayBy = LayBy.COMPANY
    is_free: bool = False
    token: TokenPlace | None = None


@dataclass(frozen=True)
class LayPair:
    """The company that owns it lays two of these tiles, joined to each other, on these two hexes: in its track step, at
    once one after the other, beside its tile of the turn, even out of reach: the second by the plan of this name, each
    pair's own. Any tile on one of them ends it.
    """

    hexes: str
    tiles: str
    plan: str


@dataclass(frozen=True)
class ExchangeFor:
    """The player who owns it gives it up for a share of a company, in turn or not."""

    company: str
    sources: tuple[Owner, ...] = (IPO, POOL)


@dataclass(frozen=True)
class Share:
    """A share of a company comes with it."""

    company: str


@dataclass(frozen=True)
class Presidency:
    """The president's certificate of a company comes with it: its buyer sets the price at a decision of this name. It
    closes with the company's first train. Without a `company` one is drawn by lot when the game begins.
    """

    company: str
    decision: str


@dataclass(frozen=True)
class Discount:
    """The company that owns it pays this sum less on hexes with this terrain and no other."""

    terrain: str
    amount: int


@dataclass(frozen=True)
class Income:
    """From this phase on it pays this income."""

    amount: int
    phase: str


@dataclass(frozen=True)
class RouteBonus:
    """The company that owns it earns this sum for one route of each run that visits both hexes, also after the private has
    closed, until this phase begins, if any. With `for_one_president` it ends when the company gets another president.
    """

    name: str
    hexes: str
    amount: int
    until: str = ""
    for_one_president: bool = False


@dataclass(frozen=True)
class RevenueMarker:
    """The company that owns it and a train marks one of these hexes in its reach, once: each of its trains earns this sum
    more there, also after the private has closed, until this phase begins, if any.
    """

    hexes: str
    amount: int
    until: str = ""


@dataclass(frozen=True)
class TokenHelp:
    """The company that owns it places its token of a turn with it, once, for this percent of the price: on one of these
    hexes, even out of reach, or where none are named, in a city in its reach.
    """

    hexes: str = ""
    percent: int = 0


@dataclass(frozen=True)
class TrainDiscount:
    """The company that owns it pays less for one new train of these kinds: this percent of its price, or this sum. The
    private closes then if it `closes`.
    """

    trains: str
    percent: int = 0
    amount: int = 0
    closes: bool = True


@dataclass(frozen=True)
class Stays:
    """A player's private does not close with the others."""


Power = (
    Lay
    | LayPair
    | ExchangeFor
    | Share
    | Presidency
    | Discount
    | Income
    | RouteBonus
    | RevenueMarker
    | TokenHelp
    | TrainDiscount
    | Stays
)
