"""How good a company's place on the map is: the printed stops near its home."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from bot.engine import CompanyId, HexId
from bot.engine.board import GameMap
from bot.engine.play import Game

from .title_parameters import parameters_of
from .track_plans import steps_from

FARTHEST, FADING = 6, 0.75
"""Stops count up to this number of hexes away; the part of a stop's value that is left with every hex."""

UNBUILT = 20
"""Minimum value of a printed stop, which its first tile gives it."""

JUNCTION = "junction"
"""The kind of nodes that are no stops."""


def place_values(game: Game) -> Mapping[CompanyId, float]:
    """The value of every company's place in printed money, as the title says or computed; 0 without a home."""
    given, printed = parameters_of(game).places, game.board_rules.map
    return {
        company: given[company] if company in given else place_value(printed, noun.home)
        for company, noun in game.title.companies.items()
    }


@cache
def place_value(game_map: GameMap, homes: tuple[HexId, ...]) -> float:
    return sum((value_around(game_map, home) for home in homes if home in game_map.hexes), 0.0) / max(1, len(homes))


def value_around(game_map: GameMap, home: HexId) -> float:
    steps = steps_from(game_map, home)
    near = (name for name, away in steps.items() if away <= FARTHEST)
    return sum(printed_value(game_map, name) * FADING ** steps[name] for name in near)


def printed_value(game_map: GameMap, name: HexId) -> float:
    """The most that the hex's printed stops pay in any phase, and at least as much as an unbuilt stop will."""
    nodes = game_map.hexes[name].printed.nodes
    return float(sum(max(UNBUILT, *node.revenue) for node in nodes if node.kind != JUNCTION))
