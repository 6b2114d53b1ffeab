"""A few random games under all audits, played again from their texts and files; `make soak` plays sixty of every title."""

from __future__ import annotations

from itertools import islice

import pytest

from bot.ai.fuzzer import TEMPERS, RandomGame, RandomPolicy, play
from bot.engine.games.game_record import build_game_record
from bot.engine.notation.text import parse_action
from bot.engine.play.game import Game
from bot.formats.peer18xx.registry import DIALECTS
from bot.service.imports.file_io import encode_game_file, write_18xx
from bot.service.imports.formats import import_file
from bot.titles.registry import TITLES

TITLE = TITLES["1848"]
MOVES = 120
"""So far the beginning of a game goes that every title plays in the suite."""


def begun(title: str, **options: str) -> RandomGame:
    """The beginning of a random game under all audits."""
    table = RandomGame(TITLES[title], TITLES[title].players[-1], 6, options)
    for _ in islice(table.moves(), MOVES):
        pass
    assert len(table.texts) == MOVES
    return table


@pytest.mark.parametrize("title", TITLES)
def test_every_title_keeps_all_audits_and_reads_back_from_its_file(title: str) -> None:
    table = begun(title)
    read = import_file(encode_game_file(build_game_record(table.game, table.texts)), "game.json").course
    assert list(read.moves) == table.texts
    *_, (again, _) = read.positions(TITLES[title])
    assert again.encode() == table.game.encode()


@pytest.mark.parametrize("title", DIALECTS)
def test_every_title_that_18xx_games_plays_reads_back_from_a_file_of_theirs(title: str) -> None:
    table = begun(title, rules="18xx.games")
    read = import_file(write_18xx(build_game_record(table.game, table.texts)).content, "game.json").course
    *_, (again, _) = read.positions(TITLES[title])
    assert list(read.moves) == table.texts
    mine, theirs = table.game.state, again.state
    assert (theirs.cash, theirs.board, theirs.flow) == (mine.cash, mine.board, mine.flow)


@pytest.mark.parametrize(
    ("players", "temper"),
    [pytest.param(*pair, id=f"{pair[0]}-{pair[1].name}") for pair in zip(TITLE.players, TEMPERS, strict=True)],
)
def test_games_end_under_all_audits_and_come_out_the_same_from_their_texts(players: int, temper: RandomPolicy) -> None:
    table = RandomGame(TITLE, players, 11 * players, wanted=temper)
    for _ in table.moves():
        pass
    assert table.game.state.finished
    assert table.game.state.ending
    again = Game.new(TITLE, [player.name for player in table.game.state.players], {}, 11 * players)
    for text in table.texts:
        again.apply(parse_action(TITLE, text))
    assert again.encode() == table.game.encode()


def test_the_rules_of_18xx_games_end_as_well() -> None:
    played = play(TITLE, 4, 3, {"rules": "18xx.games"})
    assert played.reason
    assert len(played.scores) == 4
    assert played.moves == len(played.texts)
