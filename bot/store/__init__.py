"""Where games are kept: SQLAlchemy Core over aiosqlite. The only place that knows SQL."""

from .errors import (
    Conflict,
    PlaceTaken,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreInUse,
    StoreLocked,
    StoreMissing,
    StoreReadOnly,
    StoreTooNew,
)
from .file.copies import check_database, copy_database, number_of, remove_database, replace_database
from .file.holding import Holding
from .file.private import make_file, make_folder, tighten, write_file
from .journal import SNAPSHOT_SPACING, broken_log, packed, unpacked
from .mending import KINDS, Cure, Row
from .notices import BEGUN
from .records import (
    MOVE_KINDS,
    NO_THREAD_YET,
    AnswerRecord,
    ClockRecord,
    Commit,
    GameRecord,
    MoveRecord,
    Notice,
    OrderRecord,
    PersonRecord,
    Place,
    QuestionRecord,
    RunningClock,
    SandboxRecord,
    SeatRecord,
)
from .rows import record_of, unreadable
from .store import Store

__all__ = [
    "BEGUN",
    "KINDS",
    "MOVE_KINDS",
    "NO_THREAD_YET",
    "SNAPSHOT_SPACING",
    "AnswerRecord",
    "ClockRecord",
    "Commit",
    "Conflict",
    "Cure",
    "GameRecord",
    "Holding",
    "MoveRecord",
    "Notice",
    "OrderRecord",
    "PersonRecord",
    "Place",
    "PlaceTaken",
    "QuestionRecord",
    "Row",
    "RunningClock",
    "SandboxRecord",
    "SeatRecord",
    "Store",
    "StoreDamaged",
    "StoreError",
    "StoreFull",
    "StoreInUse",
    "StoreLocked",
    "StoreMissing",
    "StoreReadOnly",
    "StoreTooNew",
    "broken_log",
    "check_database",
    "copy_database",
    "make_file",
    "make_folder",
    "number_of",
    "packed",
    "record_of",
    "remove_database",
    "replace_database",
    "tighten",
    "unpacked",
    "unreadable",
    "write_file",
]
