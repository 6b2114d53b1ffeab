"""The verbs that more than one title knows: how each is written, and read back."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.engine import BANK, DEPOT, IPO, POOL, Owner, ParseError, as_company, as_private, msg
from bot.engine.play import Title
from bot.engine.state import actions

from .verb import (
    Verb,
    check_name,
    company_arg,
    hex_arg,
    near_words,
    number_arg,
    phrase,
    private_arg,
    tile_arg,
    train_arg,
    word_arg,
)

SPACE = re.compile(r"^([A-Za-z]+[0-9]+)(\.[a-z]+[0-9]+)?$")


def actors(title: Title) -> list[str]:
    return [*title.companies, *title.privates, *(f"@{number}" for number in range(1, title.players.stop))]


def _source(title: Title, word: str) -> Owner:
    return Owner(check_name("owner", word, [*actors(title), IPO, POOL, BANK, DEPOT]))


def _details(words: Sequence[str], names: Sequence[str]) -> tuple[list[str], dict[str, str] | None]:
    """The words before the first detail, and the details (`for 230`) by name; None when one has no value."""
    begin = next((index for index, word in enumerate(words) if word in names), len(words))
    rest = words[begin:]
    if len(rest) % 2 or any(word not in names for word in rest[::2]) or len({*rest[::2]}) < len(rest) // 2:
        return list(words[:begin]), None
    return list(words[:begin]), dict(zip(rest[::2], rest[1::2], strict=True))


def rotation_arg(title: Title, word: str) -> int:
    """:raises ParseError: it is not valid."""
    rotation = number_arg(title, word)
    if rotation is None or rotation > 5:
        raise ParseError("A rotation is a number from 0 to 5, not {word}.", "", word)
    return rotation


def _write_run(action: actions.RunRoutes) -> str:
    routes = " ".join(f"{run.train}={'>'.join(run.path)}" for run in action.runs)
    return f"run {routes or 'nothing'}"


def _read_run(title: Title, by: Owner, words: Sequence[str]) -> actions.Action | None:
    if len(words) < 2:
        return None
    if list(words[1:]) == ["nothing"]:
        return actions.RunRoutes(by, ())
    return actions.RunRoutes(by, tuple(_read_route(title, word) for word in words[1:]))


def _read_route(title: Title, word: str) -> actions.Run:
    train, sign, path = word.partition("=")
    spaces = tuple(path.split(">"))
    if not train or not sign:
        raise ParseError("{word} is not a route; write a route like this: 2-0=H9.c0>H11.c0.", "", word)
    for space in spaces:
        found = SPACE.match(space)
        if not found:
            raise ParseError(
                "{space} is not a stop of a route; write stops like H11.c0 or G12.", "", space or msg("Nothing")
            )
        hex_arg(title, found[1])
    return actions.Run(train, spaces)


BUY_DETAILS = ("from", "for", "trade", "with")


def _read_buy_private(title: Title, by: Owner, words: Sequence[str]) -> actions.Action | None:
    fields, details = _details(words[1:], BUY_DETAILS)
    if len(fields) != 1 or fields[0] not in title.privates:
        return None
    price = number_arg(title, (details or {}).get("for", ""))
    if price is None or details is None or set(details) != {"for"}:
        raise ParseError("Add a price for {private}, for example: buy {same} for 150.", "", fields[0], fields[0])
    return actions.BuyPrivate(by, as_private(fields[0]), price)


def _write_buy_shares(action: actions.BuyShares) -> str:
    number = f"{action.shares} " if action.shares != 1 else ""
    source = f" from {action.source}" if action.source != IPO else ""
    return f"buy {number}{action.company}{source}"


def _read_buy_shares(title: Title, by: Owner, words: Sequence[str]) -> actions.Action | None:
    fields, details = _details(words[1:], BUY_DETAILS)
    if not fields or fields[-1] not in title.companies or len(fields) > 2:
        return None
    shares = number_arg(title, fields[0]) if len(fields) == 2 else 1
    if shares is None or details is None or not set(details) <= {"from"}:
        name = fields[-1]
        raise ParseError(
            "Shares cost their market price: buy {first}, buy {second} from pool, buy 2 {third}.",
            "",
            name,
            name,
            name,
        )
    return actions.BuyShares(by, as_company(fields[-1]), _source(title, details.get("from", IPO)), shares)


def _write_buy_train(action: actions.BuyTrain) -> str:
    source = f" from {action.source}" if action.source != DEPOT else ""
    trade = f" trade {action.trade_in}" if action.trade_in else ""
    helper = f" with {action.using}" if action.using else ""
    return f"buy {action.kind}{source} for {action.price}{trade}{helper}"


def _read_buy_train(title: Title, by: Owner, words: Sequence[str]) -> actions.Action | None:
    fields, details = _details(words[1:], BUY_DETAILS)
    if not fields or (fields[-1] in title.companies and len(fields) == 2) or fields[0] in title.privates:
        return None
    names = [*title.trains, *title.companies, *title.privates]
    if fields[0] not in title.trains or len(fields) > 1:
        wrong = next((field for field in fields if field not in names), None)
        if wrong:
            raise ParseError("There is no {name} to buy{near}.", "", wrong, near_words(wrong, names))
        raise ParseError("Buy one item at a time, not {items}.", "", " ".join(fields))
    price = number_arg(title, (details or {}).get("for", ""))
    if price is None or details is None:
        raise ParseError("Add a price for the train, for example: buy {train} for 230.", "", fields[0])
    trade = train_arg(title, details["trade"]) if "trade" in details else None
    using = private_arg(title, details["with"]) if "with" in details else None
    return actions.BuyTrain(by, fields[0], price, _source(title, details.get("from", DEPOT)), trade, using)


SHARED: dict[type[actions.Action], Verb] = {
    actions.Pass: phrase(actions.Pass, "pass"),
    actions.Done: phrase(actions.Done, "done"),
    actions.ReducePrice: phrase(actions.ReducePrice, "reduce {private}", "a private", "reduce P4", private=private_arg),
    actions.BuyPrivate: Verb(
        ("buy",),
        "a private with its price",
        "buy P4 for 150",
        lambda a: f"buy {a.private} for {a.price}",
        _read_buy_private,
    ),
    actions.Bid: phrase(
        actions.Bid, "bid {lot} {price}", "a lot and a price", "bid P4 175", lot=word_arg, price=number_arg
    ),
    actions.Par: phrase(
        actions.Par,
        "par {company} {price}",
        "a company and a price",
        "par VR 90",
        company=company_arg,
        price=number_arg,
    ),
    actions.BuyShares: Verb(("buy",), "a company", "buy VR from pool", _write_buy_shares, _read_buy_shares),
    actions.SellShares: phrase(
        actions.SellShares,
        "sell {shares} {company}[ doubles {doubles}]",
        "a number and a company",
        "sell 2 VR",
        shares=number_arg,
        company=company_arg,
        doubles=number_arg,
    ),
    actions.LayTile: phrase(
        actions.LayTile,
        "lay {tile} {hex} {rotation}[ with {using}]",
        "a tile, a hex and a rotation",
        "lay 57 H11 1",
        tile=tile_arg,
        hex=hex_arg,
        rotation=rotation_arg,
        using=private_arg,
    ),
    actions.PlaceToken: phrase(
        actions.PlaceToken,
        "token {hex}[.{city}][ with {using}]",
        "a hex",
        "token G10",
        hex=hex_arg,
        city=number_arg,
        using=private_arg,
    ),
    actions.RunRoutes: Verb(("run",), "every train's route", "run 2-0=H9.c0>H11.c0", _write_run, _read_run),
    actions.Dividend: Verb(
        ("pay", "withhold", "half"),
        "",
        "pay",
        lambda a: str(a.kind),
        lambda title, by, words: actions.Dividend(by, words[0]) if len(words) == 1 else None,  # type: ignore[arg-type]
    ),
    actions.BuyTrain: Verb(("buy",), "a train with its price", "buy 3+ for 230", _write_buy_train, _read_buy_train),
    actions.DiscardTrain: phrase(actions.DiscardTrain, "discard {kind}", "a train", "discard 3", kind=train_arg),
    actions.TakeLoan: phrase(actions.TakeLoan, "loan"),
    actions.Answer: Verb(
        ("agree", "refuse"),
        "",
        "agree",
        lambda a: "agree" if a.agree else "refuse",
        lambda title, by, words: actions.Answer(by, words[0] == "agree") if len(words) == 1 else None,
    ),
    actions.Withdraw: phrase(actions.Withdraw, "withdraw"),
    actions.Exchange: phrase(
        actions.Exchange,
        "exchange {private}[ from {source}]",
        "a private, and from where",
        "exchange P4 from pool",
        private=private_arg,
        source=_source,
    ),
    actions.DeclareBankruptcy: phrase(actions.DeclareBankruptcy, "bankrupt"),
}

BY_WORD: dict[str, tuple[Verb, ...]] = {
    word: tuple(verb for verb in SHARED.values() if word in verb.words)
    for word in dict.fromkeys(word for verb in SHARED.values() for word in verb.words)
}

FORMS: dict[str, str] = {word: ", ".join(verb.example for verb in verbs) for word, verbs in BY_WORD.items()}
"""Every shared verb with examples that can be adapted."""
