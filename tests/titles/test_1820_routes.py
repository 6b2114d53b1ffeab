"""1820 §7.2.3, §14.2, §14.5.2, §15: routes of every kind of train, ports, docks, and the cousins who change them."""

from __future__ import annotations

import pytest

from bot.engine.ids import Owner, as_company
from bot.engine.play.game import Game
from bot.engine.play.steps.routes import best_set
from tests.rearrangement import rearrange
from tests.titles.builders_1820 import floated, in_turn, lay, new_game, reach_phase, refused
from tests.titles.positions import act, cash, token

TRAINS = {"yellow": "2+", "green": "3+", "blue": "5+", "brown": "8+", "red": "5D+", "gray": "FLOOD"}


def board(phase: str, stations: str, tiles: str, cousins: tuple[str, ...] = (), shares: int = 2) -> Game:
    """LSR with stations (`G7 M13.2`) on laid tiles (`G7=150/1 ...`), in a phase; cousins hold one share each."""
    game = new_game(cousins=cousins)
    if phase != "yellow":
        reach_phase(game, phase)
    floated(game, "LSR", shares=10, held={"@1": shares, **dict.fromkeys(cousins, 1)})
    floated(game, "N&PR", held={"@2": 2})
    for word in tiles.split():
        hex_id, _, rest = word.partition("=")
        tile, _, turn = rest.partition("/")
        lay(game, hex_id, tile, int(turn or 0))
    for word in stations.split():
        hex_id, _, city = word.partition(".")
        token(game, "LSR", hex_id, int(city or 0))
    return game


def best(game: Game, *trains: str) -> int:
    """What LSR earns with these trains at best, and no route search is left without a proof."""
    from bot.engine.ids import DEPOT

    for train in game.state.trains_of(Owner("LSR")):
        rearrange(game, train, owner=DEPOT)
    for kind in trains:
        rearrange(
            game,
            next(train for train in game.state.trains if train.kind == kind and train.owner != "LSR"),
            owner=Owner("LSR"),
        )
    game.board_changed()
    found = best_set(game, as_company("LSR"))
    assert found.proven
    return found.revenue


WEST_EAST = "G7=150/1 G9=4/1 G11=57/1 G13=57/1"
"""Birmingham (30), a town (10), two small cities (20 each) in a line from west to east."""


# -- §15.2 --------------------------------------------------------------------------------------------


def test_15_2_from_town_to_city_through_an_own_station() -> None:
    game = board("yellow", "G7", "G7=150/1 G9=4/1")
    assert best(game, "2+") == 40
    game = board("yellow", "G13", "G7=150/1 G9=4/1 G13=57/1 G15=4/1")
    # Birmingham and its town have no station of the company.
    assert best(game, "2+") == 30


def test_15_2_not_through_a_full_city_without_an_own_station() -> None:
    game = board("blue", "G7", WEST_EAST)
    assert best(game, "5+") == 80
    token(game, "N&PR", "G11")
    assert best(game, "5+") == 60
    game = board("blue", "G7", WEST_EAST)
    token(game, "BR", "G11")
    assert best(game, "5+") == 60
    # A green city has an open circle left.
    game = board("blue", "G7", WEST_EAST.replace("G11=57/1", "G11=14/2"))
    token(game, "N&PR", "G11")
    assert best(game, "5+") == 90


@pytest.mark.parametrize(("bridge", "revenue"), [("20/0", 40), ("16/3", 0)])
def test_15_2_separate_lines_of_a_bridge_are_used_by_one_route(bridge: str, revenue: int) -> None:
    # From H8 east over H10, round over H12 and G11, and over H10 once more to the city on I9. Tile 16 turned 3 leads
    # from west to north-east and from east to south-east: no such way.
    game = board("green", "H8", f"H8=57/1 H10={bridge} H12=7/1 G11=7/5 I9=57/0")
    assert best(game, "3+") == revenue


def test_15_2_no_edge_and_no_track_twice_and_no_city_twice() -> None:
    game = in_turn(board("yellow", "G7", WEST_EAST), step="run", trains=["2+"])
    refused(game, "LSR run 2+-0=G7.c0>G9.t0>G7.c0", "twice|more than once|visits", "§15.2")
    refused(game, "LSR run 2+-0=G7.c0>G13.c0", "track|leads|join", "§15.2")


def test_15_2_both_cities_of_an_oo_tile() -> None:
    game = board("green", "C11.0", "C11=67/0 D12=57/2 B10=57/5 C13=57/1 C9=57/1")
    # 67: a city with edges 4 and 0, a city with edges 5 and 2. West C9 is not joined; C13 leads to the first city.
    assert best(game, "3+") == 20 + 50
    # A line from the first city's south-west round to the second one's south-east.
    game = board("green", "C11.0", "C11=67/0 D10=803/2 D12=7/1")
    assert best(game, "5+") == 50 + 50 + 50


def test_15_2_both_cities_of_manchester_and_its_town() -> None:
    # M01 turned 0: cities with edges 5 and 2, and with edges 0 and 3; a town with edge 4 that leads to D8.
    game = board("green", "D8", "D6=M01/0 D8=57/1")
    assert best(game, "3+") == 20 + 10
    # From the second city's south-west over E5 and E7 to the first city's south-east.
    game = board("blue", "D6.0", "D6=M01/0 E5=7/3 E7=7/1")
    assert best(game, "5+") == 50 + 50


def test_15_2_london_only_by_the_own_edge_and_no_further() -> None:
    # M11 leads into London by edge 1, L14 by edge 3.
    tiles = "M11=57/1 L14=57/0"
    game = board("yellow", "M11", tiles)
    assert best(game, "2+") == 0
    game = board("yellow", "M13.1", tiles)
    assert best(game, "3+") == 20 + 40
    game = board("yellow", "M13.3", tiles)
    assert best(game, "3+") == 20 + 40
    game = board("brown", "M13.1", tiles)
    # From its edge one goes on to the docks (80), and nowhere else.
    assert best(game, "8+") == 20 + 80 + 80


def test_15_2_off_boards_are_termini() -> None:
    # Cardiff (30 in the green phase) is reached over K3 and over J4 from the same station.
    game = board("green", "K3", "K3=15/2 J4=7/0")
    assert best(game, "3+") == 30 + 30
    refused(
        in_turn(game, step="run", trains=[]),
        "LSR run 3+-0=K3.c0>J2.o0>J4>K3.c0",
        "twice|more than once|visits|through",
        "§15.2",
    )


def test_15_2_a_port_needs_an_own_station_beside_it_and_two_other_centres() -> None:
    # Bristol's port (30 in the green phase), a city on K3, Cardiff (30).
    game = board("green", "K3", "K3=5/2")
    assert best(game, "3+") == 30 + 20 + 30
    game = board("green", "K3", "K3=57/1 K5=9/1")
    assert best(game, "3+") == 0  # a port and one city
    game = board("green", "K7", "K3=57/1 K5=9/1 K7=57/1")
    assert best(game, "3+") == 20 + 20  # no station on K3
    game = board("green", "K3", "K3=57/1 K5=9/1 K7=57/1")
    assert best(game, "3+") == 30 + 20 + 20


def test_11_liverpools_port_is_worth_the_city_and_20() -> None:
    game = board("green", "C5", "C5=150/1 C7=802/4")
    # 150 turned 1 runs from the port to C7; 802 turned 4 has a city with edges 4 and 1.
    assert best(game, "3+") == (30 + 20) + 30 + 50
    game = board("yellow", "C5", "C5=150/1 C7=802/4")
    assert best(game, "3+") == (30 + 20) + 30 + 50


DOVER = "N18=6/0 O17=148/4"
"""Margate (20), its port to the east, Dover (30) and its port to the east."""


def test_15_2_a_port_at_one_end_only() -> None:
    game = board("green", "N18 O17", DOVER)
    # Margate's port 40, Dover's 30.
    assert best(game, "3+") == 40 + 20 + 30
    refused(
        in_turn(game, step="run"),
        "LSR run 3+-0=N20.o0>N18.c0>O17.c0>O19.o0",
        r"reaches 1 port; this route has 2",
        "§15.2",
    )


DOCKS = "N12=57/0 N16=57/2"
"""A city that leads into London by edge 0, one that leads to Chatham."""


def test_7_2_3_two_trains_run_to_the_docks_from_london_and_chatham() -> None:
    game = board("green", "M13.0 M15", DOCKS)
    # N12 20, London 60, docks 60; N16 20, Chatham 30, docks 60.
    assert best(game, "3+", "3+") == 140 + 110
    game = board("green", "M15", DOCKS + " N14=57/0")
    # From Chatham alone only one of two trains reaches the docks.
    assert best(game, "3+", "3+") == 110 + 50


def test_15_2_trains_of_a_company_share_no_track_but_meet_in_cities() -> None:
    game = board("yellow", "G7 G11", WEST_EAST)
    # G7 to G11, G11 to G13; with a third train G7 to the town, the town to G11, G11 to G13.
    assert best(game, "2+", "2+") == 60 + 40
    assert best(game, "2+", "2+", "2+") == 40 + 30 + 40
    in_turn(game, step="run")
    refused(game, "LSR run 2+-0=G7.c0>G9.t0>G11.c0 2+-1=G9.t0>G11.c0>G13.c0", "use", "§15.2")


# -- §15.3 --------------------------------------------------------------------------------------------


def test_15_3_1_at_most_n_cities_and_off_boards_and_any_towns() -> None:
    game = board("yellow", "G7", WEST_EAST)
    assert best(game, "2+") == 60
    assert best(game, "3+") == 80
    game = board("yellow", "G7", "G5=4/1 G7=150/1 G9=4/1 G11=4/1 G13=57/1")
    assert best(game, "2+") == 10 + 30 + 10 + 10 + 20


def test_15_3_3_n_d_doubles_towns_port_and_the_best_five() -> None:
    line = " ".join(f"G{column}=57/1" for column in (5, 9, 11, 13, 15))
    game = board("red", "G7", f"G7=150/1 {line} G3=4/1")
    # A town, Birmingham, and four of five small cities.
    assert best(game, "5D+") == 2 * (10 + 30 + 4 * 20)
    game = board("red", "K3", "K3=57/1 K5=4/1 K7=57/1")
    # Bristol's port (40), a town (10), two cities: in red as in brown.
    assert best(game, "5D+") == 2 * (40 + 10 + 20 + 20)


def test_15_3_4_floods_multiply_ports_by_the_spikes_that_are_reached_at_once() -> None:
    # Cardiff has a spike towards K3 and one towards J4; both lead to the station on K3 by track of their own.
    game = board("gray", "K3", "K3=15/0 J4=7/0")
    # Station 30, Cardiff 50, Bristol's port 40 twice.
    assert best(game, "FLOOD") == 30 + 50 + 2 * 40
    game = board("gray", "K3", "K3=15/0")
    assert best(game, "FLOOD") == 30 + 50 + 40
    # Without an off-board the port counts once.
    game = board("gray", "K3", "K3=57/1 K5=57/1")
    assert best(game, "FLOOD") == 20 + 20 + 40


def test_15_3_4_a_flood_covers_branches_from_one_station_it_does_not_pass_full_cities() -> None:
    game = board("gray", "G7", "G7=180/1 G9=57/1 H8=57/2 I9=57/2")
    # 180 turned 1 has edges 1, 2 and 4: G9 is joined, H8 is not.
    assert best(game, "FLOOD") == 40 + 20
    game = board("gray", "G7", "G7=198/2 G9=57/1 G11=57/1 H8=57/2 I9=57/2")
    # 198 turned 2 has edges 2, 4, 5 and 1: two arms.
    assert best(game, "FLOOD") == 60 + 4 * 20
    token(game, "N&PR", "G9")
    assert best(game, "FLOOD") == 60 + 3 * 20


def test_15_3_4_a_flood_uses_its_own_track_again_also_back_from_a_town() -> None:
    # The junction on G9 joins Birmingham to the town on G11, and that to the town on F8.
    game = board("gray", "G7", "G7=150/1 G9=23/1 G11=4/1 F8=4/2")
    assert best(game, "FLOOD") == 30 + 10 + 10
    assert best(game, "8+") == 30 + 10


def test_15_3_4_a_station_that_nothing_is_joined_to_earns_nothing() -> None:
    game = board("gray", "G7 K3", "G7=150/1 K3=57/1")
    assert best(game, "FLOOD", "FLOOD") == 20 + 40


def test_15_3_4_track_of_another_train_is_not_flooded() -> None:
    game = board("gray", "G7", "G7=150/1 G9=57/1 G11=57/1 G5=57/1")
    assert best(game, "FLOOD") == 90
    # The other train takes one side of Birmingham, the flood the other one.
    assert best(game, "FLOOD", "3+") == (30 + 20 + 20) + (30 + 20)


# -- §14.2, §14.5.2 -----------------------------------------------------------------------------------


def helped(game: Game, *texts: str) -> Game:
    """Name the trains that a cousin helps, then run the best."""
    from bot.engine.notation.text import format_action
    from bot.engine.play.steps.routes import best_run

    in_turn(game, step="cousins")
    act(game, *texts)
    while game.step.name != "run trains":
        act(game, "LSR pass")
    act(game, format_action(best_run(game, as_company("LSR"))))
    return game


def test_14_2_1_great_western_a_port_at_both_ends_half_of_the_smallest_is_the_cousins() -> None:
    game = board("green", "N18 O17", DOVER, ("GWS",))
    best(game, "3+")
    helped(game, "LSR use GWS for 3+-0")
    assert game.frame.memory.revenue == 40 + 20 + 30 + 30 and cash(game, "GWS") == 15
    # A train a share.
    game = board("green", "N18 O17", DOVER, ("GWS",))
    best(game, "3+", "3+")
    in_turn(game, step="cousins")
    refused(game, "LSR use GWS for 3+-0 3+-1", "helps 1 train", "§14")


def test_14_2_2_sassoon_doubles_the_off_board_of_a_route_with_a_port() -> None:
    game = board("green", "K3", "K3=5/2", ("SDS",))
    best(game, "3+")
    helped(game, "LSR use SDS for 3+-0")
    assert game.frame.memory.revenue == 30 + 20 + 2 * 30 and cash(game, "SDS") == 15
    # Without the port the off-board counts once, and the cousin earns nothing.
    game = board("green", "K3", "K3=57/2", ("SDS",))
    best(game, "3+")
    helped(game, "LSR use SDS for 3+-0")
    assert game.frame.memory.revenue == 20 + 30 and cash(game, "SDS") == 0


def test_14_2_2_sassoon_three_trains_at_most() -> None:
    from bot.titles.t1820.operations.routes import max_trains_helped

    for cousin, shares, trains in (("SDS", 5, 3), ("SDS", 2, 2), ("GWS", 5, 5), ("VF", 4, 4)):
        game = new_game(cousins=[cousin])
        floated(game, "LSR", shares=20, held={"@1": 8, cousin: shares})
        assert max_trains_helped(game, cousin, as_company("LSR")) == trains


def test_14_5_2_vulcan_one_more_city_half_of_it_is_the_cousins() -> None:
    game = board("yellow", "G7", WEST_EAST, ("VF",))
    best(game, "2+")
    helped(game, "LSR use VF for 2+-0")
    assert game.frame.memory.revenue == 80 and cash(game, "VF") == 10
    # Its city is not there: nothing is paid.
    game = board("yellow", "G7", "G7=150/1 G9=57/1", ("VF",))
    best(game, "2+")
    helped(game, "LSR use VF for 2+-0")
    assert game.frame.memory.revenue == 50 and cash(game, "VF") == 0


def test_7_2_3_nobody_needs_to_use_a_cousin() -> None:
    game = board("yellow", "G7", WEST_EAST, ("VF",))
    best(game, "2+")
    helped(game, "LSR pass")
    assert game.frame.memory.revenue == 60 and cash(game, "VF") == 0


def test_7_2_3_less_than_the_best_is_refused_with_the_better_run() -> None:
    game = board("yellow", "G7", WEST_EAST)
    best(game, "2+")
    in_turn(game, step="run")
    refused(game, "LSR run 2+-0=G7.c0>G9.t0", "£60", "§7.2.3")


def test_15_2_who_reaches_no_two_centres_is_not_asked_to_run() -> None:
    # From Chatham alone one gets to the docks and to nothing else.
    game = in_turn(board("green", "M15", ""), step="run", trains=["3+"])
    assert game.step.name != "run trains"
    # Two stations without track between them are no route either.
    game = in_turn(board("green", "G7 H12", "G7=150/1 H12=57/1"), step="run", trains=["3+"])
    assert game.step.name != "run trains"
    game = in_turn(board("green", "M15", "N16=58/2"), step="run", trains=["3+"])
    assert game.step.name == "run trains"
