"""Whole copies of a database: taken while it is in use, put in its place while nobody uses it."""

from __future__ import annotations

import logging
import os
import sqlite3
from contextlib import closing
from pathlib import Path

from bot.store.errors import MISSING, StoreDamaged, StoreError, StoreMissing, map_driver_error

from .file_lock import FileLock
from .permissions import FILE, make_folder

LOG = ("-wal", "-shm")
"""Suffixes of files beside a database: its write-ahead log and the log's index."""

log = logging.getLogger("signalbox.store")


HEADER = 64
"""Number of bytes of a database's header that identify it; the last four are its `user_version`."""

LARGEST_NUMBER = 2**31 - 2

FOLDING_SECONDS = 0.2
"""Seconds to wait for readers when emptying a log; writers wait as long."""


def copy_database(source: Path, target: Path, number: int | None = None) -> None:
    """Copy a database as it is at one moment into a new file, even while others write to it; the copy is one file,
    with this number in its header.

    :raises StoreMissing: there is no such database.
    :raises StoreError: it cannot be read, or the copy cannot be written; no copy is left behind.
    """
    if not source.is_file():
        raise StoreMissing(f"There is no database {source.name}.")
    try:
        make_folder(target.parent)
        target.touch(FILE, exist_ok=False)
        with closing(sqlite3.connect(source)) as reading, closing(sqlite3.connect(target)) as writing:
            # One step, one moment: in a write-ahead log a reader holds nobody up.
            reading.backup(writing, pages=-1)
            writing.execute("PRAGMA journal_mode=DELETE")
            if number is not None:
                writing.execute(f"PRAGMA user_version={number:d}")
        flush(target)
    except BaseException as error:
        if not isinstance(error, FileExistsError):
            remove_database(target)
        if isinstance(error, sqlite3.Error | UnicodeDecodeError):
            raise map_driver_error(error) from error
        if isinstance(error, OSError):
            where = error.strerror or "", str(target.parent)
            raise StoreError("The copy cannot be written: {error} ({folder}).", *where) from error
        raise


def number_of(path: Path) -> int:
    """The number in the header of a copy; 0 if it has none, or is no database."""
    try:
        with path.open("rb") as file:
            header = file.read(HEADER)
    except OSError:
        return 0
    number = int.from_bytes(header[-4:], "big") if header.startswith(b"SQLite format 3\0") else 0
    return number if len(header) == HEADER and number <= LARGEST_NUMBER else 0


def check_database(path: Path) -> None:
    """Read every page of a database that nobody uses. (The doctor finds faults in single rows.)

    :raises StoreDamaged: something in it is broken, or it is not one of our files.
    :raises StoreMissing: there is no such file.
    """
    if not path.is_file():
        raise StoreMissing(str(MISSING))
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            connection.text_factory = lambda raw: raw.decode(errors="replace")
            found = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(20)")]
            tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise map_driver_error(error) from error
    if found != ["ok"]:
        raise StoreDamaged("{name} is damaged: {found}", path.name, found[0])
    if not {"games", "moves", "snapshots", "alembic_version"} <= tables:
        raise StoreDamaged("{name} is not a Signalbox database.", path.name)


def replace_database(fresh: Path, path: Path, aside: Path) -> bool:
    """Put a checked copy in the place of a database, which is kept as `aside`; whether there was one.

    :raises StoreInUse: some program has the database open.
    :raises StoreError: a file cannot be moved.
    """
    make_folder(path.parent)
    with FileLock.take(path, is_alone=True):
        try:
            was_there = path.exists()
            if was_there:
                try:
                    fold_log(path)
                except sqlite3.Error as error:
                    log.warning("the database that is put aside cannot be read: %s", error)
                for ending in LOG:
                    # A log left beside another file would be written into it.
                    old = path.with_name(path.name + ending)
                    if old.exists():
                        old.rename(aside.with_name(aside.name + ending))
                os.link(path, aside)
            os.replace(fresh, path)
            flush(path)
        except OSError as error:
            raise StoreError("{name} cannot be replaced: {error}.", path.name, error.strerror or "") from error
    return was_there


def fold_log(path: Path) -> bool:
    """Write the log of a database into its file and leave it empty; False if somebody is reading it.

    :raises sqlite3.Error: it cannot be read.
    """
    with closing(sqlite3.connect(path, timeout=FOLDING_SECONDS)) as connection:
        return not connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]


def remove_database(path: Path) -> None:
    for ending in ("", *LOG):
        path.with_name(path.name + ending).unlink(missing_ok=True)
    path.with_name(f"{path.name}.lock").unlink(missing_ok=True)


def flush(path: Path) -> None:
    """Wait until a file and its name are on the disk."""
    for each in (path, path.parent):
        handle = os.open(each, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
