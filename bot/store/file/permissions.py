"""Files that only their owner may read: they hold standing orders and people's ids. The umask does not matter."""

from __future__ import annotations

import logging
import os
import stat
from collections.abc import Collection, Iterator
from fnmatch import fnmatch
from pathlib import Path

FILE, FOLDER = 0o600, 0o700

FOR_OTHERS = stat.S_IRWXO
"""Rights of everybody on the machine. Rights of a group stay: somebody has given them."""

OURS = ("signalbox.db*", "bot.lock", "commands-*.sha256", "console-game", "console-history", "pictures", "backups")
"""The program's files in a data folder."""

log = logging.getLogger("signalbox.store")


def make_folder(path: Path) -> None:
    """Make a folder and its parents, only for their owner; existing folders stay as they are.

    :raises OSError: it cannot be made.
    """
    if not path.is_dir():
        make_folder(path.parent)
        path.mkdir(FOLDER, exist_ok=True)


def make_file(path: Path) -> None:
    """Make an empty file only for its owner; an existing file stays as it is.

    :raises OSError: it cannot be made.
    """
    if not path.exists():
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, FILE))


def write_file(path: Path, content: bytes) -> None:
    """Write a file only for its owner, replacing its content.

    :raises OSError: it cannot be written.
    """
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, FILE), "wb") as file:
        file.write(content)


def remove_pictures(data: Path, games: Collection[int]) -> None:
    """Remove the pictures of these games that a terminal left in a data folder; they show names."""
    for game in games:
        for path in (data / "pictures").glob(f"game-{game}-*"):
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                log.warning("a picture of game %d still shows who was erased: %s", game, error.strerror)


def tighten(data: Path, backups: Path) -> list[Path]:
    """Take from everybody the rights to read that older releases left; returns what was changed. Each change is
    logged.
    """
    changed = [path for path in [*_own_files(data), *backups.glob("signalbox-*.d*")] if _tighten(path)]
    if changed:
        log.warning("%d file(s) could be read by others on this machine; no longer: %s", len(changed), changed[0])
    return changed


def _own_files(data: Path) -> Iterator[Path]:
    """The program's files in a data folder; the folder itself if nothing else is in it."""
    found = list(data.iterdir()) if data.is_dir() else []
    ours = [path for path in found if any(fnmatch(path.name, form) for form in OURS)]
    if found and len(ours) == len(found):
        yield data
    yield from ours
    yield from (data / "pictures").glob("*")


def _tighten(path: Path) -> bool:
    try:
        mode = path.lstat().st_mode
        if stat.S_ISLNK(mode) or not mode & FOR_OTHERS:
            return False
        path.chmod(FOLDER if stat.S_ISDIR(mode) else FILE)
    except OSError as error:
        log.warning("%s can be read by others on this machine: %s", path, error.strerror)
        return False
    return True
