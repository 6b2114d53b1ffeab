"""18GB where two of its rules meet: receivership and exports, conversion and limits, the green area."""

from __future__ import annotations

import pytest

from bot.engine.ids import POOL, Owner
from bot.engine.play.game import Game
from bot.engine.play.holdings.market import price_of
from tests.titles import builders_18gb as gb
from tests.titles.positions import act, cash, company, give_train, refused, set_cash
from tests.titles.rulebook.test_18gb_insolvency_rulebook import insolvent, receivership
from tests.titles.rulebook.test_18gb_trains_rulebook import kinds, shop


def rich(game: Game) -> Game:
    """Everybody has 1000."""
    for player in game.state.players:
        set_cash(game, player.id, 1000)
    game.state.money = sum(game.state.cash.values())
    return game


def test_what_a_company_in_receivership_buys_is_a_new_train_and_none_is_exported() -> None:
    game = receivership(50)
    assert kinds(game) == ["2+1"]
    left = gb.number_in_depot(game, "2+1")
    while game.state.round.part == 1:
        act(game, gb.offered(game, "pass")[0])
    assert gb.number_in_depot(game, "2+1") == left


def test_after_its_conversion_a_company_has_room_for_another_train() -> None:
    """In the blue phase two trains for five shares, three for ten."""
    game = shop("4+2", trains=("4+2", "4+2"))
    refused(game, "MR buy 4+2 for 300", "")
    rich(game)
    gb.stock_round(game, 3)
    act(game, "@1 convert MR", "@1 pass")
    gb.operating(game, "MR", step=gb.TRAINS)
    act(game, "MR buy 4+2 for 300")
    assert kinds(game) == ["4+2"] * 3


@pytest.mark.parametrize(("held", "second"), [(1, False), (0, True)])
def test_the_second_share_in_the_green_area_keeps_to_60_percent_of_the_ipo(held: int, second: bool) -> None:
    game = gb.new_game()
    gb.started(game, "MR", {"@1": held} if held else {}, price=50)
    give_train(game, "MR", "2+1")
    rich(game)
    gb.stock_round(game)
    if second:
        act(game, "@1 buy MR from ipo")
        assert game.company(Owner("MR")).percent_held_by(Owner("@1")) == 60
    else:
        refused(game, "@1 buy MR from ipo", "")


@pytest.mark.parametrize(("train", "paid"), [(True, 130), (False, 64)])
def test_two_shares_of_a_trainless_company_at_an_odd_price_bring_half_each(train: bool, paid: int) -> None:
    game = gb.new_game()
    gb.started(game, "MR", {"@2": 3}, price=65)
    if train:
        give_train(game, "MR", "2+1")
    rich(game)
    gb.stock_round(game, player="@2")
    act(game, "@2 sell 2 MR")
    assert (cash(game, "@2"), price_of(game, company("MR"))) == (1000 + paid, 55)


def test_half_of_the_presidents_certificate_goes_when_another_has_more_then() -> None:
    game = gb.new_game()
    gb.started(game, "MR", {"@2": 2}, price=100)
    give_train(game, "MR", "2+1")
    rich(game)
    gb.stock_round(game)
    act(game, "@1 sell 1 MR")
    record = game.company(Owner("MR"))
    held = [record.percent_held_by(Owner(owner)) for owner in ("@1", "@2", POOL)]
    assert (record.certificates[0].owner, held) == ("@2", [20, 40, 20])


@pytest.mark.parametrize(("seller", "price"), [("@1", 80), ("@2", 100)])
def test_in_the_gray_phase_a_trainless_company_pays_half_and_the_presidents_sales_alone_move_it(
    seller: str, price: int
) -> None:
    game = gb.new_game()
    gb.reach_phase(game, "6X")
    gb.started(game, "MR", {})
    gb.grow(game, "MR", ["@1", "@1", "@1", "@2", "@2", POOL, POOL, POOL])
    rich(game)
    gb.stock_round(game, 5, player=seller)
    act(game, f"{seller} sell 2 MR")
    assert (cash(game, seller), price_of(game, company("MR"))) == (1100, price)


def test_a_private_closed_in_a_stock_round_pays_then_and_not_at_the_next_operating_round() -> None:
    game = gb.new_game(6)
    gb.own(game, SD="@1")
    gb.started(game, "MR", {"@2": 1})
    rich(game)
    gb.stock_round(game)
    act(game, "@1 close SD")
    income = cash(game, "@1") - 1000
    gb.operating_round(game)
    assert (income, cash(game, "@1")) == (12, 1012)


@pytest.mark.parametrize(("private", "space"), [("GN", "I14"), ("MC", "H9")])
@pytest.mark.parametrize("over", [True, False])
def test_with_two_trains_left_no_privates_token_is_placed_either(private: str, space: str, over: bool) -> None:
    game = gb.new_game(6)
    gb.own(game)
    gb.reach_phase(game, "6X")
    gb.started(game, "NER", {"@2": 1})
    gb.closed(game, private)
    game.state.special.last_trains = over
    gb.operating(game, "NER", ["5X"])
    if over:
        refused(game, f"NER token {space} with {private}", "18GB end of the game")
    else:
        act(game, f"NER token {space} with {private}")


@pytest.mark.parametrize(("money", "may_pass"), [(79, True), (80, False)])
def test_an_insolvent_company_that_can_pay_for_a_train_must_buy_it_after_its_run(money: int, may_pass: bool) -> None:
    game = insolvent(money=money, step=gb.TRAINS)
    if may_pass:
        act(game, "MR pass")
        assert game.frame.entity != "MR"
    else:
        refused(game, "MR pass")
        act(game, "MR buy 2+1 for 80")


def test_what_is_sold_at_half_for_want_of_a_train_is_bought_at_the_whole_price() -> None:
    game = gb.new_game()
    gb.started(game, "MR", {"@2": 1}, price=80)
    rich(game)
    gb.stock_round(game, player="@2")
    act(game, "@2 sell 1 MR", "@2 pass")
    buyer = game.players_to_act()[0]
    act(game, f"{buyer} buy MR from pool")
    assert (cash(game, "@2"), cash(game, buyer)) == (1000 + 40, 1000 - 75)
