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
from bot.engine.notation.text import parse_action
from bot.engine.play.game import Game
from bot.engine.play.steps import best_set
from bot.engine.state.actions import Pass
from bot.service.features.puzzles import Puzzle, course_of, puzzle_of_day, puzzles_of
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
    """The highest revenue after the answer, with passes between its moves."""
    for text in puzzle.answer:
        action = parse_action(game.title, text)
        while type(action) not in {type(one) for one in game.legal_actions()}:
            game.apply(next(one for one in game.legal_actions() if isinstance(one, Pass)))
        game.apply(action)
    return best_set(game, puzzle.company).revenue


@pytest.mark.parametrize("title", few(WITH_PUZZLES, 1))
def test_a_puzzle_is_as_its_file_says(title: str) -> None:
    for puzzle, game in positions(title):
        assert game.players_to_act() == (seat(puzzle.seat),) and game.frame.entity == puzzle.company
        assert best_set(game, puzzle.company).revenue == puzzle.now < puzzle.best
        assert puzzle.best - puzzle.next >= MARGIN
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
        lines = LineSearch(game, puzzle.company).lines
        values = sorted({revenue for revenue, _ in lines}, reverse=True)
        assert (values[:2], len(lines)) == ([puzzle.best, puzzle.next], puzzle.lines), puzzle


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
    assert f"{answer}: ¥{first.best}. The next best line earns ¥{first.next}; {first.lines} were searched." in text
    assert f"¥{first.now} is ¥{first.best - first.now} short of the best line." in text
    assert f"Solved: nothing earns more than ¥{first.best}." in text
    assert "Puzzle 2 of" in text and "No: 1889 has" in text
    assert "Rätsel 1 von" in text and f"{answer}: ¥{first.best}." in text.rpartition("language de")[2]
    assert text.count("läuft") == 1, "other puzzles end"
