"""1820 by a second reader of the rulebook: track, stations, runs (§7.2.1 to §7.2.3, §12, §15)."""

from __future__ import annotations

import pytest

from tests.titles import builders_1820 as e
from tests.titles.positions import act, cash, refused, token
from tests.titles.rulebook.birmingham import ROW, at_birmingham, legal, revenue_of

# -- 7.2.1, 12.3 --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("phase", "shares", "tiles"), [("yellow", 5, 2), ("green", 5, 2), ("yellow", 1, 2), ("green", 1, 4)]
)
def test_7_2_1_and_13_2_two_tiles_a_turn_four_for_a_private_company_from_green(
    phase: str, shares: int, tiles: int
) -> None:
    game = at_birmingham(phase, shares=shares)
    e.in_turn(game, "LSR", "track")
    moves = ["9 G9 1", "9 G11 1", "9 G13 1", "9 G5 1", "9 G3 1"]
    for number, tile in enumerate(moves[: tiles + 1]):
        if number < tiles:
            act(game, f"LSR lay {tile}")
        else:
            refused(game, f"LSR lay {tile}", "")


def test_7_2_1_no_tile_twice_in_one_hexagon() -> None:
    game = at_birmingham("green")
    e.in_turn(game, "LSR", "track")
    act(game, "LSR lay 9 G9 1")
    refused(game, "LSR lay 23 G9 1", "")


@pytest.mark.parametrize(("space", "move", "cost"), [("G9", "9 G9 1", 0), ("F8", "9 F8 0", 40), ("G5", "9 G5 1", 0)])
def test_7_2_1_rivers_and_hills_cost_40_before_the_first_tile(space: str, move: str, cost: int) -> None:
    game = at_birmingham(tiles=("149 G7 3",) if space == "F8" else ())  # sides 3 and 1
    e.in_turn(game, "LSR", "track")
    act(game, f"LSR lay {move}")
    assert cash(game, "LSR") == 500 - cost


@pytest.mark.parametrize(("phase", "cost"), [("yellow", None), ("green", 120), ("blue", 120)])
def test_12_3_1_1_a_blue_barrier_costs_80_from_green_on(phase: str, cost: int | None) -> None:
    # Liverpool and Warrington/Bolton (a hill, £40): a barrier lies between them
    game = e.new_game()
    e.lay(game, "C5", "150", 1)
    e.floated(game, "LSR")
    token(game, "LSR", "C5")
    e.reach_phase(game, phase)
    e.in_turn(game, "LSR", "track")
    if cost is None:
        refused(game, "LSR lay 802 C7 1", "")
    else:
        act(game, "LSR lay 802 C7 1")
        assert cash(game, "LSR") == 500 - cost


def test_7_2_1_a_connection_to_london_costs_40() -> None:
    game = e.new_game()
    e.lay(game, "L10", "57", 1)
    e.floated(game, "LSR")
    token(game, "LSR", "L10")
    e.in_turn(game, "LSR", "track")
    act(game, "LSR lay 8 L12 5")  # from L10 to London's north-west side
    assert cash(game, "LSR") == 460


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ("3 G9 1", True),  # a town
        ("57 G9 1", False),  # a small city beside Birmingham
        ("150 G9 1", False),  # a big one beside it
        ("9 G9 1", True),
    ],
)
def test_12_3_3_and_12_3_4_what_stands_beside_a_city(move: str, words: bool) -> None:
    game = at_birmingham()
    e.in_turn(game, "LSR", "track")
    assert game.allows(e.action(f"LSR lay {move}")) == words


@pytest.mark.parametrize(
    ("tile", "space", "fits"),
    [("57", "G11", True), ("150", "G11", False), ("150", "G13", True), ("4", "G11", False)],
)
def test_12_3_3_2_distances_of_cities_and_towns(tile: str, space: str, fits: bool) -> None:
    # one hexagon between cities lets a small one stand, two a big one; G9 is a town
    tiles = ("4 G9 1",) if space == "G11" else ("4 G9 1", "9 G11 1")
    game = at_birmingham(tiles=tiles)
    e.in_turn(game, "LSR", "track")
    assert game.allows(e.action(f"LSR lay {tile} {space} 1")) == fits


@pytest.mark.parametrize(("tile", "fits"), [("57", False), ("150", True), ("9", False), ("4", False), ("802", False)])
def test_12_2_a_hexagon_with_a_b_takes_big_cities_alone(tile: str, fits: bool) -> None:
    game = e.new_game()
    e.lay(game, "O15", "57", 1)
    e.floated(game, "LSR")
    token(game, "LSR", "O15")
    e.in_turn(game, "LSR", "track")
    assert game.allows(e.action(f"LSR lay {tile} O17 1")) == fits


@pytest.mark.parametrize(("big", "other", "tile", "fits"), [("C15", "D16", "150", False), ("C15", "D16", "57", True)])
def test_12_3_3_2_one_of_hull_and_grimsby_is_big(big: str, other: str, tile: str, fits: bool) -> None:
    game = e.new_game()
    e.lay(game, big, "150", 1)
    e.lay(game, "D14", "9", 1)
    e.lay(game, "D12", "57", 1)
    e.floated(game, "LSR")
    token(game, "LSR", "D12")
    e.in_turn(game, "LSR", "track")
    assert game.allows(e.action(f"LSR lay {tile} {other} 1")) == fits


@pytest.mark.parametrize(
    ("phase", "tile", "beneath", "fits"),
    [
        ("yellow", "179", "150", False),
        ("green", "179", "150", True),
        ("green", "180", "150", True),
        ("green", "14", "150", False),
        ("blue", "198", "179", False),
        ("brown", "198", "179", True),
        ("red", "290", "200", False),
        ("gray", "290", "200", True),
    ],
)
def test_12_3_5_upgrades_by_phase_and_kind(phase: str, tile: str, beneath: str, fits: bool) -> None:
    game = at_birmingham(phase, tiles=(f"{beneath} G7 1",))
    e.in_turn(game, "LSR", "track")
    possible = [text for text in legal(game, f"LSR lay {tile} G7")]
    assert bool(possible) == fits


def test_12_3_1_manchesters_first_upgrade_costs_40_again() -> None:
    game = e.new_game()
    e.lay(game, "D6", "M01", 0)
    e.floated(game, "LSR")
    token(game, "LSR", "D6")
    e.reach_phase(game, "green")
    e.in_turn(game, "LSR", "track")
    act(game, legal(game, "LSR lay M02 D6")[0])
    assert cash(game, "LSR") == 460


# -- 7.2.2 --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("phase", "cost"), [("yellow", 40), ("green", 100), ("brown", 100), ("gray", 100)])
def test_7_2_2_a_station_costs_40_in_yellow_then_100(phase: str, cost: int) -> None:
    game = at_birmingham(phase, tiles=("9 G9 1", "57 G11 1"))
    e.in_turn(game, "LSR", "station")
    act(game, "LSR token G11")
    assert cash(game, "LSR") == 500 - cost
    assert e.company(game).tokens_left == ()


def test_7_2_2_one_station_a_turn_from_the_charter() -> None:
    game = at_birmingham(tiles=("9 G9 1", "57 G11 1", "9 G13 1", "6 G15 1"), stations=2)
    e.in_turn(game, "LSR", "station")
    act(game, "LSR token G11")
    refused(game, "LSR token G15", "")


def test_7_2_2_no_way_through_a_full_city() -> None:
    game = at_birmingham(tiles=("9 G9 1", "57 G11 1", "9 G13 1", "6 G15 1"))
    e.floated(game, "OW&WR", held={"@2": 2})
    token(game, "OW&WR", "G11")
    e.in_turn(game, "LSR", "station")
    assert not [text for text in legal(game) if "token" in text]


# -- 7.2.3, 15 ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("trains", "revenue"),
    [(("2+",), 70 + 10), (("3+",), 100), (("5+",), 100), (("8+",), 100), (("5D+",), 200)],
)
def test_15_3_n_plus_trains_count_all_towns(trains: tuple[str, ...], revenue: int) -> None:
    # 2+: town, Birmingham, town, city, town = 10 + 30 + 10 + 20 + 10
    assert revenue_of(at_birmingham(tiles=ROW, trains=trains)) == revenue


def test_15_3_3_a_5d_doubles_towns_as_well() -> None:
    assert revenue_of(at_birmingham(tiles=(*ROW, "4 G3 1"), trains=("5D+",))) == 220


def test_15_2_two_trains_share_no_track() -> None:
    # right: 30 + 10 + 20 + 10 = 70; left: 30 + 10 = 40
    assert revenue_of(at_birmingham(tiles=ROW, trains=("2+", "2+"))) == 110


def test_15_2_two_revenue_centres_at_least() -> None:
    game = at_birmingham(trains=("2+",))
    e.in_turn(game, "LSR", "run")
    assert not legal(game, "LSR run 2")


def test_15_2_no_way_through_a_full_city_but_into_it() -> None:
    game = at_birmingham(tiles=ROW, trains=("5+",))
    e.floated(game, "OW&WR", held={"@2": 2})
    token(game, "OW&WR", "G11")
    assert revenue_of(game) == 10 + 30 + 10 + 20


@pytest.mark.parametrize(
    ("phase", "port"), [("yellow", 0), ("green", 30), ("blue", 30), ("brown", 40), ("red", 40), ("gray", 50)]
)
def test_15_2_a_port_beside_ones_station(phase: str, port: int) -> None:
    # Dover 30, a town 10 and the port
    game = e.new_game()
    e.lay(game, "O17", "150", 1)
    e.lay(game, "O15", "4", 1)
    e.floated(game, "LSR")
    token(game, "LSR", "O17")
    e.give_trains(game, "LSR", "3+")
    e.reach_phase(game, phase)
    assert revenue_of(game) == 40 + port


def test_15_2_no_port_without_a_station_beside_it() -> None:
    game = e.new_game()
    e.lay(game, "O17", "150", 1)
    e.lay(game, "O15", "4", 1)
    e.lay(game, "O13", "57", 1)
    e.floated(game, "LSR")
    token(game, "LSR", "O13")
    e.give_trains(game, "LSR", "3+")
    e.reach_phase(game, "green")
    assert revenue_of(game) == 60


def test_15_2_a_port_is_no_second_revenue_centre() -> None:
    game = e.new_game()
    e.lay(game, "O17", "150", 1)
    e.floated(game, "LSR")
    token(game, "LSR", "O17")
    e.give_trains(game, "LSR", "3+")
    e.reach_phase(game, "green")
    e.in_turn(game, "LSR", "run")
    assert not legal(game, "LSR run 3")
