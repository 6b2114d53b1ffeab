"""Runs: an N-train runs to N stops, towns among them, a D to any number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.engine import CompanyId
from bot.engine.board import Stop, Tile
from bot.engine.play import Game
from bot.engine.play.steps import problem_on_board, values_in_phase
from bot.engine.routes.revenue import RouteProblem, SetBonus, StopValue, TrainSpec
from bot.engine.state import Train

EVERYTHING = frozenset({"city", "town", "offboard"})
DIESEL = "diesel"
"""The colour of the values that a D earns."""


def train_spec(train: Train) -> TrainSpec:
    is_diesel = train.kind == "D"
    reach = None if is_diesel else int(train.kind)
    return TrainSpec(train.id, train.kind, reach, EVERYTHING, earns_bonuses=is_diesel)


def stop_value(tile: Tile, stop: Stop, colours: tuple[str, ...]) -> StopValue:
    """A stop's value in this phase; a route visits only one hex of a red area."""
    node = tile.node(stop.node)
    tags = frozenset({stop.hex} if DIESEL in node.colours else ())
    return StopValue(node.kind, node.value_in(colours), "".join(node.groups[:1]), tags)


def diesel_bonuses(game: Game) -> Iterator[SetBonus]:
    """The sum that a D earns beyond other trains at places that print it."""
    colours = game.title.phase(game.state.phase).colours
    for hex_id, space in game.board_rules.map.hexes.items():
        for node in space.printed.nodes:
            if DIESEL in node.colours:
                more = node.value_in((DIESEL,)) - node.value_in(colours)
                yield SetBonus(hex_id, hex_id, {1: more})


def route_problem(game: Game, company: CompanyId, trains: Sequence[Train]) -> RouteProblem:
    values, bonuses = values_in_phase(game, stop_value), tuple(diesel_bonuses(game))
    return problem_on_board(game, company, map(train_spec, trains), values, bonuses)
