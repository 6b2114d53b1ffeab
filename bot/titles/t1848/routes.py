"""The trains of 1848: values, gauge changes, the Ghan, the K-K bonus (1848 §8.2, §10)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from bot.engine import CompanyId
from bot.engine.board import Stop, Tile
from bot.engine.play import Game
from bot.engine.play.steps import problem_on_board, values_in_phase
from bot.engine.routes.revenue import RouteProblem, SetBonus, StopValue, TrainSpec
from bot.engine.state import Train

from .components import ALICE_SPRINGS, K_BONUS, K_CITIES

BONUSES = (SetBonus("K-K", "K", K_BONUS),)
GHAN = "Alice Springs"


def train_spec(train: Train) -> TrainSpec:
    """N counts cities, off-board areas, the large harbour and gauge changes (§8.2.2); N+ has one gauge change free
    (§8.2.3); D counts nothing (§8.2.4); 2E runs from a token to Alice Springs (§8.2.5).
    """
    if train.kind == "2E":
        return TrainSpec(train.id, train.kind, None, ignores_gauge=True, runs_to=GHAN, earns_bonuses=False)
    if train.kind == "D":
        return TrainSpec(train.id, train.kind, None, ignores_gauge=True)
    plus = train.kind.endswith("+")
    return TrainSpec(train.id, train.kind, int(train.kind.rstrip("+")), free_gauge_changes=int(plus))


@lru_cache(maxsize=8192)
def stop_value(tile: Tile, stop: Stop, colours: tuple[str, ...]) -> StopValue:
    """A stop's value in this phase. Both hexes of Alice Springs are a single stop (§10.1.2)."""
    node = tile.node(stop.node)
    tags = frozenset({"K"} if stop.hex in K_CITIES else {GHAN} if stop.hex in ALICE_SPRINGS else ())
    return StopValue(node.kind, node.value_in(colours), GHAN if stop.hex in ALICE_SPRINGS else "", tags)


def route_problem(game: Game, company: CompanyId, trains: Sequence[Train]) -> RouteProblem:
    return problem_on_board(game, company, map(train_spec, trains), values_in_phase(game, stop_value), BONUSES)
