"""The trains of 1844 (§XVII, §XVIII): normal trains, H-trains that count hexes, E-trains that pass stops; tunnels,
transit, mountains."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache, partial

from bot.engine import CompanyId, HexId
from bot.engine.board import Stop, Tile
from bot.engine.play import Game
from bot.engine.play.steps import problem_on_board, values_in_phase
from bot.engine.routes.revenue import (
    Limit,
    PairBonus,
    RouteBonus,
    RouteProblem,
    RouteSet,
    StopValue,
    TrackBonus,
    TrainSpec,
)
from bot.engine.state import Train

from .components import MOUNTAIN_HEXES, PRIVATES, REGIONAL
from .interpretations import interpretation_flags
from .map import MAP
from .state import title_state

EVERYTHING = frozenset({"city", "town", "offboard", "mountain"})
TUNNEL_BONUS = 10
POINTS = frozenset("NESW")


def train_spec(train: Train, counts_ends: bool = True) -> TrainSpec:
    """N counts every stop; NH counts hexes and never visits red hexes; NE passes stops, and counts one of its own
    markers and both ends (not so on 18xx.games).
    """
    size = int(train.kind.partition("-")[0].rstrip("HE"))
    if train.kind.endswith("E"):
        return TrainSpec(
            train.id, train.kind, size, EVERYTHING, optional=EVERYTHING, counts_ends=counts_ends, counts_token=True
        )
    if "H" in train.kind:
        return TrainSpec(train.id, train.kind, None, limits=(Limit(size, spaces=True),), closed=frozenset({"offboard"}))
    return TrainSpec(train.id, train.kind, size, EVERYTHING)


@lru_cache(maxsize=8192)
def stop_value(tile: Tile, stop: Stop, colours: tuple[str, ...], joins_points: bool = False) -> StopValue:
    """A stop's value in this phase. An off-board area is a single stop.

    With `joins_points` all off-board areas of a point of the compass are a single stop: 18xx.games joins no two of
    them.
    """
    node = tile.node(stop.node)
    kind = "mountain" if stop.hex in MOUNTAIN_HEXES else node.kind
    if kind == "offboard" and MAP.hexes[stop.hex].colour != "red":
        kind = "mountain"
    tags = frozenset(group for group in node.groups if group in POINTS)
    place = next((group for group in node.groups if (group in POINTS) is joins_points), "")
    return StopValue(kind, node.value_in(colours), place, tags)


def stop_values(game: Game) -> dict[Stop, StopValue]:
    """All stops on the board with their values, except mountains without a railway."""
    value = stop_value_joining_points if interpretation_flags(game).parts_points_of_the_compass else stop_value
    return values_in_phase(game, value, lambda stop: not is_bare(game, stop))


stop_value_joining_points = partial(stop_value, joins_points=True)
"""A stop's value where 18xx.games joins no two areas of the same point of the compass."""


def is_bare(game: Game, stop: Stop) -> bool:
    """Whether the stop is a mountain without a railway, which is part of no route (§VI)."""
    return stop.hex in MOUNTAIN_HEXES and stop.hex not in game.state.board.tiles


def transit_bonuses(game: Game) -> dict[Stop, int]:
    """The printed transit bonus of each off-board area (§XVIII)."""
    printed = _printed_bonuses()
    return {stop: printed[stop.hex] for stop in game.board_rules.graph(game).stops if stop.hex in printed}


@cache
def _printed_bonuses() -> dict[HexId, int]:
    """The bonus printed on one hex of an off-board area, for all of its hexes."""
    icons = [(space.id, icon) for space in MAP.hexes.values() for icon in space.printed.icons]
    printed = {place_of(name): int(icon.removeprefix("bonus_")) for name, icon in icons if icon.startswith("bonus_")}
    return {name: printed[place_of(name)] for name in MAP.hexes if place_of(name) in printed}


def place_of(hex_id: HexId) -> str:
    """The name of the off-board area containing the hex, or the hex itself."""
    nodes = MAP.hexes[hex_id].printed.nodes
    return next((group for node in nodes for group in node.groups if group not in POINTS), hex_id)


def bonuses(game: Game) -> tuple[RouteBonus, ...]:
    """10 for every stop of a route through a tunnel; north to south and east to west."""
    graph = game.board_rules.graph(game)
    tunnels = frozenset([number for number, segment in graph.segments.items() if segment.kind == "narrow"])
    printed = transit_bonuses(game)
    return (
        TrackBonus("tunnel", tunnels, 0, TUNNEL_BONUS),
        PairBonus("north-south", "N", "S", 0, printed),
        PairBonus("east-west", "E", "W", 0, printed),
    )


def route_problem(game: Game, company: CompanyId, trains: Sequence[Train]) -> RouteProblem:
    specs = [train_spec(train, counts_ends=not interpretation_flags(game).eights_count_any_stops) for train in trains]
    return problem_on_board(game, company, specs, stop_values(game), game.memoise("bonuses", lambda: bonuses(game)))


def has_route(game: Game, company: CompanyId) -> bool:
    """Whether one of the company's markers is joined with another stop: red hexes do not count for regional railways,
    and bare mountains count only on 18xx.games (§IX, §X).
    """
    return _joins_stops(game, company, game.title.companies[company].kind == REGIONAL)


def may_run(game: Game, company: CompanyId) -> bool:
    """Whether the company's trains have anywhere to go: H-trains do not go to red hexes. 18xx.games asks all the
    same.
    """
    only_local = all("H" in train.kind for train in game.state.trains_of(company))
    is_bound = only_local and not interpretation_flags(game).asks_h_trains_without_stops
    return has_route(game, company) and (not is_bound or _joins_stops(game, company, True))


def _joins_stops(game: Game, company: CompanyId, avoids_red: bool) -> bool:
    return game.memoise(("joins stops", company, avoids_red), lambda: _looks_for_stops(game, company, avoids_red))


def _looks_for_stops(game: Game, company: CompanyId, avoids_red: bool) -> bool:
    def counts(stop: Stop) -> bool:
        is_closed = avoids_red and MAP.hexes[stop.hex].colour == "red"
        return not is_closed and (interpretation_flags(game).bare_mountains_make_routes or not is_bare(game, stop))

    return game.board_rules.connects(game, company, counts)


def look_for_visits(game: Game, company: CompanyId, result: RouteSet) -> None:
    """Mountain railways and tunnels pay from their first visit on (§VI, §VII)."""
    record, segments = title_state(game), game.board_rules.graph(game).segments
    ran = [route for route in result.routes if route.stops]
    visited = {stop.hex for route in ran for stop in route.stops}
    driven = {segments[number].hex for route in ran for number in route.segments if segments[number].kind == "narrow"}
    for standing, places in ((record.mountains, visited), (record.tunnels, driven)):
        for sign, hex_id in standing.items():
            if sign not in record.active and hex_id in places:
                record.active.append(sign)
                income = game.title.money(PRIVATES[sign].income)
                game.log("{private} has been visited: it pays {income} a round from now on.", sign, income)
