"""Mutants of rule code: `make mutants` breaks a title in one place at a time, by mutmut, and the title's tests must notice.

mutmut makes the mutants, learns which tests run which function, and makes each mutant's tests in a forked process. What is
here chooses: the modules and tests of a title, a sample by seed, and of that what has no verdict yet. So a run that was
stopped goes on where it stopped; `AGAIN=1` asks the survivors once more, after a new test.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from random import Random

from bot.titles.registry import TITLES

PROJECT = Path(__file__).resolve().parents[1]
WORKSHOP = PROJECT / ".mutants"
SHARED = "shared"
"""What all titles share: the steps, money, certificates, trains, the market, the map, routes."""

ROOMS = ("play/steps", "play/holdings", "board", "routes")
NO_RULES = (
    *(
        f"bot/titles/*/{name}.py"
        for name in ("map", "tiles", "components", "board_style", "interpretations", "glossary")
    ),
    "*/messages.py",
    "*/events.py",
    "*/actions.py",
    "*/forms.py",
    "*_builder.py",
    "*/standard_tiles.py",
    "*/__init__.py",
)
"""What is printed, worded, read from 18xx.games or asked part by part: no rules."""

WORDING = (r"\bsaid\(", r"IllegalMove\(", r"NotYourTurn\(", r"ParseError\(", r"raise \w+Error\(", r"""\w[.?!]["']""")
"""Lines where something is said: expressions that begin there are left as they are."""

NEEDED = ("bot", "benchmarks", "tests", "docs", "assets", "README.md", "pyproject.toml", "Makefile")
KILLED, NO_TESTS, TIMEOUTS = (1, 3), 33, (24, 36, 152, 255, -24, -9)
"""What mutmut notes of a mutant: its tests failed; none runs its function; they took much longer than without it."""

BATCH = 25


def modules_of(subject: str) -> list[str]:
    """The modules, as patterns, of a title or of what all share."""
    if subject == SHARED:
        return [f"bot/engine/{room}/*.py" for room in ROOMS]
    return [f"bot/titles/t{subject.lower()}/*.py"]


def tests_of(subject: str) -> list[str]:
    """The tests of a title: the files that have its name; of what all share, those of every title and of the engine. The
    play-throughs are left out: they notice nearly everything, and say of nothing that it is right."""
    titles = TITLES if subject == SHARED else [subject]
    engine, own = PROJECT / "tests" / "engine", PROJECT / "tests" / "titles"
    found = [
        path
        for title in titles
        for folder in (engine, own)
        for path in sorted(folder.rglob(f"test_{title.lower()}*.py"))
    ]
    if subject == SHARED:
        found += sorted(engine.rglob("test_*.py"))
    return [str(path.relative_to(PROJECT)) for path in dict.fromkeys(found)]


def workshop(subject: str) -> Path:
    """The folder in which mutmut works on a subject; what it has found there before stays."""
    folder = WORKSHOP / subject
    folder.mkdir(parents=True, exist_ok=True)
    for name in NEEDED:
        if not (folder / name).is_symlink():
            (folder / name).symlink_to(PROJECT / name)
    told = {
        "source_paths": ["bot"],
        "only_mutate": modules_of(subject),
        "do_not_mutate": NO_RULES,
        "do_not_mutate_patterns": WORDING,
        "also_copy": NEEDED[2:],
        "pytest_add_cli_args": ["-m not soak and not shared and not peer", "-pno:cacheprovider"],
        "pytest_add_cli_args_test_selection": tests_of(subject),
        "use_git_change_detection": ["false"],
    }
    lines = [f"{key} =\n{''.join(f'    {value}{chr(10)}' for value in values)}" for key, values in told.items()]
    (folder / "setup.cfg").write_text("[mutmut]\n" + "".join(lines).replace("%", "%%"), encoding="utf-8")
    return folder


def mutmut(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Let mutmut work in a workshop, in one process."""
    command = [str(Path(sys.executable).with_name("mutmut")), *words]
    return subprocess.run(command, cwd=folder, text=True, capture_output=True, errors="replace", check=False)


def verdicts(folder: Path) -> dict[str, int | None]:
    """What is known of every mutant, by name."""
    found: dict[str, int | None] = {}
    for path in sorted((folder / "mutants").rglob("*.meta")):
        found |= json.loads(path.read_text(encoding="utf-8"))["exit_code_by_key"]
    return found


def sampled(names: Iterable[str], seed: int, number: int) -> list[str]:
    """So many of the mutants; a larger number with the same seed begins with the same ones."""
    every = sorted(names)
    Random(seed).shuffle(every)
    return every[:number]


def is_killed(verdict: int | None) -> bool:
    """Whether its tests noticed the mutant, be it that they did not end."""
    return verdict in (*KILLED, *TIMEOUTS)


def prepare(folder: Path) -> None:
    """Make the mutants and learn which tests run them, as far as the code has changed.

    :raises RuntimeError: the tests fail without any mutant.
    """
    made = mutmut(folder, "run", "--max-children", "1", "none of them")
    if "nothing matches" not in made.stderr:
        raise RuntimeError(made.stdout[-4000:] + made.stderr[-4000:])


def examine(subject: str, seed: int, number: int, is_again: bool = False) -> list[str]:
    """Ask the tests about a sample, with `is_again` about those of it that survived; returns the survivors, after having
    told how it went."""
    folder = workshop(subject)
    prepare(folder)
    sample = sampled(verdicts(folder), seed, number)
    known = verdicts(folder)
    waiting = [name for name in sample if known[name] is None or (is_again and not is_killed(known[name]))]
    for begin in range(0, len(waiting), BATCH):
        ask(folder, waiting[begin : begin + BATCH])
        print(f"{subject}: {min(begin + BATCH, len(waiting))} of {len(waiting)} asked", file=sys.stderr)
    survivors = [name for name in sample if not is_killed(verdicts(folder)[name])]
    untested = sum(verdicts(folder)[name] == NO_TESTS for name in survivors)
    print(f"{subject}: {len(sample) - len(survivors)} of {len(sample)} noticed; {untested} are run by no test")
    for name in survivors:
        print(mutmut(folder, "show", name).stdout)
    return survivors


def ask(folder: Path, names: list[str]) -> None:
    """Let mutmut judge these mutants.

    :raises RuntimeError: it could not.
    """
    judged = mutmut(folder, "run", "--max-children", "1", *names)
    if any(verdicts(folder)[name] is None for name in names):
        raise RuntimeError(judged.stdout[-4000:] + judged.stderr[-4000:])


def main() -> int:
    """Exit code 1 when any survive: docs/lab/testing.md argues those that change nothing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--title", choices=[*TITLES, SHARED], help="only this title, or what all share")
    parser.add_argument("--number", type=int, default=100, help="mutants of each")
    parser.add_argument("--seed", type=int, default=1, help="which of them")
    parser.add_argument("--again", action="store_true", help="ask the survivors once more")
    wanted = parser.parse_args()
    subjects = [wanted.title] if wanted.title else [*TITLES, SHARED]
    survivors = [examine(subject, wanted.seed, wanted.number, wanted.again) for subject in subjects]
    return 1 if any(survivors) else 0


if __name__ == "__main__":
    sys.exit(main())
