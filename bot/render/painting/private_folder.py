"""A folder for results that take long to find, which only this user can read and write."""

from __future__ import annotations

import atexit
import os
import shutil
import stat
import tempfile
from contextlib import suppress
from pathlib import Path


def private_folder(path: Path) -> Path:
    """The folder if only this user owns and can access it, since another user may have created it before;
    otherwise a new folder that is removed when this process ends.
    """
    with suppress(OSError):
        path.mkdir(0o700)
    found = path.lstat() if os.path.lexists(path) else None
    if found and stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & 0o077:
        return path
    made = Path(tempfile.mkdtemp(prefix=f"{path.name}-"))
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made


def replace_file(path: Path, content: bytes) -> None:
    """Write a file at once: another process may be reading it.

    :raises OSError: it cannot be written.
    """
    made = path.with_suffix(f".{os.getpid()}")
    made.write_bytes(content)
    made.replace(path)
