"""What trains of 1830 do: an N-train runs to N stops, towns among them, a D to any number."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.data.state import Train
from bot.engine.ids import CompanyId
from bot.engine.map.track import Stop
from bot.engine.play.game import Game
from bot.engine.routes.revenue.model import RouteProblem, StopValue, TrainSpec

EVERYTHING = frozenset({"city", "town", "offboard"})


def train_spec(train: Train) -> TrainSpec:
    """The card as data."""
    return TrainSpec(train.id, train.kind, None if train.kind == "D" else int(train.kind), EVERYTHING)


def stop_values(game: Game) -> dict[Stop, StopValue]:
    """Every stop with its value; of the spaces of one red area a route visits one."""
    colours = game.title.phase(game.state.phase).colours
    nodes = {stop: game.geometry(stop.hex).node(stop.node) for stop in game.land.graph(game).stops}
    return {
        stop: StopValue(node.kind, node.value_in(colours), "".join(node.groups[:1])) for stop, node in nodes.items()
    }


def route_problem(game: Game, company: CompanyId, trains: Sequence[Train]) -> RouteProblem:
    """The company's trains on the present board."""
    return RouteProblem(
        game.land.graph(game),
        game.cached(("values", game.state.phase), lambda: stop_values(game)),
        frozenset(game.land.tokens_of(game, company)),
        game.land.blocked(game, company),
        tuple(train_spec(train) for train in trains),
    )
