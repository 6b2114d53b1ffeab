"""Bonuses of several routes together and trains that take what the others leave, as the selection sees them."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd

from bot.engine.routes.candidates import RouteColumn, SearchBoard
from bot.engine.routes.revenue import RouteProblem
from bot.engine.routes.revenue.area_revenue import Track
from bot.engine.routes.revenue.score import divisions

from .branch_and_bound import BonusTerms, Flags
from .residual_trains import ResidualTrains


class JointBonuses:
    def __init__(self, board: SearchBoard, leftovers: ResidualTrains, tracks: Sequence[str] = ("",)) -> None:
        self.problem: RouteProblem = board.problem
        self.board = board
        self.leftovers = leftovers
        self.track_of_bit = list(board.contraction.bits)[: board.track_bits]
        self.shifts = [tracks.index(finder.train.track) * board.track_bits for finder in leftovers.finders]
        self.left: dict[int, int] = {}
        self.joint = board.problem.joint
        self.halves = [(self._bits(bonus.one), self._bits(bonus.other), bonus.money) for bonus in self.joint]
        termini = board.problem.graph.termini
        self.meeting = sum(1 << number for stop, number in board.stops.items() if stop not in termini)

        tagged = 0
        for one, other, _ in self.halves:
            tagged |= one | other
        self.tagged = tagged << board.track_bits
        self.classes: dict[int, tuple[int, Flags]] = {}

    def _bits(self, tag: str) -> int:
        return sum(1 << number for stop, number in self.board.stops.items() if tag in self.problem.values[stop].tags)

    def extras(self) -> BonusTerms | None:
        """For the selection; None if there is nothing of the kind."""
        if not self.joint and not self.leftovers.finders:
            return None
        step = gcd(*(money for _, _, money in self.halves), *(finder.step for finder in self.leftovers.finders))
        return BonusTerms(self.flags, self.ceiling, self.exact_gain, self.leftovers.most, step)

    def single_bonus(self, taken: int) -> int:
        return self._classify(taken)[0]

    def max_bonus(self, trains: int) -> int:
        """An upper bound for the joint bonuses of this number of trains and the trains that take what is left."""
        return trains * sum(max(0, money) for _, _, money in self.halves) + self.leftovers.most

    def most_between(self, trains: int) -> int:
        """An upper bound for the joint bonuses of this number of trains between different routes: two routes bring the halves of each."""
        return trains // 2 * sum(max(0, money) for _, _, money in self.halves)

    def flags(self, column: RouteColumn) -> Flags:
        """For each joint bonus which half the route brings if it has not both."""
        return self._classify(column.taken)[1]

    def _classify(self, taken: int) -> tuple[int, Flags]:
        tagged = taken & self.tagged
        if tagged not in self.classes:
            visited = self.board.visited_stops(tagged)
            halves = [(one, other, money, _has_both(visited, one, other)) for one, other, money in self.halves]
            self.classes[tagged] = (
                sum(money for _, _, money, both in halves if both),
                tuple(0 if both else bool(visited & one) + 2 * bool(visited & other) for one, other, _, both in halves),
            )
        return self.classes[tagged]

    def ceiling(self, flags: Sequence[Flags]) -> int:
        """At most what routes with these flags earn together: each further bonus takes a route with either half."""
        total = 0
        for index, (_, _, money) in enumerate(self.halves):
            ones = sum(bool(some[index] & 1) for some in flags)
            others = sum(bool(some[index] & 2) for some in flags)
            mixed = sum(some[index] == 3 for some in flags)
            total += max(0, money) * min(ones, others, (ones + others - mixed) // 2)
        return total

    def exact_gain(self, columns: Sequence[RouteColumn]) -> int:
        """The revenue of the routes together beyond their own, and what others earn with the track left."""
        total = self._joint_money(columns) if self.joint and len(columns) > 1 else 0
        if self.leftovers.finders:
            used = 0
            for column in columns:
                used |= column.mask
            if used not in self.left:
                self.left[used] = self.leftovers.solve(self.forbidden_track(used))[0]
            total += self.left[used]
        return total

    def forbidden_track(self, used: int) -> list[frozenset[Track]]:
        """The track that each of the trains that take what is left may not use."""
        return [self._track(used >> shift & (1 << self.board.track_bits) - 1) for shift in self.shifts]

    def _track(self, mask: int) -> frozenset[Track]:
        return frozenset(piece for number, piece in enumerate(self.track_of_bit) if mask >> number & 1)

    def _joint_money(self, columns: Sequence[RouteColumn]) -> int:
        visited = [self.board.visited_stops(column.taken) for column in columns if column.one is not None]
        alone = sum(self.single_bonus(column.taken) for column in columns)
        if not self._could_gain(visited):
            return 0
        best = 0
        for sets in divisions(visited):
            if all(self._is_connected(some) for some in sets):
                best = max(best, sum(self._money(some) for some in sets))
        return max(0, best - alone)

    def _could_gain(self, visited: Sequence[int]) -> bool:
        every = 0
        for stops in visited:
            every |= stops
        return any(every & one and every & other for one, other, _ in self.halves)

    def _money(self, visited: Sequence[int]) -> int:
        stops = 0
        for some in visited:
            stops |= some
        return sum(money for one, other, money in self.halves if _has_both(stops, one, other))

    def _is_connected(self, visited: Sequence[int]) -> bool:
        reached, waiting = visited[0] & self.meeting, [stops & self.meeting for stops in visited[1:]]
        while waiting:
            joined = [stops for stops in waiting if stops & reached]
            if not joined:
                return False
            waiting = [stops for stops in waiting if not stops & reached]
            for stops in joined:
                reached |= stops
        return True


def _has_both(visited: int, one: int, other: int) -> bool:
    return bool(visited & one and visited & other) and (visited & (one | other)).bit_count() > 1
