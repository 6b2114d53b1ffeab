"""The best set of routes of a company: contraction, enumeration, selection, and the proof."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import product
from math import inf

from .candidates import (
    IDLE,
    Enumeration,
    EnumerationTimeout,
    RouteColumn,
    SearchBoard,
    TrainProfile,
    build_search_board,
    route_of,
)
from .candidates.beam_search import REVENUE, WIDTHS, sample, select_promising, shorten_train
from .revenue import Route, RouteProblem, RouteSet, TrainSpec
from .revenue.score import repeated_pay, score
from .selection.branch_and_bound import BranchAndBound, TrainGroup
from .selection.destination_trains import gathering_routes
from .selection.fleets import (
    SelectionSetup,
    build_residual_trains,
    columns_between_trains,
    group_alike,
    shared_bits,
    tracks_of,
)
from .selection.ilp_model import IlpModel, can_model
from .selection.joint_bonuses import JointBonuses
from .selection.shortlist import Shortlist

CONTRACTION_SHARE, ENUMERATION_SHARE = 0.3, 0.6
"""The parts of the time after which the search goes on with the track, and with the routes, that it has found."""

PROGRAMME_SHARE = 0.75
"""The part of the time after which the programme gives up."""

WORK_LIMIT, WORK_SHARE = 1200, 0.35
"""How often the first listing of routes may look at the clock, and the part of the time that it may take."""

SECONDS_PER_WORK_UNIT = 1 / 600
"""How long the solver may work for each time that the listing looked at the clock."""

CONTRACTION_WORK_LIMIT = 100
"""How often the contraction to chains may ask whether to go on where single pieces of track would do."""

SHORT_SHARE = 0.05
"""The part of the time to look for short routes when not all could be found."""

SAMPLING_SHARE = 0.1
"""The part of the time for good routes where all are too many."""

PATIENT_LOOKS = 8
"""How often the listing of a kind of train looks at the clock before it is worth knowing how much its routes must earn."""

NO_FLOOR = -1, 0
"""A floor that every route exceeds."""

MOST_LISTED = 5000
"""Maximum number of routes of a kind of train that the programme chooses from; of more it takes the track."""


def best_routes(problem: RouteProblem, seconds: float = 5.0, clock: Callable[[], float] | None = None) -> RouteSet:
    """The set of routes that earns most, or the best found within the time with a bound on what may be missing.

    Without a clock the search always runs to the end.
    """
    with gc_disabled():
        found = Search(problem, seconds, clock).run()
        return assign_bonuses(problem, found, seconds, clock) if repeated_pay(problem, found.routes) else found


def assign_bonuses(
    problem: RouteProblem, found: RouteSet, seconds: float, clock: Callable[[], float] | None
) -> RouteSet:
    """The best routes where several of those found would earn a bonus that comes once: it is for one train, in every way."""
    names = [bonus.name for bonus in problem.bonuses_once]
    best, bound = found, 0
    for owners in product([train.id for train in problem.trains], repeat=len(names)):
        owner_of = list(zip(names, owners, strict=True))
        trains = [
            replace(train, forgoes=frozenset(name for name, owner in owner_of if owner != train.id))
            for train in problem.trains
        ]
        run = Search(replace(problem, trains=tuple(trains)), seconds, clock).run()
        bound, earned = max(bound, run.bound), score(problem, run.routes)
        best = earned if earned.revenue > best.revenue else best
    bound = max(min(bound, found.bound), best.revenue)
    return replace(best, bound=bound, proven=bound == best.revenue, seconds=found.seconds, examined=found.examined)


@contextmanager
def gc_disabled() -> Iterator[None]:
    """Without cyclic garbage collection: routes are hundreds of thousands of tuples that make no cycles, and the collector
    would look through all of them again and again.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


class BudgetExceeded(Exception):
    """Listing routes has taken so long that the programme is worth its time."""


class TooManyRoutes(Exception):
    """A kind of train has more routes than are worth listing without a floor."""


class Search:
    """One question to the search.

    First all routes are listed and chosen from. If that takes long, the programme in whole numbers and this take turns,
    each time with more patience, until one of them has the proof. Routes that were listed once are `known`; a choice
    from all routes goes on where it was.
    """

    def __init__(self, problem: RouteProblem, seconds: float, clock: Callable[[], float] | None) -> None:
        self.problem = problem
        self.seconds = seconds
        self.clock = clock
        self.began = clock() if clock else 0.0
        self.opened = 0.0
        self.limit = seconds
        self.patience: int | None = None
        self.patience_share = WORK_SHARE
        self.tracks = tracks_of(problem)
        self.is_complete = True
        self.wants_one = False
        self.ceilings: dict[str, int] = {}
        self.enumerations: dict[tuple[object, ...], Enumeration] = {}
        self.known: dict[tuple[object, ...], list[RouteColumn]] = {}
        self.sampled: dict[tuple[object, ...], dict[int, RouteColumn]] = {}
        self.choosing: SelectionSetup | None = None
        self.best: list[Route] = []
        self.best_sum = 0
        self.examined = 0

    def seconds_passed(self) -> float:
        return self.clock() - self.began if self.clock else 0.0

    def check_time(self) -> None:
        """Raise `EnumerationTimeout` when the present part of the time is used up, `BudgetExceeded` when patience is."""
        if self.clock and self.seconds_passed() > self.limit:
            raise EnumerationTimeout
        if self.patience is not None:
            self.patience -= 1
            if self.patience < 0 or self._seconds_left(self.patience_share) < 0:
                raise BudgetExceeded

    def _spend(self, seconds: float) -> None:
        """The solver's time, too, is taken off the patience."""
        if self.patience is not None:
            self.patience -= round(seconds / SECONDS_PER_WORK_UNIT)

    def run(self) -> RouteSet:
        self.may_use_pieces = can_model(self.problem, by_pieces=True)
        board = build_search_board(self.problem, self._contraction_check())
        self.problem = board.problem
        gathered = gathering_routes(board, [train for train in self.problem.trains if train.gathers])
        gain = score(self.problem, gathered).revenue
        routes, bound = self._best_running(board)
        # They ask this search for the time: a cycle that would keep all routes, too.
        self.choosing = None
        self.enumerations.clear()
        result = score(self.problem, sorted([*routes, *gathered], key=lambda route: route.train))
        bound = max(result.revenue + repeated_pay(self.problem, result.routes), bound + gain)
        proven = bound == result.revenue
        return RouteSet(
            result.routes, result.revenue, bound, proven, self.seconds_passed(), self.examined, result.joint
        )

    def _contraction_check(self) -> Callable[[], bool]:
        """A question that contraction asks now and then: whether it may go on."""
        looks = 0

        def may_go_on() -> bool:
            nonlocal looks
            looks += 1
            if self.may_use_pieces and looks > CONTRACTION_WORK_LIMIT:
                return False
            return self.clock is None or self.seconds_passed() < self.seconds * CONTRACTION_SHARE

        return may_go_on

    def _best_running(self, board: SearchBoard) -> tuple[list[Route], int]:
        is_whole = board.contraction.is_complete
        if not (can_model(self.problem) if is_whole else self.may_use_pieces):
            return self._best_listed(board)
        programme: IlpModel | None = None
        patience = WORK_LIMIT
        while not (programme and programme.is_solved) and self._seconds_left(PROGRAMME_SHARE) > 0:
            if is_whole and not (programme and programme.is_near(self.best_sum)):
                before = self._bound_and_best()
                self.patience = patience
                with suppress(BudgetExceeded):
                    routes, bound = self._best_listed(board)
                    if self.is_complete:
                        return routes, bound
                self.patience = None
                if self._is_nearer(before, programme):
                    self.patience_share = PROGRAMME_SHARE
                    patience *= 4
                    continue
            self._sample(board)
            if programme is None and self._seconds_left(PROGRAMME_SHARE) > 0:
                programme = IlpModel(board, not is_whole, self._full_columns(board) if is_whole else {})
            if programme is None:
                break
            is_proven = programme.run(
                patience * SECONDS_PER_WORK_UNIT, lambda: self._seconds_left(PROGRAMME_SHARE), self.best_sum
            )
            self._keep(programme.best)
            if is_proven or self.best_sum >= programme.ceiling:
                self.examined = programme.rounds
                return self.best, self.best_sum
            patience *= 4
        return self._best_in_rest_of_time(board, programme)

    def _bound_and_best(self) -> tuple[int, int] | None:
        """The bound and the best of the choice from all routes; None before all are listed."""
        selection = self.choosing.selection if self.choosing else None
        return (selection.bound, selection.best_sum) if selection else None

    def _is_nearer(self, before: tuple[int, int] | None, programme: IlpModel | None) -> bool:
        """Whether the choice from all routes has come nearer the proof in its turn, and the programme has no lower bound:
        then it goes on at once."""
        standing = self._bound_and_best()
        if standing is None or standing == before:
            return False
        return programme is None or standing[0] <= programme.ceiling

    def _seconds_left(self, share: float = 1.0) -> float:
        return self.seconds * share - self.seconds_passed() if self.clock else inf

    def _best_in_rest_of_time(self, board: SearchBoard, programme: IlpModel | None) -> tuple[list[Route], int]:
        """The best that can be found in the rest of the time, or what the programme has found."""
        self.opened = self.seconds_passed()
        routes, bound = self._best_listed(board)
        self._keep(routes)
        if programme is None:
            return self.best, bound
        self._keep(programme.best)
        return self.best, min(bound, programme.ceiling)

    def _keep(self, routes: list[Route]) -> None:
        earned = score(self.problem, routes).revenue
        if earned > self.best_sum:
            self.best, self.best_sum = routes, earned

    def _best_listed(self, board: SearchBoard) -> tuple[list[Route], int]:
        """The best of all routes, or of those that could be listed in time."""
        self.is_complete = board.contraction.is_complete
        self.ceilings = {}
        routes, bound = self._routes_and_bound(board)
        if self.is_complete:
            return routes, score(self.problem, routes).revenue
        self._keep(routes)
        return self.best, bound

    def _routes_and_bound(self, board: SearchBoard) -> tuple[list[Route], int]:
        choosing = self.choosing or self._build_selection(board)
        if self.is_complete and self.choosing is None:
            self.choosing = choosing
            if self.patience is not None:
                self.patience = max(self.patience, WORK_LIMIT)
        groups, fleets, together, selection = choosing
        self.limit = self.seconds
        try:
            selection.run()
        except EnumerationTimeout:
            self.is_complete = False
        except BudgetExceeded:
            self._keep(choosing.routes())
            raise
        self.is_complete = self.is_complete and not together.leftovers.has_given_up
        self.examined = selection.examined
        bound = selection.bound
        if self.ceilings:
            best = [fleet.columns[0].revenue for fleet in fleets]
            most = [max(one, self.ceilings.get(trains[0].id, 0)) for one, trains in zip(best, groups, strict=True)]
            bound = sum(len(trains) * one for trains, one in zip(groups, most, strict=True)) + together.max_bonus(
                len(groups)
            )
        return choosing.routes(), bound

    def _build_selection(self, board: SearchBoard) -> SelectionSetup:
        together = JointBonuses(board, build_residual_trains(board, self.problem, self.check_time), self.tracks)
        groups = group_alike(self.problem)
        self.wants_one = sum(map(len, groups)) == 1 and not together.leftovers.finders
        listed: dict[tuple[object, ...], list[RouteColumn]] = {}
        for number, trains in enumerate(groups):
            share = ENUMERATION_SHARE - CONTRACTION_SHARE * (len(groups) - number - 1) / len(groups)
            self.limit = self.opened + (self.seconds - self.opened) * share
            with suppress(TooManyRoutes):
                listed[trains[0].kind] = self._list_columns_once(board, trains[0], together)
        if len(listed) < len(groups):
            self._list_promising(board, together, groups, listed)
        fleets = [TrainGroup(len(trains), listed[trains[0].kind]) for trains in groups]
        selection = BranchAndBound(fleets, together.extras(), self.check_time, self._seconds_left, self._spend)
        return SelectionSetup(groups, fleets, together, selection)

    def _list_promising(
        self,
        board: SearchBoard,
        together: JointBonuses,
        groups: list[list[TrainSpec]],
        listed: dict[tuple[object, ...], list[RouteColumn]],
    ) -> None:
        """List the routes that may be part of a best set of those kinds of train that have too many."""
        shortlist = Shortlist(groups, listed, lambda train, used: self._highest_beside(board, together, train, used))
        for train in [trains[0] for trains in groups if trains[0].kind not in listed]:
            floor = NO_FLOOR
            with suppress(EnumerationTimeout):
                for routes in shortlist.sets_in_turn():
                    self._keep(routes)
                floor = shortlist.floor(train, self.best_sum - together.most_between(sum(map(len, groups))))
            listed[train.kind] = self._list_columns_once(board, train, together, floor)

    def _list_columns_once(
        self, board: SearchBoard, train: TrainSpec, together: JointBonuses, floor: tuple[int, int] | None = None
    ) -> list[RouteColumn]:
        """The routes of a kind of train, those of an earlier turn if they were all; or only those that exceed the floor, which comes
        with the highest revenue.

        :raises TooManyRoutes: there are so many that it is better to ask with a floor.
        """
        if train.kind not in self.known:
            columns = self._columns(board, train, together, floor)
            if train.id in self.ceilings or not board.contraction.is_complete:
                return columns
            self.known[train.kind] = columns
        return self.known[train.kind]

    def _highest_beside(self, board: SearchBoard, together: JointBonuses, train: TrainSpec, used: int) -> RouteColumn:
        """The train's highest route that uses none of this track."""
        enumeration = self._enumeration(board, train, together, wants_one=True)
        enumeration.run(used >> self.tracks.index(train.track) * board.track_bits & enumeration.track)
        found = columns_between_trains(board, train, self.tracks, list(enumeration.found.values()))
        return max(found, key=REVENUE, default=IDLE)

    def _columns(
        self, board: SearchBoard, train: TrainSpec, together: JointBonuses, floor: tuple[int, int] | None
    ) -> list[RouteColumn]:
        """All routes of the train, or some if the time is over; best first, staying at home last."""
        enumeration = self._enumeration(board, train, together, self.wants_one)
        if floor is not None:
            enumeration.raise_floor(*floor)
        elif self._may_leave_out(board, together) and enumeration.limit is not None:
            enumeration.check_time = self._patient_check()
        if self.wants_one:
            enumeration.enough = enumeration.profile.ceiling() + together.max_bonus(1)
        if not board.contraction.is_complete:
            self.ceilings[train.id] = enumeration.profile.ceiling(self.problem.values) + together.max_bonus(1)
        try:
            enumeration.run()
            found = list(enumeration.found.values())
        except EnumerationTimeout:
            self.is_complete = False
            self.ceilings[train.id] = enumeration.profile.ceiling() + together.max_bonus(1)
            self._sample(board)
            good = self.sampled.get(train.kind, {}).values()
            found = select_promising([*enumeration.found.values(), *good, *self._short_routes(board, train, together)])
        found = columns_between_trains(board, train, self.tracks, found)
        found.sort(key=REVENUE, reverse=True)
        return [*found, IDLE]

    def _may_leave_out(self, board: SearchBoard, together: JointBonuses) -> bool:
        """Whether it is known how much a route must earn to be part of a best set."""
        return board.contraction.is_complete and not (self.wants_one or together.leftovers.finders)

    def _patient_check(self) -> Callable[[], None]:
        """To check the time for a listing that gives up when there are too many routes."""
        looks = 0

        def check_time() -> None:
            nonlocal looks
            looks += 1
            if looks > PATIENT_LOOKS:
                raise TooManyRoutes
            self.check_time()

        return check_time

    def _full_columns(self, board: SearchBoard) -> dict[tuple[object, ...], list[RouteColumn]]:
        """The kinds of train of which all routes are known, if they are few: track as each of them uses it up. If all
        are known, none are given, since these are chosen from without the programme."""
        kinds = {train.kind: train.track for train in self.problem.trains if not train.gathers}
        listed = {
            kind: [
                column._replace(mask=column.mask >> self.tracks.index(kinds[kind]) * board.track_bits)
                for column in columns
            ]
            for kind, columns in self.known.items()
            if len(columns) <= MOST_LISTED
        }
        return listed if len(listed) < len(kinds) else {}

    def _sample(self, board: SearchBoard) -> None:
        """Good routes of all trains, one train after the other on the track that is left, with ever more patience."""
        if self.sampled:
            return
        together = JointBonuses(board, build_residual_trains(board, self.problem, self.check_time), self.tracks)
        trains = [train for train in self.problem.trains if not (train.runs_to or train.gathers or train.floods)]
        trains.sort(key=lambda train: (-TrainProfile(board, train).ceiling(), train.id))
        patience, self.patience = self.patience, None
        self.limit = self.seconds_passed() + (self.seconds - self.opened) * SAMPLING_SHARE
        with suppress(EnumerationTimeout):
            for width in WIDTHS:
                for order in (trains, trains[::-1]) if len(trains) > 1 else (trains,):
                    self._keep(self._run_sequentially(board, together, order, width))
        self.patience = patience

    def _run_sequentially(
        self, board: SearchBoard, together: JointBonuses, trains: list[TrainSpec], width: int
    ) -> list[Route]:
        shared = shared_bits(board)
        used = dict.fromkeys(self.tracks, 0)
        routes, taken = [], 0
        for train in trains:
            enumeration = self._enumeration(board, train, together)
            columns = sample(enumeration, width, used[train.track])
            self.sampled.setdefault(train.kind, {}).update((column.mask, column) for column in columns)
            best = max(columns, key=REVENUE, default=IDLE)
            if best.one is not None:
                routes.append(route_of(best.one, best.other, train))
                used[train.track] |= best.mask & ~shared
                taken |= (best.mask & ~shared) << self.tracks.index(train.track) * board.track_bits
        if together.leftovers.finders:
            routes += together.leftovers.solve(together.forbidden_track(taken))[1]
        return routes

    def _enumeration(
        self, board: SearchBoard, train: TrainSpec, together: JointBonuses, wants_one: bool = False
    ) -> Enumeration:
        if train.kind not in self.enumerations:
            tagged = together.tagged if train.earns_bonuses else 0
            is_only = len(self.problem.trains) == 1
            self.enumerations[train.kind] = Enumeration(
                board, train, self.check_time, tagged, together.single_bonus, is_only
            )
        return self.enumerations[train.kind].restart(wants_one)

    def _short_routes(self, board: SearchBoard, train: TrainSpec, together: JointBonuses) -> list[RouteColumn]:
        """Some routes of few stops all over the board, for when the time does not suffice for all."""
        self.limit = self.seconds_passed() + (self.seconds - self.opened) * SHORT_SHARE
        enumeration = self._enumeration(board, shorten_train(train, self.problem), together)
        with suppress(EnumerationTimeout):
            enumeration.run()
        return list(enumeration.found.values())
