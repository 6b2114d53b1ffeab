"""Random games of every title under all audits, more than the suite plays; thousands are played by `signalbox selfplay`."""

from __future__ import annotations

import pytest

from bot.engine.titles.registry import TITLES
from bot.players.selfplay import play

GAMES_OF_EACH = 60

pytestmark = pytest.mark.soak


@pytest.mark.parametrize(
    ("title", "players"), [(title.id, players) for title in TITLES.values() for players in title.players]
)
def test_random_games_end_under_all_audits(title: str, players: int) -> None:
    known = TITLES[title]
    for seed in range(GAMES_OF_EACH // len(known.players)):
        assert play(known, players, seed).reason
