"""Listing all routes and the programme take turns; a choice that comes nearer its proof goes on at once."""

from __future__ import annotations

import pytest

from bot.engine.routes import search as search_module
from bot.engine.routes.search import BudgetExceeded, best_routes
from bot.engine.routes.selection import branch_and_bound as selection_module
from bot.engine.routes.selection import ilp_model as programme_module
from bot.engine.routes.selection.branch_and_bound import BranchAndBound
from bot.engine.routes.selection.ilp_model import IlpModel
from tests.engine.routes.dense import dense_problem
from tests.engine.routes.test_brute_force import fleet

PROBLEM = dense_problem(fleet("standard"), width=5, height=4, every=3, tokens=3, seed=5)


@pytest.fixture
def turns(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Whose turn it was, when turns are short and looks at the clock frequent."""
    noted: list[str] = []
    run_selection, run_programme = BranchAndBound.run, IlpModel.run

    def choose(self: BranchAndBound) -> None:
        noted.append("choice")
        run_selection(self)

    def prove(self: IlpModel, *args: object) -> bool:
        noted.append("programme")
        return run_programme(self, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(BranchAndBound, "run", choose)
    monkeypatch.setattr(IlpModel, "run", prove)
    monkeypatch.setattr(search_module, "WORK_LIMIT", 5)
    monkeypatch.setattr(selection_module, "QUICK", 0)
    monkeypatch.setattr(selection_module, "SCANNED", 1)
    return noted


def test_a_choice_that_comes_nearer_goes_on(turns: list[str]) -> None:
    answer = best_routes(PROBLEM)
    assert answer.proven
    assert turns == ["choice"] * len(turns)
    assert len(turns) > 1


def let_the_choice_idle(turns: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on it comes to nothing."""

    def choose(self: BranchAndBound) -> None:
        turns.append("choice")
        raise BudgetExceeded

    monkeypatch.setattr(BranchAndBound, "run", choose)


def test_one_that_does_not_gives_way_to_the_programme(turns: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    expected = best_routes(PROBLEM).revenue
    turns.clear()
    let_the_choice_idle(turns, monkeypatch)
    monkeypatch.setattr(programme_module, "NEAR", 2.0)
    answer = best_routes(PROBLEM)
    assert answer.proven and answer.revenue == expected
    first, later = turns[:3], turns[3:]
    assert first == ["choice", "choice", "programme"], "that all are listed brings it nearer once"
    assert later == ["choice", "programme"] * (len(later) // 2), "a slow machine's programme needs more turns"


@pytest.mark.parametrize("near", [0.0, 2.0])
def test_a_programme_that_is_nearly_proven_goes_on(
    near: float, turns: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    let_the_choice_idle(turns, monkeypatch)
    monkeypatch.setattr(programme_module, "NEAR", near)
    monkeypatch.setattr(search_module, "SECONDS_PER_WORK_UNIT", 1e-9)
    answer = best_routes(PROBLEM)
    assert answer.proven
    assert turns[:3] == ["choice", "choice", "programme"]
    assert (len(turns) == 3) == (near == 0), "one that is not gives way until its turns are long enough"
