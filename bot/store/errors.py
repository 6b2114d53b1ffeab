"""What can go wrong with the database, in words that a player may read. Nothing is half written in any of them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sqlalchemy.exc import DBAPIError, IntegrityError


class StoreError(Exception):
    """The database did not take the change; nothing was saved."""


class StoreFull(StoreError):
    """No room on the disk."""


class StoreLocked(StoreError):
    """Another program holds the database."""


class StoreDamaged(StoreError):
    """The file is no database, or a broken one."""


class Conflict(StoreError):
    """Somebody else's move was saved first."""


@asynccontextmanager
async def translated() -> AsyncIterator[None]:
    """Turn the driver's errors into ours.

    :raises StoreError: whatever the driver raised.
    """
    try:
        yield
    except IntegrityError as error:
        raise Conflict("That move number exists already; nothing was saved.") from error
    except DBAPIError as error:
        text = str(error.orig).lower()
        if "full" in text:
            raise StoreFull("There is no room left on the disk; nothing was saved.") from error
        if "locked" in text or "busy" in text:
            raise StoreLocked("The database is busy; nothing was saved. Please try again.") from error
        if "readonly" in text:
            raise StoreError("The database cannot be written to; nothing was saved.") from error
        if "malformed" in text or "not a database" in text:
            raise StoreDamaged("The database file is damaged; restore it from a backup.") from error
        raise StoreError(f"The database did not answer; nothing was saved ({type(error.orig).__name__}).") from error
