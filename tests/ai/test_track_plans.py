"""Lays of computer players: what track is worth that leads somewhere, and how many are compared."""

from __future__ import annotations

import random

import pytest

from bot.ai import track_plans
from bot.ai.fuzzer import BUILDER, draw_action
from bot.ai.move_evaluator import Evaluator, ScoredMove
from bot.ai.title_parameters import STRONG
from bot.ai.track_plans import MOST_AHEAD, score_builds, steps_ahead, steps_from_nearest
from bot.engine.chance import SeededRandom
from bot.engine.play.game import Game, options_for_chance
from bot.engine.state.actions import Action, LayTile
from bot.titles.registry import TITLES
from tests.engine.reachability_oracle import random_board


@pytest.mark.parametrize("title", TITLES)
def test_steps_ahead_are_those_to_the_nearest_places_that_are_not_known(title: str) -> None:
    chance, game_map = random.Random(title), random_board(title, 1).board_rules.map
    spaces = list(game_map.hexes)
    for number in range(60):
        ends, known = (frozenset(chance.sample(spaces, chance.randrange(len(spaces) // 3))) for _ in range(2))
        ends = ends if number % 7 else frozenset(chance.sample(spaces, 1))
        places = [name for name in spaces if game_map.hexes[name].printed.nodes and name not in known]
        steps = sorted(steps_from_nearest(game_map, ends, place) for place in places) if ends else []
        assert steps_ahead(game_map, ends, known) == steps[:MOST_AHEAD]
    assert steps_ahead(game_map, frozenset(spaces[:1]), frozenset(spaces)) == []


def compared(title: str, monkeypatch: pytest.MonkeyPatch) -> tuple[int, int, int]:
    """Where there are most lays in a game of chance: how many there are, how many of them `strong` searches routes for, and
    of how many it looks for the second lay."""
    noun, chance = TITLES[title], SeededRandom(3)
    game = Game.new(noun, ["Ann", "Bob", "Cid"], options_for_chance(noun, {}), 3)
    most, position = 0, game.copy()
    for _ in range(400):
        lays = [lay for lay in game.legal_actions() if isinstance(lay, LayTile)]
        if len(lays) > most:
            most, position = len(lays), game.copy()
        game.apply(draw_action(noun, game.legal_actions(), BUILDER, chance))
    judge = Evaluator(position, position.players_to_act()[0], STRONG, SeededRandom(1))
    tried, seconds = list[Action](), list[Action]()
    monkeypatch.setattr(
        track_plans, "score_build", lambda judge, lay, *_: tried.append(lay) or ScoredMove(lay, float(len(tried)))
    )
    monkeypatch.setattr(track_plans, "second_lay_gain", lambda judge, lay, most: seconds.append(lay) or 1.0)
    score_builds(judge, [lay for lay in judge.options() if isinstance(lay, LayTile)])
    return most, len(tried), len(seconds)


def test_where_companies_are_many_fewer_lays_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    for title, lays, firsts in (("1848", 12, 3), ("18BF", 8, 2)):
        most, tried, seconds = compared(title, monkeypatch)
        assert most > lays and (tried, seconds) == (lays, firsts), title
