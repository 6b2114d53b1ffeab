"""The search against trying everything, for every kind of train."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import pytest

from bot.engine.routes.revenue.model import Limit, PairBonus, RouteProblem, TrainSpec
from bot.engine.routes.revenue.score import score, validate
from bot.engine.routes.search import best_routes
from tests.engine.routes.tiny import TinyBoard, best_by_trying
from tests.families import few

BOARDS, MANY = 12, 1000
"""How many random boards each kind of train is tried on in the suite, and in the long campaign."""

LARGE = frozenset({"city", "offboard"})
ALL = frozenset({"city", "town", "offboard", "port"})
TOWN = frozenset({"town"})


def fleet(kind: str) -> list[TrainSpec]:
    """The trains of one test."""
    two, three = TrainSpec("a", "2", 2), TrainSpec("b", "3", 3)
    diesel = TrainSpec("d", "D", None, ignores_gauge=True)
    ghan = TrainSpec("g", "2E", None, ignores_gauge=True, runs_to="N", earns_bonuses=False)
    mixed = TrainSpec("m", "2+1", 2, limits=(Limit(3, ALL),))
    express = TrainSpec("x", "3X", 3, unpaid=TOWN, distance_pay=10, needs=LARGE)
    hexes = TrainSpec("h", "4H", None, limits=(Limit(4, spaces=True),), closed=frozenset({"offboard"}))
    choosy = TrainSpec("e", "3E", 3, ALL, optional=ALL, counts_ends=True, counts_token=True)
    small = TrainSpec("s", "3+3", None, limits=(Limit(3, ALL),), optional=TOWN, multiplier=2)
    best_n = TrainSpec("n", "2D", None, limits=(Limit(2, LARGE),), optional=LARGE, needs=LARGE | TOWN, multiplier=2)
    best_any = TrainSpec("y", "3+3E", 3, ALL, optional=ALL, multiplier=2)
    best_own = TrainSpec("z", "2E", 2, ALL, optional=ALL, counts_token=True)
    apart = TrainSpec("o", "3", 3, track="other")
    twice = TrainSpec("f", "2D", 2, scale="twice")
    few_towns = TrainSpec("i", "2+1", 2, limits=(Limit(1, TOWN),))
    mine = TrainSpec("v", "2G", None, gathers=2, base=50)
    return {
        "standard": [two, three],
        "plus": [TrainSpec("p", "2+", 2, free_gauge_changes=1), two],
        "alike": [three, TrainSpec("c", "3", 3)],
        "diesel": [diesel],
        "diesel and 2": [diesel, two],
        "ghan": [ghan],
        "ghan and 3": [ghan, three],
        "towns": [mixed, two],
        "express": [express],
        "express and towns": [express, mixed],
        "express to towns": [replace(express, needs=LARGE | TOWN)],
        "hexes": [hexes, two],
        "choosy": [choosy],
        "choosy and hexes": [choosy, hexes],
        "small cities": [small],
        "best cities": [best_n],
        "best cities and 2": [best_n, two],
        "best of all": [best_any],
        "best of all and 2": [best_any, two],
        "best with a token and 3": [best_own, three],
        "gathering": [mine, TrainSpec("w", "1G", None, gathers=1, base=60), two],
        "three": [two, three, mixed],
        "own track": [two, apart],
        "cities twice": [twice, three],
        "cities twice, towns left out": [replace(twice, counted=ALL, optional=TOWN)],
        "cities and one town": [few_towns, twice],
        "towns without pay": [replace(two, unpaid=TOWN, needs=LARGE), few_towns],
        "two on their own track": [two, apart, replace(apart, id="q")],
    }[kind]


KINDS = [
    "standard", "plus", "alike", "diesel", "diesel and 2", "ghan", "ghan and 3", "towns", "express", "express and towns", "express to towns",
    "hexes", "choosy", "choosy and hexes", "small cities", "best cities", "best cities and 2", "best of all",
    "best of all and 2", "best with a token and 3", "gathering", "three", "own track",
    "two on their own track", "cities twice", "towns without pay", "cities twice, towns left out", "cities and one town",
]  # fmt: skip


def with_scales(problem: RouteProblem) -> RouteProblem:
    """The same board, on which cities pay twice to trains of a scale."""
    values = {
        stop: replace(worth, scales=(("twice", worth.revenue * (2 if worth.kind in LARGE else 1)),))
        for stop, worth in problem.values.items()
    }
    return replace(problem, values=values)


def with_bonus_once(problem: RouteProblem) -> RouteProblem:
    """The same board, on which two bonuses come to one route of the company each."""
    once = (PairBonus("express", "N", "K", 60, once=True), PairBonus("mail", "S", "E", 40, once=True))
    return replace(problem, bonuses=(*problem.bonuses, *once))


def compare(
    kind: str,
    with_joint: bool,
    seeds: Iterable[int],
    boards: int,
    change: Callable[[RouteProblem], RouteProblem] = with_scales,
) -> None:
    """Search and trying everything agree on the first so many boards that are small enough to try everything."""
    compared = 0
    for seed in seeds:
        problem = change(TinyBoard(seed, 5 + seed % 5).problem(fleet(kind), with_joint))
        expected = best_by_trying(problem)
        if expected < 0:
            continue
        answer = best_routes(problem)
        validate(problem, answer.routes)
        assert score(problem, answer.routes).revenue == answer.revenue
        assert answer.revenue == expected, f"seed {seed}: {answer}"
        assert answer.proven and answer.bound == answer.revenue
        compared += 1
        if compared == boards:
            return
    raise AssertionError(f"only {compared} boards were small enough")


@pytest.mark.parametrize("with_joint", [False, True])
@pytest.mark.parametrize("kind", few(KINDS, *range(0, len(KINDS), 2)))
def test_agrees_with_trying_everything(kind: str, with_joint: bool) -> None:
    """Equal revenue on random boards; the answer is legal and scores what it says."""
    compare(kind, with_joint, range(10 * BOARDS), BOARDS)


@pytest.mark.parametrize("kind", ["standard", "alike", "three"])
def test_a_bonus_that_comes_once_is_paid_to_one_route(kind: str) -> None:
    compare(kind, False, range(10 * BOARDS), 3 * BOARDS, with_bonus_once)


@pytest.mark.soak
@pytest.mark.parametrize("with_joint", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_agrees_with_trying_everything_on_many_boards(kind: str, with_joint: bool) -> None:
    """The long campaign, on other boards than the short one."""
    compare(kind, with_joint, range(10 * BOARDS, 10 * MANY), MANY)
