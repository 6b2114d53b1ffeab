"""1830 by a second reader: shares, the market's colours, launching. Sources as in `test_1830_start_rulebook.py`."""

from __future__ import annotations

import pytest

from bot.engine.ids import IPO, POOL, Owner, seat
from bot.engine.play.holdings.certificates import certificate_count
from bot.engine.state.actions import Pass
from tests.rearrangement import rearrange
from tests.titles import builders_1830 as rb
from tests.titles.positions import act, cash, company, refused, set_cash

YELLOW, ORANGE, BROWN = (2, 1), (4, 1), (7, 1)


def test_a_company_starts_at_one_of_six_prices_and_has_ten_times_of_it_with_60_percent() -> None:
    game = rb.new_game()
    rb.stock_round(game, 1)
    assert "67, 71, 76, 82, 90, 100" in refused(game, "@1 par NYC 80")
    act(game, "@1 par NYC 67")
    assert cash(game, "@1") == 800 - 134
    record = game.company(Owner("NYC"))
    for certificate in record.certificates[1:4]:
        rearrange(game, certificate, owner=Owner("@3"))
    act(game, "@2 buy NYC")
    assert record.floated and cash(game, "NYC") == 670


def test_new_shares_cost_the_starting_price_those_of_the_pool_the_present_one() -> None:
    game = rb.new_game()
    rb.started(game, "NYC", {POOL: 1}, par=67)
    rb.price_at(game, "NYC", (1, 9))
    rb.stock_round(game)
    act(game, "@1 buy NYC")
    assert cash(game, "@1") == 733
    act(game, "@1 pass", "@2 buy NYC from pool")
    assert cash(game, "@2") == 800 - 126


def test_no_sales_in_the_first_stock_round_later_each_share_moves_the_price_down() -> None:
    game = rb.new_game()
    rb.started(game, "NYC", {"@1": 3})
    rb.stock_round(game, 1)
    assert "first stock round" in refused(game, "@1 sell 1 NYC")
    rb.stock_round(game, 2)
    act(game, "@1 sell 2 NYC")
    assert cash(game, "@1") == 1000 and rb.price(game, "NYC") == 82


def test_a_player_sells_buys_and_sells_again_but_not_what_he_sold() -> None:
    game = rb.new_game()
    rb.started(game, "NYC", {"@1": 3})
    rb.started(game, "PRR", {"@1": 1})
    rb.stock_round(game)
    act(game, "@1 sell 1 NYC")
    assert "You sold NYC this stock round and cannot buy it" in refused(game, "@1 buy NYC from pool")
    act(game, "@1 buy PRR", "@1 sell 1 NYC")
    assert game.frame.entity == "@1"
    refused(game, "@1 buy PRR")
    act(game, "@1 pass")
    assert game.frame.entity == "@2"


def test_half_a_company_lies_in_the_pool_at_most_and_60_percent_in_one_hand() -> None:
    game = rb.new_game()
    rb.started(game, "NYC", {"@1": 4, POOL: 4})
    rb.stock_round(game)
    assert "50%" in refused(game, "@1 sell 2 NYC")
    assert "60%" in refused(game, "@1 buy NYC from pool")


@pytest.mark.parametrize(("cell", "counts", "is_free"), [((0, 8), True, False), (YELLOW, False, False)])
def test_certificates_in_the_yellow_zone_do_not_count(cell: tuple[int, int], counts: bool, is_free: bool) -> None:
    game = rb.new_game()
    rb.started(game, "NYC", {"@1": 4})
    rb.price_at(game, "NYC", cell)
    rb.stock_round(game)
    assert game.title.rules.counts_for_limit(game, company("NYC")) == counts
    assert certificate_count(game, seat(1)) == (game.company(company("NYC")).count_of(seat(1)) if counts else 0)
    assert (rb.offered(game, "buy") != []) == is_free


@pytest.mark.parametrize("cell", [ORANGE, BROWN])
def test_in_orange_and_brown_more_than_60_percent_may_be_held(cell: tuple[int, int]) -> None:
    game = rb.new_game()
    rb.started(game, "NYC", {"@1": 4})
    rb.price_at(game, "NYC", cell)
    rb.stock_round(game)
    act(game, "@1 buy NYC")
    assert game.company(Owner("NYC")).percent_held_by(Owner("@1")) == 70


def test_in_brown_several_are_bought_a_turn_from_the_pool() -> None:
    game = rb.new_game()
    rb.started(game, "NYC", {POOL: 3})
    rb.price_at(game, "NYC", BROWN)
    rb.stock_round(game)
    act(game, "@1 buy NYC from pool", "@1 buy NYC from pool")
    assert "only be bought from the pool" in refused(game, "@1 buy NYC")
    act(game, "@1 pass")
    assert cash(game, "@1") == 760


def test_by_option_also_from_the_initial_offering() -> None:
    game = rb.new_game(brown="anywhere")
    rb.started(game, "NYC", {POOL: 1})
    rb.price_at(game, "NYC", BROWN)
    rb.stock_round(game)
    act(game, "@1 buy NYC", "@1 buy NYC from pool")


def test_whoever_holds_too_much_sells_first() -> None:
    game = rb.new_game()
    rb.started(game, "NYC", {"@1": 5})
    rb.started(game, "PRR")
    rb.stock_round(game)
    assert "more than 60%" in refused(game, "@1 buy PRR")
    assert "more than 60%" in refused(game, "@1 pass")
    act(game, "@1 sell 1 NYC", "@1 pass")


def test_whoever_has_too_many_certificates_sells_first() -> None:
    game = rb.new_game(6)
    for name in ("NYC", "PRR"):
        rb.started(game, name, {"@1": 4})
    rb.started(game, "B&O", {"@1": 2}, "@2")
    rb.stock_round(game)
    assert "1 certificate above your limit" in refused(game, "@1 pass")
    act(game, "@1 sell 1 NYC", "@1 pass")


def test_of_too_many_certificates_those_in_the_yellow_zone_are_left_out() -> None:
    """Twelve with a limit of eleven, of which four lie in the yellow zone; when these are out of it, one is too many."""
    game = rb.new_game(6)
    for name in ("NYC", "PRR"):
        rb.started(game, name, {"@1": 4})
    rb.started(game, "B&O", {"@1": 2}, "@2")
    rb.stock_round(game)
    rb.price_at(game, "NYC", YELLOW)
    game.check(Pass(seat(1)))
    rb.price_at(game, "NYC", (0, 8))
    assert "1 certificate above your limit" in refused(game, "@1 pass")


def test_a_sold_out_company_rises_and_the_priority_deal_goes_on() -> None:
    game = rb.new_game()
    rb.started(game, "NYC", {"@1": 4, "@2": 4})
    rb.price_at(game, "NYC", (1, 7))
    rb.started(game, "PRR", par=67)
    rb.stock_round(game)
    act(game, "@1 buy PRR", "@1 pass", "@2 pass", "@3 pass", "@1 pass")
    assert rb.price(game, "NYC") == 112 and game.state.priority == "@2"
    assert game.company(Owner("PRR")).percent_held_by(IPO) == 70


def test_the_largest_holder_presides_and_the_president_in_a_tie() -> None:
    game = rb.new_game()
    rb.started(game, "NYC", {"@2": 2, "@1": 1})
    set_cash(game, "@2", 500)
    rb.stock_round(game, player="@2")
    act(game, "@2 buy NYC")
    assert game.controller_of(company("NYC")) == "@1"
    act(game, "@2 pass", "@3 pass", "@1 sell 1 NYC")
    assert game.controller_of(company("NYC")) == "@2"


def test_after_a_private_shares_of_the_brown_zone_may_follow_on_18xx_games_alone() -> None:
    for options in ({}, rb.BY_18XX):
        game = rb.new_game(**options)
        rb.started(game, "NYC", {POOL: 3})
        rb.started(game, "PRR", {POOL: 1})
        rb.price_at(game, "NYC", BROWN)
        rb.own(game, SV="@2")
        rb.stock_round(game)
        act(game, "@1 buy SV for 20", "@2 agree")
        follows = bool(options)
        assert (game.frame.entity == "@1") == follows
        if follows:
            refused(game, "@1 buy PRR from pool")
            act(game, "@1 buy NYC from pool", "@1 buy NYC from pool")
            refused(game, "@1 buy PRR from pool")
