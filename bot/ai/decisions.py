"""The decisions of people in recorded games, as the prior sees them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from bot.engine.notation import format_action
from bot.engine.play import Game
from bot.engine.state import Action

from .agreement import judge_of_choice, kind_of_decision
from .move_evaluator import REFUSED, Evaluator
from .move_features import Features, features_of, situation_of
from .policy import Tabu, computed_ranking
from .title_parameters import SkillLevel


class RecordedDecision(Struct, frozen=True):
    """A choice between moves: the features of every candidate, the best by the computed ranking first, and the number of
    the candidate that was `made` (-1: another move).
    """

    situation: str
    kind: str
    move: str
    candidates: Sequence[Features]
    made: int


class DecisionWatcher:
    """Sees every action of a game before it is made, and keeps those that somebody chose."""

    def __init__(self, strength: SkillLevel, seed: int = 1) -> None:
        self.strength, self.seed = strength, seed
        self.decisions: list[RecordedDecision] = []
        self._ruled_out: Tabu | None = None

    def see(self, number: int, game: Game, action: Action) -> None:
        ruled_out = self._ruled_out = self._ruled_out or Tabu(game, {})
        judge = judge_of_choice(game, action, self.strength, self.seed)
        if judge is not None and len(judge.options()) > 1:
            self.decisions.append(self._decision(judge, action, ruled_out.of(game, judge.seat)))
        ruled_out.note(game, action)

    def _decision(self, judge: Evaluator, action: Action, ruled_out: Sequence[Action]) -> RecordedDecision:
        ranked = [one for one in computed_ranking(judge, ruled_out) if one.score > REFUSED / 2]
        actions = [one.action for one in ranked]
        made = actions.index(action) if action in actions else -1
        kind = kind_of_decision(judge.game, action)
        situation = situation_of(judge, actions)
        return RecordedDecision(situation, kind, format_action(action), features_of(judge, ranked), made)
