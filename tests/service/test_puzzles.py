"""Puzzles: their positions, numbers and answers by the engine; opened, solved, missed and left at the terminal."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from benchmarks.puzzles import MARGIN, LineSearch
from bot.commands.terminal.console import run_console
from bot.engine.ids import seat
from bot.engine.notation.text import format_action, parse_action
from bot.engine.play.game import Game
from bot.engine.play.steps import best_set
from bot.engine.state.actions import Done, Pass
from bot.service.features.puzzles import (
    Goal,
    Puzzle,
    PuzzleCourse,
    course_of,
    figure,
    is_turn_over,
    puzzle_of_day,
    puzzles_of,
)
from bot.titles.registry import TITLES, title_version
from tests.families import few

WITH_PUZZLES = [title for title in TITLES if puzzles_of(title).puzzles]
LEAST = 10
QUICK = 60
"""Number of lines that `make test` searches again."""


def positions(title: str) -> Iterator[tuple[Puzzle, Game]]:
    """Every puzzle of a title with its position."""
    file = puzzles_of(title)
    for number, record in enumerate(file.games):
        kind = title_version(title, record.rules)
        game = Game.new(kind, [str(n) for n in range(record.players)], record.options, record.seed)
        game.is_redoing = True
        made = 0
        for puzzle in (one for one in file.puzzles if one.game == number):
            for text in record.moves[made : puzzle.after]:
                game.apply(parse_action(kind, text))
            made = puzzle.after
            position = game.copy()
            position.is_redoing = False
            yield puzzle, position


def play_answer(game: Game, puzzle: Puzzle) -> int:
    """The goal's number after the answer, with passes between its moves, and to the turn's end if that is what counts."""
    for text in puzzle.answer:
        action = parse_action(game.title, text)
        while type(action) not in {type(one) for one in game.legal_actions()}:
            game.apply(next(one for one in game.legal_actions() if isinstance(one, Pass)))
        game.apply(action)
    while puzzle.goal != Goal.RUN and not is_turn_over(game, puzzle.actor):
        game.apply(next(one for one in game.legal_actions() if isinstance(one, Pass | Done)))
    return number_of(puzzle, game)


def number_of(puzzle: Puzzle, game: Game) -> int:
    """The goal's number in a position; of a run to be made, what the trains would earn."""
    if puzzle.goal in (Goal.RUN, Goal.NEXT_RUN) and puzzle.company is not None:
        return best_set(game, puzzle.company).revenue
    return figure(game, puzzle.goal, puzzle.solver, puzzle.company)


@pytest.mark.parametrize("title", few(WITH_PUZZLES, 1))
def test_a_puzzle_is_as_its_file_says(title: str) -> None:
    for puzzle, game in positions(title):
        sign = puzzle.goal.sign
        assert game.players_to_act() == (seat(puzzle.seat),) and game.frame.entity == puzzle.actor
        assert number_of(puzzle, game) == puzzle.now and sign * puzzle.now < sign * puzzle.best
        assert sign * (puzzle.best - puzzle.next) >= MARGIN
        assert play_answer(game.copy(), puzzle) == puzzle.best, puzzle


@pytest.mark.parametrize("title", few(WITH_PUZZLES, 1))
def test_the_shortest_searches_find_the_same_again(title: str) -> None:
    check_searches(title, QUICK)


@pytest.mark.soak
@pytest.mark.parametrize("title", WITH_PUZZLES)
def test_every_search_finds_the_same_again(title: str) -> None:
    check_searches(title)


def check_searches(title: str, most: int = sys.maxsize) -> None:
    found = [(puzzle, game) for puzzle, game in positions(title) if puzzle.lines <= most]
    for puzzle, game in found[:3] if most == QUICK else found:
        search = LineSearch(game, puzzle.company, puzzle.goal)
        assert (search.values[:2], len(search.lines)) == ([puzzle.best, puzzle.next], puzzle.lines), puzzle


def test_titles_have_enough_puzzles() -> None:
    assert {
        title: len(puzzles_of(title).puzzles) for title in WITH_PUZZLES if len(puzzles_of(title).puzzles) < LEAST
    } == {}


def test_the_puzzle_of_a_day_is_the_same_for_all_and_another_tomorrow() -> None:
    today, tomorrow = datetime(2026, 6, 1), datetime(2026, 6, 2)
    assert puzzle_of_day(TITLES, today) == puzzle_of_day(list(TITLES), today.replace(hour=23))
    assert puzzle_of_day(TITLES, today) != puzzle_of_day(TITLES, tomorrow)
    assert puzzle_of_day([], today) is None


def test_a_solver_keeps_their_name_and_seat() -> None:
    puzzle = puzzles_of("1889").puzzles[0]
    course, others = course_of("1889", 1, "bob")
    assert course.players[puzzle.seat - 1] == "bob" and "Bob" not in course.players
    assert set(others) == set(course.players) - {"bob"}


@pytest.mark.parametrize(
    ("title", "goal"),
    [("1889", Goal.NEXT_RUN), ("1848", Goal.WORTH), ("18GB", Goal.PRICE), ("1830", Goal.LOW_PRICE)],
)
def test_a_puzzle_about_a_whole_turn_ends_with_it(title: str, goal: Goal) -> None:
    number, puzzle = next(one for one in enumerate(puzzles_of(title).puzzles, 1) if one[1].goal == goal)
    game = next(position for found, position in positions(title) if found is puzzle)
    made = [*puzzles_of(title).games[puzzle.game].moves[: puzzle.after]]
    money = game.title.money
    idle = game.copy()
    if goal.is_of_stock_turn:
        idle.apply(Pass(puzzle.solver))
    course = PuzzleCourse(game.title, number, puzzle, game, made)
    told = None
    for text in [*puzzle.answer, "pass"]:
        skip = Pass(puzzle.actor)
        wanted = skip if text == "pass" else parse_action(game.title, text)
        while not is_turn_over(game, puzzle.actor):
            action = wanted if game.allows(wanted) else skip
            game.apply(action)
            made.append(format_action(action))
            told = course.follow(game, action)
            again = PuzzleCourse(game.title, number, puzzle, game, made)
            assert again.is_done == course.is_done == is_turn_over(game, puzzle.actor) == (told is not None)
            if action is wanted:
                break
    assert str(told) == (
        f"Solved: no line is better than {money(puzzle.best)}. The next best line comes to {money(puzzle.next)}."
    )
    if goal.is_of_stock_turn:
        missed = PuzzleCourse(game.title, number, puzzle, game, made[: puzzle.after]).follow(idle, Pass(puzzle.solver))
        worse = money(abs(puzzle.best - puzzle.now))
        assert str(missed) == f"{money(puzzle.now)} is {worse} worse than the best line. undo goes back."


async def test_a_puzzle_at_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def said(*lines: str) -> str:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("\n".join(lines).encode())))
        await run_console(tmp_path)
        return capsys.readouterr().out

    first = puzzles_of("1889").puzzles[0]
    answer = "; ".join(text.removeprefix(f"{first.company} ") for text in first.answer)
    text = await said(
        "puzzle answer",
        "puzzle 1889 1",
        "undo",
        "plan pass until start",
        "puzzle answer",
        "run best",
        "undo 2",
        f"{answer}; run best",
        "puzzle 1889",
        "puzzle 1889 2",
        "puzzle 1889 999",
        "puzzle today",
        "language de",
        "rätsel 1889 1",
        "rätsel lösung",
        "spiele",
    )
    assert "No: No game is open." in text
    assert f"Puzzle 1 of {len(puzzles_of('1889').puzzles)}:\nIt is the turn of {first.company}." in text
    assert "No: There is nothing to take back." in text and "No: A lesson is played without plans." in text
    gap = f"¥{first.best - first.next}"
    assert (
        f"{answer}: ¥{first.best}. The next best line comes to ¥{first.next}, {gap} worse; {first.lines} lines were searched."
        in text
    )
    assert f"¥{first.now} is ¥{first.best - first.now} worse than the best line." in text
    assert f"Solved: no line is better than ¥{first.best}." in text
    assert "Puzzle 2 of" in text and "No: 1889 has" in text
    assert "Rätsel 1 von" in text and f"{answer}: ¥{first.best}." in text.rpartition("language de")[2]
    assert text.count("läuft") == 1, "other puzzles end"
