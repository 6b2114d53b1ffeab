"""The moves that only 1820 has, and how they are written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

from msgspec import Struct

from bot.engine import CompanyId, HexId, Owner, ParseError, PrivateId, TileId, as_private
from bot.engine.notation import (
    Verb,
    check_name,
    company_arg,
    hex_arg,
    number_arg,
    text_form,
    tile_arg,
    train_arg,
    word_arg,
)
from bot.engine.play import Title
from bot.engine.state import Action

STATION = re.compile(r"^(?P<hex>[A-Z][0-9]+)(?:=(?P<tile>[A-Z]?[0-9]+)/(?P<turn>[0-5]))?(?:\.(?P<city>[1-9]))?$")
SEAT = re.compile(r"^@[1-9]$")


def seat_arg(title: Title, word: str) -> Owner | None:
    return Owner(word) if SEAT.match(word) else None


def cousin_arg(title: Title, word: str) -> PrivateId:
    return as_private(check_name("cousin", word, title.privates))


def owner_arg(title: Title, word: str) -> Owner:
    return seat_arg(title, word) or Owner(check_name("player or cousin", word, title.privates))


@text_form(
    "fund[ {lobby} to] {amount}",
    "a sum, or a lobby's sum and the new sum",
    "fund 120",
    lobby=number_arg,
    amount=number_arg,
)
class FundLobby(Action, frozen=True, tag="fund"):
    """Put `amount` under a lobby marker, or raise the lobby that holds `lobby` to `amount` (§6.5.2.1)."""

    is_sampled: ClassVar[bool] = True
    amount: int
    lobby: int = 0


class Purchase(Struct, frozen=True):
    buyer: Owner
    shares: int

    def __str__(self) -> str:
        return f"{self.buyer}:{self.shares}"


def purchase_arg(title: Title, word: str) -> Purchase:
    """A buyer and the number of shares: `@1:2`.

    :raises ParseError: it does not say so.
    """
    name, _, number = word.rpartition(":")
    shares = number_arg(title, number)
    if not name or not shares:
        raise ParseError("Who buys how many shares is written like: @1:2 @2:1.")
    return Purchase(owner_arg(title, name), shares)


class Station(Struct, frozen=True):
    """A place for a new company's station: an open circle, or a circle that this tile makes (§6.6.2.4)."""

    hex: HexId
    city: int = 0
    tile: TileId | None = None
    rotation: int = 0

    def __str__(self) -> str:
        tile = f"={self.tile}/{self.rotation}" if self.tile else ""
        return f"{self.hex}{tile}" + (f".{self.city}" if self.city else "")


def station_arg(title: Title, word: str) -> Station:
    """`G7`, `M15.2` or `F6=57/0`.

    :raises ParseError: it is no such place.
    """
    found = STATION.match(word)
    if not found:
        raise ParseError("{word} is no place for a station; places are written like: G7, M15 or F6=57/0.", "", word)
    hex_id = hex_arg(title, found["hex"])
    tile = tile_arg(title, found["tile"]) if found["tile"] else None
    return Station(hex_id, int(found["city"] or 0), tile, int(found["turn"] or 0))


@text_form(
    "float {company} {shares} at {price} on {stations*} to {sales*}",
    "a company, a number of shares, a price, stations and buyers",
    "float LSR 5 at 71 on G7=150/0 to @1:2",
    company=company_arg,
    shares=number_arg,
    price=number_arg,
    stations=station_arg,
    sales=purchase_arg,
)
class FloatCompany(Action, frozen=True, tag="float"):
    """Float `company` with this number of shares at `price`, with one or two stations, sold to these buyers
    (§6.6.2).
    """

    is_sampled: ClassVar[bool] = True
    company: CompanyId
    shares: int
    price: int
    stations: tuple[Station, ...]
    sales: tuple[Purchase, ...]


@text_form(
    "increase {shares}[ at {price}][ to {sales*}]",
    "a number of shares and buyers",
    "increase 10 to @1:2 @2:1",
    shares=number_arg,
    price=number_arg,
    sales=purchase_arg,
)
class IncreaseShares(Action, frozen=True, tag="increase"):
    """Increase a company to `shares` shares, sold to these buyers; `price` only for a private company (§6.5.2.2)."""

    is_sampled: ClassVar[bool] = True
    shares: int
    price: int = 0
    sales: tuple[Purchase, ...] = ()


@text_form(
    "ask {holder} for {company}", "a holder and a company", "ask @2 for LSR", holder=owner_arg, company=company_arg
)
class RequestShare(Action, frozen=True, tag="ask"):
    """Buy a share from the player or cousin who holds it, if its player agrees (§6.5.2.4)."""

    menu_name: ClassVar[str] = "AskForShare"

    holder: Owner
    company: CompanyId


@text_form("overpay {cousin} {price}", "a cousin and a sum", "overpay VF 150", cousin=cousin_arg, price=number_arg)
class OverPay(Action, frozen=True, tag="overpay"):
    """Pay `price` for a cousin instead of the smaller sum that was bid (§6.3.3)."""

    is_sampled: ClassVar[bool] = True
    cousin: PrivateId
    price: int


@text_form("take {kinds*}", "trains", "take 2+ 3+", kinds=train_arg)
class TakeLots(Action, frozen=True, tag="take"):
    """Take some of the auctioned trains (§6.4.2)."""

    kinds: tuple[str, ...]


@text_form("decline")
class Decline(Action, frozen=True, tag="decline"):
    """Decline what was won, and be barred from the new auction (§10.4)."""


@text_form(
    "director {company} {cousin}", "a company and a cousin", "director LSR VF", company=company_arg, cousin=cousin_arg
)
class ChooseDirector(Action, frozen=True, tag="director"):
    """Name which of the tied cousins directs the company whose shares were sold (§13.4)."""

    company: CompanyId
    cousin: PrivateId


@text_form(
    "assign {kind} from {holder}", "a train and its holder", "assign 3+ from @2", kind=train_arg, holder=seat_arg
)
class AssignTrain(Action, frozen=True, tag="assign"):
    """Give a future train of `holder` to the company in turn (§6.4.3)."""

    kind: str
    holder: Owner


@text_form("contribute {amount}", "a sum", "contribute 150", amount=number_arg)
class Contribute(Action, frozen=True, tag="contribute"):
    """Promise `amount` of the director's cash for the company's next train (§7.2.7); 0 takes it back."""

    is_sampled: ClassVar[bool] = True
    amount: int


@text_form(
    "use {cousin} for {trains*}",
    "a cousin and numbers of trains",
    "use VF for 2+-0",
    cousin=cousin_arg,
    trains=word_arg,
)
class UseCousin(Action, frozen=True, tag="use"):
    """Use a cousin's ability for these trains in this run (§14)."""

    cousin: PrivateId
    trains: tuple[str, ...]


@text_form(
    "decrease {shares}[ from {purchases*}][ loans {loans}][ into {into}]",
    "a number of shares",
    "decrease 5 from @2:1",
    shares=number_arg,
    purchases=purchase_arg,
    loans=number_arg,
    into=company_arg,
)
class ReduceShares(Action, frozen=True, tag="reduce_shares"):
    """Reduce a company to `shares` shares, bought back from the pool, then from these owners (§8.2).

    `loans` taken to pay for it; `into` a private company of the same director that it becomes part of.
    """

    is_sampled: ClassVar[bool] = True
    shares: int
    purchases: tuple[Purchase, ...] = ()
    loans: int = 0
    into: CompanyId | None = None


@text_form("issue {shares}", "a number of shares", "issue 2", shares=number_arg)
class IssueShares(Action, frozen=True, tag="issue"):
    """Issue shares of the treasury to the pool (§8.3)."""

    shares: int


@text_form("offer {company}", "a company", "offer LSR", company=company_arg)
class Offer(Action, frozen=True, tag="offer"):
    """Put a company up for takeover (§8.4)."""

    company: CompanyId


@text_form(
    "acquire[ loans {loans}][ shares {shares}]",
    "loans and shares",
    "acquire loans 2 shares 1",
    loans=number_arg,
    shares=number_arg,
)
class Acquire(Action, frozen=True, tag="acquire"):
    """Name the company that takes over what its director has won, with loans and an issue of shares (§8.4.3)."""

    loans: int = 0
    shares: int = 0


def _write_give_up(action: GiveUpStation) -> str:
    place = f"{action.hex}" + (f".{action.city}" if action.city else "") if action.hex else "unplaced"
    return f"abandon {place}"


def _read_give_up(title: Title, by: Owner, words: Sequence[str]) -> Action | None:
    if len(words) != 2:
        return None
    if words[1] == "unplaced":
        return GiveUpStation(by)
    station = station_arg(title, words[1])
    return None if station.tile else GiveUpStation(by, station.hex, station.city)


class GiveUpStation(Action, frozen=True, tag="give_up"):
    """Replace a station of the company by a British Rail marker (§8.4.3, §13.6), or drop an unplaced station."""

    hex: HexId | None = None
    city: int = 0
    form: ClassVar[Verb] = Verb(("abandon",), "a hex or unplaced", "abandon G7", _write_give_up, _read_give_up)


@text_form("repay {loans}", "a number of loans", "repay 2", loans=number_arg)
class Repay(Action, frozen=True, tag="repay"):
    """§7.2.9"""

    loans: int = 1


@text_form("cover")
class PayCosts(Action, frozen=True, tag="pay_costs"):
    """Pay maintenance or interest; the director covers what the treasury lacks (§7.2.5, §7.2.8)."""


@text_form("neglect")
class Neglect(Action, frozen=True, tag="neglect"):
    """Leave costs unpaid; the company goes into liquidation (§7.2.5, §7.2.8)."""
