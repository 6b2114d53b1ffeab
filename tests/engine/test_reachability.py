"""Reach over track: walks that use nothing twice, held against a search of all of them."""

from __future__ import annotations

from itertools import chain
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.engine.board.game_map import parse_map
from bot.engine.board.hexes import Layout
from bot.engine.board.reachability import Network, Reachability, network
from bot.engine.board.tile_notation import parse_tiles
from bot.engine.board.track import Segment, Side, Stop, StopInfo, TrackGraph, side
from bot.engine.board.track_index import printed_index
from bot.engine.ids import HexId
from bot.engine.state.board import Board, PlacedTile
from tests.engine.routes.tiny import TinyBoard
from tests.families import in_two_lengths

LAYOUT = Layout(is_flat=False, letter_is_x=False)

BLANK = parse_map(
    "\n".join(f"{row}{column} white" for row in "ABCD" for column in range(1 + "ABCD".index(row) % 2, 9, 2)), LAYOUT
)
"""A board of four rows of four spaces."""

TILES = parse_tiles(
    """
    9 yellow x* | 0-3
    8 yellow x* | 0-2
    7 yellow x* | 0-1
    57 yellow x* city:20 | 0-c0 c0-3
    24 green x* | 0-3 0-2
    16 green x* | 0-2 1-3
    14 green x* city:30/2 | 0-c0 1-c0 3-c0 4-c0
    59 green x* city:40 city:40 | 0-c0 2-c1
    40 brown x* | 0-2 2-4 0-4
    43 brown x* | 0-3 0-2 1-3 1-2
    47 brown x* | 0-3 1-4 1-3 0-4
    45 brown x* | 0-3 2-4 0-4 2-3
    63 brown x* city:40/2 | 0-c0 1-c0 2-c0 3-c0 4-c0 5-c0
    87 green x* town:10 | 0-t0 1-t0 2-t0 3-t0
    70 red x* offboard:20 | 0-o0 1-o0 2-o0
    71 red x* city:20 | 0-c0! 1-c0! 2-c0
    78 gray x* | 0-2~ 0-3
    12 gray x* | 0(2.0)-3 0(2.1)-2
    """
)


GROUND = printed_index(BLANK, TILES)


def built(map_text: str, *laid: str) -> TrackGraph:
    tiles = {words[1]: PlacedTile(words[0], int(words[2])) for words in (line.split() for line in laid)}
    return printed_index(parse_map(map_text, LAYOUT), TILES).updated_for(Board(tiles)).graph


def connected(graph: TrackGraph, one: Stop, other: Stop) -> bool:
    return other in network(graph, [one]).stops


def brute_force(graph: TrackGraph, sources, blocked, apart=()) -> Network:
    """Every walk from every source, tried."""
    reached: set = set(sources)
    numbers: set[int] = set()
    arrivals: set = set()

    def walk(here, came_by, used) -> None:
        for number in graph.segments_at.get(here, ()):
            segment = graph.segments[number]
            there = segment.ends[1] if segment.ends[0] == here else segment.ends[0]
            if number in used or any(there in group and not used.isdisjoint(group) for group in apart):
                continue
            if came_by is not None and isinstance(here, Side) and graph.segments[came_by].hex == segment.hex:
                continue
            if came_by is not None and isinstance(here, Stop) and segment.is_terminal:
                continue
            numbers.add(number)
            if there in used:
                continue
            reached.add(there)
            if isinstance(there, Side):
                arrivals.add((there, there.b if there.a == segment.hex else there.a))
            ends_there = isinstance(there, Stop) and (
                segment.is_terminal or there in blocked or graph.stops[there].kind == "offboard"
            )
            if not ends_there:
                walk(there, number, used | {number, there})

    for source in sources:
        walk(source, None, {source})
    stops = frozenset(end for end in reached if isinstance(end, Stop))
    assert {crossing for crossing, _ in arrivals} == {end for end in reached if isinstance(end, Side)}
    return Network(stops, frozenset(numbers), frozenset(arrivals))


@st.composite
def boards(draw):
    spaces = draw(st.lists(st.sampled_from(sorted(BLANK.hexes)), min_size=2, max_size=16, unique=True))
    tiles = {space: PlacedTile(draw(st.sampled_from(sorted(TILES))), draw(st.integers(0, 5))) for space in spaces}
    return GROUND.updated_for(Board(tiles)).graph


def of_stops_that_are_apart_a_walk_visits_one(graph, data):
    stops = sorted(graph.stops)
    if not stops:
        return
    starts = data.draw(st.lists(st.sampled_from(stops), min_size=1, max_size=3, unique=True))
    blocked = data.draw(st.sets(st.sampled_from(stops), max_size=2)).difference(starts)
    order = data.draw(st.permutations(stops))
    apart = (frozenset(order[:3]), frozenset(order[3:5]))
    expected = brute_force(graph, starts, blocked, apart)
    assert network(graph, starts, blocked, apart) == expected


test_of_stops_that_are_apart_a_walk_visits_one, test_of_many_stops_that_are_apart_a_walk_visits_one = in_two_lengths(
    of_stops_that_are_apart_a_walk_visits_one, 50, 150, boards(), st.data()
)


def test_track_into_a_stop_that_is_apart_is_found_though_all_arrivals_are_known():
    texts = [
        "A7 63 0",
        "B2 9 0",
        "B6 14 1",
        "A3 59 1",
        "C1 57 4",
        "C5 7 2",
        "A5 14 3",
        "D4 47 5",
        "A1 87 2",
        "B8 70 0",
        "D6 8 1",
    ]
    laid = {words[0]: PlacedTile(words[1], int(words[2])) for words in (text.split() for text in texts)}
    graph = GROUND.updated_for(Board(laid)).graph
    starts = [Stop("B6", "c0"), Stop("A7", "c0"), Stop("A3", "c0")]
    apart = (frozenset(starts[:2]), frozenset({Stop("B8", "o0"), Stop("A5", "c0"), Stop("A3", "c1")}))
    expected = brute_force(graph, starts, {Stop("B8", "o0")}, apart)
    assert network(graph, starts, {Stop("B8", "o0")}, apart) == expected


def test_track_between_two_stops_that_are_apart_leads_nowhere():
    start, one, other = (Stop("B4", name) for name in ("c0", "c1", "c2"))
    ends = [(start, one), (start, other), (one, other)]
    segments = {number: Segment(HexId("B4"), both) for number, both in enumerate(ends)}
    graph = TrackGraph(segments, dict.fromkeys((start, one, other), StopInfo("city", "B4")), frozenset())
    assert network(graph, [start]).segments == {0, 1, 2}
    assert network(graph, [start], apart=[frozenset({one, other})]).segments == {0, 1}
    starts = [Stop(HexId("B2"), "c0"), start]
    assert network(graph, starts, apart=[frozenset({one, other})]) == Network(
        frozenset({*starts, one, other}), frozenset({0, 1}), frozenset()
    )


def test_with_stops_kept_apart_and_without_it_is_asked_on_the_same_ground():
    """Track of two spaces joins both cities of a third."""
    ends = {"B4": ("A3", "A5"), "A3": ("B4", "A5"), "A5": ("B4", "A3")}
    edges = {
        name: [BLANK.neighbours[HexId(name)].index(HexId(other)) for other in others] for name, others in ends.items()
    }
    text = "B4 white city:20 city:20 | {}-c0 {}-c1\nA3 white | {}-{}\nA5 white | {}-{}".format(*chain(*edges.values()))
    ground, (start, other) = printed_index(parse_map(text, LAYOUT), TILES, True), (Stop("B4", "c0"), Stop("B4", "c1"))
    for _ in range(2):
        assert ground.network([start], ()).stops == {start}
        assert ground.network([start], (), keeps_apart=False).stops == {start, other}


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_reach_on_a_board_that_changes_is_what_all_walks_reach(data):
    """Tiles are added, replaced and taken away, cities are filled and freed."""
    homes = data.draw(st.sampled_from([["B4"], ["B4", "C5"], ["B4", "B6", "D4"]]))
    ground, laid, starts = (
        GROUND,
        {home: PlacedTile("57", 1) for home in homes},
        [Stop(HexId(home), "c0") for home in homes],
    )
    for space in data.draw(st.lists(st.sampled_from(sorted(BLANK.hexes)), min_size=2, max_size=10)):
        tile = data.draw(st.sampled_from(["57", "14", "63"] if space in homes else [None, *sorted(TILES)]))
        laid.pop(space, None)
        if tile:
            laid[space] = PlacedTile(tile, data.draw(st.integers(0, 5)))
        ground = ground.updated_for(Board(dict(laid)))
        blocked = data.draw(st.sets(st.sampled_from(sorted(ground.graph.stops)), max_size=3)).difference(starts)
        assert ground.network(starts, blocked) == brute_force(ground.graph, starts, blocked)


def test_one_search_is_enough_for_several_stops():
    ground = GROUND.updated_for(
        Board(
            {"B4": PlacedTile("57", 1), "B6": PlacedTile("57", 1), "B8": PlacedTile("57", 1), "C3": PlacedTile("57", 0)}
        )
    )
    starts = [Stop(HexId(name), "c0") for name in ("B4", "B6", "C3")]
    with patch("bot.engine.board.track_index.Reachability", wraps=Reachability) as begun:
        assert ground.network(starts, ()).stops == {*starts, Stop(HexId("B8"), "c0")}
    assert begun.call_count == 1


def test_where_track_is_added_the_search_goes_on():
    laid = {"B4": PlacedTile("57", 1), "B6": PlacedTile("9", 1)}
    ground, start = GROUND.updated_for(Board(laid)), Stop("B4", "c0")
    assert ground.network([start], ()).stops == {start}
    longer = {**laid, "B8": PlacedTile("57", 1)}
    with patch.object(Reachability, "__init__", side_effect=AssertionError("begun anew")):
        ground = ground.updated_for(Board(longer))
        assert ground.network([start], ()).stops == {start, Stop("B8", "c0")}
        ground = ground.updated_for(Board({**longer, "B6": PlacedTile("24", 1)}))
        assert {end.b for end in ground.network([start], ()).crossings} > {"B6", "B8"}
        with pytest.raises(AssertionError, match="begun anew"):
            ground.updated_for(Board(laid)).network([start], ())


def test_the_search_goes_on_from_each_of_several_stops():
    towards = BLANK.neighbours[HexId("D4")].index(HexId("C3"))
    laid = {"B4": PlacedTile("57", 1), "C3": PlacedTile("57", 1), "D4": PlacedTile("57", towards)}
    starts = [Stop(HexId("B4"), "c0"), Stop(HexId("C3"), "c0")]
    ground = GROUND.updated_for(Board(laid))
    assert ground.network(starts, ()).stops == {*starts}
    with patch.object(Reachability, "__init__", side_effect=AssertionError("begun anew")):
        ground = ground.updated_for(Board({**laid, "C3": PlacedTile("63", 0)}))
        assert ground.network(starts, ()) == brute_force(ground.graph, starts, ())
        assert Stop("D4", "c0") in ground.network(starts, ()).stops


def reach_is_what_all_walks_reach(graph, data):
    stops = sorted(graph.stops)
    if not stops:
        return
    sources = data.draw(st.lists(st.sampled_from(stops), min_size=1, max_size=3, unique=True))
    blocked = data.draw(st.sets(st.sampled_from(stops))) - set(sources)
    expected = brute_force(graph, sources, blocked)
    assert network(graph, sources, blocked) == expected


test_reach_is_what_all_walks_reach, test_reach_is_what_all_walks_of_many_boards_reach = in_two_lengths(
    reach_is_what_all_walks_reach, 100, 300, boards(), st.data()
)


def test_plain_track_between_two_cities():
    graph = built("A1 white\nA3 white\nA5 white", "57 A1 1", "9 A3 1", "57 A5 1")
    reach = network(graph, [Stop("A1", "c0")])
    assert reach.stops == {Stop("A1", "c0"), Stop("A5", "c0")}
    assert reach.crossings == {side("A1", "A3"), side("A3", "A5")}


def test_a_dead_end_is_a_crossing_too():
    graph = built("A1 white\nA3 white", "57 A1 1")
    assert network(graph, [Stop("A1", "c0")]).crossings == {side("A1", "A3")}


def test_a_blocked_city_is_reached_but_not_passed():
    graph = built("A1 white\nA3 white\nA5 white", "57 A1 1", "57 A3 1", "57 A5 1")
    reach = network(graph, [Stop("A1", "c0")], {Stop("A3", "c0")})
    assert reach.stops == {Stop("A1", "c0"), Stop("A3", "c0")}
    assert connected(graph, Stop("A1", "c0"), Stop("A5", "c0"))  # 1848 §5.3.2: whatever tokens stand in the way


def test_nothing_runs_through_an_offboard_area():
    graph = built("A1 white\nA3 red offboard:20 | 1-o0 4-o0\nA5 white", "57 A1 1", "57 A5 1")
    assert network(graph, [Stop("A1", "c0")]).stops == {Stop("A1", "c0"), Stop("A3", "o0")}


def test_terminal_track_is_no_way_through():
    graph = built("A1 white\nA3 red city:20 | 1-c0! 4-c0\nA5 white", "57 A1 1", "57 A5 1")
    assert not connected(graph, Stop("A1", "c0"), Stop("A5", "c0"))
    assert not connected(graph, Stop("A5", "c0"), Stop("A1", "c0"))
    assert connected(graph, Stop("A3", "c0"), Stop("A1", "c0"))


def test_a_walk_does_not_turn_back_at_a_junction():
    """At A3 the track from A1 forks to A5 and B4; from A5 one cannot go on to B4."""
    graph = built("A1 white\nA3 white\nA5 white\nB4 white", "57 A1 1", "24 A3 1", "57 A5 1", "57 B4 2")
    assert connected(graph, Stop("A1", "c0"), Stop("A5", "c0"))
    assert not connected(graph, Stop("A5", "c0"), Stop("B4", "c0"))


def test_a_loop_that_comes_back_through_the_same_crossing_does_not_count():
    """The junction at B4 can only be taken backwards after going round a loop of three spaces beyond it."""
    name = "balloon"
    segments = (
        Segment("A", (Stop("A", "c0"), side("A", "B"))),
        Segment("B", (side("A", "B"), side("B", "C"))),
        Segment("B", (side("B", "C"), side("B", "X"))),
        Segment("C", (side("B", "C"), side("C", "D"))),
        Segment("C", (side("B", "C"), side("C", "E"))),
        Segment("D", (side("C", "D"), side("D", "E"))),
        Segment("E", (side("D", "E"), side("C", "E"))),
        Segment("X", (side("B", "X"), Stop("X", "c0"))),
    )
    stops = {Stop("A", "c0"): StopInfo("city", name), Stop("X", "c0"): StopInfo("city", name)}
    reach = network(TrackGraph(dict(enumerate(segments)), stops, frozenset()), [Stop("A", "c0")])
    assert Stop("X", "c0") not in reach.stops
    assert reach.segments == {0, 1, 3, 4, 5, 6}  # but not 2, which leads to X


def test_parallel_lanes_do_not_meet():
    game_map = "A1 white city:0 | 4(2.1)-c0\nA3 white city:0 city:0 | 1(2.0)-c0 1(2.1)-c1"
    graph = built(game_map)
    assert connected(graph, Stop("A1", "c0"), Stop("A3", "c0"))
    assert not connected(graph, Stop("A1", "c0"), Stop("A3", "c1"))


def test_narrow_track_is_for_those_who_run_on_it():
    graph = built("B2 white\nB4 white\nB6 white\nA5 white", "57 B2 1", "78 B4 1", "57 B6 1", "57 A5 0")
    broad = network(
        graph.subgraph(number for number, segment in graph.segments.items() if not segment.kind), [Stop("B2", "c0")]
    )
    assert broad.stops == {Stop("B2", "c0"), Stop("B6", "c0")}
    assert network(graph, [Stop("B2", "c0")]).stops == broad.stops | {Stop("A5", "c0")}


def test_a_gauge_border_is_named_from_either_side():
    graph = built("A1 white gauge@4\nA3 white gauge@1", "57 A1 1", "9 A3 1")
    assert graph.gauge_sides == {side("A1", "A3")}


def test_track_that_leads_off_the_map_or_into_a_wall_is_left_out():
    graph = built("A1 white wall@4\nA3 white", "57 A1 1", "57 A3 1")
    assert graph.segments == {}
    assert set(graph.stops) == {Stop("A1", "c0"), Stop("A3", "c0")}


@pytest.mark.parametrize("turn", range(6))
def test_a_dense_board_is_searched_at_once(turn):
    """All sixteen spaces full of junctions: the proofs must not try every walk."""
    tiles = {
        space: PlacedTile(("43", "47", "45", "40")[number % 4], (number * 5 + turn) % 6)
        for number, space in enumerate(BLANK.hexes)
    } | {"B4": PlacedTile("63", 0), "C5": PlacedTile("63", 0)}
    graph = GROUND.updated_for(Board(tiles)).graph
    reach = network(graph, [Stop("B4", "c0")])
    assert Stop("C5", "c0") in reach.stops


def test_a_stop_leads_on_when_two_pieces_of_track_run_through_it() -> None:
    for seed in range(40):
        graph = TinyBoard(seed).graph
        for stop in graph.points.of_stop:
            through = [number for number in graph.segments_at[stop] if not graph.segments[number].is_terminal]
            assert graph.points.leads_on(stop) == (stop not in graph.termini and len(through) > 1)
