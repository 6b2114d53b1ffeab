"""Looking further ahead: the best moves are played on to the end of the turn, within a counted number of positions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from bot.engine.chance import Generator
from bot.engine.data.actions import BuyShares, BuyTrain, Dividend, Done, Par, Pass, SellShares

from .judging import Judge, Rated, best_of
from .traits import Strength

Rate = Callable[[Judge], list[Rated]]

DEEP = (BuyShares, BuyTrain, Dividend, Par, SellShares)
"""The verbs that other moves of the same turn follow upon: revenue kept buys a train, a sale buys shares."""

QUICK = Strength("quick", 3, 0, 0.0, 0, 0)
"""How the moves after the first are chosen."""

MOST_MOVES = 4


def deepened(judge: Judge, rated: list[Rated], rate: Rate) -> list[Rated]:
    """The best of these by where they lead in this turn; all others stay behind them."""
    best = sorted(rated, key=lambda one: -one.score)[: judge.strength.ahead]
    if len(best) < 2 or not any(isinstance(one.action, DEEP) for one in best):
        return rated
    return [replace(one, score=played_on(judge, one, rate)) for one in best]


def played_on(judge: Judge, one: Rated, rate: Rate) -> float:
    """What the move gains, and what follows upon it in the same turn as long as something gains anything."""
    trial = None if isinstance(one.action, Pass | Done) or one.then is not None else judge.after(one.action)
    if trial is None:
        return one.score
    entity, score = judge.game.frame.entity, one.score
    for _ in range(MOST_MOVES):
        is_over = trial.state.finished or not trial.state.flow or trial.frame.entity != entity
        if is_over or judge.seat not in trial.asked() or judge.looks > judge.strength.looks:
            break
        inner = Judge(trial, judge.seat, QUICK, Generator(0), is_deep=False)
        following = best_of(rate(inner))
        judge.looks += inner.looks
        if following is None or isinstance(following.action, Pass | Done):
            break
        score += following.score
        trial.apply(following.action)
    return score
