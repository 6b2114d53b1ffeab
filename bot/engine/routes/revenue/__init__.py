"""The legal runs of a company's trains and what they earn."""

from .model import (
    JointBonus,
    Limit,
    PairBonus,
    Route,
    RouteBonus,
    RouteError,
    RouteProblem,
    RouteSet,
    SetBonus,
    SharedTrackError,
    StopValue,
    TrackBonus,
    TrainSpec,
)
from .paths import read_routes, routes_over, ways_over, write_route, write_routes
from .score import best_count, hex_distance, validate

__all__ = [
    "JointBonus",
    "Limit",
    "PairBonus",
    "Route",
    "RouteBonus",
    "RouteError",
    "RouteProblem",
    "RouteSet",
    "SetBonus",
    "SharedTrackError",
    "StopValue",
    "TrackBonus",
    "TrainSpec",
    "best_count",
    "hex_distance",
    "read_routes",
    "routes_over",
    "validate",
    "ways_over",
    "write_route",
    "write_routes",
]
