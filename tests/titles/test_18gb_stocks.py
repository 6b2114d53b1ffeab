"""18GB: stock rounds, floating, conversion, prices, limits, the final count."""

from __future__ import annotations

import pytest

from bot.engine.ids import DEPOT, IPO, POOL, REMOVED
from bot.engine.play.holdings.certificates import certificate_count, president_of
from bot.engine.play.holdings.market import price_of
from bot.titles.t18gb.companies import convert_unstarted, is_small, on_dividend
from bot.titles.t18gb.rounds import net_worth, on_phase_change
from bot.titles.t18gb.state import title_state
from tests.rearrangement import rearrange
from tests.titles.builders_18gb import (
    BY_18XX,
    PAY,
    TRAINS,
    closed,
    grow,
    new_game,
    offered,
    operating,
    own,
    play,
    price_at,
    reach_phase,
    started,
    stock_round,
)
from tests.titles.positions import company, give_train, refused, set_cash, token


def percents(game, name: str, owner: str) -> int:
    return game.company(name).percent_held_by(owner)


# -- starting and floating ----------------------------------------------------------------------------


def test_starting_prices_are_70_to_100():
    game = stock_round(new_game(4))
    assert [text for text in offered(game, "par") if " MR " in text] == [
        f"@1 par MR {p}" for p in (70, 75, 80, 90, 100)
    ]


def test_in_the_yellow_phase_a_company_floats_with_40_percent_and_five_times_its_price():
    game = stock_round(new_game(4))
    play(game, "@1 par MR 80")
    assert percents(game, "MR", "@1") == 40
    assert game.company("MR").floated
    assert game.state.cash["MR"] == 400
    assert game.state.cash["@1"] == 330 - 160


def test_from_the_green_phase_on_it_takes_60_percent():
    game = new_game(4)
    reach_phase(game, "3+1")
    stock_round(game)
    play(game, "@1 par MR 80")
    assert not game.company("MR").floated
    play(game, "@2 buy MR")
    assert game.company("MR").floated
    assert game.state.cash["MR"] == 400


def test_unsold_shares_of_a_five_share_company_stay_in_the_ipo():
    game = stock_round(new_game(4))
    play(game, "@1 par MR 80")
    assert percents(game, "MR", IPO) == 60


def test_in_the_brown_phase_unstarted_companies_have_ten_shares_and_float_into_the_pool():
    game = new_game(4)
    reach_phase(game, "5+2")
    convert_unstarted(game)
    stock_round(game)
    set_cash(game, "@1", 600)
    play(game, "@1 par MR 100")
    assert percents(game, "MR", "@1") == 20
    assert not game.company("MR").floated
    play(game, "@2 buy MR", "@3 buy MR", "@4 buy MR")
    assert not game.company("MR").floated
    play(game, "@1 buy MR")
    record = game.company("MR")
    assert record.floated
    assert game.state.cash["MR"] == 1000
    assert (percents(game, "MR", IPO), percents(game, "MR", POOL)) == (0, 40)
    assert record.tokens_left == (50, 50, 50)


def test_in_the_gray_phase_unstarted_companies_leave_each_with_a_6x():
    game = new_game(4)
    for name in ("CR", "GWR", "LNWR", "LSWR", "LYR", "NBR", "NER"):
        started(game, name)
    reach_phase(game, "6X")
    on_phase_change(game, type("Event", (), {"phase": "6X"})())
    assert [record.id for record in game.state.companies.values() if record.closed] == ["MR", "SWR"]
    cards = [train.owner for train in game.state.trains if train.family == "6X"]
    assert cards.count(REMOVED) == 2
    assert cards.count(DEPOT) == 5
    assert game.state.board.tokens_in("H19", 0) == ["MR"]  # home tokens remain


# -- buying -------------------------------------------------------------------------------------------


def test_every_share_costs_the_present_price_from_ipo_and_pool():
    game = new_game(4)
    started(game, "MR", {"pool": 1, "@2": 1}, price=115)
    stock_round(game)
    play(game, "@1 buy MR from pool")
    assert game.state.cash["@1"] == 330 - 115


def test_at_most_60_percent_come_out_of_the_ipo_any_number_out_of_the_pool():
    game = new_game(4)
    started(game, "MR", {"@1": 1, "pool": 1}, price=100)
    stock_round(game)
    assert "60%" in refused(game, "@1 buy MR from ipo")
    play(game, "@1 buy MR from pool")
    assert percents(game, "MR", "@1") == 80


def test_one_purchase_ends_the_turn():
    game = new_game(4)
    started(game, "MR", price=80)
    stock_round(game, player="@2")
    play(game, "@2 buy MR")
    assert game.players_to_act() == ("@3",)


def test_in_the_green_area_the_president_may_buy_a_second_share_of_the_same_company():
    game = new_game(4)
    started(game, "MR", {"@1": 1, "pool": 2}, price=65)
    stock_round(game)
    play(game, "@1 buy MR from pool")
    assert game.players_to_act() == ("@1",)
    assert "In the green area you may buy a second share only if" in refused(game, "@1 par NER 70")
    play(game, "@1 buy MR from pool")
    assert percents(game, "MR", "@1") == 100
    assert game.players_to_act() == ("@2",)


def test_beyond_the_green_area_there_is_no_second_share():
    game = new_game(4)
    started(game, "MR", {"@1": 1, "pool": 2}, price=70)
    stock_round(game)
    play(game, "@1 buy MR from pool")
    assert game.players_to_act() == ("@2",)


def test_others_than_the_president_buy_one_share_in_the_green_area_too():
    game = new_game(4)
    started(game, "MR", {"pool": 2}, director="@2", price=50)
    stock_round(game)
    play(game, "@1 buy MR from pool")
    assert game.players_to_act() == ("@2",)


@pytest.mark.parametrize("rules", ["rulebook", "18xx.games"])
def test_who_becomes_president_by_his_first_purchase_buys_no_second_share(rules: str):
    game = new_game(4, rules=rules)
    started(game, "MR", director="@2", price=65)
    grow(game, "MR", ["@1"] * 2 + ["pool"] * 6)
    stock_round(game)
    play(game, "@1 buy MR from pool")
    assert president_of(game.company("MR")) == "@1"
    assert game.players_to_act() == ("@2",)


def test_the_certificate_limit_counts_no_privates():
    game = new_game(6)
    own(game, AF="@1", LS="@1", SD="@1")
    for name in ("MR", "NER", "GWR", "LYR"):
        started(game, name, {"@1": 2}, price=80)
    assert certificate_count(game, "@1") == 12
    stock_round(game)
    set_cash(game, "@1", 900)
    assert "12" in refused(game, "@1 par SWR 70")
    play(game, "@1 sell 1 MR", "@1 par SWR 70")


# -- selling ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "may"), [({}, False), ({"first_sales": "allowed"}, True), ({"rules": "18xx.games"}, True)]
)
def test_sales_in_the_first_stock_round_by_option(options: dict[str, str], may: bool):
    game = new_game(4, **options)
    started(game, "MR", {"@1": 2}, price=80)
    stock_round(game, number=1)
    if may:
        play(game, "@1 sell 1 MR")
    else:
        assert "first stock round" in refused(game, "@1 sell 1 MR")
        assert not offered(game, "sell")


def test_shares_of_a_trainless_company_are_sold_at_half_price_rounded_down():
    game = new_game(4)
    started(game, "MR", {"@2": 2}, price=115)
    stock_round(game, player="@2")
    play(game, "@2 sell 1 MR")
    assert game.state.cash["@2"] == 330 + 57
    assert price_of(game, company("MR")) == 100


def test_with_a_train_they_bring_the_whole_price():
    game = new_game(4)
    started(game, "MR", {"@2": 2}, price=115)
    give_train(game, "MR", "2+1")
    stock_round(game, player="@2")
    play(game, "@2 sell 2 MR")
    assert game.state.cash["@2"] == 330 + 230
    assert price_of(game, company("MR")) == 90  # a space a share


def test_all_shares_of_a_company_to_be_sold_in_a_turn_are_sold_at_once():
    game = new_game(4)
    started(game, "MR", {"@2": 2}, price=115)
    stock_round(game, player="@2")
    play(game, "@2 sell 1 MR")
    assert "All shares of MR sold in one turn must be sold together" in refused(game, "@2 sell 1 MR")


def test_first_sell_then_buy():
    game = new_game(4)
    started(game, "MR", {"@1": 1, "pool": 2}, price=65)
    started(game, "NER", {"@1": 1}, director="@2", price=80)
    stock_round(game)
    play(game, "@1 buy MR from pool")
    assert "before buying" in refused(game, "@1 sell 1 NER")


def test_the_pool_takes_any_number_of_shares_even_the_presidents_certificate():
    game = new_game(4)
    started(game, "MR", {"@1": 1, "pool": 2}, price=100)
    give_train(game, "MR", "2+1")
    stock_round(game)
    play(game, "@1 sell 3 MR")
    assert percents(game, "MR", POOL) == 100
    assert president_of(game.company("MR")) is None


def test_in_the_gray_phase_only_the_presidents_sales_move_the_price():
    game = new_game(4)
    started(game, "MR", {"@2": 2}, price=130)
    reach_phase(game, "6X")
    stock_round(game, player="@2")
    play(game, "@2 sell 1 MR")
    assert price_of(game, company("MR")) == 130
    play(game, "@2 pass", "@3 pass", "@4 pass", "@1 sell 2 MR")
    assert price_of(game, company("MR")) == 100


def test_prices_do_not_move_at_the_end_of_a_stock_round():
    game = new_game(4)
    started(game, "MR", {"@1": 1, "@2": 2}, price=100)
    started(game, "NER", {"pool": 3}, director="@2", price=100)
    stock_round(game)
    play(game, "@1 pass", "@2 pass", "@3 pass", "@4 pass")
    assert [price_of(game, company(name)) for name in ("MR", "NER")] == [100, 100]


# -- conversion ---------------------------------------------------------------------------------------


def test_conversion_two_left_five_new_shares_five_times_the_new_price_and_tokens():
    game = new_game(4)
    started(game, "MR", {"@1": 1, "@2": 1}, price=100, cash=10)
    stock_round(game)
    play(game, "@1 convert MR")
    record = game.company("MR")
    assert price_of(game, company("MR")) == 80
    assert game.state.cash["MR"] == 10 + 400
    assert [percents(game, "MR", owner) for owner in ("@1", "@2", POOL, IPO)] == [30, 10, 50, 10]
    assert record.tokens_left == (50, 50, 50)
    assert game.players_to_act() == ("@1",)  # one share may follow
    play(game, "@1 buy MR from pool")
    assert percents(game, "MR", "@1") == 40
    assert game.players_to_act() == ("@2",)


def test_after_a_conversion_nothing_else_is_bought_or_sold():
    game = new_game(4)
    started(game, "MR", price=100)
    started(game, "NER", {"@1": 1}, director="@2", price=80)
    stock_round(game)
    play(game, "@1 convert MR")
    assert "After converting MR you may only buy a share of MR" in refused(game, "@1 buy NER", "conversion")
    refused(game, "@1 sell 1 NER")
    play(game, "@1 pass")


def test_conversion_is_instead_of_selling():
    game = new_game(4)
    started(game, "MR", price=100)
    started(game, "NER", {"@1": 1}, director="@2", price=80)
    stock_round(game)
    play(game, "@1 sell 1 NER")
    assert "instead" in refused(game, "@1 convert MR", "conversion")


def test_only_the_president_converts_and_only_what_has_operated_and_is_small():
    game = new_game(4)
    started(game, "MR", {"@2": 1}, price=100)
    started(game, "NER", price=100, operated=False)
    stock_round(game, player="@2")
    refused(game, "@2 convert MR", "conversion")
    play(game, "@2 pass", "@3 pass", "@4 pass")
    assert "operated" in refused(game, "@1 convert NER", "conversion")
    play(game, "@1 convert MR", "@1 pass", "@2 pass", "@3 pass", "@4 pass")
    assert "ten shares" in refused(game, "@1 convert MR", "conversion")


def test_after_a_conversion_a_share_of_a_small_company_is_a_share_of_the_large_one():
    game = new_game(4)
    started(game, "MR", {"@2": 2}, price=100)
    stock_round(game)
    play(game, "@1 convert MR", "@1 pass")
    assert [c.percent for c in game.company("MR").certificates] == [20, 10, 10, 10, 10, 10, 10, 10, 10]
    assert president_of(game.company("MR")) == "@1"


def test_emergency_conversion_three_left_and_a_train_is_bought():
    game = new_game(4)
    started(game, "MR", {"@1": 1}, price=100, cash=20)
    game = operating(game, "MR", step=TRAINS)
    assert "@1" in game.players_to_act()
    play(game, "MR convert")
    assert price_of(game, company("MR")) == 75
    assert game.state.cash["MR"] == 20 + 375
    assert not is_small(game, company("MR"))
    play(game, "MR buy 2+1 for 80", "MR pass")
    # Then the director may buy a share.
    assert game.step.name == "buy a share after the conversion"
    before = game.state.cash["@1"]
    play(game, "@1 buy MR from pool")
    assert game.state.cash["@1"] == before - 75


def test_whoever_has_a_train_or_can_pay_one_does_not_convert_in_need():
    game = new_game(4)
    started(game, "MR", price=100, cash=20)
    operating(game, "MR", ["2+1"], step=TRAINS)
    refused(game, "MR convert", "conversion") if game.state.flow[-1].entity == "MR" else None
    game = new_game(4)
    started(game, "MR", price=100, cash=80)
    operating(game, "MR", step=TRAINS)
    assert "can pay for none" in refused(game, "MR convert", "conversion")


# -- prices -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("paid", "price"), [(0, 90), (10, 115), (99, 115), (199, 115), (200, 130), (300, 145), (400, 160), (900, 160)]
)
def test_dividends_move_the_price_by_multiples_of_it(paid, price):
    game = new_game(4)
    started(game, "MR", price=100)
    on_dividend(game, company("MR"), paid)
    assert price_of(game, company("MR")) == price


def test_the_ipos_dividends_go_to_the_company_and_the_pools_to_nobody():
    game = new_game(4)
    started(game, "MR", {"@2": 1, "pool": 1}, price=100, cash=0)
    operating(game, "MR", ["2+1"], step=PAY, revenue=100)
    before = {seat: game.state.cash[seat] for seat in game.state.order}
    play(game, "MR pay")
    assert [game.state.cash[seat] - before[seat] for seat in ("@1", "@2", "@3")] == [40, 20, 0]
    assert game.state.cash["MR"] == 20


def test_half_pay_does_not_exist():
    game = new_game(4)
    started(game, "MR", price=100)
    operating(game, "MR", ["2+1"], step=PAY, revenue=100)
    assert sorted(text for word in ("pay", "withhold", "half") for text in offered(game, word)) == [
        "MR pay",
        "MR withhold",
    ]


# -- end ----------------------------------------------------------------------------------------------


def test_worth_counts_cash_open_privates_and_shares_those_of_the_trainless_at_half():
    game = new_game(4)
    own(game, LB="@1")
    closed(game, "AF")
    started(game, "MR", {"@1": 1}, price=115)
    started(game, "NER", {"@1": 1}, director="@2", price=100)
    give_train(game, "NER", "2+1")
    # 330 in cash, 40 for London & Birmingham, half of 230 and half of 115 rounded down, a share of 100.
    assert net_worth(game, "@1") == 330 + 40 + 115 + 57 + 100


def test_a_price_of_350_ends_the_game_after_the_operating_round():
    game = new_game(4)
    started(game, "MR", price=320, cash=0)
    operating(game, "MR", ["6X"], step=PAY, revenue=400)
    play(game, "MR pay")
    assert game.state.ending
    assert not game.state.finished
    play(game, "MR pass")
    assert game.state.finished


def test_the_last_train_ends_the_game_after_the_operating_round():
    game = new_game(4)
    started(game, "MR", price=100, cash=800)
    reach_phase(game, "6X")
    for train in [train for train in game.state.trains if train.owner == DEPOT][1:]:
        rearrange(game, train, owner=REMOVED)
    operating(game, "MR", step=TRAINS)
    play(game, "MR buy 6X for 700")
    assert game.state.ending
    assert game.state.finished


def test_with_two_trains_left_at_the_end_of_a_round_no_more_tokens():
    game = new_game(4)
    started(game, "MR", price=100, cash=800)
    reach_phase(game, "6X")
    for train in [train for train in game.state.trains if train.owner == DEPOT][3:]:
        rearrange(game, train, owner=REMOVED)
    operating(game, "MR", ["6X"], step=TRAINS)
    play(game, "MR pass")  # the round ends; nothing was bought: one of three trains is exported
    assert title_state(game).last_trains
    assert not game.state.ending
    token(game, "MR", "I14")
    assert not offered(game, "token")


def test_a_train_is_exported_unless_one_was_bought():
    game = new_game(4)
    started(game, "MR", price=100, cash=800)
    operating(game, "MR", ["2+1"], step=TRAINS)
    left = sum(train.owner == DEPOT for train in game.state.trains)
    play(game, "MR pass")
    assert sum(train.owner == DEPOT for train in game.state.trains) == left - 1
    game = new_game(4)
    started(game, "MR", price=100, cash=800)
    operating(game, "MR", step=TRAINS)
    play(game, "MR buy 2+1 for 80", "MR pass")
    assert sum(train.owner == DEPOT for train in game.state.trains) == left - 1


def test_18xx_games_pays_the_capital_by_the_present_price():
    game = new_game(4, **BY_18XX)
    reach_phase(game, "3+1")
    stock_round(game)
    play(game, "@1 par MR 80")
    price_at(game, "MR", 90)
    play(game, "@2 buy MR")
    assert game.state.cash["MR"] == 450
