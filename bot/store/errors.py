"""Faults of the database, in words that a player may read. Nothing is half written in any of them."""

from __future__ import annotations

import errno
import logging
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from copy import copy

from sqlalchemy.exc import DBAPIError, IntegrityError, MultipleResultsFound, NoResultFound
from sqlalchemy.exc import TimeoutError as PoolTimeout

from bot.engine import GameId, LocalisedError
from bot.metrics import STORE_ERRORS

log = logging.getLogger("signalbox.store")


class StoreError(LocalisedError):
    """The database did not take the change; nothing was saved. The text is a sentence for the player."""


class StoreFull(StoreError):
    """No room on the disk."""


class StoreLocked(StoreError):
    """Another program holds the database."""


class StoreReadOnly(StoreError):
    """The file may be read but not written."""


class StoreDamaged(StoreError):
    """The file is not a database, or is broken."""


class StoreMissing(StoreError):
    """The file cannot be opened or made."""


class DatabaseUnreachable(StoreError):
    """The server of the database cannot be reached."""


class StoreTooNew(StoreError):
    """A newer release of the program has changed the file."""


class StoreNotEmpty(StoreError):
    """The database holds something already."""


class StoreInUse(StoreError):
    """Some program has the database open."""


class Conflict(StoreError):
    """Somebody else's move was saved first."""


class PlaceTaken(Conflict):
    """Another game is played there; `game` is its number."""

    def __init__(self, game_id: GameId) -> None:
        super().__init__(
            "Game {game} is played there; a place belongs to one game at a time. Nothing was saved.", game_id
        )
        self.game = game_id
        self.args = (game_id,)


# Raise copies of these: an exception remembers where it was raised.
FULL = StoreFull("There is no room left on the disk; nothing was saved.")
LOCKED = StoreLocked("The database is busy; nothing was saved. Please try again.")
READ_ONLY = StoreReadOnly("The database cannot be written to; nothing was saved.")
DAMAGED = StoreDamaged("The database is damaged; restore it from a backup.")
IN_USE = StoreInUse("Another program has the database open; stop it first.")
AWAY = DatabaseUnreachable("The database cannot be reached; nothing was saved. Please try again.")
UNSURE = DatabaseUnreachable(
    "The connection to the database broke while saving. Check whether it saved before you try again."
)
MISSING = StoreMissing("The database file cannot be opened; look at the folder's name and permissions.")

DAMAGES = (MultipleResultsFound, NoResultFound, UnicodeDecodeError)
"""A sound database has exactly one such row, a damaged database has several or none; and SQLite's text may be no text.
"""

BY_CODE: dict[int, StoreError] = {
    sqlite3.SQLITE_FULL: FULL,
    sqlite3.SQLITE_BUSY: LOCKED,
    sqlite3.SQLITE_LOCKED: LOCKED,
    sqlite3.SQLITE_READONLY: READ_ONLY,
    sqlite3.SQLITE_PERM: READ_ONLY,
    sqlite3.SQLITE_CORRUPT: DAMAGED,
    sqlite3.SQLITE_NOTADB: DAMAGED,
    sqlite3.SQLITE_CANTOPEN: MISSING,
}
"""SQLite's primary result codes; an extended code has its primary one in the low byte."""

BY_STATE: dict[str, StoreError] = {
    "53100": FULL,
    "53": LOCKED,
    "55P03": LOCKED,
    "57014": LOCKED,
    "40": LOCKED,
    "25006": READ_ONLY,
    "42501": READ_ONLY,
    "XX001": DAMAGED,
    "XX002": DAMAGED,
    "08": AWAY,
    "57P": AWAY,
}
"""PostgreSQL's SQLSTATEs; shorter codes are classes."""

BY_ERRNO: dict[int, StoreError] = {
    errno.ENOSPC: FULL,
    errno.EDQUOT: FULL,
    errno.EROFS: READ_ONLY,
    errno.EACCES: READ_ONLY,
    errno.EPERM: READ_ONLY,
}


def map_os_error(error: OSError) -> StoreError:
    return copy(BY_ERRNO.get(error.errno or 0, MISSING))


def map_driver_error(error: BaseException) -> StoreError:
    if isinstance(error, IntegrityError | sqlite3.IntegrityError):
        return Conflict("Something else was saved first; nothing was saved.")
    if isinstance(error, PoolTimeout):
        return copy(LOCKED)
    if isinstance(error, DAMAGES):
        return copy(DAMAGED)
    original = error.orig if isinstance(error, DBAPIError) else error
    code = getattr(original, "sqlite_errorcode", None)
    known = BY_CODE.get(code & 0xFF) if isinstance(code, int) else _map_sql_state(error, original)
    if known is not None:
        return copy(known)
    return StoreError("The database did not answer; nothing was saved ({error}).", type(original).__name__)


def _map_sql_state(error: BaseException, original: BaseException | None) -> StoreError | None:
    """The meaning of a server's error; None if it has no meaning here, or we have no words for it."""
    if not hasattr(original, "sqlstate"):
        return None
    state: str = getattr(original, "sqlstate", None) or ""
    lost = isinstance(error, DBAPIError) and error.connection_invalidated
    # Without a state the server was not reached, or did not let us in.
    if lost or (not state and type(original).__name__ in ("OperationalError", "PoolTimeout")):
        return AWAY
    return next((BY_STATE[state[:length]] for length in (5, 3, 2) if state[:length] in BY_STATE), None)


def concerns_all(error: BaseException) -> bool:
    """Whether an error is the database's, so that no other row can be dealt with either; not the fault of one row."""
    return isinstance(error, StoreError) and not isinstance(error, StoreDamaged)


@asynccontextmanager
async def translate_errors() -> AsyncIterator[None]:
    """Turn the driver's errors into ours; each is logged once, with its cause.

    :raises StoreError: for every error of the driver.
    """
    try:
        yield
    except (DBAPIError, sqlite3.Error, PoolTimeout, *DAMAGES) as error:
        found = map_driver_error(error)
        STORE_ERRORS.labels(type(found).__name__).inc()
        if not isinstance(found, Conflict):
            log.error("database: %s (%s)", found, error)
        raise found from error
