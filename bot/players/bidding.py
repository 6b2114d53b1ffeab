"""Auctions: what a lot is worth, and how far to go."""

from __future__ import annotations

from bot.engine.data.actions import Action, Bid, Pass
from bot.engine.ids import Owner, PrivateId
from bot.engine.play.game import Game
from bot.engine.refusals import Refusal

from .judging import Judge, Rated
from .outlook import rounds_left, traits_of
from .worth import advantage

MOST_PASSES = 8
"""So many others are let pass to see what a bid would win."""

PURSE = 0.45
"""So much of his cash a player spends on one private at most."""

MARGIN = 0.06
"""What a bid must leave, as a part of the price."""


def rate_bids(judge: Judge, actions: list[Bid]) -> list[Rated]:
    """The lowest bid on each lot that is not led already."""
    lowest: dict[Owner, Bid] = {}
    for action in actions:
        if action.lot not in lowest or action.price < lowest[action.lot].price:
            lowest[action.lot] = action
    return [rate_bid(judge, bid) for bid in lowest.values() if not leads(judge.game, bid)]


def rate_bid(judge: Judge, bid: Bid) -> Rated:
    """What the lot is worth beyond the price."""
    if bid.lot in judge.game.state.privates:
        value = lot_value(judge.game, PrivateId(bid.lot)) - bid.price
        if bid.price > PURSE * judge.game.state.cash[judge.seat]:
            value = min(value, -1.0)
    else:
        value = won(judge, bid)
    return Rated(bid, value - MARGIN * bid.price, "bid")


def lot_value(game: Game, private: PrivateId) -> float:
    """What a private brings: income, and what a company will pay for it."""
    noun = game.title.privates[private]
    high = noun.price_range[1] if noun.price_range else noun.price
    return noun.income * min(rounds_left(game), traits_of(game).private) + 0.5 * high


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


def rate_auction_purchases(judge: Judge, actions: list[Action]) -> list[Rated]:
    """What is bought outright in an auction, by what it adds."""
    return [Rated(action, judge.gain(action) - MARGIN * getattr(action, "price", 0), "bid") for action in actions]
