"""Stock turns: what to buy, what to start and at what price, what to sell and what to buy for it."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.ids import CompanyId
from bot.engine.play.game import Game
from bot.engine.state.actions import Action, BuyShares, Par, SellShares

from .evaluation import can_launch, waits
from .move_evaluator import REFUSED, Evaluator, ScoredMove, best_of, listed, overlooks
from .trains import smallest_and_largest_sales

USUAL_PRICE = 100
"""Gains are compared as if a share cost that much."""

USUAL_START = 140
"""And a start as if it cost that much: a higher price is also a higher capital."""

MOST_SALES, MOST_REPLIES = 2, 8
"""So many sales are followed by a purchase, and so many purchases are tried after each."""

TROUBLE, SWAP = 0.03, 0.12
"""What a sale must gain, as a part of what it brings; and one to buy something else."""


def score_trades(judge: Evaluator, actions: Sequence[Action], may_pass: bool) -> list[ScoredMove]:
    """Purchases, starts and sales of a turn; whoever may not pass must sell something."""
    buys = [score_purchase(judge, action) for action in actions if isinstance(action, BuyShares | Par)]
    sales = [action for action in actions if isinstance(action, SellShares)]
    least = max([0.0, *(one.score for one in buys)]) if may_pass else REFUSED
    return [*buys, *score_sales(judge, sales, least)]


def score_purchase(judge: Evaluator, action: Action) -> ScoredMove:
    """What a purchase gains, more if it costs less: money is what a stock round runs out of."""
    trial = judge.after(action)
    if trial is None:
        return ScoredMove(action, REFUSED)
    if spoils_launch(judge, action, trial) or (isinstance(action, BuyShares) and is_too_dear(judge, action, trial)):
        return ScoredMove(action, REFUSED)
    return ScoredMove(action, weighted_gain(judge, trial, isinstance(action, Par)))


def spoils_launch(judge: Evaluator, action: Action, trial: Game) -> bool:
    """Whether companies of the player's are not launched for it: what he starts and cannot launch, or what he buys with the
    money that launches what he has started."""
    if isinstance(action, Par) and waits(trial, trial.company(action.company)):
        return True
    return not can_launch(trial, judge.seat) and (isinstance(action, Par) or can_launch(judge.game, judge.seat))


def is_too_dear(judge: Evaluator, action: BuyShares, trial: Game) -> bool:
    """Whether it takes more than a careful player spends: he keeps a part of what he is worth in hand, the longer the game
    lasts the more, but launches what he has started; nothing in the first stock round, or he would never grow."""
    strength, rules = judge.strength, judge.game.title.rules
    part = strength.keeps * min(1.0, (judge.game.state.round.number - 1) / strength.easy)
    kept = min(strength.most_kept, part * rules.worth(judge.game, judge.seat))
    return not launches(judge, action) and trial.state.cash[judge.seat] < kept


def launches(judge: Evaluator, action: Action) -> bool:
    """Whether it is bought to launch what the player has started."""
    return isinstance(action, BuyShares) and is_started(judge, action.company)


def thinks_of(judge: Evaluator, action: Action) -> bool:
    """Whether the player does not overlook the move: nobody overlooks what launches his own company."""
    return launches(judge, action) or not overlooks(judge, action)


def is_started(judge: Evaluator, company: CompanyId) -> bool:
    """Whether the player has started a company that is not launched yet."""
    return not judge.game.company(company).floated and judge.game.controller_of(company) == judge.seat


def weighted_gain(judge: Evaluator, trial: Game, starts: bool) -> float:
    """The gain of a purchase by what it costs."""
    gain = judge.advantage(trial) - judge.base
    cost = max(20, judge.game.state.cash[judge.seat] - trial.state.cash[judge.seat])
    if starts:
        cost = USUAL_START
    return gain * (USUAL_PRICE / cost) ** judge.strength.thrift if gain > 0 else gain


def score_sales(judge: Evaluator, sales: list[SellShares], best: float) -> list[ScoredMove]:
    """Sales that pay by themselves, and those that pay for something better; of what one has started and some people of all
    only what one must."""
    found = []
    if not judge.strength.trades and best > REFUSED:
        return []
    for sale in smallest_and_largest_sales(sales):
        trial = None if is_started(judge, sale.company) and best > REFUSED else judge.after(sale)
        if trial is None:
            continue
        brought = trial.state.cash[judge.seat] - judge.game.state.cash[judge.seat]
        alone = judge.advantage(trial) - judge.base - TROUBLE * brought
        found.append((alone, sale, trial, SWAP * brought))
    found.sort(key=lambda one: -one[0])
    rated = [ScoredMove(sale, alone) for alone, sale, *_ in found if alone > best]
    for alone, sale, trial, least in found[:MOST_SALES]:
        gain, then = best_reply(judge, trial)
        if alone + gain > best + least:
            rated.append(ScoredMove(sale, alone + gain, then=then))
    return rated


def best_reply(judge: Evaluator, trial: Game) -> tuple[float, Action | None]:
    """What the best purchase gains with the money of a sale, in the same turn, and which it is: of those that the player does
    not overlook, or he would sell again and again for what he never buys."""
    if judge.seat not in trial.players_to_act():
        return 0.0, None
    inner = Evaluator(trial, judge.seat, judge.strength, judge.chance, is_deep=False)
    buys = [action for action in listed(trial) if isinstance(action, BuyShares | Par) and action.by == judge.seat]
    buys = [action for action in buys if thinks_of(judge, action)]
    best = best_of(score_purchase(inner, action) for action in buys[:MOST_REPLIES])
    judge.looks += inner.looks
    return (best.score, best.action) if best is not None and best.score > 0 else (0.0, None)
