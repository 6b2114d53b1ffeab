"""1830 by a second reader: set-up, the auction, privates. No text of the rules is at hand: what is expected stands in the
engine of 18xx.games (its 1830 and waterfall auction) and on 18GB's page, where "as in 1830" is said."""

from __future__ import annotations

import pytest

from bot.engine.ids import BANK, IPO, POOL, Owner
from bot.engine.state.events import PrivatePaid
from tests.titles import builders_1830 as rb
from tests.titles.positions import act, cash, company, deal, lay, private, refused, set_cash


@pytest.mark.parametrize(
    ("players", "each", "limit"), [(2, 1200, 28), (3, 800, 20), (4, 600, 16), (5, 480, 13), (6, 400, 11)]
)
def test_the_bank_has_12000_and_gives_everybody_his_part(players: int, each: int, limit: int) -> None:
    game = rb.new_game(players)
    assert sum(game.state.cash.values()) == 12_000 and cash(game, "@1") == each
    assert game.title.rules.certificate_limit(game, game.state.order[0]) == limit
    assert [train.family for train in game.state.trains].count("6") == 2
    assert [train.family for train in rb.new_game(sixes="three").state.trains].count("6") == 3


# -- the auction ---------------------------------------------------------------------------------------


def test_the_cheapest_private_is_bought_at_its_price_others_are_bid_for_by_5_more() -> None:
    game = rb.new_game()
    assert "costs $20" in refused(game, "@1 bid SV 25")
    assert "A bid for CS must be at least $45" in refused(game, "@1 bid CS 44")
    act(game, "@1 bid CS 45")
    assert "A bid for CS must be at least $50" in refused(game, "@2 bid CS 49")
    act(game, "@2 bid SV 20")
    assert (rb.owner_of(game, "SV"), rb.owner_of(game, "CS")) == ("@2", "@1")
    assert (cash(game, "@1"), cash(game, "@2")) == (755, 780)
    assert game.frame.entity == "@3"


def test_several_bidders_bid_it_out_the_lowest_first_and_then_the_turn_goes_on() -> None:
    game = rb.new_game()
    act(game, "@1 bid CS 45", "@2 bid CS 50", "@3 bid SV 20")
    assert game.frame.entity == "@1"
    assert "on offer: CS." in refused(game, "@1 bid DH 75")
    act(game, "@1 bid CS 60")
    assert game.frame.entity == "@2"
    act(game, "@2 pass")
    assert (rb.owner_of(game, "CS"), cash(game, "@1"), cash(game, "@2")) == ("@1", 740, 800)
    assert game.frame.entity == "@1" == game.state.priority


def test_bids_bind_cash_but_not_for_the_same_private() -> None:
    game = rb.new_game()
    act(game, "@1 bid BO 700", "@2 pass", "@3 pass")
    assert "You can bid at most $100 for CA" in refused(game, "@1 bid CA 165")
    act(game, "@1 bid BO 800")


def test_when_all_pass_the_first_private_falls_by_5_and_at_nothing_the_next_player_takes_it() -> None:
    game = rb.new_game()
    act(game, "@1 pass", "@2 pass", "@3 pass")
    assert game.private(private("SV")).price == 15
    act(game, "@1 pass", "@2 pass", "@3 pass", "@1 pass", "@2 pass", "@3 pass", "@1 pass", "@2 pass")
    assert rb.owner_of(game, "SV") is None
    act(game, "@3 pass")
    assert (rb.owner_of(game, "SV"), cash(game, "@1")) == ("@1", 800)
    assert game.frame.entity == "@2"


def test_when_all_pass_later_the_privates_pay() -> None:
    game = rb.new_game()
    act(game, "@1 bid SV 20")
    events = act(game, "@2 pass", "@3 pass", "@1 pass")
    assert [(event.private, event.amount) for event in events if isinstance(event, PrivatePaid)] == [("SV", 5)]
    assert game.private(private("CS")).price == 40


def test_camden_brings_a_share_and_baltimore_the_president_who_sets_the_price() -> None:
    game = rb.new_game(2)
    act(game, "@1 bid SV 20", "@2 bid CS 40", "@1 bid DH 70", "@2 bid MH 110", "@1 bid CA 160")
    assert game.company(Owner("PRR")).percent_held_by(Owner("@1")) == 10
    act(game, "@2 bid BO 220")
    assert game.frame.plan == "first price" and game.players_to_act() == ("@2",)
    assert "100, 90, 82, 76, 71, 67" in refused(game, "@2 par B&O 80")
    refused(game, "@2 par PRR 100")
    act(game, "@2 par B&O 76")
    assert (game.company(Owner("B&O")).percent_held_by(Owner("@2")), rb.price(game, "B&O")) == (20, 76)
    assert cash(game, "@2") == 1200 - 40 - 110 - 220
    assert game.state.round.kind == "stock" and game.frame.entity == "@1"


# -- what privates do ----------------------------------------------------------------------------------


def test_a_players_private_keeps_its_space_a_companys_does_not() -> None:
    game = rb.new_game()
    rb.own(game, CA="@2")
    rb.started(game, "B&O")
    lay(game, ("8", "I17", 1))
    rb.operating(game, "B&O", phase="3")
    assert "H18 is blocked by CA while a player owns it" in refused(game, "B&O lay 59 H18 0")
    game.private(private("CA")).owner = company("B&O")
    act(game, "B&O lay 59 H18 0")


def test_champlain_lays_beside_the_turns_tile_reached_or_not_by_its_company_alone() -> None:
    game = rb.new_game()
    rb.own(game, CS="@1")
    rb.started(game, "B&O")
    rb.operating(game, "B&O")
    refused(game, "B&O lay 58 B20 0 with CS")
    game.private(private("CS")).owner = company("B&O")
    refused(game, "B&O lay 57 B20 0 with CS")
    refused(game, "B&O lay 58 C19 0 with CS")
    act(game, "B&O lay 58 B20 0 with CS", "B&O lay 8 I17 1")
    refused(game, "B&O lay 58 B20 0 with CS")


def test_delaware_lays_the_turns_tile_in_scranton_for_120_with_a_free_token_of_the_companys() -> None:
    game = rb.new_game()
    rb.own(game, DH="B&O")
    rb.started(game, "B&O")
    rb.operating(game, "B&O")
    act(game, "B&O lay 57 F16 0 with DH")
    assert cash(game, "B&O") == 880 and game.frame.plan == "token in Scranton"
    refused(game, "B&O token I15")
    act(game, "B&O token F16")
    assert cash(game, "B&O") == 880 and game.company(Owner("B&O")).tokens_left == (100,)
    assert game.state.board.has_token(rb.TITLE.land.map.hexes["F16"].id, company("B&O"))
    assert not rb.offered(game, "lay")


def test_delawares_token_may_be_left_and_its_tile_is_no_second_one() -> None:
    game = rb.new_game()
    rb.own(game, DH="B&O")
    rb.started(game, "B&O")
    rb.operating(game, "B&O")
    act(game, "B&O lay 57 F16 0 with DH", "B&O pass")
    assert game.company(Owner("B&O")).tokens_left == (40, 100)
    other = rb.new_game()
    rb.own(other, DH="B&O")
    rb.started(other, "B&O")
    rb.operating(other, "B&O")
    act(other, "B&O lay 8 I17 1")
    refused(other, "B&O lay 57 F16 0 with DH", "")


def test_mohawk_is_exchanged_in_turn_or_not_for_a_share_of_offering_or_pool() -> None:
    game = rb.new_game()
    rb.own(game, MH="@2")
    rb.started(game, "NYC", {"@3": 3, POOL: 1})
    rb.stock_round(game, player="@1")
    assert "Only the player who owns MH can exchange it" in refused(game, "@1 exchange MH")
    act(game, "@2 exchange MH from pool")
    assert game.company(Owner("NYC")).percent_held_by(Owner("@2")) == 10 and rb.owner_of(game, "MH") is None
    assert game.frame.entity == "@1" and cash(game, "@2") == 800


def test_mohawks_owner_with_60_percent_exchanges_nothing_and_a_share_may_bring_the_presidency() -> None:
    game = rb.new_game()
    rb.own(game, MH="@2")
    rb.started(game, "NYC", {"@2": 2})
    rb.operating(game, "NYC")
    act(game, "@2 exchange MH")
    assert game.controller_of(company("NYC")) == "@2"
    other = rb.new_game()
    rb.own(other, MH="@1")
    rb.started(other, "NYC", {"@1": 4})
    rb.stock_round(other, player="@2")
    assert "more than 60%" in refused(other, "@1 exchange MH")


def test_an_exchange_that_launches_nyc_in_an_operating_round_gives_it_no_turn_in_it() -> None:
    game = rb.new_game()
    rb.own(game, MH="@2")
    rb.started(game, "B&O")
    rb.started(game, "NYC", {"@1": 3}, cash=0, floated=False)
    rb.operating(game, "B&O", last=False)
    act(game, "@2 exchange MH")
    assert game.company(Owner("NYC")).floated and cash(game, "NYC") == 1000
    assert company("NYC") in game.state.flow[1].memory.done


def test_baltimore_closes_with_its_companys_first_train_and_all_with_the_first_5() -> None:
    game = rb.new_game()
    rb.own(game, BO="@1", SV="@2")
    rb.started(game, "B&O")
    rb.operating(game, "B&O", step=rb.TRAINS)
    act(game, "B&O buy 2 for 80")
    assert (rb.owner_of(game, "BO"), rb.owner_of(game, "SV")) == (None, "@2")
    rb.reach_phase(game, "5")
    game.state.phase = "4"
    act(game, "B&O buy 5 for 450")
    assert rb.owner_of(game, "SV") is None


def test_companies_buy_privates_of_any_player_from_the_first_3_train_for_half_to_double() -> None:
    game = rb.new_game()
    rb.own(game, SV="@2", BO="@2")
    rb.started(game, "B&O")
    rb.operating(game, "B&O")
    assert "first 3-train" in refused(game, "B&O buy SV for 20")
    rb.reach_phase(game, "3")
    assert "$10 to $40" in refused(game, "B&O buy SV for 41")
    refused(game, "B&O buy BO for 220")
    act(game, "B&O buy SV for 40")
    assert game.players_to_act() == ("@2",)
    act(game, "@2 agree")
    assert rb.owner_of(game, "SV") == "B&O" and cash(game, "@2") == 840


def test_players_trade_privates_after_the_first_stock_round_as_their_purchase() -> None:
    game = rb.new_game()
    rb.own(game, SV="@2", BO="@2")
    rb.started(game, "PRR")
    rb.stock_round(game, 1)
    assert "after the first stock round" in refused(game, "@1 buy SV for 30")
    rb.stock_round(game, 2)
    refused(game, "@1 buy BO for 300")
    act(game, "@1 buy SV for 30", "@2 agree")
    assert rb.owner_of(game, "SV") == "@1" and cash(game, "@2") == 830
    assert game.frame.entity == "@2"


def test_privates_count_as_certificates_and_in_the_end_at_their_price() -> None:
    game = rb.new_game()
    rb.own(game, CA="@1")
    deal(game, "PRR", None, {"@1": 1})
    rb.stock_round(game)
    assert game.title.rules.worth(game, game.state.order[0]) == 800 + 160
    set_cash(game, "@1", 0)
    assert game.state.cash[BANK] > 0 and game.company(Owner("PRR")).percent_held_by(IPO) == 90


# -- homes ---------------------------------------------------------------------------------------------


def test_eries_home_is_kept_in_both_cities_and_whoever_lays_its_first_track_places_the_token() -> None:
    game = rb.new_game()
    rb.started(game, "ERIE")
    rb.reach_phase(game, "3")
    rb.operating(game, "ERIE", step=rb.HOME)
    assert game.state.board.tokens_in(rb.TITLE.companies[company("ERIE")].home[0], 0) == ["ERIE"]
    act(game, "ERIE lay 59 E11 2")
    assert game.frame.plan == "home" and rb.offered(game, "token") == ["ERIE token E11", "ERIE token E11.1"]
    refused(game, "ERIE token D10")
    act(game, "ERIE token E11.1")
    assert game.state.board.tokens_in(rb.TITLE.companies[company("ERIE")].home[0], 1) == ["ERIE"]
    assert game.company(Owner("ERIE")).tokens_left == (40, 100)


def test_erie_chooses_when_there_is_track_already() -> None:
    game = rb.new_game()
    rb.started(game, "ERIE")
    lay(game, ("59", "E11", 2))
    rb.operating(game, "ERIE", step=rb.HOME)
    assert game.frame.plan == "home" and game.players_to_act() == ("@1",)
    act(game, "ERIE token E11")
    assert game.state.board.tokens_in(rb.TITLE.companies[company("ERIE")].home[0], 0) == ["ERIE"]
