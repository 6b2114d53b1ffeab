"""Backups: a copy of the database taken while it is in use, proved by opening it and replaying its open games."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bot.processes import helpers, run
from bot.store import Store, StoreDamaged, StoreError, check_database, copy_database, remove_database, replace_database
from bot.tables.tables import Tables

log = logging.getLogger("signalbox.backups")

DATABASE = "signalbox.db"
FORM = "signalbox-%Y%m%dT%H%M%SZ.db"
"""How a backup is called: by its moment in UTC, so that names sort by age."""

NEWEST = 12
"""How many backups are kept at least."""

DAYS = 30
"""Of older ones the last of each day is kept, for so many days."""

GENTLE = 19
"""The priority (nice) at which backups are proved."""


class BackupFailed(Exception):
    """No backup was made; the text says why."""


@dataclass(frozen=True)
class Proof:
    """What opening a copy and replaying its open games showed: how many there were, and a line for each that differs."""

    games: int
    faults: tuple[str, ...] = ()

    def __str__(self) -> str:
        differ = f", {len(self.faults)} of them differ" if self.faults else ""
        return f"{self.games} open game(s) replayed{differ}"


@dataclass(frozen=True)
class Backup:
    """A copy that was made: its file, size in bytes, and its proof (None where nobody asked for one)."""

    path: Path
    size: int
    proof: Proof | None


class Backups:
    """The backups of one database, in a folder of theirs."""

    def __init__(self, database: Path, folder: Path) -> None:
        self.database = database
        self.folder = folder

    def names(self) -> list[Path]:
        """All backups, oldest first."""
        return sorted(path for path in self.folder.glob("signalbox-*.db") if moment_in(path) is not None)

    def is_due(self, now: datetime, hours: float) -> bool:
        """Whether the newest backup is older than so many hours, or lies in the future because a clock was wrong."""
        found = self.names()
        newest = moment_in(found[-1]) if found else None
        return newest is None or not timedelta(0) <= now - newest < timedelta(hours=hours)

    async def make(self, now: datetime, is_proved: bool = True) -> Backup:
        """Copy the database into the folder, prove the copy, and drop old ones.

        :raises BackupFailed: there is no whole copy; older backups are left alone.
        """
        return await self.make_as(self.folder / now.astimezone(UTC).strftime(FORM), is_proved, now)

    async def make_as(self, target: Path, is_proved: bool = True, now: datetime | None = None) -> Backup:
        """Copy the database to this new file and prove it; with `now`, drop backups that are not kept any more.

        :raises BackupFailed: there is no whole copy.
        """
        if target.exists():
            raise BackupFailed(f"{target.name} is there already.")
        fresh = target.with_name(f".{target.name}.part")
        try:
            await asyncio.to_thread(remove_database, fresh)
            await asyncio.to_thread(copy_database, self.database, fresh)
            await asyncio.to_thread(check_database, fresh)
            proof = await prove(fresh) if is_proved else None
            fresh.rename(target)
        except (StoreError, OSError) as error:
            remove_database(fresh)
            raise BackupFailed(f"No backup was made. {error}") from error
        except BaseException:
            remove_database(fresh)
            raise
        remove_database(fresh)
        if now is not None:
            self.thin(now)
        for fault in proof.faults if proof else ():
            log.error("backup: %s", fault, extra={"backup": target.name})
        return Backup(target, target.stat().st_size, proof)

    def thin(self, now: datetime) -> list[Path]:
        """Remove the backups that are not kept any more; returns them."""
        found = self.names()
        dropped = sorted(set(found) - kept(found, now))
        for path in dropped:
            remove_database(path)
        return dropped

    async def restore(self, source: Path, now: datetime) -> tuple[Proof, Path | None]:
        """Put a proved copy of a backup in the place of the database; the old one is kept under another name.

        Returns the proof and where the old database is now (None when there was none).

        :raises StoreInUse: the bot or another program has the database open.
        :raises StoreError: the backup is not whole; nothing has changed.
        """
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


def moment_in(path: Path) -> datetime | None:
    """When a backup was made, by its name; None where it is called otherwise."""
    try:
        return datetime.strptime(path.name, FORM).replace(tzinfo=UTC)
    except ValueError:
        return None


def kept(paths: Sequence[Path], now: datetime) -> set[Path]:
    """The newest `NEWEST` backups, and the last of each of the latest `DAYS` days."""
    ordered = sorted(paths)
    last_of_day = {path.name[:18]: path for path in ordered}
    recent = [path for path in last_of_day.values() if (moment_in(path) or now) > now - timedelta(days=DAYS)]
    return {*ordered[-NEWEST:], *recent}


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


async def _prove(path: Path) -> Proof:
    from bot.engine.titles.registry import EDITIONS, TITLES

    store = await Store.open(path)
    try:
        reports = await Tables(store, TITLES, editions=EDITIONS).examine_all(with_finished=False)
    finally:
        await store.close()
    return Proof(len(reports), tuple(str(report) for report in reports if not report.is_well))
