"""Where games are kept: SQLAlchemy Core over aiosqlite. The only place that knows SQL."""

from .errors import (
    Conflict,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreLocked,
    StoreMissing,
    StoreReadOnly,
    StoreTooNew,
)
from .journal import SNAPSHOT_SPACING
from .records import ClockRecord, Commit, GameRecord, MoveRecord, Notice, Place, SeatRecord
from .store import Store

__all__ = [
    "SNAPSHOT_SPACING",
    "ClockRecord",
    "Commit",
    "Conflict",
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
    "StoreMissing",
    "StoreReadOnly",
    "StoreTooNew",
]
