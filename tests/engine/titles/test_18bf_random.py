"""18BF: random moves under all audits; whole games are played by `signalbox selfplay` and in the soak."""

from __future__ import annotations

import json
from itertools import islice

import pytest

from bot.engine.games.selfplay import SURVEYOR, RandomGame
from bot.engine.play.game import Game
from bot.engine.words.text import action_of
from bot.tables.files.game_files import brought_here, own_form
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
    written = own_form("18BF", dict(game.state.options), 9, game, table.texts)
    read = brought_here(json.dumps(written).encode(), "game.json")
    assert read.data["moves"] == table.texts
    again = Game.new(TITLE, read.data["players"], read.data["options"], read.data["seed"])
    for text in read.data["moves"]:
        again.apply(action_of(TITLE, text))
    assert again.encode() == game.encode()
