"""`signalbox agreement`: how often a computer player would make the moves that people made."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from bot.ai.agreement import AgreementWatcher, KindAgreement, MoveComparison, agreement_by_kind
from bot.ai.title_parameters import STRENGTHS
from bot.formats.peer18xx.divergence import Divergence
from bot.jobs.job_types import JobType
from bot.service.imports.formats import load, watch_actions
from bot.untrusted_input import InvalidFile

from .games import progress_bar, run_in_parallel

HEADS = ("n", "first", "three", "five", "chance", "not listed")


class AgreementJob(NamedTuple):
    path: str
    strength: str


class ComparedGame(msgspec.Struct):
    """The decisions of one file, up to the action that our rules refuse; `refusal` says which, or why there are none."""

    file: str
    title: str = ""
    comparisons: list[MoveComparison] = []
    refusal: str = ""


def agreement(arguments: argparse.Namespace) -> int:
    """Exit 1 if no file can be read."""
    orders = [AgreementJob(str(path.absolute()), arguments.strength) for path in arguments.files]
    games = list(progress_bar(run_in_parallel(AGREEMENT, orders, arguments), "comparing", len(orders)))
    for game in games:
        if game.refusal:
            print(f"signalbox: {game.file}: {game.refusal}", file=sys.stderr)
    by_title: dict[str, list[ComparedGame]] = {}
    for game in games:
        if game.title:
            by_title.setdefault(game.title, []).append(game)
    reports = [build_report(title, arguments.strength, found) for title, found in by_title.items()]
    if arguments.json:
        print(json.dumps(reports[0] if len(reports) == 1 else {"titles": reports}))
    else:
        for report in reports:
            _print(report)
    return 0 if reports else 1


def compare_game(order: AgreementJob) -> ComparedGame:
    watcher = AgreementWatcher(STRENGTHS[order.strength])
    found = ComparedGame(order.path, comparisons=watcher.comparisons)
    try:
        game_file = load(Path(order.path))
        watch_actions(game_file, watcher.see)
    except (InvalidFile, Divergence) as error:
        found.refusal = str(error)
        if not watcher.comparisons:
            return found
    found.title = game_file.title
    return found


AGREEMENT: JobType[AgreementJob, ComparedGame] = JobType(
    "agreement", AgreementJob, ComparedGame, compare_game, seconds=3600
)


def build_report(title: str, strength: str, games: Sequence[ComparedGame]) -> dict[str, Any]:
    kinds = agreement_by_kind(one for game in games for one in game.comparisons)
    return {
        "title": title,
        "strength": strength,
        "files": [game.file for game in games],
        "kinds": msgspec.to_builtins(kinds),
        "rows": [{"file": game.file, **msgspec.to_builtins(one)} for game in games for one in game.comparisons],
    }


def _print(report: Mapping[str, Any]) -> None:
    count = len(report["files"])
    width = max(16, *map(len, report["kinds"]))
    games = f"{report['title']}, {count} game{'s' if count > 1 else ''}, {report['strength']}"
    print(f"{games:<{width}}" + "".join(f"{head:>11}" for head in HEADS))
    for kind, found in report["kinds"].items():
        values = (found[name] for name in KindAgreement.__struct_fields__)
        print(f"{kind:<{width}}" + "".join(f"{round(value):>11}" for value in values))
