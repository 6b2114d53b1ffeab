"""Where games are kept: SQLAlchemy Core over aiosqlite. The only place that knows SQL."""

from .errors import StoreDamaged, StoreError, StoreFull, StoreLocked
from .records import ClockRecord, GameRecord, MoveRecord, Notice, Place, SeatRecord
from .store import Commit, Store

__all__ = [
    "ClockRecord",
    "Commit",
    "GameRecord",
    "MoveRecord",
    "Notice",
    "Place",
    "SeatRecord",
    "Store",
    "StoreDamaged",
    "StoreError",
    "StoreFull",
    "StoreLocked",
]
