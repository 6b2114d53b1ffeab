"""18BF: random games under all audits; thousands are played by `signalbox selfplay`."""

from __future__ import annotations

import pytest

from bot.engine.selfplay import play

from .britain import TITLE


@pytest.mark.parametrize("players", [3, 5])
def test_a_random_game_ends_and_is_the_same_again(players: int) -> None:
    once, again = (play(TITLE, players, 4) for _ in range(2))
    assert once == again
    assert once.reason
    assert len(once.scores) == players
