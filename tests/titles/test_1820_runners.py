"""1820 §14.2, §14.5.2, §15.2: what trains may reach, and every condition of the cousins who help them to run."""

from __future__ import annotations

import pytest

from bot.engine.board.track import Stop
from bot.engine.ids import DEPOT, Owner, TrainId
from bot.engine.play.game import Game
from bot.engine.refusals import IllegalMove
from bot.engine.routes.revenue.model import Route, RouteSet
from bot.engine.state.state import Train
from bot.titles.t1820.actions import UseCousin
from bot.titles.t1820.operations.routes import (
    ONE_PORT,
    PORTS,
    RED,
    TWO_PORTS,
    ChooseCousins,
    has_route,
    helpers_of,
    kind_of_stop,
    pay_runners,
    route_problem,
    stop_values,
    train_spec,
    value_of,
    with_helpers,
)
from tests.rearrangement import rearrange
from tests.titles.builders_1820 import give_trains, in_turn, refused
from tests.titles.positions import act, cash
from tests.titles.test_1820_routes import WEST_EAST, board

AN_OFF_BOARD = min(RED)


def card(kind: str) -> Train:
    """A card of this kind."""
    return Train(TrainId(f"{kind}-0"), kind, kind, DEPOT)


def at(game: Game, hex_id: str) -> Stop:
    """The first stop of a space."""
    return next(stop for stop in game.board_rules.graph(game).stops if stop.hex == hex_id)


# -- what can be reached ------------------------------------------------------------------------------


def test_15_2_ports_are_stops_beside_own_stations_alone_and_end_a_route() -> None:
    game = board("green", "N18", "")
    values = stop_values(game, "LSR")
    ports = {stop: value for stop, value in values.items() if value.kind == "port"}
    assert ports and {stop.hex for stop in ports} < PORTS
    assert set(ports) <= game.board_rules.graph(game).termini
    for value in ports.values():
        assert value.tags == {"port"} and {stop.hex for stop in value.only_from or ()} == {"N18"}
    assert not [stop for stop in stop_values(board("green", "G7", WEST_EAST), "LSR") if stop.hex in PORTS]


def test_15_2_off_boards_end_a_route_and_cities_do_not() -> None:
    game = board("green", "G7", WEST_EAST)
    values = stop_values(game, "LSR")
    termini = game.board_rules.graph(game).termini
    assert {stop in termini for stop in values if stop.hex in RED} == {True}
    assert {value.tags for stop, value in values.items() if stop.hex in RED} == {frozenset({"offboard"})}
    inland = [stop for stop in values if stop.hex in ("G7", "G9", "G11", "G13")]
    assert len(inland) == 4 and all(stop not in termini and not values[stop].tags for stop in inland)
    bonus = route_problem(game, "LSR", [card("3+")]).bonuses[0]
    assert bonus.by_stop and {kind_of_stop(game, stop) for stop in bonus.by_stop} == {"offboard"}


def test_15_2_a_port_is_the_second_stop_of_a_flood_alone() -> None:
    for kind, expected in (("3+", False), ("FLOOD", True)):
        game = board("green", "M15", "")
        give_trains(game, "LSR", kind)
        assert has_route(game, "LSR") == expected


def test_15_2_london_is_no_second_stop_without_a_station_there() -> None:
    game = board("green", "N12", "N12=57/0")
    give_trains(game, "LSR", "3+")
    assert not has_route(game, "LSR")
    game = board("green", "N12 M13", "N12=57/0")
    give_trains(game, "LSR", "3+")
    assert has_route(game, "LSR")


# -- what cousins change ------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["2+", "3+", "5+", "8+", "5D+", "FLOOD"])
def test_14_2_2_only_sassoon_brings_bonuses(kind: str) -> None:
    spec = train_spec(card(kind))
    assert not spec.earns_bonuses and not with_helpers(spec, ["GWS", "VF"]).earns_bonuses
    assert with_helpers(spec, ["SDS"]).earns_bonuses == (kind != "FLOOD")


def test_14_helped_trains_reach_one_city_or_one_port_more() -> None:
    spec = train_spec(card("3+"))
    assert (spec.reach, spec.limits) == (3, (ONE_PORT,)) and (ONE_PORT.most, TWO_PORTS.most) == (1, 2)
    assert with_helpers(spec, ["VF"]).reach == 4 and with_helpers(spec, ["VF"]).limits == (ONE_PORT,)
    assert with_helpers(spec, ["GWS"]).limits == (TWO_PORTS,) and with_helpers(spec, ["GWS"]).reach == 3
    flood = train_spec(card("FLOOD"))
    assert with_helpers(flood, ["VF", "GWS", "SDS"]) == flood


def choosing(cousin: str, *trains: str, tiles: str = WEST_EAST, shares: int = 2) -> Game:
    """LSR, in which the cousin holds shares, before its run."""
    game = board("yellow", "G7", tiles, (cousin,))
    for certificate in game.company(Owner("LSR")).certificates[-(shares - 1) :]:
        rearrange(game, certificate, owner=Owner(cousin))
    return in_turn(game, step="cousins", trains=trains)


def test_14_1_a_cousin_helps_trains_of_the_company_once_each() -> None:
    game = choosing("VF", "2+", "2+")
    for text in ("LSR use BI for 2+-0", "LSR use SDS for 2+-0"):
        refused(game, text, "does not help LSR to run trains", "§14")
    for text in ("LSR use VF for 3+-0", "LSR use VF for 2+-0 2+-0", "LSR use VF for 2+-0 3+-0"):
        refused(game, text, "Name trains of LSR: 2\\+-0, 2\\+-1", "§14")
    with pytest.raises(IllegalMove, match="Name trains of LSR"):
        ChooseCousins().check(game, UseCousin("LSR", "VF", ()))
    act(game, "LSR use VF for 2+-0")
    with pytest.raises(IllegalMove, match="trains for VF have been named"):
        ChooseCousins().check(game, UseCousin("LSR", "VF", ("2+-1",)))
    assert helpers_of(game, "LSR", "2+-0") == ["VF"]
    assert helpers_of(game, "LSR", "2+-1") == [] and helpers_of(game, "N&PR", "2+-0") == []


def test_14_1_a_cousin_without_a_share_does_not_help_though_it_is_in_the_game() -> None:
    game = board("yellow", "G7", WEST_EAST, ("VF", "SDS"))
    for certificate in game.company(Owner("LSR")).certificates:
        rearrange(game, certificate, owner=Owner("@3") if certificate.owner == "SDS" else certificate.owner)
    in_turn(game, step="cousins", trains=["2+"])
    refused(game, "LSR use SDS for 2+-0", "does not help LSR", "§14")


def test_14_1_a_cousin_of_another_ability_does_not_help_to_run() -> None:
    game = choosing("BI", "2+")
    with pytest.raises(IllegalMove, match="BI does not help LSR to run trains"):
        ChooseCousins().check(game, UseCousin("LSR", "BI", ("2+-0",)))


def test_14_1_nobody_is_asked_about_cousins_where_no_train_can_run() -> None:
    assert choosing("VF", "2+", tiles="G7=150/1").frame.at > 4
    assert choosing("VF", "2+").frame.at == 4


def test_14_1_each_train_and_as_many_as_may_be_are_listed() -> None:
    game = choosing("VF", "2+", "2+", "2+")
    listed = [action.trains for action in game.legal_actions() if isinstance(action, UseCousin)]
    assert listed == [("2+-0",), ("2+-1",), ("2+-2",), ("2+-0", "2+-1")]


# -- what cousins earn --------------------------------------------------------------------------------


def paid(game: Game, cousin: str, chosen: bool, *hexes: str, train: str = "3+-0") -> int:
    """What the cousin earns by a run of the train over the first stops of these spaces."""
    game.frame.memory.used = [f"{cousin} {train}"] if chosen else []
    route = Route(train, tuple(at(game, name) for name in hexes), (), frozenset(), frozenset())
    before = cash(game, cousin)
    pay_runners(game, "LSR", RouteSet((route,), 0, 0, True))
    return cash(game, cousin) - before


def running(cousin: str) -> Game:
    """LSR's run in the green phase with a 3+ and a 2+."""
    game = board("green", "G7", WEST_EAST, (cousin,))
    in_turn(game, step="run")
    give_trains(game, "LSR", "3+")
    two = next(train for train in game.state.trains if train.kind == "2+")
    rearrange(game, two, owner=Owner("LSR"))
    return game


def value(game: Game, hex_id: str) -> int:
    """What a space is worth."""
    return value_of(game, at(game, hex_id))


def test_14_2_1_great_western_earns_half_of_the_smaller_of_two_ports() -> None:
    game = running("GWS")
    ports = sorted(PORTS, key=lambda name: value(game, name))
    low, high = ports[0], ports[-1]
    assert value(game, low) < value(game, high)
    assert paid(game, "GWS", True, high, "G7", low) == value(game, low) // 2
    assert paid(game, "GWS", True, high, "G7", AN_OFF_BOARD) == 0 and paid(game, "GWS", False, high, "G7", low) == 0


def test_14_2_2_sassoon_earns_by_a_port_and_an_off_board_of_one_route() -> None:
    game = running("SDS")
    port = sorted(PORTS)[0]
    assert paid(game, "SDS", True, port, "G7", AN_OFF_BOARD) == value(game, port) // 2 > 0
    assert paid(game, "SDS", True, port, "G7", "G11") == 0 and paid(game, "SDS", True, "G7", AN_OFF_BOARD) == 0
    assert paid(game, "SDS", False, port, "G7", AN_OFF_BOARD) == 0


def test_14_5_2_vulcan_earns_half_of_the_cheapest_city_beyond_the_number_of_the_train() -> None:
    game = running("VF")
    line = ("G7", "G9", "G11", "G13")
    cheapest = min(value(game, name) for name in ("G7", "G11", "G13"))
    assert paid(game, "VF", True, *line, train="2+-0") == cheapest // 2 > 0
    # Three cities are what a 3+ has by itself; the town counts for nothing.
    assert paid(game, "VF", True, *line) == 0
    assert paid(game, "VF", True, "G7", "G9", "G11", train="2+-0") == 0
    assert paid(game, "VF", False, *line, train="2+-0") == 0


def test_14_1_what_was_computed_with_a_cousins_help_is_forgotten_after_the_run() -> None:
    game = running("VF")
    game.cache["kept"] = 1
    paid(game, "VF", False, "G7", "G11")
    assert game.cache["kept"] == 1
    paid(game, "VF", True, "G7", "G11")
    assert "kept" not in game.cache
