"""The best set of routes of a company: contraction, enumeration, selection, and the proof."""

from __future__ import annotations

from collections.abc import Callable
from heapq import nlargest

from .chains import Contraction
from .destination import Destination, gathering_routes
from .enumeration import IDLE, Column, Enumeration, OutOfTime, route_along, route_of
from .joint import Together
from .model import Route, RouteProblem, RouteSet, TrackBonus, TrainSpec
from .profile import Board
from .scoring import score
from .selection import Fleet, Selection

ENUMERATION_SHARE = 0.75
"""The part of the time after which enumeration stops, so that there is time to choose among what was found."""

KEPT = 2000
"""How many routes of a kind of train are chosen from when the time was too short to find all."""


def best_routes(problem: RouteProblem, seconds: float = 5.0, clock: Callable[[], float] | None = None) -> RouteSet:
    """The set of routes that earns most, or the best found within the time with a bound on what may be missing.

    Without a clock the search always runs to the end.
    """
    return Search(problem, seconds, clock).run()


class Search:
    """One question to the search."""

    def __init__(self, problem: RouteProblem, seconds: float, clock: Callable[[], float] | None) -> None:
        self.problem = problem
        self.seconds = seconds
        self.clock = clock
        self.began = clock() if clock else 0.0
        self.limit = seconds * ENUMERATION_SHARE
        self.tracks = sorted({train.track for train in problem.trains})
        self.is_complete = True
        self.wants_one = False
        self.examined = 0

    def check_time(self) -> None:
        """Raise `OutOfTime` when the present part of the time is used up."""
        if self.clock and self.clock() - self.began > self.limit:
            raise OutOfTime

    def run(self) -> RouteSet:
        """Search."""
        marks = tuple(bonus.segments for bonus in self.problem.bonuses if isinstance(bonus, TrackBonus))
        board = Board(self.problem, Contraction(self.problem.graph, marks))
        gathered = gathering_routes(board, [train for train in self.problem.trains if train.gathers])
        routes, bound = self._running(board)
        result = score(self.problem, sorted([*routes, *gathered], key=lambda route: route.train))
        proven = self.is_complete
        bound = result.revenue if proven else max(result.revenue, bound + score(self.problem, gathered).revenue)
        taken = self.clock() - self.began if self.clock else 0.0
        return RouteSet(result.routes, result.revenue, bound, proven, taken, self.examined, result.joint)

    def _running(self, board: Board) -> tuple[list[Route], int]:
        """The routes of the trains that run, and the bound."""
        finders = [train for train in self.problem.trains if train.runs_to and not train.gathers]
        finder = Destination(board, finders[0], self.check_time) if finders else None
        self.is_complete = self.is_complete and len(finders) < 2
        together = Together(board, finder, self.tracks.index(finders[0].track) if finders else 0)
        kinds: dict[tuple[object, ...], list[TrainSpec]] = {}
        for train in self.problem.trains:
            if not train.runs_to and not train.gathers:
                kinds.setdefault(train.kind, []).append(train)
        groups = list(kinds.values())
        self.wants_one = sum(map(len, groups)) == 1 and finder is None
        fleets = [Fleet(len(trains), self._columns(board, trains[0], together)) for trains in groups]
        selection = Selection(fleets, together.extras(), self.check_time)
        self.limit = self.seconds
        try:
            selection.run()
        except OutOfTime:
            self.is_complete = False
        self.examined = selection.examined
        return self._routes(selection, groups, together), selection.bound

    def _columns(self, board: Board, train: TrainSpec, together: Together) -> list[Column]:
        """All routes of the train, or some if the time is over; dearest first, staying at home last."""
        enumeration = Enumeration(
            board, train, self.check_time, self.wants_one, together.tagged if train.earns_bonuses else 0, together.alone
        )
        try:
            enumeration.run()
            found = list(enumeration.found.values())
        except OutOfTime:
            self.is_complete = False
            found = nlargest(KEPT, enumeration.found.values(), key=lambda column: column.revenue)
        found = self._between_trains(board, train, found)
        found.sort(key=lambda column: (-column.revenue, column.mask))
        return [*found, IDLE]

    def _between_trains(self, board: Board, train: TrainSpec, found: list[Column]) -> list[Column]:
        """The columns with the track that matters between trains: not the shared, and apart for each set of track."""
        number = self.tracks.index(train.track)
        shared = sum(1 << board.contraction.bits[end] for end in self.problem.shared if end in board.contraction.bits)
        if self.problem.joint and not train.earns_bonuses:
            found = [column._replace(taken=0) for column in found]
        if not number and not shared:
            return found
        return [column._replace(mask=(column.mask & ~shared) << number * board.track_bits) for column in found]

    def _routes(self, selection: Selection, groups: list[list[TrainSpec]], together: Together) -> list[Route]:
        """The chosen columns as routes of single trains."""
        waiting = [sorted(trains, key=lambda train: train.id) for trains in groups]
        routes, used, finder = [], 0, together.finder
        for fleet, column in selection.best:
            if column.one is not None:
                routes.append(route_of(column.one, column.other, waiting[fleet].pop(0)))
                used |= column.mask
        if finder is not None:
            way = finder.best(together.used_by_finder(used))[1]
            routes += [route_along(list(way), finder.train)] if way else []
        return routes
