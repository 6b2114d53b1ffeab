"""`signalbox records`: figures and ratings of finished games, computed from their moves."""

from __future__ import annotations

import argparse
import asyncio
import sys

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from bot.ops.lifecycle import open_tables
from bot.ops.privileges import as_owner

from .main import data_folder, present_database


def records(arguments: argparse.Namespace) -> int:
    """Exit 1 if a game could not be read; the others are computed all the same."""
    with as_owner(data_folder()):
        return asyncio.run(_records(arguments))


async def _records(arguments: argparse.Namespace) -> int:
    async with open_tables(present_database()) as tables:
        found = tables.records
        if arguments.ratings:
            print(f"{await found.rate_again()} games rated")
            return 0
        columns = TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
        with Progress(*columns, console=Console(stderr=True), disable=not sys.stderr.isatty()) as progress:
            bar = progress.add_task("", total=None)

            def tell(number: int, total: int) -> None:
                progress.update(bar, completed=number, total=total)

            number = await (found.rebuild(tell) if arguments.rebuild else found.catch_up(None, tell))
    for game_id in sorted(found.unreadable):
        print(f"signalbox: game {game_id} cannot be read and was left out; see signalbox doctor", file=sys.stderr)
    print(f"{number - len(found.unreadable)} games computed")
    return 1 if found.unreadable else 0
