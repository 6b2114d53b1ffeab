"""1820 by a second reader of the rulebook: dividends, maintenance, trains, loans (§7.2.4 to §7.2.9, §13, §17)."""

from __future__ import annotations

import pytest

from bot.engine.ids import BANK, Owner
from bot.engine.state.events import PriceMoved
from bot.engine.state.state import Frame, OperatingRoundMemory, Round
from tests.rearrangement import rearrange
from tests.titles import builders_1820 as e
from tests.titles.positions import act, cash, refused
from tests.titles.rulebook.birmingham import ROW, at_birmingham, legal, revenue_of, with_revenue

FACE = {"2+": 80, "3+": 200, "5+": 400, "8+": 800, "5D+": 1600, "FLOOD": 2000}


# -- 7.2.4, 16.2.3 ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shares", "held", "pool", "revenue", "paid", "treasury"),
    [
        (5, {"@1": 2, "@2": 1}, 1, 60, {"@1": 24, "@2": 12}, 12),
        (50, {"@1": 20, "@2": 3}, 2, 60, {"@1": 24, "@2": 4}, 30),
        (10, {"@1": 4, "@2": 3}, 1, 75, {"@1": 30, "@2": 23}, 15),
        (20, {"@1": 8, "@2": 1}, 3, 70, {"@1": 28, "@2": 4}, 28),
        (50, {"@1": 21, "@2": 8}, 21, 110, {"@1": 47, "@2": 18}, 0),
    ],
)
def test_7_2_4_players_round_up_the_pool_down_the_rest_stays(
    shares: int, held: dict[str, int], pool: int, revenue: int, paid: dict[str, int], treasury: int
) -> None:
    game = at_birmingham(trains=("2+",), shares=shares, held=held, pool=pool, at=65)
    with_revenue(game, revenue)
    before = {one: cash(game, one) for one in ("@1", "@2")}
    act(game, "LSR pay")
    assert {one: cash(game, one) - before[one] for one in before} == paid
    assert cash(game, "LSR") == 500 + treasury


@pytest.mark.parametrize(
    ("at", "revenue", "spaces"),
    [
        (60, 50, -1),
        (60, 60, 1),
        (60, 110, 1),
        (60, 120, 2),
        (60, 230, 2),
        (60, 240, 3),
        (60, 900, 3),
        (71, 70, -1),
        (95, 380, 3),
    ],
)
def test_7_2_4_and_16_2_3_how_a_dividend_moves_the_price(at: int, revenue: int, spaces: int) -> None:
    game = at_birmingham(trains=("2+",), at=at)
    with_revenue(game, revenue)
    act(game, "LSR pay")
    assert e.column(e.price(game)) == e.column(at) + spaces


def test_7_2_4_withheld_revenue_goes_to_the_treasury() -> None:
    game = at_birmingham(trains=("2+",), at=60)
    with_revenue(game, 120)
    act(game, "LSR withhold")
    assert (cash(game, "LSR"), cash(game, "@1")) == (620, 1000)


def test_7_2_4_without_a_train_a_price_falls_twice() -> None:
    game = at_birmingham(at=60)
    e.in_turn(game, "LSR", "run")
    assert e.price(game) == 51


def test_7_2_4_a_private_company_always_pays() -> None:
    game = at_birmingham(trains=("2+",), tiles=ROW, shares=1)
    assert revenue_of(game) == 80
    assert cash(game, "@1") == 1080


# -- 7.2.5, 10.5 --------------------------------------------------------------------------------------

MAINTENANCE = {
    "2+": (0, 0, 10, 25, 50, 100, 160, 250, 400, 650, 1000, 2500, 5000, 5000, 5000, 5000, 5000),
    "3+": (None, None, 0, 10, 25, 50, 100, 160, 250, 400, 650, 1000, 2500, 5000, 5000, 5000, 5000),
    "5+": (None,) * 5 + (25, 50, 100, 160, 250, 400, 650, 1000, 2500, 5000, 5000, 5000),
    "8+": (None,) * 8 + (50, 100, 160, 250, 400, 650, 1000, 2500, 5000),
    "5D+": (None,) * 11 + (160, 250, 400, 650, 1000, 2500),
    "FLOOD": (None,) * 14 + (400, 650, 1000),
}
PHASE_OF = ["yellow"] * 2 + ["green"] * 3 + ["blue"] * 3 + ["brown"] * 3 + ["red"] * 3 + ["gray"] * 3


@pytest.mark.parametrize(
    ("kind", "column"),
    [(kind, column) for kind, costs in MAINTENANCE.items() for column, cost in enumerate(costs) if cost is not None],
)
def test_10_5_maintenance_of_every_column(kind: str, column: int) -> None:
    game = at_birmingham(PHASE_OF[column], trains=(kind,), money=6000)
    e.title_state(game).column = column
    e.in_turn(game, "LSR", "maintenance")
    cost = MAINTENANCE[kind][column]
    if cost:
        act(game, "LSR cover")
    assert cash(game, "LSR") == 6000 - (cost or 0)
    assert e.price(game) == 65


def test_7_2_5_the_director_covers_the_shortfall_for_a_space() -> None:
    game = at_birmingham("blue", trains=("3+", "5+"), money=10)  # 50 and 25
    e.in_turn(game, "LSR", "maintenance")
    act(game, "LSR cover")
    assert (cash(game, "LSR"), cash(game, "@1")) == (0, 1000 - 65)
    assert e.price(game) == 60


def test_7_2_5_who_neglects_it_is_put_into_liquidation() -> None:
    game = at_birmingham("blue", trains=("3+",), money=100)
    e.in_turn(game, "LSR", "maintenance")
    act(game, "LSR neglect")
    assert e.price(game) == 10
    assert cash(game, "LSR") == 100


# -- 7.2.7, 13.7 --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("column", "limit"),
    [(0, 6), (1, 6), (2, 5), (4, 5), (5, 5), (7, 5), (8, 4), (10, 4), (11, 3), (13, 3), (14, 2), (16, 2)],
)
def test_13_7_train_limits(column: int, limit: int) -> None:
    phase = PHASE_OF[column]
    kind = {"yellow": "2+", "green": "3+", "blue": "5+", "brown": "8+", "red": "5D+", "gray": "FLOOD"}[phase]
    for owned in (limit - 1, limit):
        game = at_birmingham(phase, trains=(kind,) * owned if kind != "5D+" or owned < 4 else (), money=3000)
        e.title_state(game).column = column
        e.in_turn(game, "LSR", "trains")
        if owned == limit:
            assert f"LSR buy {kind} for {FACE[kind]}" not in legal(game)
        else:
            act(game, f"LSR buy {kind} for {FACE[kind]}")
            assert cash(game, "LSR") == 3000 - FACE[kind]


@pytest.mark.parametrize(
    ("phase", "old", "new", "count", "column", "then"),
    [
        ("green", "3+", "5+", 16, 5, "blue"),
        ("blue", "5+", "8+", 14, 8, "brown"),
        ("brown", "8+", "5D+", 6, 11, "red"),
        ("red", "5D+", "FLOOD", 4, 14, "gray"),
    ],
)
def test_5_1_the_first_train_of_a_colour_moves_phase_and_chart(
    phase: str, old: str, new: str, count: int, column: int, then: str
) -> None:
    game = at_birmingham(phase, money=5000)
    cards = [train for train in game.state.trains if train.kind == old and train.owner == e.DEPOT]
    assert len(cards) == count
    for train in cards:
        rearrange(game, train, owner=e.REMOVED)
    e.in_turn(game, "LSR", "trains")
    act(game, f"LSR buy {new} for {FACE[new]}")
    assert (e.title_state(game).column, game.state.phase) == (column, then)


def test_5_1_yellow_trains_never_run_out() -> None:
    game = at_birmingham(money=5000)
    for train in game.state.trains:
        if train.kind == "2+" and train.id != "2+-0":
            rearrange(game, train, owner=e.REMOVED)
    e.in_turn(game, "LSR", "trains")
    refused(game, "LSR buy 3+ for 200", "")
    act(game, "LSR buy 2+ for 80", "LSR buy 2+ for 80")


@pytest.mark.parametrize(("price", "fits"), [(0, False), (1, True), (500, True), (501, False)])
def test_7_2_7_trains_between_publics_for_any_price_from_1(price: int, fits: bool) -> None:
    game = at_birmingham(held={"@1": 2})
    e.floated(game, "OW&WR", held={"@1": 2})
    e.give_trains(game, "OW&WR", "2+", "2+")
    e.give_trains(game, "LSR", "2+")
    e.in_turn(game, "LSR", "trains")
    if fits:
        act(game, f"LSR buy 2+ from OW&WR for {price}")
        assert (cash(game, "LSR"), cash(game, "OW&WR")) == (500 - price, 500 + price)
    else:
        refused(game, f"LSR buy 2+ from OW&WR for {price}", "")


@pytest.mark.parametrize(
    ("buyer", "price", "fits"),
    [("private", 149, False), ("private", 150, True), ("public", 150, True), ("public", 151, False)],
)
def test_7_2_7_between_private_and_public_face_less_maintenance_is_the_bound(
    buyer: str, price: int, fits: bool
) -> None:
    # a 3+ costs 200 and 50 of maintenance in the first blue column
    game = at_birmingham("blue", shares=1 if buyer == "private" else 5, held={"@1": 1 if buyer == "private" else 2})
    e.floated(game, "OW&WR", shares=5 if buyer == "private" else 1, held={"@1": 2 if buyer == "private" else 1})
    for train in [train for train in game.state.trains if train.kind == "3+"][:2]:
        rearrange(game, train, owner=Owner("OW&WR"))
    for train in [train for train in game.state.trains if train.kind == "5+"][:1]:
        rearrange(game, train, owner=Owner("LSR"))
    e.in_turn(game, "LSR", "trains")
    assert game.allows(e.action(f"LSR buy 3+ from OW&WR for {price}")) == fits


def test_7_2_7_a_public_without_a_train_is_put_into_liquidation() -> None:
    game = at_birmingham(at=95)
    e.in_turn(game, "LSR", "trains")
    events = act(game, "LSR pass")
    first = next(event for event in events if isinstance(event, PriceMoved))
    assert first.after == 10


def test_7_2_7_a_private_company_without_a_train_closes_and_its_stations_become_british_rails() -> None:
    game = at_birmingham(shares=1)
    e.in_turn(game, "LSR", "trains")
    act(game, "LSR pass")
    assert e.title_state(game).private_track == []
    assert list(game.state.board.cities_of(e.company(game, "BR").id)) == [("G7", 0)]


def test_7_2_7_the_director_contributes_what_lacks_when_there_is_no_train() -> None:
    game = at_birmingham(money=30)
    e.in_turn(game, "LSR", "trains")
    act(game, "LSR contribute 50", "LSR buy 2+ for 80")
    assert (cash(game, "LSR"), cash(game, "@1")) == (0, 950)


def test_7_2_7_no_contribution_to_a_public_that_has_a_train() -> None:
    game = at_birmingham(trains=("2+",), money=30)
    e.in_turn(game, "LSR", "trains")
    refused(game, "LSR contribute 50", "")


def test_7_2_6_trains_may_be_discarded_freely() -> None:
    game = at_birmingham(trains=("2+", "2+"))
    e.in_turn(game, "LSR", "trains")
    act(game, "LSR discard 2+")
    assert len(game.state.trains_of(Owner("LSR"))) == 1


# -- 7.2.8, 7.2.9, 17 ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("column", "loans", "interest"),
    [
        (0, 1, 20),
        (0, 2, 40),
        (7, 2, 40),
        (8, 1, 40),
        (8, 2, 80),
        (10, 2, 80),
        (11, 1, 60),
        (13, 2, 120),
        (14, 1, 80),
        (16, 2, 160),
    ],
)
def test_10_5_interest_by_column(column: int, loans: int, interest: int) -> None:
    game = at_birmingham(PHASE_OF[column], trains=("3+",), loans=loans, money=190)
    e.title_state(game).column = column
    e.in_turn(game, "LSR", "interest")
    act(game, "LSR cover")
    assert cash(game, "LSR") == 190 - interest
    assert e.price(game) == 65


def test_7_2_8_the_director_covers_interest_for_a_space() -> None:
    game = at_birmingham(trains=("2+",), loans=2, money=10)
    e.in_turn(game, "LSR", "interest")
    act(game, "LSR cover")
    assert (cash(game, "LSR"), cash(game, "@1"), e.price(game)) == (0, 970, 60)


def test_7_2_8_unpaid_interest_puts_it_into_liquidation() -> None:
    game = at_birmingham(trains=("2+",), loans=2, money=100)
    e.in_turn(game, "LSR", "interest")
    act(game, "LSR neglect")
    assert e.price(game) == 10


@pytest.mark.parametrize(("number", "price"), [(1, 71), (2, 78)])
def test_7_2_9_each_loan_repaid_costs_200_and_moves_the_price_up(number: int, price: int) -> None:
    game = at_birmingham(trains=("2+",), loans=2, money=500)
    e.in_turn(game, "LSR", "repay")
    bank = cash(game, BANK)
    act(game, f"LSR repay {number}")
    assert cash(game, BANK) == bank + 200 * number
    assert (cash(game, "LSR"), e.company(game).loans, e.price(game)) == (500 - 200 * number, 2 - number, price)


@pytest.mark.parametrize(("money", "may"), [(199, False), (200, True)])
def test_7_2_9_a_loan_is_repaid_with_200_and_not_with_less(money: int, may: bool) -> None:
    game = at_birmingham(trains=("2+",), loans=1, money=money)
    e.in_turn(game, "LSR", "repay")
    if may:
        act(game, "LSR repay 1")
    assert (cash(game, "LSR"), e.company(game).loans) == ((0, 0) if may else (199, 1))


def test_17_1_a_loan_is_200_for_a_space_down() -> None:
    game = at_birmingham("blue", trains=("3+",), money=0, at=65)
    e.in_turn(game, "LSR", "maintenance")
    act(game, "LSR loan")
    assert (cash(game, "LSR"), e.company(game).loans, e.price(game)) == (200, 1, 60)


@pytest.mark.parametrize(("loans", "at", "fits"), [(1, 65, True), (2, 65, False), (0, 40, False), (0, 43, True)])
def test_17_2_no_more_loans_than_shares_in_play_and_none_into_liquidation(loans: int, at: int, fits: bool) -> None:
    game = at_birmingham("blue", trains=("3+",), money=0, at=at, loans=loans, held={"@1": 2})
    e.in_turn(game, "LSR", "maintenance")
    assert game.allows(e.action("LSR loan")) == fits


def test_17_2_shares_in_the_pool_are_in_play() -> None:
    game = at_birmingham("blue", trains=("3+",), money=0, loans=2, held={"@1": 2}, pool=1)
    e.in_turn(game, "LSR", "maintenance")
    act(game, "LSR loan")


def test_17_1_private_companies_take_no_loans() -> None:
    game = at_birmingham("blue", trains=("3+",), shares=1)
    e.in_turn(game, "LSR", "maintenance")
    refused(game, "LSR loan", "")


# -- 7.1 ----------------------------------------------------------------------------------------------


def test_7_1_publics_by_price_then_private_companies_in_the_order_of_the_track() -> None:
    game = e.new_game()
    for name, at in (("LSR", 60), ("OW&WR", 95), ("LUR", 71)):
        e.floated(game, name, at=at)
        e.give_trains(game, name, "2+")
    for name in ("N&PR", "LBR"):
        e.floated(game, name, shares=1)
        e.give_trains(game, name, "2+")
    game.state.round = Round("operating", 2, 1, 2)
    game.state.flow = [Frame("game", None, 2), Frame("operating round", None, 0, memory=OperatingRoundMemory())]
    e.settled(game)
    order: list[str] = []
    while game.frame.plan == "company turn" and game.state.round.part == 1:
        if str(game.frame.entity) not in order:
            order.append(str(game.frame.entity))
        act(game, f"{game.frame.entity} pass")
    assert order == ["OW&WR", "LUR", "LSR", "N&PR", "LBR"]


def test_6_4_3_a_future_train_takes_a_company_over_its_limit_and_it_discards() -> None:
    game = at_birmingham("green", trains=("3+",) * 5)
    for train in [train for train in game.state.trains if train.kind == "3+" and train.owner == e.DEPOT][:1]:
        rearrange(game, train, owner=Owner("@1"))
    e.in_turn(game, "LSR", "trains")
    act(game, "LSR assign 3+ from @1", "LSR discard 3+")
    assert len(game.state.trains_of(Owner("LSR"))) == 5
