"""Routes found by pairs of arms, and what is left out of the listing: the same answers as of the whole depth-first listing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.cli.games import position_at
from bot.engine.play.steps import route_problem
from bot.engine.routes import search as search_module
from bot.engine.routes.candidates import enumeration as enumeration_module
from bot.engine.routes.candidates.enumeration import Enumeration
from bot.engine.routes.candidates.profile import build_search_board
from bot.engine.routes.candidates.route_column import RouteColumn
from bot.engine.routes.revenue.model import JointBonus, RouteProblem, TrainSpec
from bot.engine.routes.search import best_routes
from bot.engine.routes.selection.joint_bonuses import JointBonuses
from bot.engine.routes.selection.residual_trains import ResidualTrains
from bot.service.imports.formats import load
from tests.engine.routes.dense import dense_problem
from tests.engine.routes.test_brute_force import KINDS, fleet
from tests.engine.routes.test_longer_routes import alike
from tests.engine.routes.tiny import TinyBoard
from tests.families import few

BOARDS = 40
"""How many random boards each kind of train is tried on."""

PAIRED = {
    train.kind: train
    for kind in KINDS
    for train in fleet(kind)
    if not (train.optional or train.runs_to or train.gathers)
}
"""One train of each kind whose routes may be found by pairs."""


def enumeration_of(problem: RouteProblem) -> Enumeration:
    board = build_search_board(problem)
    together = JointBonuses(board, ResidualTrains(problem, []))
    return Enumeration(board, problem.trains[0], lambda: None, together.tagged, together.single_bonus)


def found_by(enumeration: Enumeration, in_pairs: bool) -> list[RouteColumn]:
    enumeration.pairs_arms = in_pairs
    enumeration.run()
    return list(enumeration.found.values())


@pytest.mark.parametrize("train", [pytest.param(train, id=train.name) for train in PAIRED.values()])
def test_pairs_of_arms_are_the_routes_of_the_whole_listing(train: TrainSpec) -> None:
    """The best route is the very one that the depth-first search takes, and above a floor all are found in its order."""
    compared = 0
    for seed in range(BOARDS):
        enumeration = enumeration_of(TinyBoard(seed, 5 + seed % 5).problem([train], with_joint=bool(seed % 2)))
        if enumeration.limit is None:
            continue
        by_depth, by_pairs = (found_by(enumeration.restart(wants_one=True), is_paired) for is_paired in (False, True))
        assert by_pairs == by_depth[-1:] or by_pairs[-1] == by_depth[-1]
        for share in (0.4, 0.9):
            floor = int(share * by_depth[-1].revenue) if by_depth else 0
            above: list[list[RouteColumn]] = []
            for is_paired in (False, True):
                again = enumeration.restart()
                again.raise_floor(floor, 0)
                above.append(found_by(again, is_paired))
            assert above[0] == above[1]
            compared += len(above[0])
    assert compared > BOARDS or enumeration.limit is None


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Listings look at the clock at every route and give up after a few; the floors with which they begin again."""
    floors: list[int] = []
    raise_floor = Enumeration.raise_floor

    def noted(self: Enumeration, floor: int, highest: int) -> None:
        floors.append(floor)
        raise_floor(self, floor, highest)

    monkeypatch.setattr(enumeration_module, "WORK", 0)
    monkeypatch.setattr(search_module, "PATIENT_LOOKS", 1)
    monkeypatch.setattr(search_module, "WORK_LIMIT", 10**6)
    monkeypatch.setattr(Enumeration, "raise_floor", noted)
    return floors


FLEETS = ["alike", "towns", "express and towns", "three", "best cities and 2", "two on their own track"]


@pytest.mark.parametrize("with_joint", [False, True])
@pytest.mark.parametrize("kind", few(FLEETS, 0, 2, 4))
def test_routes_left_out_are_not_missed(
    kind: str, with_joint: bool, impatient: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The best set earns as much as if all routes were listed."""
    for seed in range(BOARDS // 4):
        joint = (JointBonus("E-K", "E", "K", 30),) if with_joint else ()
        board = alike(seed, fleet(kind)[0])
        values = {stop: replace(worth, kind="city") for stop, worth in board.values.items()}
        problem = replace(board, trains=tuple(fleet(kind)), joint=joint, values=values)
        answer = best_routes(problem)
        with monkeypatch.context() as patient:
            patient.setattr(search_module, "PATIENT_LOOKS", 10**6)
            expected = best_routes(problem)
        assert (answer.revenue, answer.proven) == (expected.revenue, True)
    assert len(impatient) >= BOARDS // 8 and max(impatient) > 0


def test_a_search_that_must_leave_out_routes_keeps_its_deadline(impatient: list[int]) -> None:
    trains = (TrainSpec("a", "4", 4), TrainSpec("b", "3", 3))
    asked = dense_problem(trains, width=5, height=5)
    best = best_routes(asked)
    for step in (0.0002, 0.0001, 0.00005):
        now = iter(range(10**9))
        answer = best_routes(replace(asked), 1.0, lambda: next(now) * step)  # noqa: B023 - asked at once
        assert answer.revenue <= best.revenue <= answer.bound
    assert impatient


@pytest.mark.shared
def test_the_longest_recorded_run_looks_at_few_routes(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 73,806 routes of NBR's 5+2 and 6X in the recorded game most are neither joined nor scored."""
    game = position_at(load(shared / "peer-games" / "18GB" / "18gb-3p.json"), 420)
    problem = route_problem(game, game.company_in_turn)
    looked_at, revenue = 0, Enumeration.revenue

    def counted(self: Enumeration, *route: Any) -> int:
        nonlocal looked_at
        looked_at += 1
        return revenue(self, *route)

    monkeypatch.setattr(Enumeration, "revenue", counted)
    answer = best_routes(problem)
    assert (answer.revenue, answer.proven) == (790, True)
    assert looked_at <= 25_000
