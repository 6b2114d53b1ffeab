"""Commands that copy the database and put copies back."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
from datetime import UTC, datetime
from pathlib import Path

from bot.ops.backups import Backup, BackupFailed, Backups
from bot.ops.privileges import as_owner, owner_of
from bot.store.errors import StoreDamaged, StoreMissing, StoreTooNew

from .games import spinner
from .main import NotFound, data_folder, present_database, settings


def _backups() -> Backups:
    here = settings()
    return Backups(here.database, here.backups)


def backup(arguments: argparse.Namespace) -> int:
    """One more backup, or the list of them. Exit 1 when there is none, or a game in it does not replay."""
    if arguments.list:
        return _list(_backups(), arguments.json)
    try:
        with spinner("copying the database and replaying its open games"):
            made = _make_backup(arguments.out, is_proved=not arguments.no_replay)
    except BackupFailed as failure:
        print(f"signalbox: {failure}", file=sys.stderr)
        return 1
    faults = made.proof.faults if made.proof else ()
    if arguments.json:
        print(json.dumps({"file": str(made.path), "bytes": made.size, "games": _games(made), "faults": faults}))
    else:
        print(made.path)
        print(f"{made.size} bytes; {made.proof or 'no games replayed'}")
        for fault in faults:
            print(fault)
    return 1 if faults else 0


def _make_backup(out: Path | None, is_proved: bool) -> Backup:
    """A backup in the named file, owned by the user who asked for it; otherwise a new backup in the folder of backups.

    :raises NotFound: there is no database.
    :raises BackupFailed: there is no whole copy.
    """
    present_database()
    backups = _backups()
    if out:
        return asyncio.run(backups.make_as(out, is_proved))
    with as_owner(data_folder()):
        return asyncio.run(backups.make(datetime.now(UTC), is_proved))


def _games(made: Backup) -> int | None:
    return made.proof.games if made.proof else None


def _list(backups: Backups, as_json: bool) -> int:
    if not backups.folder.is_dir():
        raise NotFound(f"there is no folder of backups {backups.folder}; SIGNALBOX_BACKUPS names it")
    found = [{"file": str(path), "bytes": path.stat().st_size} for path in backups.names()]
    if as_json:
        print(json.dumps({"backups": found}))
        return 0
    for each in found:
        print(f"{each['bytes']:>12}  {each['file']}")
    print(f"{len(found)} backup(s) in {backups.folder}")
    return 0


def restore(arguments: argparse.Namespace) -> int:
    backups = _backups()
    source = arguments.file or next(reversed(backups.names()), None)
    if source is None:
        print(f"signalbox: there is no backup in {backups.folder}", file=sys.stderr)
        return 1
    if not source.is_file():
        raise StoreMissing(f"there is no file {source}; `signalbox backup --list` shows the backups that there are")
    data = data_folder()
    try:
        with spinner("checking the backup and replaying its open games"), as_owner(data):
            if not os.access(source, os.R_OK, effective_ids=True):
                raise NotFound(
                    f"{owner_of(data).name}, whose {data} is, may not read {source}; put it into a folder that user can read"
                )
            proof, aside = asyncio.run(backups.restore(source, datetime.now(UTC)))
    except (StoreDamaged, StoreTooNew) as error:
        raise type(error)(f"{source} cannot be restored: {error}") from error
    if arguments.json:
        kept = str(aside) if aside else None
        print(json.dumps({"file": str(source), "games": proof.games, "faults": proof.faults, "kept": kept}))
        return 0
    print(f"{source} is the database now: {proof}")
    if aside:
        print(f"the old database is kept as {aside}")
    for fault in proof.faults:
        print(fault)
    return 0
