"""Puzzles: positions of games in which a turn is to bring a number as far as it can; every line has been searched."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import cache

import msgspec

from bot.engine import CompanyId, IllegalMove, Message, Owner, PersonId, PlayerId, SeatNumber, Text, literal, msg, seat
from bot.engine.games.game_record import GameRecordFile
from bot.engine.notation import money, parse_action
from bot.engine.play import Game, Title
from bot.engine.play.holdings import price_of
from bot.engine.play.steps import best_set
from bot.engine.state import Action, RunRoutes
from bot.service.parser.suggestions import BEST
from bot.service.sessions import PUZZLE
from bot.titles.registry import title_folders

FILE = "puzzles.json"


class Goal(StrEnum):
    """The number of a puzzle: the revenue of this run, or of the next run with the trains and the board after the turn; the
    solver's own worth after a turn of a stock round; the highest price of a company after its turn, or the lowest after a
    turn of a stock round."""

    RUN = "run"
    NEXT_RUN = "next"
    WORTH = "worth"
    PRICE = "price"
    LOW_PRICE = "low"

    @property
    def is_of_stock_turn(self) -> bool:
        return self in (Goal.WORTH, Goal.LOW_PRICE)

    @property
    def sign(self) -> int:
        """Negative if less is better."""
        return -1 if self == Goal.LOW_PRICE else 1


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
    """A turn, decided by a `seat`, after the number of moves `after` of a game: the goal's number `now`, with the `best` line
    and with the `next`, of how many `lines`; `answer` is the shortest best line without passes. The goal is about a
    `company`, except one's own worth."""

    game: int
    after: int
    seat: SeatNumber
    now: int
    best: int
    next: int
    lines: int
    answer: tuple[str, ...]
    company: CompanyId | None = None
    goal: Goal = Goal.RUN

    @property
    def solver(self) -> PlayerId:
        return seat(self.seat)

    @property
    def actor(self) -> Owner:
        """The company or player whose turn it is."""
        return Owner(self.solver if self.company is None or self.goal.is_of_stock_turn else self.company)


class PuzzleFile(msgspec.Struct, frozen=True):
    games: tuple[PuzzleGame, ...] = ()
    puzzles: tuple[Puzzle, ...] = ()


TASKS = {
    Goal.RUN: msg(
        "It is the turn of {company}. Its trains would earn {now}. Lay track and place tokens, and do nothing else, so "
        "that they earn as much as possible in this run; then run them."
    ),
    Goal.NEXT_RUN: msg(
        "It is the turn of {company}. Its trains would earn {now}. Lay track, place tokens, run, pay or withhold, and buy "
        "trains from the bank, and do nothing else, so that after its turn they would earn as much as possible in the next run."
    ),
    Goal.WORTH: msg(
        "It is your turn in a stock round. Your net worth, as status shows it, is {now}. Sell and buy shares, start companies, "
        "and do nothing else, so that it is as high as possible when your turn is over; pass ends it."
    ),
    Goal.PRICE: msg(
        "It is the turn of {company}. Its share price is {now}. Lay track, place tokens, run, pay or withhold, and do nothing "
        "else, so that its price is as high as possible when its turn is over; pass ends it."
    ),
    Goal.LOW_PRICE: msg(
        "It is your turn in a stock round. The share price of {company} is {now}. Sell and buy shares of {company}, and do "
        "nothing else, so that its price is as low as possible when your turn is over; pass ends it."
    ),
}


class PuzzleCourse:
    """The state of a puzzle, found by the moves that led to a position. All moves are the solver's."""

    is_over = False
    due: Sequence[str] = ()

    def __init__(self, title: Title, number: int, puzzle: Puzzle, position: Game, moves: Sequence[str]) -> None:
        """`position` is that after these moves."""
        self.title, self.number, self.puzzle = title, number, puzzle
        self.first = puzzle.after
        actions = [parse_action(title, text) for text in moves[puzzle.after :]]
        self.is_done = any(self._ends(position, action) for action in actions)

    @property
    def task(self) -> Task:
        if self.is_done:
            return Task(msg("That was the puzzle: undo to try again; puzzle answer shows the best line."))
        puzzle = self.puzzle
        company: list[Text] = [] if puzzle.company is None else [puzzle.company]
        text = msg(TASKS[puzzle.goal].template, *company, self.title.money(puzzle.now))
        return Task(text, msg("Puzzle {number} of {puzzles}:", self.number, len(puzzles_of(self.title.id).puzzles)))

    @property
    def answer(self) -> Message:
        puzzle, money = self.puzzle, self.title.money
        runs = {text for text in puzzle.answer if isinstance(parse_action(self.title, text), RunRoutes)}
        return msg(
            "{moves}: {best}. The next best line comes to {next}, {less} worse; {lines} lines were searched.",
            literal("; ".join(BEST if one in runs else one.removeprefix(f"{puzzle.actor} ") for one in puzzle.answer)),
            money(puzzle.best),
            money(puzzle.next),
            money(abs(puzzle.best - puzzle.next)),
            puzzle.lines,
        )

    def follow(self, after: Game, action: Action) -> Message | None:
        """Take note of a move of the solver; returns what is said after it."""
        if self.is_done or not self._ends(after, action):
            return None
        self.is_done = True
        puzzle, reached = self.puzzle, figure(after, self.puzzle.goal, self.puzzle.solver, self.puzzle.company)
        worse = (puzzle.best - reached) * puzzle.goal.sign
        if worse <= 0:
            text = "Solved: no line is better than {best}. The next best line comes to {next}."
            return msg(text, money(after, puzzle.best), money(after, puzzle.next))
        text = "{reached} is {less} worse than the best line. undo goes back."
        return msg(text, money(after, reached), money(after, worse))

    def _ends(self, position: Game, action: Action) -> bool:
        """Whether a move ends the puzzle; of a whole turn the position tells it."""
        if self.puzzle.goal == Goal.RUN:
            return isinstance(action, RunRoutes) and action.by == self.puzzle.company
        return is_turn_over(position, self.puzzle.actor)


def figure(position: Game, goal: Goal, solver: PlayerId, company: CompanyId | None) -> int:
    """The number that a goal is about, once its turn, or its run, is over; a run that was not made earned nothing."""
    if company is None:
        return position.title.rules.worth(position, solver)
    if goal == Goal.NEXT_RUN:
        return best_set(position, company, clock=time.monotonic).revenue
    if goal == Goal.RUN:
        run = position.company(company).last_run
        return run.revenue if run is not None else 0
    return price_of(position, company)


def is_turn_over(position: Game, actor: Owner) -> bool:
    return position.state.finished or position.frame.entity != actor


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
