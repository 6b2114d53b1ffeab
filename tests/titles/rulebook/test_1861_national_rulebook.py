"""1861 by a second reader: the national railway RSR, nationalisation, the end. As in `test_1861_rulebook.py`."""

from __future__ import annotations

import pytest

from bot.engine.ids import BANK, DEPOT, IPO, POOL, REMOVED, Owner
from bot.engine.play.game import Game
from bot.engine.play.holdings.market import place_marker, price_of
from tests.rearrangement import rearrange
from tests.titles.builders_merging import in_turn, new_game, offered, reach_phase, sold, started, stock_turn
from tests.titles.positions import act, cash, company, give_train, lay, refused, set_cash, settled, token

TITLE = "1861"


def before_rsr(phase: str = "4", money: int = 0, loans: int = 0, trains: tuple[str, ...] = (), first: str = "@1", **privates: str) -> Game:  # fmt: skip
    """The first operating round of a set begins: NW of @2 has a train and no cash, RSR this."""
    game = reach_phase(sold(new_game(TITLE), **privates), phase)
    started(game, "NW", {"@2": 3}, 100, 0, tokens=[("M7", 0)])
    give_train(game, "NW", "7")
    for train in trains:
        give_train(game, "RSR", train)
    set_cash(game, "RSR", money)
    game.company(Owner("RSR")).loans = loans
    stock_turn(game, first)
    game.state.priority = game.state.order[[str(player) for player in game.state.order].index(first)]
    while game.state.round.kind == "stock":
        act(game, f"{game.player_in_turn} pass")
    return game


def end_nw(game: Game) -> None:
    part = game.state.round.part
    while not game.state.finished and game.state.round.part == part and game.state.round.kind == "operating" and game.company_in_turn == "NW":  # fmt: skip
        act(game, f"NW {'pass' if 'NW pass' in offered(game) else 'withhold'}")


def rsr(game: Game) -> tuple[int, int, list[str]]:
    return cash(game, "RSR"), game.company(Owner("RSR")).loans, sorted(train.kind for train in game.state.trains if train.owner == "RSR")  # fmt: skip


def places(game: Game) -> set[tuple[str, int]]:
    return {(str(hex_id), city) for hex_id, city in game.state.board.cities_of(company("RSR"))}


# -- its turns ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("phase", "acts"), [("3", False), ("4", True), ("5", True), ("6", True), ("7", True)])
def test_it_acts_last_in_phases_4_to_7(phase: str, acts: bool) -> None:
    game = before_rsr(phase)
    assert game.company_in_turn == "NW" and not places(game)
    end_nw(game)
    assert places(game) == ({("E1", 1)} if acts else set())


def test_it_is_judged_when_its_turn_comes() -> None:
    game = before_rsr("3")
    for train in list(game.state.trains):
        if train.owner == DEPOT and train.family == "3":
            rearrange(game, train, owner=REMOVED)
    set_cash(game, "NW", 350)
    game.state.flow.clear()
    in_turn(game, "NW", "trains")
    act(game, "NW buy 4 for 350")
    end_nw(game)
    assert game.state.phase == "4" and places(game) == {("E1", 1)}


@pytest.mark.parametrize("first", ["@1", "@2", "@3"])
def test_the_player_with_priority_owns_it(first: str) -> None:
    game = before_rsr(first=first, trains=("4",))
    assert game.controller_of(Owner("RSR")) == game.state.priority
    end_nw(game)
    assert game.company_in_turn == "RSR" and game.players_to_act() == (game.state.priority,)
    assert {move.split()[1] for move in offered(game, "RSR")} == {"run"}


def test_a_token_in_st_petersburg_spares_its_home() -> None:
    game = reach_phase(sold(new_game(TITLE)), "4")
    started(game, "NW", {"@2": 3}, 100, 0, tokens=[("M7", 0)])
    give_train(game, "NW", "7")
    token(game, "RSR", "E1", 0)
    game.company(Owner("RSR")).tokens_left = (0,) * 7
    stock_turn(game, "@1")
    while game.state.round.kind == "stock":
        act(game, f"{game.player_in_turn} pass")
    end_nw(game)
    assert places(game) == {("E1", 0)}


@pytest.mark.parametrize(("privates", "income", "revenue"), [
    ({}, 0, 90), ({"MYR": "RSR"}, 20, 100), ({"MYR": "RSR", "MRR": "RSR"}, 45, 110), ({"MYR": "@1"}, 0, 90), ({"BSS": "RSR"}, 15, 90),
])  # fmt: skip
def test_its_revenue_is_kept_with_the_bonus_of_its_privates(privates: dict[str, str], income: int, revenue: int) -> None:  # fmt: skip
    """St. Petersburg 40, Tver 10, Moscow 40. The privates have paid before; RSR has nothing to pay."""
    game = before_rsr(trains=("4",), **privates)
    assert cash(game, "RSR") == income
    end_nw(game)
    act(game, offered(game, "RSR run")[0])
    assert game.state.companies[company("RSR")].last_run.revenue == revenue  # type: ignore[union-attr]
    part_two = income if game.state.round.part == 2 else 0
    assert cash(game, "RSR") == income + revenue + part_two


@pytest.mark.parametrize(("money", "loans", "left", "after"), [
    (0, 0, 90, 0), (0, 1, 35, 0), (0, 2, 30, 1), (0, 3, 25, 2), (10, 2, 40, 1), (20, 2, 0, 0), (0, 8, 0, 7), (0, 9, 45, 9), (0, 18, 0, 18),
    (0, 19, 40, 20), (0, 30, 30, 32),
])  # fmt: skip
def test_interest_then_repayment(money: int, loans: int, left: int, after: int) -> None:
    """It runs for 90; 5 a loan; then loans are repaid while it has 50; loans are taken for interest.

    8: 90 - 40 = 50 repays one. 9: 45 stay. 19: 5 are short, one loan of 45. 30: 60 are short, two loans."""
    game = before_rsr("4", money, loans, ("4",))
    end_nw(game)
    act(game, offered(game, "RSR run")[0])
    assert rsr(game)[:2] == (left, after)


@pytest.mark.parametrize(("money", "left", "loans", "trains"), [
    (0, 10, 8, 1), (9, 19, 8, 1), (35, 0, 7, 1), (34, 44, 8, 1), (350, 0, 0, 1), (699, 349, 0, 1), (700, 0, 0, 2), (1000, 300, 0, 2), (1050, 0, 0, 3),
])  # fmt: skip
def test_without_a_train_it_must_buy_with_loans_then_buys_with_cash(money: int, left: int, loans: int, trains: int) -> None:  # fmt: skip
    game = before_rsr("4", money)
    end_nw(game)
    assert rsr(game) == (left, loans, ["4"] * trains)


@pytest.mark.parametrize(("money", "left", "trains", "phase"), [
    (1400, 0, ["4"] * 4, "4"), (1949, 549, ["4"] * 4, "4"), (1950, 0, ["4", "4", "4", "4", "5"], "5"),
])  # fmt: skip
def test_it_has_no_limit_and_its_purchases_change_the_phase(money: int, left: int, trains: list[str], phase: str) -> None:  # fmt: skip
    game = before_rsr("4", money)
    end_nw(game)
    assert (*rsr(game), game.state.phase) == (left, 0, trains, phase)
    assert game.company(Owner("RO")).closed == (phase == "5")


def test_with_a_train_it_takes_no_loans_for_another() -> None:
    game = before_rsr("4", 259, 0, ("4",))
    end_nw(game)
    act(game, offered(game, "RSR run")[0])
    assert rsr(game) == (349, 0, ["4"])
    game = before_rsr("4", 260, 0, ("4",))
    end_nw(game)
    act(game, offered(game, "RSR run")[0])
    assert rsr(game) == (0, 0, ["4", "4"])


def test_its_trains_are_not_for_sale() -> None:
    game = before_rsr("4", 0, 0, ("4",))
    set_cash(game, "NW", 340)
    in_turn(game, "NW", "trains")
    assert not any("RSR" in move for move in offered(game, "NW buy"))
    refused(game, "NW buy 4 from RSR for 100", "")


def test_it_gets_the_revenue_of_its_privates() -> None:
    game = before_rsr("4", 0, 0, ("4",), WVR="RSR", TSR="RSR")
    assert cash(game, "RSR") == 40


@pytest.mark.parametrize(("money", "left", "loans", "trains"), [(35, 0, 100, ["4"]), (34, 349, 100, [])])
def test_it_takes_100_loans_at_most_for_interest_and_a_train(money: int, left: int, loans: int, trains: list[str]) -> None:  # fmt: skip
    """93 loans: 465 are due, and seven more bring 315, which is not enough and stays; a 4 costs 350."""
    game = before_rsr("4", money, 93)
    end_nw(game)
    assert rsr(game) == (left, loans, trains)


def test_it_is_idle_in_phase_8() -> None:
    game = before_rsr("8", 500)
    end_nw(game)
    assert not places(game) and rsr(game) == (500, 0, [])


@pytest.mark.parametrize("phase", ["4", "5", "6", "7"])
def test_nothing_is_exported(phase: str) -> None:
    game = before_rsr(phase, 0, 0, ("7",))
    number = sum(train.owner == DEPOT for train in game.state.trains)
    end_nw(game)
    act(game, offered(game, "RSR run")[0])
    assert game.state.round.part == 2 or game.state.round.kind == "merger"
    assert sum(train.owner == DEPOT for train in game.state.trains) == number


def test_nothing_is_given_in_in_phase_8() -> None:
    game = reach_phase(sold(new_game(TITLE)), "8")
    started(game, "NW", {"@2": 3}, 100, 2000, tokens=[("M7", 0)])
    give_train(game, "NW", "5")
    in_turn(game, "NW", "trains")
    assert not any("trade" in move for move in offered(game, "NW buy"))
    refused(game, "NW buy 8 for 725 trade 5", "")


# -- privates and phases --------------------------------------------------------------------------------------------


def buying(kind: str, phase: str, part: int = 1, **privates: str) -> Game:
    """MK is about to buy the first train of this kind."""
    game = reach_phase(sold(new_game(TITLE), **privates), phase)
    for train in list(game.state.trains):
        if train.owner == DEPOT and train.family < kind and train.family.isdigit():
            rearrange(game, train, owner=REMOVED)
    started(game, "MK", {"@1": 3}, 165, 1200, 0, [("P8", 0)])
    give_train(game, "MK", "7")
    return game


@pytest.mark.parametrize(("name", "value"), [("TSR", 30), ("BSS", 45), ("MYR", 60), ("MRR", 75), ("WVR", 90)])
@pytest.mark.parametrize("owner", ["@2", "MK"])
def test_with_the_first_6_privates_go_to_rsr_and_holders_get_the_value(name: str, value: int, owner: str) -> None:
    game = buying("6", "5", **{name: owner})
    in_turn(game, "MK", "trains")
    before = cash(game, owner)
    act(game, "MK buy 6 for 650")
    record = game.state.privates[name]  # type: ignore[index]
    assert cash(game, owner) == before + value - 650 * (owner == "MK") and record.owner == "RSR" and not record.closed


def test_with_the_first_5_unowned_minors_and_their_reservations_go() -> None:
    game = buying("5", "4")
    started(game, "N", "@2", 100, 0, 0, [("H8", 1)])
    give_train(game, "N", "5")
    in_turn(game, "MK", "trains")
    act(game, "MK buy 5 for 550")
    assert game.company(Owner("RO")).closed and not game.company(Owner("N")).closed
    assert not {str(one.company) for one in game.state.board.reservations} & {"RO", "KB", "KK", "SPW", "MNN", "E"}


# -- nationalisation ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("loans", "money", "worth", "given"), [(0, 0, 100, 0), (0, 30, 100, 30), (1, 49, 90, 49), (1, 60, 100, 10), (2, 50, 90, 0), (2, 0, 80, 0)])  # fmt: skip
def test_a_minor_falls_one_and_one_more_a_loan_and_rsr_gets_its_cash(loans: int, money: int, worth: int, given: int) -> None:  # fmt: skip
    """110 in row 3: one left is 100, then 90, 80; its owner has two shares. Then RSR gets 10 of its private."""
    game = reach_phase(sold(new_game(TITLE), TSR="N"), "3")
    started(game, "N", "@1", 100, money, loans, [("H8", 1)])
    place_marker(game, company("N"), (3, 5))
    bank = cash(game, BANK)
    in_turn(game, "N", "trains")
    assert game.company(Owner("N")).closed and cash(game, "N") == 0
    assert cash(game, "@1") == 420 + 2 * worth and game.state.privates["TSR"].owner == "RSR"  # type: ignore[index]
    assert cash(game, BANK) + cash(game, "RSR") + 2 * worth == bank + money
    assert cash(game, "RSR") == given + 10


@pytest.mark.parametrize(("loans", "worth"), [(0, 90), (1, 80), (3, 60), (5, 50)])
def test_a_major_pays_players_only_and_can_be_started_again(loans: int, worth: int) -> None:
    """From 100 in row 4: 90, 80, 70, 65, 60; then in column 0 down: 55, 50 (no: five loans end at 60 - down 55)."""
    game = reach_phase(sold(new_game(TITLE)), "4")
    started(game, "NW", {"@1": 3, "@2": 2, POOL: 2}, 100, 0, loans, [("P8", 0)])
    place_marker(game, company("NW"), (4, 5))
    in_turn(game, "NW", "trains")
    steps = [90, 80, 70, 65, 60, 55]
    assert (cash(game, "@1"), cash(game, "@2")) == (420 + 3 * steps[loans], 420 + 2 * steps[loans])
    record = game.company(Owner("NW"))
    assert record.percent_held_by(IPO) == 100 and not record.floated and not record.closed
    stock_turn(game, "@3")
    act(game, "@3 par NW 100")


def test_trains_go_to_rsr() -> None:
    game = reach_phase(sold(new_game(TITLE)), "4")
    started(game, "N", "@1", 100, 9, 2, [("H8", 1)])
    give_train(game, "N", "4")
    in_turn(game, "N", "loans")
    assert game.company(Owner("N")).closed and rsr(game) == (9, 0, ["4"])


@pytest.mark.parametrize(("home", "city"), [("I13", 0), ("H8", 1), ("E1", 0)])
@pytest.mark.parametrize("has", [False, True])
def test_tokens_are_replaced_by_rsrs_if_it_has_none_in_the_hex(home: str, city: int, has: bool) -> None:
    game = reach_phase(sold(new_game(TITLE)), "3")
    started(game, "MV", "@1", 100, 0, 0, [(home, city)])
    if has:
        if home == "I13":
            lay(game, ("14", home, 0))
        token(game, "RSR", home, {"I13": 0, "H8": 2, "E1": 1}[home])
        game.company(Owner("RSR")).tokens_left = (0,) * 7
    in_turn(game, "MV", "trains")
    assert not list(game.state.board.cities_of(company("MV")))
    assert ((home, city) in places(game)) == (not has or home == "I13")
    assert len(places(game)) == 1 and len(game.company(Owner("RSR")).tokens_left) == 7


@pytest.mark.parametrize(("left", "home", "placed"), [(3, "I13", True), (2, "I13", False), (2, "H8", True), (1, "H8", True), (2, "E1", True)])  # fmt: skip
def test_two_tokens_are_reserved_for_st_petersburg_and_moscow(left: int, home: str, placed: bool) -> None:
    game = reach_phase(sold(new_game(TITLE)), "3")
    started(game, "MV", "@1", 100, 0, 0, [(home, 0)])
    game.company(Owner("RSR")).tokens_left = (0,) * left
    for spent in ("P8", "F18", "L12", "M7", "P2", "M19", "K7")[: 8 - left]:
        token(game, "RSR", spent)
    in_turn(game, "MV", "trains")
    assert ((home, 0) in places(game)) == placed


# -- the end ----------------------------------------------------------------------------------------------------------


def rounds_to_the_end(game: Game) -> list[tuple[str, int, int]]:
    """The rounds from now on; everybody passes, or does the first thing that is offered."""
    found = []
    while not game.state.finished:
        now = (game.state.round.kind, game.state.round.part, game.state.round.of)
        found += [now] if not found or found[-1] != now else []
        moves = offered(game)
        act(game, next((move for move in moves if move.endswith(" pass")), moves[0]))
    return found


@pytest.mark.parametrize(("part", "expected"), [
    (1, [("operating", 1, 2), ("operating", 2, 3), ("operating", 3, 3)]),
    (2, [("operating", 2, 2), ("stock", 1, 1), ("operating", 1, 3), ("operating", 2, 3), ("operating", 3, 3)]),
])  # fmt: skip
def test_phase_8_in_the_first_round_makes_the_set_three_long(part: int, expected: list[tuple[str, int, int]]) -> None:
    game = buying("8", "7")
    in_turn(game, "MK", "trains", part=part)
    now = (game.state.round.kind, game.state.round.part, game.state.round.of)
    act(game, "MK buy 8 for 1000")
    rounds = rounds_to_the_end(game)
    assert [now, *(rounds if rounds[0][:2] != now[:2] else rounds[1:])] == expected


@pytest.mark.parametrize("part", [1, 2])
def test_a_broken_bank_ends_the_game_with_the_current_operating_round(part: int) -> None:
    game = reach_phase(sold(new_game(TITLE)), "3")
    started(game, "N", "@1", 100, 0, 0, [("H8", 1)])
    give_train(game, "N", "3")
    in_turn(game, "N", "run", part=part)
    game.state.cash[Owner("@3")] += game.state.cash[BANK] - 10
    game.state.cash[BANK] = 10
    settled(game)
    act(game, offered(game, "N run")[0])
    while not game.state.finished and game.company_in_turn == "N" and game.state.round.kind == "operating":
        act(game, "N pass")
    assert game.state.finished


def test_loans_move_the_price_one_left_each_in_the_score_and_privates_count_their_value() -> None:
    game = reach_phase(sold(new_game(TITLE), WVR="@2", TSR="RSR"), "4")
    started(game, "NW", {"@1": 3, "@2": 2}, 100, 0, 3, [("P8", 0)])
    place_marker(game, company("NW"), (4, 5))
    started(game, "N", "@2", 100, 0, 1, [("H8", 1)])
    place_marker(game, company("N"), (4, 5))
    assert price_of(game, company("NW")) == 100
    worth = [game.title.rules.worth(game, player) for player in game.state.order]
    assert worth == [420 + 3 * 70, 420 + 2 * 70 + 2 * 90 + 90, 420]
