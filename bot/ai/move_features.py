"""The facts of a candidate move that the learned prior weighs (`prior`): a few numbers by name, the same for all titles.

Sums of money are compared with a hundred, or with the player's cash, so that titles of different scales are alike.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import asinh, log
from typing import Any

from bot.engine import DEPOT, IPO, POOL, CompanyId, HexId, PrivateId, is_player
from bot.engine.play.holdings import certificate_count, counted_trains, price_of, share_unit
from bot.engine.state import (
    Action,
    Bid,
    BuyPrivate,
    BuyShares,
    BuyTrain,
    Dividend,
    Done,
    LayTile,
    Par,
    Pass,
    PlaceToken,
    ReducePrice,
    SellShares,
    StockTurnMemory,
)

from .bid_scores import bound_cash, lot_value
from .company_forecast import affordable_kinds, kinds_of, kinds_on_sale, outlook, rounds_left
from .evaluation import float_percent
from .explanation_facts import SOON, until_rust
from .move_evaluator import UNLIKELY, Evaluator, ScoredMove, verb_of
from .places import place_values
from .title_parameters import auction_reserve, usual_start

HUNDRED = 100.0
"""Sums are in hundreds, which fits the prices of all titles."""

MOST_RATIO = 3.0
"""Ratios above this are not told apart."""

OTHERS_PART = 1 / 3
"""The part of the others' cash that people count on when they start a company."""

Features = dict[str, float]


def situation_of(judge: Evaluator, actions: Sequence[Action]) -> str:
    """The kind of decision: the name of the weights that judge it."""
    verbs = {type(action) for action in actions}
    game = judge.game
    if Dividend in verbs:
        return "dividend"
    if verbs & {Bid, ReducePrice} or any(is_outright(judge, action) for action in actions):
        return "auction"
    if game.state.round.kind == "stock" and verbs & {BuyShares, SellShares, Par}:
        return "stock"
    named = {BuyTrain: "train", LayTile: "track", PlaceToken: "token"}
    return next((name for verb, name in named.items() if verb in verbs), "other")


def is_outright(judge: Evaluator, action: Action) -> bool:
    """Whether a player buys a private of the bank."""
    return (
        isinstance(action, BuyPrivate)
        and is_player(action.by)
        and judge.game.state.privates[action.private].owner is None
    )


def features_of(judge: Evaluator, ranked: Sequence[ScoredMove]) -> list[Features]:
    """The features of all candidates of a decision; `ranked` is sorted, best first."""
    table = CandidateTable(judge, ranked)
    ranks, found = Counter[str](), []
    best: dict[str, float] = {}
    for overall, one in enumerate(ranked):
        verb, value = verb_of(one.action), plain_score(one)
        best.setdefault(verb, value)
        told = {
            "rank": log(1 + overall),
            "first": float(overall == 0),
            verb: 1.0,
            f"{verb} rank": log(1 + ranks[verb]),
            f"{verb} first": float(ranks[verb] == 0),
            f"{verb} gain": asinh(value / HUNDRED),
            f"{verb} behind": asinh((best[verb] - value) / HUNDRED),
            f"{verb} unlikely": float(one.score < UNLIKELY / 2),
        }
        ranks[verb] += 1
        own = OWN_FEATURES.get(type(one.action))
        if own is not None:
            told |= {f"{verb} {name}": value for name, value in own(table, one)}
        found.append({name: value for name, value in told.items() if value})
    return found


def plain_score(one: ScoredMove) -> float:
    """The gain of a move without the mark of a move that is only listed."""
    return one.score - UNLIKELY if UNLIKELY * 2 < one.score < UNLIKELY / 2 else max(one.score, -1000.0)


def ratio(part: float, whole: float) -> float:
    return min(MOST_RATIO, part / whole) if whole > 0 else MOST_RATIO * (part > 0)


@dataclass(frozen=True)
class CandidateTable:
    """The position with what is the same for all candidates."""

    judge: Evaluator
    ranked: Sequence[ScoredMove]

    @property
    def game(self) -> Any:
        return self.judge.game

    @cached_property
    def cash(self) -> int:
        found: int = self.game.state.cash[self.judge.seat]
        return found

    @cached_property
    def turn(self) -> StockTurnMemory:
        memories = (frame.memory for frame in reversed(self.game.state.flow))
        return next((memory for memory in memories if isinstance(memory, StockTurnMemory)), StockTurnMemory())

    @cached_property
    def actions(self) -> Sequence[Action]:
        return [one.action for one in self.ranked]

    @cached_property
    def places(self) -> Mapping[CompanyId, float]:
        return place_values(self.game)

    @cached_property
    def room(self) -> int:
        """Certificates below the limit."""
        limit: int = self.game.title.rules.certificate_limit(self.game, self.judge.seat)
        return limit - certificate_count(self.game, self.judge.seat)

    @cached_property
    def start_prices(self) -> Mapping[CompanyId, Sequence[int]]:
        found: dict[CompanyId, list[int]] = {}
        for action in self.actions:
            if isinstance(action, Par):
                found.setdefault(action.company, []).append(action.price)
        return {company: sorted(prices) for company, prices in found.items()}

    @cached_property
    def usual_launch(self) -> float:
        """The money that floats another company at the usual price; 0 without companies to start."""
        records = self.game.state.companies.values()
        waiting = [one for one in records if one.par is None and not one.closed and one.has_president]
        return usual_start(self.game) * launch_shares(self, waiting[0].id) if waiting else 0.0

    @cached_property
    def first_lays(self) -> Mapping[HexId, Action]:
        """The best lay of every hex."""
        return {action.hex: action for action in reversed(self.actions) if isinstance(action, LayTile)}

    @cached_property
    def most_sold(self) -> Mapping[CompanyId, int]:
        """The most shares of every company that can be sold at once."""
        found: dict[CompanyId, int] = {}
        for action in self.actions:
            if isinstance(action, SellShares):
                found[action.company] = max(found.get(action.company, 0), action.shares)
        return found

    @cached_property
    def lateness(self) -> float:
        return 1 / (1 + rounds_left(self.game) / 4)

    @cached_property
    def cheapest(self) -> int:
        """The least that a share or a start on offer costs; 0 without any."""
        costs = [cost for action in self.actions if (cost := self.cost_of(action))]
        return min(costs, default=0)

    @cached_property
    def next_price(self) -> int:
        """Of the bank's next train."""
        kinds = kinds_on_sale(self.game)
        return int(self.game.title.trains[kinds[0]].price) if kinds else 0

    def cost_of(self, action: Action) -> int:
        game = self.game
        if isinstance(action, BuyShares):
            return action.shares * int(price_of(game, action.company) or game.company(action.company).par or 0)
        return 2 * action.price if isinstance(action, Par) else 0

    def most_of_others(self, company: CompanyId) -> int:
        record = self.game.company(company)
        return max((record.percent_held_by(one) for one in self.game.state.order if one != self.judge.seat), default=0)


Named = Iterator[tuple[str, float]]


def of_shares(table: CandidateTable, company: CompanyId) -> Named:
    """Facts of a company whose shares are bought or sold."""
    game, seat = table.game, table.judge.seat
    record, price = game.company(company), price_of(game, company)
    seen, unit = outlook(game, company, table.judge.horizon), share_unit(record)
    held = record.percent_held_by(seat)
    yield "held", held / 100
    yield "presides", float(game.controller_of(company) == seat)
    yield "orphan", float(game.controller_of(company) is None)
    yield "floated", float(record.floated)
    yield "trainless", float(record.floated and not kinds_of(game, company))
    yield "price", price / HUNDRED
    yield "yield", ratio(seen.income * unit / 100, price)
    yield "pays", ratio(seen.dividends * unit / 100, price)
    yield "lacks", asinh(seen.missing / HUNDRED)
    yield "contested", float(0 < held <= table.most_of_others(company) + unit)
    yield "sold", float(company in table.turn.sold)


def of_purchase(table: CandidateTable, one: ScoredMove) -> Named:
    action: Any = one.action
    record = table.game.company(action.company)
    held, added = record.percent_held_by(table.judge.seat), action.shares * share_unit(record)
    others, price = table.most_of_others(action.company), table.cost_of(action)
    yield from of_shares(table, action.company)
    yield "size", float(action.shares)
    yield "pool", float(action.source == POOL)
    yield "takes", float(held + added > others >= held)
    yield "launches", float(not record.floated and table.game.controller_of(action.company) == table.judge.seat)
    yield "cost", ratio(price, table.cash)
    yield "last money", float(table.cash - price < table.cheapest)
    yield "last place", float(table.room <= 1)
    yield "late", table.lateness
    yield "again", float(action.company in table.turn.bought)
    yield "after sale", float(bool(table.turn.sold))
    yield "initial", float(action.source == IPO)


def of_start(table: CandidateTable, one: ScoredMove) -> Named:
    action: Any = one.action
    prices = table.start_prices[action.company]
    others = sum(table.game.state.cash[player] for player in table.game.state.order if player != table.judge.seat)
    record = table.game.company(action.company)
    needed = launch_shares(table, action.company)
    alone = [price for price in prices if needed * price <= table.cash]
    helped = [price for price in prices if needed * price <= table.cash + OTHERS_PART * others]
    capital = action.price * 100 / share_unit(record)
    places = [table.places[company] for company in table.start_prices]
    yield "price", action.price / HUNDRED
    yield "level", prices.index(action.price) / max(1, len(prices) - 1)
    yield "highest", float(action.price == prices[-1])
    yield "least", float(action.price == prices[0])
    yield "floats unaided", float(action.price in alone)
    yield "highest unaided", float(bool(alone) and action.price == alone[-1])
    yield "floats helped", float(action.price in helped)
    yield "highest helped", float(bool(helped) and action.price == helped[-1])
    yield "cost", ratio(needed * action.price, table.cash)
    yield "trains", ratio(capital, table.next_price) if table.next_price else 0.0
    yield "place", table.places[action.company] / max(1.0, *places)
    yield "best place", float(table.places[action.company] == max(places))
    yield "after sale", float(bool(table.turn.sold))
    yield "late", table.lateness


def launch_shares(table: CandidateTable, company: CompanyId) -> int:
    """The number of shares that must be bought until a company floats that nobody has started."""
    record = table.game.company(company)
    return -(-float_percent(table.game, record) // share_unit(record))


def of_sale(table: CandidateTable, one: ScoredMove) -> Named:
    action: Any = one.action
    record = table.game.company(action.company)
    unit, held = share_unit(record), record.percent_held_by(table.judge.seat)
    left, others = held - action.shares * unit, table.most_of_others(action.company)
    brought = action.shares * price_of(table.game, action.company)
    presides = table.game.controller_of(action.company) == table.judge.seat
    yield from of_shares(table, action.company)
    yield "size", action.shares / 10
    yield "single", float(action.shares == 1)
    yield "whole", float(left == 0)
    yield "most", float(action.shares == table.most_sold[action.company])
    yield "dumps", float(presides and left < others)
    yield "keeps", float(presides and left >= others)
    yield "brings", brought / HUNDRED
    yield "gains", max(-1.0, min(1.0, plain_score(one) / max(1, brought)))
    yield "swaps", float(one.then is not None)
    yield "enables", float(table.cash < table.usual_launch <= table.cash + brought)
    yield "after sale", float(bool(table.turn.sold))
    yield "after purchase", float(bool(table.turn.bought))
    yield "poor", float(table.cheapest == 0)
    yield "above limit", float(table.room < 0)
    yield "late", table.lateness


def of_pass(table: CandidateTable, one: ScoredMove) -> Named:
    """The facts of passing that belong to the situation."""
    game, step = table.game, table.game.step
    yield "cash", asinh(table.cash / HUNDRED)
    yield "late", table.lateness
    yield "options", log(1 + len(table.ranked))
    if game.state.round.kind == "stock":
        yield "can buy", float(0 < table.cheapest <= table.cash)
        yield "spare", ratio(table.cash, table.cheapest) if table.cheapest else 0.0
        yield "bought", float(bool(table.turn.bought))
        yield "after sale", float(bool(table.turn.sold))
        yield "full", float(table.room <= 0)
        yield "launch", ratio(table.cash, table.usual_launch) if table.usual_launch else 0.0
    elif step is not None and BuyTrain in step.verbs and not is_player(one.action.by):
        yield from of_treasury(table, CompanyId(one.action.by))


def of_treasury(table: CandidateTable, company: CompanyId) -> Named:
    """The trains of the company in turn, and its money for more."""
    game, cash = table.game, table.game.state.cash[company]
    trains = counted_trains(game, company)
    number, rusty = until_rust(game, [company])
    yield "trainless", float(not kinds_of(game, company))
    yield "full", float(len(trains) >= game.title.rules.train_limit(game, company))
    yield "affords", float(bool(affordable_kinds(game, cash)))
    yield "treasury", ratio(cash, table.next_price)
    yield "rusts next", float(bool(rusty) and number == 0)
    yield "rusts soon", float(bool(rusty) and number <= SOON)


def of_train(table: CandidateTable, one: ScoredMove) -> Named:
    action: Any = one.action
    game, company = table.game, CompanyId(action.by)
    is_traded = action.source in game.state.companies
    is_own = is_traded and game.controller_of(action.source) == table.judge.seat
    cash, printed = game.state.cash[company], game.title.trains[action.kind].price
    yield from of_treasury(table, company)
    yield "bank", float(action.source == DEPOT)
    yield "own", float(is_own)
    yield "rival", float(is_traded and not is_own)
    if is_traded:
        yield "for one", float(action.price == 1)
        yield "whole treasury", float(action.price == cash)
        yield "discount", ratio(action.price, printed)
        yield "bares", float(len(kinds_of(game, CompanyId(action.source))) < 2)
    yield "trades in", float(bool(action.trade_in))
    yield "helped", float(action.price > cash)
    yield "lasts", float(game.title.trains[action.kind].rusts_on is None)


def of_private(table: CandidateTable, one: ScoredMove) -> Named:
    """A player buys from the bank at an auction, or a company buys."""
    action: Any = one.action
    game = table.game
    printed = game.title.privates[action.private]
    if is_player(action.by):
        value = lot_value(game, action.private)
        yield "worth", (value - action.price) / HUNDRED
        yield "dear", float(action.price > value)
        yield "cost", ratio(action.price, table.cash)
        yield "outright", 1.0
        return
    company = CompanyId(action.by)
    low, high = printed.price_range or (action.price, action.price)
    left = game.state.cash[company] - action.price
    yield from of_treasury(table, company)
    yield "own", float(game.private(action.private).owner == table.judge.seat)
    yield "most", float(action.price == high or left == 0)
    yield "level", (action.price - low) / max(1, high - low)
    yield "cost", ratio(action.price, action.price + left)
    yield "train left", float(left >= table.next_price)
    yield "price", action.price / HUNDRED
    yield "late", table.lateness


def of_bid(table: CandidateTable, one: ScoredMove) -> Named:
    action: Any = one.action
    game, seat = table.game, table.judge.seat
    if action.lot not in game.title.privates:
        return
    printed, value = game.title.privates[action.lot], lot_value(game, PrivateId(action.lot))
    same = [other.price for other in table.actions if isinstance(other, Bid) and other.lot == action.lot]
    spare = table.cash - bound_cash(game, seat, action.lot) - action.price - auction_reserve(game)
    lots = {lot.sign: lot for lot in game.title.words.lots(game)}
    lot = lots.get(action.lot)
    yield "worth", (value - action.price) / HUNDRED
    yield "dear", float(action.price > value)
    yield "least", float(action.price == min(same))
    yield "printed", ratio(action.price, printed.price)
    yield "spare", asinh(spare / HUNDRED)
    yield "contested", float(lot is not None and (lot.leader or lot.waiting) not in (None, {}))
    yield "again", float(lot is not None and lot.bid_of(seat) > 0)
    yield "size", printed.price / HUNDRED


def of_cut(table: CandidateTable, one: ScoredMove) -> Named:
    action: Any = one.action
    prices = {other.private: other.price for other in table.actions if isinstance(other, BuyPrivate)}
    printed, value = table.game.title.privates[action.private].price, lot_value(table.game, action.private)
    price = prices.get(action.private, table.game.state.privates[action.private].price)
    yield "printed", ratio(price, printed)
    yield "above", (price - value) / HUNDRED
    yield "size", printed / HUNDRED


def of_dividend(table: CandidateTable, one: ScoredMove) -> Named:
    action: Any = one.action
    company = CompanyId(action.by)
    record = table.game.company(company)
    kind = action.kind
    yield kind, 1.0
    for name, value in of_treasury(table, company):
        yield f"{kind} {name}", value
    yield f"{kind} late", table.lateness
    yield f"{kind} held", record.percent_held_by(table.judge.seat) / 100
    yield f"{kind} gain", asinh(plain_score(one) / HUNDRED)


def of_build(table: CandidateTable, one: ScoredMove) -> Named:
    now, later, stops = one.gains
    yield "now", asinh(now / 10)
    yield "later", asinh(later / 10)
    yield "stops", max(-1.0, min(3.0, stops))
    yield "idle", float(now <= 0 and later <= 0)
    yield "trainless", float(not is_player(one.action.by) and not kinds_of(table.game, CompanyId(one.action.by)))


def of_lay(table: CandidateTable, one: ScoredMove) -> Named:
    action: Any = one.action
    land, board = table.game.board_rules, table.game.state.board
    yield from of_build(table, one)
    yield "upgrade", float(action.hex in board.tiles)
    yield "stop", float(bool(land.tile_at(board, action.hex).nodes))
    yield "home", float(not is_player(action.by) and action.hex in table.game.title.companies[action.by].home)
    yield "same hex", float(table.first_lays[action.hex] != action)


OWN_FEATURES: Mapping[type[Action], Callable[[CandidateTable, ScoredMove], Named]] = {
    Bid: of_bid,
    BuyPrivate: of_private,
    BuyShares: of_purchase,
    BuyTrain: of_train,
    Dividend: of_dividend,
    Done: of_pass,
    LayTile: of_lay,
    Par: of_start,
    Pass: of_pass,
    PlaceToken: of_build,
    ReducePrice: of_cut,
    SellShares: of_sale,
}
"""The facts that only moves of a verb have."""
