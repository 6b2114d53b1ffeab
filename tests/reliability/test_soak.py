"""Random games of every title under all audits, more than the suite plays; thousands are played by `signalbox selfplay`."""

from __future__ import annotations

import pytest

from bot.ai.fuzzer import play
from bot.titles.registry import TITLES

GAMES_OF_EACH, GAMES_OF_A_PART = 60, 5

pytestmark = pytest.mark.soak


@pytest.mark.parametrize("part", range(GAMES_OF_EACH // GAMES_OF_A_PART))
@pytest.mark.parametrize("title", TITLES)
def test_random_games_end_under_all_audits(title: str, part: int) -> None:
    known = TITLES[title]
    for number in range(part * GAMES_OF_A_PART, (part + 1) * GAMES_OF_A_PART):
        seed, at = divmod(number, len(known.players))
        assert play(known, known.players[at], seed).reason
