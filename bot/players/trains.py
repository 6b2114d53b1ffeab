"""Buying trains: what they earn, what they make rust, and that a company should not stand without one."""

from __future__ import annotations

from bot.engine.data.actions import DEPOT_SOURCE, BuyTrain
from bot.engine.ids import CompanyId

from .judging import REFUSED, Judge, Rated, sampled
from .outlook import kinds_of, rounds_left

TRAINLESS = 60.0
"""What the first train is worth beside what it earns."""

RUSH, LAST_RUSH = 0.5, 3
"""What a train from the bank is worth, as a part of its price, because money in a treasury earns nothing and older trains come
nearer to their end; as long as so many operating rounds are left."""

MOST_TRAINS = 16
"""So many purchases are compared."""


def rate_trains(judge: Judge, actions: list[BuyTrain]) -> list[Rated]:
    """Purchases of one company; another company's trains after those of the bank."""
    return [rate_train(judge, action) for action in sampled(actions, MOST_TRAINS)]


def rate_train(judge: Judge, action: BuyTrain) -> Rated:
    """What it gains, more if it is the company's first or comes from the bank."""
    gain, game = judge.gain(action), judge.game
    if gain <= REFUSED:
        return Rated(action, gain)
    leaves_some = action.source not in game.state.companies or len(kinds_of(game, CompanyId(action.source))) > 1
    is_first = leaves_some and not kinds_of(game, CompanyId(action.by))
    rushes = action.source == DEPOT_SOURCE and rounds_left(game) > LAST_RUSH
    return Rated(action, gain + TRAINLESS * is_first + RUSH * action.price * rushes)
