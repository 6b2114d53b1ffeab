"""The least revenue of a route that may be part of a best set, for trains with too many routes to list."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from bot.engine.routes.candidates import RouteColumn, route_of
from bot.engine.routes.revenue import Route, TrainSpec


class Shortlist:
    """The bar for a train's routes: what is missing to the best set known if all other trains run their best routes, on any track.

    `listed` has the routes of kinds of train by kind, best first; `find_beside(train, used)` finds the highest of the others that
    uses none of this track.
    """

    def __init__(
        self,
        groups: Sequence[Sequence[TrainSpec]],
        listed: Mapping[tuple[object, ...], Sequence[RouteColumn]],
        find_beside: Callable[[TrainSpec, int], RouteColumn],
    ) -> None:
        self.trains = [train for alike in groups for train in alike]
        self.listed, self.find_beside = listed, find_beside
        self.found: dict[tuple[tuple[object, ...], int], RouteColumn] = {}

    def sets_in_turn(self) -> Iterator[list[Route]]:
        """Two sets of routes, for each of which the trains choose in turn: those first that have few routes, or many."""
        for are_listed_first in (True, False):
            routes, used = [], 0
            for train in sorted(self.trains, key=lambda train: (train.kind in self.listed) != are_listed_first):
                column = self._highest_beside(train, used)
                if column.one is not None:
                    routes.append(route_of(column.one, column.other, train))
                    used |= column.mask
            yield routes

    def floor(self, train: TrainSpec, best: int) -> tuple[int, int]:
        """The floor that the train's route must exceed to be part of a set that earns `best` or more; its highest revenue."""
        highest = self._highest_beside(train, 0).revenue
        most = sum(self._highest_beside(one, 0).revenue for one in self.trains)
        return best - (most - highest) - 1, highest

    def _highest_beside(self, train: TrainSpec, used: int) -> RouteColumn:
        if train.kind in self.listed:
            return next(column for column in self.listed[train.kind] if not column.mask & used)
        if (train.kind, used) not in self.found:
            self.found[train.kind, used] = self.find_beside(train, used)
        return self.found[train.kind, used]
