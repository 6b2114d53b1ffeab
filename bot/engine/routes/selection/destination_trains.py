"""Trains that run from an own token to a destination and earn only the two ends (1848 §8.2.5).

Such a train asks of the others only that they leave it some way. It is not enumerated: for given used track the best
pair of ends that a free way joins is found.
"""

from __future__ import annotations

from collections.abc import Callable
from math import gcd

from bot.engine.board import Stop
from bot.engine.routes.candidates import SearchBoard, route_along
from bot.engine.routes.candidates.chains import Chain
from bot.engine.routes.revenue import Route, TrainSpec
from bot.engine.routes.revenue.area_revenue import Track

from .residual_trains import STAYS_HOME, ResidualOffer


class Destination:
    def __init__(self, board: SearchBoard, train: TrainSpec, check_time: Callable[[], None]) -> None:
        self.board = board
        self.train = train
        self.check_time = check_time
        self.visits = 0
        values = board.problem.values
        self.goals = [stop for stop in board.stops if train.runs_to in values[stop].tags]
        self.steps = {goal: self._steps_to(goal) for goal in self.goals}
        tokens = [stop for stop in sorted(board.problem.own) if stop in board.stops]
        self.pairs = sorted(
            ((token, goal) for goal in self.goals for token in tokens if token != goal and token in self.steps[goal]),
            key=lambda pair: (-self._worth(*pair), self.steps[pair[1]][pair[0]], pair),
        )
        self.most = self._worth(*self.pairs[0]) if self.pairs else 0
        self.step = gcd(*(self._worth(*pair) for pair in self.pairs))
        if not board.contraction.is_complete:
            self.most = self._max_worth()

    def _worth(self, token: Stop, goal: Stop) -> int:
        values = self.board.problem.values
        return (values[token].pay(self.train.scale) + values[goal].pay(self.train.scale)) * self.train.multiplier

    def _max_worth(self) -> int:
        """An upper bound: the highest own token and destination, joined or not."""
        values = self.board.problem.values
        tokens = [worth.pay(self.train.scale) for stop, worth in values.items() if stop in self.board.problem.own]
        goals = [worth.pay(self.train.scale) for worth in values.values() if self.train.runs_to in worth.tags]
        return (max(tokens) + max(goals)) * self.train.multiplier if tokens and goals else 0

    def _steps_to(self, goal: Stop) -> dict[Stop, int]:
        """How many chains at least lead from each stop to the goal."""
        back: dict[Stop, list[Stop]] = {}
        for stop, chains in self.board.chains.items():
            for chain in chains:
                back.setdefault(chain.end, []).append(stop)
        steps, queue = {goal: 0}, [goal]
        for stop in queue:
            for other in back.get(stop, ()):
                if other not in steps:
                    steps[other] = steps[stop] + 1
                    queue.append(other)
        return steps

    def offer(self, taken: frozenset[Track]) -> ResidualOffer:
        """The best way without this track.

        :raises EnumerationTimeout: from `check_time`.
        """
        bits = self.board.contraction.bits
        money, way = self._find_best_way(sum(1 << bits[piece] for piece in taken if piece in bits))
        if not way:
            return STAYS_HOME
        route = route_along(list(way), self.train)
        return ResidualOffer(money, route.sides | route.segments, route)

    def _find_best_way(self, used: int) -> tuple[int, tuple[Chain, ...]]:
        for token, goal in self.pairs:
            way = self._way(token, goal, used | self.board.taken[token], ())
            if way:
                return self._worth(token, goal), way
        return 0, ()

    def _way(self, here: Stop, goal: Stop, taken: int, way: tuple[Chain, ...]) -> tuple[Chain, ...]:
        """A way on to the goal, the nearest stops first; empty if there is none."""
        self.visits += 1
        if not self.visits & 63:
            self.check_time()
        steps, problem = self.steps[goal], self.board.problem
        chains = [
            chain for chain in self.board.chains[here] if chain.end in steps and not (way and chain.starts_terminal)
        ]
        for chain in sorted(chains, key=lambda chain: steps[chain.end]):
            if taken & (chain.mask | self.board.taken[chain.end]) or not self._may_enter(chain):
                continue
            if chain.end == goal:
                return (*way, chain)
            if chain.ends_terminal or problem.ends_at(chain.end):
                continue
            further = self._way(chain.end, goal, taken | chain.mask | self.board.taken[chain.end], (*way, chain))
            if further:
                return further
        return ()

    def _may_enter(self, chain: Chain) -> bool:
        worth = self.board.problem.values[chain.end]
        return worth.kind not in self.train.closed and (worth.only_from is None or chain.start in worth.only_from)


def gathering_routes(board: SearchBoard, trains: list[TrainSpec]) -> list[Route]:
    """The highest places with own tokens, each gathering train at least one (18BF §10.6)."""
    values = board.problem.values
    stops: dict[str, Stop] = {}
    for stop in sorted(
        board.problem.own, key=lambda stop: (-values[stop].revenue, stop) if stop in values else (0, stop)
    ):
        if stop in values:
            stops.setdefault(values[stop].place or str(stop), stop)
    left = list(stops.values())
    running = sorted(trains, key=lambda train: (-train.base, -train.gathers, train.id))[: len(left)]
    counted = {train.id: [left.pop(0)] for train in running}
    for train in running:
        while left and len(counted[train.id]) < train.gathers:
            counted[train.id].append(left.pop(0))
    return [Route(train.id, tuple(counted[train.id]), (), frozenset(), frozenset()) for train in running]
