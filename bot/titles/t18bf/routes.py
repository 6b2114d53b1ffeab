"""The trains of 18BF: values, skipped small cities, London, Ireland, bonuses, goods trains (18BF §10.1, §10.6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from bot.engine import CompanyId, HexId
from bot.engine.board import Stop, Tile
from bot.engine.play import Game
from bot.engine.play.steps import Values, problem_on_board, values_in_phase
from bot.engine.play.steps import has_any_route as has_two_stops
from bot.engine.routes.revenue import PairBonus, RouteProblem, StopValue, TrainSpec
from bot.engine.state import Train

from . import components
from .state import title_state

STOPS = frozenset({"city", "town", "offboard"})
TOWNS = frozenset({"town"})


def period(game: Game) -> int:
    """Index of the printed value that counts now, of four (§8)."""
    return components.PERIOD[game.state.phase]


def train_spec(game: Game, train: Train) -> TrainSpec:
    """N reaches N stops of any kind and skips small cities between its ends; N+N pays twice; 5+5E counts any five stops
    twice; NG counts the mine and N cities with stations (§10.6).
    """
    kind = train.kind
    if kind.endswith("G"):
        return TrainSpec(
            train.id, kind, None, earns_bonuses=False, gathers=int(kind.rstrip("G")), base=components.MINE[period(game)]
        )
    if kind.endswith("E"):
        return TrainSpec(train.id, kind, 5, STOPS, optional=STOPS, multiplier=2)
    number, plus, _ = kind.partition("+")
    return TrainSpec(train.id, kind, int(number), STOPS, optional=TOWNS, counts_ends=True, multiplier=2 if plus else 1)


def bonuses(game: Game) -> tuple[PairBonus, ...]:
    """London to red, and the two borders, once for each train (§10.6)."""
    now = period(game)
    return (
        PairBonus("London to red", "London", "red", components.LONDON_RED[now]),
        PairBonus("England-Wales", "in Wales", "not in Wales", components.ENGLAND_WALES[now]),
        PairBonus("England-Scotland", "in Scotland", "not in Scotland", components.ENGLAND_SCOTLAND[now]),
    )


def region(hex_id: HexId, is_coast: bool) -> str:
    """Scotland, Wales, Ireland or England. By the option Irish areas are on the coast across the sea."""
    found = components.REGION.get(hex_id, "England")
    return components.IRISH_COAST[hex_id] if is_coast and found == "Ireland" else found


def extra_values(game: Game, company: CompanyId) -> Counter[HexId]:
    """The bonus of the company's own privates to the stops of each hex (§7.1, §10.6)."""
    found, ferries = Counter[HexId](), title_state(game).ferries
    for private in game.state.privates_of(company):
        if private.id in components.STOP_BONUS:
            place, bonus = components.STOP_BONUS[private.id]
            found[place] += bonus
        if private.id in ferries:
            found[ferries[private.id]] += components.IRISH_BONUS
    return found


def stop_value(tile: Tile, stop: Stop, colours: tuple[str, ...], is_coast: bool) -> StopValue:
    """A stop's value for a company without privates. A train visits only one of the areas of Ireland (§10.6)."""
    node = tile.node(stop.node)
    land = region(stop.hex, is_coast)
    tags = {f"{'' if land == country else 'not '}in {country}" for country in ("Wales", "Scotland")}
    if stop.hex == components.LONDON:
        tags.add("London")
    if node.kind == "offboard":
        tags.add("red")
    group = "Ireland" if stop.hex in components.IRELAND else ""
    place = str(stop.hex) if node.kind == "city" else ""
    return StopValue(node.kind, node.value_in(colours), group, frozenset(tags), place)


VALUES: dict[bool, Values] = {is_coast: partial(stop_value, is_coast=is_coast) for is_coast in (False, True)}


def route_problem(game: Game, company: CompanyId, trains: Sequence[Train]) -> RouteProblem:
    """The parts of London without the company's station are closed to it (§10.6)."""
    own, extra = frozenset(game.board_rules.tokens_of(game, company)), extra_values(game, company)
    values = {}
    for stop, worth in values_in_phase(game, VALUES[game.state.options.get("ireland") == "coast"]).items():
        if stop.hex != components.LONDON or stop in own:
            values[stop] = replace(worth, revenue=worth.revenue + extra[stop.hex]) if stop.hex in extra else worth
    return problem_on_board(game, company, (train_spec(game, train) for train in trains), values, bonuses(game))


def has_route(game: Game, company: CompanyId) -> bool:
    """Goods trains need only a station, others two stops."""
    return gathers(game, company) or has_two_stops(game, company)


def gathers(game: Game, company: CompanyId) -> bool:
    """Whether the company has a goods train."""
    return any(train.kind.endswith("G") for train in game.state.trains_of(company))
