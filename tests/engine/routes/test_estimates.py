"""What trains would earn, told for a counted amount of work: against the search that proves its answers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from bot.engine.routes import estimates as module
from bot.engine.routes.candidates import enumeration
from bot.engine.routes.estimates import Estimates
from bot.engine.routes.revenue.model import RouteProblem, TrainSpec
from bot.engine.routes.search import best_routes
from tests.engine.routes.dense import dense_problem
from tests.engine.routes.test_brute_force import KINDS, fleet
from tests.engine.routes.tiny import TinyBoard
from tests.families import few

TRAINS = [TrainSpec(f"{kind}-{number}", kind, length) for kind, length in (("3", 3), ("5", 5)) for number in (1, 2)]
DIESEL = TrainSpec("d", "D", None)


def asked_in_order(problem: RouteProblem, fleets: Iterable[Iterable[TrainSpec]]) -> list[int]:
    """What these earn, each asked of the same estimates."""
    estimates = Estimates(problem)
    return [estimates.revenue(trains) for trains in fleets]


@pytest.mark.parametrize("with_joint", [False, True])
@pytest.mark.parametrize("kind", few(KINDS, *range(0, len(KINDS), 4)))
def test_where_all_routes_are_listed_they_are_the_best(kind: str, with_joint: bool) -> None:
    """Of all trains of a fleet, of each alone, and of all once more: what was asked before changes nothing."""
    for seed in range(700, 705):
        problem = TinyBoard(seed, 5 + seed % 5).problem(fleet(kind), with_joint)
        fleets = [problem.trains, *((train,) for train in problem.trains), problem.trains]
        best = [best_routes(replace(problem, trains=trains)).revenue for trains in fleets]
        assert asked_in_order(problem, fleets) == best, seed


def test_where_routes_are_too_many_the_answer_does_not_depend_on_what_was_asked_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each question by itself, in one order, and in the other; good answers, and none too good."""
    monkeypatch.setattr(enumeration, "WORK", 16)
    problem = dense_problem((), width=5, height=4)
    fleets = [TRAINS[:1], TRAINS[2:3], TRAINS, TRAINS[2:], [DIESEL], [*TRAINS[1:3], DIESEL], TRAINS[:2]]
    alone = [Estimates(problem).revenue(trains) for trains in fleets]
    assert asked_in_order(problem, fleets) == alone
    assert asked_in_order(problem, reversed(fleets)) == alone[::-1]
    best = [best_routes(replace(problem, trains=tuple(trains))) for trains in fleets]
    assert all(one.proven for one in best) and alone != [one.revenue for one in best]
    assert all(0.8 * one.revenue <= found <= one.revenue for one, found in zip(best, alone, strict=True))


def test_what_is_asked_of_a_kind_of_train_once_is_not_listed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[str] = []
    run = enumeration.Enumeration.run

    def noted(self: enumeration.Enumeration) -> None:
        runs.append(self.train.name)
        run(self)

    monkeypatch.setattr(enumeration.Enumeration, "run", noted)
    monkeypatch.setattr(module, "LISTED", 10_000)
    asked_in_order(dense_problem((), width=5, height=4), (TRAINS[:2], TRAINS, TRAINS[1:], TRAINS[2:]))
    assert sorted(runs) == ["3", "5"]


def test_the_work_is_counted_and_nothing_is_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a board with more routes than anybody could list."""

    def solve(*_: object) -> None:
        raise AssertionError("the solver was asked")

    looks: list[int] = []
    check_time = module.WorkBudget.check_time

    def counted(self: module.WorkBudget) -> None:
        looks.append(1)
        check_time(self)

    monkeypatch.setattr("bot.engine.routes.selection.milp.LinearProgram._updated_solver", solve)
    monkeypatch.setattr(module.WorkBudget, "check_time", counted)
    estimates = Estimates(dense_problem(()))
    found = estimates.revenue([DIESEL, replace(DIESEL, id="e"), *TRAINS])
    kinds, spent = 3, module.LISTED + module.SAMPLED + module.SHORTENED
    most = kinds * (spent + 3 + 2 * len(module.WIDTHS)) + module.CHOSEN + 1
    assert found >= 770 and 0 < len(looks) <= most
    assert estimates.contracted <= module.CONTRACTED + len(estimates.board.stops)


def test_a_board_with_too_much_track_is_estimated_by_the_nearest_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Contraction to chains asks whether to go on, and is told no in the end."""
    problem = dense_problem((), width=5, height=4)
    whole = Estimates(problem)
    monkeypatch.setattr("bot.engine.routes.candidates.chains.MAX_UNCHECKED", 0)
    some = Estimates(dense_problem((), width=5, height=4))
    assert whole.contracted == 0 and some.contracted > module.CONTRACTED
    assert whole.board.contraction.is_complete and not some.board.contraction.is_complete
    assert 0 <= some.revenue(TRAINS) <= whole.revenue(TRAINS)
