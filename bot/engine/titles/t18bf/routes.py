"""What trains of 18BF do: values, skipped small cities, London, Ireland, bonuses, goods trains (18BF §10.1, §10.6)."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.data.state import Train
from bot.engine.ids import CompanyId, HexId
from bot.engine.map.tiles import Tile
from bot.engine.map.track import Stop
from bot.engine.play.game import Game
from bot.engine.routes.revenue.model import PairBonus, RouteProblem, StopValue, TrainSpec
from bot.engine.steps.routes import can_run as has_two_stops
from bot.engine.steps.routes import problem_on_board

from .box import nouns
from .special import special

STOPS = frozenset({"city", "town", "offboard"})
TOWNS = frozenset({"town"})


def period(game: Game) -> int:
    """Which of the four printed values counts now (§8)."""
    return nouns.PERIOD[game.state.phase]


def train_spec(game: Game, train: Train) -> TrainSpec:
    """The card as data. N reaches N stops of any kind and skips small cities between its ends; N+N pays twice; 5+5E
    counts any five stops twice; NG counts the mine and N cities with stations (§10.6)."""
    kind = train.kind
    if kind.endswith("G"):
        return TrainSpec(
            train.id, kind, None, earns_bonuses=False, gathers=int(kind.rstrip("G")), base=nouns.MINE[period(game)]
        )
    if kind.endswith("E"):
        return TrainSpec(train.id, kind, 5, STOPS, optional=STOPS, multiplier=2)
    number, plus, _ = kind.partition("+")
    return TrainSpec(train.id, kind, int(number), STOPS, optional=TOWNS, counts_ends=True, multiplier=2 if plus else 1)


def bonuses(game: Game) -> tuple[PairBonus, ...]:
    """London to red, and the two borders, once for each train (§10.6)."""
    now = period(game)
    return (
        PairBonus("London to red", "London", "red", nouns.LONDON_RED[now]),
        PairBonus("England-Wales", "in Wales", "not in Wales", nouns.ENGLAND_WALES[now]),
        PairBonus("England-Scotland", "in Scotland", "not in Scotland", nouns.ENGLAND_SCOTLAND[now]),
    )


def region(game: Game, hex_id: HexId) -> str:
    """Scotland, Wales, Ireland or England."""
    found = nouns.REGION.get(hex_id, "England")
    if found == "Ireland" and game.state.options.get("ireland") == "coast":
        return nouns.IRISH_COAST[hex_id]
    return found


def extra_value(game: Game, company: CompanyId, hex_id: HexId) -> int:
    """What the company's own privates add to a stop (§7.1, §10.6)."""
    total = 0
    for private in game.state.privates_of(company):
        place, bonus = nouns.STOP_BONUS.get(private.id, ("", 0))
        total += bonus if place == hex_id else 0
        total += nouns.IRISH_BONUS if special(game).ferries.get(private.id) == hex_id else 0
    return total


def stop_value(game: Game, company: CompanyId, stop: Stop, tile: Tile) -> StopValue:
    """A stop's value now. Of the areas of Ireland a train visits one (§10.6)."""
    node = tile.node(stop.node)
    land = region(game, stop.hex)
    tags = {f"{'' if land == country else 'not '}in {country}" for country in ("Wales", "Scotland")}
    if stop.hex == nouns.LONDON:
        tags.add("London")
    if node.kind == "offboard":
        tags.add("red")
    group = "Ireland" if stop.hex in nouns.IRELAND else ""
    value = node.value_in(game.title.phase(game.state.phase).colours) + extra_value(game, company, stop.hex)
    place = str(stop.hex) if node.kind == "city" else ""
    return StopValue(node.kind, value, group, frozenset(tags), place)


def route_problem(game: Game, company: CompanyId, trains: Sequence[Train]) -> RouteProblem:
    """The company's trains on the present board. Parts of London without its station are closed to it (§10.6)."""
    own = frozenset(game.land.tokens_of(game, company))
    values = {
        stop: stop_value(game, company, stop, game.geometry(stop.hex))
        for stop in game.land.graph(game).stops
        if stop.hex != nouns.LONDON or stop in own
    }
    return problem_on_board(game, company, (train_spec(game, train) for train in trains), values, bonuses(game))


def has_route(game: Game, company: CompanyId) -> bool:
    """Goods trains need a station only, others two stops."""
    return gathers(game, company) or has_two_stops(game, company)


def gathers(game: Game, company: CompanyId) -> bool:
    """Whether the company has a goods train."""
    return any(train.kind.endswith("G") for train in game.state.trains_of(company))
