"""The moves that 1820 has alone, and how they are written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

from msgspec import Struct

from bot.engine.data.actions import Action
from bot.engine.ids import CompanyId, HexId, Owner, PrivateId, TileId, as_private
from bot.engine.play.title import Title
from bot.engine.refusals import Unreadable
from bot.engine.words.verb import Verb, a_company, a_number, a_space, a_tile, a_train, as_written, check_name, written

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


def _write_fund(action: FundLobby) -> str:
    return f"fund {action.lobby} to {action.amount}" if action.lobby else f"fund {action.amount}"


def _read_fund(title: Title, by: Owner, words: Sequence[str]) -> Action | None:
    numbers = [a_number(title, word) for word in words[1::2]]
    if len(words) == 2 and numbers[0] is not None:
        return FundLobby(by, numbers[0])
    if len(words) == 4 and words[2] == "to" and numbers[0] and numbers[1]:
        return FundLobby(by, numbers[1], numbers[0])
    return None


class FundLobby(Action, frozen=True, tag="fund"):
    """Put `amount` under a lobby marker, or raise the lobby that holds `lobby` to `amount` (§6.5.2.1)."""

    is_sampled: ClassVar[bool] = True
    amount: int
    lobby: int = 0
    form: ClassVar[Verb] = Verb(
        ("fund",), "a sum, or a lobby's sum and the new one", "fund 120", _write_fund, _read_fund
    )


class Purchase(Struct, frozen=True):
    """Somebody's part in an agreed sale of shares."""

    buyer: Owner
    shares: int


def _write_sales(word: str, sales: Sequence[Purchase]) -> str:
    return f" {word} " + " ".join(f"{sale.buyer}:{sale.shares}" for sale in sales) if sales else ""


def _read_sales(title: Title, words: Sequence[str]) -> tuple[Purchase, ...]:
    """`@1:2 @2:1`"""
    found = []
    for word in words:
        name, sign, number = word.rpartition(":")
        count = a_number(title, number)
        if not sign or not name or not count:
            raise Unreadable("Who buys how many shares is written like: @1:2 @2:1.")
        found.append((name, count))
    return tuple(Purchase(an_owner(title, name), count) for name, count in found)


class Station(Struct, frozen=True):
    """Where a new company places a station: in an open circle, or in one that this tile makes (§6.6.2.4)."""

    hex: HexId
    city: int = 0
    tile: TileId | None = None
    rotation: int = 0


def _write_station(station: Station) -> str:
    tile = f"={station.tile}/{station.rotation}" if station.tile else ""
    return f"{station.hex}{tile}" + (f".{station.city}" if station.city else "")


def _read_station(title: Title, word: str) -> Station:
    found = STATION.match(word)
    if not found:
        raise Unreadable("{word} is no place for a station; places are written like: G7, M15 or F6=57/0.", "", word)
    hex_id = a_space(title, found["hex"])
    tile = a_tile(title, found["tile"]) if found["tile"] else None
    return Station(hex_id, int(found["city"] or 0), tile, int(found["turn"] or 0))


def _write_float(action: FloatCompany) -> str:
    places = " ".join(_write_station(station) for station in action.stations)
    sales = _write_sales("to", action.sales)
    return f"float {action.company} {action.shares} at {action.price} on {places}{sales}"


def _read_float(title: Title, by: Owner, words: Sequence[str]) -> Action | None:
    if len(words) < 9 or words[3] != "at" or words[5] != "on" or "to" not in words[6:]:
        return None
    shares, price = a_number(title, words[2]), a_number(title, words[4])
    if shares is None or price is None:
        return None
    to = list(words).index("to", 6)
    stations = tuple(_read_station(title, word) for word in words[6:to])
    return FloatCompany(by, a_company(title, words[1]), shares, price, stations, _read_sales(title, words[to + 1 :]))


class FloatCompany(Action, frozen=True, tag="float"):
    """Float `company` with so many shares at `price`, with one or two stations, sold to these buyers (§6.6.2)."""

    is_sampled: ClassVar[bool] = True
    company: CompanyId
    shares: int
    price: int
    stations: tuple[Station, ...]
    sales: tuple[Purchase, ...]
    form: ClassVar[Verb] = Verb(
        ("float",),
        "a company, a number of shares, a price, stations and buyers",
        "float LSR 5 at 71 on G7=150/0 to @1:2",
        _write_float,
        _read_float,
    )


def _write_increase(action: IncreaseShares) -> str:
    price = f" at {action.price}" if action.price else ""
    return f"increase {action.shares}{price}{_write_sales('to', action.sales)}"


def _read_increase(title: Title, by: Owner, words: Sequence[str]) -> Action | None:
    if len(words) < 2:
        return None
    shares, rest, price = a_number(title, words[1]), list(words[2:]), 0
    if rest[:1] == ["at"] and len(rest) > 1:
        price, rest = a_number(title, rest[1]) or 0, rest[2:]
        if not price:
            return None
    if shares is None or (rest and rest[0] != "to"):
        return None
    return IncreaseShares(by, shares, price, _read_sales(title, rest[1:]))


class IncreaseShares(Action, frozen=True, tag="increase"):
    """A company takes the larger number of `shares`, sold to these buyers; `price` for a private one (§6.5.2.2)."""

    is_sampled: ClassVar[bool] = True
    shares: int
    price: int = 0
    sales: tuple[Purchase, ...] = ()
    form: ClassVar[Verb] = Verb(
        ("increase",), "a number of shares and buyers", "increase 10 to @1:2 @2:1", _write_increase, _read_increase
    )


@written("ask {holder} for {company}", "a holder and a company", "ask @2 for LSR", holder=an_owner, company=a_company)
class AskForShare(Action, frozen=True, tag="ask"):
    """Buy a share from the player or cousin who holds it, if its player agrees (§6.5.2.4)."""

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


def _write_reduce(action: ReduceShares) -> str:
    bought = _write_sales("from", action.purchases)
    loans = f" loans {action.loans}" if action.loans else ""
    into = f" into {action.into}" if action.into else ""
    return f"decrease {action.shares}{bought}{loans}{into}"


def _read_reduce(title: Title, by: Owner, words: Sequence[str]) -> Action | None:
    if len(words) < 2:
        return None
    shares, rest = a_number(title, words[1]), list(words[2:])
    into = None
    if len(rest) > 1 and rest[-2] == "into":
        into, rest = a_company(title, rest[-1]), rest[:-2]
    loans: int | None = 0
    if len(rest) > 1 and rest[-2] == "loans":
        loans, rest = a_number(title, rest[-1]), rest[:-2]
    if shares is None or loans is None or (rest and rest[0] != "from"):
        return None
    return ReduceShares(by, shares, _read_sales(title, rest[1:]), loans, into)


class ReduceShares(Action, frozen=True, tag="reduce_shares"):
    """A company takes a smaller number of `shares`, bought back from the pool, then from these owners (§8.2).

    `loans` taken to pay for it; `into` a private company of the same director that it becomes part of.
    """

    is_sampled: ClassVar[bool] = True
    shares: int
    purchases: tuple[Purchase, ...] = ()
    loans: int = 0
    into: CompanyId | None = None
    form: ClassVar[Verb] = Verb(
        ("decrease",), "a number of shares", "decrease 5 from @2:1", _write_reduce, _read_reduce
    )


@written("issue {shares}", "a number of shares", "issue 2", shares=a_number)
class IssueShares(Action, frozen=True, tag="issue"):
    """Issue shares of the treasury to the pool (§8.3)."""

    shares: int


@written("offer {company}", "a company", "offer LSR", company=a_company)
class Offer(Action, frozen=True, tag="offer"):
    """Put a company up for takeover (§8.4)."""

    company: CompanyId


def _write_acquire(action: Acquire) -> str:
    loans = f" loans {action.loans}" if action.loans else ""
    return f"acquire{loans}" + (f" shares {action.shares}" if action.shares else "")


def _read_acquire(title: Title, by: Owner, words: Sequence[str]) -> Action | None:
    found = dict(zip(words[1::2], words[2::2], strict=False))
    numbers = {name: a_number(title, word) for name, word in found.items()}
    if len(words) % 2 == 0 or set(found) - {"loans", "shares"} or None in numbers.values():
        return None
    return Acquire(by, numbers.get("loans", 0) or 0, numbers.get("shares", 0) or 0)


class Acquire(Action, frozen=True, tag="acquire"):
    """Be the company that takes over what its director has won, with loans and an issue of shares (§8.4.3)."""

    loans: int = 0
    shares: int = 0
    form: ClassVar[Verb] = Verb(
        ("acquire",), "loans and shares", "acquire loans 2 shares 1", _write_acquire, _read_acquire
    )


def _write_give_up(action: GiveUpStation) -> str:
    place = f"{action.hex}" + (f".{action.city}" if action.city else "") if action.hex else "unplaced"
    return f"abandon {place}"


def _read_give_up(title: Title, by: Owner, words: Sequence[str]) -> Action | None:
    if len(words) != 2:
        return None
    if words[1] == "unplaced":
        return GiveUpStation(by)
    station = _read_station(title, words[1])
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

    is_due: ClassVar[bool] = True


@written("neglect")
class Neglect(Action, frozen=True, tag="neglect"):
    """Not pay what is due; the company goes into liquidation (§7.2.5, §7.2.8)."""
