"""The route search's own picture of a company: track, stops with values, trains as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from ..ids import HexId
from ..track import Side, Stop, TrackGraph


class RouteError(Exception):
    """A route that does not exist or may not be run; the message is for the player."""


@dataclass(frozen=True)
class StopValue:
    """What a stop is worth to a train now. Of the stops of one `group` a route visits at most one;
    `tags` put it into the sets that bonuses count."""

    kind: str
    revenue: int
    group: str = ""
    tags: frozenset[str] = frozenset()


@dataclass(frozen=True)
class TrainSpec:
    """A train as data.

    `reach` is how many stops of the `counted` kinds a route may have, None for any number. Each crossing of a
    gauge border counts as such a stop beyond `free_gauge_changes`, unless `ignores_gauge`. A train with `runs_to`
    runs from an own token to a stop with that tag and earns those two stops alone, whatever lies between.
    """

    id: str
    name: str
    reach: int | None
    counted: frozenset[str] = frozenset({"city", "offboard"})
    free_gauge_changes: int = 0
    ignores_gauge: bool = False
    runs_to: str = ""
    earns_bonuses: bool = True

    @cached_property
    def kind(self) -> tuple[object, ...]:
        """What makes two trains alike to the search."""
        return (
            self.reach,
            self.counted,
            self.free_gauge_changes,
            self.ignores_gauge,
            self.runs_to,
            self.earns_bonuses,
        )


@dataclass(frozen=True)
class SetBonus:
    """A route that visits several stops with the tag earns extra: `by_count` numbers of such stops to money."""

    name: str
    tag: str
    by_count: Mapping[int, int]


@dataclass(frozen=True, eq=False)
class RouteProblem:
    """Everything the search needs. `own` are stops with the company's tokens; `blocked` end a route."""

    graph: TrackGraph
    values: Mapping[Stop, StopValue]
    own: frozenset[Stop]
    blocked: frozenset[Stop]
    trains: tuple[TrainSpec, ...]
    bonuses: tuple[SetBonus, ...] = ()

    def train(self, number: str) -> TrainSpec:
        """The train with this card number.

        :raises RouteError: the company has none.
        """
        for train in self.trains:
            if train.id == number:
                return train
        raise RouteError(f"There is no train {number}.")


@dataclass(frozen=True)
class Route:
    """A train's way: its stops in order, the spaces between each two of them, the track it uses."""

    train: str
    stops: tuple[Stop, ...]
    between: tuple[tuple[HexId, ...], ...]
    sides: frozenset[Side]
    segments: frozenset[int]
    gauge_changes: int = 0
    revenue: int = 0
    parts: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class RouteSet:
    """Routes with their revenue. `bound` is a sum that no set of routes exceeds; `proven` when it is reached.

    `runner_up` is the best revenue of a set of which the search knows that it differs, None if there was none.
    """

    routes: tuple[Route, ...]
    revenue: int
    bound: int
    proven: bool
    seconds: float = 0.0
    examined: int = field(default=0, compare=False)
