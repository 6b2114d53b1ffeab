"""The verbs that more than one title knows: how each is written, and read back."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from bot.engine.data.actions import (
    Action,
    Answer,
    Bid,
    BuyPrivate,
    BuyShares,
    BuyTrain,
    DeclareBankruptcy,
    DiscardTrain,
    Dividend,
    Done,
    Exchange,
    LayTile,
    Par,
    Pass,
    PlaceToken,
    ReducePrice,
    Run,
    RunRoutes,
    SellShares,
    TakeLoan,
    Withdraw,
)
from bot.engine.ids import BANK, DEPOT, IPO, POOL, CompanyId, HexId, Owner, PrivateId, TileId, as_company, as_private
from bot.engine.play.title import Title
from bot.engine.refusals import Unreadable
from bot.engine.said import said

from .verb import Reader, Verb, check_name, near_words

NUMBER = re.compile(r"^(0|[1-9][0-9]{0,8})$")
SPACE = re.compile(r"^([A-Za-z]+[0-9]+)(\.[a-z]+[0-9]+)?$")


def actors(title: Title) -> list[str]:
    """Everybody who can act: companies, privates, as many seats as the title has."""
    return [*title.companies, *title.privates, *(f"@{number}" for number in range(1, title.players.stop))]


def _number(word: str) -> int | None:
    return int(word) if NUMBER.match(word) else None


def _company(title: Title, word: str) -> CompanyId:
    return as_company(check_name("company", word, title.companies))


def _private(title: Title, word: str) -> PrivateId:
    return as_private(check_name("private", word, title.privates))


def _train(title: Title, word: str) -> str:
    return check_name("train", word, title.trains)


def _hex(title: Title, word: str) -> HexId:
    return HexId(check_name("space", word, title.land.map.hexes))


def _tile(title: Title, word: str) -> TileId:
    return TileId(check_name("tile", word, title.land.tiles))


def _source(title: Title, word: str) -> Owner:
    return Owner(check_name("owner", word, [*actors(title), IPO, POOL, BANK, DEPOT]))


def _details(words: Sequence[str], names: Sequence[str]) -> tuple[list[str], dict[str, str] | None]:
    """The words before the first detail, and the details (`for 230`) by name; None when one has no value."""
    begin = next((index for index, word in enumerate(words) if word in names), len(words))
    rest = words[begin:]
    if len(rest) % 2 or any(word not in names for word in rest[::2]) or len({*rest[::2]}) < len(rest) // 2:
        return list(words[:begin]), None
    return list(words[:begin]), dict(zip(rest[::2], rest[1::2], strict=True))


def _alone(kinds: dict[str, Callable[[Owner], Action]]) -> Reader:
    """A reader of verbs that stand alone."""
    return lambda title, by, words: kinds[words[0]](by) if len(words) == 1 else None


def _read_reduce(title: Title, by: Owner, words: Sequence[str]) -> Action | None:
    return ReducePrice(by, _private(title, words[1])) if len(words) == 2 else None


def _read_bid(title: Title, by: Owner, words: Sequence[str]) -> Action | None:
    price = _number(words[2]) if len(words) == 3 else None
    return None if price is None else Bid(by, Owner(words[1]), price)


def _read_par(title: Title, by: Owner, words: Sequence[str]) -> Action | None:
    price = _number(words[2]) if len(words) == 3 else None
    return None if price is None else Par(by, _company(title, words[1]), price)


def _write_sell(action: SellShares) -> str:
    doubles = "" if action.doubles is None else f" doubles {action.doubles}"
    return f"sell {action.shares} {action.company}{doubles}"


def _read_sell(title: Title, by: Owner, words: Sequence[str]) -> Action | None:
    fields, details = _details(words[1:], ("doubles",))
    shares = _number(fields[0]) if len(fields) == 2 else None
    if shares is None or details is None:
        return None
    doubles = _number(details["doubles"]) if "doubles" in details else None
    if doubles is None and details:
        return None
    return SellShares(by, _company(title, fields[1]), shares, doubles)


def _helper(action: LayTile | PlaceToken) -> str:
    return f" with {action.using}" if action.using else ""


def _write_lay(action: LayTile) -> str:
    return f"lay {action.tile} {action.hex} {action.rotation}{_helper(action)}"


def _read_lay(title: Title, by: Owner, words: Sequence[str]) -> Action | None:
    fields, details = _details(words[1:], ("with",))
    if len(fields) != 3 or details is None:
        return None
    rotation = _number(fields[2])
    tile, hex_id = _tile(title, fields[0]), _hex(title, fields[1])
    if rotation is None or rotation > 5:
        raise Unreadable("A rotation is a number from 0 to 5, not {fields}.", "", fields[2])
    using = _private(title, details["with"]) if "with" in details else None
    return LayTile(by, tile, hex_id, rotation, using)


def _write_token(action: PlaceToken) -> str:
    city = f".{action.city}" if action.city else ""
    return f"token {action.hex}{city}{_helper(action)}"


def _read_token(title: Title, by: Owner, words: Sequence[str]) -> Action | None:
    fields, details = _details(words[1:], ("with",))
    if len(fields) != 1 or details is None:
        return None
    hex_id, dot, number = fields[0].partition(".")
    city = _number(number) if dot else 0
    using = _private(title, details["with"]) if "with" in details else None
    return None if city is None else PlaceToken(by, _hex(title, hex_id), city, using)


def _write_run(action: RunRoutes) -> str:
    routes = " ".join(f"{run.train}={'>'.join(run.path)}" for run in action.runs)
    return f"run {routes or 'nothing'}"


def _read_run(title: Title, by: Owner, words: Sequence[str]) -> Action | None:
    if len(words) < 2:
        return None
    if list(words[1:]) == ["nothing"]:
        return RunRoutes(by, ())
    return RunRoutes(by, tuple(_read_route(title, word) for word in words[1:]))


def _read_route(title: Title, word: str) -> Run:
    train, sign, path = word.partition("=")
    spaces = tuple(path.split(">"))
    if not train or not sign:
        raise Unreadable("{word} is no route; a route is written like: 2-0=H9.c0>H11.c0.", "", word)
    for space in spaces:
        found = SPACE.match(space)
        if not found:
            raise Unreadable(
                "{space} is no place on a route; places are written like: H11.c0 or G12.", "", space or said("Nothing")
            )
        _hex(title, found[1])
    return Run(train, spaces)


def _read_discard(title: Title, by: Owner, words: Sequence[str]) -> Action | None:
    return DiscardTrain(by, _train(title, words[1])) if len(words) == 2 else None


BUY_DETAILS = ("from", "for", "trade", "with")


def _read_buy_private(title: Title, by: Owner, words: Sequence[str]) -> Action | None:
    fields, details = _details(words[1:], BUY_DETAILS)
    if len(fields) != 1 or fields[0] not in title.privates:
        return None
    price = _number((details or {}).get("for", ""))
    if price is None or details is None or set(details) != {"for"}:
        raise Unreadable(
            "{fields} is bought for a price, for example: buy {fields2} for 150.", "", fields[0], fields[0]
        )
    return BuyPrivate(by, as_private(fields[0]), price)


def _write_buy_shares(action: BuyShares) -> str:
    number = f"{action.shares} " if action.shares != 1 else ""
    source = f" from {action.source}" if action.source != IPO else ""
    return f"buy {number}{action.company}{source}"


def _read_buy_shares(title: Title, by: Owner, words: Sequence[str]) -> Action | None:
    fields, details = _details(words[1:], BUY_DETAILS)
    if not fields or fields[-1] not in title.companies or len(fields) > 2:
        return None
    shares = _number(fields[0]) if len(fields) == 2 else 1
    if shares is None or details is None or not set(details) <= {"from"}:
        name = fields[-1]
        raise Unreadable(
            "Shares are bought at the market's price: buy {name}, buy {name2} from pool, buy 2 {name3}.",
            "",
            name,
            name,
            name,
        )
    return BuyShares(by, as_company(fields[-1]), _source(title, details.get("from", IPO)), shares)


def _read_exchange(title: Title, by: Owner, words: Sequence[str]) -> Action | None:
    fields, details = _details(words[1:], ("from",))
    if len(fields) != 1 or details is None:
        return None
    return Exchange(by, _private(title, fields[0]), _source(title, details.get("from", IPO)))


def _write_buy_train(action: BuyTrain) -> str:
    source = f" from {action.source}" if action.source != DEPOT else ""
    trade = f" trade {action.trade_in}" if action.trade_in else ""
    helper = f" with {action.using}" if action.using else ""
    return f"buy {action.kind}{source} for {action.price}{trade}{helper}"


def _read_buy_train(title: Title, by: Owner, words: Sequence[str]) -> Action | None:
    fields, details = _details(words[1:], BUY_DETAILS)
    if not fields or (fields[-1] in title.companies and len(fields) == 2) or fields[0] in title.privates:
        return None
    names = [*title.trains, *title.companies, *title.privates]
    if fields[0] not in title.trains or len(fields) > 1:
        wrong = next((field for field in fields if field not in names), None)
        if wrong:
            raise Unreadable("There is nothing called {wrong} to buy{near}.", "", wrong, near_words(wrong, names))
        raise Unreadable("One thing is bought at a time, not {things}.", "", " ".join(fields))
    price = _number((details or {}).get("for", ""))
    if price is None or details is None:
        raise Unreadable("A train is bought for a price, for example: buy {fields} for 230.", "", fields[0])
    trade = _train(title, details["trade"]) if "trade" in details else None
    using = _private(title, details["with"]) if "with" in details else None
    return BuyTrain(by, fields[0], price, _source(title, details.get("from", DEPOT)), trade, using)


def _same(word: str) -> Callable[[Any], str]:
    return lambda action: word


SHARED: dict[type[Action], Verb] = {
    Pass: Verb(("pass",), "", "pass", _same("pass"), _alone({"pass": Pass})),
    Done: Verb(("done",), "", "done", _same("done"), _alone({"done": Done})),
    ReducePrice: Verb(("reduce",), "a private", "reduce P4", lambda a: f"reduce {a.private}", _read_reduce),
    BuyPrivate: Verb(
        ("buy",),
        "a private with its price",
        "buy P4 for 150",
        lambda a: f"buy {a.private} for {a.price}",
        _read_buy_private,
    ),
    Bid: Verb(("bid",), "a lot and a price", "bid P4 175", lambda a: f"bid {a.lot} {a.price}", _read_bid),
    Par: Verb(("par",), "a company and a price", "par VR 90", lambda a: f"par {a.company} {a.price}", _read_par),
    BuyShares: Verb(("buy",), "a company", "buy VR from pool", _write_buy_shares, _read_buy_shares),
    SellShares: Verb(("sell",), "a number and a company", "sell 2 VR", _write_sell, _read_sell),
    LayTile: Verb(("lay",), "a tile, a space and a rotation", "lay 57 H11 1", _write_lay, _read_lay),
    PlaceToken: Verb(("token",), "a hex", "token G10", _write_token, _read_token),
    RunRoutes: Verb(("run",), "every train's route", "run 2-0=H9.c0>H11.c0", _write_run, _read_run),
    Dividend: Verb(
        ("pay", "withhold", "half"),
        "",
        "pay",
        lambda a: str(a.kind),
        _alone(
            {
                "pay": lambda by: Dividend(by, "pay"),
                "withhold": lambda by: Dividend(by, "withhold"),
                "half": lambda by: Dividend(by, "half"),
            }
        ),
    ),
    BuyTrain: Verb(("buy",), "a train with its price", "buy 3+ for 230", _write_buy_train, _read_buy_train),
    DiscardTrain: Verb(("discard",), "a train", "discard 3", lambda a: f"discard {a.kind}", _read_discard),
    TakeLoan: Verb(("loan",), "", "loan", _same("loan"), _alone({"loan": TakeLoan})),
    Answer: Verb(
        ("agree", "refuse"),
        "",
        "agree",
        lambda a: "agree" if a.agree else "refuse",
        _alone({"agree": lambda by: Answer(by, True), "refuse": lambda by: Answer(by, False)}),
    ),
    Withdraw: Verb(("withdraw",), "", "withdraw", _same("withdraw"), _alone({"withdraw": Withdraw})),
    Exchange: Verb(
        ("exchange",),
        "a private, and from where",
        "exchange P4 from pool",
        lambda a: f"exchange {a.private}{'' if a.source == IPO else f' from {a.source}'}",
        _read_exchange,
    ),
    DeclareBankruptcy: Verb(("bankrupt",), "", "bankrupt", _same("bankrupt"), _alone({"bankrupt": DeclareBankruptcy})),
}
"""The verbs that more than one title knows."""

BY_WORD: dict[str, tuple[Verb, ...]] = {
    word: tuple(verb for verb in SHARED.values() if word in verb.words)
    for word in dict.fromkeys(word for verb in SHARED.values() for word in verb.words)
}

FORMS: dict[str, str] = {word: ", ".join(verb.example for verb in verbs) for word, verbs in BY_WORD.items()}
"""Every shared verb with examples that can be adapted."""
