"""The command that carries all games into another database: from a file to a server, and back."""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from bot.ops.privileges import as_owner
from bot.ops.settings import DATABASE, database_server
from bot.service.game_service import GameService
from bot.service.integrity.findings import IntegrityReport
from bot.store import Content, ProgressCallback, Server, Store, StoreNotEmpty, remove_database
from bot.titles.registry import OLDER_VERSIONS, TITLES

from .games import with_progress
from .main import NotFound, data_folder, present_database


@dataclass(frozen=True)
class MoveReport:
    content: dict[str, Content]
    reports: list[IntegrityReport]

    @property
    def is_well(self) -> bool:
        return all(report.is_healthy for report in self.reports)


def move_database(arguments: argparse.Namespace) -> int:
    """Every row into an empty database; then every game is replayed there. Exit 1 when one does not."""
    source = _parse_database("--from", arguments.source) if arguments.source else present_database()
    target = _parse_database("--to", arguments.to)
    if isinstance(source, Path) and not source.is_file():
        raise NotFound(f"there is no database {source}")
    with as_owner(data_folder()):
        moved = asyncio.run(_move(source, target))
    rows = {table: content.rows for table, content in moved.content.items() if content.rows}
    faults = [str(report) for report in moved.reports if not report.is_healthy]
    games = sum(report.game > 0 for report in moved.reports)
    if arguments.json:
        print(json.dumps({"from": str(source), "to": str(target), "rows": rows, "games": games, "faults": faults}))
        return 0 if moved.is_well else 1
    print(f"{sum(rows.values())} rows carried from {source} to {target}, and read there as they are here:")
    for table, content in moved.content.items():
        print(f"  {table:<10} {content.rows:>9}  {content.digest:064x}"[:38])
    for fault in faults:
        print(fault)
    print(f"{games} game(s) replayed there, {len(faults)} not well")
    if isinstance(target, Server):
        print("From now on: SIGNALBOX_DATABASE_URL with that address. The old database is as it was; play in one only.")
    else:
        print("From now on: without SIGNALBOX_DATABASE_URL. The old database is as it was; play in one only.")
    return 0 if moved.is_well else 1


def _parse_database(option: str, text: str) -> Path | Server:
    """A server's address, a file, or the folder of one.

    :raises InvalidSetting: it is an address of something else.
    """
    server = database_server(option, text) if "://" in text else None
    path = Path(text)
    return server or (path / DATABASE if path.is_dir() or text.endswith("/") else path)


async def _move(source: Path | Server, target: Path | Server) -> MoveReport:
    """Copy and replay. A file created for nothing is removed again.

    :raises StoreNotEmpty: there is something there already.
    :raises StoreError: something is wrong with one of them; the target is as empty as it was.
    """
    async with await Store.open(source, is_alone=True) as here:
        if isinstance(target, Path) and target.exists():
            raise StoreNotEmpty("There is a file {name} already.", str(target))
        is_carried = False
        try:
            async with await Store.open(target, is_alone=True) as there:
                with _bar() as told:
                    content = await here.copy_to(there, told)
                is_carried = True
                tables = GameService(there, TITLES, editions=OLDER_VERSIONS)
                return MoveReport(content, await tables.doctor.examine_all(among=with_progress))
        finally:
            if isinstance(target, Path) and not is_carried:
                remove_database(target)


@contextmanager
def _bar() -> Iterator[ProgressCallback]:
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as shown:
        task = shown.add_task("carrying", total=None)
        yield lambda total, done: shown.update(task, total=total, completed=done)
