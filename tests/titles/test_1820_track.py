"""1820 §7.2.1, §7.2.2, §11, §12, §14.4: where tiles and stations may lie, and what they cost."""

from __future__ import annotations

import pytest

from bot.engine.ids import HexId, TileId
from bot.engine.play.game import Game
from bot.engine.refusals import IllegalMove
from bot.engine.state.actions import LayTile
from bot.engine.state.board import Board
from bot.titles.t1820.components import BRITISH_RAIL
from bot.titles.t1820.operations.stations import free_stations
from bot.titles.t1820.operations.token_placement import (
    check_rotation,
    check_spacing,
    kind_of,
    legal_tiles_with_rotations,
    rotations,
    terrain_cost,
)
from bot.titles.t1820.tiles import TILES
from tests.titles.builders_1820 import company, floated, in_turn, lay, new_game, reach_phase, refused
from tests.titles.positions import act, cash, set_cash, token


def spacing(hex_id: str, kind: str, **tiles: str) -> str:
    """What is said against a first tile of this kind, with these tiles on the map; nothing if it may lie there."""
    game = new_game()
    for other, tile in tiles.items():
        lay(game, other, tile)
    try:
        check_spacing(game.state.board, kind, HexId(hex_id))
    except IllegalMove as refusal:
        return refusal.sentence
    return ""


# -- §12.3.3, §12.3.4 ---------------------------------------------------------------------------------


@pytest.mark.parametrize("hex_id", ["D16", "C15", "N18", "B6"])
def test_12_3_3_1_small_cities_on_grimsby_hull_margate_preston(hex_id: str) -> None:
    assert spacing(hex_id, "small city") == ""
    assert spacing(hex_id, "plain") != "" and spacing(hex_id, "town") != ""


def test_12_3_3_1_no_small_city_beside_any_other_city() -> None:
    assert "G7" in spacing("G9", "small city")  # Birmingham without a tile
    assert "M13" in spacing("L12", "small city")  # London
    assert spacing("H16", "small city") == ""
    assert "H18" in spacing("H16", "small city", H18="57")
    assert spacing("H16", "small city", H20="57") == ""
    assert spacing("G7", "small city") != ""


def test_12_3_3_1_barriers_block_adjacency() -> None:
    # A barrier lies between N6 and N8.
    assert spacing("N6", "small city", N8="57") == ""
    assert "N4" in spacing("N6", "small city", N4="57")


def test_12_3_3_1_chatham_does_not_matter_to_its_north() -> None:
    assert spacing("L16", "small city") == ""
    assert "M15" in spacing("N16", "small city")


def test_12_3_3_2_big_cities_where_marked_and_two_hexes_away_elsewhere() -> None:
    assert all(spacing(hex_id, "big city") == "" for hex_id in ("G7", "O17", "C5"))
    assert "G7" in spacing("G11", "big city")  # one hex between them
    assert spacing("G13", "big city") == ""  # two hexes between them
    assert "H18" in spacing("H14", "big city", H18="57")
    assert spacing("H12", "big city", H18="57") == ""
    assert spacing("K17", "big city") == "" or "M15" not in spacing("K17", "big city")


def test_12_3_3_2_only_one_of_hull_and_grimsby_is_big() -> None:
    assert spacing("C15", "big city") == ""
    assert "Only one" in spacing("C15", "big city", D16="148")
    assert spacing("C15", "big city", D16="5") == ""
    assert spacing("B6", "big city") != "" and spacing("N18", "big city") != ""


def test_12_3_3_3_manchester_and_oo_take_their_own_tiles() -> None:
    assert spacing("D6", "Manchester") == "" and spacing("D6", "OO") != ""
    assert spacing("C7", "OO") == "" and spacing("C7", "small city") != ""
    assert spacing("H8", "OO") != "" and spacing("H8", "Manchester") != ""


def test_12_3_4_no_town_beside_a_town_or_london() -> None:
    assert spacing("H8", "town") == ""
    assert "H10" in spacing("H8", "town", H10="3")
    assert spacing("H8", "town", H12="3") == ""
    assert "M13" in spacing("L12", "town")
    assert spacing("G9", "town") == ""  # cities do not matter


# -- §12.1, §12.3.5 -----------------------------------------------------------------------------------


def test_12_1_the_supply_is_limited_but_for_7_8_9() -> None:
    game = new_game()
    floated(game, "LSR")
    for hex_id in ("E11", "E13", "E15", "E17", "F2"):
        lay(game, hex_id, "3")
    assert TILES[TileId("3")].count == 5 and all(TILES[TileId(tile)].count is None for tile in "789")
    found = {tile for tile, _ in legal_tiles_with_rotations(game, game.state.board, HexId("H8"))}
    assert "3" not in found and {"4", "58", "7", "8", "9"} <= found


def test_12_3_5_colours_come_with_the_phases() -> None:
    game = new_game()
    lay(game, "H8", "57")
    assert not list(legal_tiles_with_rotations(game, game.state.board, HexId("H8")))
    reach_phase(game, "green")
    assert {tile for tile, _ in legal_tiles_with_rotations(game, game.state.board, HexId("H8"))} == {"14", "15", "38"}
    lay(game, "H8", "14")
    assert not list(legal_tiles_with_rotations(game, game.state.board, HexId("H8")))
    reach_phase(game, "brown")
    assert {tile for tile, _ in legal_tiles_with_rotations(game, game.state.board, HexId("H8"))} == {"51"}
    lay(game, "G7", "198")
    assert not list(legal_tiles_with_rotations(game, game.state.board, HexId("G7")))
    reach_phase(game, "gray")
    assert {tile for tile, _ in legal_tiles_with_rotations(game, game.state.board, HexId("G7"))} == {"290"}


def test_12_3_5_the_type_never_changes() -> None:
    game = new_game()
    reach_phase(game, "green")
    for hex_id, tile in (("H8", "7"), ("H12", "58"), ("G7", "150"), ("D6", "M01")):
        lay(game, hex_id, tile, 1 if tile == "M01" else 0)
        old = kind_of(TILES[TileId(tile)])
        kinds = {kind_of(TILES[new]) for new, _ in legal_tiles_with_rotations(game, game.state.board, HexId(hex_id))}
        assert kinds == {old}


def test_12_3_5_manchester_loses_its_town_and_later_joins_its_cities() -> None:
    game = new_game()
    reach_phase(game, "green")
    floated(game, "LSR")
    floated(game, "N&PR")
    lay(game, "D6", "M01", 1)
    token(game, "LSR", "D6", 0)
    token(game, "N&PR", "D6", 1)
    assert rotations(game, game.state.board, TileId("M02"), HexId("D6"))
    from bot.titles.t1820.operations.token_placement import place_tile

    place_tile(game.state.board, TileId("M02"), HexId("D6"), 1)
    assert sorted(map(tuple, game.state.board.tokens[HexId("D6")])) in (
        [("LSR",), ("N&PR",)],
        [(), ("LSR",), ("N&PR",)],
    )
    reach_phase(game, "brown")
    place_tile(game.state.board, TileId("M03"), HexId("D6"), 0)
    assert sorted(game.state.board.tokens_in(HexId("D6"), 0)) == ["LSR", "N&PR"]


# -- §11, §12.3.1.1 -----------------------------------------------------------------------------------


def test_11_rivers_and_hills_cost_40_once() -> None:
    board = Board()
    assert terrain_cost(board, TileId("7"), HexId("E3"), 1) == 40
    assert terrain_cost(board, TileId("7"), HexId("E7"), 1) == 40
    assert terrain_cost(board, TileId("7"), HexId("E11"), 1) == 0
    game = new_game()
    lay(game, "E3", "7", 1)
    assert terrain_cost(game.state.board, TileId("29"), HexId("E3"), 1) == 0


def test_12_3_1_manchester_costs_40_to_build_and_40_to_upgrade_to_green() -> None:
    game = new_game()
    assert terrain_cost(game.state.board, TileId("M01"), HexId("D6"), 1) == 40
    lay(game, "D6", "M01", 1)
    assert terrain_cost(game.state.board, TileId("M02"), HexId("D6"), 1) >= 40
    lay(game, "D6", "M02", 1)
    assert terrain_cost(game.state.board, TileId("M03"), HexId("D6"), 0) in (0, 80)  # a barrier crossed costs 80


def test_11_london_s_edges_cost_40_each_time_track_joins_them() -> None:
    board = Board()
    # 9 on M11 runs west to east into London.
    assert terrain_cost(board, TileId("9"), HexId("M11"), 1) == 40 + 40  # river and London
    assert terrain_cost(board, TileId("9"), HexId("M11"), 0) == 40


def test_12_3_1_1_barriers_are_closed_in_yellow_and_cost_80_to_join_later() -> None:
    game = new_game()
    # The barrier lies at N6's edge 4 (east).
    turned = rotations(game, game.state.board, TileId("9"), HexId("N6"))
    assert 1 not in turned
    with pytest.raises(IllegalMove, match="In the yellow phase, track may not point at a barrier"):
        check_rotation(game, game.state.board, TileId("9"), HexId("N6"), 1)
    with pytest.raises(IllegalMove, match="In this rotation, track of 9 runs from H22 off the map"):
        check_rotation(game, game.state.board, TileId("9"), HexId("H22"), 0)
    reach_phase(game, "green")
    assert 1 in rotations(game, game.state.board, TileId("9"), HexId("N6"))
    assert terrain_cost(game.state.board, TileId("9"), HexId("N6"), 1) == 40
    lay(game, "N6", "9", 1)
    assert terrain_cost(game.state.board, TileId("9"), HexId("N8"), 1) == 40 + 80


def test_12_3_1_1_track_does_not_run_to_nowhere() -> None:
    game = new_game()
    # H22 lies at the coast: edges 3, 4 and 5 lead off the map or to the sea.
    for tile in TILES:
        if TILES[tile].colour == "yellow":
            for rotation in rotations(game, game.state.board, tile, HexId("H22")):
                assert not TILES[tile].rotate(rotation).exits & {3, 4}


def test_12_3_1_1_one_builds_where_ones_track_leads() -> None:
    game = new_game()
    floated(game, "LSR")
    lay(game, "G7", "150", 1)  # west to east
    token(game, "LSR", "G7")
    in_turn(game)
    refused(game, "LSR lay 9 H12 0", "LSR has no route to that tile on H12", "§12.3.1.1")
    refused(game, "LSR lay 9 G9 0", "LSR has no route to that tile on G9", "§12.3.1.1")
    act(game, "LSR lay 9 G9 1")


def test_12_3_1_1_full_cities_stop_the_way() -> None:
    for blocker in ("N&PR", BRITISH_RAIL):
        game = new_game()
        floated(game, "LSR")
        floated(game, "N&PR", held={"@2": 2})
        lay(game, "G7", "150", 1)
        lay(game, "G9", "9", 1)
        lay(game, "G11", "57", 1)
        token(game, "LSR", "G7")
        token(game, blocker, "G11")
        in_turn(game)
        refused(game, "LSR lay 9 G13 1", "LSR has no route to that tile on G13", "§12.3.1.1")


# -- §7.2.1, §13.2 ------------------------------------------------------------------------------------


def test_7_2_1_two_tiles_a_turn_in_different_hexes() -> None:
    game = new_game()
    reach_phase(game, "green")
    floated(game, "LSR")
    lay(game, "G7", "150", 1)
    token(game, "LSR", "G7")
    in_turn(game)
    act(game, "LSR lay 9 G9 1")
    refused(game, "LSR lay 23 G9 1", "LSR has already built on G9 this round", "§12.3.5")
    act(game, "LSR lay 9 G5 1")
    assert game.frame.at != 1  # the step is over
    assert cash(game, "LSR") == 500


def test_13_2_a_private_company_lays_four_tiles_after_yellow_from_its_directors_cash() -> None:
    for phase, number in (("yellow", 2), ("green", 4)):
        game = new_game()
        reach_phase(game, phase)
        floated(game, "LSR", shares=1)
        lay(game, "G7", "150", 1)
        token(game, "LSR", "G7")
        in_turn(game)
        texts = ["LSR lay 9 G9 1", "LSR lay 9 G5 1", "LSR lay 9 G11 1", "LSR lay 9 G13 1"]
        act(game, *texts[:number])
        assert game.frame.at != 1
    game = new_game()
    floated(game, "LSR", shares=1)
    lay(game, "E11", "57", 1)
    token(game, "LSR", "E11")
    in_turn(game)
    act(game, "LSR lay 9 E9 1")
    assert cash(game, "@1") == 960 and cash(game, "LSR") == 0


def test_7_2_1_terrain_is_paid_before_the_tile_is_laid() -> None:
    game = new_game()
    floated(game, "LSR", money=39)
    lay(game, "E11", "57", 1)
    token(game, "LSR", "E11")
    in_turn(game)
    refused(game, "LSR lay 9 E9 1", "costs £40 and LSR has £39", "§7.2.1")
    set_cash(game, "LSR", 40)
    act(game, "LSR lay 9 E9 1")
    assert cash(game, "LSR") == 0


# -- §7.2.2 -------------------------------------------------------------------------------------------


def with_two_cities(phase: str = "yellow", **more: int) -> Game:
    """LSR in Birmingham, a city two spaces to the east within reach."""
    game = new_game(cousins=["RSCF"] if more else [])
    if phase != "yellow":
        reach_phase(game, phase)
    floated(game, "LSR", held={"@1": 2, **({"RSCF": 1} if more else {})})
    lay(game, "G7", "150", 1)
    lay(game, "G9", "9", 1)
    lay(game, "G11", "57", 1)
    token(game, "LSR", "G7")
    return in_turn(game, step="station")


def test_7_2_2_a_station_costs_40_in_yellow_and_100_later() -> None:
    for phase, cost in (("yellow", 40), ("green", 100)):
        game = with_two_cities(phase)
        act(game, "LSR token G11")
        assert cash(game, "LSR") == 500 - cost and company(game).tokens_left == ()
        assert game.frame.at != 2


def test_17_1_a_turn_stops_for_stations_and_track_that_only_a_loan_can_pay() -> None:
    game = with_two_cities()
    set_cash(game, "LSR", 30)
    game.state.money = sum(game.state.cash.values())
    assert game.step.name == "place a station"
    refused(game, "LSR token G11", "costs £40", "§7.2.2")
    act(game, "LSR loan", "LSR token G11")
    assert cash(game, "LSR") == 190
    # Between two rivers at £40 each.
    game = new_game()
    floated(game, "LSR", money=0)
    lay(game, "F10", "57", 1)
    token(game, "LSR", "F10")
    in_turn(game)
    assert game.step.name == "build track"
    refused(game, "LSR lay 9 F12 1", "costs £40", "§7.2.1")
    act(game, "LSR loan", "LSR lay 9 F12 1")
    assert cash(game, "LSR") == 160


def test_7_2_2_a_second_station_in_a_hex_leaves_the_first_to_british_rail() -> None:
    game = new_game()
    reach_phase(game, "green")
    floated(game, "LSR")
    lay(game, "H10", "14", 0)
    token(game, "LSR", "H10")
    in_turn(game, step="station")
    act(game, "LSR token H10")
    assert sorted(game.state.board.tokens_in(HexId("H10"), 0)) == ["BR", "LSR"]
    assert company(game).tokens_left == (0,)


def test_14_3_2_stephenson_and_fox_place_a_station_for_nothing() -> None:
    game = with_two_cities(held=1)
    act(game, "LSR token G11 with RSCF")
    assert cash(game, "LSR") == 500 and cash(game, "RSCF") == 50
    company(game).tokens_left = (0,)
    in_turn(game, step="station")
    assert not any("RSCF" in str(option) for option in game.legal_actions())
    # Three shares are three stations in a game; a fourth share is none.
    game = new_game(cousins=["RSCF"])
    for shares, stations in ((2, 2), (3, 3), (4, 3)):
        floated(game, "LSR", shares=10, held={"@1": 5, "RSCF": shares})
        assert free_stations(game, "LSR") == stations


# -- §14.4 --------------------------------------------------------------------------------------------


def test_14_4_1_bedlington_upgrades_a_city_beside_the_other_track() -> None:
    game = new_game(cousins=["BI"])
    reach_phase(game, "green")
    floated(game, "LSR", held={"@1": 2, "BI": 1})
    lay(game, "G7", "150", 1)
    token(game, "LSR", "G7")
    in_turn(game)
    green = next(one for one in game.legal_actions() if isinstance(one, LayTile) and one.using == "BI")
    act(game, "LSR lay 9 G9 1", "LSR lay 9 G5 1")
    assert game.frame.at == 1
    refused(game, "LSR lay 9 G11 1", "Only 2 tiles may be built in a round", "§7.2.1")
    act(game, f"LSR lay {green.tile} G7 {green.rotation} with BI")
    assert cash(game, "BI") == 20  # half of 40
    assert game.frame.at != 1


def test_14_4_2_gas_light_spaces_a_big_city_like_a_small_one_once() -> None:
    game = new_game(cousins=["GLCC"])
    floated(game, "LSR", held={"@1": 2, "GLCC": 1})
    lay(game, "G7", "150", 1)
    lay(game, "G9", "9", 1)
    token(game, "LSR", "G7")
    in_turn(game)
    refused(game, "LSR lay 150 G11 1", "A big city on G11 would be too close to G7", "§12.3.3.2")
    act(game, "LSR lay 150 G11 1 with GLCC")
    assert cash(game, "GLCC") == 30
    assert not any(getattr(one, "using", None) for one in game.legal_actions())
    # Nor in any later round of the game.
    lay(game, "G13", "9", 1)
    in_turn(game)
    refused(game, "LSR lay 150 G15 1 with GLCC", "GLCC has already helped LSR in this game", "§14.4.2")


def test_14_4_2_gas_light_makes_a_yellow_small_city_a_green_big_one() -> None:
    game = new_game(cousins=["GLCC"])
    reach_phase(game, "green")
    floated(game, "LSR", held={"@1": 2, "GLCC": 1})
    lay(game, "H12", "57", 1)
    token(game, "LSR", "H12")
    in_turn(game)
    big = [one for one in game.legal_actions() if isinstance(one, LayTile) and one.using == "GLCC" and one.hex == "H12"]
    assert {one.tile for one in big} <= {"179", "180", "181", "182"} and big
    act(game, f"LSR lay {big[0].tile} H12 {big[0].rotation} with GLCC")
    assert cash(game, "GLCC") == 40 and game.state.board.tokens_in(HexId("H12"), 0) == ["LSR"]


def test_14_4_3_locke_halves_terrain_and_barriers_whether_one_likes_it_or_not() -> None:
    game = new_game(cousins=["JL"])
    floated(game, "LSR", held={"@1": 2, "JL": 1})
    lay(game, "E11", "57", 1)
    token(game, "LSR", "E11")
    in_turn(game)
    act(game, "LSR lay 9 E9 1")
    assert cash(game, "LSR") == 480 and cash(game, "JL") == 20


def test_14_1_cousins_help_public_companies_only_and_while_they_hold_shares() -> None:
    game = new_game(cousins=["JL"])
    floated(game, "LSR")
    lay(game, "E11", "57", 1)
    token(game, "LSR", "E11")
    in_turn(game)
    act(game, "LSR lay 9 E9 1")
    assert cash(game, "LSR") == 460 and cash(game, "JL") == 0
