"""Random games of all titles without an act of a plan against its wake words: `make plans GAMES=10000`.

What has been played stays in `.plans.jsonl`, a line a game, and counts until the rules or the code of plans change; so a
campaign that was stopped goes on. A game is named by its title and seed, and can be played again alone.
"""

from __future__ import annotations

import argparse
import hashlib
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import msgspec

from bot.titles.registry import TITLES
from tests.peer.campaign import rules_of

from .planning_table import PlanningTable

PROJECT = Path(__file__).resolve().parents[2]
RESULTS = PROJECT / ".plans.jsonl"
PLANS = PROJECT / "bot" / "service" / "plans"
GAMES = 10_000
MOVES = 2000
"""A game of chance may last that long; most end before."""

FIRST_SEED = 1000
"""The suite's games have lower seeds."""


class PlayedGame(msgspec.Struct):
    """How a game went: acts of plans by kind of step, and the fault, in words; empty if there was none."""

    title: str
    seed: int
    code: str
    commit: str
    moves: int
    acts: dict[str, int]
    fault: str = ""


@cache
def code_of(title: str) -> str:
    """A digest of a title's rules and of the plans' code."""
    digest = hashlib.sha256(rules_of(title).encode())
    for path in sorted(PLANS.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@cache
def commit() -> str:
    command = ["git", "describe", "--always", "--dirty"]
    return subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False).stdout.strip()


def play(title: str, seed: int, moves: int = MOVES) -> PlayedGame:
    """A random game in which players plan, up to its end or its first fault."""
    table, fault = PlanningTable(title, seed, players=TITLES[title].players[seed % len(TITLES[title].players)]), ""
    try:
        table.play(moves)
    except Exception as error:  # Whatever it is, it belongs to this game; the campaign goes on.
        fault = f"{type(error).__name__}: {error}"[:500]
    return PlayedGame(title, seed, code_of(title), commit(), table.moves, dict(table.acts), fault)


def read(file: Path) -> list[PlayedGame]:
    """The games that count still; a line that was cut off by an end of the machine is passed over."""
    found = list[PlayedGame]()
    for line in file.read_bytes().splitlines() if file.exists() else ():
        try:
            game = msgspec.json.decode(line, type=PlayedGame)
        except msgspec.DecodeError:
            continue
        if game.title in TITLES and game.code == code_of(game.title):
            found.append(game)
    return found


def missing(titles: Sequence[str], games: int, played: Sequence[PlayedGame]) -> Iterator[tuple[str, int]]:
    """The games still to play, all titles in turn."""
    there = {(game.title, game.seed) for game in played}
    for number in range(games):
        name = titles[number % len(titles)], FIRST_SEED + number // len(titles)
        if name not in there:
            yield name


def report(played: Sequence[PlayedGame]) -> list[str]:
    """A line for each title, the sum, and each fault."""
    lines = []
    for title in sorted({game.title for game in played}):
        own = [game for game in played if game.title == title]
        acts = sum((Counter(game.acts) for game in own), Counter[str]())
        kinds = ", ".join(f"{kind} {number}" for kind, number in acts.most_common())
        lines.append(
            f"{title}: {len(own)} games, {sum(game.moves for game in own)} moves, {acts.total()} acts ({kinds})"
        )
    acts_of_all = sum(sum(game.acts.values()) for game in played)
    faults = [game for game in played if game.fault]
    commits = ", ".join(sorted({game.commit for game in played}))
    lines.append(f"{len(played)} games, {acts_of_all} acts, {len(faults)} with a fault; commit {commits}")
    return [*lines, *(f"FAULT {game.title}, seed {game.seed}: {game.fault}" for game in faults)]


def main(arguments: Sequence[str]) -> int:
    """Exit 0 if no game has a fault."""
    parser = argparse.ArgumentParser(prog="make plans", description=__doc__)
    parser.add_argument("--games", type=int, default=GAMES, help="games in all, of all titles in turn")
    parser.add_argument("--title", choices=sorted(TITLES), help="one title only")
    parser.add_argument("--seconds", type=float, default=0.0, help="begin no game after that many (default: no limit)")
    parser.add_argument("--moves", type=int, default=MOVES, help="the longest game")
    parser.add_argument("--results", type=Path, default=RESULTS, help="where results are kept")
    parser.add_argument("--report", action="store_true", help="play nothing")
    chosen = parser.parse_args(arguments)
    played, end = read(chosen.results), time.monotonic() + chosen.seconds
    titles = [chosen.title] if chosen.title else sorted(TITLES)
    if not chosen.report:
        with chosen.results.open("ab") as file:
            for title, seed in missing(titles, chosen.games, played):
                if chosen.seconds and time.monotonic() >= end:
                    break
                played.append(play(title, seed, chosen.moves))
                file.write(msgspec.json.encode(played[-1]) + b"\n")
                file.flush()
    print("\n".join(report(played)))
    return 1 if any(game.fault for game in played) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
