"""The long campaign of `make soak`: a thousand random games of every title under all audits."""

from __future__ import annotations

import pytest

from bot.engine.games.selfplay import play
from bot.engine.titles.registry import TITLES

GAMES_IN_ALL = 1000

pytestmark = pytest.mark.soak


@pytest.mark.parametrize(
    ("title", "players"), [(title.id, players) for title in TITLES.values() for players in title.players]
)
def test_random_games_end_under_all_audits(title: str, players: int) -> None:
    known = TITLES[title]
    for seed in range(GAMES_IN_ALL // len(known.players)):
        assert play(known, players, seed).reason
