"""The moves that people would make: a weighted sum of a candidate's features, learned offline from recorded games
(`python -m bot.cli.move_weights`). It orders the moves that the computed ranking lists.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

import msgspec

from bot.engine import CompanyId
from bot.engine.play.holdings import counted_trains
from bot.engine.state import BuyTrain, SellShares
from bot.titles.registry import title_folders

from .company_forecast import affordable_kinds
from .move_evaluator import REFUSED, Evaluator, ScoredMove
from .move_features import Features, features_of, plain_score, situation_of

FILE, COMMON_FILE = "moves.json", "common_moves.json"

Weights = Mapping[str, float]

HEED = 0.1
"""A move that loses this part of what the player has, beside the best, is not made, however many people would make it."""


class MoveWeights(msgspec.Struct, frozen=True):
    """Weights by situation and feature, learned from `games` of people. A title's own file says which of its situations are
    left to the computed ranking (`computed`), since there the common weights agree less with people.
    """

    games: int
    situations: dict[str, dict[str, float]]
    computed: tuple[str, ...] = ()


@cache
def move_weights(title: str) -> Mapping[str, Weights]:
    """The weights of every situation in which the prior is better than the computed ranking, first the title's own."""
    common = msgspec.json.decode((files(__package__) / COMMON_FILE).read_bytes(), type=MoveWeights)
    place = title_folders()[title].folder / FILE
    own = msgspec.json.decode(place.read_bytes(), type=MoveWeights) if place.is_file() else MoveWeights(0, {})
    found = {**common.situations, **own.situations}
    return {situation: weights for situation, weights in found.items() if situation not in own.computed}


def ordered_by_people(judge: Evaluator, ranked: Sequence[ScoredMove]) -> list[ScoredMove]:
    """The same moves, those first that people would make; what others refuse stays last."""
    weights = move_weights(judge.game.title.id).get(situation_of(judge, [one.action for one in ranked]))
    if weights is None:
        return [*ranked]
    possible = [one for one in ranked if one.score > REFUSED / 2]
    liking = [likely(weights, features) for features in features_of(judge, possible)]
    order = sorted(range(len(possible)), key=lambda at: (-liking[at], at))
    return [*(possible[at] for at in order), *(one for one in ranked if one.score <= REFUSED / 2)]


def large_losses_last(
    judge: Evaluator, ordered: Sequence[ScoredMove], careful: Sequence[ScoredMove]
) -> list[ScoredMove]:
    """The same order, but moves that cost the player much by a `careful` ranking come last."""
    values = {one.action: plain_score(one) for one in careful}
    least = max(values.values(), default=0.0) - HEED * judge.game.title.rules.worth(judge.game, judge.seat)
    return sorted(ordered, key=lambda one: values.get(one.action, least) < least)


def is_in_need(judge: Evaluator) -> bool:
    """Whether a president has to find money for the first train of a company."""
    game, step = judge.game, judge.game.step
    if step is None or BuyTrain not in step.verbs or game.state.round.kind == "stock":
        return False
    if any(isinstance(action, SellShares) for action in judge.options()):
        return True
    entity = game.frame.entity
    record = game.state.companies.get(CompanyId(entity)) if entity is not None else None
    if record is None or counted_trains(game, record.id):
        return False
    return not affordable_kinds(game, game.state.cash[record.id])


def likely(weights: Weights, features: Features) -> float:
    return sum(weights.get(name, 0.0) * value for name, value in features.items())
