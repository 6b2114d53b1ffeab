"""How computers play it. The parts that only 1820 has: lobbies that let found a company, foundations with other buyers, costs that must be
met, and loans that pay for something."""

from __future__ import annotations

from math import ceil
from typing import Any

from bot.ai.bid_scores import auctioned_train_value
from bot.ai.move_evaluator import REFUSED, Evaluator, ScoredMove, best_of, evenly_spaced, open_actions, verb_of
from bot.ai.title_parameters import TitleAi, TitleParameters
from bot.ai.trains import score_train
from bot.engine import DEPOT, CompanyId
from bot.engine.play import Game
from bot.engine.state import Action, Bid, BuyTrain, Pass, TakeLoan

MOST_LOBBIES, FOUNDING = 2, 260
"""Maximum number of lobbies a player has at once, and the cash kept for each: a company of five shares needs
three buyers.
"""

LOBBY = 40.0
"""Value of the right to found a company, without the cash under the marker."""

MOST_FOUNDATIONS = 24

SOLVENCY = 60.0
"""Extra value of a company meeting its costs."""


TAKEOVER, STEP, MOST_ACQUIRERS = 30.0, 10, 6
"""The least gain of a takeover; the step of bids; the number of ways to pay that are compared."""

MOST_LOANS = 4

HANDLED = ("float", "fund", "loan", "neglect", "pay_costs", "offer", "take")


def score_title_moves(judge: Evaluator, actions: list[Action]) -> list[ScoredMove]:
    return [
        *(score_lobby(judge, action) for action in actions if verb_of(action) == "fund"),
        *score_foundations(judge, [action for action in actions if verb_of(action) == "float"]),
        *(score_loan(judge, action) for action in actions if isinstance(action, TakeLoan)),
        *(score_costs(judge, action) for action in actions if verb_of(action) == "pay_costs"),
        *(ScoredMove(action, judge.gain(action)) for action in actions if verb_of(action) == "neglect"),
        *(score_offer(judge, action) for action in actions if verb_of(action) == "offer"),
        *(score_taking(judge, action) for action in actions if verb_of(action) == "take"),
    ]


def score_lobby(judge: Evaluator, action: Any) -> ScoredMove:
    """One more lobby as long as the player can found a company for each; the cheapest is enough."""
    own = sum(lobby.player == judge.seat for lobby in judge.game.state.special.lobbies)
    may = min(MOST_LOBBIES, judge.game.state.cash[judge.seat] // FOUNDING)
    return ScoredMove(action, LOBBY - action.amount / 2 if own < may and not action.lobby else -1.0)


def score_foundations(judge: Evaluator, actions: list[Any]) -> list[ScoredMove]:
    """First those that no other player has to pay for."""
    alone = [action for action in actions if all(sale.buyer == judge.seat for sale in action.sales)]
    chosen = evenly_spaced(alone or actions, MOST_FOUNDATIONS)
    return [ScoredMove(action, judge.gain(action)) for action in chosen]


def score_costs(judge: Evaluator, action: Action) -> ScoredMove:
    return ScoredMove(action, judge.gain(action) + SOLVENCY)


def score_loan(judge: Evaluator, action: TakeLoan) -> ScoredMove:
    """The payment that only a loan makes possible: the first train, or costs without the director's help. Nothing else
    is worth a loan, however bad all else is: another train seldom earns what it costs, its interest and the loan."""
    company, trial = CompanyId(action.by), judge.game.copy()
    before = payable_costs(trial, company)
    for _ in range(MOST_LOANS):
        if not trial.allows(action):
            break
        trial.apply(action)
        following = [one for one in payable_costs(trial, company) if one not in before]
        inner = Evaluator(trial, judge.seat, judge.strength, judge.chance, judge.seed, is_deep=False)
        best = best_of(score_train(inner, o) if isinstance(o, BuyTrain) else score_costs(inner, o) for o in following)
        judge.looks += inner.looks
        if best is not None:
            return ScoredMove(action, inner.base - judge.base + best.score)
    return ScoredMove(action, REFUSED)


def payable_costs(game: Game, company: CompanyId) -> list[Action]:
    """The costs that a company in turn can pay out of its treasury, and the bank's trains where it has none."""
    most = game.state.cash[company] if not game.state.trains_of(company) else 0
    return [
        action
        for action in open_actions(game)
        if (isinstance(action, BuyTrain) and action.source == DEPOT and action.price <= most)
        or (verb_of(action) == "pay_costs" and not game.costs_its_player(action))
    ]


def score_taking(judge: Evaluator, action: Any) -> ScoredMove:
    """Each train costs the bid."""
    auction = judge.game.state.special.auction
    return ScoredMove(action, sum(auctioned_train_value(judge.game, kind) - auction.best for kind in action.kinds))


def score_offer(judge: Evaluator, action: Any) -> ScoredMove:
    """The gain of a takeover by the bid that its director must accept, if nobody goes higher. A company is not put up
    without reason: the bank pays half."""
    lot, trial = action.company, judge.after(action)
    auction = trial.state.special.auction if trial is not None else None
    if trial is None or auction is None or action.by == lot:
        return ScoredMove(action, -1.0)
    bid = Bid(judge.seat, lot, STEP * ceil(max(auction.least, auction.forcing) / STEP))
    if not trial.allows(bid):
        return ScoredMove(action, -1.0)
    trial.apply(bid)
    while (others := [one for one in trial.players_to_act() if one != judge.seat]) and trial.allows(Pass(others[0])):
        trial.apply(Pass(others[0]))
    return ScoredMove(action, gain_from_trains_won(judge, trial) - TAKEOVER)


def gain_from_trains_won(judge: Evaluator, trial: Game) -> float:
    ways = evenly_spaced([one for one in open_actions(trial) if verb_of(one) == "acquire"], MOST_ACQUIRERS)
    gains = [0.0]
    for way in ways:
        after = trial.copy()
        after.apply(way)
        judge.looks += 1
        gains.append(judge.advantage(after) - judge.base)
    return max(gains)


PARAMETERS = TitleParameters(
    sets=9,
    tempo=1.0,
    stop=36,
    rises=(1, 2, 4),
    floats={"yellow": 0},
    private=0,
    most="5+",
    loan=200,
    bank=1400,
    pool_falls=5,
    set_rounds=2,
    does_bank_end=False,
    extras=dict.fromkeys(("GWS", "SDS", "CBV", "RSCF", "BI", "GLCC", "JL", "JH", "VF"), 40),
    upkeep={
        "2+": (0, 0, 10, 25, 50),
        "3+": (0, 0, 0, 10, 25, 50, 100),
        "5+": (0, 0, 0, 0, 0, 25, 50, 100, 160),
        "8+": (0, 0, 0, 0, 0, 0, 0, 0, 50, 100, 160, 250),
        "5D+": (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 160, 250, 400),
        "FLOOD": (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 400, 650),
    },
)

WEIGHTS = {
    "fund": 400,
    "float": 400,
    "increase": 60,
    "ask": 10,
    "take": 200,
    "assign": 60,
    "use": 60,
    "issue": 8,
    "offer": 2,
    "acquire": 200,
    "give_up": 10,
    "repay": 60,
    "pay_costs": 300,
    "neglect": 2,
}
"""Random games like to found and fund, and pay what is due."""

AI = TitleAi(parameters=PARAMETERS, verb_weights=WEIGHTS, handled=HANDLED, score_moves=score_title_moves)
