"""The programme in whole numbers against the listing of all routes."""

from __future__ import annotations

from math import inf

import pytest

from bot.engine.routes.choosing.programme import Programme, can_model
from bot.engine.routes.listing.chains import Contraction
from bot.engine.routes.listing.profile import Board
from bot.engine.routes.revenue.model import TrackBonus
from bot.engine.routes.revenue.scoring import score, validate
from bot.engine.routes.search import best_routes
from tests.engine.routes.test_brute_force import KINDS, fleet
from tests.engine.routes.tiny import TinyBoard

BOARDS = 8
"""How many random boards each kind of train is tried on."""


@pytest.mark.parametrize("by_pieces", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_agrees_with_listing_all_routes(kind: str, by_pieces: bool) -> None:
    """Over chains and over single pieces of track, on random boards with every kind of train and bonus."""
    compared = 0
    for seed in range(1000, 1200):
        asked = TinyBoard(seed, 5 + seed % 8).problem(fleet(kind))
        if not can_model(asked, by_pieces):
            continue
        marks = tuple(bonus.segments for bonus in asked.bonuses if isinstance(bonus, TrackBonus))
        programme = Programme(Board(asked, Contraction(asked.graph, marks)), by_pieces)
        assert programme.run(inf, lambda: inf), seed
        running = {train.id for train in asked.trains if not train.gathers}
        expected = sum(route.revenue for route in best_routes(asked).routes if route.train in running)
        validate(asked, programme.best)
        assert score(asked, programme.best).revenue == programme.best_sum == programme.bound == expected, seed
        compared += 1
        if compared == BOARDS:
            return
    raise AssertionError(f"only {compared} boards can be modelled")
