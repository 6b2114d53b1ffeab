"""1820: random games under all audits."""

from __future__ import annotations

import pytest

from bot.engine.selfplay import play
from bot.engine.titles.registry import TITLES


@pytest.mark.parametrize(("players", "seed"), [(2, 2), (3, 4)])
def test_random_games_end_and_replay_alike(players: int, seed: int) -> None:
    once, again = (play(TITLES["1820"], players, seed) for _ in range(2))
    assert once == again
    assert once.reason
    assert len(once.scores) == players
