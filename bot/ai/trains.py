"""Trains: what they earn, what they make rust, that a company should not stand without any, and which of too many
goes."""

from __future__ import annotations

from collections.abc import Iterable

from bot.engine import DEPOT, CompanyId, PlayerId
from bot.engine.play import Game
from bot.engine.play.holdings import counted_trains
from bot.engine.state import Action, BuyTrain, DiscardTrain, SellShares, TakeLoan

from .company_forecast import (
    affordable_kinds,
    has_run,
    kinds_of,
    kinds_on_sale,
    next_kind,
    rounds_left,
    train_lifetimes,
)
from .evaluation import advantage
from .move_evaluator import REFUSED, Evaluator, ScoredMove, evenly_spaced, is_given_away, open_actions
from .revenue_estimate import estimate_revenue
from .title_parameters import parameters_of

TRAINLESS = 120.0
"""Extra value of the first train beyond its earnings: a company that does not run falls in price."""

LAST_RUSH = 3
"""Players rush the bank's trains while more than this many operating rounds are left."""

WORN = 20.0

MOST_TRAINS = 16

MOST_FORCED, DEEPEST = 2, 4
"""Maximum number of sales for a forced train purchase that are followed up to the train, and of further sales
after each.
"""


def score_trains(judge: Evaluator, actions: list[BuyTrain]) -> list[ScoredMove]:
    """Purchases of one company: all trains of the bank and the pool, and some of other companies'."""
    offered = [action for action in actions if action.source in judge.game.state.companies]
    plain = [action for action in actions if action.source not in judge.game.state.companies]
    return [
        score_train(judge, action) for action in [*plain, *evenly_spaced(offered, max(1, MOST_TRAINS - len(plain)))]
    ]


def score_train(judge: Evaluator, action: BuyTrain) -> ScoredMove:
    """The gain of a train, more if it is the company's first or comes from the bank: money in a treasury earns nothing,
    and older trains come nearer to their end. The director's part is their own money.
    """
    game = judge.game
    trial = judge.after(action)
    if trial is None:
        return ScoredMove(action, REFUSED)
    gain = judge.advantage(trial) - judge.base
    if action.source in game.state.companies:
        source = CompanyId(action.source)
        if stops_a_run(game, trial, source) and affordable_kinds(game, game.state.cash[action.by]):
            return ScoredMove(action, REFUSED / 2)
        seller = game.controller_of(source)
        if seller != judge.seat and (is_given_away(game, action) or not gains_by_selling(judge, trial, seller)):
            return ScoredMove(action, REFUSED)
        both = (source, CompanyId(action.by))
        if run_for(trial, judge.seat, both) <= run_for(game, judge.seat, both):
            gain = min(gain, 0.0)
        return ScoredMove(action, gain - replacement(trial, source, judge.seat))
    company = CompanyId(action.by)
    is_first = not kinds_of(game, company)
    rush = judge.strength.rush if action.source == DEPOT and rounds_left(game) > LAST_RUSH else 0.0
    rush = max(0.0, rush) if is_first else rush
    return ScoredMove(action, gain + TRAINLESS * is_first + rush * min(action.price, game.state.cash[company]))


def gains_by_selling(judge: Evaluator, trial: Game, seller: PlayerId | None) -> bool:
    """Whether another player is better off once their company has sold its train: nobody is asked to sell for less, also
    where no consent is needed."""
    if seller is None:
        return False
    return advantage(trial, seller, judge.horizon) > advantage(judge.game, seller, judge.horizon)


def score_forced_sales(judge: Evaluator, sales: list[SellShares], deepest: int = DEEPEST) -> list[ScoredMove]:
    """The sales of a director for a train that must be bought, with what follows in the end: a train, after further
    sales or at once. Without its consequences a sale seems to cost more than any train that can be had without it."""
    trials = [(trial, sale) for sale in smallest_and_largest_sales(sales) if (trial := judge.after(sale)) is not None]
    found = [(judge.advantage(trial) - judge.base, sale, trial) for trial, sale in trials]
    found.sort(key=lambda one: -one[0])
    return [
        ScoredMove(sale, alone + best_follow_up(judge, trial, deepest)) for alone, sale, trial in found[:MOST_FORCED]
    ]


def best_follow_up(judge: Evaluator, trial: Game, deepest: int) -> float:
    if judge.seat not in trial.players_to_act():
        return 0.0
    inner = Evaluator(trial, judge.seat, judge.strength, judge.chance, is_deep=False)
    actions = [action for action in open_actions(trial) if trial.controller_of(action.by) == judge.seat]
    rated = score_trains(inner, [action for action in actions if isinstance(action, BuyTrain)])
    if deepest:
        rated += score_forced_sales(
            inner, [action for action in actions if isinstance(action, SellShares)], deepest - 1
        )
    judge.looks += inner.looks
    return max((one.score for one in rated), default=0.0)


def smallest_and_largest_sales(sales: Iterable[SellShares]) -> list[SellShares]:
    by_company: dict[tuple[str, str], list[SellShares]] = {}
    for sale in sales:
        by_company.setdefault((sale.by, sale.company), []).append(sale)
    return [sale for some in by_company.values() for sale in dict.fromkeys((some[0], some[-1]))]


def is_idle_loan(game: Game, action: Action) -> bool:
    """Whether a loan that costs the share price brings no train in reach: none that the bank sells, nor saves a
    director who must pay for the first train."""
    borrowed = parameters_of(game).borrows
    if not isinstance(action, TakeLoan) or not borrowed:
        return False
    company = CompanyId(action.by)
    cash, prices = game.state.cash[company], [game.title.trains[kind].price for kind in kinds_on_sale(game)]
    is_in_reach = any(cash < price <= cash + borrowed for price in prices)
    return not is_in_reach and (bool(kinds_of(game, company)) or cash >= min(prices, default=0))


def score_discards(judge: Evaluator, actions: Iterable[DiscardTrain]) -> list[ScoredMove]:
    """Of trains above the limit the cheapest goes: it rusts first. One that is not worth its costs goes as soon as there is
    another, or the money for one."""
    game, ages = judge.game, train_lifetimes(judge.game)
    return [
        ScoredMove(action, WORN if ages[action.kind] <= 0 and is_replaced(game, action) else -float(price))
        for action, price in ((action, game.title.trains[action.kind].price) for action in actions)
    ]


def is_replaced(game: Game, action: DiscardTrain) -> bool:
    company = CompanyId(action.by)
    return len(kinds_of(game, company)) > 1 or game.state.cash[company] >= game.title.trains[next_kind(game, 0)].price


def stops_a_run(game: Game, trial: Game, source: CompanyId) -> bool:
    """Whether a company would be left without a train before it has run in this round: the train would run for neither, and
    where all companies of a director do so none of them comes to run."""
    return bool(kinds_of(game, source)) and not kinds_of(trial, source) and not has_run(game, source)


def run_for(game: Game, seat: PlayerId, companies: Iterable[CompanyId]) -> float:
    """The seat's share of these companies' current revenue. A train traded between them for less of it would go
    to and fro.
    """
    runs = [(game.company(one), estimate_revenue(game, one, kinds_of(game, one))) for one in companies]
    return sum(income * company.percent_held_by(seat) / 100 for company, income in runs)


def replacement(game: Game, company: CompanyId, seat: PlayerId) -> float:
    """The director's payment for another train, if the company has sold the last train that counts: with only others
    (2E of 1848) it must buy a train all the same."""
    if game.controller_of(company) != seat or counted_trains(game, company):
        return 0.0
    return max(0, game.title.trains[next_kind(game, 0)].price - game.state.cash[company])
