"""Deadlines, bounds, and routes read from the forms of other engines."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bot.engine.board.track import Segment, Side, Stop, TrackGraph
from bot.engine.ids import HexId
from bot.engine.routes.candidates.chains import Contraction
from bot.engine.routes.candidates.enumeration import Enumeration
from bot.engine.routes.candidates.profile import SearchBoard
from bot.engine.routes.candidates.route_column import IDLE
from bot.engine.routes.revenue.model import RouteError, TrackBonus, TrainSpec
from bot.engine.routes.revenue.paths import read_route, routes_over
from bot.engine.routes.revenue.score import score, validate
from bot.engine.routes.search import best_routes
from bot.engine.routes.selection.conflict_masks import RouteTable
from bot.engine.routes.selection.dual_prices import DualPrices, bound_of, find_prices
from tests.engine.routes.dense import dense_problem
from tests.engine.routes.lines import problem, stop, track
from tests.engine.routes.test_brute_force import KINDS, fleet
from tests.engine.routes.tiny import TinyBoard
from tests.families import few


def ticking(step: float) -> Callable[[], float]:
    """A clock on which every look costs a little."""
    now = 0.0

    def clock() -> float:
        nonlocal now
        now += step
        return now

    return clock


@pytest.mark.parametrize(("size", "step"), [(5, 0.3), (5, 0.05), (5, 0.01), (5, 0.002), (6, 0.3)])
def test_an_answer_in_time_has_a_bound(size: int, step: float) -> None:
    """Whatever was found is legal; the bound is never below the best, not even where that is not found."""
    trains = (TrainSpec("a", "4", 4), TrainSpec("b", "4", 4), TrainSpec("c", "3", 3))
    asked = dense_problem(trains, width=size, height=size)
    best = best_routes(asked)
    assert best.proven
    answer = best_routes(asked, 1.0, ticking(step))
    validate(asked, answer.routes)
    assert score(asked, answer.routes).revenue == answer.revenue <= best.revenue <= answer.bound
    assert answer.proven == (answer.revenue == answer.bound)


def test_two_diesels_on_a_dense_board_keep_the_deadline() -> None:
    """Too little time for the hardest case: an honest answer."""
    diesels = tuple(TrainSpec(name, "D", None) for name in "ab")
    asked = dense_problem(diesels)
    answer = best_routes(asked, 1.0, ticking(0.02))
    validate(asked, answer.routes)
    assert 0 < answer.revenue <= answer.bound
    assert answer.proven == (answer.revenue == answer.bound)


@pytest.mark.parametrize(("height", "revenue"), few([(6, 620), (7, 770)], 0))
def test_a_diesel_on_a_dense_board_is_proven(height: int, revenue: int) -> None:
    """Its routes cannot be listed; the programme says that no route is better."""
    asked = dense_problem((TrainSpec("a", "D", None),), width=7, height=height)
    answer = best_routes(asked)
    validate(asked, answer.routes)
    assert answer.proven and answer.revenue == revenue


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "gathering"])
@pytest.mark.parametrize("boards", [5, pytest.param(25, marks=pytest.mark.whole)])
def test_no_estimate_is_below_the_exact_revenue(kind: str, boards: int) -> None:
    """Ceilings of trains and priced bounds on random boards."""
    for seed in range(boards):
        asked = TinyBoard(seed, 7).problem(fleet(kind))
        marks = tuple(bonus.segments for bonus in asked.bonuses if isinstance(bonus, TrackBonus))
        board = SearchBoard(asked, Contraction(asked.graph, marks))
        choices = []
        for train in asked.trains:
            if train.runs_to:
                continue
            enumeration = Enumeration(board, train, lambda: None)
            enumeration.run()
            columns = [*enumeration.found.values(), IDLE]
            assert max(column.revenue for column in columns) <= enumeration.profile.ceiling()
            choices.append((1, RouteTable(columns)))
        exact = best_routes(asked).revenue
        prices = find_prices(choices, 0, lambda: None, lambda: 60.0)
        if not any(train.runs_to or train.track for train in asked.trains) and not asked.shared:
            assert bound_of(choices, prices) >= exact
            assert bound_of(choices, DualPrices({0: 7, 1: 5})) >= exact


# -- forms ---------------------------------------------------------------------------------------------


def hexes(text: str) -> list[list[HexId]]:
    """`A1 A2 A3 / A3 A4`"""
    return [[HexId(word) for word in part.split()] for part in text.split("/")]


def test_connections_are_read_in_either_direction() -> None:
    """As logs of other engines have them: spaces from stop to stop."""
    graph = track("A1.c0 = A2 = A3.c0 = A4.c0")
    asked = problem(graph, [TrainSpec("t", "3", 3)], {}, ["A1.c0"])
    found = [
        list(routes_over(asked, "t", hexes(text)))
        for text in ("A1 A2 A3 / A3 A4", "A3 A2 A1 / A4 A3", "A3 A2 A1 / A3 A4")
    ]
    assert [[route.stops for route in routes] for routes in found] == [
        [(stop("A1.c0"), stop("A3.c0"), stop("A4.c0"))]
    ] * 3
    assert not list(routes_over(asked, "t", hexes("A1 A2 A4")))


def test_named_stops_and_used_track_decide_between_routes() -> None:
    """Two cities on one space, reached over the same spaces by parallel track."""
    one, other = Side(HexId("A1"), HexId("A2"), 0), Side(HexId("A1"), HexId("A2"), 1)
    base = track("A1.c0 = B1 = A2.c0", "A1.c1 = C1 = A2.c0")
    lanes = tuple(
        Segment(HexId(name), (Stop(HexId(name), node), lane))
        for name, node, lane in (("A1", "c0", one), ("A1", "c1", other), ("A2", "c0", one), ("A2", "c0", other))
    )
    graph = TrackGraph(dict(enumerate([*base.segments.values(), *lanes])), base.stops, frozenset())
    asked = problem(graph, [TrainSpec("t", "2", 2)], {}, ["A2.c0"])
    both = list(routes_over(asked, "t", hexes("A1 A2")))
    assert {route.stops[0].node for route in both} == {"c0", "c1"}
    named = list(routes_over(asked, "t", hexes("A1 A2"), [stop("A1.c1"), stop("A2.c0")]))
    assert [route.sides for route in named] == [frozenset({other})]
    assert [route.sides for route in routes_over(asked, "t", hexes("A1 A2"), used=frozenset({other}))] == [
        frozenset({one})
    ]


def test_a_path_without_track_is_refused() -> None:
    """The sentence says where."""
    graph = track("A1.c0 = A2 = A3.c0")
    asked = problem(graph, [TrainSpec("t", "3", 3)], {}, ["A1.c0"])
    with pytest.raises(RouteError, match=r"no track from A1\.c0 over B2 to A3\.c0"):
        read_route(asked, "t", ["A1.c0", "B2", "A3.c0"])
    with pytest.raises(RouteError, match=r"no stop A9\.c0"):
        read_route(asked, "t", ["A1.c0", "A9.c0"])


@pytest.mark.parametrize(("middle", "terminal"), [("A2.o0", ()), ("A2.c0", ("A2.c0",))])
def test_no_route_runs_through_a_token_where_track_ends(middle: str, terminal: tuple[str, ...]) -> None:
    graph = track(f"A1.c0 = {middle} = A3.c0", terminal=terminal)
    found = best_routes(problem(graph, [TrainSpec("a", "3", 3)], {"A1.c0": 30, "A3.c0": 40}, [middle]))
    assert (found.revenue, found.proven) == (50, True)


def test_chains_that_were_not_all_found_are_told() -> None:
    graph = dense_problem((TrainSpec("a", "2", 2),), width=7, height=7, every=12, tokens=1).graph
    chains = Contraction(graph, may_go_on=lambda: False)
    for here in graph.stops:
        chains.chains_from(here)
    assert not chains.is_complete
