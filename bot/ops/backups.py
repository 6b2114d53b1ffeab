"""Backups: a copy of the database taken while it is in use, proved by opening it and replaying its open games.

Each bears a number, one more than any in its folder. The number says which is the newest: names and files carry the
machine's time, which may have been wrong.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bot.processes import helpers, run
from bot.store import (
    Server,
    Store,
    StoreDamaged,
    StoreError,
    StoreInUse,
    check_database,
    copy_database,
    number_of,
    remove_database,
    replace_database,
)
from bot.tables.tables import Tables
from bot.work.doing import done_for_us
from bot.work.kinds import Kind, NotDone

from .settings import Settings

log = logging.getLogger("signalbox.backups")

FORM = "signalbox-%Y%m%dT%H%M%SZ.db"
"""How a backup is called: by its moment in UTC."""

NEWEST = 12
"""How many backups are kept at least."""

DAYS = 30
"""Of older ones the last of each day is kept, of so many days on which there was one."""

DAY = len("signalbox-20260601")
"""So much of a name tells the day."""


GENTLE = 19
"""The priority (nice) at which backups are proved."""


class BackupFailed(Exception):
    """No backup was made; the text says why."""


@dataclass(frozen=True)
class Proof:
    """What opening a copy and replaying its open games showed: how many there were, and a line for each that is not well
    (and one for rows that belong to no game)."""

    games: int
    faults: tuple[str, ...] = ()

    def __str__(self) -> str:
        wrong = f", {len(self.faults)} not well" if self.faults else ""
        return f"{self.games} open game(s) replayed{wrong}"


@dataclass(frozen=True)
class Backup:
    """A copy that was made: its file, size in bytes, and its proof (None where nobody asked for one)."""

    path: Path
    size: int
    proof: Proof | None


class Backups:
    """The backups of one database, in a folder of theirs. They are files, also those of a database on a server."""

    def __init__(self, database: Path | Server, folder: Path) -> None:
        self.database = database
        self.folder = folder

    def names(self) -> list[Path]:
        """All backups, oldest first: by their numbers, and those of older releases, which have none, by name."""
        found = [path for path in self.folder.glob("signalbox-*.db") if moment_in(path) is not None]
        return sorted(found, key=lambda path: (number_of(path), path.name))

    def newest(self) -> datetime | None:
        """When the newest backup was made, as the machine's clock said then."""
        return next((moment_in(path) for path in reversed(self.names())), None)

    def is_due(self, now: datetime, hours: float) -> bool:
        """Whether the newest backup is older than so many hours, or lies in the future because a clock was wrong.

        A clock that was wrong makes one due once: the next one is the newest, whatever others are called.
        """
        newest = self.newest()
        return newest is None or not timedelta(0) <= now - newest < timedelta(hours=hours)

    async def make(self, now: datetime, is_proved: bool = True) -> Backup:
        """Copy the database into the folder, prove the copy, and drop old ones.

        :raises BackupFailed: there is no whole copy; older backups are left alone.
        """
        files = [*self.names(), *([self.database] if isinstance(self.database, Path) else [])]
        number = max(map(number_of, files), default=0) + 1
        made = await self.make_as(self.folder / now.astimezone(UTC).strftime(FORM), is_proved, number)
        self.thin()
        return made

    async def make_as(self, target: Path, is_proved: bool = True, number: int | None = None) -> Backup:
        """Copy the database to this new file, with this number, and prove it.

        :raises BackupFailed: there is no whole copy.
        """
        if target.exists():
            raise BackupFailed(f"{target.name} is there already.")
        fresh = target.with_name(f".{target.name}.part")
        try:
            await asyncio.to_thread(remove_database, fresh)
            if isinstance(self.database, Path):
                await asyncio.to_thread(copy_database, self.database, fresh, number)
            else:
                await copy_server(self.database, fresh, number)
            await asyncio.to_thread(check_database, fresh)
            proof = (await self._proof_by_worker(fresh) or await prove(fresh)) if is_proved else None
            fresh.rename(target)
        except (StoreError, OSError) as error:
            remove_database(fresh)
            raise BackupFailed(f"No backup was made. {error}") from error
        except BaseException:
            remove_database(fresh)
            raise
        remove_database(fresh)
        for fault in proof.faults if proof else ():
            log.error("backup: %s", fault, extra={"backup": target.name})
        return Backup(target, target.stat().st_size, proof)

    async def _proof_by_worker(self, fresh: Path) -> Proof | None:
        """The proof of a copy in this folder by a worker of the server; None where there is none that sees the folder."""
        server = self.database if isinstance(self.database, Server) and fresh.parent == self.folder else None
        return await done_for_us(PROOF, fresh.name, server)

    def thin(self) -> list[Path]:
        """Remove the backups that are not kept any more; returns them."""
        found = self.names()
        left = kept(found)
        dropped = [path for path in found if path not in left]
        for path in dropped:
            remove_database(path)
        return dropped

    async def restore(self, source: Path, now: datetime) -> tuple[Proof, Path | None]:
        """Put a proved copy of a backup in the place of the database; the old one is kept under another name.

        Returns the proof and where the old database is now (None when there was none).

        :raises StoreInUse: the bot or another program has the database open.
        :raises StoreError: the backup is not whole; nothing has changed.
        """
        if not isinstance(self.database, Path):
            raise StoreInUse("A server's database is not replaced: carry the backup into an empty one (move-database).")
        fresh = self.database.with_name(f".{self.database.name}.restored")
        aside = self.database.with_name(now.astimezone(UTC).strftime(f"{self.database.name}.before-%Y%m%dT%H%M%SZ"))
        try:
            await asyncio.to_thread(check_database, source)
            await asyncio.to_thread(remove_database, fresh)
            await asyncio.to_thread(copy_database, source, fresh)
            proof = await prove(fresh)
            was_there = await asyncio.to_thread(replace_database, fresh, self.database, aside)
        finally:
            remove_database(fresh)
        return proof, aside if was_there else None


async def copy_server(server: Server, target: Path, number: int | None = None) -> None:
    """Copy a server's database as it is at one moment into a new file, also while others write to it.

    :raises StoreError: it cannot be read, or the copy cannot be written; no copy is left behind.
    """
    carried = target.with_name(f"{target.name}.carried")
    try:
        await asyncio.to_thread(remove_database, carried)
        source = await Store.open(server)
        try:
            copy = await Store.open(carried)
            try:
                await source.carry_to(copy, lambda total, done: None)
            finally:
                await copy.close()
        finally:
            await source.close()
        await asyncio.to_thread(copy_database, carried, target, number)
    finally:
        remove_database(carried)


def moment_in(path: Path) -> datetime | None:
    """When a backup was made, by its name; None where it is called otherwise."""
    try:
        return datetime.strptime(path.name, FORM).replace(tzinfo=UTC)
    except ValueError:
        return None


def kept(paths: Sequence[Path]) -> set[Path]:
    """Of backups, oldest first, the newest `NEWEST`, and the last of each of the latest `DAYS` days that have one.

    No clock is asked: one that is years ahead would drop all days, and what it has named would stay for years.
    """
    last_of_day: dict[str, Path] = {}
    for path in reversed(paths):
        last_of_day.setdefault(path.name[:DAY], path)
    return {*paths[-NEWEST:], *list(last_of_day.values())[:DAYS]}


# -- proof --------------------------------------------------------------------------------------------


async def prove(path: Path) -> Proof:
    """Open a copy and replay its open games, gently, in a process of its own.

    :raises StoreError: it cannot be opened, or the process died.
    """
    pool = helpers(niceness=GENTLE)
    try:
        return await run(pool, prove_now, path)
    except BrokenProcessPool as error:
        raise StoreDamaged(f"{path.name} could not be proved: the process that did it died.") from error
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def prove_now(path: Path) -> Proof:
    """As `prove`, in this process."""
    return asyncio.run(_prove(path))


def proof_in_folder(name: str) -> Proof:
    """As `prove`, of a copy in this environment's folder of backups."""
    path = Settings.read().backups / name
    if path.name != name or not path.is_file():
        raise NotDone(f"in the folder of backups of this worker there is no {name}")
    return prove_now(path)


PROOF = Kind("proof", str, Proof, proof_in_folder, seconds=6 * 3600, haste=1)


async def _prove(path: Path) -> Proof:
    from bot.engine.titles.registry import EDITIONS, TITLES

    store = await Store.open(path)
    try:
        reports = await Tables(store, TITLES, editions=EDITIONS).doctor.examine_all(with_finished=False)
    finally:
        await store.close()
    games = sum(report.game > 0 for report in reports)
    return Proof(games, tuple(str(report) for report in reports if not report.is_well))
