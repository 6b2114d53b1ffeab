"""The moves that 1820 has alone, and how they are written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

from msgspec import Struct

from bot.engine.ids import CompanyId, HexId, Owner, PrivateId, TileId, as_private
from bot.engine.notation.verb import (
    Verb,
    a_company,
    a_number,
    a_space,
    a_tile,
    a_train,
    as_written,
    check_name,
    written,
)
from bot.engine.play.title import Title
from bot.engine.refusals import ParseError
from bot.engine.state.actions import Action

STATION = re.compile(r"^(?P<hex>[A-Z][0-9]+)(?:=(?P<tile>[A-Z]?[0-9]+)/(?P<turn>[0-5]))?(?:\.(?P<city>[1-9]))?$")
SEAT = re.compile(r"^@[1-9]$")


def a_seat(title: Title, word: str) -> Owner | None:
    """A player."""
    return Owner(word) if SEAT.match(word) else None


def a_cousin(title: Title, word: str) -> PrivateId:
    """A cousin."""
    return as_private(check_name("cousin", word, title.privates))


def an_owner(title: Title, word: str) -> Owner:
    """A player or a cousin."""
    return a_seat(title, word) or Owner(check_name("player or cousin", word, title.privates))


@written(
    "fund[ {lobby} to] {amount}",
    "a sum, or a lobby's sum and the new one",
    "fund 120",
    lobby=a_number,
    amount=a_number,
)
class FundLobby(Action, frozen=True, tag="fund"):
    """Put `amount` under a lobby marker, or raise the lobby that holds `lobby` to `amount` (§6.5.2.1)."""

    is_sampled: ClassVar[bool] = True
    amount: int
    lobby: int = 0


class Purchase(Struct, frozen=True):
    """Somebody's part in an agreed sale of shares."""

    buyer: Owner
    shares: int

    def __str__(self) -> str:
        return f"{self.buyer}:{self.shares}"


def a_purchase(title: Title, word: str) -> Purchase:
    """Who buys how many: `@1:2`.

    :raises ParseError: it does not say so.
    """
    name, _, number = word.rpartition(":")
    shares = a_number(title, number)
    if not name or not shares:
        raise ParseError("Who buys how many shares is written like: @1:2 @2:1.")
    return Purchase(an_owner(title, name), shares)


class Station(Struct, frozen=True):
    """Where a new company places a station: in an open circle, or in one that this tile makes (§6.6.2.4)."""

    hex: HexId
    city: int = 0
    tile: TileId | None = None
    rotation: int = 0

    def __str__(self) -> str:
        tile = f"={self.tile}/{self.rotation}" if self.tile else ""
        return f"{self.hex}{tile}" + (f".{self.city}" if self.city else "")


def a_station(title: Title, word: str) -> Station:
    """Where a company places a station: `G7`, `M15.2` or `F6=57/0`.

    :raises ParseError: it is no such place.
    """
    found = STATION.match(word)
    if not found:
        raise ParseError("{word} is no place for a station; places are written like: G7, M15 or F6=57/0.", "", word)
    hex_id = a_space(title, found["hex"])
    tile = a_tile(title, found["tile"]) if found["tile"] else None
    return Station(hex_id, int(found["city"] or 0), tile, int(found["turn"] or 0))


@written(
    "float {company} {shares} at {price} on {stations*} to {sales*}",
    "a company, a number of shares, a price, stations and buyers",
    "float LSR 5 at 71 on G7=150/0 to @1:2",
    company=a_company,
    shares=a_number,
    price=a_number,
    stations=a_station,
    sales=a_purchase,
)
class FloatCompany(Action, frozen=True, tag="float"):
    """Float `company` with so many shares at `price`, with one or two stations, sold to these buyers (§6.6.2)."""

    is_sampled: ClassVar[bool] = True
    company: CompanyId
    shares: int
    price: int
    stations: tuple[Station, ...]
    sales: tuple[Purchase, ...]


@written(
    "increase {shares}[ at {price}][ to {sales*}]",
    "a number of shares and buyers",
    "increase 10 to @1:2 @2:1",
    shares=a_number,
    price=a_number,
    sales=a_purchase,
)
class IncreaseShares(Action, frozen=True, tag="increase"):
    """A company takes the larger number of `shares`, sold to these buyers; `price` for a private one (§6.5.2.2)."""

    is_sampled: ClassVar[bool] = True
    shares: int
    price: int = 0
    sales: tuple[Purchase, ...] = ()


@written("ask {holder} for {company}", "a holder and a company", "ask @2 for LSR", holder=an_owner, company=a_company)
class RequestShare(Action, frozen=True, tag="ask"):
    """Buy a share from the player or cousin who holds it, if its player agrees (§6.5.2.4)."""

    menu_name: ClassVar[str] = "AskForShare"

    holder: Owner
    company: CompanyId


@written("overpay {cousin} {price}", "a cousin and a sum", "overpay VF 150", cousin=a_cousin, price=a_number)
class OverPay(Action, frozen=True, tag="overpay"):
    """Pay `price` for a cousin instead of the smaller sum that was bid (§6.3.3)."""

    is_sampled: ClassVar[bool] = True
    cousin: PrivateId
    price: int


@written("take {kinds*}", "trains", "take 2+ 3+", kinds=a_train)
class TakeLots(Action, frozen=True, tag="take"):
    """Take these of the trains that the auction was about (§6.4.2)."""

    kinds: tuple[str, ...]


@written("decline")
class Decline(Action, frozen=True, tag="decline"):
    """Not take what one has won, and be barred from the new auction (§10.4)."""


@written("director {company} {cousin}", "a company and a cousin", "director LSR VF", company=a_company, cousin=a_cousin)
class ChooseDirector(Action, frozen=True, tag="director"):
    """Name which of the tied cousins directs the company that one has sold (§13.4)."""

    company: CompanyId
    cousin: PrivateId


@written("assign {kind} from {holder}", "a train and its holder", "assign 3+ from @2", kind=a_train, holder=a_seat)
class AssignTrain(Action, frozen=True, tag="assign"):
    """Give a future train of `holder` to the company in turn (§6.4.3)."""

    kind: str
    holder: Owner


@written("contribute {amount}", "a sum", "contribute 150", amount=a_number)
class Contribute(Action, frozen=True, tag="contribute"):
    """The director will pay `amount` of the company's next train out of his own cash (§7.2.7); 0 takes it back."""

    is_sampled: ClassVar[bool] = True
    amount: int


@written(
    "use {cousin} for {trains*}",
    "a cousin and numbers of trains",
    "use VF for 2+-0",
    cousin=a_cousin,
    trains=as_written,
)
class UseCousin(Action, frozen=True, tag="use"):
    """Use a cousin's ability for these trains when they run (§14)."""

    cousin: PrivateId
    trains: tuple[str, ...]


@written(
    "decrease {shares}[ from {purchases*}][ loans {loans}][ into {into}]",
    "a number of shares",
    "decrease 5 from @2:1",
    shares=a_number,
    purchases=a_purchase,
    loans=a_number,
    into=a_company,
)
class ReduceShares(Action, frozen=True, tag="reduce_shares"):
    """A company takes a smaller number of `shares`, bought back from the pool, then from these owners (§8.2).

    `loans` taken to pay for it; `into` a private company of the same director that it becomes part of.
    """

    is_sampled: ClassVar[bool] = True
    shares: int
    purchases: tuple[Purchase, ...] = ()
    loans: int = 0
    into: CompanyId | None = None


@written("issue {shares}", "a number of shares", "issue 2", shares=a_number)
class IssueShares(Action, frozen=True, tag="issue"):
    """Issue shares of the treasury to the pool (§8.3)."""

    shares: int


@written("offer {company}", "a company", "offer LSR", company=a_company)
class Offer(Action, frozen=True, tag="offer"):
    """Put a company up for takeover (§8.4)."""

    company: CompanyId


@written(
    "acquire[ loans {loans}][ shares {shares}]",
    "loans and shares",
    "acquire loans 2 shares 1",
    loans=a_number,
    shares=a_number,
)
class Acquire(Action, frozen=True, tag="acquire"):
    """Be the company that takes over what its director has won, with loans and an issue of shares (§8.4.3)."""

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
    station = a_station(title, words[1])
    return None if station.tile else GiveUpStation(by, station.hex, station.city)


class GiveUpStation(Action, frozen=True, tag="give_up"):
    """Let a British Rail marker take the place of one of the company's own (§8.4.3, §13.6), or drop an unplaced one."""

    hex: HexId | None = None
    city: int = 0
    form: ClassVar[Verb] = Verb(("abandon",), "a space or unplaced", "abandon G7", _write_give_up, _read_give_up)


@written("repay {loans}", "a number of loans", "repay 2", loans=a_number)
class Repay(Action, frozen=True, tag="repay"):
    """Repay so many loans (§7.2.9)."""

    loans: int = 1


@written("cover")
class PayCosts(Action, frozen=True, tag="pay_costs"):
    """Pay what is due: maintenance or interest, the director covering what the treasury lacks (§7.2.5, §7.2.8)."""


@written("neglect")
class Neglect(Action, frozen=True, tag="neglect"):
    """Not pay what is due; the company goes into liquidation (§7.2.5, §7.2.8)."""
