"""18BF: random moves under all audits; whole games are played by `signalbox selfplay` and in the soak."""

from __future__ import annotations

from itertools import islice

import pytest

from bot.engine.games.course import course_of
from bot.engine.games.selfplay import SURVEYOR, RandomGame
from bot.tables.files.carrying import written
from bot.tables.files.game_files import brought_here
from tests.engine.titles.britain import TITLE


@pytest.mark.parametrize("players", [3, 4, 5])
def test_random_moves_keep_the_books_and_are_the_same_again(players: int) -> None:
    tables = [RandomGame(TITLE, players, 4, wanted=SURVEYOR, is_audited=audited) for audited in (True, False)]
    for table in tables:
        assert sum(1 for _ in islice(table.moves(), 90)) == 90
    assert tables[0].texts == tables[1].texts


def test_our_own_file_reads_back_to_the_same_game() -> None:
    table = RandomGame(TITLE, 4, 9, {"ireland": "coast"}, SURVEYOR, is_audited=False)
    for _ in islice(table.moves(), 120):
        pass
    game = table.game
    read = brought_here(written(course_of(game, table.texts)), "game.json").course
    assert list(read.moves) == table.texts
    *_, (again, _) = read.positions(TITLE)
    assert again.encode() == game.encode()
