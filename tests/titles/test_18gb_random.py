"""18GB: a few random games of every scenario under all audits."""

from __future__ import annotations

import pytest

from bot.ai.fuzzer import play
from tests.titles.builders_18gb import BY_18XX, TITLE


@pytest.mark.parametrize(
    ("players", "options"),
    [
        (2, {"map": "north-south"}),
        (2, {"map": "east-west", **BY_18XX}),
        pytest.param(3, {}, marks=pytest.mark.soak),
        pytest.param(4, {"companies": "alternative"}, marks=pytest.mark.soak),
        pytest.param(5, {}, marks=pytest.mark.soak),
        pytest.param(6, BY_18XX, marks=pytest.mark.soak),
    ],
)
def test_random_games_end(players: int, options: dict[str, str]) -> None:
    played = play(TITLE, players, 21, options)
    assert played.reason
    assert len(played.scores) == players
