"""All routes of a train, each once."""

from .enumeration import Enumeration, EnumerationTimeout
from .profile import SearchBoard, TrainProfile, build_search_board
from .route_column import IDLE, RouteColumn, route_along, route_of

__all__ = [
    "IDLE",
    "Enumeration",
    "EnumerationTimeout",
    "RouteColumn",
    "SearchBoard",
    "TrainProfile",
    "build_search_board",
    "route_along",
    "route_of",
]
