"""How the moves that 1820 has alone are written and read."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.engine.data.actions import Action
from bot.engine.ids import CompanyId, HexId, Owner, PrivateId, TileId, as_company, as_private
from bot.engine.play.title import Title
from bot.engine.refusals import Unreadable
from bot.engine.words.text import Verb, check_name

from .actions import (
    Acquire,
    AskForShare,
    AssignTrain,
    ChooseDirector,
    Contribute,
    Decline,
    FloatCompany,
    FundLobby,
    GiveUpStation,
    IncreaseShares,
    IssueShares,
    Neglect,
    Offer,
    OverPay,
    PayCosts,
    Purchase,
    ReduceShares,
    Repay,
    Station,
    TakeLots,
    UseCousin,
)

NUMBER = re.compile(r"^(0|[1-9][0-9]{0,8})$")


STATION = re.compile(r"^(?P<hex>[A-Z][0-9]+)(?:=(?P<tile>[A-Z]?[0-9]+)/(?P<turn>[0-5]))?(?:\.(?P<city>[1-9]))?$")


SEAT = re.compile(r"^@[1-9]$")


def number_of(word: str) -> int | None:
    """A plain number, or None."""
    return int(word) if NUMBER.match(word) else None


def company_of(title: Title, word: str) -> CompanyId:
    """A company's sign.

    :raises Unreadable: there is none.
    """
    return as_company(check_name("company", word, title.companies))


def owner_of(title: Title, word: str) -> Owner:
    """A seat or a cousin.

    :raises Unreadable: it is neither.
    """
    return Owner(word) if SEAT.match(word) else Owner(check_name("player or cousin", word, title.privates))


def pairs_of(words: Sequence[str]) -> list[tuple[str, int]] | None:
    """`@1:2 @2:1` as names with numbers; None when a word is none."""
    found = []
    for word in words:
        name, sign, number = word.rpartition(":")
        count = number_of(number)
        if not sign or not name or not count:
            return None
        found.append((name, count))
    return found


def _alone(kind: type[Action], word: str) -> Verb:
    return Verb((word,), "", word, lambda action: word, lambda title, by, words: kind(by) if len(words) == 1 else None)


def _write_fund(action: FundLobby) -> str:
    return f"fund {action.lobby} to {action.amount}" if action.lobby else f"fund {action.amount}"


def _read_fund(title: Title, by: Owner, words: Sequence[str]) -> Action | None:
    numbers = [number_of(word) for word in words[1::2]]
    if len(words) == 2 and numbers[0] is not None:
        return FundLobby(by, numbers[0])
    if len(words) == 4 and words[2] == "to" and numbers[0] and numbers[1]:
        return FundLobby(by, numbers[1], numbers[0])
    return None


def _write_station(station: Station) -> str:
    tile = f"={station.tile}/{station.rotation}" if station.tile else ""
    return f"{station.hex}{tile}" + (f".{station.city}" if station.city else "")


def _read_station(title: Title, word: str) -> Station:
    found = STATION.match(word)
    if not found:
        raise Unreadable("{word} is no place for a station; places are written like: G7, M15 or F6=57/0.", "", word)
    hex_id = HexId(check_name("space", found["hex"], title.land.map.hexes))
    tile = TileId(check_name("tile", found["tile"], title.land.tiles)) if found["tile"] else None
    return Station(hex_id, int(found["city"] or 0), tile, int(found["turn"] or 0))


def _write_sales(word: str, sales: Sequence[Purchase]) -> str:
    return f" {word} " + " ".join(f"{sale.buyer}:{sale.shares}" for sale in sales) if sales else ""


def _read_sales(title: Title, words: Sequence[str]) -> tuple[Purchase, ...]:
    pairs = pairs_of(words)
    if pairs is None:
        raise Unreadable("Who buys how many shares is written like: @1:2 @2:1.")
    return tuple(Purchase(owner_of(title, name), count) for name, count in pairs)


def _write_float(action: FloatCompany) -> str:
    places = " ".join(_write_station(station) for station in action.stations)
    sales = _write_sales("to", action.sales)
    return f"float {action.company} {action.shares} at {action.price} on {places}{sales}"


def _read_float(title: Title, by: Owner, words: Sequence[str]) -> Action | None:
    if len(words) < 9 or words[3] != "at" or words[5] != "on" or "to" not in words[6:]:
        return None
    shares, price = number_of(words[2]), number_of(words[4])
    if shares is None or price is None:
        return None
    to = list(words).index("to", 6)
    stations = tuple(_read_station(title, word) for word in words[6:to])
    return FloatCompany(by, company_of(title, words[1]), shares, price, stations, _read_sales(title, words[to + 1 :]))


def _write_increase(action: IncreaseShares) -> str:
    price = f" at {action.price}" if action.price else ""
    return f"increase {action.shares}{price}{_write_sales('to', action.sales)}"


def _read_increase(title: Title, by: Owner, words: Sequence[str]) -> Action | None:
    if len(words) < 2:
        return None
    shares, rest, price = number_of(words[1]), list(words[2:]), 0
    if rest[:1] == ["at"] and len(rest) > 1:
        price, rest = number_of(rest[1]) or 0, rest[2:]
        if not price:
            return None
    if shares is None or (rest and rest[0] != "to"):
        return None
    return IncreaseShares(by, shares, price, _read_sales(title, rest[1:]))


def _read_ask(title: Title, by: Owner, words: Sequence[str]) -> Action | None:
    if len(words) != 4 or words[2] != "for":
        return None
    return AskForShare(by, owner_of(title, words[1]), company_of(title, words[3]))


def _cousin(title: Title, word: str) -> PrivateId:
    return as_private(check_name("cousin", word, title.privates))


def _train(title: Title, word: str) -> str:
    return check_name("train", word, title.trains)


def _read_overpay(title: Title, by: Owner, words: Sequence[str]) -> Action | None:
    price = number_of(words[2]) if len(words) == 3 else None
    return None if price is None else OverPay(by, _cousin(title, words[1]), price)


def _read_take(title: Title, by: Owner, words: Sequence[str]) -> Action | None:
    return TakeLots(by, tuple(_train(title, word) for word in words[1:])) if len(words) > 1 else None


def _read_director(title: Title, by: Owner, words: Sequence[str]) -> Action | None:
    if len(words) != 3:
        return None
    return ChooseDirector(by, company_of(title, words[1]), _cousin(title, words[2]))


def _read_assign(title: Title, by: Owner, words: Sequence[str]) -> Action | None:
    if len(words) != 4 or words[2] != "from" or not SEAT.match(words[3]):
        return None
    return AssignTrain(by, _train(title, words[1]), Owner(words[3]))


def _read_use(title: Title, by: Owner, words: Sequence[str]) -> Action | None:
    return UseCousin(by, _cousin(title, words[1]), tuple(words[3:])) if len(words) > 3 and words[2] == "for" else None


def _write_reduce(action: ReduceShares) -> str:
    bought = _write_sales("from", action.purchases)
    loans = f" loans {action.loans}" if action.loans else ""
    into = f" into {action.into}" if action.into else ""
    return f"decrease {action.shares}{bought}{loans}{into}"


def _read_reduce(title: Title, by: Owner, words: Sequence[str]) -> Action | None:
    if len(words) < 2:
        return None
    shares, rest = number_of(words[1]), list(words[2:])
    into = None
    if len(rest) > 1 and rest[-2] == "into":
        into, rest = company_of(title, rest[-1]), rest[:-2]
    loans: int | None = 0
    if len(rest) > 1 and rest[-2] == "loans":
        loans, rest = number_of(rest[-1]), rest[:-2]
    if shares is None or loans is None or (rest and rest[0] != "from"):
        return None
    return ReduceShares(by, shares, _read_sales(title, rest[1:]), loans, into)


def _read_contribute(title: Title, by: Owner, words: Sequence[str]) -> Action | None:
    amount = number_of(words[1]) if len(words) == 2 else None
    return None if amount is None else Contribute(by, amount)


def _read_issue(title: Title, by: Owner, words: Sequence[str]) -> Action | None:
    shares = number_of(words[1]) if len(words) == 2 else None
    return None if shares is None else IssueShares(by, shares)


def _read_offer(title: Title, by: Owner, words: Sequence[str]) -> Action | None:
    return Offer(by, company_of(title, words[1])) if len(words) == 2 else None


def _write_acquire(action: Acquire) -> str:
    loans = f" loans {action.loans}" if action.loans else ""
    return f"acquire{loans}" + (f" shares {action.shares}" if action.shares else "")


def _read_acquire(title: Title, by: Owner, words: Sequence[str]) -> Action | None:
    found = dict(zip(words[1::2], words[2::2], strict=False))
    numbers = {name: number_of(word) for name, word in found.items()}
    if len(words) % 2 == 0 or set(found) - {"loans", "shares"} or None in numbers.values():
        return None
    return Acquire(by, numbers.get("loans", 0) or 0, numbers.get("shares", 0) or 0)


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


def _read_repay(title: Title, by: Owner, words: Sequence[str]) -> Action | None:
    loans = number_of(words[1]) if len(words) == 2 else None
    return None if loans is None else Repay(by, loans)


FORMS = {
    FundLobby: Verb(("fund",), "a sum, or a lobby's sum and the new one", "fund 120", _write_fund, _read_fund),
    FloatCompany: Verb(
        ("float",),
        "a company, a number of shares, a price, stations and buyers",
        "float LSR 5 at 71 on G7=150/0 to @1:2",
        _write_float,
        _read_float,
    ),
    IncreaseShares: Verb(
        ("increase",), "a number of shares and buyers", "increase 10 to @1:2 @2:1", _write_increase, _read_increase
    ),
    AskForShare: Verb(
        ("ask",), "a holder and a company", "ask @2 for LSR", lambda a: f"ask {a.holder} for {a.company}", _read_ask
    ),
    OverPay: Verb(
        ("overpay",), "a cousin and a sum", "overpay VF 150", lambda a: f"overpay {a.cousin} {a.price}", _read_overpay
    ),
    TakeLots: Verb(("take",), "trains", "take 2+ 3+", lambda a: f"take {' '.join(a.kinds)}", _read_take),
    Decline: _alone(Decline, "decline"),
    ChooseDirector: Verb(
        ("director",),
        "a company and a cousin",
        "director LSR VF",
        lambda a: f"director {a.company} {a.cousin}",
        _read_director,
    ),
    AssignTrain: Verb(
        ("assign",),
        "a train and its holder",
        "assign 3+ from @2",
        lambda a: f"assign {a.kind} from {a.holder}",
        _read_assign,
    ),
    Contribute: Verb(("contribute",), "a sum", "contribute 150", lambda a: f"contribute {a.amount}", _read_contribute),
    UseCousin: Verb(
        ("use",),
        "a cousin and numbers of trains",
        "use VF for 2+-0",
        lambda a: f"use {a.cousin} for {' '.join(a.trains)}",
        _read_use,
    ),
    ReduceShares: Verb(("decrease",), "a number of shares", "decrease 5 from @2:1", _write_reduce, _read_reduce),
    IssueShares: Verb(("issue",), "a number of shares", "issue 2", lambda a: f"issue {a.shares}", _read_issue),
    Offer: Verb(("offer",), "a company", "offer LSR", lambda a: f"offer {a.company}", _read_offer),
    Acquire: Verb(("acquire",), "loans and shares", "acquire loans 2 shares 1", _write_acquire, _read_acquire),
    GiveUpStation: Verb(("abandon",), "a space or unplaced", "abandon G7", _write_give_up, _read_give_up),
    Repay: Verb(("repay",), "a number of loans", "repay 2", lambda a: f"repay {a.loans}", _read_repay),
    PayCosts: _alone(PayCosts, "cover"),
    Neglect: _alone(Neglect, "neglect"),
}
"""The text form of each."""
