"""Trains of 1820 as data for the route search, and the cousins who change their runs (1820 §7.2.3, §14, §15)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from bot.engine import CompanyId, HexId, IllegalMove, PrivateId, msg
from bot.engine.board import Side, Stop, TrackGraph
from bot.engine.board.reachability import network
from bot.engine.board.track import side
from bot.engine.play import Game, filter_allowed, has_options
from bot.engine.play.steps import operating_turn
from bot.engine.routes.revenue import Limit, PairBonus, Route, RouteProblem, RouteSet, StopValue, TrainSpec
from bot.engine.state import Action, Train
from bot.titles.t1820 import components
from bot.titles.t1820.actions import UseCousin
from bot.titles.t1820.cousins import has_ability, investment
from bot.titles.t1820.map import MAP

from .track import pay_cousin

CENTRES = frozenset({"city", "offboard"})
NEEDED = frozenset({"city", "town", "offboard"})
PORTS = frozenset(name for name, space in MAP.hexes.items() if space.colour == "blue")
RED = frozenset(name for name, space in MAP.hexes.items() if space.colour == "red")
LIVERPOOL_EXTRA = 20
ONE_PORT, TWO_PORTS = Limit(1, frozenset({"port"})), Limit(2, frozenset({"port"}))
RUNNERS = (components.GREAT_WESTERN, components.SASSOON, components.VULCAN)
DOCKS_TRACK = (side(components.CHATHAM, components.DOCKS_APPROACH), side(components.DOCKS_APPROACH, components.DOCKS))
"""The white track, which two trains may use (§7.2.3)."""


# -- the board ----------------------------------------------------------------------------------------


def phase_colours(game: Game) -> tuple[str, ...]:
    return game.title.phase(game.state.phase).colours


def value_of(game: Game, stop: Stop) -> int:
    """The value in this phase; Liverpool's port counts as its city and 20 (§11)."""
    if stop.hex == components.LIVERPOOL_PORT:
        cities = game.tile_at(components.LIVERPOOL).cities
        return max((node.value_in(phase_colours(game)) for node in cities), default=0) + LIVERPOOL_EXTRA
    return game.tile_at(stop.hex).node(stop.node).value_in(phase_colours(game))


def kind_of_stop(game: Game, stop: Stop) -> str:
    """`city`, `town`, `offboard` or `port`."""
    return "port" if stop.hex in PORTS else game.tile_at(stop.hex).node(stop.node).kind


def hexes_beside_port(hex_id: HexId) -> list[HexId]:
    """The hexes from which a port can be reached: its neighbours; for the docks London and Chatham (§15.2)."""
    if hex_id == components.DOCKS:
        return [components.LONDON, components.CHATHAM]
    return [other for other in MAP.neighbours[hex_id] if other is not None]


def stop_values(game: Game, company: CompanyId) -> dict[Stop, StopValue]:
    """All stops the company may run to: London only from its own edge, ports only from its own stations."""
    own = set(game.board_rules.tokens_of(game, company))
    found = {}
    for stop in game.board_rules.graph(game).stops:
        kind = kind_of_stop(game, stop)
        if stop.hex == components.LONDON and stop not in own:
            continue
        if kind == "port":
            stations = frozenset(one for one in own if one.hex in hexes_beside_port(stop.hex))
            if stations:
                found[stop] = StopValue(kind, value_of(game, stop), tags=frozenset({"port"}), only_from=stations)
        else:
            tags = frozenset({kind}) if kind == "offboard" else frozenset()
            found[stop] = StopValue(kind, value_of(game, stop), tags=tags)
    return found


def running_graph(game: Game) -> TrackGraph:
    """The board's track; London's edges lead only to the docks."""
    return game.memoise("running graph", lambda: _with_docks(game.board_rules.graph(game)))


def _with_docks(graph: TrackGraph) -> TrackGraph:
    segments = {
        number: segment._replace(is_terminal=False) if segment.hex == components.LONDON else segment
        for number, segment in graph.segments.items()
    }
    return TrackGraph(segments, graph.stops, graph.gauge_sides)


def shared_track(game: Game, company: CompanyId) -> frozenset[Side]:
    """The white track, for a company with stations in both London and Chatham (§7.2.3)."""
    hexes = {stop.hex for stop in game.board_rules.tokens_of(game, company)}
    return frozenset(DOCKS_TRACK) if {components.LONDON, components.CHATHAM} <= hexes else frozenset()


# -- trains -------------------------------------------------------------------------------------------


def train_spec(train: Train) -> TrainSpec:
    """N+ counts up to N cities and off-board areas, and any towns; N+D runs on and doubles all with the best N; FLOOD
    covers a network with its ports as often as off-board spikes reach stations at once (§15.3).
    """
    if train.kind == "FLOOD":
        return TrainSpec(
            train.id,
            train.kind,
            None,
            floods=True,
            spikes=frozenset({"offboard"}),
            spiked=frozenset({"port"}),
            earns_bonuses=False,
        )
    if train.kind == "5D+":
        return TrainSpec(
            train.id,
            train.kind,
            5,
            CENTRES,
            earns_bonuses=False,
            limits=(ONE_PORT,),
            optional=CENTRES,
            needs=NEEDED,
            multiplier=2,
        )
    number = int(train.kind.rstrip("+"))
    return TrainSpec(train.id, train.kind, number, CENTRES, earns_bonuses=False, limits=(ONE_PORT,), needs=NEEDED)


def with_helpers(spec: TrainSpec, cousins: Sequence[str]) -> TrainSpec:
    if spec.floods:
        return spec
    if components.VULCAN in cousins and spec.reach is not None:
        spec = replace(spec, reach=spec.reach + 1)
    if components.GREAT_WESTERN in cousins:
        spec = replace(spec, limits=(TWO_PORTS,))
    return replace(spec, earns_bonuses=components.SASSOON in cousins)


def helpers_of(game: Game, company: CompanyId, train: str) -> list[str]:
    for frame in reversed(game.state.flow):
        if frame.entity == company and frame.plan == "company turn":
            return [cousin for cousin in RUNNERS if f"{cousin} {train}" in operating_turn(game).used]
    return []


def route_problem(game: Game, company: CompanyId, trains: Sequence[Train]) -> RouteProblem:
    values = stop_values(game, company)
    offboards = {stop: value.revenue for stop, value in values.items() if value.kind == "offboard"}
    return RouteProblem(
        running_graph(game),
        values,
        frozenset(game.board_rules.tokens_of(game, company)),
        game.board_rules.blocked_stops(game, company),
        tuple(with_helpers(train_spec(train), helpers_of(game, company, train.id)) for train in trains),
        (PairBonus("doubled off-board", "port", "offboard", by_stop=offboards),),
        shared=shared_track(game, company),
    )


def has_route(game: Game, company: CompanyId) -> bool:
    """Whether track joins two stops to a station that a train needs: two stops other than ports, for FLOOD any two."""
    takes_ports = any(train.kind == "FLOOD" for train in game.state.trains_of(company))
    return game.memoise(("has route", company, takes_ports), lambda: _has_route(game, company, takes_ports))


def _has_route(game: Game, company: CompanyId, takes_ports: bool) -> bool:
    values, blocked = stop_values(game, company), game.board_rules.blocked_stops(game, company)
    for station in game.board_rules.tokens_of(game, company):
        reached = network(game.board_rules.graph(game), [station], blocked).stops
        if sum(stop in values and (takes_ports or values[stop].kind in NEEDED) for stop in reached) > 1:
            return True
    return False


# -- choosing cousins ---------------------------------------------------------------------------------


def max_trains_helped(game: Game, cousin: PrivateId, company: CompanyId) -> int:
    """The maximum number of trains helped in a turn: one a share, Sassoon at most three."""
    shares = investment(game, cousin, company)
    return min(shares, 3) if cousin == components.SASSOON else shares


@dataclass(frozen=True)
class ChooseCousins:
    """Choose before the run which trains use a cousin's ability, if any (§7.2.3, §14.1)."""

    name: str = "use a cousin's ability"
    verbs: tuple[type[Action], ...] = (UseCousin,)

    def opens(self, game: Game) -> bool:
        return has_route(game, game.company_in_turn) and has_options(self, game)

    def options(self, game: Game) -> Iterator[Action]:
        company = game.company_in_turn
        trains = [train.id for train in game.state.trains_of(company) if train.kind != "FLOOD"]
        for cousin in RUNNERS:
            most = max_trains_helped(game, cousin, company)
            for some in dict.fromkeys([*((train,) for train in trains), tuple(trains[:most])]):
                yield from filter_allowed(self, game, [UseCousin(company, cousin, some)])

    def check(self, game: Game, action: UseCousin) -> None:
        company, used = CompanyId(action.by), operating_turn(game).used
        if action.cousin not in RUNNERS or not has_ability(game, action.cousin, company):
            raise IllegalMove("{cousin} does not help {company} to run trains.", "1820 §14", action.cousin, company)
        if any(word.startswith(f"{action.cousin} ") for word in used):
            raise IllegalMove("The trains for {cousin} have been named.", "1820 §14", action.cousin)
        trains = [train.id for train in game.state.trains_of(company) if train.kind != "FLOOD"]
        if not action.trains or len(set(action.trains)) < len(action.trains) or not {*action.trains} <= {*trains}:
            raise IllegalMove(
                "Name trains of {company}: {trains}.", "1820 §14", company, ", ".join(trains) or msg("it has none")
            )
        most = max_trains_helped(game, action.cousin, company)
        if len(action.trains) > most:
            raise IllegalMove("{cousin} helps {most} train(s), one per share.", "1820 §14", action.cousin, most)

    def apply(self, game: Game, action: UseCousin) -> None:
        operating_turn(game).used += [f"{action.cousin} {train}" for train in action.trains]
        game.board_changed()


def pay_runners(game: Game, company: CompanyId, result: RouteSet) -> None:
    """The bank pays the cousins whose abilities the routes actually used (§14.2, §14.5.2)."""
    for route in result.routes:
        cousins = helpers_of(game, company, route.train)
        ports = sorted(value_of(game, stop) for stop in route.stops if stop.hex in PORTS)
        if components.GREAT_WESTERN in cousins and len(ports) == 2:
            pay_cousin(game, components.GREAT_WESTERN, company, ports[0] // 2)
        if components.SASSOON in cousins and ports and any(stop.hex in RED for stop in route.stops):
            pay_cousin(game, components.SASSOON, company, ports[0] // 2)
        if components.VULCAN in cousins:
            pay_vulcan(game, company, route)
    if any(helpers_of(game, company, route.train) for route in result.routes):
        game.board_changed()


def pay_vulcan(game: Game, company: CompanyId, route: Route) -> None:
    """Pay half of the cheapest city that an N+ train could only reach with this ability (§14.5.2). Cousins are gone
    before other trains appear.
    """
    kind = next(train.kind for train in game.state.trains if train.id == route.train)
    counted = [stop for stop in route.stops if kind_of_stop(game, stop) in CENTRES]
    cities = [value_of(game, stop) for stop in counted if kind_of_stop(game, stop) == "city"]
    if len(counted) > int(kind.rstrip("+")) and cities:
        pay_cousin(game, components.VULCAN, company, min(cities) // 2)
