"""Commands about game files: replay, render, routes."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from bot.engine import GameId, as_company
from bot.engine.games.game_record import GameRecordFile
from bot.engine.play import Game
from bot.engine.play.steps import best_set, runner_up_set
from bot.engine.routes.revenue import RouteSet, write_route
from bot.formats.peer18xx.divergence import Divergence
from bot.formats.peer18xx.file_format import InvalidLog, Log
from bot.formats.peer18xx.replay import LogReplay
from bot.formats.peer18xx.trace_compare import compare
from bot.jobs.job_types import JobType, Order, Outcome
from bot.ops.settings import InvalidSetting
from bot.service.imports.formats import check_result, follow, load, replay_of, trace_lines
from bot.service.views.routes import kinds_of, proof, runner_up_text
from bot.untrusted_input import InvalidFile

from .main import settings

if TYPE_CHECKING:
    from bot.store import Server

Item = TypeVar("Item")

ROUTE_SECONDS = 30.0


def with_progress(games: list[GameId]) -> Iterable[GameId]:
    return progress_bar(games, "replaying", len(games))


def progress_bar(items: Iterable[Item], what: str, total: int) -> Iterable[Item]:
    """Shown on standard error if that is a terminal."""
    if not sys.stderr.isatty() or total < 2:
        return items
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    if not console.is_terminal:
        return items
    return track(items, what, total, console=console, transient=True)


def run_in_parallel(
    kind: JobType[Order, Outcome], orders: Iterable[Order], arguments: argparse.Namespace
) -> Iterator[Outcome]:
    """The outcomes in the order of their orders: by workers, where `--workers` says so, else by as many processes as `--jobs`
    does; one is this process.

    :raises InvalidSetting: there is no server whose workers could do it.
    :raises JobFailed: one of them was not done.
    """
    import asyncio

    from bot.jobs.dispatch import run_jobs

    hands = min(arguments.jobs, len(orders)) if isinstance(orders, Sequence) else arguments.jobs
    outcomes = run_jobs(kind, orders, hands if hands > 1 else 0, worker_server(arguments.workers))
    with asyncio.Runner() as runner:
        try:
            while True:
                yield runner.run(anext(outcomes))
        except StopAsyncIteration:
            return
        finally:
            runner.run(outcomes.aclose())


def worker_server(is_wanted: bool) -> Server | None:
    """The server whose workers are asked, if any are.

    :raises InvalidSetting: there is none.
    """
    server = settings().server if is_wanted else None
    if is_wanted and server is None:
        raise InvalidSetting("--workers needs a database on a server: SIGNALBOX_DATABASE_URL.")
    return server


def spinner(what: str) -> AbstractContextManager[object]:
    from rich.console import Console

    console = Console(stderr=True)
    return console.status(what) if console.is_terminal else nullcontext()


# -- replay -------------------------------------------------------------------------------------------


def replay(arguments: argparse.Namespace) -> int:
    """Exit 0 only if every game ends with the file's result; 1 where one differs, else 2 where one is unreadable."""
    if arguments.trace and len(arguments.files) > 1:
        raise InvalidFile("--trace goes with one file")
    reports, unreadable = [], 0
    for path in progress_bar(arguments.files, "replaying", len(arguments.files)):
        try:
            reports.append(_replay_one(path, arguments.trace))
        except InvalidFile as error:
            unreadable += 1
            reports.append({"file": str(path), "ok": False, "unreadable": str(error)})
            print(f"signalbox: {error}", file=sys.stderr)
    good = all(report["ok"] for report in reports)
    if arguments.json:
        print(json.dumps({"ok": good, "games": reports}))
    else:
        for report in reports:
            _print_replay(report)
    if any("divergence" in report for report in reports):
        return 1
    return 2 if unreadable else 0


def _replay_one(path: Path, trace: Path | None) -> dict[str, Any]:
    """The outcome of one file.

    :raises InvalidFile: it or the trace cannot be read.
    """
    began = time.perf_counter()
    report: dict[str, Any] = {"file": str(path), "ok": False}
    game = load(path)
    report["title"] = game.title
    try:
        if isinstance(game, Log):
            runner = replay_of(game)
            report["remarks"] = runner.remarks()
            report |= _replay_log(runner, trace)
        else:
            report |= _replay_own(game, trace)
        report["ok"] = True
    except Divergence as error:
        report["divergence"] = {
            "action": error.number,
            "id": error.action_id,
            "what": error.what,
            "expected": str(error.expected),
            "actual": str(error.actual),
        }
    except InvalidLog as error:
        raise InvalidFile(f"{path}: {error}") from error
    report["seconds"] = round(time.perf_counter() - began, 3)
    return report


def _replay_log(runner: LogReplay, trace: Path | None) -> dict[str, Any]:
    compared = 0
    if trace:
        compared = compare(runner, trace_lines(trace))
    else:
        for _ in runner.steps():
            pass
    runner.check_result()
    return {
        "actions": len(runner.effective),
        "moves": len(runner.taken),
        "states_compared": compared,
        "notes": [asdict(note) | {"text": str(note)} for note in runner.notes],
        "remarks": runner.remarks(),
    }


def _replay_own(game_file: GameRecordFile, trace: Path | None) -> dict[str, Any]:
    if trace:
        raise InvalidFile("--trace goes with a game of 18xx.games")
    *_, (_, position) = follow(game_file)
    check_result(game_file, position)
    return {"actions": len(game_file.moves), "moves": len(game_file.moves), "states_compared": 0, "notes": []}


def _print_replay(report: dict[str, Any]) -> None:
    if report["ok"]:
        states = f", {report['states_compared']} states equal" if report["states_compared"] else ""
        print(f"ok    {report['file']}: {report['actions']} actions in {report['seconds']} s{states}")
    elif "divergence" in report:
        found = report["divergence"]
        versus = f"expected {found['expected']}, got {found['actual']}"
        print(f"WRONG {report['file']}: action {found['action']} (id {found['id']}): {found['what']}: {versus}")
    for remark in report.get("remarks", ()):
        print(f"      {remark}")


# -- positions ----------------------------------------------------------------------------------------


def position_at(game_file: Log | GameRecordFile, at: int | None) -> Game:
    """The position before action `at`, or the last position.

    :raises InvalidFile: the game has no such action, or diverges before it.
    """
    position, last = None, 0
    try:
        for last, position in follow(game_file):
            if at is not None and last == at:
                return position
    except Divergence as error:
        raise InvalidFile(str(error)) from error
    if position is None or at is not None:
        raise InvalidFile(f"the game has no action {at}; it has {last - 1}")
    return position


def render(arguments: argparse.Namespace) -> int:
    """Map, market, the routes of the company in turn, and a sheet for each company and player, with their texts."""
    from bot.render.catalogue import scene_of
    from bot.render.painting.painter import Painter

    position = position_at(load(arguments.file), arguments.at)
    arguments.out.mkdir(parents=True, exist_ok=True)
    painter = Painter()
    pictures = list(_pictures(position))
    for kind, subject, name in progress_bar(pictures, "painting", len(pictures)):
        picture = painter.paint(scene_of(position, kind, subject=subject))
        path = arguments.out / f"{name}.png"
        path.write_bytes(picture.png)
        path.with_suffix(".txt").write_text(picture.alt + "\n", encoding="utf-8")
        print(path)
    return 0


def _pictures(position: Game) -> Iterable[tuple[str, str, str]]:
    yield "map", "", "map"
    yield "market", "", "market"
    entity = position.frame.entity if position.state.flow else None
    if entity in position.state.companies and position.state.trains_of(entity):
        yield "routes", str(entity), "routes"
    for company in position.state.companies.values():
        if company.position is not None:
            yield "company", company.id, f"company-{company.id}"
    for number, player in enumerate(position.state.players, 1):
        yield "player", player.name, f"player-{number}"


def routes(arguments: argparse.Namespace) -> int:
    position = position_at(load(arguments.file), arguments.at)
    entity = position.frame.entity if position.state.flow else None
    if entity is None or entity not in position.state.companies:
        raise InvalidFile(f"before action {arguments.at} no company is in turn")
    company = as_company(entity)
    found = best_set(position, company, ROUTE_SECONDS, time.monotonic)
    other = runner_up_set(position, company, time.monotonic)
    if arguments.json:
        report = _set_of(position, found) | {
            "company": company,
            "bound": found.bound,
            "proven": found.proven,
            "seconds": round(found.seconds, 4),
        }
        report["runner_up"] = other and _set_of(position, other.routes) | {
            "train": other.train,
            "stop": other.stop and f"{other.stop.hex}.{other.stop.node}",
            "bonus": other.bonus or None,
            "gained": dict(other.gained),
            "lost": dict(other.lost),
        }
        print(json.dumps(report))
        return 0
    print(f"{company}: {found.revenue} ({proof(position, found)})")
    kinds = kinds_of(position)
    for route in found.routes:
        parts = " + ".join(f"{amount} {name}" for name, amount in route.parts)
        print(f"  {kinds[route.train]} {route.train}: {' '.join(write_route(route))} = {route.revenue} ({parts})")
    for name, amount in found.joint:
        print(f"  together: {amount} {name}")
    if other is not None:
        print(runner_up_text(position, company, found, other))
    return 0


def _set_of(position: Game, found: RouteSet) -> dict[str, Any]:
    kinds = kinds_of(position)
    return {
        "revenue": found.revenue,
        "joint": _by_name(found.joint),
        "routes": [
            {
                "train": route.train,
                "kind": kinds[route.train],
                "revenue": route.revenue,
                "parts": _by_name(route.parts),
                "path": list(write_route(route)),
            }
            for route in found.routes
        ],
    }


def _by_name(parts: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Sums parts of a revenue by name, for JSON."""
    amounts: dict[str, int] = {}
    for name, money in parts:
        amounts[name] = amounts.get(name, 0) + money
    return amounts
