"""18BF by a second reader of the rulebook: track, stations, runs (§10 to §10.6)."""

from __future__ import annotations

import pytest

from bot.engine.ids import POOL, Owner
from bot.engine.play.game import Game
from bot.engine.state.events import RoutesRun
from tests.titles import builders_18bf as b
from tests.titles.positions import act, cash, refused

SOUTH_WALES = ("57 U7 1", "621 U9 1", "57 U11 1", "621 U13 1")
"""Swansea, Rhondda, Cardiff, Bristol in a row: £20, £30, £20, £30."""
KENT = ("8 V24 2", "57 V26 1", "4 V28 1")
"""London's south-east, Chatham £20, Canterbury £10, Dover."""
BORDERS = ("621 D10 2", "8 E11 2", "9 E13 1", "58 E15 5")
"""Edinburgh £30 and Berwick £10."""


def minor_at(name: str, money: int = 100, phase: str = "2", tiles: tuple[str, ...] = (), loans: int = 0) -> Game:
    game = b.after_privates()
    b.minor(game, name, money=money, loans=loans)
    b.reach_phase(game, phase)
    b.lay(game, *tiles)
    return b.in_turn(game, name)


def public_at(*stations: tuple[str, int], name: str = "MR", phase: str = "5", tiles: tuple[str, ...] = ()) -> Game:
    game = b.after_privates()
    b.reach_phase(game, phase)
    b.public(game, name, {"@1": 5}, stations=stations)
    b.lay(game, *tiles)
    return game


def earned(game: Game, name: str, *trains: str) -> int:
    """What the listed run of these trains brings."""
    b.give_trains(game, name, *trains)
    b.in_turn(game, name, "run")
    events = act(game, b.legal(game, f"{name} run")[0])
    return next(event.revenue for event in events if isinstance(event, RoutesRun))


# -- 10 -----------------------------------------------------------------------------------------------


def test_10_minors_by_price_then_publics_then_systems() -> None:
    game = b.after_privates()
    b.minor(game, "VN", at=60)
    b.minor(game, "TV", at=110)
    b.reach_phase(game, "6")
    b.public(game, "GWR", {"@1": 5}, at=200, stations=[("U13", 0)])
    b.public(game, "MR", {"@1": 5}, at=80, stations=[("U9", 0)])
    b.public(game, "CR", {"@1": 5}, at=150, stations=[("D4", 0)])
    b.operating_round(game)
    order = []
    while game.state.round.kind == "operating" and game.state.round.part == 1:
        turn = game.frame.entity
        if turn not in order:
            order.append(turn)
        moves = b.legal(game, f"{turn} pass") or b.legal(game, f"{turn} run") or b.legal(game, str(turn))
        act(game, moves[0])
    assert order == ["TV", "VN", "CR", "MR", "GWR"]


# -- 10.2 ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("money", "loans", "left"),
    [(80, 0, 0), (79, 1, 44), (35, 1, 0), (34, 2, 44), (0, 2, 10)],
)
def test_10_2_each_loan_brings_45_and_no_more_than_needed_are_taken(money: int, loans: int, left: int) -> None:
    game = minor_at("TV", money, tiles=("621 U13 1",))
    act(game, "TV lay 57 U11 1")  # completes the side of £80 to Bristol
    assert (b.company(game, "TV").loans, cash(game, "TV")) == (loans, left)


def test_10_2_a_minor_has_two_loans_at_most() -> None:
    game = minor_at("TV", 0, tiles=("621 U13 1",), loans=1)
    refused(game, "TV lay 57 U11 1")


# -- 10.3 ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("money", "number", "fits"), [(200, 2, True), (199, 2, False), (300, 4, False), (500, 3, True)]
)
def test_10_3_shares_come_back_at_the_price_without_loans(money: int, number: int, fits: bool) -> None:
    game = b.after_privates()
    b.reach_phase(game, "4")
    b.public(game, "MR", {"@1": 3, "pool": 3}, at=100, money=money, stations=[("U13", 0)])
    b.in_turn(game, "MR")
    if not fits:
        refused(game, f"MR redeem {number}")
        return
    act(game, f"MR redeem {number}")
    assert cash(game, "MR") == money - 100 * number
    assert (b.shares(game, "MR", b.IPO), b.shares(game, "MR", POOL)) == (4 + number, 3 - number)


# -- 10.4 ---------------------------------------------------------------------------------------------


def test_10_4_a_second_tile_costs_20_in_another_hex_and_there_is_no_third() -> None:
    game = minor_at("VN", 100)
    act(game, "VN lay 57 U7 1")
    assert cash(game, "VN") == 100
    act(game, "VN lay 621 U9 1")
    assert cash(game, "VN") == 80
    refused(game, "VN lay 57 U11 1")


def test_10_4_one_upgrade_a_turn_and_not_in_the_hex_of_the_first() -> None:
    game = minor_at("VN", 100, "3", ("57 U7 1", "621 U9 1"))
    act(game, "VN lay 15 U7 1")
    refused(game, "VN lay 622 U9 1", "10.4")
    act(game, "VN lay 57 U11 1")
    assert cash(game, "VN") == 80


def test_10_4_a_system_lays_three_for_40_and_upgrades_once() -> None:
    game = public_at(("U7", 0), name="GWR", phase="6", tiles=("57 U7 1",))
    b.in_turn(game, "GWR", "track")
    act(game, "GWR lay 621 U9 1", "GWR lay 57 U11 1", "GWR lay 15 U7 1")
    assert cash(game, "GWR") == 460


def test_10_4_the_home_comes_first_while_it_is_bare() -> None:
    game = minor_at("VN", tiles=("621 U9 1",))
    refused(game, "VN lay 57 U11 1", "10.4")
    act(game, "VN lay 57 U7 1", "VN lay 57 U11 1")


@pytest.mark.parametrize(
    ("move", "cost"),
    [("TV lay 4 T10 2", 40), ("TV lay 3 T10 5", 40), ("TV lay 9 V12 0", 0)],
)
def test_10_4_terrain_is_paid_at_once(move: str, cost: int) -> None:
    game = minor_at("TV", 100, tiles=("5 U11 1",) if "T10" in move else ("57 U11 1", "201 U13 0"))
    act(game, move)
    assert cash(game, "TV") == 100 - cost


def test_10_4_pointing_at_a_priced_side_is_free_completing_it_is_not() -> None:
    game = minor_at("TV", 100)
    act(game, "TV lay 57 U11 1")
    assert cash(game, "TV") == 100
    b.lay(game, "57 U11 1")
    b.in_turn(game, "TV")
    act(game, "TV lay 621 U13 1")
    assert cash(game, "TV") == 20


@pytest.mark.parametrize(("tile", "fits"), [("57", False), ("621", True), ("9", False), ("4", False)])
def test_10_4_a_y_city_takes_y_tiles_alone(tile: str, fits: bool) -> None:
    game = minor_at("TV", 100, tiles=("57 U11 1",))
    if fits:
        act(game, f"TV lay {tile} U9 1")
    else:
        refused(game, f"TV lay {tile} U9 1")


@pytest.mark.parametrize(
    ("tile", "space", "rotation", "fits"),
    [
        ("57", "V26", 1, True),
        ("621", "V26", 1, False),
        ("8", "V26", 2, False),
        ("4", "V28", 1, True),
        ("57", "V28", 1, False),
    ],
)
def test_10_4_circles_dots_and_bare_hexes_take_their_own_tiles(
    tile: str, space: str, rotation: int, fits: bool
) -> None:
    game = minor_at("SE", 100, tiles=("8 V24 2", "57 V26 1") if space == "V28" else ("8 V24 2",))
    if fits:
        act(game, f"SE lay {tile} {space} {rotation}")
    else:
        refused(game, f"SE lay {tile} {space} {rotation}")


@pytest.mark.parametrize(("rotation", "fits"), [(2, True), (1, False), (3, False)])
def test_10_4_a_yellow_tile_by_the_triangle_points_to_the_city(rotation: int, fits: bool) -> None:
    game = minor_at("SE", 100)
    if fits:
        act(game, f"SE lay 8 V24 {rotation}")
    else:
        refused(game, f"SE lay 8 V24 {rotation}")


def test_10_4_no_track_towards_a_thick_line() -> None:
    # Edinburgh's side to Kirkcaldy cannot be crossed
    game = minor_at("EG", 100)
    refused(game, "EG lay 621 D10 0", "10.4")
    act(game, "EG lay 621 D10 1")


def test_10_4_not_into_the_blank_side_of_a_red_area_nor_off_the_grid() -> None:
    # Dundee's north is off the grid; Aberdeen's track meets Dundee's right side alone
    game = b.after_privates()
    b.minor(game, "EPD", money=200)
    b.lay(game, "621 C11 5", "8 B10 3", "58 A11 0")
    b.in_turn(game, "EPD")
    assert not [text for text in b.legal(game, "EPD lay") if " B12 " in text or " A13 " in text]
    refused(game, "EPD lay 9 B12 1")


def test_10_4_unconnected_track_is_refused() -> None:
    game = minor_at("TV", 100, tiles=("57 U11 1",))
    refused(game, "TV lay 9 T18 1", "10.4")


def test_10_4_yellow_track_that_is_printed_is_upgraded_not_covered() -> None:
    game = minor_at("BG", 100)
    refused(game, "BG lay 57 Q15 0")
    assert not b.legal(game, "BG lay BF1")
    game = minor_at("BG", 100, "3")
    act(game, "BG lay BF1 Q15 0")


def test_10_4_an_upgrade_keeps_every_piece_of_track_and_costs_no_terrain() -> None:
    game = minor_at("TV", 0, "3", ("5 U11 1", "4 T10 2"))
    # tile 4 runs from side 2 to side 5; 88 has two opposite pairs of neighbouring sides
    refused(game, "TV lay 88 T10 0", "10.4")
    act(game, "TV lay 88 T10 1")
    assert cash(game, "TV") == 0


# -- 10.5 ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("space", "cost"), [("U9", 20), ("U11", 40)])
def test_10_5_a_station_costs_20_a_hex(space: str, cost: int) -> None:
    game = public_at(("U7", 0), tiles=SOUTH_WALES)
    b.in_turn(game, "MR", "token")
    act(game, f"MR token {space}")
    assert cash(game, "MR") == 500 - cost


def test_10_5_one_station_in_a_turn_none_in_its_own_hex() -> None:
    game = public_at(("U7", 0), tiles=("15 U7 1", *SOUTH_WALES[1:]))
    b.in_turn(game, "MR", "token")
    refused(game, "MR token U7", "10.5")
    act(game, "MR token U9")
    refused(game, "MR token U11", "")


def test_10_5_no_loans_for_a_station() -> None:
    game = public_at(("U7", 0), tiles=SOUTH_WALES)
    game.state.cash[b.BANK] += 481
    game.state.cash[Owner("MR")] -= 481
    b.in_turn(game, "MR", "token")
    assert cash(game, "MR") == 19
    assert not b.legal(game, "MR token U9")


@pytest.mark.parametrize(
    ("phase", "tile", "fits"), [("4", "57 U11 1", False), ("4", "14 U11 0", True), ("5", "57 U11 1", True)]
)
def test_10_5_a_space_is_kept_for_a_minor_until_phase_5(phase: str, tile: str, fits: bool) -> None:
    game = public_at(("U9", 0), phase=phase, tiles=("621 U9 1", tile))
    b.in_turn(game, "MR", "token")
    if fits:
        act(game, "MR token U11")
    else:
        assert "MR token U11" not in b.legal(game)


def test_10_5_two_spaces_with_one_kept_hold_one_public() -> None:
    game = public_at(("U9", 0), phase="4", tiles=("621 U9 1", "14 U11 0"))
    b.public(game, "CR", {"@2": 5}, stations=[("U11", 0)])
    b.in_turn(game, "MR", "token")
    assert "MR token U11" not in b.legal(game)


# -- 10.1, 10.6 ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("phase", "train", "revenue"), [("2", "2", 60), ("3", "2", 70), ("5", "5", 150), ("7", "5", 160)]
)
def test_10_6_england_wales_by_phase(phase: str, train: str, revenue: int) -> None:
    # two stops: Bristol 30, Cardiff 20; five: all four for 100 or, when minors are blocked, the same
    game = minor_at("BE", phase=phase if int(phase) < 5 else "2", tiles=SOUTH_WALES)
    b.reach_phase(game, phase)
    wales = {"2": 10, "3": 20, "5": 20, "7": 30}[phase]
    stops = 50 if train == "2" else 100
    if train == "5":
        revenue = stops + wales
    assert earned(game, "BE", train) == revenue


@pytest.mark.parametrize(("phase", "revenue"), [("2", 50), ("3", 60), ("4", 60), ("5", 70), ("6", 70), ("7", 80)])
def test_10_6_england_scotland_by_phase(phase: str, revenue: int) -> None:
    # Edinburgh 30, Berwick 10 and 10/20/30/40
    game = minor_at("EG", tiles=BORDERS)
    b.reach_phase(game, phase)
    assert earned(game, "EG", "5") == revenue


@pytest.mark.parametrize(
    ("phase", "revenue"),
    [("2", 100), ("3", 110), ("4", 110), ("5", 130), ("6", 130), ("7", 140)],
)
def test_10_6_red_areas_and_london_to_red_by_phase(phase: str, revenue: int) -> None:
    # London 40, Chatham 20, Dover 20/30/40/50, bonus 20 up to phase 4, then 30
    game = minor_at("SE", tiles=KENT)
    b.reach_phase(game, phase)
    assert earned(game, "SE", "3") == revenue


def test_10_6_a_2_train_skips_small_cities_not_large_ones() -> None:
    # Canterbury is a dot, Chatham a circle: London-Chatham, not London-Dover
    assert earned(minor_at("SE", tiles=KENT), "SE", "2") == 60


def test_10_6_a_plus_train_doubles_cities_and_all_bonuses() -> None:
    game = public_at(("U23", 5), phase="7", tiles=KENT)
    game.state.privates[b.private_of("F7")].owner = Owner("MR")
    # (40 + 20 + 50 + 30 for Dover's ferry + 30 for London to red) twice
    assert earned(game, "MR", "3+3") == 340


def test_10_6_2_plus_2_runs_as_a_2_train_twice() -> None:
    assert earned(public_at(("U23", 5), phase="8", tiles=KENT), "MR", "2+2") == 120


def test_10_6_5_plus_5_e_skips_large_cities_and_counts_the_best_five_twice() -> None:
    game = public_at(("U23", 5), name="SR", phase="8", tiles=KENT)
    # London 40, Chatham 20, Canterbury 10, Dover 50, London to red 30
    assert earned(game, "SR", "5+5E") == 300


@pytest.mark.parametrize(
    ("phase", "trains", "revenue"),
    [
        ("5", ("3G",), 50 + 30 + 30 + 20),
        ("7", ("3G",), 60 + 30 + 30 + 20),
        ("6", ("4G",), 50 + 30 + 30 + 20 + 20),
        ("5", ("3G", "3G"), 100 + 100),
        ("7", ("5G", "3G"), 120 + 100),
    ],
)
def test_10_6_goods_trains_earn_the_mine_and_their_cities(phase: str, trains: tuple[str, ...], revenue: int) -> None:
    game = public_at(("U7", 0), ("U9", 0), ("U11", 0), ("U13", 0), phase=phase, tiles=SOUTH_WALES)
    assert earned(game, "MR", *trains) == revenue


def test_10_6_each_goods_train_needs_a_city_of_its_own() -> None:
    game = public_at(("U13", 0), phase="5", tiles=SOUTH_WALES)
    assert earned(game, "MR", "3G", "3G") == 80


def test_10_6_two_stations_in_one_exit_of_london_count_once_for_goods() -> None:
    game = public_at(("U23", 5), ("U23", 5), phase="5")
    assert earned(game, "MR", "3G", "3G") == 90


def test_5_two_stations_in_one_exit_of_london_run_one_train() -> None:
    game = public_at(("U23", 5), ("U23", 5), phase="5", tiles=KENT)
    # one runs London, Chatham, Dover with 30: 130; the other cannot leave the same exit
    assert earned(game, "MR", "5", "5") == 40 + 20 + 10 + 40 + 30


def test_10_6_london_is_closed_to_those_without_a_station_in_that_part() -> None:
    game = public_at(("V26", 0), phase="5", tiles=KENT)
    assert earned(game, "MR", "5") == 20 + 10 + 40


def test_10_6_trains_share_no_track() -> None:
    game = public_at(("U9", 0), phase="5", tiles=SOUTH_WALES)
    # Rhondda both ways: with Swansea 50; with Cardiff and Bristol 80 and the border 20
    assert earned(game, "MR", "3", "3") == 50 + 100


def test_10_1_a_city_full_of_others_is_not_passed() -> None:
    game = public_at(("U7", 0), phase="5", tiles=SOUTH_WALES)
    b.public(game, "CR", {"@2": 5}, stations=[("U11", 0)])
    assert earned(game, "MR", "5") == 20 + 30 + 20


@pytest.mark.parametrize(("sign", "phase", "more"), [("P9", "5", 10), ("U1", "5", 10), ("F7", "5", 30), ("F4", "5", 0)])
def test_7_1_what_a_companys_private_adds(sign: str, phase: str, more: int) -> None:
    game = public_at(("U23", 5), phase=phase, tiles=KENT)
    game.private(sign).owner = Owner("MR")
    game.private(sign).closed = False
    assert earned(game, "MR", "5") == 140 + more


def test_7_1_a_players_private_adds_nothing() -> None:
    game = public_at(("U23", 5), phase="5", tiles=KENT)
    game.private(Owner("F7")).owner = Owner("@1")
    assert earned(game, "MR", "5") == 140
