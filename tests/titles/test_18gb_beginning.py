"""18GB: scenarios, the sale of the private companies, who goes first."""

from __future__ import annotations

from collections import Counter

import pytest

from bot.engine.ids import HexId
from bot.engine.play.game import Game
from bot.titles.t18gb.components import SCENARIOS
from bot.titles.t18gb.state import title_state
from tests.titles.builders_18gb import BY_18XX, TITLE, new_game, offered, own, play, stock_round
from tests.titles.positions import refused

NORTH = {"map": "north-south"}
SOUTH = {"map": "east-west"}


@pytest.mark.parametrize(
    ("players", "options", "companies", "privates", "cash", "cards", "certificates"),
    [
        (2, NORTH, "CR LNWR LYR MR NBR NER", "LB AF GN SD LM LS", 375, (4, 3, 3, 1, 2, 2, 6), 19),
        (2, SOUTH, "GER GWR LNWR LSWR MR SWR", "LB GN LM LS TV CH", 375, (4, 3, 3, 1, 2, 2, 6), 19),
        (4, {}, "CR GWR LNWR LSWR LYR MR NBR NER SWR", "LB AF GN SD LM LS TV CH", 330, (7, 5, 5, 2, 3, 2, 7), 14),
        (
            4,
            {"companies": "alternative"},
            "CR GSWR GWR LNWR LYR MR MSLR NBR NER",
            "LB AF GN SD LM LS MC CH",
            330,
            (7, 5, 5, 2, 3, 2, 7),
            14,
        ),
    ],
)
def test_scenarios_of_two_and_four(players, options, companies, privates, cash, cards, certificates):
    game = new_game(players, **options)
    assert " ".join(game.state.companies) == companies
    assert " ".join(game.state.privates) == privates
    assert {game.state.cash[seat] for seat in game.state.order} == {cash}
    counts = Counter(train.family for train in game.state.trains)
    assert tuple(counts[family] for family in TITLE.trains) == cards
    assert TITLE.rules.certificate_limit(game, game.state.order[0]) == certificates


@pytest.mark.parametrize(
    ("players", "cash", "cards", "certificates"),
    [(5, 320, (9, 6, 5, 3, 3, 3, 8), 14), (6, 305, (10, 7, 6, 3, 3, 3, 8), 12)],
)
def test_five_and_six_players_have_everything(players, cash, cards, certificates):
    game = new_game(players)
    assert len(game.state.companies) == 12
    assert len(game.state.privates) == 9
    assert game.state.cash[game.state.order[0]] == cash
    counts = Counter(train.family for train in game.state.trains)
    assert tuple(counts[family] for family in TITLE.trains) == cards
    assert TITLE.rules.certificate_limit(game, game.state.order[0]) == certificates


def test_three_players_draw_one_of_three_companies_by_the_seed():
    drawn = set()
    for seed in range(12):
        game = new_game(3, seed)
        (more,) = set(game.state.companies) - {"CR", "LNWR", "LYR", "MR", "NBR", "NER"}
        assert set(new_game(3, seed).state.companies) == set(game.state.companies)
        drawn.add(more)
    assert drawn == {"GSWR", "GWR", "MSLR"}


def test_half_of_the_companies_wait_for_the_second_stock_round_but_never_lnwr():
    for players, options in ((2, NORTH), (3, {}), (4, {}), (5, {}), (6, {})):
        for seed in range(5):
            game = new_game(players, seed, **options)
            waiting = title_state(game).second_tier
            assert len(waiting) == SCENARIOS[title_state(game).scenario].second_tier
            assert "LNWR" not in waiting


def test_a_company_of_the_second_tier_cannot_be_started_in_the_first_stock_round():
    game = new_game(4)
    waiting = title_state(game).second_tier[0]
    stock_round(game, number=1)
    assert "second stock round" in refused(game, f"@1 par {waiting} 70")
    assert not any(waiting in text for text in offered(game, "par"))
    game.state.round.number = 2
    play(game, f"@1 par {waiting} 70")


def test_two_players_have_half_a_map_each():
    north, south, whole = new_game(2, **NORTH), new_game(2, **SOUTH), new_game(5)
    assert HexId("A20") in whole.board_rules.map.hexes
    assert HexId("A20") not in north.board_rules.map.hexes
    assert HexId("G4") in north.board_rules.map.hexes
    assert HexId("G4") not in south.board_rules.map.hexes
    assert "G31" in whole.board_rules.tiles
    assert "G31" not in new_game(4).board_rules.tiles


def test_home_tokens_stand_from_the_beginning():
    game = new_game(4)
    assert game.state.board.tokens_in(HexId("H19"), 0) == ["MR"]
    assert game.company("MR").tokens_left == (50,)
    assert game.company("CR").tokens_left == (0,)


# -- the auction --------------------------------------------------------------------------------------


def test_the_lowest_bid_is_the_price_and_five_more_than_a_bid():
    game = new_game(4)
    assert "£30" in refused(game, "@1 bid AF 25")
    assert "multiples of £5" in refused(game, "@1 bid AF 32")
    play(game, "@1 bid AF 30")
    assert "£35" in refused(game, "@2 bid AF 30")
    play(game, "@2 bid AF 35")


def test_bids_bind_cash():
    game = play(new_game(4), "@1 bid GN 200", "@2 bid TV 60", "@3 bid LM 45", "@4 bid LS 30")
    assert "130" in refused(game, "@1 bid SD 135")
    play(game, "@1 bid SD 130")
    assert game.state.cash["@1"] == 330


def test_one_may_raise_ones_own_bid_and_the_old_one_is_free():
    game = play(new_game(2, **NORTH), "@1 bid GN 300", "@2 bid AF 30")
    play(game, "@1 bid GN 375")
    assert game.state.cash["@1"] == 375


def test_passing_needs_a_leading_bid():
    game = new_game(4)
    assert "lead with a bid" in refused(game, "@1 pass")
    play(game, "@1 bid AF 30", "@2 bid AF 35", "@3 bid LS 30", "@4 bid TV 60")
    refused(game, "@1 pass")  # overbid
    play(game, "@1 bid SD 35", "@2 pass")


def test_two_players_need_two_leading_bids():
    game = play(new_game(2, **NORTH), "@1 bid AF 30", "@2 bid LS 30")
    assert "2 bids" in refused(game, "@1 pass")
    play(game, "@1 bid GN 70", "@2 bid SD 35", "@1 pass")


def test_whoever_is_overbid_may_pass_when_everything_has_a_bid():
    game = new_game(2, **NORTH)
    play(game, "@1 bid LB 40", "@2 bid AF 30", "@1 bid GN 70", "@2 bid SD 35", "@1 bid LM 45", "@2 bid LS 30")
    play(game, "@1 bid SD 40", "@2 bid LM 50", "@1 bid AF 35", "@2 bid GN 75", "@1 pass")


def test_when_all_pass_bids_win_and_the_rest_becomes_ten_cheaper():
    game = play(new_game(4), "@1 bid AF 30", "@2 bid LS 30", "@3 bid SD 35", "@4 bid CH 30")
    play(game, "@1 pass", "@2 pass", "@3 pass", "@4 pass")
    privates = game.state.privates
    assert privates["AF"].owner == "@1"
    assert privates["CH"].owner == "@4"
    assert game.state.cash["@3"] == 295
    assert (privates["LB"].price, privates["GN"].price) == (30, 60)
    assert game.players_to_act() == ("@1",)


def test_after_a_first_round_everybody_may_pass():
    game = play(new_game(4), "@1 bid AF 30", "@2 bid LS 30", "@3 bid SD 35", "@4 bid CH 30")
    play(game, "@1 pass", "@2 pass", "@3 pass", "@4 pass", "@1 pass")


def all_pass(game: Game, times: int) -> None:
    """Everybody passes so often."""
    for _ in range(times * len(game.state.order)):
        play(game, f"{game.players_to_act()[0]} pass")


def test_at_nothing_the_next_player_must_take_it():
    game = play(new_game(4), "@1 bid AF 30", "@2 bid LS 30", "@3 bid SD 35", "@4 bid CH 30")
    all_pass(game, 1)
    assert game.state.privates["LB"].price == 30
    all_pass(game, 3)
    assert game.state.privates["LB"].price == 0
    assert title_state(game).bids["LB"].player == "@1"
    assert game.players_to_act() == ("@2",)
    assert "£5" in refused(game, "@2 bid LB 0")
    play(game, "@2 bid LB 5")


def test_least_cash_goes_first_and_of_equals_more_privates():
    game = play(
        new_game(4), "@1 bid GN 70", "@2 bid LB 40", "@3 bid AF 30", "@4 bid LS 30", "@1 bid SD 35", "@2 bid TV 60"
    )
    play(game, "@3 bid LM 75", "@4 bid CH 75")
    all_pass(game, 1)
    # Cash: Ann 225, Bob 230, Cid and Dan 225 each.
    assert game.state.round.kind == "stock"
    assert game.state.order == ["@1", "@3", "@4", "@2"]
    assert game.players_to_act() == ("@1",)


def test_later_rounds_go_by_the_order_of_passing():
    game = stock_round(new_game(4))
    play(game, "@1 par MR 70", "@2 pass", "@3 pass", "@4 pass", "@1 buy MR", "@2 pass", "@3 pass", "@4 pass", "@1 pass")
    assert game.state.order == ["@2", "@3", "@4", "@1"]


def test_whoever_acts_again_has_not_passed():
    game = stock_round(new_game(3))
    play(game, "@1 pass", "@2 par MR 70", "@3 pass", "@1 buy MR", "@2 pass", "@3 pass", "@1 pass")
    assert game.state.order == ["@3", "@2", "@1"]


def test_18xx_games_does_not_keep_tiers():
    game = stock_round(new_game(4, **BY_18XX), number=1)
    play(game, f"@1 par {title_state(game).second_tier[0]} 70")


# -- London & Birmingham ------------------------------------------------------------------------------


def test_the_owner_of_london_and_birmingham_starts_lnwr_before_anything_else():
    game = new_game(4)
    own(game, LB="@1")
    stock_round(game)
    assert "The owner of LB must start LNWR before buying anything" in refused(game, "@1 par MR 70")
    play(game, "@1 par LNWR 100")
    assert "LNWR" in game.state.companies
    play(game, "@2 par MR 70", "@3 pass", "@4 pass", "@1 buy MR")


def test_nobody_else_starts_lnwr_while_it_has_an_owner():
    game = new_game(4)
    own(game, LB="@2")
    stock_round(game)
    assert "Bob" in refused(game, "@1 par LNWR 70")
    assert all("LNWR" not in text for text in offered(game, "par"))
