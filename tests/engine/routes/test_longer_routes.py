"""Trains that choose their stops: what routes alike are said to earn, and what is dropped since a shorter route earns
as much."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from bot.engine.board.track import Stop
from bot.engine.routes.candidates.beam_search import sample
from bot.engine.routes.candidates.chains import Contraction
from bot.engine.routes.candidates.enumeration import Enumeration
from bot.engine.routes.candidates.profile import SearchBoard
from bot.engine.routes.candidates.route_column import RouteColumn, route_of
from bot.engine.routes.revenue.model import (
    JointBonus,
    PairBonus,
    RouteBonus,
    RouteProblem,
    SetBonus,
    StopValue,
    TrackBonus,
    TrainSpec,
)
from tests.engine.routes.dense import dense_problem
from tests.engine.routes.test_brute_force import ALL, LARGE, fleet
from tests.families import few

BOARDS = [15, pytest.param(120, marks=pytest.mark.soak)]
"""How many random boards, in the suite and in the soak."""

SCORED = 50
"""Of how many routes of each board the score is worked out."""

TRAINS = {
    "best of all": fleet("best of all")[0],
    "best cities": fleet("best cities")[0],
    "best with a token": fleet("best with a token and 3")[0],
    "choosy": fleet("choosy")[0],
    "ends": TrainSpec("e", "3E", 3, ALL, optional=ALL, counts_ends=True),
    "ends and a token": TrainSpec("e", "4E", 4, ALL, optional=ALL, counts_ends=True, counts_token=True),
    "small cities": fleet("small cities")[0],
    "unpaid": TrainSpec("u", "2U", 2, LARGE, optional=ALL, unpaid=frozenset({"town"})),
}


def alike(seed: int, train: TrainSpec) -> RouteProblem:
    """A board whose stops differ little: few revenues, few tags, some of one place, some of one group."""
    chance = random.Random(seed)
    problem = dense_problem((train,), width=4, height=3 + seed % 2, every=2, tokens=2, seed=seed)
    tags = chance.sample(["", "E", "K", "EK"], 1 + seed % 3)
    places = [[""], ["", "", "p"]][seed % 2]
    values = {
        stop: _value(worth, stop in problem.own, chance, tags, places) for stop, worth in sorted(problem.values.items())
    }
    printed = {stop: chance.choice([0, 10]) for stop in values if chance.random() < 0.7}
    pair = PairBonus("border", "E", "K", 20, printed if seed % 3 else {})
    some = frozenset(chance.sample(sorted(problem.graph.segments), 3))
    bonuses: list[list[RouteBonus]] = [
        [],
        [pair],
        [SetBonus("E-E", "E", {2: 50})],
        [TrackBonus("tunnel", some, 0, 10), SetBonus("K-K", "K", {2: 10, 3: 60})],
        [TrackBonus("estuary", some, 30), pair],
    ]
    return replace(problem, values=values, bonuses=tuple(bonuses[seed % 5]))


def _value(worth: StopValue, is_own: bool, chance: random.Random, tags: list[str], places: list[str]) -> StopValue:
    kind = "city" if is_own else chance.choice(["city", "city", "town"])
    tagged, place = frozenset(chance.choice(tags)), chance.choice(places)
    group = chance.choice(["", "", "", "g"])
    return replace(worth, kind=kind, revenue=chance.choice([10, 20, 20]), tags=tagged, place=place, group=group)


def enumeration_of(problem: RouteProblem) -> Enumeration:
    """The listing of the first train's routes."""
    marks = tuple(bonus.segments for bonus in problem.bonuses if isinstance(bonus, TrackBonus))
    board = SearchBoard(problem, Contraction(problem.graph, marks, lambda: True))
    return Enumeration(board, problem.trains[0], lambda: None)


def listed(problem: RouteProblem, drops_longer: bool = True) -> dict[int, RouteColumn]:
    """All routes of the first train, or those that are worth their track."""
    enumeration = enumeration_of(problem)
    enumeration.drops_longer &= drops_longer
    enumeration.run()
    return enumeration.found


def looked_at(problem: RouteProblem) -> int:
    """How many routes are looked at to list those of the first train."""
    enumeration, seen = enumeration_of(problem), []
    record = enumeration.record

    def counted(*route: Any) -> int:
        seen.append(route[3])
        return record(*route)

    enumeration.record = counted  # type: ignore[method-assign]
    enumeration.run()
    return len(seen)


@pytest.mark.parametrize("boards", BOARDS)
@pytest.mark.parametrize("kind", few(TRAINS, 1, 5))
def test_what_routes_alike_earn_is_what_each_of_them_scores(kind: str, boards: int) -> None:
    counted = 0
    for seed in range(boards):
        enumeration = enumeration_of(alike(seed, TRAINS[kind]))
        enumeration.drops_longer = False
        enumeration.run()
        found = list(enumeration.found.values())
        for column in random.Random(seed).sample(found, min(SCORED, len(found))):
            route = route_of(column.one, column.other, enumeration.train)
            assert enumeration.profile.exact_revenue(route) * enumeration.multiplier == column.revenue
            counted += 1
    assert counted > 20 * boards


@pytest.mark.parametrize("boards", BOARDS)
@pytest.mark.parametrize("kind", few(TRAINS, 0))
def test_a_shorter_route_earns_as_much_as_each_that_was_dropped(kind: str, boards: int) -> None:
    dropped = 0
    for seed in range(boards):
        problem = alike(seed, TRAINS[kind])
        everything, kept = listed(problem, False), listed(problem)
        dropped += len(everything) - len(kept)
        for mask, column in everything.items():
            assert any(not other & ~mask and kept[other].revenue >= column.revenue for other in kept)
    assert (dropped > 20 * boards) == (kind != "unpaid")


def test_where_routes_earn_together_a_longer_one_may_bring_what_others_lack() -> None:
    problem = alike(1, TRAINS["best of all"])
    assert enumeration_of(problem).drops_longer
    together = replace(problem, joint=(JointBonus("E-K", "E", "K", 40),), trains=(*problem.trains, TRAINS["choosy"]))
    assert not enumeration_of(together).drops_longer


def test_a_sample_drops_nothing_since_it_does_not_look_at_all_shorter_routes() -> None:
    enumeration = enumeration_of(alike(1, TRAINS["best of all"]))
    assert enumeration.drops_longer
    columns = sample(enumeration, 1)
    assert columns and not enumeration.drops_longer


def test_a_stop_may_count_for_another_if_bonuses_see_no_less_in_it() -> None:
    problem = dense_problem((TRAINS["best of all"],), width=4, height=3, every=2, tokens=1, seed=1)
    stops = sorted(problem.values)[:6]
    tags = ("", "E", "K", "EK", "E", "E")
    values = {
        stop: replace(problem.values[stop], tags=frozenset(tag), revenue=20)
        for stop, tag in zip(stops, tags, strict=True)
    }
    pair = PairBonus("border", "E", "K", 20, {stops[4]: 0, stops[5]: 10})
    problem = replace(problem, values=values, own=frozenset(stops[:1]), blocked=frozenset(), bonuses=(pair,))
    choice = enumeration_of(problem).choice
    assert choice is not None
    plain, one, other, both, printed_0, printed_10 = (choice.profile.class_of[stop] for stop in stops)
    see_no_less = choice.profile.pairs_no_less
    assert see_no_less(both, one) and see_no_less(both, other) and see_no_less(one, plain) and see_no_less(one, one)
    assert not see_no_less(one, both) and not see_no_less(one, other) and not see_no_less(plain, one)
    assert see_no_less(printed_10, one) and not see_no_less(one, printed_10)
    assert see_no_less(printed_0, one) and see_no_less(one, printed_0)
    first, second = (choice.worths[choice.profile.board.stops[stop]] for stop in (stops[1], stops[4]))
    better = {choice.better[second] >> choice.at[first] & 1, choice.better[first] >> choice.at[second] & 1}
    assert better == {0, 1}, "of two that are as good only one is better"


def test_most_routes_of_a_large_board_are_dropped() -> None:
    problem = dense_problem((TRAINS["best of all"],), width=5, height=4, every=3, tokens=2, seed=3)
    everything, kept = listed(problem, False), listed(problem)
    assert max(column.revenue for column in everything.values()) == max(column.revenue for column in kept.values())
    assert len(kept) * 4 < len(everything)


def test_a_stop_that_a_pair_tells_apart_is_not_waited_for_once_others_pay_more() -> None:
    problem = dense_problem((TRAINS["best of all"],), width=5, height=4, every=3, tokens=2, seed=3)
    stops = sorted(problem.values)
    values = {
        stop: replace(problem.values[stop], tags=frozenset("E" if number % 2 else "K"), revenue=20)
        for number, stop in enumerate(stops)
    }
    own = min(problem.own)
    values[own] = replace(values[own], revenue=10)
    problem = replace(problem, values=values, bonuses=(PairBonus("border", "E", "K", 20),))
    choice = enumeration_of(problem).choice
    assert choice is not None
    stop, size = choice.profile.board.stops, choice.profile.size
    alike = [other for other in stops if other != own and values[other].tags == values[own].tags]
    others = [other for other in stops if values[other].tags != values[own].tags]

    def counts_never(*visited: Stop) -> bool:
        return choice.counts_never(stop[own], sum(choice.ones[stop[one]] for one in (own, *visited)) << size)

    assert counts_never(alike[0], others[0]), "the far end, that is still to come, is the third that counts"
    assert not counts_never(others[0], others[1]), "it may be the only one of its kind"
    assert not counts_never(alike[0]), "all may count"
    marked = replace(problem, bonuses=(*problem.bonuses, TrackBonus("estuary", frozenset(problem.graph.segments), 30)))
    choice = enumeration_of(marked).choice
    assert choice is not None
    size = choice.profile.size
    assert not counts_never(alike[0], others[0]), "the track to the far end pays though that does not count"
    assert counts_never(alike[0], *others[:2])


def test_routes_from_the_middle_come_first_since_less_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = dense_problem((TRAINS["best of all"],), width=6, height=4, every=2, tokens=1, seed=3)
    board = enumeration_of(problem).board
    middle, *_, edge = sorted(board.stops, key=board.distance)
    problem = replace(problem, own=frozenset((middle, edge)), blocked=frozenset())
    from_the_middle = looked_at(problem)
    monkeypatch.setattr(SearchBoard, "distance", lambda board, stop: stop == middle)
    assert from_the_middle < 0.7 * looked_at(problem)
    assert enumeration_of(replace(problem, trains=(fleet("standard")[1],)))._tokens() == sorted((middle, edge))
