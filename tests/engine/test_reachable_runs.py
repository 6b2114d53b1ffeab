"""What companies reach and what their trains run, held together on random boards of every title.

Three answers are compared: the network of `engine/map/network.py`, the route search, and trying every line of track by the
printed board (`reach.py`). A best run never leaves what is in reach; nothing in reach is lost.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice

import pytest

from bot.ai.fuzzer import SURVEYOR, RandomGame
from bot.engine.board.track import Stop
from bot.engine.ids import CompanyId
from bot.engine.play.audit import audit_run
from bot.engine.play.game import Game
from bot.engine.refusals import is_permitted
from bot.engine.routes.revenue.model import Route, RouteError, RouteProblem
from bot.engine.routes.revenue.score import score, validate
from bot.engine.routes.search import best_routes
from bot.engine.rule_refs import TrackSections
from bot.engine.state.board import PlacedTile
from bot.engine.state.state import Train
from bot.titles.registry import TITLES
from tests.engine.reachability_oracle import ANY, MOST_WAYS, Walker, Way, only_paying, random_board, random_trains
from tests.families import few

BOARDS, MANY = 8, 1000
"""How many boards of each title are looked at in the suite, and in the long campaign."""

Asking = Callable[[Game, CompanyId, Sequence[Train]], RouteProblem]


def as_the_title_has_it(game: Game, company: CompanyId, trains: Sequence[Train]) -> RouteProblem:
    """The problem that the game itself would give to the route search."""
    return game.title.rules.route_problem(game, company, trains)


def check_board(game: Game, chance: random.Random, asking: Asking = as_the_title_has_it) -> int:
    """Compare what every company with a token reaches and runs; how many could be looked at."""
    return sum(
        check_company(game, company, chance, asking)
        for company in game.title.companies
        if any(True for _ in game.state.board.cities_of(company))
    )


def check_company(game: Game, company: CompanyId, chance: random.Random, asking: Asking) -> bool:
    """Compare the three answers for a company; False if there are too many lines of track to try."""
    walker = Walker(game, company)
    ways = all_ways(walker, sorted(walker.own))
    if ways is None:
        return False
    reach = game.board_rules.network(game, company).stops
    assert reach == walker.own.union(*(way.stops for way in ways))
    problem = asking(game, company, random_trains(game, company, chance))
    check_that_nothing_is_lost(problem, ways, chance)
    check_best_set(game, walker, problem)
    check_best_set(game, walker, replace(problem, trains=(ANY,), bonuses=(), joint=()))
    check_single_train(walker, problem, reach, chance)
    return True


def all_ways(walker: Walker, starts: Sequence[Stop]) -> list[Way] | None:
    """All lines of track from these stops, None if they are too many."""
    ways: list[Way] = []
    for start in starts:
        ways += islice(walker.ways_from(start), MOST_WAYS)
        if len(ways) >= MOST_WAYS:
            return None
    return ways


def may_visit(problem: RouteProblem, way: Way) -> bool:
    """Whether the title lets trains visit the stops, from where they come, and one stop of each group."""
    if any(stop not in problem.values for stop in way.stops):
        return False
    groups = [group for stop in way.stops if (group := problem.group_of(stop))]
    if len(set(groups)) < len(groups):
        return False
    doors = problem.values[way.stops[-1]].only_from
    return doors is None or way.stops[-2] in doors


def check_that_nothing_is_lost(problem: RouteProblem, ways: Sequence[Way], chance: random.Random) -> None:
    """Every way from a token may be run; the search finds one to each stop, and none to what is out of reach."""
    runnable = [way for way in ways if may_visit(problem, way)]
    reached = {stop for way in runnable for stop in way.stops}
    for way in runnable:
        validate(replace(problem, trains=(ANY,)), [way.route(problem, ANY.id)])
    some, others = sorted(reached), sorted(problem.values.keys() - reached)
    for stop in (*chance.sample(some, min(len(some), 3)), *chance.sample(others, min(len(others), 1))):
        assert best_routes(only_paying(problem, stop)).revenue == (stop in reached), stop


def check_best_set(game: Game, walker: Walker, problem: RouteProblem) -> None:
    """Each route of the best run is a line of track that may be run."""
    best = best_routes(problem)
    validate(problem, best.routes)
    for route in best.routes:
        if route.stops and not problem.train(route.train).floods:
            assert walker.may_run(route), route
    assert not audit_run(game, walker.company, problem, best.routes)


def check_single_train(walker: Walker, problem: RouteProblem, reach: frozenset[Stop], chance: random.Random) -> None:
    """One of the trains alone earns as much as the best of all lines of track that it may run."""
    trains = [train for train in problem.trains if not train.floods and not train.gathers]
    ways = all_ways(walker, sorted(reach)) if trains else None
    if not trains or ways is None:
        return
    train = chance.choice(trains)
    alone = replace(problem, trains=(train,))
    routes = [way.route(problem, train.id) for way in ways if problem.values.keys() >= set(way.stops)]
    earned = [score(alone, [route]).revenue for route in routes if is_valid(alone, route)]
    assert best_routes(alone).revenue == max(earned, default=0)


def is_valid(problem: RouteProblem, route: Route) -> bool:
    """Whether the rules of the search let the train run so."""
    try:
        validate(problem, [route])
    except RouteError:
        return False
    return True


# -- the campaign ---------------------------------------------------------------------------------------


def campaign(title: str, seeds: range, asking: Asking = as_the_title_has_it) -> int:
    """The comparison on random boards; how many companies were looked at."""
    looked_at = 0
    for seed in seeds:
        chance = random.Random(seed)
        game = random_board(title, seed, chance.choice((8, 14, 20)))
        looked_at += check_board(game, chance, asking)
    return looked_at


@pytest.mark.parametrize("title", few(TITLES, 1, 3))
def test_runs_keep_to_what_is_in_reach_and_lose_nothing_of_it(title: str) -> None:
    assert campaign(title, range(BOARDS)) > BOARDS


@pytest.mark.soak
@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("title", TITLES)
def test_runs_keep_to_what_is_in_reach_on_many_boards(title: str, part: int) -> None:
    assert campaign(title, range(BOARDS + part * MANY // 4, BOARDS + (part + 1) * MANY // 4)) > MANY // 4


def crowded_board(title: str, seed: int) -> Game:
    """A random board with more tokens in the cities of its tiles than there is room for."""
    game, chance = random_board(title, seed, tiles=20), random.Random(seed)
    board = game.state.board
    companies = sorted(board.token_counts())
    for hex_id in board.tiles:
        for city, _ in enumerate(game.tile_at(hex_id).cities):
            for company in chance.choices(companies, k=chance.randint(0, 2)):
                if not board.has_token(hex_id, company):
                    board.place_token(hex_id, city, company)
    game.board_changed()
    return game


def check_new_track(game: Game) -> Counter[bool]:
    """Compare whether the companies could use new track of every upgrade within reach with a search of the network as it
    would be then; how often they could and could not."""
    land, board, seen = game.board_rules, game.state.board, Counter[bool]()
    for company in sorted(board.token_counts()):
        for hex_id in filter(board.tiles.get, land.reached_hexes(game, company)):
            for tile in land.possible_upgrades(board, hex_id):
                for rotation in land.fitting_rotations(board, tile, hex_id):
                    can_use = is_permitted(land.check_new_track, game, company, tile, hex_id, rotation, TrackSections())
                    would = land.reaches_new_track(game, company, PlacedTile(tile, rotation), hex_id)
                    assert can_use == would, (company, tile, hex_id, rotation)
                    seen[would] += 1
    return seen


@pytest.mark.parametrize("title", few(TITLES, 0, 5))
def test_new_track_can_be_used_where_a_search_of_the_network_as_it_would_be_comes_to_it(title: str) -> None:
    assert (
        min(sum(map(check_new_track, (crowded_board(title, seed) for seed in range(BOARDS))), Counter()).values())
        > BOARDS
    )


@pytest.mark.soak
@pytest.mark.parametrize("title", TITLES)
def test_runs_keep_to_what_is_in_reach_in_random_games(title: str) -> None:
    looked_at = 0
    for seed in range(4):
        table = RandomGame(TITLES[title], max(TITLES[title].players), seed, wanted=SURVEYOR, is_audited=False)
        for game in islice(table.moves(), 0, 1500, 50):
            looked_at += check_board(game, random.Random(game.state.moves))
    assert looked_at


# -- whether it would notice ----------------------------------------------------------------------------


def runs_through_termini(game: Game, company: CompanyId, trains: Sequence[Train]) -> RouteProblem:
    """The search knows of no termini."""
    problem = as_the_title_has_it(game, company, trains)
    stops = {stop: info._replace(is_terminus=False) for stop, info in problem.graph.stops.items()}
    segments = {number: segment._replace(is_terminal=False) for number, segment in problem.graph.segments.items()}
    return replace(problem, graph=replace(problem.graph, stops=stops, segments=segments))


def runs_through_full_cities(game: Game, company: CompanyId, trains: Sequence[Train]) -> RouteProblem:
    """The search knows of no blocked cities."""
    return replace(as_the_title_has_it(game, company, trains), blocked=frozenset())


def visits_all_cities_of_a_space(game: Game, company: CompanyId, trains: Sequence[Train]) -> RouteProblem:
    """The search knows of no groups."""
    problem = as_the_title_has_it(game, company, trains)
    stops = {stop: info._replace(group="") for stop, info in problem.graph.stops.items()}
    return replace(problem, graph=replace(problem.graph, stops=stops))


def stops_in_every_foreign_city(game: Game, company: CompanyId, trains: Sequence[Train]) -> RouteProblem:
    """The search thinks that all cities without the company's token are blocked."""
    problem = as_the_title_has_it(game, company, trains)
    return replace(problem, blocked=problem.values.keys() - problem.own)


@pytest.mark.parametrize(
    ("title", "broken", "first"),
    [
        *few(((title, runs_through_termini, 0) for title in TITLES), 0, 4),
        *few(((title, runs_through_full_cities, 0) for title in TITLES), 1, 5),
        *few(((title, stops_in_every_foreign_city, 0) for title in TITLES), 2, 6),
        ("18BF", visits_all_cities_of_a_space, 73),
    ],
)
def test_the_campaign_notices_a_search_that_knows_other_rules(title: str, broken: Asking, first: int) -> None:
    with pytest.raises((AssertionError, RouteError)):
        campaign(title, range(first, first + 30), broken)
