"""1820 by a third reader of the rulebook: cases in which two rules meet."""

from __future__ import annotations

import pytest

from bot.engine.ids import DEPOT, IPO, POOL, REMOVED, Owner
from bot.engine.play.game import Game
from bot.engine.state.state import Frame, Round
from bot.titles.registry import OLDER_VERSIONS
from bot.titles.t1820 import game_end
from tests.message_helpers import told
from tests.rearrangement import rearrange
from tests.titles import builders_1820 as e
from tests.titles.positions import act, cash, refused, set_cash
from tests.titles.rulebook.birmingham import at_birmingham, legal


def lobby_of_ann(game: Game) -> Game:
    """Ann's lobby of £20 is being resolved."""
    e.stock_turn(game, number=1)
    act(game, "@1 fund 20")
    while game.frame.plan != "lobby":
        act(game, f"{game.players_to_act()[0]} pass")
    return game


def issue_round(game: Game) -> Game:
    """The issue and takeover round after an operating round, from its very beginning."""
    game.state.round = Round("operating", 2, 1, 2)
    game.state.flow = [Frame("game", None, 2)]
    return e.settled(game)


def sold(game: Game, bid: int) -> Game:
    """The LSR has won the OW&WR for this bid and is to pay."""
    e.issue_round(game, 3)
    act(game, "LSR offer OW&WR", f"@1 bid OW&WR {bid}")
    while game.frame.plan == "takeover":
        act(game, f"{game.players_to_act()[0]} pass")
    if game.frame.plan == "accept":
        act(game, "@2 agree")
    return game


def pair(phase: str = "green", at: int = 65, money: int = 1000, loans: int = 0, of_lot: int = 0, **lot: object) -> Game:
    """The LSR (Ann's two shares), the OW&WR (71, Bob's three) and the LUR, which goes last."""
    game = e.new_game(cousins=["VF"])
    e.floated(game, "LSR", held={"@1": 2}, at=at, money=money, loans=loans)
    e.floated(game, "OW&WR", **{"held": {"@2": 3}, "at": 71, "money": 0, "loans": of_lot, "stations": 0, **lot})  # type: ignore[arg-type]
    e.floated(game, "LUR", held={"@2": 3}, at=157, money=0)
    for name in ("LSR", "OW&WR", "LUR"):
        e.give_trains(game, name, "2+")
    e.reach_phase(game, phase)
    return game


# -- lobbies and floating (§6.5, §6.6) ----------------------------------------------------------------


def test_6_6_2_who_floats_need_not_buy_and_the_buyer_directs() -> None:
    game = e.new_game(2)
    lobby_of_ann(game)
    set_cash(game, "@1", 0)
    act(game, "@1 float LSR 5 at 55 on G7=150/1 to @2:2", "@2 agree")
    assert e.memory(game).directors[e.company(game).id] == "@2"
    assert (cash(game, "LSR"), cash(game, "@1"), cash(game, "@2")) == (110, 0, 890)


def test_6_6_1_who_cannot_pay_loses_the_lobby_all_the_same() -> None:
    game = e.new_game(2)
    lobby_of_ann(game)
    set_cash(game, "@1", 100)
    assert "£110" in refused(game, "@1 float LSR 5 at 55 on G7=150/1 to @1:2")
    act(game, "@1 pass")
    assert (cash(game, "@1"), e.company(game).floated, e.memory(game).lobbies) == (100, False, [])


def test_6_5_2_a_sale_pays_for_a_lobby_of_the_same_turn() -> None:
    game = e.new_game(2)
    e.floated(game, held={"@1": 3})
    set_cash(game, "@1", 0)
    e.stock_turn(game)
    act(game, "@1 sell 1 LSR", "@1 fund 60")
    assert cash(game, "@1") == 5


@pytest.mark.parametrize(("places", "fee"), [("C5=150/1 D6=M01/0", 320), ("L16=57/1 O13=57/1", 320)])
def test_6_6_2_the_path_goes_round_barriers_and_gray_edges_without_track(places: str, fee: int) -> None:
    game = e.new_game(2)
    e.reach_phase(game, "green")
    lobby_of_ann(game)
    text = f"@1 float LSR 5 at 55 on {places} to @1:2"
    before = cash(game, "@1")
    act(game, text)
    assert before - cash(game, "@1") == fee + 110


# -- share-counts (§6.5.2.2, §8.2) --------------------------------------------------------------------


def test_6_5_2_2_cousins_shares_count_for_the_40_percent() -> None:
    game = e.new_game(2, cousins=["VF"])
    e.floated(game, held={"@1": 2, "VF": 2})
    e.stock_turn(game)
    act(game, "LSR increase 10")
    assert (e.company(game).count_of(POOL), e.company(game).count_of(IPO), cash(game, "LSR")) == (1, 5, 500)


def test_6_5_2_2_who_buys_more_than_the_director_holds_takes_over() -> None:
    game = e.new_game(2)
    e.floated(game, held={"@1": 2})
    e.stock_turn(game)
    act(game, "LSR increase 10 to @2:3", "@2 agree")
    assert e.memory(game).directors[e.company(game).id] == "@2"


def test_6_5_2_3_a_company_that_grew_is_not_sold_for_the_rest_of_the_round() -> None:
    game = e.new_game(2)
    e.floated(game, held={"@1": 3, "@2": 1})
    e.stock_turn(game)
    act(game, "LSR increase 10", "@1 pass", "@2 pass")
    if game.players_to_act() == ["@1"]:
        act(game, "@1 done")
    refused(game, "@2 sell 1 LSR", "6.5.2.3")


def test_8_2_without_shares_to_buy_back_the_treasury_alone_shrinks() -> None:
    game = e.new_game(2)
    e.floated(game, shares=10, held={"@1": 3}, money=0)
    e.issue_round(game, 1)
    act(game, "LSR decrease 5")
    assert (e.company(game).percent_held_by(Owner("@1")), e.company(game).count_of(IPO), e.price(game)) == (60, 2, 65)


def test_8_1_a_company_may_issue_after_it_has_decreased() -> None:
    game = e.new_game(2)
    e.floated(game, shares=10, held={"@1": 3}, money=0)
    e.issue_round(game, 1)
    act(game, "LSR decrease 5", "LSR issue 2")
    assert (cash(game, "LSR"), e.price(game)) == (130, 55)


def test_8_2_a_second_private_company_may_stand_alone() -> None:
    game = e.new_game(2)
    e.floated(game, "OW&WR", shares=1)
    e.floated(game, "LSR", held={"@1": 2}, money=100)
    e.issue_round(game, 1)
    act(game, "LSR decrease 1 from @1:1")
    assert e.memory(game).private_track == ["OW&WR", "LSR"]
    assert cash(game, "@1") == 1100


def test_8_2_13_7_a_merged_private_company_keeps_to_the_train_limit() -> None:
    game = e.new_game(2)
    e.floated(game, "OW&WR", shares=1, stations=0)
    e.floated(game, "LSR", held={"@1": 1}, money=0)
    e.reach_phase(game, "green")
    e.give_trains(game, "OW&WR", "3+", "3+", "3+")
    e.give_trains(game, "LSR", "3+", "3+", "3+")
    e.issue_round(game, 1)
    act(game, "LSR decrease 1 into OW&WR", "OW&WR discard 3+")
    assert len(game.state.trains_of(Owner("OW&WR"))) == 5
    assert not e.company(game).floated


# -- takeovers (§8.4, §13.6, §17) ---------------------------------------------------------------------


def above_the_limit(money: int) -> Game:
    """The LSR with six stations has acquired the OW&WR with one more."""
    game = pair(money=220 + money, stations=1)
    e.company(game).tokens_left = (0,) * 6
    sold(game, 220)
    act(game, "LSR acquire")
    return game


def test_17_1_a_loan_pays_for_stations_above_the_limit() -> None:
    game = above_the_limit(money=0)
    act(game, "LSR loan", "LSR done")
    assert (cash(game, "LSR"), e.company(game).loans, e.price(game)) == (100, 1, 60)


def test_17_1_no_loan_while_the_stations_can_be_paid_without() -> None:
    game = above_the_limit(money=100)
    refused(game, "LSR loan", "17.1")
    game = above_the_limit(money=0)
    act(game, "LSR loan")
    refused(game, "LSR loan", "17.1")


@pytest.mark.parametrize("version", [1, 2])
def test_17_1_games_of_older_editions_go_on_lending(version: int) -> None:
    game = Game.decode(OLDER_VERSIONS["1820", version], above_the_limit(money=100).encode())
    act(game, "LSR loan")
    assert e.company(game).loans == 1


@pytest.mark.parametrize("is_dead", [False, True])
def test_8_4_2_10_8_a_director_beats_the_bank_by_10_after_victorias_death_alone(is_dead: bool) -> None:
    game = e.new_game(2)
    e.floated(game, held={"@1": 3}, stations=0)
    e.floated(game, "OW&WR", shares=1, stations=0)
    e.floated(game, "LUR", held={"@2": 3}, at=157, money=0)
    e.memory(game).is_victoria_dead = is_dead
    e.issue_round(game, 3)
    act(game, "LSR offer LSR")
    if not is_dead:
        # The bank's half, £97, and £10 more are less than the minimum bid of £195.
        refused(game, "@1 bid LSR 200", "8.4.2")
        return
    act(game, "@1 bid LSR 200", "@2 pass", "OW&WR acquire")
    assert cash(game, "@1") == 1000 - 200 + 3 * 66 + 500


def test_17_2_loans_acquired_beyond_the_shares_in_play_are_repaid_at_once() -> None:
    game = pair(loans=1, of_lot=3, money=700)
    sold(game, 220)
    act(game, "LSR acquire")
    assert (e.company(game).loans, e.price(game), cash(game, "LSR")) == (2, 60, 80)


def test_17_2_17_3_the_director_helps_with_acquired_loans_for_a_space() -> None:
    game = pair(loans=1, of_lot=3, money=320)
    sold(game, 220)
    act(game, "LSR acquire")
    assert (e.company(game).loans, e.price(game), cash(game, "LSR"), cash(game, "@1")) == (2, 55, 0, 700)


def test_17_2_acquired_loans_may_put_the_buyer_into_liquidation_which_waits_a_round() -> None:
    game = pair(at=43, of_lot=2, money=300)
    sold(game, 220)
    act(game, "LSR acquire")
    while not game.state.finished and game.state.round.kind == "issue":
        act(game, f"{game.players_to_act()[0]} pass") if f"{game.players_to_act()[0]} pass" in legal(game) else act(
            game, "LUR pass"
        )
    assert (e.price(game), e.company(game).loans, e.company(game).floated) == (10, 2, True)


def test_8_4_3_cousins_are_paid_for_their_shares() -> None:
    game = pair(held={"@2": 2, "VF": 1})
    sold(game, 250)
    act(game, "LSR acquire")
    assert (cash(game, "VF"), cash(game, "@2"), cash(game, "LSR")) == (83, 1166, 750)


def test_8_4_2_the_premium_ends_at_500() -> None:
    game = pair(phase="yellow", at=477, held={"@2": 1}, money=1000)
    e.floated(game, "N&PR", held={"@2": 1}, at=453, money=0)
    e.issue_round(game, 3)
    act(game, "OW&WR pass", "LUR pass", "N&PR pass", "LSR offer N&PR")
    assert e.memory(game).auction is not None
    assert e.memory(game).auction.forcing == 500


def test_8_4_1_8_5_who_offers_himself_with_debts_may_have_to_pay() -> None:
    game = e.new_game(2)
    e.floated(game, held={"@1": 3}, money=0, loans=2)
    e.floated(game, "OW&WR", held={"@2": 3}, money=0, at=95)
    e.issue_round(game, 3)
    act(game, "LSR offer LSR")
    while game.frame.plan == "takeover":
        act(game, f"{game.players_to_act()[0]} pass")
    assert cash(game, "@1") == 1000 - 303
    assert not e.company(game).floated


# -- debts, liquidation, the end (§8.5, §9, §10) ------------------------------------------------------


def test_10_2_shares_of_companies_in_liquidation_save_nobody() -> None:
    game = e.new_game(2)
    e.floated(game, held={"@1": 3}, money=0, loans=3, at=10)
    e.floated(game, "OW&WR", held={"@1": 2, "@2": 1}, at=10)
    set_cash(game, "@1", 0)
    issue_round(game)
    while not game.state.finished:
        player = game.players_to_act()[0]
        act(game, f"{player} pass" if f"{player} pass" in legal(game) else f"{player} done")
    assert e.memory(game).bankrupt == ["@1"]
    assert game_end.net_worth(game, e.ANN) == 0


def test_9_1_9_2_at_the_end_nothing_is_liquidated_and_its_shares_count_10() -> None:
    game = e.new_game(2)
    e.floated(game, held={"@1": 3}, money=900, at=10)
    e.reach_phase(game, "gray")
    e.memory(game).column = 16
    issue_round(game)
    assert game.state.finished
    assert game_end.net_worth(game, e.ANN) == 1030


def test_9_1_a_company_of_a_cousin_alone_does_not_keep_the_game_alive() -> None:
    game = e.new_game(2, cousins=["VF"])
    e.floated(game, held={"VF": 3}, at=95)
    e.issue_round(game, 4)
    assert game.state.finished


def test_6_7_wholly_held_rises_out_of_liquidation() -> None:
    game = at_birmingham("green", held={"@1": 3, "@2": 2}, at=10)
    e.stock_turn(game, resolved=True)
    while game.state.round.kind == "stock":
        act(game, f"{game.players_to_act()[0]} pass")
    assert e.price(game) == 40


def test_14_1_8_1_orphans_of_closing_cousins_are_not_liquidated_in_the_round() -> None:
    game = e.new_game(2, cousins=["VF"])
    e.floated(game, held={"VF": 3}, money=0)
    e.floated(game, "OW&WR", held={"@2": 3}, at=95)
    e.give_trains(game, "LSR", "8+")
    e.give_trains(game, "OW&WR", "8+")
    e.reach_phase(game, "brown")
    e.memory(game).column = 10
    issue_round(game)
    assert (game.state.phase, e.price(game), cash(game, "VF"), cash(game, "@1")) == ("red", 10, 0, 1098)
    act(game, "@2 done", "OW&WR pass")
    assert game.state.round.kind == "operating"
    assert e.company(game).floated


def test_14_1_when_cousins_close_the_next_holder_directs() -> None:
    game = e.new_game(2, cousins=["VF"])
    e.floated(game, held={"VF": 2, "@2": 1}, money=0)
    e.reach_phase(game, "brown")
    e.memory(game).column = 10
    issue_round(game)
    assert (e.memory(game).directors[e.company(game).id], e.price(game)) == ("@2", 65)
    assert e.company(game).count_of(POOL) == 2


# -- operating (§6.4.3, §7.2) -------------------------------------------------------------------------


def only(game: Game, kind: str, number: int = 0) -> None:
    """So many cards of the kind are left in the supply."""
    cards = [train for train in game.state.trains if train.kind == kind and train.owner == DEPOT]
    for card in cards[number:]:
        rearrange(game, card, owner=REMOVED)


def test_6_4_3_a_future_train_that_begins_a_phase_lowers_the_limit_first() -> None:
    game = at_birmingham("blue")
    e.give_trains(game, "LSR", "5+", "5+", "5+", "5+", "5+")
    e.give_trains(game, "@1", "8+")
    only(game, "5+")
    e.in_turn(game, step="trains")
    act(game, "LSR assign 8+ from @1")
    assert (game.state.phase, e.memory(game).column) == ("brown", 8)
    act(game, "LSR discard 5+", "LSR discard 5+")
    assert len(game.state.trains_of(Owner("LSR"))) == 4


def test_13_7_the_last_place_may_be_filled_with_the_train_that_lowers_the_limit() -> None:
    game = at_birmingham("blue", money=900)
    e.give_trains(game, "LSR", "5+", "5+", "5+", "5+")
    only(game, "5+")
    e.in_turn(game, step="trains")
    act(game, "LSR buy 8+ for 800")
    assert game.state.phase == "brown"
    act(game, "LSR discard 8+")
    assert len(game.state.trains_of(Owner("LSR"))) == 4


def test_10_5_interest_is_that_of_the_phase_which_the_company_has_just_begun() -> None:
    game = at_birmingham("blue", money=900, loans=1)
    only(game, "5+")
    e.in_turn(game, step="trains")
    act(game, "LSR buy 8+ for 800", "LSR cover")
    assert cash(game, "LSR") == 60


def test_7_2_9_who_does_not_pay_interest_repays_nothing() -> None:
    game = at_birmingham("green", money=500, loans=1, trains=("3+",))
    e.in_turn(game, step="interest")
    events = act(game, "LSR neglect")
    lines = told(game, events)
    assert "LSR goes into liquidation: it did not pay £20 interest." in lines
    assert not any("repays" in line for line in lines)


def test_17_1_7_2_8_a_loan_for_the_interest_pays_interest_itself() -> None:
    game = at_birmingham("green", money=0, loans=1, trains=("3+",))
    e.in_turn(game, step="interest")
    act(game, "LSR loan", "LSR cover")
    assert (cash(game, "LSR"), e.price(game)) == (160, 60)


def test_7_2_5_7_2_8_who_covers_maintenance_and_interest_loses_two_spaces() -> None:
    game = at_birmingham("blue", money=0, loans=1, trains=("3+",))
    e.in_turn(game, step="maintenance")
    act(game, "LSR cover", "LSR pass", "LSR cover")
    assert (cash(game, "@1"), e.price(game)) == (1000 - 50 - 20, 55)


def test_7_2_5_16_2_1_covering_does_not_move_a_price_in_liquidation() -> None:
    game = at_birmingham("blue", money=0, at=10, trains=("3+",))
    e.in_turn(game, step="maintenance")
    act(game, "LSR cover")
    assert (cash(game, "@1"), e.price(game)) == (950, 10)


def test_7_2_7_shares_of_the_company_itself_are_sold_as_long_as_it_is_kept() -> None:
    game = at_birmingham("green", held={"@1": 2, "@2": 1}, money=0)
    set_cash(game, "@1", 150)
    e.in_turn(game, step="trains")
    act(game, "@1 sell 1 LSR")
    refused(game, "@1 sell 1 LSR")
    act(game, "LSR buy 3+ for 200")
    assert cash(game, "@1") == 15


# -- loans outside operating rounds (§17.1), cousins (§6.5.2.4) ---------------------------------------


def test_6_5_3_1_a_company_still_buys_its_shares_after_the_lobbies() -> None:
    game = e.new_game(2)
    e.floated(game, held={"@1": 2}, pool=2, money=130)
    e.stock_turn(game, resolved=True)
    act(game, "LSR buy 2 LSR from pool")
    assert (cash(game, "LSR"), e.company(game).count_of(IPO)) == (0, 3)


def test_6_5_2_4_a_cousin_buys_a_share_of_its_own_player() -> None:
    game = e.new_game(2, cousins=["VF"])
    e.floated(game, held={"@1": 3})
    set_cash(game, "VF", 70)
    e.stock_turn(game)
    act(game, "VF ask @1 for LSR")
    assert (cash(game, "VF"), cash(game, "@1"), e.company(game).count_of(Owner("VF"))) == (5, 1065, 1)
