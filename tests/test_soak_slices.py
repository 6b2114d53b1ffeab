"""How the soak is cut into slices, and that a run goes on where another one stopped."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from tests.soak import LENGTHS, SLICES, WANTED, Ledger, Wish, known_lengths, slice_of_commit, slices_of

PROJECT = Path(__file__).resolve().parents[1]
TESTS = """
import pytest
pytestmark = pytest.mark.soak

@pytest.mark.parametrize("part", range(6))
def test_part(part):
    assert part != 3, "broken"

def test_long():
    pass
"""


def test_every_test_is_in_one_slice_and_none_takes_much_longer_than_the_others() -> None:
    lengths = {f"test_{number}": float(1 + number % 90) for number in range(300)}
    found = slices_of(lengths, lengths, SLICES)
    assert found.keys() == lengths.keys()
    seconds = [sum(lengths[test] for test in found if found[test] == number) for number in range(1, SLICES + 1)]
    assert sum(seconds) == sum(lengths.values())
    assert max(seconds) - min(seconds) < 2 * 90
    assert found == slices_of(reversed([*lengths]), lengths, SLICES), "in whatever order they are found"


def test_another_commit_has_another_slice_and_each_has_its_turn() -> None:
    commits = [f"{number:012x}" for number in range(200)]
    assert {slice_of_commit(commit, SLICES) for commit in commits} == set(range(1, SLICES + 1))


def test_lengths_are_those_of_tests_that_there_are() -> None:
    for name in known_lengths():
        path, _, function = name.partition("[")[0].partition("::")
        assert f"def {function}(" in (PROJECT / path).read_text(), f"{name} is in {LENGTHS.name} alone"


@pytest.mark.whole
def test_what_has_passed_on_a_commit_is_not_run_again_and_what_has_not_is(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(TESTS)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = soak: long\n")
    path = tmp_path / "ledger.json"

    def run(number: int, commit: str = "one", end: float = 0.0) -> set[str]:
        """Run a slice of two; returns what passed in it."""
        before = Ledger.read(path).tests if path.exists() else {}
        wish = msgspec.json.encode(Wish(number, 2, commit, str(path), end=end)).decode()
        told = {**os.environ, WANTED: wish, "PYTHONPATH": str(PROJECT)}
        command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.soak", "-n", "1", "-m", "soak", str(tmp_path)]
        subprocess.run(command, cwd=tmp_path, env=told, capture_output=True)
        return {name for name, passed in Ledger.read(path).tests.items() if before.get(name) != passed}

    late = run(1, end=1.0)
    assert late == set() and Ledger.read(path).slices["1/2"].left > 0, "there was no time"
    halves = [run(1), run(2)]
    assert halves[0] and halves[1] and not halves[0] & halves[1]
    names = {name.rpartition("::")[2] for name in halves[0] | halves[1]}
    assert names == {"test_long", *(f"test_part[{part}]" for part in range(6) if part != 3)}
    runs = Ledger.read(path).slices
    assert [runs[name].failed for name in ("1/2", "2/2")].count(1) == 1
    other = 1 + [runs[name].failed for name in ("1/2", "2/2")].index(0)
    assert run(other) == set(), "nothing is left of it"
    assert sum(one.passed for one in Ledger.read(path).slices.values()) == 6
    (tmp_path / "test_it.py").write_text(TESTS.replace("!= 3", "!= 7"))
    assert {name.rpartition("::")[2] for name in run(3 - other)} == {"test_part[3]"}
    assert len(run(other, "two")) == Ledger.read(path).slices[f"{other}/2"].passed > 0


def test_the_slices_are_told_with_commit_and_time(tmp_path: Path) -> None:
    path = tmp_path / "ledger.json"
    path.write_text(json.dumps({"slices": {"2/16": {"commit": "abc", "at": 1.0, "passed": 3, "seconds": 61.4}}}))
    told = Ledger.read(path).lines(16)
    assert told[0].endswith("never run here") and "3 passed, 0 failed, 0 left, 61 s" in told[1] and "on abc" in told[1]
    assert list(itertools.islice(told, 16)) == told
