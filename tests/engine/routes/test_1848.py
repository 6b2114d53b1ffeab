"""Trains of 1848 on small boards, with the rulebook's figures."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.engine.routes.revenue.model import RouteError, SetBonus, StopValue, TrainSpec
from bot.engine.routes.revenue.paths import read_route, write_route
from bot.engine.routes.revenue.score import score, validate
from bot.engine.routes.search import best_routes
from tests.engine.routes.lines import problem, stop, track

K_K = SetBonus("K-K", "K", {2: 50, 3: 100, 4: 150, 5: 200})
LINE = track("A1.c0 = A2.c0 = A3.t0 = A4.c0 = A5.c0", gauge=["A2-A3"])
SPRINGS = StopValue("city", 60, tags=frozenset({"Ghan"}))
VALUES = {"A1.c0": 20, "A2.c0": 30, "A3.t0": 10, "A4.c0": 40, "A5.c0": 50}


def train(name: str) -> TrainSpec:
    """As the title makes them."""
    if name == "2E":
        return TrainSpec(name, name, None, ignores_gauge=True, runs_to="Ghan", earns_bonuses=False)
    if name == "D":
        return TrainSpec(name, name, None, ignores_gauge=True)
    return TrainSpec(name, name, int(name[0]), free_gauge_changes=name.count("+"))


@pytest.mark.parametrize(("name", "revenue"), [("2", 50), ("2+", 80), ("3", 80), ("3+", 130), ("4", 130), ("D", 150)])
def test_a_change_of_gauge_is_a_stop_of_value_0(name: str, revenue: int) -> None:
    """1848 §7.6, §8.2.2-4: small stations are free, plus-trains ignore one change, diesels all."""
    assert best_routes(problem(LINE, [train(name)], VALUES, ["A2.c0"])).revenue == revenue


def test_no_route_through_a_full_city() -> None:
    """1848 §10.1.2: it may end there."""
    asked = problem(LINE, [train("D")], VALUES, ["A2.c0"], blocked=["A4.c0"])
    assert best_routes(asked).revenue == 100


def test_k_bonus_once_a_route() -> None:
    """1848 §10.4: 50 for two K cities."""
    k = {f"{name}.c0": StopValue("city", 30, tags=frozenset("K")) for name in ("A1", "A2")}
    answer = best_routes(problem(LINE, [train("2")], VALUES, ["A2.c0"], bonuses=[K_K], more=k))
    assert answer.routes[0].parts == (("stops", 60), ("K-K", 50))


def test_ghan_earns_its_two_ends() -> None:
    """1848 §8.2.5: what lies between is skipped, no K bonus."""
    k = {f"{name}.c0": StopValue("city", 30, tags=frozenset("K")) for name in ("A1", "A2")}
    asked = problem(LINE, [train("2E")], VALUES, ["A1.c0"], bonuses=[K_K], more={**k, "A5.c0": SPRINGS})
    answer = best_routes(asked)
    assert (answer.revenue, len(answer.routes[0].stops)) == (90, 5)


def test_ghan_takes_the_way_that_the_others_leave() -> None:
    """1848 §10.1.3: separate track; the Ghan goes round."""
    graph = track("A1.c0 = B1 = A2.c0", "A1.c0 = C1.c0 = C2.c0 = A2.c0")
    answer = best_routes(problem(graph, [train("2"), train("2E")], {}, ["A1.c0"], more={"A2.c0": SPRINGS}))
    assert answer.revenue == 70 + 70
    assert {len(route.sides) for route in answer.routes} == {2, 3}


def test_nothing_runs_through_a_terminal() -> None:
    """1848: Perth's track ends there."""
    graph = track("A1.c0 = P1.c0", "P1.c0 = A2.c0", terminal=["P1.c0"])
    assert best_routes(problem(graph, [train("3")], {"P1.c0": 80}, ["P1.c0"])).revenue == 90
    with pytest.raises(RouteError, match="cannot run through P1"):
        read_route(problem(graph, [train("3")], {}, ["P1.c0"]), "3", ["A1.c0", "P1.c0", "A2.c0"])


def test_routes_of_a_company_are_separate() -> None:
    """1848 §10.1.3."""
    asked = problem(LINE, [train("2"), train("3")], VALUES, ["A2.c0"])
    answer = best_routes(asked)
    assert answer.revenue == 80 + 50
    twice = [read_route(asked, name, ["A1.c0", "A2.c0"]) for name in ("2", "3")]
    with pytest.raises(RouteError, match="another train uses"):
        validate(asked, twice)


@pytest.mark.parametrize(
    ("lines", "revenue"), [(["A4.c0 = A5 = A6.c0"], 70), (["A4.c0 = A5 = A6.c0", "A4.c0 = B5 = A6.c0"], 140)]
)
def test_two_2e_trains_need_a_line_each(lines: list[str], revenue: int) -> None:
    """1848 §10.1.2: no track twice. Where there is one line to Alice Springs one of them stays at home."""
    springs = {"A6.c0": SPRINGS}
    two = [replace(train("2E"), id=number) for number in ("a", "b")]
    answer = best_routes(problem(track(*lines), two, {}, ["A4.c0"], more=springs))
    assert (answer.revenue, answer.proven) == (revenue, True)


def test_a_route_reads_back() -> None:
    """Its text names every space."""
    asked = problem(LINE, [train("D")], VALUES, ["A2.c0"])
    route = best_routes(asked).routes[0]
    again = read_route(asked, "D", write_route(route))
    assert score(asked, [again]).routes[0] == route
    assert set(again.stops) == {stop(name) for name in VALUES}


def test_the_same_hex_may_be_visited_twice() -> None:
    """1848 §10.1.2: two large stations of one space on separate track."""
    graph = track("A1.c0 = A2.c0 = A3 = A1.c1")
    assert best_routes(problem(graph, [train("3")], {}, ["A2.c0"])).revenue == 30


def test_an_offboard_place_of_two_spaces_is_visited_once() -> None:
    """1848 §10.1.2: Alice Springs."""
    graph = track("A4.o0 = A5.c0 = A6.o0")
    springs = {f"{name}.o0": StopValue("offboard", 60, group="Alice Springs") for name in ("A4", "A6")}
    assert best_routes(problem(graph, [train("3")], {}, ["A5.c0"], more=springs)).revenue == 70
