"""1848 §§1-4 read a second time: the beginning and the private companies."""

from __future__ import annotations

import pytest

from bot.engine.ids import BANK, Owner
from bot.engine.play.game import Game
from bot.engine.refusals import IllegalMove, Rejected
from bot.engine.state.state import Frame, OperatingRoundMemory
from bot.titles.t1848.title import FIRST
from tests.rearrangement import rearrange
from tests.titles.builders_1848 import (
    NAMES,
    TITLE,
    new_game,
    operating,
    reach_phase,
    sell_privates,
    started,
    stock_round,
)
from tests.titles.positions import act, cash, give_train, lay, private, refused, set_cash


def auction(players: int = 3, at_minimum: bool = False) -> Game:
    """The auction; at the minimum every private has gone down by 30."""
    game = new_game(players)
    for record in game.state.privates.values() if at_minimum else ():
        record.price -= 30
    return game


def begin_operating_round(game: Game) -> Game:
    """The very beginning of an operating round."""
    game.state.flow = [Frame("game", None, 4), Frame("operating round", None, 0, memory=OperatingRoundMemory())]
    game.state.money = sum(game.state.cash.values())
    game.advance()
    return game


@pytest.mark.parametrize("players", [2, 7])
def test_1_1_not_for_fewer_than_three_nor_more_than_six(players: int) -> None:
    with pytest.raises(IllegalMove):
        Game.new(TITLE, [f"Player {number}" for number in range(players)])


@pytest.mark.parametrize(("players", "capital"), [(3, 840), (4, 630), (5, 510), (6, 430)])
def test_2_3_and_2_4_1_capital_and_what_is_left_of_10000(players: int, capital: int) -> None:
    game = new_game(players)
    assert {cash(game, player) for player in game.state.order} == {capital}
    assert cash(game, BANK) == 10_000 - players * capital


def test_2_1_players_act_clockwise() -> None:
    game = auction(4)
    for player in ("@1", "@2", "@3", "@4", "@1"):
        assert game.players_to_act() == (player,)
        act(game, f"{player} reduce P1")


PRINTED = {"P1": (30, 0), "P2": (70, 40), "P3": (110, 80), "P4": (170, 140), "P5": (170, 140), "P6": (230, 200)}


@pytest.mark.parametrize(("name", "highest", "lowest"), [(name, *prices) for name, prices in PRINTED.items()])
def test_3_1_1_the_track_of_each_private(name: str, highest: int, lowest: int) -> None:
    game = auction()
    assert game.private(Owner(name)).price == highest
    for number in range(6):
        act(game, f"@{number % 3 + 1} reduce {name}")
    assert game.private(Owner(name)).price == lowest
    refused(game, f"@1 reduce {name}", "3.1")


def test_3_1_1_a_lowered_price_is_paid_exactly() -> None:
    game = auction()
    act(game, "@1 reduce P3", "@2 buy P3 for 105")
    assert (cash(game, "@2"), game.private(private("P3")).owner) == (735, "@2")
    assert cash(game, BANK) == 7480 + 105


@pytest.mark.parametrize("price", [29, 31])
def test_3_1_1_no_other_price(price: int) -> None:
    refused(auction(), f"@1 buy P1 for {price}", "3.1")


def test_3_1_1_without_the_money_no_private() -> None:
    game = auction()
    set_cash(game, "@1", 229)
    game.state.money = sum(game.state.cash.values())
    with pytest.raises(Rejected):
        act(game, "@1 buy P6 for 230")
    act(game, "@1 reduce P6", "@2 reduce P1", "@3 reduce P1", "@1 buy P6 for 225")
    assert cash(game, "@1") == 4


def test_3_1_1_reducing_is_not_passing() -> None:
    refused(auction(), "@1 pass", "3.1.3")


def test_3_1_2_at_the_minimum_without_a_sale_one_must_buy() -> None:
    game = auction(at_minimum=True)
    refused(game, "@1 pass", "3.1.2")
    act(game, "@1 buy P1 for 0")
    assert (cash(game, "@1"), game.private(private("P1")).owner) == (840, "@1")


@pytest.mark.parametrize("player", ["@2", "@3"])
def test_3_1_3_at_the_minimum_after_a_sale_everybody_may_pass(player: str) -> None:
    game = auction(at_minimum=True)
    act(game, "@1 buy P1 for 0", *(["@2 pass"] if player == "@3" else []), f"{player} pass")
    assert game.players_to_act() != (player,)


def test_3_1_3_an_owner_may_pass_while_prices_can_still_fall() -> None:
    game = auction()
    act(game, "@1 buy P1 for 30", "@2 reduce P2", "@3 reduce P2", "@1 pass")
    assert game.players_to_act() == ("@2",)
    refused(game, "@2 pass", "3.1")


def test_3_1_4_all_pass_and_only_sold_privates_pay_then_it_goes_on() -> None:
    game = auction(at_minimum=True)
    act(game, "@1 buy P6 for 200", "@2 buy P2 for 40", "@3 pass", "@1 pass", "@2 pass")
    assert [cash(game, player) for player in ("@1", "@2", "@3")] == [840 - 200 + 30, 840 - 40 + 10, 840]
    assert game.state.round.kind == "auction"
    act(game, "@3 buy P1 for 0")


def test_3_1_4_a_purchase_between_passes_begins_the_count_again() -> None:
    game = auction(at_minimum=True)
    act(game, "@1 buy P6 for 200", "@2 pass", "@3 pass", "@1 buy P5 for 140", "@2 pass", "@3 pass")
    assert cash(game, "@1") == 500
    act(game, "@1 pass")
    assert cash(game, "@1") == 500 + 30 + 25


def test_3_2_the_stock_round_begins_left_of_the_last_buyer() -> None:
    game = auction(at_minimum=True)
    prices = {name: low for name, (_, low) in PRINTED.items()}
    for turn, name in enumerate(("P6", "P5", "P4", "P3", "P2")):
        act(game, f"@{turn % 3 + 1} buy {name} for {prices[name]}")
    act(game, "@3 pass", "@1 buy P1 for 0")
    assert (game.state.round.kind, game.players_to_act(), game.state.priority) == ("stock", ("@2",), "@2")


INCOME = {"P1": 5, "P2": 10, "P3": 15, "P4": 20, "P5": 25, "P6": 30}


@pytest.mark.parametrize("owner", ["@2", "VR"])
@pytest.mark.parametrize("name", INCOME)
def test_4_1_to_4_7_income_at_the_beginning_of_an_operating_round(name: str, owner: str) -> None:
    game = new_game()
    started(game, "VR", {"@1": 4}, cash=100)
    sell_privates(game, {name: owner})
    set_cash(game, "@2", 100)
    begin_operating_round(game)
    assert cash(game, owner) == 100 + INCOME[name]


RANGES = {"P1": 40, "P2": 80, "P3": 140, "P4": 220}


def selling(name: str, phase: str = "3", owner: str = "@1") -> Game:
    """VR, directed by Ann, may buy a private; treasury 500."""
    game = new_game()
    started(game, "VR", {"@1": 4}, cash=500)
    sell_privates(game, {name: owner})
    reach_phase(game, phase)
    return operating(game, "VR")


@pytest.mark.parametrize(("name", "price"), [(name, price) for name, most in RANGES.items() for price in (1, most)])
def test_4_2_to_4_5_the_ends_of_the_range(name: str, price: int) -> None:
    game = selling(name)
    act(game, f"VR buy {name} for {price}")
    assert (cash(game, "VR"), cash(game, "@1"), game.private(private(name)).owner) == (500 - price, 840 + price, "VR")


@pytest.mark.parametrize(("name", "price"), [(name, price) for name, most in RANGES.items() for price in (0, most + 1)])
def test_4_2_to_4_5_beyond_the_range(name: str, price: int) -> None:
    refused(selling(name), f"VR buy {name} for {price}", "4")


@pytest.mark.parametrize("name", ["P5", "P6"])
def test_4_6_and_4_7_are_not_sold_to_companies(name: str) -> None:
    refused(selling(name), f"VR buy {name} for 100", "4")


@pytest.mark.parametrize(("phase", "owner"), [("2", "@1"), ("3", "@2")])
def test_4_1_only_from_the_first_3_and_only_of_the_director(phase: str, owner: str) -> None:
    refused(selling("P1", phase, owner), "VR buy P1 for 20", "")


def test_4_1_what_a_company_owns_is_not_sold_on() -> None:
    game = selling("P1", owner="SAR")
    refused(game, "VR buy P1 for 20", "")


@pytest.mark.parametrize("step", [1, 3, 7])
def test_7_3_a_private_is_bought_at_any_point_of_the_turn(step: int) -> None:
    game = new_game()
    started(game, "VR", {"@1": 4}, cash=500)
    sell_privates(game, {"P1": "@1"})
    reach_phase(game, "3")
    lay(game, ("57", "H11", 1), ("57", "H9", 1))
    operating(game, "VR", trains=["2"], step=step)
    act(game, "VR buy P1 for 40")
    assert cash(game, "VR") == 460


def buying(phase: str, owners: dict[str, str], name: str = "VR") -> Game:
    """A company before the shop with 2,000."""
    game = new_game()
    started(game, name, {"@1": 4}, cash=2000)
    sell_privates(game, owners)
    reach_phase(game, phase)
    return operating(game, name, step=7)


def test_4_1_the_first_5_closes_what_players_and_companies_own() -> None:
    game = buying("5", {"P1": "@2", "P4": "VR", "P5": "@3", "P6": "@1"})
    game.state.phase = "4"
    act(game, "VR buy 5 for 500")
    assert all(record.closed for record in game.state.privates.values())


def test_4_1_the_first_4_closes_nothing() -> None:
    game = buying("4", {"P1": "@2", "P6": "@1"})
    game.state.phase = "3"
    act(game, "VR buy 4 for 300")
    assert [record.id for record in game.state.privates.values() if not record.closed] == ["P1", "P6"]


def at_the_limit(kind: str, money: int, version: int = 2, owner: str = "@1") -> Game:
    """VR has as many trains as it may and all its loans, and the right of P4 if @1 is its owner; it comes to trains."""
    game = Game.new(TITLE if version == 2 else FIRST, NAMES[:3])
    sell_privates(game, {"P4": owner})
    game.private(private("P4")).closed = True
    started(game, "VR", {"@1": 4}, cash=money)
    game.company(Owner("VR")).loans = 5
    reach_phase(game, "8" if kind == "4" else "5")
    game.state.phase = "6" if kind == "4" else "5"
    for train in (kind, kind, *(["2E"] if kind == "4" else [])):
        give_train(game, "VR", train)
    return operating(game, "VR", step=7)


@pytest.mark.parametrize(
    ("kind", "money", "move"), [("5", 100, "VR buy 2E for 100 with P4"), ("4", 800, "VR buy D for 800 trade 4")]
)
def test_4_5_and_8_2_4_at_the_limit_the_ghan_for_100_and_a_diesel_for_another_train(
    kind: str, money: int, move: str
) -> None:
    assert at_the_limit(kind, money - 1).frame.entity != "VR"
    assert at_the_limit(kind, money, version=1).frame.entity != "VR"
    game = at_the_limit(kind, money)
    act(game, move)
    assert cash(game, "VR") == 0


def test_4_5_at_the_limit_whoever_has_no_rebate_is_asked_from_200_on() -> None:
    assert at_the_limit("5", 199, owner="@2").frame.entity != "VR"
    assert at_the_limit("5", 200, owner="@2").frame.entity == "VR"


@pytest.mark.parametrize("owner", ["@1", "VR"])
def test_4_5_the_rebate_outlives_the_private_and_is_used_once(owner: str) -> None:
    game = buying("5", {"P4": owner})
    game.state.phase = "4"
    act(game, "VR buy 5 for 500", "VR buy 2E for 100 with P4")
    assert cash(game, "VR") == 1400
    game.state.trains = [train for train in game.state.trains if train.kind != "2E" or train.owner != "VR"]
    refused(game, "VR buy 2E for 100 with P4", "")


@pytest.mark.parametrize("owner", ["@2", "SAR"])
def test_4_5_the_rebate_of_others_does_not_help(owner: str) -> None:
    game = buying("5", {"P4": owner})
    refused(game, "VR buy 2E for 100 with P4", "")


def test_4_5_the_rebate_is_for_the_ghan_only() -> None:
    refused(buying("5", {"P4": "@1"}), "VR buy 5 for 400 with P4", "")


def test_4_7_p6_closes_when_car_buys_any_train_and_not_for_others() -> None:
    game = buying("3", {"P6": "@1"})
    act(game, "VR buy 3 for 200")
    assert not game.private(private("P6")).closed
    game = buying("2", {"P6": "@1"}, "CAR")
    act(game, "CAR buy 2 for 100")
    assert game.private(private("P6")).closed


def test_4_6_and_4_7_what_comes_with_p5_and_p6() -> None:
    game = auction()
    act(game, "@1 buy P5 for 170", "@2 buy P6 for 230")
    car, qr = game.company(Owner("CAR")), game.company(Owner("QR"))
    assert (qr.percent_held_by(Owner("@1")), car.percent_held_by(Owner("@2"))) == (10, 20)
    assert (car.par, qr.par, car.floated) == (100, None, False)
    assert (cash(game, "@1"), cash(game, "@2")) == (670, 610)


def test_4_6_the_share_of_qr_counts_towards_its_launch() -> None:
    game = new_game()
    sell_privates(game, {"P5": "@2"})
    rearrange(game, game.company(Owner("QR")).certificates[-1], owner=Owner("@2"))
    started(game, "QR", {"@1": 2}, par=70, cash=0, floated=False)
    stock_round(game, player="@2")
    act(game, "@2 buy QR")
    assert game.company(Owner("QR")).floated
    assert cash(game, "QR") == 700


def desert(owner: str | None, phase: str = "3") -> Game:
    """CAR in Port Augusta with track to the desert E6; treasury 200."""
    game = new_game()
    started(game, "CAR", {"@1": 4}, cash=200)
    sell_privates(game, {"P2": owner} if owner else {})
    reach_phase(game, phase)
    lay(game, ("57", "E4", 1))
    return operating(game, "CAR")


@pytest.mark.parametrize("owner", ["@1", "CAR"])
def test_4_3_one_desert_is_free_for_the_company_or_its_director(owner: str) -> None:
    game = desert(owner)
    act(game, "CAR lay 9 E6 1 with P2")
    assert cash(game, "CAR") == 200
    act(game, "CAR lay 9 E8 1")
    assert cash(game, "CAR") == 160


@pytest.mark.parametrize(("owner", "phase"), [("@2", "3"), ("@1", "2"), (None, "3")])
def test_4_3_not_for_others_nor_before_the_first_3(owner: str | None, phase: str) -> None:
    refused(desert(owner, phase), "CAR lay 9 E6 1 with P2", "")


def test_4_3_the_rebate_is_used_once() -> None:
    game = desert("@1")
    act(game, "CAR lay 9 E6 1 with P2")
    refused(game, "CAR lay 9 E8 1 with P2", "")


@pytest.mark.parametrize("owner", ["@1", "CAR"])
def test_4_3_the_rebate_outlives_the_first_5(owner: str) -> None:
    game = buying("5", {"P2": owner}, "CAR")
    game.state.phase = "4"
    act(game, "CAR buy 5 for 500")
    lay(game, ("57", "E4", 1))
    set_cash(game, "CAR", 200)
    operating(game, "CAR")
    act(game, "CAR lay 9 E6 1 with P2")
    assert cash(game, "CAR") == 200


def test_4_3_the_rebate_is_not_for_mountains() -> None:
    game = new_game()
    started(game, "NSW", {"@1": 4}, cash=200)
    sell_privates(game, {"P2": "@1"})
    reach_phase(game, "3")
    lay(game, ("57", "F17", 2))
    operating(game, "NSW")
    refused(game, "NSW lay 8 E16 0 with P2", "")


def tasmania(owner: str, phase: str = "3") -> Game:
    """VR builds; somebody has P3."""
    game = new_game()
    started(game, "VR", {"@1": 4}, cash=200)
    sell_privates(game, {"P3": owner})
    reach_phase(game, phase)
    lay(game, ("57", "H11", 1))
    return operating(game, "VR")


@pytest.mark.parametrize("owner", ["@1", "VR"])
@pytest.mark.parametrize("space", ["I8", "I10"])
def test_4_4_the_tile_goes_on_either_blue_hex_beside_two_yellow_tiles(owner: str, space: str) -> None:
    game = tasmania(owner)
    act(game, f"VR lay 241 {space} 1", "VR lay 57 H9 1", "VR lay 9 H13 1")
    assert space in game.state.board.tiles


@pytest.mark.parametrize(("owner", "phase"), [("@2", "3"), ("@1", "2")])
def test_4_4_not_for_others_nor_before_the_first_3(owner: str, phase: str) -> None:
    refused(tasmania(owner, phase), "VR lay 241 I10 1", "")


@pytest.mark.parametrize(("owner", "asked"), [("@2", "@2"), ("VR", "@1"), ("@1", "@1")])
def test_4_4_at_the_first_5_the_tile_is_laid_at_once(owner: str, asked: str) -> None:
    game = buying("5", {"P3": owner})
    game.state.phase = "4"
    act(game, "VR buy 5 for 500")
    assert game.players_to_act() == (asked,)
    assert game.legal_actions()
    assert {getattr(action, "hex", None) for action in game.legal_actions()} == {"I8", "I10"}


def test_4_1_privates_are_no_certificates() -> None:
    assert len(NAMES) == 6
    game = new_game(6)
    sell_privates(game, {name: "@1" for name in INCOME})
    started(game, "VR", {"@1": 4}, director="@1")
    started(game, "SAR", {"@1": 4}, director="@1")
    set_cash(game, "@1", 1000)
    stock_round(game)
    act(game, "@1 buy BOE from pool")
    assert game.company(Owner("BOE")).count_of(Owner("@1")) == 1
