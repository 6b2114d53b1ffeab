"""18BF by a second reader of the rulebook: setting up, companies, phases (§3 to §8)."""

from __future__ import annotations

import pytest

from bot.engine.ids import BANK, POOL, Owner
from bot.engine.play.game import Game
from bot.engine.refusals import Rejected
from tests.rearrangement import rearrange
from tests.titles import builders_18bf as b
from tests.titles.positions import act, cash, refused, set_cash

NEXT_TRAIN = {
    "2": ("2", 100),
    "3": ("3", 225),
    "4": ("4", 350),
    "5": ("5", 550),
    "6": ("6", 650),
    "7": ("3+3", 800),
    "8": ("4+4", 1000),
}
"""Table 4: the train that each phase sells, and its price."""


def with_first_private(sign: str) -> Game:
    """A first stock round in which all private railways before this one have gone."""
    seed = next(number for number in range(1, 40) if sign in b.new_game(3, number).state.privates)
    game = b.new_game(3, seed)
    for earlier in b.RAILWAY_PRIVATES[: b.RAILWAY_PRIVATES.index(sign)]:
        if earlier in game.state.privates:
            game.private(earlier).closed = True
    return b.stock_turn(game, number=1)


# -- 3 ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "money"), [(3, 630), (4, 470), (5, 375)])
def test_3_starting_money_by_players(players: int, money: int) -> None:
    game = b.new_game(players)
    assert [cash(game, f"@{seat}") for seat in range(1, players + 1)] == [money] * players
    assert cash(game, BANK) == 20000 - players * money


@pytest.mark.parametrize("players", [1, 2, 6])
def test_2_three_to_five_players(players: int) -> None:
    with pytest.raises(Rejected):
        Game.new(b.TITLE, ["a", "b", "c", "d", "e", "f"][:players], {}, 1)


# -- 6 ------------------------------------------------------------------------------------------------


def test_6_a_company_sold_into_the_closed_box_leaves_with_its_trains_in_the_pool() -> None:
    game = b.after_privates()
    b.reach_phase(game, "4")
    b.public(game, "MR", {"@1": 4, "@2": 2}, at=40, money=130, loans=2, stations=[("U13", 0)])
    b.give_trains(game, "MR", "4")
    b.stock_turn(game)
    mine, others = cash(game, "@1"), cash(game, "@2")
    act(game, "@1 sell 1 MR")
    assert cash(game, "@1") == mine + 40
    assert cash(game, "@2") == others
    assert cash(game, "MR") == 0
    assert [train.kind for train in game.state.trains_of(POOL)] == ["4"]
    assert b.places(game, "MR") == []


def test_6_a_closed_public_may_be_started_again() -> None:
    game = b.after_privates()
    b.reach_phase(game, "4")
    b.public(game, "MR", {"@1": 4}, at=40, stations=[("U13", 0)])
    b.stock_turn(game)
    act(game, "@1 sell 1 MR")
    set_cash(game, "@2", 1000)
    b.stock_turn(game, "@2", 3)
    assert "@2 par MR 100" in b.legal(game)


# -- 7.1 ----------------------------------------------------------------------------------------------


def test_7_1_privates_pay_at_the_start_of_each_operating_round_players_and_companies() -> None:
    game = b.after_privates(3, {"P8": "@1", "P10": "@2"})
    game.private(Owner("F4")).owner = Owner("TV")
    b.minor(game, "TV", money=0)
    money = [cash(game, one) for one in ("@1", "@2", "@3")]
    b.operating_round(game)
    assert [cash(game, one) for one in ("@1", "@2", "@3")] == [money[0] + 25, money[1] + 30, money[2]]
    assert cash(game, "TV") == 20


@pytest.mark.parametrize(
    ("phase", "f1", "f4", "f7", "u1", "u2"),
    [
        ("2", 10, 20, 30, 0, 0),
        ("3", 15, 30, 45, 0, 0),
        ("4", 15, 30, 45, 0, 0),
        ("5", 20, 40, 60, 40, 0),
        ("6", 20, 40, 60, 40, 0),
        ("7", 25, 50, 75, 50, 75),
        ("8", 25, 50, 75, 50, 75),
    ],
)
def test_7_1_2_and_7_1_3_incomes_by_phase(phase: str, f1: int, f4: int, f7: int, u1: int, u2: int) -> None:
    game = b.after_privates(5, {"F1": "@1", "F4": "@2", "F7": "@3"})
    if u1:
        game.private(Owner("U1")).owner = Owner("@4")
    if u2:
        game.private(Owner("U2")).owner = Owner("@5")
    b.minor(game, "TV")  # its turn comes after the incomes of the first round
    b.reach_phase(game, phase)
    money = [cash(game, f"@{seat}") for seat in range(1, 6)]
    b.operating_round(game)
    assert [cash(game, f"@{seat}") - money[seat - 1] for seat in range(1, 6)] == [f1, f4, f7, u1, u2]


@pytest.mark.parametrize(("price", "fits"), [(0, False), (1, True), (75, True), (76, False)])
def test_7_1_a_company_pays_1_to_face_value(price: int, fits: bool) -> None:
    game = b.after_privates(3, {"P8": "@1"})
    b.reach_phase(game, "3")
    b.minor(game, "TV", money=100)
    b.in_turn(game, "TV")
    if not fits:
        refused(game, f"TV buy P8 for {price}")
        return
    mine = cash(game, "@1")
    act(game, f"TV buy P8 for {price}")
    assert (cash(game, "@1"), cash(game, "TV")) == (mine + price, 100 - price)
    assert game.private(Owner("P8")).owner == "TV"


@pytest.mark.parametrize("phase", ["2", "3"])
def test_7_1_privates_may_be_bought_from_phase_3(phase: str) -> None:
    game = b.after_privates(3, {"P8": "@1"})
    b.reach_phase(game, phase)
    b.minor(game, "TV", money=100)
    b.in_turn(game, "TV")
    if phase == "2":
        refused(game, "TV buy P8 for 10")
    else:
        act(game, "TV buy P8 for 10")


def test_7_1_a_company_may_not_sell_its_private_to_another() -> None:
    game = b.after_privates(3, {"P8": "VN"})
    b.reach_phase(game, "3")
    b.minor(game, "TV", money=100)
    b.minor(game, "VN", money=100)
    b.in_turn(game, "TV")
    refused(game, "TV buy P8 for 10")


# -- 7.1.1 --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sign", "least", "face", "income"),
    [
        ("P1", 20, 30, 10),
        ("P2", 30, 45, 15),
        ("P3", 30, 45, 15),
        ("P4", 30, 45, 15),
        ("P5", 40, 60, 20),
        ("P6", 40, 60, 20),
        ("P7", 50, 75, 25),
        ("P8", 50, 75, 25),
        ("P9", 50, 75, 25),
        ("P10", 60, 90, 30),
    ],
)
def test_7_1_1_table_1(sign: str, least: int, face: int, income: int) -> None:
    game = with_first_private(sign)
    by = game.players_to_act()[0]
    refused(game, f"{by} bid {sign} {least - 5}")
    act(game, f"{by} bid {sign} {least}", "@2 pass", "@3 pass")
    assert game.private(Owner(sign)).owner == by
    b.reach_phase(game, "3")
    b.minor(game, "TV", by, money=100)
    b.in_turn(game, "TV")
    refused(game, f"TV buy {sign} for {face + 1}")
    act(game, f"TV buy {sign} for {face}")
    b.operating_round(game)
    assert cash(game, "TV") == 100 - face + income


def test_7_1_1_seven_of_the_ten_are_in_play() -> None:
    for seed in range(1, 8):
        assert sum(sign in b.new_game(3, seed).state.privates for sign in b.RAILWAY_PRIVATES) == 7


def test_7_1_1_the_free_tile_is_beside_the_normal_ones_and_needs_no_connection() -> None:
    game = b.after_privates(3, {"P5": "@1"})
    b.minor(game, "TV", money=100)
    b.in_turn(game, "TV")
    act(game, "TV lay 4 P18 1 with P5")
    assert cash(game, "TV") == 100
    act(game, "TV lay 57 U11 1")
    assert cash(game, "TV") == 100, "the first tile of the allowance is still free"
    act(game, "TV lay 621 U9 1")
    assert cash(game, "TV") == 80


def test_7_1_1_the_free_tile_not_of_a_company_of_somebody_else() -> None:
    game = b.after_privates(3, {"P5": "@2"})
    b.minor(game, "TV", money=100)
    b.in_turn(game, "TV")
    refused(game, "TV lay 4 P18 1 with P5")


def test_7_1_1_the_free_tile_not_once_bought_by_a_company() -> None:
    game = b.after_privates(3, {"P5": "TV"})
    b.minor(game, "TV", money=100)
    b.in_turn(game, "TV")
    refused(game, "TV lay 4 P18 1 with P5")


def test_7_1_1_the_free_tile_pays_the_hex_side_it_completes() -> None:
    # D8 has £80 on its side to C9: a tile already points across it.
    game = b.after_privates(3, {"P3": "@1"})
    b.minor(game, "TV", money=100)
    b.lay(game, "57 U11 1", "8 C9 0")
    b.in_turn(game, "TV")
    act(game, "TV lay 4 D8 0 with P3")
    assert cash(game, "TV") == 20


# -- 7.1.2, 7.1.3 -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sign", "face"),
    [("F1", 50), ("F2", 50), ("F3", 50), ("F4", 100), ("F5", 100), ("F6", 100), ("F7", 150), ("F8", 150)],
)
def test_7_1_2_ferries_from_face_value(sign: str, face: int) -> None:
    game = b.stock_turn(b.after_privates())
    refused(game, f"@1 bid {sign} {face - 5}")
    act(game, f"@1 bid {sign} {face}", "@2 pass", "@3 pass")
    assert game.private(Owner(sign)).owner == "@1"
    assert cash(game, "@1") == 630 - face


@pytest.mark.parametrize(("sign", "face", "phase", "before"), [("U1", 100, "5", "4"), ("U2", 150, "7", "6")])
def test_7_1_3_undergrounds_by_phase(sign: str, face: int, phase: str, before: str) -> None:
    early = b.after_privates()
    b.reach_phase(early, before)
    b.stock_turn(early)
    refused(early, f"@1 bid {sign} {face}")
    game = b.after_privates()
    b.reach_phase(game, phase)
    b.stock_turn(game)
    refused(game, f"@1 bid {sign} {face - 5}")
    act(game, f"@1 bid {sign} {face}", "@2 pass", "@3 pass")
    assert game.private(Owner(sign)).owner == "@1"


def test_7_1_2_no_ferry_while_a_railway_private_is_left() -> None:
    game = b.new_game()
    refused(game, f"{game.players_to_act()[0]} bid F1 50")


# -- 7.2 ----------------------------------------------------------------------------------------------

GROUP_A = {"EG", "EPD", "GA", "GC", "ML", "ND", "NU", "YNM"}


@pytest.mark.parametrize("seed", range(1, 6))
def test_7_2_twelve_minors_at_first_four_of_them_of_group_a(seed: int) -> None:
    game = b.after_privates(3, seed=seed)
    b.stock_turn(game, number=1)
    offered = {text.split()[2] for text in b.legal(game, "@1 bid") if text.split()[2] in b.COMPANIES}
    assert len(offered) == 12
    assert len(offered & GROUP_A) == 4


def test_7_2_six_more_in_the_second_stock_round_and_all_in_phases_3_and_4() -> None:
    counts = []
    for number, phase in ((2, "2"), (3, "2"), (3, "3"), (4, "4")):
        game = b.after_privates()
        b.reach_phase(game, phase)
        b.stock_turn(game, number=number)
        counts.append(len({text.split()[2] for text in b.legal(game, "@1 bid") if text.split()[2] in b.COMPANIES}))
    assert counts == [18, 18, 24, 24]


def test_7_2_a_closed_minor_is_not_started_again() -> None:
    game = b.after_privates()
    b.reach_phase(game, "3")
    b.minor(game, "TV", at=40, money=0)
    b.in_turn(game, "TV", "end")
    assert b.company(game, "TV").position is None
    b.stock_turn(game)
    refused(game, "@1 bid TV 100")


# -- 7.3, 7.4 -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["CR", "GER", "GNR", "LBSC", "LNW", "LSW", "LYR", "MR", "NBR", "NER", "SEC"])
def test_7_3_a_public_has_a_double_and_eight_single_certificates(name: str) -> None:
    game = b.new_game()
    assert [one.percent for one in game.company(Owner(name)).certificates] == [20] + [10] * 8
    assert len(game.company(Owner(name)).tokens_left) == 4


@pytest.mark.parametrize(("name", "stations"), [("GCR", 12), ("LMS", 12), ("LNE", 12), ("GWR", 8), ("SR", 8)])
def test_7_4_a_system_has_a_quadruple_and_sixteen_single_certificates(name: str, stations: int) -> None:
    game = b.new_game()
    assert [one.percent for one in game.company(Owner(name)).certificates] == [20] + [5] * 16
    assert len(game.company(Owner(name)).tokens_left) == stations


@pytest.mark.parametrize(("held", "takes_over"), [(1, False), (2, False), (3, True)])
def test_7_3_only_who_owns_more_becomes_director(held: int, takes_over: bool) -> None:
    game = b.after_privates()
    b.reach_phase(game, "4")
    b.public(game, "MR", {"@1": 3, "@2": held}, stations=[("U13", 0)])
    b.stock_turn(game, "@2")
    act(game, "@2 buy MR")
    assert game.controller_of(Owner("MR")) == ("@2" if takes_over else "@1")
    assert b.company(game, "MR").certificates[0].owner == ("@2" if takes_over else "@1")
    assert b.shares(game, "MR", "@1") == 3


# -- 8 ------------------------------------------------------------------------------------------------

LIMITS = [
    ("2", "TV", 2),
    ("3", "TV", 2),
    ("3", "MR", 4),
    ("4", "TV", 1),
    ("4", "MR", 3),
    ("5", "TV", 1),
    ("5", "MR", 3),
    ("6", "TV", 1),
    ("6", "MR", 2),
    ("6", "SR", 4),
    ("7", "TV", 1),
    ("7", "MR", 2),
    ("7", "SR", 4),
    ("8", "TV", 0),
    ("8", "MR", 2),
    ("8", "SR", 4),
]


@pytest.mark.parametrize(("phase", "name", "limit"), LIMITS)
def test_8_train_limits(phase: str, name: str, limit: int) -> None:
    kind, price = NEXT_TRAIN[phase]
    for owned in range(max(0, limit - 1), limit + 1):
        game = b.after_privates()
        if name == "TV":
            b.minor(game, "TV", money=3000)
        else:
            b.public(game, name, {"@1": 5}, money=3000, stations=[("U11", 0)])
        b.reach_phase(game, phase)
        b.give_trains(game, name, *[kind] * owned)
        b.in_turn(game, name, "trains", revenue=0)
        if owned == limit:
            assert f"{name} buy {kind} for {price}" not in b.legal(game)
            with pytest.raises(Rejected):
                act(game, f"{name} buy {kind} for {price}")
        else:
            act(game, f"{name} buy {kind} for {price}")
            assert len(b.trains(game, name)) == limit


@pytest.mark.parametrize(("tile", "before", "opens"), [("BF9", "2", "3"), ("BF10", "4", "5"), ("BF11", "6", "7")])
def test_8_green_from_3_brown_from_5_gray_from_7(tile: str, before: str, opens: str) -> None:
    beneath = {"BF9": (), "BF10": ("BF9 U23 0",), "BF11": ("BF10 U23 0",)}[tile]
    for phase in (before, opens):
        game = b.after_privates()
        b.minor(game, "LR")
        b.reach_phase(game, phase)
        b.lay(game, *beneath)
        b.in_turn(game, "LR")
        if phase == before:
            refused(game, f"LR lay {tile} U23 0")
        else:
            act(game, f"LR lay {tile} U23 0")


@pytest.mark.parametrize(("bought", "gone", "stays"), [("4", "2", "3"), ("6", "3", "4"), ("4+4", "4", "5")])
def test_8_what_rusts(bought: str, gone: str, stays: str) -> None:
    phase = {"4": "3", "6": "5", "4+4": "7"}[bought]
    game = b.after_privates()
    b.public(game, "MR", {"@1": 5}, money=2000, stations=[("U11", 0)])
    b.public(game, "CR", {"@2": 5}, money=100, stations=[("D6", 0)])
    b.reach_phase(game, phase)
    for train in game.state.trains:
        if train.owner == b.DEPOT and train.family == {"3": "3", "5": "5", "7": "3+3"}[phase]:
            rearrange(game, train, owner=b.REMOVED)
    b.give_trains(game, "CR", gone, stays)
    b.in_turn(game, "MR", "trains", revenue=0)
    act(game, f"MR buy {bought} for { {'4': 350, '6': 650, '4+4': 1000}[bought] }")
    assert b.trains(game, "CR") == [stays]
    assert cash(game, "CR") == 100


def test_8_private_railways_close_in_phase_8_ferries_stay() -> None:
    game = b.after_privates(3, {"P8": "@1", "P10": "MR", "F1": "@2"})
    b.public(game, "MR", {"@1": 5}, money=2000, stations=[("U11", 0)])
    b.reach_phase(game, "7")
    for train in game.state.trains:
        if train.owner == b.DEPOT and train.family == "3+3":
            rearrange(game, train, owner=b.REMOVED)
    b.in_turn(game, "MR", "trains", revenue=0)
    act(game, "MR buy 4+4 for 1000")
    assert [game.private(Owner(sign)).closed for sign in ("P8", "P10", "F1")] == [True, True, False]


def test_8_minors_lose_their_trains_in_phase_8() -> None:
    game = b.after_privates()
    b.minor(game, "VN")
    b.give_trains(game, "VN", "5")
    b.public(game, "MR", {"@1": 5}, money=2000, stations=[("U11", 0)])
    b.reach_phase(game, "7")
    for train in game.state.trains:
        if train.owner == b.DEPOT and train.family == "3+3":
            rearrange(game, train, owner=b.REMOVED)
    b.in_turn(game, "MR", "trains", revenue=0)
    act(game, "MR buy 4+4 for 1000")
    if b.legal(game, "VN discard"):
        act(game, "VN discard 5")
    assert b.trains(game, "VN") == []
    assert "5" in b.trains(game, POOL)


def test_8_minors_are_no_more_started_in_phase_5() -> None:
    game = b.after_privates()
    b.reach_phase(game, "5")
    b.stock_turn(game)
    refused(game, "@1 bid BE 100")
