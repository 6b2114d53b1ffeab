"""Finds puzzles: `python -m benchmarks.puzzles 1889 --work FOLDER` plays games of computer players, or `--files GAME...` reads
real games, searches every line of a turn, and adds what it finds to the title's `puzzles.json`,
behind the puzzles that are there: their numbers stay. What is in the folder is not played or searched again.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bot.ai.fuzzer import ALL_TEMPERS, RandomGame
from bot.ai.policy import Tabu, choose
from bot.ai.revenue_estimate import reach_fingerprint
from bot.ai.title_parameters import STRENGTHS
from bot.engine import IPO, CompanyId, Owner, PlayerId, seat_number
from bot.engine.games.corrections import is_correction
from bot.engine.notation import format_action, parse_action
from bot.engine.play import Game, chosen_options
from bot.engine.play.holdings import price_of
from bot.engine.play.steps import best_set
from bot.engine.state import (
    Action,
    BuyShares,
    BuyTrain,
    Dividend,
    Done,
    LayTile,
    Par,
    Pass,
    PlaceToken,
    RunRoutes,
    SellShares,
    StockRoundMemory,
    StockTurnMemory,
)
from bot.service.features.puzzles import FILE, Goal, figure, is_turn_over
from bot.service.imports.formats import import_file
from bot.titles.registry import TITLES, title_folders, title_version

PLAYERS = 3
KINDS: dict[Goal, tuple[type[Action], ...]] = {
    Goal.RUN: (LayTile, PlaceToken, RunRoutes, Pass, Done),
    Goal.NEXT_RUN: (LayTile, PlaceToken, RunRoutes, Dividend, BuyTrain, Pass, Done),
    Goal.WORTH: (SellShares, BuyShares, Par, Pass, Done),
    Goal.PRICE: (LayTile, PlaceToken, RunRoutes, Dividend, Pass, Done),
    Goal.LOW_PRICE: (SellShares, BuyShares, Pass, Done),
}
"""The kinds of moves that a puzzle is about; others, such as loans, are not searched, nor trains of other companies, nor
shares of others than the company whose price counts."""

MOST_LINES, MOST_STOCK_LINES = 6000, 20000
"""Turns with more positions are left out; those of a turn of a stock round are found faster."""

MARGIN = 10
"""By this much the best line must be better than the next."""

MOST_WAYS, MOST_PART = 6, 20
"""Maximum number of lines that are equally good, or one in so many of all."""

NEEDED: dict[Goal, tuple[type[Action], ...]] = {
    Goal.NEXT_RUN: (BuyTrain,),
    Goal.WORTH: (BuyShares,),
    Goal.PRICE: (LayTile, PlaceToken),
    Goal.LOW_PRICE: (BuyShares,),
}
"""Kinds of moves without any of which the best line is too plain."""

FEW = 20
"""A puzzle of fewer lines is easy."""

MOST_MOVES = 800


class TooManyLines(Exception):
    """A position has more lines than are searched."""


class LineSearch:
    """All lines of a turn up to its run, or to its end, with the goal's number of each. A line is counted once in whatever
    order its sales are made."""

    def __init__(self, game: Game, company: CompanyId | None, goal: Goal = Goal.RUN) -> None:
        self.company, self.goal = company, goal
        self.solver = PlayerId(game.players_to_act()[0])
        self.actor = Owner(game.frame.entity or self.solver)
        self.revenues: dict[tuple[bytes, tuple[str, ...]], int] = {}
        self.seen: set[bytes] = set()
        self.lines: list[tuple[int, tuple[Action, ...]]] = []
        self.round = game.state.round
        self.ends_round = False
        self._visit(game, ())

    @property
    def values(self) -> list[int]:
        """The numbers that the lines reach, best first."""
        return sorted({value for value, _ in self.lines}, reverse=self.goal.sign > 0)

    def _visit(self, game: Game, made: tuple[Action, ...]) -> None:
        key = position_key(game)
        if key in self.seen:
            return
        self.seen.add(key)
        if len(self.seen) > (MOST_STOCK_LINES if self.goal.is_of_stock_turn else MOST_LINES):
            raise TooManyLines
        is_over = is_turn_over(game, self.actor)
        self.ends_round |= game.state.round != self.round
        wanted = [] if is_over else list(self._wanted(game))
        has_run = any(isinstance(action, RunRoutes) for action in wanted)
        if not wanted or (has_run and self.goal == Goal.RUN):
            self.lines.append((self._value(game, has_run), made))
            return
        for action in wanted:
            after = game.copy()
            after.apply(action)
            self._visit(after, (*made, action))

    def _wanted(self, game: Game) -> Iterator[Action]:
        """The moves here that the puzzle is about."""
        for action in game.legal_actions():
            is_elsewhere = isinstance(action, BuyTrain) and action.source in game.state.companies
            is_other = self.goal == Goal.LOW_PRICE and getattr(action, "company", self.company) != self.company
            is_wanted = isinstance(action, KINDS[self.goal]) and not is_elsewhere and not is_other
            if is_wanted and game.controller_of(action.by) == self.solver:
                yield action

    def _value(self, game: Game, has_run: bool) -> int:
        if self.company is None or self.goal not in (Goal.RUN, Goal.NEXT_RUN):
            return figure(game, self.goal, self.solver, self.company)
        return self._revenue(game, self.company) if has_run or self.goal == Goal.NEXT_RUN else 0

    def _revenue(self, game: Game, company: CompanyId) -> int:
        trains = tuple(sorted(train.kind for train in game.state.trains_of(company)))
        key = reach_fingerprint(game, company), trains
        if key not in self.revenues:
            self.revenues[key] = best_set(game, company).revenue
        return self.revenues[key]


def position_key(game: Game) -> bytes:
    """Equal for positions that differ only in the order of sales."""
    sorted_sales = game.copy()
    for frame in sorted_sales.state.flow:
        if isinstance(frame.memory, StockTurnMemory):
            frame.memory.sold.sort()
        elif isinstance(frame.memory, StockRoundMemory):
            frame.memory.sold = {player: sorted(sold) for player, sold in sorted(frame.memory.sold.items())}
    return sorted_sales.encode()


def puzzle_at(game: Game, company: CompanyId | None, goal: Goal) -> dict[str, Any] | None:
    """The puzzle of a turn that begins in a position; None if it is none, as in a stock round a turn that may end the round."""
    solver = PlayerId(game.players_to_act()[0])
    is_of_run = goal in (Goal.RUN, Goal.NEXT_RUN)
    now = best_set(game, company).revenue if is_of_run and company else figure(game, goal, solver, company)
    if not now:
        return None
    try:
        search = LineSearch(game, company, goal)
    except TooManyLines:
        return None
    values = search.values
    ways = [made for value, made in search.lines if value == values[0]]
    most = max(MOST_WAYS, len(search.lines) // MOST_PART)
    if len(values) < 2 or len(ways) > most or (search.ends_round and goal.is_of_stock_turn):
        return None
    if (values[0] - values[1]) * goal.sign < MARGIN or (values[0] - now) * goal.sign <= 0:
        return None
    answer = min(ways, key=lambda made: sum(not isinstance(action, Pass | Done) for action in made))
    if not any(isinstance(action, NEEDED.get(goal, Action)) for action in answer):
        return None
    return {
        "seat": seat_number(solver),
        **({"company": company} if company is not None else {}),
        "now": now,
        "best": values[0],
        "next": values[1],
        "lines": len(search.lines),
        "answer": [format_action(action) for action in answer if not isinstance(action, Pass | Done)],
        **({"goal": goal} if goal != Goal.RUN else {}),
    }


def turns(title: str, record: dict[str, Any], goal: Goal) -> Iterator[tuple[int, Game, CompanyId | None]]:
    """Every position in which a turn of the goal's kind begins, the number of moves before it, and the company that the goal
    is about."""
    game = begun(title, record)
    before = None
    for number, text in enumerate(record["moves"]):
        if is_correction(text):
            return
        action = parse_action(game.title, text)
        entity = game.frame.entity
        if entity is not None and is_turn_of_kind(game, goal) and before != (entity, game.state.round):
            before = (entity, game.state.round)
            for company in companies_asked(game, entity, goal):
                yield number, game.copy(), company
        game.is_redoing = True
        game.apply(action)


def is_turn_of_kind(game: Game, goal: Goal) -> bool:
    is_stock_turn = isinstance(game.frame.memory, StockTurnMemory)
    return is_stock_turn if goal.is_of_stock_turn else game.frame.entity in game.state.companies


def companies_asked(game: Game, entity: Owner, goal: Goal) -> Iterator[CompanyId | None]:
    """The companies that a goal may be about in a turn that begins; None stands for the player whose turn it is."""
    companies = game.state.companies.values()
    if goal == Goal.LOW_PRICE:
        yield from [one.id for one in companies if one.position and one.percent_held_by(entity)]
    elif goal == Goal.WORTH:
        # Only shares that are sold below their price make anybody richer.
        if any(
            [
                one.count_of(IPO) and one.par is not None and one.par + MARGIN <= price_of(game, one.id)
                for one in companies
            ]
        ):
            yield None
    elif any(isinstance(one, LayTile) for one in game.legal_actions()) and game.state.trains_of(CompanyId(entity)):
        yield CompanyId(entity)


def begun(title: str, record: dict[str, Any]) -> Game:
    names = [str(number) for number in range(record["players"])]
    return Game.new(title_version(title, record["rules"]), names, record["options"], record["seed"])


def read(file: Path) -> tuple[str, dict[str, Any]]:
    """The title and the moves of a real game, without its players' names.

    :raises InvalidFile: it cannot be read, or our rules refuse one of its moves.
    """
    course = import_file(file.read_bytes(), file.name).course
    record = {"players": len(course.players), "options": course.options, "seed": course.seed, "rules": course.rules}
    return course.title, {**record, "moves": list(course.moves)}


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


def search(title: str, place: Path, goal: Goal, until: float) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The game of a file in the folder and the puzzles found until a moment; goes on where an earlier search was stopped."""
    record = json.loads(place.read_text())
    found = place.with_suffix(".jsonl" if goal == Goal.RUN else f".{goal}.jsonl")
    done = [json.loads(line) for line in found.read_text().splitlines()] if found.exists() else []
    last = max((one["after"] for one in done), default=-1)
    with found.open("a") as out:
        for number, game, company in turns(title, record, goal):
            if time.monotonic() > until:
                break
            if number > last:
                done.append({"after": number, **(puzzle_at(game, company, goal) or {})})
                out.write(json.dumps(done[-1]) + "\n")
                out.flush()
    return record, [one for one in done if "best" in one]


def choice(puzzles: Sequence[dict[str, Any]], known: Sequence[dict[str, Any]], number: int) -> list[dict[str, Any]]:
    """The puzzles with many lines, of a stock round with many moves, and with the largest gain, each answer once, whoever
    gives it, and none that is known, in the order of the games."""
    answers = {answer_of(one) for one in known}
    hard = sorted(
        puzzles, key=lambda one: (one["lines"] < FEW, -stock_moves(one), -abs(one["best"] - one["now"]) / one["now"])
    )
    new = {answer_of(one): one for one in reversed(hard) if answer_of(one) not in answers}
    best = [one for one in hard if new.get(answer_of(one)) is one][:number]
    return sorted(best, key=lambda one: (one["game"], one["after"]))


def answer_of(puzzle: dict[str, Any]) -> tuple[str, ...]:
    """The answer without the seats."""
    return tuple(re.sub(r"^@\d+ ", "", text) for text in puzzle["answer"])


def stock_moves(puzzle: dict[str, Any]) -> int:
    return len(puzzle["answer"]) if Goal(puzzle.get("goal", Goal.RUN)).is_of_stock_turn else 0


def add(title: str, searched: Sequence[tuple[dict[str, Any], list[dict[str, Any]]]], number: int) -> str:
    """Add puzzles to the title's file until it has so many; returns a line about it."""
    place = Path(str(title_folders()[title].folder)) / FILE
    known = json.loads(place.read_text(encoding="utf-8")) if place.exists() else {"games": [], "puzzles": []}
    found = [{"game": at, **one} for at, (_, puzzles) in enumerate(searched) for one in puzzles]
    kept = choice(found, known["puzzles"], max(0, number - len(known["puzzles"])))
    for at in sorted({one["game"] for one in kept}):
        of_game = [one for one in kept if one["game"] == at]
        record, last = searched[at][0], max(one["after"] for one in of_game)
        known["puzzles"] += [{**one, "game": len(known["games"])} for one in of_game]
        known["games"].append({**record, "moves": record["moves"][:last]})
    text = json.dumps(known, indent=1, ensure_ascii=False)
    place.write_text(text + "\n", encoding="utf-8")
    return f"{title}: {len(kept)} of {len(found)} puzzles added, {len(known['puzzles'])} now, {len(text) // 1024} KiB"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("titles", nargs="+", choices=TITLES)
    parser.add_argument("--work", type=Path, required=True, help="the folder of games and searches")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--number", type=int, default=30, help="of puzzles of a title")
    parser.add_argument("--minutes", type=float, default=60.0, help="of search for each title; another run goes on")
    parser.add_argument("--goal", choices=list(Goal), default=Goal.RUN)
    parser.add_argument("--chance", action="store_true", help="games of chance instead of computer players")
    parser.add_argument("--files", type=Path, nargs="+", default=[], help="real games instead")
    arguments = parser.parse_args()
    places: dict[str, list[Path]] = {title: [] for title in arguments.titles}
    for file in arguments.files:
        title, record = read(file)
        place = arguments.work / f"{title}-{file.stem}.json"
        place.write_text(json.dumps(record))
        places.setdefault(title, []).append(place)
    for title in arguments.titles:
        for seed in () if arguments.files else arguments.seeds:
            place = arguments.work / f"{title}-{seed}.json"
            if not place.exists():
                place.write_text(json.dumps(played(title, seed, arguments.chance)))
            places[title].append(place)
        # Every game gets its part of the time.
        searched = [
            search(title, one, Goal(arguments.goal), time.monotonic() + arguments.minutes * 60 / len(places[title]))
            for one in places[title]
        ]
        print(add(title, searched, arguments.number))
    return 0


if __name__ == "__main__":
    sys.exit(main())
