"""Trains that earn a network (1820 §15.3.4)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import product

import pytest

from bot.engine.board.track import Stop, side
from bot.engine.routes.revenue.area_revenue import FloodRevenue, Track, flood_parts
from bot.engine.routes.revenue.model import RouteError, RouteProblem, StopValue, TrainSpec
from bot.engine.routes.revenue.paths import read_routes, write_routes
from bot.engine.routes.revenue.score import score, validate
from bot.engine.routes.search import best_routes
from tests.engine.routes.lines import problem, stop, track
from tests.engine.routes.tiny import TinyBoard, every_route

FLOOD = TrainSpec(
    "f", "FLOOD", None, floods=True, earns_bonuses=False, spikes=frozenset({"offboard"}), spiked=frozenset({"port"})
)


def port(*doors: str, revenue: int = 20) -> StopValue:
    """A port that is entered from these stops only."""
    return StopValue("port", revenue, "port", only_from=frozenset(map(stop, doors)))


def test_everything_that_track_joins_to_one_token() -> None:
    """§15.3.4: revenue centres connected to the selected marker, in any direction, each once."""
    graph = track("A1.c0 = A2.c0 = A3.t0", "A2.c0 = B2 = A1.c0", "A2.c0 = C1.c0", "C1.c0 = C2.c0")
    asked = problem(graph, [FLOOD], {"A1.c0": 40}, ["A2.c0"])
    answer = best_routes(asked)
    assert (answer.revenue, answer.proven) == (40 + 10 + 10 + 10 + 10, True)
    assert answer.routes[0].stops[0] == stop("A2.c0")


def test_a_stop_at_terminal_track_leads_on_when_other_track_reaches_it() -> None:
    """The short way into A3 is a dead end; the long way round by A2 is none."""
    graph = track("A1.c0 = A2.c0 = A3.c0 = A4.c0", "A1.c0 = B1 = A3.c0")
    into_a3 = side("A3", "B1")
    pieces = {
        number: piece._replace(is_terminal=piece.hex == "A3" and into_a3 in piece.ends)
        for number, piece in graph.segments.items()
    }
    asked = problem(replace(graph, segments=pieces), [FLOOD], {}, ["A1.c0"])
    answer = best_routes(asked)
    assert answer.revenue == 40
    validate(asked, answer.routes)


def test_not_through_a_city_full_of_others_tokens() -> None:
    """§15.3.4: it is reached and not passed; an open slot or an own token lets through."""
    graph = track("A1.c0 = A2.c0 = A3.c0 = A4.c0")
    assert best_routes(problem(graph, [FLOOD], {}, ["A1.c0"], blocked=["A3.c0"])).revenue == 30


def test_the_token_is_chosen() -> None:
    """§15.3.4: one specific marker; what others reach is not added."""
    graph = track("A1.c0 = A2.c0", "C1.c0 = C2.c0 = C3.c0")
    answer = best_routes(problem(graph, [FLOOD], {}, ["A1.c0", "C1.c0"]))
    assert (answer.revenue, answer.routes[0].stops[0]) == (30, stop("C1.c0"))


def test_ports_pay_for_each_spike_that_has_its_own_line() -> None:
    """§15.3.4: ports times the spikes that reach a token at once without using track twice, at least once."""
    one_line = track("P1.p0 = A1.c0 = A2 = A3.t0 = O1.o0", "A3.t0 = B3 = O1.o0")
    more = {"P1.p0": port("A1.c0"), "O1.o0": StopValue("offboard", 30)}
    asked = problem(one_line, [FLOOD], {}, ["A1.c0"], more=more)
    assert best_routes(asked).routes[0].parts == (("stops", 50), ("port", 20))
    two_lines = track("P1.p0 = A1.c0 = A2 = A3.t0 = O1.o0", "A3.t0 = B3 = O1.o0", "A1.c0 = B1 = A3.t0")
    asked = problem(two_lines, [FLOOD], {}, ["A1.c0"], more=more)
    answer = best_routes(asked)
    assert answer.routes[0].parts == (("stops", 50), ("port x 2", 40))
    assert answer.routes[0].pays[-1] == (stop("P1.p0"), 20) or (stop("P1.p0"), 20) in answer.routes[0].pays


def test_without_an_offboard_ports_pay_once() -> None:
    """§15.3.4: minimum 1."""
    graph = track("P1.p0 = A1.c0 = A2.c0")
    asked = problem(graph, [FLOOD], {}, ["A1.c0"], more={"P1.p0": port("A1.c0")})
    assert best_routes(asked).routes[0].parts == (("stops", 20), ("port", 20))


def test_a_port_belongs_to_the_token_beside_it() -> None:
    """§15.3.4: the marker beside the port must itself be joined to the selected one."""
    graph = track("P1.p0 = A1.c0 = A2.c0 = A3.c0 = P3.p0")
    ports = {"P1.p0": port("A1.c0"), "P3.p0": port()}
    assert best_routes(problem(graph, [FLOOD], {}, ["A1.c0", "A2.c0"], more=ports)).revenue == 30 + 20


def test_another_train_takes_its_track_away() -> None:
    """§15.3.4: not track used by another train; both together earn most."""
    graph = track("A1.c0 = A2.c0 = A3.c0", "A1.c0 = B1 = A2.c0")
    two = TrainSpec("t", "2", 2)
    asked = problem(graph, [FLOOD, two], {"A3.c0": 50}, ["A1.c0"])
    answer = best_routes(asked)
    assert (answer.revenue, answer.proven) == (70 + 20, True)
    validate(asked, answer.routes)


def test_a_network_is_written_short_and_read_back() -> None:
    """The station alone stands for all that the other trains leave; every link may be named as well."""
    graph = track("A1.c0 = A2.c0 = A3.c0", "A1.c0 = B1 = A2.c0", "A2.c0 = C2 = A4.c0")
    asked = problem(graph, [FLOOD, TrainSpec("t", "2", 2)], {"A3.c0": 50}, ["A1.c0"])
    answer = best_routes(asked)
    written = dict(write_routes(asked, answer.routes))
    assert written["f"] == ("A1.c0",)
    again = read_routes(asked, list(written.items()))
    validate(asked, again)
    assert score(asked, again).revenue == answer.revenue
    named = read_routes(asked, [("f", ["A1.c0", "B1", "A2.c0", "A3.c0", "A2.c0", "A2.c0", "C2", "A4.c0"])])
    assert {there.hex for there in named[0].stops} == {"A1", "A2", "A3", "A4"}
    validate(asked, named)


def test_what_a_network_may_not_do() -> None:
    """Each refusal in one sentence."""
    graph = track("A1.c0 = A2.c0 = A3.c0", "C1.c0 = C2.c0")
    two = TrainSpec("t", "2", 2)
    asked = problem(graph, [FLOOD, replace(FLOOD, id="g"), two], {}, ["A1.c0"])
    with pytest.raises(RouteError, match="starts at one of the company's tokens"):
        validate(asked, read_routes(asked, [("f", ["A3.c0", "A2.c0"])]))
    with pytest.raises(RouteError, match=r"has not reached C1\.c0 before"):
        read_routes(asked, [("f", ["A1.c0", "A2.c0", "C1.c0", "C1.c0", "C2.c0"])])
    with pytest.raises(RouteError, match="only one can take all"):
        read_routes(asked, [("f", ["A1.c0"]), ("g", ["A1.c0"])])
    with pytest.raises(RouteError, match="another train uses"):
        validate(asked, read_routes(asked, [("f", ["A1.c0", "A2.c0"]), ("t", ["A1.c0", "A2.c0"])]))


# -- against trying everything ---------------------------------------------------------------------------


BOARDS, MANY = 20, 1000
"""How many random boards each fleet is tried on, in the suite and in the long campaign."""

FLEETS = {
    "flood": [FLOOD],
    "flood and 2": [FLOOD, TrainSpec("t", "2", 2)],
    "two floods": [FLOOD, replace(FLOOD, id="g")],
}


def best_by_dividing(asked: RouteProblem) -> int:
    """The most by trying every way to give each crossing to one of two floods, and every route to other trains."""
    floods = [train for train in asked.trains if train.floods]
    others = [train for train in asked.trains if not train.floods]
    crossings = sorted(
        {end for segment in asked.graph.segments.values() for end in segment.ends if not isinstance(end, Stop)}
    )
    inside = [n for n, segment in asked.graph.segments.items() if all(isinstance(end, Stop) for end in segment.ends)]
    pieces: list[Track] = [*crossings, *inside]
    if 2 ** (len(pieces) * (len(floods) - 1)) > 600:
        return -1
    free = asked.shared | {n for n, s in asked.graph.segments.items() if not asked.shared.isdisjoint(s.ends)}
    best = 0
    for routes in product(*([None, *every_route(asked, train)] for train in others)):
        used: set[Track] = set()
        earned = 0
        for route in routes:
            if route is not None:
                used |= (route.sides | route.segments) - free
                earned += score(asked, [route]).revenue
        for division in product(range(len(floods)), repeat=len(pieces) if len(floods) > 1 else 0):
            total = earned
            for number, flood in enumerate(floods):
                lost = {piece for piece, owner in zip(pieces, division, strict=False) if owner != number} - free
                total += FloodRevenue(asked, flood, used | lost).best_network()[0]
            best = max(best, total)
    return best


def compare(kind: str, seeds: Iterable[int], boards: int) -> None:
    """Search and trying everything agree on the first so many boards that are small enough to try everything."""
    compared = 0
    for seed in seeds:
        asked = TinyBoard(seed, 4 + seed % 4).problem(FLEETS[kind])
        expected = best_by_dividing(asked)
        if expected < 0:
            continue
        answer = best_routes(asked)
        validate(asked, answer.routes)
        assert score(asked, answer.routes).revenue == answer.revenue == expected, seed
        assert answer.proven
        again = read_routes(asked, write_routes(asked, answer.routes))
        validate(asked, again)
        assert score(asked, again).revenue == expected
        compared += 1
        if compared == boards:
            return
    raise AssertionError(f"only {compared} boards were small enough")


@pytest.mark.parametrize("kind", FLEETS)
def test_agrees_with_trying_everything(kind: str) -> None:
    """Tiny random boards."""
    compare(kind, range(200), BOARDS)


@pytest.mark.soak
@pytest.mark.parametrize("kind", FLEETS)
def test_agrees_with_trying_everything_on_many_boards(kind: str) -> None:
    """The long campaign, on other boards than the short one."""
    compare(kind, range(200, 20 * MANY), MANY)


def lines_by_trying(asked: RouteProblem, flooding: FloodRevenue, station: Stop) -> int:
    """The most separate lines from spikes to own tokens, one spike after the other, all ways."""
    graph, reach = asked.graph, flooding.reach(station)
    homes = {there for there in reach.stops if there in asked.own}
    spikes = [
        (there, number)
        for there in reach.stops
        if asked.values[there].kind == "offboard"
        for number in graph.segments_at[there]
    ]

    def onward(here: object, number: int, used: frozenset[object]) -> list[frozenset[object]]:
        if number in used or any(end in used for end in graph.segments[number].ends if not isinstance(end, Stop)):
            return []
        end = graph.other_end(number, here)  # type: ignore[arg-type]
        used = used | {number}
        if end in homes:
            return [used]
        if isinstance(end, Stop):
            if end not in asked.values or asked.ends_at(end) or graph.segments[number].is_terminal:
                return []
            following = [other for other in graph.segments_at[end] if not graph.segments[other].is_terminal]
            return [found for other in following for found in onward(end, other, used)]
        ways = [found for other in graph.next_segments(number, end) for found in onward(end, other, used)]
        return [found | {end} for found in ways]

    def most(index: int, used: frozenset[object]) -> int:
        if index == len(spikes):
            return 0
        best = most(index + 1, used)
        for found in onward(*spikes[index], used):
            best = max(best, 1 + most(index + 1, found))
        return best

    return most(0, frozenset())


def test_the_number_of_spikes_agrees_with_trying_everything() -> None:
    """Tiny random boards with two ports or more."""
    compared = 0
    for seed in range(400):
        asked = TinyBoard(seed, 6 + seed % 5).problem([FLOOD])
        flooding = FloodRevenue(asked, FLOOD)
        for station in asked.own:
            network = flooding.network(station)
            kinds = [asked.values[there].kind for there in network.stops]
            if "port" in kinds and "offboard" in kinds:
                assert network.spikes == lines_by_trying(asked, flooding, station), seed
                assert flood_parts(asked, FLOOD, network.stops, network.spikes)[0][0] == "stops"
                compared += 1
    assert compared > 10
