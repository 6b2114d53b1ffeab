"""Runs on the board: trains, and what stops pay to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial

from bot.engine import CompanyId
from bot.engine.board import Stop, Tile
from bot.engine.play import Game
from bot.engine.play.steps import Values, problem_on_board, values_in_phase
from bot.engine.routes.revenue import Limit, PairBonus, RouteProblem, StopValue, TrainSpec
from bot.engine.state import Train

from .family import classic
from .helpers import marked_values
from .powers import RouteBonus
from .privates import route_bonuses
from .runs import Towns, TrainRun, run_of

CITIES = frozenset({"city", "offboard"})
TOWNS = frozenset({"town"})
DIESEL = "diesel"
"""The colour of the values that a D earns."""


def train_spec(train: Train, runs: Mapping[str, TrainRun]) -> TrainSpec:
    run = run_of(runs, train.kind)
    counted = CITIES | TOWNS if run.towns in (Towns.COUNT, Towns.SKIPPED) else CITIES
    return TrainSpec(
        train.id,
        train.kind,
        run.reach,
        counted,
        limits=(Limit(run.towns, TOWNS),) if isinstance(run.towns, int) else (),
        unpaid=TOWNS if run.towns is Towns.UNPAID else frozenset(),
        needs=CITIES if run.towns is Towns.UNPAID else frozenset(),
        optional=TOWNS if run.towns is Towns.SKIPPED else frozenset(),
        scale=run.scale or (DIESEL if train.kind == "D" else ""),
    )


@lru_cache
def stop_values(runs: frozenset[TrainRun]) -> Values:
    """The values of stops where trains run so."""
    by_scale = {run.scale: run for run in runs if run.scale}
    return partial(stop_value, runs=tuple(by_scale[scale] for scale in sorted(by_scale)))


def stop_value(tile: Tile, stop: Stop, colours: tuple[str, ...], runs: Sequence[TrainRun] = ()) -> StopValue:
    """A stop's value in this phase; a route visits only one hex of a red area."""
    node = tile.node(stop.node)
    value = node.value_in(colours)
    scales = [(run.scale, value * (run.town_times if node.kind == "town" else run.times)) for run in runs]
    scales += [(DIESEL, node.value_in((DIESEL,)))] if DIESEL in node.colours else []
    return StopValue(node.kind, value, "".join(node.groups[:1]), scales=tuple(scales))


def bonus_of(power: RouteBonus) -> PairBonus:
    one, other = power.hexes.split()
    return PairBonus(power.name, one, other, power.amount, once=True)


def raise_value(worth: StopValue, amount: int) -> StopValue:
    """The stop with this sum added, once, for trains of every scale."""
    scales = tuple((scale, value + amount) for scale, value in worth.scales)
    return replace(worth, revenue=worth.revenue + amount, scales=scales)


def route_problem(game: Game, company: CompanyId, trains: Sequence[Train]) -> RouteProblem:
    runs = classic(game).runs
    specs = [train_spec(train, runs) for train in trains]
    values = values_in_phase(game, stop_values(frozenset(runs.values())))
    powers = route_bonuses(game, company)
    tagged = {hex_id for power in powers for hex_id in power.hexes.split()}
    if tagged:
        values = {
            stop: replace(worth, tags=worth.tags | {str(stop.hex)}) if stop.hex in tagged else worth
            for stop, worth in values.items()
        }
    for hex_id, amount in marked_values(game, company).items():
        values = values | {stop: raise_value(worth, amount) for stop, worth in values.items() if stop.hex == hex_id}
    return problem_on_board(game, company, specs, values, [bonus_of(power) for power in powers])
