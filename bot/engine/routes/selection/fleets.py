"""The trains of a question by kind, and what of their routes matters between them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from bot.engine.routes.candidates import RouteColumn, SearchBoard, route_of
from bot.engine.routes.revenue import Route, RouteProblem, TrainSpec

from .branch_and_bound import BranchAndBound, TrainGroup
from .destination_trains import Destination
from .joint_bonuses import JointBonuses
from .residual_trains import FloodTrain, ResidualFinder, ResidualTrains


class SelectionSetup(NamedTuple):
    """Trains alike, their routes, what routes earn together, and the search among them."""

    groups: list[list[TrainSpec]]
    fleets: list[TrainGroup]
    together: JointBonuses
    selection: BranchAndBound

    def routes(self) -> list[Route]:
        waiting = [sorted(trains, key=lambda train: train.id) for trains in self.groups]
        routes, used = [], 0
        for fleet, column in self.selection.best:
            if column.one is not None:
                routes.append(route_of(column.one, column.other, waiting[fleet].pop(0)))
                used |= column.mask
        if self.together.leftovers.finders:
            routes += self.together.leftovers.solve(self.together.forbidden_track(used))[1]
        return routes


def tracks_of(problem: RouteProblem) -> list[str]:
    return sorted({train.track for train in problem.trains})


def group_alike(problem: RouteProblem) -> list[list[TrainSpec]]:
    """The trains whose routes are listed, by kind: none that takes what is left, or gathers."""
    kinds: dict[tuple[object, ...], list[TrainSpec]] = {}
    for train in problem.trains:
        if not train.runs_to and not train.gathers and not train.floods:
            kinds.setdefault(train.kind, []).append(train)
    return list(kinds.values())


def build_residual_trains(board: SearchBoard, problem: RouteProblem, check_time: Callable[[], None]) -> ResidualTrains:
    finders: list[ResidualFinder] = []
    for train in problem.trains:
        if train.floods:
            finders.append(FloodTrain(problem, train, check_time))
        elif train.runs_to and not train.gathers:
            finders.append(Destination(board, train, check_time))
    return ResidualTrains(problem, finders)


def shared_bits(board: SearchBoard) -> int:
    """The crossings that several trains may use, as bits of track."""
    bits = board.contraction.bits
    return sum(1 << bits[end] for end in board.problem.shared if end in bits)


def columns_between_trains(
    board: SearchBoard, train: TrainSpec, tracks: Sequence[str], found: list[RouteColumn]
) -> list[RouteColumn]:
    """The columns with the track that matters between trains: not the shared, and apart for each set of track."""
    number, shared = tracks.index(train.track), shared_bits(board)
    if board.problem.joint and not train.earns_bonuses:
        found = [column._replace(taken=0) for column in found]
    if not number and not shared:
        return found
    return [column._replace(mask=(column.mask & ~shared) << number * board.track_bits) for column in found]
