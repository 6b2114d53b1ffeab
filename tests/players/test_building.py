"""What track is worth that leads somewhere."""

from __future__ import annotations

import random

import pytest

from bot.engine.titles.registry import TITLES
from bot.players.building import MOST_AHEAD, nearest, steps_ahead
from tests.engine.reach import random_board


@pytest.mark.parametrize("title", TITLES)
def test_steps_ahead_are_those_to_the_nearest_places_that_are_not_known(title: str) -> None:
    chance, game_map = random.Random(title), random_board(title, 1).land.map
    spaces = list(game_map.hexes)
    for number in range(60):
        ends, known = (frozenset(chance.sample(spaces, chance.randrange(len(spaces) // 3))) for _ in range(2))
        ends = ends if number % 7 else frozenset(chance.sample(spaces, 1))
        places = [name for name in spaces if game_map.hexes[name].printed.nodes and name not in known]
        steps = sorted(nearest(game_map, ends, place) for place in places) if ends else []
        assert steps_ahead(game_map, ends, known) == steps[:MOST_AHEAD]
    assert steps_ahead(game_map, frozenset(spaces[:1]), frozenset(spaces)) == []
