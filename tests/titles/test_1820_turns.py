"""1820 §6.1, §6.2, §6.5: stock rounds as they begin, turn and end; every condition of a turn."""

from __future__ import annotations

import pytest

from bot.engine.ids import IPO, POOL
from bot.engine.notation.messages import question
from bot.engine.play.game import Game
from bot.engine.play.steps.stock import current_stock_turn
from bot.engine.refusals import IllegalMove
from bot.engine.state.actions import BuyShares, TakeLoan
from bot.engine.state.events import Passed, PriceMoved, RoundBegan, SharesBought
from bot.engine.state.state import Round
from bot.titles.t1820.actions import RequestShare
from bot.titles.t1820.operations.british_rail import resolve_victoria_event
from bot.titles.t1820.state import LobbyMarker
from bot.titles.t1820.stock.stock import TakeTurn, begin_stock_round, end_stock_round, pay_income
from tests.message_helpers import told
from tests.rearrangement import rearrange
from tests.titles.builders_1820 import (
    ANN,
    BOB,
    CID,
    company,
    floated,
    memory,
    new_game,
    price,
    reach_phase,
    refused,
    stock_turn,
)
from tests.titles.positions import act, cash, set_cash

# -- the round ----------------------------------------------------------------------------------------


def test_6_1_a_stock_round_begins_with_memories_of_its_own() -> None:
    game = new_game()
    record = memory(game)
    game.state.round = Round("issue", 2, 2, 2)
    record.is_resolved, record.quiet_turns, record.next_order = True, 3, [ANN]
    record.sold, record.tiles_of_round, record.fees = {ANN: ["LSR"]}, ["G7"], {"LSR": 80}
    begin_stock_round(game)
    assert game.state.round == Round("stock", 3) and game.events == [RoundBegan("stock", 3, 1, 1)]
    assert (record.is_resolved, record.quiet_turns, record.next_order) == (False, 0, [])
    assert (record.sold, record.tiles_of_round, record.fees) == ({}, [], {})
    game = new_game()
    game.state.round = Round("set-up")
    begin_stock_round(game)
    assert game.state.round == Round("stock", 1)


def test_6_4_2_future_trains_are_deducted_once_from_the_second_income() -> None:
    game = new_game()
    memory(game).deductions = {ANN: 120}
    for number, amount, less in ((1, 800, ""), (2, 680, " (Ann £120 less)"), (3, 800, "")):
        game.state.round = Round("stock", number)
        before = cash(game, ANN), cash(game, BOB)
        game.events = []
        pay_income(game)
        assert (cash(game, ANN) - before[0], cash(game, BOB) - before[1]) == (amount, 800)
        assert told(game, game.events) == [f"Everybody receives £800{less}."]


def test_6_5_1_every_turn_without_a_lobby_is_quiet_and_a_whole_round_of_them_opens_the_lobbies() -> None:
    game = stock_turn(new_game())
    floated(game, "LSR", shares=10, held={"@2": 4})
    memory(game).lobbies = [LobbyMarker(50, ANN), LobbyMarker(40, BOB)]
    act(game, "@1 pass", "@2 pass", "@3 fund 60")
    assert memory(game).quiet_turns == 0
    act(game, "@1 pass", "@2 buy LSR", "@2 done")
    assert memory(game).quiet_turns == 2 and not memory(game).is_resolved
    events = act(game, "@3 pass")
    assert "The stock round is interrupted; 3 lobbies to resolve." in told(game, events)


def test_6_5_1_an_order_of_passing_is_told_when_it_changes() -> None:
    game = new_game()
    floated(game, "LSR", shares=20, held={"@2": 8})
    stock_turn(game, resolved=True)
    events = act(game, "@1 pass")
    assert "Order of passing: Ann." in told(game, events)
    assert Passed(ANN, "act in the stock round") in events
    assert not any("Order of" in line for line in told(game, act(game, "@2 buy LSR", "@2 done")))
    act(game, "@3 pass")
    # Ann has passed already and passes again: her card stays the first one.
    assert not any("Order of" in line for line in told(game, act(game, "@1 pass")))
    assert memory(game).next_order == [ANN, CID]
    stock_turn(game)
    assert not any("Order of" in line for line in told(game, act(game, "@1 pass")))


def test_6_7_prices_move_in_operating_order_and_the_second_cards_are_the_first_of_the_next_round() -> None:
    game = new_game()
    floated(game, "LSR", held={"@1": 4}, pool=1, at=65)
    floated(game, "N&PR", held={"@1": 4, "@2": 1}, at=71)
    floated(game, "LUR", held={"@1": 3}, at=78)
    floated(game, "L&BR", shares=1, held={"@3": 1})
    memory(game).next_order = [CID, ANN, BOB]
    game.events = []
    end_stock_round(game)
    assert (price(game), price(game, "N&PR"), price(game, "LUR")) == (60, 78, 78)
    assert [event.company for event in game.events if isinstance(event, PriceMoved)] == ["N&PR", "LSR"]
    assert game.state.order == [CID, ANN, BOB] and game.state.priority == CID


def test_6_7_british_rail_does_not_rise_although_players_hold_all_of_it() -> None:
    game = new_game()
    floated(game, "LSR", held={"@1": 2})
    memory(game).began_in_brown = True
    resolve_victoria_event(game)
    for certificate in company(game, "BR").certificates:
        rearrange(game, certificate, owner=ANN)
    memory(game).next_order = [ANN, BOB, CID]
    end_stock_round(game)
    assert price(game, "BR") == 95


# -- what is open in a turn ---------------------------------------------------------------------------


def test_6_5_2_after_the_one_thing_a_turn_is_open_while_there_is_something_to_sell() -> None:
    game = new_game()
    floated(game, "LSR", held={"@2": 2})
    stock_turn(game)
    act(game, "@1 buy LSR")
    assert list(game.players_to_act()) == [ANN]
    game = new_game(cousins=["VF"])
    floated(game, "LSR", held={"@1": 2}, at=10)
    floated(game, "N&PR", held={"@2": 2})
    set_cash(game, "VF", 100)
    stock_turn(game)
    act(game, "VF buy N&PR")
    # The cousin has bought and could sell; Ann, for whom it does not act, could not.
    assert list(game.players_to_act()) == [ANN]
    act(game, "VF sell 1 N&PR")
    assert list(game.players_to_act()) == [BOB]


def test_6_5_3_1_a_companys_turn_is_open_while_it_can_buy_or_borrow() -> None:
    game = new_game()
    floated(game, "LSR", held={"@1": 2}, pool=2, money=100)
    stock_turn(game)
    act(game, "LSR buy LSR from pool")
    # 35 are left, a share costs 65; a loan would pay for the next one.
    assert list(game.players_to_act()) == [ANN] and TakeLoan("LSR") in game.legal_actions()
    assert not any(isinstance(move, BuyShares) for move in game.legal_actions())
    game = new_game()
    floated(game, "LSR", held={"@1": 2}, pool=1, money=100)
    stock_turn(game)
    act(game, "LSR buy LSR from pool")
    assert list(game.players_to_act()) == [BOB]


def test_6_5_2_everything_that_can_be_done_is_listed() -> None:
    game = new_game(cousins=["VF"])
    floated(game, "LSR", shares=10, held={"@1": 3, "@2": 2, "VF": 1}, pool=2, money=65)
    floated(game, "N&PR", shares=1, held={"@3": 1})
    set_cash(game, "VF", 100)
    stock_turn(game)
    moves = game.legal_actions()
    assert {move.shares for move in moves if isinstance(move, BuyShares) and move.by == "LSR"} == {1}
    assert [move for move in moves if isinstance(move, RequestShare)] == [
        RequestShare(ANN, BOB, "LSR"),
        RequestShare(ANN, "VF", "LSR"),
        RequestShare("VF", ANN, "LSR"),
        RequestShare("VF", BOB, "LSR"),
    ]
    assert {(move.by, move.source) for move in moves if isinstance(move, BuyShares)} == {
        (ANN, IPO), (ANN, POOL), ("VF", IPO), ("VF", POOL), ("LSR", POOL)
    }  # fmt: skip
    assert [move.shares for move in moves if type(move).__name__ == "SellShares" and move.by == ANN] == [1, 2, 3]


def test_6_5_2_the_question_follows_whom_the_player_acts_for() -> None:
    game = two_companies(money=200)
    act(game, "@1 sell 1 LSR")
    assert str(question(game)) == "Ann: fund a lobby, sell or buy shares, let a company grow, or done."
    game = two_companies(money=200)
    act(game, "LSR buy LSR from pool")
    assert str(question(game)) == "Ann: buy more of LSR's shares, or done."
    game = new_game(cousins=["VF"])
    floated(game, "LSR", held={"@2": 2, "VF": 2})
    stock_turn(game)
    act(game, "VF sell 1 LSR")
    assert str(question(game)) == "Ann: sell or buy shares, or done."
    floated(game, "N&PR", held={"@1": 2, "@2": 1})
    stock_turn(game, resolved=True)
    act(game, "@1 sell 1 N&PR")
    assert str(question(game)) == "Ann: sell or buy shares, or done."


def test_6_5_3_nobody_is_offered_what_companies_of_others_could_do() -> None:
    moves = two_companies(money=65).legal_actions()
    assert {move.by for move in moves if isinstance(move, BuyShares) and move.by in ("LSR", "N&PR")} == {"LSR"}
    moves = two_companies(money=60).legal_actions()
    assert {move.by for move in moves if isinstance(move, TakeLoan)} == {"LSR"}


def test_6_5_2_4_a_holder_is_asked_for_his_share() -> None:
    with pytest.raises(IllegalMove, match="To buy from a holder, ask: ask @2 for LSR"):
        TakeTurn().check(two_companies(), BuyShares(ANN, "LSR", BOB))


def test_10_1_a_proposal_is_told_by_seats_and_read_with_the_names_of_now() -> None:
    game = new_game()
    floated(game, "LSR", shares=10, held={"@1": 4, "@2": 2})
    stock_turn(game)
    happened = act(game, "@1 ask @2 for LSR")
    assert "Bob" not in "".join(map(repr, happened))
    assert str(question(game)) == "Bob: agree with Ann to: buy a share of LSR from Bob for £65? Agree or refuse."
    game.state.player("@2").name = "Robert"
    assert "Ann proposes: buy a share of LSR from Robert for £65. Asked: Robert." in told(game, happened)


# -- what a turn refuses ------------------------------------------------------------------------------


def two_companies(**more: int) -> Game:
    """LSR (Ann's) and N&PR (Bob's), each with shares in the pool."""
    game = new_game(cousins=["VF"])
    floated(game, "LSR", shares=10, held={"@1": 4, "@2": 1}, pool=3, **more)
    floated(game, "N&PR", shares=10, held={"@2": 4, "@1": 1}, pool=3, **more)
    return stock_turn(game)


def test_6_5_1_a_turn_is_ended_by_its_player_with_the_right_word() -> None:
    game = two_companies()
    refused(game, "@1 done", "End this turn with: pass", "§6.5.1")
    refused(game, "LSR pass", "Only the player can end the turn", "§6.5.1")
    act(game, "@1 sell 1 LSR")
    refused(game, "@1 pass", "End this turn with: done", "§6.5.1")


def test_6_5_2_one_thing_is_one_thing() -> None:
    game = two_companies()
    act(game, "@1 buy N&PR")
    for text in ("@1 buy LSR", "@1 ask @2 for N&PR", "@1 fund 20", "LSR increase 20 to @1:4"):
        refused(game, text, "may only sell", "§6.5.2")
    act(game, "@1 sell 1 LSR", "@1 done")


def test_6_5_3_what_companies_do_not_do() -> None:
    game = two_companies()
    refused(game, "LSR sell 1 N&PR", "do not sell shares", "§6.5.3")
    refused(game, "LSR ask @2 for LSR", "A company can only buy its own shares from the pool", "§6.5.3.1")
    refused(game, "LSR buy LSR", "its own shares from the pool", "§6.5.3.1")
    refused(game, "LSR buy N&PR from pool", "its own shares from the pool", "§6.5.3.1")
    refused(game, "@1 loan", "Companies take loans", "§17.1")
    refused(game, "@1 buy 2 N&PR", "Buy one share at a time", "§6.5.2.4")


def test_6_5_3_1_a_company_buys_what_lies_in_the_pool_for_what_it_has() -> None:
    game = two_companies(money=195)
    for shares in (0, 4):
        with pytest.raises(IllegalMove, match="The pool has 3 shares of LSR"):
            TakeTurn().check(game, BuyShares("LSR", "LSR", POOL, shares))
    events = act(game, "LSR buy 3 LSR from pool")
    assert SharesBought("LSR", "LSR", POOL, 30, 195) in events and cash(game, "LSR") == 0
    game = two_companies(money=194)
    refused(game, "LSR buy 3 LSR from pool", "costs £195 and LSR has £194", "§6.5.3.1")
    game = new_game(cousins=["VF"])
    floated(game, "LSR", shares=10, held={"@1": 1, "VF": 4}, pool=2, director="VF")
    stock_turn(game)
    refused(game, "LSR buy LSR from pool", "VF|cousin directs LSR", "§14.1")
    refused(game, "LSR loan", "cousin directs LSR", "§14.1")
    refused(game, "LSR increase 20 to @1:4", "Cousins cannot increase share counts", "§6.5.2")
    game = new_game()
    floated(game, "LSR", shares=10, held={"@1": 4, "@2": 1}, pool=3, at=10)
    refused(stock_turn(game), "LSR buy LSR from pool", "LSR cannot buy its own shares now", "§6.5.3.1")


def test_17_1_a_company_that_has_just_enough_borrows_nothing_and_one_that_borrowed_buys() -> None:
    refused(two_companies(money=65), "LSR loan", "can pay for a share without", "§17.1")
    game = two_companies(money=64)
    act(game, "LSR loan")
    for text in ("@1 done", "LSR loan"):
        refused(game, text, "buy them|can pay", "§17.1")
    act(game, "LSR buy LSR from pool", "@1 done")
    assert company(game).loans == 1 and list(game.players_to_act()) == [BOB]


def test_6_5_1_a_player_passes_though_a_cousin_directs_a_company_that_it_cannot_sell() -> None:
    game = new_game(cousins=["VF"])
    floated(game, "LSR", held={"VF": 2, "@2": 1}, at=10)
    floated(game, "N&PR", held={"@1": 2, "@2": 1})
    game.private("VF").owner = BOB
    floated(game, "LUR", held={"VF": 2, "@2": 1})
    act(stock_turn(game), "@1 pass")
    refused(game, "@2 pass", "cannot pass while VF directs LUR", "§6.5.1")
    act(game, "VF sell 2 LUR", "@2 done")
    assert list(game.players_to_act()) == [CID]


def test_6_5_2_4_who_sold_by_agreement_or_as_a_cousin_is_remembered_apart() -> None:
    game = new_game(cousins=["VF"])
    floated(game, "LSR", shares=10, held={"@1": 4, "VF": 2})
    set_cash(game, "VF", 500)
    stock_turn(game, "@2")
    act(game, "@2 ask VF for LSR", "@1 agree")
    assert memory(game).sold == {"VF": ["LSR"]} and company(game).count_of(BOB) == 1
    act(game, "@2 done", "@3 pass", "@1 buy LSR")
    assert company(game).count_of(ANN) == 5


def test_6_5_1_who_has_acted_is_done_though_his_cousin_could_sell_and_that_is_no_pass() -> None:
    game = new_game(cousins=["VF"])
    floated(game, "LSR", held={"VF": 2, "@2": 1})
    floated(game, "N&PR", shares=10, held={"@1": 3, "@2": 1})
    stock_turn(game)
    act(game, "@1 sell 1 N&PR")
    assert current_stock_turn(game).sold == ["N&PR"]
    assert not [event for event in act(game, "@1 done") if isinstance(event, Passed)]
    assert list(game.players_to_act()) == [BOB]


def test_6_5_3_1_private_companies_have_no_shares_to_buy() -> None:
    game = new_game()
    floated(game, "LSR", shares=1)
    refused(stock_turn(game), "LSR buy LSR from pool", "LSR cannot buy its own shares now", "§6.5.3.1")


def test_17_1_one_loan_is_enough_when_it_pays_for_the_share_to_the_pound() -> None:
    for money, may in ((68, True), (67, False)):
        game = new_game()
        # 289 falls to 268; with two shares in play and one loan only one more can be taken.
        floated(game, "LSR", held={"@1": 1}, pool=1, loans=1, money=money, at=289)
        stock_turn(game)
        if may:
            act(game, "LSR loan", "LSR buy LSR from pool")
            assert company(game).count_of(POOL) == 0
        else:
            refused(game, "LSR loan", "loans may not outnumber shares", "§17.2")


def test_6_5_1_a_company_that_grows_ends_the_quiet_and_is_the_one_thing_of_its_directors_turn() -> None:
    game = new_game()
    floated(game, "LSR", held={"@1": 4, "@2": 1}, at=65)
    reach_phase(game, "green")
    memory(game).quiet_turns = 2
    stock_turn(game)
    act(game, "LSR increase 10 to @1:1")
    while game.frame.plan == "increase":
        act(game, f"{game.players_to_act()[0]} pass")
    assert list(game.players_to_act()) == [BOB] and memory(game).quiet_turns == 0
