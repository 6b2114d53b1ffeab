"""The beginnings of random games of 1844 under all audits; whole ones belong in `signalbox selfplay`."""

from __future__ import annotations

from itertools import islice

import pytest

from bot.ai.fuzzer import RandomGame
from tests.titles.builders_1844 import TITLE

MOVES = 220


@pytest.mark.parametrize(("players", "rules"), [(3, "rulebook"), (5, "18xx.games"), (7, "rulebook")])
def test_random_games_keep_all_audits(players: int, rules: str) -> None:
    table = RandomGame(TITLE, players, players, {"rules": rules})
    last = list(islice(table.moves(), MOVES))[-1]
    assert last.state.round.number > 1
    assert len(table.texts) == MOVES
