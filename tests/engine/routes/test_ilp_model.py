"""The programme in whole numbers against the listing of all routes."""

from __future__ import annotations

from math import inf

import pytest

from bot.engine.routes import search as searching
from bot.engine.routes.candidates import enumeration
from bot.engine.routes.candidates.chains import Contraction
from bot.engine.routes.candidates.profile import SearchBoard, build_search_board
from bot.engine.routes.candidates.route_column import RouteColumn
from bot.engine.routes.revenue.model import RouteProblem, TrackBonus
from bot.engine.routes.revenue.score import score, validate
from bot.engine.routes.search import Search, best_routes
from bot.engine.routes.selection import ilp_model as programme_module
from bot.engine.routes.selection.fleets import build_residual_trains
from bot.engine.routes.selection.ilp_model import IlpModel, can_model
from bot.engine.routes.selection.joint_bonuses import JointBonuses
from tests.engine.routes.test_brute_force import KINDS, fleet
from tests.engine.routes.tiny import TinyBoard
from tests.families import few

BOARDS = 8
"""How many random boards each kind of train is tried on."""


def check_proven(programme: IlpModel, asked: RouteProblem, seed: int) -> None:
    """The programme proves routes that earn what the listing of all finds."""
    assert programme.run(inf, lambda: inf), seed
    running = {train.id for train in asked.trains if not train.gathers}
    expected = sum(route.revenue for route in best_routes(asked).routes if route.train in running)
    validate(asked, programme.best)
    assert score(asked, programme.best).revenue == programme.best_sum == programme.bound == expected, seed


def listing(asked: RouteProblem, number: int) -> tuple[Search, SearchBoard]:
    """A search that knows all routes of so many kinds of train, in their order; and its board."""
    search, board = Search(asked, inf, None), build_search_board(asked)
    search.problem = board.problem
    together = JointBonuses(board, build_residual_trains(board, asked, search.check_time), search.tracks)
    kinds = {train.kind: train for train in asked.trains if not (train.runs_to or train.gathers or train.floods)}
    for train in [*kinds.values()][:number]:
        search._list_columns_once(board, train, together)
    return search, board


SEVERAL = [kind for kind in KINDS if len({train.kind for train in fleet(kind) if not train.gathers}) > 1]


@pytest.mark.parametrize("kind", few(SEVERAL, *range(0, len(SEVERAL), 3)))
def test_trains_whose_routes_are_listed_choose_among_these(kind: str) -> None:
    """Some kinds of train listed, the others link by link, against the listing of all."""
    compared = 0
    for seed in range(2000, 2400):
        asked = TinyBoard(seed, 5 + seed % 8).problem(fleet(kind))
        search, board = listing(asked, 1)
        if not can_model(asked):
            continue
        listed = search._full_columns(board)
        assert len(listed) == 1
        programme = IlpModel(board, False, listed)
        check_proven(programme, asked, seed)
        compared += 1
        if compared == BOARDS:
            return
    raise AssertionError(f"only {compared} boards can be modelled")


def test_of_few_kinds_all_known_or_of_many_routes_none_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = TinyBoard(2000, 5).problem(fleet("standard"))
    search, board = listing(asked, 2)
    assert len(search.known) == 2 and search._full_columns(board) == {}
    search, board = listing(asked, 1)
    ((kind, columns),) = search._full_columns(board).items()
    assert columns == search.known[kind]
    monkeypatch.setattr(searching, "MOST_LISTED", len(columns) - 1)
    assert search._full_columns(board) == {}


def test_a_search_that_loses_its_patience_comes_to_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    made, programmes = IlpModel.__init__, list[bool]()

    def counted(
        self: IlpModel, board: SearchBoard, by_pieces: bool, listed: dict[tuple[object, ...], list[RouteColumn]]
    ) -> None:
        programmes.append(bool(listed))
        made(self, board, by_pieces, listed)

    monkeypatch.setattr(IlpModel, "__init__", counted)
    boards = [TinyBoard(seed, 8 + seed % 5).problem(fleet(kind)) for kind in SEVERAL for seed in range(3000, 3008)]
    expected = [best_routes(asked).revenue for asked in boards]
    assert not programmes
    monkeypatch.setattr(enumeration, "WORK", 1)
    for asked, revenue in zip(boards, expected, strict=True):
        for patience in (2, 8, 40):
            monkeypatch.setattr(searching, "WORK_LIMIT", patience)
            found = best_routes(asked)
            validate(asked, found.routes)
            assert (found.revenue, found.bound) == (revenue, revenue)
    assert 3 < programmes.count(True) < len(programmes)


@pytest.mark.parametrize("by_pieces", [False, True])
@pytest.mark.parametrize("kind", few(KINDS, *range(0, len(KINDS), 5)))
def test_agrees_with_listing_all_routes(kind: str, by_pieces: bool) -> None:
    """Over chains and over single pieces of track, on random boards with every kind of train and bonus."""
    compared = 0
    for seed in range(1000, 1200):
        asked = TinyBoard(seed, 5 + seed % 8).problem(fleet(kind))
        if not can_model(asked, by_pieces):
            continue
        marks = tuple(bonus.segments for bonus in asked.bonuses if isinstance(bonus, TrackBonus))
        programme = IlpModel(SearchBoard(asked, Contraction(asked.graph, marks)), by_pieces)
        check_proven(programme, asked, seed)
        compared += 1
        if compared == BOARDS:
            return
    raise AssertionError(f"only {compared} boards can be modelled")


@pytest.mark.parametrize("kind", few(KINDS, *range(1, len(KINDS), 6)))
def test_told_what_has_been_found_it_looks_for_what_earns_more(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is found already and is best is proven so, with whatever routes of the programme's own; what is not is exceeded,
    however much may be missing as long as closed rounds turn up."""
    monkeypatch.setattr(programme_module, "COARSE", 5.0)
    compared = 0
    for seed in range(2000, 2400):
        asked = TinyBoard(seed, 5 + seed % 8).problem(fleet(kind))
        if not can_model(asked):
            continue
        running = {train.id for train in asked.trains if not train.gathers}
        expected = sum(route.revenue for route in best_routes(asked).routes if route.train in running)
        best = less = IlpModel(build_search_board(asked))
        assert best.run(inf, lambda: inf, expected) and best.bound == expected >= best.best_sum, seed
        if expected:
            for found in (expected // 2, expected - less.step):
                less = IlpModel(build_search_board(asked))
                assert less.run(inf, lambda: inf, found) and less.bound == expected == less.best_sum, (seed, found)
            compared += less.rounds > 0
        if compared == BOARDS:
            return
    raise AssertionError(f"only {compared} boards can be modelled")
