"""1820 §6.4.3, §7.1, §7.2.3-§7.2.9, §10.5, §10.8, §13.5, §13.7, §16.2, §17: operating rounds."""

from __future__ import annotations

import pytest

from bot.engine.ids import DEPOT, POOL, REMOVED, HexId
from bot.engine.notation.messages import question
from bot.engine.play.game import Game
from bot.engine.play.holdings.market import place_marker
from bot.engine.play.holdings.money import audit
from bot.engine.state.events import TrainBought
from bot.titles.t1820.companies import maintenance
from bot.titles.t1820.components import MAINTENANCE, PHASE_OF_COLUMN
from bot.titles.t1820.operations.british_rail import (
    income,
    operate,
    place_stations,
    rank_from_london,
    resolve_victoria_event,
)
from bot.titles.t1820.operations.dividends import steps_for
from bot.titles.t1820.operations.turn import begin_operating_round
from tests.message_helpers import told
from tests.rearrangement import rearrange
from tests.titles.builders_1820 import (
    ANN,
    BOB,
    CID,
    PLACES,
    column,
    company,
    floated,
    give_trains,
    in_turn,
    lay,
    memory,
    new_game,
    price,
    reach_phase,
    refused,
    settled,
)
from tests.titles.positions import act, cash, set_cash, token


def line(game: Game, name: str = "LSR") -> None:
    """Birmingham (30) with the company's station, joined to a small city (20) on G11."""
    lay(game, "G7", "150", 1)
    lay(game, "G9", "9", 1)
    lay(game, "G11", "57", 1)
    token(game, name, "G7")


# -- §7.1 ---------------------------------------------------------------------------------------------


def test_7_1_prices_descending_then_private_companies_by_their_track() -> None:
    game = new_game()
    floated(game, "LUR", shares=1, held={"@2": 1})
    floated(game, "LSR", at=60, stations=0)
    floated(game, "N&PR", at=65, held={"@3": 2}, stations=0)
    floated(game, "L&BR", shares=1, held={"@1": 1})
    for name in ("LUR", "LSR", "N&PR", "L&BR"):
        give_trains(game, name, "2+")
        company(game, name).tokens_left = ()
    game.state.flow = []
    game.push("game")
    game.state.round.kind, game.state.round.number = "stock", 1
    game.frame.at = 1
    settled(game)
    seen = []
    while game.frame.plan == "company turn":
        seen.append(game.frame.entity)
        act(game, f"{game.frame.entity} pass")
        while game.frame.plan == "company turn" and game.frame.entity == seen[-1]:
            act(game, f"{game.frame.entity} pass")
    assert seen == ["N&PR", "LSR", "LUR", "L&BR"]


def test_7_1_who_arrives_later_lies_lower_and_all_keep_that_order() -> None:
    from bot.engine.play.holdings.market import move, sort_by_price
    from bot.titles.t1820.operations.turn import turn_marker_over

    game = new_game()
    for name in ("LSR", "N&PR", "LUR"):
        floated(game, name, at=65 if name != "LUR" else 71)
    turn_marker_over(game, "LUR")
    move(game, "LUR", (0, 7))  # down to 65, below those that have not operated
    turn_marker_over(game, "LSR")
    assert sort_by_price(game, ["LSR", "N&PR", "LUR"]) == ["N&PR", "LUR", "LSR"]
    turn_marker_over(game, "N&PR")
    assert sort_by_price(game, ["LSR", "N&PR", "LUR"]) == ["LUR", "LSR", "N&PR"]


# -- §7.2.4, §16.2.3 ----------------------------------------------------------------------------------


def test_7_2_4_steps_on_the_market_by_the_total_dividend() -> None:
    game = new_game()
    floated(game, "LSR", at=65)
    assert [steps_for(game, "LSR", paid, True) for paid in (0, 64)] == [-1, -1]
    assert steps_for(game, "LSR", 0, False) == -2
    assert [steps_for(game, "LSR", paid, True) for paid in (65, 129, 130, 259, 260, 900)] == [1, 1, 2, 2, 3, 3]


def test_7_2_4_rounding_players_and_cousins_up_pool_down_treasury_the_rest() -> None:
    game = new_game(cousins=["VF"])
    floated(game, "LSR", shares=20, held={"@1": 7, "VF": 1, "@2": 1}, pool=3, at=65, money=0)
    line(game)
    in_turn(game, step="run", trains=["2+"])
    act(game, "LSR run 2+-0=G7.c0>G9>G11.c0")
    act(game, "LSR pay")
    # 50 over 20 shares: Ann 17.5 -> 18, Bob 2.5 -> 3, the cousin 3, the pool 7.5 -> 7, the treasury what is left: 19.
    assert (cash(game, ANN), cash(game, BOB), cash(game, "VF"), cash(game, "LSR")) == (1018, 1003, 3, 19)
    assert price(game) == 60


def test_7_2_4_withheld_revenue_goes_to_the_treasury_and_the_price_falls() -> None:
    game = new_game()
    floated(game, "LSR", at=65, money=0)
    line(game)
    in_turn(game, step="run", trains=["2+"])
    act(game, "LSR run 2+-0=G7.c0>G9>G11.c0", "LSR withhold")
    assert cash(game, "LSR") == 50 and price(game) == 60


def test_7_2_4_private_companies_always_pay() -> None:
    game = new_game()
    floated(game, "LSR", shares=1)
    line(game)
    in_turn(game, step="run", trains=["2+"])
    act(game, "LSR run 2+-0=G7.c0>G9>G11.c0")
    assert cash(game, ANN) == 1050


def test_7_2_3_the_highest_revenue_must_be_claimed() -> None:
    game = new_game()
    floated(game, "LSR")
    line(game)
    in_turn(game, step="run", trains=["2+"])
    refused(game, "LSR run nothing", "can run trains, so it must", "§7.2.3")


def test_9_1_a_dividend_that_moves_the_price_to_500_ends_the_game_after_the_round() -> None:
    game = new_game()
    floated(game, "LSR", at=477, stations=0)
    lay(game, "G7", "150", 1)
    token(game, "LSR", "G7")
    in_turn(game, step="dividend", trains=["2+"])
    place_marker(game, "LSR", (0, column(477)))
    game.frame.memory.revenue, game.frame.memory.used = 480, []
    game.frame.at = 6
    game.advance()
    act(game, "LSR pay")
    assert price(game) == 500 and not game.state.finished
    while not game.state.finished:
        act(game, "LSR pass")
    assert "£500" in game.state.ending and game.state.round.kind == "operating"


# -- §7.2.5 -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "column", "cost"),
    [("2+", 1, 0), ("2+", 3, 10), ("2+", 12, 2500), ("3+", 3, 0), ("3+", 12, 1000), ("5+", 6, 25), ("5+", 17, 5000),
     ("8+", 9, 50), ("8+", 15, 1000), ("5D+", 12, 160), ("5D+", 17, 2500), ("FLOOD", 15, 400), ("FLOOD", 17, 1000)],
)  # fmt: skip
def test_10_5_maintenance_by_the_chart(kind: str, column: int, cost: int) -> None:
    assert MAINTENANCE[kind][column - 1] == cost


def in_costs(money: int, *trains: str, phase: str = "green", **more: int) -> Game:
    """LSR must pay maintenance: in the third green column a 2+ costs 50, a 3+ 25."""
    game = new_game()
    reach_phase(game, phase)
    memory(game).column = 4
    floated(game, "LSR", held={"@1": 2, "@2": 1}, money=money)
    floated(game, "N&PR", held={"@2": 2, "@1": 1})
    return in_turn(game, step="maintenance", trains=trains)


def test_7_2_5_maintenance_from_the_treasury() -> None:
    game = in_costs(100, "3+", "3+")
    assert maintenance(game, "LSR") == 50
    act(game, "LSR cover")
    assert cash(game, "LSR") == 50 and price(game) == 65


def test_7_2_5_the_director_may_cover_a_shortfall_at_the_price_of_a_space() -> None:
    game = in_costs(30, "3+", "3+")
    act(game, "LSR cover")
    assert cash(game, "LSR") == 0 and cash(game, ANN) == 980 and price(game) == 60


def test_7_2_5_who_does_not_pay_goes_into_liquidation() -> None:
    game = in_costs(100, "3+")
    act(game, "LSR neglect")
    assert price(game) == 10 and cash(game, "LSR") == 100
    game = in_costs(0, "3+", "3+")
    set_cash(game, ANN, 20)
    refused(game, "LSR cover", "£50 maintenance is due", "§7.2.5")
    # Shares may be sold for it, but not those that would cost control.
    refused(game, "@1 sell 2 LSR", "This sale must not change control of LSR", "§7.2.7")
    act(game, "@1 sell 1 N&PR", "LSR cover")
    assert cash(game, ANN) == 20 + 65 - 50


def test_7_2_5_a_private_company_that_does_not_pay_closes() -> None:
    game = new_game()
    reach_phase(game, "green")
    memory(game).column = 4
    floated(game, "LSR", shares=1)
    line(game)
    in_turn(game, step="maintenance", trains=["3+"])
    act(game, "LSR neglect")
    assert company(game).closed and game.state.board.tokens_in(HexId("G7"), 0) == ["BR"]
    assert memory(game).private_track == []


# -- §7.2.6, §7.2.7, §13.7 ----------------------------------------------------------------------------


def test_7_2_6_trains_are_discarded_before_others_are_bought() -> None:
    game = new_game()
    floated(game, "LSR")
    in_turn(game, step="trains", trains=["2+", "2+"])
    refused(game, "LSR discard 3+", "has no 3", "§7.2.6")
    act(game, "LSR discard 2+")
    assert len(game.state.trains_of("LSR")) == 1
    act(game, "LSR buy 2+ for 80")
    refused(game, "LSR discard 2+", "Discard trains before buying others", "§7.2")


def test_7_2_7_the_supply_sells_at_face_value_up_to_the_limit() -> None:
    game = new_game()
    floated(game, "LSR", money=1000)
    in_turn(game, step="trains", trains=["2+"] * 5)
    refused(game, "LSR buy 2+ for 70", "costs £80", "§7.2.7")
    refused(game, "LSR buy 3+ for 200", "not for sale", "§15.1")
    act(game, "LSR buy 2+ for 80")
    assert cash(game, "LSR") == 920
    if game.frame.entity == "LSR" and game.frame.at == 9:
        refused(game, "LSR buy 2+ for 80", "train limit is 6", "§13.7")


def test_5_1_two_plus_trains_never_run_out() -> None:
    game = new_game()
    give_trains(game, "@3", *["2+"] * 26)
    floated(game, "LSR", money=1000)
    in_turn(game, step="trains")
    act(game, "LSR buy 2+ for 80", "LSR buy 2+ for 80")
    assert len(game.state.trains_of("LSR")) == 2


def test_7_2_7_another_company_sells_by_consent_at_any_price_from_1() -> None:
    game = new_game()
    floated(game, "LSR")
    floated(game, "N&PR", held={"@2": 2}, money=0)
    give_trains(game, "N&PR", "2+", "2+")
    in_turn(game, step="trains", trains=["2+"])
    refused(game, "LSR buy 2+ from N&PR for 0", "A train costs at least £1", "§7.2.7")
    refused(game, "LSR buy 2+ from LSR for 1", "another company", "§7.2.7")
    refused(game, "LSR buy 3+ from N&PR for 1", "has no 3", "§7.2.7")
    act(game, "LSR buy 2+ from N&PR for 1", "@2 refuse", "LSR buy 2+ from N&PR for 333")
    assert list(game.players_to_act()) == [BOB]
    happened = act(game, "@2 refuse", "LSR buy 2+ from N&PR for 333", "@2 agree")
    sold = [event for event in happened if isinstance(event, TrainBought)]
    assert [(one.company, one.kind, one.source, one.price) for one in sold] == [("LSR", "2+", "N&PR", 333)]
    assert cash(game, "N&PR") == 333 and len(game.state.trains_of("LSR")) == 2


def test_7_2_7_private_and_public_companies_trade_at_face_value_less_maintenance() -> None:
    game = new_game()
    reach_phase(game, "green")
    memory(game).column = 4
    floated(game, "LSR", shares=1)
    floated(game, "N&PR", held={"@1": 2}, money=500)
    give_trains(game, "N&PR", "3+", "3+")
    in_turn(game, step="trains", trains=["3+"])
    refused(game, "LSR buy 3+ from N&PR for 174", "A private company must pay a public company at least", "§7.2.7")
    act(game, "LSR buy 3+ from N&PR for 175")
    assert cash(game, "N&PR") == 675 and cash(game, ANN) == 825
    in_turn(game, "N&PR", step="trains")
    refused(game, "N&PR buy 3+ from LSR for 176", "A public company may pay a private company at most £175", "§7.2.7")
    act(game, "N&PR buy 3+ from LSR for 175")
    assert cash(game, ANN) == 1000


def test_7_2_7_private_companies_trade_with_each_other_at_any_price() -> None:
    game = new_game()
    reach_phase(game, "green")
    memory(game).column = 4
    floated(game, "LSR", shares=1)
    floated(game, "N&PR", shares=1, held={"@2": 1})
    give_trains(game, "N&PR", "3+", "3+")
    in_turn(game, step="trains", trains=["3+"])
    act(game, "LSR buy 3+ from N&PR for 1", "@2 agree", "LSR buy 3+ from N&PR for 300", "@2 agree")
    assert (cash(game, ANN), cash(game, BOB)) == (1000 - 301, 1000 + 301)


def test_7_2_7_a_director_helps_a_public_company_without_a_train() -> None:
    game = new_game()
    floated(game, "LSR", money=150)
    floated(game, "N&PR", held={"@2": 2})
    give_trains(game, "N&PR", "3+")
    reach_phase(game, "blue")
    in_turn(game, step="trains")
    # 5+ for 400: 150 from the treasury, 250 from Ann.
    assert maintenance(game, "N&PR") == 50
    refused(game, "LSR buy 3+ from N&PR for 151", "150 at most", "§7.2.7")
    events = act(game, "LSR buy 5+ for 400")
    assert cash(game, "LSR") == 0 and cash(game, ANN) == 750 and "Ann gives LSR £250 for a train." in told(game, events)


def test_7_2_7_shares_are_sold_to_raise_cash_that_is_lacking() -> None:
    game = new_game()
    floated(game, "LSR", money=0)
    floated(game, "N&PR", held={"@1": 2, "@2": 1})
    in_turn(game, step="trains")
    # A 2+ costs 80, and Ann has 1000.
    refused(game, "@1 sell 1 N&PR", "LSR can get trains without selling shares", "§7.2.7")
    set_cash(game, ANN, 79)
    game.state.money = sum(game.state.cash.values())
    act(game, "@1 sell 1 N&PR")
    assert cash(game, ANN) == 144
    refused(game, "@1 sell 1 N&PR", "LSR can get trains without selling shares", "§7.2.7")
    act(game, "LSR buy 2+ for 80")
    assert cash(game, ANN) == 64


def test_7_2_7_who_helps_sells_his_own_shares_and_not_the_control_of_the_company() -> None:
    game = new_game()
    floated(game, "LSR", held={"@1": 2, "@2": 2}, money=0)
    floated(game, "N&PR", held={"@1": 2, "@2": 1})
    in_turn(game, step="trains")
    set_cash(game, ANN, 0)
    game.state.money = sum(game.state.cash.values())
    refused(game, "@1 sell 1 LSR", "This sale must not change control of LSR", "§7.2.7")
    in_turn(game, step="trains", trains=["2+"])
    refused(game, "@1 sell 1 N&PR", "may not pay for its trains", "§7.2.7")


def test_17_1_a_turn_stops_for_a_train_that_only_a_loan_can_pay() -> None:
    game = new_game()
    floated(game, "LSR", money=0)
    set_cash(game, ANN, 0)
    in_turn(game, step="trains")
    assert game.step.name == "buy trains"
    refused(game, "LSR buy 2+ for 80", "LSR has £0", "§7.2.7")
    act(game, "LSR loan", "LSR buy 2+ for 80")
    assert (cash(game, "LSR"), price(game)) == (120, 60)
    # With as many loans as shares in play, and nothing to sell, nobody can help: the company is judged at once.
    game = new_game()
    floated(game, "LSR", held={"@1": 1}, money=0, loans=1)
    set_cash(game, ANN, 0)
    in_turn(game, step="trains")
    assert price(game) == 10


def test_6_4_3_a_turn_stops_for_a_future_train_that_can_be_assigned() -> None:
    game = new_game()
    floated(game, "LSR", held={"@1": 1}, money=0, loans=1)
    give_trains(game, BOB, "2+")
    set_cash(game, ANN, 0)
    in_turn(game, step="trains")
    act(game, "LSR assign 2+ from @2", "@2 agree", "LSR pass")
    assert price(game) == 65


def test_7_2_7_without_a_train_a_public_company_is_liquidated_and_a_private_one_closes() -> None:
    game = new_game()
    floated(game, "LSR")
    in_turn(game, step="trains")
    assert str(question(game)).endswith("buy a train, take a loan or pass: without one LSR goes into liquidation.")
    act(game, "LSR pass")
    assert price(game) == 10
    game = new_game()
    floated(game, "LSR", shares=1)
    line(game)
    in_turn(game, step="trains")
    act(game, "LSR pass")
    assert company(game).closed and "LSR" not in memory(game).directors


def test_5_1_a_first_train_of_a_colour_begins_its_phase_and_moves_the_chart() -> None:
    game = new_game()
    for train in game.state.trains:
        if train.kind == "2+":
            rearrange(game, train, owner=REMOVED)
    floated(game, "LSR")
    floated(game, "N&PR", held={"@2": 2})
    for train in [one for one in game.state.trains if one.kind == "2+"][:6]:
        rearrange(game, train, owner="N&PR")
    in_turn(game, step="trains")
    act(game, "LSR buy 3+ for 200")
    assert game.state.phase == "green" and memory(game).column == 2
    # The limit is 5 now: N&PR's director and nobody else is asked.
    assert game.frame.plan == "discard" and list(game.players_to_act()) == [BOB]
    act(game, "N&PR discard 2+")
    assert len(game.state.trains_of("N&PR")) == 5


def test_13_2_14_5_1_who_buys_before_running() -> None:
    game = new_game(cousins=["JH"])
    floated(game, "LSR", held={"@1": 2, "JH": 1})
    line(game)
    in_turn(game, step="early")
    act(game, "LSR buy 2+ for 80")
    assert memory(game).uses == {"JH LSR": 1} and game.step.name == "run trains"
    act(game, "LSR run 2+-0=G7.c0>G9>G11.c0")
    in_turn(game, step="early")
    assert game.frame.at != 3  # once a game
    game = new_game()
    floated(game, "LSR", shares=1)
    in_turn(game, step="early")
    assert game.frame.at == 3
    act(game, "LSR buy 2+ for 80")
    assert cash(game, ANN) == 920
    # What was bought before the run does not stand in the way of discarding after it (§7.2, steps 3 and 7).
    game.frame.at = PLACES["trains"]
    act(game, "LSR discard 2+", "LSR buy 2+ for 80")
    refused(game, "LSR discard 2+", "Discard trains before buying others", "§7.2")
    game = new_game()
    floated(game, "LSR")
    in_turn(game, step="early")
    assert game.frame.at == 9


# -- §6.4.3 -------------------------------------------------------------------------------------------


def test_6_4_3_a_future_train_is_assigned_with_its_holders_consent_once_it_is_available() -> None:
    game = new_game()
    floated(game, "LSR")
    give_trains(game, BOB, "3+")
    in_turn(game, step="trains", trains=["2+"])
    refused(game, "LSR assign 3+ from @2", "not available yet", "§6.4.3")
    for train in game.state.trains:
        if train.kind == "2+" and train.owner == DEPOT:
            rearrange(game, train, owner=REMOVED)
    act(game, "LSR assign 3+ from @2")
    assert list(game.players_to_act()) == [BOB]
    act(game, "@2 agree")
    assert game.state.phase == "green" and memory(game).column == 2
    assert [train.kind for train in game.state.trains_of("LSR")] == ["2+", "3+"]


def test_6_4_3_also_at_the_limit_and_then_trains_are_discarded() -> None:
    game = new_game()
    reach_phase(game, "green")
    floated(game, "LSR")
    give_trains(game, ANN, "3+")
    in_turn(game, step="trains", trains=["3+"] * 5)
    act(game, "LSR assign 3+ from @1")
    assert game.frame.plan == "discard"
    act(game, "LSR discard 3+")
    assert len(game.state.trains_of("LSR")) == 5


# -- §7.2.8, §7.2.9, §17 ------------------------------------------------------------------------------


@pytest.mark.parametrize(("phase", "each"), [("yellow", 20), ("blue", 20), ("brown", 40), ("red", 60), ("gray", 80)])
def test_7_2_8_interest_by_the_chart(phase: str, each: int) -> None:
    game = new_game()
    reach_phase(game, phase)
    floated(game, "LSR", held={"@1": 3}, loans=2)
    in_turn(game, step="interest", trains=["FLOOD"])
    act(game, "LSR cover")
    assert cash(game, "LSR") == 500 - 2 * each


def test_17_loans_are_200_for_a_space_up_to_the_shares_in_play() -> None:
    game = new_game()
    floated(game, "LSR", held={"@1": 2})
    in_turn(game, step="trains", trains=["2+"])
    act(game, "LSR loan", "LSR loan")
    assert (cash(game, "LSR"), company(game).loans, price(game)) == (900, 2, 55)
    refused(game, "LSR loan", "2 shares in play and 2 loans", "§17.2")
    game = new_game()
    floated(game, "LSR", held={"@1": 2}, at=40)
    in_turn(game, step="trains", trains=["2+"])
    refused(game, "LSR loan", "into liquidation", "§17.1")
    game = new_game()
    floated(game, "LSR", shares=1)
    in_turn(game, step="trains", trains=["2+"])
    refused(game, "LSR loan", "not a public company", "§17.1")


def test_7_2_9_loans_are_repaid_after_interest_and_the_price_rises() -> None:
    game = new_game()
    floated(game, "LSR", held={"@1": 3}, loans=3, at=55)
    in_turn(game, step="interest", trains=["2+"])
    act(game, "LSR cover")
    refused(game, "LSR repay 3", "costs £600", "§7.2.9")
    act(game, "LSR repay 2")
    assert (cash(game, "LSR"), company(game).loans, price(game)) == (500 - 60 - 400, 1, 65)


def test_17_1_no_loan_after_the_interest_of_the_round() -> None:
    game = new_game()
    floated(game, "LSR", held={"@1": 3}, loans=1, at=55)
    in_turn(game, step="interest", trains=["2+"])
    act(game, "LSR loan", "LSR cover")
    assert cash(game, "LSR") == 500 + 200 - 40
    refused(game, "LSR loan", "This round's interest is already paid, and every loan", "§17.1")
    game = new_game()
    floated(game, "LSR", held={"@1": 3}, loans=1)
    in_turn(game, step="interest", trains=["2+"])
    events = act(game, "LSR neglect")
    lines = told(game, events)
    assert "LSR goes into liquidation: it did not pay £20 interest." in lines
    assert not any("repays" in line for line in lines)


# -- §14.1 --------------------------------------------------------------------------------------------


def test_14_1_a_cousins_company_runs_withholds_and_pays_nothing() -> None:
    game = new_game(cousins=["VF"])
    reach_phase(game, "green")
    memory(game).column = 4
    floated(game, "LSR", held={"VF": 2, "@2": 1}, money=500)
    line(game)
    give_trains(game, "LSR", "3+")
    game.state.round.kind, game.state.round.number = "stock", 2
    game.state.flow = []
    game.push("game")
    game.frame.at = 1
    game.state.money = sum(game.state.cash.values())
    game.advance()
    assert [line for line in told(game, game.events) if line.startswith(("LSR withholds", "LSR goes"))] == [
        "LSR withholds £50.",
        "LSR goes into liquidation: it did not pay £25 maintenance.",
    ]
    # Its liquidation followed, and no player directs a company any more (§9.1).
    assert game.state.finished


@pytest.mark.parametrize(("trains", "is_judged"), [([], True), (["2+"], False)])
def test_14_1_a_cousins_company_without_a_train_is_put_into_liquidation(trains: list[str], is_judged: bool) -> None:
    game = new_game(cousins=["VF"])
    floated(game, "LSR", held={"VF": 2})
    floated(game, "N&PR", held={"@2": 2}, at=40)
    give_trains(game, "LSR", *trains)
    game.state.round.kind, game.state.round.number = "stock", 2
    game.state.flow = []
    game.push("game")
    game.frame.at = 1
    game.advance()
    put = [line for line in told(game, game.events) if "goes into liquidation" in line]
    assert put == ["LSR goes into liquidation: it has no train."] * is_judged
    assert (price(game) == 10) is is_judged


def test_14_1_cousins_close_when_red_begins() -> None:
    from bot.engine.state.events import PhaseBegan
    from bot.titles.t1820.cousins import close_cousins

    game = new_game(cousins=["VF", "CBV"])
    floated(game, "LSR", held={"@1": 2, "VF": 1}, at=65)
    set_cash(game, "VF", 36)
    close_cousins(game, PhaseBegan("brown"))
    assert not game.private("VF").closed
    close_cousins(game, PhaseBegan("red"))
    # 36 + 65 = 101: half rounded up is 51.
    assert cash(game, ANN) == 1051 and cash(game, "VF") == 0 and game.private("VF").closed
    assert company(game).count_of(POOL) == 1


def test_14_1_no_choice_is_left_among_cousins_that_have_all_closed() -> None:
    game = new_game(cousins=["VF", "CBV", "JL"])
    reach_phase(game, "brown")
    floated(game, "LSR", shares=10, held={"VF": 3, "CBV": 2, "JL": 2}, at=65)
    floated(game, "N&PR", held={"@2": 2}, at=71, money=3000)
    for train in game.state.trains:
        if train.kind == "8+" and train.owner == DEPOT:
            rearrange(game, train, owner=REMOVED)
    in_turn(game, "N&PR", step="trains")
    act(game, "N&PR buy 5D+ for 1600")
    assert game.frame.plan == "company turn" and list(game.players_to_act()) == [BOB]
    assert price(game) == 10 and company(game).count_of(POOL) == 7


def test_14_1_a_company_left_without_a_director_goes_into_liquidation_within_the_train_limit() -> None:
    game = new_game(cousins=["VF"])
    reach_phase(game, "brown")
    floated(game, "LSR", held={"VF": 2}, at=65)
    floated(game, "N&PR", held={"@2": 2}, at=71, money=3000)
    give_trains(game, "LSR", "8+", "8+", "8+", "8+")
    for train in game.state.trains:
        if train.kind == "8+" and train.owner == DEPOT:
            rearrange(game, train, owner=REMOVED)
    in_turn(game, "N&PR", step="trains")
    act(game, "N&PR buy 5D+ for 1600")
    assert price(game) == 10 and "LSR" not in memory(game).directors
    assert len(game.state.trains_of("LSR")) == 3 and company(game).count_of(POOL) == 2


# -- §10.8, §13.5 -------------------------------------------------------------------------------------


def test_10_8_victoria_dies_after_the_first_operating_round_that_starts_in_brown() -> None:
    game = new_game()
    reach_phase(game, "blue")
    begin_operating_round(game)
    game.state.phase = "brown"
    resolve_victoria_event(game)
    assert not memory(game).is_victoria_dead
    begin_operating_round(game)
    game.state.phase = "red"
    resolve_victoria_event(game)
    assert memory(game).is_victoria_dead and price(game, "BR") == 95
    assert company(game, "BR").count_of(POOL) == 100
    board = game.state.board
    assert [board.tokens_in(HexId("M13"), city) for city in range(6)] == [["BR"]] * 6
    assert board.tokens_in(HexId("M15"), 0) == ["BR"]
    assert audit(game) == [], "play stands at no decision here"


def test_13_5_order_from_london_begins_towards_margate_and_goes_clockwise() -> None:
    ring = sorted(("L12", "L14", "M11", "N12", "N14"), key=rank_from_london)
    assert ring == ["N14", "N12", "M11", "L12", "L14"]
    assert rank_from_london(HexId("N14")) < rank_from_london(HexId("L16"))


def test_13_5_the_first_three_tiles_with_room_are_filled() -> None:
    game = new_game()
    floated(game, "LSR")
    for hex_id, tile in (("K13", "14"), ("H12", "57"), ("H18", "57"), ("N18", "5"), ("G7", "150")):
        lay(game, hex_id, tile)
    token(game, "LSR", "K13")
    place_stations(game)
    board = game.state.board
    assert board.tokens_in(HexId("K13"), 0) == ["LSR", "BR"]
    # K13 lies two spaces from London, N18 three; H12 and H18 five, and clockwise from Margate H12 comes first.
    filled = [hex_id for hex_id in ("H12", "H18", "N18", "G7") if board.tokens_in(HexId(hex_id), 0) == ["BR"]]
    assert filled == ["H12", "N18"]


def test_13_5_income_counts_stations_ports_and_off_boards() -> None:
    game = new_game()
    reach_phase(game, "brown")
    memory(game).began_in_brown = True
    resolve_victoria_event(game)
    parts = {str(name): money for name, money in income(game)}
    # London's six circles at 80 in brown, Chatham 30; the docks once at 80; no off-board.
    assert parts == {"stations": 6 * 80 + 30, "ports": 80, "off-boards": 0}
    operate(game)
    assert price(game, "BR") > 95
    assert cash(game, "BR") == 0


def test_13_5_its_dividend_rounds_up_for_players() -> None:
    game = new_game()
    reach_phase(game, "brown")
    memory(game).began_in_brown = True
    resolve_victoria_event(game)
    record = company(game, "BR")
    for certificate in record.certificates[:3]:
        rearrange(game, certificate, owner=CID)
    before = cash(game, CID)
    operate(game)
    total = 6 * 80 + 30 + 80
    assert cash(game, CID) == before - (-total * 3 // 100)


def test_10_5_columns_belong_to_phases() -> None:
    assert [PHASE_OF_COLUMN.index(phase) + 1 for phase in ("yellow", "green", "blue", "brown", "red", "gray")] == [
        1, 3, 6, 9, 12, 15,
    ]  # fmt: skip
