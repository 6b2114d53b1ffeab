"""Standing orders: what a player has decided in advance; what each does on a position stands in `deciding`.

An order is plain data and looks only at the position; it never knows more than its owner could see. It acts, waits, or
ends with a reason. Money is never spent beyond what its owner has named, and nothing is done once the situation has
changed in a way that the owner wanted to hear of.
"""

from __future__ import annotations

import msgspec
from msgspec import Struct

from bot.engine import DEPOT, CompanyId, IllegalMove, Message, Owner, PlayerId, join_or, join_values, msg
from bot.engine.notation import money, near_words
from bot.engine.play import Game
from bot.engine.play.holdings import president_of, price_of, share_unit
from bot.service.plans.plan import AutoReply

WAKE = {
    "sale": "somebody sells shares",
    "buy": "somebody buys shares",
    "start": "a company is started",
    "phase": "a new phase begins",
    "trains": "a train leaves the bank",
    "price": "the price of a company I hold changes",
    "president": "another player takes a company over",
}
"""Events that may wake a passing player."""

REVENUE = {
    "pay": "pay it out",
    "withhold": "withhold it",
    "half": "pay half of it out",
    "ask": "ask for the dividend",
}

QUESTIONS = ("undo", "end", "replace", "computer", "skip", "fine")


class Baseline(Struct, frozen=True):
    """The situation when an order was given: holdings as `owner percent` by company, `None` for no price; `units`
    are the percents of one share by company, none in older orders.
    """

    round: str
    phase: str
    trains: int
    holdings: dict[str, dict[str, int]]
    presidents: dict[str, str]
    prices: dict[str, int]
    units: dict[str, int] = {}

    def shares(self, company: str, unit: int) -> dict[str, int]:
        """The number of shares of a company that each owner held; `unit` percent each where it is not known."""
        size = self.units.get(company, unit)
        return {owner: percent // size for owner, percent in self.holdings.get(company, {}).items()}


def seen_now(game: Game) -> Baseline:
    companies = [company for company in game.state.companies.values() if not company.closed]
    return Baseline(
        round_key(game),
        game.state.phase,
        sum(1 for train in game.state.trains if train.owner == DEPOT),
        {company.id: holdings(game, company.id) for company in companies},
        {company.id: president_of(company) or "" for company in companies},
        {company.id: price_of(game, company.id) for company in companies if company.position is not None},
        {company.id: share_unit(company) for company in companies},
    )


def round_key(game: Game) -> str:
    now = game.state.round
    return f"{now.kind} {now.number}.{now.part}"


def holdings(game: Game, company: CompanyId) -> dict[str, int]:
    held: dict[str, int] = {}
    for certificate in game.company(company).certificates:
        held[certificate.owner] = held.get(certificate.owner, 0) + certificate.percent
    return held


# -- kinds --------------------------------------------------------------------------------------------


class PassUntil(Struct, frozen=True, tag="pass"):
    """Pass in this round (or in every round: `rounds` "all") until one of the events in `wake` has happened.

    `companies` limits the events to some companies; none means all.
    """

    seen: Baseline
    wake: tuple[str, ...] = ()
    companies: tuple[str, ...] = ()
    rounds: str = "this"


class BuyUntil(Struct, frozen=True, tag="buy"):
    """Buy a share of `company` each turn until `percent` are held, for at most `most` each, from `source` if named."""

    seen: Baseline
    company: str
    percent: int
    most: int = 0
    source: str = ""


class BidUpTo(Struct, frozen=True, tag="bid"):
    """Bid the least that is possible on `lot`, or buy it, up to `most`."""

    seen: Baseline
    lot: str
    most: int
    last: int = 0


class RunCompany(Struct, frozen=True, tag="operate"):
    """Run a company: `track`, `token`, `trains` and `other` are `none` (pass) or `ask`; `run` is `best` or `ask`;
    `revenue` is pay, withhold, half or ask. `guards` say what ends it: trains, route, price."""

    seen: Baseline
    company: str
    track: str = "none"
    token: str = "none"
    run: str = "best"
    revenue: str = "pay"
    trains: str = "none"
    other: str = "none"
    expected: int = 0
    guards: tuple[str, ...] = ("trains", "route")


Order = PassUntil | BuyUntil | BidUpTo | RunCompany | AutoReply


def order_of(data: dict[str, object]) -> Order:
    found: Order = msgspec.convert(data, Order)
    return found


def is_order(data: object) -> bool:
    try:
        msgspec.convert(data, Order)
    except msgspec.ValidationError:
        return False
    return True


def data_of(order: Order) -> dict[str, object]:
    found: dict[str, object] = msgspec.to_builtins(order)
    return found


def check_order(game: Game, player: PlayerId, order: Order) -> None:
    """Refuse an order that makes no sense.

    :raises IllegalMove: with the reason.
    """
    if isinstance(order, PassUntil):
        wrong = next((word for word in order.wake if word not in WAKE), None)
        if wrong is not None:
            raise IllegalMove("There is no event {name}; you can choose: {events}.", "", wrong[:20], ", ".join(WAKE))
    for name in (
        *getattr(order, "companies", ()),
        *([order.company] if isinstance(order, BuyUntil | RunCompany) else ()),
    ):
        if name not in game.state.companies:
            raise IllegalMove(
                "There is no company {name}{suggestions}.", "", name[:20], near_words(name, game.state.companies)
            )
    if isinstance(order, BuyUntil) and not 0 < order.percent <= 100:
        raise IllegalMove("A percentage is between 1 and 100.")
    if isinstance(order, BidUpTo):
        lots = [*game.state.privates, *game.state.companies, *game.title.trains]
        if order.lot not in lots:
            raise IllegalMove(
                "There is no {lot} to bid for{suggestions}.", "", order.lot[:20], near_words(order.lot, lots)
            )
        if order.most <= 0:
            raise IllegalMove("A maximum must be above 0.")
    if isinstance(order, RunCompany):
        if game.controller_of(Owner(order.company)) != player:
            raise IllegalMove("You do not run {company}.", "", order.company)
        choices = {
            "track": ("none", "ask"),
            "token": ("none", "ask"),
            "run": ("best", "ask"),
            "revenue": ("pay", "withhold", "half", "ask"),
            "trains": ("none", "ask"),
            "other": ("none", "ask"),
        }
        for field, known in choices.items():
            if getattr(order, field) not in known:
                raise IllegalMove("For {field} you can say: {known}.", "", field, ", ".join(known))
        if not set(order.guards) <= {"trains", "route", "price"}:
            raise IllegalMove("A standing order can end at: trains, route, price.")


# -- words --------------------------------------------------------------------------------------------


def described(game: Game, order: Order) -> Message:
    if isinstance(order, PassUntil):
        where = msg("in every round" if order.rounds == "all" else "until this round ends")
        wakes = join_or(msg(WAKE[word]) for word in order.wake)
        if not order.wake:
            return msg("Pass {where}.", where)
        if not order.companies:
            return msg("Pass {where}, unless {wakes}.", where, wakes)
        return msg("Pass {where}, unless {wakes} ({companies}).", where, wakes, ", ".join(order.companies))
    if isinstance(order, BuyUntil):
        price = msg(" for at most {money} each", money(game, order.most)) if order.most else ""
        source = msg({"ipo": " from the bank", "pool": " from the pool"}.get(order.source, ""))
        return msg(
            "Buy {company}{source}{price} until you hold {percent}%.", order.company, source, price, order.percent
        )
    if isinstance(order, BidUpTo):
        return msg("Bid on {lot} up to {money}.", order.lot, money(game, order.most))
    if isinstance(order, RunCompany):
        parts = {
            "none": {"track": "no track", "token": "no token", "trains": "no train", "other": ""},
            "ask": {"track": "ask for track", "token": "ask for the token", "trains": "ask for trains", "other": ""},
        }
        told = [parts[getattr(order, field)][field] for field in ("track", "token", "trains")]
        told.insert(2, "best routes" if order.run == "best" else "ask for routes")
        told.insert(3, REVENUE[order.revenue])
        how = join_values(", ", map(msg, told))
        guards = {
            "trains": "a train leaves the bank or a phase begins",
            "route": "it would earn less",
            "price": "its price falls",
        }
        if not order.guards:
            return msg("Run {company}: {how}.", order.company, how)
        ends = join_or(msg(guards[guard]) for guard in order.guards)
        return msg("Run {company}: {how}; until {ends}.", order.company, how, ends)
    least = msg(" from {money} on", money(game, order.least)) if order.least else ""
    if order.most:
        return msg("Agree to every offer{least}, and pay up to {money}.", least, money(game, order.most))
    about = msg(" to {about}", msg(order.about)) if order.about else ""
    template = "Always agree{about}{least}." if order.agree else "Always refuse{about}{least}."
    return msg(template, about, least)
