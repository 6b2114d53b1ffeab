"""`signalbox bench --load SECONDS`: many open games at once, moves at a steady pace, two pictures for each."""

from __future__ import annotations

import asyncio
import os
import random
import sqlite3
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.bench.fixtures import PERSON, random_game
from bot.bench.suite import milliseconds
from bot.engine import GameId
from bot.engine.games.game_record import GameRecordFile
from bot.ops.loop_lag import freeze_gc
from bot.ops.settings import Settings
from bot.render.worker import PictureFailed, Renderer
from bot.service.game_service import GameService
from bot.store import Store, StoreError
from bot.threads import run_in_thread
from bot.titles.registry import TITLES

SOURCES = 3

MOST_MOVES, TAIL = 60, 60
"""How many moves a stored game has at most, and how many more are known for it."""

OF_A_GAME = ("seats", "moves", "snapshots", "clocks", "places")
MOST_IN_HAND = 400
SAMPLE_SECONDS = 1.0


@dataclass(frozen=True)
class Source:
    game: int
    coming: tuple[str, ...]


async def populate(path: Path, number: int) -> dict[GameId, tuple[str, ...]]:
    """Open this number of games of all titles; returns the next moves of each."""
    async with await Store.open(path) as store:
        sources = []
        tables = GameService(store, TITLES)
        for title in TITLES:
            players = min(4, TITLES[title].players.stop - 1)
            for seed in range(SOURCES):
                texts = []
                for _ in (played := random_game(title, players, seed)).moves():
                    texts = played.texts
                    if len(texts) >= MOST_MOVES + TAIL:
                        break
                names = tuple(f"Player {seat}" for seat in range(1, players + 1))
                first = tuple(texts[: min(MOST_MOVES, len(texts) // 2)])
                game = await tables.transfer.import_game(GameRecordFile(title, names, first, seed=seed), PERSON)
                await store.outbox.supersede(tables.desk.now())
                sources.append(Source(game, tuple(texts[len(first) :])))
    return await run_in_thread(_copy, path, sources, number)


def _copy(path: Path, sources: list[Source], number: int) -> dict[GameId, tuple[str, ...]]:
    coming = {GameId(source.game): source.coming for source in sources[:number]}
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("DELETE FROM outbox")
        for game in map(GameId, range(len(sources) + 1, number + 1)):
            source = sources[game % len(sources)]
            coming[game] = source.coming
            _copy_rows(database, "games", "id", source.game, game)
            for table in OF_A_GAME:
                _copy_rows(database, table, "game", source.game, game)
    return coming


def _copy_rows(database: sqlite3.Connection, table: str, key: str, old: int, new: int) -> None:
    columns = [name for _, name, *_ in database.execute(f"PRAGMA table_info({table})")]
    others = [name for name in columns if name != key and not (name == "id" and key != "id")]
    listed = ", ".join(others)
    database.execute(
        f"INSERT INTO {table} ({key}, {listed}) SELECT ?, {listed} FROM {table} WHERE {key} = ?", (new, old)
    )


@dataclass
class Watch:
    answers: list[float] = field(default_factory=list)
    pictures: list[float] = field(default_factory=list)
    memory: list[tuple[float, float]] = field(default_factory=list)
    longest: float = 0.0
    longest_working: float = 0.0
    failures: int = 0
    in_hand: int = 0
    most_in_hand: int = 0
    is_over: bool = False

    async def loop(self) -> None:
        """Stalls of the event loop, in wall-clock and in CPU time."""
        while not self.is_over:
            began, worked = time.perf_counter(), time.thread_time()
            await asyncio.sleep(0.002)
            self.longest = max(self.longest, time.perf_counter() - began - 0.002)
            self.longest_working = max(self.longest_working, time.thread_time() - worked)

    async def sizes(self, studio: Renderer) -> None:
        while not self.is_over:
            self.memory.append(
                (time.monotonic(), sum(resident_mb(pid) for pid in [os.getpid(), *render_worker_pids(studio)]))
            )
            await asyncio.sleep(SAMPLE_SECONDS)


async def load(seconds: float, games: int, rate: float) -> dict[str, Any]:
    """Play `rate` moves a second for `seconds` in `games` open games."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.db"
        began = time.perf_counter()
        coming = {game: list(texts) for game, texts in (await populate(path, games)).items()}
        filled = time.perf_counter() - began
        began = time.perf_counter()
        store = await Store.open(path)
        opened = time.perf_counter() - began
        studio, watch = Renderer(Settings.from_env().painters), Watch()
        tables = GameService(store, TITLES)
        known = await _records(store)
        freeze_gc()
        watchers = [asyncio.create_task(watch.loop()), asyncio.create_task(watch.sizes(studio))]
        try:
            before = os.times()
            began = time.perf_counter()
            await _play(tables, studio, watch, coming, seconds, rate)
            took = time.perf_counter() - began
            after = os.times()
            painted = sum(cpu_seconds(pid) for pid in render_worker_pids(studio))
            watch.is_over = True
            await asyncio.gather(*watchers)
            saved = await _records(store) - known
            waiting, _ = await store.outbox.state()
        finally:
            studio.close()
            await store.close()
    moves = len(watch.answers)
    own = after.user + after.system - before.user - before.system
    return {
        "load_games": games,
        "load_fill_s": round(filled, 1),
        "load_open_s": round(opened, 3),
        "load_moves": moves,
        "load_moves_per_s": round(moves / took, 1),
        "load_wanted_per_s": rate,
        "load_answer_ms_p50": milliseconds(watch.answers, 0.5),
        "load_answer_ms_p99": milliseconds(watch.answers, 0.99),
        "load_answer_ms_max": milliseconds(watch.answers, 1.0),
        "load_pictures_ms_p50": milliseconds(watch.pictures, 0.5),
        "load_pictures_ms_p99": milliseconds(watch.pictures, 0.99),
        "load_failures": watch.failures,
        "load_most_in_hand": watch.most_in_hand,
        "load_cpu_ms_per_move_bot": round(own / moves * 1000, 1),
        "load_cpu_ms_per_move_painters": round(painted / moves * 1000, 1),
        "load_loop_block_ms_max": round(watch.longest * 1000, 1),
        "load_loop_work_ms_max": round(watch.longest_working * 1000, 1),
        "load_rss_mb_max": round(max(size for _, size in watch.memory), 1),
        "load_rss_slope_mb_per_min": round(memory_slope(watch.memory[len(watch.memory) // 2 :]) * 60, 2),
        "load_moves_lost": moves - saved,
        "load_notices_waiting": waiting,
    }


async def _records(store: Store) -> int:
    """The number of records in all games, without automatic moves."""
    games = [record.id for record in await store.games.list_all()]
    return sum([not move.auto for game_id in games for move in await store.moves.list_of(game_id)])


async def _play(
    tables: GameService, studio: Renderer, watch: Watch, coming: dict[GameId, list[str]], seconds: float, rate: float
) -> None:
    chance = random.Random(1)
    running: set[asyncio.Task[None]] = set()
    end = time.monotonic() + seconds
    turn = time.monotonic()
    busy: set[GameId] = set()
    while turn < end:
        await asyncio.sleep(max(0.0, turn - time.monotonic()))
        turn += 1 / rate
        if len(running) >= MOST_IN_HAND:
            await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
        game = chance.choice([number for number in coming if number not in busy])
        busy.add(game)
        task = asyncio.create_task(_move(tables, studio, watch, game, coming, busy))
        running.add(task)
        task.add_done_callback(running.discard)
    if running:
        await asyncio.gather(*running)


async def _move(
    tables: GameService,
    studio: Renderer,
    watch: Watch,
    game_id: GameId,
    coming: dict[GameId, list[str]],
    busy: set[GameId],
) -> None:
    watch.in_hand += 1
    watch.most_in_hand = max(watch.most_in_hand, watch.in_hand)
    try:
        began = time.perf_counter()
        await tables.moves.submit(game_id, PERSON, coming[game_id][0])
        answered = time.perf_counter()
        coming[game_id].pop(0)
        watch.answers.append(answered - began)
        position = (await tables.desk.table(game_id)).game
        if position is not None:
            for kind in ("map", "market"):
                await studio.picture(position, kind)
        watch.pictures.append(time.perf_counter() - answered)
    except (StoreError, PictureFailed):
        watch.failures += 1
    finally:
        watch.in_hand -= 1
        busy.discard(game_id)
        if not coming[game_id]:
            del coming[game_id]


def render_worker_pids(studio: Renderer) -> list[int]:
    return [] if studio._pool is None else [pid for pid in (studio._pool._processes or {})]


def resident_mb(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory_slope(points: list[tuple[float, float]]) -> float:
    """By least squares."""
    number = len(points)
    if number < 2:
        return 0.0
    middle_x = sum(x for x, _ in points) / number
    middle_y = sum(y for _, y in points) / number
    spread = sum((x - middle_x) ** 2 for x, _ in points)
    return sum((x - middle_x) * (y - middle_y) for x, y in points) / spread if spread else 0.0
