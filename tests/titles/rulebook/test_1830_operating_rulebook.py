"""1830 by a second reader: track, runs, trains, money for them, the end. Sources as in `test_1830_start_rulebook.py`."""

from __future__ import annotations

import pytest

from bot.engine.ids import BANK, POOL, Owner, seat
from bot.engine.play.game import Game
from bot.engine.play.steps.routes import best_set
from tests.rearrangement import rearrange
from tests.titles import builders_1830 as rb
from tests.titles.positions import act, cash, company, give_train, lay, refused, set_cash


def ready(
    step: int, trains: tuple[str, ...] = (), money: int = 1000, phase: str = "2", revenue: int | None = None
) -> Game:
    """B&O of @1, with track from Baltimore to Washington, at a step of its turn."""
    game = rb.new_game()
    rb.own(game)
    rb.reach_phase(game, phase)
    rb.started(game, "B&O", {"@1": 3, "@2": 1, POOL: 2}, cash=money)
    lay(game, ("57", "J14", 0))
    return rb.operating(game, "B&O", trains, step, revenue)


# -- track and tokens ----------------------------------------------------------------------------------


def test_one_tile_a_turn_and_rivers_and_mountains_cost_what_is_printed_for_the_first() -> None:
    game = ready(rb.TRACK)
    act(game, "B&O lay 8 I17 1")
    assert cash(game, "B&O") == 920
    assert not rb.offered(game, "lay")


def test_borders_are_not_crossed_and_green_waits_for_the_first_3() -> None:
    game = rb.new_game()
    rb.started(game, "CPR")
    rb.operating(game, "CPR")
    lay(game, ("9", "B18", 0))
    assert "not available" in refused(game, "CPR lay 23 B18 3")
    rb.reach_phase(game, "3")
    act(game, "CPR lay 23 B18 3")
    assert rb.TITLE.land.map.neighbour(rb.TITLE.land.map.hexes["C17"].id, 2) is None


def test_new_york_and_the_cities_marked_b_take_their_own_tiles() -> None:
    land, board = rb.TITLE.land, rb.new_game().state.board
    expected = {"G19": ["54"], "I15": ["53"], "E23": ["53"], "D10": ["59"], "E11": ["59"]}
    assert {name: land.possible_upgrades(board, land.map.hexes[name].id) for name in expected} == expected


def test_a_token_a_turn_at_the_charters_price_within_reach() -> None:
    game = ready(rb.TOKEN)
    assert rb.offered(game, "token") == ["B&O token J14"]
    act(game, "B&O token J14")
    assert cash(game, "B&O") == 960


# -- runs ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("phase", "revenue"), [("2", 80), ("5", 90)])
def test_red_areas_pay_more_from_the_brown_phase_on(phase: str, revenue: int) -> None:
    game = ready(rb.RUN, ("3",) if phase == "2" else ("5",), phase=phase)
    assert best_set(game, company("B&O")).revenue == revenue


def test_towns_are_stops_and_a_d_runs_to_any_number() -> None:
    game = rb.new_game()
    rb.started(game, "B&M", {"@1": 3})
    lay(game, ("57", "F22", 0))
    rb.operating(game, "B&M", ("2", "D"), step=rb.RUN)
    assert {stop.hex for route in best_set(game, company("B&M")).routes for stop in route.stops} == {"E23", "F24"}


@pytest.mark.parametrize(("kind", "revenue"), [("2", 40), ("3", 60)])
def test_a_town_counts_for_the_length_of_a_train(kind: str, revenue: int) -> None:
    """Boston, Mansfield, Providence."""
    game = rb.new_game()
    rb.started(game, "B&M", {"@1": 3})
    lay(game, ("57", "F22", 1))
    rb.operating(game, "B&M", (kind,), step=rb.RUN)
    assert best_set(game, company("B&M")).revenue == revenue


def test_the_spaces_of_one_red_area_are_one_stop() -> None:
    values = rb.TITLE.rules.route_problem(rb.new_game(), company("B&O"), ()).values
    groups = {stop.hex: value.group for stop, value in values.items()}
    assert groups["A9"] == groups["A11"] != "" and groups["I1"] == groups["J2"] != groups["A9"]


def test_dividends_go_to_players_and_for_the_pool_to_the_company() -> None:
    game = ready(rb.PAY, ("2",), revenue=100)
    act(game, "B&O pay")
    assert (cash(game, "@1"), cash(game, "@2"), cash(game, "B&O")) == (850, 810, 1020)
    assert rb.price(game, "B&O") == 112


def test_without_a_dividend_the_price_falls_and_at_the_edge_a_row_down() -> None:
    game, low = ready(rb.PAY, ("2",), revenue=100), ready(rb.PAY, ("2",), revenue=100)
    act(game, "B&O withhold")
    assert cash(game, "B&O") == 1100 and rb.price(game, "B&O") == 90
    rb.price_at(low, "B&O", (2, 0))
    act(low, "B&O withhold")
    assert rb.price(low, "B&O") == 39


# -- trains --------------------------------------------------------------------------------------------


def test_trains_come_in_order_rust_and_the_d_is_sold_beside_the_6() -> None:
    game = ready(rb.TRAINS, ("2", "3"), 5000, "4")
    assert "buys" not in refused(game, "B&O buy 5 for 450")
    game.state.phase = "3"
    act(game, "B&O buy 4 for 300")
    assert [train.kind for train in game.state.trains_of(Owner("B&O"))] == ["3", "4"]
    late = ready(rb.TRAINS, ("5",), 5000, "6")
    assert {text.split()[2] for text in rb.offered(late, "buy")} == {"6", "D"}


@pytest.mark.parametrize("kind", ["4", "5", "6"])
def test_a_d_costs_800_for_a_4_5_or_6_which_goes_to_the_pool_or_rusts(kind: str) -> None:
    game = ready(rb.TRAINS, (kind,), 800, "6")
    act(game, f"B&O buy D for 800 trade {kind}")
    assert [train.kind for train in game.state.trains_of(Owner("B&O"))] == ["D"]
    assert [train.kind for train in game.state.trains_of(POOL)] == ([] if kind == "4" else [kind])


def test_trains_above_the_limit_go_to_the_pool_and_are_sold_at_their_price() -> None:
    game = ready(rb.TRAINS, ("3", "3"), 5000, "4")
    rb.reach_phase(game, "5")
    game.state.phase = "4"
    act(game, "B&O buy 5 for 450")
    assert game.frame.plan == "discard"
    act(game, "B&O discard 3")
    assert [train.kind for train in game.state.trains_of(POOL)] == ["3"]


def test_a_company_with_a_route_must_buy_and_its_president_adds_what_is_lacking_for_the_cheapest() -> None:
    game = ready(rb.TRAINS, (), 50)
    assert "must own a train" in refused(game, "B&O pass")
    act(game, "B&O buy 2 for 80")
    assert (cash(game, "B&O"), cash(game, "@1")) == (0, 770)
    late = ready(rb.TRAINS, (), 50, "6")
    assert "cheapest" in refused(late, "B&O buy D for 1100")


def test_who_can_pay_sells_nothing_and_a_sale_is_no_larger_than_needed() -> None:
    game = ready(rb.TRAINS, (), 50, "3")
    refused(game, "B&O sell 1 B&O")
    set_cash(game, "@1", 30)
    rb.started(game, "PRR", {"@1": 3, "@2": 2})
    assert "fewer shares" in refused(game, "B&O sell 2 PRR")
    act(game, "B&O sell 1 PRR", "B&O buy 3 for 180")
    assert cash(game, "@1") == 0


def test_after_a_sale_a_train_of_another_company_costs_so_much_that_one_share_fewer_would_not_have_done() -> None:
    game = ready(rb.TRAINS, (), 50, "3")
    set_cash(game, "@1", 30)
    rb.started(game, "PRR", {"@1": 3, "@2": 2})
    give_train(game, "PRR", "3")
    act(game, "B&O sell 1 PRR")
    refused(game, "B&O buy 3 from PRR for 80")
    act(game, "B&O buy 3 from PRR for 81")
    assert (cash(game, "B&O"), cash(game, "@1")) == (0, 99)


def test_a_company_that_can_pay_sells_no_shares_of_its_president() -> None:
    game = ready(rb.TRAINS, (), 80)
    set_cash(game, "@1", 0)
    assert "forced train purchase" in refused(game, "B&O sell 1 B&O")


def test_a_sale_may_cost_another_companys_presidency_but_not_that_of_the_buyer() -> None:
    game = ready(rb.TRAINS, (), 0, "4")
    set_cash(game, "@1", 0)
    rb.started(game, "PRR", {"@2": 2, "@1": 1})
    rearrange(game, game.company(Owner("B&O")).certificates[3], owner=Owner("@2"))
    sales = rb.offered(game, "sell")
    assert "B&O sell 2 PRR" in sales
    act(game, "B&O sell 2 PRR")
    assert game.controller_of(company("PRR")) == "@2"


def test_another_companys_train_costs_its_printed_price_at_most_with_the_presidents_money() -> None:
    game = ready(rb.TRAINS, (), 50)
    rb.started(game, "PRR", {"@2": 2}, "@1")
    give_train(game, "PRR", "3")
    refused(game, "B&O buy 3 from PRR for 181")
    act(game, "B&O buy 3 from PRR for 180")
    assert cash(game, "PRR") == 1180 and cash(game, "@1") == 800 - 130


def test_a_president_is_asked_before_his_train_is_sold_to_another_but_not_by_18xx_games() -> None:
    for options, plan in (({}, "train offer"), (rb.BY_18XX, "company turn")):
        game = rb.new_game(**options)
        rb.started(game, "B&O", {"@1": 3})
        rb.started(game, "PRR", {}, "@2")
        give_train(game, "PRR", "3")
        give_train(game, "PRR", "2")
        rb.operating(game, "B&O", ("2",), rb.TRAINS)
        act(game, "B&O buy 2 from PRR for 5")
        assert plan in [frame.plan for frame in game.state.flow][-1:] or plan == "company turn"
        assert (game.state.offer is not None) == (plan == "train offer")


def test_who_cannot_raise_the_money_is_bankrupt_and_the_game_is_over() -> None:
    game = ready(rb.TRAINS, (), 0, "6")
    set_cash(game, "@1", 10)
    assert rb.offered(game, "bankrupt") == ["B&O bankrupt"]
    act(game, "B&O bankrupt")
    assert game.state.finished and str(game.state.ending) == "@1 is bankrupt"
    assert cash(game, "@1") == 0


def test_who_can_is_not() -> None:
    game = ready(rb.TRAINS, (), 50)
    refused(game, "B&O bankrupt")


# -- the end -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "left", "is_broken"), [({}, 0, True), (rb.BY_18XX, 0, False), (rb.BY_18XX, -1, True)]
)
def test_the_bank_breaks_without_money_and_the_set_is_played_to_its_end(
    options: dict[str, str], left: int, is_broken: bool
) -> None:
    game = rb.new_game(**options)
    rb.started(game, "B&O", {"@1": 8})
    rb.operating(game, "B&O", step=rb.PAY, revenue=100)
    set_cash(game, "@2", cash(game, "@2") + game.state.cash[BANK] - 100 - left)
    game.state.money = sum(game.state.cash.values())
    act(game, "B&O pay")
    assert bool(game.state.ending) == is_broken and not game.state.finished


def test_after_the_last_round_of_the_set_the_game_ends() -> None:
    game = ready(rb.TRAINS, ("2",))
    game.state.ending = "the bank has run out of money"
    game.state.round.part, game.state.flow[0].at = 2, 3
    act(game, "B&O pass")
    assert game.state.finished


def test_a_player_is_worth_cash_shares_at_their_price_and_privates_as_printed() -> None:
    game = ready(rb.TRACK)
    rb.own(game, SV="@1", DH="@1", CA="@2")
    set_cash(game, "@1", 321)
    rb.price_at(game, "B&O", (0, 8))
    assert rb.price(game, "B&O") == 126
    assert game.title.rules.worth(game, seat(1)) == 321 + 5 * 126 + 20 + 70
