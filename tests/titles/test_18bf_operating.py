"""18BF §10 and §11: operating rounds, without routes (`test_18bf_routes.py`), and closure."""

from __future__ import annotations

import pytest

from bot.engine.ids import HexId, Owner
from bot.engine.play.game import Game
from bot.engine.play.holdings.trains import remaining_in_depot
from bot.engine.refusals import IllegalMove
from bot.engine.rule_refs import TokenSections
from bot.engine.state.events import TileLaid, TrainBought, TrainExported
from bot.engine.state.state import Company
from bot.titles.t18bf.components import TRADE_IN
from bot.titles.t18bf.events import CompanyClosed
from bot.titles.t18bf.rounds import operating_order
from bot.titles.t18bf.tiles import TILES
from tests.message_helpers import told
from tests.titles.builders_18bf import (
    TITLE,
    after_privates,
    asked,
    column,
    company,
    give_trains,
    happened,
    in_turn,
    lay,
    legal,
    minor,
    operating_round,
    places,
    price,
    public,
    reach_phase,
    shares,
    token,
    trains,
)
from tests.titles.positions import act, cash, refusal, refused, set_cash

# -- §10 ----------------------------------------------------------------------------------------------


def test_10_privates_then_minors_then_publics_then_systems_by_price_the_upper_marker_first() -> None:
    game = after_privates()
    for name, at in (("BE", 60), ("TV", 100), ("MC", 60)):
        minor(game, name, at=at)
    for name, at in (("MR", 90), ("CR", 135)):
        public(game, name, at=at)
    public(game, "LMS", {"@1": 4}, at=80)
    public(game, "SR", {"@1": 4}, at=400)
    assert operating_order(game) == ["TV", "BE", "MC", "CR", "MR", "SR", "LMS"]


def test_10_every_company_operates_once_and_there_are_two_rounds() -> None:
    game = after_privates()
    minor(game, "BE", at=120, money=0)
    minor(game, "TV", "@2", at=110, money=0)
    operating_round(game)
    turns = []
    while game.state.round.kind == "operating":
        turns.append((game.state.round.part, game.frame.entity))
        act(game, f"{game.frame.entity} pass")
    assert turns == [(1, "BE"), (1, "TV"), (2, "BE"), (2, "TV")]


def test_10_activities_in_their_order() -> None:
    """Redeem, track, station, run, distribute, interest and loans, trains."""
    names = [getattr(step, "name", "") or step.__name__ for step in TITLE.plans["company turn"].steps]
    assert names == [
        "begin_turn",
        "redeem shares",
        "lay track",
        "place a token",
        "begin_ferries",
        "assign a ferry",
        "run trains",
        "handle_no_revenue",
        "pay, half or withhold",
        "settle_loans",
        "buy trains",
        "end_turn",
    ]
    names = [getattr(step, "name", "") or step.__name__ for step in TITLE.plans["minor turn"].steps]
    assert "redeem shares" not in names
    assert "place a token" not in names


def test_10_only_the_director_decides() -> None:
    from bot.engine.notation.text import parse_action
    from bot.engine.refusals import NotYourTurn

    game = after_privates()
    minor(game, "BE", "@2")
    minor(game, "TV", "@1")
    in_turn(game, "BE", "track")
    assert asked(game) == ["@2"]
    with pytest.raises(NotYourTurn):
        game.apply(parse_action(TITLE, "TV pass"))


# -- §10.2 --------------------------------------------------------------------------------------------


def test_10_2_loans_of_50_bring_45_as_few_as_needed() -> None:
    """A hex-side of £80 with £0 in the treasury: two loans, £90, £10 left. A third is not taken."""
    game = after_privates()
    minor(game, "BE", money=0)
    lay(game, "621 U13 1")
    in_turn(game, "BE", "track")
    events = act(game, "BE lay 57 U11 1")
    assert "BE takes 2 loans for track: £90." in told(game, events)
    assert (cash(game, "BE"), company(game, "BE").loans) == (10, 2)


def test_10_2_only_what_cannot_be_paid_otherwise() -> None:
    game = after_privates()
    minor(game, "BE", money=40)
    lay(game, "621 U13 1")
    in_turn(game, "BE", "track")
    act(game, "BE lay 57 U11 1")
    assert (cash(game, "BE"), company(game, "BE").loans) == (5, 1)


@pytest.mark.parametrize(("name", "most"), [("BE", 2), ("MR", 5), ("LMS", 10)])
def test_10_2_minors_two_publics_five_systems_ten(name: str, most: int) -> None:
    from bot.titles.t18bf.loans import loans_left, max_funds

    game = after_privates()
    if name == "BE":
        minor(game, name, money=0)
    else:
        public(game, name, money=0)
    record = company(game, name)
    assert loans_left(game, record.id) == most
    assert max_funds(game, record.id) == 45 * most
    record.loans = most
    assert max_funds(game, record.id) == 0
    record.loans = most + 3
    assert max_funds(game, record.id) == 0


def test_10_2_a_lay_beyond_all_loans_is_refused() -> None:
    game = after_privates()
    minor(game, "BE", money=0, loans=1)
    lay(game, "621 U13 1")
    in_turn(game, "BE", "track")
    assert "£80" in refused(game, "BE lay 57 U11 1", "§10.4")


def test_10_2_for_a_train_only_without_one_and_only_from_the_bank() -> None:
    game = after_privates()
    minor(game, "BE", money=60)
    minor(game, "TV", "@2")
    give_trains(game, "TV", "2")
    in_turn(game, "BE", "trains")
    assert "£60" in refused(game, "BE buy 2 from TV for 61", "§10.10")
    act(game, "BE buy 2 for 100")
    assert (cash(game, "BE"), company(game, "BE").loans) == (5, 1)
    game = after_privates()
    minor(game, "BE", money=60)
    give_trains(game, "BE", "2")
    in_turn(game, "BE", "trains")
    assert not legal(game, "BE buy 2 for 100")
    minor(game, "TV", "@2")
    give_trains(game, "TV", "3")
    in_turn(game, "BE", "trains")
    assert "costs £100 and BE has £60" in refused(game, "BE buy 2 for 100", "§10.10")


# -- §10.3 --------------------------------------------------------------------------------------------


def test_10_3_own_shares_come_back_from_the_pool_at_the_present_price_without_loans() -> None:
    game = after_privates()
    public(game, "MR", {"@1": 2, "pool": 4}, at=90, money=200)
    in_turn(game, "MR", "start")
    assert "costs £270 and MR has £200" in refused(game, "MR redeem 3", "§10.3")
    refused(game, "MR redeem 5", "§10.3")
    act(game, "MR redeem 2")
    assert (shares(game, "MR", "pool"), shares(game, "MR", "ipo"), cash(game, "MR")) == (2, 6, 20)
    assert price(game, "MR") == 90


def test_10_3_systems_redeem_as_well_minors_have_nothing_to_redeem() -> None:
    game = after_privates()
    public(game, "LMS", {"@1": 4, "pool": 3}, at=100, money=300)
    in_turn(game, "LMS", "start")
    act(game, "LMS redeem 3")
    assert shares(game, "LMS", "ipo") == 16


# -- §10.4: how much, where, what ---------------------------------------------------------------------


def test_10_4_a_second_tile_costs_20_and_goes_elsewhere() -> None:
    game = after_privates()
    minor(game, "BE", money=100)
    in_turn(game, "BE", "track")
    events = act(game, "BE lay 621 U13 1", "BE lay 9 U15 1")
    assert [event.cost for event in happened(events, TileLaid)] == [0, 20]
    assert cash(game, "BE") == 80
    assert game.frame.plan != "minor turn" or (game.step is not None and game.step.name != "lay track")


def test_10_4_two_operations_one_of_them_an_upgrade_in_different_hexes() -> None:
    game = after_privates()
    minor(game, "BE", money=300)
    lay(game, "621 U13 1", "9 U15 1")
    reach_phase(game, "3")
    in_turn(game, "BE", "track")
    act(game, "BE lay 207 U13 1")
    assert "different hex" in refused(game, "BE lay 208 U13 0", "§10.4")
    assert "upgrade" in refused(game, "BE lay 23 U15 1", "§10.4")
    act(game, "BE lay 4 U17 1")
    assert cash(game, "BE") == 280


def test_10_4_systems_lay_a_third_tile_for_20_more() -> None:
    game = after_privates()
    public(game, "LMS", {"@1": 4}, money=300, stations=[("U13", 0)])
    lay(game, "621 U13 1")
    reach_phase(game, "6")
    in_turn(game, "LMS", "track")
    events = act(game, "LMS lay 9 U15 1", "LMS lay 4 U17 1", "LMS lay 57 U11 1")
    assert [event.cost for event in happened(events, TileLaid)] == [0, 20, 20 + 80]
    assert not legal(game, "LMS lay"), "no fourth"
    refused(game, "LMS lay 4 U19 1")
    game = after_privates()
    public(game, "MR", {"@1": 4}, money=300, stations=[("U13", 0)])
    lay(game, "621 U13 1")
    in_turn(game, "MR", "track")
    act(game, "MR lay 9 U15 1", "MR lay 4 U17 1")
    assert not legal(game, "MR lay")


def test_10_4_green_from_phase_3_brown_from_5_gray_from_7() -> None:
    game = after_privates()
    minor(game, "BE", money=300)
    lay(game, "621 U13 1")
    in_turn(game, "BE", "track")
    assert "not available" in refused(game, "BE lay 207 U13 1", "§10.4")
    reach_phase(game, "3")
    act(game, "BE lay 207 U13 1")


def test_10_4_plain_yellow_track_is_unlimited_other_tiles_are_not() -> None:
    assert [TILES[tile].count for tile in ("7", "8", "9")] == [None] * 3
    assert [TILES[tile].count for tile in ("621", "4", "57", "BF9")] == [4, 12, 6, 1]
    game = after_privates()
    minor(game, "BE", money=300)
    lay(game, "621 O19 0", "621 M17 0", "621 D10 1", "621 P14 0")
    in_turn(game, "BE", "track")
    assert "left" in refused(game, "BE lay 621 U13 1", "§10.4")
    lay(game, "207 P14 0")
    act(game, "BE lay 621 U13 1")


def test_10_4_with_a_bare_home_a_company_lays_there_and_nowhere_else() -> None:
    game = after_privates()
    minor(game, "BE", money=300)
    lay(game, "57 V14 2")
    in_turn(game, "BE", "track")
    assert "at home" in refused(game, "BE lay 9 U15 1", "§10.4")
    assert legal(game, "BE lay 201 U13")
    assert not [text for text in legal(game, "BE lay") if " U13 " not in text]


def test_10_4_a_bare_station_of_several_binds_nobody() -> None:
    """Only minors have a home by the table; a company that has track elsewhere builds there."""
    game = after_privates()
    public(game, "MR", {"@1": 5}, money=500, stations=[("U13", 0), ("U7", 0)])
    lay(game, "621 U13 1")
    in_turn(game, "MR", "track")
    assert {text.split()[3] for text in legal(game, "MR lay")} == {"U7", "U11", "U15"}
    act(game, "MR lay 9 U15 1", "MR lay 57 U7 1")


def test_10_4_other_track_must_be_part_of_a_route_of_the_company() -> None:
    game = after_privates()
    minor(game, "BE", money=300)
    lay(game, "621 U13 1")
    in_turn(game, "BE", "track")
    assert "BE has no route to that tile on U15" in refused(game, "BE lay 9 U15 0", "§10.4")
    assert "BE has no route to that tile on K21" in refused(game, "BE lay 9 K21 0", "§10.4")
    act(game, "BE lay 9 U15 1")


def test_10_4_track_does_not_run_off_the_grid_into_blank_sides_or_towards_thick_lines() -> None:
    """M23: Hull's lower right side is blank, beyond its right side is nothing; U11's lower right side is thick black."""
    game = after_privates()
    minor(game, "SAM", money=300)
    minor(game, "TV", "@2", money=300)
    lay(game, "621 M17 1", "4 M19 1", "9 M21 1")
    in_turn(game, "SAM", "track")
    assert "off the map" in refused(game, "SAM lay 7 M23 1", "§10.4")
    assert "off the map" in refused(game, "SAM lay 9 M23 1", "§10.4")
    act(game, "SAM lay 8 M23 5")
    in_turn(game, "TV", "track")
    assert "off the map" in refused(game, "TV lay 57 U11 2", "§10.4")


def test_10_4_difficult_terrain_is_paid_once() -> None:
    """Gloucester (T14) is marked 20; its upgrade costs nothing."""
    game = after_privates()
    minor(game, "BE", money=300)
    lay(game, "621 U13 0")
    in_turn(game, "BE", "track")
    events = act(game, "BE lay 4 T14 0")
    assert [event.cost for event in happened(events, TileLaid)] == [20]
    reach_phase(game, "3")
    in_turn(game, "BE", "track")
    events = act(game, "BE lay 88 T14 0")
    assert [event.cost for event in happened(events, TileLaid)] == [0]


def test_10_4_a_hex_side_costs_when_the_link_across_it_is_completed() -> None:
    """Bristol to Cardiff, £80: pointing there is free, whoever completes it pays, by a tile or by an upgrade."""
    game = after_privates()
    minor(game, "BE", money=100)
    in_turn(game, "BE", "track")
    assert [event.cost for event in happened(act(game, "BE lay 621 U13 1"), TileLaid)] == [0]
    minor(game, "TV", "@2", money=100)
    in_turn(game, "TV", "track")
    assert [event.cost for event in happened(act(game, "TV lay 57 U11 1"), TileLaid)] == [80]
    game = after_privates()
    minor(game, "BE", money=100)
    lay(game, "57 U11 1", "621 U13 0")
    reach_phase(game, "3")
    in_turn(game, "BE", "track")
    assert [event.cost for event in happened(act(game, "BE lay 207 U13 0"), TileLaid)] == [80]


def test_10_4_a_link_is_paid_for_once() -> None:
    """Bristol and Cardiff are linked: an upgrade on either side of the £80 completes nothing."""
    game = after_privates()
    minor(game, "BE", money=100)
    lay(game, "57 U11 1", "621 U13 1")
    reach_phase(game, "3")
    in_turn(game, "BE", "track")
    upgrades = [text for text in legal(game, "BE lay") if " U13 " in text and "207" in text]
    events = act(game, upgrades[0])
    assert [event.cost for event in happened(events, TileLaid)] == [0]


def test_10_4_a_yellow_tile_points_towards_the_triangle() -> None:
    """T22 has its triangle on the side of London."""
    game = after_privates()
    minor(game, "LH", money=300)
    in_turn(game, "LH", "track")
    assert "triangle" in refused(game, "LH lay 9 T22 0", "§10.4")
    assert all(
        5 in TILES[text.split()[2]].rotate(int(text.split()[4])).exits
        for text in legal(game, "LH lay")
        if " T22 " in text
    )
    act(game, "LH lay 9 T22 2")


@pytest.mark.parametrize(
    ("tile", "hex_id", "fits"),
    [
        ("57", "O17", True),
        ("621", "O17", False),
        ("621", "O19", True),
        ("57", "O19", False),
        ("4", "O13", True),
        ("9", "O13", False),
        ("57", "O13", False),
        ("9", "O21", True),
        ("4", "O21", False),
    ],
)
def test_10_4_normal_large_and_small_cities_and_plain_track_take_their_own_tiles(
    tile: str, hex_id: str, fits: bool
) -> None:
    game = after_privates()
    assert (tile in game.board_rules.legal_tiles(game, HexId(hex_id))) is fits


def test_10_4_an_upgrade_keeps_the_old_track_in_its_place() -> None:
    game = after_privates()
    minor(game, "BE", money=300)
    lay(game, "621 U13 1")
    reach_phase(game, "3")
    in_turn(game, "BE", "track")
    assert "In this rotation, 207 does not preserve the track on" in refused(game, "BE lay 207 U13 2", "§10.4")
    assert "23 does not fit U13: the tile has no stop, the hex has" in refused(game, "BE lay 23 U13 1", "§10.4")
    act(game, "BE lay 207 U13 1")


def test_10_4_of_plain_track_the_company_must_be_able_to_use_something_new() -> None:
    """U15 with a straight 1-4: tile 20 adds a crossing straight that BE cannot reach; tile 23 adds a branch of its own."""
    game = after_privates()
    minor(game, "BE", money=300)
    lay(game, "621 U13 1", "9 U15 1")
    reach_phase(game, "3")
    in_turn(game, "BE", "track")
    assert "BE could not use any new track of that tile on U15" in refused(game, "BE lay 20 U15 1", "§10.4")
    act(game, "BE lay 23 U15 1")


def test_10_4_of_a_city_any_track_will_do() -> None:
    game = after_privates()
    minor(game, "BE", money=300)
    lay(game, "621 U13 1", "9 U15 1", "4 U17 1")
    reach_phase(game, "3")
    in_turn(game, "BE", "track")
    act(game, "BE lay 87 U17 1")


def test_10_4_stations_stay_on_the_new_tile_and_separate_spaces_are_linked() -> None:
    """Birmingham: BF1 joins sides but no spaces, BF6 makes a city of two spaces and one of one, BF14 one of three."""
    game = after_privates()
    minor(game, "BG", money=300)
    reach_phase(game, "3")
    in_turn(game, "BG", "track")
    act(game, "BG lay BF1 Q15 0", "BG pass")
    assert places(game, "BG") == ["Q15.0"]
    reach_phase(game, "5")
    in_turn(game, "BG", "track")
    text = next(text for text in legal(game, "BG lay") if " BF7 Q15 " in text)
    act(game, text)
    tile = game.tile_at(HexId("Q15"))
    (place,) = places(game, "BG")
    city = tile.cities[int(place.split(".")[1])]
    ends = [path for path in tile.paths if city.id in (path.a, path.b)]
    assert {0, 3} <= {end for path in ends for end in (path.a, path.b) if isinstance(end, int)}


def test_10_4_printed_yellow_track_is_upgraded_not_laid() -> None:
    game = after_privates()
    minor(game, "BG", money=300)
    in_turn(game, "BG", "track")
    assert "green tile next" in refused(game, "BG lay 57 Q15 0", "§10.4")


def test_10_4_special_cities_take_their_own_tiles_alone() -> None:
    game = after_privates()
    reach_phase(game, "3")
    expected = {"U23": {"BF9"}, "M11": {"BF12"}, "Q15": {"BF1", "BF4", "BF5"}, "M15": {"BF1", "BF4", "BF5"}}
    for hex_id, tiles in expected.items():
        assert set(game.board_rules.legal_tiles(game, HexId(hex_id))) == tiles
    reserved = {"BF1", "BF4", "BF5", "BF9", "BF12"}
    lay(game, "57 O17 0", "621 O19 0")
    assert reserved.isdisjoint(game.board_rules.legal_tiles(game, HexId("O17")))
    assert reserved.isdisjoint(game.board_rules.legal_tiles(game, HexId("O19")))


def test_10_4_a_brown_large_city_gets_as_many_exits_as_possible() -> None:
    """Derby is far from the sea: of 611 (5), 63 (6) and 448 (4) tile 63 has to be used while there is one."""
    game = after_privates()
    minor(game, "NM", money=300)
    lay(game, "15 O17 0")
    reach_phase(game, "5")
    in_turn(game, "NM", "track")
    assert "6 exits" in refused(game, "NM lay 448 O17 0", "§10.4")
    assert "6 exits" in refused(game, "NM lay 611 O17 0", "§10.4")
    act(game, "NM lay 63 O17 0")
    game = after_privates()
    minor(game, "NM", money=300)
    lay(game, "15 O17 0", "63 W17 0", "63 W19 0", "63 W21 0", "63 W23 0", "63 W25 0")
    reach_phase(game, "5")
    in_turn(game, "NM", "track")
    act(game, "NM lay 611 O17 0")


def test_10_4_difficult_terrain_on_the_second_tile_adds_up() -> None:
    game = after_privates()
    minor(game, "BE", money=300)
    in_turn(game, "BE", "track")
    act(game, "BE lay 621 U13 0")
    assert [event.cost for event in happened(act(game, "BE lay 4 T14 0"), TileLaid)] == [40]


# -- §10.5 --------------------------------------------------------------------------------------------


def midland(money: int = 500) -> tuple[Game, Company]:
    """MR in Derby with track to Nottingham and on to its right."""
    game = after_privates()
    public(game, "MR", {"@1": 5}, money=money, stations=[("O17", 0)])
    game.state.board.reservations = [kept for kept in game.state.board.reservations if kept.company != "NM"]
    lay(game, "57 O17 1", "621 O19 1")
    return game, company(game, "MR")


def test_10_5_one_station_a_turn_on_a_vacant_space_of_a_route_for_20_a_hex() -> None:
    game, record = midland()
    reach_phase(game, "5")
    in_turn(game, "MR", "token")
    assert "no route" in refused(game, "MR token M17", "§10.5")
    act(game, "MR token O19")
    assert cash(game, "MR") == 480
    assert len(record.tokens_left) == 2
    assert not legal(game, "MR token")


def test_10_5_the_distance_is_measured_in_hexes_from_the_nearest_station() -> None:
    """Derby is 1 hex from Nottingham, 6 from Bristol and from London; a station far away does not matter."""
    game, _ = midland()
    reach_phase(game, "5")
    layout = game.board_rules.map.layout
    assert layout.distance(HexId("O17"), HexId("O19")) == 1
    assert layout.distance(HexId("O17"), HexId("Q15")) == 2
    assert layout.distance(HexId("U13"), HexId("O17")) == 6
    assert layout.distance(HexId("U23"), HexId("O17")) == 6
    lay(game, "9 O21 1", "8 O23 1")
    token(game, "MR", "X24")
    in_turn(game, "MR", "token")
    act(game, "MR token O19")
    assert cash(game, "MR") == 480


def test_10_5_before_phase_5_a_place_is_kept_for_each_minor_not_started() -> None:
    game, _ = midland()
    in_turn(game, "MR", "token")
    assert not legal(game, "MR token")
    lay(game, "207 O19 1")
    public(game, "CR", {"@2": 5}, stations=[("X24", 0)])
    reach_phase(game, "4")
    in_turn(game, "MR", "token")
    act(game, "MR token O19")
    assert places(game, "MR") == ["O17.0", "O19.0"]
    lay(game, "207 O19 1")
    token(game, "CR", "O17")
    with pytest.raises(IllegalMove, match="There is no free token slot on O19: a slot is reserved"):
        game.board_rules.check_city(game, company(game, "CR").id, HexId("O19"), 0, TokenSections())


def test_10_5_one_station_a_hex_outside_of_mergers() -> None:
    game, _ = midland()
    token(game, "MR", "U23", 2)
    reach_phase(game, "5")
    in_turn(game, "MR", "token")
    assert "already" in refused(game, "MR token U23.3", "§10.5")
    assert "already" in refused(game, "MR token O17", "§10.5")


def test_10_5_no_loans_for_stations_and_four_at_most() -> None:
    game, _ = midland(money=19)
    reach_phase(game, "5")
    in_turn(game, "MR", "token")
    assert not legal(game, "MR token")
    set_cash(game, "MR", 20)
    in_turn(game, "MR", "token")
    act(game, "MR token O19")
    assert cash(game, "MR") == 0
    game, record = midland()
    record.tokens_left = ()
    reach_phase(game, "5")
    in_turn(game, "MR", "token")
    assert not legal(game, "MR token")


def test_10_5_a_full_city_has_no_room() -> None:
    game, _ = midland()
    reach_phase(game, "5")
    public(game, "CR", {"@2": 5}, stations=[("O19", 0)])
    in_turn(game, "MR", "token")
    assert not legal(game, "MR token")


def test_10_5_no_private_helps_with_stations() -> None:
    game, _ = midland()
    game.private(Owner("F1")).owner = Owner("MR")
    reach_phase(game, "5")
    in_turn(game, "MR", "token")
    refused(game, "MR token O19 with F1", "")
    assert company(game, "MR").tokens_left


# -- §10.7 --------------------------------------------------------------------------------------------


def earned(game: Game, name: str, revenue: int) -> None:
    """The company's trains have run for so much; what follows is decided now."""
    give_trains(game, name, "5")
    in_turn(game, name, "earnings", revenue=revenue)


def test_10_7_a_minor_pays_half_to_its_owner_half_to_its_treasury_and_moves_right() -> None:
    game = after_privates()
    minor(game, "BE", "@2", at=100, money=0)
    before = cash(game, "@2")
    minor(game, "TV", "@2", at=110)
    earned(game, "BE", 70)
    assert (cash(game, "BE"), cash(game, "@2")) == (35, before + 35)
    assert price(game, "BE") == 110
    assert game.state.stacks[f"0,{column(110)}"] == ["TV", "BE"]


def test_10_7_a_minor_without_earnings_moves_left() -> None:
    game = after_privates()
    minor(game, "BE", at=100, money=0)
    give_trains(game, "BE", "2")
    in_turn(game, "BE", "run")
    assert price(game, "BE") == 90


def test_10_7_a_minor_rises_to_165_at_most() -> None:
    game = after_privates()
    minor(game, "BE", at=165)
    earned(game, "BE", 70)
    assert price(game, "BE") == 165


@pytest.mark.parametrize(("revenue", "paid"), [(10, 10), (30, 20), (50, 30), (100, 50), (110, 60), (200, 100)])
def test_10_7_half_dividends_are_rounded_up_to_10(revenue: int, paid: int) -> None:
    game = after_privates()
    public(game, "MR", {"@1": 5}, money=0)
    earned(game, "MR", revenue)
    before = cash(game, "@1")
    act(game, "MR half")
    assert cash(game, "@1") == before + 5 * paid // 10
    assert cash(game, "MR") == revenue - paid + 5 * paid // 10


def test_10_7_a_tenth_to_each_share_the_treasurys_to_the_company_the_pools_is_lost() -> None:
    game = after_privates()
    public(game, "MR", {"@1": 4, "@2": 1, "pool": 2}, money=0)
    earned(game, "MR", 120)
    one, two, bank = cash(game, "@1"), cash(game, "@2"), cash(game, "bank")
    act(game, "MR pay")
    assert (cash(game, "@1"), cash(game, "@2")) == (one + 48, two + 12)
    assert cash(game, "bank") == bank - 48 - 12 - 36


@pytest.mark.parametrize(
    ("choice", "revenue", "at", "after"),
    [
        ("withhold", 120, 100, 90),
        ("pay", 100, 100, 110),
        ("pay", 90, 100, 100),
        ("half", 200, 100, 110),
        ("half", 180, 100, 100),
        ("pay", 500, 100, 110),
        ("pay", 800, 800, 800),
    ],
)
def test_10_7_how_the_price_of_a_public_moves(choice: str, revenue: int, at: int, after: int) -> None:
    """Left when all is kept, right when ten times the dividend per share reaches the price, never two spaces."""
    game = after_privates()
    public(game, "MR", {"@1": 5}, at=at)
    earned(game, "MR", revenue)
    act(game, f"MR {choice}")
    assert price(game, "MR") == after


def test_10_7_a_public_does_not_jump_twice_in_phase_8_either() -> None:
    game = after_privates()
    public(game, "MR", {"@1": 5}, at=100)
    reach_phase(game, "8")
    earned(game, "MR", 500)
    act(game, "MR pay")
    assert price(game, "MR") == 110


def test_10_7_without_earnings_a_public_moves_left_and_may_close() -> None:
    game = after_privates()
    public(game, "MR", {"@1": 5}, at=40, money=30)
    give_trains(game, "MR", "3")
    in_turn(game, "MR", "run")
    assert company(game, "MR").position is None
    assert trains(game, "pool") == ["3"]


def test_10_7_a_marker_that_does_not_move_keeps_its_place_in_the_stack() -> None:
    game = after_privates()
    public(game, "MR", {"@1": 5}, at=100)
    public(game, "CR", {"@2": 5}, at=100)
    earned(game, "MR", 50)
    act(game, "MR pay")
    assert game.state.stacks[f"0,{column(100)}"] == ["MR", "CR"]


def test_10_7_a_system_pays_5_percent_a_share_rounded_down() -> None:
    """£130: £6 a share; £6 x 4 for the director, the company's 14 shares get £84."""
    game = after_privates()
    public(game, "LMS", {"@1": 4, "@2": 2}, at=100, money=0)
    earned(game, "LMS", 130)
    one, two = cash(game, "@1"), cash(game, "@2")
    act(game, "LMS pay")
    assert (cash(game, "@1"), cash(game, "@2"), cash(game, "LMS")) == (one + 24, two + 12, 84)


@pytest.mark.parametrize(
    ("phase", "revenue", "at", "after"),
    [
        ("8", 400, 100, 120),
        ("8", 380, 100, 110),
        ("8", 200, 100, 110),
        ("8", 180, 100, 100),
        ("7", 400, 100, 110),
        ("8", 3200, 720, 800),
    ],
)
def test_10_7_systems_jump_twice_in_phase_8_for_twice_the_price(phase: str, revenue: int, at: int, after: int) -> None:
    """£400 is £20 a share; ten times that is twice £100."""
    game = after_privates()
    public(game, "LMS", {"@1": 4}, at=at)
    reach_phase(game, phase)
    earned(game, "LMS", revenue)
    act(game, "LMS pay")
    assert price(game, "LMS") == after


# -- §10.8, §10.9 -------------------------------------------------------------------------------------


def test_10_8_interest_of_5_on_each_loan_of_the_beginning_of_the_turn() -> None:
    game = after_privates()
    public(game, "MR", {"@1": 5}, money=49, loans=3)
    give_trains(game, "MR", "3")
    in_turn(game, "MR", "start")
    act(game, "MR pass")
    assert cash(game, "MR") == 34
    assert company(game, "MR").loans == 3


def test_10_8_loans_of_this_turn_have_paid_already() -> None:
    """£80 for a hex-side with £0: two loans, £10 stay until the next turn."""
    game = after_privates()
    minor(game, "BE", money=0)
    lay(game, "621 U13 1")
    in_turn(game, "BE", "start")
    act(game, "BE lay 57 U11 1")
    assert (cash(game, "BE"), company(game, "BE").loans, game.state.round.part) == (10, 2, 2)
    act(game, "BE pass")
    assert cash(game, "BE") == 0


def test_10_8_without_money_a_further_loan_pays_the_interest() -> None:
    game = after_privates()
    public(game, "MR", {"@1": 5}, money=10, loans=3)
    give_trains(game, "MR", "3")
    in_turn(game, "MR", "start")
    act(game, "MR pass")
    assert company(game, "MR").loans == 4
    assert cash(game, "MR") == 10 + 45 - 15


def test_10_8_who_can_borrow_no_more_pays_what_he_has_and_falls() -> None:
    """Five loans, £25 due, £20 there. No earnings cost one space before: £100 falls to £80 in all."""
    game = after_privates()
    public(game, "MR", {"@1": 5}, at=100, money=20, loans=5)
    give_trains(game, "MR", "3")
    in_turn(game, "MR", "start")
    events = act(game, "MR pass")
    assert "MR owes £25 interest and pays only £20." in told(game, events)
    assert cash(game, "MR") == 0
    assert price(game, "MR") == 80


def test_10_8_an_interest_that_closes_the_company_ends_its_turn() -> None:
    game = after_privates()
    public(game, "MR", {"@1": 5}, at=45, money=0, loans=5)
    give_trains(game, "MR", "3")
    in_turn(game, "MR", "start")
    events = act(game, "MR pass")
    assert happened(events, CompanyClosed)
    assert not any("redeems" in line for line in told(game, events))


def test_10_9_as_many_loans_as_possible_are_redeemed_after_the_interest() -> None:
    """£129 with three loans: £15 interest, then two loans for £100, £14 stay."""
    game = after_privates()
    public(game, "MR", {"@1": 5}, money=129, loans=3)
    give_trains(game, "MR", "3")
    in_turn(game, "MR", "start")
    events = act(game, "MR pass")
    assert "MR redeems 2 loans." in told(game, events)
    assert (cash(game, "MR"), company(game, "MR").loans) == (14, 1)


# -- §10.10 -------------------------------------------------------------------------------------------

TABLE_4 = {
    "2": (100, 15),
    "3": (225, 11),
    "4": (350, 6),
    "5": (550, 6),
    "3G": (450, 6),
    "6": (650, 3),
    "4G": (550, 3),
    "3+3": (800, 3),
    "5G": (700, 3),
    "4+4": (1000, None),
    "6G": (800, None),
    "5+5E": (1500, 5),
    "2+2": (600, None),
}


def test_10_10_table_4_prices_and_quantities() -> None:
    game = after_privates()
    for kind, (money, number) in TABLE_4.items():
        assert TITLE.trains[kind].price == money
        if number is not None:
            assert sum(card.family == TITLE.trains[kind].family for card in game.state.trains) == number


def test_10_10_table_4_trade_in_values() -> None:
    assert TRADE_IN == {
        "4": 0,
        "5": 135,
        "3G": 125,
        "6": 160,
        "4G": 150,
        "3+3": 200,
        "5G": 175,
        "4+4": 250,
        "6G": 200,
        "5+5E": 375,
        "2+2": 150,
    }


def test_10_10_from_the_bank_the_next_train_at_face_value() -> None:
    game = after_privates()
    minor(game, "BE", money=500)
    in_turn(game, "BE", "trains")
    assert "costs £100" in refused(game, "BE buy 2 for 90", "§10.10")
    assert "does not sell" in refused(game, "BE buy 3 for 225", "§10.10")
    act(game, "BE buy 2 for 100", "BE buy 2 for 100")
    assert cash(game, "BE") == 300
    assert not legal(game, "BE buy 2 for 100")


def test_10_10_at_the_limit_nothing_is_bought_even_if_a_phase_would_begin() -> None:
    game = after_privates()
    minor(game, "BE", money=500)
    give_trains(game, "BE", "2", "2")
    reach_phase(game, "4")
    game.state.phase = "3"
    in_turn(game, "BE", "track")
    act(game, "BE pass")
    assert not legal(game, "BE buy")
    assert game.state.phase == "3"


def test_10_10_another_companys_train_for_1_up_to_the_treasury_with_its_directors_consent() -> None:
    game = after_privates()
    minor(game, "BE", "@1", money=80)
    minor(game, "TV", "@2")
    give_trains(game, "TV", "2")
    in_turn(game, "BE", "trains")
    refused(game, "BE buy 2 from TV for 0", "§10.10")
    refused(game, "BE buy 2 from TV for 81", "§10.10")
    act(game, "BE buy 2 from TV for 80")
    assert asked(game) == ["@2"]
    act(game, "@2 refuse")
    assert trains(game, "TV") == ["2"]
    act(game, "BE buy 2 from TV for 1", "@2 agree")
    assert trains(game, "BE") == ["2"]
    assert cash(game, "TV") == 101


def test_10_10_between_companies_of_one_director_nobody_is_asked() -> None:
    game = after_privates()
    minor(game, "BE", "@1", money=80)
    minor(game, "TV", "@1")
    give_trains(game, "TV", "2")
    in_turn(game, "BE", "trains")
    act(game, "BE buy 2 from TV for 80")
    assert trains(game, "BE") == ["2"]


def test_10_10_a_train_of_the_pool_keeps_its_side_and_costs_its_face_value() -> None:
    game = after_privates()
    public(game, "MR", {"@1": 5}, money=1000)
    give_trains(game, "pool", "3G")
    reach_phase(game, "5")
    in_turn(game, "MR", "trains")
    refused(game, "MR buy 5 from pool for 550", "§10.10")
    refused(game, "MR buy 3G from pool for 1", "§10.10")
    events = act(game, "MR buy 3G from pool for 450")
    assert [event.kind for event in happened(events, TrainBought)] == ["3G"]


def test_10_10_from_phase_5_the_buyer_chooses_the_side() -> None:
    game = after_privates()
    public(game, "MR", {"@1": 5}, money=2000)
    reach_phase(game, "5")
    in_turn(game, "MR", "trains")
    act(game, "MR buy 3G for 450", "MR buy 5 for 550")
    assert sorted(trains(game, "MR")) == ["3G", "5"]


def test_10_10_below_the_limit_a_train_may_bring_the_company_above_the_new_one() -> None:
    """Phase 3, three of four trains; the first 4 brings the limit of three: a fourth is discarded."""
    game = after_privates()
    public(game, "MR", {"@1": 5}, money=400)
    give_trains(game, "MR", "3", "3", "3")
    reach_phase(game, "4")
    game.state.phase = "3"
    in_turn(game, "MR", "trains")
    act(game, "MR buy 4 for 350")
    assert set(legal(game)) == {"MR discard 3", "MR discard 4"}
    act(game, "MR discard 3")
    assert trains(game, "pool") == ["3"]


def test_10_10_excess_trains_are_discarded_in_operating_order() -> None:
    game = after_privates(players=4)
    public(game, "MR", {"@1": 5}, money=400, at=80)
    for name, owner, at in (("BE", "@2", 100), ("TV", "@3", 120)):
        minor(game, name, owner, at=at)
        give_trains(game, name, "3", "3")
    public(game, "CR", {"@4": 5}, at=200)
    give_trains(game, "CR", "3", "3", "3", "3")
    reach_phase(game, "4")
    game.state.phase = "3"
    in_turn(game, "MR", "trains")
    act(game, "MR buy 4 for 350")
    order = []
    while game.frame.plan == "discard":
        order.append(game.frame.entity)
        act(game, f"{game.frame.entity} discard 3")
    assert order == ["TV", "BE", "CR"]


def test_10_10_without_a_train_a_company_must_buy_one_if_it_can() -> None:
    game = after_privates()
    minor(game, "BE", money=10)
    in_turn(game, "BE", "trains")
    assert "must own a train" in refused(game, "BE pass", "§10.10")
    act(game, "BE buy 2 for 100")
    assert (cash(game, "BE"), company(game, "BE").loans) == (0, 2)


def test_10_10_another_companys_train_may_be_preferred() -> None:
    game = after_privates()
    minor(game, "BE", "@1", money=10)
    minor(game, "TV", "@1", money=10)
    give_trains(game, "TV", "2")
    in_turn(game, "BE", "trains")
    act(game, "BE buy 2 from TV for 1")
    assert company(game, "BE").loans == 0


def test_10_10_who_cannot_buy_takes_no_loans_and_falls_one_space() -> None:
    game = after_privates()
    minor(game, "BE", at=100, money=9)
    in_turn(game, "BE", "trains")
    assert (cash(game, "BE"), company(game, "BE").loans) == (9, 0)
    assert price(game, "BE") == 90


def test_10_10_loans_may_buy_a_dearer_train_than_the_cheapest() -> None:
    """£600: a 4G of the pool could be had for cash; the 5 costs £550 too, the 6 £650 with two loans."""
    game = after_privates()
    public(game, "MR", {"@1": 5}, money=600)
    give_trains(game, "pool", "4")
    reach_phase(game, "6")
    in_turn(game, "MR", "trains")
    act(game, "MR buy 6 for 650")
    assert company(game, "MR").loans == 2
    assert cash(game, "MR") == 40


def test_10_10_loans_buy_a_train_of_the_pool_too() -> None:
    game = after_privates()
    public(game, "MR", {"@1": 5}, money=400)
    give_trains(game, "pool", "3G")
    reach_phase(game, "6")
    in_turn(game, "MR", "trains")
    act(game, "MR buy 3G from pool for 450")
    assert (company(game, "MR").loans, cash(game, "MR"), trains(game, "MR")) == (2, 40, ["3G"]), "£45 a loan"


def test_10_10_what_is_left_of_loans_may_buy_another_companys_train() -> None:
    game = after_privates()
    public(game, "MR", {"@1": 5}, money=600)
    public(game, "CR", {"@1": 5}, at=90)
    give_trains(game, "CR", "4")
    reach_phase(game, "6")
    in_turn(game, "MR", "trains")
    act(game, "MR buy 6 for 650", "MR buy 4 from CR for 40")
    assert sorted(trains(game, "MR")) == ["4", "6"]


def test_10_10_systems_give_old_trains_for_new_ones_of_the_bank_even_at_their_limit() -> None:
    """A 5 counts £135: a 4+4 for £865; the 5 goes to the pool and is sold there for £550. A 4 counts nothing."""
    game = after_privates()
    public(game, "LMS", {"@1": 5}, money=3000)
    public(game, "MR", {"@2": 5}, money=3000)
    give_trains(game, "LMS", "5", "5", "4", "3+3")
    give_trains(game, "MR", "5")
    reach_phase(game, "7")
    in_turn(game, "MR", "trains")
    assert "Only systems" in refused(game, "MR buy 3+3 for 665 trade 5", "§10.10")
    in_turn(game, "LMS", "trains")
    assert "limit" in refused(game, "LMS buy 3+3 for 800", "§10.10")
    assert "costs £665" in refused(game, "LMS buy 3+3 for 800 trade 5", "§10.10")
    assert "no 6 train" in refused(game, "LMS buy 3+3 for 640 trade 6", "§10.10")
    give_trains(game, "LMS", "3")
    assert "A 3 cannot be traded in" in refused(game, "LMS buy 3+3 for 800 trade 3", "§10.10"), (
        "it counts for nothing there"
    )
    game.state.trains.pop(0)
    act(game, "LMS buy 3+3 for 665 trade 5")
    assert trains(game, "pool") == ["5"]
    act(game, "LMS buy 5G for 700 trade 4")
    assert sorted(trains(game, "LMS")) == ["3+3", "3+3", "5", "5G"]
    assert cash(game, "LMS") == 3000 - 665 - 700
    in_turn(game, "MR", "trains")
    act(game, "MR buy 5 from pool for 550")


def test_10_10_an_upgrade_takes_no_loans_and_not_from_the_pool() -> None:
    game = after_privates()
    public(game, "LMS", {"@1": 5}, money=664)
    give_trains(game, "LMS", "5")
    give_trains(game, "pool", "6")
    reach_phase(game, "7")
    in_turn(game, "LMS", "trains")
    refused(game, "LMS buy 3+3 for 665 trade 5", "§10.10")
    assert "Discounts and trade-ins apply only to new trains" in refused(
        game, "LMS buy 6 from pool for 515 trade 5", "§10.10"
    )
    give_trains(game, "pool", "3+3")
    set_cash(game, "LMS", 700)
    game.state.money = sum(game.state.cash.values())
    assert "Discounts and trade-ins apply only to new trains" in refused(
        game, "LMS buy 3+3 from pool for 665 trade 5", "§10.10"
    )
    act(game, "LMS buy 3+3 for 665 trade 5")
    assert sorted(trains(game, "pool")) == ["3+3", "5", "6"]


def test_10_10_5_plus_5_e_for_systems_alone_one_each_beside_the_next_train_in_phase_8() -> None:
    game = after_privates()
    public(game, "LMS", {"@1": 5}, money=6000)
    public(game, "MR", {"@2": 5}, money=5000)
    reach_phase(game, "7")
    in_turn(game, "LMS", "trains")
    refused(game, "LMS buy 5+5E for 1500", "§10.10")
    reach_phase(game, "8")
    in_turn(game, "MR", "trains")
    assert "systems" in refused(game, "MR buy 5+5E for 1500", "§10.10")
    act(game, "MR buy 2+2 for 600")
    in_turn(game, "LMS", "trains")
    act(game, "LMS buy 5+5E for 1500", "LMS buy 4+4 for 1000", "LMS buy 2+2 for 600")
    refused(game, "LMS buy 5+5E for 1500", "§10.10")
    assert "only one 5+5E" in refused(game, "LMS buy 5+5E for 1250 trade 4+4", "§10.10")
    assert "not from LMS" in refusal(game, "LMS buy 4+4 from LMS for 1").sentence
    act(game, "LMS buy 5+5E for 1125 trade 5+5E")
    assert (sorted(trains(game, "LMS")), trains(game, "pool")) == (["2+2", "4+4", "5+5E"], ["5+5E"])
    act(game, "LMS buy 6G for 800")


def test_10_10_4_plus_4_and_2_plus_2_never_run_out() -> None:
    game = after_privates()
    public(game, "LMS", {"@1": 5}, money=4000)
    reach_phase(game, "8")
    assert {family: remaining_in_depot(game)[family] for family in ("4+4", "2+2", "5+5E")} == {
        "4+4": "∞",
        "2+2": "∞",
        "5+5E": "5",
    }
    in_turn(game, "LMS", "trains")
    act(game, "LMS buy 4+4 for 1000", "LMS buy 2+2 for 600", "LMS buy 4+4 for 1000", "LMS buy 2+2 for 600")
    assert sorted(trains(game, "LMS")) == ["2+2", "2+2", "4+4", "4+4"]
    assert len({train.id for train in game.state.trains}) == len(game.state.trains)


# -- §10.11, §11 --------------------------------------------------------------------------------------


def test_10_11_in_phases_4_to_7_the_next_train_leaves_after_the_second_round() -> None:
    for phase, part, leaves in (
        ("3", 2, ""),
        ("4", 1, ""),
        ("4", 2, "4"),
        ("6", 2, "6"),
        ("7", 2, "3+3"),
        ("8", 2, ""),
    ):
        game = after_privates()
        minor(game, "BE", at=150)
        reach_phase(game, phase)
        in_turn(game, "BE", "end", part)
        gone = [card.kind for card in game.state.trains if card.owner == "removed"]
        opened = {"3": "2", "4": "3", "6": "5", "7": "6", "8": "3+3"}[phase]
        assert (gone[-1] if gone and gone[-1] != opened else "") == leaves


def test_10_11_the_removal_of_a_new_kind_begins_its_phase_before_the_merger_round() -> None:
    game = after_privates()
    public(game, "MR", {"@1": 5}, at=150)
    minor(game, "BE", "@2", at=150)
    give_trains(game, "BE", "3")
    reach_phase(game, "6")
    game.state.phase = "5"
    operating_round(game, part=2, at=2)
    assert game.state.phase == "6"
    assert trains(game, "BE") == []


def test_10_11_a_removed_train_is_said() -> None:
    game = after_privates()
    minor(game, "BE", at=150, money=45)
    reach_phase(game, "4")
    in_turn(game, "BE", "track", 2)
    events = act(game, "BE pass")
    assert [event.kind for event in happened(events, TrainExported)] == ["4"]


def test_11_without_a_train_earnings_and_interest_the_price_falls_three_spaces() -> None:
    """£100, £90, £80, £70: nothing earned, £25 of interest not paid, no train."""
    game = after_privates()
    public(game, "MR", {"@1": 5}, at=100, money=20, loans=5)
    in_turn(game, "MR", "start")
    act(game, "MR pass")
    assert price(game, "MR") == 70


def test_11_assets_of_a_closed_company_go_to_the_bank_trains_to_the_pool() -> None:
    """A private railway closes with its company, a ferry can be auctioned again."""
    game = after_privates(owners={"P10": "@1", "F4": "@1"})
    public(game, "MR", {"@1": 5, "@2": 2}, at=40, money=77, loans=2)
    for sign in ("P10", "F4"):
        game.private(Owner(sign)).owner = Owner("MR")
    give_trains(game, "MR", "3", "4")
    one, two = cash(game, "@1"), cash(game, "@2")
    in_turn(game, "MR", "earnings")
    assert sorted(trains(game, "pool")) == ["3", "4"]
    assert (cash(game, "@1"), cash(game, "@2"), cash(game, "MR")) == (one, two, 0)
    assert game.private(Owner("P10")).closed
    assert game.private(Owner("F4")).owner is None
    assert not game.private(Owner("F4")).closed
    assert company(game, "MR").loans == 0
    assert shares(game, "MR", "ipo") == 10


def test_11_a_company_that_has_closed_is_not_asked_any_more() -> None:
    game = after_privates()
    minor(game, "BE", "@1", at=40, money=0)
    minor(game, "TV", "@2", at=100, money=0)
    operating_round(game)
    turns = []
    while game.state.round.kind == "operating":
        turns.append(game.frame.entity)
        act(game, f"{game.frame.entity} pass")
    assert turns == ["TV", "BE", "TV"]
    assert company(game, "BE").closed
