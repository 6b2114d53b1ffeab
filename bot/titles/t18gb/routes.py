"""The trains of 18GB: values, N+M and nX trains, estuary tunnels, compass bonuses (18GB, differences from 1830)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache, partial

from bot.engine import CompanyId, HexId
from bot.engine.board import BoardRules, Stop, Tile
from bot.engine.play import Game
from bot.engine.play.holdings import president_of
from bot.engine.play.steps import Values, problem_on_board, values_in_phase
from bot.engine.routes.revenue import (
    JointBonus,
    Limit,
    RouteBonus,
    RouteProblem,
    SetBonus,
    StopValue,
    TrackBonus,
    TrainSpec,
)
from bot.engine.state import Train

from .components import COMPASS, COMPASS_VALUE, DISTANCE_PAY, STOP_BONUS, TUNNELS
from .interpretations import interpretation_flags

LARGE = frozenset({"city", "offboard"})
EVERYTHING = LARGE | {"town"}


def train_spec(train: Train, needs: frozenset[str] = LARGE) -> TrainSpec:
    """N+M runs N+M stops, at most N of them cities or off-board areas; nX counts only those, is paid for distance, and
    passes towns; it `needs` two stops of those kinds.
    """
    if train.kind.endswith("X"):
        reach = int(train.kind.removesuffix("X"))
        unpaid = frozenset({"town"})
        return TrainSpec(train.id, train.kind, reach, unpaid=unpaid, distance_pay=DISTANCE_PAY, needs=needs)
    cities, towns = (int(part) for part in train.kind.split("+"))
    return TrainSpec(train.id, train.kind, cities, limits=(Limit(cities + towns, EVERYTHING),))


@cache
def compass_points(scenario: str) -> dict[HexId, frozenset[str]]:
    """The points of the compass of each off-board area in a scenario."""
    printed = COMPASS.get(scenario, COMPASS[""])
    hexes = {HexId(hex_id) for names in printed.values() for hex_id in names.split()}
    return {hex_id: frozenset(point for point, names in printed.items() if hex_id in names.split()) for hex_id in hexes}


@lru_cache(maxsize=8192)
def stop_value(tile: Tile, stop: Stop, colours: tuple[str, ...], land: BoardRules, scenario: str) -> StopValue:
    """A stop's value while the phase has these colours. Two cities of a hex pay once."""
    node = tile.node(stop.node)
    tags = compass_points(scenario).get(stop.hex, frozenset()) | {stop.hex}
    return StopValue(node.kind, node.value_in(colours), "", tags, stop.hex, land.map.layout.coordinates(stop.hex))


def tunnel_bonuses(game: Game) -> list[RouteBonus]:
    """A route is paid once for each estuary tunnel it runs through."""
    bonuses: list[RouteBonus] = []
    spaces = game.board_rules.track_index(game).spaces
    for hex_id, (name, money) in TUNNELS.items():
        if hex_id not in spaces:  # a map for few players has none of them
            continue
        segments = [number for number, segment in spaces[hex_id].segments.items() if segment.kind == "dual"]
        if segments:
            bonuses.append(TrackBonus(name, frozenset(segments), money))
    return bonuses


def private_bonuses(game: Game, company: CompanyId) -> list[RouteBonus]:
    """Closed privates of the president pay each route to their stop."""
    president = president_of(game.company(company))
    return [
        SetBonus(private.id, STOP_BONUS[private.id][0], {1: STOP_BONUS[private.id][1]})
        for private in game.state.privates.values()
        if private.id in STOP_BONUS and private.closed and private.owner is not None and private.owner == president
    ]


def compass_bonuses(game: Game) -> tuple[JointBonus, ...]:
    """North to south and east to west, also by several trains together; the value depends on the phase."""
    colours = game.title.phase(game.state.phase).colours
    money = [value for colour, value in COMPASS_VALUE.items() if colour in colours][-1]
    return (JointBonus("N-S", "N", "S", money), JointBonus("E-W", "E", "W", money))


@cache
def _value_function(land: BoardRules, scenario: str) -> Values:
    return partial(stop_value, land=land, scenario=scenario)


def route_problem(game: Game, company: CompanyId, trains: Sequence[Train]) -> RouteProblem:
    """18xx.games lets an nX train run from a city to a town."""
    needs = EVERYTHING if interpretation_flags(game).nx_trains_end_in_towns else LARGE
    values = values_in_phase(game, _value_function(game.board_rules, game.state.scenario))
    bonuses = (*tunnel_bonuses(game), *private_bonuses(game, company))
    return problem_on_board(
        game, company, (train_spec(train, needs) for train in trains), values, bonuses, compass_bonuses(game)
    )
