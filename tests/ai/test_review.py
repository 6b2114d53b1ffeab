"""A game looked at again: turns that changed a chance, and moves that would have been better."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot.ai import review as reviewing
from bot.ai.fuzzer import BUILDER, RandomGame
from bot.ai.review import Review, ReviewWatcher
from bot.cli.main import main
from bot.engine.games.game_record import GameRecordFile, build_game_record
from bot.engine.ids import Owner, PlayerId, seat
from bot.engine.notation.text import parse_action
from bot.engine.play.game import Game
from bot.service.features.review import curve_lines, point_lines, review_head
from bot.service.imports.file_io import encode_game_file
from bot.titles.registry import TITLES

ALL = PlayerId(Owner(""))


@pytest.fixture(scope="module")
def course() -> GameRecordFile:
    table = RandomGame(TITLES["1889"], 3, 3, wanted=BUILDER, is_audited=False)
    *_, game = table.moves()
    assert game.state.finished
    return build_game_record(game, table.texts)


@pytest.fixture(scope="module")
def watched(course: GameRecordFile) -> tuple[ReviewWatcher, Game]:
    watcher = ReviewWatcher()
    return watcher, play(course, watcher)


def play(course: GameRecordFile, watcher: ReviewWatcher) -> Game:
    game = Game.new(TITLES[course.title], course.players, course.options, course.seed)
    for number, text in enumerate(course.moves, 1):
        action = parse_action(game.title, text)
        watcher.see(number, game, action)
        game.apply(action)
    return game


@pytest.fixture(scope="module")
def found(watched: tuple[ReviewWatcher, Game]) -> Review:
    watcher, last = watched
    return watcher.finish(last, 1000, ALL)


def test_turning_points_change_a_chance_by_eight_points(found: Review) -> None:
    assert found.points
    assert all(abs(point.after - point.before) >= reviewing.TURN for point in found.points)


def test_a_mistake_is_of_who_decided_and_names_a_better_move_of_the_same_instant(
    found: Review, course: GameRecordFile
) -> None:
    mistakes = [point for point in found.points if point.better]
    assert mistakes
    games = {move.move: Game.new(TITLES["1889"], course.players, course.options, course.seed) for move in mistakes}
    for point in mistakes:
        game = games[point.move]
        for text in course.moves[: point.move - 1]:
            game.apply(parse_action(game.title, text))
        own = reviewing.chance_after(game, parse_action(game.title, point.instead_of), point.seat)
        assert game.controller_of(point.by) == point.seat
        assert own is not None and point.possible - own >= reviewing.LOSS
        assert course.moves[point.move - 1] == point.instead_of != point.better
        assert point.instead_of in point.made
        assert point.after < point.before


def test_a_review_tells_of_the_largest_changes_in_order_and_of_one_seat_alone(
    watched: tuple[ReviewWatcher, Game], found: Review
) -> None:
    watcher, last = watched
    few = watcher.finish(last, 3, ALL).points
    assert len(few) == 3 and few == sorted(few, key=lambda point: (point.turn, point.seat))
    assert {point.seat for point in watcher.finish(last, 1000, seat(2)).points} == {seat(2)}
    assert len(found.points) > 3


def test_the_words_name_people_moves_and_chances(found: Review, course: GameRecordFile) -> None:
    names = {seat(number): name for number, name in enumerate(course.players, 1)}
    text = "\n".join(
        [review_head(TITLES["1889"], found), *curve_lines(names, found.curve), *point_lines(names, found.points)]
    )
    assert "games of computer players" in text and "Better than " in text
    assert "@" not in text and "{" not in text and "\nend: " in text
    assert any(move.split()[1] == "run" for point in found.points for move in point.made)
    assert "run " not in text
    told = [line.partition(":")[0] for line in point_lines(names, found.points) if not line.startswith("Better than ")]
    assert len(told) == len({point.turn for point in found.points}), "a turn that changes several chances is one line"
    assert all(name in text for name in course.players)


def test_the_command_writes_json_and_refuses_a_seat_that_nobody_has(
    course: GameRecordFile, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.json"
    path.write_bytes(encode_game_file(course))
    assert main(["review", str(path), "--most", "2", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["title"] == "1889" and set(report["players"]) == {"@1", "@2", "@3"}
    assert len(report["turning_points"]) == 2 and report["curve"][-1]["label"] == "end"
    assert main(["review", str(path), "--seat", "@9"]) != 0
    assert "nobody sits at @9" in capsys.readouterr().err
