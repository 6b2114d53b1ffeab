"""Trains and bonuses of 18GB, 1844, 18BF and 1820 on small boards, with the rulebooks' figures."""

from __future__ import annotations

import gc

import pytest

from bot.engine.routes.candidates.route_column import RouteColumn
from bot.engine.routes.revenue.model import (
    JointBonus,
    Limit,
    PairBonus,
    RouteError,
    RouteProblem,
    SetBonus,
    StopValue,
    TrackBonus,
    TrainSpec,
)
from bot.engine.routes.revenue.paths import read_route
from bot.engine.routes.revenue.score import score, validate
from bot.engine.routes.search import best_routes
from tests.engine.routes.lines import problem, stop, track

LARGE = frozenset({"city", "offboard"})
ALL = LARGE | {"town"}
LINE = track("A1.c0 = A2.t0 = A3.c0 = A4.t0 = A5.c0")


def with_joint(asked: RouteProblem, *joint: JointBonus) -> RouteProblem:
    """The same with joint bonuses."""
    return RouteProblem(
        asked.graph, asked.values, asked.own, asked.blocked, asked.trains, asked.bonuses, joint, asked.shared
    )


# -- 18GB ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("cities", "towns", "revenue"), [(2, 1, 90), (2, 0, 50), (3, 2, 140), (3, 1, 100)])
def test_18gb_towns_have_their_own_places_and_may_fill_others(cities: int, towns: int, revenue: int) -> None:
    """18GB: N+M trains run N+M stops, at most N of them cities."""
    train = TrainSpec("t", f"{cities}+{towns}", cities, limits=(Limit(cities + towns, ALL),))
    values = {"A1.c0": 40, "A3.c0": 40, "A5.c0": 40}
    assert best_routes(problem(LINE, [train], values, ["A3.c0"])).revenue == revenue


def test_18gb_express_ignores_towns_and_is_paid_for_distance() -> None:
    """18GB: 10 for each space of distance as the crow flies."""
    train = TrainSpec("x", "4X", 4, unpaid=frozenset({"town"}), distance_pay=10, needs=LARGE)
    at = {f"A{x}.c0": StopValue("city", 30, at=(2 * x, 0)) for x in (1, 3, 5)}
    answer = best_routes(problem(LINE, [train], {}, ["A3.c0"], more=at))
    assert answer.routes[0].parts == (("stops", 90), ("distance", 80))


def test_18gb_express_goes_on_to_a_town_for_a_bonus_and_is_paid_to_the_city_before() -> None:
    """18GB: the town pays nothing and is no end for the distance, though A1 lies nearer to it than to A3."""
    graph = track("C3.c0 = A3.c0", "A1.c0 = A2 = A3.c0", "A3.c0 = B3 = B1.t0")
    special = next(number for number, segment in graph.segments.items() if segment.hex == "B3")
    train = TrainSpec("x", "2X", 2, unpaid=frozenset({"town"}), distance_pay=10, needs=LARGE)
    places = {"A1.c0": 0, "B1.t0": 0, "A3.c0": 20, "C3.c0": 22}
    at = {name: StopValue("town" if "t" in name else "city", 30, at=(x, 0)) for name, x in places.items()}
    bonus = TrackBonus("FT", frozenset({special}), 40)
    answer = best_routes(problem(graph, [train], {}, ["A3.c0"], bonuses=[bonus], more=at))
    assert answer.routes[0].parts == (("stops", 60), ("FT", 40), ("distance", 200))


def test_18gb_two_cities_of_one_space_pay_once() -> None:
    """18GB: both take up a place of the train."""
    graph = track("A1.c0 = A2.c0 = A3 = A1.c1")
    oo = {f"A1.c{number}": StopValue("city", 40, place="A1") for number in (0, 1)}
    train = TrainSpec("t", "3+1", 3)
    assert best_routes(problem(graph, [train], {"A2.c0": 20}, ["A2.c0"], more=oo)).revenue == 60
    route = read_route(problem(graph, [train], {}, ["A2.c0"]), "t", ["A1.c0", "A2.c0", "A3", "A1.c1"])
    assert score(problem(graph, [train], {"A2.c0": 20}, ["A2.c0"], more=oo), [route]).revenue == 60


def test_18gb_compass_bonus_by_two_trains_that_meet() -> None:
    """18GB: N-S may be connected by several trains, once for each set that meets."""
    graph = track("N1.o0 = B1.c0 = B2.c0 = S1.o0", "N2.o0 = B1.c0", "B2.c0 = S2.o0")
    ends = {f"{name}.o0": StopValue("offboard", 20, tags=frozenset(name[0])) for name in ("N1", "S1")}
    trains = [TrainSpec("a", "2", 2), TrainSpec("b", "2", 2)]
    asked = with_joint(problem(graph, trains, {}, ["B1.c0"], more=ends), JointBonus("N-S", "N", "S", 40))
    assert best_routes(asked).revenue == 50
    longer = [TrainSpec("a", "2", 2), TrainSpec("b", "3", 3)]
    asked = with_joint(problem(graph, longer, {}, ["B1.c0"], more=ends), JointBonus("N-S", "N", "S", 40))
    answer = best_routes(asked)
    assert (answer.revenue, answer.joint) == (30 + 40 + 40, (("N-S", 40),))


def test_18gb_estuary_tunnel_pays_a_route_through_it() -> None:
    """18GB: it is no stop."""
    graph = track("A1.c0 = A2 = A3.c0")
    tunnel = next(number for number, segment in graph.segments.items() if segment.hex == "A2")
    bonus = TrackBonus("FT", frozenset({tunnel}), 40)
    answer = best_routes(problem(graph, [TrainSpec("t", "2", 2)], {}, ["A1.c0"], bonuses=[bonus]))
    assert answer.routes[0].parts == (("stops", 20), ("FT", 40))


# -- 1844 ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("spaces", "revenue"), [(2, 20), (3, 30), (5, 50)])
def test_1844_hex_trains_count_spaces(spaces: int, revenue: int) -> None:
    """1844: from one space to its neighbour takes a 2H."""
    train = TrainSpec("h", f"{spaces}H", None, limits=(Limit(spaces, spaces=True),), closed=frozenset({"offboard"}))
    assert best_routes(problem(LINE, [train], {}, ["A3.c0"])).revenue == revenue


def test_1844_express_counts_the_best_stops_its_ends_and_a_token() -> None:
    """1844: E-trains pass stops; the route ends at stops that count."""
    train = TrainSpec("e", "3E", 3, ALL, optional=ALL, counts_ends=True, counts_token=True)
    values = {"A1.c0": 60, "A2.t0": 50, "A3.c0": 20, "A5.c0": 70}
    answer = best_routes(problem(LINE, [train], values, ["A3.c0"]))
    assert answer.revenue == 60 + 20 + 70
    assert [stop.hex for stop, _ in answer.routes[0].pays] == ["A1", "A3", "A5"]


def test_1844_a_tunnel_makes_every_stop_dearer_once() -> None:
    """1844: 10 for each stop of a route through one tunnel or several."""
    numbers = frozenset(number for number, segment in LINE.segments.items() if segment.hex in ("A2", "A4"))
    bonus = TrackBonus("tunnel", numbers, 0, 10)
    assert best_routes(problem(LINE, [TrainSpec("t", "9", 9, ALL)], {}, ["A3.c0"], bonuses=[bonus])).revenue == 100


def test_1844_transit_pays_what_both_ends_print() -> None:
    """1844: N-S and E-W between off-board spaces."""
    graph = track("N1.o0 = A1.c0 = S1.o0")
    ends = {f"{name}.o0": StopValue("offboard", 30, tags=frozenset(name[0])) for name in ("N1", "S1")}
    bonus = PairBonus("N-S", "N", "S", 0, {stop("N1.o0"): 30, stop("S1.o0"): 40})
    answer = best_routes(problem(graph, [TrainSpec("t", "3", 3)], {}, ["A1.c0"], bonuses=[bonus], more=ends))
    assert answer.routes[0].parts == (("stops", 70), ("N-S", 70))


# -- 18BF ----------------------------------------------------------------------------------------------


def test_18bf_plus_trains_double_values_and_bonuses_and_skip_small_cities() -> None:
    """18BF §10.6: 2+2 with a border bonus; the small cities between are skipped."""
    train = TrainSpec("p", "2+2", None, limits=(Limit(2, ALL),), optional=frozenset({"town"}), multiplier=2)
    wales = {
        "A1.c0": StopValue("city", 40, tags=frozenset({"Wales"})),
        "A3.c0": StopValue("city", 50, tags=frozenset({"not Wales"})),
    }
    border = PairBonus("England-Wales", "Wales", "not Wales", 20)
    answer = best_routes(problem(LINE, [train], {}, ["A3.c0"], bonuses=[border], more=wales))
    assert answer.revenue == 2 * (40 + 50 + 20)


def test_18bf_gathering_trains_choose_different_cities() -> None:
    """18BF §10.6: mine bonus and cities with markers, each counted once, at least one a train."""
    trains = [TrainSpec("a", "3G", None, gathers=3, base=50), TrainSpec("b", "1G", None, gathers=1, base=50)]
    values = {"A1.c0": 40, "A3.c0": 60, "A5.c0": 50}
    asked = problem(LINE, trains, values, ["A1.c0", "A3.c0", "A5.c0"])
    answer = best_routes(asked)
    assert answer.revenue == 150 + 100
    assert sorted(len(route.stops) for route in answer.routes) == [1, 2]
    with pytest.raises(RouteError, match="another such train"):
        validate(asked, [read_route(asked, "a", ["A1.c0"]), read_route(asked, "b", ["A1.c0"])])


# -- 1820 ----------------------------------------------------------------------------------------------


def test_1820_n_plus_d_counts_the_best_cities_all_towns_and_doubles() -> None:
    """1820 §15.3.3: any number of cities on the way."""
    train = TrainSpec("d", "2D+", None, limits=(Limit(2, LARGE),), optional=LARGE, needs=ALL, multiplier=2)
    values = {"A1.c0": 60, "A3.c0": 20, "A5.c0": 70}
    assert best_routes(problem(LINE, [train], values, ["A3.c0"])).revenue == 2 * (60 + 10 + 10 + 70)


def test_1820_a_port_ends_a_route_only_beside_an_own_station() -> None:
    """1820 §15.2: one port a route, at its end, and two revenue centres besides."""
    graph = track("P1.p0 = A1.c0 = A2.c0 = P2.p0")
    train = TrainSpec("t", "3+", 3, needs=ALL)
    for own, revenue in (("A1.c0", 70), ("A2.c0", 70)):
        ports = {
            f"P{number}.p0": StopValue("port", 50, "port", only_from=frozenset({stop(own)} & {stop(f"A{number}.c0")}))
            for number in (1, 2)
        }
        assert best_routes(problem(graph, [train], {}, [own], more=ports)).revenue == revenue


def test_bonus_of_a_set_counts_stops_once_a_route() -> None:
    """A private company's bonus for one place."""
    bonus = SetBonus("SD", "Stockton", {1: 10})
    here = {"A1.c0": StopValue("city", 30, tags=frozenset({"Stockton"}))}
    assert best_routes(problem(LINE, [TrainSpec("t", "2", 2)], {}, ["A3.c0"], bonuses=[bonus], more=here)).revenue == 70


def test_a_search_leaves_none_of_its_routes_behind() -> None:
    """Neither for the collector of cyclic garbage, which waits until a search is over."""
    trains = [TrainSpec("a", "2", 2), TrainSpec("b", "3", 3), TrainSpec("e", "3E", 3, optional=ALL, counts_ends=True)]
    gc.collect()
    before = {id(one) for one in gc.get_objects()}
    gc.disable()
    try:
        found = best_routes(problem(LINE, trains, {"A3.c0": 40}, ["A3.c0"]))
        left = [
            one
            for one in gc.get_objects()
            if isinstance(one, RouteColumn) and one.one is not None and id(one) not in before
        ]
        assert not gc.isenabled(), "it stays off where it was off"
    finally:
        gc.enable()
    assert found.routes and left == []
    best_routes(problem(LINE, trains, {}, ["A3.c0"]))
    assert gc.isenabled()
