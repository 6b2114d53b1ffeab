"""The trains of 1830: an N-train runs to N stops, towns among them, a D to any number."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine import CompanyId
from bot.engine.board import Stop, Tile
from bot.engine.play import Game
from bot.engine.play.steps import problem_on_board, values_in_phase
from bot.engine.routes.revenue import RouteProblem, StopValue, TrainSpec
from bot.engine.state import Train

EVERYTHING = frozenset({"city", "town", "offboard"})


def train_spec(train: Train) -> TrainSpec:
    return TrainSpec(train.id, train.kind, None if train.kind == "D" else int(train.kind), EVERYTHING)


def stop_value(tile: Tile, stop: Stop, colours: tuple[str, ...]) -> StopValue:
    """A stop's value in this phase; a route visits only one hex of a red area."""
    node = tile.node(stop.node)
    return StopValue(node.kind, node.value_in(colours), "".join(node.groups[:1]))


def route_problem(game: Game, company: CompanyId, trains: Sequence[Train]) -> RouteProblem:
    return problem_on_board(game, company, map(train_spec, trains), values_in_phase(game, stop_value))
