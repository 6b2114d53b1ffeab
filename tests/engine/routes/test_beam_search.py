"""Good routes where all are too many."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.engine.routes.candidates.beam_search import KEPT, sample, select_promising
from bot.engine.routes.candidates.chains import Contraction
from bot.engine.routes.candidates.enumeration import Enumeration
from bot.engine.routes.candidates.profile import SearchBoard
from bot.engine.routes.candidates.route_column import RouteColumn, route_of
from bot.engine.routes.revenue.model import TrackBonus, TrainSpec
from bot.engine.routes.revenue.score import score, validate
from bot.engine.routes.search import best_routes
from tests.engine.routes.dense import dense_problem
from tests.engine.routes.test_brute_force import KINDS, fleet
from tests.engine.routes.test_limits import ticking
from tests.engine.routes.tiny import TinyBoard


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("gathering", "ghan")])
def test_they_are_legal_earn_what_they_say_and_keep_off_used_track(kind: str) -> None:
    """On random boards; the dearest of enough of them is the best route."""
    for seed in range(600, 615):
        train = next(train for train in fleet(kind) if not train.runs_to)
        asked = replace(TinyBoard(seed, 5 + seed % 4).problem([train]), joint=())
        marks = tuple(bonus.segments for bonus in asked.bonuses if isinstance(bonus, TrackBonus))
        board = SearchBoard(asked, Contraction(asked.graph, marks))
        columns = sample(Enumeration(board, train, lambda: None), 1000)
        for column in columns:
            route = route_of(column.one, column.other, train)
            validate(asked, [route])
            assert score(asked, [route]).revenue == column.revenue
        best = max(columns, default=None)
        assert (best.revenue if best else 0) == best_routes(asked).revenue
        if best is not None:
            for column in sample(Enumeration(board, train, lambda: None), 1000, best.mask):
                validate(asked, [route_of(column.one, column.other, train)])
                assert not column.mask & best.mask


def test_two_diesels_get_a_good_answer_in_little_time() -> None:
    """No more looks at the clock than a tenth of those that listing all routes may take; one diesel alone earns 770."""
    asked = dense_problem(tuple(TrainSpec(name, "D", None) for name in "ab"))
    answer = best_routes(asked, 1.0, ticking(0.02))
    validate(asked, answer.routes)
    assert score(asked, answer.routes).revenue == answer.revenue >= 770
    assert len(answer.routes) == 2


def test_of_routes_that_earn_and_take_the_same_any_may_be_the_dearest() -> None:
    trails: list[Any] = [None, ("an arm",)]
    alike = [RouteColumn(10, 3, 0, trail, None) for trail in trails]
    others = [RouteColumn(number % 7, 4 + number, 0, None, None) for number in range(KEPT)]
    kept = select_promising([*alike, *others])
    assert {column.mask for column in kept if column.revenue == 10} == {3}
    assert len(kept) < KEPT
