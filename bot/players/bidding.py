"""Auctions: what a lot is worth, and how far to go."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.data.actions import Action, Bid, Pass
from bot.engine.data.state import WaterfallMemory
from bot.engine.ids import Owner, PlayerId, PrivateId
from bot.engine.play.game import Game
from bot.engine.refusals import Refusal

from .judging import Judge, Rated, sampled
from .outlook import rounds_left, traits_of
from .worth import advantage

MOST_PASSES = 8
"""So many others are let pass to see what a bid would win."""

PREMIUM = 1.2
"""So many times its printed price a private is worth at most: money that is spent early starts no company."""

STRIDE, LEAST_RAISE = 0.3, 5
"""How far a bid goes towards the worth of a lot that is fought for, and the step of all bids."""

MOST_LOTS = 9
"""So many lots are compared."""

MARGIN = 0.06
"""What a bid must leave, as a part of the price."""


def rate_bids(judge: Judge, actions: list[Bid]) -> list[Rated]:
    """The lowest bid on each lot that is not led already."""
    lowest: dict[Owner, Bid] = {}
    for action in actions:
        if action.lot not in lowest or action.price < lowest[action.lot].price:
            lowest[action.lot] = action
    bids = [raised(judge.game, bid) for bid in lowest.values() if not leads(judge.game, bid)]
    return [rate_bid(judge, bid) for bid in sampled(bids, MOST_LOTS)]


def raised(game: Game, bid: Bid) -> Bid:
    """A bid that goes a part of the way to what the lot is worth, where it is fought for: few steps instead of many."""
    printed = game.title.privates.get(PrivateId(bid.lot))
    if printed is None:
        return bid
    room = (lot_value(game, printed.id) - bid.price) * STRIDE if bid.price > printed.price + LEAST_RAISE else 0
    higher = Bid(bid.by, bid.lot, bid.price + LEAST_RAISE * int(max(0, room) / LEAST_RAISE))
    return higher if game.allows(higher) else bid


def rate_bid(judge: Judge, bid: Bid) -> Rated:
    """What the lot is worth beyond the price, as long as enough is left to start a company."""
    game = judge.game
    if bid.lot not in game.state.privates:
        return Rated(bid, won(judge, bid) - MARGIN * bid.price)
    value = lot_value(game, PrivateId(bid.lot)) - bid.price
    if game.state.cash[judge.seat] - bound(game, judge.seat, bid.lot) - bid.price < traits_of(game).reserve:
        value = min(value, -1.0)
    return Rated(bid, value)


def lot_value(game: Game, private: PrivateId) -> float:
    """What a private brings: income, and what a company will pay for it; never less than is printed on it."""
    noun = game.title.privates[private]
    extra = traits_of(game).extras.get(private, 0)
    if not noun.income:
        return extra
    high = noun.price_range[1] if noun.price_range else noun.price
    value = noun.income * min(rounds_left(game), traits_of(game).private) + 0.5 * high
    return extra + max(1.05 * noun.price, min(value, PREMIUM * noun.price))


def bound(game: Game, player: PlayerId, lot: Owner) -> int:
    """What the player's bids on other lots bind."""
    waterfall = game.frame.memory if isinstance(game.frame.memory, WaterfallMemory) else WaterfallMemory()
    waiting = [(other, bid) for other, bids in waterfall.bids.items() for bid in bids]
    bids = [*getattr(game.state.special, "bids", {}).items(), *waiting]
    return sum(bid.price for other, bid in bids if bid.player == player and other != lot)


def leads(game: Game, bid: Bid) -> bool:
    """Whether the bid on the lot is the player's own already."""
    if game.title.bidder is not None and game.title.bidder(game, bid.lot) == bid.by:
        return True
    standing = getattr(game.state.special, "bids", {}).get(bid.lot)
    return standing is not None and standing.player == bid.by


def won(judge: Judge, bid: Bid) -> float:
    """What the bid gains if nobody goes higher."""
    trial = judge.game.copy()
    judge.looks += 1
    trial.apply(bid)
    for _ in range(MOST_PASSES):
        step, asked = trial.step, trial.asked()
        if step is None or Bid not in step.verbs or Pass not in step.verbs or judge.seat in asked or not asked:
            break
        try:
            trial.apply(Pass(asked[0]))
        except Refusal:
            break
    return advantage(trial, judge.seat) - judge.base


def rate_auction_purchases(judge: Judge, actions: Sequence[Action]) -> list[Rated]:
    """What is bought outright in an auction, by what it adds."""
    return [Rated(action, judge.gain(action) - MARGIN * getattr(action, "price", 0)) for action in actions]
