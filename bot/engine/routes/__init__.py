"""Best routes, exactly: graph, train data, enumeration, selection. Knows nothing of titles."""

from .revenue.model import (
    JointBonus,
    Limit,
    PairBonus,
    Route,
    RouteError,
    RouteProblem,
    RouteSet,
    SetBonus,
    SharedTrackError,
    StopValue,
    TrackBonus,
    TrainSpec,
)
from .revenue.paths import read_route, read_routes, routes_over, write_route, write_routes
from .revenue.scoring import score, validate
from .runner_up import RunnerUp, runner_up
from .search import best_routes

__all__ = [
    "JointBonus",
    "Limit",
    "PairBonus",
    "Route",
    "RouteError",
    "RouteProblem",
    "RouteSet",
    "RunnerUp",
    "SetBonus",
    "SharedTrackError",
    "StopValue",
    "TrackBonus",
    "TrainSpec",
    "best_routes",
    "read_route",
    "read_routes",
    "routes_over",
    "runner_up",
    "score",
    "validate",
    "write_route",
    "write_routes",
]
