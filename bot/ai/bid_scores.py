"""Auctions: what a lot is worth, and how far to go."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine import CompanyId, Owner, PlayerId, PrivateId, Rejected
from bot.engine.play import Game
from bot.engine.state import Bid, BuyPrivate, Pass, ReducePrice

from .company_forecast import horizon, private_rounds
from .move_evaluator import Evaluator, ScoredMove, evenly_spaced
from .title_parameters import auction_reserve, parameters_of

MOST_PASSES = 8

PREMIUM = 1.2
"""Most a private is worth, as a multiple of its printed price: money spent early starts no company."""

STRIDE, LEAST_RAISE = 0.4, 5
"""How far a bid goes towards the worth of a lot that is fought for, and the step of all bids."""

MOST_LOTS = 9

WORTH_ITS_PRICE = 2.0
"""The score of a private at the price that people pay: above that of lowering a price, which is above passing."""

MARGIN = 0.06
"""Minimum gain of a bid, as a fraction of the price."""


FUTURE = 0.4
"""Value to a player of a train bought early and given to a company later, as a fraction of its price."""

OPENING = 50.0
"""Extra value of having one more company."""

ALL_IN, LEAST_LOT = 0.5, 100
"""The part of a player's money that goes into one company, as long as the rest could open another; and the cost of
that."""


def score_bids(judge: Evaluator, actions: list[Bid]) -> list[ScoredMove]:
    """The lowest bid on each lot the player does not already lead, and a higher bid on a contested lot."""
    by_lot: dict[Owner, list[Bid]] = {}
    for action in sorted(actions, key=lambda bid: bid.price):
        by_lot.setdefault(action.lot, []).append(action)
    some = evenly_spaced([bids for bids in by_lot.values() if not leads(judge.game, bids[0])], MOST_LOTS)
    chosen = [bid for bids in some for bid in dict.fromkeys((*lowest_bid(judge.game, bids), raised_bid(judge, bids)))]
    return [score_bid(judge, bid) for bid in chosen]


def lowest_bid(game: Game, bids: Sequence[Bid]) -> Sequence[Bid]:
    """People raise by the least step where they know what a lot is worth; else a computer does not haggle."""
    return bids[:1] if bids[0].lot in parameters_of(game).paid else ()


def raised_bid(judge: Evaluator, bids: Sequence[Bid]) -> Bid:
    """A bid that goes a part of the way to what the lot is worth, where it is fought for: few steps instead of many."""
    game, lowest = judge.game, bids[0]
    printed = game.title.privates.get(PrivateId(lowest.lot))
    under_hammer = getattr(game.state.special, "lot", None) is not None
    room: float = 0
    if lowest.lot in game.title.trains:
        room = auctioned_train_value(game, lowest.lot) - lowest.price
    elif printed is not None and lowest.price > printed.price + LEAST_RAISE:
        room = lot_value(game, printed.id) - lowest.price
    elif under_hammer and lowest.lot in game.state.companies:
        room = next((bid.price - lowest.price for bid in reversed(bids[1:]) if score_bid(judge, bid).score > 0), 0)
    higher = Bid(lowest.by, lowest.lot, lowest.price + LEAST_RAISE * int(max(0, room) * STRIDE / LEAST_RAISE))
    return higher if game.allows(higher) else lowest


def score_bid(judge: Evaluator, bid: Bid) -> ScoredMove:
    game = judge.game
    if bid.lot in game.title.trains:
        return ScoredMove(bid, auctioned_train_value(game, bid.lot) - bid.price)
    if bid.lot not in game.state.privates:
        is_all_in = bid.price > ALL_IN * game.state.cash[judge.seat] >= LEAST_LOT
        opens = OPENING if game.company(CompanyId(bid.lot)).position is None else 0.0
        return ScoredMove(bid, -1.0 if is_all_in else opens + gain_if_won(judge, bid) - MARGIN * bid.price)
    value = lot_value(game, PrivateId(bid.lot)) - bid.price
    if not keeps_reserve(game, judge.seat, bid) and any(keeps_reserve(game, one, bid) for one in game.state.order):
        value = min(value, -1.0)
    return ScoredMove(bid, value)


def keeps_reserve(game: Game, player: PlayerId, bid: Bid) -> bool:
    """Whether a player who bid that much could still start a company. Who cannot leaves a lot to those who can; where nobody can, all
    would pass for ever.
    """
    return game.state.cash[player] - bound_cash(game, player, bid.lot) - bid.price >= auction_reserve(game)


def auctioned_train_value(game: Game, kind: str) -> float:
    return FUTURE * game.title.trains[kind].price


def lot_value(game: Game, private: PrivateId) -> float:
    """The price that people pay for a private; where that is not known its income plus the price a company will pay for it, and at
    least its printed value."""
    if private in parameters_of(game).paid:
        return parameters_of(game).paid[private]
    noun = game.title.privates[private]
    extra = parameters_of(game).extras.get(private, 0)
    if not noun.income:
        return extra
    high = noun.price_range[1] if noun.price_range else noun.price
    value = noun.income * private_rounds(game, horizon(game)) + 0.5 * high
    return extra + max(1.05 * noun.price, min(value, PREMIUM * noun.price))


def bound_cash(game: Game, player: PlayerId, lot: Owner) -> int:
    others = [one for one in game.title.words.lots(game) if one.sign != lot]
    return sum(one.bid if one.leader == player else one.waiting.get(player, 0) for one in others)


def leads(game: Game, bid: Bid) -> bool:
    if game.title.bidder is not None and game.title.bidder(game, bid.lot) == bid.by:
        return True
    return any(lot.sign == bid.lot and lot.leader == bid.by for lot in game.title.words.lots(game))


def gain_if_won(judge: Evaluator, bid: Bid) -> float:
    trial = judge.game.copy()
    judge.looks += 1
    trial.apply(bid)
    for _ in range(MOST_PASSES):
        step, asked = trial.step, trial.players_to_act()
        if step is None or Bid not in step.verbs or Pass not in step.verbs or judge.seat in asked or not asked:
            break
        try:
            trial.apply(Pass(asked[0]))
        except Rejected:
            break
    return judge.advantage(trial) - judge.base


def score_auction_purchases(judge: Evaluator, actions: Sequence[BuyPrivate]) -> list[ScoredMove]:
    paid = parameters_of(judge.game).paid
    return [
        ScoredMove(action, paid[action.private] - action.price + WORTH_ITS_PRICE)
        if action.private in paid
        else ScoredMove(action, judge.gain(action) - MARGIN * action.price)
        for action in actions
    ]


def score_price_cuts(game: Game, cuts: Sequence[ReducePrice], purchases: Sequence[BuyPrivate]) -> list[ScoredMove]:
    """The price that is farthest above what people pay falls first; nothing is cut while something is worth its price."""
    prices = {action.private: action.price for action in purchases}
    excess = {cut: prices.get(cut.private, lot_value(game, cut.private)) - lot_value(game, cut.private) for cut in cuts}
    return [ScoredMove(cut, WORTH_ITS_PRICE - 1 + min(0.95, above / 100)) for cut, above in excess.items()]
