"""Stock turns: what to buy, what to start and at what price, what to sell and what to buy for it."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine import CompanyId
from bot.engine.play import Game
from bot.engine.state import Action, BuyShares, Par, SellShares

from .evaluation import can_launch, waits
from .move_evaluator import REFUSED, UNLIKELY, Evaluator, ScoredMove, best_of, open_actions, overlooks
from .trains import smallest_and_largest_sales

USUAL_PRICE = 100
"""Gains are normalised to this share price."""

USUAL_START = 140
"""And a start as if it cost that much: a higher price is also a higher capital."""

MOST_SALES, MOST_REPLIES = 2, 8
"""Maximum number of sales that are followed by a purchase, and of purchases tried after each."""

TROUBLE, SWAP = 0.03, 0.12
"""The least gain of a sale, as a part of its price; and of a sale to buy something else."""


def score_trades(judge: Evaluator, actions: Sequence[Action], may_pass: bool) -> list[ScoredMove]:
    buys = [score_purchase(judge, action) for action in actions if isinstance(action, BuyShares | Par)]
    sales = [action for action in actions if isinstance(action, SellShares)]
    least = max([0.0, *(one.score for one in buys)]) if may_pass else REFUSED
    return [*buys, *score_sales(judge, sales, least)]


def score_purchase(judge: Evaluator, action: Action) -> ScoredMove:
    """The gain of a purchase, higher if it costs less: cash is what limits a stock round."""
    trial = judge.after(action)
    if trial is None:
        return ScoredMove(action, REFUSED)
    is_unwise = spoils_launch(judge, action, trial) or (
        isinstance(action, BuyShares) and is_too_dear(judge, action, trial)
    )
    if is_unwise and not judge.strength.lists_all:
        return ScoredMove(action, REFUSED)
    gain = weighted_gain(judge, trial, isinstance(action, Par))
    return ScoredMove(action, UNLIKELY + gain if is_unwise else gain)


def spoils_launch(judge: Evaluator, action: Action, trial: Game) -> bool:
    """Whether the move prevents companies of the player from floating: it starts a company they cannot float, or
    spends the cash that floats a company they have started.
    """
    if isinstance(action, Par) and waits(trial, trial.company(action.company)):
        return True
    return not can_launch(trial, judge.seat) and (isinstance(action, Par) or can_launch(judge.game, judge.seat))


def is_too_dear(judge: Evaluator, action: BuyShares, trial: Game) -> bool:
    """Whether the purchase costs more than a careful player spends: they keep part of their worth in cash, more
    the longer the game lasts, except to float a company they have started; nothing in the first stock round,
    or they would never grow.
    """
    strength, rules = judge.strength, judge.game.title.rules
    part = strength.keeps * min(1.0, (judge.game.state.round.number - 1) / strength.easy)
    kept = min(strength.most_kept, part * rules.worth(judge.game, judge.seat))
    return not launches(judge, action) and trial.state.cash[judge.seat] < kept


def launches(judge: Evaluator, action: Action) -> bool:
    return isinstance(action, BuyShares) and is_started(judge, action.company)


def thinks_of(judge: Evaluator, action: Action) -> bool:
    """Whether the player does not overlook the move: nobody overlooks a purchase that floats their own company."""
    return launches(judge, action) or not overlooks(judge, action)


def is_started(judge: Evaluator, company: CompanyId) -> bool:
    return not judge.game.company(company).floated and judge.game.controller_of(company) == judge.seat


def weighted_gain(judge: Evaluator, trial: Game, starts: bool) -> float:
    gain = judge.advantage(trial) - judge.base
    cost = max(20, judge.game.state.cash[judge.seat] - trial.state.cash[judge.seat])
    if starts:
        cost = USUAL_START
    return gain * (USUAL_PRICE / cost) ** judge.strength.thrift if gain > 0 else gain


def score_sales(judge: Evaluator, sales: list[SellShares], best: float) -> list[ScoredMove]:
    """Sales that pay without a purchase, and those that pay for something better; of an own company, and for some
    tempers of all, only forced sales."""
    found = []
    if not judge.strength.trades and best > REFUSED:
        return []
    for sale in sales if judge.strength.lists_all else smallest_and_largest_sales(sales):
        trial = None if is_started(judge, sale.company) and best > REFUSED else judge.after(sale)
        if trial is None:
            continue
        brought = trial.state.cash[judge.seat] - judge.game.state.cash[judge.seat]
        alone = judge.advantage(trial) - judge.base - TROUBLE * brought
        found.append((alone, sale, trial, brought))
    found.sort(key=lambda one: -one[0])
    rated = [ScoredMove(sale, alone) for alone, sale, _, _ in found if alone > best]
    for alone, sale, trial, brought in found[:MOST_SALES]:
        gain, then = best_reply(judge, trial)
        if alone + gain > best + SWAP * brought:
            rated.append(ScoredMove(sale, alone + gain, then=then))
    if judge.strength.lists_all:
        known = {one.action for one in rated}
        rated += [ScoredMove(sale, UNLIKELY + alone) for alone, sale, _, _ in found if sale not in known]
    return rated


def best_reply(judge: Evaluator, trial: Game) -> tuple[float, Action | None]:
    """The gain of the best purchase with the money of a sale in the same turn, and that purchase; only purchases
    the player does not overlook count, or they would sell again and again for a purchase they never make.
    """
    if judge.seat not in trial.players_to_act():
        return 0.0, None
    inner = Evaluator(trial, judge.seat, judge.strength, judge.chance, is_deep=False)
    buys = [action for action in open_actions(trial) if isinstance(action, BuyShares | Par) and action.by == judge.seat]
    buys = [action for action in buys if thinks_of(judge, action)]
    best = best_of(score_purchase(inner, action) for action in buys[:MOST_REPLIES])
    judge.looks += inner.looks
    return (best.score, best.action) if best is not None and best.score > 0 else (0.0, None)
