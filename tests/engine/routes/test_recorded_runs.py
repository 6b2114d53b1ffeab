"""Every run of the recorded games: ours is never below it, proven, and accepted by the rules."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from bot.engine.routes.revenue.score import score, validate
from bot.engine.routes.search import best_routes
from tests.engine.routes.problems import Converter, instances


@pytest.mark.shared
@pytest.mark.parametrize(("title", "number"), [("1848", 73), ("18GB", 247), ("1844", 129)])
def test_never_below_what_was_run(shared: Path, title: str, number: int) -> None:
    """The recorded routes are legal and earn what was recorded; the best run earns as much or more."""
    taken = []
    for instance in instances(shared, title):
        converter = Converter(shared, instance)
        problem, recorded = converter.problem(), converter.recorded()
        validate(problem, recorded)
        assert score(problem, recorded).revenue == instance["run"]["total"]
        began = time.perf_counter()
        answer = best_routes(problem)
        taken.append(1000 * (time.perf_counter() - began))
        validate(problem, answer.routes)
        assert score(problem, answer.routes).revenue == answer.revenue >= instance["run"]["total"]
        assert answer.proven and answer.bound == answer.revenue
    taken.sort()
    marks = [taken[len(taken) * percent // 100] for percent in (50, 95, 99)] + taken[-1:]
    print(f"{title}: {len(taken)} runs, p50 p95 p99 max ms:", *(round(mark, 1) for mark in marks))
    assert len(taken) == number
