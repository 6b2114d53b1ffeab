"""18BF by a second reader of the rulebook: merger rounds (§12)."""

from __future__ import annotations

import pytest

from bot.engine.ids import IPO, POOL, Owner
from bot.engine.play.game import Game
from tests.titles import builders_18bf as b
from tests.titles.positions import act, cash, refused, set_cash

WALES = ("57 U7 1", "621 U9 1", "57 U11 1", "621 U13 1")


def minors(*lots: tuple[str, str, int], phase: str = "3", money: int = 100) -> Game:
    """Minors named with owner and price, and the row of South Wales on the map."""
    game = b.after_privates()
    for name, owner, at in lots:
        b.minor(game, name, owner, at, money)
    b.reach_phase(game, phase)
    b.lay(game, *WALES)
    return b.merger_round(game)


def publics(*lots: tuple[str, dict[str, int], int, str], phase: str = "6") -> Game:
    """Publics named with holders, price and station."""
    game = b.after_privates()
    b.reach_phase(game, phase)
    for name, held, at, station in lots:
        b.public(game, name, held, at, 100, 0, [(station, 0)])
    b.lay(game, *WALES)
    return game


def done(game: Game) -> None:
    """Nobody buys anything more until the formation is over."""
    while game.state.flow and game.frame.plan == "forming":
        act(game, next(text for text in b.legal(game) if text.endswith(" pass") or " stations " in text))


# -- 12.1, 12.2 ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("at", "fits"), [(90, False), (100, True), (110, True), (120, True), (135, True), (150, True), (165, True)]
)
def test_12_2_minors_of_100_to_165_convert_at_their_price(at: int, fits: bool) -> None:
    game = minors(("TV", "@1", at), ("VN", "@1", 80))
    if not fits:
        assert not b.legal(game, "TV convert")
        refused(game, "TV convert to MR")
        return
    act(game, "TV convert to MR")
    done(game)
    assert b.price(game, "MR") == at
    assert b.shares(game, "MR", "@1") == 2
    assert b.places(game, "MR") == ["U11.0"]
    assert cash(game, "MR") == 100
    assert b.company(game, "TV").position is None


def test_12_merger_rounds_begin_with_phase_3() -> None:
    for phase, kind in (("2", "stock"), ("3", "merger")):
        game = b.after_privates()
        b.minor(game, "TV", at=120)
        b.reach_phase(game, phase)
        b.operating_round(game, part=2, at=2)
        assert game.state.round.kind == kind


def test_12_1_minors_are_asked_in_operating_order() -> None:
    game = minors(("TV", "@1", 100), ("VN", "@2", 120))
    assert game.frame.entity == "VN"
    act(game, "VN pass")
    assert game.frame.entity == "TV"


# -- 12.3, 12.4 ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("prices", "price"),
    [
        ((60, 60), 120),
        ((65, 60), 120),
        ((80, 65), 135),
        ((100, 90), 180),
        ((120, 110), 200),
        ((165, 165), 200),
        ((50, 45), 90),
    ],
)
def test_12_3_price_of_the_merger(prices: tuple[int, int], price: int) -> None:
    game = minors(("TV", "@1", prices[0]), ("VN", "@1", prices[1]))
    act(game, "TV merge VN into MR")
    done(game)
    assert b.price(game, "MR") == price
    assert b.shares(game, "MR", "@1") == 2
    assert cash(game, "MR") == 200
    assert b.places(game, "MR") == ["U11.0", "U7.0"]


def test_12_3_the_middle_of_three_prices_does_not_count() -> None:
    game = minors(("TV", "@1", 70), ("VN", "@1", 60), ("BE", "@1", 40))
    act(game, "TV merge BE VN into MR")
    done(game)
    assert b.price(game, "MR") == 110
    assert b.shares(game, "MR", "@1") == 3
    assert len(b.places(game, "MR")) == 2


def test_12_3_a_tie_is_the_earliest_operators() -> None:
    game = minors(("TV", "@1", 60), ("VN", "@2", 70), ("BE", "@3", 50))
    set_cash(game, "@2", 0)
    set_cash(game, "@3", 0)
    game.state.money = sum(game.state.cash.values())
    act(game, "VN merge BE TV into MR")
    while game.frame.plan == "consent":
        act(game, f"{game.players_to_act()[0]} agree")
    assert game.controller_of(Owner("MR")) == "@2"


def test_12_4_without_two_shares_in_one_hand_it_is_undone() -> None:
    game = minors(("TV", "@1", 60), ("VN", "@2", 50))
    before = {name: cash(game, name) for name in ("TV", "VN", "@1", "@2")}
    act(game, "TV merge VN into MR", "@2 agree")
    done(game)
    assert b.company(game, "MR").position is None
    assert {name: cash(game, name) for name in before} == before
    assert b.price(game, "TV") == 60
    assert b.places(game, "VN") == ["U7.0"]


def test_12_4_shareholders_buy_from_the_director_on_then_all_one_each() -> None:
    game = minors(("TV", "@1", 60), ("VN", "@2", 50))
    act(game, "TV merge VN into MR", "@2 agree")
    assert game.players_to_act() == (b.ANN,)
    act(game, "@1 buy 2 MR")  # 110 each
    assert cash(game, "@1") == 630 - 220
    assert game.players_to_act() == (b.BOB,)
    act(game, "@2 pass")
    assert game.players_to_act() == (b.ANN,)
    act(game, "@1 buy MR", "@2 buy MR", "@3 buy MR")
    assert cash(game, "MR") == 200 + 5 * 110
    assert [b.shares(game, "MR", one) for one in ("@1", "@2", "@3", IPO)] == [4, 2, 1, 3]


@pytest.mark.parametrize(("number", "fits"), [(4, True), (5, False)])
def test_12_4_not_over_60_percent(number: int, fits: bool) -> None:
    game = minors(("TV", "@1", 40), ("VN", "@1", 40))  # two shares at 80
    act(game, "TV merge VN into MR")
    if fits:
        act(game, f"@1 buy {number} MR")
    else:
        refused(game, f"@1 buy {number} MR", "12.4")


def test_12_3_unconnected_minors_do_not_merge() -> None:
    game = minors(("TV", "@1", 100), ("NM", "@1", 50))
    refused(game, "TV merge NM into MR", "12.3")


def test_12_3_london_is_connected() -> None:
    game = minors(("LR", "@1", 60), ("EC", "@1", 60))
    act(game, "LR merge EC into MR")
    done(game)
    assert len(b.places(game, "MR")) == 2


def test_12_3_one_hex_does_not_connect_unless_its_tile_links_the_spaces() -> None:
    game = b.after_privates()
    b.minor(game, "GA", at=100)
    b.minor(game, "GC", at=60)
    b.reach_phase(game, "3")
    b.lay(game, "BF1 D6 0")
    b.merger_round(game)
    refused(game, "GA merge GC into MR", "12.3")


def test_12_3_more_than_five_loans_may_come_together() -> None:
    game = b.after_privates()
    for name in ("TV", "VN", "BE"):
        b.minor(game, name, at=60, loans=2)
    b.reach_phase(game, "3")
    b.lay(game, *WALES)
    b.merger_round(game)
    act(game, "TV merge BE VN into MR")
    done(game)
    assert b.company(game, "MR").loans == 6


# -- 12.5 ---------------------------------------------------------------------------------------------


def takeover(held: dict[str, int], station: str = "U9", loans: int = 2) -> Game:
    game = b.after_privates()
    b.minor(game, "TV", "@2", 100, 70, loans)
    b.reach_phase(game, "4")
    b.public(game, "MR", held, 100, 500, 4, [(station, 0)])
    b.lay(game, *WALES)
    return b.merger_round(game)


def test_12_5_a_minor_becomes_a_treasury_share() -> None:
    game = takeover({"@1": 5})
    act(game, "TV join MR", "@1 agree")
    while game.frame.plan == "takeover":
        act(game, next(text for text in b.legal(game) if "token" in text or "agree" in text))
    assert (b.shares(game, "MR", "@2"), b.shares(game, "MR", IPO)) == (1, 4)
    assert cash(game, "MR") == 570
    assert b.company(game, "MR").loans == 6, "more than five loans are allowed"
    assert b.places(game, "MR") == ["U11.0", "U9.0"]
    assert b.price(game, "MR") == 100


def test_12_5_no_takeover_without_a_treasury_share() -> None:
    game = takeover({"@1": 5, "@3": 5})
    refused(game, "TV join MR", "12.5")


def test_12_5_no_takeover_without_a_connection() -> None:
    game = takeover({"@1": 5}, station="A9")
    refused(game, "TV join MR", "12.5")


def test_12_5_over_60_percent_and_the_directorship() -> None:
    game = takeover({"@2": 6})
    act(game, "TV join MR")
    assert b.shares(game, "MR", "@2") == 7


def test_12_5_a_refusal_leaves_all_as_it_was() -> None:
    game = takeover({"@1": 5})
    act(game, "TV join MR", "@1 refuse")
    assert b.price(game, "TV") == 100
    assert b.shares(game, "MR", IPO) == 5


# -- 12.6 ---------------------------------------------------------------------------------------------


def test_12_6_no_system_before_phase_6() -> None:
    game = publics(("MR", {"@1": 4}, 100, "U9"), ("CR", {"@1": 3}, 80, "U11"), phase="5")
    b.merger_round(game)
    assert game.state.round.kind != "merger" or not b.legal(game, "MR form")


@pytest.mark.parametrize(
    ("one", "two", "price"),
    [(100, 80, 90), (100, 90, 90), (200, 150, 165), (245, 100, 165), (65, 65, 65), (45, 40, 40)],
)
def test_12_6_a_two_publics_at_the_average_one_for_one(one: int, two: int, price: int) -> None:
    game = publics(("MR", {"@1": 4, "@2": 2}, one, "U9"), ("CR", {"@1": 3, "pool": 1}, two, "U11"))
    b.merger_round(game)
    act(game, "MR form GWR with CR")
    assert b.price(game, "GWR") == price
    assert [b.shares(game, "GWR", owner) for owner in ("@1", "@2", POOL, IPO)] == [7, 2, 1, 10]
    assert cash(game, "GWR") == 200
    assert b.places(game, "GWR") == ["U11.0", "U9.0"]
    assert len(b.company(game, "GWR").tokens_left) == 6


@pytest.mark.parametrize(
    ("prices", "price"),
    [((100, 90, 80), 135), ((60, 60, 60), 90), ((200, 110, 100), 220), ((135, 120, 110), 180), ((90, 90, 70), 110)],
)
def test_12_6_b_three_publics_at_highest_and_lowest_three_spaces_back(prices: tuple[int, int, int], price: int) -> None:
    # 180, 120, 300, 245, 160 (which is 150), each three spaces to the left
    game = publics(
        ("MR", {"@1": 3}, prices[0], "U9"), ("CR", {"@1": 3}, prices[1], "U11"), ("GER", {"@1": 3}, prices[2], "U13")
    )
    b.merger_round(game)
    act(game, "MR form LMS with CR GER")
    assert b.price(game, "LMS") == price
    assert b.shares(game, "LMS", "@1") == 6
    assert len(b.company(game, "LMS").tokens_left) == 9


def test_12_6_b_singles_trade_up_for_a_third_pairs_for_two_thirds() -> None:
    # 11 shares: three triples make 6; the pair becomes 2 for two thirds of £90, 60
    game = publics(
        ("MR", {"@1": 5, "@2": 2}, 60, "U9"), ("CR", {"@1": 3, "@3": 1}, 60, "U11"), ("GER", {"@1": 3}, 60, "U13")
    )
    b.merger_round(game)
    money = [cash(game, one) for one in ("@1", "@2", "@3")]
    act(game, "MR form LMS with CR GER")
    assert b.price(game, "LMS") == 90
    # a pair is worth 4/3 shares: it becomes two for 2/3; a single is worth 2/3: one for 1/3
    assert [b.shares(game, "LMS", one) for one in ("@1", "@2", "@3")] == [8, 2, 1]
    assert [cash(game, one) for one in ("@1", "@2", "@3")] == [money[0] - 60, money[1] - 60, money[2] - 30]
    assert cash(game, "LMS") == 300 + 150


def test_12_6_b_without_funds_they_trade_down() -> None:
    game = publics(
        ("MR", {"@1": 5, "@2": 2}, 60, "U9"), ("CR", {"@1": 3, "@3": 1}, 60, "U11"), ("GER", {"@1": 3}, 60, "U13")
    )
    for one in ("@2", "@3"):
        set_cash(game, one, 0)
    b.merger_round(game)
    act(game, "MR form LMS with CR GER")
    # the pair: one share and a third (30); the single: two thirds (60)
    assert [b.shares(game, "LMS", one) for one in ("@2", "@3")] == [1, 0]
    assert [cash(game, one) for one in ("@2", "@3")] == [30, 60]
    assert cash(game, "LMS") == 300 + 60 - 90


def test_12_6_c_four_publics_two_for_one() -> None:
    game = publics(
        ("MR", {"@1": 3, "@2": 3}, 60, "U9"),
        ("CR", {"@1": 3}, 60, "U11"),
        ("GER", {"@1": 3}, 60, "U13"),
        ("GNR", {"@1": 2, "pool": 1}, 50, "U7"),
    )
    b.merger_round(game)
    money = [cash(game, one) for one in ("@1", "@2")]
    act(game, "MR form LMS with CR GER GNR")
    # 60 and 50 make 110; Ann's 11: five and an odd one for 55; Bob's 3: one and an odd one for 55; the pool for 55
    assert b.price(game, "LMS") == 110
    assert [b.shares(game, "LMS", one) for one in ("@1", "@2", POOL)] == [6, 2, 1]
    assert [cash(game, one) for one in ("@1", "@2")] == [money[0] - 55, money[1] - 55]
    assert cash(game, "LMS") == 400 + 3 * 55
    assert len(b.company(game, "LMS").tokens_left) == 8


def test_12_6_d_one_public_converts_and_an_unstarted_one_is_discarded() -> None:
    game = publics(("MR", {"@1": 4, "@2": 2}, 100, "U9"))
    b.merger_round(game)
    act(game, "MR form SR without GER")
    assert b.price(game, "SR") == 100
    assert [b.shares(game, "SR", one) for one in ("@1", "@2", IPO)] == [4, 2, 14]
    assert len(b.company(game, "SR").tokens_left) == 7
    assert b.company(game, "GER").closed


@pytest.mark.parametrize("held", [{"@1": 3, "@2": 2}, {"@1": 3}])
def test_12_6_four_shares_in_one_hand_are_needed(held: dict[str, int]) -> None:
    game = publics(("MR", held, 100, "U9"))
    b.merger_round(game)
    assert game.state.round.kind != "merger" or not b.legal(game, "MR form")


def test_12_6_d_not_with_a_second_public() -> None:
    game = publics(("MR", {"@1": 4}, 100, "U9"), ("CR", {"@1": 4}, 80, "A9"))
    b.merger_round(game)
    assert game.state.round.kind != "merger" or not b.legal(game, "MR form")


def test_12_6_unconnected_publics_form_nothing() -> None:
    game = publics(("MR", {"@1": 4}, 100, "U9"), ("CR", {"@1": 4}, 80, "A9"), ("GER", {"@2": 5}, 70, "D4"))
    b.merger_round(game)
    if game.state.round.kind == "merger" and game.frame.entity == "MR":
        refused(game, "MR form GWR with CR", "12.6")
    else:
        assert not b.legal(game, "MR form")


def test_12_6_more_than_ten_loans_and_60_percent() -> None:
    game = b.after_privates()
    b.reach_phase(game, "6")
    b.public(game, "MR", {"@1": 10}, 100, 0, 6, [("U9", 0)])
    b.public(game, "CR", {"@1": 10}, 100, 0, 6, [("U11", 0)])
    b.lay(game, *WALES)
    b.merger_round(game)
    act(game, "MR form GWR with CR")
    assert b.company(game, "GWR").loans == 12
    assert b.shares(game, "GWR", "@1") == 20
