"""18BF by a second reader of the rulebook: stock rounds (§9)."""

from __future__ import annotations

import pytest

from bot.engine.ids import BANK, POOL, Owner
from bot.engine.play.game import Game
from tests.titles import builders_18bf as b
from tests.titles.positions import act, as_player, cash, refused, set_cash


def with_public(held: dict[str, int], at: int = 100, player: str = "@1", players: int = 3, phase: str = "4") -> Game:
    game = b.after_privates(players)
    b.reach_phase(game, phase)
    b.public(game, "MR", held, at=at, stations=[("U13", 0)])
    return b.stock_turn(game, player)


# -- 9, 9.1 -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "phase", "limit"),
    [(3, "7", 32), (4, "7", 24), (5, "7", 19), (3, "8", 21), (4, "8", 16), (5, "8", 13)],
)
def test_9_3_certificate_limits(players: int, phase: str, limit: int) -> None:
    for owned in (limit - 1, limit):
        game = b.after_privates(players)
        b.reach_phase(game, phase)
        left = owned
        for name in ("CR", "GER", "GNR", "LNW"):
            number = min(left, 9)
            if number:
                b.public(game, name, {"@1": number + 1}, stations=[("U13", 0)] if name == "CR" else [])
            left -= number
        b.public(game, "MR", {"@2": 3})
        set_cash(game, "@1", 1000)
        b.stock_turn(game)
        if owned == limit:
            refused(game, "@1 buy MR", "9.3")
            refused(game, "@1 bid F1 50")
        else:
            act(game, "@1 buy MR")


def test_9_1_a_directors_sale_costs_one_space_however_many_and_pays_the_old_price() -> None:
    game = with_public({"@1": 6, "@2": 2})
    before = cash(game, "@1")
    act(game, "@1 sell 3 MR")
    assert cash(game, "@1") == before + 300
    assert b.price(game, "MR") == 90


def test_9_1_a_sale_by_others_does_not_move_the_price() -> None:
    game = with_public({"@1": 4, "@2": 3}, player="@2")
    act(game, "@2 sell 3 MR")
    assert b.price(game, "MR") == 100


def test_9_1_no_more_than_half_in_the_pool() -> None:
    game = with_public({"@1": 4, "@2": 3, "pool": 3}, player="@2")
    refused(game, "@2 sell 3 MR", "9.1")
    act(game, "@2 sell 2 MR")
    assert b.shares(game, "MR", POOL) == 5


def test_9_1_the_directors_certificate_does_not_reach_the_pool() -> None:
    game = with_public({"@1": 3, "@2": 1})
    refused(game, "@1 sell 2 MR", "9.1")


def test_9_1_the_successor_must_own_20_percent_and_the_price_still_falls() -> None:
    game = with_public({"@1": 3, "@2": 2})
    before = cash(game, "@1")
    act(game, "@1 sell 3 MR")
    assert game.controller_of(Owner("MR")) == "@2"
    assert (b.shares(game, "MR", "@1"), b.shares(game, "MR", "@2"), b.shares(game, "MR", POOL)) == (0, 2, 3)
    assert cash(game, "@1") == before + 300
    assert b.price(game, "MR") == 90


def test_9_1_equal_holdings_do_not_change_the_director() -> None:
    game = with_public({"@1": 4, "@2": 3})
    act(game, "@1 sell 1 MR")
    assert game.controller_of(Owner("MR")) == "@1"


@pytest.mark.parametrize(("held", "new"), [({"@2": 3, "@3": 3}, "@2"), ({"@2": 2, "@3": 3}, "@3")])
def test_9_1_the_largest_or_the_closest_to_the_left_follows(held: dict[str, int], new: str) -> None:
    game = with_public({"@1": 4, **held})
    act(game, "@1 sell 2 MR")
    assert game.controller_of(Owner("MR")) == new


def test_9_1_of_two_tied_the_closest_left_of_the_third_player_is_the_first() -> None:
    game = with_public({"@3": 4, "@1": 3, "@2": 3}, player="@3")
    act(game, "@3 sell 2 MR")
    assert game.controller_of(Owner("MR")) == "@1"


def test_9_1_nothing_is_sold_of_a_company_that_has_not_operated() -> None:
    game = with_public({"@1": 4})
    b.company(game, "MR").operated = False
    refused(game, "@1 sell 1 MR", "9.1")


def test_9_1_minors_and_privates_are_never_sold() -> None:
    game = b.after_privates(3, {"P8": "@1"})
    b.minor(game, "TV")
    b.stock_turn(game)
    refused(game, "@1 sell 1 TV", "9.1")
    assert not [text for text in b.legal(game, "@1 sell")]


def test_9_1_above_the_limit_one_must_sell_at_once() -> None:
    game = b.after_privates(5)
    b.reach_phase(game, "8")
    b.public(game, "CR", {"@1": 9})
    b.public(game, "GER", {"@1": 7})
    b.stock_turn(game)
    refused(game, "@1 pass", "9.1")
    act(game, "@1 sell 1 GER")


def test_9_1_the_marker_that_falls_goes_under_those_already_there() -> None:
    game = with_public({"@1": 4})
    b.public(game, "CR", {"@2": 3}, at=90)
    b.stock_turn(game)
    act(game, "@1 sell 1 MR")
    assert game.state.stacks[f"0,{b.column(90)}"] == ["CR", "MR"]


# -- 9.2 ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bid", "price"),
    [(100, 50), (105, 50), (110, 55), (135, 65), (140, 70), (155, 70), (160, 80), (215, 100), (270, 135), (600, 135)],
)
def test_9_2_the_price_is_half_of_the_bid_rounded_down(bid: int, price: int) -> None:
    game = b.stock_turn(b.after_privates())
    act(game, f"@1 bid BE {bid}", "@2 pass", "@3 pass")
    assert b.price(game, "BE") == price
    assert cash(game, "BE") == bid
    assert cash(game, "@1") == 630 - bid
    assert b.places(game, "BE") == ["U13.0"]


@pytest.mark.parametrize("bid", [95, 102, 635])
def test_9_2_bids_are_fives_from_100_within_ones_cash(bid: int) -> None:
    game = b.stock_turn(b.after_privates())
    refused(game, f"@1 bid BE {bid}", "9.2")


def test_9_2_raises_go_clockwise_and_who_passes_is_out() -> None:
    game = b.stock_turn(b.after_privates())
    act(game, "@1 bid BE 100")
    refused(game, "@2 bid BE 100", "9.2")
    refused(game, "@2 bid BE 103", "9.2")
    act(game, "@2 pass", "@3 bid BE 105", "@1 bid BE 110")
    assert game.players_to_act() == (b.CID,)
    act(game, "@3 pass")
    assert b.company(game, "BE").certificates[0].owner == "@1"


def test_9_2_the_next_turn_is_left_of_the_winner() -> None:
    game = b.stock_turn(b.after_privates())
    act(game, "@1 bid BE 100", "@2 bid BE 105", "@3 pass", "@1 pass")
    assert game.players_to_act() == (b.CID,)


def test_9_2_a_new_marker_goes_to_the_bottom_of_the_stack() -> None:
    game = b.stock_turn(b.after_privates())
    act(game, "@1 bid BE 100", "@2 pass", "@3 pass", "@2 bid GJ 100", "@3 pass", "@1 pass")
    assert game.state.stacks[f"0,{b.column(50)}"] == ["BE", "GJ"]


# -- 9.3 ----------------------------------------------------------------------------------------------


def test_9_3_treasury_shares_pay_the_company_pool_shares_the_bank() -> None:
    game = with_public({"@1": 3, "pool": 2}, player="@2")
    treasury, bank = cash(game, "MR"), cash(game, BANK)
    act(game, "@2 buy MR")
    assert (cash(game, "MR"), cash(game, BANK), cash(game, "@2")) == (treasury + 100, bank, 530)
    b.stock_turn(game, "@3")
    act(game, "@3 buy MR from pool")
    assert (cash(game, "MR"), cash(game, BANK), cash(game, "@3")) == (treasury + 100, bank + 100, 530)
    assert b.price(game, "MR") == 100


@pytest.mark.parametrize(("held", "fits"), [(5, True), (6, False)])
def test_9_3_nobody_who_has_60_percent_buys(held: int, fits: bool) -> None:
    game = with_public({"@1": held})
    if fits:
        act(game, "@1 buy MR")
    else:
        refused(game, "@1 buy MR", "9.3")


def test_9_3_not_what_one_has_sold_in_this_round() -> None:
    game = with_public({"@1": 4, "@2": 3}, player="@2")
    act(game, "@2 sell 1 MR")
    refused(game, "@2 buy MR", "9.3")
    act(game, "@2 pass", "@3 pass", "@1 buy MR")
    refused(game, "@2 buy MR", "9.3")


def test_9_3_one_certificate_a_turn_and_no_sale_after_it() -> None:
    game = with_public({"@1": 4}, player="@1")
    act(game, "@1 buy MR")
    assert game.players_to_act() == (b.BOB,)


def test_9_3_the_directors_certificate_must_be_owned() -> None:
    game = b.after_privates()
    b.reach_phase(game, "4")
    b.stock_turn(game)
    refused(game, "@1 buy MR")


@pytest.mark.parametrize("price", [70, 80, 90, 100, 110, 120, 135, 150, 165, 180, 200])
def test_9_3_a_public_is_started_for_twice_its_price_from_phase_4(price: int) -> None:
    game = b.after_privates()
    b.reach_phase(game, "4")
    b.stock_turn(game)
    act(game, f"@1 par MR {price}")
    assert cash(game, "@1") == 630 - 2 * price
    assert cash(game, "MR") == 2 * price
    assert b.price(game, "MR") == price
    assert b.shares(game, "MR", "@1") == 2
    assert b.shares(game, "MR", b.IPO) == 8


@pytest.mark.parametrize(("phase", "price"), [("3", 100), ("4", 65), ("4", 220), ("4", 105)])
def test_9_3_no_public_before_phase_4_nor_at_other_prices(phase: str, price: int) -> None:
    game = b.after_privates()
    b.reach_phase(game, phase)
    b.stock_turn(game)
    refused(game, f"@1 par MR {price}")


def test_9_3_its_first_station_is_in_an_unreserved_unconnected_city() -> None:
    game = b.after_privates()
    b.reach_phase(game, "4")
    b.lay(game, "621 U9 1", "57 U7 1")  # Rhondda and Swansea are connected
    b.stock_turn(game)
    act(game, "@1 par MR 100")
    refused(game, "MR token U9")  # connected
    refused(game, "MR token U13")  # kept for the Bristol and Exeter
    refused(game, "MR token I17")  # Darlington is a small city
    act(game, "MR token A9")
    assert b.places(game, "MR") == ["A9.0"]
    assert cash(game, "MR") == 200


# -- 9, 9.4, 9.5 --------------------------------------------------------------------------------------


def test_9_4_a_round_of_passes_lowers_the_minimum_by_5_each_time_down_to_nothing() -> None:
    game = b.new_game()  # P3 comes first, from £30
    for _ in range(5):
        act(game, "@1 pass", "@2 pass", "@3 pass")
    assert game.players_to_act() == (b.ANN,), "the round goes on with who began the passes"
    act(game, "@1 bid P3 5", "@2 pass", "@3 pass")
    assert cash(game, "@1") == 625
    other = b.new_game()
    for _ in range(6):
        act(other, "@1 pass", "@2 pass", "@3 pass")
    assert other.private(Owner("P3")).owner == "@1"
    assert cash(other, "@1") == 630


def test_9_4_the_next_private_is_not_cheaper() -> None:
    game = b.new_game()
    act(game, "@1 pass", "@2 pass", "@3 pass", "@1 bid P3 25", "@2 pass", "@3 pass")
    refused(game, "@2 bid P4 25")
    act(game, "@2 bid P4 30")


def test_9_4_privates_in_the_order_of_the_table_and_no_minor_before() -> None:
    game = b.new_game()
    refused(game, "@1 bid P4 30")
    refused(game, "@1 bid BE 100")
    for sign in [sign for sign in b.RAILWAY_PRIVATES if sign in game.state.privates]:
        by = game.players_to_act()[0]
        refused(game, f"{by} bid BE 100")
        act(game, next(text for text in b.legal(game) if f" bid {sign} " in text))
        while game.private(Owner(sign)).owner is None:
            act(game, f"{game.players_to_act()[0]} pass")
    act(game, f"{game.players_to_act()[0]} bid BE 100")


def test_9_5_all_passes_end_the_round_and_nothing_moves_though_all_is_sold() -> None:
    game = with_public({"@1": 4, "@2": 3, "@3": 3})
    act(game, "@1 pass", "@2 pass", "@3 pass")
    assert game.state.round.kind == "operating"
    assert b.price(game, "MR") == 100


@pytest.mark.parametrize(("last", "priority"), [("@1", "@2"), ("@2", "@3"), ("@3", "@1")])
def test_9_priority_goes_left_of_the_last_to_act(last: str, priority: str) -> None:
    game = with_public({"@1": 3, "@2": 2, "@3": 2}, player=last)
    act(game, f"{last} buy MR")
    for _ in range(3):
        act(game, f"{game.players_to_act()[0]} pass")
    assert game.state.priority == priority


def test_9_priority_goes_left_of_the_winner_of_the_last_auction() -> None:
    game = b.stock_turn(b.after_privates())
    act(game, "@1 bid BE 100", "@2 bid BE 105", "@3 pass", "@1 pass", "@3 pass", "@1 pass", "@2 pass")
    assert game.state.round.kind == "operating"
    assert game.state.priority == "@3"


def test_9_without_transactions_priority_stays() -> None:
    game = with_public({"@1": 3})
    game.state.priority = as_player("@2")
    act(game, "@1 pass", "@2 pass", "@3 pass")
    assert game.state.priority == "@2"


def test_9_a_sale_alone_is_no_pass() -> None:
    game = with_public({"@1": 4, "@2": 3})
    act(game, "@1 pass", "@2 sell 1 MR", "@2 pass", "@3 pass", "@1 pass")
    assert game.players_to_act() == (b.BOB,), "who sold is guaranteed another turn"
