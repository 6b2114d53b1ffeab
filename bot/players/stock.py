"""Stock turns: what to buy, what to start and at what price, what to sell and what to buy for it."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from bot.engine.data.actions import Action, BuyShares, Par, SellShares
from bot.engine.play.game import Game

from .judging import REFUSED, Judge, Rated, best_of, listed
from .worth import advantage

USUAL_PRICE = 100
"""Gains are compared as if a share cost that much."""

USUAL_START = 140
"""And a start as if it cost that much: a higher price is also a higher capital."""

MOST_SALES, MOST_REPLIES = 2, 8
"""So many sales are followed by a purchase, and so many purchases are tried after each."""

MOST_KEPT = 250
"""So much money a careful player keeps in hand at most."""

EASY = 4
"""From the stock round after so many on he keeps all that he would like to; nothing in the first one, or he would never grow."""

TROUBLE, SWAP = 0.03, 0.12
"""What a sale must gain, as a part of what it brings; and one to buy something else."""


def rate_trades(judge: Judge, actions: Sequence[Action], may_pass: bool) -> list[Rated]:
    """Purchases, starts and sales of a turn; whoever may not pass must sell something."""
    buys = [rate_purchase(judge, action) for action in actions if isinstance(action, BuyShares | Par)]
    sales = [action for action in actions if isinstance(action, SellShares)]
    least = max([0.0, *(one.score for one in buys)]) if may_pass else REFUSED
    return [*buys, *rate_sales(judge, sales, least)]


def rate_purchase(judge: Judge, action: Action) -> Rated:
    """What a purchase gains, more if it costs less: money is what a stock round runs out of."""
    trial = judge.after(action)
    if trial is None:
        return Rated(action, REFUSED)
    if isinstance(action, BuyShares) and is_too_dear(judge, action, trial):
        return Rated(action, REFUSED)
    return Rated(action, weighed(judge, trial, isinstance(action, Par)))


def is_too_dear(judge: Judge, action: BuyShares, trial: Game) -> bool:
    """Whether it takes more than a careful player spends: he keeps a part of what he is worth in hand, the longer the game
    lasts the more, but launches what he has started."""
    part = judge.strength.keeps * min(1.0, (judge.game.state.round.number - 1) / EASY)
    kept = min(MOST_KEPT, part * judge.game.title.rules.worth(judge.game, judge.seat))
    return not launches(judge, action) and trial.state.cash[judge.seat] < kept


def launches(judge: Judge, action: Action) -> bool:
    """Whether it is bought to launch what the player has started."""
    if not isinstance(action, BuyShares) or judge.game.company(action.company).floated:
        return False
    return judge.game.decider(action.company) == judge.seat


def weighed(judge: Judge, trial: Game, starts: bool) -> float:
    """The gain of a purchase by what it costs."""
    gain = advantage(trial, judge.seat) - judge.base
    cost = max(20, judge.game.state.cash[judge.seat] - trial.state.cash[judge.seat])
    if starts:
        cost = USUAL_START
    return gain * sqrt(USUAL_PRICE / cost) if gain > 0 else gain


def rate_sales(judge: Judge, sales: list[SellShares], best: float) -> list[Rated]:
    """Sales that pay by themselves, and those that pay for something better."""
    found = []
    for sale in few(sales):
        trial = judge.after(sale)
        if trial is None:
            continue
        brought = trial.state.cash[judge.seat] - judge.game.state.cash[judge.seat]
        alone = advantage(trial, judge.seat) - judge.base - TROUBLE * brought
        found.append((alone, sale, trial, SWAP * brought))
    found.sort(key=lambda one: -one[0])
    rated = [Rated(sale, alone) for alone, sale, *_ in found if alone > best]
    for alone, sale, trial, least in found[:MOST_SALES]:
        gain, then = best_reply(judge, trial)
        if alone + gain > best + least and judge.strength.noise < 0.5:
            rated.append(Rated(sale, alone + gain, then=then))
    return rated


def best_reply(judge: Judge, trial: Game) -> tuple[float, Action | None]:
    """What the best purchase gains with the money of a sale, in the same turn, and which it is."""
    if judge.seat not in trial.asked():
        return 0.0, None
    inner = Judge(trial, judge.seat, judge.strength, judge.chance, is_deep=False)
    buys = [action for action in listed(trial) if isinstance(action, BuyShares | Par) and action.by == judge.seat]
    best = best_of(rate_purchase(inner, action) for action in buys[:MOST_REPLIES])
    judge.looks += inner.looks
    return (best.score, best.action) if best is not None and best.score > 0 else (0.0, None)


def few(sales: list[SellShares]) -> list[SellShares]:
    """Of each company the smallest sale and the largest."""
    by_company: dict[str, list[SellShares]] = {}
    for sale in sales:
        by_company.setdefault(f"{sale.by} {sale.company}", []).append(sale)
    return [sale for some in by_company.values() for sale in dict.fromkeys((some[0], some[-1]))]
