"""18GB by a second reader of the rules: insolvency, emergency money, receivership, the end."""

from __future__ import annotations

import pytest

from bot.engine.ids import DEPOT, IPO, POOL, REMOVED, Owner
from bot.engine.play.game import Game
from bot.engine.play.holdings.market import price_of
from bot.engine.state.events import GameEnded, RoutesRun
from bot.titles.t18gb.companies import is_insolvent
from tests.rearrangement import rearrange
from tests.titles import builders_18gb as gb
from tests.titles.positions import act, cash, company, give_train, lay, refused
from tests.titles.rulebook.test_18gb_trains_rulebook import PRICES, end_round, kinds, shop


def empty_depot(game: Game, left: int) -> None:
    """Leave the bank's last trains."""
    cards = [train for train in game.state.trains if train.owner == DEPOT]
    for card in cards[: len(cards) - left]:
        rearrange(game, card, owner=REMOVED)


# -- insolvency ---------------------------------------------------------------------------------------

DERBY = (("G41", "H19", 0), ("G18", "H17", 0))
"""Sheffield 20 and Derby 10, a hex apart."""


def insolvent(phase: str = "2+1", money: int = 0, step: int = gb.BUILD) -> Game:
    """MR has no train and was insolvent before its turn."""
    game = gb.new_game(6)
    gb.own(game)
    gb.reach_phase(game, phase)
    gb.started(game, "MR", {"@2": 1}, cash=money)
    lay(game, *DERBY)
    game.state.special.insolvent.append(company("MR"))
    return gb.operating(game, "MR", step=step)


@pytest.mark.parametrize(
    ("phase", "earns"),
    [("2+1", 30), ("3+1", 30), ("4+2", 30), ("5+2", 30), ("4X", 30 + 10), ("5X", 30 + 10), ("6X", 30 + 10)],
)
def test_insolvent_companies_lease_the_cheapest_train_and_keep_what_it_earns(phase: str, earns: int) -> None:
    game = insolvent(phase)
    leased = gb.TITLE.rules.runs_with(game, company("MR"))
    assert [train.kind for train in leased] == [phase]
    act(game, gb.offered(game, "run")[0])
    assert (cash(game, "MR"), cash(game, "@1"), price_of(game, company("MR"))) == (earns, 305, 90)
    assert (kinds(game), leased[0].owner) == ([], DEPOT)


def test_insolvent_companies_pay_no_dividend() -> None:
    game = insolvent()
    act(game, gb.offered(game, "run")[0])
    refused(game, "MR pay", "")


def test_insolvency_begins_at_the_end_of_the_turn() -> None:
    game = shop(money=0, trains=())
    assert not is_insolvent(game, company("MR"))
    act(game, "MR pass")
    assert is_insolvent(game, company("MR"))


def test_a_company_without_a_train_runs_nothing_before_it_is_insolvent() -> None:
    game = gb.new_game(6)
    gb.own(game)
    gb.started(game, "MR", {"@2": 1}, cash=0)
    lay(game, *DERBY)
    gb.operating(game, "MR")
    events = act(game, "MR pass")
    assert not any(isinstance(event, RoutesRun) for event in events)
    assert price_of(game, company("MR")) == 90


@pytest.mark.parametrize(("move", "left"), [("MR buy 2+1 for 80", 20), ("MR buy 2+1 from NER for 1", 99)])
def test_insolvency_ends_with_a_train(move: str, left: int) -> None:
    game = insolvent(money=100, step=gb.TRAINS)
    gb.started(game, "NER")
    give_train(game, "NER", "2+1")
    act(game, move)
    while game.frame.entity == "MR":
        act(game, "MR pass")
    assert not is_insolvent(game, company("MR"))
    assert cash(game, "MR") == left


def test_insolvent_companies_shares_sell_at_half() -> None:
    game = insolvent(step=gb.TRAINS)
    gb.stock_round(game, 3)
    act(game, "@1 pass", "@2 sell 1 MR")
    assert cash(game, "@2") == 305 + 50


# -- conversion in need -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("price", "money", "now", "has"), [(100, 0, 75, 375), (100, 79, 75, 454), (50, 0, 50, 250), (60, 0, 50, 250)]
)
def test_conversion_in_need_three_left_and_five_times_the_new_price(price: int, money: int, now: int, has: int) -> None:
    game = shop(money=money, trains=())
    gb.price_at(game, "MR", price)
    act(game, "MR convert")
    assert (price_of(game, company("MR")), cash(game, "MR")) == (now, has)


def test_conversion_in_need_comes_after_the_fall_for_no_dividend() -> None:
    game = gb.new_game(6)
    gb.own(game)
    gb.started(game, "MR", {"@2": 1}, cash=0)
    gb.operating(game, "MR")
    act(game, "MR pass", "MR convert")
    assert (price_of(game, company("MR")), cash(game, "MR")) == (70, 350)


def test_conversion_in_need_then_the_president_may_buy_one_share() -> None:
    game = shop(money=0, trains=())
    act(game, "MR convert", "MR buy 2+1 for 80")
    while game.frame.entity == "MR":
        act(game, "MR pass")
    assert game.players_to_act() == ("@1",)
    act(game, "@1 buy MR from pool")
    assert (cash(game, "@1"), game.company(Owner("MR")).percent_held_by(Owner("@1"))) == (305 - 75, 30)
    assert game.frame.plan != "share after conversion"


def test_conversion_in_need_only_without_a_train_and_with_five_shares() -> None:
    refused(shop(money=100), "MR convert", "18GB conversion")
    refused(shop(money=80, trains=()), "MR convert", "18GB conversion")  # a train can be paid
    game = shop(money=100, trains=())
    gb.grow(game, "MR", ["@2"] * 8)
    game.advance()
    refused(game, "MR convert", "18GB conversion")


# -- receivership -------------------------------------------------------------------------------------


def receivership(
    money: int, *trains: str, phase: str = "2+1", ten: bool = False, price: int = 100, track: bool = True
) -> Game:
    """All shares of MR lie in the pool; its turn has gone by itself, and NER of @2 is next."""
    game = gb.new_game(6)
    gb.own(game)
    gb.reach_phase(game, phase)
    gb.started(game, "MR", {POOL: 3}, director=None, price=price, cash=money)
    if ten:
        gb.grow(game, "MR", [POOL] * 8)
    rearrange(game, game.company(Owner("MR")).certificates[0], owner=POOL)
    gb.started(game, "NER", {"@2": 1}, director="@2", price=70)
    give_train(game, "NER", "5+2")
    for train in trains:
        give_train(game, "MR", train)
    if track:
        lay(game, *DERBY)
    return gb.operating_round(game)


@pytest.mark.parametrize(("trains", "earned"), [(("2+1",), 30), (("5+2",), 30), (("5X",), 40)])
def test_receivership_runs_withholds_builds_and_buys_nothing(trains: tuple[str, ...], earned: int) -> None:
    game = receivership(600, *trains)
    assert game.frame.entity == "NER"
    assert (cash(game, "MR"), kinds(game), price_of(game, company("MR"))) == (600 + earned, list(trains), 90)
    assert game.company(Owner("MR")).tokens_left == (50,)
    assert not is_insolvent(game, company("MR"))


@pytest.mark.parametrize(
    ("phase", "money", "bought"),
    [
        ("2+1", 50, "2+1"),
        ("2+1", 3000, "2+1"),
        ("4X", 510, "4X"),
        ("4X", 609, "4X"),
        ("4X", 610, "5X"),
        ("5X", 659, "5X"),
        ("5X", 660, "6X"),
    ],
)
def test_receivership_leases_at_once_and_buys_the_dearest_train_it_can_pay(phase: str, money: int, bought: str) -> None:
    earned = 40 if phase.endswith("X") else 30
    game = receivership(money, phase=phase)
    assert (kinds(game), cash(game, "MR")) == ([bought], money + earned - PRICES[bought])
    assert not is_insolvent(game, company("MR"))
    assert len(game.company(Owner("MR")).certificates) == 4


@pytest.mark.parametrize(
    ("price", "phase", "now", "left", "train"),
    [
        (100, "2+1", 70, 30 + 350 - 80, ["2+1"]),
        (145, "5+2", 90, 30 + 450, []),
        (180, "5+2", 115, 30 + 575 - 500, ["5+2"]),
    ],
)
def test_receivership_converts_in_need(price: int, phase: str, now: int, left: int, train: list[str]) -> None:
    game = receivership(0, phase=phase, price=price)
    assert len(game.company(Owner("MR")).certificates) == 9
    assert (price_of(game, company("MR")), cash(game, "MR"), kinds(game)) == (now, left, train)
    assert is_insolvent(game, company("MR")) == (not train)


def test_receivership_with_ten_shares_and_no_money_stays_insolvent() -> None:
    game = receivership(0, ten=True)
    assert (cash(game, "MR"), kinds(game), price_of(game, company("MR"))) == (30, [], 90)
    assert is_insolvent(game, company("MR"))


def test_receivership_without_a_route_earns_nothing_and_still_buys() -> None:
    game = receivership(80, track=False)
    assert (cash(game, "MR"), kinds(game), price_of(game, company("MR"))) == (0, ["2+1"], 90)


def test_receivership_sells_nothing() -> None:
    game = receivership(0, "2+1", "2+1")
    gb.operating(game, "NER", step=gb.TRAINS)
    refused(game, "NER buy 2+1 from MR for 10", "18GB trains")


def test_receivership_begins_when_the_president_sells_all_and_ends_with_his_certificate() -> None:
    game = gb.new_game(6)
    gb.own(game)
    gb.started(game, "MR", {"@1": 1, POOL: 2}, cash=0)
    give_train(game, "MR", "5+2")
    gb.stock_round(game)
    act(game, "@1 sell 3 MR")
    record = game.company(Owner("MR"))
    assert (record.percent_held_by(POOL), record.certificates[0].owner) == (100, POOL)
    act(game, "@1 pass", "@2 buy MR from pool")
    assert (record.percent_held_by(Owner("@2")), record.certificates[0].owner) == (20, POOL)
    act(game, *(f"@{seat} pass" for seat in (3, 4, 5, 6, 1)), "@2 buy MR from pool")
    assert (record.percent_held_by(Owner("@2")), record.certificates[0].owner) == (40, "@2")
    assert cash(game, "@2") == 305 - 2 * 75


# -- the end ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("price", "revenue", "ends"), [(320, 30, True), (290, 580, True), (290, 30, False), (350, 30, True)]
)
def test_the_game_ends_at_350_after_this_operating_round(price: int, revenue: int, ends: bool) -> None:
    game = gb.new_game(6)
    gb.own(game)
    gb.started(game, "MR", {"@2": 1}, price=price)
    gb.started(game, "NER", {"@2": 1}, director="@2", price=70)
    give_train(game, "NER", "5+2")
    gb.operating(game, "MR", ["5+2"], step=gb.PAY, revenue=revenue, others=True)
    events = act(game, "MR pay", "MR pass")
    assert game.frame.entity == "NER"  # the round goes on
    while game.state.round.kind == "operating" and game.step is not None:
        events += act(game, gb.offered(game, "pass")[0])
    assert any(isinstance(event, GameEnded) for event in events) == ends


@pytest.mark.parametrize(("left", "buys", "ends"), [(2, 2, True), (2, 1, False), (1, 0, True), (2, 0, False)])
def test_the_game_ends_with_the_last_train(left: int, buys: int, ends: bool) -> None:
    """Bought or exported; the companies after it have their turn."""
    game = shop("6X", trains=() if buys else ("5+2",))
    gb.started(game, "NER", {"@2": 1}, director="@2", price=70)
    give_train(game, "NER", "5+2")
    empty_depot(game, left)
    gb.operating(game, "MR", step=gb.TRAINS, others=True)
    for _ in range(buys):
        act(game, "MR buy 6X for 700")
    if game.frame.entity == "MR":
        act(game, "MR pass")
    assert game.frame.entity == "NER"
    end_round(game)
    assert (game.step is None) == ends


def test_the_bank_has_no_end() -> None:
    game = gb.new_game(6)
    gb.started(game, "MR", {"@2": 1}, cash=0)
    gb.operating(game, "MR", ["5+2"], step=gb.PAY, revenue=100000)
    act(game, "MR pay")
    assert cash(game, "@1") == 305 + 40000


def test_the_end_counts_cash_shares_and_half_of_trainless_ones() -> None:
    game = gb.new_game(6)
    gb.own(game, TV="@1")
    gb.closed(game, "GN")
    gb.started(game, "MR", {"@1": 1}, price=65)
    gb.started(game, "NER", {"@1": 1}, price=90)
    give_train(game, "NER", "2+1")
    assert gb.TITLE.rules.worth(game, gb.ANN) == 305 + 60 + (65 + 32) + 3 * 90
    assert game.company(Owner("MR")).percent_held_by(IPO) == 40


# -- two operating rounds -----------------------------------------------------------------------------


@pytest.mark.parametrize("phase", ["2+1", "3+1", "4+2", "5+2", "4X", "6X"])
def test_two_operating_rounds_between_stock_rounds(phase: str) -> None:
    game = gb.new_game(6)
    gb.own(game)
    gb.reach_phase(game, phase)
    gb.started(game, "MR", {"@2": 1}, cash=0)
    give_train(game, "MR", "5+2")
    gb.operating_round(game)
    parts = []
    while game.state.round.kind == "operating":
        parts.append(game.state.round.part)
        act(game, gb.offered(game, "pass")[0])
    assert (set(parts), parts[-1]) == ({1, 2}, 2)


def test_companies_operate_by_price_and_of_equals_who_came_first() -> None:
    game = gb.new_game(6)
    gb.own(game)
    for name, price in (("MR", 70), ("NER", 100), ("GWR", 80), ("CR", 80)):
        gb.started(game, name, {"@2": 1}, price=price)
        give_train(game, name, "5+2")
    gb.operating_round(game)
    order: list[str] = []
    while game.state.round.part == 1 and game.state.round.kind == "operating":
        if game.frame.entity not in order:
            order.append(str(game.frame.entity))
        act(game, gb.offered(game, "pass")[0])
    assert order == ["NER", "GWR", "CR", "MR"]
