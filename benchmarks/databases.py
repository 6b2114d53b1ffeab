"""`signalbox bench --database URL`: saved moves by several processes, in a file and on a server."""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from bot.bench.fixtures import PERSON, open_game, random_moves
from bot.bench.suite import milliseconds
from bot.cli.games import progress_bar
from bot.engine import GameId, PersonId
from bot.process_pool import create_pool, run
from bot.service.game_service import GameService
from bot.store import Server, Store, scratch
from bot.store.backends.backend import Backend
from bot.titles.registry import TITLES

TITLE = next(iter(TITLES))
PROCESSES = (1, 2, 4)
IN_HAND = (1, 8)
"""Number of concurrent moves: one in each process, or eight in all processes together."""

SECONDS = {True: 3.0, False: 20.0}
"""Duration of each measurement, quick and full."""

SETTLING = 1.0
"""Seconds between the opening of the games and the first move that is measured, so that all processes have begun."""


class TimedStore(Store):
    """A store that notes how long each of its transactions took, with the wait for those of others."""

    def __init__(self, opened: Backend) -> None:
        super().__init__(opened)
        self.commits: list[float] = []

    @asynccontextmanager
    async def write_transaction(self) -> AsyncIterator[Any]:
        began = time.perf_counter()
        async with super().write_transaction() as connection:
            yield connection
        self.commits.append(time.perf_counter() - began)


@dataclass(frozen=True)
class ProcessTimings:
    """Measurements of one process: seconds of each move (from its text to the answer) and of each transaction, of its
    own work in all, and of the clock."""

    moves: list[float] = field(default_factory=list)
    commits: list[float] = field(default_factory=list)
    worked: float = 0.0
    took: float = 0.0


def databases(server: Server, is_quick: bool) -> dict[str, Any]:
    """Moves a second, times of transactions and moves, and work a move, in a file of this machine and in a database
    beside the given database, which is dropped afterwards."""
    loads = [
        (kind, processes, in_hand)
        for kind in (_file, partial(scratch, server))
        for in_hand in IN_HAND
        for processes in PROCESSES
    ]
    report: dict[str, dict[str, Any]] = {"file": {}, "server": {}}
    for kind, processes, in_hand in progress_bar(loads, "loads", len(loads)):
        each = max(1, in_hand // processes)
        with kind() as place:
            found = asyncio.run(_measure(place, processes, each, SECONDS[is_quick]))
        name = "file" if kind is _file else "server"
        report[name][f"{processes}_processes_{each * processes}_in_hand"] = _summary(found)
    return report


@contextmanager
def _file() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder) / "bench.db"


async def _measure(place: Path | Server, processes: int, games: int, seconds: float) -> list[ProcessTimings]:
    await (await Store.open(place)).close()
    texts = random_moves(TITLE)
    start = time.time() + SETTLING * processes
    pools = [create_pool() for _ in range(processes)]
    try:
        return await asyncio.gather(*(run(pool, play_sync, place, texts, games, start, seconds) for pool in pools))
    finally:
        for pool in pools:
            pool.shutdown(wait=False, cancel_futures=True)


def play_sync(place: Path | Server, texts: list[str], games: int, start: float, seconds: float) -> ProcessTimings:
    return asyncio.run(_play(place, texts, games, start, seconds))


async def _play(place: Path | Server, texts: list[str], games: int, start: float, seconds: float) -> ProcessTimings:
    store = await TimedStore.open(place)
    try:
        tables = GameService(store, TITLES)
        openers = [PersonId(f"{PERSON}{os.getpid()}.{index}") for index in range(games)]
        people = {await open_game(tables, TITLE, opener): opener for opener in openers}
        await asyncio.sleep(max(0.0, start - time.time()))
        store.commits.clear()
        moves: list[float] = []
        began, worked = time.perf_counter(), time.process_time()

        async def play(game_id: GameId) -> None:
            for text in texts:
                before = time.perf_counter()
                if before - began > seconds:
                    return
                await tables.moves.submit(game_id, people[game_id], text)
                moves.append(time.perf_counter() - before)

        await asyncio.gather(*map(play, people))
        return ProcessTimings(moves, store.commits, time.process_time() - worked, time.perf_counter() - began)
    finally:
        await store.close()


def _summary(found: list[ProcessTimings]) -> dict[str, float]:
    moves = [each for one in found for each in one.moves]
    commits = [each for one in found for each in one.commits]
    report = {
        "moves": len(moves),
        "moves_per_s": round(sum(len(one.moves) / one.took for one in found), 1),
        "cpu_ms_per_move": round(sum(one.worked for one in found) / len(moves) * 1000, 2),
    }
    for name, values in (("commit", commits), ("move", moves)):
        for share in (50, 95, 99):
            report[f"{name}_ms_p{share}"] = milliseconds(values, share / 100)
    return report
