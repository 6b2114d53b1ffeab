"""1848 §§7.2, 11-13 read a second time: prices, stock rounds, the end of the game."""

from __future__ import annotations

import pytest

from bot.engine.ids import BANK, POOL, Owner
from bot.engine.play.game import Game
from bot.engine.play.holdings.market import price_of
from bot.engine.state.state import TurnMemory
from tests.rearrangement import rearrange
from tests.titles.builders_1848 import new_game, operating, reach_phase, sell_privates, started, stock_round
from tests.titles.positions import act, cash, company, refused, set_cash


def priced(game: Game, name: str) -> int:
    """The company's price on the chart."""
    return price_of(game, company(name))


def paying(game: Game, name: str, revenue: int) -> Game:
    """The company has earned this and decides about it."""
    operating(game, name)
    game.state.flow[-1].at = 5
    memory = game.state.flow[-1].memory
    assert isinstance(memory, TurnMemory)
    memory.revenue = revenue
    return game


# -- §§10.3.3, 11 -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "price"),
    [
        ((1, 5), 110),
        ((1, 1), 70),
        ((2, 13), 310),
        ((3, 10), 200),
        ((4, 8), 130),
        ((5, 6), 80),
        ((0, 15), 450),
        ((1, 16), 450),
    ],
)
def test_11_1_a_dividend_moves_right_or_at_the_end_of_the_row_up(position: tuple[int, int], price: int) -> None:
    game = new_game()
    started(game, "VR", {"@1": 4}, position=position)
    act(paying(game, "VR", 100), "VR pay")
    assert priced(game, "VR") == price
    assert bool(game.state.ending) is (price == 450)


@pytest.mark.parametrize(("position", "price"), [((1, 5), 90), ((0, 16), 400), ((3, 2), 40), ((5, 6), 60)])
def test_11_2_income_kept_moves_left(position: tuple[int, int], price: int) -> None:
    game = new_game()
    started(game, "VR", {"@1": 4}, position=position, cash=10)
    act(paying(game, "VR", 100), "VR withhold")
    assert (priced(game, "VR"), cash(game, "VR")) == (price, 110)


@pytest.mark.parametrize("row", range(6))
def test_5_5_1_and_11_2_left_of_the_last_price_is_receivership(row: int) -> None:
    game = new_game()
    started(game, "VR", {"@1": 4}, position=(row, 1))
    act(paying(game, "VR", 100), "VR withhold")
    assert game.state.special.receiverships == ["VR"]


@pytest.mark.parametrize(("revenue", "share"), [(100, 10), (90, 9), (250, 25)])
def test_10_3_3_each_player_his_percentage_the_bank_the_rest(revenue: int, share: int) -> None:
    game = new_game()
    started(game, "VR", {"@1": 1, "@2": 2, "pool": 2}, cash=7)
    bank = cash(paying(game, "VR", revenue), BANK)
    act(game, "VR pay")
    assert [cash(game, player) for player in ("@1", "@2", "@3")] == [840 + 3 * share, 840 + 2 * share, 840]
    assert (cash(game, "VR"), cash(game, BANK)) == (7, bank - 5 * share)


def test_10_3_3_not_half() -> None:
    game = new_game()
    started(game, "VR", {"@1": 4})
    refused(paying(game, "VR", 100), "VR half", "")


def test_11_3_and_7_2_a_marker_arrives_underneath() -> None:
    game = new_game()
    started(game, "SAR", {"@2": 4}, director="@2", position=(1, 6))
    started(game, "VR", {"@1": 4}, position=(1, 5))
    act(paying(game, "VR", 100), "VR pay")
    assert game.state.stacks["1,6"] == ["SAR", "VR"]


@pytest.mark.parametrize(
    ("first", "second", "begins"),
    [
        ((1, 5), (1, 6), "SAR"),
        ((1, 6), (1, 5), "VR"),
        ((1, 5), (1, 5), "VR"),
        ((1, 5), (2, 6), "SAR"),
        ((4, 7), (0, 4), "VR"),
        ((0, 4), (4, 7), "SAR"),
        ((0, 4), (1, 5), "SAR"),
    ],
)
def test_7_2_price_then_the_top_of_the_stack_then_further_right(
    first: tuple[int, int], second: tuple[int, int], begins: str
) -> None:
    game = new_game()
    started(game, "VR", {"@1": 4}, position=first)
    started(game, "SAR", {"@1": 4}, position=second)
    stock_round(game)
    act(game, "@1 pass", "@2 pass", "@3 pass")
    turns = [frame.entity for frame in game.state.flow if frame.plan == "company turn"]
    assert turns == [begins]


# -- §12 ----------------------------------------------------------------------------------------------


def holding(ann: int = 2, bob: int = 2, pool: int = 0, position: tuple[int, int] = (1, 5), number: int = 2) -> Game:
    """Ann directs VR with two shares and these; it is her turn in a stock round."""
    game = new_game()
    started(game, "VR", {"@1": ann, "@2": bob, "pool": pool}, position=position)
    return stock_round(game, number)


@pytest.mark.parametrize(
    ("position", "price"), [((1, 5), 90), ((0, 16), 440), ((1, 16), 440), ((4, 8), 120), ((5, 3), 40), ((2, 13), 300)]
)
def test_12_5_1_one_row_down_for_two_shares_or_none_at_the_bottom(position: tuple[int, int], price: int) -> None:
    game = holding(position=position)
    before = priced(game, "VR")
    act(game, "@1 sell 2 VR")
    assert (priced(game, "VR"), cash(game, "@1")) == (price, 840 + 2 * before)


def test_12_5_1_each_sale_is_a_row_and_the_price_before_is_paid() -> None:
    game = holding()
    act(game, "@1 sell 1 VR", "@1 sell 1 VR")
    assert (priced(game, "VR"), cash(game, "@1")) == (80, 840 + 100 + 90)


@pytest.mark.parametrize(("pool", "sold", "may"), [(3, 2, True), (4, 2, False), (5, 1, False)])
def test_12_4_1_at_most_half_in_the_bank_pool(pool: int, sold: int, may: bool) -> None:
    game = holding(ann=2, bob=1, pool=pool)
    if may:
        act(game, f"@1 sell {sold} VR")
        assert game.company(Owner("VR")).percent_held_by(POOL) == 50
    else:
        refused(game, f"@1 sell {sold} VR", "")


def test_5_1_6_no_sales_in_the_first_stock_round() -> None:
    refused(holding(number=1), "@1 sell 1 VR", "")


def test_5_1_6_sales_from_the_second() -> None:
    act(holding(number=2), "@1 sell 1 VR")


def test_12_3_2_not_what_was_sold_this_round() -> None:
    game = holding()
    act(game, "@1 sell 1 VR")
    refused(game, "@1 buy VR from pool", "12.3.2")
    refused(game, "@1 buy VR", "12.3.2")


def test_12_3_2_others_may_buy_them() -> None:
    game = holding()
    act(game, "@1 sell 1 VR", "@1 pass", "@2 buy VR from pool")
    assert cash(game, "@2") == 840 - 90


def test_12_1_1_buying_ends_the_turn() -> None:
    game = holding()
    act(game, "@1 sell 1 VR", "@1 buy BOE from pool")
    assert game.players_to_act() == ("@2",)


@pytest.mark.parametrize(("source", "price"), [("ipo", 100), ("pool", 160)])
def test_5_1_3_and_12_3_1_new_shares_at_the_issue_price_old_ones_at_the_present(source: str, price: int) -> None:
    game = holding(ann=0, pool=2, position=(0, 8))
    act(game, f"@1 buy VR from {source}")
    assert cash(game, "@1") == 840 - price


@pytest.mark.parametrize(("money", "may"), [(99, False), (100, True)])
def test_12_3_1_enough_money(money: int, may: bool) -> None:
    game = holding()
    set_cash(game, "@1", money)
    if may:
        act(game, "@1 buy VR")
        assert cash(game, "@1") == 0
    else:
        refused(game, "@1 buy VR", "12.3")


@pytest.mark.parametrize(
    ("players", "held", "may"), [(3, 6, True), (3, 7, False), (4, 5, True), (4, 6, False), (5, 6, False), (6, 6, False)]
)
def test_12_2_2_sixty_or_seventy_percent(players: int, held: int, may: bool) -> None:
    game = new_game(players)
    started(game, "VR", {"@1": held - 2})
    stock_round(game)
    if may:
        act(game, "@1 buy VR")
    else:
        refused(game, "@1 buy VR", "12.2.2")


def test_12_2_1_the_directors_share_is_one_certificate() -> None:
    game = new_game(6)
    for name, more in (("VR", 4), ("SAR", 4), ("NSW", 0)):
        started(game, name, {"@1": more})
    stock_round(game)
    act(game, "@1 buy BOE from pool")
    game = new_game(6)
    for name, more in (("VR", 4), ("SAR", 4), ("NSW", 1)):
        started(game, name, {"@1": more})
    refused(stock_round(game), "@1 buy BOE from pool", "12.2")


def test_12_4_2_bank_shares_are_sold_at_their_price_in_the_first_round_too() -> None:
    game = new_game()
    for certificate in game.company(Owner("BOE")).certificates[:6]:
        rearrange(game, certificate, owner=Owner("@1"))
    stock_round(game, number=1)
    act(game, "@1 sell 6 BOE")
    assert (cash(game, "@1"), priced(game, "BOE")) == (840 + 420, 70)


@pytest.mark.parametrize(
    ("position", "price"), [((1, 5), 110), ((2, 5), 100), ((0, 5), 110), ((5, 6), 80), ((3, 10), 200)]
)
def test_12_6_1_all_shares_in_hands_one_row_up(position: tuple[int, int], price: int) -> None:
    game = new_game()
    started(game, "VR", {"@1": 4, "@2": 4}, position=position)
    stock_round(game)
    act(game, "@1 pass", "@2 pass", "@3 pass")
    assert priced(game, "VR") == price


@pytest.mark.parametrize(("bob", "pool"), [(3, 0), (3, 1)])
def test_12_6_1_not_with_a_share_in_the_bank_or_pool(bob: int, pool: int) -> None:
    game = new_game()
    started(game, "VR", {"@1": 4, "@2": bob, "pool": pool})
    stock_round(game)
    act(game, "@1 pass", "@2 pass", "@3 pass")
    assert priced(game, "VR") == 100


def test_12_6_2_the_bank_of_england_does_not_rise() -> None:
    game = new_game()
    for certificate in game.company(Owner("BOE")).certificates:
        rearrange(game, certificate, owner=Owner("@1"))
    started(game, "VR", {"@1": 4})
    stock_round(game)
    act(game, "@1 pass", "@2 pass", "@3 pass")
    assert priced(game, "BOE") == 70


@pytest.mark.parametrize(
    ("moves", "priority"),
    [
        (("@1 buy VR", "@2 pass", "@3 pass", "@1 pass"), "@2"),
        (("@1 pass", "@2 buy VR", "@3 pass", "@1 pass", "@2 pass"), "@3"),
        (("@1 pass", "@2 pass", "@3 buy VR", "@1 pass", "@2 pass", "@3 pass"), "@1"),
        (("@1 sell 1 VR", "@1 pass", "@2 pass", "@3 pass", "@1 pass"), "@2"),
    ],
)
def test_12_7_the_left_neighbour_of_the_last_to_act(moves: tuple[str, ...], priority: str) -> None:
    game = holding(ann=1, bob=2)
    for move in moves:
        if game.state.round.kind == "stock":
            act(game, move)
    assert (game.state.round.kind, game.state.priority) == ("operating", priority)


# -- §13 ----------------------------------------------------------------------------------------------


def test_13_1_a_broken_bank_still_pays_and_the_set_is_played_out() -> None:
    game = new_game()
    started(game, "VR", {"@1": 4}, cash=0)
    reach_phase(game, "3")
    paying(game, "VR", 500)
    set_cash(game, "@3", cash(game, "@3") + cash(game, BANK) - 100)
    game.state.money = sum(game.state.cash.values())
    act(game, "VR pay")
    assert cash(game, "@1") == 840 + 300
    assert game.state.ending
    assert not game.state.finished


def test_13_2_cash_and_shares_at_the_present_price_only() -> None:
    game = new_game()
    sell_privates(game, {"P1": "@1"})
    started(game, "VR", {"@1": 2, "@2": 3}, position=(1, 7), cash=999)
    rearrange(game, game.company(Owner("BOE")).certificates[0], owner=Owner("@2"))
    worth = [game.title.rules.worth(game, player) for player in game.state.order]
    assert worth == [840 + 4 * 130, 840 + 3 * 130 + 70, 840]
