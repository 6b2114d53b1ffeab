"""1820: random games under all audits; short ones in which nearly every verb of the title is used."""

from __future__ import annotations

import pytest

from bot.ai.fuzzer import play
from bot.engine.notation.text import parse_action
from bot.engine.play.game import Game
from bot.titles.registry import TITLES
from tests.families import few

TITLE = TITLES["1820"]


@pytest.mark.parametrize(("players", "seed"), few([(2, 11), (3, 40)], 0))
def test_random_games_end_and_replay_alike(players: int, seed: int) -> None:
    played = play(TITLE, players, seed)
    assert played.reason
    again = Game.new(TITLE, [f"Player {number}" for number in range(1, players + 1)], {}, seed)
    for text in played.texts:
        again.apply(parse_action(TITLE, text))
    assert [TITLE.rules.worth(again, player.id) for player in again.state.players] == played.scores
    assert again.state.ending == played.reason
