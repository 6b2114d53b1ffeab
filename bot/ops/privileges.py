"""Whose the data is. The administrator's commands leave nothing behind that the bot's user cannot open: as root they act
as the owner of the data folder, for as long as they touch it."""

from __future__ import annotations

import os
import pwd
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = 0


@dataclass(frozen=True)
class Owner:
    user: int
    group: int
    groups: tuple[int, ...]

    @property
    def name(self) -> str:
        try:
            return pwd.getpwuid(self.user).pw_name
        except KeyError:
            return f"user {self.user}"


def owner_of(folder: Path) -> Owner:
    """The owner of a folder; if it does not exist, of the folder in which it would be made."""
    path = folder.absolute()
    while not path.exists():
        path = path.parent
    found = path.stat()
    try:
        user = pwd.getpwuid(found.st_uid)
    except KeyError:
        # The user of a container, which this machine does not know.
        return Owner(found.st_uid, found.st_gid, (found.st_gid,))
    return Owner(user.pw_uid, user.pw_gid, tuple(os.getgrouplist(user.pw_name, user.pw_gid)))


def is_owned_by_other(owner: Owner) -> bool:
    """Whether root works in somebody else's folder."""
    return os.geteuid() == ROOT and owner.user != ROOT


@contextmanager
def as_owner(folder: Path) -> Iterator[None]:
    """As root, do something as the owner of a folder, then be root again. Any other user stays the same."""
    owner = owner_of(folder)
    if not is_owned_by_other(owner):
        yield
        return
    before = os.getgroups(), os.getegid()
    os.setgroups(owner.groups)
    os.setegid(owner.group)
    os.seteuid(owner.user)
    try:
        yield
    finally:
        os.seteuid(ROOT)
        os.setegid(before[1])
        os.setgroups(before[0])


def drop_privileges_to(folder: Path) -> None:
    """As root, be the owner of a folder from now on, as `runuser` would do it. Any other user stays the same."""
    owner = owner_of(folder)
    if is_owned_by_other(owner):
        os.setgroups(owner.groups)
        os.setgid(owner.group)
        os.setuid(owner.user)
