"""The soak in slices: `make soak` runs what has not passed on this commit, `make soak SLICE=3/24` one slice of it.

A test's slice is chosen by a hash of its name, weighted by how long it is known to take, so that a slice takes a quarter of an
hour at most. What has passed on which commit stands in `.soak.json`: a run that was stopped goes on where it stopped.
This module is the command, and the plugin that pytest is given.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec
import pytest

PROJECT = Path(__file__).resolve().parents[1]
LENGTHS = PROJECT / "tests" / "soak_lengths.json"
"""Seconds that tests take, by function: `make soak LENGTHS=1` writes them from the last runs."""

SLICES = 24
UNKNOWN_SECONDS = 60.0
CI_SECONDS = 900.0
HANGS_SECONDS = 1800
"""Seconds after which a test of the soak fails; the suite's limit is `timeout` in pyproject.toml."""

WANTED = "SIGNALBOX_SOAK"
"""What the plugin is told in the environment: a `Wish` as JSON."""


class Wish(msgspec.Struct):
    """What one run is to do: `number` of so many `slices`, on a commit, until a moment (seconds since 1970; 0: without end)."""

    number: int
    slices: int
    commit: str
    ledger: str
    is_again: bool = False
    end: float = 0.0


class Passed(msgspec.Struct):
    """When and where a test passed last, and how many seconds it took."""

    commit: str
    at: float
    seconds: float


class SliceRun(msgspec.Struct):
    """How a slice's last run went; `left` is what there was no time for."""

    commit: str
    at: float
    seconds: float = 0.0
    passed: int = 0
    failed: int = 0
    left: int = 0


class Ledger(msgspec.Struct):
    """What is remembered: tests by id, slices as `3/24`."""

    tests: dict[str, Passed] = {}
    slices: dict[str, SliceRun] = {}

    @classmethod
    def read(cls, path: Path) -> Ledger:
        """The one that is kept; an empty one where there is none."""
        return msgspec.json.decode(path.read_bytes(), type=cls) if path.exists() else cls()

    def write(self, path: Path) -> None:
        """Keep it, whole or not at all."""
        beside = path.with_suffix(".new")
        beside.write_bytes(msgspec.json.format(msgspec.json.encode(self)))
        os.replace(beside, path)

    def has_passed(self, test: str, commit: str) -> bool:
        """Whether it has passed on that commit."""
        return test in self.tests and self.tests[test].commit == commit

    def lines(self, slices: int) -> list[str]:
        """How each slice went last."""
        found = []
        for name in (f"{number}/{slices}" for number in range(1, slices + 1)):
            run = self.slices.get(name)
            when = time.strftime("%Y-%m-%d %H:%M", time.localtime(run.at)) if run else ""
            how = f"{run.passed} passed, {run.failed} failed, {run.left} left" if run else "never run here"
            found.append(f"{name:>6}: {how}" + (f", {run.seconds:.0f} s, {when}, on {run.commit}" if run else ""))
        return found


def seconds_of(test: str, lengths: Mapping[str, float]) -> float:
    """How long a test takes, as far as is known: by its id, or by its function."""
    return lengths.get(test, lengths.get(test.partition("[")[0], UNKNOWN_SECONDS))


def slices_of(tests: Iterable[str], lengths: Mapping[str, float], slices: int) -> dict[str, int]:
    """The slice of every test, from 1 on: in the order of their hashes as many to each as take the same time."""
    ordered = sorted(tests, key=lambda test: hashlib.sha256(test.encode()).digest())
    whole, before, found = sum(seconds_of(test, lengths) for test in ordered), 0.0, {}
    for test in ordered:
        middle = before + seconds_of(test, lengths) / 2
        found[test] = min(slices, int(middle / whole * slices) + 1)
        before += seconds_of(test, lengths)
    return found


def slice_of_commit(commit: str, slices: int) -> int:
    """The slice whose turn it is on a commit."""
    return int.from_bytes(hashlib.sha256(commit.encode()).digest()[:4], "big") % slices + 1


def known_lengths() -> dict[str, float]:
    """The lengths that are kept with the tests."""
    found: dict[str, float] = json.loads(LENGTHS.read_text())
    return found


def commit_here() -> str:
    """The commit that is checked out; with changes it is one of its own."""

    def told(*words: str) -> str:
        return subprocess.run(["git", *words], cwd=PROJECT, capture_output=True, text=True, check=True).stdout

    commit, changes = told("rev-parse", "--short=12", "HEAD").strip(), told("diff", "HEAD")
    return f"{commit}+{hashlib.sha256(changes.encode()).hexdigest()[:6]}" if changes else commit


# -- the plugin -------------------------------------------------------------------------------------------


class Slice:
    """Chooses the tests of a slice, and notes what passes; each process of a run has one, the first alone writes."""

    def __init__(self, wish: Wish, writes: bool) -> None:
        self.wish, self.writes = wish, writes
        self.path, self.lengths = Path(wish.ledger), known_lengths()
        self.ledger = Ledger.read(self.path)
        self.run, self.began = SliceRun(wish.commit, time.time()), time.monotonic()
        before = self.ledger.slices.get(self.name)
        if before is not None and before.commit == wish.commit and not wish.is_again:
            self.run.passed = before.passed

    @property
    def name(self) -> str:
        """The slice as the ledger names it."""
        return f"{self.wish.number}/{self.wish.slices}"

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """The slice's tests alone, the longest first."""
        wish = self.wish
        chosen = slices_of([item.nodeid for item in items], self.lengths, wish.slices)
        own = {test for test, number in chosen.items() if number == wish.number}
        due = {test for test in own if wish.is_again or not self.ledger.has_passed(test, wish.commit)}
        left = [item for item in items if item.nodeid not in due]
        if left:
            config.hook.pytest_deselected(items=left)
        items[:] = sorted(
            (item for item in items if item.nodeid in due),
            key=lambda item: (-seconds_of(item.nodeid, self.lengths), item.nodeid),
        )

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """What would not be over in time is left for the next run."""
        if self.wish.end and time.time() + seconds_of(item.nodeid, self.lengths) > self.wish.end:
            pytest.skip("there is no time left for it in this run")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note it at once: whoever stops the run loses nothing."""
        if not self.writes:
            return
        if report.when == "call" and report.passed:
            self.ledger.tests[report.nodeid] = Passed(self.wish.commit, time.time(), round(report.duration, 1))
            self.run.passed += 1
        elif report.failed:
            self.ledger.tests.pop(report.nodeid, None)
            self.run.failed += 1
        elif report.skipped:
            self.run.left += 1
        if report.when == "call" or not report.passed:
            self.keep()

    def pytest_sessionfinish(self) -> None:
        """Note how the slice went, also where all of it had passed before."""
        if self.writes:
            self.keep()

    def keep(self) -> None:
        """Write down how it stands."""
        self.run.seconds = round(time.monotonic() - self.began, 1)
        self.ledger.slices[self.name] = self.run
        self.ledger.write(self.path)


def pytest_configure(config: pytest.Config) -> None:
    """Where `make soak` runs, choose."""
    if WANTED in os.environ:
        wish = msgspec.json.decode(os.environ[WANTED], type=Wish)
        config.pluginmanager.register(Slice(wish, writes=not hasattr(config, "workerinput")), "slice of the soak")


# -- the command ------------------------------------------------------------------------------------------


def run_slice(wish: Wish, words: Sequence[str]) -> int:
    """Run one slice; returns pytest's exit code, 0 also where nothing was left to do."""
    told = {**os.environ, WANTED: msgspec.json.encode(wish).decode()}
    dealt = ["-n", "2", "--maxschedchunk", "1"]
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "tests.soak",
        "--timeout",
        str(HANGS_SECONDS),
        *dealt,
        "-m",
        "soak",
        *words,
        *modules(),
    ]
    code = subprocess.run(command, cwd=PROJECT, env=told).returncode
    return 0 if code == pytest.ExitCode.NO_TESTS_COLLECTED else code


def modules() -> list[str]:
    """The modules in which tests of the soak are: to collect all others takes longer than many a test."""
    found = sorted(path for path in (PROJECT / "tests").rglob("test_*.py") if "mark.soak" in path.read_text())
    return [str(path.relative_to(PROJECT)) for path in found]


def write_lengths(ledger: Ledger) -> None:
    """Write the lengths of all tests that have passed: the longest of each function, single ones where they differ much."""
    longest: dict[str, float] = {}
    for test, passed in ledger.tests.items():
        function = test.partition("[")[0]
        longest[function] = max(longest.get(function, 0.0), passed.seconds)
    found = {name: float(max(1, round(seconds))) for name, seconds in longest.items()}
    for test, passed in ledger.tests.items():
        seconds = float(max(1, round(passed.seconds)))
        if found[test.partition("[")[0]] > max(20.0, 1.5 * seconds):
            found[test] = seconds
    LENGTHS.write_text(json.dumps({**known_lengths(), **found}, indent=1, sort_keys=True) + "\n")


def main(words: Sequence[str] | None = None) -> int:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(prog="make soak", description=__doc__)
    parser.add_argument("--slice", help="one slice, for example 3/24")
    parser.add_argument("--of-commit", action="store_true", help="the slice of this commit, for a quarter of an hour")
    parser.add_argument("--again", action="store_true", help="also what has passed on this commit")
    parser.add_argument("--state", action="store_true", help="only say how the slices went last")
    parser.add_argument("--lengths", action="store_true", help="only write down how long the tests took")
    parser.add_argument("--ledger", type=Path, default=PROJECT / ".soak.json")
    parser.add_argument("rest", nargs="*", help="what pytest is told besides")
    chosen = parser.parse_args(words)
    if chosen.lengths:
        write_lengths(Ledger.read(chosen.ledger))
        return 0
    worst = 0
    if not chosen.state:
        commit, number, slices, end = commit_here(), 0, SLICES, 0.0
        if chosen.slice:
            number, slices = (int(word) for word in str(chosen.slice).split("/"))
        elif chosen.of_commit:
            number, end = slice_of_commit(commit, slices), time.time() + CI_SECONDS
        for each in [number] if number else range(1, slices + 1):
            print(f"soak, slice {each}/{slices} on {commit}", flush=True)
            wish = Wish(each, slices, commit, str(chosen.ledger.resolve()), chosen.again, end)
            worst = max(worst, run_slice(wish, chosen.rest))
    print("\n".join(Ledger.read(chosen.ledger).lines(SLICES)))
    return worst


if __name__ == "__main__":
    sys.exit(main())
