"""Why a tempting run earns less than the best one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.engine.routes.revenue.model import PairBonus, RouteProblem, StopValue, TrainSpec
from bot.engine.routes.revenue.score import score, validate
from bot.engine.routes.runner_up import RunnerUp, ledger, runner_up
from bot.engine.routes.search import best_routes
from tests.engine.routes.lines import problem, stop, track
from tests.engine.routes.test_area_revenue import FLOOD
from tests.engine.routes.test_brute_force import KINDS, fleet
from tests.engine.routes.tiny import TinyBoard
from tests.families import few

TWO, OTHER = TrainSpec("a", "2", 2), TrainSpec("b", "2", 2)


def tempting(asked: RouteProblem) -> RunnerUp | None:
    """Without a limit of time."""
    return runner_up(asked, best_routes(asked), best_routes)


def test_the_dearest_route_of_one_train_takes_the_track_of_another() -> None:
    """A 3 would run through all of B1 for 110, but then the 2 has nothing to run."""
    graph = track("A1.c0 = A2.c0 = A3.c0")
    three = TrainSpec("t", "3", 3)
    asked = problem(graph, [three, TWO], {"A1.c0": 30, "A2.c0": 60, "A3.c0": 20}, ["A2.c0"])
    best = best_routes(asked)
    assert best.revenue == 90 + 80
    other = tempting(asked)
    assert other is not None
    assert (other.train, other.stop, other.bonus) == ("t", None, "")
    assert (other.route.revenue, other.routes.revenue) == (110, 110)
    assert (other.gained, other.lost) == ((), (("A2", 60),))


def test_the_dear_stop_that_no_train_visits() -> None:
    """A terminus for 90 at the end of a line of halts, against two cities."""
    graph = track("A1.c0 = A2.c0 = A3.c0", "A1.c0 = B1.t0 = C1.o0")
    values = {"A1.c0": 20, "A2.c0": 50, "A3.c0": 60, "B1.t0": 10, "C1.o0": 90}
    asked = problem(graph, [TrainSpec("t", "3", 3, counted=frozenset({"city", "town", "offboard"}))], values, ["A1.c0"])
    assert best_routes(asked).revenue == 130
    other = tempting(asked)
    assert other is not None
    assert (other.stop, other.routes.revenue) == (stop("C1.o0"), 120)
    assert (other.gained, other.lost) == ((("C1", 90), ("B1", 10)), (("A3", 60), ("A2", 50)))


def test_the_bonus_that_nobody_earns() -> None:
    """Ends that pay 30 together, where two plain cities pay more."""
    ends = {
        "W1.c0": StopValue("city", 20, tags=frozenset({"W"})),
        "E1.c0": StopValue("city", 10, tags=frozenset({"E"})),
    }
    graph = track("W1.c0 = E1.c0 = A1.c0", "W1.c0 = B1.c0")
    bonus = PairBonus("W-E", "W", "E", 30)
    asked = problem(graph, [TWO], {"B1.c0": 50}, ["W1.c0"], bonuses=[bonus], more=ends)
    other = tempting(asked)
    assert other is not None
    assert other.routes.revenue == 60
    assert other.stop == stop("E1.c0") or other.bonus == "W-E"
    assert dict(other.gained) == {"E1": 10, "W-E": 30}


def test_nothing_tempts_where_all_is_visited() -> None:
    """One line, one train."""
    assert tempting(problem(track("A1.c0 = A2.c0"), [TWO], {}, ["A1.c0"])) is None
    assert tempting(problem(track("A1.c0 = A2.c0"), [], {}, ["A1.c0"])) is None


def test_a_stop_out_of_reach_does_not_tempt() -> None:
    """Behind another company's tokens."""
    graph = track("A1.c0 = A2.c0 = A3.c0")
    assert tempting(problem(graph, [TWO], {"A3.c0": 90}, ["A1.c0"], blocked=["A2.c0"])) is None


def test_no_answer_when_the_time_is_over() -> None:
    """The search says so by giving none."""
    asked = problem(track("A1.c0 = A2.c0 = A3.c0"), [TWO, OTHER], {}, ["A2.c0"])
    assert runner_up(asked, best_routes(asked), lambda rest: None) is None


@pytest.mark.parametrize("kind", few([*KINDS, "flood and 2"], *range(0, 25, 3)))
def test_on_random_boards(kind: str) -> None:
    """It may be run, earns less than the best, and the comparison explains exactly how much less."""
    found = 0
    for seed in range(16):
        trains = [FLOOD, TWO] if kind == "flood and 2" else fleet(kind)
        asked = TinyBoard(330 + seed, 5 + seed % 5).problem(trains, bool(seed % 2))
        best, other = best_routes(asked), tempting(asked)
        if other is None:
            continue
        found += 1
        validate(asked, other.routes.routes)
        assert score(asked, other.routes.routes).revenue == other.routes.revenue < best.revenue
        gained, lost = (sum(money for _, money in amounts) for amounts in (other.gained, other.lost))
        assert best.revenue - other.routes.revenue == lost - gained
        assert sum(ledger(asked, best).values()) == best.revenue
        if other.stop is not None:
            assert other.stop in other.route.stops
            assert all(other.stop not in route.stops for route in best.routes)
    assert found


def test_others_may_use_track_of_their_own() -> None:
    """A train of another set of track is not in the way of the tempted one."""
    graph = track("A1.c0 = A2.c0 = A3.c0")
    apart = replace(OTHER, track="other")
    asked = problem(graph, [TWO, apart], {"A1.c0": 50, "A3.c0": 40}, ["A2.c0"])
    other = tempting(asked)
    assert other is not None
    assert other.stop == stop("A3.c0")
    assert other.routes.revenue == 60 + 50
