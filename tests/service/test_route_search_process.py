"""Route searches in a process of their own."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator

import pytest

from bot.engine import CompanyId
from bot.engine.play.steps.routes import SUGGESTION_SECONDS, best_set
from bot.engine.routes.revenue import RouteProblem, RouteSet, TrainSpec
from bot.engine.routes.revenue.score import validate
from bot.engine.routes.search import best_routes
from bot.service.game_service import GameService
from bot.service.route_search_process import RouteSearchProcess, merge_results
from bot.store import Store
from bot.titles.registry import TITLES
from tests.engine.routes.dense import dense_problem
from tests.engine.routes.lines import problem, track
from tests.service.conftest import ANN, BOB, CID

DIESELS = (TrainSpec("a", "D", None), TrainSpec("b", "D", None))


@pytest.fixture
def searcher() -> Iterator[RouteSearchProcess]:
    """Ended after the test."""
    searcher = RouteSearchProcess()
    yield searcher
    searcher.close()


def test_an_easy_question_needs_no_process(searcher: RouteSearchProcess) -> None:
    graph = track("A1.c0 = A2 = A3.c0")
    answer = searcher.search(problem(graph, [TrainSpec("t", "2", 2)], {}, ["A1.c0"]), 5.0)
    assert (answer.revenue, answer.proven) == (20, True)
    assert searcher._pool is None


def test_a_killed_process_costs_one_answer(searcher: RouteSearchProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asked gets what had been found before, with its bound; the next question gets a new process."""
    monkeypatch.setattr("bot.service.route_search_process.LOCAL_SECONDS", 0.0)
    asked = dense_problem(DIESELS, width=4, height=4)
    answer = searcher.search(asked, 600.0)
    assert answer.proven
    assert searcher._pool is not None
    [pid] = searcher._pool._processes
    hard = dense_problem(DIESELS, width=9, height=9)
    killer = threading.Timer(0.5, os.kill, (pid, 9))
    killer.start()
    answer = searcher.search(hard, 600.0)
    killer.join()
    assert not answer.proven
    validate(hard, answer.routes)
    assert answer.revenue <= answer.bound
    assert searcher._pool is None
    assert searcher.search(asked, 600.0).proven


def test_a_process_that_starts_too_slowly_costs_no_more_time_than_was_given(
    searcher: RouteSearchProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer of the first moment, with its bound; the process goes on starting for the next question."""
    monkeypatch.setattr("bot.service.route_search_process.LOCAL_SECONDS", 0.0)
    asked = dense_problem(DIESELS, width=4, height=4)
    answer = searcher.search(asked, 0.001)
    assert not answer.proven
    assert 0 <= answer.revenue < answer.bound
    assert searcher.search(asked, 600.0).proven


async def test_the_rules_of_every_game_ask_the_search_that_the_service_was_given(store: Store) -> None:
    asked: list[float] = []

    def search(problem: RouteProblem, seconds: float, clock: object) -> RouteSet:
        asked.append(seconds)
        return best_routes(problem)

    tables = GameService(store, TITLES, route_search=search)
    number = await tables.lobby.create("1848", ANN, [(ANN, "Ann"), (BOB, "Bob"), (CID, "Cid")])
    await tables.lobby.start(number, ANN, "list")
    game = (await tables.desk.table(number)).game
    assert game is not None
    best_set(game.copy(), CompanyId("SAR"))
    assert asked == [SUGGESTION_SECONDS]


def test_two_answers_to_one_question() -> None:
    """The dearer routes, the lower bound; proven where they meet."""
    one, other = RouteSet((), 100, 150, False), RouteSet((), 90, 120, False)
    assert (merge_results(one, other).revenue, merge_results(one, other).bound, merge_results(one, other).proven) == (
        100,
        120,
        False,
    )
    assert merge_results(one, RouteSet((), 80, 100, False)).proven
