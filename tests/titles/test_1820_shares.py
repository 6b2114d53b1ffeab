"""1820 §6.5.2.3, §6.5.2.4, §13.4, §14.3.1: every condition of buying and selling shares, at its limit."""

from __future__ import annotations

import pytest

from bot.engine.ids import IPO, POOL
from bot.engine.play.game import Game
from bot.engine.refusals import IllegalMove
from bot.engine.state.events import SharesBought, SharesSold
from bot.engine.state.state import Round
from bot.titles.t1820.actions import ChooseDirector
from bot.titles.t1820.stock.shares import (
    ChooseCousin,
    buy,
    check_holding,
    check_purchase,
    check_sale,
    known_company,
    most_to_sell,
    sell,
)
from tests.message_helpers import told
from tests.titles.builders_1820 import ANN, BOB, CID, company, floated, memory, new_game, refused, stock_turn
from tests.titles.positions import act, cash, set_cash


def forbidden(words: str, section: str, check: object, *arguments: object) -> None:
    """The check refuses for this reason."""
    with pytest.raises(IllegalMove, match=words) as caught:
        check(*arguments)  # type: ignore[operator]
    assert caught.value.rule == section


# -- selling ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shares", [0, 3])
def test_6_5_2_3_one_sells_what_one_holds(shares: int) -> None:
    game = new_game()
    floated(game, "LSR", held={"@1": 2, "@2": 2})
    forbidden(f"Ann holds 2 shares of LSR, not {shares}", "1820 §6.5.2.3", check_sale, game, ANN, "LSR", shares, None)
    check_sale(game, ANN, "LSR", 2, None)


def test_6_5_2_3_a_private_company_has_no_shares_to_sell_or_buy() -> None:
    game = new_game()
    floated(game, "LSR", shares=1)
    forbidden("private; it has no shares", "1820 §13.2", check_sale, game, ANN, "LSR", 1, None)
    forbidden("has no shares for sale", "1820 §6.5.2.4", check_purchase, game, BOB, "LSR", ANN)


@pytest.mark.parametrize("field", ["floated_in", "enlarged_in"])
def test_6_5_2_3_new_and_grown_companies_are_sold_in_the_operating_round_that_follows(field: str) -> None:
    game = new_game()
    floated(game, "LSR", held={"@1": 2, "@2": 2})
    getattr(memory(game), field)["LSR"] = 2
    game.state.round = Round("stock", 2)
    forbidden("this stock round", "1820 §6.5.2.3", check_sale, game, ANN, "LSR", 1, None)
    game.state.round = Round("operating", 2, 1, 2)
    check_sale(game, ANN, "LSR", 1, None)
    game.state.round = Round("stock", 3)
    check_sale(game, ANN, "LSR", 1, None)


def test_7_2_7_control_of_the_company_in_turn_stays_but_others_may_sell_it() -> None:
    game = new_game()
    floated(game, "LSR", shares=10, held={"@1": 4, "@2": 2})
    forbidden("This sale must not change control of LSR", "1820 §7.2.7", check_sale, game, ANN, "LSR", 3, "LSR")
    check_sale(game, ANN, "LSR", 2, "LSR")
    check_sale(game, ANN, "LSR", 3, "N&PR")
    check_sale(game, BOB, "LSR", 2, "LSR")
    assert (most_to_sell(game, ANN, "LSR", "LSR"), most_to_sell(game, ANN, "LSR"), most_to_sell(game, CID, "LSR")) == (
        2,
        4,
        0,
    )


def test_6_5_2_3_the_last_share_stays_with_a_player_or_cousin() -> None:
    game = new_game()
    floated(game, "LSR", held={"@1": 2})
    forbidden("must keep a share", "1820 §6.5.2.3", check_sale, game, ANN, "LSR", 2, None)
    assert most_to_sell(game, ANN, "LSR") == 1


def test_6_5_2_3_a_sale_is_told_with_its_percentage_and_its_price() -> None:
    game = stock_turn(floated_by_two(new_game(), shares=20))
    events = act(game, "@1 sell 3 LSR")
    assert [event for event in events if isinstance(event, SharesSold)] == [SharesSold(ANN, "LSR", 15, 195)]
    assert memory(game).sold == {"@1": ["LSR"]}


def floated_by_two(game: Game, shares: int = 5, ann: int = 4, bob: int = 1) -> Game:
    """LSR at £65, most of it Ann's, a part Bob's."""
    floated(game, "LSR", shares=shares, held={"@1": ann, "@2": bob}, pool=0)
    return game


def test_6_5_2_4_only_sales_of_a_stock_round_keep_from_buying() -> None:
    game = floated_by_two(new_game(), shares=20)
    game.state.round = Round("operating", 2, 1, 2)
    game.push("game")
    sell(game, ANN, "LSR", 1)
    assert memory(game).sold == {}


@pytest.mark.parametrize(("cousins", "asked"), [(("VF",), False), (("VF", "JL"), True)])
def test_13_4_only_among_several_tied_cousins_somebody_is_asked(cousins: tuple[str, ...], asked: bool) -> None:
    game = new_game(cousins=cousins)
    floated(game, "LSR", shares=10, held={"@1": 3, **dict.fromkeys(cousins, 2)})
    game.push("game")
    sell(game, ANN, "LSR", 2)
    assert (game.frame.plan == "choose director") == asked


def test_13_4_a_choice_is_one_of_the_tied_cousins_for_the_company_in_question() -> None:
    game = new_game(cousins=["VF", "JL", "CBV"])
    floated(game, "LSR", shares=20, held={"@1": 5, "VF": 4, "JL": 4, "CBV": 3}, pool=4)
    floated(game, "N&PR", held={"@2": 2})
    stock_turn(game)
    act(game, "@1 sell 2 LSR")
    step = ChooseCousin()
    assert list(step.options(game)) == [ChooseDirector(ANN, "LSR", "VF"), ChooseDirector(ANN, "LSR", "JL")]
    for wrong in ("@1 director LSR CBV", "@1 director N&PR VF"):
        refused(game, wrong, "director of LSR can be VF or JL", "§13.4")
    other = game.copy()
    record = company(other)
    record.move_certificates([one for one in record.certificates if one.owner == "VF"], POOL)
    assert step.opens(game) and not step.opens(other)
    act(game, "@1 director LSR JL")
    assert memory(game).directors["LSR"] == "JL" and game.frame.plan != "choose director"


# -- buying -------------------------------------------------------------------------------------------


def test_6_5_2_4_a_share_costs_its_price_and_must_be_there() -> None:
    game = floated_by_two(new_game(), shares=20)
    set_cash(game, BOB, 65)
    check_purchase(game, BOB, "LSR", IPO)
    set_cash(game, BOB, 64)
    forbidden("That costs £65; Bob has £64", "1820 §6.5.1", check_purchase, game, BOB, "LSR", IPO)
    forbidden(
        "There is no such share of LSR to buy from the pool", "1820 §6.5.2.4", check_purchase, game, BOB, "LSR", POOL
    )
    forbidden("There is no such share of LSR to buy from Cid", "1820 §6.5.2.4", check_purchase, game, BOB, "LSR", CID)
    forbidden("There is no such share of LSR to buy from Bob", "1820 §6.5.2.4", check_purchase, game, BOB, "LSR", BOB)
    floated(game, "N&PR", held={"@1": 2, "@3": 3})
    forbidden(
        "There is no such share of N&PR to buy from N&PR's", "1820 §6.5.2.4", check_purchase, game, BOB, "N&PR", IPO
    )


def test_10_7_nobody_buys_a_company_in_liquidation() -> None:
    game = new_game()
    floated(game, "LSR", held={"@1": 2, "@2": 1}, at=10)
    forbidden("LSR is in liquidation; its shares cannot be bought", "1820 §10.7", check_purchase, game, BOB, "LSR", IPO)
    forbidden("LSR is in liquidation; its shares cannot be sold", "1820 §10.7", check_sale, game, BOB, "LSR", 1, None)


@pytest.mark.parametrize(
    ("held", "shares", "may"), [(11, 1, True), (12, 1, False), (10, 2, True), (11, 2, False), (9, 3, True)]
)
def test_6_5_2_4_the_last_share_bought_may_go_beyond_60_percent(held: int, shares: int, may: bool) -> None:
    game = new_game()
    floated(game, "LSR", shares=20, held={"@1": held})
    purchase = (game, ANN, "LSR", company(game).percent_held_by(ANN), shares, 20)
    if may:
        check_holding(*purchase)
    else:
        forbidden("Holders of 60%", "1820 §6.5.2.4", check_holding, *purchase)


@pytest.mark.parametrize(("held", "may"), [(11, True), (12, False)])
def test_6_5_2_4_a_purchase_asks_what_the_buyer_holds(held: int, may: bool) -> None:
    game = new_game()
    floated(game, "LSR", shares=20, held={"@1": held})
    if may:
        check_purchase(game, ANN, "LSR", IPO)
    else:
        forbidden("Holders of 60%", "1820 §6.5.2.4", check_purchase, game, ANN, "LSR", IPO)


def test_6_5_2_4_several_shares_are_bought_and_told_at_once() -> None:
    game = floated_by_two(new_game(), shares=20)
    buy(game, BOB, "LSR", IPO, 3)
    assert SharesBought(BOB, "LSR", IPO, 15, 195) in game.events
    assert (cash(game, BOB), cash(game, "LSR"), company(game).count_of(BOB)) == (805, 695, 4)


def test_13_4_a_director_who_sells_to_another_hands_the_charter_to_whoever_holds_most() -> None:
    game = new_game()
    floated(game, "LSR", shares=10, held={"@1": 2, "@3": 2})
    game.push("game")
    buy(game, BOB, "LSR", ANN)
    assert memory(game).directors["LSR"] == CID


def test_6_5_2_4_companies_that_are_not_in_play_are_unknown() -> None:
    game = new_game()
    for name in ("N&PR", "XYZ"):
        forbidden(f"Company {name} is not in play", "", known_company, game, name)


# -- Vignoles -----------------------------------------------------------------------------------------


def test_14_3_1_the_fee_comes_back_once_and_to_a_purchase_of_vignoles_alone() -> None:
    game = new_game(cousins=["CBV"])
    floated(game, "LSR", shares=20, held={"@1": 4})
    floated(game, "N&PR", held={"@1": 2})
    set_cash(game, "CBV", 500)
    memory(game).fees = {"LSR": 240}
    buy(game, BOB, "LSR", IPO)
    assert memory(game).fees == {"LSR": 240}
    game.events = []
    buy(game, "CBV", "N&PR", IPO)
    halved = "Vignoles brings Ann £120 of LSR's distance fee back."
    assert not any("Vignoles" in line for line in told(game, game.events)) and memory(game).fees == {"LSR": 240}
    for expected in ([halved], []):
        game.events = []
        buy(game, "CBV", "LSR", IPO)
        assert [line for line in told(game, game.events) if "Vignoles" in line] == expected
    assert cash(game, "CBV") == 500 - 3 * 65 + 120 and cash(game, ANN) == 1000 + 120
