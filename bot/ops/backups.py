"""Backups: a copy of the database taken while it is in use, proved by opening it and replaying its open games. The copy of
a file is a file like it, that of a server what `pg_dump` writes.

Each bears a number, one more than any in its folder: a file in its header, a dump in its name. The number says which is the
newest: names and files carry the machine's time, which may have been wrong.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bot.jobs.dispatch import try_run_on_worker
from bot.jobs.job_types import JobFailed, JobType
from bot.process_pool import create_pool, run
from bot.service.game_service import GameService
from bot.store import (
    Server,
    Store,
    StoreDamaged,
    StoreError,
    StoreMissing,
    check_database,
    check_server,
    copy_database,
    dump,
    is_dump,
    load,
    number_of,
    remove_database,
    replace_database,
    replace_server,
    scratch,
)
from bot.threads import run_in_thread

from .settings import Settings

log = logging.getLogger("signalbox.backups")

FORM = "signalbox-%Y%m%dT%H%M%SZ"
"""The name of a backup: its moment in UTC; its kind follows."""

BEFORE = "before-%Y%m%dT%H%M%SZ"
"""The end that a restore adds to the name of a database that it puts aside."""

NAME = re.compile(r"signalbox-(\d{8}T\d{6}Z)(?:\.db|-(\d+)\.dump)", re.ASCII)
"""The name of a backup; that of a server's with its number."""

ASIDE_NAME = re.compile(r"\.before-(\d{8}T\d{6}Z)$", re.ASCII)
"""The end of the name of a database that a restore has put aside."""

NEWEST = 12
"""Minimum number of backups kept."""

DAYS = 30
"""The last older backup of each day is kept, for this number of days that have a backup."""

ASIDE = timedelta(days=30)
"""How long a database that a restore has put aside is kept; also as long as there are backups from before."""

ABANDONED_AFTER = timedelta(days=1)
"""A copy that a killed program began is removed after this time."""

LOOK = timedelta(minutes=5)
"""How often the bot checks whether a backup is due; each may be late by this much."""

DAY = len("signalbox-20260601")
"""Length of a name up to the day."""


GENTLE = 19
"""The priority (nice) at which backups are verified."""

OTHER_KIND = {
    True: "{name} was written by pg_dump: it is restored into a server (SIGNALBOX_DATABASE_URL), then carried by move-database.",
    False: "{name} is not a dump of a server; to carry a database file into an empty database: signalbox move-database --from it.",
}
"""Why a backup is not restored here, where the database is a file, and where it is a server's."""


class BackupFailed(Exception):
    """No backup was made; the text says why."""


@dataclass(frozen=True)
class Verification:
    """The result of opening a copy and replaying its open games: their number, and a line for each that is not
    well (and a line for rows that belong to no game).
    """

    games: int
    faults: tuple[str, ...] = ()

    def __str__(self) -> str:
        wrong = f", {len(self.faults)} not well" if self.faults else ""
        return f"{self.games} open game(s) replayed{wrong}"


@dataclass(frozen=True)
class Backup:
    """A copy that was made: its file, size in bytes, and its verification (None if it was not verified)."""

    path: Path
    size: int
    proof: Verification | None


class Backups:
    """The backups of one database, in their own folder. After a move to a server, or back, backups of both kinds
    are there, in one order.
    """

    def __init__(self, database: Path | Server, folder: Path) -> None:
        self.database = database
        self.folder = folder

    def names(self) -> list[Path]:
        """Oldest first: by number; backups of older releases, which have none, by name."""
        found = [path for path in self.folder.glob("signalbox-*.d*") if moment_in(path) is not None]
        return sorted(found, key=lambda path: (number_in(path), path.name))

    def newest(self) -> datetime | None:
        """When the newest backup was made, by the machine's clock then."""
        return next((moment_in(path) for path in reversed(self.names())), None)

    def is_due(self, now: datetime, hours: float) -> bool:
        """Whether the newest backup is older than `hours`, or is in the future because a clock was wrong.

        A wrong clock makes a backup due only once: the next backup is the newest, regardless of the names of others.
        """
        newest = self.newest()
        return newest is None or not timedelta(0) <= now - newest < timedelta(hours=hours)

    async def make(self, now: datetime, is_proved: bool = True) -> Backup:
        """Copy the database into the folder, verify the copy, and drop old backups.

        :raises BackupFailed: there is no whole copy; older backups are left alone.
        """
        is_file = isinstance(self.database, Path)
        files = [*self.names(), *([self.database] if isinstance(self.database, Path) else [])]
        number = max(map(number_in, files), default=0) + 1
        name = now.astimezone(UTC).strftime(FORM) + (".db" if is_file else f"-{number}.dump")
        made = await self.make_as(self.folder / name, is_proved, number)
        self.prune()
        self.drop_asides(now)
        return made

    async def make_as(self, target: Path, is_proved: bool = True, number: int | None = None) -> Backup:
        """Copy the database to this new file, with this number, and verify it.

        :raises BackupFailed: there is no whole copy.
        """
        if target.exists():
            raise BackupFailed(f"{target.name} is there already.")
        fresh = target.with_name(f".{target.name}.part")
        try:
            await run_in_thread(remove_database, fresh)
            if isinstance(self.database, Path):
                await run_in_thread(copy_database, self.database, fresh, number)
                await run_in_thread(check_database, fresh)
                proof = await verify(fresh) if is_proved else None
            else:
                await run_in_thread(dump, self.database, fresh)
                proof = await self._verify_dump(fresh, self.database) if is_proved else None
            fresh.rename(target)
        except (StoreError, OSError) as error:
            remove_database(fresh)
            raise BackupFailed(f"No backup was made in {target.parent}. {error}") from error
        except BaseException:
            remove_database(fresh)
            raise
        remove_database(fresh)
        for fault in proof.faults if proof else ():
            log.error("backup: %s", fault, extra={"backup": target.name})
        return Backup(target, target.stat().st_size, proof)

    async def _verify_dump(self, fresh: Path, server: Server) -> Verification:
        """Let a worker of the server that sees the folder of backups verify a dump. A dump that cannot be verified is
        kept, and says why.
        """
        by_worker: Verification | None = None
        if fresh.parent == self.folder:
            by_worker = await try_run_on_worker(VERIFICATION_JOB, fresh.name, server)
        try:
            return by_worker or await verify(fresh, server)
        except StoreDamaged:
            raise
        except StoreError as error:
            return Verification(0, (f"{fresh.name.strip('.').removesuffix('.part')} is not proved. {error}",))

    def prune(self) -> list[Path]:
        """Remove the backups that are no longer kept; returns them."""
        found = self.names()
        left = backups_to_keep(found)
        dropped = [path for path in found if path not in left]
        for path in dropped:
            remove_database(path)
        return dropped

    def drop_asides(self, now: datetime) -> list[Path]:
        """Remove databases that restores have put aside, when they are old and so are all backups, and unfinished
        copies of killed programs; returns them.
        """
        oldest = next((moment for path in self.names() if (moment := moment_in(path)) is not None), None)
        dropped = [path for path in self.folder.glob(".signalbox-*.part") if _is_abandoned(path, now)]
        if isinstance(self.database, Path):
            fresh = self.database.with_name(f".{self.database.name}.restored")
            dropped += [fresh] if fresh.exists() and _is_abandoned(fresh, now) else []
            for path in self.database.parent.glob(f"{self.database.name}.before-*Z"):
                made = moment_aside(path)
                if made is not None and oldest is not None and made < min(oldest, now - ASIDE):
                    dropped.append(path)
        for path in dropped:
            remove_database(path)
        return dropped

    async def restore(self, source: Path, now: datetime) -> tuple[Verification, Path | Server | None]:
        """Put a verified copy of a backup in the place of the database; keep the old database under another name.

        Returns the verification and where the old database is now (None when there was none).

        :raises StoreInUse: the bot or another program has the database open.
        :raises StoreError: the backup is not whole; nothing has changed.
        """
        if source.is_file() and is_dump(source) == isinstance(self.database, Path):
            raise StoreMissing(OTHER_KIND[isinstance(self.database, Path)].format(name=source.name))
        aside = now.astimezone(UTC).strftime(BEFORE)
        if isinstance(self.database, Path):
            return await self._restore_file(self.database, source, self.database.with_suffix(f".db.{aside}"))
        with scratch(self.database) as fresh:
            await run_in_thread(load, source, fresh)
            check_server(fresh, source.name)
            proof = await verify_database(fresh)
            return proof, replace_server(fresh, self.database, f"_{aside}")

    async def _restore_file(self, database: Path, source: Path, aside: Path) -> tuple[Verification, Path | None]:
        fresh = database.with_name(f".{database.name}.restored")
        try:
            await run_in_thread(check_database, source)
            await run_in_thread(remove_database, fresh)
            await run_in_thread(copy_database, source, fresh)
            proof = await verify(fresh)
            was_there = await run_in_thread(replace_database, fresh, database, aside)
        finally:
            remove_database(fresh)
        return proof, aside if was_there else None


def moment_in(path: Path) -> datetime | None:
    """When a backup was made; `None` for any other file."""
    named = NAME.fullmatch(path.name)
    return _moment(named[1]) if named else None


def moment_aside(path: Path) -> datetime | None:
    """When a restore put a database aside; `None` for any other file."""
    named = ASIDE_NAME.search(path.name)
    return _moment(named[1]) if named else None


def _moment(written: str) -> datetime | None:
    # Not `strptime`, which imports a module on its first call: by then root may have become a user who cannot read it.
    try:
        return datetime.fromisoformat(written)
    except ValueError:
        return None


def _is_abandoned(path: Path, now: datetime) -> bool:
    return datetime.fromtimestamp(path.stat().st_mtime, UTC) < now - ABANDONED_AFTER


def max_retention_days(hours: int) -> int | None:
    """The maximum number of days a backup is kept where one is made every `hours`; None where none is scheduled.

    It goes when backups have been made on `DAYS` days after its own, and `NEWEST` of them; each may come a look late.
    """
    if not hours:
        return None
    spacing = timedelta(hours=hours) + LOOK
    days = DAYS * spacing if spacing > timedelta(days=1) else timedelta(days=DAYS) + spacing
    return -(-max(days, NEWEST * spacing) // timedelta(days=1))


def number_in(path: Path) -> int:
    """The number of a backup, or of a database; 0 where it has none."""
    named = NAME.fullmatch(path.name)
    return int(named[2]) if named and named[2] else number_of(path)


def backups_to_keep(paths: Sequence[Path]) -> set[Path]:
    """The newest `NEWEST` backups, oldest first, and the last of each of the latest `DAYS` days that have any.

    No clock is used: a clock that is years ahead would drop all days, and backups named by it would stay for years.
    """
    last_of_day: dict[str, Path] = {}
    for path in reversed(paths):
        last_of_day.setdefault(path.name[:DAY], path)
    return {*paths[-NEWEST:], *list(last_of_day.values())[:DAYS]}


# -- proof --------------------------------------------------------------------------------------------


async def verify(path: Path, server: Server | None = None) -> Verification:
    """Open a copy and replay its open games, at low priority, in a separate process. A dump is read into a
    database beside that of its server.

    :raises StoreError: it cannot be opened, or the process died.
    """
    pool = create_pool(niceness=GENTLE)
    try:
        return await run(pool, verify_sync, path, server)
    except BrokenProcessPool as error:
        raise StoreDamaged(f"{path.name} could not be proved: the process that did it died.") from error
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def verify_sync(path: Path, server: Server | None = None) -> Verification:
    """As `verify`, in this process."""
    if server is None:
        return asyncio.run(verify_database(path))
    with scratch(server) as fresh:
        load(path, fresh)
        check_server(fresh, path.name)
        return asyncio.run(verify_database(fresh))


def verify_in_folder(name: str) -> Verification:
    here = Settings.from_env()
    path = here.backups / name
    if path.name != name or not path.is_file():
        raise JobFailed(f"in the folder of backups of this worker there is no {name}")
    try:
        return verify_sync(path, here.server)
    except StoreError as error:
        raise JobFailed(str(error)) from error


VERIFICATION_JOB = JobType("proof", str, Verification, verify_in_folder, seconds=6 * 3600, priority=1)


async def verify_database(place: Path | Server) -> Verification:
    """Replay the open games of a copy that nothing else uses.

    :raises StoreError: it cannot be opened.
    """
    from bot.titles.registry import OLDER_VERSIONS, TITLES

    async with await Store.open(place) as store:
        reports = await GameService(store, TITLES, editions=OLDER_VERSIONS).doctor.examine_all(with_finished=False)
    games = sum(report.game > 0 for report in reports)
    return Verification(games, tuple(str(report) for report in reports if not report.is_healthy))
