"""Who has the database open: a lock file beside it, so that nobody swaps the file under a running program."""

from __future__ import annotations

import fcntl
import os
from copy import copy
from pathlib import Path
from typing import Self

from bot.store.errors import IN_USE, map_os_error

from .permissions import FILE, make_folder


class FileLock:
    """A lock on a file, shared by all programs that have it open or exclusive to one. It ends with the process,
    even if that is killed. Use `FileLock.take(path)`.
    """

    def __init__(self, handle: int) -> None:
        self._handle: int | None = handle

    @classmethod
    def take(cls, path: Path, is_alone: bool = False) -> Self:
        """Hold the file of this name; `path.lock` beside it carries the lock.

        :raises StoreInUse: somebody else holds it, exclusively or (where `is_alone` is wanted) at all.
        :raises StoreError: the lock file cannot be made.
        """
        try:
            make_folder(path.parent)
            handle = os.open(path.with_name(f"{path.name}.lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, FILE)
        except OSError as error:
            raise map_os_error(error) from error
        try:
            fcntl.flock(handle, (fcntl.LOCK_EX if is_alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
        except OSError as error:
            os.close(handle)
            raise copy(IN_USE) from error
        return cls(handle)

    def release(self) -> None:
        """Release the lock; repeated calls are harmless."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        self.release()
