"""The moves that only 1820 has, and what their fields hold."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Annotated, ClassVar

from msgspec import Struct

from bot.engine import CompanyId, HexId, Owner, ParseError, PrivateId, Text, TileId, msg
from bot.engine.notation import TYPES, FieldType, check_name, name_field, number
from bot.engine.play import Title
from bot.engine.state import Action

STATION = re.compile(r"^(?P<hex>[A-Z][0-9]+)(?:=(?P<tile>[A-Z]?[0-9]+)/(?P<turn>[0-5]))?(?:\.(?P<city>[1-9]))?$")
SEAT = re.compile(r"^@[1-9]$")


class Purchase(Struct, frozen=True):
    buyer: Owner
    shares: int

    def __str__(self) -> str:
        return f"{self.buyer}:{self.shares}"


class Station(Struct, frozen=True):
    """A place for a new company's station: an open circle, or a circle that this tile makes (§6.6.2.4)."""

    hex: HexId
    city: int = 0
    tile: TileId | None = None
    rotation: int = 0

    def __str__(self) -> str:
        tile = f"={self.tile}/{self.rotation}" if self.tile else ""
        return f"{self.hex}{tile}" + (f".{self.city}" if self.city else "")


def _read_seat(title: Title, word: str) -> Owner | None:
    return Owner(word) if SEAT.match(word) else None


def _read_owner(title: Title, word: str) -> Owner:
    return _read_seat(title, word) or Owner(check_name("player or cousin", word, title.privates))


def _read_purchase(title: Title, word: str) -> Purchase:
    """A buyer and the number of shares: `@1:2`.

    :raises ParseError: it does not say so.
    """
    name, _, shares = word.rpartition(":")
    if not name or not shares.isdecimal() or not int(shares[:9]) > 0:
        raise ParseError("Write who buys how many shares like this: @1:2 @2:1.")
    return Purchase(_read_owner(title, name), int(shares[:9]))


def _read_station(title: Title, word: str) -> Station:
    """`G7`, `M15.2` or `F6=57/0`.

    :raises ParseError: it is no such place.
    """
    found = STATION.match(word)
    if not found:
        raise ParseError("{word} is not a place for a station; write places like this: G7, M15 or F6=57/0.", "", word)
    hex_id = HexId(check_name("hex", found["hex"], title.land.map.hexes))
    tile = TileId(check_name("tile", found["tile"], title.land.tiles)) if found["tile"] else None
    return Station(hex_id, int(found["city"] or 0), tile, int(found["turn"] or 0))


COUSIN = name_field("cousin", "a cousin", "Which cousin?", lambda title: title.privates)
SIZE = TYPES["number of shares"]
LOANS = number("a number of loans", "How many loans?")
AMOUNT = replace(
    TYPES["sum"], noun="a sum", prompt="How much?", fillers=frozenset({*TYPES["sum"].fillers, "lobby", "with"})
)
HOLDER = FieldType("owner", "its holder", "From whom?", _read_seat, example=lambda title: "@2")
BUYERS = FieldType("purchase", msg("buyers"), "Who takes how many?", _read_purchase, example=lambda title: "@1:2")
SELLERS = replace(BUYERS, prompt="Bought back from whom?")
STATIONS = FieldType("station", "its stations", "Where are its stations?", _read_station, example=TYPES[HexId].example)


class FundLobby(Action, frozen=True, tag="fund"):
    """Put `amount` under a lobby marker, or raise the lobby that holds `lobby` to `amount` (§6.5.2.1)."""

    form: ClassVar[str] = "fund[ {lobby} to] {amount}"
    needs: ClassVar[Text] = "a sum, or a lobby's sum and the new sum"
    example: ClassVar[str] = "fund 120"
    is_sampled: ClassVar[bool] = True
    amount: Annotated[int, AMOUNT]
    lobby: Annotated[int, replace(TYPES["sum"], prompt="Raising which sum?")] = 0


class FloatCompany(Action, frozen=True, tag="float"):
    """Float `company` with this number of shares at `price`, with one or two stations, sold to these buyers
    (§6.6.2).
    """

    form: ClassVar[str] = "float {company} {shares} at {price} on {stations*} to {sales*}"
    example: ClassVar[str] = "float LSR 5 at 71 on G7=150/0 to @1:2"
    is_sampled: ClassVar[bool] = True
    company: CompanyId
    shares: Annotated[int, SIZE]
    price: Annotated[int, "par price"]
    stations: tuple[Annotated[Station, STATIONS], ...]
    sales: tuple[Annotated[Purchase, BUYERS], ...]


class IncreaseShares(Action, frozen=True, tag="increase"):
    """Increase a company to `shares` shares, sold to these buyers; `price` only for a private company (§6.5.2.2)."""

    form: ClassVar[str] = "increase {shares}[ at {price}][ to {sales*}]"
    needs: ClassVar[Text] = "a number of shares and buyers"
    example: ClassVar[str] = "increase 10 to @1:2 @2:1"
    is_sampled: ClassVar[bool] = True
    shares: Annotated[int, SIZE]
    price: Annotated[int, "par price"] = 0
    sales: tuple[Annotated[Purchase, BUYERS], ...] = ()


class RequestShare(Action, frozen=True, tag="ask"):
    """Buy a share from the player or cousin who holds it, if its player agrees (§6.5.2.4)."""

    form: ClassVar[str] = "ask {holder} for {company}"
    menu_name: ClassVar[str] = "AskForShare"
    holder: Annotated[Owner, replace(HOLDER, noun="a holder", read=_read_owner)]
    company: CompanyId


class OverPay(Action, frozen=True, tag="overpay"):
    """Pay `price` for a cousin instead of the smaller sum that was bid (§6.3.3)."""

    is_sampled: ClassVar[bool] = True
    cousin: Annotated[PrivateId, COUSIN]
    price: Annotated[int, replace(TYPES["sum"], noun="a sum")]


class TakeLots(Action, frozen=True, tag="take"):
    """Take some of the auctioned trains (§6.4.2)."""

    kinds: tuple[Annotated[str, replace(TYPES["train"], noun=msg("trains"), prompt="Which trains?")], ...]


class Decline(Action, frozen=True, tag="decline"):
    """Decline what was won, and be barred from the new auction (§10.4)."""


class ChooseDirector(Action, frozen=True, tag="director"):
    """Name which of the tied cousins directs the company whose shares were sold (§13.4)."""

    company: CompanyId
    cousin: Annotated[PrivateId, COUSIN]


class AssignTrain(Action, frozen=True, tag="assign"):
    """Give a future train of `holder` to the company in turn (§6.4.3)."""

    form: ClassVar[str] = "assign {kind} from {holder}"
    kind: Annotated[str, "train"]
    holder: Annotated[Owner, HOLDER]


class Contribute(Action, frozen=True, tag="contribute"):
    """Promise `amount` of the director's cash for the company's next train (§7.2.7); 0 takes it back."""

    is_sampled: ClassVar[bool] = True
    amount: Annotated[int, AMOUNT]


class UseCousin(Action, frozen=True, tag="use"):
    """Use a cousin's ability for these trains in this run (§14)."""

    form: ClassVar[str] = "use {cousin} for {trains*}"
    needs: ClassVar[Text] = "a cousin and train numbers"
    example: ClassVar[str] = "use VF for 2+-0"
    cousin: Annotated[PrivateId, COUSIN]
    trains: tuple[Annotated[str, replace(TYPES[str], prompt="For which trains?")], ...]


class ReduceShares(Action, frozen=True, tag="reduce_shares"):
    """Reduce a company to `shares` shares, bought back from the pool, then from these owners (§8.2).

    `loans` taken to pay for it; `into` a private company of the same director that it becomes part of.
    """

    form: ClassVar[str] = "decrease {shares}[ from {purchases*}][ loans {loans}][ into {into}]"
    example: ClassVar[str] = "decrease 5 from @2:1"
    is_sampled: ClassVar[bool] = True
    shares: Annotated[int, SIZE]
    purchases: tuple[Annotated[Purchase, SELLERS], ...] = ()
    loans: Annotated[int, LOANS] = 0
    into: Annotated[CompanyId | None, replace(TYPES[CompanyId], prompt="As part of what?", absent="of none")] = None


class IssueShares(Action, frozen=True, tag="issue"):
    """Issue shares of the treasury to the pool (§8.3)."""

    shares: Annotated[int, SIZE]


class Offer(Action, frozen=True, tag="offer"):
    """Put a company up for takeover (§8.4)."""

    company: CompanyId


class Acquire(Action, frozen=True, tag="acquire"):
    """Name the company that takes over what its director has won, with loans and an issue of shares (§8.4.3)."""

    needs: ClassVar[Text] = "loans and shares"
    loans: Annotated[int, LOANS] = 0
    shares: Annotated[int, SIZE] = 0


class GiveUpStation(Action, frozen=True, tag="give_up"):
    """Replace a station of the company by a British Rail marker (§8.4.3, §13.6), or drop an unplaced station."""

    form: ClassVar[str] = "abandon {hex}[.{city}]"
    hex: Annotated[HexId | None, replace(TYPES[HexId], noun="a hex or unplaced", none="unplaced")] = None
    city: Annotated[int, "city"] = 0


class Repay(Action, frozen=True, tag="repay"):
    """§7.2.9"""

    form: ClassVar[str] = "repay {loans}"
    loans: Annotated[int, LOANS] = 1


class PayCosts(Action, frozen=True, tag="pay_costs"):
    """Pay maintenance or interest; the director covers what the treasury lacks (§7.2.5, §7.2.8)."""

    form: ClassVar[str] = "cover"


class Neglect(Action, frozen=True, tag="neglect"):
    """Leave costs unpaid; the company goes into liquidation (§7.2.5, §7.2.8)."""
