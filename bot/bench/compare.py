"""`signalbox bench --compare OLD NEW`: two checkouts measured in turns, what each figure was and is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from bot.cli.games import progress_bar

TURNS = 2
"""Each turn measures both checkouts; the order alternates."""

HIGHER_IS_BETTER = ("per_s", "share", "proven")


class Figure(NamedTuple):
    """A figure of both checkouts: the best of all turns."""

    name: str
    old: float
    new: float

    @property
    def times(self) -> float:
        better, worse = (self.new, self.old) if is_higher_better(self.name) else (self.old, self.new)
        return better / worse if worse else 1.0


def compare(old: Path, new: Path, turns: int = TURNS) -> str:
    """The table of all figures that both have.

    :raises subprocess.CalledProcessError: one of them cannot be measured.
    """
    reports: dict[Path, list[dict[str, float]]] = {old: [], new: []}
    order = [checkout for turn in range(turns) for checkout in ((old, new), (new, old))[turn % 2]]
    for checkout in progress_bar(order, "checkouts", len(order)):
        reports[checkout].append(dict(numbers(run_bench(checkout))))
    return table(figures(reports[old], reports[new]))


def run_bench(checkout: Path) -> dict[str, Any]:
    """The report of the checkout's own quick bench, run in its own environment if it has any, otherwise in ours."""
    own = checkout / ".venv" / "bin" / "python"
    done = subprocess.run(
        [own if own.exists() else sys.executable, "-m", "bot", "bench", "--quick", "--json"],
        cwd=checkout,
        env={**os.environ, "PYTHONPATH": str(checkout)},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def numbers(report: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, float]]:
    """The numbers of a report by their keys: `titles.1848.replay_actions_per_s`."""
    for key, value in report.items():
        if isinstance(value, Mapping):
            yield from numbers(value, f"{path}{key}.")
        elif isinstance(value, int | float):
            yield f"{path}{key}", float(value)


def figures(old: list[dict[str, float]], new: list[dict[str, float]]) -> list[Figure]:
    shared = [name for name in old[0] if all(name in report for report in (*old, *new))]
    return [Figure(name, best_figure(name, old), best_figure(name, new)) for name in shared]


def best_figure(name: str, reports: Iterable[Mapping[str, float]]) -> float:
    """The best of all turns: other work on the machine only makes figures worse."""
    values = [report[name] for report in reports]
    return max(values) if is_higher_better(name) else min(values)


def is_higher_better(name: str) -> bool:
    """False for times and memory."""
    return name.rsplit(".", 1)[-1].endswith(HIGHER_IS_BETTER)


def table(found: list[Figure]) -> str:
    lines = [f"{'figure':50} {'old':>10} {'new':>10} {'times as good':>13}"]
    return "\n".join(lines + [f"{one.name:50} {one.old:10g} {one.new:10g} {one.times:13.2f}" for one in found])
