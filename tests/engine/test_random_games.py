"""A few random games under all audits, played again from their texts; `make soak` plays sixty of every title."""

from __future__ import annotations

import pytest

from bot.engine.games.selfplay import TEMPERS, RandomGame, Temper, play
from bot.engine.play.game import Game
from bot.engine.titles.registry import TITLES
from bot.engine.words.text import action_of

TITLE = TITLES["1848"]


@pytest.mark.parametrize(
    ("players", "temper"),
    [pytest.param(*pair, id=f"{pair[0]}-{pair[1].name}") for pair in zip(TITLE.players, TEMPERS, strict=True)],
)
def test_games_end_under_all_audits_and_come_out_the_same_from_their_texts(players: int, temper: Temper) -> None:
    table = RandomGame(TITLE, players, 11 * players, wanted=temper)
    for _ in table.moves():
        pass
    assert table.game.state.finished
    assert table.game.state.ending
    again = Game.new(TITLE, [player.name for player in table.game.state.players], {}, 11 * players)
    for text in table.texts:
        again.apply(action_of(TITLE, text))
    assert again.encode() == table.game.encode()


def test_the_rules_of_18xx_games_end_as_well() -> None:
    played = play(TITLE, 4, 3, {"rules": "18xx.games"})
    assert played.reason
    assert len(played.scores) == 4
    assert played.moves == len(played.texts)
