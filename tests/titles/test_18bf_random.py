"""18BF: random moves under all audits; whole games are played by `signalbox selfplay` and in the soak."""

from __future__ import annotations

from itertools import islice

import pytest

from bot.ai.fuzzer import SURVEYOR, RandomGame
from tests.titles.builders_18bf import TITLE


@pytest.mark.parametrize("players", [3, 4, 5])
def test_random_moves_keep_the_books_and_are_the_same_again(players: int) -> None:
    tables = [RandomGame(TITLE, players, 4, wanted=SURVEYOR, is_audited=audited) for audited in (True, False)]
    for table in tables:
        assert sum(1 for _ in islice(table.moves(), 90)) == 90
    assert tables[0].texts == tables[1].texts
