"""1820 §4, §6: set-up, cousins' auction, future trains, stock turns, lobbies, floating."""

from __future__ import annotations

import pytest

from bot.engine.ids import DEPOT, IPO, POOL, REMOVED
from bot.engine.notation.messages import question
from bot.engine.notation.text import format_action
from bot.engine.play.game import Game
from bot.engine.refusals import IllegalMove, NotYourTurn
from bot.engine.state.events import SharesBought
from bot.titles.t1820.components import COUSIN_COLOURS
from bot.titles.t1820.operations.token_placement import edges_between
from bot.titles.t1820.state import LobbyMarker
from bot.titles.t1820.stock.increase import forced_placement
from tests.rearrangement import rearrange
from tests.titles.builders_1820 import (
    ANN,
    BOB,
    CID,
    NAMES,
    TITLE,
    action,
    company,
    floated,
    lay,
    memory,
    new_game,
    price,
    reach_phase,
    refused,
    stock_turn,
)
from tests.titles.positions import act, cash, set_cash, token

# -- §4 -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_4_number_cards_by_lot_ten_pounds_a_point_one_cousin_a_colour(players: int) -> None:
    orders = set()
    for seed in range(20):
        game = Game.new(TITLE, NAMES[:players], {}, seed)
        state = game.state
        orders.add(tuple(state.order))
        # The first stock round's £800 have been paid.
        assert [state.cash[player] - 800 for player in state.order] == [10 * n for n in range(1, players + 1)]
        assert [sum(one in state.privates for one in colour) for colour in COUSIN_COLOURS.values()] == [1] * 4
    assert len(orders) > 1


def test_4_the_game_is_for_two_to_five() -> None:
    for players in (1, 6):
        with pytest.raises(IllegalMove):
            Game.new(TITLE, ("A", "B", "C", "D", "E", "F")[:players])


# -- §6.2 ---------------------------------------------------------------------------------------------


def test_6_2_income_ends_after_the_stock_round_that_follows_victorias_death() -> None:
    from bot.titles.t1820.stock.stock import pay_income

    game = new_game()
    game.state.round.number = 3
    pay_income(game)
    assert cash(game, ANN) == 1800
    memory(game).is_victoria_dead = True
    pay_income(game)
    assert cash(game, ANN) == 2600
    pay_income(game)
    assert cash(game, ANN) == 2600


# -- §6.3 ---------------------------------------------------------------------------------------------


def auction(players: int = 3) -> tuple[Game, list[str], list[str]]:
    """A fresh game at its cousins' auction: players in order, cousins."""
    game = Game.new(TITLE, NAMES[:players], {}, 3)
    return game, list(game.state.order), list(game.state.privates)


def test_6_3_2_bids_are_tens_of_at_least_20_and_larger_than_the_present_one() -> None:
    game, (one, two, _), (a, *_) = auction()
    refused(game, f"{one} bid {a} 10", "A bid for SDS must be at least £20", "§6.3.2")
    refused(game, f"{one} bid {a} 25", "multiples of £10", "§6.3.2")
    act(game, f"{one} bid {a} 20")
    refused(game, f"{two} bid {a} 20", "A bid for SDS must be at least £30", "§6.3.2")
    act(game, f"{two} bid {a} 30")
    assert memory(game).cousin_bids[a].player == two


def test_6_3_2_a_bid_on_the_fourth_cousin_returns_the_smallest() -> None:
    game, (one, two, three), (a, b, c, d) = auction()
    act(game, f"{one} bid {a} 20", f"{two} bid {b} 40", f"{three} bid {c} 50")
    refused(game, f"{one} bid {d} 20", "A bid for JH must be at least £30", "§6.3.2")
    act(game, f"{one} bid {d} 30")
    assert set(memory(game).cousin_bids) == {b, c, d}


def test_6_3_1_of_tied_lowest_bids_all_are_returned() -> None:
    game, (one, two, three), (a, b, c, d) = auction()
    act(game, f"{one} bid {a} 20", f"{two} bid {b} 20", f"{three} bid {c} 50", f"{one} bid {d} 30")
    assert set(memory(game).cousin_bids) == {c, d}


def test_6_3_1_passing_does_not_exclude_and_the_auction_ends_when_all_pass() -> None:
    game, (one, two, three), (a, *_) = auction()
    act(game, f"{one} pass", f"{two} pass", f"{three} bid {a} 20", f"{one} bid {a} 30", f"{two} pass")
    act(game, f"{three} pass")
    assert game.frame.plan == "cousin auction"
    act(game, f"{one} pass")
    assert game.frame.plan == "cousin payment"


def test_6_3_3_without_bids_all_cousins_are_discarded() -> None:
    game, (one, two, three), cousins = auction()
    act(game, f"{one} pass", f"{two} pass", f"{three} pass")
    assert all(game.private(cousin).closed for cousin in cousins)
    assert game.frame.plan == "future trains"


def test_6_3_3_treasury_is_the_difference_to_the_marked_price_and_one_may_overpay() -> None:
    game, (one, two, three), (a, b, *_) = auction()
    marked = {cousin: game.private(cousin).price for cousin in (a, b)}
    act(game, f"{one} bid {a} 50", f"{two} bid {b} 30", f"{three} pass", f"{one} pass", f"{two} pass")
    assert list(game.players_to_act()) == [one, two]
    act(game, f"{two} overpay {b} 200")
    assert cash(game, b) == 200 - marked[b]
    act(game, f"{one} done")
    assert cash(game, a) == marked[a] - 50
    assert game.private(a).owner == one and cash(game, one) == 810 - 50


def test_6_3_2_money_that_lies_on_other_cousins_is_not_bid_again() -> None:
    game, (one, two, three), (a, b, c, _) = auction()
    act(game, f"{one} bid {a} 500", f"{two} bid {b} 50", f"{three} pass")
    refused(game, f"{one} bid {b} 320", "You can bid at most £310 for RSCF", "§6.3.2")
    act(game, f"{one} bid {b} 310", f"{two} bid {a} 510", f"{three} pass")
    # The bid on the first came back.
    refused(game, f"{one} bid {c} 510", "You can bid at most £500 for GLCC", "§6.3.2")
    refused(game, f"{one} bid {b} 820", "You can bid at most £810 for RSCF", "§6.3.2")
    act(game, f"{one} bid {b} 810")


def test_6_3_3_nobody_pays_for_what_another_has_won() -> None:
    game, (one, two, three), (a, b, *_) = auction()
    act(game, f"{one} bid {a} 50", f"{two} bid {b} 30", f"{three} pass", f"{one} pass", f"{two} pass")
    refused(game, f"{one} overpay {b} 200", "have not won", "§6.3.3")


def test_6_3_3_who_has_just_the_lowest_winning_bid_is_asked_and_sold_cousins_are_not_offered() -> None:
    game, (one, two, three), (a, b, c, d) = auction()
    act(game, f"{one} bid {a} 780", f"{two} bid {b} 30", f"{three} pass", f"{one} pass", f"{two} pass")
    act(game, f"{one} done", f"{two} done")
    assert list(game.players_to_act()) == [one] and cash(game, one) == 30
    refused(game, f"{one} buy {b} for 30", "not for sale", "§6.3.3")
    refused(game, f"{one} buy {c} for 40", "you have £30", "§6.3.3")
    act(game, f"{one} buy {c} for 30")
    assert list(game.players_to_act()) == [two]
    act(game, f"{two} buy {d} for 30")
    assert game.frame.plan == "future trains", "nothing is left"


def test_6_3_3_what_lies_on_another_cousin_is_not_there_to_overpay() -> None:
    game, (one, two, three), (a, b, *_) = auction()
    act(game, f"{one} bid {a} 400", f"{two} pass", f"{three} pass", f"{one} bid {b} 400")
    act(game, f"{two} pass", f"{three} pass", f"{one} pass")
    refused(game, f"{one} overpay {a} 411", f"more than your bid of £400 for {a}, up to £410", "§6.3.3")
    refused(game, f"{one} overpay {a} 400", f"more than your bid of £400 for {a}, up to £410", "§6.3.3")
    act(game, f"{one} overpay {a} 410")
    assert cash(game, one) == 400
    act(game, f"{one} done")
    assert cash(game, one) == 0


def test_6_3_3_the_rest_is_offered_by_ascending_cash_at_the_lowest_winning_bid() -> None:
    game, (one, two, three), (a, b, c, d) = auction()
    act(game, f"{one} bid {a} 50", f"{two} bid {b} 30", f"{three} pass", f"{one} pass", f"{two} pass")
    act(game, f"{one} done", f"{two} done")
    # 810 - 50, 820 - 30, 830
    assert list(game.players_to_act()) == [one]
    refused(game, f"{one} buy {c} for 20", "GLCC costs at least £30; you have £760", "§6.3.3")
    act(game, f"{one} buy {c} for 30", f"{one} pass")
    assert game.private(c).owner == one and cash(game, c) == game.private(c).price - 30
    assert list(game.players_to_act()) == [two]
    act(game, f"{two} pass", f"{three} pass")
    assert game.private(d).closed


def test_6_3_3_of_equal_cash_the_lower_number_card_is_asked_first() -> None:
    game, (one, two, three), (a, b, c, _) = auction()
    act(game, f"{one} bid {a} 20", f"{two} bid {b} 30", f"{three} bid {c} 60", f"{one} pass", f"{two} pass")
    act(game, f"{three} pass", f"{three} done", f"{two} done", f"{one} done")
    # 810 - 20 and 820 - 30 are 790; 830 - 60 are 770.
    asked = []
    while game.frame.plan == "cousin leftovers":
        asked.append(game.players_to_act()[0])
        act(game, f"{asked[-1]} pass")
    assert asked == [three, one, two]
    # Who could not pay the lowest winning bid is not asked: 410 and 400 have taken all of 810.
    game, (one, two, three), (a, b, *_) = auction()
    act(game, f"{one} bid {a} 410", f"{two} pass", f"{three} pass", f"{one} bid {b} 400")
    act(game, f"{two} pass", f"{three} pass", f"{one} pass", f"{one} done")
    assert list(game.players_to_act()) == [two]


# -- §6.4 ---------------------------------------------------------------------------------------------


def future(number: int = 1) -> Game:
    """The auction of future trains of a stock round."""
    from bot.titles.t1820.stock.future_trains import begin_future_trains

    game = new_game()
    game.state.round.kind, game.state.round.number = "stock", number
    game.state.flow = []
    game.push("game")
    game.frame.at = 2
    begin_future_trains(game)
    game.advance()
    return game


def test_6_4_1_what_is_sold_in_which_stock_round() -> None:
    assert memory(future(1)).auction.lots == ["2+", "3+"]
    assert memory(future(2)).auction.lots == ["5+", "8+"]
    assert memory(future(3)).auction.lots == ["5D+"]
    assert memory(game := future(4)).auction is None and game.frame.plan != "future trains"


def test_6_4_2_everybody_is_asked_at_once_and_the_sale_is_final_when_all_others_passed() -> None:
    game = future(2)
    assert list(game.players_to_act()) == [ANN, BOB, CID]
    act(game, "@2 bid 5+ 40")
    assert list(game.players_to_act()) == [ANN, CID]
    refused(game, "@1 bid 5+ 40", "A bid for 5. must be at least £50", "§6.4.2")
    act(game, "@3 pass", "@1 bid 5+ 60")
    # A new bid asks those who had passed.
    assert list(game.players_to_act()) == [BOB, CID]
    act(game, "@3 pass", "@2 pass")
    assert game.frame.plan == "take trains" and list(game.players_to_act()) == [ANN]


def test_6_4_2_one_or_both_for_the_bid_each_and_the_rest_in_a_new_auction() -> None:
    game = future(2)
    act(game, "@1 bid 5+ 60", "@2 pass", "@3 pass", "@1 take 5+ 8+")
    assert cash(game, ANN) == 1000 - 120
    assert [train.kind for train in game.state.trains_of(ANN)] == ["5+", "8+"]
    game = future(2)
    act(game, "@1 bid 5+ 60", "@2 pass", "@3 pass", "@1 take 8+")
    assert memory(game).auction.lots == ["5+"] and list(game.players_to_act()) == [ANN, BOB, CID]
    act(game, "@1 pass", "@2 pass", "@3 pass")
    assert sum(train.kind == "5+" and train.owner == REMOVED for train in game.state.trains) == 1


def test_6_4_2_first_round_bids_come_out_of_the_second_income() -> None:
    from bot.titles.t1820.stock.stock import pay_income

    game = future(1)
    refused(game, "@1 bid 2+ 810", "You can bid at most £800 for 2.", "§6.4.2")
    act(game, "@1 bid 2+ 60", "@2 pass", "@3 pass", "@1 take 2+ 3+")
    assert cash(game, ANN) == 1000 and memory(game).deductions == {ANN: 120}
    game.state.round.number = 2
    pay_income(game)
    assert (cash(game, ANN), cash(game, BOB)) == (1680, 1800)
    # Who has taken one for 430 may bid 370 for the other.
    game = future(1)
    act(game, "@1 bid 2+ 430", "@2 pass", "@3 pass")
    refused(game, "@1 take 2+ 3+", "cost £860", "§6.4.2")
    act(game, "@1 take 2+")
    refused(game, "@1 bid 3+ 380", "You can bid at most £370 for 3.", "§6.4.2")


def test_10_4_who_declines_is_barred_from_the_new_auction() -> None:
    game = future(3)
    act(game, "@1 bid 5D+ 60", "@2 pass", "@3 pass", "@1 decline")
    assert list(game.players_to_act()) == [BOB, CID]
    refused(game, "@1 bid 5D+ 60", "You declined", "§10.4")


def test_10_4_any_player_bids_at_any_time_also_who_has_passed_or_holds_the_highest_bid() -> None:
    game = future(3)
    act(game, "@1 bid 5D+ 60", "@2 pass")
    assert list(game.players_to_act()) == [CID]
    refused(game, "@2 bid 5D+ 60", "A bid for 5D. must be at least £70", "§6.4.2")
    assert "@2 bid 5D+ 70" in [format_action(one) for one in game.legal_actions()]
    act(game, "@2 bid 5D+ 70")
    assert list(game.players_to_act()) == [ANN, CID]
    # Nobody stops Bob from going above himself; all others think again.
    act(game, "@3 pass", "@2 bid 5D+ 100")
    assert list(game.players_to_act()) == [ANN, CID]
    with pytest.raises(NotYourTurn):
        game.apply(action("@2 pass"))
    act(game, "@1 pass", "@3 pass", "@2 take 5D+")
    assert cash(game, BOB) == 900


# -- §6.5 ---------------------------------------------------------------------------------------------


def test_6_5_2_sell_one_thing_sell() -> None:
    game = new_game()
    floated(game, "LSR", held={"@1": 2, "@2": 1})
    floated(game, "N&PR", held={"@1": 2, "@2": 1})
    stock_turn(game)
    act(game, "@1 sell 1 LSR", "@1 buy N&PR")
    refused(game, "@1 buy LUR", "may only sell", "§6.5.2")
    refused(game, "@1 fund 20", "may only sell", "§6.5.2")
    act(game, "@1 sell 1 N&PR", "@1 done")
    assert list(game.players_to_act()) == [BOB]


def test_6_5_1_one_acts_for_oneself_or_a_cousin_or_a_company() -> None:
    game = new_game(cousins=["VF"])
    floated(game, "LSR", held={"@1": 2, "@2": 1}, pool=1)
    set_cash(game, "VF", 200)
    stock_turn(game)
    act(game, "VF buy LSR")
    assert cash(game, "VF") == 200 - 65 and cash(game, "LSR") == 565
    game = stock_turn(game)
    act(game, "@1 sell 1 LSR")
    refused(game, "VF buy LSR", "You act for Ann", "§6.5.1")
    refused(game, "LSR buy LSR from pool", "You act for Ann", "§6.5.1")


def test_6_5_2_cousins_neither_fund_nor_increase() -> None:
    game = stock_turn(new_game(cousins=["VF"]))
    set_cash(game, "VF", 200)
    refused(game, "VF fund 20", "Only players", "§6.5.2")


def test_6_5_2_1_lobbies_are_unique_tens_from_20_and_can_be_raised_by_anybody() -> None:
    game = stock_turn(new_game())
    refused(game, "@1 fund 10", "at least £20", "§6.5.2.1")
    refused(game, "@1 fund 35", "multiple of £10", "§6.5.2.1")
    act(game, "@1 fund 50")
    refused(game, "@2 fund 50", "already", "§6.5.2.1")
    act(game, "@2 fund 50 to 80")
    lobby = memory(game).lobbies[0]
    assert (lobby.player, lobby.amount, cash(game, ANN), cash(game, BOB)) == (ANN, 80, 950, 970)
    # The gap can be used again.
    act(game, "@3 fund 50")
    assert [one.amount for one in memory(game).lobbies] == [80, 50]
    refused(game, "@1 fund 80 to 70", "only be raised", "§6.5.2.1")


def test_2_a_player_has_ten_lobby_markers() -> None:
    game = stock_turn(new_game())
    memory(game).lobbies = [LobbyMarker(amount, ANN) for amount in range(200, 100, -10)]
    refused(game, "@1 fund 50", "ten of your lobby markers", "§2")
    act(game, "@1 fund 200 to 210")


def test_6_5_1_lobbies_are_resolved_when_nobody_funds_or_grows_for_a_round() -> None:
    game = stock_turn(new_game())
    act(game, "@1 fund 50", "@2 pass", "@3 pass", "@1 pass")
    assert game.frame.plan == "lobby" and list(game.players_to_act()) == [ANN]
    act(game, "@1 pass")
    assert memory(game).is_resolved and list(game.players_to_act()) == [BOB]
    refused(game, "@2 fund 20", "have been resolved", "§6.5.1")


def test_6_5_1_second_cards_are_taken_by_passing_and_given_back_by_acting() -> None:
    game = new_game()
    floated(game, "LSR", held={"@1": 2})
    floated(game, "N&PR", held={"@2": 2})
    stock_turn(game, resolved=True)
    act(game, "@1 pass", "@2 pass")
    assert memory(game).next_order == [ANN, BOB]
    act(game, "@3 buy LSR", "@3 done", "@1 buy N&PR", "@1 done")
    assert memory(game).next_order == [BOB]
    act(game, "@2 pass", "@3 pass")
    assert memory(game).next_order == [BOB, CID]
    act(game, "@1 pass")
    assert game.state.order == [BOB, CID, ANN]


def test_6_5_1_no_passing_while_a_cousin_directs_a_company_and_can_sell() -> None:
    game = new_game(cousins=["VF"])
    floated(game, "LSR", held={"VF": 2, "@2": 1})
    stock_turn(game)
    refused(game, "@1 pass", "cannot pass while VF directs LSR", "§6.5.1")
    act(game, "VF sell 2 LSR")
    assert memory(game).directors["LSR"] == BOB


def test_6_5_2_3_what_may_not_be_sold() -> None:
    game = new_game()
    floated(game, "LSR", held={"@1": 2})
    floated(game, "N&PR", held={"@1": 2, "@2": 1}, at=10)
    floated(game, "LUR", held={"@1": 2, "@2": 1})
    floated(game, "L&BR", held={"@1": 2, "@2": 1})
    memory(game).floated_in["LUR"] = 2
    memory(game).enlarged_in["L&BR"] = 2
    stock_turn(game)
    refused(game, "@1 sell 2 LSR", "must keep a share", "§6.5.2.3")
    refused(game, "@1 sell 1 N&PR", "in liquidation", "§10.7")
    refused(game, "@1 sell 1 LUR", "floated in this stock round", "§6.5.2.3")
    refused(game, "@1 sell 1 L&BR", "has increased", "§6.5.2.3")
    act(game, "@1 sell 1 LSR")
    assert cash(game, ANN) == 1065 and company(game).count_of(POOL) == 1 and price(game) == 65


def test_6_5_2_4_buying_from_treasury_pool_and_holders() -> None:
    game = new_game(cousins=["VF"])
    floated(game, "LSR", shares=10, held={"@1": 3, "@2": 2, "VF": 1}, pool=1)
    stock_turn(game, "@3")
    act(game, "@3 buy LSR")
    assert (cash(game, CID), cash(game, "LSR")) == (935, 565)
    act(game, "@3 done", "@1 pass", "@2 buy LSR from pool", "@2 done")
    assert (cash(game, BOB), cash(game, "LSR")) == (935, 565)
    act(game, "@3 ask @1 for LSR")
    assert list(game.players_to_act()) == [ANN]
    act(game, "@1 refuse")
    assert list(game.players_to_act()) == [CID]
    act(game, "@3 ask @1 for LSR", "@1 agree")
    assert (cash(game, CID), cash(game, ANN)) == (870, 1065)
    # Ann has sold a share, if only to Cid: she buys none in this stock round.
    act(game, "@3 done")
    refused(game, "@1 buy LSR", "sold LSR in this stock round", "§6.5.2.4")
    # Bob holds 3 of them now, Ann 2: he bought more than the director.
    game = new_game(cousins=["VF"])
    floated(game, "LSR", shares=10, held={"@2": 2, "VF": 1})
    stock_turn(game, "@3")
    act(game, "@3 ask VF for LSR", "@1 agree")
    assert cash(game, "VF") == 65


def test_6_5_2_4_nobody_buys_with_60_percent_or_after_selling() -> None:
    game = new_game()
    floated(game, "LSR", held={"@1": 3, "@2": 1})
    stock_turn(game)
    refused(game, "@1 buy LSR", "Holders of 60%", "§6.5.2.4")
    act(game, "@1 sell 1 LSR")
    refused(game, "@1 buy LSR from pool", "sold LSR in this stock round", "§6.5.2.4")


def test_6_5_3_1_a_company_buys_its_shares_and_repays_loans_beyond_those_in_play() -> None:
    game = new_game()
    floated(game, "LSR", held={"@1": 2}, pool=2, loans=4, money=500, at=65)
    stock_turn(game)
    act(game, "LSR buy LSR from pool")
    # 3 shares in play, 4 loans: one is repaid, the price rises a space.
    assert (company(game).loans, cash(game, "LSR"), price(game)) == (3, 500 - 65 - 200, 71)
    refused(game, "LSR buy N&PR from pool", "its own shares", "§6.5.3.1")


def test_17_1_a_company_takes_a_loan_for_a_share_of_the_pool_that_it_cannot_pay() -> None:
    game = new_game()
    floated(game, "LSR", held={"@1": 2}, pool=2, money=20, at=65)
    floated(game, "N&PR", held={"@1": 2}, money=20, at=65)
    stock_turn(game)
    refused(game, "N&PR loan", "needs no loan", "§17.1")
    act(game, "LSR loan")
    assert (cash(game, "LSR"), company(game).loans, price(game)) == (220, 1, 60)
    refused(game, "@1 done", "buy them", "§17.1")
    refused(game, "LSR loan", "can pay for a share without a loan", "§17.1")
    act(game, "LSR buy LSR from pool")
    assert cash(game, "LSR") == 160
    act(game, "@1 done")
    # At 40 a loan would put it into liquidation.
    game = new_game()
    floated(game, "LSR", held={"@1": 2}, pool=2, money=20, at=40)
    stock_turn(game)
    refused(game, "LSR loan", "into liquidation", "§17.1")
    # A share of 381 needs two loans; with one more share in play than loans it can have only one.
    for loans, words in ((0, ""), (1, "loans may not outnumber shares")):
        game = new_game()
        floated(game, "LSR", held={"@1": 1}, pool=1, loans=loans, money=0, at=381)
        stock_turn(game)
        if words:
            refused(game, "LSR loan", words, "§17.2")
            continue
        act(game, "LSR loan", "LSR loan", "LSR buy LSR from pool")
        # Two spaces down, 334; then one share in play and two loans: one is repaid, by its director as well (§17.3).
        assert company(game).count_of(POOL) == 0 and company(game).loans == 1
        assert (cash(game, "LSR"), cash(game, ANN)) == (0, 1000 - (200 - (400 - 334)))


# -- §6.5.2.2 -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after", "number"),
    [(1, 5, 1), (5, 10, 1), (10, 20, 2), (20, 50, 5), (1, 10, 2), (5, 20, 4), (5, 50, 10), (1, 20, 4)],
)
def test_6_5_2_2_shares_placed_in_the_pool(before: int, after: int, number: int) -> None:
    assert forced_placement(before, after) == number


def test_6_5_2_2_an_increase_is_bought_by_agreement_all_or_nothing() -> None:
    game = new_game(cousins=["VF"])
    floated(game, "LSR", held={"@1": 2, "@2": 1})
    stock_turn(game)
    refused(game, "LSR increase 10", "1 more share", "§6.5.2.2")
    act(game, "LSR increase 10 to @2:1 @3:1")
    assert list(game.players_to_act()) == [BOB, CID]
    before = cash(game, "LSR")
    act(game, "@3 agree", "@2 refuse")
    assert company(game).count_of(CID) == 0 and cash(game, "LSR") == before and len(company(game).certificates) == 5
    act(game, "LSR increase 10 to @2:1 @3:1", "@2 agree", "@3 agree")
    # Held: Ann 2, Bob 2, Cid 1; one share goes to the pool for nothing; all may sell.
    assert len(company(game).certificates) == 10 and cash(game, "LSR") == 500 + 130
    assert company(game).count_of(POOL) == 1 and company(game).count_of(IPO) == 4
    assert list(game.players_to_act()) == [ANN, BOB, CID]
    had, worth = cash(game, CID), price(game)
    refused(game, "@3 sell 1 N&PR", "sell shares of LSR now", "§6.5.2.2")
    act(game, "@3 sell 1 LSR", "@1 pass", "@2 pass")
    assert (cash(game, CID), company(game).count_of(CID), company(game).count_of(POOL)) == (had + worth, 0, 2)
    assert memory(game).enlarged_in["LSR"] == 2 and memory(game).quiet_turns == 0


def test_6_5_2_2_a_tenth_must_be_left_for_the_pool() -> None:
    game = new_game()
    floated(game, "LSR", held={"@1": 2, "@2": 1})
    stock_turn(game)
    refused(game, "LSR increase 10 to @1:3 @2:3 @3:1", "Too few shares", "§6.5.2.2")
    act(game, "LSR increase 10 to @1:3 @2:3", "@2 agree")
    assert company(game).count_of(IPO) == 0 and company(game).count_of(POOL) == 1


def test_6_5_2_2_13_4_whoever_comes_to_hold_as_much_as_the_director_does_not_take_over() -> None:
    for shares, director in ((2, ANN), (3, BOB)):
        game = new_game()
        floated(game, "LSR", held={"@1": 2})
        stock_turn(game)
        act(game, f"LSR increase 10 to @2:{shares}", "@2 agree")
        assert memory(game).directors["LSR"] == director


def test_6_5_2_2_a_private_company_gets_a_price_and_its_director_a_share() -> None:
    game = new_game()
    floated(game, "LSR", shares=1)
    stock_turn(game)
    refused(game, "LSR increase 5 to @1:1", "names its new price", "§6.5.2.2")
    refused(game, "LSR increase 5 at 78 to @1:1", "55, 60, 65, 71", "§16.1")
    act(game, "LSR increase 5 at 71 to @1:1")
    assert price(game) == 71 and memory(game).private_track == []
    assert company(game).count_of(ANN) == 2 and company(game).count_of(POOL) == 1
    assert cash(game, "LSR") == 71


def test_6_5_2_2_not_in_the_round_of_its_floating() -> None:
    game = new_game()
    floated(game, "LSR", held={"@1": 3})
    memory(game).floated_in["LSR"] = 2
    stock_turn(game)
    refused(game, "LSR increase 10 to @1:1", "earlier stock round", "§6.5.2.2")


# -- §6.6 ---------------------------------------------------------------------------------------------


def lobby(game: Game, player: str = "@1", number: int = 1) -> Game:
    """The owner of a resolved lobby is asked."""
    stock_turn(game, number=number, resolved=True)
    game.state.flow = game.state.flow[:2]
    game.push("lobby", player)
    game.advance()
    return game


def test_6_6_1_lobbies_are_resolved_from_the_largest_and_their_money_goes_to_the_bank() -> None:
    game = stock_turn(new_game())
    act(game, "@1 fund 50", "@2 fund 90", "@3 pass", "@1 pass", "@2 pass")
    assert list(game.players_to_act()) == [BOB]
    act(game, "@2 pass")
    assert list(game.players_to_act()) == [ANN]
    act(game, "@1 pass")
    assert cash(game, "lobby") == 0 and cash(game, ANN) == 950


def test_6_6_2_floating_a_company() -> None:
    game = lobby(new_game())
    refused(game, "@1 float LSR 10 at 65 on G7=150/0 to @1:4", "5 shares", "§10.5")
    refused(game, "@1 float LSR 5 at 78 on G7=150/0 to @1:2", "55, 60, 65, 71", "§16.1")
    refused(game, "@1 float LSR 5 at 65 on G7=150/0 to @1:1", "40% must be bought", "§6.6.2")
    refused(game, "@1 float LSR 5 at 65 on G7 to @1:2", "no tile with a station circle", "§6.6.2")
    refused(game, "@1 float LSR 5 at 65 on M13 to @1:2", "in London", "§6.6.2")
    refused(game, "@1 float LSR 5 at 65 on G7=150/0 to @1:4", "Holders of 60%", "§6.5.2.4")
    happened = act(game, "@1 float LSR 5 at 65 on G7=150/0 to @1:2")
    bought = [event for event in happened if isinstance(event, SharesBought)]
    assert bought == [SharesBought(ANN, "LSR", IPO, 40, 130)]
    assert cash(game, "LSR") == 130 and cash(game, ANN) == 870 and company(game).tokens_left == (0,)
    assert game.state.board.tokens_in("G7", 0) == ["LSR"] and memory(game).directors["LSR"] == ANN


def test_6_6_2_prices_and_sizes_grow_with_the_phase() -> None:
    game = new_game()
    reach_phase(game, "brown")
    game = lobby(game)
    act(game, "@1 float LSR 20 at 128 on G7=150/0 to @1:6 @2:2", "@2 refuse")
    assert not company(game).floated and game.frame.plan == "lobby"
    refused(game, "@1 float LSR 5 at 128 on G7=150/0 to @1:2", "10 or 20", "§10.5")


def test_6_6_2_two_stations_cost_80_for_each_edge_between_them() -> None:
    assert edges_between("G7", "D6") == 3
    assert edges_between("C5", "C7") == 3  # not across the barrier
    assert edges_between("L14", "N16") == 3  # not over Chatham's blank edges
    assert edges_between("L14", "N14") == 2  # but through London
    game = lobby(new_game())
    set_cash(game, ANN, 130 + 239)
    refused(game, "@1 float LSR 5 at 65 on G7=150/0 D6=M01/1 to @1:2", "needs £370", "§6.5.1")
    set_cash(game, ANN, 130 + 240)
    refused(game, "@1 float LSR 5 at 65 on G7=150/0 G7=150/0 to @1:2", "different hexes", "§6.6.2")
    act(game, "@1 float LSR 5 at 65 on G7=150/0 D6=M01/1 to @1:2")
    assert cash(game, ANN) == 0 and company(game).tokens_left == ()


def test_6_6_2_a_first_station_takes_a_tile_that_fits_and_a_circle_that_is_there() -> None:
    game = lobby(new_game())
    refused(game, "@1 float LSR 5 at 65 on H10=14/0 to @1:2", "takes a yellow tile next", "§12.1")
    refused(game, "@1 float LSR 5 at 65 on H10=7/0 to @1:2", "no open station circle", "§6.6.2")
    refused(game, "@1 float LSR 5 at 65 on G7=150/0.4 to @1:2", "no open station circle", "§6.6.2")


def test_6_6_2_an_upgrade_makes_room_but_not_on_a_tile_of_this_round() -> None:
    game = new_game()
    reach_phase(game, "green")
    floated(game, "N&PR", held={"@2": 2})
    lay(game, "H10", "57", 0)
    token(game, "N&PR", "H10")
    lobby(game, number=2)
    act(game, "@1 float LSR 5 at 65 on H10=14/0 to @1:2")
    assert game.state.board.tokens_in("H10", 0) == ["N&PR", "LSR"] and cash(game, ANN) == 870
    game = new_game()
    reach_phase(game, "green")
    floated(game, "N&PR", held={"@2": 2})
    lay(game, "H10", "57", 0)
    token(game, "N&PR", "H10")
    memory(game).tiles_of_round = ["H10"]
    lobby(game, number=2)
    refused(game, "@1 float LSR 5 at 65 on H10=14/0 to @1:2", "floated in this stock round", "§6.6.2")


def test_6_6_2_who_forgets_the_tile_is_told_of_one() -> None:
    game = lobby(new_game())
    refused(
        game, "@1 float LSR 5 at 65 on G7 to @1:2", "There is no tile with a station circle on G7; name a", "§6.6.2"
    )
    refused(game, "@1 float LSR 5 at 65 on C3 to @1:2", "station circle on C3[.]", "§6.6.2")


def test_6_5_2_the_question_says_what_is_left_of_a_turn() -> None:
    game = new_game(cousins=["VF"])
    floated(game, "LSR", held={"@1": 2, "@2": 1})
    stock_turn(game)
    assert "fund a lobby, sell or buy shares, let a company grow, or pass" in str(question(game))
    act(game, "@1 buy LSR")
    assert str(question(game)) == "Ann: sell shares, or done."
    stock_turn(game, "@2", resolved=True)
    assert str(question(game)) == "Bob: sell or buy shares, or pass."


def test_6_6_2_players_and_cousins_agree_on_who_buys() -> None:
    game = lobby(new_game(cousins=["VF"]))
    set_cash(game, "VF", 100)
    game.state.privates["VF"].owner = BOB
    act(game, "@1 float LSR 5 at 65 on G7=150/0 to @3:1 VF:1")
    assert list(game.players_to_act()) == [CID, BOB]
    act(game, "@2 agree", "@3 agree")
    assert memory(game).directors["LSR"] == CID and cash(game, "VF") == 35


def test_10_1_a_proposal_is_withdrawn_by_its_proposer_alone_until_all_have_agreed() -> None:
    game = lobby(new_game())
    before = game.encode()
    act(game, "@1 float LSR 5 at 65 on G7=150/0 to @2:1 @3:1", "@3 agree")
    with pytest.raises(IllegalMove, match="Only the player who made a proposal can withdraw it"):
        game.apply(action("@3 withdraw"))
    assert [format_action(one) for one in game.legal_actions()] == ["@2 agree", "@2 refuse", "@1 withdraw"]
    act(game, "@1 withdraw")
    assert game.frame.plan == "lobby" and list(game.players_to_act()) == [ANN]
    game.state.moves -= 3
    assert game.encode() == before
    # The lobby is still his: another price, other buyers.
    act(game, "@1 float LSR 5 at 60 on G7=150/0 to @2:2", "@2 agree")
    assert company(game).floated and price(game) == 60


def test_14_3_1_vignoles_brings_half_of_the_distance_fee_back() -> None:
    game = lobby(new_game(cousins=["CBV"]))
    set_cash(game, "CBV", 100)
    act(game, "@1 float LSR 5 at 65 on G7=150/0 D6=M01/1 to @1:2 CBV:1")
    assert cash(game, ANN) == 1000 - 130 - 240 + 120 and cash(game, "CBV") == 100 - 65 + 120
    # Later in the same stock round as well, once.
    game = lobby(new_game(cousins=["CBV"]))
    set_cash(game, "CBV", 200)
    act(game, "@1 float LSR 5 at 65 on G7=150/0 D6=M01/1 to @1:2")
    stock_turn(game, number=1, resolved=True)
    act(game, "CBV buy LSR")
    assert cash(game, ANN) == 1000 - 130 - 240 + 120 and cash(game, "CBV") == 200 - 65 + 120
    # A second share of it brings nothing more.
    stock_turn(game, number=1, resolved=True)
    act(game, "CBV buy LSR")
    assert cash(game, ANN) == 1000 - 130 - 240 + 120 and cash(game, "CBV") == 200 - 2 * 65 + 120


# -- §6.7 ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shares", "pool", "option", "falls"),
    [
        (5, 2, "5", 2),
        (10, 3, "5", 3),
        (20, 4, "5", 4),
        (50, 5, "5", 2),
        (50, 2, "5", 0),
        (20, 4, "10", 2),
        (5, 2, "10", 2),
    ],
)
def test_6_7_prices_fall_for_shares_in_the_pool(shares: int, pool: int, option: str, falls: int) -> None:
    from bot.titles.t1820.companies import pool_fall

    game = new_game()
    floated(game, "LSR", shares=shares, held={"@1": 1}, pool=pool)
    assert pool_fall(company(game), option) == falls


def test_6_7_wholly_held_rises_and_british_rail_does_not_fall() -> None:
    from bot.titles.t1820.stock.stock import end_stock_round

    game = new_game()
    floated(game, "LSR", held={"@1": 3, "@2": 2}, at=65)
    floated(game, "N&PR", held={"@1": 2}, pool=1, at=65)
    memory(game).is_victoria_dead = False
    memory(game).began_in_brown = True
    from bot.titles.t1820.operations.british_rail import resolve_victoria_event

    resolve_victoria_event(game)
    stock_turn(game)
    memory(game).next_order = [BOB, ANN, CID]
    end_stock_round(game)
    assert (price(game, "LSR"), price(game, "N&PR"), price(game, "BR")) == (71, 60, 95)
    assert game.state.order == [BOB, ANN, CID]


def test_9_1_the_game_ends_when_nobody_controls_a_company_or_a_wholly_held_price_is_500() -> None:
    from bot.titles.t1820.stock.stock import end_stock_round

    game = stock_turn(new_game())
    memory(game).next_order = list(game.state.order)
    end_stock_round(game)
    assert game.state.ending == "no player controls a company"
    # What a cousin directs no player controls.
    game = new_game(cousins=["VF"])
    floated(game, "LSR", held={"VF": 2, "@1": 1}, at=65)
    stock_turn(game)
    memory(game).next_order = list(game.state.order)
    end_stock_round(game)
    assert game.state.ending == "no player controls a company"
    game = new_game()
    floated(game, "LSR", held={"@1": 3, "@2": 2}, at=477)
    stock_turn(game)
    memory(game).next_order = list(game.state.order)
    end_stock_round(game)
    assert "£500" in game.state.ending and game.state.finished


# -- §13.4 --------------------------------------------------------------------------------------------


def test_13_4_a_tie_goes_to_the_next_in_card_order_and_among_cousins_to_the_sellers_choice() -> None:
    game = new_game()
    floated(game, "LSR", shares=10, held={"@2": 3, "@1": 2, "@3": 2})
    stock_turn(game, "@2")
    act(game, "@2 sell 3 LSR")
    assert memory(game).directors["LSR"] == CID
    game = new_game(cousins=["VF", "CBV"])
    floated(game, "LSR", shares=10, held={"@2": 3, "VF": 2, "CBV": 2})
    stock_turn(game, "@2")
    act(game, "@2 sell 3 LSR")
    assert list(game.players_to_act()) == [BOB]
    act(game, "@2 director LSR CBV")
    assert memory(game).directors["LSR"] == "CBV" and game.controller_of("LSR") == ANN


def test_13_4_a_buyer_with_more_than_the_director_takes_over() -> None:
    game = new_game()
    floated(game, "LSR", held={"@1": 2, "@2": 2})
    stock_turn(game, "@2")
    act(game, "@2 buy LSR")
    assert memory(game).directors["LSR"] == BOB


def test_every_future_card_comes_from_the_supply() -> None:
    game = future(2)
    before = sum(train.kind == "5+" and train.owner == DEPOT for train in game.state.trains)
    act(game, "@1 bid 5+ 60", "@2 pass", "@3 pass", "@1 take 5+")
    assert sum(train.kind == "5+" and train.owner == DEPOT for train in game.state.trains) == before - 1 == 13


def test_13_5_british_rail_is_bought_from_the_pool_and_sold_to_60_percent_a_player() -> None:
    from bot.titles.t1820.operations.british_rail import resolve_victoria_event

    game = new_game()
    memory(game).began_in_brown = True
    resolve_victoria_event(game)
    stock_turn(game)
    refused(game, "@1 buy BR", "no such share", "§6.5.2.4")
    act(game, "@1 buy BR from pool")
    assert cash(game, ANN) == 905 and price(game, "BR") == 95
    for certificate in company(game, "BR").certificates[:59]:
        rearrange(game, certificate, owner=BOB)
    stock_turn(game, "@2")
    act(game, "@2 buy BR from pool")
    stock_turn(game, "@2")
    refused(game, "@2 buy BR from pool", "Holders of 60%", "§6.5.2.4")
    act(game, "@2 sell 2 BR")
    assert cash(game, BOB) == 1000 - 95 + 190 and memory(game).directors.get("BR") is None


def test_14_1_cousins_buy_and_sell_by_the_60_percent_and_are_not_bound_by_their_player() -> None:
    game = new_game(cousins=["VF"])
    floated(game, "LSR", shares=10, held={"@2": 2, "@1": 1, "VF": 6})
    set_cash(game, "VF", 500)
    memory(game).sold = {ANN: ["LSR"]}
    stock_turn(game)
    refused(game, "VF buy LSR", "Holders of 60%", "§6.5.2.4")
    act(game, "VF sell 5 LSR")
    assert cash(game, "VF") == 500 + 5 * 65
    refused(game, "VF buy LSR from pool", "sold LSR in this stock round", "§6.5.2.4")
    # What the cousin sold its player may buy, were it not that he has sold some himself.
    stock_turn(game)
    refused(game, "@1 buy LSR from pool", "Ann sold LSR", "§6.5.2.4")
    memory(game).sold = {"VF": ["LSR"]}
    act(game, "@1 buy LSR from pool")
