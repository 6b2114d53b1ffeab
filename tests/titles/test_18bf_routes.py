"""18BF §10.1 and §10.6: routes, trains and bonuses, each on the real map."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from bot.engine.ids import HexId, Owner, as_company, as_private
from bot.engine.play.game import Game
from bot.engine.play.steps.dividends import operating_turn
from bot.engine.play.steps.routes import best_set, route_problem
from bot.engine.routes.revenue.model import RouteSet
from bot.engine.routes.revenue.score import score, validate
from bot.engine.routes.search import best_routes
from bot.titles.registry import OLDER_VERSIONS
from bot.titles.t18bf.components import REGION
from bot.titles.t18bf.mergers.connections import are_connected, may_join
from tests.message_helpers import told
from tests.titles.builders_18bf import (
    after_privates,
    give_trains,
    in_turn,
    lay,
    legal,
    memory,
    minor,
    public,
    reach_phase,
    token,
)
from tests.titles.positions import act, cash, refused

GREAT_WESTERN = ("57 U11 1", "621 U13 1", "9 U15 1", "4 U17 1", "4 U19 1", "9 U21 1")
"""Cardiff 20 - Bristol 30 - Swindon 10 - Reading 10 - London's western exit 40."""
DOVER_ROAD = ("8 V24 2", "57 V26 1", "4 V28 1")
"""London's south-eastern exit 40 - Chatham 20 - Canterbury 10 - Dover 20/30/40/50."""
WAVERLEY = ("202 D10 0", "8 E9 3", "9 F10 2", "9 G11 2", "4 H12 2")
"""Edinburgh 30 - Carlisle 10 across the border."""
GALLOWAY = ("9 E5 0", "4 F4 0", "9 G3 0")
"""Glasgow's south-western space 30 - Ayr 10 - North Ireland 20/20/30/40."""
PEMBROKE = ("57 U7 1", "8 U5 2", "9 T4 2")
"""Swansea 20 - South Ireland 20/20/30/40."""


def board(
    tiles: Sequence[str], stations: Sequence[tuple[str, int]], phase: str = "2", name: str = "MR", **options: str
) -> Game:
    """A company of Ann's with stations and track."""
    game = after_privates(**options)
    public(game, name, {"@1": 5}, stations=stations)
    reach_phase(game, phase)
    lay(game, *tiles)
    return game


def best(game: Game, *kinds: str, name: str = "MR") -> RouteSet:
    """The best run with these trains."""
    for train in game.state.trains_of(Owner(name)):
        game.state.trains.remove(train)
    give_trains(game, name, *kinds)
    game.board_changed()
    found = best_set(game, as_company(name))
    assert found.proven
    return found


def stops(found: RouteSet) -> list[list[str]]:
    """The spaces of each route that runs."""
    return [[str(stop.hex) for stop in route.stops] for route in found.routes if route.stops]


# -- §10.1 --------------------------------------------------------------------------------------------


def test_10_1_a_route_has_one_of_the_companys_stations_on_it() -> None:
    game = board(GREAT_WESTERN, [("X24", 0)])
    assert best(game, "2").revenue == 0
    token(game, "MR", "U11")
    assert best(game, "2").revenue == 20 + 30 + 10


def test_10_1_it_does_not_pass_through_a_city_full_of_others_but_may_end_there() -> None:
    game = board(GREAT_WESTERN, [("U11", 0)])
    assert best(game, "3").revenue == 20 + 30 + 10 + 10
    minor(game, "BE", "@2")
    assert best(game, "3").revenue == 20 + 30 + 10
    lay(game, "207 U13 1")
    assert best(game, "3").revenue == 20 + 40 + 10 + 10


def test_games_begun_by_the_first_version_run_through_red_areas_as_before() -> None:
    game = board(("57 R28 5", "4 S27 1"), [("R28", 0)], "3")
    game.title = OLDER_VERSIONS["18BF", 1]
    assert best(game, "3").revenue == 50
    game = at_the_run("F1")
    game.title = OLDER_VERSIONS["18BF", 1]
    act(game, "LMS buy F2 for 1")
    assert memory(game).ferries == {"F1": "H2"}
    game = board(DOVER_ROAD[:2], [("V26", 0)])
    game.title = OLDER_VERSIONS["18BF", 1]
    assert is_asked_to_run(game)


@pytest.mark.parametrize("area", ["A13", "H2", "L22", "N4", "S3", "S29", "V30", "X8"])
def test_10_1_a_red_area_ends_a_route(area: str) -> None:
    game = board((), [("U23", 5)])
    problem = route_problem(game, as_company("MR"))
    assert [problem.ends_at(stop) for stop in problem.values if stop.hex == area] == [True]


def test_10_1_no_train_runs_through_a_red_area() -> None:
    """Harwich leads to Colchester and to Ipswich: £20 and £20, not £50 from one to the other."""
    game = board(("57 R28 5", "4 S27 1"), [("R28", 0)], "3")
    found = best(game, "3")
    assert (stops(found), found.revenue) == ([["S29", "R28"]], 40)
    in_turn(game, "MR", "run")
    train = game.state.trains_of(Owner("MR"))[0].id
    assert "the end of a line" in refused(game, f"MR run {train}=S27.t0>S29.o0>R28.c0", "§10.1")
    assert act(game, f"MR run {train}=S29.o0>R28.c0")
    assert operating_turn(game).revenue == 40


def test_10_1_of_the_separate_spaces_of_a_city_one_is_visited() -> None:
    """Yellow Birmingham, Manchester, Leeds, Glasgow; London. A large city of one space is no such group."""
    game = board((), [("U23", 5)])
    token(game, "MR", "U23", 2)
    problem = route_problem(game, as_company("MR"))
    groups = {stop.hex: group for stop in problem.values if (group := problem.group_of(stop))}
    assert {"Q15", "M15", "L16", "D6", "U23", "M11"} <= set(groups)
    assert len({problem.group_of(stop) for stop in problem.values if stop.hex == "Q15"}) == 1
    assert "U13" not in groups


ROUND_BIRMINGHAM = ("BF1 Q15 0", "3 R14 2", "7 Q13 4", "4 Q17 1")
"""Green Birmingham: from its south-western space round by Worcester to its western one, which leads to Coventry."""


def test_10_1_a_company_reaches_nothing_through_two_spaces_of_a_city() -> None:
    """Track (§10.4), stations (§10.5) and takeovers (§12.5) ask for a route; mergers alone may pass from space to space
    (§12.3)."""
    game = board(ROUND_BIRMINGHAM, [("Q15", 0)], phase="3")
    reach = game.board_rules.network(game, as_company("MR"))
    assert {str(stop.hex) for stop in reach.stops} == {"Q15", "R14"}
    assert [stop.node for stop in reach.stops if stop.hex == "Q15"] == ["c0"]
    in_turn(game, "MR", "track")
    assert "MR has no route to that tile on Q19" in refused(game, "MR lay 9 Q19 1", "§10.4")
    token(game, "MR", "Q15", 1)
    in_turn(game, "MR", "track")
    act(game, "MR lay 9 Q19 1")


def test_10_1_takeovers_trace_routes_mergers_pass_through_two_spaces() -> None:
    game = board(ROUND_BIRMINGHAM, [("Q15", 1)], phase="3")
    minor(game, "BG", "@2", at=100)
    assert not may_join(game, as_company("BG"), as_company("MR"))
    assert are_connected(game, [as_company("BG"), as_company("MR")])


def test_10_1_no_track_twice() -> None:
    """Two 2-trains out of London's one south-eastern exit: the second has no way."""
    game = board(DOVER_ROAD, [("U23", 5), ("U23", 5)])
    assert best(game, "2").revenue == 40 + 20
    assert best(game, "2", "2").revenue == 40 + 20


# -- §10.6: trains ------------------------------------------------------------------------------------


def test_10_6_a_2_train_visits_exactly_two_and_skips_small_cities_between() -> None:
    game = board(GREAT_WESTERN, [("U23", 1)])
    found = best(game, "2")
    assert found.revenue == 40 + 30
    assert [[str(stop.hex) for stop, _ in route.pays] for route in found.routes] in ([["U23", "U13"]], [["U13", "U23"]])


def test_10_6_large_cities_are_not_skipped() -> None:
    """A 2-train does not get from London to Cardiff past Bristol, a 3-train counts all three and the border."""
    game = board(GREAT_WESTERN, [("U23", 1), ("U11", 0)])
    assert best(game, "2").revenue == 40 + 30
    assert best(game, "3").revenue == 40 + 30 + 20 + 10


def test_10_6_at_least_two() -> None:
    game = board((), [("U13", 0)])
    lay(game, "621 U13 1")
    assert best(game, "2").revenue == 0


def test_10_6_each_train_has_its_own_route_and_they_may_meet_in_cities() -> None:
    game = board(GREAT_WESTERN, [("U13", 0)])
    assert best(game, "2", "2").revenue == (30 + 20 + 10) + (30 + 10)


def test_10_6_values_of_cities_grow_with_their_tiles() -> None:
    game = board(GREAT_WESTERN, [("U23", 1)])
    lay(game, "BF9 U23 0", "207 U13 1")
    assert best(game, "2").revenue == 50 + 40
    lay(game, "BF10 U23 0", "623 U13 1")
    assert best(game, "2").revenue == 70 + 50
    lay(game, "BF11 U23 0")
    assert best(game, "2").revenue == 100 + 50


@pytest.mark.parametrize(
    ("phase", "dover", "bonus"),
    [("2", 20, 20), ("3", 30, 20), ("4", 30, 20), ("5", 40, 30), ("6", 40, 30), ("7", 50, 30), ("8", 50, 30)],
)
def test_10_6_red_areas_by_phase_and_the_bonus_for_london_and_red(phase: str, dover: int, bonus: int) -> None:
    game = board(DOVER_ROAD, [("U23", 5)], phase)
    assert best(game, "3").revenue == 40 + 20 + dover + bonus


def test_10_6_london_is_for_companies_with_a_station_in_that_part() -> None:
    game = board(GREAT_WESTERN, [("U13", 0), ("U23", 2)])
    assert best(game, "2").revenue == 30 + 20 + 10
    token(game, "MR", "U23", 1)
    assert best(game, "2").revenue == 40 + 30


def test_10_6_no_train_runs_from_london_to_london() -> None:
    """A loop out of the western and into the north-western exit earns nothing."""
    game = board(("7 U21 3", "7 T22 5"), [("U23", 1), ("U23", 2)])
    assert best(game, "2").revenue == 0


def test_10_6_no_train_runs_from_ireland_to_ireland() -> None:
    game = board((*GALLOWAY, *PEMBROKE), [("D6", 0)])
    values = route_problem(game, as_company("MR")).values
    irish = {value.group for stop, value in values.items() if stop.hex in ("H2", "N4", "S3")}
    assert irish == {"Ireland"}


# -- §10.6: borders -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("phase", "bonus"), [("2", 10), ("3", 20), ("4", 20), ("5", 20), ("6", 20), ("7", 30), ("8", 30)]
)
def test_10_6_england_wales(phase: str, bonus: int) -> None:
    game = board(GREAT_WESTERN, [("U11", 0)], phase)
    assert best(game, "2").revenue == 20 + 30 + bonus


@pytest.mark.parametrize(
    ("phase", "bonus"), [("2", 10), ("3", 20), ("4", 20), ("5", 30), ("6", 30), ("7", 40), ("8", 40)]
)
def test_10_6_england_scotland(phase: str, bonus: int) -> None:
    game = board(WAVERLEY, [("D10", 0)], phase)
    assert best(game, "2").revenue == 30 + 10 + bonus


def test_10_6_each_train_claims_a_border_once_two_trains_twice() -> None:
    game = board(GREAT_WESTERN, [("U11", 0), ("U23", 1)])
    assert best(game, "3").revenue == 40 + 30 + 20 + 10
    game = board((*GREAT_WESTERN, *WAVERLEY), [("U11", 0), ("D10", 0)])
    assert best(game, "2", "2").revenue == (20 + 30 + 10) + (30 + 10 + 10)


def test_10_6_scotland_and_wales_on_one_train_count_as_both_borders() -> None:
    game = board((*GREAT_WESTERN, *WAVERLEY), [("U11", 0)])
    problem = route_problem(game, as_company("MR"))
    tags = {str(stop.hex): value.tags for stop, value in problem.values.items()}
    assert tags["D10"] == {"in Scotland", "not in Wales"}
    assert tags["U11"] == {"in Wales", "not in Scotland"}
    assert tags["U13"] == {"not in Wales", "not in Scotland"}
    assert {(bonus.one, bonus.other) for bonus in problem.bonuses} >= {
        ("in Wales", "not in Wales"),
        ("in Scotland", "not in Scotland"),
    }


@pytest.mark.shared
def test_10_6_scottish_and_welsh_centres_are_those_of_the_facts(shared: Path) -> None:
    facts = json.loads((shared / "facts" / "18BF" / "regions.json").read_text())
    irish = set(facts["ireland"])
    for land in ("Scotland", "Wales"):
        assert {hex_id for hex_id, found in REGION.items() if found == land} == set(facts[land.lower()]) - irish
    assert {hex_id for hex_id, found in REGION.items() if found == "Ireland"} == irish


# -- §10.6: Ireland and its ferries -------------------------------------------------------------------


def test_10_6_irish_areas_lie_in_neither_country_by_default() -> None:
    """Glasgow to North Ireland: one in Scotland, one not in Scotland. By option it belongs to Scotland."""
    game = board(GALLOWAY, [("D6", 0)])
    assert best(game, "2").revenue == 30 + 20 + 10
    game = board(GALLOWAY, [("D6", 0)], ireland="coast")
    assert best(game, "2").revenue == 30 + 20


@pytest.mark.parametrize(("phase", "value"), [("2", 20), ("3", 20), ("5", 30), ("7", 40)])
def test_10_6_irish_values_by_phase(phase: str, value: int) -> None:
    border = {"2": 10, "3": 20, "5": 30, "7": 40}[phase]
    assert best(board(GALLOWAY, [("D6", 0)], phase), "2").revenue == 30 + value + border


def two_coasts(*ferries: str) -> Game:
    """A system that reaches North and South Ireland."""
    game = board((*GALLOWAY, *PEMBROKE), [("D6", 0), ("U7", 0)], "6", "LMS")
    for ferry in ferries:
        game.private(Owner(ferry)).owner = Owner("LMS")
    give_trains(game, "LMS", "2")
    return game


def test_10_6_a_ferry_is_assigned_to_one_area_each_round() -> None:
    game = two_coasts("F1")
    in_turn(game, "LMS", "ferries")
    assert set(legal(game, "LMS ferry")) == {"LMS ferry F1 H2", "LMS ferry F1 N4", "LMS ferry F1 S3"}
    act(game, "LMS ferry F1 S3")
    assert memory(game).ferries == {"F1": "S3"}
    values = {str(stop.hex): value.revenue for stop, value in route_problem(game, as_company("LMS")).values.items()}
    assert (values["H2"], values["S3"]) == (30, 40)
    in_turn(game, "LMS", "ferries")
    assert memory(game).ferries == {}
    act(game, "LMS ferry F1 H2")


def test_10_6_ferries_of_one_company_serve_different_areas() -> None:
    game = two_coasts("F1", "F3")
    game.state.board.tokens[HexId("D6")][0].clear()
    lay(game, "9 N6 1")
    game.state.board.place_token(HexId("D6"), 0, as_company("LMS"))
    memory(game).ferries = {}
    in_turn(game, "LMS", "ferries")
    assert len(set(memory(game).ferries.values())) == 2


def test_10_6_two_ferries_to_one_area_are_refused() -> None:
    from bot.engine.refusals import IllegalMove
    from bot.titles.t18bf.privates import AssignFerries, AssignFerry

    game = two_coasts("F1", "F2")
    in_turn(game, "LMS", "ferries")
    memory(game).ferries = {as_private("F1"): HexId("S3")}
    game.frame.at = 5
    with pytest.raises(IllegalMove, match="different areas"):
        AssignFerries().check(game, AssignFerry(Owner("LMS"), as_private("F2"), HexId("S3")))


def test_10_6_where_there_is_nothing_to_choose_ferries_are_assigned_by_themselves() -> None:
    game = two_coasts("F1", "F2")
    in_turn(game, "LMS", "ferries")
    assert memory(game).ferries == {"F1": "H2", "F2": "S3"}
    assert game.step is not None
    assert game.step.name == "run trains"


def at_the_run(*ferries: str) -> Game:
    """The system's run is the question, and Ann has another ferry to sell."""
    game = two_coasts(*ferries)
    game.private(Owner("F2")).owner = Owner("@1")
    in_turn(game, "LMS", "ferries")
    if ferries:
        act(game, "LMS ferry F1 H2")
    assert game.step is not None
    assert game.step.name == "run trains"
    return game


def test_10_and_10_6_a_ferry_bought_when_the_run_is_the_question_serves_in_it() -> None:
    game = at_the_run()
    act(game, "LMS buy F2 for 1")
    assert set(legal(game, "LMS ferry")) == {"LMS ferry F2 H2", "LMS ferry F2 N4", "LMS ferry F2 S3"}
    act(game, "LMS ferry F2 S3")
    assert best_set(game, as_company("LMS")).revenue == 30 + 30 + 30


def test_10_and_10_6_a_second_ferry_serves_another_area_and_the_first_stays() -> None:
    game = at_the_run("F1")
    act(game, "LMS buy F2 for 1")
    assert memory(game).ferries == {"F1": "H2", "F2": "S3"}
    assert game.step is not None
    assert game.step.name == "run trains"


def test_10_and_10_6_a_ferry_bought_of_another_player_serves_as_well() -> None:
    game = at_the_run("F1")
    game.private(Owner("F2")).owner = Owner("@2")
    act(game, "LMS buy F2 for 1", "@2 agree")
    assert memory(game).ferries == {"F1": "H2", "F2": "S3"}


def test_10_6_a_ferry_bought_after_the_run_serves_from_the_next_round_on() -> None:
    game = at_the_run("F1")
    act(game, *legal(game, "LMS run"))
    act(game, "LMS buy F2 for 1")
    assert memory(game).ferries == {"F1": "H2"}


def test_10_6_an_assignment_is_said() -> None:
    game = two_coasts("F1")
    in_turn(game, "LMS", "ferries")
    assert "LMS assigns F1 to North Ireland." in told(game, act(game, "LMS ferry F1 H2"))


# -- §10.6: whether there is a route -------------------------------------------------------------------


def is_asked_to_run(game: Game) -> bool:
    """Whether the company with its train is asked for a run."""
    give_trains(game, "MR", "2")
    in_turn(game, "MR", "run")
    assert game.step is not None
    return game.step.name == "run trains"


def test_10_6_two_stations_that_no_track_joins_are_no_route() -> None:
    assert not is_asked_to_run(board((), [("U11", 0), ("X24", 0)]))
    assert is_asked_to_run(board(GREAT_WESTERN, [("U11", 0), ("X24", 0)]))


def test_10_6_a_part_of_london_without_a_station_is_no_end_of_a_route() -> None:
    assert not is_asked_to_run(board(DOVER_ROAD[:2], [("V26", 0)]))
    assert is_asked_to_run(board(DOVER_ROAD[:2], [("U23", 5)]))


# -- §10.6: privates, plus-trains, 5+5E ---------------------------------------------------------------


def test_10_6_and_7_1_privates_of_the_company_add_to_each_train() -> None:
    game = board((*GREAT_WESTERN, *DOVER_ROAD), [("U23", 5), ("U23", 1)])
    assert best(game, "2", "3").revenue == (40 + 30) + (40 + 20 + 20 + 20)
    for sign in ("P8", "P9"):
        game.private(Owner(sign)).owner = Owner("MR")
        game.private(Owner(sign)).closed = False
    assert best(game, "2", "3").revenue == (60 + 30) + (60 + 20 + 20 + 20)
    game.private(Owner("F7")).owner = Owner("MR")
    assert best(game, "2", "3").revenue == (60 + 30) + (60 + 20 + 50 + 20)
    game.private(Owner("P8")).owner = Owner("@1")
    assert best(game, "2", "3").revenue == (50 + 30) + (50 + 20 + 50 + 20)


@pytest.mark.parametrize(
    ("private", "hex_id", "bonus"),
    [
        ("P6", "G17", 10),
        ("P7", "U23", 10),
        ("P10", "M11", 10),
        ("F4", "L22", 20),
        ("F5", "S29", 20),
        ("F6", "X8", 20),
        ("F7", "V30", 30),
        ("F8", "A13", 30),
        ("U1", "U23", 10),
        ("U2", "U23", 10),
    ],
)
def test_7_1_tables_what_each_private_adds_where(private: str, hex_id: str, bonus: int) -> None:
    from bot.titles.t18bf.routes import extra_values

    game = after_privates(seed=2)
    record = game.state.privates.get(Owner(private))
    if record is None:
        pytest.fail(f"{private} is not in play with this seed")
    record.closed, record.owner = False, Owner("MR")
    assert extra_values(game, as_company("MR"))[HexId(hex_id)] == bonus
    assert extra_values(game, as_company("CR"))[HexId(hex_id)] == 0
    assert extra_values(game, as_company("MR"))[HexId("U13")] == 0


def test_10_6_plus_trains_double_everything() -> None:
    """Phase 8: (40 + 10 + 20 + 50 + 30 + 30) twice, with P-bonus of U1, ferry F7 and London to red."""
    game = board(DOVER_ROAD, [("U23", 5)], "8")
    for sign in ("U1", "F7"):
        game.private(Owner(sign)).owner = Owner("MR")
    assert best(game, "3").revenue == 50 + 20 + 80 + 30
    assert best(game, "3+3").revenue == 2 * (50 + 20 + 80 + 30)
    game = board(GREAT_WESTERN, [("U23", 1), ("U11", 0)], "8")
    assert best(game, "2+2").revenue == 2 * (30 + 20 + 30)
    assert best(game, "4+4").revenue == 2 * (40 + 30 + 20 + 10 + 30)


def test_10_6_5_plus_5_e_counts_the_best_five_of_a_route_twice() -> None:
    """Rhondda 30, Cardiff 20, Bristol 30, Swindon 10, Reading 10, London 40: the five best and the border, twice."""
    game = board((*GREAT_WESTERN, "621 U9 1"), [("U23", 1)], "8", "LMS")
    assert best(game, "5+5E", name="LMS").revenue == 2 * (30 + 20 + 30 + 10 + 40 + 30)
    lay(game, "57 U7 1")
    assert best(game, "5+5E", name="LMS").revenue == 2 * (20 + 30 + 20 + 30 + 40 + 30)


def test_10_6_5_plus_5_e_skips_large_cities_too() -> None:
    """South Ireland 40, Swansea 20, Rhondda 30, Cardiff 20, Bristol 50 brown, Swindon, Reading, London 70: without Ireland
    all large cities count, with it one of the 20s does not; London and red 30, England and Wales 30."""
    game = board((*GREAT_WESTERN, "621 U9 1", "57 U7 1", "623 U13 1", "BF10 U23 0"), [("U23", 1)], "8", "LMS")
    found = best(game, "5+5E", name="LMS")
    assert found.revenue == 2 * (20 + 30 + 20 + 50 + 70 + 30)
    (route,) = found.routes
    assert len(route.pays) == 5
    assert len(route.stops) >= 5
    lay(game, *PEMBROKE)
    found = best(game, "5+5E", name="LMS")
    assert found.revenue == 2 * (40 + 20 + 30 + 50 + 70 + 30 + 30)
    assert [len(route.pays) for route in found.routes] == [5]


# -- §10.6: goods trains ------------------------------------------------------------------------------


@pytest.mark.parametrize(("phase", "mine"), [("5", 50), ("6", 50), ("7", 60), ("8", 60)])
def test_10_6_a_goods_train_earns_the_mine_and_cities_with_stations(phase: str, mine: int) -> None:
    """No route is needed, no border counts: Derby 20, Nottingham 30, Glasgow 30."""
    game = board(("57 O17 1", "621 O19 1"), [("O17", 0), ("O19", 0), ("D6", 0)], phase, "LMS")
    assert best(game, "3G", name="LMS").revenue == mine + 20 + 30 + 30


def test_10_6_up_to_the_number_of_the_train() -> None:
    game = board(("57 O17 1", "621 O19 1"), [("O17", 0), ("O19", 0), ("D6", 0), ("L12", 0)], "6", "LMS")
    lay(game, "57 L12 0")
    assert best(game, "3G", name="LMS").revenue == 50 + 30 + 30 + 20
    assert best(game, "4G", name="LMS").revenue == 50 + 30 + 30 + 20 + 20


def test_10_6_several_goods_trains_choose_different_cities_at_least_one_each() -> None:
    game = board(("57 O17 1", "621 O19 1"), [("O17", 0), ("O19", 0)], "6", "LMS")
    assert best(game, "3G", "3G", name="LMS").revenue == (50 + 20) + (50 + 30)
    game = board(("621 O19 1",), [("O19", 0)], "6", "LMS")
    assert best(game, "3G", "3G", name="LMS").revenue == 50 + 30


def test_10_6_several_stations_in_one_city_count_once_and_for_one_goods_train() -> None:
    """London's western and north-western exits: one city for goods trains."""
    game = board((), [("U23", 1), ("U23", 2)], "6", "LMS")
    assert best(game, "3G", name="LMS").revenue == 50 + 40
    assert best(game, "3G", "4G", name="LMS").revenue == 50 + 40


def test_10_6_the_stations_of_goods_trains_serve_other_trains_as_well() -> None:
    game = board(GREAT_WESTERN, [("U23", 1), ("U13", 0)], "6", "LMS")
    assert best(game, "3G", "2", name="LMS").revenue == (50 + 40 + 30) + (40 + 30)


def test_10_6_goods_trains_get_the_privates_of_their_cities_but_are_not_doubled() -> None:
    game = board((), [("U23", 1)], "6", "LMS")
    game.private(Owner("U1")).owner = Owner("LMS")
    assert best(game, "3G", name="LMS").revenue == 50 + 50


def test_10_6_small_cities_and_red_areas_have_no_stations_for_goods_trains() -> None:
    game = board(DOVER_ROAD, [("U23", 5)], "6", "LMS")
    assert best(game, "5G", name="LMS").revenue == 50 + 40


# -- §10.6: what is declared --------------------------------------------------------------------------


def test_10_6_by_option_the_director_declares_what_he_runs() -> None:
    game = board(GREAT_WESTERN, [("U23", 1)], runs="free")
    give_trains(game, "MR", "2")
    in_turn(game, "MR", "run")
    train = game.state.trains_of(Owner("MR"))[0].id
    (run,) = legal(game, "MR run")
    assert "U13" in run
    act(game, f"MR run {train}=U23.c1>U21>U19.t0")
    act(game, "MR pay")
    assert cash(game, "MR") == 500 + 50 * 5 // 10


def test_10_6_the_highest_earnings_must_be_declared() -> None:
    game = board(GREAT_WESTERN, [("U23", 1)])
    give_trains(game, "MR", "2")
    in_turn(game, "MR", "run")
    train = game.state.trains_of(Owner("MR"))[0].id
    assert "£70" in refused(game, f"MR run {train}=U23.c1>U21>U19.t0", "§10.6")


def test_10_6_a_run_that_breaks_a_rule_is_refused_with_its_reason() -> None:
    game = board(GREAT_WESTERN, [("U23", 1), ("U11", 0)])
    give_trains(game, "MR", "2")
    in_turn(game, "MR", "run")
    train = game.state.trains_of(Owner("MR"))[0].id
    assert refused(game, f"MR run {train}=U23.c1>U21>U19.t0>U17.t0>U15>U13.c0>U11.c0", "§10.1")
    assert refused(game, f"MR run {train}=U23.c1", "§10.1")
    assert refused(game, "MR run 9-9=U23.c1>U21>U19.t0", "§10.6")


def test_10_6_trains_that_can_run_must() -> None:
    game = board(GREAT_WESTERN, [("U23", 1)])
    give_trains(game, "MR", "2")
    in_turn(game, "MR", "run")
    assert "must" in refused(game, "MR run nothing", "§10.6")


# -- crowded boards -----------------------------------------------------------------------------------


def crowded(reach: int) -> Game:
    """London and every space so many hexes around it, built up with the tiles of most exits; stations in two of London's
    cities and at the coast."""
    game = board((), [("U23", 1), ("U23", 3), ("V26", 0)], "8")
    land, london = game.board_rules, HexId("U23")
    for hex_id, space in land.map.hexes.items():
        near = space.is_buildable and hex_id != london and land.map.layout.distance(hex_id, london) <= reach
        old = game.tile_at(hex_id).counts()
        fitting = [
            (len(tile.exits), len(tile.paths), tile.id, rotation)
            for tile in (land.tiles.values() if near else ())
            if bool(tile.counts()[0]) == bool(old[0]) and tile.counts()[1:] == old[1:]
            for rotation in land.rotations(game.state.board, tile.id, hex_id)
        ]
        if fitting:
            _, _, tile_id, rotation = max(fitting)
            land.lay(game.state.board, tile_id, hex_id, rotation)
    game.board_changed()
    return game


@pytest.mark.parametrize("kinds", [("5+5E", "5+5E"), ("4+4", "4+4", "6", "5+5E"), ("6G", "6G", "4+4", "3+3")])
def test_the_best_runs_through_a_crowded_london_are_proven(kinds: tuple[str, ...]) -> None:
    game = crowded(5)
    give_trains(game, "MR", *kinds)
    asked = route_problem(game, as_company("MR"))
    found = best_routes(asked)
    validate(asked, found.routes)
    assert found.proven
    assert found.revenue == score(asked, found.routes).revenue > 500
