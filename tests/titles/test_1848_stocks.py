"""1848 §2-§6 and §12: auction, shares, directors, certificate limits."""

from __future__ import annotations

import pytest

from bot.engine.ids import BANK, IPO, POOL, Owner
from bot.engine.play.game import Game
from bot.engine.play.holdings.certificates import president_of
from bot.engine.play.holdings.market import price_of
from bot.engine.refusals import IllegalMove, NotYourTurn
from bot.engine.state.actions import BuyPrivate, BuyShares, Par, Pass, ReducePrice, SellShares
from bot.titles.t1848.components import CERTIFICATE_LIMIT
from tests.titles.builders_1848 import ANN, BOB, CID, TITLE, new_game, sell_privates, started, stock_round
from tests.titles.positions import company, private, refused, set_cash

VR, CAR, QR, BOE, COM = (company(name) for name in ("VR", "CAR", "QR", "BOE", "COM"))


# -- §2, §3 -------------------------------------------------------------------------------------------


def test_2_1_seating_is_the_order_of_the_names() -> None:
    assert new_game().state.order == [ANN, BOB, CID]


@pytest.mark.parametrize(("players", "cash"), [(3, 840), (4, 630), (5, 510), (6, 430)])
def test_2_3_starting_capital(players: int, cash: int) -> None:
    game = new_game(players)
    assert {game.state.cash[player] for player in game.state.order} == {cash}
    assert game.state.cash[BANK] == 10_000 - players * cash
    assert game.state.cash[BOE] == 2_000


@pytest.mark.parametrize("players", [2, 7])
def test_1_1_three_to_six_players(players: int) -> None:
    with pytest.raises(IllegalMove):
        Game.new(TITLE, ["x"] * players)


def test_3_1_1_buy_at_face_value_or_lower_by_5_then_the_next_player() -> None:
    game = new_game()
    game.apply(ReducePrice(ANN, private("P6")))
    assert game.private(Owner("P6")).price == 225
    game.apply(BuyPrivate(BOB, private("P6"), 225))
    assert game.state.cash[BOB] == 840 - 225
    assert game.players_to_act() == (CID,)


def test_3_1_1_it_is_one_players_turn() -> None:
    with pytest.raises(NotYourTurn):
        new_game().apply(ReducePrice(BOB, private("P6")))


def test_3_1_1_the_track_ends_30_below() -> None:
    game = new_game()
    game.private(Owner("P4")).price = 140
    refused(game, ReducePrice(ANN, private("P4")), "§3.1.2")


def test_3_1_2_at_the_minimum_the_first_private_must_be_bought() -> None:
    game = new_game()
    for record in game.state.privates.values():
        record.price = TITLE.privates[record.id].price - 30
    refused(game, Pass(ANN), "§3.1")
    game.apply(BuyPrivate(ANN, private("P1"), 0))
    game.apply(Pass(BOB))


def test_3_1_3_an_owner_may_pass_others_may_not() -> None:
    game = new_game()
    refused(game, Pass(ANN), "§3.1.3")
    game.apply(BuyPrivate(ANN, private("P1"), 30))
    refused(game, Pass(BOB), "§3.1.3")
    game.apply(ReducePrice(BOB, private("P6")))
    game.apply(ReducePrice(CID, private("P6")))
    game.apply(Pass(ANN))


def test_3_1_4_when_all_pass_sold_privates_pay() -> None:
    game = new_game()
    for player, name, price in ((ANN, "P1", 30), (BOB, "P2", 70), (CID, "P3", 110)):
        game.apply(BuyPrivate(player, private(name), price))
    for player in (ANN, BOB, CID):
        game.apply(Pass(player))
    assert [game.state.cash[player] for player in (ANN, BOB, CID)] == [840 - 30 + 5, 840 - 70 + 10, 840 - 110 + 15]


def auctioned() -> Game:
    game = new_game()
    for player, name in zip((ANN, BOB, CID) * 2, ("P1", "P2", "P3", "P4", "P5", "P6"), strict=True):
        game.apply(BuyPrivate(player, private(name), TITLE.privates[private(name)].price))
    return game


def test_3_2_the_left_neighbour_of_the_last_buyer_begins_the_stock_round() -> None:
    game = auctioned()
    assert (game.state.round.kind, game.players_to_act()) == ("stock", (ANN,))


def test_4_6_p5_comes_with_a_share_of_qr() -> None:
    assert auctioned().company(QR).percent_held_by(BOB) == 10


def test_4_7_p6_comes_with_the_directors_share_of_car_at_100() -> None:
    game = auctioned()
    assert (game.company(CAR).percent_held_by(CID), game.company(CAR).par, price_of(game, CAR)) == (20, 100, 100)
    assert president_of(game.company(CAR)) == CID


# -- §5, §6 -------------------------------------------------------------------------------------------


def test_5_1_2_and_5_2_1_the_directors_share_is_20_percent_at_70_to_100() -> None:
    game = stock_round(new_game(), 1)
    refused(game, Par(ANN, VR, 110), "§12.3.1")
    game.apply(Par(ANN, VR, 90))
    assert game.state.cash[ANN] == 840 - 180
    assert president_of(game.company(VR)) == ANN


def test_5_2_2_launched_at_60_percent_with_ten_times_the_price() -> None:
    game = new_game()
    started(game, "VR", {"@1": 3}, par=70, cash=0, floated=False)
    stock_round(game)
    assert not game.company(VR).floated
    game.apply(BuyShares(ANN, VR))
    assert game.company(VR).floated
    assert game.state.cash[VR] == 700


def test_5_1_3_and_5_1_4_new_shares_cost_the_initial_price_old_ones_the_present() -> None:
    game = new_game()
    started(game, "VR", {"pool": 1}, par=90, position=(1, 7))
    stock_round(game)
    game.copy().apply(BuyShares(ANN, VR))
    game.apply(BuyShares(ANN, VR, POOL))
    assert game.state.cash[ANN] == 840 - 130


def test_5_1_6_no_sales_in_the_first_stock_round() -> None:
    game = new_game()
    started(game, "VR", {"@1": 4, "@2": 2})
    refused(stock_round(game, 1), SellShares(ANN, VR, 1), "§5.1.6")


def test_5_1_6_at_most_half_in_the_pool() -> None:
    game = new_game()
    started(game, "VR", {"@1": 1, "pool": 5, "@2": 2})
    refused(stock_round(game), SellShares(ANN, VR, 1), "§12.4.1")


def test_5_3_2_com_needs_the_link_as_well_as_60_percent() -> None:
    game = new_game()
    started(game, "COM", {"@1": 3}, cash=0, floated=False)
    stock_round(game)
    game.apply(BuyShares(ANN, COM))
    assert not game.company(COM).floated
    assert game.state.cash[COM] == 0


def test_5_3_2_18xx_games_pays_the_capital_at_60_percent() -> None:
    game = new_game(rules="18xx.games")
    started(game, "COM", {"@1": 3}, cash=0, floated=False)
    stock_round(game)
    game.apply(BuyShares(ANN, COM))
    assert game.state.cash[COM] == 1000


def test_5_4_2_bank_shares_cost_the_price_by_loans_and_do_not_move_it() -> None:
    game = stock_round(new_game())
    game.apply(BuyShares(ANN, BOE, POOL))
    assert game.state.cash[ANN] == 840 - 70
    assert game.state.cash[BOE] == 2_000
    stock_round(game)
    game.apply(SellShares(ANN, BOE, 1))
    assert (game.state.cash[ANN], price_of(game, BOE)) == (840, 70)


def test_6_2_more_shares_make_a_director_equality_does_not() -> None:
    game = new_game()
    started(game, "VR", {"@1": 1, "@2": 2})
    stock_round(game, player="@2")
    game.apply(BuyShares(BOB, VR))
    assert president_of(game.company(VR)) == ANN
    started(game, "QR", {"@2": 2})
    stock_round(game, player="@2")
    game.apply(BuyShares(BOB, QR))
    assert president_of(game.company(QR)) == BOB
    assert (game.company(QR).percent_held_by(ANN), game.company(QR).percent_held_by(BOB)) == (20, 30)


def test_6_2_a_tie_goes_to_the_next_after_the_old_director() -> None:
    game = new_game()
    started(game, "VR", {"@1": 2, "@2": 3, "@3": 3})
    stock_round(game)
    game.apply(SellShares(ANN, VR, 2))
    assert president_of(game.company(VR)) == BOB


def test_6_2_the_example_6_shares_sell_4_with_3_opposite() -> None:
    game = new_game()
    started(game, "COM", {"@1": 4, "@2": 3})
    stock_round(game)
    game.apply(SellShares(ANN, COM, 4))
    assert president_of(game.company(COM)) == BOB
    assert (game.company(COM).percent_held_by(ANN), game.company(COM).percent_held_by(POOL)) == (20, 40)


def test_6_2_half_of_the_directors_share_may_be_sold_when_another_takes_over() -> None:
    game = new_game()
    started(game, "VR", {"pool": 4, "@2": 2})
    stock_round(game)
    game.apply(SellShares(ANN, VR, 1))
    assert president_of(game.company(VR)) == BOB
    assert game.company(VR).percent_held_by(POOL) == 50


def test_6_2_without_an_heir_the_director_stays() -> None:
    game = new_game()
    started(game, "VR", {"@2": 1})
    refused(stock_round(game), SellShares(ANN, VR, 1), "§6.2")


# -- §12 ----------------------------------------------------------------------------------------------


def test_12_1_1_sell_any_then_buy_one_and_the_turn_is_over() -> None:
    game = new_game()
    started(game, "VR", {"@1": 4})
    started(game, "QR", {"@2": 1}, director="@2", position=(3, 5), par=80)
    stock_round(game)
    game.apply(SellShares(ANN, VR, 1))
    game.apply(SellShares(ANN, VR, 1))
    assert game.players_to_act() == (ANN,)
    game.apply(BuyShares(ANN, QR))
    assert game.players_to_act() == (BOB,)


def test_12_1_1_the_round_ends_when_all_pass_in_a_row() -> None:
    game = stock_round(new_game())
    for player in (ANN, BOB, CID):
        assert game.state.round.kind == "stock"
        game.apply(Pass(player))
    assert game.state.round.kind != "stock" or game.state.round.number == 3


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_12_2_1_certificate_limits(players: int) -> None:
    game = new_game(players)
    limits = []
    for fallen in range(6):
        game.state.special.receiverships = [VR] * fallen
        limits.append(TITLE.rules.certificate_limit(game, ANN))
    assert tuple(limits) == CERTIFICATE_LIMIT[players]


def test_12_2_1_the_table_of_the_rules() -> None:
    assert CERTIFICATE_LIMIT == {
        3: (20, 18, 16, 14, 12, 10),
        4: (17, 15, 13, 11, 10, 9),
        5: (14, 13, 12, 10, 9, 8),
        6: (12, 11, 10, 9, 8, 7),
    }


def test_12_2_1_at_the_limit_nothing_can_be_bought_and_above_it_one_must_sell() -> None:
    game = new_game()
    started(game, "VR", {"@1": 5})
    started(game, "QR", {"@2": 1}, director="@2")
    game.state.special.receiverships = [COM] * 5
    game.state.special.lost = {ANN: 2}
    stock_round(game)
    refused(game, BuyShares(ANN, QR), "§12.2.1")
    game.state.special.lost = {ANN: 3}
    refused(game, Pass(ANN), "§12.2.1")
    game.apply(SellShares(ANN, VR, 3))
    game.apply(Pass(ANN))


@pytest.mark.parametrize(("players", "limit"), [(3, 7), (4, 6), (6, 6)])
def test_12_2_2_nobody_buys_beyond_60_percent_with_three_players_70(players: int, limit: int) -> None:
    game = new_game(players)
    started(game, "VR", {"@1": limit - 2})
    refused(stock_round(game), BuyShares(ANN, VR), "§12.2.2")
    game = new_game(players)
    started(game, "VR", {"@1": limit - 3})
    stock_round(game).apply(BuyShares(ANN, VR))


def test_12_3_2_what_was_sold_is_not_bought_again_in_the_round() -> None:
    game = new_game()
    started(game, "VR", {"@1": 4})
    stock_round(game)
    game.apply(SellShares(ANN, VR, 1))
    refused(game, BuyShares(ANN, VR), "§12.3.2")


def test_12_5_1_one_row_down_a_sale_not_a_share() -> None:
    game = new_game()
    started(game, "VR", {"@1": 4, "@2": 2}, position=(1, 5))
    stock_round(game)
    game.apply(SellShares(ANN, VR, 3))
    assert game.company(VR).position == (2, 5)
    assert game.state.cash[ANN] == 840 + 300


def test_12_5_1_at_the_bottom_of_a_column_sales_change_nothing() -> None:
    game = new_game()
    started(game, "VR", {"@1": 4, "@2": 2}, position=(5, 5))
    stock_round(game)
    game.apply(SellShares(ANN, VR, 1))
    assert game.company(VR).position == (5, 5)


def test_12_6_1_sold_out_companies_rise_one_row() -> None:
    game = new_game()
    started(game, "VR", {"@1": 4, "@2": 4}, position=(2, 5))
    stock_round(game)
    for player in (ANN, BOB, CID):
        game.apply(Pass(player))
    moved = [event for event in game.events if type(event).__name__ == "PriceMoved"]
    assert [(event.company, event.before, event.after) for event in moved][:1] == [("VR", 90, 100)]


def test_12_7_priority_goes_to_the_left_of_the_last_to_act() -> None:
    game = new_game()
    started(game, "VR", {"@1": 2}, floated=False)
    stock_round(game)
    game.apply(Pass(ANN))
    game.apply(BuyShares(BOB, VR, IPO))
    for player in (CID, ANN, BOB):
        game.apply(Pass(player))
    assert game.state.priority == CID


def test_12_3_1_cash_is_needed() -> None:
    game = new_game()
    started(game, "VR", {})
    set_cash(game, "@1", 99)
    refused(stock_round(game), BuyShares(ANN, VR), "§12.3.1")


def test_4_1_privates_do_not_count_for_the_limit() -> None:
    game = new_game()
    sell_privates(game, {"P1": "@1", "P2": "@1"})
    from bot.engine.play.holdings.certificates import certificate_count

    assert certificate_count(game, ANN) == 0
