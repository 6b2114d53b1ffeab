"""A few random games for each number of players under all audits; `make soak` plays a thousand."""

from __future__ import annotations

import pytest

from bot.engine.selfplay import play
from bot.engine.titles.registry import TITLES


@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("seed", [11, 12, 13, 14])
def test_random_games_of_1848_end_and_replay_alike(players: int, seed: int) -> None:
    once, again = (play(TITLES["1848"], players, seed) for _ in range(2))
    assert once == again
    assert once.reason
    assert len(once.scores) == players


def test_the_rules_of_18xx_games_end_as_well() -> None:
    assert play(TITLES["1848"], 4, 3, {"rules": "18xx.games"}).reason
