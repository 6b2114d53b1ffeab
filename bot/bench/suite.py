"""`signalbox bench`: speeds on this machine as one JSON object. Timing belongs here, never in a test."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from bot.cli.games import progress_bar, spinner
from bot.engine import PersonId
from bot.engine.notation import format_action, parse_action
from bot.engine.play import Game
from bot.formats.peer18xx.file_format import Log
from bot.ops.settings import InvalidSetting, database_server
from bot.render.catalogue import scene_of
from bot.render.painting.painter import Painter
from bot.render.worker import Renderer
from bot.service.game_service import GameService
from bot.service.imports.formats import load, replay_of
from bot.store import Store
from bot.titles.registry import TITLES

from .calls import typed_move_calls
from .compare import compare
from .fixtures import NAMES, PERSON, SEED, first_half, open_game, random_game, random_moves
from .routes import RouteBench, late_runs, recorded_runs
from .start import start
from .web_page import board

LATE_SEEDS = (1, 3, 5, 7)
"""Games of chance of those tempers that build and save: they reach the late phases."""

LATE_MOVES = 400


def percentile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0


def milliseconds(values: Sequence[float], share: float) -> float:
    return round(percentile(values, share) * 1000, 3)


def rss_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return round(pages * os.sysconf("SC_PAGE_SIZE") / 2**20, 1)


PROJECT = Path(__file__).resolve().parents[2]


def stored_games(title: str) -> list[Path]:
    shared = Path(os.environ.get("SIGNALBOX_SHARED") or PROJECT.parent / "shared")
    return sorted((shared / "peer-games" / title).glob("*.json"))


def bench(arguments: argparse.Namespace) -> int:
    if arguments.load:
        found = asyncio.run(_campaign("load").load(arguments.load, arguments.games, arguments.rate))
        print(json.dumps(found, indent=None if arguments.json else 2))
        return 0
    if arguments.database:
        server = database_server("--database", arguments.database)
        assert server is not None
        found = _campaign("databases").databases(server, arguments.quick)
        print(json.dumps(found, indent=None if arguments.json else 2))
        return 0
    if arguments.page:
        print(json.dumps(_campaign("page").page(arguments.quick), indent=None if arguments.json else 2))
        return 0
    if arguments.compare:
        print(compare(*arguments.compare))
        return 0
    report: dict[str, Any] = {"titles": {}}
    for title in progress_bar(TITLES, "titles", len(TITLES)):
        report["titles"][title] = asyncio.run(_title(title, arguments.quick))
    with spinner("routes of real games and late boards"):
        report["routes"] = routes(arguments.quick)
    with spinner("pictures, the whole table, memory"):
        report |= asyncio.run(_whole_table(arguments.quick))
    with spinner("the board page"):
        first = next(iter(TITLES))
        report["board"] = board(first, random_moves(first), arguments.quick)
        for title in () if arguments.quick else list(TITLES)[1:]:
            report["titles"][title]["board"] = board(title, random_moves(title), arguments.quick)
    if arguments.json:
        print(json.dumps(report))
    else:
        print(json.dumps(report, indent=2))
    return 0


def _campaign(name: str) -> ModuleType:
    """A campaign of the checkout's `benchmarks/`, which is not installed.

    :raises InvalidSetting: this program runs from no checkout.
    """
    if not (PROJECT / "benchmarks").is_dir():
        raise InvalidSetting("--load, --page and --database need a checkout of the project; they are not installed.")
    if str(PROJECT) not in sys.path:
        sys.path.append(str(PROJECT))
    return import_module(f"benchmarks.{name}")


async def _title(title: str, quick: bool) -> dict[str, Any]:
    report: dict[str, Any] = {}
    report |= replay_speed(title, 1 if quick else 10)
    report |= copy_speed(title, 20 if quick else 200)
    report["typed_move_calls"], _ = max(typed_move_calls(title))
    is_first = title == next(iter(TITLES))
    for number in (10, 1000) if is_first or not quick else (10,):
        times = await apply_save(title, number, 40 if quick else 200)
        report[f"apply_save_ms_p50_at_{number}"] = milliseconds(times, 0.5)
        report[f"apply_save_ms_p95_at_{number}"] = milliseconds(times, 0.95)
    return report


# -- routes -------------------------------------------------------------------------------------------


def routes(quick: bool) -> dict[str, Any]:
    """How long the best routes take: before every run of the real games, of each title and of all; on late boards of
    random games, of each title. Not in haste: those games are long."""
    recorded = {title: recorded_runs(map(load, stored_games(title))) for title in TITLES}
    report: dict[str, Any] = {"recorded": _reports(recorded)}
    if not quick:
        late = {title: late_runs(random_game(title, len(NAMES), seed) for seed in LATE_SEEDS) for title in TITLES}
        report["late"] = _reports(late)
    return report


def _reports(runs: Mapping[str, RouteBench]) -> dict[str, Any]:
    counted = {title: one for title, one in runs.items() if one.seconds}
    together = RouteBench()
    for one in counted.values():
        together.add(one)
    return {title: _report(one) for title, one in [*counted.items(), ("all", together)]}


def _report(runs: RouteBench) -> dict[str, Any]:
    report: dict[str, Any] = {"runs": len(runs.seconds)}
    for clock, seconds in (("ms", runs.seconds), ("processor_ms", runs.busy)):
        for share in (50, 95, 99):
            report[f"{clock}_p{share}"] = milliseconds(seconds, share / 100)
        report[f"{clock}_max"] = milliseconds(seconds, 1.0)
    report["proven_share"] = round(runs.proven / len(runs.seconds), 4) if runs.seconds else 1.0
    report["below_run"] = runs.below
    return report


# -- replay ------------------------------------------------------------------------------------------


def replay_speed(title: str, repeats: int) -> dict[str, Any]:
    """Actions a second with all checks, recomputing every revenue."""
    games = stored_games(title)
    actions, began = 0, time.perf_counter()
    if games:
        for _ in range(repeats):
            for path in games:
                log = load(path)
                if isinstance(log, Log):
                    runner = replay_of(log)
                    runner.run()
                    actions += len(runner.effective)
        seconds = time.perf_counter() - began
        return {"replay_actions_per_s": round(actions / seconds), "replay_source": "real games"}
    texts = random_moves(title)
    began = time.perf_counter()
    for _ in range(repeats):
        game = Game.new(TITLES[title], [f"Player {number}" for number in range(1, len(NAMES) + 1)], {}, SEED)
        for text in texts:
            game.apply(parse_action(TITLES[title], text))
        actions += len(texts)
    seconds = time.perf_counter() - began
    return {"replay_actions_per_s": round(actions / seconds), "replay_source": "random games"}


def copy_speed(title: str, turns: int) -> dict[str, Any]:
    """Seconds to copy a late position, the least of several turns; and as a part of writing and reading it, each in
    turn."""
    game = Game.new(TITLES[title], NAMES, {}, SEED)
    for text in random_moves(title)[:LATE_MOVES]:
        game.apply(parse_action(game.title, text))
    ways: list[Callable[[], Game]] = [game.copy, lambda: Game.decode(game.title, game.encode())]
    copied, written = (
        min(times) for times in zip(*([_seconds(way) for way in ways] for _ in range(turns)), strict=True)
    )
    return {"copy_us": round(copied * 1e6, 1), "copy_part_of_json": round(copied / written, 3)}


COPIES = 10
"""How often one way of copying a position is repeated for one measurement."""


def _seconds(act: Callable[[], object]) -> float:
    began = time.process_time()
    for _ in range(COPIES):
        act()
    return (time.process_time() - began) / COPIES


# -- the table ----------------------------------------------------------------------------------------


async def apply_save(title: str, number: int, repeats: int) -> list[float]:
    """Seconds from a text to the saved move in a game with this number of records: pairs of a move and its undo fill
    it."""
    with tempfile.TemporaryDirectory() as folder:
        async with await Store.open(Path(folder) / "bench.db") as store:
            tables = GameService(store, TITLES)
            game = await open_game(tables, title)
            texts = random_moves(title)
            await tables.moves.submit_texts(game, PERSON, texts[: min(number, len(texts) // 2)])
            position = (await tables.desk.table(game)).game
            assert position is not None
            filler = format_action(position.legal_actions()[0])
            while (await tables.desk.table(game)).record.version < number:
                await tables.moves.submit(game, PERSON, filler)
                await tables.moves.undo(game, PERSON)
            times = []
            for index in range(repeats):
                position = (await tables.desk.table(game)).game
                assert position is not None
                legal = position.legal_actions()
                text = format_action(legal[index % len(legal)])
                began = time.perf_counter()
                await tables.moves.submit(game, PERSON, text)
                times.append(time.perf_counter() - began)
                if position.state.finished or index % 2:
                    await tables.moves.undo(game, PERSON)
            return times


async def _whole_table(quick: bool) -> dict[str, Any]:
    title = next(iter(TITLES))
    report: dict[str, Any] = {}
    report |= render_speed(title, 30 if quick else 200)
    report |= await table_speed(title, 25 if quick else 200)
    report |= await memory(title)
    report |= start({each: first_half(each) for each in TITLES})
    return report


def render_speed(title: str, most: int) -> dict[str, Any]:
    """Map and market after each move of a random game, warm."""
    painter, times, sizes = Painter(), [], []
    for game in random_game(title, len(NAMES), SEED).moves():
        began = time.perf_counter()
        pictures = [painter.paint(scene_of(game, kind)) for kind in ("map", "market")]
        times.append(time.perf_counter() - began)
        sizes.append(sum(len(picture.png) for picture in pictures))
        if len(times) > most:
            break
    return {
        "render_first_ms": round(times[0] * 1000),
        "render_ms_p50": milliseconds(times[1:], 0.5),
        "render_ms_p95": milliseconds(times[1:], 0.95),
        "render_bytes": max(sizes),
    }


async def table_speed(title: str, number: int) -> dict[str, Any]:
    """Moves a second through text, rules, database and both pictures; the longest stall of the event loop."""
    longest = 0.0
    done = False

    async def watch() -> None:
        nonlocal longest
        while not done:
            began = time.perf_counter()
            await asyncio.sleep(0.002)
            longest = max(longest, time.perf_counter() - began - 0.002)

    with tempfile.TemporaryDirectory() as folder:
        store = await Store.open(Path(folder) / "bench.db")
        studio = Renderer()
        try:
            tables = GameService(store, TITLES)
            game = await open_game(tables, title)
            position = (await tables.desk.table(game)).game
            assert position is not None
            for kind in ("map", "market"):
                await studio.picture(position, kind)
            watcher = asyncio.create_task(watch())
            texts = random_moves(title)[:number]
            began = time.perf_counter()
            for text in texts:
                await tables.moves.submit(game, PERSON, text)
                position = (await tables.desk.table(game)).game
                assert position is not None
                for kind in ("map", "market"):
                    await studio.picture(position, kind)
            seconds = time.perf_counter() - began
            done = True
            await watcher
        finally:
            studio.close()
            await store.close()
    return {
        "table_moves_per_s": round(len(texts) / seconds, 1),
        "event_loop_block_ms_max": round(longest * 1000, 1),
    }


async def memory(title: str) -> dict[str, Any]:
    half = first_half(title)
    with tempfile.TemporaryDirectory() as folder:
        async with await Store.open(Path(folder) / "bench.db") as store:
            tables = GameService(store, TITLES)
            report: dict[str, Any] = {}
            for index in range(200):
                person = PersonId(f"{PERSON}{index}")
                game = await open_game(tables, title, person)
                await tables.moves.submit_texts(game, person, half)
                await tables.desk.table(game)
                if index == 0:
                    report["rss_mb_1"] = rss_mb()
            report["rss_mb_200"] = rss_mb()
            return report
