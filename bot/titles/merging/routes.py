"""Trains and stops: towns are passed freely, some trains earn twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from bot.engine import CompanyId, HexId
from bot.engine.board import Stop, Tile
from bot.engine.play import Game
from bot.engine.play.steps import problem_on_board, values_in_phase
from bot.engine.routes.revenue import PairBonus, RouteProblem, StopValue, TrainSpec
from bot.engine.state import Train

from .family import merging

STOPS = frozenset({"city", "town", "offboard"})
HELP = 10
CAPITALS = PairBonus("bonus for a capital", "bonus", "capital", 40)


def train_spec(train: Train) -> TrainSpec:
    """N counts all cities and red areas of its route, at most N, and towns where it has room; 2+2 earns that twice.
    5+5E counts up to five stops twice, all red areas among them and a place with an own token.
    """
    if train.kind.endswith("E"):
        optional = frozenset({"city", "town"})
        return TrainSpec(train.id, train.kind, 5, STOPS, optional=optional, counts_token=True, multiplier=2)
    number, plus, _ = train.kind.partition("+")
    return TrainSpec(
        train.id, train.kind, int(number), STOPS, optional=frozenset({"town"}), multiplier=2 if plus else 1
    )


def stop_value(tile: Tile, stop: Stop, colours: tuple[str, ...]) -> StopValue:
    """A route visits only one stop of a hex, and only one hex of a red area."""
    node = tile.node(stop.node)
    of_hex = stop.hex if len(tile.nodes) > 1 else ""
    return StopValue(node.kind, node.value_in(colours), "".join(node.groups[:1]) or of_hex)


def helped_hexes(game: Game, company: CompanyId) -> Counter[HexId]:
    """The money that the company's own privates add to the stops of each hex."""
    helped, found = merging(game).helped, Counter[HexId]()
    for private in game.state.privates_of(company):
        found.update(dict.fromkeys(helped.get(private.id, ()), HELP))
    return found


def route_problem(game: Game, company: CompanyId, trains: Sequence[Train]) -> RouteProblem:
    more, (place, capitals) = helped_hexes(game, company), merging(game).bonus
    values = {}
    for stop, worth in values_in_phase(game, stop_value).items():
        tags = frozenset({"bonus"} if stop.hex == place else {"capital"} if stop.hex in capitals else ())
        values[stop] = replace(worth, revenue=worth.revenue + more[stop.hex], tags=tags)
    return problem_on_board(game, company, map(train_spec, trains), values, (CAPITALS,))
