"""Estimates of runs for callers who compare many moves: for a counted amount of work, the same after any earlier
question.

Nothing is proven. All routes of a train are looked at if there are few, else good routes; the routes listed of a kind
of train on a board are kept for the next question.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace

from .candidates import IDLE, Enumeration, EnumerationTimeout, RouteColumn, build_search_board
from .candidates.beam_search import REVENUE, WIDTHS, sample, select_promising, shorten_train
from .revenue import RouteProblem, TrainSpec
from .revenue.score import score
from .search import gc_disabled
from .selection.branch_and_bound import BranchAndBound, TrainGroup
from .selection.destination_trains import gathering_routes
from .selection.fleets import build_residual_trains, columns_between_trains, group_alike, tracks_of
from .selection.joint_bonuses import JointBonuses
from .selection.residual_trains import ResidualTrains

CONTRACTED = 6
"""How often the contraction to chains may ask whether to go on."""

LISTED, SAMPLED, SHORTENED = 4, 2, 1
"""How often listing the routes of a kind of train may ask for the time: all routes; good routes, if there are too many;
and short routes."""

CHOSEN = 12
"""How often the choice from the routes of all trains may ask for the time."""


class WorkBudget:
    def __init__(self, left: int) -> None:
        self.left = left

    def check_time(self) -> None:
        """:raises EnumerationTimeout: it has been asked for too often."""
        self.left -= 1
        if self.left < 0:
            raise EnumerationTimeout


class Estimates:
    """The revenue of any trains of a company on one board. The trains of the problem do not count."""

    def __init__(self, problem: RouteProblem) -> None:
        self.contracted = 0
        self.board = build_search_board(replace(problem, trains=()), self._may_contract)
        self.problem = self.board.problem
        self.alone = JointBonuses(self.board, ResidualTrains(self.problem, []))
        self.enumerations: dict[tuple[object, ...], Enumeration] = {}
        self.listed: dict[tuple[object, ...], list[RouteColumn]] = {}
        self.good: dict[tuple[object, ...], list[RouteColumn]] = {}

    def _may_contract(self) -> bool:
        self.contracted += 1
        return self.contracted <= CONTRACTED

    def revenue(self, trains: Iterable[TrainSpec]) -> int:
        problem = replace(self.problem, trains=tuple(trains))
        gathered = gathering_routes(self.board, [train for train in problem.trains if train.gathers])
        with gc_disabled():
            return self._revenue_of_runners(problem) + (score(problem, gathered).revenue if gathered else 0)

    def _revenue_of_runners(self, problem: RouteProblem) -> int:
        allowance, groups = WorkBudget(CHOSEN), group_alike(problem)
        left = build_residual_trains(self.board, problem, allowance.check_time)
        if not left.finders and sum(map(len, groups)) == 1:
            return max(self._columns_alone(groups[0][0]), key=REVENUE, default=IDLE).revenue
        tracks, fleets = tracks_of(problem), []
        for trains in groups:
            columns = columns_between_trains(self.board, trains[0], tracks, self._columns(trains[0]))
            fleets.append(TrainGroup(len(trains), [*sorted(columns, key=REVENUE, reverse=True), IDLE]))
        together = JointBonuses(self.board, left, tracks) if left.finders else self.alone
        selection = BranchAndBound(fleets, together.extras(), allowance.check_time, may_solve=False)
        with suppress(EnumerationTimeout):
            selection.run()
        return selection.best_sum

    def _columns_alone(self, train: TrainSpec) -> list[RouteColumn]:
        """The best route of a train without others."""
        if train.kind in self.listed and train.kind not in self.good:
            return self.listed[train.kind]
        enumeration = self._enumeration(train, WorkBudget(LISTED), wants_one=True)
        enumeration.enough = enumeration.profile.ceiling() + self.alone.max_bonus(1)
        return self._collect_columns(train, enumeration)

    def _columns(self, train: TrainSpec) -> list[RouteColumn]:
        if train.kind not in self.listed:
            self.listed[train.kind] = self._collect_columns(train, self._enumeration(train, WorkBudget(LISTED)))
        return self.listed[train.kind]

    def _collect_columns(self, train: TrainSpec, enumeration: Enumeration) -> list[RouteColumn]:
        try:
            enumeration.run()
        except EnumerationTimeout:
            return select_promising([*enumeration.found.values(), *self._good_columns(train)])
        return [*enumeration.found.values()]

    def _good_columns(self, train: TrainSpec) -> list[RouteColumn]:
        """Good routes of a kind of train, and such for the track that the best of them leaves; and short routes."""
        if train.kind not in self.good:
            allowance = WorkBudget(SAMPLED)
            good: list[RouteColumn] = []
            for width in WIDTHS:
                best = max(good, key=REVENUE, default=IDLE)
                for used in dict.fromkeys((0, best.mask)):
                    enumeration = self._enumeration(train, allowance)
                    with suppress(EnumerationTimeout):
                        sample(enumeration, width, used)
                    good += enumeration.found.values()
            short = self._enumeration(shorten_train(train, self.problem), WorkBudget(SHORTENED))
            with suppress(EnumerationTimeout):
                short.run()
            self.good[train.kind] = [*good, *short.found.values()]
        return self.good[train.kind]

    def _enumeration(self, train: TrainSpec, allowance: WorkBudget, wants_one: bool = False) -> Enumeration:
        if train.kind not in self.enumerations:
            tagged = self.alone.tagged if train.earns_bonuses else 0
            enumeration = Enumeration(self.board, train, allowance.check_time, tagged, self.alone.single_bonus)
            self.enumerations[train.kind] = enumeration
        found = self.enumerations[train.kind].restart(wants_one)
        found.check_time = allowance.check_time
        found.pairs_arms = False  # since work is counted in routes, depth first, and the answers are not to change
        return found
