"""1820 by a second reader of the rulebook: share-counts, buying and selling, the end of a stock round (§6.5, §6.7)."""

from __future__ import annotations

import pytest

from bot.engine.ids import BANK, IPO, POOL, Owner, as_private
from bot.engine.play.game import Game
from bot.engine.state.events import PriceMoved, RoundBegan
from bot.engine.state.state import Private
from tests.rearrangement import rearrange
from tests.titles import builders_1820 as e
from tests.titles.positions import act, cash, refused, set_cash, token


def in_stock(player: str = "@1", phase: str = "yellow", **company: object) -> Game:
    game = e.new_game()
    if company:
        e.floated(game, "LSR", **company)  # type: ignore[arg-type]
    e.lay(game, "G7", "150", 1)
    e.reach_phase(game, phase)
    return e.stock_turn(game, player)


def after_passes(game: Game, start: int) -> int:
    """How many spaces the price of a company that stood at `start` has moved when the stock round has ended."""
    events = [event for _ in range(3) for event in act(game, f"{game.players_to_act()[0]} pass")]
    ended = next(index for index, event in enumerate(events) if isinstance(event, RoundBegan))
    moved = [event for event in events[:ended] if isinstance(event, PriceMoved)]
    return e.column(moved[-1].after if moved else start) - e.column(start)


# -- 6.5.2.2 ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "held", "after", "bought", "pool", "treasury"),
    [
        (5, 2, 10, 2, 1, 5),
        (5, 3, 10, 1, 1, 5),
        (5, 2, 20, 6, 4, 8),
        (5, 3, 50, 17, 10, 20),
        (10, 4, 20, 4, 2, 10),
        (10, 4, 50, 16, 10, 20),
    ],
)
def test_6_5_2_2_increase(before: int, held: int, after: int, bought: int, pool: int, treasury: int) -> None:
    game = e.new_game()
    e.floated(game, "LSR", shares=before, held={"@1": held}, at=55, money=100)
    e.stock_turn(game)
    act(game, f"LSR increase {after} to @1:{bought}")
    while game.frame.plan == "increase":
        act(game, f"{game.players_to_act()[0]} pass")
    record = e.company(game)
    assert [record.count_of(Owner(one)) for one in ("@1", POOL, IPO)] == [held + bought, pool, treasury]
    assert cash(game, "LSR") == 100 + 55 * bought
    assert cash(game, "@1") == 1000 - 55 * bought
    assert e.price(game) == 55


@pytest.mark.parametrize("move", ["LSR increase 10 to @1:1", "LSR increase 5 to @1:1", "LSR increase 15 to @1:4"])
def test_6_5_2_2_increases_that_fail(move: str) -> None:
    game = e.new_game()
    e.floated(game, "LSR")
    e.stock_turn(game)
    refused(game, move, "")


def test_6_5_2_2_not_in_the_round_of_its_floating() -> None:
    game = e.new_game()
    e.floated(game, "LSR")
    e.title_state(game).floated_in[e.company(game).id] = 2
    e.stock_turn(game, number=2)
    refused(game, "LSR increase 10 to @1:2", "6.5.2.2")
    refused(game, "@1 sell 1 LSR", "6.5.2.3")


def test_6_5_2_2_a_private_company_becomes_public_at_a_price_of_its_directors_choice() -> None:
    game = e.new_game()
    e.floated(game, "LSR", shares=1)
    e.stock_turn(game)
    act(game, "LSR increase 5 at 55 to @1:1")
    while game.frame.plan == "increase":
        act(game, f"{game.players_to_act()[0]} pass")
    record = e.company(game)
    assert [record.count_of(Owner(one)) for one in ("@1", POOL, IPO)] == [2, 1, 2]
    assert (e.price(game), cash(game, "LSR"), cash(game, "@1")) == (55, 55, 945)


# -- 6.5.2.3, 6.5.2.4, 6.5.3 --------------------------------------------------------------------------


def test_6_5_2_3_a_sale_pays_the_price_and_does_not_move_it() -> None:
    game = in_stock(held={"@1": 3}, at=65)
    act(game, "@1 sell 2 LSR")
    assert cash(game, "@1") == 1130
    assert (e.price(game), e.company(game).count_of(POOL)) == (65, 2)


def test_6_5_2_3_the_last_share_in_hands_is_not_sold() -> None:
    game = in_stock(held={"@1": 2}, pool=2)
    refused(game, "@1 sell 2 LSR", "6.5.2.3")
    act(game, "@1 sell 1 LSR")


def test_6_5_2_3_there_is_no_limit_to_the_pool() -> None:
    game = in_stock(held={"@1": 2, "@2": 1}, pool=2)
    act(game, "@1 sell 2 LSR")
    assert e.company(game).count_of(POOL) == 4
    assert game.controller_of(Owner("LSR")) == "@2"


def test_6_5_2_3_nothing_of_a_company_in_liquidation_is_sold_or_bought() -> None:
    game = in_stock(held={"@1": 2, "@2": 1}, at=10, pool=1)
    for move in ("@1 sell 1 LSR", "@1 buy LSR", "@1 buy LSR from pool", "LSR buy LSR from pool"):
        refused(game, move, "")


@pytest.mark.parametrize(
    ("shares", "held", "fits"),
    [(5, 2, True), (5, 3, False), (10, 5, True), (10, 6, False), (20, 12, False), (50, 29, True), (50, 30, False)],
)
def test_6_5_2_4_nobody_with_60_percent_buys(shares: int, held: int, fits: bool) -> None:
    game = in_stock(shares=shares, held={"@1": held})
    if fits:
        act(game, "@1 buy LSR")
    else:
        refused(game, "@1 buy LSR", "6.5.2.4")


def test_6_5_2_4_treasury_pool_and_holders_get_the_price() -> None:
    game = in_stock("@2", held={"@1": 2}, pool=1, at=65, money=100)
    bank = cash(game, BANK)
    act(game, "@2 buy LSR")
    assert (cash(game, "LSR"), cash(game, "@2"), cash(game, BANK)) == (165, 935, bank)
    e.stock_turn(game, "@3")
    act(game, "@3 buy LSR from pool")
    assert (cash(game, "LSR"), cash(game, "@3"), cash(game, BANK)) == (165, 935, bank + 65)


def test_6_5_2_4_a_share_of_another_player_with_his_agreement() -> None:
    game = in_stock("@3", held={"@1": 3, "@2": 1}, at=65)
    act(game, "@3 ask @2 for LSR")
    assert game.players_to_act() == (e.BOB,)
    act(game, "@2 agree")
    assert (cash(game, "@2"), cash(game, "@3")) == (1065, 935)


def test_6_5_2_4_who_has_sold_does_not_buy_in_this_round() -> None:
    game = in_stock(held={"@1": 3})
    act(game, "@1 sell 1 LSR")
    refused(game, "@1 buy LSR", "6.5.2.4")


def test_6_5_2_4_cousin_and_player_are_not_bound_by_each_others_sales() -> None:
    game = e.new_game(cousins=("VF",))
    e.floated(game, "LSR", held={"@1": 3})
    set_cash(game, "VF", 100)
    e.stock_turn(game)
    act(game, "@1 sell 1 LSR", "@1 done", "@2 pass", "@3 pass", "VF buy LSR from pool")
    assert (cash(game, "VF"), e.company(game).count_of(Owner("VF"))) == (35, 1)


def test_6_5_2_a_sale_before_and_after_one_purchase() -> None:
    game = e.new_game()
    for name in ("LSR", "OW&WR", "LUR"):
        e.floated(game, name, held={"@1": 2, "@2": 1})
    e.stock_turn(game)
    act(game, "@1 sell 1 LSR", "@1 buy OW&WR", "@1 sell 1 LUR")
    refused(game, "@1 buy OW&WR", "6.5.2")


def test_6_5_3_1_a_company_buys_its_shares_from_the_pool_for_the_banks_money() -> None:
    game = in_stock(held={"@1": 2}, pool=2, at=65, money=200)
    bank = cash(game, BANK)
    act(game, "LSR buy 2 LSR from pool")
    assert (cash(game, "LSR"), cash(game, BANK)) == (70, bank + 130)
    assert [e.company(game).count_of(one) for one in (POOL, IPO)] == [0, 3]


def test_6_5_3_1_fewer_shares_in_play_than_loans_and_the_rest_is_repaid() -> None:
    game = in_stock(held={"@1": 2}, pool=2, at=65, money=600, loans=3)
    act(game, "LSR buy 2 LSR from pool")
    assert e.company(game).loans == 2
    assert cash(game, "LSR") == 600 - 130 - 200
    assert e.price(game) == 71, "a space up for the loan repaid"


# -- 6.7 ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shares", "held", "pool", "spaces"),
    [
        (5, 2, 1, -1),
        (5, 2, 3, -3),
        (10, 4, 1, -1),
        (10, 4, 3, -3),
        (20, 8, 2, -2),
        (50, 20, 5, -2),
        (50, 20, 9, -3),
        (50, 20, 2, 0),
        (5, 5, 0, 1),
        (5, 4, 0, 0),
        (50, 20, 20, -8),
    ],
)
def test_6_7_prices_after_the_stock_round(shares: int, held: int, pool: int, spaces: int) -> None:
    # one space for each 5% or share in the pool, whichever are fewer; one up when all are in hands
    game = e.new_game()
    e.floated(game, "LSR", shares=shares, held={"@1": held}, pool=pool, at=95)
    e.stock_turn(game, resolved=True)
    assert after_passes(game, 95) == spaces


def test_6_7_all_in_the_hands_of_cousins_and_players() -> None:
    game = e.new_game(cousins=("VF",))
    e.floated(game, "LSR", held={"@1": 3, "VF": 2}, at=95)
    e.stock_turn(game, resolved=True)
    assert after_passes(game, 95) == 1


def test_6_7_a_price_does_not_leave_the_bottom() -> None:
    game = e.new_game()
    e.floated(game, "LSR", held={"@1": 2}, pool=3, at=40)
    e.stock_turn(game, resolved=True)
    assert after_passes(game, 40) == -1


# -- 6.5.1, 13.4 --------------------------------------------------------------------------------------


def test_6_5_1_second_cards_are_taken_in_the_order_of_passing() -> None:
    game = e.new_game()
    e.floated(game, "LSR", held={"@1": 2, "@2": 1})
    e.stock_turn(game, "@2", resolved=True)
    act(game, "@2 pass", "@3 pass", "@1 sell 1 LSR", "@1 done", "@2 pass", "@3 pass", "@1 pass")
    assert game.state.order == ["@2", "@3", "@1"]


def test_6_5_1_who_acts_again_gives_his_card_back_and_the_later_ones_move_up() -> None:
    game = e.new_game()
    e.floated(game, "LSR", held={"@1": 2, "@2": 1})
    e.stock_turn(game, "@2", resolved=True)
    act(
        game,
        "@2 pass",
        "@3 pass",
        "@1 sell 1 LSR",
        "@1 done",
        "@2 sell 1 LSR",
        "@2 done",
        "@3 pass",
        "@1 pass",
        "@2 pass",
    )
    assert game.state.order == ["@3", "@1", "@2"]


@pytest.mark.parametrize(
    ("held", "new"), [({"@2": 3, "@3": 3}, "@2"), ({"@2": 2, "@3": 3}, "@3"), ({"@2": 2, "@3": 2}, "@1")]
)
def test_13_4_the_largest_holding_directs_in_a_tie_the_next_card(held: dict[str, int], new: str) -> None:
    game = in_stock(shares=10, held={"@1": 4, **held})
    act(game, "@1 sell 2 LSR")
    assert game.controller_of(Owner("LSR")) == new


@pytest.mark.parametrize(("held", "new"), [(2, "@1"), (3, "@2")])
def test_13_4_only_more_shares_take_a_company_over(held: int, new: str) -> None:
    game = in_stock("@2", shares=10, held={"@1": 3, "@2": held})
    act(game, "@2 buy LSR")
    assert game.controller_of(Owner("LSR")) == new


# -- 14.1 ---------------------------------------------------------------------------------------------


def test_14_1_cousins_close_with_the_red_phase_and_pay_half_rounded_up() -> None:
    game = e.new_game(cousins=("VF",))
    game.state.privates[as_private("VF")].owner = e.BOB
    e.lay(game, "G7", "150", 1)
    e.floated(game, "LSR", held={"@1": 3, "VF": 1}, at=65, money=2000)
    token(game, "LSR", "G7")
    set_cash(game, "VF", 100)
    e.give_trains(game, "LSR", "8+")
    e.reach_phase(game, "brown")
    for train in game.state.trains:
        if train.owner == "depot" and train.kind == "8+":
            rearrange(game, train, owner=Owner("removed"))
    e.in_turn(game, "LSR", "trains")
    act(game, "LSR buy 5D+ for 1600")
    # 100 and a share of 65 make 165: 83 for the player
    assert cash(game, "@2") == 1083
    assert cash(game, "VF") == 0
    assert e.company(game).count_of(POOL) == 1
    assert isinstance(game.private(Owner("VF")), Private)
