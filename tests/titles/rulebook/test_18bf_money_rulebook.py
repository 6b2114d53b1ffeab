"""18BF by a second reader of the rulebook: earnings, loans, trains, closure, the end (§10.7 to §11, §13)."""

from __future__ import annotations

import pytest

from bot.engine.ids import POOL, REMOVED
from bot.engine.play.game import Game
from tests.rearrangement import rearrange
from tests.titles import builders_18bf as b
from tests.titles.positions import act, cash, refused


def public_with(
    held: dict[str, int] | None = None,
    at: int = 100,
    money: int = 500,
    loans: int = 0,
    phase: str = "4",
    name: str = "MR",
) -> Game:
    game = b.after_privates()
    b.reach_phase(game, phase)
    b.public(game, name, held or {"@1": 5}, at=at, money=money, loans=loans, stations=[("U13", 0)])
    return game


def minor_with(at: int = 100, money: int = 100, loans: int = 0, phase: str = "2") -> Game:
    game = b.after_privates()
    b.minor(game, "TV", at=at, money=money, loans=loans)
    b.reach_phase(game, phase)
    return game


def sell_out(game: Game, *families: str) -> None:
    """No card of these families is left in the bank."""
    for train in game.state.trains:
        if train.owner == b.DEPOT and train.family in families:
            rearrange(game, train, owner=REMOVED)


# -- 10.7 ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("at", "revenue", "then"), [(100, 50, 110), (40, 10, 45), (150, 60, 165), (165, 60, 165), (100, 0, 90), (45, 0, 40)]
)
def test_10_7_minors_halve_and_move(at: int, revenue: int, then: int) -> None:
    game = minor_with(at=at)
    b.give_trains(game, "TV", "2")
    mine = cash(game, "@1")
    b.in_turn(game, "TV", "earnings", revenue=revenue)
    assert b.price(game, "TV") == then
    assert cash(game, "@1") == mine + revenue // 2
    assert cash(game, "TV") == 100 + revenue // 2


@pytest.mark.parametrize(
    ("kind", "revenue", "dividend", "kept"),
    [
        ("pay", 130, 130, 0),
        ("withhold", 130, 0, 130),
        ("half", 130, 70, 60),
        ("half", 120, 60, 60),
        ("half", 10, 10, 0),
        ("half", 150, 80, 70),
    ],
)
def test_10_7_a_public_pays_keeps_or_halves(kind: str, revenue: int, dividend: int, kept: int) -> None:
    # 5 shares of the director, 2 of the second player, 1 in the pool, 2 in the treasury
    game = public_with({"@1": 5, "@2": 2, "pool": 1})
    b.give_trains(game, "MR", "4", "4", "4")
    one, two = cash(game, "@1"), cash(game, "@2")
    b.in_turn(game, "MR", "earnings", revenue=revenue)
    act(game, f"MR {kind}")
    share = dividend // 10
    assert cash(game, "@1") == one + 5 * share
    assert cash(game, "@2") == two + 2 * share
    assert cash(game, "MR") == 500 + kept + 2 * share


@pytest.mark.parametrize(
    ("at", "revenue", "kind", "then"),
    [
        (100, 100, "pay", 110),
        (100, 90, "pay", 100),
        (100, 110, "pay", 110),
        (100, 400, "pay", 110),
        (100, 190, "half", 110),
        (100, 180, "half", 100),
        (100, 500, "withhold", 90),
        (800, 900, "pay", 800),
    ],
)
def test_10_7_how_a_publics_price_moves(at: int, revenue: int, kind: str, then: int) -> None:
    game = public_with(at=at)
    b.give_trains(game, "MR", "4", "4", "4")
    b.in_turn(game, "MR", "earnings", revenue=revenue)
    act(game, f"MR {kind}")
    assert b.price(game, "MR") == then


def test_10_7_a_public_without_earnings_at_40_closes() -> None:
    game = public_with(at=40)
    b.give_trains(game, "MR", "4")
    b.in_turn(game, "MR", "run", revenue=None)
    assert b.company(game, "MR").position is None
    assert [train.kind for train in game.state.trains_of(POOL)] == ["4"]


@pytest.mark.parametrize(
    ("phase", "at", "revenue", "share", "then"),
    [
        ("7", 100, 250, 12, 110),
        ("7", 120, 250, 12, 135),
        ("7", 120, 230, 11, 120),
        ("7", 100, 500, 25, 110),
        ("8", 100, 400, 20, 120),
        ("8", 100, 390, 19, 110),
        ("8", 100, 410, 20, 120),
    ],
)
def test_10_7_systems_pay_5_percent_and_jump_twice_in_phase_8(
    phase: str, at: int, revenue: int, share: int, then: int
) -> None:
    game = public_with({"@1": 5, "@2": 3}, at=at, phase=phase, name="GWR")
    b.give_trains(game, "GWR", "5", "5", "5", "5")
    one, two = cash(game, "@1"), cash(game, "@2")
    b.in_turn(game, "GWR", "earnings", revenue=revenue)
    act(game, "GWR pay")
    assert (cash(game, "@1"), cash(game, "@2")) == (one + 5 * share, two + 3 * share)
    assert b.price(game, "GWR") == then


# -- 10.8, 10.9 ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("money", "loans", "money_then", "loans_then", "price"),
    [
        (30, 2, 20, 2, 100),  # £10 of interest
        (10, 2, 0, 2, 100),
        (7, 2, 0, 2, 90),  # no third loan: pays all it has and falls
        (0, 2, 0, 2, 90),
        (3, 1, 43, 2, 100),  # a further loan, £45
        (60, 1, 5, 0, 100),  # interest 5, then 50 repaid
        (54, 1, 49, 1, 100),  # 49 are not enough for a loan
        (110, 2, 0, 0, 100),
        (120, 2, 10, 0, 100),
    ],
)
def test_10_8_and_10_9_of_a_minor(money: int, loans: int, money_then: int, loans_then: int, price: int) -> None:
    game = minor_with(money=money, loans=loans, at=100)
    b.give_trains(game, "TV", "2", "2")
    b.memory(game).loans_to_pay = loans
    b.in_turn(game, "TV", "loans", revenue=0)
    assert (cash(game, "TV"), b.company(game, "TV").loans, b.price(game, "TV")) == (money_then, loans_then, price)


@pytest.mark.parametrize(
    ("name", "money", "loans", "money_then", "loans_then", "price"),
    [
        ("MR", 24, 5, 0, 5, 90),
        ("MR", 25, 5, 0, 5, 100),
        ("MR", 19, 4, 44, 5, 100),
        ("MR", 180, 3, 15, 0, 100),
        ("MR", 150, 3, 35, 1, 100),
        ("MR", 30, 7, 0, 7, 90),
        ("GWR", 44, 9, 44, 10, 100),
        ("GWR", 49, 10, 0, 10, 90),
        ("GWR", 49, 12, 0, 12, 90),
    ],
)
def test_10_8_and_10_9_of_publics_and_systems(
    name: str, money: int, loans: int, money_then: int, loans_then: int, price: int
) -> None:
    game = public_with(money=money, loans=loans, phase="6", name=name)
    b.give_trains(game, name, *["5"] * (2 if name == "MR" else 4))
    b.memory(game).loans_to_pay = loans
    b.in_turn(game, name, "loans", revenue=100)
    assert (cash(game, name), b.company(game, name).loans, b.price(game, name)) == (money_then, loans_then, price)


# -- 10.10 --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("phase", "kind", "price", "number"),
    [
        ("2", "2", 100, 15),
        ("3", "3", 225, 11),
        ("4", "4", 350, 6),
        ("5", "5", 550, 6),
        ("5", "3G", 450, 6),
        ("6", "6", 650, 3),
        ("6", "4G", 550, 3),
        ("7", "3+3", 800, 3),
        ("7", "5G", 700, 3),
        ("8", "4+4", 1000, None),
        ("8", "6G", 800, None),
        ("8", "2+2", 600, None),
        ("8", "5+5E", 1500, 5),
    ],
)
def test_10_10_table_4(phase: str, kind: str, price: int, number: int | None) -> None:
    game = public_with({"@1": 5}, money=2000, phase=phase, name="GWR" if phase in "678" else "MR")
    name = "GWR" if phase in "678" else "MR"
    if phase == "2":
        b.minor(game, "TV", money=2000)
        name = "TV"
    b.in_turn(game, name, "trains", revenue=0)
    family = game.title.trains[kind].family
    if number:
        assert sum(train.family == family and train.owner == b.DEPOT for train in game.state.trains) == number
    refused(game, f"{name} buy {kind} for {price - 5}")
    act(game, f"{name} buy {kind} for {price}")
    assert cash(game, name) == 2000 - price
    assert kind in b.trains(game, name)


@pytest.mark.parametrize(
    ("old", "worth"),
    [("4", 0), ("5", 135), ("3G", 125), ("6", 160), ("4G", 150), ("3+3", 200), ("5G", 175)],
)
def test_10_10_trade_in_of_systems(old: str, worth: int) -> None:
    game = public_with(money=1000, phase="7", name="GWR")
    b.give_trains(game, "GWR", old, "5", "5", "6")
    b.in_turn(game, "GWR", "trains", revenue=0)
    act(game, f"GWR buy 3+3 for {800 - worth} trade {old}")
    assert cash(game, "GWR") == 1000 - 800 + worth
    assert [train.kind for train in game.state.trains_of(POOL)] == [old]
    assert len(b.trains(game, "GWR")) == 4


@pytest.mark.parametrize(("old", "worth"), [("4+4", 250), ("6G", 200), ("2+2", 150), ("5+5E", 375)])
def test_10_10_trade_in_in_phase_8(old: str, worth: int) -> None:
    game = public_with(money=1500, phase="8", name="GWR")
    b.give_trains(game, "GWR", old)
    b.in_turn(game, "GWR", "trains", revenue=0)
    act(game, f"GWR buy 4+4 for {1000 - worth} trade {old}")
    assert cash(game, "GWR") == 500 + worth


def test_10_10_publics_do_not_trade_in() -> None:
    game = public_with(money=1000, phase="7")
    b.give_trains(game, "MR", "5")
    b.in_turn(game, "MR", "trains", revenue=0)
    refused(game, "MR buy 3+3 for 665 trade 5")


def test_10_10_only_systems_own_one_5_plus_5_e() -> None:
    game = public_with(money=2000, phase="8")
    b.in_turn(game, "MR", "trains", revenue=0)
    refused(game, "MR buy 5+5E for 1500")
    game = public_with(money=4000, phase="8", name="GWR")
    b.in_turn(game, "GWR", "trains", revenue=0)
    act(game, "GWR buy 5+5E for 1500")
    refused(game, "GWR buy 5+5E for 1500")


@pytest.mark.parametrize(
    ("money", "loans", "train", "price", "money_then", "loans_then"),
    [(10, 0, "2", 100, 0, 2), (56, 0, "2", 100, 1, 1), (54, 0, "2", 100, 44, 2), (100, 0, "2", 100, 0, 0)],
)
def test_10_10_who_has_no_train_borrows_for_one(
    money: int, loans: int, train: str, price: int, money_then: int, loans_then: int
) -> None:
    game = minor_with(money=money, loans=loans)
    b.in_turn(game, "TV", "trains", revenue=0)
    refused(game, "TV pass")
    act(game, f"TV buy {train} for {price}")
    assert (cash(game, "TV"), b.company(game, "TV").loans) == (money_then, loans_then)


def test_10_10_who_has_a_train_does_not_borrow_for_another() -> None:
    game = minor_with(money=99)
    b.give_trains(game, "TV", "2")
    b.in_turn(game, "TV", "trains", revenue=0)
    assert not [text for text in b.legal(game) if "buy 2 for 100" in text]


@pytest.mark.parametrize(("money", "falls"), [(9, True), (10, False)])
def test_10_10_who_cannot_even_with_all_loans_falls_and_takes_none(money: int, falls: bool) -> None:
    game = minor_with(money=money)
    b.in_turn(game, "TV", "trains", revenue=0)
    if falls:
        assert b.price(game, "TV") == 90
        assert (cash(game, "TV"), b.company(game, "TV").loans) == (money, 0)
    else:
        assert game.players_to_act() == (b.ANN,)


def test_10_10_no_loans_for_another_companys_train() -> None:
    game = minor_with(money=20)
    b.minor(game, "VN", "@1")
    b.give_trains(game, "VN", "2", "2")
    b.in_turn(game, "TV", "trains", revenue=0)
    refused(game, "TV buy 2 from VN for 21")
    refused(game, "TV buy 2 from VN for 0")
    act(game, "TV buy 2 from VN for 20")
    assert (cash(game, "TV"), cash(game, "VN"), b.company(game, "TV").loans) == (0, 120, 0)


def test_10_10_a_train_of_the_pool_at_its_face_value() -> None:
    game = public_with(money=1000, phase="6")
    b.give_trains(game, POOL, "3G")
    b.in_turn(game, "MR", "trains", revenue=0)
    refused(game, "MR buy 3G from pool for 400")
    refused(game, "MR buy 5 from pool for 550")
    act(game, "MR buy 3G from pool for 450")
    assert b.trains(game, "MR") == ["3G"]


def test_10_10_a_phase_change_takes_the_buyer_over_its_limit_as_well() -> None:
    # phase 5: three trains; the first 6 begins phase 6 with two
    game = public_with(money=1000, phase="5")
    sell_out(game, "5")
    b.give_trains(game, "MR", "4", "4")
    b.in_turn(game, "MR", "trains", revenue=0)
    act(game, "MR buy 6 for 650", "MR discard 4")
    assert sorted(b.trains(game, "MR")) == ["4", "6"]
    assert [train.kind for train in game.state.trains_of(POOL)] == ["4"]


# -- 10.11, 11 ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("phase", "part", "gone"),
    [("2", 2, 0), ("3", 2, 0), ("4", 1, 0), ("4", 2, 1), ("5", 2, 1), ("6", 2, 1), ("7", 2, 1), ("8", 2, 0)],
)
def test_10_11_one_train_leaves_after_the_second_round_of_phases_4_to_7(phase: str, part: int, gone: int) -> None:
    game = public_with(phase=phase)
    family = {"2": "2", "3": "3", "4": "4", "5": "5", "6": "6", "7": "3+3", "8": "4+4"}[phase]
    before = sum(train.family == family and train.owner == b.DEPOT for train in game.state.trains)
    b.operating_round(game, part=part, at=2)
    after = sum(train.family == family and train.owner == b.DEPOT for train in game.state.trains)
    assert before - after == gone


def test_11_three_spaces_in_one_round_at_most() -> None:
    # no earnings, interest unpaid, no train: 100, 90, 80, 70
    game = public_with(money=0, loans=5, at=100)
    b.memory(game).loans_to_pay = 5
    b.in_turn(game, "MR", "run")
    assert b.price(game, "MR") == 70


# -- 13 -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("part", "sets"), [(1, [2]), (2, [3])])
def test_13_three_more_operating_rounds_with_one_stock_round(part: int, sets: list[int]) -> None:
    game = public_with(money=3000, phase="7")
    sell_out(game, "3+3")
    b.in_turn(game, "MR", "trains", part=part, revenue=0)
    act(game, "MR buy 4+4 for 1000")
    rounds: list[tuple[str, int]] = [(game.state.round.kind, game.state.round.part)]
    while not game.state.finished:
        moves = b.legal(game)
        act(game, next((text for text in moves if text.endswith((" pass", " withhold"))), moves[0]))
        now = (game.state.round.kind, game.state.round.part)
        if now != rounds[-1]:
            rounds.append(now)
    played = [one for one in rounds if one[0] in ("operating", "stock")]
    assert [kind for kind, _ in played].count("stock") == 1
    after = played[[kind for kind, _ in played].index("stock") + 1 :]
    assert len(after) == sets[0]


def test_13_worth_at_the_end() -> None:
    # £1000 cash; MR at 100 with two loans counts 80: five shares; a minor at 60 counts twice; P8 has closed; F4 100
    game = b.after_privates(3, {"F4": "@1"})
    b.minor(game, "TV", "@1", at=60, money=40)
    b.reach_phase(game, "8")
    b.public(game, "MR", {"@1": 5}, at=100, money=900, loans=2, stations=[("U13", 0)])
    b.set_cash(game, "@1", 1000)
    assert game.title.rules.worth(game, b.ANN) == 1000 + 5 * 80 + 2 * 60 + 100
