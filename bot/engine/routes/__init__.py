"""Best routes, exactly: graph, train data, enumeration, selection. Knows nothing of titles."""

from .model import Route, RouteError, RouteProblem, RouteSet, StopValue, TrainSpec
from .paths import read_route, write_route
from .scoring import score, validate
from .search import best_routes

__all__ = [
    "Route",
    "RouteError",
    "RouteProblem",
    "RouteSet",
    "StopValue",
    "TrainSpec",
    "best_routes",
    "read_route",
    "score",
    "validate",
    "write_route",
]
