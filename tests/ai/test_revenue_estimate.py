"""What trains would run for: asked once, kept as long as it holds."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.ai.company_forecast import kinds_of
from bot.ai.fuzzer import BUILDER, draw_action
from bot.ai.revenue_estimate import (
    MOST_BOARDS,
    board_fingerprint,
    estimate_revenue,
    get_or_find,
    is_running,
    reach_fingerprint,
    reach_upper_bound,
)
from bot.engine.board.track import Stop
from bot.engine.chance import SeededRandom
from bot.engine.ids import CompanyId, HexId, TileId, TrainId
from bot.engine.play.game import Game, options_for_chance
from bot.engine.routes.estimates import Estimates
from bot.engine.routes.revenue.model import JointBonus, PairBonus, RouteProblem
from bot.engine.routes.search import best_routes
from bot.engine.state.board import PlacedTile
from bot.engine.state.state import Train
from bot.titles.registry import TITLES
from bot.titles.t18gb.components import STOP_BONUS
from tests.ai.recorded_openings import position
from tests.families import few


def test_the_boards_asked_about_last_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """One for all trains, those longest unasked forgotten first; and what other trains earn is another question."""
    boards: dict[bytes, Estimates] = {}
    monkeypatch.setattr("bot.ai.revenue_estimate.FOUND", {})
    monkeypatch.setattr("bot.ai.revenue_estimate.BOARDS", boards)
    game = position(80)
    assert estimate_revenue(game, CompanyId("SAR"), ("2",)) < estimate_revenue(game, CompanyId("SAR"), ("2", "2"))
    assert len(boards) == 1
    known: dict[int, int] = {}
    asked: list[int] = []
    for number in (*range(MOST_BOARDS), 1, MOST_BOARDS, MOST_BOARDS + 1, 1, 0):
        assert get_or_find(known, number, lambda number=number: asked.append(number) or number + 1) == number + 1
    assert asked == [*range(MOST_BOARDS + 2), 0] and len(known) == MOST_BOARDS


@pytest.mark.parametrize("title", few(TITLES, 3))
def test_what_was_searched_for_once_is_what_is_found_there_now(title: str) -> None:
    """Nothing that routes depend on is left out of what an answer is kept by: track, tokens, values, privates, phase."""
    noun, chance = TITLES[title], SeededRandom(7)
    game = Game.new(noun, ["Ann", "Bob", "Cid"], options_for_chance(noun, {}), 7)
    compared = 0
    for move in range(900):
        if game.state.finished:
            break
        game.apply(draw_action(noun, game.legal_actions(), BUILDER, chance))
        for company in list(game.state.companies) if move % 9 == 0 else []:
            kinds = kinds_of(game, company)
            if kinds and is_running(game, game.company(company)):
                compared += 1
                assert estimate_revenue(game, company, kinds) == searched(game, company, kinds), (move, company)
    assert compared > 40


def paid_place(title: str) -> tuple[Game, CompanyId, HexId]:
    """A game of chance, a company whose trains earn something, and a place that they visit."""
    noun, chance = TITLES[title], SeededRandom(7)
    game = Game.new(noun, ["Ann", "Bob", "Cid"], options_for_chance(noun, {}), 7)
    for _ in range(400):
        game.apply(draw_action(noun, game.legal_actions(), BUILDER, chance))
    running = {company: kinds_of(game, company) for company in game.state.companies}
    company = next(one for one, kinds in running.items() if kinds and estimate_revenue(game, one, kinds) > 0)
    problem = noun.rules.route_problem(game, company, game.state.trains_of(company))
    return game, company, next(stop.hex for route in best_routes(problem).routes for stop in route.stops)


def test_what_a_private_pays_for_a_stop_is_not_kept_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """18BF's privates pay the company that owns them; a ferry once its place has been chosen."""
    game, company, place = paid_place("18BF")
    bridge, ferry = list(game.state.privates)[:2]
    monkeypatch.setattr("bot.titles.t18bf.components.STOP_BONUS", {bridge: (place, 50)})
    found = []
    for owner in (None, company, game.controller_of(company)):
        game.state.privates[bridge].owner = game.state.privates[ferry].owner = owner
        for game.state.special.ferries in ({}, {ferry: place}):
            game.board_changed()
            found.append(estimate_revenue(game, company, kinds_of(game, company)))
            assert found[-1] == searched(game, company, kinds_of(game, company))
    assert len(set(found)) == 3, "with neither, with the first, with both"


def test_what_a_closed_private_pays_its_owners_companies_is_not_kept_for_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """18GB's privates pay the companies of whoever owned them when they were closed."""
    game, company, place = paid_place("18GB")
    private = next(iter(game.state.privates.values()))
    monkeypatch.setitem(STOP_BONUS, private.id, (place, 50))
    found = []
    for private.owner in (None, game.controller_of(company)):
        for private.closed in (False, True):
            game.board_changed()
            found.append(estimate_revenue(game, company, kinds_of(game, company)))
            assert found[-1] == searched(game, company, kinds_of(game, company))
    assert len(set(found)) == 2, "with it and without"


def searched(game: Game, company: CompanyId, kinds: tuple[str, ...]) -> int:
    """What such trains run for by a search of its own."""
    cards = [Train(TrainId(f"{at}"), game.title.trains[kind].family, kind, company) for at, kind in enumerate(kinds)]
    problem = game.title.rules.route_problem(game, company, cards)
    return Estimates(problem).revenue(problem.trains)


def test_an_answer_is_kept_by_all_that_routes_depend_on_and_by_nothing_out_of_reach() -> None:
    game, company = position(58), CompanyId("SAR")
    problem = game.title.rules.route_problem(game, company, game.state.trains_of(company))
    kept, reached = board_fingerprint(game, company, problem), game.board_rules.network(game, company)
    near = min(reached.stops)
    far = next(stop for stop in problem.values if stop not in reached.stops)

    def dearer(stop: Stop) -> RouteProblem:
        worth = problem.values[stop]
        return replace(problem, values={**problem.values, stop: replace(worth, revenue=worth.revenue + 10)})

    bonus = PairBonus("there and back", "a", "b", 10)
    others = [
        dearer(near),
        replace(problem, own=problem.own ^ {near}),
        replace(problem, blocked=problem.blocked ^ {near}),
        replace(problem, bonuses=(bonus,)),
        replace(problem, joint=(JointBonus("all together", "a", "b", 10),)),
        replace(problem, shared=frozenset(list(reached.crossings)[:1])),
    ]
    assert kept not in [board_fingerprint(game, company, other) for other in others]
    assert board_fingerprint(game, company, dearer(far)) == kept
    board = game.state.board
    for stop, is_same in ((far, True), (near, False)):
        game.state.board = board.copy()
        game.state.board.tiles[stop.hex] = PlacedTile(TileId("57"), 3)
        assert (board_fingerprint(game, company, problem) == kept) is is_same


def test_whereabouts_are_the_same_until_something_else_lies_in_reach() -> None:
    """Or a city on the way is closed, or the phase is another."""
    game, company = position(80), CompanyId("SAR")
    here, reached = reach_fingerprint(game, company), reach_upper_bound(game, company)
    near = next(space for space in sorted(reached.hexes) if space in game.state.board.tiles)
    far = next(space for space in game.state.board.tiles if space not in reached.hexes)
    found = []
    for space in (far, near):
        other = game.copy()
        laid = other.state.board.tiles[space]
        other.state.board.tiles[space] = PlacedTile(laid.tile, (laid.rotation + 1) % 6)
        other.board_changed()
        found.append(reach_fingerprint(other, company))
    assert found[0] == here != found[1]
    other = game.copy()
    other.state.phase = "5"
    other.board_changed()
    assert reach_fingerprint(other, company) != here
