"""Commands that copy the database and put copies back."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from datetime import UTC, datetime

from bot.cli import settings
from bot.cli_games import working
from bot.ops.backups import DATABASE, Backup, BackupFailed, Backups
from bot.store.errors import StoreDamaged, StoreMissing, StoreTooNew


def _backups() -> Backups:
    here = settings()
    return Backups(here.data / DATABASE, here.backups)


def backup(arguments: argparse.Namespace) -> int:
    """One more backup, or the list of them. Exit 1 when there is none, or a game in it does not replay."""
    backups = _backups()
    if arguments.list:
        return _list(backups, arguments.json)
    now = datetime.now(UTC)
    is_proved = not arguments.no_replay
    try:
        with working("copying the database and replaying its open games"):
            made = asyncio.run(
                backups.make_as(arguments.out, is_proved) if arguments.out else backups.make(now, is_proved)
            )
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


def _games(made: Backup) -> int | None:
    return made.proof.games if made.proof else None


def _list(backups: Backups, as_json: bool) -> int:
    found = [{"file": str(path), "bytes": path.stat().st_size} for path in backups.names()]
    if as_json:
        print(json.dumps({"backups": found}))
        return 0
    for each in found:
        print(f"{each['bytes']:>12}  {each['file']}")
    print(f"{len(found)} backup(s) in {backups.folder}")
    return 0


def restore(arguments: argparse.Namespace) -> int:
    """A backup in the place of the database."""
    backups = _backups()
    source = arguments.file or next(reversed(backups.names()), None)
    if source is None:
        print(f"signalbox: there is no backup in {backups.folder}", file=sys.stderr)
        return 1
    if not source.is_file():
        raise StoreMissing(f"there is no file {source}; `signalbox backup --list` shows the backups that there are")
    try:
        with working("checking the backup and replaying its open games"):
            proof, aside = asyncio.run(backups.restore(source, datetime.now(UTC)))
    except (StoreDamaged, StoreTooNew) as error:
        raise type(error)(f"{source} cannot be restored: {error}") from error
    if arguments.json:
        kept = str(aside) if aside else None
        print(json.dumps({"file": str(source), "games": proof.games, "faults": proof.faults, "kept": kept}))
        return 0
    print(f"{source} is the database now: {proof}")
    if aside:
        print(f"the old one is kept as {aside}")
    for fault in proof.faults:
        print(fault)
    return 0
