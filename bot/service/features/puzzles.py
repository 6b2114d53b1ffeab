"""Puzzles: positions of games in which a company's turn is to earn as much as it can; every line has been searched."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache

import msgspec

from bot.engine import CompanyId, IllegalMove, Message, PersonId, literal, msg
from bot.engine.games.game_record import GameRecordFile
from bot.engine.notation import money, parse_action
from bot.engine.play import Game, Title
from bot.engine.state import Action, RunRoutes
from bot.service.sessions import PUZZLE
from bot.titles.registry import title_folders

FILE = "puzzles.json"
SOLVER = "Solver"
OTHERS = ("Ann", "Bob", "Cid", "Dan", "Eve", "Fay", "Gus", "Hal")


@dataclass(frozen=True)
class Task:
    """The present task of a lesson or puzzle, its heading, and a line that does it; both empty when it is over."""

    text: Message
    heading: Message | None = None
    line: str = ""

    @property
    def lines(self) -> Sequence[Message]:
        return [self.heading, self.text] if self.heading is not None else [self.text]


class PuzzleGame(msgspec.Struct, frozen=True):
    """A game of computer players up to its last puzzle."""

    players: int
    options: dict[str, str]
    seed: int
    rules: int
    moves: tuple[str, ...]


class Puzzle(msgspec.Struct, frozen=True):
    """The turn of a company, decided by a `seat`, after the number of moves `after` of a game: what it earns `now`, with its `best` line and with the `next`,
    of how many `lines` of track and tokens; `answer` is the shortest best line without passes."""

    game: int
    after: int
    seat: int
    company: CompanyId
    now: int
    best: int
    next: int
    lines: int
    answer: tuple[str, ...]


class PuzzleFile(msgspec.Struct, frozen=True):
    games: tuple[PuzzleGame, ...] = ()
    puzzles: tuple[Puzzle, ...] = ()


class PuzzleCourse:
    """The state of a puzzle, found by the moves that led to a position. All moves are the solver's."""

    is_over = False
    due: Sequence[str] = ()

    def __init__(self, title: Title, number: int, puzzle: Puzzle, moves: Sequence[str]) -> None:
        self.title, self.number, self.puzzle = title, number, puzzle
        self.first = puzzle.after
        actions = (parse_action(title, text) for text in moves[puzzle.after :])
        self.has_run = any(self._is_run(action) for action in actions)

    @property
    def task(self) -> Task:
        if self.has_run:
            return Task(msg("That was the puzzle: undo to try again; puzzle answer shows the best line."))
        puzzle = self.puzzle
        text = msg(
            "It is the turn of {company}. Its trains would earn {now}. Lay track and place tokens, and do nothing else, so "
            "that they earn as much as possible in this run; then run them.",
            puzzle.company,
            self.title.money(puzzle.now),
        )
        return Task(text, msg("Puzzle {number} of {puzzles}:", self.number, len(puzzles_of(self.title.id).puzzles)))

    @property
    def answer(self) -> Message:
        puzzle, money = self.puzzle, self.title.money
        return msg(
            "{moves}: {best}. The next best line earns {next}; {lines} were searched.",
            literal("; ".join(text.removeprefix(f"{puzzle.company} ") for text in puzzle.answer)),
            money(puzzle.best),
            money(puzzle.next),
            puzzle.lines,
        )

    def follow(self, after: Game, action: Action) -> Message | None:
        """Take note of a move of the solver; returns what is said after it."""
        if self.has_run or not self._is_run(action):
            return None
        self.has_run = True
        run, puzzle = after.company(self.puzzle.company).last_run, self.puzzle
        earned = run.revenue if run is not None else 0
        if earned >= puzzle.best:
            text = "Solved: nothing earns more than {best}. The next best line earns {next}."
            return msg(text, money(after, puzzle.best), money(after, puzzle.next))
        text = "{earned} is {less} short of the best line. undo goes back."
        return msg(text, money(after, earned), money(after, puzzle.best - earned))

    def _is_run(self, action: Action) -> bool:
        return isinstance(action, RunRoutes) and action.by == self.puzzle.company


@cache
def puzzles_of(title: str) -> PuzzleFile:
    """The puzzles that come with a title; none if there is no file."""
    place = title_folders()[title].folder / FILE
    return msgspec.json.decode(place.read_bytes(), type=PuzzleFile) if place.is_file() else PuzzleFile()


def puzzle_of_day(titles: Iterable[str], today: datetime) -> tuple[str, int] | None:
    """The title and number of the puzzle of a day, the same for everybody; None if there are no puzzles."""
    every = [(title, number) for title in titles for number, _ in enumerate(puzzles_of(title).puzzles, 1)]
    # Days that follow each other are far apart in the list.
    return every[today.toordinal() * 7 % len(every)] if every else None


def course_of(title: str, number: int, name: str) -> tuple[GameRecordFile, dict[str, PersonId]]:
    """The game of a puzzle up to its turn, and the persons of the seats that are not the solver's.

    :raises IllegalMove: there is no such puzzle.
    """
    file = puzzles_of(title)
    if not 1 <= number <= len(file.puzzles):
        raise IllegalMove("{title} has {number} puzzle(s).", "", title, len(file.puzzles))
    puzzle = file.puzzles[number - 1]
    game = file.games[puzzle.game]
    solver = name or SOLVER
    others = [other for other in OTHERS if other.casefold() != solver.casefold()][: game.players - 1]
    names = [*others[: puzzle.seat - 1], solver, *others[puzzle.seat - 1 :]]
    return GameRecordFile(title, tuple(names), game.moves[: puzzle.after], game.options, game.seed, game.rules), {
        other: PersonId(f"{PUZZLE}{number}") for other in others
    }
