"""18BF by a third reader of the rulebook: where two rules meet (§7 to §13)."""

from __future__ import annotations

import pytest

from bot.engine.ids import IPO, POOL, REMOVED, Owner
from bot.engine.play.game import Game
from bot.titles.registry import title_version
from tests.rearrangement import rearrange
from tests.titles import builders_18bf as b
from tests.titles.positions import act, cash, refused, set_cash

SOUTH_WALES = ("57 U7 1", "621 U9 1", "57 U11 1", "621 U13 1")


def game_in(phase: str, owners: dict[str, str] | None = None) -> Game:
    game = b.after_privates(3, owners)
    b.reach_phase(game, phase)
    return game


def one_public(
    phase: str, held: dict[str, int] | None = None, at: int = 100, money: int = 500, loans: int = 0, name: str = "MR"
) -> Game:
    game = game_in(phase)
    b.public(game, name, held or {"@1": 5}, at=at, money=money, loans=loans, stations=[("U9", 0)])
    return game


def gone(game: Game, *families: str) -> None:
    """The bank has no card of these families."""
    for train in game.state.trains:
        if train.owner == b.DEPOT and train.family in families:
            rearrange(game, train, owner=REMOVED)


# -- 7, 9: companies and the stock round --------------------------------------------------------------


def test_7_1_1_no_free_tile_where_track_lies_and_none_but_yellow() -> None:
    for tiles, free in (((), True), (("58 D8 0",), False)):
        game = b.after_privates(3, {"P3": "@1"})
        b.minor(game, "TV", money=100)
        b.reach_phase(game, "3")
        b.lay(game, *tiles)
        b.in_turn(game, "TV")
        assert any(" with P3" in text for text in b.legal(game, "TV lay")) == free
        refused(game, "TV lay 87 D8 1 with P3")


@pytest.mark.parametrize("name", ["MR", "SR"])
def test_7_1_1_the_free_tile_in_the_turn_of_a_public_or_system(name: str) -> None:
    game = game_in("6", {"P3": "@1"})
    b.public(game, name, {"@1": 5}, stations=[("U9", 0)])
    b.in_turn(game, name, "track")
    act(game, f"{name} lay 58 D8 1 with P3")
    assert cash(game, name) == 500


def test_9_1_two_sales_of_one_turn_over_a_change_of_director_cost_one_space() -> None:
    game = one_public("4", {"@1": 4, "@2": 3})
    before = cash(game, "@1")
    b.stock_turn(game)
    act(game, "@1 sell 2 MR")
    assert game.controller_of(Owner("MR")) == "@2"
    act(game, "@1 sell 2 MR")
    assert (cash(game, "@1") - before, b.price(game, "MR")) == (400, 90)
    act(game, "@1 pass", "@2 sell 1 MR")  # the new director's own sale costs a space again
    assert b.price(game, "MR") == 80


@pytest.mark.parametrize(("number", "fits"), [(2, True), (3, False)])
def test_9_1_half_of_a_system_is_ten_shares(number: int, fits: bool) -> None:
    game = one_public("6", {"@1": 8, "pool": 8}, name="SR")
    b.stock_turn(game)
    if fits:
        act(game, f"@1 sell {number} SR")
        assert (b.shares(game, "SR", POOL), b.price(game, "SR")) == (10, 90)
    else:
        refused(game, f"@1 sell {number} SR", "9.1")


def test_9_1_a_system_formed_before_the_stock_round_is_not_sold_in_it_and_what_it_dropped_not_started() -> None:
    game = one_public("6", {"@1": 5, "@2": 2})
    b.merger_round(game, part=2)
    act(game, "MR form SR without GER")
    set_cash(game, "@1", 3000)
    b.stock_turn(game)
    refused(game, "@1 sell 1 SR", "9.1")
    assert not b.legal(game, "@1 par MR ")
    assert not b.legal(game, "@1 par GER ")
    assert "@1 par NBR 100" in b.legal(game)
    act(game, "@1 buy SR")
    assert b.shares(game, "SR", "@1") == 6


def test_9_3_who_sold_a_company_into_the_closed_box_does_not_start_it_in_this_round() -> None:
    game = one_public("4", {"@1": 4}, at=40)
    set_cash(game, "@1", 1000)
    set_cash(game, "@2", 1000)
    b.stock_turn(game)
    act(game, "@1 sell 1 MR")
    assert b.company(game, "MR").position is None
    assert not b.legal(game, "@1 par MR")
    act(game, "@1 pass")
    assert "@2 par MR 100" in b.legal(game)


def test_7_4_a_closed_system_may_form_again() -> None:
    game = one_public("6", {"@1": 5})
    b.public(game, "SR", {"@2": 5}, at=40, money=0, stations=[("D4", 0)])
    b.public(game, "GWR", {"@2": 5}, stations=[("A9", 0)])
    b.merger_round(game)
    refused(game, "MR form SR without GER", "12.6")
    b.in_turn(game, "SR", "run")  # no train, no earnings
    assert b.company(game, "SR").position is None
    b.merger_round(game)
    act(game, "MR form SR without GER")
    assert [b.shares(game, "SR", one) for one in ("@1", "@2", IPO)] == [5, 0, 15]
    assert b.places(game, "SR") == ["U9.0"]


# -- 10: operating ------------------------------------------------------------------------------------


def test_10_10_a_minor_in_phase_8_buys_no_train_and_falls_for_it() -> None:
    game = b.after_privates()
    b.minor(game, "TV", at=100, money=3000)
    b.reach_phase(game, "8")
    b.in_turn(game, "TV", "run")
    # no earnings: 90; no train at the end of the turn: 80
    assert (b.price(game, "TV"), cash(game, "TV"), b.company(game, "TV").loans) == (80, 3000, 0)


def test_8_a_minor_that_buys_the_first_4_plus_4_gives_it_up() -> None:
    game = b.after_privates()
    b.minor(game, "TV", at=100, money=1000)
    b.reach_phase(game, "7")
    gone(game, "3+3")
    b.in_turn(game, "TV", "trains", revenue=0)
    act(game, "TV buy 4+4 for 1000", "TV discard 4+4")
    assert (b.trains(game, "TV"), b.trains(game, POOL)) == ([], ["4+4"])
    assert b.price(game, "TV") == 90, "it has no train at the end of its turn"
    assert game.state.ending


@pytest.mark.parametrize(("money", "fits"), [(375, True), (374, False)])
def test_10_10_in_phase_8_the_cheapest_train_is_a_2_plus_2(money: int, fits: bool) -> None:
    game = one_public("8", money=money)
    b.in_turn(game, "MR", "trains", revenue=0)
    if fits:
        assert b.legal(game, "MR") == ["MR buy 2+2 for 600"]
        act(game, "MR buy 2+2 for 600")
        assert (cash(game, "MR"), b.company(game, "MR").loans) == (0, 5)
    else:
        assert (cash(game, "MR"), b.company(game, "MR").loans, b.price(game, "MR")) == (374, 0, 90)


@pytest.mark.parametrize(
    ("money", "moves", "left"),
    [(0, ["MR buy 3 from pool for 225"], 0), (130, ["MR buy 3 from pool for 225", "MR buy 4 for 350"], 5)],
)
def test_10_10_who_has_no_train_borrows_for_the_pools_or_the_dearer_one(
    money: int, moves: list[str], left: int
) -> None:
    game = one_public("4", money=money)
    b.give_trains(game, POOL, "3")
    b.in_turn(game, "MR", "trains", revenue=0)
    assert sorted(b.legal(game, "MR")) == moves
    act(game, moves[-1])
    assert (cash(game, "MR"), b.company(game, "MR").loans) == (left, 5)


def test_10_10_a_4_given_for_the_first_4_plus_4_is_gone() -> None:
    game = one_public("7", money=1000, name="SR")
    gone(game, "3+3")
    b.give_trains(game, "SR", "4", "4", "4", "5")
    b.in_turn(game, "SR", "trains", revenue=0)
    refused(game, "SR buy 4+4 for 1000", "10.10")  # four trains are the limit
    act(game, "SR buy 4+4 for 1000 trade 4")
    assert sorted(b.trains(game, "SR")) == ["4+4", "5"]
    assert b.trains(game, POOL) == []


def test_8_trains_of_the_pool_rust_as_well() -> None:
    game = one_public("5", money=1000)
    gone(game, "5")
    b.give_trains(game, POOL, "3", "4")
    b.in_turn(game, "MR", "trains", revenue=0)
    act(game, "MR buy 6 for 650")
    assert b.trains(game, POOL) == ["4"]


def test_10_11_a_removal_that_begins_phase_5_brings_u1_and_ends_minors() -> None:
    game = one_public("4", {"@1": 4})
    gone(game, "4")
    b.operating_round(game, part=2, at=2)
    assert (game.state.phase, game.state.round.kind) == ("5", "stock")
    moves = b.legal(game, f"{game.players_to_act()[0]} bid")
    assert any(" U1 100" in text for text in moves)
    assert not any(f" {name} " in text for text in moves for name in ("TV", "VN", "BE"))


@pytest.mark.parametrize(("owned", "asked"), [(("5", "5", "3"), False), (("5", "5", "5"), True)])
def test_10_11_a_removal_that_begins_phase_6_rusts_then_discards_then_systems_may_form(
    owned: tuple[str, ...], asked: bool
) -> None:
    game = one_public("5")
    gone(game, "5")
    b.give_trains(game, "MR", *owned)
    b.operating_round(game, part=2, at=2)
    assert game.state.phase == "6"
    if asked:
        assert b.legal(game) == ["MR discard 5"]
        act(game, "MR discard 5")
    assert b.trains(game, "MR") == ["5", "5"]
    assert game.state.round.kind == "merger"
    assert b.legal(game, "MR form")


def test_10_11_a_removal_that_begins_phase_8_takes_minors_trains_before_the_merger_round() -> None:
    game = b.after_privates(3, {"P8": "@1", "F4": "@1"})
    b.minor(game, "TV", at=100)
    b.reach_phase(game, "7")
    b.public(game, "MR", {"@2": 5}, stations=[("U9", 0)])
    b.lay(game, *SOUTH_WALES)
    gone(game, "3+3")
    b.give_trains(game, "TV", "5")
    b.operating_round(game, part=2, at=2)
    act(game, "TV discard 5")
    assert (game.state.phase, game.state.round.kind) == ("8", "merger")
    assert (b.trains(game, "TV"), b.trains(game, POOL)) == ([], ["5"])
    assert (game.private("P8").closed, game.private("F4").closed) == (True, False)
    assert "TV join MR" in b.legal(game)


def test_10_7_a_systems_dividend_of_less_than_a_pound_a_share_is_lost() -> None:
    game = one_public("6", name="SR")
    b.give_trains(game, "SR", "5")
    b.in_turn(game, "SR", "earnings", revenue=10)
    before = cash(game, "@1")
    act(game, "SR half")
    assert (cash(game, "@1"), cash(game, "SR"), b.price(game, "SR")) == (before, 500, 100)


def test_10_8_loans_of_the_merged_bear_interest_in_the_next_round() -> None:
    game = b.after_privates()
    b.minor(game, "TV", at=60, money=100, loans=2)
    b.minor(game, "VN", at=60, money=100, loans=1)
    b.reach_phase(game, "3")
    b.lay(game, *SOUTH_WALES)
    b.merger_round(game, part=1)
    act(game, "TV merge VN into MR")
    while game.state.round.kind == "merger":
        act(game, b.legal(game)[0])
    while "MR pass" in b.legal(game):
        act(game, "MR pass")
    # no earnings: 120, 110; £200 less 15 of interest and three loans
    assert b.legal(game) == ["MR buy 3 for 225"]
    assert (cash(game, "MR"), b.company(game, "MR").loans, b.price(game, "MR")) == (35, 0, 110)


def test_10_8_more_loans_than_allowed_leave_none_to_pay_the_interest() -> None:
    game = one_public("4", money=10, loans=6)
    b.in_turn(game, "MR", part=2)
    while game.state.round.kind == "operating":
        act(game, "MR pass")
    # no earnings 90, interest of 30 unpaid 80, no train 70
    assert (b.price(game, "MR"), cash(game, "MR"), b.company(game, "MR").loans) == (70, 0, 6)


def test_10_4_a_system_borrows_for_its_second_and_third_tile() -> None:
    game = game_in("6")
    b.public(game, "GWR", {"@1": 5}, money=0, stations=[("U7", 0)])
    b.lay(game, "57 U7 1")
    b.in_turn(game, "GWR", "track")
    act(game, "GWR lay 621 U9 1", "GWR lay 57 U11 1", "GWR lay 15 U7 1")
    assert (cash(game, "GWR"), b.company(game, "GWR").loans) == (5, 1)


def test_10_5_the_place_of_a_minor_that_has_closed_is_free() -> None:
    game = one_public("4")
    b.minor(game, "VN", at=40, money=0)
    b.lay(game, *SOUTH_WALES)
    b.in_turn(game, "VN", "run")
    assert b.company(game, "VN").closed
    b.in_turn(game, "MR", "token")
    moves = b.legal(game, "MR token")
    assert "MR token U7" in moves  # of VN, closed
    assert "MR token U11" not in moves  # of TV, not begun


# -- 12: merger rounds --------------------------------------------------------------------------------


def three_minors(money: int) -> Game:
    """TV, VN, BE of three owners, one under the other at 60, two trains each."""
    game = b.after_privates()
    for name, owner in (("TV", "@1"), ("VN", "@2"), ("BE", "@3")):
        b.minor(game, name, owner, 60, 100)
        set_cash(game, owner, money)
    b.reach_phase(game, "3")
    for name in ("TV", "VN", "BE"):
        b.give_trains(game, name, "2", "3")
    b.lay(game, *SOUTH_WALES)
    return b.merger_round(game)


def test_12_4_an_undone_merger_gives_back_all_trains_and_places_in_the_stack() -> None:
    game = three_minors(0)
    act(game, "TV merge BE VN into MR", "@2 agree", "@3 agree")
    while "pass" not in " ".join(b.legal(game)):
        act(game, b.legal(game)[0])
    assert b.company(game, "MR").position is None
    assert [sorted(b.trains(game, name)) for name in ("TV", "VN", "BE")] == [["2", "3"]] * 3
    assert b.trains(game, POOL) == []
    asked = []
    while game.state.round.kind == "merger":
        asked.append(game.frame.entity)
        act(game, f"{game.frame.entity} pass")
    assert asked == ["TV", "VN", "BE"]


def test_12_5_a_public_formed_in_this_round_takes_over_a_minor() -> None:
    game = b.after_privates(3, {"F4": "VN"})
    b.minor(game, "TV", "@1", 120)
    b.minor(game, "VN", "@1", 80, 70, 1)
    b.reach_phase(game, "3")
    b.lay(game, *SOUTH_WALES)
    for player in ("@1", "@2", "@3"):
        set_cash(game, player, 0)
    b.merger_round(game, part=1)
    act(game, "TV convert to MR", "VN join MR")
    if game.state.round.kind == "merger":
        act(game, next(text for text in b.legal(game) if not text.endswith("pass")))
    assert b.shares(game, "MR", "@1") == 3
    assert game.private("F4").owner == "MR"
    # F4 pays £30 when the second operating round begins, in which MR takes its turn
    assert (cash(game, "MR"), b.company(game, "MR").loans) == (200, 1)
    assert (game.state.round.kind, game.state.round.part, game.frame.entity) == ("operating", 2, "MR")


def test_12_5_the_place_of_a_minor_taken_over_is_free_for_others() -> None:
    game = one_public("4")
    b.minor(game, "TV", "@1", 100)
    b.public(game, "CR", {"@2": 5}, stations=[("U13", 0)])
    b.lay(game, *SOUTH_WALES)
    b.merger_round(game)
    act(game, "TV join MR", "MR refuse")
    assert b.places(game, "MR") == ["U9.0"]
    b.in_turn(game, "CR", "token")
    assert "CR token U11" in b.legal(game)


# -- 12.6: systems ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("others", "in_play", "move", "fits"),
    [
        (0, (), "MR form LMS without NBR", False),
        (0, ("SR", "GWR"), "MR form LMS without NBR", True),
        (1, ("SR",), "MR form LMS with CR", False),
        (1, ("SR",), "MR form GWR with CR", True),
        (2, (), "MR form GWR with CR GER", False),
        (2, ("LMS", "LNE", "GCR"), "MR form GWR with CR GER", False),
    ],
)
def test_12_6_which_system_is_chosen(others: int, in_play: tuple[str, ...], move: str, fits: bool) -> None:
    game = one_public("6", {"@1": 6})
    for name, station in (("CR", "U11"), ("GER", "U13"))[:others]:
        b.public(game, name, {"@1": 3}, at=80, stations=[(station, 0)])
    for name in in_play:
        b.public(game, name, {"@2": 5}, at=200)
    b.lay(game, *SOUTH_WALES)
    b.merger_round(game)
    if fits:
        act(game, move)
        system = move.split()[2]
        assert len(b.company(game, system).tokens_left) + len(b.places(game, system)) == 8
    elif game.state.round.kind == "merger":
        refused(game, move, "12.6")


@pytest.mark.parametrize(
    ("rules", "connected", "asked"), [(3, True, True), (3, False, False), (2, True, False), (1, True, False)]
)
def test_12_6_a_public_is_asked_where_only_some_three_of_several_form_a_system(
    rules: int, connected: bool, asked: bool
) -> None:
    # in pairs with MR Ann would own three shares, Bob two; of MR, CR and GER she has five: two and a pair for two more.
    # With GNR as well she has five for two and an odd one: three.
    game = game_in("6")
    for name, held, at, station in (
        ("MR", {"@2": 2, "@1": 1}, 200, "U9"),
        ("GNR", {"@3": 2}, 180, "U7"),
        ("CR", {"@1": 2}, 100, "U11"),
        ("GER", {"@1": 2}, 80, "U13" if connected else "A9"),
    ):
        b.public(game, name, held, at, stations=[(station, 0)])
    b.lay(game, *SOUTH_WALES)
    game.title = title_version("18BF", rules)
    b.merger_round(game, part=2)
    assert (game.state.round.kind == "merger" and game.frame.entity == "MR") == asked
    if asked:
        assert "MR form LMS with CR GER" in b.legal(game)
        act(game, "MR form LMS with CR GER", "@1 agree")
        assert b.shares(game, "LMS", "@1") == 4


# -- 13: the end --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "at", "loans", "worth"),
    [("TV", 100, 1, 180), ("TV", 40, 1, 0), ("SR", 100, 9, 5 * 40), ("SR", 100, 11, 0)],
)
def test_13_loans_at_the_end_down_to_the_closed_box(name: str, at: int, loans: int, worth: int) -> None:
    # a minor counts twice; nine spaces left of 100: 90 80 70 65 60 55 50 45 40
    game = b.after_privates()
    if name == "TV":
        b.minor(game, "TV", "@1", at, 100, loans)
        b.reach_phase(game, "8")
    else:
        b.reach_phase(game, "8")
        b.public(game, name, {"@1": 5}, at, 100, loans, [("U9", 0)])
    set_cash(game, "@1", 0)
    assert game.title.rules.worth(game, b.ANN) == worth
