"""`signalbox selfplay`: random legal games under all audits."""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.ai.fuzzer import ALL_TEMPERS, FuzzResult, NoLegalMove, play
from bot.engine.games.game_record import GameRecordFile
from bot.engine.play import chosen_options, options_for_chance
from bot.jobs.job_types import JobType
from bot.service.imports.file_io import encode_game_file
from bot.titles.registry import TITLES
from bot.untrusted_input import InvalidFile

from .games import progress_bar, run_in_parallel

MOST_LINES = 20


@dataclass(frozen=True)
class SelfPlayJob:
    title: str
    players: int
    seed: int
    options: dict[str, str]
    temper: str | None


@dataclass(frozen=True)
class SelfPlayResult:
    """The outcome of a game: `played` when it ended, else `failure` and the `position` then; `texts` its moves."""

    order: SelfPlayJob
    played: FuzzResult | None
    failure: str
    texts: tuple[str, ...]
    position: str = ""

    @property
    def report(self) -> dict[str, Any]:
        return {
            "seed": self.order.seed,
            "failure": self.failure,
            "position": self.position,
            "moves": list(self.texts),
        }


def selfplay(arguments: argparse.Namespace) -> int:
    """Random games, each played even if others fail; exit 1 if any failed."""
    title = TITLES.get(arguments.title)
    if title is None:
        raise InvalidFile(f"there is no title {arguments.title}; there are: {', '.join(TITLES)}")
    if arguments.players not in title.players:
        raise InvalidFile(f"{title.name} is for {title.players.start} to {title.players.stop - 1} players")
    options = chosen_options(title, options_for_chance(title, dict(arguments.option)))
    seeds = range(arguments.seed, arguments.seed + arguments.games)
    orders = [SelfPlayJob(title.id, arguments.players, seed, options, arguments.temper) for seed in seeds]
    began = time.perf_counter()
    outcomes = list(progress_bar(run_in_parallel(SELFPLAY, orders, arguments), "playing", len(orders)))
    seconds = round(time.perf_counter() - began, 2)
    if arguments.out:
        _write(arguments.out, outcomes)
    failures = [outcome for outcome in outcomes if outcome.played is None]
    if arguments.json:
        print(json.dumps(_report(outcomes, failures, seconds)))
    else:
        _print(outcomes, failures, seconds)
    return 1 if failures else 0


def run_game(order: SelfPlayJob) -> SelfPlayResult:
    temper = next((temper for temper in ALL_TEMPERS if temper.name == order.temper), None)
    try:
        played = play(TITLES[order.title], order.players, order.seed, order.options, temper)
    except NoLegalMove as error:
        return SelfPlayResult(order, None, str(error), error.moves, error.position)
    except Exception as error:
        return SelfPlayResult(order, None, f"seed {order.seed} was not set up: {type(error).__name__}: {error}", ())
    return SelfPlayResult(order, played, "", tuple(played.texts))


SELFPLAY = JobType("selfplay", SelfPlayJob, SelfPlayResult, run_game, seconds=3600)


def _write(folder: Path, outcomes: Sequence[SelfPlayResult]) -> None:
    """Every game as a file that `signalbox replay` reads; of a failed one the moves up to the failure."""
    folder.mkdir(parents=True, exist_ok=True)
    for outcome in outcomes:
        order = outcome.order
        names = tuple(f"Player {number}" for number in range(1, order.players + 1))
        result = dict(zip(names, outcome.played.scores, strict=True)) if outcome.played else {}
        rules = TITLES[order.title].version
        course = GameRecordFile(order.title, names, tuple(outcome.texts), order.options, order.seed, rules, result)
        path = folder / f"{order.title}-{order.players}-{order.seed}.json"
        path.write_bytes(encode_game_file(course))


def _report(outcomes: Sequence[SelfPlayResult], failures: Sequence[SelfPlayResult], seconds: float) -> dict[str, Any]:
    rows = [
        {
            "seed": game.seed,
            "temper": game.temper,
            "moves": game.moves,
            "rounds": game.rounds,
            "phase": game.phase,
            "reason": game.reason,
            "scores": game.scores,
            "happened": game.happened,
        }
        for outcome in outcomes
        if (game := outcome.played)
    ]
    return {"ok": not failures, "games": rows, "failures": [failure.report for failure in failures], "seconds": seconds}


def _print(outcomes: Sequence[SelfPlayResult], failures: Sequence[SelfPlayResult], seconds: float) -> None:
    games = [outcome.played for outcome in outcomes if outcome.played]
    for game in games if len(games) <= MOST_LINES else []:
        print(f"seed {game.seed} ({game.temper}): {game.moves} moves, {game.rounds} sets, {game.reason}; {game.scores}")
    for reason, count in Counter(game.reason for game in games).most_common() if len(games) > MOST_LINES else []:
        print(f"{count} times {reason}")
    happened = sum((Counter(game.happened) for game in games), Counter[str]())
    if happened:
        print("happened: " + ", ".join(f"{count} {name}" for name, count in sorted(happened.items())))
    for failure in failures:
        print(f"FAILED {failure.failure}\n  position: {failure.position}\n  moves: {'; '.join(failure.texts)}")
    moves = sum(game.moves for game in games)
    print(f"{len(games)} game(s) ended, {len(failures)} failed, {moves} moves, {seconds} s")
