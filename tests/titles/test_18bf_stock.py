"""18BF §9: stock rounds."""

from __future__ import annotations

import pytest

from bot.engine.ids import HexId, Owner
from bot.engine.play.holdings.certificates import certificate_count
from bot.engine.state.actions import Par
from bot.engine.state.events import BidMade, PriceMoved, TokenPlaced
from bot.titles.t18bf.events import CompanyClosed
from bot.titles.t18bf.stock import first_stations, is_unconnected
from tests.message_helpers import told
from tests.titles.builders_18bf import (
    TITLE,
    after_privates,
    asked,
    company,
    happened,
    in_turn,
    lay,
    legal,
    memory,
    minor,
    new_game,
    places,
    price,
    public,
    reach_phase,
    shares,
    stock_turn,
    token,
)
from tests.titles.positions import act, cash, refused, set_cash

# -- §9 -----------------------------------------------------------------------------------------------


def test_9_turns_go_clockwise_from_the_priority_deal() -> None:
    game = new_game()
    assert asked(game) == ["@1"]
    act(game, "@1 pass")
    assert asked(game) == ["@2"]
    act(game, "@2 pass")
    assert asked(game) == ["@3"]


def test_9_a_player_sells_any_number_then_buys_one_or_auctions() -> None:
    game = after_privates()
    public(game, "MR", {"@2": 2, "@1": 3}, at=100)
    public(game, "CR", {"@3": 2, "@1": 1}, at=80)
    stock_turn(game)
    act(game, "@1 sell 1 MR", "@1 sell 1 CR")
    assert asked(game) == ["@1"]
    act(game, "@1 bid F1 50", "@2 pass", "@3 pass")
    assert asked(game) == ["@2"]


def test_9_a_purchase_ends_the_turn() -> None:
    game = after_privates()
    public(game, "MR", {"@2": 2}, at=100)
    stock_turn(game)
    act(game, "@1 buy MR")
    assert asked(game) == ["@2"]


def test_9_the_round_ends_when_all_pass_in_a_row_and_the_priority_deal_goes_left_of_the_last_to_act() -> None:
    game = after_privates()
    public(game, "MR", {"@2": 2}, at=100)
    stock_turn(game)
    act(game, "@1 pass", "@2 buy MR", "@3 pass", "@1 pass")
    assert game.state.round.kind == "stock"
    act(game, "@2 pass")
    assert game.state.priority == "@3"
    assert game.state.round.kind != "stock" or game.state.round.number == 3


def test_9_without_transactions_the_priority_deal_does_not_move() -> None:
    game = stock_turn(after_privates())
    game.state.priority = game.state.order[1]
    act(game, "@1 pass", "@2 pass", "@3 pass")
    assert game.state.priority == "@2"


def test_9_selling_counts_for_the_priority_deal() -> None:
    game = after_privates()
    public(game, "MR", {"@2": 2, "@1": 1}, at=100)
    stock_turn(game)
    act(game, "@1 sell 1 MR", "@1 pass", "@2 pass", "@3 pass", "@1 pass")
    assert game.state.priority == "@2"


def test_9_winning_an_auction_counts_for_the_priority_deal_opening_one_does_not() -> None:
    game = stock_turn(after_privates())
    act(game, "@1 bid F1 50", "@2 bid F1 55", "@3 pass", "@1 pass")
    act(game, "@3 pass", "@1 pass", "@2 pass")
    assert game.state.priority == "@3"


def test_9_every_certificate_counts_a_directors_as_one() -> None:
    game = after_privates(owners={"P3": "@1", "F1": "@1"})
    game.private(Owner("U1")).owner = Owner("@1")
    minor(game, "BE", "@1")
    public(game, "MR", {"@1": 4})
    public(game, "LMS", {"@1": 6})
    assert certificate_count(game, game.state.order[0]) == 1 + 1 + 1 + 1 + 3 + 3


# -- §9.1 ---------------------------------------------------------------------------------------------


def test_9_1_privates_and_minors_are_never_sold() -> None:
    game = after_privates(owners={"P3": "@1"})
    minor(game, "BE", "@1")
    stock_turn(game)
    assert not legal(game, "@1 sell")
    assert "never sold" in refused(game, "@1 sell 1 BE", "§9.1")


def test_9_1_not_before_the_company_has_completed_a_turn_in_an_operating_round() -> None:
    game = after_privates()
    public(game, "MR", {"@2": 2, "@1": 2}).operated = False
    stock_turn(game)
    assert "completed a turn" in refused(game, "@1 sell 1 MR", "§9.1")
    company(game, "MR").operated = True
    act(game, "@1 sell 1 MR")


def test_9_1_its_shares_are_sold_when_it_has_completed_its_first_turn() -> None:
    game = after_privates()
    public(game, "MR", {"@1": 3}, stations=[("U13", 0)]).operated = False
    in_turn(game, "MR", "trains")
    act(game, "MR buy 2 for 100")
    assert not company(game, "MR").operated
    act(game, "MR pass")
    stock_turn(game)
    act(game, "@1 sell 1 MR")


def test_9_1_at_most_half_of_a_company_in_the_pool() -> None:
    game = after_privates()
    public(game, "MR", {"@2": 3, "@1": 3, "pool": 3})
    stock_turn(game)
    assert "50%" in refused(game, "@1 sell 3 MR", "§9.1")
    act(game, "@1 sell 2 MR")
    assert shares(game, "MR", "pool") == 5


def test_9_1_the_directors_certificate_never_goes_to_the_pool() -> None:
    game = after_privates()
    public(game, "MR", {"@1": 4, "@2": 1, "@3": 1})
    stock_turn(game)
    refused(game, "@1 sell 3 MR", "§9.1")
    act(game, "@1 sell 2 MR")
    assert company(game, "MR").certificates[0].owner == "@1"


def test_9_1_the_present_price_for_each_and_one_space_left_when_the_director_sells() -> None:
    """£100 each for three; the marker falls one space, to £90, under those that lie there."""
    game = after_privates()
    public(game, "CR", {"@3": 2}, at=90)
    public(game, "MR", {"@1": 5}, at=100)
    stock_turn(game)
    ann = cash(game, "@1")
    events = act(game, "@1 sell 3 MR")
    assert cash(game, "@1") == ann + 300
    assert price(game, "MR") == 90
    assert len(happened(events, PriceMoved)) == 1
    position = company(game, "MR").position
    assert position is not None
    assert game.state.stacks[f"0,{position[1]}"] == ["CR", "MR"]


def test_9_1_others_sell_without_moving_the_price() -> None:
    game = after_privates()
    public(game, "MR", {"@2": 2, "@1": 2}, at=100)
    stock_turn(game)
    act(game, "@1 sell 2 MR")
    assert price(game, "MR") == 100


def test_9_1_all_shares_sold_in_a_turn_bring_the_same_price_and_cost_one_space() -> None:
    game = after_privates()
    public(game, "MR", {"@1": 5}, at=100)
    stock_turn(game)
    ann = cash(game, "@1")
    act(game, "@1 sell 1 MR", "@1 sell 2 MR")
    assert cash(game, "@1") == ann + 300
    assert price(game, "MR") == 90


def test_9_1_the_director_changes_in_the_middle_of_a_sale() -> None:
    """Ann owns 40%, Bob and Cid 20% each: selling three makes the nearer to her left director; the outgoing one pays
    with the directorship for it, and the marker still falls as she was director."""
    game = after_privates()
    public(game, "MR", {"@1": 4, "@3": 2, "@2": 2}, at=100)
    stock_turn(game)
    act(game, "@1 sell 3 MR")
    record = company(game, "MR")
    assert record.certificates[0].owner == "@2"
    assert [shares(game, "MR", owner) for owner in ("@1", "@2", "@3", "pool")] == [1, 2, 2, 3]
    assert price(game, "MR") == 90


def test_9_1_the_largest_holder_succeeds_a_tie_goes_clockwise_from_the_outgoing_director() -> None:
    game = after_privates(players=4)
    public(game, "MR", {"@2": 3, "@1": 2, "@3": 2, "@4": 2}, at=100)
    stock_turn(game, "@2")
    act(game, "@2 sell 2 MR")
    assert company(game, "MR").certificates[0].owner == "@3"
    game = after_privates(players=4)
    public(game, "MR", {"@2": 3, "@1": 3, "@3": 2}, at=100)
    stock_turn(game, "@2")
    act(game, "@2 sell 1 MR")
    assert company(game, "MR").certificates[0].owner == "@1"


def test_9_1_a_systems_director_gives_the_certificate_for_four_shares_of_5_percent() -> None:
    game = after_privates()
    public(game, "LMS", {"@1": 5, "@2": 4}, at=100)
    stock_turn(game)
    act(game, "@1 sell 3 LMS")
    assert company(game, "LMS").certificates[0].owner == "@2"
    assert (shares(game, "LMS", "@1"), shares(game, "LMS", "@2"), shares(game, "LMS", "pool")) == (2, 4, 3)


def test_9_1_whoever_holds_less_than_20_percent_cannot_succeed() -> None:
    game = after_privates()
    public(game, "LMS", {"@1": 5, "@2": 3}, at=100)
    stock_turn(game)
    refused(game, "@1 sell 3 LMS", "§9.1")
    act(game, "@1 sell 1 LMS")


def test_9_1_a_marker_that_falls_into_the_closed_box_closes_the_company() -> None:
    game = after_privates()
    public(game, "MR", {"@1": 5}, at=40, money=70)
    stock_turn(game)
    ann = cash(game, "@1")
    memory(game).quiet_sets = 5
    events = act(game, "@1 sell 2 MR")
    assert happened(events, CompanyClosed)
    assert memory(game).quiet_sets == 0  # A game that a closure moves on is in no stalemate (§13).
    assert cash(game, "@1") == ann + 80
    assert shares(game, "MR", "ipo") == 10


def test_9_1_the_seller_decides_the_order_and_so_the_stack() -> None:
    for first, second in (("MR", "CR"), ("CR", "MR")):
        game = after_privates()
        public(game, "MR", {"@1": 3}, at=100)
        public(game, "CR", {"@1": 3}, at=100)
        stock_turn(game)
        act(game, f"@1 sell 1 {first}", f"@1 sell 1 {second}")
        assert game.state.stacks["0,9"] == [first, second]


def test_9_1_who_is_above_the_limit_sells_first_what_can_be_sold() -> None:
    """Phase 8, five players: 13 certificates. With 15 of which two are shares Eve must sell both before she passes."""
    game = after_privates(players=5)
    public(game, "MR", {"@1": 2, "@5": 2}, at=100)
    for name in ["BE", "BG", "EC", "EG", "EK", "EPD", "GA", "GC", "GJ", "LB", "LH", "LR", "LS"]:
        minor(game, name, "@5")
    reach_phase(game, "8")
    stock_turn(game, "@5")
    assert "2 certificates above" in refused(game, "@5 pass", "§9.1")
    refused(game, "@5 buy MR", "§9.3")
    act(game, "@5 sell 1 MR")
    refused(game, "@5 pass", "§9.1")
    act(game, "@5 sell 1 MR", "@5 pass")


def test_9_1_who_is_exactly_at_the_limit_need_not_sell() -> None:
    """Phase 8, five players: 13 certificates, one of them a share that could be sold."""
    game = after_privates(players=5)
    public(game, "MR", {"@1": 2, "@5": 1}, at=100)
    for name in ["BE", "BG", "EC", "EG", "EK", "EPD", "GA", "GC", "GJ", "LB", "LH", "LR"]:
        minor(game, name, "@5")
    reach_phase(game, "8")
    stock_turn(game, "@5")
    assert "@5 sell 1 MR" in legal(game)
    act(game, "@5 pass")


def test_9_1_who_cannot_sell_what_is_too_much_waits() -> None:
    game = after_privates(players=5)
    for name in ["BE", "BG", "EC", "EG", "EK", "EPD", "GA", "GC", "GJ", "LB", "LH", "LR", "LS", "LY"]:
        minor(game, name, "@5")
    public(game, "MR", {"@1": 2, "@5": 1}).operated = False
    reach_phase(game, "8")
    stock_turn(game, "@5")
    act(game, "@5 pass")


# -- §9.2 ---------------------------------------------------------------------------------------------


def test_9_2_bids_are_multiples_of_5_from_100_within_ones_cash() -> None:
    game = stock_turn(after_privates())
    set_cash(game, "@1", 120)
    assert "multiples of £5" in refused(game, "@1 bid BE 102", "§9.2")
    assert "£100" in refused(game, "@1 bid BE 95", "§9.2")
    assert "£120" in refused(game, "@1 bid BE 125", "§9.2")
    act(game, "@1 bid BE 120")


def test_9_2_bidding_goes_clockwise_and_who_passes_is_out() -> None:
    game = stock_turn(after_privates(players=4), "@2")
    act(game, "@2 bid BE 100")
    assert asked(game) == ["@3"]
    act(game, "@3 bid BE 105")
    act(game, "@4 pass", "@1 bid BE 110")
    assert asked(game) == ["@2"]
    act(game, "@2 pass")
    assert asked(game) == ["@3"]
    events = act(game, "@3 bid BE 130", "@1 pass")
    assert "Cid wins BE for £130." in told(game, events)


def test_9_2_the_price_goes_into_the_treasury_and_half_of_it_is_the_share_price() -> None:
    """£130: the space of £65. Half is rounded down to the next value, £135 at the most."""
    game = stock_turn(after_privates())
    bob = cash(game, "@2")
    act(game, "@1 bid BE 100", "@2 bid BE 130", "@3 pass", "@1 pass")
    assert (cash(game, "BE"), cash(game, "@2")) == (130, bob - 130)
    assert price(game, "BE") == 65
    assert company(game, "BE").certificates[0].owner == "@2"


@pytest.mark.parametrize(
    ("paid", "start"), [(100, 50), (105, 50), (115, 55), (155, 70), (195, 90), (265, 120), (270, 135), (500, 135)]
)
def test_9_2_where_a_minor_starts(paid: int, start: int) -> None:
    game = stock_turn(after_privates())
    act(game, f"@1 bid BE {paid}", "@2 pass", "@3 pass")
    assert price(game, "BE") == start


def test_9_2_the_new_marker_goes_under_the_others_and_the_station_to_its_place() -> None:
    game = after_privates()
    minor(game, "MC", "@2", at=50)
    stock_turn(game)
    events = act(game, "@1 bid ML 100", "@2 pass", "@3 pass")
    assert game.state.stacks["0,3"] == ["MC", "ML"]
    assert places(game, "ML") == ["M15.1"]
    assert len(happened(events, TokenPlaced)) == 1


def test_9_2_the_next_turn_is_that_of_the_winners_left_neighbour() -> None:
    game = stock_turn(after_privates(players=5))
    act(game, "@1 bid BE 100", "@2 pass", "@3 bid BE 105", "@4 pass", "@5 pass", "@1 pass")
    assert asked(game) == ["@4"]


def test_9_2_who_cannot_raise_passes_by_himself() -> None:
    game = stock_turn(after_privates())
    set_cash(game, "@2", 100)
    set_cash(game, "@3", 90)
    events = act(game, "@1 bid BE 100")
    assert "Ann wins BE for £100." in told(game, events)


def test_9_2_no_minor_is_auctioned_from_phase_5_on() -> None:
    game = after_privates()
    reach_phase(game, "5")
    stock_turn(game)
    refused(game, "@1 bid BE 100", "§9.2")


# -- §9.3 ---------------------------------------------------------------------------------------------


def test_9_3_one_certificate_from_the_treasury_pays_the_company_from_the_pool_the_bank() -> None:
    game = after_privates()
    public(game, "MR", {"@2": 2, "pool": 2}, at=110, money=0)
    stock_turn(game)
    ann, bank = cash(game, "@1"), cash(game, "bank")
    act(game, "@1 buy MR")
    assert (cash(game, "@1"), cash(game, "MR")) == (ann - 110, 110)
    stock_turn(game)
    act(game, "@1 buy MR from pool")
    assert (cash(game, "MR"), cash(game, "bank")) == (110, bank + 110)
    assert price(game, "MR") == 110


def test_9_3_one_share_a_turn_and_not_without_the_money() -> None:
    game = after_privates()
    public(game, "MR", {"@2": 2}, at=110)
    stock_turn(game)
    assert "Buy one share at a time, from the bank or the pool" in refused(game, "@1 buy 2 MR", "§9.3")
    set_cash(game, "@1", 109)
    assert "£109" in refused(game, "@1 buy MR", "§9.3")
    set_cash(game, "@1", 110)
    act(game, "@1 buy MR")


def test_9_3_a_system_share_is_5_percent() -> None:
    game = after_privates()
    public(game, "LMS", {"@2": 4}, at=110, money=0)
    stock_turn(game)
    act(game, "@1 buy LMS")
    assert company(game, "LMS").percent_held_by(Owner("@1")) == 5


def test_9_3_nobody_buys_at_60_percent() -> None:
    game = after_privates()
    public(game, "MR", {"@1": 6}, at=70)
    stock_turn(game)
    assert "60%" in refused(game, "@1 buy MR", "§9.3")


def test_9_3_what_was_sold_in_a_round_is_not_bought_in_it() -> None:
    game = after_privates()
    public(game, "MR", {"@2": 2, "@1": 2}, at=70)
    stock_turn(game)
    act(game, "@1 sell 1 MR")
    assert "sold MR" in refused(game, "@1 buy MR", "§9.3")
    act(game, "@1 pass", "@2 pass", "@3 pass")
    refused(game, "@1 buy MR", "§9.3")


def test_9_3_the_directors_certificate_must_be_owned() -> None:
    game = stock_turn(after_privates())
    assert "started from phase 4 on" in refused(game, "@1 buy MR", "§9.3")
    reach_phase(game, "4")
    assert "MR has not started yet; start it with: par MR" in refused(game, "@1 buy MR", "§9.3")


def test_9_3_publics_start_in_phase_4_at_70_to_200_for_twice_the_price() -> None:
    game = after_privates()
    reach_phase(game, "3")
    stock_turn(game)
    assert "phase 4" in refused(game, "@1 par MR 100", "§9.3")
    reach_phase(game, "4")
    starts = {action.price for action in game.legal_actions() if isinstance(action, Par)}
    assert sorted(starts) == [70, 80, 90, 100, 110, 120, 135, 150, 165, 180, 200]
    refused(game, "@1 par MR 220", "§9.3")
    refused(game, "@1 par MR 65", "§9.3")
    public(game, "CR", {"@2": 2}, at=150)
    ann = cash(game, "@1")
    act(game, "@1 par MR 150")
    assert (cash(game, "@1"), cash(game, "MR")) == (ann - 300, 300)
    assert shares(game, "MR", "@1") == 2
    assert shares(game, "MR", "ipo") == 8
    assert game.state.stacks["0,14"] == ["CR", "MR"]
    assert asked(game) == ["@1"]
    act(game, "MR token X24")
    assert places(game, "MR") == ["X24.0"]
    assert len(company(game, "MR").tokens_left) == 3
    assert asked(game) == ["@2"]


def test_9_3_systems_are_not_started_so() -> None:
    game = after_privates()
    reach_phase(game, "6")
    stock_turn(game)
    refused(game, "@1 par LMS 100", "§7.4")


def test_9_3_the_first_station_goes_to_an_unreserved_unconnected_city() -> None:
    """A tile 621 on Derby (O17) towards 57 on Nottingham (O19) connects the two; Bristol is kept for BE in phase 4."""
    game = after_privates()
    reach_phase(game, "4")
    game.state.board.reservations = [kept for kept in game.state.board.reservations if kept.company not in ("NM", "MC")]
    lay(game, "57 O17 1", "621 O19 1")
    stock_turn(game)
    act(game, "@1 par MR 100")
    found = first_stations(game)
    assert (HexId("O17"), 0) not in found
    assert (HexId("U13"), 0) not in found
    assert (HexId("X24"), 0) in found
    assert legal(game) == [f"MR token {hex_id}{f'.{city}' if city else ''}" for hex_id, city in found]
    assert "no route to another" in refused(game, "MR token O17", "§9.3")
    assert refused(game, "MR token U13", "§9.3")
    act(game, "MR token X24")


@pytest.mark.parametrize(
    ("tiles", "city", "may"), [(("57 V26 1", "4 V28 1"), "V26", False), (("57 R28 5", "4 S27 1"), "R28", True)]
)
def test_9_3_a_small_city_connects_a_red_area_does_not(tiles: tuple[str, ...], city: str, may: bool) -> None:
    """Chatham has a route to Canterbury; Ipswich only to Harwich, where routes end."""
    game = after_privates()
    reach_phase(game, "4")
    lay(game, *tiles)
    stock_turn(game)
    act(game, "@1 par MR 100")
    assert (f"MR token {city}" in legal(game)) is may


def test_9_3_where_all_are_connected_any_city_without_a_station() -> None:
    game = after_privates()
    reach_phase(game, "5")
    lay(game, "57 O17 1", "621 O19 1")
    for hex_id, space in game.board_rules.map.hexes.items():
        for number, city in enumerate(space.printed.cities):
            if space.is_buildable and hex_id not in ("O17", "O19"):
                for _ in range(city.slots):
                    game.state.board.place_token(hex_id, number, "CR")
    token(game, "NM", "O17")
    stock_turn(game)
    assert not is_unconnected(game, HexId("O19"), 0)
    assert first_stations(game) == [(HexId("O19"), 0)]


@pytest.mark.parametrize(("players", "most", "most_in_8"), [(3, 32, 21), (4, 24, 16), (5, 19, 13)])
def test_9_3_certificate_limits(players: int, most: int, most_in_8: int) -> None:
    game = after_privates(players)
    player = game.state.order[0]
    assert TITLE.rules.certificate_limit(game, player) == most
    reach_phase(game, "7")
    assert TITLE.rules.certificate_limit(game, player) == most
    reach_phase(game, "8")
    assert TITLE.rules.certificate_limit(game, player) == most_in_8


def test_9_3_at_the_limit_one_neither_buys_nor_offers_nor_bids() -> None:
    game = after_privates(players=5)
    for name in ["BE", "BG", "EC", "EG", "EK", "EPD", "GA", "GC", "GJ", "LB", "LH", "LR", "LS", "LY"][:13]:
        minor(game, name, "@1")
    public(game, "MR", {"@2": 2})
    reach_phase(game, "8")
    stock_turn(game)
    assert "limit is 13" in refused(game, "@1 buy MR", "§9.3")
    assert "limit is 13" in refused(game, "@1 bid F1 50", "§9.3")
    stock_turn(game, "@5")
    act(game, "@5 bid F1 50")
    assert asked(game) == ["@2"]


# -- §9.4, §9.5 ---------------------------------------------------------------------------------------


def test_9_4_private_railways_are_auctioned_in_order_at_their_minimum() -> None:
    """Seed 1: P3 P4 P5 P6 P8 P9 P10 are in play; P3 begins at £30."""
    game = new_game()
    assert "P3" in refused(game, "@1 bid P4 30", "§9.2")
    refused(game, "@1 bid BE 100", "§9.2")
    assert "£30" in refused(game, "@1 bid P3 25", "§9.2")
    bank = cash(game, "bank")
    act(game, "@1 bid P3 30", "@2 bid P3 45", "@3 pass", "@1 pass")
    assert game.private(Owner("P3")).owner == "@2"
    assert cash(game, "bank") == bank + 45
    assert asked(game) == ["@3"]
    refused(game, "@3 bid P3 50", "§9.2")
    act(game, "@3 bid P4 30")


def test_9_4_when_all_pass_the_next_private_falls_by_5_and_who_began_the_passes_goes_on() -> None:
    game = new_game()
    act(game, "@1 bid P3 30", "@2 pass", "@3 pass")
    events = act(game, "@2 pass", "@3 pass", "@1 pass")
    assert "Everybody passed: bids for P4 now begin at £25." in told(game, events)
    assert asked(game) == ["@2"]
    act(game, "@2 bid P4 25")


def test_9_4_at_0_the_player_who_began_the_last_round_of_passes_gets_it_for_nothing() -> None:
    """P3 begins at £30: after six rounds of passes it is free."""
    game = new_game()
    before = cash(game, "@1")
    for _ in range(6):
        assert game.private(Owner("P3")).owner is None
        act(game, "@1 pass", "@2 pass", "@3 pass")
    assert game.private(Owner("P3")).owner == "@1"
    assert cash(game, "@1") == before
    assert asked(game) == ["@2"]


def test_9_4_after_the_private_railways_minors_are_auctioned() -> None:
    game = new_game()
    for sign in ["P3", "P4", "P5", "P6", "P8", "P9", "P10"]:
        game.private(Owner(sign)).owner = Owner("@2")
    act(game, "@1 bid BE 100", "@2 pass", "@3 pass")
    assert places(game, "BE") == ["U13.0"]


def test_9_4_with_private_railways_left_passes_do_not_end_the_round() -> None:
    game = new_game()
    act(game, "@1 pass", "@2 pass", "@3 pass")
    assert game.state.round.kind == "stock"


def test_9_5_passes_end_the_round_and_sold_out_companies_do_not_move() -> None:
    game = after_privates()
    public(game, "MR", {"@1": 4, "@2": 3, "@3": 3}, at=110)
    minor(game, "BE")
    stock_turn(game)
    act(game, "@1 pass", "@2 pass", "@3 pass")
    assert (game.state.round.kind, game.state.round.part, game.state.round.of) == ("operating", 1, 2)
    assert price(game, "MR") == 110


def test_9_5_a_bid_after_others_passed_asks_them_again() -> None:
    game = stock_turn(after_privates())
    act(game, "@1 pass", "@2 pass")
    events = act(game, "@3 bid F1 50", "@1 pass", "@2 pass")
    assert happened(events, BidMade)
    assert asked(game) == ["@1"]
