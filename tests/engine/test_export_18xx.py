"""What is written of a game for 18xx.games. The games in `exports/` were played by its engine too, move by move."""

from __future__ import annotations

import gc
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bot.bench.calls import count_calls
from bot.engine.games.game_record import GameRecordFile
from bot.engine.ids import IPO, POOL, Owner, as_company
from bot.engine.notation.text import parse_action
from bot.engine.play.game import Game
from bot.engine.state.state import Company
from bot.formats.peer18xx.certificate_ids import ShareNumbers
from bot.formats.peer18xx.export import export_log
from bot.formats.peer18xx.file_format import read_log
from bot.formats.peer18xx.native_moves import OURS
from bot.formats.peer18xx.registry import DIALECTS
from bot.formats.peer18xx.replay import LogReplay
from bot.formats.peer18xx.writer import LogWriter
from bot.titles.registry import TITLES
from tests.rearrangement import rearrange

EXPORTS = sorted(Path(__file__).with_name("exports").glob("*.jsonl"))
ANN, BOB, CAT = (Owner(f"@{number}") for number in (1, 2, 3))

each_export = pytest.mark.parametrize("path", EXPORTS, ids=lambda path: path.stem)


def stored(path: Path) -> tuple[GameRecordFile, list[dict[str, Any]]]:
    """Our form of the game, and its actions as they were played there."""
    head, *actions = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    moves = [text for action in actions for text in action[OURS]]
    return msgspec.convert(head | {"moves": moves}, GameRecordFile), actions


def test_every_title_that_18xx_games_plays_has_such_a_game() -> None:
    assert {path.stem for path in EXPORTS} == set(DIALECTS)


@each_export
def test_a_game_is_written_as_the_engine_of_18xx_games_has_played_it(path: Path) -> None:
    course, actions = stored(path)
    file = export_log(TITLES[course.title], DIALECTS[course.title], course)
    written = [{key: value for key, value in action.items() if key != "id"} for action in file["actions"]]
    assert json.loads(json.dumps(written)) == actions
    assert [action["id"] for action in file["actions"]] == list(range(1, len(actions) + 1))


@each_export
def test_the_file_reads_back_to_the_same_moves(path: Path) -> None:
    course, _ = stored(path)
    file = export_log(TITLES[course.title], DIALECTS[course.title], course)
    runner = LogReplay(TITLES[course.title], DIALECTS[course.title], read_log(json.loads(json.dumps(file))))
    runner.run()
    assert tuple(runner.moves) == course.moves


def test_what_18xx_games_does_not_know_stands_with_the_action_before() -> None:
    names = ["Ann", "Bob", "Cat"]
    writer = LogWriter(Game.new(TITLES["1848"], names, {"rules": "18xx.games"}, 1), DIALECTS["1848"])
    (first,) = writer.write_text("correct cash @1 900")
    assert (first["type"], first[OURS]) == ("message", ["correct cash @1 900"])
    (second,) = writer.write_text("@1 reduce P1")
    assert writer.write_text("correct cash @1 800") == []
    assert second[OURS] == ["@1 reduce P1", "correct cash @1 800"]


# -- certificates by number ---------------------------------------------------------------------------


def holding(**numbers: tuple[int, ...]) -> tuple[ShareNumbers, Company]:
    """NSW with certificates dealt so: `ann=(0, 3)`."""
    game = Game.new(TITLES["1848"], ["Ann", "Bob", "Cat"], {}, 1)
    shares, company = ShareNumbers(game), game.company(as_company("NSW"))
    owners = {"ann": ANN, "bob": BOB, "cat": CAT, "pool": POOL}
    for name, held in numbers.items():
        shares.move(company.id, held, IPO, owners[name])
        for number in held:
            rearrange(game, company.certificates[number], owner=owners[name])
    return shares, company


def test_who_sells_too_much_gives_his_presidency_for_the_certificates_that_came_first() -> None:
    shares, company = holding(ann=(0, 3), bob=(4, 1, 2))
    numbers = shares.to_sell(company, ANN, 1, None)
    assert shares.names(company.id, numbers) == ["NSW_3"]
    company.move_president(BOB)
    shares.record_sale(company, numbers, ANN, 1)
    assert shares.holdings_of(company.id)[ANN] == [4, 1]
    assert shares.holdings_of(company.id)[BOB] == [2, 0]
    assert shares.holdings_of(company.id)[POOL] == [3]


def test_half_a_presidency_is_sold_whole_and_the_rest_comes_back() -> None:
    shares, company = holding(ann=(0,), bob=(1, 2))
    numbers = shares.to_sell(company, ANN, 1, None)
    assert shares.names(company.id, numbers) == ["NSW_0"]
    company.move_president(BOB)
    shares.record_sale(company, numbers, ANN, 1)
    assert shares.holdings_of(company.id)[BOB] == [0]
    assert shares.holdings_of(company.id)[ANN] == [1]
    assert shares.holdings_of(company.id)[POOL] == [2]


def test_certificates_given_otherwise_are_followed_in_their_order() -> None:
    game = Game.new(TITLES["1848"], ["Ann", "Bob", "Cat"], {}, 1)
    shares, company = ShareNumbers(game), game.company(as_company("NSW"))
    for number, owner in ((0, ANN), (7, CAT), (8, CAT)):
        rearrange(game, company.certificates[number], owner=owner)
    shares.settle(game)
    assert (shares.holdings_of(company.id)[ANN], shares.holdings_of(company.id)[CAT]) == ([0], [1, 2])


CALLS = {"1830": 162, "1844": 201, "1848": 174, "1861": 297, "1867": 350, "18Chesapeake": 129}
"""Calls of our own functions that a move of ours may take, from its text: these games lie in the tree, so they count everywhere.
Each bar leaves a hundredth, since the order of sets differs from run to run."""


@each_export
def test_a_move_takes_few_calls(path: Path) -> None:
    record, _ = stored(path)

    def play() -> None:
        game = Game.new(TITLES[record.title], record.players, record.options, record.seed)
        for text in record.moves:
            game.apply(parse_action(game.title, text))

    play()  # what is kept for all games is found
    calls, _ = count_calls(play, with_builtins=False)
    assert calls / len(record.moves) <= CALLS.get(path.stem, 166)


def test_finalizers_of_others_are_no_calls_of_a_move() -> None:
    class Knot:
        def __init__(self) -> None:
            self.itself = self

        def __del__(self) -> None:
            len("finalized")

    gc.collect()
    for _ in range(50):
        Knot()
    calls, _ = count_calls(lambda: [[] for _ in range(200_000)], with_builtins=False)
    assert calls <= 2
