"""1820 §8, §9, §10.2, §10.3, §13.6, §17: issue and takeover rounds, liquidations, bankruptcy, ends, scores."""

from __future__ import annotations

import pytest

from bot.engine.ids import DEPOT, IPO, POOL, REMOVED, HexId
from bot.engine.notation.text import format_action
from bot.engine.play.game import Game
from bot.engine.play.holdings.market import place_marker
from bot.titles.t1820 import game_end
from bot.titles.t1820.companies import minimum_bid, move_price
from bot.titles.t1820.company_debt import owe
from bot.titles.t1820.components import STATION_LIMIT, STATION_MAXIMUM, TAKEOVER_PREMIUM
from bot.titles.t1820.takeover.bids import capacity
from bot.titles.t1820.takeover.issue import begin_issue_round
from bot.titles.t1820.takeover.takeover import forcing_bid
from bot.titles.t1820.takeover.transfer import transfer_assets
from tests.rearrangement import rearrange
from tests.titles.builders_1820 import (
    ANN,
    BOB,
    CID,
    company,
    floated,
    give_trains,
    issue_round,
    lay,
    memory,
    new_game,
    price,
    reach_phase,
    refused,
    settled,
)
from tests.titles.positions import act, cash, set_cash, token

# -- §8.1 ---------------------------------------------------------------------------------------------


def beginning(game: Game) -> Game:
    """An issue and takeover round from its very beginning."""
    game.state.flow = []
    game.state.round.kind, game.state.round.number = "operating", 2
    game.push("game")
    game.frame.at = 2
    return settled(game)


def test_8_1_the_marker_moves_and_a_train_is_discarded() -> None:
    game = new_game()
    floated(game, "LSR")
    reach_phase(game, "green")
    before = sum(train.kind == "3+" and train.owner == DEPOT for train in game.state.trains)
    beginning(game)
    assert memory(game).column == 3
    assert sum(train.kind == "3+" and train.owner == DEPOT for train in game.state.trains) == before - 1


def test_8_1_a_new_colour_discards_the_trains_of_the_one_before() -> None:
    game = new_game()
    floated(game, "LSR")
    memory(game).column = 1
    beginning(game)
    # The marker comes to the first green column: 2+ trains go, a 3+ is discarded, green phase begins.
    assert memory(game).column == 2 and game.state.phase == "green"
    assert not any(train.kind == "2+" and train.owner == DEPOT for train in game.state.trains)
    assert sum(train.kind == "3+" and train.owner == REMOVED for train in game.state.trains) == 1


def test_8_1_two_plus_trains_are_unlimited_also_when_the_last_card_is_discarded() -> None:
    game = new_game()
    floated(game, "LSR")
    give_trains(game, "@3", *["2+"] * 26)
    beginning(game)
    # Table 5.1: another card is made; green trains are not for sale before their phase.
    assert game.state.phase == "yellow"
    assert sum(train.kind == "2+" and train.owner == REMOVED for train in game.state.trains) == 1
    assert sum(train.kind == "2+" and train.owner == DEPOT for train in game.state.trains) == 1


def test_8_1_the_last_train_of_a_colour_takes_the_first_of_the_next_with_it() -> None:
    game = new_game()
    floated(game, "LSR")
    reach_phase(game, "green")
    give_trains(game, "@3", *["3+"] * 15)
    beginning(game)
    assert game.state.phase == "blue" and memory(game).column == 5
    assert sum(train.kind == "5+" and train.owner == REMOVED for train in game.state.trains) == 1


def test_9_1_the_marker_on_end_ends_the_game_at_once() -> None:
    game = new_game()
    floated(game, "LSR")
    memory(game).column = 16
    reach_phase(game, "gray")
    memory(game).column = 16
    begin_issue_round(game)
    assert game.state.finished and "END" in game.state.ending


def test_8_1_all_directors_at_once_until_all_have_said_that_they_are_done() -> None:
    game = new_game()
    floated(game, "LSR", held={"@1": 2})
    floated(game, "N&PR", held={"@2": 2})
    issue_round(game, 1)
    assert list(game.players_to_act()) == [ANN, BOB]
    act(game, "@1 done")
    assert list(game.players_to_act()) == [BOB]
    act(game, "N&PR issue 1")
    # Whatever a company does lets the others think again.
    assert list(game.players_to_act()) == [ANN, BOB]
    act(game, "@2 done", "@1 done")
    assert game.frame.plan == "offer turn"


def test_8_1_companies_act_in_reverse_operating_order() -> None:
    game = new_game()
    floated(game, "LSR", at=65)
    floated(game, "N&PR", held={"@2": 2}, at=55)
    floated(game, "LUR", held={"@3": 2}, at=10)
    issue_round(game, 3)
    assert game.frame.entity == "N&PR"
    act(game, "N&PR pass")
    assert game.frame.entity == "LSR"
    act(game, "LSR pass")
    assert game.frame.plan != "offer turn"


# -- §8.2 ---------------------------------------------------------------------------------------------


def test_8_2_shares_are_bought_back_from_the_pool_first() -> None:
    game = new_game()
    floated(game, "LSR", shares=10, held={"@1": 4, "@2": 2}, pool=1, at=65, money=500)
    issue_round(game, 1)
    # Seven in play, five stay: one from the pool, one from an owner of the director's choice.
    refused(game, "LSR decrease 5", "The pool gives 1 share; name owners for the other 1", "§8.2")
    refused(game, "LSR decrease 5 from @1:2", "The pool gives 1 share; name owners for the other 1", "§8.2")
    act(game, "LSR decrease 5 from @2:1")
    assert cash(game, "LSR") == 500 - 130 and cash(game, BOB) == 1065
    assert len(company(game).certificates) == 5 and company(game).count_of(POOL) == 0
    assert memory(game).reduced == ["LSR"]


def test_8_2_control_may_not_change_and_the_money_must_be_there() -> None:
    game = new_game()
    floated(game, "LSR", shares=10, held={"@1": 3, "@2": 3}, money=100)
    issue_round(game, 1)
    refused(game, "LSR decrease 5 from @1:1", "Control of LSR", "§8.2")
    set_cash(game, "LSR", 50)
    game.state.money = sum(game.state.cash.values())
    refused(game, "LSR decrease 5 from @2:1", "costs £65", "§8.2")
    act(game, "LSR decrease 5 from @2:1 loans 1")
    # Bought at the price before the loan; the loan costs a space.
    assert (cash(game, "LSR"), company(game).loans, price(game)) == (50 + 200 - 65, 1, 60)


def test_8_2_a_private_company_moves_to_the_track_and_its_money_to_its_director() -> None:
    game = new_game()
    floated(game, "N&PR", shares=1, held={"@2": 1})
    floated(game, "LSR", held={"@1": 2}, money=300)
    issue_round(game, 1)
    act(game, "LSR decrease 1 from @1:1")
    assert memory(game).private_track == ["N&PR", "LSR"] and company(game).position is None
    assert cash(game, ANN) == 1000 + 300 and cash(game, "LSR") == 0
    assert len(company(game).certificates) == 1 and company(game).certificates[0].owner == ANN


@pytest.mark.parametrize("order", [("LSR", "N&PR", "LUR"), ("N&PR", "LUR", "LSR"), ("LUR", "LSR", "N&PR")])
def test_8_2_several_private_companies_of_a_round_lie_in_their_operating_order(order: tuple[str, ...]) -> None:
    game = new_game()
    floated(game, "LSR", held={"@1": 1}, at=60, money=0)
    floated(game, "N&PR", held={"@2": 1}, at=71, money=0)
    floated(game, "LUR", held={"@3": 1}, at=60, money=0)
    floated(game, "L&BR", shares=1, held={"@3": 1})
    issue_round(game, 1)
    act(game, *(f"{name} decrease 1" for name in order))
    # Who was private before stays in front; of the two at 60 the LSR lay on top.
    assert memory(game).private_track == ["L&BR", "N&PR", "LSR", "LUR"]


def test_8_2_it_may_join_a_private_company_of_the_same_director() -> None:
    game = new_game()
    floated(game, "N&PR", shares=1, held={"@1": 1})
    floated(game, "LSR", held={"@1": 1}, money=300)
    lay(game, "G7", "150", 1)
    token(game, "LSR", "G7")
    give_trains(game, "LSR", "2+")
    issue_round(game, 1)
    act(game, "LSR decrease 1 into N&PR")
    assert game.state.board.tokens_in(HexId("G7"), 0) == ["N&PR"] and len(game.state.trains_of("N&PR")) == 1
    assert not company(game).floated and memory(game).private_track == ["N&PR"]


def test_8_2_loans_beyond_the_shares_in_play_are_repaid_or_nothing_happens() -> None:
    game = new_game()
    floated(game, "LSR", shares=10, held={"@1": 4, "@2": 2}, loans=6, money=565, at=71)
    issue_round(game, 1)
    act(game, "LSR decrease 5 from @2:1")
    # Five in play, six loans: one is repaid from the treasury, a space up.
    assert (company(game).loans, cash(game, "LSR"), price(game)) == (5, 565 - 71 - 200, 78)
    game = new_game()
    floated(game, "LSR", held={"@1": 1}, loans=1, money=0)
    set_cash(game, ANN, 199)
    issue_round(game, 1)
    refused(game, "LSR decrease 1", "£200 of loans would have to be repaid", "§8.2")


def test_8_2_to_one_of_the_sizes_with_loans_as_far_as_needed_and_allowed() -> None:
    game = new_game()
    floated(game, "LSR", shares=10, held={"@1": 4, "@2": 3}, at=43, money=0)
    issue_round(game, 1)
    refused(game, "LSR decrease 3 from @2:3", "LSR has 10 shares; it can reduce to 1 or 5", "§8.2")
    refused(game, "LSR decrease 5 from @1:1 @2:1 loans 2", "liquidation", "§17.1")
    refused(game, "LSR decrease 5 from @2:1", "The pool gives 0 shares; name owners for the other 2", "§8.2")
    set_cash(game, "LSR", 86)
    game.state.money = sum(game.state.cash.values())
    refused(game, "LSR decrease 5 from @2:2 loans 1", "Loans may only be taken as needed", "§17.1")
    refused(game, "LSR decrease 5 from @3:2", "does not hold 2", "§8.2")
    act(game, "LSR decrease 5 from @2:2")
    assert cash(game, "LSR") == 0 and cash(game, BOB) == 1086


def test_8_2_what_can_be_repaid_is_counted_to_the_pound() -> None:
    """To one share: £200 of a loan is due; £70 stays in the treasury, a share brings 65, others of Ann's 71 each."""
    for money, others, may in ((65, 0, True), (64, 0, False), (0, 1, True), (0, 0, False)):
        game = new_game()
        floated(game, "LSR", held={"@1": 2}, pool=1, loans=1, money=200)
        if others:
            floated(game, "N&PR", held={"@2": 2, "@1": others}, at=71, money=0)
        set_cash(game, ANN, money)
        issue_round(game, 1)
        if may:
            act(game, "LSR decrease 1 from @1:1")
        else:
            refused(game, "LSR decrease 1 from @1:1", f"£{135 + money} can be", "§8.2")


def test_8_2_nothing_is_due_while_there_are_no_more_loans_than_shares_in_play() -> None:
    game = new_game()
    floated(game, "LSR", shares=10, held={"@1": 4, "@2": 2}, loans=5, money=65)
    set_cash(game, ANN, 0)
    issue_round(game, 1)
    act(game, "LSR decrease 5 from @2:1")
    assert (company(game).loans, cash(game, "LSR")) == (5, 0)


def test_8_2_not_in_brown_or_later_nor_in_liquidation() -> None:
    game = new_game()
    reach_phase(game, "brown")
    floated(game, "LSR", shares=10, held={"@1": 4})
    floated(game, "N&PR", held={"@1": 2}, at=10)
    issue_round(game, 1)
    refused(game, "LSR decrease 5", "Share counts cannot be reduced from the brown phase on", "§8.2")
    refused(game, "N&PR issue 1", "does nothing in this step", "§8.1")


# -- §8.3 ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shares", "number", "after"),
    [(5, 1, 60), (10, 2, 55), (20, 3, 51), (50, 5, 55), (50, 1, 60), (50, 10, 47), (20, 6, 40)],
)
def test_8_3_issues_pay_the_present_price_and_fall_a_space_for_5_percent_or_share(
    shares: int, number: int, after: int
) -> None:
    game = new_game()
    floated(game, "LSR", shares=shares, held={"@1": shares * 2 // 5}, money=0)
    issue_round(game, 1)
    act(game, f"LSR issue {number}")
    assert cash(game, "LSR") == 65 * number and price(game) == after and company(game).count_of(POOL) == number


def test_8_3_not_into_liquidation() -> None:
    game = new_game()
    floated(game, "LSR", shares=10, held={"@1": 4}, at=43)
    issue_round(game, 1)
    refused(game, "LSR issue 2", "into liquidation", "§8.3")


# -- §8.4 ---------------------------------------------------------------------------------------------


def two(**more: int) -> Game:
    """LSR (Ann, 65) and N&PR (Bob 2, Cid 1, one in the pool, at 55), LSR's turn to offer."""
    game = new_game()
    floated(game, "LSR", held={"@1": 2}, at=55, money=more.get("money", 500))
    floated(game, "N&PR", held={"@2": 2, "@3": 1}, pool=1, at=71, money=120, loans=more.get("loans", 0))
    return issue_round(game, 3)


def test_8_4_1_capacity_counts_money_an_issue_and_loans() -> None:
    game = two(money=30)
    record = company(game)
    # Column of 55 is 5: four spaces may be lost. Three shares for 165 cost three, one loan the fourth;
    # no share and two loans: 430; one share 55 and three loans: 685; two shares 110 and two loans: 540.
    assert capacity(game, record) == 30 + 55 + 3 * 200
    floated(game, "LUR", shares=1, held={"@3": 1})
    assert capacity(game, company(game, "LUR")) == 1000


def test_8_4_1_what_may_be_offered() -> None:
    game = two()
    assert minimum_bid(game, company(game, "N&PR")) == 4 * 71
    memory(game).reduced = ["N&PR"]
    refused(game, "LSR offer N&PR", "has reduced its share-count", "§8.4.1")
    memory(game).reduced, memory(game).offered = [], ["N&PR"]
    refused(game, "LSR offer N&PR", "has been offered", "§8.4.1")
    game = new_game()
    floated(game, "LSR", held={"@1": 1}, at=40, money=0)
    floated(game, "N&PR", held={"@2": 2, "@3": 1}, at=71)
    issue_round(game, 3)
    refused(game, "LSR offer N&PR", "minimum bid for N&PR is £220 and LSR can pay", "§8.4.1")


def test_8_4_2_forcing_bid_by_the_premium_of_the_chart() -> None:
    assert TAKEOVER_PREMIUM == (10, 10, 9, 8, 8, 7, 6, 6, 5, 4, 4, 3, 2, 2, 1, 0, 0)
    game = two()
    # In the first column ten spaces up from 71 is 190.
    assert forcing_bid(game, company(game, "N&PR")) == 4 * 190


def test_8_4_2_bids_are_tens_from_the_minimum_on_and_the_director_of_the_lot_goes_10_up() -> None:
    game = two()
    floated(game, "LUR", shares=1, held={"@2": 1})
    floated(game, "L&BR", shares=1, held={"@3": 1})
    act(game, "LSR offer N&PR")
    assert list(game.players_to_act()) == [ANN, BOB, CID]
    refused(game, "@1 bid N&PR 280", "A bid for N&PR must be at least £290", "§8.4.2")
    refused(game, "@1 bid N&PR 295", "multiples of £10", "§8.4.2")
    act(game, "@1 bid N&PR 300")
    refused(game, "@2 bid N&PR 320", "You can bid at most £310 for N&PR", "§8.4.2")
    act(game, "@2 bid N&PR 310", "@3 pass", "@1 pass")
    # 310 does not force: the director accepts or declines; he bought it himself.
    assert game.frame.plan == "accept"
    act(game, "@2 agree")
    assert game.frame.plan == "acquire"


def test_8_4_3_a_takeover_pays_each_share_and_moves_everything() -> None:
    game = two(loans=1)
    for name, hex_id, tile in (("LSR", "G7", "150"), ("N&PR", "H12", "57")):
        lay(game, hex_id, tile, 1)
        token(game, name, hex_id)
    give_trains(game, "N&PR", "2+")
    game.state.money = sum(game.state.cash.values())
    act(game, "LSR offer N&PR", "@1 bid N&PR 330")
    while game.frame.plan == "takeover":
        act(game, f"{game.players_to_act()[0]} pass")
    act(game, "@2 agree", "LSR acquire")
    # 330 over four shares: 82 each; the pool's share and the remainder are lost.
    assert cash(game, BOB) == 1164 and cash(game, CID) == 1082
    assert cash(game, "LSR") == 500 - 330 + 120
    assert company(game).loans == 1 and price(game) == 51
    assert game.state.board.tokens_in(HexId("H12"), 0) == ["LSR"] and company(game).tokens_left == (0, 0)
    assert len(game.state.trains_of("LSR")) == 1
    assert not company(game, "N&PR").floated and "N&PR" not in memory(game).directors
    assert game.frame.plan != "offer turn"


def won(game: Game, amount: int) -> Game:
    """Ann has won N&PR for LSR, and Bob has agreed."""
    act(game, "LSR offer N&PR", f"@1 bid N&PR {amount}")
    while game.frame.plan == "takeover":
        act(game, f"{game.players_to_act()[0]} pass")
    if game.frame.plan == "accept":
        act(game, "@2 agree")
    return game


def test_8_4_3_by_a_loan_alone_and_not_beyond_what_a_company_may_do() -> None:
    game = won(two(money=130), 290)
    refused(game, "LSR acquire shares 4", "share", "§8.3")
    act(game, "LSR acquire loans 1")
    assert company(game).loans == 1 and cash(game, "LSR") == 130 + 200 - 290 + 120


def test_8_4_3_a_share_may_be_needed_for_the_loan_that_it_allows() -> None:
    """Two shares of the LSR are in play: a third loan takes a third share, whatever that brings."""
    game = won(two(money=0), 590)
    refused(game, "LSR acquire loans 3", "loans may not outnumber shares", "§17.2")
    refused(game, "LSR acquire loans 3 shares 2", "after that issue", "§17.2")
    refused(game, "LSR acquire loans 2 shares 1", "would have £455 of £590", "§8.4.3")
    assert [format_action(option) for option in game.legal_actions()] == ["LSR acquire loans 3 shares 1", "@1 decline"]
    act(game, "LSR acquire loans 3 shares 1")
    assert company(game).loans == 3 and company(game).count_of(POOL) == 1


def test_8_4_3_companies_in_liquidation_acquire_nothing_and_private_ones_neither_borrow_nor_issue() -> None:
    game = two(money=300)
    floated(game, "LUR", held={"@1": 2}, at=10, money=1000)
    floated(game, "L&BR", shares=1, held={"@1": 1})
    won(game, 290)
    refused(game, "LUR acquire", "cannot take N&PR over", "§8.4.3")
    refused(game, "L&BR acquire loans 1", "neither loans nor shares", "§8.4.3")
    refused(game, "L&BR acquire shares 1", "neither loans nor shares", "§8.4.3")
    act(game, "L&BR acquire")


def test_8_4_1_capacity_with_every_share_issued() -> None:
    game = new_game()
    record = floated(game, "LSR", held={"@1": 2}, at=142, money=30)
    assert capacity(game, record) == 30 + 3 * 142 + 5 * 200


def test_8_4_3_money_is_raised_by_loans_and_issues_no_more_than_needed() -> None:
    game = two(money=130)
    act(game, "LSR offer N&PR", "@1 bid N&PR 290")
    while game.frame.plan == "takeover":
        act(game, f"{game.players_to_act()[0]} pass")
    act(game, "@2 agree")
    refused(game, "LSR acquire", "would have £130 of £290", "§8.4.3")
    refused(game, "LSR acquire loans 2", "Take only the loans and issue only the shares you need", "§8.4.3")
    act(game, "LSR acquire shares 3")
    assert company(game).count_of(POOL) == 3 and cash(game, "LSR") == 130 + 165 - 290 + 120


def test_8_4_2_a_bid_may_be_declined_below_the_forcing_bid_only() -> None:
    game = two(money=2000)
    act(game, "LSR offer N&PR", "@1 bid N&PR 750")
    while game.frame.plan == "takeover":
        act(game, f"{game.players_to_act()[0]} pass")
    act(game, "@2 refuse")
    assert company(game, "N&PR").floated and "N&PR" in memory(game).offered
    game = two(money=2000)
    act(game, "LSR offer N&PR", "@1 bid N&PR 760")
    while game.frame.plan == "takeover":
        act(game, f"{game.players_to_act()[0]} pass")
    assert game.frame.plan == "acquire"


def test_8_4_2_for_a_company_that_offers_itself_the_bank_bids_half_and_that_forces() -> None:
    game = two()
    set_cash(game, "LSR", 0)
    act(game, "LSR offer LSR")
    # Two shares in play at 55: the bank bids 55 before anybody else, companies from 110 on.
    assert (memory(game).auction.best, memory(game).auction.forcing, memory(game).auction.least) == (55, 55, 110)
    assert list(game.players_to_act()) == [BOB]
    refused(game, "@2 bid LSR 100", "A bid for LSR must be at least £110", "§8.4.2")
    act(game, "@2 pass")
    assert not company(game).floated
    # Handled as a liquidation: 55 go into the treasury and to the shares, 27 each, the rest to the director.
    assert cash(game, ANN) == 1055


def test_10_4_the_bank_bids_again_for_a_company_that_offered_itself_when_the_winner_declines() -> None:
    game = two()
    act(game, "LSR offer LSR", "@2 bid LSR 110", "@2 decline")
    # Bob is barred, nobody else can bid: the bank has it for 55, half of the price for two shares; 500 lay in it.
    assert not company(game).floated and cash(game, ANN) == 1000 + 55 + 500


def test_8_4_1_who_has_reduced_or_acquired_is_not_offered_by_another_but_may_offer_itself() -> None:
    for names in ("reduced", "acquirers"):
        game = two(money=2000)
        getattr(memory(game), names).append("N&PR")
        refused(game, "LSR offer N&PR", "has reduced its share-count or acquired", "§8.4.1")
        game = two()
        getattr(memory(game), names).append("LSR")
        act(game, "LSR offer LSR")


def test_8_4_1_after_victorias_death_the_bank_bids_the_full_price() -> None:
    game = two()
    memory(game).is_victoria_dead = True
    floated(game, "LUR", shares=1, held={"@3": 1})
    act(game, "LSR offer LSR")
    assert memory(game).auction.best == 110 and memory(game).auction.forcing == 110


def test_10_4_the_winner_who_declines_is_barred_and_the_auction_is_repeated() -> None:
    game = two(money=2000)
    floated(game, "L&BR", shares=1, held={"@3": 1})
    act(game, "LSR offer N&PR", "@1 bid N&PR 760", "@3 pass")
    while game.frame.plan == "takeover":
        act(game, f"{game.players_to_act()[0]} pass")
    act(game, "@1 decline")
    assert game.frame.plan == "takeover" and list(game.players_to_act()) == [CID]
    refused(game, "@1 bid N&PR 300", "You declined", "§10.4")
    assert (memory(game).auction.least, memory(game).auction.forcing) == (284, 760)


def test_8_4_2_the_highest_bidder_may_go_up_to_the_forcing_bid_but_a_director_not_above_himself() -> None:
    game = two(money=2000)
    floated(game, "L&BR", shares=1, held={"@3": 1})
    floated(game, "LUR", shares=1, held={"@2": 1})
    act(game, "LSR offer N&PR", "@1 bid N&PR 300", "@2 bid N&PR 310")
    # Bob directs the N&PR: £10 above the others, never above his own bid.
    refused(game, "@2 bid N&PR 320", "You can bid at most £310 for N&PR", "§8.4.2")
    assert list(game.players_to_act()) == [ANN, CID]
    act(game, "@1 bid N&PR 320", "@3 pass")
    # 760 forces the sale: Ann, who bids highest, says it before Bob can answer, and everybody is asked again.
    assert "@1 bid N&PR 760" in [format_action(one) for one in game.legal_actions()]
    act(game, "@1 bid N&PR 760")
    assert list(game.players_to_act()) == [BOB, CID]
    act(game, "@2 pass", "@3 pass")
    assert game.frame.plan == "acquire"


def test_8_4_3_a_private_buyer_repays_the_loans_at_once() -> None:
    game = two(loans=2)
    floated(game, "LUR", shares=1, held={"@3": 1})
    act(game, "LSR offer N&PR", "@3 bid N&PR 290")
    while game.frame.plan == "takeover":
        act(game, f"{game.players_to_act()[0]} pass")
    act(game, "@2 agree", "LUR acquire")
    # 290 over four shares: 72 each, one share his own; 120 from the treasury; two loans.
    assert cash(game, CID) == 1000 - 290 + 72 + 120 - 400
    assert company(game, "LUR").loans == 0


def test_14_1_a_cousins_company_puts_itself_up() -> None:
    game = new_game(cousins=["VF"])
    floated(game, "LSR", held={"VF": 2}, at=65)
    floated(game, "N&PR", held={"@2": 2}, at=55)
    issue_round(game, 3)
    act(game, "N&PR pass")
    assert memory(game).auction is not None and memory(game).auction.offered_by == "LSR"
    assert list(game.players_to_act()) == [BOB]


def test_8_4_1_a_cousins_company_that_has_been_offered_is_not_put_up_again() -> None:
    game = new_game(cousins=["VF"])
    floated(game, "LSR", held={"VF": 2}, at=65)
    floated(game, "N&PR", held={"@2": 2}, at=55)
    issue_round(game, 3)
    act(game, "N&PR offer LSR")
    while game.frame.plan == "takeover":
        act(game, f"{game.players_to_act()[0]} pass")
    act(game, "N&PR pass")
    assert memory(game).auction is None and game.state.round.kind == "operating"
    assert company(game, "LSR").floated


# -- §13.6 --------------------------------------------------------------------------------------------


def test_13_1_station_limits() -> None:
    assert STATION_LIMIT == {1: 6, 5: 6, 10: 8, 20: 10, 50: 12}
    assert STATION_MAXIMUM == {1: 9, 5: 9, 10: 12, 20: 15, 50: 18}


def test_8_4_3_two_stations_in_a_hex_and_those_above_the_limit() -> None:
    game = new_game()
    reach_phase(game, "green")
    floated(game, "LSR", held={"@1": 2}, stations=4)
    floated(game, "N&PR", held={"@2": 2}, stations=2)
    lay(game, "H12", "14")
    lay(game, "H18", "57")
    for name, hex_id in (("LSR", "H12"), ("N&PR", "H12"), ("N&PR", "H18")):
        token(game, name, hex_id)
    issue_round(game, 3)
    transfer_assets(game, "N&PR", "LSR")
    settled(game)
    # Five and four: nine. One of the two on H12 goes, then eight, two above the limit of six.
    refused(game, "LSR done", "Remove one of the two stations on H12", "§8.4.3")
    refused(game, "LSR abandon H18", "First remove one of the two stations on H12", "§8.4.3")
    act(game, "LSR abandon H12")
    assert sorted(game.state.board.tokens_in(HexId("H12"), 0)) == ["BR", "LSR"]
    refused(game, "LSR abandon H18", "Remove unplaced stations first", "§8.4.3")
    act(game, "LSR abandon unplaced")
    set_cash(game, "LSR", 100)
    act(game, "LSR done")
    assert cash(game, "LSR") == 0


def test_13_6_not_above_the_maximum_and_what_was_above_the_limit_before_stays() -> None:
    game = new_game()
    floated(game, "LSR", held={"@1": 2}, stations=8, money=5000)
    floated(game, "N&PR", held={"@2": 2}, stations=0)
    lay(game, "H12", "57")
    lay(game, "H18", "57")
    token(game, "N&PR", "H12")
    token(game, "N&PR", "H18")
    issue_round(game, 3)
    transfer_assets(game, "N&PR", "LSR")
    settled(game)
    refused(game, "LSR done", "at most 9 stations", "§13.6")
    act(game, "LSR abandon unplaced")
    assert game.frame.plan == "stations", "nine, one more than it had"
    act(game, "LSR abandon unplaced")
    assert len(company(game).tokens_left) == 6 and game.frame.plan != "stations"


# -- §8.5 ---------------------------------------------------------------------------------------------


def falling(money: int = 0, loans: int = 0, **held: int) -> Game:
    """LSR in liquidation: Ann 2, Bob 1, one in the pool; N&PR could buy."""
    game = new_game()
    floated(game, "LSR", held={"@1": 2, "@2": 1}, pool=1, at=10, money=money, loans=loans)
    floated(game, "N&PR", held={"@3": 2}, at=65)
    lay(game, "H12", "57", 1)
    token(game, "LSR", "H12")
    give_trains(game, "LSR", "2+")
    memory(game).to_liquidate = ["LSR"]
    return issue_round(game, 2)


def test_8_5_the_bank_bids_the_minimum_and_takes_what_nobody_wants() -> None:
    game = falling(money=13)
    assert memory(game).auction.best == 40 and list(game.players_to_act()) == [CID]
    act(game, "@3 pass")
    # 40 + 13: 13 a share, the pool's is lost, 1 goes to the director.
    assert (cash(game, ANN), cash(game, BOB)) == (1027, 1013)
    assert game.state.board.tokens_in(HexId("H12"), 0) == ["BR"]
    assert not company(game).floated and not game.state.trains_of("LSR")


def test_8_5_a_buyer_gets_stations_and_trains_but_no_money_and_no_loans() -> None:
    game = falling(money=13, loans=1)
    act(game, "@3 bid LSR 200", "N&PR acquire")
    # 200 + 13 - 200 of loan: 13 left, 3 a share, 1 to the director.
    assert cash(game, "N&PR") == 300 and company(game, "N&PR").loans == 0
    assert (cash(game, ANN), cash(game, BOB)) == (1007, 1003)
    assert game.state.board.tokens_in(HexId("H12"), 0) == ["N&PR"] and len(game.state.trains_of("N&PR")) == 1
    # The station on LSR's charter was not for sale.
    assert company(game, "N&PR").tokens_left == (0,)


def test_8_5_17_3_shareholders_pay_what_the_treasury_lacks() -> None:
    game = falling(money=13, loans=2)
    act(game, "@3 pass")
    # 400 of loans, 53 in the treasury: 347 over four shares is 86 a share.
    assert (cash(game, ANN), cash(game, BOB)) == (1000 - 172, 1000 - 86)


def test_8_1_companies_that_enter_liquidation_in_the_round_wait_for_the_next() -> None:
    game = new_game()
    floated(game, "LSR", held={"@1": 2}, at=10)
    floated(game, "N&PR", held={"@3": 2}, at=65)
    beginning(game)
    assert memory(game).to_liquidate == ["LSR"]
    game = new_game()
    floated(game, "LSR", held={"@1": 2}, at=40)
    floated(game, "N&PR", held={"@3": 2}, at=65)
    beginning(game)
    assert memory(game).to_liquidate == []


# -- §10.2, §10.3 -------------------------------------------------------------------------------------


def test_10_2_shares_are_sold_for_a_debt_by_all_who_owe_at_once() -> None:
    game = new_game()
    floated(game, "LSR", held={"@1": 2, "@2": 2, "@3": 1})
    issue_round(game, 3)
    for player in (ANN, BOB):
        set_cash(game, player, 10)
        owe(game, player, 60)
    settled(game)
    assert list(game.players_to_act()) == [ANN, BOB]
    act(game, "@2 sell 1 LSR")
    assert cash(game, BOB) == 15 and list(game.players_to_act()) == [ANN]
    act(game, "@1 sell 1 LSR")
    assert cash(game, ANN) == 15 and not memory(game).debts


def test_10_2_a_player_who_cannot_pay_ends_the_game_with_a_score_of_0() -> None:
    game = new_game()
    floated(game, "LSR", held={"@1": 2, "@2": 2})
    issue_round(game, 3)
    set_cash(game, CID, 10)
    game.state.money = sum(game.state.cash.values())
    owe(game, CID, 60)
    game.advance()
    assert game.state.finished and game_end.net_worth(game, CID) == 0
    assert game_end.net_worth(game, ANN) == 1130


def test_10_3_a_cousin_who_cannot_pay_leaves_and_its_companies_are_liquidated_in_the_round() -> None:
    game = new_game(cousins=["VF"])
    floated(game, "LSR", held={"VF": 2}, at=65)
    floated(game, "N&PR", held={"@2": 2}, at=55)
    issue_round(game, 1)
    set_cash(game, "VF", 10)
    game.state.money = sum(game.state.cash.values())
    owe(game, "VF", 600)
    game.advance()
    # One share could be sold for it, the last must stay with somebody.
    assert list(game.players_to_act()) == [ANN]
    act(game, "VF sell 1 LSR")
    assert game.private("VF").closed and cash(game, "VF") == 0
    assert company(game).count_of(POOL) == 2 and price(game) == 10
    assert memory(game).to_liquidate == ["LSR"]


def test_10_3_the_player_of_a_bankrupt_cousin_chooses_the_order_of_several_companies() -> None:
    game = new_game(cousins=["VF"])
    floated(game, "LSR", held={"VF": 1}, at=65)
    floated(game, "LUR", held={"VF": 1}, at=71)
    floated(game, "L&BR", held={"VF": 1}, at=60)
    floated(game, "N&PR", held={"@2": 2}, at=55)
    issue_round(game, 1)
    owe(game, "VF", 600)
    game.advance()
    assert game.private("VF").closed and list(game.players_to_act()) == [ANN]
    refused(game, "@1 offer N&PR", "LUR, LSR, L&BR", "§10.3")
    act(game, "@1 offer LSR", "@1 offer L&BR")
    # The last of the three needs no words; each marker lies below those that came before.
    assert memory(game).to_liquidate == ["LSR", "L&BR", "LUR"]
    assert game.state.stacks["0,0"] == ["LSR", "L&BR", "LUR"]


def test_10_3_13_4_the_heirs_of_a_bankrupt_cousin_are_chosen_while_somebody_else_still_owes() -> None:
    game = new_game(cousins=["VF", "CBV", "JL"])
    floated(game, "LSR", shares=10, held={"VF": 3, "CBV": 2, "JL": 2}, at=65)
    floated(game, "N&PR", held={"@2": 2, "@3": 1}, at=55)
    issue_round(game, 1)
    place_marker(game, company(game).id, (0, 0))
    set_cash(game, BOB, 0)
    game.state.money = sum(game.state.cash.values())
    memory(game).debts[BOB] = 50
    owe(game, "VF", 600)
    game.advance()
    # LSR is in liquidation, so that VF has nothing to sell; Ann says which cousin directs it now.
    assert game.frame.plan == "choose director" and list(game.players_to_act()) == [ANN]
    act(game, "@1 director LSR JL")
    assert memory(game).directors["LSR"] == "JL" and list(game.players_to_act()) == [BOB]
    act(game, "@2 sell 1 N&PR")
    assert cash(game, BOB) == 5 and memory(game).debts == {}


def test_10_3_companies_of_a_cousin_ruined_during_the_offers_are_liquidated_before_the_next_offer() -> None:
    game = new_game(cousins=["VF"])
    floated(game, "LSR", held={"VF": 2}, at=65)
    floated(game, "N&PR", held={"@2": 2}, at=55)
    issue_round(game, 3)
    assert game.frame.entity == "N&PR"
    set_cash(game, "VF", 10)
    game.state.money = sum(game.state.cash.values())
    owe(game, "VF", 600)
    game.advance()
    act(game, "VF sell 1 LSR")
    assert game.private("VF").closed and company(game).floated
    act(game, "N&PR pass")
    assert game.frame.plan == "takeover" and memory(game).auction.kind == "liquidation"
    act(game, "@2 pass")
    assert not company(game).floated and memory(game).to_liquidate == []


def test_10_3_british_rail_shares_of_a_bankrupt_cousin_go_to_the_pool_and_it_stays_as_it_is() -> None:
    from bot.titles.t1820.operations.british_rail import resolve_victoria_event

    game = new_game(cousins=["VF"])
    floated(game, "N&PR", held={"@2": 2}, at=55)
    memory(game).began_in_brown = True
    resolve_victoria_event(game)
    rearrange(game, company(game, "BR").certificates[0], owner="VF")
    issue_round(game, 1)
    owe(game, "VF", 600)
    game.advance()
    assert game.private("VF").closed and price(game, "BR") == 95 and company(game, "BR").count_of(POOL) == 100


def test_17_3_loans_that_must_be_repaid_cost_the_director_and_a_space() -> None:
    from bot.titles.t1820.company_debt import owe_loans

    game = new_game()
    floated(game, "LSR", held={"@1": 2}, loans=3, money=250, at=55)
    issue_round(game, 3)
    owe_loans(game, "LSR", 2)
    # Two spaces up, one down; 250 from the treasury, 150 from Ann.
    assert (cash(game, "LSR"), cash(game, ANN), company(game).loans, price(game)) == (0, 850, 1, 60)


def test_16_2_1_a_price_that_reached_500_before_the_operating_round_ends_the_game_after_it() -> None:
    game = new_game()
    floated(game, "LSR", at=477, loans=1)
    issue_round(game, 3)
    move_price(game, "LSR", 1)
    game_end.after_issue_round(game)
    assert not game.state.finished
    game_end.after_operating_round(game)
    assert game.state.finished and "£500" in game.state.ending


# -- §9.2 ---------------------------------------------------------------------------------------------


def test_9_2_private_companies_cousins_and_future_trains_do_not_count() -> None:
    game = new_game(cousins=["VF"])
    floated(game, "LSR", held={"@1": 2, "VF": 2}, at=65)
    floated(game, "N&PR", shares=1, held={"@1": 1})
    give_trains(game, ANN, "FLOOD")
    set_cash(game, "VF", 900)
    assert game_end.net_worth(game, ANN) == 1130


def test_8_4_3_the_pool_and_treasury_of_a_company_in_supply_are_new() -> None:
    game = falling()
    act(game, "@3 pass")
    assert company(game).count_of(IPO) == 5 and company(game).position is None and company(game).loans == 0


def test_14_3_2_stephenson_and_fox_acquire_a_station_above_the_limit_for_nothing() -> None:
    game = new_game(cousins=["RSCF"])
    floated(game, "LSR", held={"@1": 2, "RSCF": 1}, stations=6)
    floated(game, "N&PR", held={"@2": 2}, stations=2)
    issue_round(game, 3)
    transfer_assets(game, "N&PR", "LSR")
    settled(game)
    act(game, "LSR done")
    # Eight stations, two above the limit of six: one for nothing, one for £100.
    assert cash(game, "LSR") == 500 + 500 - 100 and cash(game, "RSCF") == 50


def test_13_6_stations_are_given_up_down_to_the_limit_and_no_further() -> None:
    game = new_game()
    floated(game, "LSR", held={"@1": 2}, stations=5, money=0)
    floated(game, "N&PR", held={"@2": 2}, stations=2, money=0)
    issue_round(game, 3)
    transfer_assets(game, "N&PR", "LSR")
    settled(game)
    refused(game, "LSR done", "Keeping them costs £100", "§8.4.3")
    act(game, "LSR abandon unplaced")
    # Six are left, the limit: nothing more is asked.
    assert game.frame.plan != "stations" and len(company(game).tokens_left) == 6
    # With fifty shares eighteen are the most; until three of twenty-one are given up the books bear with it.
    game = new_game()
    floated(game, "LSR", shares=50, held={"@1": 20}, stations=18)
    floated(game, "N&PR", held={"@2": 2}, stations=3)
    issue_round(game, 3)
    transfer_assets(game, "N&PR", "LSR")
    settled(game)
    assert game.audit() == []
    refused(game, "LSR done", "at most 18 stations", "§13.6")
    act(game, "LSR abandon unplaced", "LSR abandon unplaced", "LSR abandon unplaced")
    assert game.audit() == [] and len(company(game).tokens_left) == 18
    # Seven were there before, one above the limit of six: £100 for the eighth alone.
    game = new_game()
    floated(game, "LSR", held={"@1": 2}, stations=7, money=150)
    floated(game, "N&PR", held={"@2": 2}, stations=1, money=0)
    issue_round(game, 3)
    transfer_assets(game, "N&PR", "LSR")
    settled(game)
    act(game, "LSR done")
    assert cash(game, "LSR") == 50 and len(company(game).tokens_left) == 8
