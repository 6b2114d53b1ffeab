"""Commands about games: replay, render, routes, selfplay, export, import, doctor."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections import deque
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar

from rich.console import Console
from rich.progress import track

from bot.cli import data_folder
from bot.cli_files import BadFile, OwnGame, check_result, follow, load, own_form, replay_of, trace_lines
from bot.engine.game import Game
from bot.engine.ids import CompanyId
from bot.engine.logs18xx import BadLog, Divergence, Log
from bot.engine.logs18xx.export import export_log
from bot.engine.logs18xx.traces import compare
from bot.engine.routes import best_routes, write_route
from bot.engine.selfplay import Stuck, play
from bot.engine.steps.routes import route_problem
from bot.engine.text import text_of
from bot.engine.titles.registry import DIALECTS, TITLES
from bot.store import Store
from bot.tables.tables import Tables

Item = TypeVar("Item")


def progress(items: Iterable[Item], what: str, total: int) -> Iterable[Item]:
    """A progress bar on standard error where a person looks at it."""
    console = Console(stderr=True)
    if not console.is_terminal or total < 2:
        return items
    return track(items, what, total, console=console, transient=True)


# -- replay -------------------------------------------------------------------------------------------


def replay(arguments: argparse.Namespace) -> int:
    """Exit 0 only if every game ends with the file's result."""
    if arguments.trace and len(arguments.files) > 1:
        raise BadFile("--trace goes with one file")
    reports = [
        _replay_one(path, arguments.trace) for path in progress(arguments.files, "replaying", len(arguments.files))
    ]
    good = all(report["ok"] for report in reports)
    if arguments.json:
        print(json.dumps({"ok": good, "games": reports}))
    else:
        for report in reports:
            print(_replay_line(report))
    return 0 if good else 1


def _replay_one(path: Path, trace: Path | None) -> dict[str, Any]:
    began = time.perf_counter()
    report: dict[str, Any] = {"file": str(path), "ok": False}
    game = load(path)
    report["title"] = game.title
    try:
        if isinstance(game, Log):
            runner = replay_of(game)
            report["states_compared"] = compare(runner, trace_lines(trace)) if trace else 0
            if not trace:
                for _ in runner.steps():
                    pass
            runner.check_result()
            report["actions"], report["moves"] = len(runner.effective), len(runner.taken)
        else:
            (_, position), *_ = deque(follow(game), maxlen=1)
            check_result(game, position)
            report["actions"] = report["moves"] = len(game.moves)
        report["ok"] = True
    except Divergence as error:
        report["divergence"] = {
            "action": error.number,
            "id": error.action_id,
            "what": error.what,
            "expected": str(error.expected),
            "actual": str(error.actual),
        }
    except (BadLog, KeyError, ValueError, TypeError, IndexError) as error:
        report["divergence"] = {"what": f"the file is damaged: {error}"}
    report["seconds"] = round(time.perf_counter() - began, 3)
    return report


def _replay_line(report: dict[str, Any]) -> str:
    if report["ok"]:
        states = f", {report['states_compared']} states equal" if report.get("states_compared") else ""
        return f"ok    {report['file']}: {report['actions']} actions in {report['seconds']} s{states}"
    found = report["divergence"]
    where = f"action {found['action']} (id {found['id']}): " if "action" in found else ""
    versus = f": expected {found['expected']}, got {found['actual']}" if "expected" in found else ""
    return f"WRONG {report['file']}: {where}{found['what']}{versus}"


# -- positions ----------------------------------------------------------------------------------------


def position_at(game: Log | OwnGame, at: int | None) -> Game:
    """The position before action `at`, or the last one.

    :raises BadFile: the game has no such action, or diverges before it.
    """
    position, last = None, 0
    try:
        for last, position in follow(game):
            if at is not None and last == at:
                return position
    except Divergence as error:
        raise BadFile(str(error)) from error
    if position is None or at is not None:
        raise BadFile(f"the game has no action {at}; it has {last - 1}")
    return position


def render(arguments: argparse.Namespace) -> int:
    """Map, market and the routes of the company in turn."""
    from bot.render import scene_of
    from bot.render.paint import Painter

    position = position_at(load(arguments.file), arguments.at)
    arguments.out.mkdir(parents=True, exist_ok=True)
    painter = Painter()
    kinds = ["map", "market"]
    if position.frame.entity in position.state.companies and position.state.trains_of(position.frame.entity):
        kinds.append("routes")
    for kind in progress(kinds, "painting", len(kinds)):
        picture = painter.paint(scene_of(position, kind))
        path = arguments.out / picture.name
        path.write_bytes(picture.png)
        path.with_suffix(".txt").write_text(picture.alt + "\n")
        print(path)
    return 0


def routes(arguments: argparse.Namespace) -> int:
    """The best routes of the company in turn."""
    position = position_at(load(arguments.file), arguments.at)
    company = position.frame.entity
    if company is None or company not in position.state.companies:
        raise BadFile(f"before action {arguments.at} no company is in turn")
    found = best_routes(route_problem(position, CompanyId(company)), 30.0, time.monotonic)
    kinds = {train.id: train.kind for train in position.state.trains}
    report = {
        "company": company,
        "revenue": found.revenue,
        "bound": found.bound,
        "proven": found.proven,
        "seconds": round(found.seconds, 4),
        "routes": [
            {
                "train": route.train,
                "kind": kinds[route.train],
                "revenue": route.revenue,
                "parts": dict(route.parts),
                "path": list(write_route(route)),
            }
            for route in found.routes
        ],
    }
    if arguments.json:
        print(json.dumps(report))
        return 0
    proof = "proven best" if found.proven else f"not proven, at most {found.bound}"
    print(f"{company}: {found.revenue} ({proof}, {found.seconds * 1000:.1f} ms)")
    for route in found.routes:
        parts = " + ".join(f"{amount} {name}" for name, amount in route.parts)
        print(f"  {kinds[route.train]} {route.train}: {' '.join(write_route(route))} = {route.revenue} ({parts})")
    return 0


# -- selfplay -----------------------------------------------------------------------------------------


def selfplay(arguments: argparse.Namespace) -> int:
    """Random games; exit 1 when an audit fails."""
    title = TITLES.get(arguments.title)
    if title is None:
        raise BadFile(f"there is no title {arguments.title}; there are: {', '.join(TITLES)}")
    if arguments.players not in title.players:
        raise BadFile(f"{title.name} is for {title.players.start} to {title.players.stop - 1} players")
    games, failures = [], []
    seeds = range(arguments.seed, arguments.seed + arguments.games)
    began = time.perf_counter()
    for seed in progress(seeds, "playing", len(seeds)):
        try:
            games.append(play(title, arguments.players, seed))
        except Stuck as error:
            failures.append(str(error))
    seconds = round(time.perf_counter() - began, 2)
    if arguments.json:
        rows = [
            {"seed": g.seed, "moves": g.moves, "rounds": g.rounds, "reason": g.reason, "scores": g.scores}
            for g in games
        ]
        print(json.dumps({"ok": not failures, "games": rows, "failures": failures, "seconds": seconds}))
    else:
        for game in games if len(games) <= 20 else []:
            print(f"seed {game.seed}: {game.moves} moves, {game.rounds} sets, {game.reason}; {game.scores}")
        for failure in failures:
            print(f"FAILED {failure}")
        print(f"{len(games)} game(s) ended, {len(failures)} failed, {seconds} s")
    return 1 if failures else 0


# -- the database -------------------------------------------------------------------------------------


def export(arguments: argparse.Namespace) -> int:
    """A stored game as JSON."""
    text = asyncio.run(_export(arguments.game, arguments.form))
    if arguments.out:
        arguments.out.write_text(text)
        print(arguments.out)
    else:
        sys.stdout.write(text)
    return 0


async def _export(game: int, form: str) -> str:
    store = await Store.open(data_folder() / "signalbox.db")
    try:
        tables = Tables(store, TITLES)
        table = await tables.table(game)
        if table.game is None:
            raise BadFile(f"game {game} has not begun")
        moves = await tables.actions(game)
        record = table.record
        data = own_form(record.title, record.options, record.seed, table.game, moves)
        if form == "18xx":
            data = export_log(TITLES[record.title], DIALECTS[record.title], data)
        return json.dumps(data, indent=1, ensure_ascii=False) + "\n"
    finally:
        await store.close()


def import_game(arguments: argparse.Namespace) -> int:
    """Replay a file and go on with it here, every seat at this screen."""
    game = load(arguments.file)
    if isinstance(game, Log):
        runner = replay_of(game)
        try:
            for _ in runner.steps():
                pass
        except Divergence as error:
            raise BadFile(str(error)) from error
        names = [name for _, name in game.players]
        texts = [text_of(action) for action in runner.taken]
        options, seed = dict(runner.game.state.options), game.seed
    else:
        names, texts = list(game.players), list(game.moves)
        options, seed = game.options, game.seed
    number = asyncio.run(_import(game.title, names, texts, options, seed))
    print(f"game {number}: {game.title} with {', '.join(names)}, {len(texts)} moves")
    return 0


async def _import(title: str, names: list[str], texts: list[str], options: dict[str, str], seed: int) -> int:
    from bot.commands.console import PERSON

    store = await Store.open(data_folder() / "signalbox.db")
    try:
        tables = Tables(store, TITLES)
        game = await tables.create(title, PERSON, [(PERSON, name) for name in names], options, seed)
        await tables.start(game, PERSON, "list")
        await tables.play_texts(game, PERSON, texts)
        return game
    finally:
        await store.close()


def doctor(arguments: argparse.Namespace) -> int:
    """Exit 1 when the file is damaged or a game replays differently."""
    return asyncio.run(_doctor())


async def _doctor() -> int:
    store = await Store.open(data_folder() / "signalbox.db")
    wrong = 0
    try:
        state = await store.check()
        print(f"database: {state}")
        wrong += state != "ok"
        tables = Tables(store, TITLES)
        records = await store.games()
        for record in progress(records, "replaying", len(records)):
            found = await tables.doctor(record.id)
            if found:
                wrong += 1
                print(found)
        print(f"{len(records)} game(s), {wrong} problem(s)")
    finally:
        await store.close()
    return 1 if wrong else 0
