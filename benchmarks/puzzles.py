"""Finds puzzles in games of computer players: `python -m benchmarks.puzzles 1889 --work FOLDER` plays the games, searches
every line of track and tokens of a company's turn, and writes the title's `puzzles.json`. What is in the folder is not
played or searched again.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bot.ai.fuzzer import ALL_TEMPERS, RandomGame
from bot.ai.policy import Tabu, choose
from bot.ai.revenue_estimate import reach_fingerprint
from bot.ai.title_parameters import STRENGTHS
from bot.engine import CompanyId, Owner, PlayerId, seat_number
from bot.engine.notation import format_action, parse_action
from bot.engine.play import Game, chosen_options
from bot.engine.play.steps import best_set
from bot.engine.state import Action, Done, LayTile, Pass, PlaceToken, RunRoutes
from bot.titles.registry import TITLES, title_folders

NAMES = ("Ann", "Bob", "Cid", "Dan")
PLAYERS = 3
BUILDING = (LayTile, PlaceToken, Pass, Done)
"""The kinds of moves that a puzzle is about; others, such as loans, are not searched."""

MOST_LINES = 1500
"""Positions with more lines are left out."""

MARGIN = 10
"""By this much the best line must be better than the next."""

MOST_WAYS = 6
"""Maximum number of lines that are equally good."""

FEW = 20
"""A puzzle of fewer lines is easy."""

MOST_MOVES = 800


class TooManyLines(Exception):
    """A position has more lines than are searched."""


class LineSearch:
    """All lines of track and tokens of a company's turn up to its run, with the highest revenue of each."""

    def __init__(self, game: Game, company: CompanyId) -> None:
        self.company, self.solver = company, game.controller_of(Owner(company))
        self.revenues: dict[bytes, int] = {}
        self.seen: set[bytes] = set()
        self.lines: list[tuple[int, tuple[Action, ...]]] = []
        self._visit(game, ())

    def _visit(self, game: Game, made: tuple[Action, ...]) -> None:
        key = game.encode()
        if key in self.seen:
            return
        self.seen.add(key)
        if len(self.seen) > MOST_LINES:
            raise TooManyLines
        legal = game.legal_actions() if game.frame.entity == self.company else ()
        has_run = any(isinstance(action, RunRoutes) for action in legal)
        if has_run or not any(isinstance(action, BUILDING) for action in legal):
            self.lines.append((self._revenue(game) if has_run else 0, made))
            return
        for action in legal:
            if isinstance(action, BUILDING) and game.controller_of(action.by) == self.solver:
                after = game.copy()
                after.apply(action)
                self._visit(after, (*made, action))

    def _revenue(self, game: Game) -> int:
        key = reach_fingerprint(game, self.company)
        if key not in self.revenues:
            self.revenues[key] = best_set(game, self.company).revenue
        return self.revenues[key]


def puzzle_at(game: Game, company: CompanyId) -> dict[str, Any] | None:
    """The puzzle of a company's turn that begins in a position; None if it is none."""
    now = best_set(game, company).revenue
    if not now:
        return None
    try:
        lines = LineSearch(game, company).lines
    except TooManyLines:
        return None
    values = sorted({revenue for revenue, _ in lines}, reverse=True)
    ways = [made for revenue, made in lines if revenue == values[0]]
    if len(values) < 2 or values[0] - values[1] < MARGIN or values[0] <= now or len(ways) > MOST_WAYS:
        return None
    answer = min(ways, key=lambda made: sum(not isinstance(action, Pass | Done) for action in made))
    return {
        "seat": seat_number(PlayerId(game.players_to_act()[0])),
        "company": company,
        "now": now,
        "best": values[0],
        "next": values[1],
        "lines": len(lines),
        "answer": [format_action(action) for action in answer if not isinstance(action, Pass | Done)],
    }


def turns(title: str, record: dict[str, Any]) -> Iterator[tuple[int, Game, CompanyId]]:
    """Every position in which a company's turn begins with track, and the number of moves before it."""
    game = begun(title, record)
    before = None
    for number, text in enumerate(record["moves"]):
        action = parse_action(game.title, text)
        entity = game.frame.entity
        if entity in game.state.companies and before != (entity, game.state.round):
            company = CompanyId(Owner(str(entity)))
            before = (entity, game.state.round)
            legal = game.legal_actions()
            if any(isinstance(one, LayTile) for one in legal) and game.state.trains_of(company):
                yield number, game.copy(), company
        game.is_redoing = True
        game.apply(action)


def begun(title: str, record: dict[str, Any]) -> Game:
    return Game.new(TITLES[title], NAMES[: record["players"]], record["options"], record["seed"])


def played(title: str, seed: int, by_chance: bool) -> dict[str, Any]:
    """A game of computer players, or of chance that builds much."""
    kind = TITLES[title]
    record: dict[str, Any] = {
        "players": max(PLAYERS, kind.players.start),
        "options": chosen_options(kind, {}),
        "seed": seed,
        "rules": kind.version,
        "moves": [],
    }
    if by_chance:
        temper = next(one for one in ALL_TEMPERS if one.name == "builder")
        random = RandomGame(kind, record["players"], seed, record["options"], temper, is_audited=False)
        for _ in random.moves():
            if len(random.texts) >= MOST_MOVES:
                break
        return {**record, "moves": list(random.texts)}
    game = begun(title, record)
    tabu = Tabu(game, {})
    while not game.state.finished and len(record["moves"]) < MOST_MOVES:
        player = game.players_to_act()[0]
        action = choose(game, player, seed, STRENGTHS["steady"], tabu.of(game, player)).action
        tabu.note(game, action)
        record["moves"].append(format_action(action))
        game.is_redoing = True
        game.apply(action)
        game.is_redoing = False
    return record


def search(
    title: str, seed: int, work: Path, by_chance: bool, until: float
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A game and the puzzles found until a moment; goes on where an earlier search was stopped."""
    place = work / f"{title}-{seed}.json"
    if not place.exists():
        place.write_text(json.dumps(played(title, seed, by_chance)))
    record = json.loads(place.read_text())
    found = work / f"{title}-{seed}.jsonl"
    done = [json.loads(line) for line in found.read_text().splitlines()] if found.exists() else []
    last = max((one["after"] for one in done), default=-1)
    with found.open("a") as out:
        for number, game, company in turns(title, record):
            if time.monotonic() > until:
                break
            if number > last:
                done.append({"after": number, **(puzzle_at(game, company) or {})})
                out.write(json.dumps(done[-1]) + "\n")
                out.flush()
    return record, [one for one in done if "best" in one]


def choice(puzzles: Sequence[dict[str, Any]], number: int) -> list[dict[str, Any]]:
    """The puzzles with many lines and the largest gain, each answer once, in the order of the games."""
    hard = sorted(puzzles, key=lambda one: (one["lines"] < FEW, (one["now"] - one["best"]) / one["now"]))
    new = {tuple(one["answer"]): one for one in reversed(hard)}
    best = [one for one in hard if new[tuple(one["answer"])] is one][:number]
    return sorted(best, key=lambda one: (one["game"], one["after"]))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("titles", nargs="+", choices=TITLES)
    parser.add_argument("--work", type=Path, required=True, help="the folder of games and searches")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--number", type=int, default=12, help="of puzzles to keep")
    parser.add_argument("--minutes", type=float, default=60.0, help="of search for each title; another run goes on")
    parser.add_argument("--chance", action="store_true", help="games of chance instead of computer players")
    arguments = parser.parse_args()
    for title in arguments.titles:
        until = time.monotonic() + arguments.minutes * 60
        games: list[dict[str, Any]] = []
        puzzles: list[dict[str, Any]] = []
        for seed in arguments.seeds:
            record, found = search(title, seed, arguments.work, arguments.chance, until)
            if found:
                puzzles += [{"game": len(games), **one} for one in found]
                games.append(record)
        kept = choice(puzzles, arguments.number)
        for at, record in enumerate(games):
            last = max((one["after"] for one in kept if one["game"] == at), default=0)
            record["moves"] = record["moves"][:last]
        folder = Path(str(title_folders()[title].folder))
        text = json.dumps({"games": games, "puzzles": kept}, indent=1, ensure_ascii=False)
        (folder / "puzzles.json").write_text(text + "\n", encoding="utf-8")
        print(f"{title}: {len(kept)} of {len(puzzles)} puzzles, {len(text) // 1024} KiB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
