"""1867 by a second reader: operating rounds. As in `test_1867_rulebook.py`."""

from __future__ import annotations

from collections import Counter

import pytest

from bot.engine.ids import DEPOT, IPO, POOL, REMOVED, Owner
from bot.engine.play.game import Game
from bot.engine.state.state import TurnMemory
from tests.rearrangement import rearrange
from tests.titles.builders_merging import in_turn, new_game, offered, price, reach_phase, sold, started, stock_turn
from tests.titles.positions import act, cash, company, give_train, lay, refused, token

TITLE = "1867"
LINE = (("9", "D4", 0), ("9", "D6", 0), ("6", "D8", 3), ("8", "E9", 0), ("9", "E11", 0), ("57", "E13", 0), ("57", "E15", 0), ("201", "E17", 3))  # fmt: skip
"""Timmins 40, Sudbury 20, Barrie 20, Guelph 20, Hamilton 30, Toronto 30."""


def base(phase: str = "4", **privates: str) -> Game:
    return reach_phase(sold(new_game(TITLE), **privates), phase)


def line(phase: str = "4", trains: tuple[str, ...] = (), money: int = 300, loans: int = 0, **privates: str) -> Game:
    """CPR of @1 (30%), @2 (10%) and the pool (20%) has its token on Guelph, in the middle of the line."""
    game = lay(base(phase, **privates), *LINE)
    started(game, "CPR", {"@1": 3, "@2": 1, POOL: 2}, 100, money, loans, [("E15", 0)])
    for train in trains:
        give_train(game, "CPR", train)
    return game


def minor(phase: str = "3", at: int = 100, money: int = 200, loans: int = 0, trains: tuple[str, ...] = (), **privates: str) -> Game:  # fmt: skip
    """OP of @1 on Hamilton, which is connected with Toronto and Buffalo."""
    game = lay(base(phase, **privates), ("201", "E17", 4))
    started(game, "OP", "@1", at, money, loans, [("E17", 0)])
    for train in trains:
        give_train(game, "OP", train)
    return game


def loans(game: Game, name: str) -> int:
    return game.company(Owner(name)).loans


def count(game: Game, family: str, owner: str = DEPOT) -> int:
    return sum(train.family == family and train.owner == owner for train in game.state.trains)


def is_gone(game: Game, name: str) -> bool:
    record = game.company(Owner(name))
    return record.closed or not record.floated


def run(game: Game, name: str = "CPR") -> int:
    """The revenue of the best run that is offered."""
    in_turn(game, name, "run")
    act(game, next(iter(offered(game, f"{name} run"))))
    memory = game.state.flow[-1].memory
    assert isinstance(memory, TurnMemory) and memory.revenue is not None
    return memory.revenue


def card(game: Game, kind: str) -> str:
    return next(str(train.id) for train in game.state.trains if train.kind == kind and train.owner not in (DEPOT, REMOVED))  # fmt: skip


def begin_set(game: Game, player: str = "@1") -> Game:
    """All pass; the operating rounds begin."""
    stock_turn(game, player)
    while game.state.round.kind == "stock":
        act(game, f"{game.player_in_turn} pass")
    return game


def end_turn(game: Game, name: str) -> None:
    """The company passes what is left of its turn."""
    kind = (game.state.round.number, game.state.round.part, game.state.round.kind)
    while (game.state.round.number, game.state.round.part, game.state.round.kind) == kind and game.company_in_turn == name:  # fmt: skip
        act(game, f"{name} pass")


# -- the round ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("phase", ["2", "3", "4", "5", "6", "7"])
def test_two_operating_rounds_in_every_set(phase: str) -> None:
    game = base(phase)
    started(game, "CPR" if phase > "2" else "OP", {"@1": 3} if phase > "2" else "@1", tokens=[("E15", 0)])
    give_train(game, "CPR" if phase > "2" else "OP", phase)
    begin_set(game)
    assert (game.state.round.part, game.state.round.of) == (1, 2)


@pytest.mark.parametrize(("name", "revenue"), [("C&SL", 10), ("NFB", 15), ("MB", 20), ("QB", 25), ("SCT", 30)])
@pytest.mark.parametrize("owner", ["@1", "CPR"])
def test_privates_pay_first(name: str, revenue: int, owner: str) -> None:
    game = line("4", ("4",), **{name: owner})
    before = cash(game, owner)
    begin_set(game)
    assert game.company_in_turn == "CPR" and cash(game, owner) == before + revenue


def test_interest_is_5_a_loan_held_at_the_start_of_the_round() -> None:
    """A loan taken for track in this turn costs no interest yet."""
    game = line("4", ("7",), money=0, loans=1)
    in_turn(game, "CPR", "track")
    act(game, "CPR lay 8 C5 1", next(move for move in offered(game, "CPR lay") if " E3 " in move))
    assert (cash(game, "CPR"), loans(game, "CPR")) == (25, 2)
    act(game, "CPR pass")
    act(game, next(iter(offered(game, "CPR run"))), "CPR withhold")
    assert (cash(game, "CPR"), loans(game, "CPR")) == (25 + 200 - 5 - 100, 0)


def test_minors_by_price_then_majors() -> None:
    game = base("4")
    homes = {"OP": ("E17", 70), "BO": ("D8", 100), "CS": ("F8", 100), "CPR": ("E15", 135), "CNR": ("E13", 150), "KP": ("N12", 110)}  # fmt: skip
    for name, (home, at) in homes.items():
        started(game, name, {"@1": 3} if name in ("CPR", "CNR") else "@1", at, tokens=[(home, 0)])
        give_train(game, name, "4")
    begin_set(game)
    order = []
    while game.state.round.kind == "operating" and len(order) < 6:
        assert game.company_in_turn
        order.append(str(game.company_in_turn))
        end_turn(game, order[-1])
    assert order == ["KP", "BO", "CS", "OP", "CNR", "CPR"]


@pytest.mark.parametrize("first", ["BO", "CS"])
def test_in_one_cell_the_first_to_come_operates_first(first: str) -> None:
    game = base("4")
    for name, home in (("BO", "D8"), ("CS", "F8"))[:: 1 if first == "BO" else -1]:
        started(game, name, "@1", 100, tokens=[(home, 0)])
        give_train(game, name, "4")
    begin_set(game)
    assert game.company_in_turn == first


# -- redeeming ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [1, 2])
def test_a_bundle_from_the_pool_goes_to_the_treasury_at_market_price(number: int) -> None:
    game = line("4", ("4",))
    in_turn(game, "CPR", "redeem")
    refused(game, "CPR redeem 3")
    act(game, f"CPR redeem {number}")
    record = game.company(Owner("CPR"))
    assert (cash(game, "CPR"), price(game, "CPR")) == (300 - 100 * number, 100)
    assert (record.percent_held_by(POOL), record.percent_held_by(IPO)) == (20 - 10 * number, 40 + 10 * number)
    assert not offered(game, "CPR redeem")


@pytest.mark.parametrize(("money", "may"), [(199, False), (200, True)])
def test_redeeming_takes_no_loans(money: int, may: bool) -> None:
    game = line("4", ("4",), money)
    in_turn(game, "CPR", "redeem")
    assert ("CPR redeem 2" in offered(game)) == may
    if not may:
        refused(game, "CPR redeem 2", "")


def test_without_shares_in_the_pool_nothing_is_redeemed() -> None:
    game = lay(base("4"), *LINE)
    started(game, "CPR", {"@1": 3}, tokens=[("E15", 0)])
    give_train(game, "CPR", "4")
    in_turn(game, "CPR", "redeem")
    assert not offered(game, "CPR redeem")


# -- track ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("moves", "paid"), [
    (["CPR lay 9 C5 0"], 0),
    (["CPR lay 9 C5 0", "CPR lay 8 E3 0"], 20),
    (["CPR lay 14 E15 0"], 0),
    (["CPR lay 14 E15 0", "CPR lay 8 E3 0"], 20),
    (["CPR lay 8 E3 0", "CPR lay 14 E15 0"], 20),
])  # fmt: skip
def test_a_lay_or_upgrade_is_free_and_a_second_costs_20(moves: list[str], paid: int) -> None:
    game = line("4", ("4",))
    in_turn(game, "CPR", "track")
    act(game, *moves)
    assert cash(game, "CPR") == 300 - paid


@pytest.mark.parametrize("moves", [
    ["CPR lay 14 E15 0", "CPR lay 14 E13 0"],
    ["CPR lay 8 C5 1", "CPR lay 25 C5 1"],
    ["CPR lay 9 C5 0", "CPR lay 8 E3 0", "CPR lay 9 F4 2"],
])  # fmt: skip
def test_one_upgrade_two_lays_and_never_twice_in_a_hex(moves: list[str]) -> None:
    game = line("4", ("4",))
    in_turn(game, "CPR", "track")
    act(game, *moves[:-1])
    refused(game, moves[-1], "")


@pytest.mark.parametrize(("money", "left", "taken"), [(20, 0, 0), (19, 44, 1), (0, 25, 1)])
def test_a_second_lay_takes_a_loan_if_cash_is_short(money: int, left: int, taken: int) -> None:
    game = line("4", ("4",), money)
    in_turn(game, "CPR", "track")
    act(game, "CPR lay 9 C5 0", "CPR lay 8 E3 0")
    assert (cash(game, "CPR"), loans(game, "CPR")) == (left, taken)


@pytest.mark.parametrize(("held", "may"), [(4, True), (5, False)])
def test_a_major_takes_five_loans_at_most(held: int, may: bool) -> None:
    game = line("4", ("4",), 0, held)
    in_turn(game, "CPR", "track")
    act(game, "CPR lay 9 C5 0")
    if may:
        act(game, "CPR lay 8 E3 0")
        assert loans(game, "CPR") == 5
    else:
        refused(game, "CPR lay 8 E3 0", "")


def ottawa(money: int = 200, held: int = 0) -> Game:
    game = base("3")
    started(game, "OP", "@1", 100, money, held, [("J12", 0)])
    give_train(game, "OP", "3")
    return game


def test_water_costs_20_at_the_first_lay() -> None:
    game = ottawa()
    in_turn(game, "OP", "track")
    act(game, "OP lay 201 J12 4")
    assert cash(game, "OP") == 180
    act(game, "OP lay 9 K11 1")
    assert cash(game, "OP") == 180 - 20 - 20
    game = lay(ottawa(), ("201", "J12", 4))
    in_turn(game, "OP", "track")
    act(game, "OP lay 207 J12 4")
    assert cash(game, "OP") == 200
    game = base("3")
    started(game, "OP", "@1", tokens=[("L12", 0)])
    in_turn(game, "OP", "track")
    act(game, next(move for move in offered(game, "OP lay") if " L12 " in move))
    assert cash(game, "OP") == 180


@pytest.mark.parametrize(("money", "held", "left", "after"), [(10, 0, 0, 2), (15, 0, 5, 2), (60, 1, 0, 2), (110, 2, 0, 2), (54, 1, None, 1), (9, 0, None, 0)])  # fmt: skip
def test_a_river_costs_80_to_who_joins_the_track(money: int, held: int, left: int | None, after: int) -> None:
    """M9 is built up to the river, which costs nothing; M11 joins it as the second lay: 80 + 20. Then interest is due."""
    game = base("3")
    started(game, "OP", "@1", 100, money, held, [("M9", 0)])
    give_train(game, "OP", "3")
    in_turn(game, "OP", "track")
    act(game, "OP lay 57 M9 0")
    assert (cash(game, "OP"), loans(game, "OP")) == (money, held)
    if left is None:
        refused(game, "OP lay 9 M11 0", "")
    else:
        act(game, "OP lay 9 M11 0")
        assert (cash(game, "OP"), loans(game, "OP")) == (left, after)


@pytest.mark.parametrize(("phase", "colours"), [
    ("2", "yellow"), ("3", "yellow green"), ("4", "yellow green"), ("5", "yellow green brown"), ("6", "yellow green brown"),
    ("7", "yellow green brown gray"), ("8", "yellow green brown gray"),
])  # fmt: skip
def test_colours_by_phase(phase: str, colours: str) -> None:
    assert list(new_game(TITLE).title.phase(phase).colours) == colours.split()


EXITS = {"3": (0, 1), "58": (0, 2), "4": (0, 3), "5": (0, 1), "6": (0, 2), "57": (0, 3)}


@pytest.mark.parametrize(("home", "tile", "hex_id", "exits"), [
    ("G15", None, "G15", {(1, 2), (1, 3), (1, 4), (1, 5)}),
    ("M9", ("57", "M9", 1), "L10", {(0, 4)}),
    ("J12", ("201", "J12", 4), "K13", {(2, 4)}),
])  # fmt: skip
def test_a_tile_on_a_stub_uses_its_edge(home: str, tile: tuple[str, str, int] | None, hex_id: str, exits: set[tuple[int, int]]) -> None:  # fmt: skip
    game = lay(base("3"), *([tile] if tile else []))
    started(game, "OP", "@1", tokens=[(home, 0)])
    in_turn(game, "OP", "track")
    found = [move.split() for move in offered(game, "OP lay") if f" {hex_id} " in move]
    assert {tuple(sorted((edge + int(turn)) % 6 for edge in EXITS[number])) for _, _, number, _, turn in found} == exits  # fmt: skip


def test_of_brown_cities_only_those_with_most_exits_are_offered() -> None:
    game = line("5", ("5",))
    lay(game, ("14", "E15", 0), ("207", "E17", 3))
    in_turn(game, "CPR", "track")
    assert {move.split()[2] for move in offered(game, "CPR lay") if " E15 " in move} == {"63"}
    assert {move.split()[2] for move in offered(game, "CPR lay") if " E17 " in move} == {"623"}


# -- tokens -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("to", "paid"), [("E13", 20), ("E17", 20), ("D8", 80), ("D2", 140)])
def test_the_second_token_costs_20_times_the_distance(to: str, paid: int) -> None:
    game = line("4", ("4",))
    in_turn(game, "CPR", "token")
    act(game, f"CPR token {to}")
    assert cash(game, "CPR") == 300 - paid
    assert not offered(game, "CPR token")


@pytest.mark.parametrize(("second", "to", "paid"), [("E17", "E13", 40), ("D8", "D2", 120), ("E13", "D8", 120)])
def test_the_third_costs_40_times_the_distance_to_the_nearest(second: str, to: str, paid: int) -> None:
    game = line("4", ("4",))
    token(game, "CPR", second)
    game.company(Owner("CPR")).tokens_left = (40,)
    in_turn(game, "CPR", "token")
    act(game, f"CPR token {to}")
    assert cash(game, "CPR") == 300 - paid


@pytest.mark.parametrize(("money", "may"), [(79, False), (80, True)])
def test_tokens_are_paid_in_cash_only(money: int, may: bool) -> None:
    game = line("4", ("4",), money)
    in_turn(game, "CPR", "token")
    assert ("CPR token D8" in offered(game)) == may


def test_minors_have_only_the_home() -> None:
    assert {tuple(record.tokens_left) for name, record in new_game(TITLE).state.companies.items() if record.certificates[0].percent == 100 and name != "CN"} == {(0,)}  # fmt: skip


# -- routes -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("train", "revenue"), [("2", 50), ("3", 80), ("4", 100), ("5", 130), ("6", 200), ("7", 200)])
def test_a_train_counts_so_many_cities_and_timmins_with_toronto_40_more(train: str, revenue: int) -> None:
    assert run(line("5", (train,))) == revenue


def test_a_2_does_not_pass_a_third_city() -> None:
    game = line("3", ("2",))
    in_turn(game, "CPR", "run")
    refused(game, f"CPR run {card(game, '2')}=E13.c0>E15.c0>E17.c0", "")


DETROIT = (("57", "C17", 1), ("4", "B18", 1))


@pytest.mark.parametrize(("phase", "train", "owner", "revenue"), [
    ("2", "2", "@1", 50), ("2", "3", "@1", 60), ("3", "2", "@1", 60), ("5", "3", "@1", 80), ("3", "2", "OP", 70), ("5", "3", "OP", 90),
    ("7", "3", "", 100),
])  # fmt: skip
def test_towns_are_passed_or_fill_unused_stops_and_sct_adds_10_in_a_companys_hands(
    phase: str, train: str, owner: str, revenue: int
) -> None:
    """London 20, Sarnia 10, Detroit 30/40/50/70."""
    game = lay(base(phase, **({"SCT": owner} if owner else {})), *DETROIT)
    started(game, "OP", "@1", money=200, tokens=[("C17", 0)])
    give_train(game, "OP", train)
    in_turn(game, "OP", "run")
    act(game, next(iter(offered(game, "OP run"))))
    assert cash(game, "@1") == 420 + revenue // 2 and cash(game, "OP") == 200 + revenue // 2


@pytest.mark.parametrize(("phase", "owner", "revenue"), [("2", "@1", 60), ("2", "OP", 70), ("3", "OP", 80), ("5", "OP", 90)])  # fmt: skip
def test_nfb_adds_10_for_buffalo(phase: str, owner: str, revenue: int) -> None:
    """Hamilton 30, Buffalo 30/40/50."""
    game = minor(phase, trains=("2",), NFB=owner)
    in_turn(game, "OP", "run")
    act(game, f"OP run {card(game, '2')}=E17.c0>F18.o0")
    assert (cash(game, "OP"), cash(game, "@1")) == (200 + revenue // 2, 420 + revenue // 2)


LOOP = (("201", "J12", 4), ("58", "K13", 2), ("9", "K11", 1), ("3", "L10", 0))


@pytest.mark.parametrize(("owner", "revenue"), [("@1", 80), ("OP", 90)])
def test_mb_adds_10_for_montreal_and_no_hex_is_visited_twice(owner: str, revenue: int) -> None:
    """Ottawa 30, Montreal 40, Cornwall or St. Jerome 10."""
    game = lay(base("3", MB=owner), *LOOP)
    started(game, "OP", "@1", money=200, tokens=[("J12", 0)])
    give_train(game, "OP", "3")
    in_turn(game, "OP", "run")
    refused(game, f"OP run {card(game, '3')}=L12.c0>K13.t0>J12.c0>K11>L10.t0>L12.c1", "")
    act(game, f"OP run {card(game, '3')}=J12.c0>K13.t0>L12.c0")
    assert (cash(game, "OP"), cash(game, "@1")) == (200 + revenue // 2, 420 + revenue // 2)


TIMMINS = (("8", "E3", 0), ("9", "E5", 0), ("9", "E7", 0), ("9", "E9", 0), ("8", "E11", 3), ("8", "F12", 0), ("9", "F14", 0), ("120", "F16", 1))  # fmt: skip


@pytest.mark.parametrize(("phase", "train", "revenue"), [("3", "2", 140), ("8", "2+2", 280), ("8", "5+5E", 280)])
def test_the_bonus_of_timmins_is_doubled_with_the_train(phase: str, train: str, revenue: int) -> None:
    """Timmins 40, Toronto 60, bonus 40."""
    game = lay(base(phase), *TIMMINS)
    started(game, "CPR", {"@1": 3}, tokens=[("F16", 1)])
    give_train(game, "CPR", train)
    assert run(game) == revenue


def test_a_5_5e_fills_its_five_stops_with_cities_and_counts_a_token() -> None:
    """Of the line without Sudbury or Barrie: 40 + 20 + 20 + 30 + 30 + 40, doubled."""
    assert run(line("8", ("5+5E",))) == 360


def test_a_5_5e_counts_offboards_first() -> None:
    """London 20, Sarnia 10, Detroit 70."""
    game = lay(base("8"), *DETROIT)
    started(game, "CPR", {"@1": 3}, tokens=[("C17", 0)])
    give_train(game, "CPR", "5+5E")
    assert run(game) == 200


# -- the minor's dividend -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("at", "after"), [(100, 110), (150, 165), (165, 165), (35, 40)])
def test_a_minor_splits_its_revenue_and_rises_up_to_165(at: int, after: int) -> None:
    game = minor("2", at, trains=("2",))
    in_turn(game, "OP", "run")
    act(game, next(iter(offered(game, "OP run"))))
    assert (cash(game, "OP"), cash(game, "@1"), price(game, "OP")) == (230, 450, after)


@pytest.mark.parametrize(("at", "after"), [(100, 90), (165, 150), (35, 35)])
def test_a_minor_without_revenue_falls(at: int, after: int) -> None:
    game = base("3")
    started(game, "OP", "@1", at, 200, tokens=[("E17", 0)])
    give_train(game, "OP", "3")
    in_turn(game, "OP", "run")
    assert (cash(game, "OP"), cash(game, "@1"), price(game, "OP")) == (200, 420, after)


def test_a_major_without_revenue_falls() -> None:
    game = base("4")
    started(game, "CPR", {"@1": 3}, tokens=[("E17", 0)])
    give_train(game, "CPR", "4")
    in_turn(game, "CPR", "run")
    assert price(game, "CPR") == 90


# -- interest and repayment -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "held", "money", "left", "after"), [
    ("CPR", 2, 9, 44, 3), ("CPR", 2, 10, 0, 2), ("CPR", 2, 59, 49, 2), ("CPR", 2, 60, 0, 1), ("CPR", 2, 109, 49, 1), ("CPR", 2, 110, 0, 0),
    ("CPR", 2, 150, 40, 0), ("CPR", 4, 19, 44, 5), ("CPR", 5, 25, 0, 5), ("CPR", 5, 24, None, 0), ("CPR", 1, 4, 44, 2),
    ("OP", 1, 4, 44, 2), ("OP", 2, 9, None, 0), ("OP", 2, 10, 0, 2), ("OP", 2, 60, 0, 1),
])  # fmt: skip
def test_interest_takes_loans_then_loans_are_repaid_while_cash_lasts(
    name: str, held: int, money: int, left: int | None, after: int
) -> None:
    game = line("4", ("4",), money, held) if name == "CPR" else minor("4", 100, money, held, ("4",))
    in_turn(game, name, "loans")
    assert is_gone(game, name) == (left is None)
    assert (cash(game, name), loans(game, name)) == (left or 0, after)


def test_the_bank_has_72_loans_and_they_are_never_taken_freely() -> None:
    game = line("4", ("4",), 0)
    in_turn(game, "CPR", "track")
    refused(game, "CPR loan", "")


# -- trains -----------------------------------------------------------------------------------------------------


TRAINS = {"2": (10, 100, "4"), "3": (7, 225, "6"), "4": (4, 350, "8"), "5": (4, 550, None), "6": (2, 650, None), "7": (2, 800, None), "8": (None, 1000, None), "2+2": (None, 600, None), "5+5E": (None, 1500, None)}  # fmt: skip


@pytest.mark.parametrize(("kind", "number", "value", "rusts"), [(kind, *rest) for kind, rest in TRAINS.items()])
def test_the_trains(kind: str, number: int | None, value: int, rusts: str | None) -> None:
    game = new_game(TITLE)
    spec = game.title.trains[kind]
    assert (spec.price, spec.rusts_on, spec.is_unlimited) == (value, rusts, number is None)
    if number:
        assert count(game, kind) == number


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_with_two_players_trains_and_privates_are_taken_out(seed: int) -> None:
    from bot.titles.registry import TITLES

    game = Game.new(TITLES[TITLE], ("Ann", "Bob"), {}, seed)
    left = Counter(str(train.family) for train in game.state.trains if train.owner == DEPOT)
    assert [left[kind] for kind in "234567"] == [7, 5, 3, 3, 1, 1]
    numbers, value = {}, seed
    for name in ("C&SL", "NFB", "MB", "QB", "SCT"):
        value = (1103515245 * value + 12345) % 2**31
        numbers[name] = value
    kept = sorted(numbers, key=lambda name: numbers[name])[2:]
    assert {str(name) for name, record in game.state.privates.items() if not record.closed} == set(kept)


def test_with_seed_1_two_players_have_c_sl_qb_and_sct() -> None:
    assert {str(name) for name, record in new_game(TITLE, 2).state.privates.items() if not record.closed} == {"C&SL", "QB", "SCT"}  # fmt: skip


@pytest.mark.parametrize(("phase", "name", "limit"), [
    ("2", "OP", 2), ("3", "OP", 2), ("4", "OP", 1), ("5", "OP", 1), ("6", "OP", 1), ("7", "OP", 1),
    ("3", "CPR", 4), ("4", "CPR", 3), ("5", "CPR", 3), ("6", "CPR", 2), ("7", "CPR", 2), ("8", "CPR", 2),
])  # fmt: skip
def test_train_limits(phase: str, name: str, limit: int) -> None:
    for owned in (limit - 1, limit):
        game = base(phase)
        started(game, name, {"@1": 3} if name == "CPR" else "@1", money=2000, tokens=[("E15", 0)])
        for _ in range(owned):
            give_train(game, name, "7")
        in_turn(game, name, "trains")
        assert any("trade" not in move for move in offered(game, f"{name} buy {phase} for")) == (owned < limit)


@pytest.mark.parametrize(("kind", "off"), [("5", 275), ("6", 325), ("7", 400), ("8", 500), ("2+2", 300), ("5+5E", 750)])  # fmt: skip
@pytest.mark.parametrize(("new", "value"), [("8", 1000), ("5+5E", 1500)])
def test_in_phase_8_an_own_train_is_given_in(kind: str, off: int, new: str, value: int) -> None:
    game = line("8", (kind,), 2000)
    in_turn(game, "CPR", "trains")
    refused(game, f"CPR buy {new} for {value - off - 5} trade {kind}", "")
    act(game, f"CPR buy {new} for {value - off} trade {kind}")
    assert cash(game, "CPR") == 2000 - value + off
    assert [train.kind for train in game.state.trains if train.owner == "CPR"] == [new]


def test_before_phase_8_nothing_is_given_in_and_4s_never() -> None:
    game = line("7", ("5",), 2000)
    in_turn(game, "CPR", "trains")
    refused(game, "CPR buy 7 for 400 trade 5", "")
    refused(game, "CPR buy 2+2 for 600", "")
    game = line("8", ("3",), 2000)
    in_turn(game, "CPR", "trains")
    refused(game, "CPR buy 8 for 725 trade 3", "")


@pytest.mark.parametrize(("sum_", "may"), [(0, False), (1, True), (299, True), (300, True), (301, False)])
def test_from_other_companies_for_any_price_up_to_cash(sum_: int, may: bool) -> None:
    game = line("4", ("4",))
    started(game, "OP", "@1", money=0, tokens=[("D8", 0)])
    give_train(game, "OP", "4")
    in_turn(game, "CPR", "trains")
    if may:
        act(game, f"CPR buy 4 from OP for {sum_}")
        assert (cash(game, "CPR"), cash(game, "OP")) == (300 - sum_, sum_)
    else:
        refused(game, f"CPR buy 4 from OP for {sum_}", "")


@pytest.mark.parametrize(("name", "held", "money", "must"), [
    ("CPR", 0, 125, True), ("CPR", 0, 124, False), ("CPR", 3, 260, True), ("CPR", 3, 259, False), ("CPR", 5, 350, True), ("CPR", 5, 349, False),
    ("OP", 0, 260, True), ("OP", 0, 259, False), ("OP", 1, 305, True), ("OP", 1, 304, False), ("OP", 2, 350, True), ("OP", 2, 349, False),
])  # fmt: skip
def test_a_company_without_a_train_must_buy_with_all_its_loans_or_is_nationalised(
    name: str, held: int, money: int, must: bool
) -> None:
    game = line("4", (), money, held) if name == "CPR" else minor("4", 100, money, held)
    in_turn(game, name, "trains")
    assert is_gone(game, name) != must
    if must:
        refused(game, f"{name} pass")
        act(game, f"{name} buy 4 for 350")
        assert (cash(game, name), loans(game, name)) == (0, 5 if name == "CPR" else 2)


@pytest.mark.parametrize(("money", "left", "taken"), [(350, 0, 0), (349, 44, 1), (305, 0, 1), (304, 44, 2)])
def test_no_more_loans_than_needed_for_the_train(money: int, left: int, taken: int) -> None:
    game = line("4", (), money)
    in_turn(game, "CPR", "trains")
    act(game, "CPR buy 4 for 350")
    assert (cash(game, "CPR"), loans(game, "CPR")) == (left, taken)


def test_with_a_train_no_loans_are_taken_for_another() -> None:
    game = line("4", ("3",), 349)
    in_turn(game, "CPR", "trains")
    refused(game, "CPR buy 4 for 350", "")


@pytest.mark.parametrize(("phase", "exported"), [("2", 0), ("3", 0), ("4", 1), ("5", 1), ("6", 1), ("7", 1), ("8", 0)])
def test_the_next_train_leaves_at_the_end_of_each_round_in_phases_4_to_7(phase: str, exported: int) -> None:
    game = base(phase)
    name = "OP" if phase == "2" else "CPR"
    started(game, name, {"@1": 3} if name == "CPR" else "@1", money=0, tokens=[("E15", 0)])
    give_train(game, name, "7")
    number = sum(train.owner == DEPOT for train in game.state.trains)
    in_turn(game, name, "trains")
    assert sum(train.owner == DEPOT for train in game.state.trains) == number - exported
    assert game.state.phase == phase


@pytest.mark.parametrize(("phase", "following"), [("4", "5"), ("5", "6"), ("6", "7"), ("7", "8")])
def test_an_exported_train_has_all_effects_of_a_purchase(phase: str, following: str) -> None:
    game = base(phase, **({"NFB": "@2"} if phase < "6" else {}))
    started(game, "CPR", {"@1": 3}, money=0, tokens=[("E15", 0)])
    give_train(game, "CPR", "7")
    for old in ("2", "3", "4"):
        give_train(game, "CPR", old) if old in {"5": "3", "7": "4"}.get(phase, "") else None
    for train in game.state.trains:
        if train.family == phase and train.owner == DEPOT:
            rearrange(game, train, owner=REMOVED)
    in_turn(game, "CPR", "trains")
    assert game.state.phase == following
    assert [train.family for train in game.state.trains if train.owner == "CPR"] == ["7"]
    if following == "5":
        assert game.company(Owner("BO")).closed and game.state.privates["NFB"].owner == "@2"  # type: ignore[index]
    if following == "6":
        assert game.state.privates["NFB"].owner != "@2" and cash(game, "@2") == 420 + 45  # type: ignore[index]


# -- privates -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "value"), [("C&SL", 30), ("NFB", 45), ("MB", 60), ("QB", 75), ("SCT", 90)])
@pytest.mark.parametrize("phase", ["2", "3", "4", "5"])
def test_privates_are_bought_for_1_up_to_their_value_in_phases_3_to_5(name: str, value: int, phase: str) -> None:
    for sum_, may in ((0, False), (1, True), (value, True), (value + 1, False)):
        game = minor(phase, trains=("5",), **{name: "@1"})
        in_turn(game, "OP", "track")
        if may and phase != "2":
            act(game, f"OP buy {name} for {sum_}")
            assert game.state.privates[name].owner == "OP"  # type: ignore[index]
            assert (cash(game, "OP"), cash(game, "@1")) == (200 - sum_, 420 + sum_)
        else:
            refused(game, f"OP buy {name} for {sum_}", "")


@pytest.mark.parametrize("owner", ["@2", "CPR"])
def test_with_the_first_6_privates_go_to_cn_and_their_holders_get_the_value(owner: str) -> None:
    game = line("5", ("5",), 1000, QB=owner)
    for train in game.state.trains:
        if train.family == "5" and train.owner == DEPOT:
            rearrange(game, train, owner=REMOVED)
    in_turn(game, "CPR", "trains")
    before = cash(game, owner)
    act(game, "CPR buy 6 for 650")
    assert cash(game, owner) == before + 75 - (650 if owner == "CPR" else 0)
    assert game.state.privates["QB"].owner not in ("@2", "CPR")  # type: ignore[index]


@pytest.mark.parametrize(("held", "asks"), [(1, True), (0, False)])
def test_with_loans_privates_may_be_bought_before_interest(held: int, asks: bool) -> None:
    game = line("4", ("4",), 300, held, NFB="@1")
    in_turn(game, "CPR", "dividend", revenue=100)
    act(game, "CPR withhold")
    assert loans(game, "CPR") == held and cash(game, "CPR") == 400
    assert "CPR buy NFB for 45" in offered(game)
    if asks:
        act(game, "CPR pass")
        assert loans(game, "CPR") == 0 and cash(game, "CPR") == 345


# -- Montreal, restrictions ---------------------------------------------------------------------------------


@pytest.mark.parametrize("has", [True, False])
def test_on_grey_montreal_cn_gets_its_token_at_once_if_it_has_none(has: bool) -> None:
    game = lay(base("7"), ("X5", "L12", 0))
    started(game, "OP", "@1", 100, 200, tokens=[("L12", 1)])
    give_train(game, "OP", "7")
    before = len(game.company(Owner("CN")).tokens_left)
    if has:
        token(game, "CN", "L12")
        game.company(Owner("CN")).tokens_left = (0,) * (before - 1)
    in_turn(game, "OP", "track")
    act(game, offered(game, "OP lay 639 L12")[0])
    assert [str(hex_id) for hex_id, _ in game.state.board.cities_of(company("CN"))].count("L12") == 1
    assert len(game.company(Owner("CN")).tokens_left) == before - 1


@pytest.mark.parametrize(("move", "may"), [("lay 24 E9 0", True), ("lay 16 E9 0", False), ("lay 9 G11 0", False)])
def test_new_track_must_be_reached(move: str, may: bool) -> None:
    """E9 joins its sides 2 and 0: 24 adds 0 to 3, 16 a side 1 to 3 that no train of the company comes to."""
    game = line("4", ("4",))
    in_turn(game, "CPR", "track")
    if may:
        act(game, f"CPR {move}")
    else:
        refused(game, f"CPR {move}")


def test_a_free_lay_is_not_paid_back_by_passing() -> None:
    game = line("4", ("4",))
    in_turn(game, "CPR", "track")
    act(game, "CPR lay 9 C5 0", "CPR pass")
    assert cash(game, "CPR") == 300


@pytest.mark.parametrize(("kind", "off"), [("5", 275), ("6", 325), ("7", 400), ("8", 500), ("2+2", 300)])
def test_a_2_2_is_cheaper_for_an_own_train_too(kind: str, off: int) -> None:
    game = line("8", (kind,), 2000)
    in_turn(game, "CPR", "trains")
    act(game, f"CPR buy 2+2 for {600 - off} trade {kind}")
    assert cash(game, "CPR") == 1400 + off


@pytest.mark.parametrize(("sum_", "may"), [(300, True), (301, False), (345, False)])
def test_for_another_companys_train_no_loans_are_taken_though_one_must_be_bought(sum_: int, may: bool) -> None:
    game = line("4", (), 300)
    started(game, "OP", "@1", money=0, tokens=[("D8", 0)])
    give_train(game, "OP", "4")
    in_turn(game, "CPR", "trains")
    if may:
        act(game, f"CPR buy 4 from OP for {sum_}")
        assert (cash(game, "CPR"), loans(game, "CPR")) == (0, 0)
    else:
        refused(game, f"CPR buy 4 from OP for {sum_}", "")
