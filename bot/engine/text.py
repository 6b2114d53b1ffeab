"""The one text form of every action, and back: `VR lay 57 H11 2`.

Who acts stands first. The forms that begin alike (`buy …`) are told apart by what they name: privates, companies and
trains of a title never share a name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from .actions import (
    Action,
    Answer,
    Bid,
    BuyPrivate,
    BuyShares,
    BuyTrain,
    DiscardTrain,
    Dividend,
    Done,
    LayTile,
    Par,
    Pass,
    PlaceToken,
    ReducePrice,
    Run,
    RunRoutes,
    SellShares,
    TakeLoan,
)
from .ids import DEPOT, IPO, CompanyId, HexId, Owner, PrivateId, TileId
from .refusals import Unreadable
from .title import Title


def text_of(action: Action) -> str:
    """The action's text form.

    :raises TypeError: no form is known for this kind of action.
    """
    return f"{action.by} {WRITERS[type(action)](action)}"


def _lay(action: LayTile) -> str:
    helper = f" with {action.using}" if action.using else ""
    return f"lay {action.tile} {action.hex} {action.rotation}{helper}"


def _buy_shares(action: BuyShares) -> str:
    number = f"{action.shares} " if action.shares != 1 else ""
    source = f" from {action.source}" if action.source != IPO else ""
    return f"buy {number}{action.company}{source}"


def _buy_train(action: BuyTrain) -> str:
    source = f" from {action.source}" if action.source != DEPOT else ""
    trade = f" trade {action.trade_in}" if action.trade_in else ""
    helper = f" with {action.using}" if action.using else ""
    return f"buy {action.kind}{source} for {action.price}{trade}{helper}"


def _run(action: RunRoutes) -> str:
    routes = " ".join(f"{run.train}={'>'.join(run.path)}" for run in action.runs)
    return f"run {routes or 'nothing'}"


WRITERS: dict[type[Action], Callable[..., str]] = {
    Pass: lambda action: "pass",
    Done: lambda action: "done",
    ReducePrice: lambda action: f"reduce {action.private}",
    BuyPrivate: lambda action: f"buy {action.private} for {action.price}",
    Bid: lambda action: f"bid {action.lot} {action.price}",
    Par: lambda action: f"par {action.company} {action.price}",
    BuyShares: _buy_shares,
    SellShares: lambda action: f"sell {action.shares} {action.company}",
    LayTile: _lay,
    PlaceToken: lambda action: f"token {action.hex}" + (f".{action.city}" if action.city else ""),
    RunRoutes: _run,
    Dividend: lambda action: action.kind,
    BuyTrain: _buy_train,
    DiscardTrain: lambda action: f"discard {action.kind}",
    TakeLoan: lambda action: "loan",
    Answer: lambda action: "agree" if action.agree else "refuse",
}

FORMS: dict[str, str] = {
    "pass": "pass",
    "done": "done",
    "reduce": "reduce P4",
    "bid": "bid P4 175",
    "par": "par VR 90",
    "buy": "buy VR, buy VR from pool, buy P4 for 150, buy 3+ for 230, buy 3 from CAR for 1",
    "sell": "sell 2 VR",
    "lay": "lay 57 H11 2",
    "token": "token G10",
    "run": "run 2-0=H11.c0>G10.c0",
    "pay": "pay",
    "withhold": "withhold",
    "half": "half",
    "discard": "discard 3",
    "loan": "loan",
    "agree": "agree",
    "refuse": "refuse",
}
"""Every verb with an example that can be adapted."""

PATH = re.compile(r"^[A-Za-z]+\d+(\.[a-z]\d+)?$")


def action_of(title: Title, text: str) -> Action:
    """Read a text form.

    :raises Unreadable: it is none; the sentence says what is missing.
    """
    words = text.split()
    if len(words) < 2:
        raise Unreadable("A move names who acts and what is done, for example: VR lay 57 H11 2.")
    by, verb, rest = Owner(words[0]), words[1], words[2:]
    reader = READERS.get(verb)
    if reader is None:
        raise Unreadable(f"There is no move called {verb}.")
    action = reader(title, by, rest)
    if action is None:
        raise Unreadable(f"{' '.join(words[1:])} is not complete; write it like: {FORMS[verb]}.")
    return action


def _plain(kind: Callable[[Owner], Action]) -> Callable[[Title, Owner, Sequence[str]], Action | None]:
    return lambda title, by, rest: None if rest else kind(by)


def _read_reduce(title: Title, by: Owner, rest: Sequence[str]) -> Action | None:
    return ReducePrice(by, PrivateId(Owner(rest[0]))) if len(rest) == 1 else None


def _read_bid(title: Title, by: Owner, rest: Sequence[str]) -> Action | None:
    return Bid(by, Owner(rest[0]), int(rest[1])) if len(rest) == 2 and rest[1].isdecimal() else None


def _read_par(title: Title, by: Owner, rest: Sequence[str]) -> Action | None:
    return Par(by, CompanyId(Owner(rest[0])), int(rest[1])) if len(rest) == 2 and rest[1].isdecimal() else None


def _read_sell(title: Title, by: Owner, rest: Sequence[str]) -> Action | None:
    return SellShares(by, CompanyId(Owner(rest[1])), int(rest[0])) if len(rest) == 2 and rest[0].isdecimal() else None


def _read_lay(title: Title, by: Owner, rest: Sequence[str]) -> Action | None:
    fields, details = _details(rest, ("with",))
    if len(fields) != 3 or not fields[2].isdecimal() or details is None:
        return None
    using = details.get("with")
    helper = PrivateId(Owner(using)) if using else None
    return LayTile(by, TileId(fields[0]), HexId(fields[1]), int(fields[2]), helper)


def _read_token(title: Title, by: Owner, rest: Sequence[str]) -> Action | None:
    if len(rest) != 1:
        return None
    hex_id, _, city = rest[0].partition(".")
    return PlaceToken(by, HexId(hex_id), int(city or 0)) if not city or city.isdecimal() else None


def _read_run(title: Title, by: Owner, rest: Sequence[str]) -> Action | None:
    if not rest:
        return None
    if list(rest) == ["nothing"]:
        return RunRoutes(by, ())
    runs = []
    for word in rest:
        train, sign, path = word.partition("=")
        spaces = tuple(path.split(">"))
        if not sign or not all(PATH.match(space) for space in spaces):
            return None
        runs.append(Run(train, spaces))
    return RunRoutes(by, tuple(runs))


def _read_discard(title: Title, by: Owner, rest: Sequence[str]) -> Action | None:
    return DiscardTrain(by, rest[0]) if len(rest) == 1 else None


def _read_buy(title: Title, by: Owner, rest: Sequence[str]) -> Action | None:
    fields, details = _details(rest, ("from", "for", "trade", "with"))
    if details is None or not fields:
        return None
    name, price = fields[-1], details.get("for")
    if price is not None and not price.isdecimal():
        return None
    if name in title.privates and len(fields) == 1:
        return BuyPrivate(by, PrivateId(Owner(name)), int(price)) if price else None
    if name in title.companies:
        return _read_shares(by, fields, details)
    if name not in title.trains:
        raise Unreadable(f"There is no {name} to buy: no company, private or train has that name.")
    if len(fields) != 1 or price is None:
        return None
    using = details.get("with")
    helper = PrivateId(Owner(using)) if using else None
    return BuyTrain(by, name, int(price), Owner(details.get("from", DEPOT)), details.get("trade"), helper)


def _read_shares(by: Owner, fields: Sequence[str], details: dict[str, str]) -> Action | None:
    if not set(details) <= {"from"} or len(fields) > 2 or (len(fields) == 2 and not fields[0].isdecimal()):
        return None
    number = int(fields[0]) if len(fields) == 2 else 1
    return BuyShares(by, CompanyId(Owner(fields[-1])), Owner(details.get("from", IPO)), number)


def _details(words: Sequence[str], names: Sequence[str]) -> tuple[list[str], dict[str, str] | None]:
    """The words before the first detail, and the details (`for 230`) by name; None when one has no value."""
    begin = next((index for index, word in enumerate(words) if word in names), len(words))
    rest = words[begin:]
    if len(rest) % 2 or any(word not in names for word in rest[::2]):
        return list(words[:begin]), None
    return list(words[:begin]), dict(zip(rest[::2], rest[1::2], strict=True))


READERS: dict[str, Callable[[Title, Owner, Sequence[str]], Action | None]] = {
    "pass": _plain(Pass),
    "done": _plain(Done),
    "loan": _plain(TakeLoan),
    "pay": _plain(lambda by: Dividend(by, "pay")),
    "withhold": _plain(lambda by: Dividend(by, "withhold")),
    "half": _plain(lambda by: Dividend(by, "half")),
    "agree": _plain(lambda by: Answer(by, True)),
    "refuse": _plain(lambda by: Answer(by, False)),
    "reduce": _read_reduce,
    "bid": _read_bid,
    "par": _read_par,
    "sell": _read_sell,
    "lay": _read_lay,
    "token": _read_token,
    "run": _read_run,
    "discard": _read_discard,
    "buy": _read_buy,
}
